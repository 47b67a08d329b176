"""What tools showed beyond that which a transcript keeps of it, as far as an agent repeats it.

A transcript has the beginning of a long answer, and nothing of much else that is shown. An agent
that was told by the rest what to say says it as its own, so that its words are compared with all
that was shown, here, where that is in hand; what it repeats is kept as the tool's, just before the
turn that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vaultmem.exchange.importing import full_turns
from vaultmem.exchange.importing.full_turns import Compared, FullTurn
from vaultmem.memory.tool_quotes import quotes
from vaultmem.memory.tool_quotes.excerpts import Wanted
from vaultmem.memory.tool_quotes.quotes import Repeated
from vaultmem.storage.transcripts import Turn

ORIGIN = "#repeats"
"""Stands behind the origin of a turn in that of another, which has what the first one repeats."""

_BETWEEN = "\n\n"


def repeated(turns: Sequence[FullTurn], held: Iterable[Turn] = ()) -> dict[str, list[Turn]]:
    """Return what tools said that new *turns* repeat and nobody knows, by these turns' origins.

    *held* are the turns of the session that are kept already.
    """
    if not any(it.shown or (it.whole and it.turn.role == "tool") for it in turns):
        return {}
    wanted = Wanted(it.turn.content for it in turns if _may_repeat(it))
    parts = [
        it._replace(turn=wanted.part_of(it.turn)) if it.of is None or it.turn.role == "tool" else it
        for it in full_turns.in_full(turns)
        if _is_new(it) or it.turn.role != "assistant" or wanted.stretches(it.turn.content)
    ]
    found = quotes.found([it.turn for it in parts], None).repeated
    said = [
        (it.of, of) for it, of in zip(parts, found, strict=True) if it.of and _may_repeat(it.of)
    ]
    if not any(of for _, of in said):
        return {}
    known = _known([it.turn for it in turns], held)
    return {it.turn.origin: made for it, of in said if (made := [*_made(it.turn, of, known)])}


def _is_new(it: Compared) -> bool:
    return it.of is not None and it.of.is_new


def _may_repeat(it: FullTurn) -> bool:
    return it.is_new and it.turn.role == "assistant"


def _known(kept: Sequence[Turn], held: Iterable[Turn]) -> set[str]:
    """Return the words that are known as a tool's by what is *kept* and *held* of it."""
    by_kept = (it.words for of in quotes.found(kept, None).repeated for it in of)
    told = (it.content for it in held if it.role == "tool" and ORIGIN in it.origin)
    return {*by_kept, *(words for text in told for words in text.split(_BETWEEN))}


def _made(turn: Turn, said: Iterable[Repeated], known: set[str]) -> Iterator[Turn]:
    """Yield what tools *said* that *turn* repeats, a turn for each, and make it *known*."""
    by_tool: dict[str, list[str]] = {}
    for tool, words in said:
        if words not in known:
            known.add(words)
            by_tool.setdefault(tool, []).append(words)
    for n, (tool, told) in enumerate(by_tool.items(), 1):
        origin = f"{turn.origin}{ORIGIN}{n}"
        yield Turn("tool", _BETWEEN.join(told), at=turn.at, tool=tool, origin=origin)
