"""Thin a long-term summary: every era keeps a voice, the old ones fewer of them.

Lines are taken over as they are. Only dates in their frames are read, so that the result of one
round can be the input of the next.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis, quotation, segmentation

_LINES, _WORDS = 12, 330
# So many summaries are weighed at once.
_TOGETHER = 16
_FRAME = re.compile(r"(?:On )?(\d{4})-(\d\d)-(\d\d)\b")
# 1 keeps as much of every year; the less, the faster the past thins out.
_FADING = 0.75


class _Line(NamedTuple):
    """A line, the day it tells of, and what it is about."""

    text: str
    day: int
    size: int
    about: segmentation.Measured
    items: frozenset[str]


def longterm(passages: Sequence[Passage]) -> list[str]:
    """Return the lines worth keeping of earlier summaries, in order of time.

    Of many passages neighbours are thinned first, then what is left of them: each line is weighed a
    few times only, however many there are, and the time taken grows as they do.
    """
    texts = [passage.text for passage in passages]
    while len(texts) > _TOGETHER:
        groups = (texts[i : i + _TOGETHER] for i in range(0, len(texts), _TOGETHER))
        texts = ["\n".join(_thinned(group)) for group in groups]
    return _thinned(texts)


def _thinned(texts: Sequence[str]) -> list[str]:
    lines = _distinct(sorted(_lines(texts), key=lambda line: line.day))
    likeness = _likeness(lines)
    while _too_much(lines):
        at = _least(lines, likeness)
        del lines[at], likeness[at]
        for row in likeness:
            del row[at]
    return [quotation.chop(line.text, _WORDS) for line in lines]


def _likeness(lines: Sequence[_Line]) -> list[list[float]]:
    """Compare each line with each other; with itself none is compared."""
    alike = [[0.0] * len(lines) for _ in lines]
    for (i, one), (j, two) in combinations(enumerate(lines), 2):
        alike[i][j] = alike[j][i] = segmentation.alike(one.about, two.about)
    return alike


def _lines(summaries: Sequence[str]) -> list[_Line]:
    texts = [line for summary in summaries for line in _split(summary)]
    documents = [analysis.terms(text) for text in texts]
    weight = segmentation.weights(documents)
    about = [
        segmentation.measured({term: weight[term] for term in document}) for document in documents
    ]
    made = zip(
        texts, _days(texts), map(analysis.size, texts), about, map(_items, texts), strict=True
    )
    return [_Line(*line) for line in made]


def _items(line: str) -> frozenset[str]:
    """Return what *line* is about; numbers count, since `mile 3` is not `mile 4`."""
    rest = _FRAME.sub("", line, count=1)
    return frozenset([*analysis.terms(rest), *analysis.figures(rest)[0]])


def _split(text: str) -> Iterator[str]:
    """Yield framed lines whole, and the sentences of what somebody else wrote."""
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if _FRAME.match(line):
            yield line
        else:
            yield from (s for s in analysis.sentences(line) if not analysis.is_code(s))


def _days(texts: Sequence[str]) -> list[int]:
    """Count each line's days; a line without a date belongs to the one before it."""
    days: list[int] = []
    for text in texts:
        frame = _FRAME.match(text)
        days.append(_day(frame) if frame else days[-1] if days else 0)
    return days


def _day(frame: re.Match[str]) -> int:
    # Months of 31 days are exact enough to compare spans.
    year, month, day = map(int, frame.groups())
    return (year * 12 + month) * 31 + day


def _distinct(lines: Sequence[_Line]) -> list[_Line]:
    """Drop a line that the lines before it have already told."""
    kept: list[_Line] = []
    for line in lines:
        same = (line.text == k.text or segmentation.same(line.items, k.items) for k in kept)
        if not any(same):
            kept.append(line)
    return kept


def _too_much(lines: Sequence[_Line]) -> bool:
    full = len(lines) > _LINES or sum(line.size for line in lines) > _WORDS
    return full and len(lines) > 1


def _least(lines: Sequence[_Line], likeness: Sequence[Sequence[float]]) -> int:
    """Return the line to miss least: the one in the densest place that tells the least of its own.

    The first is never dropped, so the earliest era keeps a voice.
    """
    at = _places(lines)
    last = len(lines) - 1
    loss = {i: round(_room(at, i) * _own(lines[i], likeness[i]), 6) for i in range(1, last + 1)}
    return min(loss, key=lambda i: (loss[i], abs(2 * i - last), i))


def _places(lines: Sequence[_Line]) -> list[float]:
    """Put lines on a scale where the past is drawn together: a power of their age.

    Lines evenly spread on it thin out gently towards the past. Without dates the rank counts.
    """
    newest, oldest = lines[-1].day, lines[0].day
    if newest == oldest:
        return [float(i) for i in range(len(lines))]
    ages = [(newest - line.day) / (newest - oldest) for line in lines]
    return [len(lines) * (1 - age**_FADING) for age in ages]


def _room(at: Sequence[float], i: int) -> float:
    """Return how wide a gap would be left, with a little for lines of one day."""
    after = at[i + 1] if i + 1 < len(at) else at[i] + 1
    return 0.25 + after - at[i - 1]


def _own(line: _Line, likeness: Sequence[float]) -> float:
    """Return the weight of what the line tells and no other does as well."""
    return math.sqrt(max(0.0, 1 - max(likeness)) * math.sqrt(1 + line.about.length))
