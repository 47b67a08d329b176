"""The values of topics: one in a list, one in full, and what came in and went out."""

from __future__ import annotations

from dataclasses import dataclass

from vaultmem.knowledge.cards.types import Strategy
from vaultmem.records import TRUST_OF_SOURCE


@dataclass(frozen=True, slots=True)
class Listed:
    """A topic as a list shows it.

    *facts* counts its bullets; *lacks* are the labels, `why` and `how to apply`, that some fact of
    a feedback or project topic should carry and does not. A file with a *problem* reads as YAML
    readers do not agree on: it is listed, and recall does not find it.
    """

    id: str
    path: str
    title: str
    description: str
    kind: str
    agent: str
    created: str
    updated: str
    facts: int
    stale: bool
    lacks: tuple[str, ...] = ()
    problem: str = ""
    trust: str = TRUST_OF_SOURCE["agent"]


@dataclass(frozen=True, slots=True)
class TopicListing:
    """Topics, the one last changed first; *left_off* counts those that are too many to list."""

    topics: tuple[Listed, ...]
    left_off: int = 0


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact or a pattern, and the wikilink targets it comes from."""

    text: str
    why: str
    how: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that lasts."""

    decision: str
    reason: str
    constraint: str
    how: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuledOut:
    """An approach that was ruled out."""

    approach: str
    why: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Whole:
    """A topic in full; *body* is its Markdown as it stands."""

    id: str
    path: str
    title: str
    description: str
    kind: str
    agent: str
    created: str
    updated: str
    trust: str
    stale: bool
    facts: tuple[Fact, ...]
    decisions: tuple[Decision, ...]
    ruled_out: tuple[RuledOut, ...]
    patterns: tuple[Fact, ...]
    body: str
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TopicPatch:
    """What shall be said of a topic: *facts*, and how they meet what stands there.

    `append` adds what is not told yet; `overwrite` leaves no other facts; `merge` puts a newer fact
    in the place of one that it contradicts, and adds the rest. Decisions, patterns, what was ruled
    out and prose are no facts: `append` and `overwrite` leave them. *links* are what the facts rest
    on, *source* is a key of TRUST_OF_SOURCE, *trust* what the links are worth at most. An empty
    *kind* or *description* says nothing.
    """

    facts: tuple[str, ...] = ()
    strategy: Strategy = "append"
    kind: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    source: str = "agent"
    trust: str = ""
    agent: str = ""


@dataclass(frozen=True, slots=True)
class WrittenTopic:
    """What became of a topic: the texts that came and went, among facts and all else it lists.

    *existed* when it was there before; *reworded* are given facts that it tells in other words, so
    that nobody takes them for lost; *memory* is the raw memory that a merge rests on. *degraded*
    says why rules merged where a model was asked. *commit* is None when nothing was written, or git
    has not got it yet; *uncommitted* says why git never gets it, and what to do.
    """

    path: str
    sha256: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    reworded: tuple[str, ...] = ()
    commit: str | None = None
    existed: bool = False
    changed: bool = False
    memory: str = ""
    model: str = ""
    degraded: str = ""
    uncommitted: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was left as it is, and why."""

    file: str
    why: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What a folder brought: paths of topics that are new or changed, and files that bring none.

    *skipped* are known already, changed on both sides, or nothing that is brought; *failed* cannot
    be taken in.
    """

    imported: tuple[str, ...]
    updated: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    failed: tuple[Skipped, ...]
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    """The names of the files that were written into *folder*; the others stood there already."""

    folder: str
    written: tuple[str, ...]
    unchanged: int
