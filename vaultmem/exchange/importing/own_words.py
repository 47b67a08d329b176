"""Leave out of what becomes a memory what an assistant repeats of a tool's line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from vaultmem.exchange.importing import record_versions
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.memory.remember import MemoryInput
from vaultmem.memory.tool_quotes import quotes
from vaultmem.memory.tool_quotes.excerpts import Wanted
from vaultmem.storage.transcripts import Turn

_REPEATED = "an assistant's line that only repeats a tool's, which only an import as turns keeps"


def told(before: Sequence[Line], batch: Sequence[Line]) -> list[Line]:
    """Return the *batch* without what an assistant repeats of a tool's line word for word.

    Of the same session, in this batch or the one *before*. Whole it stays in `--as turns`.
    """
    sessions: dict[str, list[tuple[int, MemoryInput, str]]] = {}
    for n, line in enumerate((*before, *batch), -len(before)):
        if line.said:
            whole = line.in_full if line.said.spoken_as == "tool" else ""
            sessions.setdefault(line.said.session, []).append((n, line.said, whole))
    made = list(batch)
    for said in sessions.values():
        if not any(it.spoken_as == "tool" for _, it, _ in said):
            continue  # nobody's words to repeat
        spoken = [Turn(it.spoken_as, whole or it.text, tool=it.speaker) for _, it, whole in said]
        wanted = Wanted(it.text for _, it, _ in said if it.spoken_as not in {"tool", "user"})
        parts = [wanted.part_of(turn) if turn.role == "tool" else turn for turn in spoken]
        for (n, it, _), turn in zip(said, quotes.mentioned(parts, None), strict=True):
            if n >= 0 and it.spoken_as != "tool" and turn.content != it.text:
                made[n] = _own(made[n], it, turn.content)
    return made


def _own(line: Line, said: MemoryInput, text: str) -> Line:
    """Return *line* with *text* for what is *said*; it is skipped where only mentions are left."""
    if re.search(r"\w", record_versions.MENTION.sub("", text)):
        return replace(line, said=replace(said, text=text), whole=said.text)
    return replace(line, said=None, skipped=_REPEATED)
