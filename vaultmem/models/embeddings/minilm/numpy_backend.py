"""MiniLM computed with numpy, its matrix products in one thread: two wait for each other.

Measured on two busy cores, one query took 336 ms in two threads and 12 ms in one.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Tensors = Mapping[str, Floats]


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Hold the OpenBLAS that numpy's wheels bring to one thread for a while.

    It is asked by name and not through the environment, which it reads only as numpy is imported,
    and which all else in this process shares. Another BLAS is left as its user has set it up.
    """
    blas = _openblas()
    if blas is None:
        yield
        return
    before = blas.scipy_openblas_get_num_threads64_()
    blas.scipy_openblas_set_num_threads64_(1)
    try:
        yield
    finally:
        blas.scipy_openblas_set_num_threads64_(before)


@cache
def _openblas() -> ctypes.CDLL | None:
    """Return the library that numpy has loaded already; None when it brought none of its own."""
    beside = Path(np.__file__).parent.with_name("numpy.libs")
    for path in beside.glob("libscipy_openblas64_*"):
        with contextlib.suppress(OSError):
            return ctypes.CDLL(str(path))
    return None


_LENGTH = np.dtype("<u8")
_FLOAT = np.dtype("<f4")


def load(path: Path) -> Tensors:
    """Return the float32 tensors of *path*, mapped read-only; raises OSError or ValueError."""
    data = np.memmap(path, mode="r")
    start = _LENGTH.itemsize + int(data[: _LENGTH.itemsize].view(_LENGTH)[0])
    head = json.loads(bytes(data[_LENGTH.itemsize : start]))
    return {
        name: _tensor(data[start:], about["data_offsets"], about["shape"])
        for name, about in head.items()
        if about.get("dtype") == "F32"
    }


def _tensor(data: NDArray[np.uint8], place: list[int], shape: list[int]) -> NDArray[np.float32]:
    first, last = place
    return np.asarray(data[first:last]).view(_FLOAT).reshape(shape)


_LAYERS, _HEADS, _WIDTH = 6, 12, 384
_DEPTH = _WIDTH // _HEADS
_EPSILON = np.float32(1e-12)
_ROWS = 64
"""How many tokens pass through the activation at once: so many stay in a core's cache."""
_ONE, _HALF = np.float32(1), np.float32(0.5)
_ROOT_HALF = np.float32(0.5**0.5)
# Abramowitz & Stegun, Handbook of Mathematical Functions, 7.1.26: erfc to within 1.5e-7.
_P = np.float32(0.3275911)
_A5, *_A = (
    np.float32(a) for a in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
)


@dataclass(frozen=True, slots=True)
class _Linear:
    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        y: Floats = x @ self.weight.T
        y += self.bias
        return y


@dataclass(frozen=True, slots=True)
class _Norm:
    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        x -= x.mean(axis=1, keepdims=True)
        variance = np.einsum("td,td->t", x, x) / np.float32(x.shape[1])
        x /= np.sqrt(variance + _EPSILON)[:, None]
        x *= self.weight
        x += self.bias
        return x


@dataclass(frozen=True, slots=True)
class _Layer:
    """One layer: attention, then a wide step, each added to what came in and normed."""

    attention: _Linear  # queries, keys and values in one step
    attended: _Linear
    attended_norm: _Norm
    wide: _Linear
    narrow: _Linear
    norm: _Norm

    def __call__(self, x: Floats, ends: Sequence[int]) -> Floats:
        attention = [_attend(text) for text in np.split(self.attention(x), ends)]
        y = self.attended(np.concatenate(attention))
        y += x
        y = self.attended_norm(y)
        z = self.narrow(_gelu(self.wide(y)))
        z += y
        return self.norm(z)


class Bert:
    """The model of one safetensors file."""

    def __init__(self, path: Path) -> None:
        """Load it; raises OSError, ValueError or KeyError when the file is no such model."""
        tensors = load(path)
        kinds = ("word_embeddings", "position_embeddings", "token_type_embeddings")
        self._words, self._places, types = (tensors[f"embeddings.{k}.weight"] for k in kinds)
        self._type = types[0]
        self._norm = _Norm(*_named(tensors, "embeddings.LayerNorm"))
        self._layers = [_layer(tensors, f"encoder.layer.{n}") for n in range(_LAYERS)]

    def encode(self, batch: Sequence[Sequence[int]]) -> list[Floats]:
        """Return the tokens' vectors, a token a row, for each text of *batch*, its token ids."""
        ends = list(accumulate(len(ids) for ids in batch))[:-1]
        places = np.concatenate([np.arange(len(ids)) for ids in batch])
        with one_thread():
            x: Floats = self._words[np.concatenate(batch)] + self._places[places] + self._type
            x = self._norm(x)
            for layer in self._layers:
                x = layer(x, ends)
        return np.split(x, ends)


def _named(tensors: Tensors, name: str) -> tuple[Floats, Floats]:
    return tensors[f"{name}.weight"], tensors[f"{name}.bias"]


def _layer(tensors: Tensors, name: str) -> _Layer:
    parts = [_named(tensors, f"{name}.attention.self.{k}") for k in ("query", "key", "value")]
    weights, biases = zip(*parts, strict=True)
    return _Layer(
        attention=_Linear(np.concatenate(weights), np.concatenate(biases)),
        attended=_Linear(*_named(tensors, f"{name}.attention.output.dense")),
        attended_norm=_Norm(*_named(tensors, f"{name}.attention.output.LayerNorm")),
        wide=_Linear(*_named(tensors, f"{name}.intermediate.dense")),
        narrow=_Linear(*_named(tensors, f"{name}.output.dense")),
        norm=_Norm(*_named(tensors, f"{name}.output.LayerNorm")),
    )


def _attend(qkv: Floats) -> Floats:
    """Return the attention of one text's tokens to each other: shape (tokens, width)."""
    count = len(qkv)
    query, key, value = qkv.reshape(count, 3, _HEADS, _DEPTH).transpose(1, 2, 0, 3)
    share: Floats = query @ key.transpose(0, 2, 1)
    share *= np.float32(_DEPTH**-0.5)
    share -= share.max(axis=2, keepdims=True)
    np.exp(share, out=share)
    mixed: Floats = share @ value
    mixed /= share.sum(axis=2)[:, :, None]
    return mixed.transpose(1, 0, 2).reshape(count, _WIDTH)


def _gelu(x: Floats) -> Floats:
    """Turn *x* in place into x * P(normal variable < x), a few rows at a time."""
    for first in range(0, len(x), _ROWS):
        part = x[first : first + _ROWS]
        tail = _tail(np.abs(part))
        np.maximum(part, 0, out=part)
        part -= tail
    return x


def _tail(size: Floats) -> Floats:
    """Return a * P(normal variable > a) for each a of *size*, none of them negative."""
    a = size * _ROOT_HALF
    t = a * _P
    t += _ONE
    np.reciprocal(t, out=t)
    y = t * _A5
    for c in _A:
        y += c
        y *= t
    a *= a
    np.negative(a, out=a)
    np.exp(a, out=a)
    y *= a
    y *= size
    y *= _HALF
    return y
