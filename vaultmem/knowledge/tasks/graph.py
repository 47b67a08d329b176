"""The tasks linked on both sides: what is ready, what waits for what, and where a cycle is."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from vaultmem.knowledge.tasks.parser import Page
from vaultmem.knowledge.tasks.types import Task, required_status
from vaultmem.records import Problem
from vaultmem.storage.task_files import next_number, number_of

Edge = tuple[int, int]
"""A task and one that waits for it."""


@dataclass(frozen=True, slots=True)
class Graph:
    """All tasks by number, their pages, and what is wrong.

    *unread* are the numbers of files that cannot be read now: whoever waits for one waits on.
    """

    tasks: Mapping[int, Task]
    pages: Mapping[int, Page]
    unread: frozenset[int]
    problems: tuple[Problem, ...]

    @property
    def edges(self) -> frozenset[Edge]:
        """Every link between tasks, whichever side names it."""
        return frozenset((b, t.id) for t in self.tasks.values() for b in t.blocked_by)

    @property
    def next_number(self) -> int:
        """The number of the next new task; none that a file has, or still names, is taken."""
        named = {n for task in self.tasks.values() for n in (*task.blocked_by, *task.blocks)}
        return next_number((*self.tasks, *self.unread), named)

    def waits_for(self, task: Task) -> tuple[int, ...]:
        """Return what keeps *task* from being begun: blockers that are not completed.

        A blocker without a file is gone and keeps nobody; one that cannot be read may be open.
        """
        known = ((n, self.tasks.get(n)) for n in task.blocked_by)
        return tuple(n for n, found in known if n in self.unread or (found and found.is_open))

    def is_ready(self, task: Task) -> bool:
        """Tell whether *task* can be begun now."""
        return task.status == "pending" and not self.waits_for(task)

    def is_blocked(self, task: Task) -> bool:
        """Tell whether *task* is open and waits."""
        return task.is_open and bool(self.waits_for(task))

    def select(
        self, *, ready: bool = False, blocked: bool = False, status: str = "", owner: str = ""
    ) -> tuple[Task, ...]:
        """Return the tasks that answer to all that is asked; raises BadInput for a wrong status."""
        wanted = required_status(status) if status else ""
        return tuple(
            task
            for task in self.tasks.values()
            if (not ready or self.is_ready(task))
            and (not blocked or self.is_blocked(task))
            and (not wanted or task.status == wanted)
            and (not owner or task.owner.casefold() == owner.casefold())
        )


def graph(pages: Iterable[Page]) -> Graph:
    """Return the graph of what *pages* tell."""
    by_number: dict[int, Page] = {}
    unread: set[int] = set()
    problems: list[Problem] = []
    for page in sorted(pages, key=lambda p: (-len(p.path), p.path)):
        problems.extend(page.problems)
        task_id = number_of(page.path)
        if task_id is None:
            continue
        if task_id in by_number or task_id in unread:
            why = f"another file is task {task_id}, too; this one is passed by"
            problems.append(Problem("number", page.path, why, "rename it to a number that is free"))
        elif page.task is None:
            unread.add(task_id)
        else:
            by_number[task_id] = page
    tasks = _linked([page.task for page in by_number.values() if page.task])
    ordered = dict(sorted(by_number.items()))
    found = Graph(tasks, ordered, frozenset(unread), ())
    problems += [*_loose(found), *_circular(found)]
    return replace(found, problems=tuple(sorted(problems, key=lambda p: (p.path, p.code))))


def _linked(found: Sequence[Task]) -> dict[int, Task]:
    """Return *found* by number, each link on both sides."""
    before: dict[int, set[int]] = {task.id: set(task.blocked_by) for task in found}
    after: dict[int, set[int]] = {task.id: set(task.blocks) for task in found}
    for task in found:
        for other in task.blocks:
            before.get(other, set()).add(task.id)
        for other in task.blocked_by:
            after.get(other, set()).add(task.id)
    return {
        task.id: replace(
            task, blocked_by=tuple(sorted(before[task.id])), blocks=tuple(sorted(after[task.id]))
        )
        for task in sorted(found, key=lambda t: t.id)
    }


def _loose(found: Graph) -> Iterator[Problem]:
    """Yield the links that lead to no task."""
    there = {*found.tasks, *found.unread}
    for task_id, page in found.pages.items():
        own = page.task
        for other in sorted({*(own.blocked_by if own else ()), *(own.blocks if own else ())}):
            if other not in there:
                why = f"names task {other}, which is not there"
                mend = f"`vaultmem task update {task_id} --unblock {other}`"
                yield Problem("link", page.path, why, mend)


def _circular(found: Graph) -> Iterator[Problem]:
    """Yield the first cycle, which nobody but a person's own hand can have made."""
    way = cycle(found.edges)
    if way:
        mend = f"`vaultmem task update {way[0]} --unblock {way[1]}`"
        yield Problem("cycle", found.pages[way[0]].path, cycle_text(way), mend)


def cycle(edges: Collection[Edge]) -> tuple[int, ...]:
    """Return tasks each of which waits for the next, the first again at the end; () for none."""
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for blocker, blocked in sorted(edges):
        sorter.add(blocked, blocker)
    try:
        sorter.prepare()
    except CycleError as e:
        return tuple(reversed(e.args[1]))
    return ()


def way(edges: Collection[Edge], start: int, goal: int) -> tuple[int, ...]:
    """Return the shortest way from *start* to *goal*, each waiting for the next; () for none."""
    waits: dict[int, list[int]] = {}
    for blocker, blocked in sorted(edges):
        waits.setdefault(blocked, []).append(blocker)
    came: dict[int, int] = {start: start}
    queue = deque([start])
    while queue and goal not in came:
        here = queue.popleft()
        for blocker in waits.get(here, ()):
            if blocker not in came:
                came[blocker] = here
                queue.append(blocker)
    if goal not in came:
        return ()
    back = [goal]
    while back[-1] != start:
        back.append(came[back[-1]])
    return tuple(reversed(back))


def cycle_text(way: Sequence[int]) -> str:
    """Return the cycle *way* in words."""
    steps = ", ".join(f"{a} waits for {b}" for a, b in pairwise(way))
    return f"the tasks wait for each other: {steps}"
