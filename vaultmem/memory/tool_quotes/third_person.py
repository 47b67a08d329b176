"""What persons say, as another tells it: `Mara wants tabs`, `User wants tabs`, for `I want tabs`.

Notes leave the subject out (`Wants tabs`, `Never deploy on Fridays`), and write `Sarah's` for
`Sarah is` or the other way round: of these, the form is taken whose words are asked for.
So it is in German and in Chinese, each in a module of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, product
from typing import NamedTuple, Self

from vaultmem.memory.tool_quotes import (
    assertions,
    plain_words,
    third_person_de,
    third_person_zh,
)
from vaultmem.memory.tool_quotes.assertions import Stretch
from vaultmem.memory.tool_quotes.near_quotes import Row

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
_USERS = ("the user", "user")
_BE = frozenset({"am", "are", "was", "were"})
_RULES = re.compile(r"(?i)\b(?:always|never|only)\b")
"""What makes a rule of what somebody does: it is told as one, `Never deploy on Fridays`."""

_LEAD = " \t\"'*_>-\u2018\u201c"
_NEXT = r"(?!\w)(?=(?:\s+(?P<next>[\w'\u2019]+))?)"
_CONTRACTED = re.compile(rf"(?i)(?P<word>[^\W\d_]+)['\u2019](?P<short>s|re|ve|ll|d){_NEXT}")
_SPELLED = re.compile(rf"(?i)(?P<word>[^\W\d_]+) (?P<verb>is|has|are|have|will|would|had){_NEXT}")
_FORMS = (
    {"s": "is", "re": "are", "ve": "have", "ll": "will", "d": "would"},
    {"s": "has", "re": "are", "ve": "have", "ll": "will", "d": "had"},
)
_SHORTENED = {verb: short for forms in _FORMS for short, verb in forms.items()}


class _Language(NamedTuple):
    """What *users* are called, and *again* further on, in a language of its own module.

    *selves* counts how often somebody names themselves in a text; *told* tells it of another, by
    the words that are known, the name, and how that is called further on.
    """

    users: Sequence[str]
    again: Sequence[str]
    selves: Callable[[str], int]
    told: Callable[[Collection[str], str, str, str], str]


_GERMAN = _Language(
    third_person_de.USERS, third_person_de.AGAIN, third_person_de.selves, third_person_de.told
)
_CHINESE = _Language(
    third_person_zh.USERS, third_person_zh.AGAIN, third_person_zh.selves, third_person_zh.told
)


class Known(NamedTuple):
    """The *words* of what is asked about, and the *pairs* of those that stand side by side.

    *shortens*: one has an apostrophe.
    """

    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    shortens: bool

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Self:
        """Return what is known of *rows*."""
        every = [*rows]
        pairs = frozenset(pair for row in every for pair in pairwise(row))
        words = frozenset(word for row in every for word in row)
        return cls(words, pairs, any("'" in word for word in words))

    def has(self, *row: str) -> bool:
        """Tell whether each word of *row* stands beside the next somewhere; "" is no word."""
        said = [word.casefold().replace("\u2019", "'") for word in row if word]
        return self.pairs.issuperset(pairwise(said))


def names(speaker: str, known: Known, users: Iterable[str] = _USERS) -> list[str]:
    """Return what a *speaker*, one of *users*, may be called, of which the words are *known*."""
    called = dict.fromkeys((speaker, *speaker.split()[:1], *users))
    return [name for name in called if _is_among(name, known.words)]


def tellings(run: Sequence[Stretch], speaker: str, known: Known) -> Iterator[Sequence[Stretch]]:
    """Yield *run*, and how another tells it of the *speaker*, in words that are *known*."""
    every = [[*run]]
    if any(_SELF.search(it.whole) for it in run):
        for name, is_past in product([*names(speaker, known), ""], (False, True)):
            way = partial(_of, name) if name else partial(_of_nobody, known)
            tell = partial(_SELF.sub, partial(way, is_past=is_past))
            every.append([_each(it, tell) for it in run])
    for told, forms in product([*every], _FORMS):
        every.append([_each(it, partial(_in_known, forms, known)) for it in told])
    for language in (_GERMAN, _CHINESE):
        ways = _in_language(language, run, speaker, known)
        every.extend([_each(it, tell) for it in run] for tell in ways)
    yield from (told for n, told in enumerate(every) if told not in every[:n])


def _in_language(
    language: _Language, run: Sequence[Stretch], speaker: str, known: Known
) -> Iterator[Callable[[str], str]]:
    """Yield the ways to tell in *language* what the *speaker* says, where they name themselves."""
    if most := max((language.selves(it.whole) for it in run), default=0):
        for name in _named(speaker, known, language.users):
            for again in _again(name, language.again, known, most):
                yield partial(language.told, known.words, name, again)


def _named(speaker: str, known: Known, users: Iterable[str]) -> list[str]:
    """Return the *names* that stand together somewhere, none that is the end of another."""
    found = [
        name
        for name in names(speaker, known, users)
        if known.has(*(word.text for word in plain_words.words(name)))
    ]
    return [it for it in found if not any(of != it and of.endswith(it) for of in found)]


def _again(name: str, others: Iterable[str], known: Known, most: int) -> list[str]:
    """Return how *name* is called further on, where one names themselves *most* often."""
    return [name, *(it for it in others if it in known.words)] if most > 1 else [name]


def _each(it: Stretch, tell: Callable[[str], str]) -> Stretch:
    lead, text = tell(it.lead) if it.lead else "", tell(it.text)
    if (lead, text) == (it.lead, it.text):
        return it
    return replace(it, lead=lead, text=text, tone=assertions.tone(f"{lead} {text}".strip()))


def _in_known(forms: Mapping[str, str], known: Known, text: str) -> str:
    """Return *text* with `Sarah's` as `Sarah is`, and back, where that is known before the next."""

    def spelled(found: re.Match[str]) -> str:
        verb = forms[found["short"].casefold()]
        is_known = known.has(found["word"], verb, found["next"] or "")
        return f"{found['word']} {verb}" if is_known else found[0]

    def contracted(found: re.Match[str]) -> str:
        word = f"{found['word']}'{_SHORTENED[found['verb'].casefold()]}"
        return word if found["next"] and known.has(word, found["next"]) else found[0]

    if "'" in text or "\u2019" in text:
        text = _CONTRACTED.sub(spelled, text)
    return _SPELLED.sub(contracted, text) if known.shortens else text


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


def _of_nobody(known: Known, found: re.Match[str], *, is_past: bool) -> str:
    """Return what a note says that begins with the verb, where that is *known* to begin so.

    `Prefers …`, `Allergic to …`, and `Never deploy …` of a rule.
    """
    if found["own"] or found["object"] or found.string[: found.start()].strip(_LEAD):
        return found[0]
    between, verb = found["between"].strip(), (found["verb"] or "").strip()
    if not found["short"] and verb.casefold() in _BE:
        verb = ""
    elif not found["short"] and not is_past:
        verb = _third(verb) if verb else ""
    elif not found["short"] and not (_RULES.search(between) or _NOT.search(verb)):
        return found[0]
    told = f"{between} {verb}".strip()
    behind = found.string[found.end() :].split(None, 1)[:1]
    return told if known.has(*f"{told} {''.join(behind)}".split()[:2]) else found[0]


def _third(verb: str) -> str:
    """Return *verb* as it stands behind `she`: `wants`, `has`, `doesn't`."""
    word = _NOT.sub("", verb.casefold())
    no = verb[len(word) :]
    if no or word in _VERBS or word in _UNCHANGED:
        return _VERBS.get(word, word) + no
    if re.search(r"(?:s|x|z|ch|sh|o)$", word):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"
