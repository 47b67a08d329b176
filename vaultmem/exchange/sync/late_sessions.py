"""Which notes are compared once more, as a sync brings sessions that were not known here.

A tool may have said on another machine what somebody then wrote on this one. What came as a session
decides, not what was pushed by then.
"""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.exchange.sync.types import Data, Lines, Sides
from vaultmem.memory.tool_quotes import candidates, earlier_text
from vaultmem.storage import committed_files, transcript_files, transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn


def suspects(store: Store, lines: Lines, sides: Sides) -> tuple[tuple[str, Data], ...]:
    """Return the notes of *lines* that may have the words of tools whose turns came just now.

    With what git had of each before the first of these spoke. They are what people, and no
    operation of ours, committed since then, or, where nobody knows when that was, since both sides
    agreed last: what the other side had not its tools cannot have read. One that the other side
    wrote into, too, is left out: when a line came to be there, nobody noted.
    """
    tools = [turn for turn in _came(sides) if turn.role == "tool"]
    if not tools:
        return ()
    until = earlier_text.before(store, tools)
    since = committed_files.tips_until(store, until, lines.ours) if until else (lines.base,)
    written = committed_files.written(store, since, lines.ours)
    kept = {path: had for path, had in written.items() if _is_ours(sides, path)}
    said = {path: _text(store, path) for path in kept}
    near = candidates.alike(said.values(), [turn.content for turn in tools])
    return tuple((path, had) for path, had in kept.items() if said[path] in near)


def _came(sides: Sides) -> Iterator[Turn]:
    """Yield the turns that the other side has, and neither ours nor what both had."""
    for path, it in sides.items():
        if transcript_files.holds(path) and it.theirs not in {None, it.base, it.ours}:
            known = {*(it.base or b"").split(b"\n"), *(it.ours or b"").split(b"\n")}
            new = (line for line in (it.theirs or b"").split(b"\n") if line not in known)
            yield from map(transcripts.compared, filter(None, new))


def _is_ours(sides: Sides, path: str) -> bool:
    it = sides.get(path)
    return it is None or bool(it.ours and it.theirs == it.base)


def _text(store: Store, path: str) -> str:
    return (store.texts.own_if_allowed(path) or b"").decode("utf-8", "replace")
