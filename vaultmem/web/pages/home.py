"""Home: what the vault knows, what waits for a person, what happened, and how it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultmem.api.types import Operation, Record
from vaultmem.api.views import View
from vaultmem.errors import Unavailable
from vaultmem.records import Problem
from vaultmem.web.pages import since
from vaultmem.web.pages.history import recent
from vaultmem.web.rendering import calendars
from vaultmem.web.rendering.calendars import Calendar
from vaultmem.web.types import Asked, Page, Reader

_KINDS = (
    ("memory", "memory", "/timeline"), ("card", "card", "/cards"), ("topic", "topic", "/topics"),
    ("episode", "episode", "/sessions"), ("summary", "summary", "/timeline"),
    ("task", "task", "/tasks"),
)  # fmt: skip
_HAPPENED = 8
_NEWEST = 6


@dataclass(frozen=True, slots=True)
class Count:
    """How many files of a kind there are, how one is called, and where they are shown."""

    number: int
    noun: str
    href: str


@dataclass(frozen=True, slots=True)
class Home:
    """The home page; *since* tells, in the past, what became of what it shows."""

    counts: tuple[Count, ...]
    calendar: Calendar
    longterm: Sequence[Record]
    newest: Sequence[Record]
    contested: int
    problems: Sequence[Problem]
    held: Sequence[str]
    happened: Sequence[Operation]
    no_history: str
    since: Mapping[str, str]


def query(reader: Reader, asked: Asked) -> Home:
    """Return what the home page shows."""
    view = reader.view
    happened, why = _happened(reader, asked)
    longterm = view.records("summary", tier="longterm", body=True)
    newest = _said_last(view)
    return Home(
        counts=_counts(view.counts()),
        calendar=calendars.year(view.days(), view.when),
        longterm=longterm,
        newest=newest,
        contested=len(view.contested()),
        problems=view.problems(),
        held=view.held(),
        happened=happened,
        no_history=why,
        since=since.told(reader, asked, [r.path for r in (*longterm, *newest)]),
    )


def _said_last(view: View) -> Sequence[Record]:
    """Return the newest memories; asked agent by agent, none has to be sorted for it."""
    found = [
        record
        for agent in view.agents()
        for record in view.records("memory", agent=agent, newest=_NEWEST, body=True)
    ]
    return sorted(found, key=lambda r: (r.created, r.id), reverse=True)[:_NEWEST]


def _counts(known: Mapping[str, int]) -> tuple[Count, ...]:
    return tuple(Count(known.get(kind, 0), noun, href) for kind, noun, href in _KINDS)


def _happened(reader: Reader, asked: Asked) -> tuple[Sequence[Operation], str]:
    try:
        return recent(reader, asked, _HAPPENED), ""
    except Unavailable as e:
        return (), str(e)


PAGE = Page("/", "Home", "home.html", query)
