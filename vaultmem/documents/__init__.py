"""Pure functions between text and values; no I/O, no clock.

Frontmatter, Markdown bodies, secret detection, the text that may leave a file, token estimates.
"""
