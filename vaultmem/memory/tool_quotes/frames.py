"""What is put around a tool's sentence to tell whose it is, or what: `Mara said:`, a heading.

It says nothing of its own, and makes the sentence nobody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from vaultmem.memory.tool_quotes import plain_words, reported_words
from vaultmem.memory.tool_quotes.plain_words import Word

_SHORT = 8
"""Words of a sentence that tells whose the one beside it is: `Mara told me so.`"""

_LEADS = re.compile(r"[:\uff1a|]\W*\Z")
"""What stands at the end of a lead."""

_HEADING = re.compile(r"(?:^|\n)[^\S\n]*(?:#{1,6}\s|\*\*|__)\W*\Z")
"""What stands ahead of the first word of a heading."""

_USERS = (("the", "user"), ("der", "nutzer"), ("die", "nutzerin"), ("\u7528", "\u6237"))


def around(text: str, words: Sequence[Word], quoted: AbstractSet[int]) -> Iterator[frozenset[int]]:
    """Yield the places of those *words* of *text* that stand around a sentence, for each of these.

    *quoted* are the places of what a tool said.
    """
    parts = [range(*it) for it in plain_words.parts(words, plain_words.LINE)]
    told = [not quoted.isdisjoint(part) for part in parts]
    for at, part in enumerate(parts):
        if not told[at]:
            continue
        own = [n for n in part if n not in quoted]
        found = [*own] if _says(words, own) else []
        first = at
        while first and not told[first - 1] and _is_lead(text, words, parts[first - 1]):
            first -= 1
            found += parts[first]
        if at + 1 < len(parts) and not told[at + 1] and _tells_whose(words, parts[at + 1]):
            found += parts[at + 1]
        yield frozenset(found)


def names(words: Sequence[str], speakers: AbstractSet[tuple[str, ...]]) -> bool:
    """Tell whether a frame of these *words* names who says it: one of *speakers*, or the user."""
    said = {form for word in words for form in (word, word.removesuffix("'s"), word.rstrip("s"))}
    begins = any(tuple(words[: len(name)]) == name for name in speakers)
    is_named = any(said.issuperset(name) for name in (*speakers, *_USERS))
    return begins or (is_named and any(map(reported_words.says, words)))


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
