"""Take out of the files made from others what those hide by `<private>`, and nobody is told.

The program's own lines go, in a commit. What a person wrote there stays, and is named.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from vaultmem.documents import frontmatter, note_answers
from vaultmem.documents.frontmatter import Field, Value
from vaultmem.errors import DiskRefused, MassVanish, Refused, Unreadable
from vaultmem.knowledge.cards import parser
from vaultmem.knowledge.cards.types import OWN
from vaultmem.maintenance.authorship import Authorship
from vaultmem.maintenance.forgetting import card_redaction, redaction
from vaultmem.maintenance.forgetting.card_redaction import CardRedaction
from vaultmem.maintenance.forgetting.draft import is_made
from vaultmem.maintenance.provenance import card_claims, hidden_sources, quoted_lines
from vaultmem.maintenance.provenance.quoted_lines import Said
from vaultmem.memory.compaction import human_lines
from vaultmem.records import LISTS, SUMMARIES, first_line, iso
from vaultmem.storage import hidden_texts, human_edits, reader, withheld_lines
from vaultmem.storage.hidden_words import HiddenWords
from vaultmem.storage.index import marked_files
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_WHY = "without what is marked as private where it comes from"
_HOOK = 160
_ITEM = re.compile(r"\s*-\s+")
_STAYS = frozenset(OWN) - {"relationship"}


def withdraw(store: Store) -> tuple[str, ...]:
    """Take out of the files what is withheld in them; return their paths. The commit waits.

    A file that cannot be changed now, or in which git does not have what would go, stays as it is.
    """
    if store.index.vanished() or not marked_files.withheld(store.index):
        return ()
    with contextlib.suppress(Refused, MassVanish):
        return store.retry(lambda: _carry_out(store))
    return ()


def _carry_out(store: Store) -> tuple[str, ...]:
    round_ = _Round(store)
    changes = tuple(filter(None, map(round_.change, _ours(store))))
    if changes:
        human_edits.keep(store, changes)
        many = "1 file" if len(changes) == 1 else f"{len(changes)} files"
        subject = f"hide: {many} without what is marked as private"
        store.apply(Plan(store.mint(), "hide", subject, changes))
    return tuple(change.path for change in changes)


def _ours(store: Store) -> list[str]:
    """Return the paths of what is withheld in part, but of the lists, which are made anew."""
    return [path for path in marked_files.withheld(store.index) if path not in LISTS]


class _Round:
    """One go through all files: what is hidden, and whose lines they are, is asked once for all."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._hidden = hidden_texts.known(store.index)
        repository = store.writer.repository
        self._authorship = Authorship(store, repository, store.texts.own) if repository else None

    def change(self, path: str) -> Change | None:
        """Return the change that takes out of the file at *path* what is hidden; None for none."""
        with contextlib.suppress(Refused, Unreadable, DiskRefused):
            old = self._store.texts.own(path)
            if old is not None and (new := self._without(path, old)) != old:
                return Change(path, old, new, _WHY)
        return None

    def _without(self, path: str, old: bytes) -> bytes | None:
        if withheld_lines.has_answers(path, old):
            return self._answered(path, old)
        left = _Left.of(self._store, path, old)
        if reader.kind_of(path) == "card":
            facts = _facts(path, old, self._hidden, left)
            return card_redaction.without(facts, old, iso(self._store.clock()))
        new = _note(path, old, self._hidden, left, frozenset())
        return old if new == old else _note(path, old, self._hidden, left, self._own(path))

    def _answered(self, path: str, old: bytes) -> bytes:
        """Return the note with a mark for each line of our answers that nobody is shown."""
        withheld, own = self._store.texts.withheld(path, old), self._own(path)
        lines = enumerate(_text(old).splitlines(keepends=True))
        made = (
            note_answers.instead(line, withheld_lines.INSTEAD)
            if n in withheld and line.rstrip("\r\n") not in own else line
            for n, line in lines
        )  # fmt: skip
        return "".join(made).encode("utf-8", "surrogateescape")

    def _own(self, path: str) -> frozenset[str]:
        """Return the lines of people there, but for those that say what their sources say."""
        came = self._authorship.own([path])[path] if self._authorship else frozenset[str]()
        text = _text(self._store.texts.own(path) or b"")
        for record in self._store.index.at([path]) if came else ():
            came -= quoted_lines.lines(record, text, self._said, made=is_made(record))
        return came

    @cached_property
    def _said(self) -> Said:
        told = hidden_sources.told_unmarked(self._store, self._hidden)
        return Said(told, frozenset(self._store.index.agents()))


@dataclass(frozen=True)
class _Left:
    """What no source of a file bears out: its *lines*, by digests, and their *values*."""

    lines: frozenset[str]
    values: frozenset[str]

    @classmethod
    def of(cls, store: Store, path: str, data: bytes) -> Self:
        """Return what that is of the file at *path*, whose bytes are *data*."""
        lines = hidden_texts.unborne(store.index, path)
        said = (x for x in _text(data).splitlines() if withheld_lines.digest(x) in lines)
        return cls(lines, frozenset(map(_value, said)) if lines else frozenset())

    def has(self, line: str) -> bool:
        """Tell whether *line* is one of them."""
        return bool(self.lines) and withheld_lines.digest(line) in self.lines

    def says(self, value: str) -> bool:
        """Tell whether *value*, of the frontmatter, stands in one of them."""
        return bool(self.values) and _plain(value) in self.values


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _value(line: str) -> str:
    """Return the value that *line* of a frontmatter gives, or what another line says."""
    item = _ITEM.sub("", line)
    found = frontmatter.KEY_LINE.match(item)
    return _plain(item[found.end() :] if found else item)


def _plain(value: str) -> str:
    """Return *value* as it is compared, whether it was quoted or not."""
    return "".join(filter(str.isalnum, value))


def _facts(path: str, old: bytes, hidden: HiddenWords, left: _Left) -> CardRedaction:
    """Return the card at *path* without what is hidden, and what no source of it bears out."""
    card = parser.read(path, old)
    lines = [(n, x) for n, x in enumerate(_text(old).splitlines(), 1) if left.has(x)]
    items = frozenset(_value(x) for _, x in lines if _ITEM.match(x))
    named = frozenset(card_claims.field_at(card, n) for n, x in lines if not _ITEM.match(x))

    def is_of_it(text: str) -> bool:
        return hidden.says(text) or left.has(text) or _plain(text) in items

    return CardRedaction(card, is_of_it, fields=named - _STAYS)


def _note(path: str, old: bytes, hidden: HiddenWords, left: _Left, own: AbstractSet[str]) -> bytes:
    """Return the file without what is hidden, but for the lines of its *own* that a person wrote.

    Headings stay.
    """
    doc = frontmatter.read(old)
    raw = frontmatter.fields(doc, reader.most_frontmatter(path))
    is_ours = _judging(path, raw, own)
    body = redaction.without(doc.body, _saying(hidden, left), is_ours)
    if not _told(body) and _told(doc.body):
        body = f"{withheld_lines.INSTEAD}\n"
    head = {
        k: v
        for k, v in _head(raw, body, lambda x: hidden.says(x) or left.says(x))
        if v != raw.get(k) and not any(line.startswith(f"{k}:") for line in own)
    }
    changed = frontmatter.update(doc, head, body, reader.most_frontmatter(path))
    return frontmatter.render(changed).encode()


def _saying(hidden: HiddenWords, left: _Left) -> redaction.Says:
    """Return what tells of a line whether it says it, and is no heading."""

    def says(line: str) -> bool:
        return not line.startswith("#") and (left.has(line) or withheld_lines.says(line, hidden))

    return says


def _judging(path: str, raw: Mapping[str, Value], own: AbstractSet[str]) -> redaction.Says:
    """Return what tells of a line whether it is ours: a summary names these, git the *own*."""
    known = frozenset(str(raw.get("written") or "").split())
    if known and reader.kind_of(path) in SUMMARIES:
        return lambda line: human_lines.digest(line) in known
    return lambda line: line.rstrip("\r\n") not in own


def _head(
    raw: Mapping[str, Value], body: str, says: redaction.Says
) -> Iterator[tuple[str, Field | None]]:
    """Yield the fields of *raw* without what is hidden, for a file that says *body* now."""
    for key, value in raw.items():
        if key == "written":
            yield key, human_lines.still_written(body, str(value))
        elif key not in withheld_lines.NOTED and isinstance(value, str) and says(value):
            yield key, _instead(key, body)
        elif key not in withheld_lines.NOTED and isinstance(value, list):
            items = [str(it) for it in value]
            if any(map(says, items)):
                yield key, [it for it in items if not says(it)]


def _instead(key: str, body: str) -> str | None:
    if key not in {"title", "description"}:
        return None
    return first_line(_told(body), _HOOK) or withheld_lines.INSTEAD


def _told(body: str) -> str:
    """Return what *body* says beneath its headings."""
    return "\n".join(x for x in body.splitlines() if x.strip() and not x.startswith("#"))
