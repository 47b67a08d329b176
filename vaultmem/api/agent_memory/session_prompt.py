"""The session as a prompt shows it: its compact, and the newest turns that have room, fenced.

Pure: from a `Session` to a section of a context, and a context without what that tells already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from vaultmem.api.agent_memory.turn_fence import fenced_turn
from vaultmem.documents.bodies.prompt_blocks import restore
from vaultmem.documents.tokens import estimate
from vaultmem.memory.session_status import compact_path
from vaultmem.memory.sessions import Session
from vaultmem.retrieval.context import SMALLEST, Context, Item, Section
from vaultmem.retrieval.context.deduplication import SeenText
from vaultmem.retrieval.context.fencing import harmless
from vaultmem.retrieval.context.items import Piece, shortened
from vaultmem.retrieval.context.messages import Said
from vaultmem.retrieval.context.types import (
    CONVERSATION,
    IMMEDIATE,
    NOTES,
    SITUATION,
    section,
)
from vaultmem.storage.transcripts import Turn

EARLIER, REMINDER = "Session So Far", "Reminder"

_SHARE = 0.3
_LAST_RESULTS, _SHORT_RESULT = 3, 100


class Spoken(NamedTuple):
    """A turn, and how it is printed."""

    turn: Turn
    piece: Piece

    @property
    def message(self) -> Said:
        """The turn as a message: what tools and programs said stays data, in its fence."""
        turn = self.turn
        whole = turn.role in {"user", "assistant"} and turn.content in self.piece.text
        named = f"{turn.speaker}: {turn.content}" if turn.speaker else turn.content
        return {
            "role": "assistant" if turn.role == "assistant" else "user",
            "content": named if whole else self.piece.text,
        }


@dataclass(frozen=True, slots=True)
class SessionPart:
    """What a session says: the *compact* and the turns *spoken* since, and what had no room.

    The *reminder* is of a todo list that it has not touched.
    """

    compact: Section | None
    spoken: tuple[Spoken, ...]
    turns: Section
    dropped: tuple[str, ...]
    reminder: Section | None = None

    @property
    def sections(self) -> tuple[Section, ...]:
        """All as they are printed, without what is empty."""
        return tuple(s for s in (self.compact, self.turns, self.reminder) if s and s.text)

    @property
    def tokens(self) -> int:
        """What it costs."""
        return sum(estimate(section.printed) for section in self.sections)


def question(session: Session) -> str:
    """Return what the user said last in *session*, empty where nobody said anything."""
    messages = (turn.content for turn in reversed(session.window) if turn.role == "user")
    return next(messages, "")


def share(budget: int) -> int:
    """Return how many tokens of a *budget* the turns may have: a share of it, no vital one."""
    return min(int(_SHARE * budget), budget - SMALLEST)


def session_part(session: Session, query: str, most: int) -> SessionPart:
    """Return what a prompt shows of *session* within *most* tokens.

    Left out is a last turn that says the *query*: it stands in the caller's own messages.
    """
    shown, compact = _without_query(session, query), ""
    if session.compact:
        compact = restore(session.compact, session.transcript.session, "system")
    if _opening(compact) > most:
        compact = ""
    taken = newest(shown, most - _opening(compact))
    path = session.transcript.path
    of_compact = Item(compact_path(path), EARLIER, estimate(compact))
    missing = [] if len(taken) == len(shown) else [path]
    missing += [of_compact.path] if session.compact and not compact else []
    turns = Section(
        CONVERSATION,
        "".join(each.piece.text for each in taken),
        tuple(Item(path, CONVERSATION, each.piece.tokens) for each in taken),
    )
    earlier = Section(EARLIER, compact, (of_compact,)) if compact else None
    return SessionPart(earlier, tuple(taken), turns, tuple(missing))


def reminded(part: SessionPart, reminder: str) -> SessionPart:
    """Return *part* with a *reminder* of the todo list, if there is one."""
    text = f"{harmless(reminder)}\n" if reminder else ""
    return replace(part, reminder=Section(REMINDER, text, ()))


def _opening(compact: str) -> int:
    earlier = f"\n## {EARLIER}\n{compact}" if compact else ""
    return estimate(f"{earlier}\n## {CONVERSATION}\n")


def newest(shown: Sequence[Spoken], room: int) -> list[Spoken]:
    """Return the newest turns that have *room*, unbroken; the very last one is cut to fit."""
    taken = list[Spoken]()
    for each in reversed(shown):
        fits = each.piece if taken else shortened(each.piece, room)
        if fits is None or fits.tokens > room:
            break
        taken.insert(0, Spoken(each.turn, fits))
        room -= fits.tokens
    return taken


def _without_query(session: Session, query: str) -> list[Spoken]:
    turns = list(enumerate(session.window, session.first))
    last = turns[-1][1] if turns else None
    if query and last and last.role == "user" and last.content.split() == query.split():
        turns.pop()
    results = [n for n, turn in turns if turn.role == "tool"][-_LAST_RESULTS:]
    return [
        Spoken(turn, _piece(session, n, turn, whole=n in results))
        for n, turn in turns
        if turn.content
    ]


def _piece(session: Session, number: int, turn: Turn, *, whole: bool) -> Piece:
    """Return a turn as it is printed; an old result only says where all of it is."""
    text = turn.content
    if turn.role == "tool" and not whole and len(text) > _SHORT_RESULT:
        text = turn.in_short
    return fenced_turn(turn, number, text, session.transcript.path)


# --- a context with it ------------------------------------------------------------------------


def joined(made: Context, said: SessionPart, budget: int) -> Context:
    """Return the context with what was *said* before the situation, and nothing twice."""
    seen = SeenText()
    for each in said.spoken:
        seen.add(each.piece.words)
    shown = {item.path for layer in said.sections for item in layer.items}
    sections = [kept for s in made.sections if (kept := _without_repeats(s, seen, shown))]
    last = next((n for n, s in enumerate(sections) if s.heading == SITUATION), len(sections))
    sections[last:last] = said.sections
    dropped = tuple(dict.fromkeys((*made.dropped, *said.dropped)))
    whole = replace(
        made, sections=tuple(sections), budget=budget, dropped=dropped,
        conversation=tuple(each.message for each in said.spoken),
    )  # fmt: skip
    return replace(whole, tokens=estimate(whole.text))


def _without_repeats(layer: Section, seen: SeenText, shown: set[str]) -> Section | None:
    """Return *layer* without what stands elsewhere; None when nothing is left of it."""
    if layer.heading not in {NOTES, IMMEDIATE} or not layer.pieces:
        return layer
    kept = [p for p in layer.pieces if p.path not in shown and not seen.knows(p.words)]
    return section(layer.heading, kept) if kept else None
