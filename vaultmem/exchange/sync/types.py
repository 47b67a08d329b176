"""What the merge of two vaults speaks of: three versions of a path, and what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from vaultmem.storage import files
from vaultmem.storage.transcript_lines import split

Data = bytes | None
"""The bytes of a file, None where there is none."""


@dataclass(frozen=True, slots=True)
class Versions:
    """One path as it was when both agreed last, as it is here, and as it is there."""

    base: Data
    ours: Data
    theirs: Data

    def lines(self) -> tuple[list[tuple[bytes, bytes, bytes]], list[bytes], list[bytes]]:
        """Return the lines that all three have, and what came behind these, ours and theirs."""
        base, ours, theirs = (split(it or b"") for it in (self.base, self.ours, self.theirs))
        both = [*zip(base, ours, theirs, strict=False)]
        return both, ours[len(both) :], theirs[len(both) :]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place that both sides changed, each in its way: *where* it is, and what it says in each.

    *where* is a heading, or names a key of the frontmatter; *base* is "" for what is new on both.
    """

    where: str
    base: str
    ours: str
    theirs: str

    @classmethod
    def of_lines(cls, where: str, *three: bytes) -> Conflict:
        """Return that of the *three* versions of one line, which are any bytes."""
        return cls(where, *(line.decode("utf-8", "surrogateescape") for line in three))


@dataclass(frozen=True, slots=True)
class Page:
    """Two versions of a file in one; *aside* are notes with the words that the one has not."""

    data: bytes
    aside: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class ForgottenPath:
    """A file that was forgotten: the versions that are *left*, those that are *gone*, and a word.

    *notice* is empty unless something was written that is gone with it.
    """

    left: Versions
    gone: tuple[bytes, ...]
    notice: str = ""


@dataclass(slots=True)
class Merged:
    """What a merge comes to: files by path, notes for a person to look at, and what to tell.

    *files* has every path that changed on either side; *aside* are (path, note about it);
    *stays* is what to tell of files that one side deleted and the other changed; *forgotten* is
    what one side forgot, *joined* are files of ours in whose place one of theirs is.
    """

    files: dict[str, Data] = field(default_factory=dict)
    aside: list[tuple[str, bytes]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    stays: dict[str, str] = field(default_factory=dict)
    forgotten: dict[str, ForgottenPath] = field(default_factory=dict)
    joined: frozenset[str] = frozenset()

    def inbox(self) -> dict[str, bytes]:
        """Return the notes by the paths they wait at: one path for one note, whoever merges."""
        return {files.conflict("", path, note): note for path, note in self.aside}


Sides = Mapping[str, Versions]


@dataclass(frozen=True, slots=True)
class Lines:
    """Two lines of history: where both ended in common, where ours ends, where theirs does.

    *keeps*: something stays here as it is that theirs has not.
    """

    base: str
    ours: str
    theirs: str
    keeps: bool = False

    @property
    def is_forward(self) -> bool:
        """Whether nothing is here that is not there."""
        return self.base == self.ours and not self.keeps

    def over(self, sides: Sides, *, keeps: bool) -> Lines:
        """Return both as the *sides* of their files tell: one that has its own is kept apart.

        So is one that *keeps* what theirs has no more.
        """
        is_own = any(it.ours != it.base for it in sides.values())
        return replace(self, keeps=is_own or keeps)


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did: files that came, that went, commits given, what waits in the inbox, a word.

    *pulled* are files that are new here or other than they were, *gone* those that are no longer.

    *remote* is empty where there is none; *reason* says why nothing was done.
    """

    remote: str = ""
    branch: str = ""
    pulled: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    pushed: int = 0
    merged: bool = False
    conflicts: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    commit: str | None = None
    reason: str = ""
