"""Where the tasks and experiences of an export lie here, and the links to these led there.

Both have a number for their name, which another may have here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import PurePosixPath

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Field, Value
from vaultmem.exchange.formats import Item
from vaultmem.exchange.importing import note_links
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.exchange.importing.vault_note import COUNTED, TASK_LINKS, NewNote
from vaultmem.knowledge import tasks
from vaultmem.memory import folding
from vaultmem.storage.index import file_queries, session_queries
from vaultmem.storage.link_targets import Targets
from vaultmem.storage.reader import link_target
from vaultmem.storage.store import Store


class Places:
    """Where each of some notes lies *here*, by its path there."""

    def __init__(self, here: Mapping[str, str]) -> None:
        """Know the notes that came, with those that kept their place."""
        self._here = here
        self._meant = Targets(here)
        pairs = ((tasks.number_of(there), tasks.number_of(path)) for there, path in here.items())
        self.numbers = {there: number for there, number in pairs if there and number}

    def moved(self, name: str) -> str:
        """Return where lies here what a link there to *name* means, "" for what kept its place."""
        there = PurePosixPath(link_target(name).casefold())
        is_place = there.parent.name in {"", tasks.FOLDER}
        number = tasks.number_of(f"{tasks.FOLDER}/{there.name}.md") if is_place else None
        if number is not None:
            to = self.numbers.get(number, number)
            return tasks.path_of(to) if to != number else ""
        path = self._meant.path(name)
        return self._here[path] if path and self._here[path] != path else ""


@dataclass(slots=True)
class NewPlaces:
    """Finds for each note its own number where that is free, else the next that is."""

    store: Store
    numbers: set[int]
    free: int
    taken: set[str] = field(default_factory=set)
    here: dict[str, dict[str, str]] = field(default_factory=dict)
    """Where the notes of each file lie here, by their paths there."""

    @classmethod
    def of(cls, store: Store, notes: Sequence[NewNote]) -> NewPlaces:
        """Return what is free now, where *notes* are about to come."""
        stand = (path for path, _ in file_queries.shas(store.index, tasks.FOLDER))
        used = {n for path in stand if (n := tasks.number_of(path))}
        come = {n for note in notes if (n := tasks.number_of(note.path))}
        return cls(store, used, 1 + max(used | come, default=0))

    def know(self, line: Line, path: str) -> None:
        """Note that what *line* brings lies at *path*."""
        if line.item.note and line.note and line.note.type in COUNTED:
            self.here.setdefault(line.item.file, {})[line.item.note.path] = path

    def take(self, line: Line, note: NewNote) -> NewNote:
        """Return the *note* that *line* brings at a path that nothing has, in whatever letters."""
        path = note.path
        if number := tasks.number_of(path):
            path = self._of_task(path, number)
        elif note.type == "episode":
            path = self._of_experience(note)
        self.know(line, path)
        return replace(note, path=path)

    def _of_task(self, path: str, number: int) -> str:
        here = number if number not in self.numbers else self.free
        self.free += here == self.free
        self.numbers.add(here)
        return path if here == number else tasks.path_of(here)

    def _of_experience(self, note: NewNote) -> str:
        known = session_queries.episode_stems(self.store.index, note.agent)
        number = folding.number((*known, *(path.rpartition("/")[2] for path in self.taken)))
        tries = chain(
            (note.path,), (folding.path(note.agent, n, note.title) for n in count(number))
        )
        path = next(path for path in tries if self._is_free(path))
        self.taken.add(path.casefold())
        return path

    def _is_free(self, path: str) -> bool:
        known = file_queries.knows_in_any_case(self.store.index, path)
        return (
            not known and path.casefold() not in self.taken and self.store.texts.read(path) is None
        )


def led(note: NewNote, item: Item, every: Mapping[str, Places]) -> NewNote:
    """Return *note*, which *item* brought, with its links led to the places that notes have here.

    In what a task waits for, or others for it, links to what did not come are left out.
    """
    if (places := every.get(item.file)) is None or item.note is None:
        return note
    decided: dict[str, Field | None] = {}
    if note.type == "task":
        raw = frontmatter.fields(frontmatter.parse(note.text))
        decided = {key: _waiting(raw, key, places.numbers) for key in TASK_LINKS if key in raw}
    return note_links.led(note, item.note.path, places.moved, decided)


def _waiting(raw: Mapping[str, Value], key: str, numbers: Mapping[int, int]) -> list[str]:
    named = (tasks.named(text) for text in tasks.listed(raw, key))
    here = (numbers[n] for n in named if n is not None and n in numbers)
    return [f"[[{tasks.stem_of(n)}]]" for n in here]
