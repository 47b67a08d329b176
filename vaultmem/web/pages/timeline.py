"""The timeline: memories by day, what was summed up of them, and what became of that, above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from vaultmem.api.types import Record
from vaultmem.api.views.types import SessionBrief, Span
from vaultmem.records import iso, moment
from vaultmem.web.pages import since
from vaultmem.web.rendering import timelines
from vaultmem.web.rendering.timelines import Timeline
from vaultmem.web.types import Asked, Page, Reader

_SINGLE = 400
"""Memories that are drawn one by one."""


@dataclass(frozen=True, slots=True)
class TimelinePage:
    """The drawing, from when to when, and the memories themselves where they are few.

    *since* tells, in the past, what became of those. *is_turned* where the range that was asked for
    ended before it began: it is drawn the other way round.
    """

    drawing: Timeline
    agents: Sequence[str]
    agent: str
    memories: Sequence[Record]
    since: Mapping[str, str]
    is_turned: bool


def query(reader: Reader, asked: Asked) -> TimelinePage:
    """Return the timeline between two times, of all there is when none is named."""
    agent = asked.options.agent or asked.fields.get("agent", "")
    days = [day for day in reader.view.days() if timelines.is_time(day.day)]
    spans = [s for s in reader.view.spans() if not agent or s.agent in {"", agent}]
    spans += [_span(it) for it in reader.view.sessions() if it.first and agent in {"", it.agent}]
    first = _time(asked.fields.get("from", ""), days[0].day if days else iso(reader.view.when))
    last = _time(asked.fields.get("to", ""), f"{days[-1].day}T23:59:59Z" if days else "")
    is_turned = last < first and bool(asked.fields.get("from") and asked.fields.get("to"))
    if is_turned:
        first, last = last, first
    elif last <= first:
        last = iso(moment(first) + timedelta(days=1))
    within = [d for d in days if first[:10] <= d.day <= last[:10]]
    memories: Sequence[Record] = ()
    if sum(d.memories for d in within) <= _SINGLE:
        memories = reader.view.records("memory", agent=agent, after=first, before=last, body=True)
    drawing = timelines.drawn(within, spans, memories, first, last)
    listed = memories if len(within) <= 3 or len(memories) <= 60 else ()  # noqa: PLR2004  # a screen
    told = since.told(reader, asked, [r.path for r in listed])
    return TimelinePage(drawing, reader.view.agents(), agent, listed, told, is_turned)


def _span(session: SessionBrief) -> Span:
    """Return a session as the timeline draws it; its path is that of its page."""
    path = f"/session/{session.agent}/{session.session}"
    return Span(
        path, "session", "", session.session, session.agent, session.session, session.first,
        session.last, session.memories,
    )  # fmt: skip


def _time(asked: str, otherwise: str) -> str:
    text = asked or otherwise
    return iso(moment(text)) if text else ""


PAGE = Page("/timeline", "Timeline", "timeline.html", query)
