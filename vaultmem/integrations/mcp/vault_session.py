"""What the tools work at: the open vault, for whom it is served, what was shown and may be done."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from vaultmem.api.agent_files.service import Reach
from vaultmem.api.agent_memory import Memory
from vaultmem.api.agent_scope import AgentScope
from vaultmem.api.rendering import quoted
from vaultmem.api.types import Outcome, Plan, Progress, of_many, untold
from vaultmem.api.vault import Vault
from vaultmem.config import VAULT_AGENT
from vaultmem.errors import BadInput, Refused, VaultError
from vaultmem.integrations.mcp.call_progress import CallProgress

_PLANS = 4
_PATIENCE = 3
"""After so many calls, and again after so many, a todo list that was left alone is brought to mind.
"""

_CARRIED_OUT = (
    "the plan {op} was carried out already: memory_history tells of it, and memory_undo takes it "
    "back (id={op})"
)
_TOO_LATE = (
    "{tool} was cancelled too late, and was carried out: memory_history tells what it did, "
    "memory_undo takes it back"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How a server was started: for which *agent*, and what it may do.

    `VAULT_AGENT` is the one that the vault means where nobody is named.
    """

    agent: str = ""
    read_only: bool = False
    allow_purge: bool = False


@dataclass
class ServerSession:
    """One vault served to one client or several; it is used on one thread alone."""

    vault: Vault
    limits: Limits = Limits()
    _plans: OrderedDict[str, Outcome] = field(default_factory=OrderedDict)
    _rounds: int = 0
    _late: str = ""
    _call: CallProgress | None = None

    def __post_init__(self) -> None:
        """Find out who is served."""
        if self.limits.agent == VAULT_AGENT:
            self.limits = replace(self.limits, agent=self.vault.usual_agent)

    @cached_property
    def reach(self) -> Reach:
        """The files as a client may read and write them."""
        return self.vault.reach(self.limits.agent)

    @property
    def agent(self) -> str:
        """The agent that the server is scoped to, "" when it serves all."""
        return self.limits.agent

    @property
    def is_new(self) -> bool:
        """Whether the agent that is served has nothing in the vault yet."""
        return bool(self.agent) and self.agent not in self.vault.known_agents

    @contextlib.contextmanager
    def during(self, call: CallProgress) -> Iterator[None]:
        """Tell *call* of what is done in the block, and of what the index reads for it."""
        self._call = call
        self.vault.queries.on_indexing(of_many(call.of_all("reading files into the index")))
        try:
            yield
        finally:
            self._call = None
            self.vault.queries.on_indexing(untold)

    def progress(self, what: str) -> Progress:
        """Return what is to be told how far *what* is, which may end the call there."""
        return self._call.of(what) if self._call else untold

    @cached_property
    def memory(self) -> Memory:
        """The work that the agent has in hand, in the session where it began."""
        bench = self.vault.workbench(self.limits.agent)
        return Memory(self.vault, agent=bench.agent, session=bench.read().session)

    def todos_updated(self) -> None:
        """Say that this call brings the todo list up to date."""
        self._rounds = -1

    def cancelled_too_late(self, tool: str) -> None:
        """Have the next reply say that a call of *tool* was carried out, though it was cancelled.

        By the protocol a call that was cancelled has no answer of its own.
        """
        self._late = _TOO_LATE.format(tool=tool)

    def reminder(self) -> str:
        """Count a call; return what its client is to be told besides, "" for nothing.

        What became of a call that was cancelled, and its todo list.
        """
        late, self._late = self._late, ""
        return "\n".join(filter(None, (late, self._todo_reminder())))

    def _todo_reminder(self) -> str:
        self._rounds += 1
        if self.limits.read_only or self._rounds < _PATIENCE or self._rounds % _PATIENCE:
            return ""
        with contextlib.suppress(VaultError, OSError):  # of which the tool for it tells
            return self.memory.reminder_after(self._rounds)
        return ""

    @cached_property
    def scope(self) -> AgentScope:
        """What a client may know of."""
        return AgentScope(self.limits.agent)

    def remember_plan(self, outcome: Outcome) -> None:
        """Keep a plan that was shown, to be applied as it was shown; the last few stay."""
        if outcome.plan:
            self._plans[outcome.plan.op] = outcome
            while len(self._plans) > _PLANS:
                self._plans.popitem(last=False)

    def plan(self, plan_id: str) -> Outcome:
        """Return the plan of this id, once; raises BadInput when it is none of those shown."""
        self.shown_plan(plan_id)
        return self._plans.pop(plan_id.upper())

    def shown_plan(self, plan_id: str) -> Plan:
        """Return the changes of the plan of this id, which stays; raises as `plan` does."""
        found = self._plans.get(plan_id.upper())
        if found is not None and found.plan is not None:
            return found.plan
        if self._is_operation(plan_id):
            raise BadInput(_CARRIED_OUT.format(op=plan_id.upper()))
        raise BadInput(
            f"no plan {quoted(plan_id)} here: call memory_compact without it, and apply its plan_id"
        )

    def _is_operation(self, op: str) -> bool:
        """Tell whether the history, where there is one, has *op*, and this client may know of it.

        What a plan does is an operation of the plan's id.
        """
        history = self.vault.history
        if not history.has_repository:
            return False
        with contextlib.suppress(BadInput, Refused):
            history.require_operation(op, self.agent)
            return True
        return False
