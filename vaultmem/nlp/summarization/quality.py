"""Measure a summary against its sources: only what they say, and what matters in them."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import absolute_dates, analysis, segmentation
from vaultmem.nlp.text.stopwords import CHAT, EVENTS, STOP

# Few enough that a good short summary can reach half of it.
_SALIENT = 32
# A name, number or date is worth more than a word.
_FACT = 1.5
# What follows a name at the start of a sentence, beside the verbs of events.
_AFTER_NAME = EVENTS | {"and", "has", "had", "is", "likes", "lives", "loves", "made", "plans"}
_AFTER_NAME |= {"prefers", "said", "says", "wants", "was", "will", "works"}


class Measures(NamedTuple):
    """How faithful a summary is, how much it covers and how much it saves, each from 0 to 1."""

    faithfulness: float
    coverage: float
    compression: float


class Read(NamedTuple):
    """One text, taken apart once: its sentences, the names in them, and the whole."""

    sentences: list[str]
    names: tuple[str, ...]
    parsed: analysis.Parsed


class _Known(NamedTuple):
    """What the sources hold, in every form a summary may put it."""

    words: frozenset[str]
    numbers: frozenset[str]
    dates: frozenset[str]


class Sources:
    """What summaries are held against; it is taken apart once, however many these are."""

    def __init__(
        self, passages: Sequence[Passage], texts: Sequence[analysis.Parsed] | None = None
    ) -> None:
        """Hold summaries against *passages*; *texts* are theirs as parsed, if they are."""
        self._passages, self._texts = passages, texts

    def faithfulness(self, summary: Read) -> float:
        """Return how faithful *summary* is; what `yesterday` meant is asked where it matters."""
        share = _faithfulness(summary, self._said)
        return share if share == 1.0 else _faithfulness(summary, self._meant)

    @cached_property
    def _said(self) -> _Known:
        texts = self._texts or (analysis.parsed(passage.text) for passage in self._passages)
        return _known(texts, self._passages)

    @cached_property
    def _meant(self) -> _Known:
        days = _known(map(analysis.parsed, _dated_out(self._passages)), self._passages)
        return _Known(*(one | other for one, other in zip(self._said, days, strict=True)))


def read(text: str) -> Read:
    """Take *text* apart."""
    sentences = analysis.sentences(text)
    return Read(sentences, analysis.names(sentences), analysis.parsed(text))


def measured(summary: str, sources: Sequence[Passage], parts: Sequence[Read]) -> Measures:
    """Return all three measures of *summary*; *parts* are the texts of *sources* as read."""
    parsed = read(summary)
    return Measures(
        Sources(sources, [part.parsed for part in parts]).faithfulness(parsed),
        _coverage(parsed, parts),
        compression(summary, sources),
    )


def faithfulness(summary: str, sources: Sequence[Passage]) -> float:
    """Return the share of *summary*'s names, numbers and dates that occur in *sources*.

    Names are compared word by word and without case, dates in any spelling; who spoke and when
    counts as said, and so does the day that a source counts from then: `yesterday`. 1.0 for a
    summary without any.
    """
    return Sources(sources).faithfulness(read(summary))


def coverage(summary: str, sources: Sequence[Passage]) -> float:
    """Return the weighted share of what is salient in *sources* that occurs in *summary*.

    The salient items are the 32 heaviest of the sources' facts and terms by
    w = k * (ln df + 0.3) * ln(1 + N / df), where df of the N sources have the item and k is 1.5 for
    a name, number or date, 1 for a term. Coverage is the sum of w over the items in the summary
    divided by the sum over all 32: 1.0 for the sources themselves, 0.0 for another subject.
    This is the content-unit recall of Gillick & Favre 2009 with the units weighed as above.
    """
    return _coverage(read(summary), [read(passage.text) for passage in sources])


def compression(summary: str, sources: Sequence[Passage]) -> float:
    """Return the share of the sources' words that *summary* saves, 0.0 when it saves none."""
    before = sum(analysis.size(passage.text) for passage in sources)
    return max(0.0, 1 - analysis.size(summary) / before) if before else 0.0


def _faithfulness(summary: Read, known: _Known) -> float:
    names = dict.fromkeys([*summary.names, *_openers(summary.sentences)])
    verdicts = [name in known.words for name in names]
    verdicts += [number in known.numbers for number in summary.parsed.numbers]
    verdicts += [_dated(date, known) for date in summary.parsed.dates]
    return sum(verdicts) / len(verdicts) if verdicts else 1.0


def _coverage(summary: Read, parts: Sequence[Read]) -> float:
    names = frozenset(name for part in parts for name in part.names)
    salient = _salient([_items(part.parsed, names) for part in parts])
    if not salient:
        return 1.0
    covered = frozenset(_items(summary.parsed, names))
    return sum(w for item, w in salient.items() if item in covered) / sum(salient.values())


def _salient(documents: Sequence[Sequence[str]]) -> dict[str, float]:
    weight = segmentation.weights(documents)
    heavy = {item: w * (1.0 if item[0] == "~" else _FACT) for item, w in weight.items()}
    return dict(heapq.nsmallest(_SALIENT, heavy.items(), key=lambda pair: (-pair[1], pair[0])))


def _items(part: analysis.Parsed, names: frozenset[str]) -> list[str]:
    """Return facts as they are and terms with a tilde; a name counts wherever it stands."""
    named = [word for word in part.heads if word in names]
    stems = [f"~{term}" for term in part.terms if term not in names]
    return [*named, *part.numbers, *part.dates, *stems]


def _known(texts: Iterable[analysis.Parsed], sources: Sequence[Passage]) -> _Known:
    """Gather the sources' words, numbers (spelled out or not) and dates with their parts."""
    frames = {
        f"{passage.speaker}\n\n{day[:10]}"
        for passage in sources
        for day in (passage.created, passage.until or passage.created)
    }
    heads, numbers, dates = set[str](), set[str](), set[str]()
    for part in chain(texts, map(analysis.parsed, frames)):
        heads.update(part.heads)
        numbers.update(part.numbers)
        dates.update(part.dates)
    numbers.update(analysis.spelled(heads), (date[:4] for date in dates if date[:4].isdigit()))
    parts = (part for date in dates for part in _parts(date))
    return _Known(frozenset(heads), frozenset(numbers), frozenset(parts))


def _dated_out(sources: Sequence[Passage]) -> Iterator[str]:
    """Yield what was said with the days that it counts from the day of speaking."""
    for passage in sources:
        day = passage.day
        if day and not passage.until:
            meant = absolute_dates.absolute(passage.text, day)
            if meant != passage.text:
                yield meant


def _openers(sentences: Sequence[str]) -> list[str]:
    """Return words that open a sentence and are names, since then somebody does something."""
    starts = (analysis.words(sentence)[:2] for sentence in sentences)
    return [name for start in starts if start and (name := _opener(start))]


def _opener(start: Sequence[str]) -> str:
    word, verb = map(analysis.head, [*start, "", ""][:2])
    acts = verb in _AFTER_NAME or start[0].casefold() != word
    return word if acts and start[0][0].isupper() and word not in STOP | CHAT else ""


def _parts(date: str) -> tuple[str, ...]:
    """Return *date* and what it says in part: 2023-05-08 is also --05-08, 2023-05 and --05."""
    if date[0] not in "-0123456789":
        return (date,)
    year, month = date[: date.index("-", 1)], date[date.index("-", 1) :]
    return (date, f"-{month}", f"{year}{month[:3]}", f"-{month[:3]}")


def _dated(date: str, known: _Known) -> bool:
    """Whether *date* is known whole, or its year and its day are known apart."""
    return date in known.dates or (date[:4] in known.numbers and f"-{date[4:]}" in known.dates)
