"""One session: the conversation to read, with the episodes that tell of it beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from vaultmem.api.rendering import visible_text
from vaultmem.api.views.types import Conversation, Utterance
from vaultmem.errors import NotFound
from vaultmem.web.rendering import markdown
from vaultmem.web.types import Asked, Page, Reader

MOST = 300
"""Turns on one page."""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn as it is shown; a day's first one carries the *day*."""

    turn: Utterance
    html: Markup
    day: str
    side: str


@dataclass(frozen=True, slots=True)
class SessionPage:
    """A page of a conversation; *first* and *last* number its turns."""

    conversation: Conversation
    said: Sequence[Said]
    earlier: int
    later: int


def query(reader: Reader, asked: Asked) -> SessionPage:
    """Return the session that the address names, AGENT/SESSION; raises NotFound."""
    agent, _, session = asked.rest.partition("/")
    if not (agent and session):
        raise NotFound("name an agent and a session")
    found = reader.view.conversation(agent, session)
    text = asked.fields.get("turn", "1")
    wanted = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 1  # noqa: PLR2004
    first = max(min(wanted, len(found.said)) - 1, 0) // MOST * MOST
    shown = found.said[first : first + MOST]
    first_speaker = shown[0].speaker if shown else ""
    last_day = ""
    said = []
    for turn in shown:
        day = turn.at[:10]
        mine = turn.role == "assistant" or (not turn.role and turn.speaker != first_speaker)
        side = "tool" if turn.role in {"tool", "system"} else "theirs" if mine else "ours"
        said.append(Said(turn, _html(turn), day if day != last_day else "", side))
        last_day = day
    later = first + MOST + 1 if first + MOST < len(found.said) else 0
    return SessionPage(found, said, max(first + 1 - MOST, 0), later)


def _html(turn: Utterance) -> Markup:
    if turn.role == "tool":
        return Markup("<pre>{}</pre>").format(visible_text(turn.text))
    context = markdown.Context(turn.path or "x", {}, markdown.address)
    return markdown.html(turn.text, context)


PAGE = Page("/session/{rest:path}", "Session", "session.html", query)
