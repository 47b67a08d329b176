"""Exchange what two names stand for, in one step of the system, where there is such a step.

A rename takes whatever its target stands for by then. What an exchange takes comes out under the
other name, where it can be looked at, and given back.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import sys
from collections.abc import Callable

_LINUX, _MACOS = ("renameat2", 2), ("renameatx_np", 2)
_CANNOT = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EXDEV})
"""How a system or a file system says that it has no such step."""

_Call = Callable[[int, bytes, int, bytes, int], int]


def exchange(folder: int, name: str, other: int, second: str) -> bool:
    """Exchange *name* in one open folder and *second* in the *other*; False where none can.

    Raises OSError, FileNotFoundError when one of the names stands for nothing.
    """
    call, flags = _system()
    if call is None:
        return False
    if call(folder, os.fsencode(name), other, os.fsencode(second), flags) == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT:
        return False
    raise OSError(code, os.strerror(code), second)


@functools.cache
def _system() -> tuple[_Call | None, int]:
    name, flags = _MACOS if sys.platform == "darwin" else _LINUX
    call = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if call is not None:
        call.argtypes = (*(ctypes.c_int, ctypes.c_char_p) * 2, ctypes.c_uint)
    return call, flags
