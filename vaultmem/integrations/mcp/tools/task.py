"""`memory_task`: what is to be done, who does it, what waits for what, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from vaultmem.api.rendering import fenced
from vaultmem.api.types import Task, TaskGraph
from vaultmem.errors import BadInput
from vaultmem.integrations.mcp.tools.arguments import (
    LONGEST_PATH,
    Arguments,
    Number,
    Numbers,
    TaskStatus,
    also,
    given_names,
    inner,
    refuse_unused,
)
from vaultmem.integrations.mcp.tools.types import CHANGES, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession
from vaultmem.records import first_line

_MOST = 100
"""Tasks in one list."""
_SHOWN = 80
"""Characters of a description in a list."""

Op = Literal["create", "claim", "update", "list", "get"]


class TaskArguments(Arguments):
    """What `memory_task` is given."""

    op: Op = Field(
        "list", validation_alias=also("op", "operation", "command"), description="what to do"
    )
    id: Number = Field(
        0, ge=0, validation_alias=also("id", "task", "task_id"), description="its number, from 1"
    )
    subject: str = Field(
        "", validation_alias=also("subject", "title"), description="what is to be done, in a line"
    )
    description: str = Field(
        "", validation_alias=also("description", "content", "text"), description="all about it"
    )
    status: Annotated[Literal["", "pending", "in_progress", "completed"], TaskStatus] = Field(
        "", description="how far it is; in a list, only such"
    )
    owner: str = Field("", description="the agent who does it; in a list, only theirs")
    result: str = Field("", description="what came of it, in a line")
    error: str = Field("", description="why it failed, in a line")
    log: str = Field(
        "", max_length=LONGEST_PATH, description="path of the file that tells how it went"
    )
    blocked_by: Numbers = Field(default=[], description="ids of tasks that it waits for")
    blocks: Numbers = Field(default=[], description="ids of tasks that wait for it")
    unblocked_by: Numbers = Field(default=[], description="ids that it no longer waits for")
    ready: bool = Field(default=False, description="list what can be started now")
    blocked: bool = Field(default=False, description="list what waits")


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task as a client is told of it; *waits_for* is what keeps it from being started.

    The words of one that is not trusted stand in the description, fenced, where it was asked for. A
    result or an error in a tool's words is fenced, too.
    """

    id: int
    subject: str
    status: str
    owner: str
    blocked_by: Sequence[int]
    blocks: Sequence[int]
    waits_for: Sequence[int]
    description: str
    result: str
    error: str
    log: str
    path: str
    updated: str
    trust: str


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks that were asked for, or the one that was changed; *commit* is that of a change.

    *uncommitted* says why git never gets it, and what to do.
    A task that says the same and is open already is not created again: it is a *duplicate*. A list
    has the beginnings of descriptions, and leaves out *more* tasks than it has room for: the oldest
    that are done.
    """

    tasks: Sequence[ShownTask]
    commit: str | None = None
    more: int = 0
    duplicate: bool = False
    uncommitted: str = ""


def task(server: ServerSession, given: TaskArguments) -> Tasks:
    """Do what *op* says, and return the tasks as they are now."""
    if given.op in {"claim", "update", "get"} and not given.id:
        raise BadInput(f"{given.op} needs the id of a task: op list shows those there are")
    refuse_unused(given, ("op", *_USED[given.op]), given.op)
    return _OPS[given.op](server, given)


def same_task(server: ServerSession, subject: str, description: str) -> Task | None:
    """Return the open task that says this already, as when it is asked for again; None for none.

    Without a *description* that is one of the *subject*, whatever else it says.
    """
    every = server.vault.tasks.list()
    named = [t for t in every if t.is_open and t.subject == subject.strip()]
    said = description.strip()
    return next((t for t in named if said in {"", t.description.strip()}), None)


def _create(server: ServerSession, given: TaskArguments) -> Tasks:
    if known := same_task(server, given.subject, given.description):
        _refuse_other(known, given)
        return replace(_shown(server, [known]), duplicate=True)
    made = server.vault.tasks.create(
        given.subject.strip(), description=given.description.strip(), owner=given.owner,
        blocked_by=given.blocked_by, blocks=given.blocks,
    )  # fmt: skip
    return _changed(server, made)


def _refuse_other(known: Task, given: TaskArguments) -> None:
    """Raise BadInput where what is *given* is more than the *known* task has."""
    if (
        given.owner.casefold() not in {"", known.owner.casefold()}
        or {*given.blocked_by} - {*known.blocked_by}
        or {*given.blocks} - {*known.blocks}
    ):
        raise BadInput(f"task {known.id} says this and is open: op update changes it")


def _claim(server: ServerSession, given: TaskArguments) -> Tasks:
    if server.agent and given.owner.casefold() not in {"", server.agent.casefold()}:
        raise BadInput(f"this server works only for {server.agent}: leave owner out")
    owner = server.agent or given.owner or server.reach.writer()
    made = server.vault.tasks.claim(given.id, owner)
    return _changed(server, made)


def _update(server: ServerSession, given: TaskArguments) -> Tasks:
    if not {*given_names(given)} - {"op", "id"}:
        what = ", ".join(_USED["update"][1:])
        raise BadInput(f"update changes what is given, and nothing is: give one of {what}")
    log = inner(given.log)
    if log and not server.scope.knows_of(log):
        raise BadInput(f"{log} is no file of the vault: a log is kept there first, then named")
    made = server.vault.tasks.update(
        given.id, status=given.status or None, subject=given.subject or None,
        description=given.description or None, owner=given.owner or None,
        result=given.result or None, error=given.error or None, log=log or None,
        blocked_by=given.blocked_by, blocks=given.blocks, unblocked_by=given.unblocked_by,
    )  # fmt: skip
    return _changed(server, made)


def _list(server: ServerSession, given: TaskArguments) -> Tasks:
    if given.ready and given.blocked:
        raise BadInput("no task is both ready and blocked: give one of them")
    found = server.vault.tasks.list(
        ready=given.ready, blocked=given.blocked, status=given.status, owner=given.owner
    )
    newest = sorted(found, key=lambda t: (not t.is_open, -t.id))[:_MOST]
    listed = [
        replace(t, description=first_line(t.description, _SHOWN))
        for t in sorted((t.unasked for t in newest), key=lambda t: t.id)
    ]
    return replace(_shown(server, listed), more=len(found) - len(listed))


def _get(server: ServerSession, given: TaskArguments) -> Tasks:
    asked, *blockers = server.vault.tasks.with_blockers(given.id)
    whole = asked.unasked
    if whole is not asked:
        said = fenced(asked.words, path=asked.path, kind="task", trust=asked.trust)
        whole = replace(whole, description=said)
    return _shown(server, [whole, *(it.unasked for it in blockers)])


def _changed(server: ServerSession, made: Task) -> Tasks:
    shown = _shown(server, [made.unasked])
    return replace(shown, commit=made.commit, uncommitted=made.uncommitted)


def _shown(server: ServerSession, found: Sequence[Task]) -> Tasks:
    graph = server.vault.tasks.graph()
    return Tasks([_as_shown(server, graph, it) for it in found])


def _as_shown(server: ServerSession, graph: TaskGraph, it: Task) -> ShownTask:
    log = it.log if server.scope.knows_of(it.log) else ""
    waits = graph.waits_for(it) if it.is_open else ()
    return ShownTask(
        it.id, it.subject, it.status, it.owner, it.blocked_by, it.blocks, waits, it.description,
        _came(it, it.result), _came(it, it.error), log, it.path, it.updated, it.trust,
    )  # fmt: skip


def _came(it: Task, said: str) -> str:
    """Return what is *said* of how it went, in a fence where a tool said it."""
    return fenced(said, path=it.path, kind="task", trust=it.outcome_trust) if said else ""


_CHANGED = ("subject", "description", "owner", "blocked_by", "blocks")
_USED: Mapping[Op, Sequence[str]] = {
    "create": _CHANGED,
    "claim": ("id", "owner"),
    "update": ("id", *_CHANGED, "status", "result", "error", "log", "unblocked_by"),
    "list": ("status", "owner", "ready", "blocked"),
    "get": ("id",),
}
_OPS: Mapping[Op, Callable[[ServerSession, TaskArguments], Tasks]] = {
    "create": _create, "claim": _claim, "update": _update, "list": _list, "get": _get,
}  # fmt: skip


TOOL = Tool(
    "memory_task", "Tasks",
    "Tasks that outlast a conversation, shared by all agents. claim starts one as yours, refused "
    "where it is another's or waits; update changes what is given, and completing one makes ready "
    "what waited for it alone; get returns a task, then what came of those it is blocked by.",
    CHANGES, TaskArguments, TypeAdapter(Tasks), task,
)  # fmt: skip
