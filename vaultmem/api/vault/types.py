"""What the methods of a vault return, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from vaultmem.records import Record

if TYPE_CHECKING:
    from vaultmem.exchange.importing.types import Imported
    from vaultmem.memory.compaction import Compaction
    from vaultmem.memory.folding.runner import Folding


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory that is safely on disk; *commit* is None while git has not got it yet.

    *quotes* is the tool that said lately what an agent brought as its own: it waits for a person.
    A *duplicate* was there before, and nothing was written.
    """

    id: str
    path: str
    sha256: str
    commit: str | None
    quotes: str = ""
    duplicate: bool = False


@dataclass(frozen=True, slots=True)
class Compacted:
    """What a compaction did, and its commit; *reason* says why nothing was due.

    *degraded* says why the long-term summary was written offline in a model's place; *longterm*
    is its path where it alone was written, to catch up with short-term summaries.
    """

    compactions: tuple[Compaction, ...]
    reason: str
    commit: str | None
    degraded: str = ""
    longterm: str = ""


@dataclass(frozen=True, slots=True)
class Intake:
    """What an import brought, and what came of that: of memories, or *folded* of turns."""

    done: Imported
    compacted: Compacted
    folded: Folding | None = None


@dataclass(frozen=True, slots=True)
class RecentContext:
    """The three layers of an agent's recent past, texts only."""

    longterm: str
    recent: str
    immediate: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of a vault's history and the *paths* it touched.

    *op* is its newest operation, which `undo` takes; "" for what people committed.
    """

    commit: str
    when: datetime
    author: str
    subject: str
    op: str
    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class Draft:
    """The *text* of the file at *path* as its person edits it, and the sha-256 of its bytes."""

    path: str
    text: str
    sha256: str
