"""Keep matrix products to one thread: on a busy machine two wait for each other.

Measured on two busy cores, one query took 336 ms in two threads and 12 ms in one.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np


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
