"""Look whether the files are as a write expects them, or already as one that broke off wanted."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from vaultmem.errors import DiskRefused, NameTaken, Refused, StaleWrite
from vaultmem.storage.files import appending
from vaultmem.storage.files.appending import Tail
from vaultmem.storage.files.file_contents import Read, look_at, read, reading_many
from vaultmem.storage.files.file_status import stamp, walk
from vaultmem.storage.files.paths import inside, portable
from vaultmem.storage.files.types import HALF_LINE, Addition, Content, Root, Step


def check(root: Root, steps: Iterable[Step | Addition]) -> None:
    """Raise StaleWrite or NameTaken when a file is not as its step expects; writes nothing.

    Raises Refused for a new file whose name or folder could not be: found out later, it would
    stop a write that is already promised.
    """
    ways: set[str] = set()
    with reading_many(root) as read_next:
        for step in steps:
            if step.is_new:
                portable(step.path)
                folder = step.path.rpartition("/")[0]
                if folder not in ways:
                    _check_way(root, step.path)
                    ways.add(folder)
            if isinstance(step, Addition):
                _check_end(root, step)
            else:
                _check_bytes(step, read_next(step.path))


def _check_bytes(step: Step, current: Content | None) -> None:
    found = current.sha if current else None
    if found not in {step.pre, step.post}:
        raise _conflict(step, found)


def _check_end(root: Root, step: Addition) -> None:
    """Raise unless the file ends where *step* begins.

    Bytes like its own that are there already are not it: who says the same twice says two things.
    """
    tail = _tail(root, step)
    if tail is Tail.UNENDED:
        raise Refused(f"{step.path} ends in half a line; {HALF_LINE}: nothing was written")
    if tail is not Tail.FREE:
        found = stamp(root, step.path)
        raise StaleWrite(step.path, f"{step.at} bytes", f"{found.size} bytes" if found else None)


def _tail(root: Root, step: Addition) -> Tail:
    tail = look_at(root, step.path, lambda folder, name: appending.look(folder, name, step))
    return tail or (Tail.MOVED if step.at else Tail.FREE)


def _check_way(root: Root, path: str) -> None:
    try:
        with contextlib.suppress(FileNotFoundError), walk(root, inside(path)[:-1]):
            pass
    except NotADirectoryError as e:
        raise Refused(f"{path}: a file or a link stands where its folder should be") from e
    except OSError as e:
        raise DiskRefused.of(path, e) from e


def begun(root: Root, steps: Iterable[Step | Addition]) -> bool:
    """Tell whether some step's file is by now as the step wants it, or on the way there."""
    return any(_is_begun(root, step) for step in steps)


def _is_begun(root: Root, step: Step | Addition) -> bool:
    try:
        if isinstance(step, Addition):
            return _tail(root, step) in {Tail.TORN, Tail.DONE}
        current = read(root, step.path)
    except Refused:
        return False
    return step.pre != step.post == (current.sha if current else None)


def is_done(root: Root, step: Step | Addition, read_next: Read) -> bool:
    """Tell whether the file is as *step* wants it; raises Refused where no file can be.

    *read_next* reads files, one after another.
    """
    if isinstance(step, Addition):
        return _tail(root, step) is Tail.DONE
    current = read_next(step.path)
    return step.post == (current.sha if current else None)


def _conflict(step: Step, found: str | None) -> StaleWrite | NameTaken:
    return NameTaken(step.path) if step.pre is None else StaleWrite(step.path, step.pre, found)
