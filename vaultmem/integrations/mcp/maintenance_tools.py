"""The tools that show what they would do before they do it: memory_compact, memory_undo."""

from __future__ import annotations

from dataclasses import replace

from vaultmem.errors import BadInput, OverBudget, Refused, StaleWrite
from vaultmem.integrations.mcp import arguments, results
from vaultmem.integrations.mcp.read_tools import commits, is_open, shortened
from vaultmem.integrations.mcp.vault_session import ServerSession, waits
from vaultmem.memory.compaction.cost import Estimate
from vaultmem.memory.compaction.runner import Outcome
from vaultmem.storage import git
from vaultmem.storage import plan as plans
from vaultmem.storage.plan import Plan

_RECENT = 50
_NOTHING = results.Cost(0, 0, 0.0)


def compact(server: ServerSession, asked: arguments.Compact) -> results.Compacted:
    """Plan the compaction that is due, or apply a plan that was shown, or both."""
    if asked.plan_id:
        if not asked.apply:
            raise BadInput("a plan is shown already: apply=true carries it out")
        return _applied(server, server.plan(asked.plan_id))
    agent = _agent(server, asked.scope)
    cost = server.vault.estimate(agent, force=asked.force)
    if asked.max_tokens and cost.tokens > asked.max_tokens:
        raise OverBudget("max_tokens", cost.tokens, asked.max_tokens)
    outcome = server.vault.plan_compaction(agent, force=asked.force)
    if asked.apply and outcome.plan:
        return _applied(server, outcome)
    server.remember_plan(outcome)
    return _told(server, outcome, cost)


def _agent(server: ServerSession, scope: str) -> str:
    if server.agent and scope not in {"", server.agent}:
        raise BadInput(f"this server works for {server.agent} alone: leave scope out")
    return server.agent or scope


def _applied(server: ServerSession, outcome: Outcome) -> results.Compacted:
    """Carry out what was shown; raises StaleWrite when the ground moved since."""
    store, plan = server.vault.store, outcome.plan
    if plan is None:
        raise BadInput("there is nothing to apply")
    if taken := outcome.claims & store.index.covered(plan.agent):
        raise StaleWrite(min(taken), None, "summarized")
    store.apply(plan)
    commit = store.writer.settle().get(plan.op)
    return _told(server, outcome, None, commit)


def _told(
    server: ServerSession, outcome: Outcome, cost: Estimate | None, commit: str | None = None
) -> results.Compacted:
    plan, made = outcome.plan, outcome.compactions
    return results.Compacted(
        plan.op if plan else "",
        plan is not None and cost is None,
        [
            results.SummaryResult(c.recent, c.count, c.summary.faithfulness, c.summary.coverage)
            for c in made
        ],
        _diff(server, plan) if plan else "",
        [c.path for c in plan.changes if c.op == "delete"] if plan else [],
        results.Cost(cost.calls, cost.tokens, cost.price) if cost else _NOTHING,
        outcome.reason,
        commit,
    )


def undo(server: ServerSession, asked: arguments.Undo) -> results.Undone:
    """Show what would take an operation back, or take it back."""
    op = _last(server) if asked.id.strip().lower() == "last" else _known(server, asked.id.strip())
    plan, commit = server.vault.plan_undo(op), None
    if not all(server.knows_of(c.path) for c in plan.changes):
        raise _not_yours(op)
    if not asked.dry_run:
        server.vault.store.apply(plan)
        commit = server.vault.store.writer.settle().get(plan.op)
    return results.Undone(
        op, not asked.dry_run, _diff(server, plan), _conflicts(plan),
        "" if asked.dry_run else plan.op, commit,
    )  # fmt: skip


def _diff(server: ServerSession, plan: Plan) -> str:
    """Return what *plan* changes; of what waits for a person's review, the path alone."""
    told = [c for c in plan.changes if not waits(c.path)]
    quiet = [f"{c.op} {c.path}, which waits for review\n" for c in plan.changes if waits(c.path)]
    return shortened(
        "".join([*quiet, server.shown(plans.diff(replace(plan, changes=tuple(told))))])
    )


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
