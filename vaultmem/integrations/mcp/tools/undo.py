"""`memory_undo`: show what would take an operation back, then do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field, TypeAdapter

from vaultmem.api.types import Plan
from vaultmem.errors import BadInput, Refused
from vaultmem.integrations.mcp.tools import diffs
from vaultmem.integrations.mcp.tools.arguments import Arguments, also
from vaultmem.integrations.mcp.tools.commits import commits, is_open
from vaultmem.integrations.mcp.tools.types import TAKES_AWAY, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession
from vaultmem.storage import git

_RECENT = 50


class Undo(Arguments):
    """What `memory_undo` is given."""

    id: str = Field(
        "last",
        validation_alias=also("id", "op", "undo", "operation", "ref"),
        description="an undo id, or last",
    )
    dry_run: bool = Field(default=True, validation_alias=also("dry_run", "preview"))


@dataclass(frozen=True, slots=True)
class Undone:
    """What is taken back; *conflicts* are files whose older text waits in the inbox."""

    undone: str
    applied: bool
    diff: str
    conflicts: Sequence[str]
    undo: str
    commit: str | None


def undo(server: ServerSession, asked: Undo) -> Undone:
    """Show what would take an operation back, or take it back."""
    op = _last(server) if asked.id.strip().lower() == "last" else _known(server, asked.id.strip())
    plan, commit = server.vault.plan_undo(op), None
    if not all(server.knows_of(c.path) for c in plan.changes):
        raise _not_yours(op)
    if not asked.dry_run:
        server.vault.store.apply(plan)
        commit = server.vault.store.writer.settle().get(plan.op)
    return Undone(
        op, not asked.dry_run, diffs.of_plan(server, plan), _conflicts(plan),
        "" if asked.dry_run else plan.op, commit,
    )  # fmt: skip


def _not_yours(op: str) -> Refused:
    return Refused(f"{op} changed what belongs to another agent: ask the person to undo it")


def _conflicts(plan: Plan) -> list[str]:
    return [c.path for c in plan.changes if c.path.startswith("inbox/conflict-")]


def _last(server: ServerSession) -> str:
    """Return the newest operation of the server's agent, or of all; raises BadInput."""
    for entry, _ in commits(server, most=None if server.agent else _RECENT):
        if ops := [value for key, value in entry.trailers if key == git.OP]:
            return ops[-1]
    raise BadInput("there is nothing to take back: memory_history shows what was done")


def _known(server: ServerSession, op: str) -> str:
    """Return *op*, which an operation is called; what people committed is theirs to take back."""
    repository = server.vault.store.writer.repository
    server.vault.store.writer.settle()
    if repository:
        entry = repository.find_op(op.upper())
        if entry is None:
            raise BadInput(f"no operation {op!r}: memory_history gives the undo id of each")
        touched = repository.touched([entry.commit]).get(entry.commit, ())
        if not is_open(server, entry, (row.path for row in touched)):
            raise _not_yours(op)
    return op


TOOL = Tool(
    "memory_undo", "Undo",
    "Undo an operation, keeping later edits. By default it only shows the diff; dry_run=false "
    "does it.",
    TAKES_AWAY, Undo, TypeAdapter(Undone), undo,
)  # fmt: skip
