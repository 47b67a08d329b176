"""What was forgotten, and stands in the vault again: brought back by hand, or never taken away."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import replace

from vaultmem.records import Problem, Record
from vaultmem.storage import human_edits, reader, tombstones
from vaultmem.storage.index import Filter
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone, Tombstones

CODE = "forgotten"
_LEAD = re.compile(r"[\s>*+#-]*(?:\d{1,3}[.)] )?")
_PARAGRAPH = re.compile(r"\n\s*\n")
_SPACES = 3
"""Between the words of a line that is not everybody's."""

_NOTES, _MEMORIES = Filter(type="note"), Filter(type="memory", below="agents")


def problems(store: Store, *, whole: bool = False) -> Iterator[Problem]:
    """Name the files that have an id that was forgotten, and notes that say what was.

    So it does for what waits to become a memory; *whole* looks into those that are, too. Not those
    that are held back, which `status` names anyway: they go nowhere.
    """
    known = tombstones.readable(store)
    if not known.all:
        return
    named = {it.path: it for it in store.index.identified(stone.id for stone in known.all)}
    found = {path: _by_id(known, it) for path, it in named.items() if not it.held}
    saying = _that_say_it(_candidates(store, whole=whole), known)
    found |= {it.path: known.of(_text(it), *_phrases(it)) for it in saying if not it.held}
    for path, stone in sorted(found.items()):
        if stone and not tombstones.is_path(path):
            message = f"this was forgotten on {stone.created[:10]}, and is here again"
            yield Problem(
                CODE,
                path,
                message,
                f"`vaultmem forget {shlex.quote(path)}` forgets it once more; to keep it, "
                f"delete {stone.path}",
            )


def without_advice_against(
    forgotten: Iterable[Problem], problems: Iterable[Problem]
) -> Iterator[Problem]:
    """Yield *problems* but those whose repair would make a memory of what was *forgotten*."""
    paths = {problem.path for problem in forgotten}
    yield from (p for p in problems if p.code != reader.INCOMPLETE or p.path not in paths)


def _candidates(store: Store, *, whole: bool) -> Iterator[Record]:
    """Yield what nobody asked the tombstones of when it came."""
    yield from store.index.records(_NOTES)
    yield from store.index.at(p.path for p in store.index.problems() if p.code == reader.INCOMPLETE)
    if whole:
        yield from store.index.records(_MEMORIES)


def _that_say_it(candidates: Iterable[Record], known: Tombstones) -> list[Record]:
    """Return those that say what was forgotten; each text is hashed once, whatever that was."""
    digests = {digest for stone in known.all for digest in stone.digests}
    salts = {stone.salt for stone in known.all}
    return [
        it
        for it in candidates
        if any(
            tombstones.digest(_text(it), salt) in digests
            or any(digests & tombstones.phrase_digests(x, salt) for x in (_text(it), *_phrases(it)))
            for salt in salts
        )
    ]


def _phrases(record: Record) -> Iterator[str]:
    """Yield the names, the paragraphs and the lines of a note that are not everybody's."""
    if record.type == "note":
        lines = (_LEAD.sub("", line, count=1) for line in record.body.splitlines())
        parts = (*record.labels, *lines, *_PARAGRAPH.split(record.body))
        yield from (part for part in parts if part.count(" ") >= _SPACES)


def _text(record: Record) -> str:
    """Return the text by which a note is known again."""
    return record.body or record.facts or record.title


def find(known: Tombstones, record: Record) -> Tombstone | None:
    """Return what says that the file of *record* was forgotten: by its id, or all that it says."""
    return _by_id(known, record) if record.id else known.of(_text(record))


def _by_id(known: Tombstones, record: Record) -> Tombstone | None:
    return next((stone for stone in known.all if stone.id == record.id.upper()), None)


def held_back(store: Store) -> Iterator[Problem]:
    """Yield the files that are kept out of the history, and say which are forgotten elsewhere."""
    yield from (problem for problem, _ in _held(store))


def held_and_forgotten(store: Store) -> Iterator[Problem]:
    """Yield those of `held_back` that were forgotten elsewhere, and stay on this machine alone."""
    yield from (problem for problem, is_forgotten in _held(store) if is_forgotten)


def _held(store: Store) -> Iterator[tuple[Problem, bool]]:
    held = tuple(human_edits.held_back(store))
    known = tombstones.readable(store) if held else Tombstones()
    for found in held:
        records = store.index.at([found.path])
        if said := next((why for it in records if (why := _forgotten(known, it))), ""):
            message = f"{found.message}; {said}"
            repair = f"{_FORGET_HERE}; or {found.repair}"
            yield replace(found, message=message, repair=repair), True
        else:
            yield found, False


_FORGET_HERE = "delete it to forget it here, too"


def _forgotten(known: Tombstones, record: Record) -> str:
    if find(known, record):
        return "it was forgotten on another machine"
    if not record.id and next(tombstones.stretches(record.body, known.all), None):
        return "a sentence of it was forgotten"
    return ""
