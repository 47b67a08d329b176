"""Late interaction: each token of a question beside the token of a text that is nearest to it.

A text's vector is an average in which one telling word is lost; here it is not. The greatest dot
product of a question's token with any of the text's is its MaxSim (Khattab and Zaharia 2020, arXiv
2004.12832). Token vectors are kept in the 64 directions that tell most, a byte each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vaultmem.models.embeddings.types import Encoded, TokenEmbedder, Tokens
from vaultmem.retrieval.vectors.embedding_cache import Blobs, Space
from vaultmem.retrieval.vectors.matrix import FLOAT32
from vaultmem.storage.index.neighbours import Reading
from vaultmem.storage.index.tokenizer import STOP_WORDS

Floats = NDArray[np.float32]

_DIRECTIONS = 64
_STEPS = 127
_BYTE = np.dtype("i1")


def basis(blobs: Blobs, space: Space, embedder: TokenEmbedder) -> Floats:
    """Return the directions of *space*, shape (dimensions, 64); found when there are none yet.

    They are kept, for no two machines would find them alike to the last sign.
    """
    kept = blobs.basis(space)
    if not kept:
        found = _principal(embedder).astype(FLOAT32).tobytes()
        blobs.keep_basis(space, found)
        kept = blobs.basis(space) or found  # of a space that is gone nothing will be kept
    return _read(kept)


def _principal(embedder: TokenEmbedder) -> Floats:
    """Return the directions in which the tokens of a sample differ most from nothing."""
    sample = embedder.encoded(embedder.sample())
    rows = np.concatenate([_units(text.tokens.vectors) for text in sample])
    directions: Floats = np.linalg.eigh(rows.T @ rows)[1][:, -_DIRECTIONS:]
    return directions


def _read(kept: bytes) -> Floats:
    return np.frombuffer(kept, FLOAT32).reshape(-1, _DIRECTIONS)


class Read(NamedTuple):
    """One of several readings, by its *number*: the text that was *encoded*, and what came of it.

    Of what was read beside the text itself there are no tokens.
    """

    number: int
    text: str
    encoded: Encoded


def read(embedder: TokenEmbedder, wanted: Sequence[Reading]) -> Iterator[Read]:
    """Yield what *embedder* makes of each of *wanted*, in any order; raises ModelAway.

    What it cannot read to the end of the text between its neighbours it reads alone.
    """
    whole = [it.whole for it in wanted]
    cut_short: list[int] = []
    for it in embedder.encoded(whole):
        reading = wanted[it.number]
        if whole[it.number] == reading.text:
            yield Read(it.number, reading.text, it)
        elif inside := _inside(it.tokens, reading.span):
            yield Read(it.number, whole[it.number], _middle(it, inside))
        else:
            cut_short.append(it.number)
    alone = [wanted[number].text for number in cut_short]
    for it in embedder.encoded(alone) if alone else ():
        yield Read(cut_short[it.number], alone[it.number], it)


def _inside(tokens: Tokens, span: tuple[int, int]) -> list[int]:
    """Return the numbers of the tokens within *span*, none where they end before it does."""
    first, last = span
    if max((end for _, end in tokens.spans), default=0) < last:
        return []
    return [n for n, (a, b) in enumerate(tokens.spans) if first <= a < b <= last]


def _middle(it: Encoded, inside: Sequence[int]) -> Encoded:
    """Return of *it* the tokens *inside*, and the unit vector that is their mean."""
    vectors = it.tokens.vectors[inside]
    mean = vectors.mean(axis=0)
    spans = [it.tokens.spans[n] for n in inside]
    return Encoded(it.number, mean / np.linalg.norm(mean), Tokens(spans, vectors))


def stored(text: str, tokens: Tokens, directions: Floats) -> bytes:
    """Return the vectors of those *tokens* of *text* that tell something, as they are kept."""
    telling = tokens.vectors[_content_tokens(text, tokens.spans)]
    return np.rint(_projected(telling, directions) * _STEPS).astype(_BYTE).tobytes()


class Interaction:
    """The tokens of one question, and how near the texts of a space come to each."""

    def __init__(self, blobs: Blobs, space: Space, query: str, tokens: Tokens) -> None:
        """Compare the *tokens* of *query* that tell something; nothing is read yet but a basis."""
        self._blobs, self._space = blobs, space
        kept = blobs.basis(space)
        telling = _content_tokens(query, tokens.spans) if kept else []
        self.words = tuple(_word(query, tokens.spans[n]) for n in telling)
        self._tokens = _projected(tokens.vectors[telling], _read(kept)) if telling else None

    def of(self, shas: Iterable[str]) -> dict[str, tuple[float, ...]]:
        """Return each token's greatest cosine in those texts that have token vectors."""
        if self._tokens is None:
            return {}
        return _maxima(self._tokens, self._blobs.tokens(self._space, shas))


def _maxima(question: Floats, texts: Mapping[str, bytes]) -> dict[str, tuple[float, ...]]:
    if not texts:
        return {}
    rows = np.frombuffer(b"".join(texts.values()), _BYTE).reshape(-1, _DIRECTIONS)
    ends = list(accumulate(len(kept) // _DIRECTIONS for kept in texts.values()))
    cosines = rows.astype(np.float32) @ question.T / np.float32(_STEPS)
    greatest = np.maximum.reduceat(cosines, [0, *ends[:-1]], axis=0)
    return dict(zip(texts, map(tuple, greatest.tolist()), strict=True))


def _projected(vectors: Floats, directions: Floats) -> Floats:
    return _units(_units(vectors) @ directions)


def _units(rows: Floats) -> Floats:
    units: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))
    return units


def _content_tokens(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return the numbers of the tokens of words that are no function words, or else of all."""
    words = {n: word for n, span in enumerate(spans) if (word := _word(text, span))}
    telling = [n for n, word in words.items() if word not in STOP_WORDS]
    return telling or list(words) or list(range(len(spans)))


def _word(text: str, span: tuple[int, int]) -> str:
    """Return the word around *span* in lower case, "" where none is: a token may be part of one."""
    first, last = span
    if not any(map(str.isalnum, text[first:last])):
        return ""
    while first and text[first - 1].isalnum():
        first -= 1
    while last < len(text) and text[last].isalnum():
        last += 1
    return text[first:last].lower()
