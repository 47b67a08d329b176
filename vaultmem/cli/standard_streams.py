"""Standard streams that whoever started us has closed (`>&-`, a service without any).

Python has None for such a stream, and the next file that is opened would take its number, so that
what is printed would be written into it.
"""

from __future__ import annotations

import os
import sys


def open_closed() -> None:
    """Let each standard stream that is closed read nothing, and write to nowhere."""
    for number in range(3):
        if not _is_open(number):
            # The lowest free number is this one, since those below it are open by now.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003  # os has no name for it
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # to the end
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
