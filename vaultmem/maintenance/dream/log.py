"""The dreams that a history tells of, and which of them were taken back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from vaultmem.records import iso
from vaultmem.storage import ulids

SUBJECT = "dream: "
_TAKES_BACK = re.compile(r"^Takes back ([0-9A-Z]{26}) ", re.MULTILINE)


class LoggedCommit(Protocol):
    """A commit as history tells it."""

    @property
    def commit(self) -> str:
        """Its id."""

    @property
    def subject(self) -> str:
        """Its first line."""

    @property
    def body(self) -> str:
        """What it says besides, without trailers."""

    @property
    def ops(self) -> tuple[str, ...]:
        """The operations that it carries."""


@dataclass(frozen=True, slots=True)
class Dreamt:
    """A dream that was applied: when, by the vault's clock, and what it did, a line a change."""

    op: str
    commit: str
    when: str
    subject: str
    changes: tuple[str, ...]
    undone: bool = False

    @property
    def moment(self) -> datetime:
        """When it was applied."""
        return datetime.fromtimestamp(ulids.minted_at(self.op), UTC)


def dreams(commits: Sequence[LoggedCommit]) -> tuple[Dreamt, ...]:
    """Return the dreams among *commits*, newest first as these are."""
    back = _takers(commits)
    found: dict[str, Dreamt] = {}
    for entry in commits:
        if entry.subject.startswith(SUBJECT) and len(entry.ops) == 1:
            (op,) = entry.ops
            when = iso(datetime.fromtimestamp(ulids.minted_at(op), UTC))
            lines = tuple(line for line in entry.body.splitlines() if line.strip())
            undone = _is_undone(op, back)
            found[op] = Dreamt(op, entry.commit, when, entry.subject, lines, undone)
    return tuple(found.values())


def _takers(commits: Iterable[LoggedCommit]) -> dict[str, list[str]]:
    """Return by which operations each was undone."""
    found: dict[str, list[str]] = {}
    for entry in commits:
        for op in _TAKES_BACK.findall(entry.body) if entry.subject.startswith("undo: ") else ():
            found.setdefault(op, []).extend(entry.ops)
    return found


def _is_undone(op: str, back: dict[str, list[str]]) -> bool:
    """Tell whether some undo of it stands; one that was undone itself does not."""
    # An operation is taken back only by a later one, so this comes to an end.
    return any(taker > op and not _is_undone(taker, back) for taker in back.get(op, ()))
