"""What a format is, and what its readers yield: messages and notes, or why something is neither."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from vaultmem.documents import secrets
from vaultmem.records import iso
from vaultmem.storage.transcripts import Turn

Manner = Literal["memories", "turns", "notes", "folded"]
"""What files become: a memory each, turns of sessions, notes of the vault, or a folded session."""


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """One message as its format tells it.

    *id* names it within *key*, which names its conversation for ever; without an id the words do.
    *session* is what people call the conversation. *at* is ISO 8601, or empty; *tool* names the
    tool whose result *content* is. *source* is `import` unless it names another whose word is worth
    less; *trust* is what it asks for, which can only lower it; *importance* is from 0 to 1.
    *unread_time* is what should have been the time and cannot be read as one. What is *lasting* was
    known, not said: it is a memory also where messages become turns. *whole* is all that a tool
    answered, or was called with, where *content* has it in short: to be compared, not kept.

    Of the export of a vault, *path* is where it lay, *agent* whose it was, *supersedes* has the
    names (key and id) of what holds no longer because of it, and *more* what else its frontmatter
    says.
    """

    content: str
    id: str = ""
    key: str = ""
    session: str = ""
    speaker: str = ""
    role: str = ""
    at: str = ""
    tool: str = ""
    source: str = "import"
    trust: str = ""
    importance: float | None = None
    unread_time: str = ""
    lasting: bool = False
    whole: str = ""
    tags: tuple[str, ...] = ()
    path: str = ""
    agent: str = ""
    supersedes: tuple[str, ...] = ()
    more: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """What the program *by* showed to an agent beside the talk: to be compared, not kept."""

    by: str
    texts: tuple[str, ...]
    at: str = ""

    @classmethod
    def of(cls, by: str, texts: tuple[str, ...], at: str = "") -> Shown | None:
        """Return it, None where there are no *texts*."""
        return cls(by, texts, at) if texts else None


@dataclass(frozen=True, slots=True)
class VaultNote:
    """A note in the export of a vault: where it lay, of what type, its frontmatter, its text.

    *head* is whatever stands there: the file may come from anybody.
    """

    path: str
    type: str
    head: Mapping[str, object]
    body: str


@dataclass(frozen=True, slots=True)
class VaultTurn:
    """A turn in the export of a vault: whose session it is of, the how manieth, as it was said."""

    agent: str
    session: str
    number: int
    turn: Turn


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of a file: a message, a note or a turn of another vault, or why it is none.

    That is *skipped* for what is none of ours, *fault* for what is broken. Whatever it is, what was
    *shown* in it came first.

    *number* counts lines from 1, or what else there is where *piece* says what people call it,
    `entry 6`. Where *file* is a folder, *name* is the file in it.
    """

    file: str
    number: int
    heard: ImportedMessage | None = None
    skipped: str = ""
    fault: str = ""
    piece: str = ""
    note: VaultNote | None = None
    turn: VaultTurn | None = None
    name: str = ""
    shown: Shown | None = None

    @property
    def is_line(self) -> bool:
        """Whether it stands in a line that a person may look up."""
        return not (self.piece or self.name)

    @property
    def where(self) -> str:
        """The place as a person looks for it."""
        if self.name:
            return f"{self.file}/{self.name}"
        if self.piece:
            return f"{self.file}, {self.piece}"
        return f"{self.file}:{self.number}"


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A file or folder by its path within the folder that is read; *why* it is no note, or ""."""

    name: str
    file: Path
    why: str = ""

    @property
    def shown(self) -> str:
        """The name as it may be told: without a credential or a private part in it."""
        return secrets.redact(secrets.strip_private(self.name)) or "a file"

    def read(self) -> bytes:
        """Return the bytes of the note; raises OSError."""
        return self.file.read_bytes()

    def changed(self) -> str:
        """Return when the file was changed last, as ISO 8601; raises OSError."""
        return iso(datetime.fromtimestamp(self.file.stat().st_mtime, UTC))


@dataclass(frozen=True, slots=True)
class Place:
    """Where the notes of one source go: *target* tells a note's path, *head* what it is given.

    *named* says that they go by the names they have, as far as these fit.
    """

    target: Callable[[str], str]
    head: Callable[[str], dict[str, str]]
    named: bool = False


# --- formats ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """What may be asked of a format: a flag of the import's settings, by its *name* there."""

    name: str
    help: str

    @property
    def flag(self) -> str:
        """The option as people type it."""
        return f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class MessageReader:
    """How the messages of a format are read.

    *files* yields the files that a path is or holds, *read* what one of them says, given the names
    of the options that were asked for; both raise OSError, and BadInput for what is none.
    *strict*: an id that comes twice with other words would lose a message. *copies*: an id is the
    only one anywhere, what comes under it again, in whatever session, is a copy.
    *edited*: a conversation is a note that people edit, whose pieces have no ids; what it says no
    longer is compared with what it says now. *wanted* is how people call what there should have
    been.
    """

    files: Callable[[Path], Iterable[Path]]
    read: Callable[[Path, frozenset[str]], Iterator[Item]]
    strict: bool = False
    copies: bool = False
    edited: bool = False
    wanted: str = "a file or a folder of this format"


@dataclass(frozen=True, slots=True)
class NoteReader:
    """How the notes of a format are found: *find* yields what a path is or holds, in order.

    *place* says where they go, else a folder of knowledge is theirs; it raises BadInput for a path
    that is none of the format. *titled* lets links by title find them.
    """

    find: Callable[[Path], Iterator[FolderEntry]]
    place: Callable[[Path], Place] | None = None
    titled: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its *name*, what its files may become (the first is the rule), how it is read.

    *help* says in few words what FILES are. One that has both readers takes in both at once; a
    folded memory has neither.
    """

    name: str
    becomes: tuple[Manner, ...]
    help: str
    messages: MessageReader | None = None
    notes: NoteReader | None = None
    options: tuple[Option, ...] = ()
