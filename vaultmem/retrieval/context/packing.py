"""Fit the layers into a budget: what must stand first, then by shares, then whatever has room.

The stable layers are packed by the vault and the budget alone, never by the question, so that their
bytes stay what a provider has cached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC

from vaultmem.documents.tokens import estimate
from vaultmem.errors import BadInput
from vaultmem.records import Record
from vaultmem.retrieval.context import budget as context_budget
from vaultmem.retrieval.context.fencing import harmless
from vaultmem.retrieval.context.items import Piece
from vaultmem.retrieval.context.layers import Layers, gather
from vaultmem.retrieval.context.lookup import FoundPassages
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
    PREAMBLE,
    RECENT,
    RELATED,
    SITUATION,
    SKILLS,
    SMALLEST,
    WORKING,
    Context,
    Form,
    Section,
    Wanted,
    room_for_additions,
)
from vaultmem.retrieval.search.types import Dense
from vaultmem.storage.store import Store

_LOOKED_UP_OF_A_PAGE = 5
_HITS = 0.85
"""The part of memory's room that hits have before experiences and topics come in.

On four conversations of LoCoMo 2000 tokens held a gold turn for 84 % of the questions with all of
it, for 81 with this, for 79 with three quarters.
"""

_OUTSIDE = 0.25
"""The part of memory's room that what another retriever found has for itself."""

_WHOLE, _LAST, _HIT = 200, 120, 120
"""Tokens: so much of what was said last stands whole; so many are kept for it, and for a hit."""

_MEMORY, _HISTORY = "memory", "history"

_Costs = list[tuple[str, Sequence[Piece]]]


def assemble(
    store: Store, wanted: Wanted, dense: Dense | None = None, outside: Sequence[Record] = ()
) -> Context:
    """Return the context that is *wanted* of the vault at *store*.

    *dense* finds by meaning too; *outside* is what another retriever found. Raises BadInput for a
    budget that could not hold anything, or of which the caller itself would fill too much.
    """
    if wanted.budget < SMALLEST:
        raise BadInput(f"--budget is {wanted.budget} tokens, a context needs {SMALLEST}")
    added = estimate(wanted.commands) + estimate(wanted.situation)
    if added > (most := room_for_additions(wanted.budget)):
        raise BadInput(
            f"--commands and --situation have {added} tokens together; of {wanted.budget} they may "
            f"have {most}: shorten them or raise --budget"
        )
    return pack(gather(store, wanted, dense, outside), wanted)


def pack(layers: Layers, wanted: Wanted) -> Context:
    """Return the context of *layers* for what is *wanted*, within its budget."""
    situation = Section(SITUATION, _situation(layers, wanted.situation), ())
    said = [Section(COMMANDS, _given(wanted.commands), ())] if wanted.commands.strip() else []
    frame = (PREAMBLE, *(s.printed for s in (*said, situation)), f"\n~{wanted.agent}>")
    page = Page(sum(map(estimate, frame)))
    _Packing(page, layers, wanted).fill()
    made = Context(
        wanted.agent,
        _in_order([*page.sections(), *said], situation, wanted.form),
        0,
        wanted.budget,
        page.dropped(),
        layers.degraded_reason,
    )
    return replace(made, tokens=estimate(made.text))


class _Packing:
    """The order in which the layers come to their room."""

    def __init__(self, page: Page, layers: Layers, wanted: Wanted) -> None:
        self.page, self.layers, self.wanted = page, layers, wanted

    def fill(self) -> None:
        """Fill the page: what is always in, the summaries, then memory and history."""
        for n, (heading, piece) in enumerate(self.layers.always_included):
            self.page.take(heading, (n, 0), piece, self.wanted.budget)
        self._divide(self.page.spent)

    def _divide(self, stood: int) -> None:
        """Divide what *stood* leaves between memory and history; each may use what one spares."""
        part = context_budget.allocate(self._needs(), self.wanted.stated, self.layers.base)
        # Whoever asks for a page to be gone on with has set room for the answer aside.
        reserve = 0 if self.wanted.form == "transcript" else part.reserve
        most = int(self.wanted.budget * (1 - reserve))
        self._summaries()
        self._last(int(part.history * self.wanted.budget), most)
        room = context_budget.rooms(
            most - stood, self._full_costs(stood), {_MEMORY: part.memory, _HISTORY: part.history}
        )
        self._history(self._first_for_history(stood, room, most))
        memory = min(self.page.spent + room[_MEMORY], most)
        self._outside(min(self.page.spent + int(_OUTSIDE * room[_MEMORY]), most))
        self._memory(memory, int(_HITS * room[_MEMORY]))
        self._memory(most, most)
        self._outside(most)
        self._history(most)

    def _first_for_history(self, stood: int, room: Mapping[str, int], most: int) -> int:
        """Return up to how many tokens what was said last is taken, before what is looked up.

        Where nothing was asked it says most of what is to be done, and may use the reserve, too. A
        base model goes on with it as with examples: there it leaves a fifth to what is looked up.
        """
        if not self.wanted.query.strip():
            return self.wanted.budget
        if self.wanted.form == "transcript":
            return most - most // _LOOKED_UP_OF_A_PAGE
        return stood + room[_HISTORY]

    def _needs(self) -> context_budget.Needs:
        query, layers = self.wanted.query, self.layers
        return context_budget.Needs(
            context_budget.knowledge(query, layers.scores),
            context_budget.length(self.wanted.turns, len(layers.immediate), layers.window),
            context_budget.complexity(query),
        )

    def _summaries(self) -> None:
        """Put in the summaries that always stand, in the base share of history.

        In less, when what is always in has left less: the question wants half of the rest, at least
        its best hit, and what was said last some of it.
        """
        budget, base = self.wanted.budget, self.layers.base
        left = int(budget * (1 - base.reserve)) - self.page.spent
        share = int(base.history * budget)
        most = self.page.spent + max(min(share, left // 2, left - _LAST - _HIT), 0)
        for heading, pieces in ((RECENT, self.layers.recent), (OLDER, self.layers.older)):
            for piece in pieces:
                self.page.take_some(heading, piece, most)

    def _last(self, share: int, most: int) -> None:
        """Put in what was said last: whole, unless it is long and would have more than a share.

        Or unless it is long, and nothing would be left for the best hit within *most*.
        """
        whole = min(self.page.spent + max(share, _WHOLE), self.wanted.budget)
        if hit := self._best_hit():
            whole = min(whole, max(most - hit, self.page.spent + _LAST))
        for piece in self.layers.immediate[-1:]:
            self.page.take_some(IMMEDIATE, piece, whole)

    def _best_hit(self) -> int:
        """Return the tokens that are kept for the best hit; none where nothing was found."""
        best = [f.piece for f in self.layers.found[:1] if not self.page.has(f.piece)]
        return sum(min(opening(NOTES) + piece.tokens, _HIT) for piece in best)

    def _history(self, most: int) -> None:
        self.page.fill(WORKING, self.layers.working, most)
        self.page.fill_tail(IMMEDIATE, self.layers.immediate, most)

    def _memory(self, most: int, hits: int) -> None:
        """Fill memory's layers until *most* is spent, so many *hits* tokens by hits alone first."""
        self._hits(min(self.page.spent + hits, most))
        self._skills(most)
        self.page.fill(RELATED, self.layers.related, most)
        self.page.fill(DURABLE, self.layers.durable, most)
        self.page.fill(EPISODES, self.layers.episodes, most, newest=True)
        self._hits(most)
        for n, found in enumerate(self.layers.found):
            self._beside(n, found, most)

    def _hits(self, most: int) -> None:
        """Take the hits, best first, the very best with the turns beside it.

        Those of the others come after all hits: 10 of them before cost one gold turn in 13 of what
        2000 tokens hold, on four conversations of LoCoMo; that of the best alone, one in 75.
        """
        for n, found in enumerate(self.layers.found):
            self.page.take(NOTES, (n, 0), found.piece, most)
            if n == 0:
                self._beside(n, found, most)

    def _skills(self, most: int) -> None:
        """Offer what skills fit: whole, else what they say of themselves; a cut one misleads."""
        for n, offer in enumerate(self.layers.skills):
            if not self.page.put(SKILLS, (n, 0), offer.whole, most):
                self.page.take(SKILLS, (n, 0), offer.hint, most)

    def _outside(self, most: int) -> None:
        """Fill in what another retriever found: before ours have all the room, and behind them."""
        self.page.fill(OUTSIDE, self.layers.outside, most)

    def _beside(self, n: int, found: FoundPassages, most: int) -> None:
        """Take the turns beside a hit that stands."""
        for side, piece in ((-1, found.before), (1, found.after)):
            if piece and self.page.has(found.piece):
                self.page.put(NOTES, (n, side), piece, most)

    def _full_costs(self, stood: int) -> dict[str, int]:
        """Return what memory and history would spend if they had all the room.

        A hit that will stand among the newest is counted twice: its room is spared later.
        """
        layers = self.layers
        hits = [p for f in layers.found for p in (f.before, f.piece, f.after) if p]
        offered = [offer.whole for offer in layers.skills]
        memory: _Costs = [
            (NOTES, hits),
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


def _situation(layers: Layers, more: str) -> str:
    """Return the time, who is spoken to, and what the caller adds.

    Last of all, because it changes with every call.
    """
    who = f" In conversation with {', '.join(layers.people)}." if layers.people else ""
    now = layers.now.astimezone(UTC)
    return f"It is {now:%A}, {now:%Y-%m-%d %H:%M} UTC.{who}\n{_given(more)}"


def _given(text: str) -> str:
    """Return what the caller says, which opens no heading and closes no fence."""
    return f"{harmless(text.strip())}\n" if text.strip() else ""
