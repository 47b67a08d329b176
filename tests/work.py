"""Tell the work of an action, where what matters is how it grows: no clock says that for sure."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from vaultmem.storage.files import folder_scan


def calls(act: Callable[[], object]) -> int:
    """Return how many functions *act* calls and returns from, ours and Python's own."""
    count = 0

    def note(_frame: FrameType, _event: str, _arg: object) -> None:
        nonlocal count
        count += 1

    # What scenes before this one left is not to be finalized, and counted, in the middle of it.
    gc.collect()
    gc.disable()
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
        gc.enable()
    return count


def at_most(act: Callable[[], object]) -> int:
    """Return the bytes of Python that *act* holds at once."""
    gc.collect()
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def folders_opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that each folder is added to, by its prefix, in which files are looked for."""
    opened: list[str] = []
    look = folder_scan._notes  # every folder passes there

    def noting(fd: int, prefix: str, *more: Any) -> Any:  # noqa: ANN401
        if prefix not in opened:  # what is in a folder that moved is looked up once more
            opened.append(prefix)
        return look(fd, prefix, *more)

    monkeypatch.setattr(folder_scan, "_notes", noting)
    return opened
