"""`memory_undo`: show what would take an operation back, then do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field, TypeAdapter

from vaultmem.api.rendering import undo_uncommitted
from vaultmem.errors import Refused
from vaultmem.integrations.mcp.tools import shown_text
from vaultmem.integrations.mcp.tools.arguments import Arguments, also
from vaultmem.integrations.mcp.tools.types import TAKES_AWAY, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession


class Undo(Arguments):
    """What `memory_undo` is given."""

    id: str = Field(
        "last",
        validation_alias=also("id", "op", "undo", "operation", "ref"),
        description="an undo id, or last",
    )
    dry_run: bool = Field(
        default=True, validation_alias=also("dry_run", "preview"), description="only show the diff"
    )

    @property
    def is_preview(self) -> bool:
        """As it begins."""
        return self.dry_run


@dataclass(frozen=True, slots=True)
class Undone:
    """What is taken back; *conflicts* are files whose older text waits in the inbox.

    *uncommitted* says what stays as it is, since no commit had it, and what to do.
    """

    undone: str
    applied: bool
    diff: str
    conflicts: Sequence[str]
    undo: str
    commit: str | None
    uncommitted: str


def undo(server: ServerSession, asked: Undo) -> Undone:
    """Show what would take an operation back, or take it back."""
    history, op = server.vault.history, asked.id.strip()
    if op.lower() == "last":
        op, plan = history.plan_newest_undo(server.agent, source="agent")
    else:
        history.require_operation(op, server.agent)
        plan = history.plan_undo(op, source="agent")
    if not all(server.scope.knows_of(c.path) for c in plan.changes):
        raise Refused(f"{op} changed what belongs to another agent: ask the person to undo it")
    history.require_agents_own(op, plan)
    commit = None if asked.dry_run else history.apply_undo(plan)
    conflicts = [c.path for c in plan.changes if c.path.startswith("inbox/conflict-")]
    return Undone(
        op, not asked.dry_run, shown_text.of_plan(server, plan), conflicts,
        "" if asked.dry_run else plan.op, commit,
        undo_uncommitted([path for path in plan.unreached if server.scope.knows_of(path)]),
    )  # fmt: skip


TOOL = Tool(
    "memory_undo", "Undo",
    "Undo an operation, keeping later edits. By default it only shows the diff; dry_run=false "
    "does it.",
    TAKES_AWAY, Undo, TypeAdapter(Undone), undo,
)  # fmt: skip
