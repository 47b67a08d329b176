"""What of a folded memory says a tool's words as its agent's: both stand in the one file.

A program that knows nothing of trust folds what a page told the agent into its summaries. What this
program exported was compared when it was made, with all that its vault knew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from vaultmem.documents.bodies import (
    Decision,
    Eliminated,
    Episode,
    Fact,
    TopicDecision,
    TopicEliminated,
)
from vaultmem.exchange.formats.shown_texts import A_PROGRAM
from vaultmem.exchange.formats.types import Shown
from vaultmem.exchange.importing import long_results
from vaultmem.exchange.importing.full_turns import FullTurn
from vaultmem.memory.tool_quotes import quotes
from vaultmem.storage.transcripts import Turn

Item = Fact | TopicDecision | TopicEliminated
"""What lasts."""


_Texts = Mapping[int, Sequence[str]]
"""Texts by the number of a turn."""


def by_themselves(turns: Sequence[Turn], shown: _Texts) -> list[Turn]:
    """Return *turns*, as a tool's each that repeats what was *shown* beside it, or before it."""
    full = [
        FullTurn(replace(turn, origin=str(n)), is_new=True, shown=_shown(shown.get(n, ())))
        for n, turn in enumerate(turns, 1)
    ]
    theirs = long_results.repeated(full)
    return [
        replace(turn, role="tool", tool=theirs[str(n)][0].tool) if str(n) in theirs else turn
        for n, turn in enumerate(turns, 1)
    ]


def _shown(texts: Sequence[str]) -> tuple[Shown, ...]:
    return (Shown(A_PROGRAM, tuple(texts)),) if texts else ()


def of_tools(
    turns: Sequence[Turn], shown: _Texts, told: _Texts, lasting: Iterable[str]
) -> frozenset[str]:
    """Return the texts in which a tool in *turns* speaks, or a program in what is *shown* there.

    *told* are those of episodes, by the number of the last turn that each tells of: what a tool
    said later is nothing to it. What is *lasting* is compared with all of them.
    """
    said = [*_in_order(turns, shown, told), *_asked(lasting)]
    pairs = zip(said, quotes.mentioned(said, None), strict=True)
    return frozenset(it.content for it, own in pairs if own.content != it.content)


def of_episode(it: Episode) -> list[str]:
    """Return what an episode says, but for the results of tools, which it only names."""
    decided, ruled_out = map(_of_decision, it.decisions), map(_of_eliminated, it.eliminated)
    return [
        it.title, it.summary, *decided, *ruled_out,
        *it.open_questions, *it.corrections, *it.preferences,
    ]  # fmt: skip


def of_item(it: Item) -> str:
    """Return what an item of what lasts says."""
    if isinstance(it, Fact):
        return it.text
    return (
        _of_decision(it.decision)
        if isinstance(it, TopicDecision)
        else _of_eliminated(it.eliminated)
    )


def _of_decision(it: Decision) -> str:
    return "\n".join(filter(None, (it.decision, it.reason, it.constraint)))


def _of_eliminated(it: Eliminated) -> str:
    return "\n".join(filter(None, (it.approach, it.why)))


def _in_order(turns: Sequence[Turn], shown: _Texts, told: _Texts) -> Iterator[Turn]:
    for number, turn in enumerate(turns, 1):
        yield from (Turn("tool", text) for text in shown.get(number, ()))
        yield turn
        yield from _asked(told.get(number, ()))


def _asked(texts: Iterable[str]) -> list[Turn]:
    return [Turn("assistant", text) for text in texts if text]
