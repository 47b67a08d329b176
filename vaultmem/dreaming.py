"""Run dreams on a vault: plan and ask a person, apply what was chosen, take it back."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from vaultmem import cascade, document, hearing, history, pointers, secrets, transcripts
from vaultmem import plan as plans
from vaultmem.carding import Cards
from vaultmem.dream import archive, chronicle, gathering, planning, reviewing, shelf
from vaultmem.dream.chronicle import Dreamt
from vaultmem.dream.detecting import cards, skills, suggested
from vaultmem.dream.detecting.cards import Told
from vaultmem.dream.gates import Gates, Standing, shut
from vaultmem.dream.gathering import Gathered
from vaultmem.dream.model import Dream, Gate, Proposal, Seen, key
from vaultmem.dream.owning import Hands
from vaultmem.dream.planning import Choice, Chosen, Terms
from vaultmem.dream.shelf import Looks, Waiting
from vaultmem.errors import (
    BadInput,
    Busy,
    DiskRefused,
    NameTaken,
    Refused,
    StaleWrite,
    Unavailable,
)
from vaultmem.model import iso
from vaultmem.plan import Change, Plan
from vaultmem.site import Site
from vaultmem.summarize import ClaimsTask, DreamTask, Summarizer
from vaultmem.summarize.extractive import Extractive
from vaultmem.summarize.guard import guarded

LOCK = ".vaultmem/dream.lock"
SLACK = 0.02
"""So much of what recall answers may go with a dream; more, and it is refused."""

CONTESTED = "it is ticked in one place and struck out in another: leave one mark"

_TRIES = 4
_PATIENCE = 10.0

Overlay = Mapping[str, bytes | None]
Ask = Callable[[Overlay, Collection[str]], Gate]
"""Asks probes before and after changes, but none for the facts it is given: lost, or reworded."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Planned:
    """What a dream would do, and the note to review it in; *reason* says why there is none.

    *waits* names the review note of each proposal, by id: some may wait in an older one.
    """

    id: str = ""
    proposals: tuple[Proposal, ...] = ()
    losses: tuple[str, ...] = ()
    gate: Gate = field(default_factory=Gate)
    left: tuple[str, ...] = ()
    diff: str = ""
    note: str = ""
    commit: str | None = None
    reason: str = ""
    waits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A change that was chosen and not made, and why."""

    id: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What was done of what was chosen, as operation *op*; why the rest was not."""

    op: str = ""
    applied: tuple[Proposal, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    losses: tuple[str, ...] = ()
    gate: Gate = field(default_factory=Gate)
    diff: str = ""
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """Which dream was taken back, by which operation, and what that did to files."""

    op: str
    undone: str
    changes: tuple[Change, ...]
    diff: str
    commit: str | None


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a person wants applied: what is ticked, or all, or single ids."""

    everything: bool = False
    protected: bool = False
    ids: frozenset[str] = frozenset()
    rested: float | None = None


@dataclass(frozen=True, slots=True)
class _Claimed:
    """What users said of people, and the model that found it, "" for the program."""

    told: tuple[Told, ...] = ()
    by: str = ""


class Dreams:
    """The dreams of one vault."""

    def __init__(
        self,
        site: Site,
        summarizer: Callable[[], Summarizer],
        gate: Ask,
        gates: Callable[[], Gates] = Gates,
    ) -> None:
        """Dream on *site*; *summarizer* is asked for more, *gate* whether recall would suffer.

        *gates* returns the settings as they are now.
        """
        self._site, self._summarizer, self._gate, self._gates = site, summarizer, gate, gates

    # --- plan -----------------------------------------------------------------------------------

    def plan(self, *, force: bool = False, if_due: bool = False) -> Planned:
        """Look for what would be better, and put it before a person as a note in the inbox.

        With *if_due* only when it is time; *force* looks in any case, and proposes again what was
        struck out. Raises Busy while another dream is at work.
        """
        self._site.sync_soon()
        if if_due and not force and (why := self._too_soon()):
            return Planned(reason=why)
        with self._alone():
            return self._insist(partial(self._plan, force=force))

    def _plan(self, *, force: bool) -> Planned:
        waiting = shelf.reviews(self._site)
        work = _Work(self._site, waiting)
        struck = frozenset(d for w in waiting for d in w.review.boxes.declined)
        terms = replace(work.terms, declined=frozenset() if force else struck)
        claimed = self._claimed(work.seen.seen)
        detectors = tuple(self._detectors(work.seen.seen, claimed))
        found = planning.plan(work.seen.seen, terms, detectors)
        unproven = skills.unproven(work.seen.seen)
        left = (*found.left, *unproven, *self._let_wait(work.seen.seen, claimed))
        now = iso(self._site.clock())
        shelf.note_look(self._site, replace(shelf.looks(self._site), planned=now))
        if not found.proposals:
            return Planned(left=left, reason="nothing was found that would be better")
        losses = _losses(p for p in found.proposals if not p.protected)
        gate = self._probed(found.changed, _not_asked(found.proposals))
        dream = Dream(self._site.mint(), now, found.proposals, losses, gate, left)
        changes = work.changes(found.changed, "proposed by a dream")
        shown = plans.diff(Plan(dream.id, "dream", "", changes))
        told = Planned(dream.id, dream.proposals, losses, gate, left, shown)
        return self._put(told, dream, waiting)

    def _claimed(self, seen: Seen) -> _Claimed:
        """Return what users said of people since the last dream."""
        heard = hearing.heard(self._site, seen.memories, seen.since)
        if not heard:
            return _Claimed()
        made = guarded(self._summarizer()).claims(ClaimsTask(tuple(it.utterance for it in heard)))
        sources = {it.utterance.origin: it.source for it in heard}
        told = tuple(Told(claim, sources[claim.origin]) for claim in made.value)
        return _Claimed(told, "" if made.model == Extractive.name else made.model)

    def _detectors(self, seen: Seen, claimed: _Claimed) -> Iterator[planning.Detector]:
        """Yield all that look for something, what the summarizer has to say last."""
        yield from planning.DETECTORS
        yield lambda now: cards.find(now, claimed.told, claimed.by)
        facts = suggested.shown(seen)
        ask = guarded(self._summarizer())
        if facts and (said := ask.suggest(DreamTask(suggested.numbered(seen, facts)))):
            yield lambda now: suggested.find(now, said.value, facts, said.model)

    def _let_wait(self, seen: Seen, claimed: _Claimed) -> tuple[str, ...]:
        """Put what disagrees with cards before a person; say where."""
        against = tuple(cards.disagreeing(seen, claimed.told))
        taken = Cards(self._site).take(against).written if against else ()
        return tuple(f"what was said disagrees with {w.path}: see {w.waits}" for w in taken)

    def _put(self, told: Planned, dream: Dream, waiting: Sequence[Waiting]) -> Planned:
        """Write the review note, unless all of it is asked in one that waits already."""
        old = next((w for w in reversed(waiting) if w.untouched), None)
        others = [w for w in waiting if w is not old and not w.review.op]
        asked = {p.id: w for w in others for p in w.open}
        fresh = tuple(p for p in dream.proposals if p.id not in asked)
        waits = {p.id: asked[p.id].path for p in dream.proposals if p.id in asked}
        if old and old.dream and {p.id for p in old.dream.proposals} == {p.id for p in fresh}:
            waits |= dict.fromkeys((p.id for p in fresh), old.path)
            return replace(told, id=old.review.id, note=old.path, waits=waits)
        if not fresh:
            note = max((asked[name] for name in waits), key=lambda w: w.review.id)
            return replace(told, id=note.review.id, note=note.path, waits=waits)
        dream = replace(dream, proposals=fresh)
        path = old.path if old else self._free_path(dream, waiting)
        text = reviewing.render(dream).encode()
        shelf.keep(self._site, dream, text)
        change = Change(path, old.data if old else None, text, "a dream to review")
        subject = f"plan a dream: {_count(len(fresh))}"
        self._site.carry_out(Plan(dream.id, "dream-plan", subject, (change,)))
        shelf.tidy(self._site, {dream.id, *(w.review.id for w in waiting if w is not old)})
        waits |= dict.fromkeys((p.id for p in fresh), path)
        commit = self._site.door.settle().get(dream.id)
        return replace(told, note=path, waits=waits, commit=commit)

    def _free_path(self, dream: Dream, waiting: Sequence[Waiting]) -> str:
        taken = {w.path for w in waiting}
        while self._site.read(path := reviewing.path(dream.made[:10], taken)) is not None:
            taken.add(path)  # one that cannot be read
        return path

    # --- gates ----------------------------------------------------------------------------------

    def _too_soon(self) -> str:
        """Return why it is not time to dream; note that it was looked at."""
        looks, now = shelf.looks(self._site), self._site.clock()
        why = shut(self._gates(), self._standing(looks, now))
        if not self._throttled(looks, now):
            shelf.note_look(self._site, replace(looks, looked=iso(now)))
        return why

    def _throttled(self, looks: Looks, now: datetime) -> bool:
        asked = replace(self._gates(), enabled=True, hours=0, sessions=0)
        return bool(shut(asked, Standing(now, None, shelf.at(looks.looked))))

    def _standing(self, looks: Looks, now: datetime) -> Standing:
        repository = self._site.door.repository
        last = next(iter(_dreams(self._site)), None)
        since = max(last.when if last else "", looks.planned)
        return Standing(
            now=now,
            dreamt=shelf.at(since),
            looked=shelf.at(looks.looked),
            blocked=(repository.blocked() or "") if repository else "",
            news=_has_news(self._site, last, since),
            sessions=_sessions_since(self._site, since),
        )

    # --- apply ----------------------------------------------------------------------------------

    def apply(
        self,
        *,
        everything: bool = False,
        include_protected: bool = False,
        ids: Collection[str] = (),
    ) -> Applied:
        """Do what is ticked in the review notes, in one commit; or *everything*, or single *ids*.

        What touches a person's own lines is done where it was ticked or named by itself, or with
        *include_protected*. Raises BadInput when nothing is chosen, Refused when recall would
        suffer or git cannot commit now, Busy while another dream is at work.
        """
        wish = _Wish(everything, include_protected, frozenset(ids))
        self._site.sync_soon()
        if why := self._git_busy():
            raise Refused(f"git is busy, and nothing was applied: {why}")
        with self._alone():
            return self._insist(partial(self._apply, wish))

    def apply_ticked(self, rested: float) -> Applied | None:
        """Do what was ticked in notes that nobody touched since *rested* (Unix time).

        None when there is nothing of the kind, or git cannot commit now.
        """
        self._site.sync_soon()
        waiting = [w for w in shelf.reviews(self._site) if w.touched <= rested]
        if not _ticked(waiting) - _struck(waiting) or self._git_busy(patience=0):
            return None
        with self._alone():
            return self._insist(partial(self._apply, _Wish(rested=rested)))

    def _apply(self, wish: _Wish) -> Applied:
        notes = [
            w for w in shelf.reviews(self._site) if wish.rested is None or w.touched <= wish.rested
        ]
        choice = _choice(notes, wish)
        offered = self._offered(notes, choice)
        self._commit_hand_work(notes, [p for p in offered if p.id in choice.ids])
        work = _Work(self._site, notes)
        chosen = planning.choose(offered, choice, work.seen.seen, work.terms)
        gone = choice.ids - {p.id for p in offered}
        skipped = [Skipped(p.id, p.path, why) for p, why in chosen.skipped]
        skipped += [Skipped(name, "", "it is proposed no more") for name in sorted(gone)]
        skipped += [Skipped(name, "", CONTESTED) for name in sorted(_contested(notes, wish))]
        skipped += _kept_back(notes, wish, choice)
        _protect(self._site, notes, chosen)
        losses = _losses(chosen.applied)
        changes = work.changes(chosen.changed, "better after a dream")
        changed = {c.path: c.new for c in changes}
        gate = self._judged(changed, _not_asked(chosen.applied)) if changes else Gate()
        told = Applied(
            "", chosen.applied, tuple(skipped), losses, gate, plans.diff(_bare_plan(changes))
        )
        return self._carry_out(told, changes, notes, choice)

    def _judged(self, changed: Overlay, not_asked: Collection[str]) -> Gate:
        """Return what the quality gate says; raises Refused when recall would suffer."""
        gate = self._probed(changed, not_asked)
        if gate.before is None or gate.after is None:
            return gate
        if gate.after < gate.before - SLACK:
            raise Refused(
                f"recall would answer {gate.after:.0%} of {gate.probes} probes, and it answers "
                f"{gate.before:.0%} now; nothing was applied: tick fewer changes"
            )
        return gate

    def _probed(self, changed: Overlay, not_asked: Collection[str]) -> Gate:
        """Ask the probes; raises DiskRefused when the index, or its copy, cannot be read."""
        try:
            return self._gate(changed, not_asked)
        except (OSError, sqlite3.OperationalError) as e:
            raise DiskRefused("the index that the dream's probes ask", str(e)) from e

    def _offered(self, notes: Sequence[Waiting], choice: Choice) -> tuple[Proposal, ...]:
        """Return what the notes propose; where a plan is lost and asked for, made anew."""
        offered = {p.id: p for w in notes for p in w.open}
        if choice.ids <= offered.keys():
            return tuple(offered.values())
        work = _Work(self._site, notes)
        again = planning.plan(work.seen.seen, work.terms)
        return tuple((offered | {p.id: p for p in again.proposals}).values())

    def _commit_hand_work(self, notes: Sequence[Waiting], wanted: Sequence[Proposal]) -> None:
        """Commit what people wrote before we touch it: undoing the dream brings back just that.

        Not only in the files that are about to change: a dream parts what is older from what a
        person wrote since. Where the config leaves commits to people, only there.
        """
        paths = {w.path for w in notes} | {path for p in wanted for path in p.paths}
        alone = not self._site.config().commit_human_edits
        broken = frozenset(p.path for p in self._site.index.problems()) - paths
        self._site.door.settle()
        self._site.door.commit_edits(
            quiet=0, leave=broken, only=frozenset(paths) if alone else None
        )

    def _carry_out(
        self, told: Applied, changes: tuple[Change, ...], notes: Sequence[Waiting], choice: Choice
    ) -> Applied:
        op, now = self._site.mint(), iso(self._site.clock())
        refused = {s.id: s.reason for s in told.skipped if s.id in choice.ticked}
        done = reviewing.Done(op, now, frozenset(p.id for p in told.applied), refused)
        marks = tuple(_marks(notes, done))
        if not changes and not marks:
            return told
        plan = _plan_of(op, told, changes, marks)
        self._site.carry_out(plan)
        commit = self._site.door.settle().get(op)
        return replace(told, op=op, commit=commit) if changes else told

    # --- past -----------------------------------------------------------------------------------

    def log(self) -> tuple[Dreamt, ...]:
        """Return the dreams that were applied, newest first; raises Unavailable without git."""
        self._site.sync_soon()
        return chronicle.dreams(history.operations(self._site, None))

    def undo(self, op: str = "") -> Undone:
        """Take back the dream *op*, or the newest that stands; what came later stays.

        Raises BadInput when there is none, Refused when later changes stand on it or git is busy.
        """
        if why := self._git_busy():
            raise Refused(f"git is busy, and what was done last may wait for its commit: {why}")
        self._site.door.settle()
        known = self.log()
        wanted = op.upper() or next((d.op for d in known if not d.undone), "")
        if wanted not in {d.op for d in known}:
            raise BadInput(
                f"no dream {op!r}" if op else "no dream is left to undo: see `dream log`"
            )
        plan = history.undo(self._site, wanted)
        self._site.carry_out(plan)
        commit = self._site.door.settle().get(plan.op)
        whole = tuple(c for c in plan.changes if isinstance(c, Change))  # nothing is appended
        return Undone(plan.op, wanted, whole, plans.diff(plan), commit)

    # --- both -----------------------------------------------------------------------------------

    def _git_busy(self, patience: float = _PATIENCE) -> str:
        """Return what keeps git from committing now, "" when nothing does."""
        repository = self._site.door.repository
        if repository is None:
            return ""
        if why := repository.blocked():
            return f"{why}; try again once it is over"
        try:
            with repository.locked(patience):
                return ""
        except Unavailable as e:
            return str(e)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of dreams; the system takes it from a process that dies."""
        from filelock import Timeout, UnixFileLock  # noqa: PLC0415  # only dreams pay for it

        path = self._site.root.path / LOCK
        self._site.mint()  # our folder is there, and git ignores it
        lock = UnixFileLock(path, mode=0o600, fallback_to_soft=False)
        try:
            lock.acquire(timeout=_PATIENCE)
        except Timeout as e:
            raise Busy("another dream: the dreams' lock", _PATIENCE) from e
        except OSError as e:
            raise DiskRefused(str(path), e.strerror or str(e)) from e
        try:
            yield
        finally:
            lock.release()

    def _insist(self, step: Callable[[], _T]) -> _T:
        """Take *step*, again when the ground moved."""
        for _ in range(_TRIES - 1):
            try:
                return step()
            except (StaleWrite, NameTaken):
                self._site.index.sync()
        return step()


class _Work:
    """A vault as one dream sees it: what was read is read once, and must still be so at the end."""

    def __init__(self, site: Site, notes: Iterable[Waiting]) -> None:
        self._site = site
        last = next(iter(_dreams(site)), None)
        self.seen: Gathered = gathering.gather(site, last.when if last else "")
        self._data: dict[str, bytes | None] = dict(self.seen.data)
        repository = site.door.repository
        asked = frozenset(p.id for w in notes for p in w.open if p.protected)
        self.terms = Terms(self.read, protected=asked, history=repository is not None)
        if repository:
            loose = partial(archive.loose, repository, read=self.read)
            self.terms = replace(self.terms, loose=loose)
        if repository and last:
            hands = Hands(site, repository, last.commit, self.read)
            self.terms = replace(self.terms, own=hands.own)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file as they were when they were first asked for."""
        if path not in self._data:
            self._data[path] = self._site.read(path)
        return self._data[path]

    def changes(self, changed: Overlay, reason: str) -> tuple[Change, ...]:
        """Return what *changed* comes to, `MEMORY.md` pointing at what there is then."""
        made = {path: Change(path, self.read(path), new, reason) for path, new in changed.items()}
        real = [c for c in made.values() if c.old != c.new]
        if not real:
            return ()
        index = made.pop(pointers.PATH, None)
        if index and (index.old is None or index.new is None):  # nothing there to point from
            return tuple(real)
        rest = [c for c in real if c is not index]
        return (*rest, *cascade.index_change(self._site, rest, index.new if index else None))


def _choice(notes: Sequence[Waiting], wish: _Wish) -> Choice:
    """Return what is chosen; raises BadInput when that is nothing."""
    if wish.ids:
        return Choice(wish.ids, wish.ids, wish.protected)
    if not notes:
        raise BadInput("no dream waits for review: `vaultmem dream plan` makes a plan")
    struck = _struck(notes)
    ticked = _ticked(notes) - struck
    if not wish.everything:
        if not ticked and not _contested(notes, wish):
            raise BadInput(_why_nothing(notes))
        return Choice(ticked, ticked, wish.protected)
    every = {name for w in notes for name in _asked(w, wish)} - struck
    return Choice(ticked | every, ticked, wish.protected)


def _ticked(notes: Iterable[Waiting]) -> frozenset[str]:
    return frozenset(name for w in notes for name in w.review.fresh)


def _struck(notes: Iterable[Waiting]) -> frozenset[str]:
    return frozenset(name for w in notes for name in w.review.boxes.declined)


def _contested(notes: Sequence[Waiting], wish: _Wish) -> frozenset[str]:
    """Return the ids of which the notes say both yes and no; one that is named is clear."""
    return (_ticked(notes) & _struck(notes)) - wish.ids


def _protect(site: Site, notes: Iterable[Waiting], chosen: Chosen) -> None:
    """Note in the plans what turned out to touch a person's lines: `--all` asks for it no more."""
    kept_back = {p.id for p, why in chosen.skipped if why == planning.PROTECTED and not p.protected}
    for waiting in notes:
        if waiting.dream and any(p.id in kept_back for p in waiting.dream.proposals):
            shelf.protect(site, waiting.dream, kept_back)


def _why_nothing(notes: Sequence[Waiting]) -> str:
    """Return what to do where nothing is ticked."""
    waiting = [w for w in notes if w.open or w.dream is None]
    if not waiting:
        return "nothing is ticked, and nothing waits: `vaultmem dream plan` looks for more"
    free = any(w.dream is None or not all(p.protected for p in w.open) for w in waiting)
    every = "--all" if free else "--all --include-protected"
    note = waiting[-1].path
    return f"nothing is ticked: tick boxes in {note}, or use `vaultmem dream apply {every}`"


def _kept_back(notes: Iterable[Waiting], wish: _Wish, choice: Choice) -> Iterator[Skipped]:
    """Yield what was not done though everything was wanted: it changes a person's own lines."""
    asked = (p for w in notes for p in w.open if wish.everything and p.protected)
    yield from (Skipped(p.id, p.path, planning.PROTECTED) for p in asked if p.id not in choice.ids)


def _asked(note: Waiting, wish: _Wish) -> Iterator[str]:
    """Yield what a note has to be done when everything is wanted."""
    if note.dream is None:  # its plan is lost: planning anew tells which of it is protected
        said = note.review
        yield from said.boxes.known - said.boxes.declined - said.applied
    yield from (p.id for p in note.open if wish.protected or not p.protected)


def _marks(notes: Iterable[Waiting], done: reviewing.Done) -> Iterator[Change]:
    """Yield the review notes with what was *done* noted."""
    for note in notes:
        if note.review.boxes.known & (done.applied | done.skipped.keys()):
            text = reviewing.marked(document.decode(note.data), done)
            yield Change(note.path, note.data, text.encode(), "says what was applied")


def _plan_of(
    op: str, told: Applied, changes: tuple[Change, ...], marks: tuple[Change, ...]
) -> Plan:
    if not changes:
        subject = f"review a dream: {_count(len(told.skipped))} did not fit"
        return Plan(op, "dream-review", subject, marks)
    files = len({path for p in told.applied for path in p.paths})
    subject = f"{chronicle.SUBJECT}{_count(len(told.applied))} in {files} file{'s' * (files != 1)}"
    lines = tuple(secrets.redact(reviewing.headline(p)) for p in told.applied)
    models = ", ".join(dict.fromkeys(p.by for p in told.applied if p.by))
    return Plan(op, "dream", subject, (*changes, *marks), model=models, notes=lines)


def _bare_plan(changes: tuple[Change, ...]) -> Plan:
    return Plan("", "dream", "", changes)


def _losses(proposals: Iterable[Proposal]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(loss for p in proposals for loss in p.losses))


def _not_asked(proposals: Sequence[Proposal]) -> frozenset[str]:
    """Return the facts that nobody shall be asked for as they were said: lost, or said anew."""
    anew = (k.gone for p in proposals for k in p.kept if key(k.gone) != key(k.stays))
    return frozenset((*_losses(proposals), *anew))


def _count(changes: int) -> str:
    return f"{changes} change{'s' * (changes != 1)}"


def _dreams(site: Site) -> tuple[Dreamt, ...]:
    """Return the dreams that were applied, newest first; none where nothing tells of them."""
    if site.door.repository is None:
        return ()
    return chronicle.dreams(history.operations(site, None))


def _has_news(site: Site, last: Dreamt | None, since: str) -> bool:
    """Tell whether anything came since the last dream: a memory, or a commit of whoever."""
    if site.index.value("SELECT 1 FROM docs WHERE recallable AND created > ?", since):
        return True
    if last is None or site.door.repository is None:
        return not since
    quiet = ("undo: ", chronicle.SUBJECT, "plan a dream", "review a dream")
    later = site.door.repository.log(None, since=last.commit)
    return any(not entry.subject.startswith(quiet) for entry in later)


def _sessions_since(site: Site, since: str) -> int:
    """Return how many sessions said something new; what was said outside of one counts by day."""
    rows = site.index.db.execute(
        "SELECT DISTINCT agent, CASE session WHEN '' THEN substr(created, 1, 10) ELSE session END"
        " FROM docs WHERE recallable AND type IN ('memory', 'episode') AND created > ?",
        (since,),
    )
    said = {(agent, session) for agent, session in rows}
    for agent in site.agents():
        for transcript in transcripts.of(site.root, agent):
            if transcript.turns and transcript.turns[-1].at > since:
                said.add((agent, transcript.session))
    return len(said)
