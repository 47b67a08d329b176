"""Topics: what lasts, by subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultmem.api.types import Record
from vaultmem.web.pages import since
from vaultmem.web.types import Asked, Page, Reader

MOST = 300


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics, the one last changed first, by agent: "" is what all share.

    *since* tells, in the past, what became of them.
    """

    groups: Mapping[str, Sequence[Record]]
    more: int
    since: Mapping[str, str]


def query(reader: Reader, asked: Asked) -> Topics:
    """Return the topics there are."""
    found = sorted(
        reader.view.records("topic"), key=lambda r: (r.updated or r.created, r.path), reverse=True
    )
    groups: dict[str, list[Record]] = {}
    for record in found[:MOST]:
        groups.setdefault(record.agent, []).append(record)
    ordered = dict(sorted(groups.items()))
    told = since.told(reader, asked, [r.path for r in found[:MOST]])
    return Topics(ordered, max(len(found) - MOST, 0), told)


PAGE = Page("/topics", "Topics", "topics.html", query)
