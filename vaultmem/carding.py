"""Run cards on a vault: patched, listed, exported; claims that disagree wait for a person."""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from vaultmem import cascade, document, memories, store
from vaultmem.cards import flat, formats, naming, proposing, reading, waiting
from vaultmem.cards.formats import Mode
from vaultmem.cards.model import (
    HAND,
    OWN,
    POLICIES,
    REQUIRED,
    Claim,
    Conflict,
    Json,
    Patch,
    Policy,
    Strategy,
    Text,
)
from vaultmem.cards.reading import Card
from vaultmem.config import agent_name
from vaultmem.errors import (
    BadInput,
    NameTaken,
    Refused,
    SecretFound,
    StaleWrite,
    Unreadable,
)
from vaultmem.memories import Said
from vaultmem.model import TRUST_OF_SOURCE, Record, first_line, iso, lowest, moment
from vaultmem.plan import Change, Plan
from vaultmem.site import Site

_log = logging.getLogger(__name__)
_TRIES = 8
_SUBJECT = 100
_CARDS = "docs.type = 'card' AND docs.path LIKE 'cards/%'"
_NOTES = f"docs.type = '{waiting.TYPE}' AND docs.path LIKE 'inbox/%'"
_CANNOT = (BadInput, Refused, Unreadable)

Names = list[str]


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a card: the *card* as it is now, what *changed* in it, and what waits.

    *waits* is the note or, in the inbox, the whole card that waits for a person; *commit* is None
    when nothing changed, or while git has not got it yet.
    """

    name: str
    path: str
    card: Mapping[str, Json]
    changed: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    waits: str = ""
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A card in a list; *waiting* counts the facts about which claims disagree.

    *problem* says why the file cannot be trusted, "" when it can.
    """

    name: str
    path: str
    title: str
    person: str
    relationship: str
    description: str
    trust: str
    waiting: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of many claims: the cards that changed or wait, and what was *left*, and why."""

    written: tuple[Written, ...]
    left: tuple[str, ...] = ()
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """What an import did: cards made or patched, notes remembered, what was known already."""

    cards: tuple[Written, ...] = ()
    remembered: int = 0
    skipped: int = 0
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class _Draft:
    """What is about to happen to one card: its old and new bytes, and those of its note.

    The note at *note* *was* so, and shall be *noted* so; without bytes there is none.
    """

    name: str
    path: str
    old: bytes | None
    new: bytes | None
    changed: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    note: str
    was: bytes
    noted: bytes
    trust: str

    @property
    def changes(self) -> tuple[Change, ...]:
        """The files that change."""
        what = ", ".join(self.changed) or "its policies"
        mine = Change(self.path, self.old, self.new, f"{self.name}: {what}")
        claims = f"claims about {self.path} that disagree"
        note = Change(self.note, self.was or None, self.noted or None, claims)
        return (
            *((mine,) if self.new is not None else ()),
            *((note,) if self.was != self.noted else ()),
        )

    @property
    def waits(self) -> str:
        """Where something of it waits for a person."""
        if self.path.startswith(memories.REVIEW):
            return self.path
        return self.note if waiting.boxes(self.noted) else ""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of one card; *settled* are the facts that a person decides by it."""

    name: str
    claims: Callable[[Card | None], Sequence[Claim]]
    strategy: Strategy | None = None
    policies: Mapping[str, Policy] | None = None
    create: bool = False
    settled: frozenset[str] = frozenset()


class Cards:
    """The cards of a vault."""

    def __init__(self, site: Site) -> None:
        """Work on the vault at *site*."""
        self.site = site

    # --- writing --------------------------------------------------------------------------------

    def set(self, name: str, patch: Patch, *, create: bool = False) -> Written:
        """Patch the card called *name* (`category/key`), or make it.

        What a less trusted source says against a more trusted one waits in the inbox. Raises
        BadInput for what cannot be, or a new card without what every card needs; NameTaken when it
        shall *create* one that is there; SecretFound, Unreadable, and what `Site.carry_out` does.
        """
        self.site.sync_soon()
        return self._one(self._asked(_bare(name), patch, create=create))

    def resolve(
        self, name: str, fields: Mapping[str, Json] | None = None, by: str = HAND
    ) -> Written:
        """Settle what disagrees about a card: by *fields*, or by what is ticked in its note.

        *by* is who decided. Raises BadInput for an unknown card, Refused for who may not decide.
        """
        self.site.sync_soon()
        shelf = _Shelf(self.site)
        path = shelf.known(_bare(name))
        made = self._decided(path, fields or waiting.chosen(shelf.note(path)), by)
        return replace(made, waits=shelf.note_path(path) if shelf.waits(path) else "")

    def settle_ticked(self) -> Names:
        """Do what a person ticked in the notes of the inbox; return the cards it was about."""
        self.site.sync_soon()
        shelf, settled = _Shelf(self.site), []
        for path, note in shelf.notes.items():
            try:
                if chosen := waiting.chosen(shelf.note(path)):
                    settled.append(self._decided(path, chosen, HAND).name)
            except _CANNOT as e:
                _log.warning("%s waits: %s", note, e)
        return settled

    def take(self, claims: Iterable[Claim]) -> Taken:
        """Take claims that were drawn from what was said; what is known already changes nothing.

        Nor does what a person has decided otherwise since. A claim that no card can hold is left.
        """
        self.site.sync_soon()
        groups, left = _grouped(claims), dict[str, str]()

        def drafts() -> Iterator[_Draft]:
            shelf = _Shelf(self.site, len(groups))
            for name, group in groups.items():
                try:
                    yield self._draft(_heard(name, group), shelf)
                except _CANNOT as e:
                    left[name] = f"{name}: {e}"

        written = [w for w in self._carried(drafts) if w.changed or w.conflicts]
        return Taken(tuple(written), tuple(left.values()), _commit(written))

    def _asked(self, name: str, patch: Patch, *, create: bool = False) -> _Asked:
        if patch.source not in TRUST_OF_SOURCE:
            known = ", ".join(TRUST_OF_SOURCE)
            raise BadInput(f"{patch.source!r} is no source: use one of {known}")
        dated = replace(patch, at=iso(moment(patch.at)) if patch.at else self._now())

        def claims(card: Card | None) -> list[Claim]:
            return [_clean(claim) for claim in proposing.claims(dated, name, card)]

        return _Asked(name, claims, patch.strategy, _policies(patch), create)

    def _decided(self, path: str, fields: Mapping[str, Json], by: str) -> Written:
        name = naming.of_path(path)
        patch = Patch(fields=fields, strategy="overwrite", source=HAND)
        decided = _judge(by)
        asked = replace(self._asked(name, patch), settled=frozenset(flat.flatten(fields)))
        return self._one(asked, f"Decided by {decided}.")

    # --- from what is asked to one commit -------------------------------------------------------

    def _one(self, asked: _Asked, *notes: str) -> Written:
        """Draft, write and commit what is asked of one card."""
        return self._carried(lambda: [self._draft(asked, _Shelf(self.site, 1))], *notes)[0]

    def _carried(self, drafts: Callable[[], Iterable[_Draft]], *notes: str) -> tuple[Written, ...]:
        """Write and commit *drafts*, all in one; made again when somebody else was faster."""
        for _ in range(_TRIES - 1):
            made = tuple(drafts())
            try:
                return self._carry(made, notes)
            except (StaleWrite, NameTaken):
                self.site.index.sync()
        return self._carry(tuple(drafts()), notes)

    def _draft(self, asked: _Asked, shelf: _Shelf) -> _Draft:
        there = shelf.find(asked.name)
        if there and asked.create:
            raise NameTaken(there)
        claims = asked.claims(shelf.read(there) if there else None)
        path = there or _place(asked.name, claims)
        old = self.site.read(path)
        proposed = proposing.change(
            old, path, claims, self._now(), next(shelf.ids),
            strategy=asked.strategy, policies=asked.policies,
        )  # fmt: skip
        settled = _settled(asked, claims)
        note = shelf.note(path) if settled or proposed.conflicts else b""
        return _Draft(
            name=naming.of_path(path),
            path=path,
            old=old,
            new=proposed.text,
            changed=proposed.fields,
            conflicts=proposed.conflicts,
            note=shelf.note_path(path),
            was=note,
            noted=self._noted(path, note, settled, proposed.conflicts, shelf),
            trust=lowest(claim.trust for claim in claims),
        )

    def _noted(
        self,
        path: str,
        note: bytes,
        settled: AbstractSet[str],
        conflicts: Sequence[Conflict],
        shelf: _Shelf,
    ) -> bytes:
        """Return the note about a card: claims come, and go when a person decides."""
        if path.startswith(memories.REVIEW):  # all of it waits anyway
            return note
        settled = settled - {conflict.field for conflict in conflicts}
        if note and settled & waiting.fields(note):
            note = waiting.without(note, settled) or b""
        if conflicts:
            empty = waiting.new(path, shelf.person(path), self._now(), next(shelf.ids))
            note = waiting.added(note or empty, conflicts)
        return note

    def _carry(self, drafts: Sequence[_Draft], notes: Sequence[str]) -> tuple[Written, ...]:
        changes = tuple(change for draft in drafts for change in draft.changes)
        if not changes:
            return tuple(_written(draft, None) for draft in drafts)
        plan = Plan(
            op=self.site.mint(),
            kind="card",
            subject=_subject([draft for draft in drafts if draft.changes]),
            changes=(*changes, *cascade.index_change(self.site, changes)),
            trust=lowest(draft.trust for draft in drafts if draft.changes),
            notes=tuple(notes),
        )
        self._commit_hand_work(changes)
        self.site.carry_out(plan)
        commit = self.site.door.settle().get(plan.op)
        return tuple(_written(d, commit if d.changes else None) for d in drafts)

    def _commit_hand_work(self, changes: Iterable[Change]) -> None:
        """Commit what people wrote into these files, before ours comes on top of it."""
        self.site.door.settle()
        self.site.door.commit_edits(quiet=0, only=frozenset(c.path for c in changes))

    # --- reading --------------------------------------------------------------------------------

    def get(self, name: str) -> dict[str, Json]:
        """Return the card called *name*, all of it; raises BadInput for an unknown one.

        `conflicts` are the claims that wait, against what is kept meanwhile.
        """
        self.site.sync_soon()
        shelf = _Shelf(self.site)
        path = shelf.known(_bare(name))
        card = shelf.read(path)
        return {**reading.in_full(card), "conflicts": list(shelf.doubts(path, card))}

    def list(self, *, person: str = "", category: str = "") -> tuple[Listed, ...]:
        """Return the cards by name: of those whom *person* is part of, and in a *category*."""
        self.site.sync_soon()
        shelf = _Shelf(self.site)
        return tuple(
            card
            for card in (self._listed(path, shelf) for path in shelf.paths)
            if person.casefold() in card.person.casefold()
            and category in {"", naming.split(card.name)[0]}
        )

    def export(self, mode: Mode = "advanced") -> dict[str, Json]:
        """Return all cards as one JSON object.

        `problems` in it, only where there are any, tell of the cards that cannot be trusted.
        """
        self.site.sync_soon()
        shelf = _Shelf(self.site)
        cards, problems = list[Card](), list[str]()
        for path in shelf.paths:
            try:
                cards.append(shelf.read(path))
            except Unreadable as e:
                problems.append(str(e))
        found = formats.exported(cards, mode)
        return {**found, "problems": problems} if problems else found

    def _listed(self, path: str, shelf: _Shelf) -> Listed:
        now = store.load(self.site.root, path) or Record(path, "")
        return Listed(
            naming.of_path(path), path, now.title, now.person, now.relationship, now.description,
            now.trust, len(shelf.waits(path)),
            now.problem.message if now.problem else "",
        )  # fmt: skip

    def _now(self) -> str:
        return iso(self.site.clock())

    # --- import ---------------------------------------------------------------------------------

    def load(
        self, data: bytes, mode: Mode, defaults: Patch, *, where: str = "the file", agent: str = ""
    ) -> Loaded:
        """Import what was exported; importing it again changes nothing.

        *defaults* say what the file does not: source, date, and for plain JSON whom it concerns.
        Notes and paragraphs become memories of *agent*. Raises BadInput with the place in *where*;
        nothing is written then.
        """
        self.site.sync_soon()
        found = formats.load(data, where)
        if mode in {"notes", "enhanced"}:
            return self._remembered(formats.sayings(found), defaults, agent)
        if mode == "json":
            _refuse_lacking(defaults)
        ask = self._plain if mode == "json" else self._asked
        asked = [ask(name, patch) for name, patch in formats.patches(found, defaults)]

        def drafts() -> list[_Draft]:
            shelf = _Shelf(self.site, len(asked))
            return [self._imported(each, shelf, where) for each in asked]

        written = self._carried(drafts)
        told = tuple(each for each in written if each.changed or each.conflicts)
        return Loaded(told, skipped=len(written) - len(told), commit=_commit(told))

    def _plain(self, name: str, patch: Patch) -> _Asked:
        """Return what plain facts ask of a card: whom it concerns they say of new ones alone."""
        facts = replace(patch, person="", relationship="", backstory="")

        def claims(card: Card | None) -> Sequence[Claim]:
            if card and card.record.person.casefold() != patch.person.casefold():
                raise Refused(
                    f"the card is there, and concerns {card.record.person}, not {patch.person}: "
                    "give --person as it stands, or the card another name in the file"
                )
            return self._asked(name, facts if card else patch).claims(card)

        return replace(self._asked(name, facts), claims=claims)

    def _imported(self, asked: _Asked, shelf: _Shelf, where: str) -> _Draft:
        """Draft one card of a file; raises what that does, naming the card."""
        place = f"{where}: {asked.name}"
        try:
            return self._draft(asked, shelf)
        except BadInput as e:
            raise BadInput(f"{place}: {e}") from e
        except SecretFound as e:
            raise SecretFound(f"{place}: {e.where}", e.rule) from e
        except NameTaken:
            raise
        except Refused as e:
            raise Refused(f"{place}: {e}") from e

    def _remembered(self, told: Sequence[str], defaults: Patch, agent: str) -> Loaded:
        """Keep each of *told* as a memory, once."""
        name = agent_name(self.site.agent(agent))
        at = moment(defaults.at) if defaults.at else self.site.clock()
        said = {s.origin: s for text in told if (s := _said(text, name, at, defaults.source))}
        for _ in range(_TRIES):
            known = self.site.index.origins(name, [*said])
            fresh = [each for origin, each in said.items() if origin not in known]
            if not fresh:
                break
            with contextlib.suppress(StaleWrite, NameTaken):
                return Loaded((), len(fresh), len(told) - len(fresh), self._keep(fresh))
            self.site.index.sync()
        return Loaded(skipped=len(told))

    def _keep(self, said: Sequence[Said]) -> str | None:
        op, *minted = self.site.mint_many(len(said) + 1)
        agent, trust = said[0].agent, said[0].trust
        memories.check_switches(said[0], self.site.config())
        changes = tuple(memories.change(s, i) for s, i in zip(said, minted, strict=True))
        subject = f"import({agent}): {len(said)} memories"
        self.site.carry_out(Plan(op, "import", subject, changes, agent, trust=trust))
        return self.site.door.settle().get(op)


class _Shelf:
    """The cards of a vault and the notes about them at one moment, to find them in."""

    def __init__(self, site: Site, most: int = 0) -> None:
        """Look at *site*; up to *most* cards may become new, each with a note."""
        self.site = site
        records = site.index.records(_CARDS, body=False)
        self.paths = tuple(sorted(record.path for record in records))
        self.ids = iter(site.mint_many(2 * most) if most else ())
        self._persons = {record.path: record.person for record in records}

    def known(self, name: str) -> str:
        """Return where the card called *name* lies; raises BadInput for an unknown one."""
        path = self.find(name)
        if path is None and self.site.read(whole := naming.review(name)) is not None:
            raise BadInput(
                f"the card {name!r} waits, all of it: `vaultmem review accept {whole}` lets it in"
            )
        if path is None:
            raise BadInput(f"no card {name!r} in this vault: `vaultmem card list` names them")
        return path

    def find(self, name: str) -> str | None:
        """Return where the card called *name* lies: also in other case, or renamed by a person.

        Raises Refused where several are meant.
        """
        if naming.path(name) in self._persons:
            return naming.path(name)
        return _only(name, self._folded.get(name.casefold())) or _only(name, self._own.get(name))

    @cached_property
    def _folded(self) -> Mapping[str, Names]:
        return _by((naming.of_path(path).casefold(), path) for path in self.paths)

    @cached_property
    def _own(self) -> Mapping[str, Names]:
        """What cards call themselves, whatever their files are called by now."""
        return _by((self._called(path), path) for path in self.paths)

    def _called(self, path: str) -> str:
        try:
            raw = self.read(path).raw
        except (Unreadable, StaleWrite):
            return ""
        return f"{raw.get('category', '')}/{raw.get('key', '')}"

    def read(self, path: str) -> Card:
        """Return the card at *path*; raises Unreadable, naming it."""
        data = self.site.read(path)
        if data is None:
            raise StaleWrite(path, "", None)
        return reading.read(path, data)

    def person(self, path: str) -> str:
        """Return whom the card at *path* concerns, or else how it is called."""
        return self._persons.get(path) or naming.of_path(path)

    @cached_property
    def notes(self) -> Mapping[str, str]:
        """The notes of claims that disagree, by the card that each is about."""
        found = self.site.index.records(_NOTES, body=False)
        return {about: note.path for note in found if (about := self._about(note.path))}

    def _about(self, note: str) -> str:
        try:
            about = _fields(note, self.site.read(note) or b"").get("card", "")
        except Unreadable as e:
            _log.warning("%s", e)
            return ""
        return f"{store.link_target(about)}.md" if isinstance(about, str) and about else ""

    def note_path(self, path: str) -> str:
        """Return where claims about the card at *path* wait, or would."""
        return self.notes.get(path) or naming.note(naming.of_path(path))

    def note(self, path: str) -> bytes:
        """Return the note about the card at *path*, empty when nothing waits; raises Unreadable."""
        where = self.note_path(path)
        data = self.site.read(where) or b""
        _fields(where, data)
        return data

    def doubts(self, path: str, card: Card) -> Iterator[dict[str, Json]]:
        """Yield the claims about the card at *path* that wait, beside what it says."""
        try:
            boxes = waiting.boxes(self.note(path))
        except Unreadable as e:
            _log.warning("%s", e)
            return
        for box in boxes:
            kept = card.attributes.get(box.field)
            if box.value != kept:
                yield {"field": box.field, "kept": kept, "claimed": box.value, "source": box.by}

    def waits(self, path: str) -> frozenset[str]:
        """Return the facts of the card at *path* about which claims wait, as far as one can see."""
        try:
            return waiting.fields(self.note(path))
        except Unreadable as e:
            _log.warning("%s", e)
            return frozenset()


def _fields(path: str, data: bytes) -> Mapping[str, object]:
    """Return the frontmatter of a note; raises Unreadable, naming it."""
    try:
        return document.fields(document.parse(document.decode(data)))
    except Unreadable as e:
        raise Unreadable(e.code, f"{path}: {e.why}; mend it by hand") from e


def _by(pairs: Iterable[tuple[str, str]]) -> dict[str, Names]:
    found: dict[str, Names] = {}
    for key, path in pairs:
        found.setdefault(key, []).append(path)
    return found


def _only(name: str, paths: Sequence[str] | None) -> str | None:
    if paths and len(paths) > 1:
        raise Refused(f"{name!r} may be any of {', '.join(paths)}: rename or merge them by hand")
    return paths[0] if paths else None


def _bare(name: str) -> str:
    """Return *name* as it is meant: a card may be named by its path."""
    return naming.of_path(name) if name.endswith(".md") else name


def _place(name: str, claims: Sequence[Claim]) -> str:
    """Return where a new card comes; what nobody trusted says waits for a person."""
    naming.new(name)
    trusts = {claim.trust for claim in claims}
    return naming.review(name) if trusts == {"untrusted"} else naming.path(name)


def _judge(by: str) -> str:
    """Return who decides, fit for a commit; raises Refused where that is no person."""
    name = memories.one_line(memories.clean(by, "--by"), "name") or HAND
    if TRUST_OF_SOURCE.get(name, "") in {"agent", "untrusted"}:
        raise Refused(f"what comes from {name} decides nothing: --by names a person")
    return name


def _settled(asked: _Asked, claims: Iterable[Claim]) -> AbstractSet[str]:
    """Return the facts about which a person says something, and nothing waits any more."""
    return asked.settled | {claim.field for claim in claims if claim.source == HAND}


def _heard(name: str, group: Sequence[Claim]) -> _Asked:
    """Return what extracted claims ask of a card, those that a person answered left out."""
    naming.new(name)
    told = [_clean(_checked(claim)) for claim in group]

    def claims(card: Card | None) -> list[Claim]:
        return [claim for claim in told if card is None or not proposing.is_answered(card, claim)]

    return _Asked(name, claims)


def _checked(claim: Claim) -> Claim:
    if claim.source not in TRUST_OF_SOURCE:
        raise BadInput(f"{claim.source!r} is no source")
    field = claim.field if claim.field in OWN else naming.field(claim.field)
    return replace(claim, field=field, at=iso(moment(claim.at)))


def _policies(patch: Patch) -> dict[str, Policy]:
    found: dict[str, Policy] = {}
    for name, policy in patch.policies.items():
        if policy not in POLICIES:
            raise BadInput(f"{name}={policy}: a policy is one of {', '.join(POLICIES)}")
        found[naming.field(name)] = "all" if policy == "all" else "latest"
    if found and TRUST_OF_SOURCE[patch.source] == "untrusted":
        raise Refused(f"what comes from {patch.source} sets no policy: leave it out")
    return found


def _clean(claim: Claim) -> Claim:
    """Return *claim* without its private parts; raises SecretFound, and BadInput for no text."""
    where = f"the field {claim.field} of {claim.category}/{claim.key}"
    return replace(
        claim,
        person=_clean_line(claim.person, "person"),
        relationship=_clean_line(claim.relationship, "relationship"),
        backstory=memories.clean(claim.backstory, "the backstory").strip(),
        value=_clean_value(claim, where),
    )


def _clean_line(text: str, what: str) -> str:
    return memories.one_line(memories.clean(text, f"the {what}"), what)


def _clean_value(claim: Claim, where: str) -> Text | None:
    if claim.value is None:
        return None
    if isinstance(claim.value, tuple):
        return tuple(memories.clean(item, where) for item in claim.value)
    value = memories.clean(claim.value, where)
    if claim.value.strip() and not value:
        raise BadInput(f"{where} is private, all of it: nothing was stored")
    if claim.field == "backstory":
        return value.strip()
    return memories.one_line(value, claim.field) if claim.field in REQUIRED else value


def _grouped(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    groups: dict[str, list[Claim]] = {}
    for claim in sorted(claims, key=lambda claim: claim.at):
        groups.setdefault(f"{claim.category}/{claim.key}", []).append(claim)
    return groups


def _subject(drafts: Sequence[_Draft]) -> str:
    if len(drafts) > 1:
        return f"card: {len(drafts)} cards"
    told = ", ".join(drafts[0].changed or [c.field for c in drafts[0].conflicts])
    memories.refuse_secrets("the name of a card or of a fact", f"{drafts[0].name}: {told}")
    return first_line(f"card: {drafts[0].name}: {told or 'policies'}", _SUBJECT)


def _written(draft: _Draft, commit: str | None) -> Written:
    data = draft.old if draft.new is None else draft.new
    card = reading.in_full(reading.read(draft.path, data)) if data is not None else {}
    return Written(
        draft.name, draft.path, card, draft.changed, draft.conflicts, draft.waits, commit
    )


def _commit(written: Iterable[Written]) -> str | None:
    return next((each.commit for each in written if each.commit), None)


def _refuse_lacking(defaults: Patch) -> None:
    if lacking := [key for key in REQUIRED if not getattr(defaults, key)]:
        raise BadInput(
            "plain JSON does not say whom its facts concern, nor how they arose: give "
            + " ".join(f"--{key}" for key in lacking)
        )


def _said(text: str, agent: str, at: datetime, source: str) -> Said | None:
    told = memories.clean(text, "a note")
    origin = f"{naming.FOLDER}/{hashlib.sha256(told.encode()).hexdigest()[:16]}"
    return Said(told, agent, at, source, origin=origin) if told else None
