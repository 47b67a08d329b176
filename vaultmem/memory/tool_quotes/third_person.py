"""What persons say of themselves, as another tells it: `Mara wants tabs` for `I want tabs`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial

from vaultmem.memory.tool_quotes import plain_words
from vaultmem.memory.tool_quotes.assertions import Stretch

_SELF = re.compile(
    r"(?i)(?<![\w'\u2019])(?:(?P<own>my|our)|(?P<object>me)|(?:I|we)(?:['\u2019](?P<short>m|re|ve|ll|d))?"
    r"(?P<between>(?: (?:also|always|already|just|mostly|never|now|often|only|rarely|really|still"
    r"|usually))*)(?P<verb> [a-z]+(?:['\u2019]t)?)?)(?![\w'\u2019])"
)
_SHORT = {"m": " is", "re": " is", "ve": " has", "ll": " will", "d": " would"}
_VERBS = {"am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "go": "goes"}
_UNCHANGED = frozenset(
    (
        "can",
        "could",
        "will",
        "would",
        "shall",
        "should",
        "may",
        "might",
        "must",
        "was",
        "had",
        "did",
    )
)
_NOT = re.compile("n['\u2019]t$")
_USER = "the user"


def names(speaker: str, known: Collection[str]) -> list[str]:
    """Return what a *speaker* may be called, of which the words are *known*."""
    called = dict.fromkeys((speaker, *speaker.split()[:1], _USER))
    return [name for name in called if _is_among(name, known)]


def tellings(run: Sequence[Stretch], called: Collection[str]) -> Iterator[Sequence[Stretch]]:
    """Yield *run*, and how another tells it of who is *called* so."""
    yield run
    if not any(_SELF.search(it.whole) for it in run):
        return
    for name in called:
        for is_past in (False, True):
            tell = partial(_SELF.sub, partial(_of, name, is_past=is_past))
            yield [replace(it, lead=tell(it.lead), text=tell(it.text)) for it in run]


def _is_among(name: str, known: Collection[str]) -> bool:
    *ahead, last = [word.text for word in plain_words.words(name)] or [""]
    return (
        bool(last) and all(it in known for it in ahead) and (last in known or f"{last}'s" in known)
    )


def _of(name: str, found: re.Match[str], *, is_past: bool) -> str:
    if found["own"]:
        return f"{name}'s"
    if found["object"]:
        return name
    verb = found["verb"] or ""
    if found["short"]:
        return f"{name}{_SHORT[found['short'].casefold()]}{found['between']}{verb}"
    return f"{name}{found['between']}{verb if is_past or not verb else f' {_third(verb.strip())}'}"


def _third(verb: str) -> str:
    """Return *verb* as it stands behind `she`: `wants`, `has`, `doesn't`."""
    word = _NOT.sub("", verb.casefold())
    no = verb[len(word) :]
    if no or word in _VERBS or word in _UNCHANGED:
        return _VERBS.get(word, word) + no
    if re.search(r"(?:s|x|z|ch|sh|o)$", word):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"
