"""Fit the layers into a budget: what must stand first, then by shares, then whatever has room.

The stable layers are packed by the vault and the budget alone, never by the question, so that their
bytes stay what a provider has cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC

from vaultmem.documents import public_text
from vaultmem.documents.tokens import estimate
from vaultmem.errors import BadInput
from vaultmem.records import Record
from vaultmem.retrieval.context import budget as context_budget
from vaultmem.retrieval.context import selection, turn_lines
from vaultmem.retrieval.context.fencing import harmless
from vaultmem.retrieval.context.items import Piece
from vaultmem.retrieval.context.layers import Layers, gather
from vaultmem.retrieval.context.page_builder import Page, opening
from vaultmem.retrieval.context.types import (
    COMMANDS,
    DURABLE,
    EPISODES,
    IMMEDIATE,
    NOTES,
    OLDER,
    ORDER,
    OUTSIDE,
    RECENT,
    RELATED,
    SITUATION,
    SKILLS,
    STABLE,
    WORKING,
    Context,
    Form,
    Section,
    Wanted,
    check_budget,
    preamble,
    room_for_additions,
    section,
)
from vaultmem.retrieval.search.types import Dense
from vaultmem.storage.store import Store

_LOOKED_UP_OF_A_PAGE = 5
_HITS = 0.85
"""The part of memory's room that hits have before experiences and topics come in."""

_FOR_A_QUESTION = 2400
"""Tokens: so much has a question for its hits before what was said last and what sums up.

It holds the 50 that recall finds, where they are turns of a chat.
"""

_QUESTION = 0.3
"""So much need of knowledge has whatever is a question."""

_FOR_AN_OVERVIEW = 0.5
"""The part of a budget that the long-term summary may have where an overview is asked for."""

_WORTH_A_SUMMARY = 150
"""Tokens; less of a summary says little."""

_UNSURE = 4
"""Tokens: so much may a few more lines cost beyond what they do alone, for what they stand between.
"""

_PART_OF_LAST = 20
"""What was said last has one token in so many, before what a question finds."""

_OUTSIDE = 0.25
"""The part of memory's room that what another retriever found has for itself."""

_WHOLE, _LAST, _HIT = 200, 120, 120
"""Tokens: so much of what was said last stands whole; so many are kept for it, and for a hit."""

_LONG = 8
"""A text of more than this part of the budget may stand cut, and hides nothing behind it."""

_MEMORY, _HISTORY = "memory", "history"

_Costs = list[tuple[str, Sequence[Piece]]]


def assemble(
    store: Store, wanted: Wanted, dense: Dense | None = None, outside: Sequence[Record] = ()
) -> Context:
    """Return the context that is *wanted* of the vault at *store*.

    *dense* finds by meaning too; *outside* is what another retriever found. Raises BadInput for a
    budget that could not hold anything, or of which the caller itself would fill too much.
    """
    check_budget(wanted.budget)
    added = estimate(wanted.commands) + estimate(wanted.situation)
    if added > (most := room_for_additions(wanted.budget)):
        raise BadInput(
            f"commands and situation have {added} tokens together; of {wanted.budget} they may "
            f"have {most}: shorten them or raise the budget"
        )
    return pack(gather(store, wanted, dense, outside), wanted)


def pack(layers: Layers, wanted: Wanted) -> Context:
    """Return the context of *layers* for what is *wanted*, within its budget."""
    situation = Section(SITUATION, _situation(layers, wanted), ())
    commands = _given(wanted.commands)
    said = [Section(COMMANDS, commands, ())] if commands else []
    begin = preamble(piece for _, piece in layers.always_included)
    frame = (begin, *(s.printed for s in (*said, situation)), f"\n~{wanted.agent}>")
    page = Page(sum(map(estimate, frame)))
    packing = _Packing(page, layers, wanted)
    stable = packing.fill()

    def packed() -> Context:
        layers_in_order = _in_order([*page.sections(), *said], situation, wanted.form)
        made = Context(
            wanted.agent, layers_in_order, 0, wanted.budget, page.dropped(),
            layers.degraded_reason, stable=stable,
        )  # fmt: skip
        return replace(made, tokens=estimate(made.text))

    made = packed()
    # A whole costs less than its parts one by one: what that leaves is filled, too.
    page.spent = made.tokens + _UNSURE
    packing.use_rest()
    fuller = packed()
    return fuller if fuller.tokens <= wanted.budget else made


class _Packing:
    """The order in which the layers come to their room."""

    def __init__(self, page: Page, layers: Layers, wanted: Wanted) -> None:
        self.page, self.layers, self.wanted = page, layers, wanted
        self._rest = (0, 0)
        self.is_asked = bool(wanted.query.strip())
        self.is_transcript = wanted.form == "transcript"
        self.is_small = selection.is_small(wanted.budget)
        self._long = max(wanted.budget // _LONG, _LAST)
        self.needs = context_budget.Needs(
            context_budget.knowledge(wanted.query, layers.scores),
            context_budget.length(wanted.turns, len(layers.immediate), layers.window),
            context_budget.complexity(wanted.query),
        )

    def fill(self) -> frozenset[str]:
        """Fill the page; return the headings of what stands there whatever is asked.

        That is what is always in, and as much of the summaries as leaves room for any question.
        """
        for n, (heading, piece) in enumerate(self.layers.always_included):
            self.page.take(heading, n, piece, self.wanted.budget)
        stood = self.page.spent
        room = self._room_beside_any_question()
        if selection.wants_overview(self.wanted.query) and not self._summaries_fit(room):
            self._overview()
            stable = STABLE - {OLDER, RECENT}
        else:
            self._summaries(room)
            stable = frozenset({OLDER, RECENT} & self.page.headings) | (STABLE - {OLDER, RECENT})
        self._divide(stood)
        return stable

    def _summaries_fit(self, most: int) -> bool:
        """Tell whether both summaries stand whole within *most*, whatever is asked."""
        layers = self.layers
        wishes: _Costs = [(RECENT, layers.recent), (OLDER, layers.older)]
        return self.page.spent + self._cost(wishes) <= most

    def _overview(self) -> None:
        """Put in what tells of the whole, in up to half of the budget: hits tell of parts."""
        layers, budget = self.layers, self.wanted.budget
        most = min(
            self.page.spent + int(budget * _FOR_AN_OVERVIEW),
            int(budget * (1 - layers.base.reserve)),
        )
        heading, pieces = (OLDER, layers.older) if layers.older else (RECENT, layers.recent)
        for piece in pieces:
            self.page.take_some(heading, -1, piece, most)

    def _divide(self, stood: int) -> None:
        """Divide what *stood* leaves between memory and history; each may use what one spares."""
        budget, page = self.wanted.budget, self.page
        part = context_budget.allocate(self.needs, self.wanted.stated, self.layers.base)
        # Whoever asks for a page to be gone on with has set room for the answer aside.
        reserve = 0 if self.is_transcript else part.reserve
        most = int(budget * (1 - reserve))
        # What is spared for thinking is better used by what is thought about, unless a caller that
        # knows its task says how much that is.
        last = budget if self.wanted.stated == context_budget.GUESSED else most
        # Where nothing is asked, half of what memory has is for what was said last.
        history = int((part.history + (0 if self.is_asked else part.memory / 2)) * budget)
        if not self.is_asked or selection.is_broad(self.wanted.query):
            self._summaries(min(page.spent + int(self.layers.base.history * budget), most))
        if self.is_asked and self._has_room_for_all(last):
            page.fill(IMMEDIATE, self.layers.history, last)
        self._last(history, most)
        weights = {_MEMORY: part.memory, _HISTORY: part.history}
        room = context_budget.rooms(most - stood, self._full_costs(stood), weights)
        if self.is_transcript or not self.is_asked:
            self._history(self._first_for_history(most))
        self._outside(min(page.spent + int(_OUTSIDE * room[_MEMORY]), most))
        memory = page.spent + room[_MEMORY]
        self._hits(min(page.spent + max(int(_HITS * room[_MEMORY]), self._first_for_hits()), last))
        self._history(min(page.spent + room[_HISTORY], most))
        self._memory(min(memory, most))
        self._rest = (most, last)
        self.use_rest()

    def use_rest(self) -> None:
        """Let every layer have what the others leave, the hits first."""
        for limit in self._rest:
            self._hits(limit)
            self.page.widen(NOTES, limit, passages=False)
            self._memory(limit)
            self._outside(limit)
            self._history(limit)
            self._summaries(limit)
        self._cuts(self._rest[-1])

    def _first_for_hits(self) -> int:
        """Return how many tokens hits have before anything else that is not always in.

        It is the less, the less a question asks of memory, and nothing where a caller states what
        its task needs.
        """
        if self.wanted.stated != context_budget.GUESSED or self.is_transcript:
            return 0
        return int(_FOR_A_QUESTION * min(self.needs.knowledge / _QUESTION, 1))

    def _first_for_history(self, most: int) -> int:
        """Return up to how many tokens what was said last is taken, before what is looked up.

        Where nothing was asked it says most of what is to be done, and may use the reserve, too. A
        base model goes on with it as with examples: there it leaves a fifth to what is looked up.
        """
        return most - most // _LOOKED_UP_OF_A_PAGE if self.is_asked else self.wanted.budget

    def _room_beside_any_question(self) -> int:
        """Return up to how many tokens summaries are taken, by the vault and the budget alone."""
        budget, base, spent = self.wanted.budget, self.layers.base, self.page.spent
        whole = self._cost_of_all()
        asked = max(_FOR_A_QUESTION, whole if spent + whole <= budget else 0)
        room = min(int(base.history * budget), int(budget * (1 - base.reserve)) - spent - asked)
        return spent + (room if room >= _WORTH_A_SUMMARY else 0)

    def _summaries(self, most: int) -> None:
        """Put in the newest summary and the long-term one, as much of them as has room."""
        for heading, pieces in ((RECENT, self.layers.recent), (OLDER, self.layers.older)):
            for piece in pieces:
                if most - self.page.spent < _WORTH_A_SUMMARY:
                    self.page.take(heading, -1, piece, most)
                else:
                    self.page.take_some(heading, -1, piece, most)

    def _has_room_for_all(self, most: int) -> bool:
        """Tell whether all that the agent remembers fits within *most*, with the notes found."""
        whole = self._cost_of_all()
        notes = sum(piece.tokens for piece in self.layers.found if not piece.is_turn)
        return 0 < whole <= most - self.page.spent - notes

    def _cost_of_all(self) -> int:
        history = self.layers.history
        lines = sum(item.tokens for item in section(IMMEDIATE, history).items)
        return lines + estimate(turn_lines.END) + opening(IMMEDIATE) if history else 0

    def _last(self, share: int, most: int) -> None:
        """Put in what was said last: whole, unless it is long and would have more than a share.

        Or unless it is long, and nothing would be left for the best hit within *most*. Where
        something is asked it has a small part of a budget that is not small itself, or what the
        hits leave.
        """
        whole = min(self.page.spent + max(share, _WHOLE), self.wanted.budget)
        if hit := self._best_hit():
            whole = min(whole, max(most - hit, self.page.spent + _LAST))
        for piece in self.layers.immediate[-1:]:
            part = self.wanted.budget // _PART_OF_LAST
            has_part = self.page.cost(IMMEDIATE, -1, piece) <= part and not self.is_small
            if has_part or self.is_transcript or not self._best_hit():
                self.page.take_some(IMMEDIATE, -1, piece, whole)

    def _best_hit(self) -> int:
        """Return the tokens that are kept for the best hit; none where nothing was found."""
        best = [piece for piece in self.layers.found[:1] if not self.page.has(piece)]
        return sum(min(self.page.cost(NOTES, 0, piece), _HIT) for piece in best)

    def _history(self, most: int) -> None:
        self.page.fill(WORKING, self.layers.working, most)
        self.page.fill_tail(IMMEDIATE, self.layers.immediate, most, self._long)

    def _memory(self, most: int) -> None:
        """Fill what memory has besides hits until *most* is spent."""
        self._skills(most)
        self.page.fill(RELATED, self.layers.related, most)
        self.page.fill(DURABLE, self.layers.durable, most)
        self.page.fill(EPISODES, self.layers.episodes, most, newest=True)

    def _hits(self, most: int) -> None:
        """Take the hits and the turns beside them, in the order of their worth."""
        for n, piece in enumerate(self.layers.found):
            if not self.page.take(NOTES, n, piece, most) and n == 0 and piece.tokens > self._long:
                self.page.take_some(NOTES, n, piece, most, self._long)

    def _cuts(self, most: int) -> None:
        """Give what nothing else fits into to what is long: what stands cut, and what does not."""
        layers, page = self.layers, self.page
        wishes: _Costs = [(NOTES, layers.found), (OUTSIDE, layers.outside)]
        for heading, pieces in (*wishes, (WORKING, layers.working)):
            page.widen(heading, most)
            for n, piece in enumerate(pieces):
                if piece.tokens > self._long:
                    page.take_some(heading, n, piece, most)
        page.widen(IMMEDIATE, most)

    def _skills(self, most: int) -> None:
        """Offer what skills fit: whole, else what they say of themselves; a cut one misleads."""
        for n, offer in enumerate(self.layers.skills):
            if not self.page.put(SKILLS, n, offer.whole, most):
                self.page.take(SKILLS, n, offer.hint, most)

    def _outside(self, most: int) -> None:
        """Fill in what another retriever found: before ours have all the room, and behind them."""
        self.page.fill(OUTSIDE, self.layers.outside, most)

    def _full_costs(self, stood: int) -> dict[str, int]:
        """Return what memory and history would spend if they had all the room.

        A hit that will stand among the newest is counted twice: its room is spared later.
        """
        layers = self.layers
        offered = [offer.whole for offer in layers.skills]
        memory: _Costs = [
            (NOTES, layers.found),
            (OUTSIDE, layers.outside),
            (SKILLS, offered),
            (RELATED, layers.related),
            (DURABLE, layers.durable),
        ]
        history: _Costs = [(WORKING, layers.working), (IMMEDIATE, layers.immediate)]
        return {
            _MEMORY: self._cost([*memory, (EPISODES, layers.episodes)]),
            _HISTORY: self.page.spent - stood + self._cost(history),
        }

    def _cost(self, wishes: _Costs) -> int:
        open_wishes = [(h, [p.tokens for p in ps if not self.page.has(p)]) for h, ps in wishes]
        return sum(opening(heading) + sum(each) for heading, each in open_wishes if each)


def _in_order(filled: Sequence[Section], situation: Section, form: Form) -> tuple[Section, ...]:
    """Return the *filled* layers, and the *situation*, behind which a transcript stands."""
    layers = sorted(filled, key=lambda section: ORDER.index(section.heading))
    is_said = form == "transcript" and bool(layers) and layers[-1].heading == IMMEDIATE
    return (*layers[:-1], situation, layers[-1]) if is_said else (*layers, situation)


def _situation(layers: Layers, wanted: Wanted) -> str:
    """Return the time, who is spoken to, and what the caller adds.

    Last of all, because it changes with every call. Where a budget is tight and something was
    found, it is the day: of when that was said no more is told.
    """
    now, more = layers.now.astimezone(UTC), _given(wanted.situation)
    if layers.found and selection.is_tight(wanted.budget):
        return f"It is {now:%A}, {now:%Y-%m-%d}.\n{more}"
    who = f" In conversation with {', '.join(layers.people)}." if layers.people else ""
    return f"It is {now:%A}, {now:%Y-%m-%d %H:%M} UTC.{who}\n{more}"


def _given(text: str) -> str:
    """Return what the caller says in public, which opens no heading and closes no fence."""
    said = harmless(public_text.shown(text)).strip()
    return f"{said}\n" if said else ""
