"""The values of topics: one in a list, one in full, and what came in and went out."""

from __future__ import annotations

from dataclasses import dataclass


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
