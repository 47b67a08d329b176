"""Which number each task of an export has here, and the links to tasks led to these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Value
from vaultmem.exchange.importing import note_links
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.exchange.importing.vault_note import TASK_LINKS, NewNote
from vaultmem.knowledge import tasks
from vaultmem.storage.index import file_queries
from vaultmem.storage.reader import link_target
from vaultmem.storage.store import Store

Numbers = Mapping[str, Mapping[int, int]]
"""The number here of each task by its file and its number there."""


@dataclass(slots=True)
class TaskNumbers:
    """Which number each task of each file has here, and which are free."""

    used: set[int]
    free: int
    here: dict[str, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Store, notes: Sequence[NewNote]) -> TaskNumbers:
        """Return the numbers that are used now, where *notes* are about to come."""
        stand = (path for path, _ in file_queries.shas(store.index, tasks.FOLDER))
        used = {n for path in stand if (n := tasks.number_of(path))}
        come = {n for note in notes if (n := tasks.number_of(note.path))}
        return cls(used, 1 + max(used | come, default=0))

    def know(self, file: str, note: NewNote, path: str) -> None:
        """Note that *note* of *file* stands at *path* already."""
        there, here = tasks.number_of(note.path), tasks.number_of(path)
        if there and here:
            self.here.setdefault(file, {})[there] = here

    def take(self, file: str, note: NewNote) -> None:
        """Give *note* of *file* its own number where that is free, else the next that is."""
        if there := tasks.number_of(note.path):
            here = there if there not in self.used else self.free
            self.free += here == self.free
            self.used.add(here)
            self.here.setdefault(file, {})[there] = here


def led(line: Line, numbers: Numbers) -> Line:
    """Return *line* with its note's links led to the *numbers* that tasks have here.

    In what a task waits for, or others for it, links to what did not come are left out.
    """
    here = numbers.get(line.item.file)
    return replace(line, note=_led(line.note, here)) if line.note and here else line


def renumbered(task: NewNote, numbers: Mapping[int, int]) -> NewNote:
    """Return *task* at the path that its number here has."""
    there = tasks.number_of(task.path) or 0
    here = numbers.get(there, there)
    return task if here == there else replace(task, path=tasks.path_of(here))


def _led(note: NewNote, numbers: Mapping[int, int]) -> NewNote:
    def here(name: str) -> str:
        there = PurePosixPath(link_target(name))
        is_place = there.parent.name in {"", tasks.FOLDER}
        number = tasks.number_of(f"{tasks.FOLDER}/{there.name}.md") if is_place else None
        # One that kept its number is called as it was.
        moved = number is not None and numbers.get(number, number) != number
        return tasks.path_of(numbers[number]) if number is not None and moved else ""

    if note.type != "task":
        return note_links.led(note, here, {})
    raw = frontmatter.fields(frontmatter.parse(note.text))
    decided = {key: _waiting(raw, key, numbers) for key in TASK_LINKS if key in raw}
    return note_links.led(note, here, decided)


def _waiting(raw: Mapping[str, Value], key: str, numbers: Mapping[int, int]) -> list[str]:
    named = (tasks.named(text) for text in tasks.listed(raw, key))
    here = (numbers[n] for n in named if n is not None and n in numbers)
    return [f"[[{tasks.stem_of(n)}]]" for n in here]
