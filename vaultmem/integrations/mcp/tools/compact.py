"""`memory_compact`: show the compaction that is due, then apply it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import Field, TypeAdapter

from vaultmem.api.types import Estimate, Outcome
from vaultmem.errors import BadInput, NameTaken, OverBudget, Refused, StaleWrite
from vaultmem.integrations.mcp import commands
from vaultmem.integrations.mcp.tools import shown_text
from vaultmem.integrations.mcp.tools.arguments import Arguments, Whole, also, refuse_unused
from vaultmem.integrations.mcp.tools.types import TAKES_AWAY, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession


class Compact(Arguments):
    """What `memory_compact` is given."""

    scope: str = Field("", validation_alias=also("scope", "agent"), description="an agent")
    apply: bool = Field(
        default=False, validation_alias=also("apply", "confirm"), description="do it"
    )
    plan_id: str = Field(
        "", validation_alias=also("plan_id", "plan", "id"), description="the plan to apply"
    )
    force: bool = Field(default=False, description="compact even below the threshold")
    max_tokens: Whole = Field(
        0, ge=0, validation_alias=also("max_tokens", "budget"), description="0: no limit"
    )

    @property
    def is_preview(self) -> bool:
        """As it begins; what is due is not compacted before somebody has looked at it."""
        return not self.apply


@dataclass(frozen=True, slots=True)
class SummaryResult:
    """One summary that a compaction makes, and how true to its memories it is, of 1."""

    path: str
    memories: int
    faithfulness: float | None
    coverage: float | None


@dataclass(frozen=True, slots=True)
class Cost:
    """What models take for it; *price* in US dollars, null when it is unknown."""

    calls: int
    tokens: int
    price: float | None


@dataclass(frozen=True, slots=True)
class Compacted:
    """A compaction that is planned or done; *plan_id* applies it, "" when nothing is due.

    *losses* are the files that it would take away: raw memories always stay.
    """

    plan_id: str
    applied: bool
    summaries: Sequence[SummaryResult]
    diff: str
    losses: Sequence[str]
    cost: Cost
    reason: str
    commit: str | None


_OVERTAKEN = "the vault changed since this plan was shown, and nothing of it was applied"
_ANEW = "more is due: call memory_compact without plan_id for a new plan"
_DONE = "what was due was compacted meanwhile, as happens by itself: nothing is left to do"
_NOTHING = Cost(0, 0, 0.0)
_NOTHING_DUE = Compacted(
    plan_id="", applied=False, summaries=(), diff="", losses=(), cost=_NOTHING, reason="",
    commit=None,
)  # fmt: skip


def compact(server: ServerSession, asked: Compact) -> Compacted:
    """Plan the compaction that is due, or apply a plan that was shown, or both."""
    if asked.plan_id:
        if not asked.apply:
            op = server.shown_plan(asked.plan_id).op
            raise BadInput(f"the plan {op} was shown: apply=true carries it out")
        refuse_unused(asked, ("apply", "plan_id"), "a plan that was shown")
        return _applied(server, server.plan(asked.plan_id))
    if server.agent and asked.scope not in {"", server.agent}:
        raise BadInput(f"this server works only for {server.agent}: leave scope out")
    agent = server.agent or asked.scope
    if server.is_new:
        return replace(_NOTHING_DUE, reason=f"{agent} has no memories yet")
    cost = server.vault.estimate(agent, force=asked.force)
    if asked.max_tokens and cost.tokens > asked.max_tokens:
        raise OverBudget("max_tokens", cost.tokens, asked.max_tokens)
    progress = server.progress("summarizing")
    outcome = server.vault.plan_compaction(agent, force=asked.force, progress=progress)
    if asked.apply and outcome.plan:
        return _applied(server, outcome)
    server.remember_plan(outcome)
    return _result(server, outcome, cost)


def _applied(server: ServerSession, outcome: Outcome) -> Compacted:
    """Carry out what was shown; raises Refused when the vault changed meanwhile."""
    try:
        done = server.vault.compactions.apply(outcome)
    except (StaleWrite, NameTaken) as e:
        agent = outcome.plan.agent if outcome.plan else server.agent
        is_due = server.vault.should_compact(agent)
        raise Refused(f"{_OVERTAKEN}; {_ANEW if is_due else _DONE}") from e
    return _result(server, outcome, None, done.commit)


def _result(
    server: ServerSession, outcome: Outcome, cost: Estimate | None, commit: str | None = None
) -> Compacted:
    plan, made = outcome.plan, outcome.compactions
    return Compacted(
        plan.op if plan else "",
        plan is not None and cost is None,
        [
            SummaryResult(c.recent, c.count, c.summary.faithfulness, c.summary.coverage)
            for c in made
        ],
        shown_text.of_plan(server, plan) if plan else "",
        [c.path for c in plan.changes if c.op == "delete"] if plan else [],
        Cost(cost.calls, cost.tokens, cost.price) if cost else _NOTHING,
        commands.for_client(outcome.reason),
        commit,
    )


TOOL = Tool(
    "memory_compact", "Compact memories",
    "Summarize old memories, which stay. The first call only shows a plan; to apply it, call "
    "again with apply=true and its plan_id.",
    TAKES_AWAY, Compact, TypeAdapter(Compacted), compact,
)  # fmt: skip
