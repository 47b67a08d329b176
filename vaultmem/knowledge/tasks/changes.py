"""Decide what a new task, or a change of one, does to the files: links on both sides, no cycle."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Field, Value
from vaultmem.documents.part_trust import OUTCOME_TRUST
from vaultmem.errors import BadInput, Refused
from vaultmem.knowledge.tasks.graph import Edge, Graph, cycle_text, way
from vaultmem.knowledge.tasks.parser import Page, listed
from vaultmem.knowledge.tasks.types import Status, named
from vaultmem.records import TRUST_OF_SOURCE
from vaultmem.storage.plan import Change
from vaultmem.storage.task_files import number_of, path_of, stem_of

_SOURCE = "agent"


class Edges(NamedTuple):
    """Links between tasks that come, and links that go."""

    added: frozenset[Edge]
    dropped: frozenset[Edge]


@dataclass(frozen=True, slots=True)
class Links:
    """What a task shall wait for, what shall wait for it, and what it shall wait for no more."""

    blocked_by: Sequence[int] = ()
    blocks: Sequence[int] = ()
    unblocked_by: Sequence[int] = ()

    def edges(self, task_id: int) -> Edges:
        """Return the links that this brings to the task, and takes from it."""
        before = {(other, task_id) for other in self.blocked_by}
        after = {(task_id, other) for other in self.blocks}
        return Edges(
            frozenset(before | after), frozenset((other, task_id) for other in self.unblocked_by)
        )


@dataclass(frozen=True, slots=True)
class New:
    """A task that is to be made."""

    subject: str
    description: str = ""
    owner: str = ""
    links: Links = Links()


@dataclass(frozen=True, slots=True)
class Edit:
    """What is to be changed of a task; None leaves it as it is, and "" takes it away."""

    status: Status | None = None
    subject: str | None = None
    description: str | None = None
    owner: str | None = None
    result: str | None = None
    error: str | None = None
    log: str | None = None
    links: Links = Links()
    is_told: bool = False
    """Whether a tool said the result, or the error."""

    def fields(self) -> dict[str, Field | None]:
        """Return what changes in the frontmatter; None takes a line away.

        A result ends the error of an earlier try, and an error the result; so does completion.
        """
        log = f"[[{self.log}]]" if self.log else self.log
        due = {
            "status": self.status, "subject": self.subject, "owner": self.owner,
            "result": "" if self.error else self.result,
            "error": "" if self.result or self.status == "completed" else self.error,
            "log": log,
            OUTCOME_TRUST: self._outcome_trust(),
        }  # fmt: skip
        return {key: value or None for key, value in due.items() if value is not None}

    def _outcome_trust(self) -> str | None:
        if self.result is None and self.error is None:
            return None
        return TRUST_OF_SOURCE["tool"] if self.is_told else ""


def create(graph: Graph, new: New, new_id: str, now: str) -> tuple[Change, ...]:
    """Return the changes that make a task with the graph's next number.

    Raises BadInput for a link to no task, Refused for a cycle.
    """
    task_id = graph.next_number
    _check(graph, task_id, new.links)
    head: dict[str, Field] = {
        "id": new_id,
        "type": "task",
        "subject": new.subject,
        "status": "pending",
        "owner": new.owner,
        "blocked_by": [_link(n) for n in sorted({*new.links.blocked_by})],
        "blocks": [_link(n) for n in sorted({*new.links.blocks})],
        "created": now,
        "updated": now,
        "source": _SOURCE,
        "trust": TRUST_OF_SOURCE[_SOURCE],
    }
    text = frontmatter.new({k: v for k, v in head.items() if v}, new.description)
    made = Change(path_of(task_id), None, text.encode(), "a new task")
    return (made, *_neighbours(graph, task_id, new.links, now))


def update(graph: Graph, task_id: int, edit: Edit, now: str) -> tuple[Change, ...]:
    """Return the changes that make a task so; none when it is so already.

    Raises BadInput for no such task, Refused for a cycle or lines that cannot be edited.
    """
    page = page_of(graph, task_id)
    _check(graph, task_id, edit.links)
    _check_dropped(graph, page, edit.links.unblocked_by)
    own = _changed(page, edit.links.edges(task_id), edit.fields(), edit.description, now)
    return (*own, *_neighbours(graph, task_id, edit.links, now))


def claim(graph: Graph, task_id: int, owner: str, now: str) -> tuple[Change, ...]:
    """Return the changes that put a task in progress as *owner*'s; none when it is so already.

    Raises BadInput for no such task, Refused for one that is done, is another's, or waits.
    """
    page_of(graph, task_id)
    task = graph.tasks[task_id]
    is_own = task.owner.casefold() == owner.casefold()
    if not task.is_open:
        raise Refused(f"task {task_id} is completed: there is nothing to claim")
    if task.owner and not is_own:
        raise Refused(
            f"task {task_id} is {task.owner}'s: `vaultmem task update {task_id} --owner {owner}` "
            f"gives it to {owner}"
        )
    if (waits := graph.waits_for(task)) and not (is_own and task.status == "in_progress"):
        named = ", ".join(map(str, waits))
        raise Refused(f"task {task_id} waits for {named}: complete that first")
    return update(graph, task_id, Edit("in_progress", owner=task.owner or owner), now)


def without(graph: Graph, gone: Collection[int], now: str) -> Iterator[Change]:
    """Yield the changes of the files that are linked with the tasks that are *gone*."""
    for me, page in graph.pages.items():
        dropped = frozenset(edge for other in gone for edge in ((other, me), (me, other)))
        yield from _changed(page, Edges(frozenset(), dropped), {}, None, now)


def page_of(graph: Graph, task_id: int) -> Page:
    """Return the page of a task; raises BadInput for none, Refused for one that cannot be read."""
    if task_id in graph.pages:
        return graph.pages[task_id]
    if task_id in graph.unread:
        at = next(p for p in graph.problems if number_of(p.path) == task_id)
        raise Refused(f"{at.path}: {at.message}; {at.repair}")
    raise BadInput(f"there is no task {task_id}: `vaultmem task list` shows those there are")


def _check(graph: Graph, task_id: int, wanted: Links) -> None:
    """Raise BadInput or Refused when *wanted* cannot be."""
    new = (*wanted.blocked_by, *wanted.blocks)
    if task_id in new:
        raise Refused(f"task {task_id} cannot wait for itself; nothing was changed")
    for other in new:
        page_of(graph, other)
    if both := set(wanted.blocked_by) & set(wanted.unblocked_by):
        raise BadInput(f"task {task_id} cannot both wait and not wait for {min(both)}: choose one")
    _refuse_cycle(graph, wanted.edges(task_id))


def _check_dropped(graph: Graph, page: Page, dropped: Sequence[int]) -> None:
    """Raise BadInput for a task that is none; a link to one that is gone can be taken away."""
    raw = frontmatter.fields(frontmatter.read(page.data))
    linked = {named(text) for text in listed(raw, "blocked_by")}
    for other in dropped:
        if other not in linked:
            page_of(graph, other)


def _refuse_cycle(graph: Graph, links: Edges) -> None:
    edges = (graph.edges | links.added) - links.dropped
    for blocker, blocked in sorted(links.added):
        if around := way(edges, blocker, blocked):
            raise Refused(f"{cycle_text((blocked, *around))}; nothing was changed")


def _neighbours(graph: Graph, task_id: int, wanted: Links, now: str) -> Iterator[Change]:
    """Yield the changes of the files on the other side of the links."""
    links = wanted.edges(task_id)
    others = {n for edge in links.added | links.dropped for n in edge} - {task_id}
    for other in sorted(others & graph.pages.keys()):
        yield from _changed(graph.pages[other], links, {}, None, now)


def _changed(
    page: Page, links: Edges, wanted: Mapping[str, Field | None], description: str | None, now: str
) -> tuple[Change, ...]:
    """Return the change of the file at *page*, none where it says all that already."""
    doc = frontmatter.read(page.data)
    due = {**wanted, **_relinked(page, frontmatter.fields(doc), links)}
    body = None if page.task is None or description == page.task.description else description
    if frontmatter.render(frontmatter.update(doc, due, body)).encode() == page.data:
        return ()
    eol = "\r\n" if doc.opening.endswith("\r\n") else "\n"
    ended = body + eol if body else body
    text = frontmatter.render(frontmatter.update(doc, {**due, "updated": now}, ended))
    return (Change(page.path, page.data, text.encode(), "the tasks changed"),)


def _relinked(page: Page, raw: Mapping[str, Value], links: Edges) -> dict[str, Field | None]:
    """Return the lists of links that differ from those that the file has."""
    me = number_of(page.path)
    return {
        **_relisted(raw, "blocked_by", *({b for b, n in each if n == me} for each in links)),
        **_relisted(raw, "blocks", *({n for b, n in each if b == me} for each in links)),
    }


def _relisted(
    raw: Mapping[str, Value], key: str, added: Collection[int], dropped: Collection[int]
) -> dict[str, Field | None]:
    """Return the list *key* with what is *added* and without what is *dropped*, if that differs.

    What a person wrote stays as it is written.
    """
    old = listed(raw, key)
    kept = [text for text in old if named(text) not in dropped]
    known = {named(text) for text in kept}
    new = [*kept, *(_link(n) for n in sorted(added) if n not in known)]
    return {} if new == old else {key: new or None}


def _link(task_id: int) -> str:
    return f"[[{stem_of(task_id)}]]"
