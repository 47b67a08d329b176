"""Bring in what other programs keep: conversations as memories or turns, notes as knowledge.

The readers of the formats are `exchange.formats`; here what they read is cleaned, named and
written.
"""
