"""What a vault has of cards, and of notes about them, at one moment."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from vaultmem.documents import frontmatter
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused, StaleWrite, Unreadable
from vaultmem.knowledge.cards import conflict_note, names, parser
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.types import Json, Text
from vaultmem.storage import files, reader
from vaultmem.storage.index import Filter
from vaultmem.storage.store import Store

_log = logging.getLogger(__name__)
_CARDS = Filter(type="card", below="cards")
_NOTES = Filter(type=conflict_note.TYPE, below="inbox")


def _minted(store: Store, count: int) -> Iterator[str]:
    """Yield new ids, which are minted together for the first: who only looks writes nothing."""
    yield from store.mint_many(count) if count else ()


class CardListing:
    """The cards of a vault and the notes about them at one moment, to find them in."""

    def __init__(self, store: Store, most: int = 0) -> None:
        """Look at *store*; up to *most* cards may become new, each with a note."""
        self.store = store
        records = store.index.records(_CARDS, body=False)
        self.paths = tuple(sorted(record.path for record in records))
        self.ids = _minted(store, 2 * most)
        self._persons = {record.path: record.person for record in records}

    def known(self, name: str) -> str:
        """Return where the card called *name* lies; raises BadInput for an unknown one."""
        path = self.find(name)
        if path is None and self.store.texts.read(whole := names.review(name)) is not None:
            raise BadInput(
                f"the card {quoted(name)} waits, all of it: "
                f"`vaultmem review accept {whole}` lets it in"
            )
        if path is None:
            raise BadInput(f"no card {quoted(name)} in this vault: `vaultmem card list` names them")
        return path

    def find(self, name: str) -> str | None:
        """Return where the card called *name* lies: also in other case, or renamed by a person.

        Raises Refused where several are meant.
        """
        if names.path(name) in self._persons:
            return names.path(name)
        return _only(name, self._folded.get(name.casefold())) or _only(name, self._own.get(name))

    @cached_property
    def _folded(self) -> Mapping[str, list[str]]:
        return _by((names.of_path(path).casefold(), path) for path in self.paths)

    @cached_property
    def _own(self) -> Mapping[str, list[str]]:
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
        data = self.store.texts.read(path)
        if data is None:
            raise StaleWrite(path, "", None)
        found = parser.read(path, data)
        return replace(found, record=self.store.texts.record(path, files.content(data)))

    def person(self, path: str) -> str:
        """Return whom the card at *path* concerns, or else how it is called."""
        return self._persons.get(path) or names.of_path(path)

    @cached_property
    def notes(self) -> Mapping[str, str]:
        """The notes of claims that disagree, by the card that each is about."""
        found = self.store.index.records(_NOTES, body=False)
        return {about: note.path for note in found if (about := self._about(note.path))}

    def _about(self, note: str) -> str:
        try:
            about = _fields(note, self.store.texts.read(note) or b"").get("card", "")
        except Unreadable as e:
            _log.warning("%s", e)
            return ""
        return f"{reader.link_target(about)}.md" if isinstance(about, str) and about else ""

    def note_path(self, path: str) -> str:
        """Return where claims about the card at *path* wait, or would."""
        return self.notes.get(path) or names.note(names.of_path(path))

    def note(self, path: str) -> bytes:
        """Return the note about the card at *path*, empty when nothing waits; raises Unreadable."""
        where = self.note_path(path)
        data = self.store.texts.read(where) or b""
        _fields(where, data)
        return data

    def chosen(self, path: str) -> dict[str, Text | None]:
        """Return what is ticked in the note about the card at *path*, of the claims put there.

        A box that somebody else drew, ticked or not, decides nothing. Raises Unreadable.
        """
        data = self.note(path)
        note = str(_fields(self.note_path(path), data).get("id", ""))
        return conflict_note.chosen(data, partial(self.store.attestations.offered, note))

    def doubts(self, path: str, card: Card) -> Iterator[dict[str, Json]]:
        """Yield the claims about the card at *path* that wait, beside what it says."""
        try:
            boxes = conflict_note.boxes(self.note(path))
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
            return conflict_note.fields(self.note(path))
        except Unreadable as e:
            _log.warning("%s", e)
            return frozenset()


def _fields(path: str, data: bytes) -> Mapping[str, object]:
    """Return the frontmatter of a note; raises Unreadable, naming it."""
    try:
        return frontmatter.fields(frontmatter.read(data))
    except Unreadable as e:
        raise Unreadable(e.code, f"{path}: {e.why}; fix it by hand") from e


def _by(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, path in pairs:
        found.setdefault(key, []).append(path)
    return found


def _only(name: str, paths: Sequence[str] | None) -> str | None:
    if paths and len(paths) > 1:
        raise Refused(
            f"{quoted(name)} may be any of {', '.join(paths)}: rename or merge them by hand"
        )
    return paths[0] if paths else None
