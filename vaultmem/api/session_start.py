"""What an agent should know of a vault when its session starts.

A person waits for this before they may type: no `Vault` is opened, only what packs a context is
loaded. All of it is fenced as data, and what is not trusted is in none of it: nobody asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.api import opened_store
from vaultmem.memory import memory_index
from vaultmem.records import Record, is_trusted, lowest
from vaultmem.retrieval.context import layers, packing
from vaultmem.retrieval.context.fencing import fenced
from vaultmem.retrieval.context.items import shortened
from vaultmem.retrieval.context.record_queries import Reader
from vaultmem.retrieval.context.types import PREAMBLE, SITUATION, Wanted
from vaultmem.storage.index import Filter
from vaultmem.storage.store import Store

if TYPE_CHECKING:
    from vaultmem.memory.sessions import Session
    from vaultmem.storage.transcripts import Turn

_EPISODES = 3
_SO_FAR_TOKENS, _TURNS_TOKENS = 1000, 700
_SPEAKERS = frozenset({"user", "assistant"})
_BUDGETS = (2600, 2000, 1400, 800, 400, 200)
_POINTERS = 2_500
"""Room kept for MEMORY.md: whatever else there is, it says where to look."""

_BEFORE_THESE = "What was said before these turns is taken in later, and not found until then:\n"
_NOTHING_YET = "What was said so far is taken in later, and not found until then.\n"

_COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)

Size = Callable[[str], int]
"""How a program counts the text that it takes."""


def text(  # noqa: PLR0913  # whose start it is, by name
    folder: Path,
    *,
    agent: str = "",
    session: str = "",
    untaken: str = "",
    room: int = 10_000,
    size: Size = len,
) -> str:
    """Return what a session of *agent* should know of the vault at *folder* from its first moment.

    *session* is one that goes on, "" for a new one; *untaken* is its transcript where that is not
    taken in as far as it goes. The text has at most *room*, by *size*.
    """
    with closing(opened_store.opened(folder)) as store:
        store.sync_soon()
        start = _Start(store, store.agent(agent), size)
        made = PREAMBLE
        if session:
            made += start.session_so_far(session, untaken, room - size(made))
        made += start.remembered(room - size(made))
        return made + start.pointers(room - size(made))


@dataclass(frozen=True, slots=True)
class _Start:
    """Who starts, at which store, and how the text is measured."""

    store: Store
    who: str
    size: Size

    def session_so_far(self, session: str, untaken: str, room: int) -> str:
        """Return where this very session stood: its compact if that is current, else episodes.

        Behind them come the newest turns; what tools said stays in the transcript. Where there is
        no room for both, the turns.
        """
        # Most sessions just begin.
        from vaultmem.memory import session_status, sessions  # noqa: PLC0415

        reader = Reader(self.store, self.who, self.store.clock())
        known = sessions.start(self.store, self.who, session)
        path = session_status.compact_path(known.transcript.path)
        episodes = Filter(type="episode", agent=self.who, session=session, below="agents")
        compact = list(reader.by_path([path]).values()) if known.compact else []
        newest = compact or reader.records(episodes, newest=_EPISODES)
        pieces = [shortened(reader.piece(each), _SO_FAR_TOKENS // len(newest)) for each in newest]
        before = "".join(piece.text for piece in pieces if piece)
        turns = self._untaken_turns(Path(untaken)) if untaken else _last_turns(known)
        made = (f"\n## This Session So Far\n{text}" for text in (before + turns, turns) if text)
        return next((text for text in made if self.size(text) <= room - _POINTERS), "")

    def _untaken_turns(self, transcript: Path) -> str:
        """Return the newest turns as they stand at the end of the *transcript*."""
        from vaultmem.exchange import untaken_turns  # noqa: PLC0415  # most are taken in

        turns = untaken_turns.newest(self.store, transcript, self.who)
        shown = _printed((turn, 0) for turn in turns)
        return (_BEFORE_THESE if shown else _NOTHING_YET) + shown

    def remembered(self, room: int) -> str:
        """Return the vault's context without a question, the largest one that has room."""
        wanted = [Wanted(self.who, "", budget, 0) for budget in _BUDGETS]
        gathered = layers.gather(self.store, wanted[0], None)
        packed = (packing.pack(gathered, each) for each in wanted)
        tries = ("".join(s.printed for s in p.sections if s.heading != SITUATION) for p in packed)
        return next((made for made in tries if self.size(made) <= room - _POINTERS), "")

    def pointers(self, room: int) -> str:
        """Return as many lines of MEMORY.md as have room; a person's own lines are among them.

        What points at another agent's own files is not. None where the file is not trusted.
        """
        (found,) = self.store.texts.now_at([(memory_index.PATH, "")])
        if found is None or found.problem or not is_trusted(found):
            return ""
        body = memory_index.seen_by(_COMMENT.sub("", found.body), self.who)
        lines = _pointing(body.strip().splitlines(keepends=True))
        index = replace(found, trust=lowest(("agent", found.trust)), created="", title="")
        around = self.size(_index(index, ""))
        return _index(index, self._first(lines, room - around)) if lines else ""

    def _first(self, lines: Sequence[str], room: int) -> str:
        made = ""
        for line in lines:
            if self.size(made + line) > room:
                break
            made += line
        return made


def _last_turns(session: Session) -> str:
    turns = ((turn, n) for n, turn in enumerate(session.window, session.first))
    return _printed(turns, session.transcript.path)


def _printed(turns: Iterable[tuple[Turn, int]], path: str = "") -> str:
    """Return the newest turns of people and the agent that have room, unbroken but for the last.

    Each has its number in the transcript at *path*. What was asked of this memory is told itself.
    """
    from vaultmem.api.agent_memory import session_prompt  # noqa: PLC0415  # likewise
    from vaultmem.api.agent_memory.turn_fence import fenced_turn  # noqa: PLC0415  # likewise
    from vaultmem.memory.folding import own_calls  # noqa: PLC0415  # likewise

    said = ((turn, n, own_calls.without(turn)) for turn, n in turns if turn.role in _SPEAKERS)
    shown = [
        session_prompt.Spoken(turn, fenced_turn(turn, n, text, path))
        for turn, n, text in said
        if text
    ]
    return "".join(it.piece.text for it in session_prompt.newest(shown, _TURNS_TOKENS))


def _pointing(lines: Sequence[str]) -> list[str]:
    """Return *lines* of MEMORY.md without the headings below which no pointer is left."""
    kept: list[str] = []
    for line in reversed(lines):
        below = next((x for x in reversed(kept) if x.strip()), "")
        if not (line.startswith("## ") and (below.startswith("#") or not below)):
            kept.append(line)
    return kept[::-1]


def _index(index: Record, body: str) -> str:
    return f"\n## Where To Look\n{fenced(replace(index, body=body), {})}"
