"""What an assistant repeats of a tool word for word, and `mentions` in its place.

A page may tell an agent what to say. So that no word of it is taken for the agent's, a run of
words, or a whole sentence, that a tool said first is left out of what is told, also where a word in
five is another; what the agent says in other words stays, and so does what a person stated too, or
nearly so, or the agent before the tool did.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from vaultmem.memory import tool_calls
from vaultmem.memory.tool_calls import ToolCall
from vaultmem.memory.tool_quotes import (
    address_quotes,
    assertions,
    call_targets,
    candidates,
    frames,
    mentions,
    payment_addresses,
    plain_words,
)
from vaultmem.memory.tool_quotes.corroboration import Corroboration, Manners
from vaultmem.memory.tool_quotes.near_quotes import Row
from vaultmem.memory.tool_quotes.payment_addresses import Payment
from vaultmem.memory.tool_quotes.plain_words import Word
from vaultmem.memory.tool_quotes.readings import Place, Readings, ToolWords
from vaultmem.memory.tool_quotes.repetitions import Repetitions
from vaultmem.memory.tool_quotes.wanted_quotes import WantedQuotes
from vaultmem.storage.transcripts import Turn

_AGENTS = frozenset({"assistant", "system"})
"""Roles that may repeat a tool: a task's beginning and end are noted in its agent's words."""

_ADDRESS, _FACT = re.compile(r"[@/]"), re.compile(r"[\d@/]")
_MOSTLY = 0.8
"""How much of a text must be a tool's where no long run of words in it is the same."""


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
    if not any(_is_foreign(turn) for turn in near):
        return {}
    asked = ((n, Turn("assistant", text)) for n, text in enumerate([*texts, *_kept(stood or {})]))
    told = _quotations([*((None, turn) for turn in near), *asked], None)
    found = [
        (it.number, it)
        for it in told
        if it.number is not None and it.rows and (it.is_exact or it.share >= _MOSTLY)
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


def _besides(it: _Quotation, old: AbstractSet[str]) -> _Quotation:
    """Return what *it* quotes elsewhere than in the lines *old*."""
    lines = zip(it.rows, _lines(it), strict=True)
    return it._replace(rows=[place for place, line in lines if line not in old])


def _lines(it: _Quotation) -> Iterator[str]:
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


def _is_foreign(turn: Turn) -> bool:
    """Tell whether a tool speaks, whatever it calls itself."""
    return turn.role == "tool"


class Repeated(NamedTuple):
    """The *words* in which an assistant says what *tool* had said."""

    tool: str
    words: str


class _Quotation(NamedTuple):
    """A turn, and the *rows* in it that tools *said* first.

    *number* counts from 0, None in another session; *is_exact* where a row is a tool's for sure, as
    each is in a text that names a person beside it; *share* is how much of its words is quoted,
    without the `frames` of these, where most of them are.
    """

    number: int | None
    turn: Turn
    rows: Sequence[Place]
    said: Mapping[Row, str]
    is_exact: bool = False
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Quotations:
    """What each of some turns quotes of tools, and what it calls them for."""

    _every: tuple[tuple[_Quotation, ...], ...]
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
) -> Iterator[_Quotation]:
    if any(map(_is_foreign, (*turns, *others))):
        return _quotations([*_in_time(turns, others)], first)
    return (_Quotation(n, turn, (), {}) for n, turn in enumerate(turns))


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


@dataclass(slots=True)
class _Heard:
    """What was said so far: by tools first, *exact* or nearly so, and what was *known* before.

    That is what agents said, and when: in another session it may have been after the tool did.
    """

    said: dict[Row, str] = field(default_factory=dict)
    exact: set[Row] = field(default_factory=set)
    known: dict[Row, str] = field(default_factory=dict)
    corroboration: Corroboration = field(default_factory=Corroboration)
    repetitions: Repetitions = field(default_factory=Repetitions)
    speakers: frozenset[Row] = frozenset()

    def own(self, turn: Turn) -> Turn:
        """Return *turn* without what a person hands on in it of what a tool has said."""
        if turn.role != "user":
            return turn
        own = self.repetitions.own(turn.content)
        return turn if own == turn.content else replace(turn, content=own)

    def hear_tool(self, words: ToolWords, rows: AbstractSet[Row], at: str, mention: str) -> None:
        """Note that a tool says *words*, and *rows* of them, *at* that time: see `mentions.of`."""
        new = {row for row in rows if row not in self.said and not self.is_known(row, at)}
        self.said |= dict.fromkeys(new, mention)
        self.repetitions.hear_tool(words)
        self.corroboration.hear_tool(words.known, rows)

    def hear_agent(self, rows: Iterable[Row], at: str) -> None:
        """Note that an agent says *rows*, *at* that time, "" for one that is not known."""
        for row in rows:
            if row not in self.said:
                self.known[row] = min(self.known.get(row, at), at)

    def is_known(self, row: Row, at: str) -> bool:
        """Tell whether an agent said *row* before that time."""
        return row in self.known and (not at or self.known[row] <= at)

    def is_vouched(self, row: Row, told: Manners, start: int, end: int) -> bool:
        """Tell whether a person states *row* in the manner in which it is *told* there."""
        if row not in self.corroboration.persons:
            return False
        manners = (told.between(start, end), told.within(start, end))
        return any(self.corroboration.is_vouched(row, it) for it in dict.fromkeys(manners))


def _quotations(
    turns: Sequence[tuple[int | None, Turn]], first: int | None
) -> Iterator[_Quotation]:
    """Yield what each of *turns* quotes; what `said` holds is what tools said until then."""
    said = [turn for _, turn in turns]
    spoken = {n: it.content for n, it in enumerate(said) if it.role in _AGENTS}
    chained = any(map(plain_words.may_have_chains, spoken.values()))
    shown = {n: it.content for n, it in enumerate(said) if _is_foreign(it)}
    tools = {n: ToolWords.of(text, chained=chained) for n, text in shown.items()}
    written = [word for it in tools.values() for texts in it.whole for word in texts]
    names, addresses = plain_words.names(written), plain_words.addresses(written)
    agents = {n: Readings.of(text, names, addresses) for n, text in spoken.items()}
    by_tools, wanted = _by_tools(said, tools, agents.values())
    paid = {n: payment_addresses.found(said[n].content) for n in agents}
    payments = {
        n: {(it,) for it in payment_addresses.addresses(said[n].content)}
        for n in (tools if any(paid.values()) else ())
    }
    persons = [it for it in said if it.role == "user" and tools]
    heard = _Heard(
        repetitions=Repetitions.of(it.content for it in persons),
        speakers=frozenset(_called(it.speaker) for it in persons if it.speaker),
    )
    known = wanted.known
    for n, (number, whole) in enumerate(turns):
        turn = heard.own(whole)
        yield _quotation(
            number, turn, agents[n].every if n in agents else (), paid.get(n, ()), heard
        )
        if n in by_tools:
            same, found = by_tools[n]
            heard.exact |= same
            found = found | payments.get(n, set())
            heard.hear_tool(tools[n], found, turn.at, mentions.of(turn, number, first))
        elif turn.role == "user" and (wanted or payments):
            heard.corroboration.hear_person(turn.content, wanted.all, turn.speaker, known)
        elif turn.role != "user" and (wanted or payments):
            heard.hear_agent({(it.address,) for it in paid.get(n, ())}, turn.at)
            every = agents[n].every if n in agents else (plain_words.words(turn.content),)
            for words in every:
                heard.hear_agent(wanted.all([word.text for word in words]), turn.at)


def _called(speaker: str) -> Row:
    """Return the words by which a *speaker* is called: their first name, or all letters of one."""
    return tuple(word.text for word in plain_words.words(" ".join(speaker.split()[:1])))


def _by_tools(
    turns: Sequence[Turn], tools: Mapping[int, ToolWords], agents: Collection[Readings]
) -> tuple[Mapping[int, tuple[set[Row], set[Row]]], WantedQuotes]:
    """Return what each tool says of what assistants do, exactly and in all, and all of that."""
    wanted = WantedQuotes.of(words for it in agents for words in (*it.whole, *it.but_names))
    split = WantedQuotes.of(words for it in agents for words in it.parted)
    parts = (wanted.clauses | split.clauses) - wanted.runs - split.runs
    found: dict[int, tuple[set[Row], set[Row]]] = {}
    before = ToolWords()
    for n, turn in enumerate(turns):
        if turn.role == "user":
            before = ToolWords()
        if n not in tools:
            continue
        same, near = set[Row](), set[Row]()
        for texts in tools[n].every:
            same |= wanted.same(texts)
            near |= wanted.nearly_same(texts)
        for texts in tools[n].behind(before):
            same |= wanted.same(texts)
        for texts in tools[n].whole if split else ():
            same |= split.same(texts)
            near |= split.nearly_same(texts)
        if not parts.isdisjoint(same):
            same -= parts - ToolWords.clauses(turn.content)
        found[n] = same, same | near
        before = tools[n].after(before)
    every = set[Row]().union(*(rows for _, rows in found.values()))
    return found, wanted.among(every).beside(split.among(every))


def _quotation(
    number: int | None,
    turn: Turn,
    readings: Sequence[Sequence[Word]],
    paid: Sequence[Payment],
    heard: _Heard,
) -> _Quotation:
    rows: list[Place] = []
    if not heard.said or not readings:
        return _Quotation(number, turn, rows, heard.said)
    share, told, is_persons = 0.0, Manners(turn.content), False
    for n, words in enumerate(readings):
        found, is_named = _in_frames(_tools_rows(told, words, heard), words, heard)
        is_persons = is_persons or is_named
        rows += (
            Place(words[at].start, words[at + len(row) - 1].end, row, n, at) for at, row in found
        )
        quoted = {at + n for at, row in found for n in range(len(row))}
        around = frames.around(turn.content, words, quoted) if quoted else frozenset()
        share = max(share, len(quoted) / max(1, len(words) - len(around - quoted)))
    payments = [*_payments(told, paid, len(readings), heard)]
    is_exact = bool(payments) or is_persons or any(_is_exact(it.row, heard) for it in rows)
    rows += payments
    return _Quotation(number, turn, rows, heard.said, is_exact, share)


def _in_frames(
    found: Sequence[tuple[int, Row]], words: Sequence[Word], heard: _Heard
) -> tuple[Sequence[tuple[int, Row]], bool]:
    """Return what of *found* counts in *words*, and whether these name a person beside it.

    Where they do not, a part of a sentence is none of a tool's.
    """
    quoted = {at + n for at, row in found for n in range(len(row))}
    others = [word.text for n, word in enumerate(words) if n not in quoted]
    if not found or frames.names(others, heard.speakers):
        return found, bool(found)
    whole = {*plain_words.rows(words), *plain_words.whole_sentences(words)}
    return [it for it in found if it in whole], False


def _payments(
    told: Manners, paid: Sequence[Payment], reading: int, heard: _Heard
) -> Iterator[Place]:
    """Yield where *paid* stand that tools said, and no person in the same manner."""
    for n, (address, start, end) in enumerate(paid):
        row = (address,)
        if row in heard.said and not heard.is_vouched(row, told, start, end):
            yield Place(start, end, row, reading, 2 * n)  # no two stand together


def _is_exact(row: Row, heard: _Heard) -> bool:
    """Tell whether *row* is a tool's whatever stands beside it: it is long, or has an address."""
    if address_quotes.has_address(row):
        return True
    is_telling = len(row) >= plain_words.RUN or any(_ADDRESS.search(word) for word in row)
    return row in heard.exact and is_telling


def _tools_rows(told: Manners, words: Sequence[Word], heard: _Heard) -> list[tuple[int, Row]]:
    """Return the rows of *words* that tools said, but those in a sentence of a person's.

    Of what a tool said nearly so that sentence may be the most, with a heading beside it.
    """
    whole = [*plain_words.whole_sentences(words)]
    every = (*plain_words.rows(words), *whole, *plain_words.clauses(words))
    found = [it for it in every if it[1] in heard.said]
    if not found:
        return []

    def is_vouched(at: int, row: Row) -> bool:
        return heard.is_vouched(row, told, words[at].start, words[at + len(row) - 1].end)

    theirs = {at + n for at, row in whole if is_vouched(at, row) for n in range(len(row))}

    def is_theirs(at: int, row: Row) -> bool:
        own = [word for n, word in enumerate(row, at) if n not in theirs]
        if row in heard.exact or any(_FACT.search(word) for word in own):
            return not own
        return len(own) <= (1 - _MOSTLY) * len(row)

    return [
        (at, row)
        for at, row in dict.fromkeys(found)
        if not is_vouched(at, row) and not is_theirs(at, row)
    ]


def _passages(it: _Quotation) -> Iterator[str]:
    """Yield the sentences of a turn that are quoted."""
    told = assertions.stretches(it.turn.content)
    near = (assertions.between(told, start, end) for start, end, *_ in it.rows)
    for start, end in dict.fromkeys((each[0].start, each[-1].end) for each in near):
        yield it.turn.content[start:end].strip()


def _repeated(it: _Quotation) -> Iterator[Repeated]:
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


def _calls(turn: Turn, targets: Iterable[_Quotation]) -> Iterator[ToolCall]:
    """Yield the calls of *turn*; *targets* are what the pieces of their targets quote, in order."""
    waiting = iter(targets)
    for call in tool_calls.of(turn):
        both = zip(call_targets.pieces(call.target), waiting, strict=False)
        quoted = [(at + it.start, at + it.end) for (at, _), of in both for it in of.rows]
        yield call._replace(target=call_targets.without(call.target, quoted))


def _without(it: _Quotation) -> Turn:
    """Return the turn with mentions for what it quotes."""
    return replace(it.turn, content=mentions.instead(it.turn.content, it.rows, it.said))
