"""Decide what becomes of every path that changed on either side: pure, and without a conflict left.

What is published stands: where two things want one name or number, theirs keeps it and ours moves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from vaultmem.documents import frontmatter
from vaultmem.errors import Refused, Unreadable
from vaultmem.exchange.sync import (
    forgotten,
    generated_pages,
    kept_tombstones,
    markdown_merge,
    retold_lines,
    session_merge,
    swapped_names,
)
from vaultmem.exchange.sync.forgotten import id_of
from vaultmem.exchange.sync.types import Data, Merged, Sides, Versions
from vaultmem.knowledge import tasks
from vaultmem.memory import folding
from vaultmem.storage import (
    files,
    link_targets,
    reader,
    task_files,
    tombstones,
)
from vaultmem.storage.three_way_merge import merge as by_lines

_WORKING = re.compile(r"agents/[^/]+/working\.md")
_NUMBER = re.compile(r"(?:task-)?0*([1-9]\d{0,8})")
_EPISODE = re.compile(r"(agents/[^/]+/episodes/)episode-\d{1,9}((?:-[^/]*)?\.md)")


def merge(sides: Sides, ours: Collection[str], theirs: Collection[str], owner: str = "") -> Merged:
    """Return what the paths in *sides* become; *ours* and *theirs* are all paths there are.

    *owner* is whose vault it is.
    """
    return _MergeBuilder(dict(sides), frozenset(ours), frozenset(theirs), owner).merged()


class _MergeBuilder:
    """A merge in the making: our side is moved out of the way first, then path meets path."""

    def __init__(
        self, sides: dict[str, Versions], ours: frozenset[str], theirs: frozenset[str], owner: str
    ) -> None:
        self.sides, self.ours, self.theirs, self.owner = sides, ours, theirs, owner
        self.made = Merged()
        self.forgetting = retold_lines.forgetting(sides)

    def merged(self) -> Merged:
        """Return the merge."""
        swapped = swapped_names.swapped(self.sides)
        self.sides |= swapped_names.taken_back(self.sides, swapped)
        self._remove_forgotten()
        self._number_tasks()
        self._part_names()
        self._join_imports()
        self._follow_renames()
        self._merge_sessions()
        for path, versions in sorted(self.sides.items()):
            if path not in self.made.files:
                self.made.files[path] = self._one(path, versions)
        self.made.files |= {new: self.made.files[old] for old, new in swapped.items()}
        return self.made

    def _ours(self, path: str, data: Data) -> None:
        """Let our side have *data* at *path*."""
        self.sides[path] = replace(self.sides.get(path, Versions(None, None, None)), ours=data)

    def _remove_forgotten(self) -> None:
        """Take away what one side forgot, whatever the other made of it."""
        self.made.forgotten = forgotten.forgotten_paths(self.sides, self.owner)
        for path, it in self.made.forgotten.items():
            self.sides[path] = it.left
            self.made.notices += [it.notice] if it.notice else []

    # --- one path -----------------------------------------------------------------------------

    def _one(self, path: str, it: Versions) -> Data:
        if it.theirs in (it.ours, it.base):
            return it.ours
        return it.theirs if it.ours == it.base else self._both(path, it)

    def _both(self, path: str, it: Versions) -> Data:
        """Return what becomes of a path that both sides changed, each in its way."""
        if it.ours is None or it.theirs is None:
            return self._kept(path, it)
        if tombstones.is_path(path):
            return kept_tombstones.merged(path, it.ours, it.theirs)
        if path in generated_pages.PATHS:
            return self._page(path, generated_pages.own_parts(path, it))
        if files.is_note(path) or path.endswith(".md"):
            return self._page(path, it)
        return self._other(path, it.ours, it.base, it.theirs)

    def _kept(self, path: str, it: Versions) -> Data:
        """Return the version that was changed where the other side deleted the file."""
        here, there = ("deleted", "changed") if it.ours is None else ("changed", "deleted")
        self.made.stays[path] = f"{path} was {here} here and {there} there: it stays as changed"
        return it.theirs if it.ours is None else it.ours

    def _page(self, path: str, it: Versions) -> Data:
        page = markdown_merge.join(path, retold_lines.alike(path, it, self.forgetting))
        self.made.aside += ((path, note) for note in page.aside)
        return page.data

    def _other(self, path: str, ours: bytes, base: Data, theirs: bytes) -> bytes:
        merged = by_lines(ours, base, theirs) if base is not None else None
        if merged is None:
            self.made.notices.append(
                f"{path} was changed here and there: ours stays, and git has theirs"
            )
        return ours if merged is None else merged

    # --- two things that want one name ----------------------------------------------------------

    def _number_tasks(self) -> None:
        """Give our new tasks other numbers where theirs have them already."""
        taken = {path for path in self.ours | self.theirs if tasks.number_of(path)}
        renamed: dict[str, str] = {}
        for path in sorted(taken):
            if path in self.sides and self._clash(path):
                renamed[path] = task_files.free((*taken, *renamed.values()))
        along = self._rename(renamed)
        for old, new in renamed.items():
            links = "; links to it went along in " + ", ".join(along[old]) if along[old] else ""
            notice = f"our {_stem(old)} is {_stem(new)} now: theirs has that number{links}"
            self.made.notices.append(notice)

    def _part_names(self) -> None:
        """Give ours another name where theirs has it already for another thing.

        A memory, an episode, what a dream proposes, and whatever meets there what one side has
        moved.
        """
        moved = {new for theirs in (False, True) for _, (new, _) in self._moves(theirs=theirs)}
        taken = {*self.ours, *self.theirs}
        renamed: dict[str, str] = {}
        for path in sorted(self.sides):
            is_made = reader.kind_of(path) in {"memory", "episode"} or path.startswith(files.DREAMS)
            if (path in moved or is_made) and self._clash(path):
                renamed[path] = self._other_name(path, taken)
                taken.add(renamed[path])
        self._rename(renamed)
        for old in sorted(moved & renamed.keys()):
            self.made.notices.append(f"our {old} is {renamed[old]} now: theirs has that name")

    def _other_name(self, path: str, taken: Collection[str]) -> str:
        if episode := _EPISODE.fullmatch(path):
            known = (p for p in taken if p.startswith(episode[1]))
            return f"{episode[1]}episode-{folding.number(map(_stem, known)):04}{episode[2]}"
        digest = files.sha256(self.sides[path].ours or b"")
        names = (f"{_whole(path)}-{digest[:n]}.md" for n in range(6, len(digest)))
        return next(name for name in names if name not in taken)

    def _rename(self, renamed: Mapping[str, str]) -> Mapping[str, list[str]]:
        """Let our files have other names; return where links went along, by the old name."""
        for old, new in renamed.items():
            self._ours(new, self.sides[old].ours)
            self._ours(old, None)
            self.made.files[old] = self.sides[old].theirs
        return {old: self._relink({old: new}) for old, new in renamed.items()}

    def _relink(self, renamed: Mapping[str, str]) -> list[str]:
        """Let what we wrote since lead to where things are now; return the paths."""
        changed: list[str] = []
        for path, it in list(self.sides.items()):
            if it.ours is None or it.ours in {it.base, it.theirs} or not path.endswith(".md"):
                continue
            new = _relinked(it.ours, renamed)
            new = _reworked(new, renamed) if _WORKING.fullmatch(path) else new
            if new != it.ours:
                self._ours(path, new)
                changed += () if path in generated_pages.PATHS else (path,)
        return sorted(changed)

    def _join_imports(self) -> None:
        """Keep one of two memories that were imported from one message on both machines: theirs."""
        known = dict(self._imported(theirs=True))
        twice = {path: known[key] for key, path in self._imported(theirs=False)
                 if key in known and known[key] != path}  # fmt: skip
        for path in twice:
            self._ours(path, None)
            self.made.files[path] = None
        self._relink(twice)
        self.made.joined = frozenset(twice)
        if twice:
            count = len(twice)
            was = "memory was" if count == 1 else "memories were"
            self.made.notices.append(f"{count} {was} imported here and there: each is here once")

    def _imported(self, *, theirs: bool) -> Iterator[tuple[tuple[object, ...], str]]:
        """Yield of each new memory of one side what makes another one the same, and its path.

        Whose message it is, which, and what it says; and what an agent may make of it: else who may
        push could put one in the place of ours that is recalled no more, or trusted more.
        """
        for path, it in self.sides.items():
            data = it.theirs if theirs else it.ours
            if it.base is None and data is not None and reader.kind_of(path) == "memory":
                x = reader.record(path, files.content(data))
                if x.origin:
                    said = (x.type, x.agent, x.session, x.speaker, x.origin, x.body)
                    lasts = (x.valid_from, x.valid_to, x.stale_after, x.superseded_by)
                    yield (*said, *lasts, x.archived, x.trust, x.held), path

    def _clash(self, path: str) -> bool:
        it = self.sides[path]
        both = it.base is None and it.ours and it.theirs and it.ours != it.theirs
        known = id_of(it.ours)
        return bool(both) and (known != id_of(it.theirs) or self._is_own(path, known))

    def _is_own(self, path: str, known: str) -> bool:
        """Tell whether a file that nobody gave an id is another thing all the same."""
        return not known and bool(tasks.number_of(path) or _EPISODE.fullmatch(path))

    def _follow_renames(self) -> None:
        """Let a change of one side go where the other side has moved the file."""
        here, there = dict(self._moves(theirs=False)), dict(self._moves(theirs=True))
        for old in here.keys() & there.keys():
            self._keep_one_place(old, here.pop(old)[0], there.pop(old)[0])
        moved = {**here, **there}
        for old, (new, theirs) in moved.items():
            it, anew = self.sides[old], self.sides[new]
            changed, beside = (it.ours, anew.ours) if theirs else (it.theirs, anew.theirs)
            if changed in {None, it.base} or beside is not None:
                continue
            if id_of(changed) not in {"", id_of(it.base)}:
                continue  # another thing that stands there now
            own, other = (changed, anew.theirs) if theirs else (anew.ours, changed)
            self.made.files[old] = None
            self.made.files[new] = self._page(new, Versions(it.base, own, other))

    def _keep_one_place(self, old: str, here: str, there: str) -> None:
        """Let what both sides moved stand at one place, the first by name, with the text of both.

        Whoever merges comes to the same.
        """
        if here == there or self.sides[here].theirs or self.sides[there].ours:
            return
        kept, left = sorted((here, there))
        three = Versions(self.sides[old].base, self.sides[here].ours, self.sides[there].theirs)
        self.made.files |= {old: None, left: None, kept: self._page(kept, three)}
        self.made.notices.append(
            f"{old} was moved to {here} here and to {there} there: it is {kept} now"
        )

    def _moves(self, *, theirs: bool) -> Iterator[tuple[str, tuple[str, bool]]]:
        """Yield what one side moved: the old path, the new one, and which side."""
        mine = {p: it.theirs if theirs else it.ours for p, it in self.sides.items()}
        gone = {id_of(it.base): p for p, it in self.sides.items() if it.base and mine[p] is None}
        for path, it in self.sides.items():
            data = None if tombstones.is_path(path) else mine[path]
            if it.base is None and data is not None and (known := id_of(data)) and known in gone:
                yield gone[known], (path, theirs)

    def _merge_sessions(self) -> None:
        """Merge what went on in one session on both sides; our notes name turns as it does now."""
        sessions = session_merge.merge(self.sides)
        self.made.files |= sessions.logs
        self.made.aside += sessions.aside
        self.made.notices += sessions.notices
        for path, data in sessions.ours.items():
            self._ours(path, data)


def _relinked(data: bytes, renamed: Mapping[str, str]) -> bytes:
    for old, new in renamed.items():
        for name in (_whole,) if _EPISODE.fullmatch(old) else (_whole, _stem):
            data = link_targets.renamed(data, name(old), name(new))
    return data


def _reworked(data: bytes, renamed: Mapping[str, str]) -> bytes:
    """Return a working memory whose task, named by its bare number, has its number of now."""
    try:
        doc = frontmatter.read(data)
        named = _NUMBER.fullmatch(str(frontmatter.fields(doc).get("task", "")))
        new = renamed.get(tasks.path_of(int(named[1]))) if named else None
        return frontmatter.edited(data, {"task": _stem(new)}) if new else data
    except (Refused, Unreadable):
        return data


def _whole(path: str) -> str:
    return path.removesuffix(".md")


def _stem(path: str) -> str:
    return PurePosixPath(path).stem
