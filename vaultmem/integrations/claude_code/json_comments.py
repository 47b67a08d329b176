"""JSON with comments and trailing commas, as VS Code writes it, seen as plain JSON.

Letter for letter: a place in one text is that place in the other.
"""

from __future__ import annotations

import re

# Strings first: what looks like a comment in one is none.
_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<comment>//[^\n]*|/\*.*?\*/)""", re.DOTALL
)
_TRAILING = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[\]}])')


def plain(text: str) -> str:
    """Return *text* with blanks in the place of comments and of commas that nothing follows."""
    return _TRAILING.sub(lambda m: m[1] or " ", _uncommented(text))


def has_comma(text: str) -> bool:
    """Tell whether *text*, from between two entries, has a comma outside of its comments."""
    return "," in _uncommented(text)


def _uncommented(text: str) -> str:
    return _TOKEN.sub(lambda m: m[0] if m["string"] else _blank(m[0]), text)


def _blank(comment: str) -> str:
    return "".join(c if c in "\r\n" else " " for c in comment)
