"""What is asked of cards, what is about to happen to them, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultmem.documents import secrets
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.knowledge.cards import conflict_note, flat_json, names, patch_claims, patching
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.types import (
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
from vaultmem.memory import remember, tool_quotes
from vaultmem.records import TRUST_OF_SOURCE, iso, moment
from vaultmem.storage import tombstones
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store

CANNOT = (BadInput, Refused, Unreadable)
ONCE = "once that is mended, the next round does it"
"""What keeps one card from being written, and leaves others alone."""


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a card: the *card* as it is now, what *changed* in it, and what waits.

    *waits* is the note or, in the inbox, the whole card that waits for a person; *commit* is None
    when nothing changed, or while git has not got it yet; *existed* when the card stood there
    before. *uncommitted* says why git never gets it, and what to do.
    """

    name: str
    path: str
    card: Mapping[str, Json]
    changed: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    waits: str = ""
    commit: str | None = None
    existed: bool = False
    uncommitted: str = ""


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
class CardRequest:
    """What is asked of one card; *settled* are the facts that a person decides by it."""

    name: str
    claims: Callable[[Card | None], Sequence[Claim]]
    strategy: Strategy | None = None
    policies: Mapping[str, Policy] | None = None
    create: bool = False
    settled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Draft:
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
        if self.path.startswith(remember.REVIEW):
            return self.path
        return self.note if conflict_note.boxes(self.noted) else ""


def patched(store: Store, name: str, patch: Patch, *, create: bool = False) -> CardRequest:
    """Return what *patch* asks of the card *name*, or of a new one; raises BadInput, Refused."""
    if patch.source not in TRUST_OF_SOURCE:
        known = ", ".join(TRUST_OF_SOURCE)
        raise BadInput(f"{quoted(patch.source)} is not a source: use one of {known}")
    at = iso(moment(patch.at)) if patch.at else iso(store.clock())
    dated = replace(patch, at=at, fields=flat_json.public(patch.fields))

    def claims(card: Card | None) -> list[Claim]:
        return [_cleaned(claim) for claim in patch_claims.claims(dated, name, card)]

    return CardRequest(name, claims, patch.strategy, _policies(patch), create)


def refuse_quoted(store: Store, claims: Iterable[Claim]) -> None:
    """Raise Refused where what an agent claims is what a tool said."""
    ours = [claim for claim in claims if claim.source == "agent"]
    about = (
        x
        for it in ours
        for x in (it.category, it.key, it.field, it.person, it.relationship, it.backstory)
    )
    in_a_row = _in_a_row((it.field, it.value) for it in ours)
    tool_quotes.refuse(store, "", *_lines(claim.value for claim in ours), *about, in_a_row)


def refuse_patch(store: Store, name: str, patch: Patch) -> None:
    """Raise Refused where *patch* of the card *name* says what was forgotten.

    And where an agent says in it what a tool said.
    """
    fields = flat_json.flatten(patch.fields)
    said = (*_lines(fields.values()), patch.backstory, patch.person, patch.relationship)
    tombstones.refuse(store, *said)
    if patch.source == "agent":
        tool_quotes.refuse(store, "", *said, *name.split("/"), *fields, _in_a_row(fields.items()))


def _in_a_row(fields: Iterable[tuple[str, Text | None]]) -> str:
    """Return the names of *fields*, each with what it says, as one text."""
    return "\n".join(text for name, value in fields for text in (name, *_lines([value])))


def _lines(values: Iterable[Text | None]) -> Iterator[str]:
    for value in values:
        yield from (value,) if isinstance(value, str) else value or ()


def plain(store: Store, name: str, patch: Patch) -> CardRequest:
    """Return what plain facts ask of a card: whom it concerns they say of new ones alone."""
    facts = replace(patch, person="", relationship="", backstory="")

    def claims(card: Card | None) -> Sequence[Claim]:
        if card and card.record.person.casefold() != patch.person.casefold():
            raise Refused(
                f"the card is there, and concerns {card.record.person}, not {patch.person}: "
                "give the person as it stands, or the card another name in the file"
            )
        return patched(store, name, facts if card else patch).claims(card)

    return replace(patched(store, name, facts), claims=claims)


def decided(store: Store, path: str, fields: Mapping[str, Json]) -> CardRequest:
    """Return what a person who settles *fields* asks of the card at *path*."""
    patch = Patch(fields=fields, strategy="overwrite", source=HAND)
    request = patched(store, names.of_path(path), patch)
    return replace(request, settled=frozenset(flat_json.flatten(fields)))


def request_from_claims(name: str, group: Sequence[Claim]) -> CardRequest:
    """Return what extracted claims ask of a card, those that a person answered left out."""
    names.new(name)
    cleaned = [_cleaned(_checked(claim)) for claim in group]

    def claims(card: Card | None) -> list[Claim]:
        return [claim for claim in cleaned if card is None or not patching.is_answered(card, claim)]

    return CardRequest(name, claims)


def grouped(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """Return *claims*, the oldest first, by the name of the card that each is about."""
    groups: dict[str, list[Claim]] = {}
    for claim in sorted(claims, key=lambda claim: claim.at):
        groups.setdefault(f"{claim.category}/{claim.key}", []).append(claim)
    return groups


def judge(by: str) -> str:
    """Return who decides, fit for a commit; raises Refused where that is no person."""
    name = remember.one_line(remember.clean(by, "the name of who decides"), "name") or HAND
    if TRUST_OF_SOURCE.get(name, "") in {"agent", "untrusted"}:
        raise Refused(f"what comes from {name} decides nothing: name the person who does")
    return name


def _policies(patch: Patch) -> dict[str, Policy]:
    found: dict[str, Policy] = {}
    for name, policy in patch.policies.items():
        if policy not in POLICIES:
            raise BadInput(f"{name}={policy}: a policy is one of {', '.join(POLICIES)}")
        found[names.field(name)] = "all" if policy == "all" else "latest"
    if found and TRUST_OF_SOURCE[patch.source] == "untrusted":
        raise Refused(f"what comes from {patch.source} sets no policy: leave it out")
    return found


def _cleaned(claim: Claim) -> Claim:
    """Return *claim* without its private parts; raises SecretFound, and BadInput for no text."""
    where = f"the field {claim.field} of {claim.category}/{claim.key}"
    return replace(
        claim,
        person=_clean_line(claim.person, "person"),
        relationship=_clean_line(claim.relationship, "relationship"),
        backstory=remember.clean(claim.backstory, "the backstory").strip(),
        value=_clean_value(claim, where),
    )


def _checked(claim: Claim) -> Claim:
    """Return *claim*, field and date as they are written; raises BadInput for what is none."""
    if claim.source not in TRUST_OF_SOURCE:
        raise BadInput(f"{quoted(claim.source)} is not a source")
    field = claim.field if claim.field in OWN else names.field(claim.field)
    return replace(claim, field=field, at=iso(moment(claim.at)))


def _clean_line(text: str, what: str) -> str:
    return remember.one_line(remember.clean(text, f"the {what}"), what)


def _clean_value(claim: Claim, where: str) -> Text | None:
    if claim.value is None:
        return None
    if isinstance(claim.value, tuple):
        items = tuple(remember.clean(it, where) for it in secrets.public_items(claim.value))
        if claim.value and not items:
            raise BadInput(f"{where} is not stored: all of it is private")
        return items
    value = remember.clean(claim.value, where)
    if claim.value.strip() and not value:
        raise BadInput(f"{where} is not stored: {secrets.why_empty(claim.value)}")
    if claim.field == "backstory":
        return value.strip()
    return remember.one_line(value, claim.field) if claim.field in REQUIRED else value
