"""Tasks: what is to be done in three columns, and what waits for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultmem.api.types import Task
from vaultmem.records import Problem
from vaultmem.web.pages import since
from vaultmem.web.rendering import dependencies
from vaultmem.web.rendering.dependencies import Dependencies
from vaultmem.web.types import Asked, Page, Reader

COLUMNS = (("pending", "To do"), ("in_progress", "In progress"), ("completed", "Done"))
MOST = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """A task, and what it waits for now."""

    task: Task
    waits_for: tuple[Task, ...]
    blocks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """The tasks of one status, the newest first; *more* are not shown."""

    status: str
    title: str
    tasks: Sequence[Shown]
    more: int


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks by status, and the drawing of what waits for what.

    *since* tells, in the past, what became of them.
    """

    columns: tuple[Column, ...]
    drawing: Dependencies
    problems: Sequence[Problem]
    statuses: Mapping[str, str]
    since: Mapping[str, str]


def query(reader: Reader, asked: Asked) -> Tasks:
    """Return all tasks by status, and as a graph."""
    graph = reader.view.tasks()
    known = graph.tasks

    def shown(task: Task) -> Shown:
        waits = (known[n] for n in graph.waits_for(task) if n in known)
        blocks = (known[n] for n in task.blocks if n in known)
        return Shown(task, tuple(waits), tuple(blocks))

    columns = []
    for status, title in COLUMNS:
        found = [t for t in reversed([*known.values()]) if t.status == status]
        tasks = [shown(task) for task in found[:MOST]]
        columns.append(Column(status, title, tasks, max(len(found) - MOST, 0)))
    drawing = dependencies.drawn(known, graph.edges)
    told = since.told(reader, asked, [s.task.path for it in columns for s in it.tasks])
    return Tasks(tuple(columns), drawing, graph.problems, dict(COLUMNS), told)


PAGE = Page("/tasks", "Tasks", "tasks.html", query)
