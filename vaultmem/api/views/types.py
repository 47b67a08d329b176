"""What a view returns: files, conversations and cards as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vaultmem.documents.frontmatter import Value
from vaultmem.documents.hidden_text import Hidden
from vaultmem.knowledge.cards.social_graph import Relation
from vaultmem.records import Problem, Record
from vaultmem.storage.index.view_queries import DayCount, FolderEntry, LinkedFiles, Span

__all__ = [
    "CardFact",
    "Conversation",
    "DayCount",
    "Doubt",
    "FolderEntry",
    "LinkedFiles",
    "Relation",
    "SessionBrief",
    "Span",
    "Utterance",
    "ViewedCard",
    "ViewedFile",
]


@dataclass(frozen=True, slots=True)
class ViewedFile:
    """A file as a person reads it: what may leave it, its properties, and what it hides.

    *text* is the whole file, *body* what stands below the frontmatter, from line *body_line* on.
    *held* says why parts are not shown: `private`, `secret`, both, or "". *sha256* is that of the
    file's own bytes. A *problem* is why its frontmatter cannot be read.
    """

    record: Record
    text: str
    body: str
    body_line: int
    properties: Mapping[str, Value]
    hidden: tuple[Hidden, ...]
    held: str
    sha256: str
    problem: Problem | None = None

    @property
    def path(self) -> str:
        """Where it lies."""
        return self.record.path


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said in a session: a turn, or a memory, whose file is at *path*."""

    number: int
    role: str
    speaker: str
    at: str
    text: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A session to read: what was said, and the episodes that tell of it."""

    agent: str
    session: str
    path: str
    said: tuple[Utterance, ...]
    episodes: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class SessionBrief:
    """A session as a list shows it; *memories* counts what was remembered of it.

    *path* is its transcript, "" without one; times are ISO 8601, "" where nobody said.
    """

    agent: str
    session: str
    path: str
    memories: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class CardFact:
    """A fact of a card, who said it and when; *line* is its line in the file, 0 for none."""

    name: str
    value: str
    source: str
    at: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Doubt:
    """Claims that disagree about one fact of a card: what stands there, and what else is said."""

    field: str
    kept: str
    claims: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ViewedCard:
    """A card: whom it is about, its facts, and what is said against them."""

    name: str
    path: str
    person: str
    relationship: str
    facts: tuple[CardFact, ...]
    doubts: tuple[Doubt, ...]
