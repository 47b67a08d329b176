"""The session as a prompt shows it: its compact, and the newest turns that have room, fenced.

Pure: from a `Session` to a section of a context, and a context without what that tells already.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vaultmem.documents.bodies.prompt_blocks import restore
from vaultmem.documents.tokens import estimate
from vaultmem.memory.folding.material import trust_of
from vaultmem.memory.sessions import Session, compact_path
from vaultmem.records import Record
from vaultmem.retrieval.context import SMALLEST, Context, Item, Section
from vaultmem.retrieval.context.budget import BASE
from vaultmem.retrieval.context.deduplication import SeenText, distinctive_words
from vaultmem.retrieval.context.items import Piece, printed, shortened
from vaultmem.retrieval.context.types import IMMEDIATE, NOTES, SITUATION
from vaultmem.storage.transcripts import Turn

HEADING = "Conversation"

_LAST_RESULTS, _SHORT_RESULT = 3, 100
_MINUTE = 16
_FENCED = re.compile(r"<memory\b.*?\n</memory>\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SessionSection:
    """What a session says: the *section*, the words of each turn in it, and what had no room."""

    section: Section
    words: tuple[tuple[str, ...], ...]
    dropped: tuple[str, ...]

    @property
    def tokens(self) -> int:
        """What it costs."""
        return estimate(self.section.printed) if self.section.text else 0


def question(session: Session) -> str:
    """Return what the user said last in *session*, empty where nobody said anything."""
    messages = (turn.content for turn in reversed(session.window) if turn.role == "user")
    return next(messages, "")


def share(budget: int) -> int:
    """Return how many tokens of a *budget* the turns may have: those of history, no vital one."""
    return min(int(BASE.history * budget), budget - SMALLEST)


def session_section(session: Session, query: str, most: int) -> SessionSection:
    """Return what a prompt shows of *session* within *most* tokens.

    Left out is a last turn that says the *query*: it stands in the caller's own messages.
    """
    shown, compact = _without_query(session, query), ""
    if session.compact:
        compact = restore(session.compact, session.transcript.session, "system")
    if _opening(compact) > most:
        compact = ""
    taken = _newest(shown, most - _opening(compact))
    return _section(session, compact, taken, complete=len(taken) == len(shown))


def _opening(compact: str) -> int:
    return estimate(f"\n## {HEADING}\n{compact}")


def _newest(shown: Sequence[Piece], room: int) -> list[Piece]:
    """Return the newest pieces that have *room*, unbroken; the very last one is cut to fit."""
    taken = list[Piece]()
    for piece in reversed(shown):
        fits = piece if taken else shortened(piece, room)
        if fits is None or fits.tokens > room:
            break
        taken.insert(0, fits)
        room -= fits.tokens
    return taken


def _section(
    session: Session, compact: str, taken: Sequence[Piece], *, complete: bool
) -> SessionSection:
    path = session.transcript.path
    of_compact = Item(compact_path(path), HEADING, estimate(compact))
    items = ((of_compact,) if compact else ()) + tuple(Item(path, HEADING, p.tokens) for p in taken)
    text = compact + "".join(piece.text for piece in taken)
    missing = [] if complete else [path]
    missing += [of_compact.path] if session.compact and not compact else []
    return SessionSection(
        Section(HEADING, text, items), tuple(p.words for p in taken), tuple(missing)
    )


def _without_query(session: Session, query: str) -> list[Piece]:
    turns = list(enumerate(session.window, session.first))
    last = turns[-1][1] if turns else None
    if query and last and last.role == "user" and last.content.split() == query.split():
        turns.pop()
    results = [n for n, turn in turns if turn.role == "tool"][-_LAST_RESULTS:]
    return [_piece(session, n, turn, whole=n in results) for n, turn in turns if turn.role]


def _piece(session: Session, number: int, turn: Turn, *, whole: bool) -> Piece:
    """Return a turn as it is printed; an old result only says where all of it is."""
    text = turn.content
    if turn.role == "tool" and not whole and len(text) > _SHORT_RESULT:
        text = f"[Previous: used {turn.tool or 'a tool'}]"
    record = Record(
        session.transcript.path, "", type="turn", created=turn.at, body=text,
        trust=trust_of(turn),
    )  # fmt: skip
    marks = {
        "date": turn.at[:_MINUTE].replace("T", " "), "turn": str(number), "role": turn.role,
        "speaker": turn.speaker, "tool": turn.tool,
    }  # fmt: skip
    return printed(record, marks)


# --- a context with it ------------------------------------------------------------------------


def joined(made: Context, section: SessionSection, budget: int) -> Context:
    """Return the context with what was *said* before the situation, and nothing twice."""
    seen = SeenText()
    for words in section.words:
        seen.add(words)
    shown = {item.path for item in section.section.items}
    sections = [kept for s in made.sections if (kept := _without_repeats(s, seen, shown))]
    if section.section.text:
        last = next((n for n, s in enumerate(sections) if s.heading == SITUATION), len(sections))
        sections.insert(last, section.section)
    dropped = tuple(dict.fromkeys((*made.dropped, *section.dropped)))
    whole = replace(made, sections=tuple(sections), budget=budget, dropped=dropped)
    return replace(whole, tokens=estimate(whole.text))


def _without_repeats(section: Section, seen: SeenText, shown: set[str]) -> Section | None:
    """Return *section* without what stands elsewhere; None when nothing is left of it."""
    fences = _FENCED.findall(section.text)
    if section.heading not in {NOTES, IMMEDIATE} or len(fences) != len(section.items):
        return section
    kept = [
        (text, item)
        for text, item in zip(fences, section.items, strict=True)
        if item.path not in shown
        and not seen.knows(distinctive_words(text.partition("\n")[2].removesuffix("</memory>\n")))
    ]
    items = tuple(item for _, item in kept)
    return Section(section.heading, "".join(text for text, _ in kept), items) if kept else None
