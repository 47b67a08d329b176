"""Read the tensors of a .safetensors file where they lie, without a copy.

The format: a little-endian u64 N, N bytes of JSON that name each tensor's dtype, shape and place,
then the bytes of all tensors (github.com/huggingface/safetensors, "Format").
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Tensors = Mapping[str, NDArray[np.float32]]

_LENGTH = np.dtype("<u8")
_FLOAT = np.dtype("<f4")


def load(path: Path) -> Tensors:
    """Return the float32 tensors of the file at *path*, mapped read-only.

    Raises OSError or ValueError when it cannot be read as one.
    """
    data = np.memmap(path, mode="r")
    start = _LENGTH.itemsize + int(data[: _LENGTH.itemsize].view(_LENGTH)[0])
    head = json.loads(bytes(data[_LENGTH.itemsize : start]))
    return {
        name: _tensor(data[start:], told["data_offsets"], told["shape"])
        for name, told in head.items()
        if told.get("dtype") == "F32"
    }


def _tensor(data: NDArray[np.uint8], place: list[int], shape: list[int]) -> NDArray[np.float32]:
    first, last = place
    return np.asarray(data[first:last]).view(_FLOAT).reshape(shape)
