"""The coded engine: a bit for each dimension finds the nearest, whole vectors give the figures.

A code is the signs of a vector. Two codes differ in about as many bits as the angle between their
vectors is of a half-turn (Charikar 2002, random hyperplanes), so the nearest by codes hold the
nearest by cosines when several times as many are taken. Codes are a thirty-second of the vectors,
are kept beside them, and are all that has to be read and held in memory.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vaultmem.models.embeddings.types import Vector
from vaultmem.retrieval.vectors.embedding_cache import Blob, Blobs, Code
from vaultmem.retrieval.vectors.exact_engine import Question
from vaultmem.retrieval.vectors.matrix import best, compared, read

_WORD = np.dtype("<u8")
_TAKEN = 4
"""So many times as many as are wanted are taken by their codes, and compared by cosine.

In MiniLM's space these hold .971 of the 50 nearest, eight times as many .997 (2 080 turns of real
talk, 300 questions).
"""
_LEAST = 2048
"""Taken in any case: it costs some milliseconds, whatever there is."""
_SLACK = 4096


class Coded:
    """The codes of some vectors, read once and followed as more come."""

    def __init__(self, blobs: Blobs) -> None:
        """Hold none yet."""
        self._blobs = blobs
        self._of: Hashable = None
        self._codes = Codes(0)

    def ask(self, question: Question) -> CodedSimilarities:
        """Compare the question with all there is."""
        space, dimensions = question.space, len(question.vector)
        self._code_all(question)
        mark = self._blobs.mark(space)
        if (mark[:3], dimensions) != self._of:
            self._of, self._codes = (mark[:3], dimensions), Codes(dimensions)
        while portion := self._blobs.codes(space, self._codes.last, dimensions):
            self._codes.extend(portion)
        return CodedSimilarities(self._blobs, question, self._codes)

    def _code_all(self, question: Question) -> None:
        while portion := self._blobs.uncoded(question.space):
            self._blobs.keep_codes(question.space, map(coded, portion))


class Codes:
    """A growing table of codes: a row of words for each 64 dimensions, a column a vector."""

    def __init__(self, dimensions: int) -> None:
        """Have no columns yet."""
        self._size = 0
        self._ids = np.empty(0, np.int64)
        self._words = np.empty((-(-dimensions // 64), 0), _WORD)

    @property
    def last(self) -> int:
        """The number of the last vector that has a column, 0 without one."""
        return int(self._ids[self._size - 1]) if self._size else 0

    def extend(self, codes: Sequence[Code]) -> None:
        """Add columns."""
        start, end = self._size, self._size + len(codes)
        self._reserve(end)
        self._ids[start:end] = [it.vector for it in codes]
        joined = np.frombuffer(b"".join(it.code for it in codes), _WORD)
        self._words[:, start:end] = joined.reshape(len(codes), len(self._words)).T
        self._size = end

    def _reserve(self, count: int) -> None:
        if count > len(self._ids):
            room = count + count // 8 + _SLACK
            ids, words = np.empty(room, np.int64), np.empty((len(self._words), room), _WORD)
            ids[: self._size] = self._ids[: self._size]
            words[:, : self._size] = self._words[:, : self._size]
            self._ids, self._words = ids, words

    def nearest(self, code: bytes, many: int) -> list[int]:
        """Return the numbers of the *many* vectors whose codes are most like *code*."""
        apart = np.zeros(self._size, np.uint16)
        for row, word in zip(self._words, np.frombuffer(code, _WORD), strict=True):
            apart += np.bitwise_count(row[: self._size] ^ word)
        chosen = self._ids[: self._size]
        if many < self._size:
            chosen = chosen[np.argpartition(apart, many)[:many]]
        return [int(number) for number in chosen]


class CodedSimilarities:
    """One question: the nearest by their codes, and their cosines."""

    def __init__(self, blobs: Blobs, question: Question, codes: Codes) -> None:
        """Answer from what *codes* has now."""
        self._blobs, self._question, self._codes = blobs, question, codes

    def best(self, many: int) -> Mapping[str, float]:
        """Return about the *many* nearest texts; fewer only when there are no more."""
        taken = max(_TAKEN * many, _LEAST)
        ids = self._codes.nearest(code(self._question.vector), taken)
        near = compared(self._blobs.numbered(ids), self._question.vector)
        cosines: NDArray[np.float32] = np.fromiter(near.values(), np.float32, len(near))
        return best(list(near), cosines, many)

    def of(self, shas: Iterable[str]) -> Mapping[str, float]:
        """Return the cosines of those texts that have a vector."""
        return compared(self._blobs.of(self._question.space, shas), self._question.vector)


def code(vector: Vector) -> bytes:
    """Return the signs of *vector*, a bit each, in whole words of 64."""
    bits = np.packbits(vector > 0)
    return bits.tobytes().ljust(-(-len(vector) // 64) * _WORD.itemsize, b"\0")


def coded(blob: Blob) -> Code:
    """Return the code of a vector that is kept."""
    vector = read(blob.vector)
    return Code(blob.id, len(vector), code(vector))
