"""Find the threads of a conversation, so that each can get a sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Vector = dict[str, float]

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
    counts: dict[str, int] = {}
    for document in documents:
        for term in dict.fromkeys(document):
            counts[term] = counts.get(term, 0) + 1
    n = len(documents)
    # Rounded, so that the last bit of a machine's logarithm decides nothing.
    return {t: round((math.log(df) + 0.3) * math.log(1 + n / df), 6) for t, df in counts.items()}


def vectors(
    documents: Sequence[Sequence[str]], days: Sequence[str], weight: Vector
) -> list[Vector]:
    """Return each document's terms, softened by its neighbours' of the same day."""
    own = [{term: weight[term] for term in document} for document in documents]
    return [_softened(own, days, i) for i in range(len(own))]


def cosine(one: Vector, two: Vector) -> float:
    """Return the cosine of the angle between two vectors, 0 when one is empty."""
    if len(two) < len(one):
        one, two = two, one
    dot = sum(value * two[term] for term, value in one.items() if term in two)
    return dot / (norm(one) * norm(two)) if dot else 0.0


def label(found: Sequence[Vector], most: int) -> list[int]:
    """Return each vector's thread, by spherical k-means (Dhillon & Modha 2001).

    The seeds lie far apart, so that chance has no part in it.
    """
    centres = _seeds(found, most)
    labels: list[int] = []
    for _ in range(_ROUNDS):
        labels = [_nearest(vector, centres) for vector in found]
        centres = [total(_members(found, labels, at)) for at in range(len(centres))]
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
    return len(left & right) > _SAME * len(left | right)


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


def _seeds(found: Sequence[Vector], most: int) -> list[Vector]:
    """Pick the longest vector, then again and again the one least like any picked."""
    lengths = [norm(vector) for vector in found]
    closest = [0.0] * len(found)
    seeds: list[Vector] = []
    while len(seeds) < min(most, len(found)):
        far = [round(length * (1 - near), 6) for length, near in zip(lengths, closest, strict=True)]
        seeds.append(found[far.index(max(far))])
        closest = [max(n, cosine(v, seeds[-1])) for n, v in zip(closest, found, strict=True)]
    return seeds


def _nearest(vector: Vector, centres: Sequence[Vector]) -> int:
    near = [round(cosine(vector, centre), 6) for centre in centres]
    return near.index(max(near))


def _members(found: Sequence[Vector], labels: Sequence[int], at: int) -> Iterable[Vector]:
    return (vector for vector, label in zip(found, labels, strict=True) if label == at)
