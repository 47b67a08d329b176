"""Find the threads of a conversation, so that each can get a sentence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

Vector = dict[str, float]


class Measured(NamedTuple):
    """A vector and its Euclidean length, which is worked out once."""

    vector: Vector
    length: float


_SAME = 0.75
_ROUNDS = 3
_NEIGHBOUR = 0.4
# A thread must hold this share of what is said, or it is an aside.
_LEAST_SHARE = 0.12


def weights(documents: Sequence[Sequence[str]]) -> Vector:
    """Weigh terms by (ln df + 0.3) * ln(1 + N / df).

    The second factor is the inverse document frequency (Sparck Jones 1972); the first asks that a
    term be repeated, since without a background corpus what is rare may also be a slip.
    """
    counts = Counter(chain.from_iterable(map(dict.fromkeys, documents)))
    n = len(documents)
    # Rounded, so that the last bit of a machine's logarithm decides nothing.
    each = {df: round((math.log(df) + 0.3) * math.log(1 + n / df), 6) for df in {*counts.values()}}
    return {term: each[df] for term, df in counts.items()}


def vectors(
    documents: Sequence[Sequence[str]], days: Sequence[str], weight: Vector
) -> list[Vector]:
    """Return each document's terms, softened by its neighbours' of the same day."""
    own = [{term: weight[term] for term in document} for document in documents]
    return [_softened(own, days, i) for i in range(len(own))]


def cosine(one: Vector, two: Vector) -> float:
    """Return the cosine of the angle between two vectors, 0 when one is empty."""
    return alike(measured(one), measured(two))


def measured(vector: Vector) -> Measured:
    """Return *vector* with its length."""
    return Measured(vector, norm(vector))


def alike(one: Measured, two: Measured) -> float:
    """Return the cosine of two vectors whose lengths are known."""
    short, long = one.vector, two.vector
    if len(long) < len(short):
        short, long = long, short
    # A list, because a generator takes half as long again, and this is the innermost loop.
    dot = sum([value * long[term] for term, value in short.items() if term in long])
    return dot / (one.length * two.length) if dot else 0.0


def label(found: Sequence[Vector], most: int) -> list[int]:
    """Return each vector's thread, by spherical k-means (Dhillon & Modha 2001).

    The seeds lie far apart, so that chance has no part in it.
    """
    lengthy = [measured(vector) for vector in found]
    centres = _seeds(lengthy, most)
    labels = [_nearest(vector, centres) for vector in lengthy]
    for _ in range(_ROUNDS - 1):
        members: list[list[Vector]] = [[] for _ in centres]
        for vector, at in zip(found, labels, strict=True):
            members[at].append(vector)
        centres = [measured(total(some)) for some in members]
        labels = [_nearest(vector, centres) for vector in lengthy]
    return labels


def heaviest(found: Sequence[Vector], labels: Sequence[int]) -> list[int]:
    """Return the threads that are no asides, the one with most substance first."""
    mass: dict[int, float] = {}
    for vector, at in zip(found, labels, strict=True):
        mass[at] = mass.get(at, 0.0) + norm(vector)
    least = _LEAST_SHARE * sum(mass.values())
    return [at for at in sorted(mass, key=lambda at: (-round(mass[at], 6), at)) if mass[at] > least]


def same(one: Iterable[str], two: Iterable[str]) -> bool:
    """Whether two sentences tell the same, by the Jaccard index of what they are about."""
    left, right = frozenset(one), frozenset(two)
    shared = len(left & right)
    return shared > _SAME * (len(left) + len(right) - shared)


def total(found: Iterable[Vector]) -> Vector:
    """Add vectors up; of unit length or not, the sum points at their centroid."""
    added: Vector = {}
    for vector in found:
        for term, value in vector.items():
            added[term] = added.get(term, 0.0) + value
    return added


def norm(vector: Vector) -> float:
    """Return the Euclidean length."""
    return math.hypot(*vector.values())


def _softened(own: Sequence[Vector], days: Sequence[str], i: int) -> Vector:
    vector = dict(own[i])
    for j in (i - 1, i + 1):
        if 0 <= j < len(own) and days[j] == days[i]:
            for term, value in own[j].items():
                vector[term] = vector.get(term, 0.0) + _NEIGHBOUR * value
    return vector


def _seeds(found: Sequence[Measured], most: int) -> list[Measured]:
    """Pick the longest vector, then again and again the one least like any picked."""
    closest = [0.0] * len(found)
    seeds: list[Measured] = []
    while len(seeds) < min(most, len(found)):
        far = [round(v.length * (1 - near), 6) for v, near in zip(found, closest, strict=True)]
        seeds.append(found[far.index(max(far))])
        closest = [max(n, alike(v, seeds[-1])) for n, v in zip(closest, found, strict=True)]
    return seeds


def _nearest(vector: Measured, centres: Sequence[Measured]) -> int:
    near = [round(alike(vector, centre), 6) for centre in centres]
    return near.index(max(near))
