"""The @commands of chats and notes: the plain commands, spoken."""

from __future__ import annotations

import click

from vaultmem.api.types import MOST_BYTES, MOST_LINES
from vaultmem.cli import dream, output
from vaultmem.cli.forget import spoken
from vaultmem.cli.maintenance import run_compaction, status
from vaultmem.cli.recall import recall
from vaultmem.cli.remember import remember


@click.command("@compact-memories")
@output.common
@output.agent("Only this agent's memories; by default all agents'.")
def compact_memories(agent: str) -> None:
    """Compact now, even below the threshold."""
    run_compaction(agent, force=True)


@click.command("@bootstrap-summaries")
@output.common
@output.agent("Only this agent's memories; by default all agents'.")
def bootstrap_summaries(agent: str) -> None:
    """Summarize memories that have no summary yet, in the usual chunks."""
    run_compaction(agent, force=False)


@click.command("@memory-budget")
@output.common
@output.agent("Only this agent.")
def memory_budget(agent: str) -> None:
    """Show how full MEMORY.md and each agent's windows are."""
    with output.vault() as vault:
        found = vault.status()
        config = vault.config
        names = vault.agents(agent)
    size = found.memory_md
    agents = [a for a in found.agents if a.agent in names]
    rows = [
        ("MEMORY.md lines", size.lines, MOST_LINES),
        ("MEMORY.md bytes", size.bytes, MOST_BYTES),
        *((f"{a.agent}: immediate", a.immediate, config.immediate_window) for a in agents),
        *((f"{a.agent}: waiting", a.pending, config.recent_window) for a in agents),
    ]
    if config.max_memories:
        rows += [(f"{a.agent}: memories", a.memories, config.max_memories) for a in agents]
    budgets = [{"what": what, "used": used, "of": limit} for what, used, limit in rows]
    shown = [(what, used, limit, f"{used / limit:.0%}") for what, used, limit in rows]
    output.out({"budgets": budgets}, lambda: output.table(("what", "used", "of", ""), shown))


COMMANDS = {
    "@compact-memories": compact_memories,
    "@memory-status": status,
    "@memory-budget": memory_budget,
    "@remember": remember,
    "@recall": recall,
    "@forget": spoken,
    "@dream": dream.spoken,
    "@bootstrap-summaries": bootstrap_summaries,
}
