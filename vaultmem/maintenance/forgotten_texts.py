"""What was forgotten, and stands in the vault again: brought back by hand, or never taken away."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from vaultmem.documents.markdown import blocks
from vaultmem.maintenance import searched_texts, starter_files, staying_lines, utterances
from vaultmem.memory import memory_index
from vaultmem.records import SUMMARIES, Problem, Record, iso
from vaultmem.storage import human_edits, reader, tombstone_digests, tombstones, ulids
from vaultmem.storage.index import Filter
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone, Tombstones

CODE = "forgotten"
_LEAD = re.compile(r"[\s>*+#-]*(?:\d{1,3}[.)] )?")

_BY_HAND = ("note", "file", "topic", "card", "task", "skill", "working", "index", "agent")
_WRITTEN = Filter(type=_BY_HAND)
"""What people and agents write into by hand, whoever made it."""

_MADE = Filter(type=SUMMARIES)
_NEWEST = 200
"""Of those that the program makes, which are many: so many of either are looked into at once."""

_MEMORIES = Filter(type="memory", below="agents")


def problems(store: Store, *, whole: bool = False) -> Iterator[Problem]:
    """Name the files that have an id that was forgotten, and those that say what was.

    That is notes, topics, cards and whatever else somebody may write into, the newest episodes,
    summaries and memories, and what waits to become a memory, a text once for as long as nothing
    else is forgotten; *whole* looks into all episodes, summaries and memories, again, too. Not
    those that are held back, which `status` names anyway: they go nowhere.
    """
    known = tombstones.readable(store)
    if not known.all:
        return
    named = {it.path: it for it in store.index.identified(stone.id for stone in known.all)}
    found = {path: known.of_id(it.id) for path, it in named.items() if not it.held}
    candidates = _candidates(store, whole=whole)
    saying = (
        _that_say_it(candidates, known) if whole else _that_newly_say_it(store, candidates, known)
    )
    asked = {it.path: _asked(store, known, it) for it in saying}
    as_a_whole = {it.path: asked[it.path].of(_text(it)) for it in saying}
    found |= {it.path: as_a_whole[it.path] or _by_part(asked[it.path], it)
              for it in saying if not it.held}  # fmt: skip
    lines = {it.path: staying_lines.find(asked[it.path], it.body)
             for it in saying if not found.get(it.path)}  # fmt: skip
    whole_texts = {path for path, stone in as_a_whole.items() if stone} | named.keys()
    ids = {it.path: it.id for it in saying if it.type == "memory" and it.path not in named}
    for path, stone in sorted(found.items()):
        if stone and not tombstones.is_path(path):
            day = stone.created[:10]
            is_twin = _was_there(ids.get(path, ""), stone)
            message = _STAYED.format(day) if is_twin else _BACK.format(day)
            again = _AGAIN if path in whole_texts else _TAKE_OUT
            keep = f"{tombstones.allow_again(stone.id)} lets it stay"
            repair = f"{again.format(path=shlex.quote(path))}; {keep}"
            yield Problem(CODE, path, message, repair)
    for path, stone in sorted(lines.items()):
        if stone:
            keep = f"{tombstones.allow_again(stone.id)} lets it stay"
            repair = f"{_CHANGE.format(path=shlex.quote(path))}; {keep}"
            yield Problem(CODE, path, _LEFT.format(stone.created[:10]), repair)


_BACK = "this was forgotten on {}, and is here again"
_STAYED = "this says what was forgotten on {} in another file, and was here then"
_LEFT = "a person's line says what was forgotten on {}, and stayed"
_CHANGE = "change that line of {path}, or take it out"
_AGAIN = "`vaultmem forget {path}` forgets it once more"
_TAKE_OUT = "take the line that says it out of {path}"


def _was_there(memory_id: str, stone: Tombstone) -> bool:
    """Tell whether the memory of that id was kept before *stone* was made, for another of them."""
    if not ulids.is_valid(memory_id):
        return False
    return iso(datetime.fromtimestamp(ulids.minted_at(memory_id), UTC)) <= stone.created


def without_advice_against(
    forgotten: Iterable[Problem], problems: Iterable[Problem]
) -> Iterator[Problem]:
    """Yield *problems* but those whose repair would make a memory of what was *forgotten*."""
    paths = {problem.path for problem in forgotten}
    yield from (p for p in problems if p.code != reader.INCOMPLETE or p.path not in paths)


def _candidates(store: Store, *, whole: bool) -> Iterator[Record]:
    """Yield what nobody asked the tombstones of when it came."""
    index = store.index
    yield from index.records(_WRITTEN)
    for made in (_MADE, _MEMORIES):
        yield from index.every(made) if whole else index.records(made, newest=_NEWEST)
    yield from index.at(p.path for p in index.problems() if p.code == reader.INCOMPLETE)


def _that_say_it(candidates: Iterable[Record], known: Tombstones) -> list[Record]:
    """Return those that say what was forgotten; each text is read once, and hashed once a salt."""
    digests = {digest for stone in known.all for digest in stone.digests}
    salts = {stone.salt for stone in known.all}

    def says_it(record: Record) -> bool:
        said = frozenset[str]().union(*map(tombstone_digests.phrases, _phrases(record)))
        return any(
            tombstone_digests.digest(_text(record), salt) in digests
            or not digests.isdisjoint(tombstone_digests.phrase_digests(said, salt))
            for salt in salts
        ) or bool(staying_lines.find(known, record.body))

    return list(filter(says_it, candidates))


def _that_newly_say_it(
    store: Store, candidates: Iterable[Record], known: Tombstones
) -> list[Record]:
    """Return the same, without a second search of what said nothing of it before."""
    searched = searched_texts.load(store.root.path, known)
    keyed = [(searched_texts.key(it), it) for it in candidates]
    saying = _that_say_it((it for key, it in keyed if key not in searched), known)
    silent = {key for key, _ in keyed} - {searched_texts.key(it) for it in saying}
    if silent != searched:
        searched_texts.note(store.root.path, known, silent)
    return saying


def _phrases(record: Record) -> Iterator[str]:
    """Yield the text, unless every vault starts with it, and its `_parts`."""
    brought = starter_files.passages(record.path)
    if (text := _text(record)) not in brought:
        yield text
    yield from _parts(record, brought)


def _parts(record: Record, brought: Collection[str]) -> Iterator[str]:
    """Yield the names, the facts, and the passages, but those that every vault *brought*."""
    if record.type != "memory":
        # The list that the program makes says what the files do, which are named themselves.
        body = memory_index.own_text(record.body) if record.type == "index" else record.body
        own = (part for part in blocks.passages(body) if part not in brought)
        said = (_LEAD.sub("", part, count=1) for part in own)
        facts = (line.partition(": ")[2] for line in record.facts.splitlines())
        parts = dict.fromkeys((*record.labels, *facts, *said))
        yield from filter(blocks.says_enough, parts)


def _text(record: Record) -> str:
    """Return the text by which a note is known again."""
    return record.body or record.facts or record.title


def find(known: Tombstones, record: Record) -> Tombstone | None:
    """Return what says that the file of *record* was forgotten: by its id, or all that it says."""
    return known.of_id(record.id) if record.id else known.barring(record.path).of(_text(record))


def standing(store: Store, known: Tombstones) -> Iterator[str]:
    """Yield the files that are what is *known* to be forgotten, by their ids or whole texts."""
    if known.all:
        named = store.index.identified(stone.id for stone in known.all)
        yield from (it.path for it in named if not tombstones.is_path(it.path))
        written = store.index.records(_WRITTEN)
        yield from (it.path for it in written if not it.id and find(known, it))


def brings_back(known: Tombstones, old: Record, new: Record) -> bool:
    """Tell whether a file says, as *new*, what is *known* to be forgotten, and did not as *old*.

    By its id, as a whole, in a part of it, or as words in a row.
    """
    if new.id != old.id and known.of_id(new.id):
        return True
    barring = known.barring(new.path)
    added = {*_phrases(new)} - {*_phrases(old)}
    return bool(barring.of(*added)) or not _rows(barring, new) <= _rows(barring, old)


def _rows(known: Tombstones, record: Record) -> set[str]:
    said = (record.title, record.description, record.facts, record.body)
    return {row for text in said for row in tombstones.stretches(text, known.all)}


def _asked(store: Store, known: Tombstones, record: Record) -> Tombstones:
    """Return those of *known* that bar what *record* says: not of what another said of themselves.

    That is its own speaker, or one who said it where it has that from, unless the words of its
    person's name stand beside it.
    """
    barring, owner = known.barring(record.path), store.config().owner
    if record.speaker or not any(stone.whose for stone in barring.all):
        return barring.of_speaker(record.speaker, owner)
    heard = tuple(utterances.of(store, record))
    parts = tuple(_phrases(record))

    def is_anothers(stone: Tombstone) -> bool:
        alone = Tombstones((stone,))
        said = {it.speaker for it in heard if alone.of_any(it.text)}
        if all(alone.of_speaker(name, owner).all for name in said):
            return False
        telling = (part for part in parts if alone.of(part))
        whose = {*stone.whose}
        return not any(whose <= {*tombstone_digests.name_digests(it, stone.salt)} for it in telling)

    return Tombstones(tuple(s for s in barring.all if not (s.whose and is_anothers(s))))


def _by_part(asked: Tombstones, record: Record) -> Tombstone | None:
    return asked.of(*_parts(record, starter_files.passages(record.path)))


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
