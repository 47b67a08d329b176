"""`memory_working`: what the agent has in hand, and how its work ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from vaultmem.api import types
from vaultmem.api.rendering import in_hand, quoted
from vaultmem.errors import BadInput
from vaultmem.integrations.mcp.tools.arguments import Arguments, Names, Number, also
from vaultmem.integrations.mcp.tools.types import CHANGES, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Step(_Part):
    """One step of a plan, and what came of it."""

    text: str = Field(description="what is done in it")
    status: Literal["pending", "in_progress", "done", "failed"] = Field(
        "pending", description="how far it is"
    )
    result: str = Field("", description="what came of it")


class Item(_Part):
    """One thing to do."""

    id: str = Field("", description="names it, where two read alike")
    text: str = Field(description="what is to be done")
    status: Literal["pending", "in_progress", "completed"] = Field(
        "pending", description="how far it is"
    )


class WorkingArguments(Arguments):
    """What `memory_working` is given; what is left out stays as it is."""

    goal: str = Field("", description="what this work is for; a new one begins it")
    task: Number = Field(0, ge=0, description="the memory_task that it is; claims it")
    steps: list[Step] = Field(default=[], description="the whole plan")
    state: str = Field("", description="the business state, as: awaiting payment")
    key: str = Field("", description="whose note is replaced; alone, removed")
    note: str = Field("", description="a line for the scratchpad")
    items: list[Item] = Field(
        default=[], validation_alias=also("items", "todos", "todo"),
        description="the whole todo list: at most 20, one in_progress",
    )  # fmt: skip
    outcome: Literal["", "success", "partial", "failure"] = Field(
        "", description="how it ended: keeps it as an experience"
    )
    result: str = Field("", description="what came of it")
    lessons: Names = Field(default=[], description="what to take from it")


@dataclass(frozen=True, slots=True)
class InHand:
    """What the agent has in hand now, as text; *states* are the business states that may be set.

    What a tool or a page said of it stands in a fence.
    *experience* is the file that tells what came of the work, once it ended.
    """

    text: str
    states: Sequence[str] = ()
    experience: str = ""


def working(server: ServerSession, given: WorkingArguments) -> InHand:
    """Change what is given, end the work if it ended, and return what is in hand then."""
    if (given.lessons or given.result) and not given.outcome:
        raise BadInput("lessons and result come with an outcome: success, partial or failure")
    memory = server.memory
    if given.key and not given.note and given.key not in {n.key for n in memory.working.scratchpad}:
        raise BadInput(f"no note has the key {quoted(given.key)}: give the note that is to have it")
    if "items" in given.model_fields_set:
        memory.set_todos([types.Todo(it.id, it.text, it.status) for it in given.items])
        server.todos_updated()
    steps = [types.Step(it.text, it.status, it.result) for it in given.steps]
    if any((given.goal, given.task, steps, given.state, given.key, given.note)):
        memory.revise(
            goal=given.goal, task=given.task or None, steps=steps, state=given.state,
            key=given.key, note=given.note,
        )  # fmt: skip
    experience = _ended(server, given) if given.outcome else ""
    bench = server.vault.workbench(server.agent)
    return InHand(in_hand(memory.working, bench.path), bench.states, experience)


def _ended(server: ServerSession, given: WorkingArguments) -> str:
    assert given.outcome  # noqa: S101  # the caller asked
    done = server.memory.on_task_complete(given.outcome, result=given.result, lessons=given.lessons)
    return done.path


TOOL = Tool(
    "memory_working", "Work in hand",
    "Keep what you have in hand, as you work: goal, plan, business state, scratchpad, todo list. "
    "It outlives this conversation. What is left out stays; without arguments it is only shown.",
    CHANGES, WorkingArguments, TypeAdapter(InHand), working,
)  # fmt: skip
