"""What one side forgot the other forgets: its versions go before anything is merged.

A tombstone knows what it stands for by its id, and what has none by a hash of its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

from vaultmem.documents import frontmatter
from vaultmem.errors import Unreadable
from vaultmem.exchange.sync.types import Data, ForgottenPath, Sides, Versions
from vaultmem.storage import files, reader, tombstone_digests, tombstones
from vaultmem.storage.tombstones import Tombstone, Tombstones

_Pairs = Counter[tuple[str, str]]
"""How often a text has a word and the one behind it."""


def forgotten_paths(sides: Sides, owner: str = "") -> dict[str, ForgottenPath]:
    """Return what was forgotten on either side, by path; *owner* is whose vault it is."""
    news = {path: it for path, it in sides.items() if it.base is None and tombstones.is_path(path)}
    ours = _new_tombstones({path: it.ours for path, it in news.items()}, owner)
    theirs = _new_tombstones({path: it.theirs for path, it in news.items()}, owner)
    if not (ours.ids or theirs.ids):
        return {}
    found = ((p, _forgotten_path(p, it, ours, theirs)) for p, it in sides.items() if _may_go(p))
    made = {path: burial for path, burial in found if burial}
    return made | _moved(sides, made, ours, theirs)


def new_tombstones(sides: Sides) -> tuple[Tombstone, ...]:
    """Return the tombstones that came on either side since both agreed."""
    news = (
        tombstones.parsed(path, data)
        for path, it in sides.items()
        if it.base is None and tombstones.is_path(path)
        for data in (it.ours, it.theirs)
        if data is not None
    )
    return tuple(filter(None, news))


def known(sides: Sides) -> Tombstones:
    """Return the tombstones by which either side knows what it forgot, since both agreed."""
    both = ((path, data) for path, it in sides.items() if tombstones.is_path(path)
            for data in (it.ours, it.theirs) if data is not None)  # fmt: skip
    return Tombstones(tuple(filter(None, (tombstones.parsed(*each) for each in both))))


def ids_forgotten_there(sides: Sides) -> list[str]:
    """Return the ids of what their side has forgotten since both agreed, and ours has not."""
    return [
        PurePosixPath(path).stem.upper()
        for path, it in sorted(sides.items())
        if tombstones.is_path(path) and it.theirs is not None and it.base is it.ours is None
    ]


def _moved(
    sides: Sides, made: Mapping[str, ForgottenPath], ours: _NewTombstones, theirs: _NewTombstones
) -> dict[str, ForgottenPath]:
    """Return what goes of files that one side moved and that had no id.

    Not a note that only says a sentence of what was forgotten: that is its person's.
    """
    bare = [it for it in map(sides.__getitem__, made) if it.base is not None and not id_of(it.base)]
    gone_here = [_pairs(it.base) for it in bare if it.ours is None]
    gone_there = [_pairs(it.base) for it in bare if it.theirs is None]
    more: dict[str, ForgottenPath] = {}
    for path, it in sides.items():
        if it.base is not None or path in made or not _may_go(path):
            continue
        here = theirs.has_sentence(it.ours) and _is_one_of(gone_here, it.ours)
        there = ours.has_sentence(it.theirs) and _is_one_of(gone_there, it.theirs)
        if here or there:
            left = Versions(None, None if here else it.ours, None if there else it.theirs)
            lost = (it.ours if here else None, it.theirs if there else None)
            more[path] = ForgottenPath(left, tuple(filter(None, lost)), _notice(path, it, left))
    return more


def _is_one_of(gone: Sequence[_Pairs], data: Data) -> bool:
    """Tell whether half of a file or more is what one of those that are *gone* said."""
    said = _pairs(data)
    return any(2 * (said & was).total() >= max(said.total(), was.total()) for was in gone)


def _pairs(data: Data) -> _Pairs:
    """Count the pairs of words in a file: two texts have few of these in common."""
    return Counter(pairwise(tombstone_digests.tokens((data or b"").decode("utf-8", "replace"))))


def _may_go(path: str) -> bool:
    return files.is_note(path) and not tombstones.is_path(path)


@dataclass(frozen=True, slots=True)
class _NewTombstones:
    """The new tombstones of one side, and their ids; *owner* is whose vault it is.

    What is forgotten of one person is not forgotten of another who said it of themselves.
    """

    ids: set[str]
    tombstones: tuple[Tombstone, ...]
    owner: str

    def has_id(self, data: Data) -> bool:
        """Tell whether the file has an id that was forgotten."""
        return id_of(data) in self.ids

    def know(self, path: str, data: Data) -> bool:
        """Tell whether the whole of what the file says was forgotten."""
        known, texts = self._asked(path, data)
        digests: dict[str, set[str]] = {}
        for stone in known.all:
            digests.setdefault(stone.salt, set()).update(stone.digests)
        return bool(texts) and all(
            any(tombstone_digests.digest(text, salt) in those for salt, those in digests.items())
            for text in texts
        )

    def would_refuse(self, path: str, data: Data) -> bool:
        """Tell whether what is new would be refused here; a person's note is one word for word."""
        if reader.kind_of(path) in {"note", reader.TEXT}:
            return self.know(path, data)
        known, texts = self._asked(path, data)
        return bool(texts) and all(map(known.of, texts))

    def _asked(self, path: str, data: Data) -> tuple[Tombstones, list[str]]:
        """Return which of them are asked of the file, and the texts by which it is known again."""
        if data is None or not self.tombstones:
            return Tombstones(), []
        it = reader.record(path, files.content(data))
        texts = (it.body, it.facts) if it.type == "card" else (it.body or it.facts or it.title,)
        known = Tombstones(self.tombstones).of_speaker(it.speaker, self.owner)
        return known, [text for text in texts if text.strip()]

    def has_sentence(self, data: Data) -> bool:
        """Tell whether a file without an id says a sentence that was forgotten."""
        if data is None or id_of(data) or not any(stone.parts for stone in self.tombstones):
            return False
        text = data.decode("utf-8", "replace")
        return next(tombstones.stretches(text, self.tombstones), None) is not None


def _new_tombstones(files_of: Mapping[str, Data], owner: str) -> _NewTombstones:
    found = {path: data for path, data in files_of.items() if data is not None}
    forgotten = tuple(
        stone for path, data in found.items() if (stone := tombstones.parsed(path, data))
    )
    return _NewTombstones({PurePosixPath(path).stem.upper() for path in found}, forgotten, owner)


def _forgotten_path(
    path: str, it: Versions, ours: _NewTombstones, theirs: _NewTombstones
) -> ForgottenPath | None:
    here, there = _forgot(path, it, it.ours, ours), _forgot(path, it, it.theirs, theirs)
    gone = (
        here or there,
        _goes(path, it, it.ours, theirs, follows=there and not here),
        _goes(path, it, it.theirs, ours, follows=here and not there),
    )
    if not any(gone):
        return None
    three = (it.base, it.ours, it.theirs)
    left = Versions(*(None if g else data for g, data in zip(gone, three, strict=True)))
    lost = [data for g, data in zip(gone, three, strict=True) if g and data is not None]
    return ForgottenPath(left, tuple(dict.fromkeys(lost)), _notice(path, it, left))


def _forgot(path: str, it: Versions, now: Data, forgotten: _NewTombstones) -> bool:
    """Tell whether a side forgot what both had; it may have written something else there since."""
    if it.base is None or now == it.base:
        return False
    return forgotten.has_id(it.base) or forgotten.know(path, it.base)


def _goes(path: str, it: Versions, data: Data, others: _NewTombstones, *, follows: bool) -> bool:
    """Tell whether a side's version goes: it is made of what the other forgot, or is that."""
    if data is None:
        return False
    if it.base is None:
        return others.has_id(data) or others.would_refuse(path, data)
    return follows and id_of(data) in {"", id_of(it.base)}


def _notice(path: str, it: Versions, left: Versions) -> str:
    here = left.ours is None and it.ours not in {None, it.base}
    there = left.theirs is None and it.theirs not in {None, it.base}
    if not (here or there):
        return ""
    who, where = ("here", "there") if here else ("there", "here")
    return (
        f"{path} was written {who} and forgotten {where}: it is removed, and git still has its text"
    )


def id_of(data: Data) -> str:
    """Return the id in a file's frontmatter, "" without one."""
    try:
        found = frontmatter.fields(frontmatter.read(data or b"")).get("id", "")
    except Unreadable:
        return ""
    return found.upper() if isinstance(found, str) else ""
