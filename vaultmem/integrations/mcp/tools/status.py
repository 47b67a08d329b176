"""`memory_status`: counts, budgets, what waits, problems and what mends them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass

from pydantic import TypeAdapter

from vaultmem.api.types import AgentHealth, Health
from vaultmem.integrations.mcp import commands
from vaultmem.integrations.mcp.tools import shown_text
from vaultmem.integrations.mcp.tools.arguments import Arguments
from vaultmem.integrations.mcp.tools.types import LOOKS, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession

_PROBLEMS = 12


class Status(Arguments):
    """`memory_status` is asked nothing."""


@dataclass(frozen=True, slots=True)
class AgentState:
    """What one agent has, in numbers."""

    agent: str
    memories: int
    covered: int
    pending: int
    summaries: int
    last_memory: str | None
    last_compaction: str | None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something wrong, where, and what mends it; of a file that is not trusted, in which folder."""

    path: str
    message: str
    repair: str


@dataclass(frozen=True, slots=True)
class State:
    """The vault at a glance; *memory_md* is how much of its budget MEMORY.md uses, of 1."""

    status: str
    memories: int
    agents: Sequence[AgentState]
    documents: int
    fresh: bool
    search: str
    memory_md: float
    uncommitted: int
    waiting: int
    watcher: str | None
    last_dream: str | None
    problems: Sequence[Trouble]


def status(server: ServerSession, _asked: Status) -> State:
    """Tell how the vault is."""
    found = server.vault.status()
    mine = [a for a in found.agents if server.agent in {"", a.agent}]
    beat = found.daemon.heartbeat if found.daemon.running else None
    return State(
        found.status, sum(a.memories for a in mine), [_agent(a) for a in mine],
        found.index.documents, found.index.fresh, found.index.backend,
        round(found.memory_md.share, 3), found.uncommitted,
        sum(astuple(found.inbox)), beat,
        server.vault.dreams.last_planned(), list(_troubles(server, found)),
    )  # fmt: skip


def _agent(it: AgentHealth) -> AgentState:
    return AgentState(
        it.agent, it.memories, it.covered, it.pending, it.recent_summaries, it.last_memory,
        it.last_compaction,
    )  # fmt: skip


def _troubles(server: ServerSession, found: Health) -> Iterator[Trouble]:
    here = str(server.vault.path)
    mine = [it for it in found.problems if server.scope.knows_of(it.path)]
    shown = mine[:_PROBLEMS]
    untrusted = server.vault.history.untrusted_now(it.path for it in shown)
    for it in shown:
        path = shown_text.place(it.path) if it.path in untrusted else it.path
        told = (each.replace(here, "the vault").replace(it.path, path)
                for each in (it.message, it.repair))  # fmt: skip
        yield Trouble(path, *map(commands.for_client, told))
    if (left := len(mine) - _PROBLEMS) > 0:
        yield Trouble("", f"{left} more", "ask the person to run `vaultmem status`")


TOOL = Tool(
    "memory_status", "Memory status",
    "Counts, budgets, pending work, problems and how to fix them.",
    LOOKS, Status, TypeAdapter(State), status,
)  # fmt: skip
