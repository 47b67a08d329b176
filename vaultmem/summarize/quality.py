"""Measure a summary against its sources: only what they say, and what matters in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.summarize import prose, threads
from vaultmem.summarize.words import CHAT, EVENTS, STOP

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.summarize import Passage

# Few enough that a good short summary can reach half of it.
_SALIENT = 32
# A name, number or date is worth more than a word.
_FACT = 1.5
# What follows a name at the start of a sentence, beside the verbs of events.
_AFTER_NAME = EVENTS | {"and", "has", "had", "is", "likes", "lives", "loves", "made", "plans"}
_AFTER_NAME |= {"prefers", "said", "says", "wants", "was", "will", "works"}


class _Parsed(NamedTuple):
    """One text, taken apart once."""

    facts: prose.Facts
    words: list[str]
    terms: list[str]


class _Known(NamedTuple):
    """What the sources hold, in every form a summary may put it."""

    words: frozenset[str]
    numbers: frozenset[str]
    dates: frozenset[str]


def faithfulness(summary: str, sources: Sequence[Passage]) -> float:
    """Return the share of *summary*'s names, numbers and dates that occur in *sources*.

    Names are compared word by word and without case, dates in any spelling; who spoke and when
    counts as said. 1.0 for a summary without any.
    """
    facts, known = prose.facts(summary), _known(sources)
    names = dict.fromkeys([*facts.names, *_openers(summary)])
    verdicts = [name in known.words for name in names]
    verdicts += [number in known.numbers for number in facts.numbers]
    verdicts += [_dated(date, known) for date in facts.dates]
    return sum(verdicts) / len(verdicts) if verdicts else 1.0


def coverage(summary: str, sources: Sequence[Passage]) -> float:
    """Return the weighted share of what is salient in *sources* that occurs in *summary*.

    The salient items are the 32 heaviest of the sources' facts and terms by
    w = k * (ln df + 0.3) * ln(1 + N / df), where df of the N sources have the item and k is 1.5 for
    a name, number or date, 1 for a term. Coverage is the sum of w over the items in the summary
    divided by the sum over all 32: 1.0 for the sources themselves, 0.0 for another subject.
    This is the content-unit recall of Gillick & Favre 2009 with the units weighed as above.
    """
    parts = [_parsed(passage.text) for passage in sources]
    names = frozenset(name for part in parts for name in part.facts.names)
    salient = _salient([_items(part, names) for part in parts])
    if not salient:
        return 1.0
    said = frozenset(_items(_parsed(summary), names))
    return sum(w for item, w in salient.items() if item in said) / sum(salient.values())


def compression(summary: str, sources: Sequence[Passage]) -> float:
    """Return the share of the sources' words that *summary* saves, 0.0 when it saves none."""
    before = sum(prose.size(passage.text) for passage in sources)
    return max(0.0, 1 - prose.size(summary) / before) if before else 0.0


def _salient(documents: Sequence[Sequence[str]]) -> dict[str, float]:
    weight = threads.weights(documents)
    heavy = {item: w * (1.0 if item[0] == "~" else _FACT) for item, w in weight.items()}
    return dict(sorted(heavy.items(), key=lambda pair: (-pair[1], pair[0]))[:_SALIENT])


def _parsed(text: str) -> _Parsed:
    return _Parsed(prose.facts(text), prose.heads(text), prose.terms(text))


def _items(part: _Parsed, names: frozenset[str]) -> list[str]:
    """Return facts as they are and terms with a tilde; a name counts wherever it stands."""
    said = [word for word in part.words if word in names]
    stems = [f"~{term}" for term in part.terms if term not in names]
    return [*said, *part.facts.numbers, *part.facts.dates, *stems]


def _known(sources: Sequence[Passage]) -> _Known:
    """Gather the sources' words, numbers (spelled out or not) and dates with their parts."""
    text = "\n\n".join(f"{p.text}\n\n{p.speaker}\n\n{p.created[:10]}" for p in sources)
    numbers, dates = prose.figures(text)
    heads = frozenset(prose.heads(text))
    numbered = frozenset([*numbers, *prose.spelled_numbers(text), *_years(dates)])
    return _Known(heads, numbered, frozenset(part for date in dates for part in _parts(date)))


def _openers(summary: str) -> list[str]:
    """Return words that open a sentence and are names, since then somebody does something."""
    starts = (prose.words(sentence)[:2] for sentence in prose.sentences(summary))
    return [name for start in starts if start and (name := _opener(start))]


def _opener(start: Sequence[str]) -> str:
    word, verb = map(prose.head, [*start, "", ""][:2])
    acts = verb in _AFTER_NAME or start[0].casefold() != word
    return word if acts and start[0][0].isupper() and word not in STOP | CHAT else ""


def _parts(date: str) -> tuple[str, ...]:
    """Return *date* and what it says in part: 2023-05-08 is also --05-08, 2023-05 and --05."""
    if date[0] not in "-0123456789":
        return (date,)
    year, month = date[: date.index("-", 1)], date[date.index("-", 1) :]
    return (date, f"-{month}", f"{year}{month[:3]}", f"-{month[:3]}")


def _years(dates: Iterable[str]) -> Iterable[str]:
    return (date[:4] for date in dates if date[:4].isdigit())


def _dated(date: str, known: _Known) -> bool:
    """Whether *date* is known whole, or its year and its day are known apart."""
    return date in known.dates or (date[:4] in known.numbers and f"-{date[4:]}" in known.dates)
