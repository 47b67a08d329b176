"""Look whether the files are as a write expects them, or already as one that broke off wanted."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from vaultmem.errors import DiskRefused, NameTaken, Refused, StaleWrite
from vaultmem.files.model import Root, Step
from vaultmem.files.names import inside, portable
from vaultmem.files.reading import read, walk


def check(root: Root, steps: Iterable[Step]) -> None:
    """Raise StaleWrite or NameTaken when a file is not as its step expects; writes nothing.

    Raises Refused for a new file whose name or folder could not be: found out later, it would
    stop a write that is already promised.
    """
    ways: set[str] = set()
    for step in steps:
        if step.pre is None:
            portable(step.path)
            folder = step.path.rpartition("/")[0]
            if folder not in ways:
                _check_way(root, step.path)
                ways.add(folder)
        current = read(root, step.path)
        found = current.sha if current else None
        if found not in {step.pre, step.post}:
            raise _conflict(step, found)


def _check_way(root: Root, path: str) -> None:
    try:
        with contextlib.suppress(FileNotFoundError), walk(root, inside(path)[:-1]):
            pass
    except NotADirectoryError as e:
        raise Refused(f"{path}: a file or a link stands where its folder should be") from e
    except OSError as e:
        raise DiskRefused(path, e.strerror or str(e)) from e


def begun(root: Root, steps: Iterable[Step]) -> bool:
    """Tell whether some step's file is by now as the step wants it."""
    return any(_is_done(root, s) for s in steps if s.pre != s.post)


def _is_done(root: Root, step: Step) -> bool:
    try:
        current = read(root, step.path)
    except Refused:
        return False
    return (current.sha if current else None) == step.post


def _conflict(step: Step, found: str | None) -> StaleWrite | NameTaken:
    return NameTaken(step.path) if step.pre is None else StaleWrite(step.path, step.pre, found)
