"""What an assistant repeats of a tool word for word, and `mentions` in its place.

A page may tell an agent what to say. So that no word of it is taken for the agent's, a run of
words, or a whole sentence, that a tool said first is left out of what is told, also where a word in
five is another; what the agent says in other words stays, and so does what a person stated too, or
nearly so, or the agent before the tool did.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from vaultmem.memory import tool_calls
from vaultmem.memory.tool_calls import ToolCall
from vaultmem.memory.tool_quotes import assertions, call_targets, candidates, mentions, quotations
from vaultmem.memory.tool_quotes.quotations import Quotation
from vaultmem.storage.transcripts import Turn


class Quoted(NamedTuple):
    """The *tool* whose words a text has, "" for none, and the *passages* of the text with them."""

    tool: str = ""
    passages: tuple[str, ...] = ()


def mentioned(
    turns: Sequence[Turn], first: int | None = 1, *, others: Sequence[Turn] = ()
) -> tuple[Turn, ...]:
    """Return *turns*, number *first* and so on, with a mention for what an assistant quotes.

    Without numbers where *first* is None. *others* are turns of other sessions, of which those that
    came before count, too. Linear in what they say.
    """
    return found(turns, first, others=others).mentioned


def found(
    turns: Sequence[Turn], first: int | None = 1, *, others: Sequence[Turn] = ()
) -> Quotations:
    """Return what assistants in *turns* quote, for who asks for more than `mentioned` of it."""
    every = (it for it in _quoting(turns, first, others) if it.number is not None)
    return Quotations(tuple(tuple(of) for _, of in groupby(every, lambda it: it.number)))


def quoted(turns: Sequence[Turn], text: str, stood: Mapping[str, str] | None = None) -> Quoted:
    """Return the tool of *turns* that *text* quotes after them; see `each_quoted`.

    Where no long run of words is the same, nearly all of the text must be the tool's.
    """
    return each_quoted(turns, [text], stood).get(text, Quoted())


def each_quoted(
    turns: Sequence[Turn], texts: Collection[str], stood: Mapping[str, str] | None = None
) -> dict[str, Quoted]:
    """Return what those of *texts*, each for itself, quote that quote a tool of *turns*.

    In the order of *texts*. By some of them *stood* has what was in their place: what that quoted
    in the same lines is no news. Linear in what all of them say.
    """
    near = candidates.near(turns, *texts)
    if not any(quotations.is_foreign(turn) for turn in near):
        return {}
    asked = ((n, Turn("assistant", text)) for n, text in enumerate([*texts, *_kept(stood or {})]))
    told = quotations.of([*((None, turn) for turn in near), *asked], None)
    found = [
        (it.number, it)
        for it in told
        if it.number is not None and it.rows and (it.is_exact or it.share >= quotations.MOSTLY)
    ]
    old = {line for n, it in found if n >= len(texts) for line in _lines(it)}
    asking = [it for n, it in found if n < len(texts)]
    news = [_besides(it, old) for it in asking] if old else asking
    return {
        it.turn.content: Quoted(it.said[it.rows[0].row][1:-1], tuple(_passages(it)))
        for it in news
        if it.rows
    }


def _kept(stood: Mapping[str, str]) -> Collection[str]:
    """Return what *stood* there, nothing where a denial or a doubt of it is taken away."""
    for text, old in stood.items():
        kept = {it.text for it in assertions.stretches(text)}
        if any(it.text not in kept for it in assertions.stretches(old) if not it.is_plain):
            return ()
    return stood.values()


def _besides(it: Quotation, old: AbstractSet[str]) -> Quotation:
    """Return what *it* quotes elsewhere than in the lines *old*."""
    lines = zip(it.rows, _lines(it), strict=True)
    return it._replace(rows=[place for place, line in lines if line not in old])


def _lines(it: Quotation) -> Iterator[str]:
    """Yield for each row the sentence in which it is, of that the lines."""
    text = it.turn.content
    lines = {at + 1 for at, c in enumerate(text) if c == "\n"}
    stops = sorted({0, len(text), *lines, *(each.start for each in assertions.stretches(text))})
    spans = [
        (stops[bisect_right(stops, start) - 1], stops[bisect_left(stops, end)])
        for start, end, *_ in it.rows
    ]
    said = {(start, end): text[start:end].strip() for start, end in dict.fromkeys(spans)}
    yield from (said[span] for span in spans)


class Repeated(NamedTuple):
    """The *words* in which an assistant says what *tool* had said."""

    tool: str
    words: str


@dataclass(frozen=True, slots=True)
class Quotations:
    """What each of some turns quotes of tools, and what it calls them for."""

    _every: tuple[tuple[Quotation, ...], ...]
    """Of each turn what it says, and the targets of its calls, piece by piece."""

    @property
    def mentioned(self) -> tuple[Turn, ...]:
        """The turns, with a mention for what an assistant quotes; what a person hands on is out."""
        return tuple(_without(it) if it.rows else it.turn for it, *_ in self._every)

    @property
    def calls(self) -> tuple[tuple[ToolCall, ...], ...]:
        """The calls of each turn, without what of their targets tools said first."""
        return tuple(tuple(_calls(it.turn, targets)) for it, *targets in self._every)

    @property
    def repeated(self) -> tuple[tuple[Repeated, ...], ...]:
        """What each turn repeats of tools, in what it says and in what it calls them for."""
        return tuple(tuple(it for each in of for it in _repeated(each)) for of in self._every)

    @property
    def passages(self) -> tuple[str, ...]:
        """The sentences of assistants that are taken for a tool's."""
        quoting = (it for of in self._every for it in of if it.rows)
        return tuple(dict.fromkeys(passage for it in quoting for passage in _passages(it)))


def _quoting(
    turns: Sequence[Turn], first: int | None, others: Sequence[Turn]
) -> Iterator[Quotation]:
    if any(map(quotations.is_foreign, (*turns, *others))):
        return quotations.of([*_in_time(turns, others)], first)
    return (Quotation(n, turn, (), {}) for n, turn in enumerate(turns))


def _in_time(turns: Sequence[Turn], others: Sequence[Turn]) -> Iterator[tuple[int | None, Turn]]:
    """Yield *turns* with their numbers, and before each those of *others* that are not later.

    What an assistant calls tools for follows what it says, under the same number.
    """
    waiting = sorted(others, key=lambda turn: turn.at, reverse=True)
    for n, turn in enumerate(turns):
        while waiting and (not turn.at or waiting[-1].at <= turn.at):
            yield None, waiting.pop()
        yield n, turn
        for call in tool_calls.of(turn):
            yield from (
                (n, replace(turn, content=it.text)) for it in call_targets.pieces(call.target)
            )


def _passages(it: Quotation) -> Iterator[str]:
    """Yield the sentences of a turn that are quoted."""
    told = assertions.stretches(it.turn.content)
    near = (assertions.between(told, start, end) for start, end, *_ in it.rows)
    for start, end in dict.fromkeys((each[0].start, each[-1].end) for each in near):
        yield it.turn.content[start:end].strip()


def _repeated(it: Quotation) -> Iterator[Repeated]:
    """Yield what a turn repeats: what stands together as one, by the tool that said its start."""
    start = end = 0
    by = ""
    for place in sorted(it.rows, key=lambda place: (place.start, -place.end)):
        if place.start > end or not by:
            if by:
                yield Repeated(by, it.turn.content[start:end])
            start, by = place.start, it.said[place.row][1:-1]
        end = max(end, place.end)
    if by:
        yield Repeated(by, it.turn.content[start:end])


def _calls(turn: Turn, targets: Iterable[Quotation]) -> Iterator[ToolCall]:
    """Yield the calls of *turn*; *targets* are what the pieces of their targets quote, in order."""
    waiting = iter(targets)
    for call in tool_calls.of(turn):
        both = zip(call_targets.pieces(call.target), waiting, strict=False)
        quoted = [(at + it.start, at + it.end) for (at, _), of in both for it in of.rows]
        yield call._replace(target=call_targets.without(call.target, quoted))


def _without(it: Quotation) -> Turn:
    """Return the turn with mentions for what it quotes."""
    return replace(it.turn, content=mentions.instead(it.turn.content, it.rows, it.said))
