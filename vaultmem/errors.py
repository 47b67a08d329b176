"""What can go wrong, as values: the facts as attributes, the sentence and the exit code per class.

A sentence is for people at a terminal, programs and models alike. An argument that helps stands in
it as `name=value`, which the command line tells as its option; what is to be run is a command in
backticks, whole, for which a model is told its tool. What became of the one write that failed
follows what went wrong, as `; nothing was changed: …`.

VaultError
├── BadInput           2  a person's mistake: a bad date, a missing file, an unknown agent
│   ├── NotFound       2  what was named is not there
│   ├── BadSettings    2  values of a settings file cannot be
│   └── BadLine        2  one line of an import that cannot be read
├── Refused            3  we could, and will not
│   ├── StaleWrite     3  the file changed since it was read
│   ├── NameTaken      3  something else already has this path
│   ├── SecretFound    3  the text holds a credential
│   ├── ForgottenText  3  the text was forgotten, and does not come back unbidden
│   ├── HeldBack       3  a file has parts that are no program's to change
│   ├── NotAFile       3  a link, a folder or a device stands where a file should be
│   ├── DamagedTombstone  3  what was forgotten cannot be told from it
│   ├── SwitchedOff    3  this agent or session may not be remembered
│   ├── Watched        3  a daemon watches this vault already
│   └── MassVanish     3  a crowd of files is gone: writes wait for a person
├── Unreadable         3  a file whose bytes cannot be trusted; it is kept as it is
├── Unavailable        4  git, a model, an index: something beside the files did not answer
│   ├── Busy           4  another process holds what we need
│   │   └── Answering   4  another chat is answering in this session
│   ├── DiskRefused    4  no space, no permission: the write did not happen
│   ├── Unconfirmed    4  it began and could not be ended: nobody knows whether it will happen
│   ├── IndexFailed    4  a database beside the files cannot be read or written
│   ├── ModelAway      4  a model does not answer
│   │   ├── KeyRefused  4  whoever we are may not ask it
│   │   ├── NoCredit    4  nobody has paid for what we ask
│   │   ├── NoSuchModel  4  the provider answers, and has no model of that name
│   │   ├── Overloaded  4  it has too much to do
│   │   └── CutOff      4  its answer ended before its end
│   ├── OverBudget     4  the calls or tokens a vault may spend are spent
│   └── Unusable       4  a model answered, and no vault should hold the answer
├── OtherThread        3  a vault belongs to the thread that opened it
├── OtherProcess       3  and to its process: a fork of that opens its own
└── CannotOpen         5  there is no vault here
    ├── Closed         5  this one was closed
    ├── TooNew         5  a newer vaultmem wrote it
    └── ReadOnly       5  the disk refused a write we must not repeat
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self


class VaultError(Exception):
    """Any failure a person can understand; `str()` says what, where and what to do next."""

    exit_code = 1

    def ended(self, what_stays: str) -> None:
        """Say *what_stays* of the many writes that it ended, not what became of the last."""
        self.args = (f"{str(self).partition('; nothing was ')[0]}; {what_stays}",)


class BadInput(VaultError):
    """What was asked makes no sense as it stands."""

    exit_code = 2


class NotFound(BadInput):
    """What was named is not there: no such file, session or operation."""


class BadSettings(BadInput):
    """Values in a file of settings cannot be."""

    def __init__(self, path: str, faults: Sequence[tuple[str, str]]) -> None:
        """Name the *path*, and of the *faults* each key with what is wrong, in a clause."""
        self.path, self.faults = path, tuple(faults)
        super().__init__(f"{path}: {'; '.join(f'{key} {why}' for key, why in faults)}")


class CardLacks(BadInput):
    """A new card is without something that every card has."""

    def __init__(self, name: str, lacking: Sequence[str]) -> None:
        """Name the card and the facts that it is *lacking*."""
        self.lacking = tuple(lacking)
        super().__init__(
            f"the new card {name} has no {', '.join(lacking)}: a new one needs each; "
            "nothing was written"
        )


class BadLine(BadInput):
    """One line of an import cannot be read; nothing was imported."""

    def __init__(self, file: str, line: int, why: str) -> None:
        """Name the *file*, the 1-based *line* and *why*."""
        self.file, self.line, self.why = file, line, why
        super().__init__(
            f"{file}:{line}: {why}; nothing was imported: fix the line, or leave such out "
            "(`skip_bad=true`)"
        )


class Refused(VaultError):
    """The request is understood and is not carried out."""

    exit_code = 3


class NothingToUndo(Refused):
    """An operation did nothing that could be taken back now."""


class AlreadyUndone(NothingToUndo):
    """The files are as they were before the operation that is to be taken back."""

    def __init__(self, op: str) -> None:
        """Say which *op* it is."""
        super().__init__(f"{op} is already undone: its files are as they were before it")


class StaleWrite(Refused):
    """The file changed since it was read."""

    def __init__(self, path: str, seen: str | None, found: str | None) -> None:
        """Name the *path* and the sha-256 that was *seen* and is now *found*; None is absent."""
        self.path, self.seen, self.found = path, seen, found
        super().__init__(f"{path} changed since it was read; nothing was written: run it again")


class NameTaken(Refused):
    """Another file already stands where a new one should go."""

    def __init__(self, path: str) -> None:
        """Name the *path* that is taken."""
        self.path = path
        super().__init__(f"{path} already exists; nothing was overwritten")


class SecretFound(Refused):
    """The text holds what looks like a credential; the text itself is never repeated."""

    def __init__(self, where: str, rule: str) -> None:
        """Name *where* it stands and the *rule* that matched."""
        self.where, self.rule = where, rule
        super().__init__(
            f"{where}: looks like a secret ({rule}); nothing was stored: "
            f"take it out (`redact=true`, where that is taken, keeps [REDACTED:{rule}] instead)"
        )

    @property
    def fault(self) -> str:
        """What is wrong with a piece of an import, and what takes it in all the same."""
        return f"looks like a secret ({self.rule}); `redact=true` keeps [REDACTED:{self.rule}]"


class ForgottenText(Refused):
    """The text was forgotten, and does not come back unbidden."""

    def __init__(self, day: str, agent: str, way: str) -> None:
        """Say on which *day*; *agent* forgot it, "" for all, and *way* lets it back in."""
        self.day, self.agent, self.way = day, agent, way
        super().__init__(f"this was forgotten on {day}; nothing was stored: {way}")

    def seen_by(self, agent: str) -> Self:
        """Return what *agent* may know of it, "" knows all: no file of what another forgot."""
        if not agent or self.agent in {"", agent}:
            return self
        return type(self)(self.day, self.agent, "only a person lets it back in")


class HeldBack(Refused):
    """A part of a file is private or a credential: no program shows, moves or takes it out."""

    def __init__(self, path: str) -> None:
        """Name the *path* of the file; what stands in the part is never repeated."""
        self.path = path
        super().__init__(
            f"{path} has a part that is marked private, or a credential, and this would change it; "
            "nothing was written: change what stands around it, or edit the file by hand"
        )


class SwitchedOff(Refused):
    """The config switches this agent or session off."""

    def __init__(self, kind: str, name: str) -> None:
        """Say which *kind* (agent, session) of *name* is off."""
        self.kind, self.name = kind, name
        super().__init__(
            f"{kind} {name!r} is switched off in config/memory_compaction.md "
            f"(disabled_{kind}s); nothing was stored"
        )


class Watched(Refused):
    """One daemon per vault, and there is one."""

    def __init__(self, vault: str, pid: int | None) -> None:
        """Name the *vault* and the process that watches it, where it said who it is."""
        self.vault, self.pid = vault, pid
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"{who} already watches {vault}; one daemon is enough: stop that one first"
        )


RESTORES_GONE = "git ls-files -zd | xargs -0 git checkout --"
"""Brings back what is gone; `git checkout -- .` would take what a person wrote and git has not."""


class MassVanish(Refused):
    """So many files are gone at once that something went wrong, and writing on may seal it."""

    def __init__(self, count: int, example: str) -> None:
        """Carry how many are gone (*count*) and the path of one of them."""
        self.count, self.example = count, example
        super().__init__(
            f"{count} files are gone since the last scan, {example} among them; every write waits: "
            f"bring them back (`{RESTORES_GONE}`; the branch that has them; `git sparse-checkout "
            "disable`), or confirm that they are gone: `vaultmem fsck --accept-missing`"
        )


class Unreadable(VaultError):
    """A file whose bytes cannot be trusted: reported, kept, never compacted."""

    exit_code = 3

    def __init__(self, code: str, why: str) -> None:
        """Carry a stable *code* (`torn`, `encoding`, `yaml`, …) and *why* in a clause."""
        self.code, self.why = code, why
        super().__init__(why)


class Unavailable(VaultError):
    """Something beside the files did not answer; the files are safe."""

    exit_code = 4


class Busy(Unavailable):
    """Another process holds a lock for longer than we wait."""

    def __init__(self, what: str, seconds: float, sentence: str = "") -> None:
        """Name *what* is held and how many *seconds* were waited, or say it in a *sentence*."""
        self.what, self.seconds = what, seconds
        super().__init__(
            sentence or f"{what} is held by another process (waited {seconds:g} s); try again"
        )


class Answering(Busy):
    """Another chat is answering in this session."""

    def __init__(self, session: str) -> None:
        """Name the *session*; nobody waited for it."""
        super().__init__(
            f"session {session}", 0,
            f"another chat is answering in this session ({session}); your message was not kept: "
            "send it again when that is done, or use another session (`session=NAME`)",
        )  # fmt: skip


class DiskRefused(Unavailable):
    """The disk did not take a write; the old files stand as they were."""

    def __init__(self, path: str, why: str) -> None:
        """Name the *path* and *why*, as the system says it."""
        self.path, self.why = path, why
        super().__init__(f"{path}: {why}; nothing was changed: fix that and run it again")

    @classmethod
    def of(cls, where: str | Path, error: OSError) -> Self:
        """Say of an *error* of the system where it happened."""
        return cls(str(where), error.strerror or str(error))


class NotAFile(Refused, DiskRefused):
    """A link, a folder, a pipe or a device stands where a file should be.

    It is never read through and never written, so whoever goes on without a file that the system
    does not let us read goes on without this one.
    """

    def __init__(self, path: str, kind: str) -> None:
        """Name the *path* and what *kind* of thing is there, `a symbolic link`."""
        self.kind = kind
        DiskRefused.__init__(self, path, f"{kind}, which is neither read through nor written")
        self.args = (f"{path} is {self.why}; nothing was changed: move it out of the vault",)


class DamagedTombstone(Refused, DiskRefused):
    """A tombstone is not whole: it might be of the very text that wants in."""

    def __init__(self, path: str) -> None:
        """Name the *path* of the tombstone."""
        DiskRefused.__init__(self, path, "this tombstone is damaged")
        way = (
            f"`vaultmem fsck --repair` or `git checkout -- {path}` brings it back; where nobody "
            "ever had it whole, the repair sets it aside"
        )
        what = "so nobody can tell what was forgotten; nothing was stored"
        self.args = (f"{path} is damaged, {what}: {way}",)


class Unconfirmed(Unavailable):
    """A write began and could not be ended here; whoever comes next ends it, if anybody can."""

    def __init__(self, op: str, path: str, why: str) -> None:
        """Name the operation *op*, the *path* where it stopped and *why*, as the system says it."""
        self.op, self.path, self.why = op, path, why
        super().__init__(
            f"{path}: {why}; it is not known whether it will be kept: fix that, look with "
            "`vaultmem log`, or try again in the same words: it is not done twice, unless what "
            "it made was changed or superseded since, or it is a turn and its session went on"
        )


class IndexFailed(Unavailable):
    """A database that only mirrors files cannot be read or written; the files are safe."""

    def __init__(self, what: str, why: str, *, damaged: bool, written: float = 0) -> None:
        """Name *what* failed and *why*, as SQLite says it; *damaged* when a new one would do.

        *written* is when an operation of ours wrote last, in monotonic seconds: what began before
        that is not to be done once more.
        """
        self.what, self.why, self.damaged = what, why, damaged
        self.written = written
        way = "try again, it is made anew of them" if damaged else "fix the disk and try again"
        super().__init__(f"{what} cannot be used: {why}; the files are safe: {way}")


class ModelAway(Unavailable):
    """A model does not answer; whoever can works without it."""

    def __init__(
        self,
        name: str,
        why: str,
        *,
        retryable: bool = False,
        after: float | None = None,
        lasting: bool = True,
    ) -> None:
        """Name the backend or model and say *why*, in a clause.

        *retryable*: the same call may succeed, *after* so many seconds if the provider named them.
        Not *lasting*: it lies in this request, another one may succeed at once.
        """
        self.name, self.why = name, why
        self.retryable, self.after, self.lasting = retryable, after, lasting
        super().__init__(f"{name}: {why}")


class KeyRefused(ModelAway):
    """The provider does not take our key, or not for this."""


class NoCredit(ModelAway):
    """The account of our key has nothing left to pay with."""


class NoSuchModel(ModelAway):
    """The provider has no model of the name that it was asked for."""


class Overloaded(ModelAway):
    """The provider has too much to do, or we asked too often."""


class CutOff(ModelAway):
    """An answer ended before its end."""


class OverBudget(Unavailable):
    """The calls or tokens that the config allows in this time are spent."""

    def __init__(self, what: str, spent: int, limit: int) -> None:
        """Name the setting *what*, how much of it is *spent*, and its *limit*."""
        self.what, self.spent, self.limit = what, spent, limit
        super().__init__(f"{what} is {limit}, {spent} are spent")


class Unusable(Unavailable):
    """A model answered, and its answer cannot be used."""

    def __init__(self, why: str) -> None:
        """Say *why*, in a clause that the model itself may be told."""
        self.why = why
        super().__init__(why)


class OtherThread(VaultError):
    """A vault was used by another thread than the one that opened it."""

    exit_code = 3

    def __init__(self, what: str) -> None:
        """Name *what* was to be used."""
        self.what = what
        super().__init__(
            f"{what} belongs to the thread that opened it; nothing was done: open it once for "
            "each thread, or use `vaultmem.AsyncVault`, which has a thread of its own"
        )


class OtherProcess(VaultError):
    """A vault was used by a fork of the process that opened it."""

    exit_code = 3

    def __init__(self, what: str) -> None:
        """Name *what* was to be used."""
        self.what = what
        super().__init__(
            f"{what} belongs to the process that opened it, and this one is a fork of that; "
            "nothing was done: close it here, and open the vault anew"
        )


class CannotOpen(VaultError):
    """There is no usable vault at this place."""

    exit_code = 5


class Closed(CannotOpen):
    """What was asked was closed before."""

    def __init__(self, what: str, way_out: str = "open it again") -> None:
        """Name *what* is closed and the *way_out*."""
        self.what = what
        super().__init__(f"{what} is closed; nothing was done: {way_out}")


class TooNew(CannotOpen):
    """A newer vaultmem wrote this vault."""

    def __init__(self, found: str, known: int) -> None:
        """Carry the *found* format and the newest one *known* here."""
        self.found, self.known = found, known
        super().__init__(
            f"this vault has format {found}, this vaultmem supports up to {known}: "
            "upgrade vaultmem; nothing was touched"
        )


class ReadOnly(CannotOpen):
    """The disk failed under an fsync, so nothing more may be written."""

    why = "the disk failed, and the vault is read-only until `vaultmem fsck` finds nothing wrong"

    def __init__(self, path: str) -> None:
        """Name the *path* whose fsync failed."""
        self.path = path
        super().__init__(
            f"the disk failed while {path} was written; the vault is read-only until "
            "`vaultmem fsck` finds nothing wrong: check the disk first"
        )


@contextlib.contextmanager
def disk_errors(where: str | Path, *, below: bool = False) -> Iterator[None]:
    """Raise DiskRefused, which names *where*, for what the system refuses.

    *below* says that it is a folder: the file that the system names is named.
    """
    try:
        yield
    except OSError as e:
        raise DiskRefused.of((below and e.filename) or where, e) from e


@contextlib.contextmanager
def input_errors(file: Path, wanted: str) -> Iterator[None]:
    """Raise BadInput for what a person named and nobody can read; *wanted* is what to name."""
    try:
        yield
    except OSError as e:
        raise BadInput(f"{file}: {e.strerror or e}; name {wanted}") from e
    except UnicodeDecodeError as e:
        raise BadInput(f"{file}: not UTF-8; save it as UTF-8") from e
