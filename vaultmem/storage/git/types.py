"""The values of history: what is committed, read back and known. No process, no disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Generic, Literal, NamedTuple, TypeVar

from vaultmem.documents import public_text

OP = "Vaultmem-Op"

ORDINARY = "100644"
"""The mode of a new file."""
EXECUTABLE = "100755"
PLAIN = frozenset({ORDINARY, EXECUTABLE})
"""The modes of a plain file: no link, no submodule."""
ABSENT = "000000"
"""The mode that a diff gives to a file where it is not."""

PATIENCE = 0.5
"""Seconds that anybody waits for git's lock: then what was written is answered for, and its commit
is left to the next command."""

_MOST = 10_000
"""Files of a commit that are kept in mind: beyond that they are asked for again."""
_PAIRS = 8
"""Pairs of commits that are kept in mind: a merge asks of four, time and again."""

Kind = Literal["modified", "untracked", "deleted"]
_T = TypeVar("_T")


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders that *path* lies in, the nearest first, but for the top."""
    while path := path.rpartition("/")[0]:
        yield path


class Change(NamedTuple):
    """One path of a commit, relative to the vault; *data* None deletes it."""

    path: str
    data: bytes | None


class FileChange(NamedTuple):
    """What one commit did to one file; None where there is none."""

    path: str
    old: bytes | None
    new: bytes | None


class Dirty(NamedTuple):
    """A file of the work tree that the index does not know as it is."""

    path: str
    kind: Kind


class Entry(NamedTuple):
    """One commit of the log; *body* stands without subject and trailers.

    It has *parents*, of a shallow clone none where that ends. *is_rewritten*: it was committed at
    another time than its author wrote it, as by a rebase, an amend or a cherry-pick.
    """

    commit: str
    when: datetime
    author: str
    subject: str
    body: str
    trailers: tuple[tuple[str, str], ...]
    parents: tuple[str, ...] = ()
    is_rewritten: bool = False

    @property
    def ops(self) -> tuple[str, ...]:
        """The operations of ours that made it, as it says."""
        return tuple(value for key, value in self.trailers if key == OP)

    @property
    def names_operation(self) -> bool:
        """Whether its message names an operation of ours, wherever: a squash quotes several."""
        return self.mentions(f"{OP}: ")

    def mentions(self, text: str) -> bool:
        """Tell whether a line of its message holds *text*."""
        last = (f"{key}: {value}" for key, value in self.trailers)
        return any(text in it for it in (self.subject, self.body, *last))

    @property
    def public(self) -> Entry:
        """The commit as it may be shown: a person may write anything into a message or a name.

        The message is read as one text, since a private part may go on in its body.
        """
        message = public_text.shown(f"{self.subject}\n\n{self.body}")
        subject, _, body = message.partition("\n\n")
        trailers = tuple((key, public_text.shown(value)) for key, value in self.trailers)
        return self._replace(
            author=public_text.shown(self.author), subject=subject, body=body,
            trailers=trailers,
        )  # fmt: skip


class Blob(NamedTuple):
    """One file of a tree or of the index."""

    mode: str
    id: str


class Edit(NamedTuple):
    """A change by its blob id; *data* is None when the repository already holds the blob."""

    path: str
    blob: str | None
    data: bytes | None


class Row(NamedTuple):
    """One line of a raw diff; *path* counts from the top of the work tree."""

    old: Blob
    new: Blob
    path: str


class Fork(NamedTuple):
    """Two lines of history that part at *base*, and all files of the vault at these three commits.

    *before*, *here* and *there* are those of *base*, *ours* and *theirs*.
    """

    base: str
    ours: str
    theirs: str
    before: Mapping[str, Blob]
    here: Mapping[str, Blob]
    there: Mapping[str, Blob]


@dataclass(slots=True)
class KnownFiles:
    """What one *commit* has at the paths that were asked for, which count from the top.

    None where it has no file. A commit never changes, so nobody asks twice; and what a commit of
    ours changes is known, so that the answers hold on top of it.
    """

    commit: str = ""
    files: Mapping[str, Blob | None] = field(default_factory=dict)

    def of(self, commit: str) -> Mapping[str, Blob | None]:
        """Return what is known of *commit*."""
        return self.files if commit == self.commit else {}

    def note(self, commit: str, files: Mapping[str, Blob | None]) -> None:
        """Keep in mind that *commit* has *files*, and of no other commit anything."""
        known = {**self.of(commit), **files}
        self.commit, self.files = commit, known if len(known) <= _MOST else {}

    def advance(self, base: str, commit: str, rows: Sequence[Row]) -> None:
        """Keep in mind what *commit* has, which is *base* but for *rows*."""
        if len(rows) > _MOST:
            self.commit, self.files = commit, {}
            return
        now = dict(self.of(base))
        came = set[str]()
        for row in rows:
            now[row.path] = None if row.new.mode == ABSENT else row.new
            if row.old.mode == ABSENT:
                came.add(row.path)
        # A file that came where a folder was, or a file above it, takes them away unsaid.
        above = {folder for path in came for folder in folders_above(path)}
        unsure = {p for p in now if p in above or not came.isdisjoint(folders_above(p))}
        self.note(commit, {path: blob for path, blob in now.items() if path not in unsure})


@dataclass(slots=True)
class KnownOfPairs(Generic[_T]):
    """What was asked of two commits: neither ever changes, so nobody asks twice."""

    answers: Mapping[tuple[str, ...], Sequence[_T]] = field(default_factory=dict)

    def note(self, pair: tuple[str, ...], answer: Sequence[_T]) -> None:
        """Keep in mind what was said of a *pair*, and of the pairs before it the last ones."""
        if len(answer) <= _MOST:
            before = [it for it in self.answers.items() if it[0] != pair]
            self.answers = dict([*before[1 - _PAIRS :], (pair, answer)])


@dataclass(slots=True)
class KnownOfCommits:
    """What single commits did to files of the vault: none ever changes, so nobody asks twice."""

    rows: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)

    def note(self, rows: Mapping[str, tuple[Row, ...]]) -> None:
        """Keep in mind what some commits did, and what others did unless all of it is too much."""
        both = {**self.rows, **rows}
        kept = both if _are_few(both) else rows
        self.rows = kept if _are_few(kept) else {}


def _are_few(rows: Mapping[str, Sequence[Row]]) -> bool:
    return len(rows) + sum(map(len, rows.values())) <= _MOST


FileState = tuple[int, ...]
"""What changes whenever a file does; empty where it is not there."""


class ConfigEntry(NamedTuple):
    """One line of git's config: how far it reaches (`global`, `local`), its key and its value."""

    scope: bytes
    key: bytes
    value: bytes


@dataclass(slots=True)
class KnownConfig:
    """What the config says, as long as its *files* and what is *around* stay as they are.

    Nothing is known without files.
    """

    entries: tuple[ConfigEntry, ...] = ()
    files: Mapping[Path, FileState] = field(default_factory=dict)
    around: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a repository lies, and where in it the vault: *prefix* leads from *top* to *root*.

    What is *known* of it need not be asked again: the files of a commit, what it did to them, what
    two commits differ by, where they part, which commits one has that another has not, and the
    config.
    """

    root: Path
    top: Path
    git_dir: Path
    common_dir: Path
    prefix: str
    algorithm: str
    known_files: KnownFiles = field(
        default_factory=KnownFiles, init=False, repr=False, compare=False
    )
    known_rows: KnownOfPairs[Row] = field(
        default_factory=KnownOfPairs, init=False, repr=False, compare=False
    )
    known_commits: KnownOfPairs[Entry] = field(
        default_factory=KnownOfPairs, init=False, repr=False, compare=False
    )
    known_bases: KnownOfPairs[str] = field(
        default_factory=KnownOfPairs, init=False, repr=False, compare=False
    )
    known_steps: KnownOfCommits = field(
        default_factory=KnownOfCommits, init=False, repr=False, compare=False
    )
    known_config: KnownConfig = field(
        default_factory=KnownConfig, init=False, repr=False, compare=False
    )

    @property
    def index_lock(self) -> Path:
        """Git's own lock."""
        return self.git_dir / "index.lock"

    def inside(self, path: str) -> str:
        """Return *path*, which counts from the top, as the vault names it."""
        return path.removeprefix(self.prefix)

    def below(self, paths: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the arguments that limit git to *paths* of the vault, or to all of it."""
        wanted = [self.prefix + path for path in paths] or [self.prefix]
        return ("--", *filter(None, wanted))


def object_id(algorithm: str, kind: bytes, data: bytes) -> str:
    """Return the id git gives to *data*."""
    header = b"%s %d\0" % (kind, len(data))
    return hashlib.new(algorithm, header + data, usedforsecurity=False).hexdigest()


def blob_ids(algorithm: str, data: bytes) -> set[str]:
    """Return the ids that git may give to the file *data*: a checkout may have written CRLF."""
    texts = (data, data.replace(b"\r\n", b"\n")) if b"\r\n" in data else (data,)
    return {object_id(algorithm, b"blob", text) for text in texts}
