"""Diffs as a model can bear them: shortened, and without what waits for a person."""

from __future__ import annotations

from dataclasses import replace

from vaultmem.api.rendering import plan_diff
from vaultmem.api.types import Plan
from vaultmem.integrations.mcp.vault_session import ServerSession, waits

_DIFF = 6_000


def shortened(diff: str) -> str:
    """Return *diff* as it is, or what of it a model can bear, and how much is missing."""
    if len(diff) <= _DIFF:
        return diff
    kept = diff[:_DIFF].rpartition("\n")[0]
    return f"{kept}\n… {diff.count(chr(10)) - kept.count(chr(10))} more lines\n"


def of_plan(server: ServerSession, plan: Plan) -> str:
    """Return what *plan* changes; of what waits for a person's review, the path alone."""
    told = [c for c in plan.changes if not waits(c.path)]
    quiet = [f"{c.op} {c.path}, which waits for review\n" for c in plan.changes if waits(c.path)]
    return shortened("".join([*quiet, server.shown(plan_diff(replace(plan, changes=tuple(told))))]))
