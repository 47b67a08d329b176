"""Plan a dream: run the detectors, make what fits in a draft, look again until nothing is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vaultmem.maintenance.authorship import Own
from vaultmem.maintenance.dream.detectors import (
    agent_instructions,
    broken_links,
    card_contradictions,
    clusters,
    contradictions,
    duplicates,
    index_marks,
    long_notes,
    memory_md,
    orphans,
    passing_state,
    promotion,
    relative_dates,
    skills,
    stale,
    superseded,
    unrecalled,
)
from vaultmem.maintenance.dream.draft import Draft, Judged
from vaultmem.maintenance.dream.edits import Misfit, Read, grown, takes_away, touches
from vaultmem.maintenance.dream.inherited_trust import ToolOf, nobodys
from vaultmem.maintenance.dream.types import Lines, Move, Op, Proposal, Remove, Seen
from vaultmem.storage.progress import Progress, untold

Detector = Callable[[Seen], Iterator[Proposal]]

DETECTORS: tuple[Detector, ...] = (
    passing_state.find,
    relative_dates.find,
    duplicates.find,
    agent_instructions.find,
    contradictions.find,
    card_contradictions.find,
    superseded.find,
    broken_links.find,
    orphans.find,
    memory_md.find,
    index_marks.find,
    long_notes.find,
    stale.find,
    promotion.find,
    clusters.find,
    skills.find,
    unrecalled.find,
)
"""What finds something to better, in the order in which it is done."""


def is_safe(proposal: Proposal) -> bool:
    """Tell whether a program may apply *proposal* unasked, where the config lets it.

    Nothing is lost by it, no file goes, no person's line changes, and no model thought of it.
    """
    sure = proposal.op in _SAFE and not (proposal.by or proposal.protected or proposal.losses)
    return sure and not any(isinstance(edit, Remove) for edit in proposal.edits)


_SAFE = frozenset({"merge", "correct", "link", "move"})


def needs_a_person(proposal: Proposal) -> bool:
    """Tell whether a person must choose *proposal*, whatever the config lets a program do.

    It hides what somebody said, touches what a person wrote since the last dream, rests on less
    than what it changes, or was to be had before and is not there: it was undone, or removed by
    hand.
    """
    asked = proposal.protected or proposal.offered or proposal.doubtful
    return asked or proposal.op in {"archive", "supersede"}


MOST_ROUNDS = 5
"""What is done may show more to do: so often the detectors look again."""

_LIKELY_ROUNDS = 2
"""The one in which something is found, and the one that finds nothing more."""

MOST_CHANGES = 200
"""So many changes a review holds, for a person reads it."""

MOST_LEFT = 8
"""So many reasons why something waits are told; the rest is counted."""

ENOUGH = f"{MOST_CHANGES} changes are enough for one review; the next dream proposes the rest"
NEEDS_GIT = (
    "text would be lost, and without git nothing can restore it: run `git init` in the vault"
)
PROTECTED = (
    "a person wrote these lines since the last dream: tick this change, or include what is "
    "protected"
)
HIDES = "it would take out of recall what says something: tick this change by itself"


def not_in_git(path: str) -> str:
    """Return why nothing is done to the file at *path*: what went from it would be nowhere."""
    return f"{path} is not in git as it stands: commit it, then apply again"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a plan must respect beside what was seen.

    *read* gives the bytes of files, *own* the lines that a person wrote in some of them since the
    last dream; *declined* are ids that a person struck out, *protected* those that were asked for
    by themselves before; without *history* no words may go. *loose* gives those of some files that
    git does not hold as they stand, *tool_of* the tool that said one of some texts.
    """

    read: Read
    own: Callable[[Collection[str]], Own] = lambda _: {}
    declined: frozenset[str] = frozenset()
    protected: frozenset[str] = frozenset()
    history: bool = True
    loose: Callable[[Collection[str]], frozenset[str]] = lambda _: frozenset()
    tool_of: ToolOf = nobodys


@dataclass(frozen=True, slots=True)
class Planned:
    """Proposals in an order in which they fit, the protected ones last.

    *changed* is what the others make of files; *left* says what was found and why it waits.
    """

    proposals: tuple[Proposal, ...]
    changed: Mapping[str, bytes | None] = field(default_factory=dict)
    left: tuple[str, ...] = ()


def plan(
    seen: Seen,
    terms: Terms,
    detectors: Sequence[Detector] | None = None,
    progress: Progress = untold,
) -> Planned:
    """Return what the *detectors*, all if none are named, propose for what was *seen*.

    *progress* is told how many looks of theirs of how many are done.
    """
    work = _Planning(Draft(seen, terms.read, terms.tool_of), terms)
    chosen = DETECTORS if detectors is None else detectors
    for number in range(MOST_ROUNDS):
        now = work.draft.seen()
        ended = [*superseded.find(now)] if superseded.find in chosen else []
        rest = superseded.marked(now, ended)
        found: list[Proposal] = []
        for done, detector in enumerate(chosen, number * len(chosen)):
            progress(done, max(number + 1, _LIKELY_ROUNDS) * len(chosen))
            found += ended if detector is superseded.find else detector(rest)
        if not work.round(found):
            break
    return work.planned()


class _Planning:
    """A plan in the making."""

    def __init__(self, draft: Draft, terms: Terms) -> None:
        self.draft, self._terms = draft, terms
        self._taken: list[Proposal] = []
        self._alike: Counter[str] = Counter()  # of those taken, by what they read like
        self._protected: dict[str, Proposal] = {}
        self._left: dict[str, str] = {}

    def round(self, found: Sequence[Proposal]) -> bool:
        """Take what fits of what was *found*; tell whether to look for more."""
        found = [proposal for proposal in found if not self._is_of_own_lines(proposal)]
        own = self._terms.own({path for p in found for path in p.paths})
        self._left = {}
        before = len(self._taken)
        for proposal in _numbered(found if len(found) <= self._room else sorted(found, key=_rank)):
            known = proposal.id in self._terms.protected
            if known or touches(proposal, own, self.draft.read):
                self._protect(proposal)
            else:
                self._take(replace(proposal, nth=self._alike[replace(proposal, nth=0).id]))
        return len(self._taken) > before and ENOUGH not in self._left.values()

    def _is_of_own_lines(self, proposal: Proposal) -> bool:
        """Whether *proposal* puts right what only this plan writes.

        Whoever ticks one box of the two would have half of it; the next dream finds it.
        """
        lines = [edit for edit in proposal.edits if isinstance(edit, Lines)]
        return proposal.op == "correct" and any(not self._stands(edit) for edit in lines)

    def _stands(self, edit: Lines) -> bool:
        """Whether the lines that *edit* replaces are in the file as it is on disk."""
        held = (self._terms.read(edit.path) or b"").decode("utf-8", "replace").splitlines()
        return set(edit.old) <= set(held)

    @property
    def _room(self) -> int:
        return MOST_CHANGES - len(self._taken) - len(self._protected)

    def planned(self) -> Planned:
        """Return what came of it."""
        last = (self._placed(p) for p in self._protected.values())
        return Planned((*self._taken, *last), dict(self.draft.changed), tuple(self._waiting()))

    def _waiting(self) -> Iterator[str]:
        """Yield why something was left, the commonest reasons first."""
        counts = Counter(self._left.values()).most_common()
        yield from (f"{n} left: {why}" for why, n in counts[:MOST_LEFT])
        if rest := sum(n for _, n in counts[MOST_LEFT:]):
            yield f"{rest} left for other reasons"

    def _protect(self, proposal: Proposal) -> None:
        """List it, if it could be done."""
        if proposal.id in self._terms.declined or proposal.id in self._protected:
            return
        try:
            self._judge(proposal)
        except Misfit as e:
            self._left[proposal.id] = str(e)
        else:
            self._protected[proposal.id] = replace(proposal, protected=True)

    def _take(self, proposal: Proposal) -> None:
        if proposal.id in self._terms.declined:
            return
        try:
            judged = self._judge(replace(proposal, protected=False))
        except Misfit as e:
            self._left[proposal.id] = str(e)
        else:
            self.draft.take(judged)
            self._taken.append(judged.fitted.proposal)
            self._alike[replace(proposal, nth=0).id] += 1

    def _judge(self, proposal: Proposal) -> Judged:
        if not self._room:
            raise Misfit(ENOUGH)
        if not self._terms.history and takes_away(proposal):
            raise Misfit(NEEDS_GIT)
        return self.draft.judge(proposal)

    def _placed(self, proposal: Proposal) -> Proposal:
        """Return it with its lines where they stand once all else is done."""
        try:
            return self.draft.judge(proposal).fitted.proposal
        except Misfit:
            return proposal


def _rank(proposal: Proposal) -> tuple[bool, bool, bool, int]:
    """Return what comes first where there is not room for all: new, on a card, sure, worth most."""
    worth = _BY_WORTH.index(proposal.op)
    return proposal.offered, proposal.op != "card", not is_safe(proposal), worth


_BY_WORTH: tuple[Op, ...] = (
    "card", "correct", "supersede", "merge", "move", "link", "delete", "split", "promote",
    "abstract", "skill", "archive",
)  # fmt: skip


def _numbered(found: Iterable[Proposal]) -> Iterator[Proposal]:
    """Yield the proposals, those that read the same told apart."""
    met: Counter[str] = Counter()
    for proposal in found:
        plain = replace(proposal, nth=0)
        yield replace(plain, nth=met[plain.id])
        met[plain.id] += 1


# --- what was chosen --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of a plan's proposals shall be done, by id, and whether a person's lines may change.

    Those that are *ticked* were chosen one by one, so that they may touch what is protected.
    """

    ids: frozenset[str]
    ticked: frozenset[str] = frozenset()
    protected: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is done, what not and why, and what that makes of files."""

    applied: tuple[Proposal, ...]
    skipped: tuple[tuple[Proposal, str], ...]
    changed: Mapping[str, bytes | None]


def choose(proposals: Sequence[Proposal], choice: Choice, seen: Seen, terms: Terms) -> Chosen:
    """Return what comes of those of a plan's *proposals* that were chosen, on files as they are.

    Each is judged anew; what no longer fits, and what may not be, is skipped with the reason.
    """
    wanted = {path for p in proposals if p.id in choice.ids for path in p.paths}
    draft = Draft(seen, terms.read, terms.tool_of)
    work = _Choosing(choice, draft, terms, terms.own(wanted), terms.loose(wanted))
    for proposal in proposals:
        work.consider(proposal)
    return Chosen(tuple(work.applied), tuple(work.skipped), dict(work.draft.changed))


@dataclass(frozen=True, slots=True)
class _Choosing:
    """A choice being carried out in a draft."""

    choice: Choice
    draft: Draft
    terms: Terms
    own: Own
    loose: frozenset[str]
    applied: list[Proposal] = field(default_factory=list)
    skipped: list[tuple[Proposal, str]] = field(default_factory=list)
    drift: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def consider(self, proposal: Proposal) -> None:
        """Do *proposal* if it was chosen; where it is not done, note what that means for others."""
        if proposal.id in self.choice.ids:
            why = self._try(proposal)
            if not why:
                self.applied.append(proposal)
                return
            self.skipped.append((proposal, why))
        # Its lines were expected neither to come nor to go.
        for edit in () if proposal.protected else proposal.edits:
            at, by = grown(edit)
            if by:
                self.drift.setdefault(edit.path, []).append((at, by))

    def _try(self, proposal: Proposal) -> str:
        """Do *proposal* and return "", or why it cannot be done."""
        free = self.choice.protected or proposal.id in self.choice.ticked
        if not self.terms.history and takes_away(proposal):
            return NEEDS_GIT
        if path := next((e.path for e in proposal.edits if e.path in self.loose), ""):
            return not_in_git(path)
        if proposal.id not in self.choice.ticked and self._hides(proposal):
            return HIDES
        if not free and (proposal.protected or touches(proposal, self.own, self.draft.read)):
            return PROTECTED
        try:
            self.draft.take(self.draft.judge(proposal, self.drift))
        except Misfit as e:
            return str(e)
        return ""

    def _hides(self, proposal: Proposal) -> bool:
        """Tell whether *proposal* takes a memory out of recall that says something."""
        memories = {memory.path: memory for memory in self.draft.seen().memories}
        moved = [memories.get(e.path) for e in proposal.edits if isinstance(e, Move)]
        return any(memory is None or not unrecalled.is_trivial(memory) for memory in moved)
