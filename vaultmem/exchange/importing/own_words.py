"""Leave out of what becomes a memory what an assistant repeats of a tool's line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from vaultmem.exchange.formats.types import Shown
from vaultmem.exchange.importing import full_turns, record_versions
from vaultmem.exchange.importing.full_turns import FullTurn
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.memory.remember import MemoryInput
from vaultmem.memory.tool_quotes import quotes
from vaultmem.memory.tool_quotes.excerpts import Wanted
from vaultmem.records import TRUST
from vaultmem.storage.transcripts import Turn

SHORTENED = "an assistant's message came without what it repeats of a tool"
_REPEATED = "an assistant's line that only repeats a tool's, which only an import as turns keeps"


def told(before: Sequence[Line], batch: Sequence[Line]) -> list[Line]:
    """Return the *batch* without what an assistant repeats of a tool's words, word for word.

    Of the same session, in this batch or the one *before*, also where the tool's words stand in a
    line that is left out, or beside what was said. Whole it stays in `--as turns`. What a person
    says stays whole: they vouch for it.
    """
    made = list(batch)
    for said in _sessions(before, batch).values():
        full = [turn for _, turn in said]
        if not any(it.shown or it.turn.role == "tool" for it in full):
            continue  # nobody's words to repeat
        wanted = Wanted(it.turn.content for it in full if it.turn.role not in {"tool", "user"})
        every = [*full_turns.in_full(full)]
        parts = [wanted.part_of(it.turn) if it.turn.role == "tool" else it.turn for it in every]
        mentioned = zip(every, quotes.mentioned(parts, None), strict=True)
        for (n, it), turn in zip(said, (turn for of, turn in mentioned if of.of), strict=True):
            own = made[n].said if n >= 0 and it.turn.role not in {"tool", "user"} else None
            if own and turn.content != own.text:
                made[n] = _own(made[n], own, turn.content)
    return made


def _sessions(
    before: Sequence[Line], batch: Sequence[Line]
) -> Mapping[str, Sequence[tuple[int, FullTurn]]]:
    """Return what was said by its session, with its place in the *batch*: below 0 for *before*."""
    sessions: dict[str, list[tuple[int, FullTurn]]] = {}
    shown: list[Shown] = []
    for n, line in enumerate((*before, *batch), -len(before)):
        shown += line.shown or filter(None, (line.item.shown,))
        if said := line.said:
            turn = Turn(said.spoken_as, said.text, tool=said.speaker)
            full = FullTurn(turn, line.in_full, shown=tuple(shown))
            sessions.setdefault(said.session, []).append((n, full))
            shown.clear()
    return sessions


def _own(line: Line, said: MemoryInput, text: str) -> Line:
    """Return *line* with *text* for what is *said*; it is skipped where only mentions are left.

    What an agent keeps for ever is no line of the talk that the tool's stands for: it stays whole,
    and waits for a person.
    """
    if re.search(r"\w", record_versions.MENTION.sub("", text)):
        return replace(line, said=replace(said, text=text), whole=said.text)
    if line.is_lasting:
        return replace(line, said=replace(said, asked=TRUST[0]))
    return replace(line, said=None, skipped=_REPEATED)
