"""What derived text is made of: the words of a stretch of turns, and how far they are trusted.

What a tool answered stays in the transcript. Whoever tells of the stretch, a model or a program,
is given the tool, what it was called for, the number of the turn and how it went (counts, codes,
kinds of error), and no sentence to quote. Where nobody spoke, only tools are left to tell of: what
is made of their answers is untrusted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vaultmem.memory import task_turns, tool_calls
from vaultmem.memory.folding import own_calls
from vaultmem.memory.folding.due import ENDED
from vaultmem.memory.tool_calls import ToolCall
from vaultmem.memory.tool_quotes import mentions, quotes, trusted_words
from vaultmem.memory.tool_quotes.quotes import Quotations
from vaultmem.nlp.extraction.sessions import tool_outcomes
from vaultmem.nlp.tasks import OPENING
from vaultmem.records import TRUST_OF_SOURCE, first_line, lowest
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn

_TARGET, _NAME = 120, 64
# A base model goes on with the page: what `~Mara>` says there, to the next blank line, nobody said.
_INVENTED = re.compile(
    r"(?m)^[^\S\n]*[~\u02dc\u223c\uff5e][^\s/<>](?:[^\n/<>]{0,62}[^\s/<>])?[>\uff1e].*(?:\n.*\S.*)*\n?"
)


@dataclass(frozen=True, slots=True)
class Material:
    """The turns to tell of, each in its place, and the trust of whatever is made of them."""

    turns: tuple[Turn, ...]
    trust: str


def of(
    turns: Sequence[Turn], first: int = 1, last: int | None = None, *, others: Sequence[Turn] = ()
) -> Material:
    """Return what may be told of a session's *turns* from number *first* to *last*.

    *others* are turns of other sessions, as `mentioned` takes them.

    The trust is the least of those who spoke in words of their own; of tools alone, and of who only
    repeats them, it is `untrusted`.
    """
    return part(turns, mentioned(turns, others=others), first, last)


def part(
    turns: Sequence[Turn], told: Sequence[Turn], first: int = 1, last: int | None = None
) -> Material:
    """Return what may be told of some of *turns*, all of which are *told* by `mentioned`."""
    both = [*zip(turns, told, strict=True)][first - 1 : last]
    speaking = [trust_of(turn) for turn, it in both if is_spoken(it)]
    here = tuple(it for _, it in both)
    if not speaking and any(it.role == "tool" or mentions.are_in(it.content) for it in here):
        return Material(here, "untrusted")
    return Material(here, lowest(speaking))


def opening(told: Sequence[Turn], first: int, trust: str) -> tuple[Turn, ...]:
    """Return the turns that open a session, of those before number *first* of the *told* ones.

    What has the given *trust* is named after none that are trusted less: there are none then.
    """
    found = tuple(told[: min(first - 1, OPENING)])
    speaking = map(trust_of, filter(is_spoken, found))
    return found if lowest([trust, *speaking]) == trust else ()


def mentioned(
    turns: Sequence[Turn], first: int = 1, *, others: Sequence[Turn] = ()
) -> tuple[Turn, ...]:
    """Return *turns*, the first of which has the number *first*, with a mention of each tool.

    It stands in the place of what the tool answered, and of what an assistant repeats of that word
    for word. A call goes with it: its arguments may be copied from a page, too, and what tells
    which it was is told without a tool's words.
    What tools answered in *others*, turns of other sessions, counts as well. Of what this memory
    itself answered nothing is told, and of where a task ended its headline: the way it went is its
    experience.
    """
    heads = [*map(task_turns.headline, turns)]
    return _with_tools(turns, quotes.found(heads, first, others=others), first)


def told(store: Store, transcript: Transcript) -> tuple[Turn, ...]:
    """Return the turns of *transcript* as `mentioned` does, beside all that the vault has."""
    return _with_tools(transcript.turns, trusted_words.quotations(store, transcript), 1)


def _with_tools(turns: Sequence[Turn], found: Quotations, first: int) -> tuple[Turn, ...]:
    """Return own words of *turns*, with what is told of a tool and its call in its place."""
    called: list[ToolCall] = []
    made: list[Turn] = []
    every = zip(turns, found.mentioned, found.calls, strict=True)
    for number, (turn, own, calls) in enumerate(every, first):
        if own_calls.is_result(turn):
            made.append(replace(turn, tool="", content=""))
        elif turn.role == "tool":
            target, name = _taken(called, turn.tool), first_line(turn.tool, _NAME)
            made.append(replace(turn, tool=name, content=_mention(target, number, turn.content)))
        else:
            # Some programs tell of each of the calls that an answer makes in a turn of its own.
            called = [*called, *calls] if turn.role == "assistant" else []
            made.append(_own(own))
    return tuple(made)


def _mention(target: str, number: int, answer: str) -> str:
    went = tool_outcomes.outcome(answer)
    return f"{target} (turn {number})".strip() + f": {went}" * bool(went)


def trust_of(turn: Turn) -> str:
    """Return how far what *turn* says is trusted: an importer's is an import's, whoever spoke.

    What was written by hand is worth what a file is that says nothing of whose it is: an agent's.
    """
    if turn.role == "tool":
        return TRUST_OF_SOURCE["tool"]
    if turn.by_hand:
        return TRUST_OF_SOURCE["agent"]
    if turn.origin and turn.origin != ENDED:
        return TRUST_OF_SOURCE["import"]
    return TRUST_OF_SOURCE["user" if turn.role == "user" else "agent"]


def is_spoken(turn: Turn) -> bool:
    """Tell whether somebody says something in *turn* beside calling tools."""
    if turn.role not in {"user", "assistant", "system"} or turn.origin == ENDED:
        return False
    lines = (line for line in turn.content.splitlines() if line.strip())
    if turn.role == "user":
        return next(lines, None) is not None
    return any(mentions.has_own_words(x) for x in lines if not tool_calls.is_one(x))


def _own(turn: Turn) -> Turn:
    """Return *turn* without the calls of an assistant, and without what it lets others say."""
    if turn.role != "assistant":
        return turn
    told = _INVENTED.sub("", turn.content)
    if told == turn.content and "[" not in told:
        return turn
    lines = [line for line in told.split("\n") if not tool_calls.is_one(line)]
    return replace(turn, content="\n".join(lines).strip())


def _taken(called: list[ToolCall], tool: str) -> str:
    """Take from what was *called* the first call of *tool*; return what it was called for."""
    at = next((n for n, call in enumerate(called) if call.tool == tool), None)
    return "" if at is None else first_line(called.pop(at).target, _TARGET)
