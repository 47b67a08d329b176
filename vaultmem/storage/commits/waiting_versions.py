"""What waits for its commit, against what lies on disk and what git has: a pure decision.

Whatever a person's git does meanwhile, what was acknowledged comes into the history. Where the disk
holds just what it replaced, nobody meant to take it back: it is put there again. What anybody else
wrote in its place stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from vaultmem.storage import task_files, transcript_lines
from vaultmem.storage.files import Addition, Content, Step
from vaultmem.storage.journal import Write
from vaultmem.storage.line_changes import has_change
from vaultmem.storage.three_way_merge import merge


class Version(NamedTuple):
    """The bytes of a file that wait, and what they *replaced*, oldest first; None is absence."""

    path: str
    replaced: tuple[bytes | None, ...]
    new: bytes | None


class Growth(NamedTuple):
    """What waits at the end of a file that grows, which was *at* bytes long before."""

    path: str
    at: int
    added: tuple[bytes, ...]


class Lack(NamedTuple):
    """A file that lacks on disk what waits for its commit, though nobody took it back; *why*.

    *step* puts it there, a task at another place where another has its number; None where another
    version stands, which is somebody's.
    """

    path: str
    why: str
    step: Step | Addition | None

    @property
    def moves(self) -> bool:
        """Whether it comes back at another place."""
        return self.step is not None and self.step.path != self.path


def joined(writes: Sequence[Write]) -> Version | Growth:
    """Return what *writes* to one file, oldest first, came to."""
    whole = [n for n, write in enumerate(writes) if write.at is None]
    if not whole:
        return Growth(writes[0].path, writes[0].at or 0, tuple(w.new or b"" for w in writes))
    replaced = [w.old for w in writes if w.at is None]
    if writes[0].at is not None:  # the first that wrote it whole knew what was added before
        replaced.insert(0, (replaced[0] or b"")[: writes[0].at] or None)
    new = writes[whole[-1]].new
    for write in writes[whole[-1] + 1 :]:
        replaced.append(new)
        new = (new or b"") + (write.new or b"")
    return Version(writes[0].path, tuple(replaced), new)


def lack(
    waiting: Version | Growth,
    disk: Content | None,
    head: bytes | None,
    before: Callable[[], bytes] = bytes,
    free: Callable[[], str] = str,
) -> Lack | None:
    """Return what *disk* lacks of what is *waiting*, None where nobody has to put anything back.

    *head* is what git has of the file; *before* tells what a file that grows held at first, and
    *free* where a task can go whose number another has.
    """
    if isinstance(waiting, Growth):
        return _lack_of_growth(waiting, disk, head, before)
    return _lack_of_version(waiting, disk, head, free)


# --- files that are written whole -------------------------------------------------------------


def _lack_of_version(
    waiting: Version, disk: Content | None, head: bytes | None, free: Callable[[], str]
) -> Lack | None:
    now, new = disk.data if disk else None, waiting.new
    is_as_before = now in waiting.replaced or (now is None and head is None)
    if new is None:
        return _put(waiting, disk, None) if disk and is_as_before else None
    if new in {now, head}:
        return None
    if is_as_before:
        return _put(waiting, disk, new)
    if now is not None and task_files.is_another(waiting.path, new, now):
        return Lack(waiting.path, _NUMBERED, Step(free(), None, new))
    is_made = waiting.replaced[0] is None
    if now is None or (is_made and now != head):  # taken away, or edited, as we left it
        return None
    return _lack_beside(waiting, disk, now, is_heads=now == head)


def _lack_beside(
    waiting: Version, disk: Content | None, now: bytes, *, is_heads: bool
) -> Lack | None:
    """Return what is lacking where another version stands: one of git's takes a change of ours."""
    old, new = waiting.replaced[0] or b"", waiting.new or b""
    if has_change(old, new, now):
        return None
    both = merge(ours=new, base=old, theirs=now) if is_heads else None
    return _put(waiting, disk, both) if both else Lack(waiting.path, _CHANGED, None)


def left_out(
    waiting: Version, disk: Content | None, head: bytes | None, before: bytes | None
) -> Lack | None:
    """Return what a later write left out, made on what stood there *before* it, a person's.

    Nothing where *disk* has it all the same: the later one may have written the very same.
    """
    old, new = waiting.replaced[0] or b"", waiting.new
    if new is None or new == head or (disk and new == disk.data):
        return None
    if has_change(old, new, before or b""):
        return None
    return Lack(waiting.path, _CHANGED, None)


_GONE = "acknowledged, and it is gone from disk"
_CHANGED = "acknowledged, and what was changed in it is gone from disk"
_ADDED = "acknowledged, and what was added to it is gone from disk"
_NUMBERED = "acknowledged, and another task has its number on disk"
_TAKEN = "taken away, and it is on disk again"


def _put(waiting: Version, disk: Content | None, data: bytes | None) -> Lack:
    why = _GONE if disk is None else _TAKEN if data is None else _CHANGED
    return Lack(waiting.path, why, Step(waiting.path, disk.sha if disk else None, data))


# --- files that grow --------------------------------------------------------------------------


def _lack_of_growth(
    waiting: Growth, disk: Content | None, head: bytes | None, before: Callable[[], bytes]
) -> Lack | None:
    path, now = waiting.path, disk.data if disk else b""
    lost = _not_there(waiting.added, now, before)
    heads = _not_there(waiting.added, head or b"", before)
    if not (lost and heads):
        return None
    if disk is None and head is not None:  # a person took it away, or all of it has another name
        return None
    if all(it.how == "replaced" for it in lost):
        return Lack(path, _CHANGED, None)
    whole = transcript_lines.behind(head or b"", (it.line for it in heads))
    is_line = now.endswith(b"\n")
    if not whole.startswith(now):
        again = (it.line for it in lost if it.how == "missing")
        whole = transcript_lines.behind(now, again) if is_line else b""
    if not whole:
        return Lack(path, _ADDED, None)
    if disk is None or is_line:
        return Lack(path, _ADDED, Addition(path, len(now), whole[len(now) :]))
    return Lack(path, _ADDED, Step(path, disk.sha, whole))


def _not_there(
    added: Sequence[bytes], text: bytes, before: Callable[[], bytes]
) -> list[transcript_lines.Standing]:
    """Return how those of the lines of what was *added* stand that *text* has not."""
    return [it for it in _standing(added, text, before) if not it.is_there]


def _standing(
    added: Sequence[bytes], text: bytes, before: Callable[[], bytes]
) -> list[transcript_lines.Standing]:
    lines = (line for each in added for line in transcript_lines.lines_of(each))
    return transcript_lines.standing(lines, text, before())


def holds(added: Sequence[bytes], text: bytes, before: Callable[[], bytes]) -> bool:
    """Tell whether *text* has all that was *added* to a file, which had other lines *before*."""
    return not _not_there(added, text, before)


def grown(
    added: Sequence[bytes], disk: bytes | None, head: bytes | None, before: Callable[[], bytes]
) -> bytes | None:
    """Return what git shall have of a file with what was *added* to it, as it is where it has that.

    What a person mended of it and committed stands as they did. The rest is there as it was
    written: the file as it lies on *disk* up to there, where it goes on from what git has and says
    that word for word. A file that somebody set back or rewrote lacks lines that git has, and one
    that was mended some that were acknowledged: none of either is lost, and what was mended is an
    edit of its person's.
    """
    in_head = _standing(added, head or b"", before)
    lost = [n for n, it in enumerate(in_head) if not it.is_there]
    if not lost:
        return head
    on_disk = _standing(added, disk or b"", before)
    goes_on = disk is not None and disk.startswith(head or b"")
    if disk is None or not goes_on or not all(on_disk[n].how == "same" for n in lost):
        return transcript_lines.behind(head or b"", (in_head[n].line for n in lost))
    answers = {it.by for it in on_disk}
    return disk[: max(end for line, end in transcript_lines.ended(disk) if line in answers)]
