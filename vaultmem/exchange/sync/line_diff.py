"""Which lines of two texts are the same, found at a cost that is bounded whatever the lines say.

Few pairs of equal lines are compared as `difflib` does it. Where very many lines are equal to each
other, that would be quadratic: then the shortest edit is looked for, as `git diff` does, and where
that is long, too, only lines that both texts have once lead to their neighbours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

_MOST_PAIRS = 1_000_000
"""So many pairs of equal lines are few."""
_MOST_EDITS = 500
"""So many lines may come and go in an edit that is looked for."""

Pair = tuple[int, int]


def same(before: Sequence[str], now: Sequence[str]) -> Iterator[Pair]:
    """Yield where each line of *before* that stays stands there and in *now*, in order."""
    there = Counter(now)
    if sum(count * there[line] for line, count in Counter(before).items()) <= _MOST_PAIRS:
        yield from _matched(before, now)
        return
    head = _run(before, now)
    tail = _run(before[head:][::-1], now[head:][::-1])
    yield from ((at, at) for at in range(head))
    ends = len(before) - tail, len(now) - tail
    old, new = before[head : ends[0]], now[head : ends[1]]
    found = _shortest(old, new)
    for i, j in _anchored(old, new) if found is None else found:
        yield head + i, head + j
    yield from ((ends[0] + at, ends[1] + at) for at in range(tail))


def _matched(before: Sequence[str], now: Sequence[str]) -> Iterator[Pair]:
    for i, j, size in SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks():
        yield from zip(range(i, i + size), range(j, j + size), strict=True)


def _run(one: Sequence[str], two: Sequence[str]) -> int:
    """Return with how many equal lines both begin."""
    lines = enumerate(zip(one, two, strict=False))
    return next((at for at, (a, b) in lines if a != b), min(len(one), len(two)))


def _shortest(before: Sequence[str], now: Sequence[str]) -> list[Pair] | None:
    """Return what stays in a shortest edit, by Myers' greedy algorithm; None where it is long.

    On diagonal k it is `reached[k]` lines into *before*, and k fewer into *now*.
    """
    reached, steps = {1: 0}, []
    for edits in range(_MOST_EDITS + 1):
        steps.append(dict(reached))
        for k in range(-edits, edits + 1, 2):
            i = _step(reached, k, edits)
            while i < len(before) and 0 <= i - k < len(now) and before[i] == now[i - k]:
                i += 1
            reached[k] = i
            if i >= len(before) and i - k >= len(now):
                return _walked_back(steps, (len(before), len(now)))
    return None


def _step(reached: dict[int, int], k: int, edits: int) -> int:
    """Return how far one more edit leads on diagonal *k*: a line of *now* came, or one went."""
    return reached[k + 1] if _has_come(reached, k, edits) else reached[k - 1] + 1


def _has_come(reached: dict[int, int], k: int, edits: int) -> bool:
    return k == -edits or (k != edits and reached[k - 1] < reached[k + 1])


def _walked_back(steps: Sequence[dict[int, int]], end: Pair) -> list[Pair]:
    pairs: list[Pair] = []
    i, j = end
    for edits in range(len(steps) - 1, -1, -1):
        k = i - j
        begin = _step(steps[edits], k, edits)
        pairs += ((at, at - k) for at in range(i - 1, begin - 1, -1))
        came = _has_come(steps[edits], k, edits)
        i, j = (begin, begin - k - 1) if came else (begin - 1, begin - k)
    return pairs[::-1]


def _anchored(before: Sequence[str], now: Sequence[str]) -> Iterator[Pair]:
    """Yield the lines that both have once, in order, and what is equal around them."""
    once = {line for line, n in Counter(before).items() if n == 1}
    once &= {line for line, n in Counter(now).items() if n == 1}
    old, new = ([at for at, line in enumerate(it) if line in once] for it in (before, now))
    found = _matched([before[at] for at in old], [now[at] for at in new])
    anchors = [(-1, -1), *((old[i], new[j]) for i, j in found), (len(before), len(now))]
    for (i, j), (i_end, j_end) in pairwise(anchors):
        one, two = before[i + 1 : i_end], now[j + 1 : j_end]
        down = _run(one, two)
        up = _run(one[down:][::-1], two[down:][::-1])
        yield from ((i + 1 + at, j + 1 + at) for at in range(down))
        yield from ((i_end - at, j_end - at) for at in range(up, 0, -1))
        if i_end < len(before):
            yield i_end, j_end
