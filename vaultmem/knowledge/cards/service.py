"""The runner: set, settle and take what is said of cards; get, list and export them; import."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from vaultmem import arguments
from vaultmem.errors import Unreadable
from vaultmem.knowledge.cards import drafting, formats, import_cards, names, parser
from vaultmem.knowledge.cards import requests as card_requests
from vaultmem.knowledge.cards.formats import Mode
from vaultmem.knowledge.cards.listing import CardListing
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.requests import (
    CANNOT,
    ONCE,
    CardRequest,
    Draft,
    Listed,
    Loaded,
    Taken,
    Written,
)
from vaultmem.knowledge.cards.types import HAND, Claim, Json, Patch
from vaultmem.memory import remember
from vaultmem.records import Problem, Record
from vaultmem.storage import files, tombstones
from vaultmem.storage.store import Store

_log = logging.getLogger(__name__)


Names = list[str]


@arguments.checked
class Cards:
    """The cards of a vault."""

    def __init__(self, store: Store) -> None:
        """Work on the vault at *store*."""
        self.store = store

    # --- writing --------------------------------------------------------------------------------

    def set(self, name: str, patch: Patch, *, create: bool = False, reason: str = "") -> Written:
        """Patch the card called *name* (`category/key`), or make it.

        What a less trusted source says against a more trusted one waits in the inbox. The *reason*
        stands in the commit alone. Raises BadInput for what cannot be, or a new card without what
        every card needs; NameTaken when it shall *create* one that is there; Refused for what was
        forgotten, or what a tool said to the agent that says it; SecretFound, Unreadable, and what
        `Store.apply` does.
        """
        self.store.sync_notes()
        asked = card_requests.patched(self.store, _bare(name), patch, create=create)
        self.store.sync_sources(names.path(_bare(name)))  # what is written is shown
        why = remember.reason_line(reason)
        card_requests.refuse_patch(self.store, name, patch)
        tombstones.refuse(self.store, why)
        return self._one(asked, *remember.reason_notes(why))

    def resolve(
        self, name: str, fields: Mapping[str, Json] | None = None, by: str = HAND
    ) -> Written:
        """Settle what disagrees about a card: by *fields*, or by what is ticked in its note.

        *by* is who decided. Raises BadInput for an unknown card, Refused for who may not decide.
        """
        self.store.sync_notes()
        listing = CardListing(self.store)
        path = listing.known(_bare(name))
        self.store.sync_sources(path)
        made = self._decided(path, fields or listing.chosen(path), by)
        return replace(made, waits=listing.note_path(path) if listing.waits(path) else "")

    def apply_ticked(self) -> Names:
        """Do what a person ticked in the notes of the inbox; return the cards it was about."""
        self.store.sync_notes()
        listing, settled = CardListing(self.store), []
        for path, note in listing.notes.items():
            try:
                if chosen := listing.chosen(path):
                    settled.append(self._decided(path, chosen, HAND).name)
            except CANNOT as e:
                _log.warning("%s waits: %s", note, e)
        return settled

    def ticks_that_wait(self) -> tuple[Problem, ...]:
        """Name the notes of the inbox with a ticked box that `apply_ticked` cannot do, and why."""
        listing, found = CardListing(self.store, 1), []
        for path, note in listing.notes.items():
            try:
                if chosen := listing.chosen(path):
                    asked = card_requests.decided(self.store, path, chosen)
                    drafting.check(asked, CardListing(self.store, 1))
            except CANNOT as e:
                found.append(Problem("tick-waits", note, f"what is ticked waits: {e}", ONCE))
        return tuple(found)

    def take(self, claims: Iterable[Claim]) -> Taken:
        """Take claims that were drawn from what was said; what is known already changes nothing.

        Nor does what a person has decided otherwise since. A claim that no card can hold is left.
        """
        self.store.sync_notes()
        groups, left = card_requests.grouped(claims), dict[str, str]()

        def drafts() -> Iterator[Draft]:
            listing = CardListing(self.store, len(groups))
            for name, group in groups.items():
                try:
                    card_requests.refuse_quoted(self.store, group)
                    yield drafting.draft(card_requests.request_from_claims(name, group), listing)
                except CANNOT as e:
                    left[name] = f"{name}: {e}"

        written = [w for w in drafting.carry(self.store, drafts) if w.changed or w.conflicts]
        return Taken(tuple(written), tuple(left.values()), drafting.commit_of(written))

    def _decided(self, path: str, fields: Mapping[str, Json], by: str) -> Written:
        decided = card_requests.judge(by)
        return self._one(card_requests.decided(self.store, path, fields), f"Decided by {decided}.")

    def _one(self, asked: CardRequest, *notes: str) -> Written:
        """Draft, write and commit what is asked of one card."""

        def drafts() -> Iterator[Draft]:
            yield drafting.draft(asked, CardListing(self.store, 1))

        return drafting.carry(self.store, drafts, *notes)[0]

    # --- reading --------------------------------------------------------------------------------

    def get(self, name: str) -> dict[str, Json]:
        """Return the card called *name*, all of it; raises BadInput for an unknown one.

        `conflicts` are the claims that wait, against what is kept meanwhile.
        """
        self.store.sync_soon()  # what a card tells was hidden a moment ago, maybe
        listing = CardListing(self.store)
        path = listing.known(_bare(name))
        self.store.sync_sources(path)
        card = listing.read(path)
        return {**parser.in_full(card), "conflicts": list(listing.doubts(path, card))}

    def list(self, *, person: str = "", category: str = "") -> tuple[Listed, ...]:
        """Return the cards by name: of those whom *person* is part of, and in a *category*."""
        self.store.sync_soon()
        listing = CardListing(self.store)
        return tuple(
            card
            for card in (self._listed(path, listing) for path in listing.paths)
            if person.casefold() in card.person.casefold()
            and category in {"", names.split(card.name)[0]}
        )

    def export(self, mode: Mode = "advanced") -> dict[str, Json]:
        """Return all cards as one JSON object.

        `problems` in it, only where there are any, tell of the cards that cannot be trusted.
        """
        self.store.sync_soon()
        listing = CardListing(self.store)
        cards, problems = list[Card](), list[str]()
        for path in listing.paths:
            try:
                cards.append(listing.read(path))
            except Unreadable as e:
                problems.append(str(e))
        found = formats.exported(cards, mode)
        return {**found, "problems": problems} if problems else found

    def _listed(self, path: str, listing: CardListing) -> Listed:
        found = files.read(self.store.root, path)
        now = self.store.texts.record(path, found) if found else Record(path, "")
        return Listed(
            names.of_path(path), path, now.title, now.person, now.relationship, now.description,
            now.trust, len(listing.waits(path)),
            now.problem.message if now.problem else "",
        )  # fmt: skip

    # --- import ---------------------------------------------------------------------------------

    def load(
        self, data: bytes, mode: Mode, defaults: Patch, *, where: str = "the file", agent: str = ""
    ) -> Loaded:
        """Import what was exported; importing it again changes nothing.

        *defaults* say what the file does not: source, date, and for plain JSON whom it concerns.
        Notes and paragraphs become memories of *agent*. Raises BadInput with the place in *where*;
        nothing is written then.
        """
        self.store.sync_soon()
        found = formats.load(data, where)
        if mode in {"notes", "enhanced"}:
            return import_cards.remember(self.store, formats.sayings(found), defaults, agent)
        return import_cards.patch(self.store, found, mode, defaults, where)


def _bare(name: str) -> str:
    """Return *name* as it is meant: a card may be named by its path."""
    return names.of_path(name) if name.endswith(".md") else name
