"""Read the frontmatter that every reader of YAML sees in the same way at a glance: a key a line.

Behind the key stands one value that is plain, quoted or missing, or a list of such, as in nearly
all that the program writes itself. It takes a third of PyYAML's time, whose loading alone costs a
command more than its files. All else is PyYAML's to read, and to refuse.
"""

from __future__ import annotations

import re

from vaultmem.documents.frontmatter.parser import Value
from vaultmem.documents.patterns import compiled

NULLS = frozenset({"", "~", "null", "Null", "NULL"})

_LETTER = r"[^\x00-\x20#:\x7f-\xa0]"
_PLAIN = rf"[^\W_]{_LETTER}*+(?:[ :]{_LETTER}++)*+"
_QUOTED = r'"(?:[^\x00-\x1f"\\\x7f-\xa0]|\\[nt"\\])*+"'
_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_WORD = r"[A-Za-z0-9][A-Za-z0-9_-]*+"
_ENTRY = re.compile(
    rf"([A-Za-z_][A-Za-z0-9_-]{{0,63}}+):"
    rf"(?: (?:({_PLAIN}|{_QUOTED})|\[((?:{_WORD}(?:, {_WORD})*+)?)\])\n"
    rf"|\n((?:  - (?:{_PLAIN}|{_QUOTED})\n)*+))"
)
_DASH = len("  - ")
_ODD = "[\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ud800-\udfff\ufeff\ufffe\uffff]"
"""Spaces, line breaks, marks of the byte order and halves of letters, which readers part at."""


def read(head: str) -> dict[str, Value] | None:
    """Return what *head* maps to, None where it takes more than a glance."""
    if not head.isascii() and compiled(_ODD).search(head):
        return None
    found: dict[str, Value] = {}
    at = 0
    while entry := _ENTRY.match(head, at):
        key, one, words, lines = entry.groups()
        if key in found:
            return None
        if one:
            found[key] = _value(one)
        elif words is not None:
            found[key] = [_value(word) for word in words.split(", ") if word]
        else:
            found[key] = [_value(line[_DASH:]) for line in lines.split("\n")[:-1]] or ""
        at = entry.end()
    return found if at == len(head) else None


def _value(written: str) -> str:
    if written[0] == '"':
        return _ESCAPED.sub(lambda found: _MEANT[found[1]], written[1:-1])
    return "" if written in NULLS else written
