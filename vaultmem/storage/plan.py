"""What is about to change, as a value: shown before it is done, journalled, applied, committed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vaultmem.documents import public_text
from vaultmem.errors import HeldBack
from vaultmem.storage.files import CONFLICTS, Addition, Step, sha256


class Change(NamedTuple):
    """One file from the bytes that were read to the bytes it shall have; None is absence."""

    path: str
    old: bytes | None
    new: bytes | None
    reason: str

    @property
    def op(self) -> str:
        """`create`, `update` or `delete`."""
        if self.old is None:
            return "create"
        return "delete" if self.new is None else "update"

    @property
    def step(self) -> Step:
        """The write that carries this change out."""
        return Step(self.path, None if self.old is None else sha256(self.old), self.new)


def edit(path: str, own: bytes, new: bytes, reason: str) -> Change:
    """Return the change of the file at *path* that makes its public text *new*.

    Raises HeldBack where that would touch what of its *own* bytes is not public.
    """
    text, meant = (data.decode("utf-8", "surrogateescape") for data in (own, new))
    made = public_text.edited(text, meant)
    if made is None:
        raise HeldBack(path)
    return Change(path, own, made.encode("utf-8", "surrogateescape"), reason)


class Append(NamedTuple):
    """Bytes to be added to the end of the file at *path*, whose size is *at*; 0 makes a new file.

    For files that only grow: it costs no more than *data*, however long the file is.
    """

    path: str
    at: int
    data: bytes
    reason: str

    @property
    def op(self) -> str:
        """`create` or `append`."""
        return "append" if self.at else "create"

    @property
    def step(self) -> Addition:
        """The write that carries this out."""
        return Addition(self.path, self.at, self.data)


class WrittenFile(NamedTuple):
    """A file that is safely on disk; *existed* when it had been before, saying the same.

    *commit* is None while git has not got it yet; *uncommitted* says why it never will, and what to
    do. *quotes* is the tool that said lately what the agent brought as its own.
    """

    path: str
    sha256: str
    commit: str | None = None
    existed: bool = False
    quotes: str = ""
    uncommitted: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """One operation: what kind, for whom, which files, and how its commit shall read.

    *count* says how many memories or turns it brings: a quiet batch adds them up in its subject.
    *merge* names a commit, stored already, that holds the changes and ends another line of history.
    *asked* stands for the words that asked for it, where asking again would do it again.
    *unreached* are the files of an undo that stay as they are: what was done there no commit has.
    """

    op: str
    kind: str
    subject: str
    changes: tuple[Change | Append, ...]
    agent: str = ""
    session: str = ""
    trust: str = ""
    model: str = ""
    notes: tuple[str, ...] = ()
    count: int = 1
    merge: str = ""
    asked: str = ""
    unreached: tuple[str, ...] = ()

    @property
    def aside(self) -> tuple[str, ...]:
        """The notes of the inbox that it makes of texts which it cannot put back in place."""
        return set_aside(self.op, self.changes)

    @property
    def trailers(self) -> tuple[tuple[str, str], ...]:
        """The git trailers of the commit, those that say something."""
        named = (
            ("Vaultmem-Op", self.op),
            ("Agent", self.agent),
            ("Session", self.session),
            ("Trust", self.trust),
            ("Model", self.model),
        )
        return tuple((k, v) for k, v in named if v)


def set_aside(op: str, changes: Iterable[Change | Append]) -> tuple[str, ...]:
    """Return the notes among *changes* in which the operation *op* keeps another version."""
    return tuple(c.path for c in changes if c.path.startswith(f"{CONFLICTS}{op.lower()}"))


def uncommitted(unreached: Sequence[str]) -> str:
    """Say how the files stand that an undo could not reach, "" where there are none."""
    if not unreached:
        return ""
    return (
        f"what it did in {', '.join(unreached)} stays so, in no commit: a part marked private, or "
        "what looks like a credential, stood there; change it by hand"
    )


def diff(plan: Plan) -> str:
    """Return the plan as a unified diff, path by path."""
    whole = [change for change in plan.changes if isinstance(change, Change)]
    left = {change.old: change.path for change in whole if change.new is None}
    moved = {c.new: left[c.new] for c in whole if c.old is None and c.new in left}
    return "".join(line for change in plan.changes for line in _told(change, moved))


def _told(change: Change | Append, moved: Mapping[bytes | None, str]) -> Iterator[str]:
    """Yield the diff of *change*; what has only moved is told once, without its text."""
    if isinstance(change, Change) and change.old is None and change.new in moved:
        yield f"rename from {public_text.shown(moved[change.new])}\n"
        yield f"rename to {public_text.shown(change.path)}\n"
    elif not (isinstance(change, Change) and change.new is None and change.old in moved):
        yield from _diff(change)


def _diff(change: Change | Append) -> Iterator[str]:
    if isinstance(change, Append):
        return _added(change)
    return _unified(change.path, change.old, change.new)


def _added(append: Append) -> Iterator[str]:
    if not append.at:
        yield from _unified(append.path, None, append.data)
        return
    # What stands before was not read, so there are no line numbers to tell.
    yield f"--- {_name('a', append.path)}\n+++ {_name('b', append.path)}\n"
    yield f"@@ after byte {append.at} @@\n"
    yield from (_ended(f"+{line}") for line in _lines(append.data))


def _unified(path: str, old: bytes | None, new: bytes | None) -> Iterator[str]:
    import difflib  # noqa: PLC0415  # `status` shows no diff

    lines = difflib.unified_diff(
        _lines(old),
        _lines(new),
        "/dev/null" if old is None else _name("a", path),
        "/dev/null" if new is None else _name("b", path),
    )
    yield from map(_ended, lines)


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _name(side: str, path: str) -> str:
    path = public_text.shown(path)
    # As git writes it: a tab ends a name with a space in it.
    return f"{side}/{path}\t" if " " in path else f"{side}/{path}"


def _lines(data: bytes | None) -> list[str]:
    # Not splitlines(): for git only LF ends a line.
    lines = public_text.of_bytes(data or b"").text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]
