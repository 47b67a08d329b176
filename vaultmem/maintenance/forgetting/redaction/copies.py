"""Which texts are copies of a forgotten one, and texts without those.

What is forgotten is that text. A text is a copy where it would be refused as the forgotten one: its
words in order, whatever wraps them. A longer one loses the paragraphs, lines and sentences that are
copies, and keeps the rest. With more words in the same sentence, or with others, it is another text
and stays as it is; so it does behind words with a colon, which may say the contrary of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from vaultmem.maintenance.forgetting.redaction.decodings import readings
from vaultmem.maintenance.forgetting.redaction.labels import is_dated, is_labelled
from vaultmem.maintenance.forgetting.redaction.word_rows import FEW, Run, places, words
from vaultmem.nlp.text import analysis
from vaultmem.storage import tombstone_digests
from vaultmem.storage.tombstones import MARK, Tombstone, Tombstones

_SALT = "00"
"""Nothing is kept that is made with it."""
_AROUND = 20
"""Words at most of what wraps a text: a greeting, a speaker, an address."""
_GREETING = re.compile(
    r"\s*(?:hi|hey|hello|dear|hallo|liebe[rs]?|good (?:morning|afternoon|evening)"
    r"|guten (?:morgen|tag|abend)|bonjour|hola)(?: (?!i\b)[^\W\d_]+){0,2} ?[,!.:\u2013\u2014-]+\s*",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s*")
_TRIES = 20
"""Words alike, at most, at which a sentence is looked for: no text is searched again and again."""
_WORD = re.compile(r"[^\W_]+")
_STOP = re.compile("[.!?\u2026]*")
_TELLING = re.compile(r"\d[^\s\w]\d|\d{4}|\d +[^\W\d]{3}|[^\W\d]{3} +\d|://|www\.")
"""A date, a time or an address, and no number of a list."""
_CELL = re.compile(r"\|")
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Copies:
    """What tells the copies of forgotten texts: what refuses those of the same words, by these.

    *starts* are the first words of each, and *hints* a word of each without which nothing is a copy
    of it. A copy may be *labelled* in what is ours, such as by its speaker; so may one of the texts
    in *repeated*, where who said them speaks again.
    """

    refusing: Mapping[Run, Tombstones]
    starts: Mapping[Run, tuple[Run, ...]]
    hints: frozenset[str]
    labelled: bool = False
    repeated: frozenset[Run] = frozenset()

    def without(self, text: str) -> str:
        """Return *text* with a mark in the place of each copy that stands in it.

        The mark alone where it says nothing else. What is shorter than four words is everybody's.
        """
        if not self._may_stand_in(text):
            return text
        made = _cut(text, self._spans(text))
        return MARK if made != text and _says_nothing(made) else made

    def stand_in(self, text: str) -> bool:
        """Tell whether a copy of four words or more stands in *text*, whatever its label says."""
        return replace(self, labelled=True).without(text) != text

    def are_all_of(self, text: str) -> bool:
        """Tell whether *text* is a copy and says nothing else, however short it is."""
        return self._may_stand_in(text) and self._copied(text, fewest=1) is not None

    def _may_stand_in(self, text: str) -> bool:
        every = (words(reading) for reading in readings(text))
        return any(
            not self.hints.isdisjoint(said) and any(True for _ in self._rows(said))
            for said in every
        )

    def _copied(self, text: str, fewest: int = FEW) -> Run | None:
        """Return the words of what *text* is a copy of, None for another text."""
        found = (self._copied_as_read(it, fewest) for it in readings(text))
        return next(filter(None, found), None)

    def _copied_as_read(self, text: str, fewest: int = FEW) -> Run | None:
        said = words(text)
        found = {
            row
            for _, row in self._rows(said)
            if fewest <= len(row) >= len(said) - _AROUND
            and (self.labelled or row in self.repeated or not is_labelled(text, row))
        }
        ways = (text, _GREETING.sub("", text, count=1)) if found else ()
        return next((row for row in found if any(map(self.refusing[row].of, ways))), None)

    def _rows(self, said: Sequence[str]) -> Iterator[tuple[int, Run]]:
        """Yield the words of each text that stand in a row in what is *said*, and where."""
        sizes = {len(start) for start in self.starts}
        for at in range(len(said)):
            for size in sizes:
                for row in self.starts.get(tuple(said[at : at + size]), ()):
                    if tuple(said[at : at + len(row)]) == row:
                        yield at, row

    def _spans(self, text: str) -> Iterator[_Span]:
        """Yield where the copies stand in *text*."""
        if row := self._copied(text):
            yield _span_of_copy(text, (0, len(text)), row)
            return
        said, pieces = list[str](), list[_Span]()
        for start, end in _pieces(text):
            spoken = words(text[start:end])
            said += spoken
            pieces += [(start, end)] * len(spoken)
        for at, row in self._rows(said):
            span = pieces[at][0], pieces[at + len(row) - 1][1]
            if self._copied(text[slice(*span)]) == row:
                yield _span_of_copy(text, span, row)
        for start, end in dict.fromkeys(pieces):
            _, *encoded = readings(text[start:end])
            if any(map(self._copied_as_read, encoded)):
                yield start, end


def copies(texts: Iterable[str], repeated: Iterable[str] = ()) -> Copies:
    """Return what tells the copies of *texts*, of which *repeated* may stand behind a label."""
    known: dict[Run, tuple[Tombstone, ...]] = {}
    for text in dict.fromkeys(texts):
        if said := tuple(words(text)):
            stone = Tombstone("", "", _SALT, tombstone_digests.digests(text, _SALT))
            known[said] = (*known.get(said, ()), stone)
    starts: dict[Run, tuple[Run, ...]] = {}
    for row in known:
        starts[row[:FEW]] = (*starts.get(row[:FEW], ()), row)
    refusing = {row: Tombstones(stones) for row, stones in known.items()}
    own = frozenset(tuple(words(text)) for text in repeated)
    hints = frozenset(max(row, key=len) for row in known)
    return Copies(refusing, starts, hints, repeated=own)


def _span_of_copy(text: str, span: _Span, row: Run) -> _Span:
    """Return what goes of *span*, where a copy stands: its words alone, if a date is around them.

    Or an address: one of either says something, and stays.
    """
    start, end = span
    inner = text[start:end]
    found, said = [*_WORD.finditer(inner)], words(inner)
    at = next(places(row, said), None)
    if at is None or len(found) != len(said):
        return span
    first, last = found[at].start(), found[at + len(row) - 1].end()
    lead = inner[:first]
    if not (is_dated(lead) or _TELLING.search(f"{lead} \n {inner[last:]}")):
        return span
    stop = _STOP.match(inner, last)
    return start + first, start + (stop.end() if stop else last)


def _pieces(text: str) -> Iterator[_Span]:
    """Yield where the sentences of *text* stand; one goes over a line's end in several pieces."""
    ends = {0, len(text), *_line_ends(text), *_sentence_ends(text)}
    for start, end in pairwise(sorted(ends)):
        if text[start:end].strip():
            yield start, end


def _line_ends(text: str) -> Iterator[int]:
    at = 0
    for line in text.splitlines(keepends=True):
        if line.count("|") > 1:
            yield from (at + end for found in _CELL.finditer(line) for end in found.span())
        at += len(line)
        yield at


def _sentence_ends(text: str) -> Iterator[int]:
    at = 0
    for sentence in analysis.sentences(text):
        if span := _span_of(text, sentence.split(), at):
            yield from span
            at = span[1]


def _span_of(text: str, said: Sequence[str], at: int) -> _Span | None:
    """Return where the words of a sentence stand, between any spaces, soon after *at*."""
    start = text.find(said[0], at)
    for _ in range(_TRIES):
        if start < 0:
            return None
        if end := _end_of(text, said, start):
            return start, end
        start = text.find(said[0], start + 1)
    return None


def _end_of(text: str, said: Sequence[str], at: int) -> int:
    """Return where *said* ends if it begins *at* that place, else 0."""
    for word in said:
        found = _SPACE.match(text, at)
        at = found.end() if found else at
        if not text.startswith(word, at):
            return 0
        at += len(word)
    return at


def _cut(text: str, spans: Iterable[_Span]) -> str:
    """Return *text* with a mark in the place of each of *spans*, but for the spaces around it."""
    made, done = list[str](), 0
    for start, end in _joined(spans):
        inner = text[start:end].strip()
        lead = _SPACE.match(text, start, end)
        first = lead.end() if lead else start
        made += [text[done:first], MARK]
        done = first + len(inner)
    return "".join((*made, text[done:]))


def _joined(spans: Iterable[_Span]) -> Iterator[_Span]:
    """Yield *spans* in order, those that overlap as one: each of the copies goes whole."""
    first, last = 0, 0
    for start, end in sorted(spans):
        if start < last:
            last = max(last, end)
        else:
            if last:
                yield first, last
            first, last = start, end
    if last:
        yield first, last


def _says_nothing(text: str) -> bool:
    left = text.replace(MARK, " ")
    return not words(left) or _GREETING.fullmatch(left) is not None
