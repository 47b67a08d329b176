"""What each of some turns says in the words of a tool that spoke before it.

The turns are heard in order: what tools say first, what persons state, what agents said before.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from vaultmem.memory.tool_quotes import (
    address_quotes,
    frames,
    mentions,
    payment_addresses,
    plain_words,
    statements,
)
from vaultmem.memory.tool_quotes.corroboration import Corroboration, Manners
from vaultmem.memory.tool_quotes.near_quotes import Row
from vaultmem.memory.tool_quotes.payment_addresses import Payment
from vaultmem.memory.tool_quotes.plain_words import Word
from vaultmem.memory.tool_quotes.readings import Place, Readings, ToolWords
from vaultmem.memory.tool_quotes.repetitions import Repetitions
from vaultmem.memory.tool_quotes.third_person import Known
from vaultmem.memory.tool_quotes.wanted_quotes import WantedQuotes
from vaultmem.storage.transcripts import Turn

_AGENTS = frozenset({"assistant", "system"})
"""Roles that may repeat a tool: a task's beginning and end are noted in its agent's words."""

_ADDRESS, _FACT = re.compile(r"[@/]"), re.compile(r"[\d@/]")
MOSTLY = 0.8
"""How much of a text must be a tool's where no long run of words in it is the same."""


def is_foreign(turn: Turn) -> bool:
    """Tell whether a tool speaks, whatever it calls itself."""
    return turn.role == "tool"


class Quotation(NamedTuple):
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


class _Comparison(NamedTuple):
    """What is compared of turns, by where they stand among them.

    *tools* has the words of tools, *agents* how the texts of assistants are read; *by_tools* which
    rows of these each tool says, exactly and in all; *wanted* is all of that, with what is *known*
    of its words. *paid* has the payment addresses of assistants, *payments* those of tools.
    """

    tools: Mapping[int, ToolWords]
    agents: Mapping[int, Readings]
    by_tools: Mapping[int, tuple[set[Row], set[Row]]]
    wanted: WantedQuotes
    known: Known
    paid: Mapping[int, Sequence[Payment]]
    payments: Mapping[int, set[Row]]

    @classmethod
    def of(cls, said: Sequence[Turn]) -> Self:
        """Return what is compared of what was *said*."""
        spoken = {n: it.content for n, it in enumerate(said) if it.role in _AGENTS}
        chained = any(map(plain_words.may_have_chains, spoken.values()))
        shown = {n: it.content for n, it in enumerate(said) if is_foreign(it)}
        tools = {n: ToolWords.of(text, chained=chained) for n, text in shown.items()}
        written = [word for it in tools.values() for texts in it.whole for word in texts]
        names, addresses = plain_words.names(written), plain_words.addresses(written)
        agents = {n: Readings.of(text, names, addresses) for n, text in spoken.items()}
        by_tools, wanted = _by_tools(said, tools, agents.values())
        paid = {n: payment_addresses.found(text) for n, text in spoken.items()}
        payments: dict[int, set[Row]] = {
            n: {(it,) for it in payment_addresses.addresses(text)}
            for n, text in (shown.items() if any(paid.values()) else ())
        }
        return cls(tools, agents, by_tools, wanted, wanted.known, paid, payments)

    @property
    def is_any(self) -> bool:
        """Whether tools said anything of what assistants say."""
        return bool(self.wanted or self.payments)


@dataclass(slots=True)
class _Heard:
    """What was said so far: by tools first, *exact* or nearly so, and what was *known* before.

    That is what agents said, within what, and when: in another session it may have been after the
    tool did.
    """

    said: dict[Row, str] = field(default_factory=dict)
    exact: set[Row] = field(default_factory=set)
    known: dict[Row, dict[Row, str]] = field(default_factory=dict)
    corroboration: Corroboration = field(default_factory=Corroboration)
    repetitions: Repetitions = field(default_factory=Repetitions)
    speakers: frozenset[Row] = frozenset()

    @classmethod
    def of(cls, persons: Iterable[Turn]) -> Self:
        """Begin where the turns of *persons* may hand on what tools say."""
        every = [*persons]
        return cls(
            repetitions=Repetitions.of(it.content for it in every),
            speakers=frozenset(_called(it.speaker) for it in every if it.speaker),
        )

    def own(self, turn: Turn) -> Turn:
        """Return *turn* without what a person hands on in it of what a tool has said."""
        if turn.role != "user":
            return turn
        own = self.repetitions.own(turn.content)
        return turn if own == turn.content else replace(turn, content=own)

    def hear_tool(self, words: ToolWords, rows: AbstractSet[Row], at: str, mention: str) -> None:
        """Note that a tool says *words*, and *rows* of them, *at* that time: see `mentions.of`."""
        new = {row for row in rows if row not in self.said and not self._is_known(row, at)}
        self.said |= dict.fromkeys(new, mention)
        for row in new & self.known.keys():
            self.known[row] = {
                it: then for it, then in self.known[row].items() if then <= at or not at
            }
        self.repetitions.hear_tool(words)
        self.corroboration.hear_tool(words.known, rows)

    def hear_agent(self, rows: Iterable[Row], within: Row, at: str) -> None:
        """Note that an agent says *rows*, *at* that time, "" for one that is not known.

        It says them *within* those words, none where it states them.
        """
        for row in rows:
            if row not in self.said:
                known = self.known.setdefault(row, {})
                known[within] = min(known.get(within, at), at)

    def _is_known(self, row: Row, at: str) -> bool:
        """Tell whether an agent stated *row* before that time."""
        said = self.known.get(row, {})
        return () in said and (not at or said[()] <= at)

    def is_vouched(self, row: Row, told: Manners, start: int, end: int) -> bool:
        """Tell whether a person states *row* in the manner in which it is *told* there.

        Or the agent said it before the tool did, within the same words.
        """
        if row in self.known and not told.within_what(start, end).isdisjoint(self.known[row]):
            return True
        if row not in self.corroboration.persons:
            return False
        manners = (told.between(start, end), told.within(start, end))
        return any(self.corroboration.is_vouched(row, it) for it in dict.fromkeys(manners))


def of(turns: Sequence[tuple[int | None, Turn]], first: int | None) -> Iterator[Quotation]:
    """Yield what each of *turns* quotes; what `said` holds is what tools said until then."""
    said = [turn for _, turn in turns]
    compared = _Comparison.of(said)
    heard = _Heard.of(it for it in said if it.role == "user" and not it.by_hand and compared.tools)
    for n, (number, whole) in enumerate(turns):
        turn = heard.own(whole)
        agent = compared.agents.get(n)
        paid = compared.paid.get(n, ())
        yield _quotation(number, turn, agent.every if agent else (), paid, heard)
        if n in compared.by_tools:
            same, near = compared.by_tools[n]
            heard.exact |= same
            rows = near | compared.payments.get(n, set())
            heard.hear_tool(compared.tools[n], rows, turn.at, mentions.of(turn, number, first))
        elif turn.by_hand:  # nobody was there to say so
            continue
        elif turn.role == "user" and compared.is_any:
            heard.corroboration.hear_person(
                turn.content, compared.wanted.all, turn.speaker, compared.known
            )
        elif compared.is_any:
            readings = agent.every if agent else (plain_words.words(turn.content),)
            for rows, within in _said(turn.content, readings, paid, compared.wanted):
                heard.hear_agent(rows, within, turn.at)


def _said(
    text: str,
    readings: Sequence[Sequence[Word]],
    paid: Sequence[Payment],
    wanted: WantedQuotes,
) -> Iterator[tuple[set[Row], Row]]:
    """Yield what an agent says in *text* of what is *wanted*, and within which words."""
    rows = {row for words in readings for row in wanted.all([word.text for word in words])}
    rows |= {(it.address,) for it in paid}
    told = statements.of(text) if rows else ()
    if all(it.is_plain for it in told):
        yield rows, ()
        return
    places: list[tuple[slice[int, int, None], Row]] = []
    places += ((place, ()) for place in statements.plain_runs(told))
    for n, it in enumerate(told):
        if not it.is_plain:
            beside = slice(told[max(0, n - 1)].start, told[min(n + 1, len(told) - 1)].end)
            places.append((beside, statements.words(text, it)))
    for place, within in places:
        yield {(it.address,) for it in paid if place.start <= it.start < place.stop}, within
        for words in readings:
            here = [word.text for word in words if place.start <= word.start < place.stop]
            yield wanted.all(here), within


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
) -> Quotation:
    rows: list[Place] = []
    if not heard.said or not readings:
        return Quotation(number, turn, rows, heard.said)
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
    return Quotation(number, turn, rows, heard.said, is_exact, share)


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
        return len(own) <= (1 - MOSTLY) * len(row)

    return [
        (at, row)
        for at, row in dict.fromkeys(found)
        if not is_vouched(at, row) and not is_theirs(at, row)
    ]
