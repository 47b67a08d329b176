"""Read the frontmatter that every reader of YAML sees in the same way at a glance: a key a line.

Behind the key stands one value that is plain, quoted without escapes or missing, or a list of such,
as in nearly all that the program writes itself. It takes a third of PyYAML's time, whose loading
alone costs a command more than its files. All else is PyYAML's to read, and to refuse.
"""

from __future__ import annotations

import re

from vaultmem.documents.frontmatter.parser import Value

NULLS = frozenset({"", "~", "null", "Null", "NULL"})

# Of what lies beyond ASCII no break, no space, no mark of the byte order, and no half of a letter.
_BEYOND = "\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u3001-\ud7ff\U00010000-\U0010ffff"
_LETTER = rf'[!"$-9;-~{_BEYOND}]'
_PLAIN = rf"[A-Za-z0-9{_BEYOND}]{_LETTER}*+(?:[ :]{_LETTER}++)*+"
_QUOTED = rf'"[ !#-\[\]-~{_BEYOND}]*+"'
_WORD = r"[A-Za-z0-9][A-Za-z0-9_-]*+"
_ENTRY = re.compile(
    rf"([A-Za-z_][A-Za-z0-9_-]{{0,63}}+):"
    rf"(?: (?:({_PLAIN}|{_QUOTED})|\[((?:{_WORD}(?:, {_WORD})*+)?)\])\n"
    rf"|\n((?:  - (?:{_PLAIN}|{_QUOTED})\n)*+))"
)
_DASH = len("  - ")


def read(head: str) -> dict[str, Value] | None:
    """Return what *head* maps to, None where it takes more than a glance."""
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
        return written[1:-1]
    return "" if written in NULLS else written
