"""What is put around a tool's sentence to tell whose it is, or what: `Mara said:`, a heading.

It says nothing of its own, and makes the sentence nobody else's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from vaultmem.memory.tool_quotes import plain_words, reported_words
from vaultmem.memory.tool_quotes.plain_words import Word

_SHORT = 8
"""Words of a sentence that tells whose the one beside it is: `Mara told me so.`"""

_LEADS = re.compile(r"[:\uff1a|]\W*\Z")
"""What stands at the end of a lead."""

_HEADING = re.compile(r"(?:^|\n)[^\S\n]*(?:#{1,6}\s|\*\*|__)\W*\Z")
"""What stands ahead of the first word of a heading."""

_USERS = (("the", "user"), ("nutzer",), ("nutzerin",), ("\u7528", "\u6237"))


def around(text: str, words: Sequence[Word], quoted: AbstractSet[int]) -> frozenset[int]:
    """Return the places of those *words* of *text* that stand around sentences.

    *quoted* are the places of what a tool said.
    """
    parts = [range(*it) for it in plain_words.parts(words, plain_words.LINE)]
    found = set[int]()
    told = [not quoted.isdisjoint(part) for part in parts]
    for at, part in enumerate(parts):
        if not told[at]:
            continue
        own = [n for n in part if n not in quoted]
        found.update(own if _says(words, own) else ())
        first = at
        while first and not told[first - 1] and _is_lead(text, words, parts[first - 1]):
            first -= 1
            found.update(parts[first])
        if at + 1 < len(parts) and not told[at + 1] and _tells_whose(words, parts[at + 1]):
            found.update(parts[at + 1])
    return frozenset(found)


def names(words: Sequence[str], speakers: AbstractSet[tuple[str, ...]]) -> bool:
    """Tell whether one of *speakers*, or the user, is named among *words*."""
    return any(_is_named(name, words) for name in (*speakers, *_USERS))


def _is_named(name: Sequence[str], words: Sequence[str]) -> bool:
    *first, last = name
    forms = (last, f"{last}'s", f"{last}s")
    size = len(first)
    return any(
        word in forms and [*words[n - size : n]] == first
        for n, word in enumerate(words)
        if n >= size
    )


def _is_lead(text: str, words: Sequence[Word], part: range) -> bool:
    """Tell whether *part* leads to what stands behind it: it has a colon, or is a heading."""
    behind = words[part[-1] + 1].start
    if _LEADS.search(text[words[part[-1]].start : behind]) or _tells_whose(words, part):
        return True
    before = words[part[0] - 1].end if part[0] else 0
    return _HEADING.search(text[before : words[part[0]].start]) is not None


def _tells_whose(words: Sequence[Word], part: range) -> bool:
    return len(part) <= _SHORT and _says(words, part)


def _says(words: Sequence[Word], places: Sequence[int]) -> bool:
    return any(reported_words.says(words[n].text) for n in places)
