"""From what is asked of a card to the bytes it shall have, and those of the note about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from vaultmem.carding.model import Asked, Draft
from vaultmem.carding.shelf import Shelf
from vaultmem.cards import naming, proposing, waiting
from vaultmem.cards.model import HAND, Claim, Conflict
from vaultmem.errors import NameTaken
from vaultmem.memory import remember
from vaultmem.records import iso, lowest
from vaultmem.storage import files, reader, tombstones
from vaultmem.storage.store import Site


def draft(asked: Asked, shelf: Shelf) -> Draft:
    """Draft what is *asked* of one card; raises NameTaken for one that shall be new and is there.

    Raises also BadInput, Refused, SecretFound and Unreadable, for what cannot be.
    """
    site = shelf.site
    there = shelf.find(asked.name)
    if there and asked.create:
        raise NameTaken(there)
    claims = asked.claims(shelf.read(there) if there else None)
    path = there or _place(asked.name, claims)
    old = site.read(path)
    proposed = proposing.change(
        old, path, claims, iso(site.clock()), next(shelf.ids),
        strategy=asked.strategy, policies=asked.policies,
    )  # fmt: skip
    _refuse_forgotten(site, path, old, proposed.text)
    settled = _settled(asked, claims)
    note = shelf.note(path) if settled or proposed.conflicts else b""
    return Draft(
        name=naming.of_path(path),
        path=path,
        old=old,
        new=proposed.text,
        changed=proposed.fields,
        conflicts=proposed.conflicts,
        note=shelf.note_path(path),
        was=note,
        noted=_noted(path, note, settled, proposed.conflicts, shelf),
        trust=lowest(claim.trust for claim in claims),
    )


def _refuse_forgotten(site: Site, path: str, old: bytes | None, new: bytes | None) -> None:
    """Raise Refused for a card that tells anew, word for word, what was forgotten."""
    told, was = (reader.record(path, files.content(x)) if x else None for x in (new, old))
    if told:
        known = {was.body, was.facts} if was else set()
        tombstones.refuse(site, *({told.body, told.facts} - known))


def _noted(
    path: str,
    note: bytes,
    settled: AbstractSet[str],
    conflicts: Sequence[Conflict],
    shelf: Shelf,
) -> bytes:
    """Return the note about a card: claims come, and go when a person decides."""
    if path.startswith(remember.REVIEW):  # all of it waits anyway
        return note
    settled = settled - {conflict.field for conflict in conflicts}
    if note and settled & waiting.fields(note):
        note = waiting.without(note, settled) or b""
    if conflicts:
        empty = waiting.new(path, shelf.person(path), iso(shelf.site.clock()), next(shelf.ids))
        note = waiting.added(note or empty, conflicts)
    return note


def _place(name: str, claims: Sequence[Claim]) -> str:
    """Return where a new card comes; what nobody trusted says waits for a person."""
    naming.new(name)
    trusts = {claim.trust for claim in claims}
    return naming.review(name) if trusts == {"untrusted"} else naming.path(name)


def _settled(asked: Asked, claims: Iterable[Claim]) -> AbstractSet[str]:
    """Return the facts about which a person says something, and nothing waits any more."""
    return asked.settled | {claim.field for claim in claims if claim.source == HAND}
