"""`compact`, `status`, `watch`, `fsck`: keeping a vault well."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from vaultmem.cli import screen
from vaultmem.cli.screen import count
from vaultmem.errors import BadInput
from vaultmem.pointers import MOST_BYTES, MOST_LINES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.compact import Compaction
    from vaultmem.fsck import Report
    from vaultmem.health import Health
    from vaultmem.vault import Compacted

_PROBLEM = 1


def compaction_rows(done: Compacted) -> list[dict[str, object]]:
    """Return the compactions as scripts rely on them."""
    return [
        {
            "agent": c.agent,
            "recent": c.recent,
            "longterm": c.longterm,
            "memory_range_start": c.start,
            "memory_range_end": c.end,
            "summarizer": c.summary.model,
            "faithfulness": c.summary.faithfulness,
            "coverage": c.summary.coverage,
            "commit": done.commit,
        }
        for c in done.compactions
    ]


@click.command()
@screen.common
@click.option("--agent", default="", help="Whose memories; everybody's, if nobody is named.")
@click.option("--force", is_flag=True, help="Take what waits below the threshold as well.")
@click.option("--dry-run", is_flag=True, help="Print the diff and change nothing.")
def compact(agent: str, *, force: bool, dry_run: bool) -> None:
    """Summarize the memories that aged out of the immediate window, in chunks."""
    if dry_run:
        _show_plan(agent, force=force)
    else:
        run_compaction(agent, force=force)


def run_compaction(agent: str, *, force: bool) -> None:
    """Compact what *agent*, or everybody, has due, and print what that did."""
    with screen.vault() as vault:
        done = [vault.compact(name, force=force) for name in vault.agents(agent)]
    rows = [row for d in done for row in compaction_rows(d)]
    reason = "; ".join(dict.fromkeys(d.reason for d in done if d.reason)) if not rows else ""
    screen.out(
        {"compactions": rows, "reason": reason},
        lambda: show_compactions([c for d in done for c in d.compactions], reason),
    )


def _show_plan(agent: str, *, force: bool) -> None:
    from vaultmem import plan
    from vaultmem.vault import Compacted

    with screen.vault() as vault:
        outcomes = [vault.plan_compaction(name, force=force) for name in vault.agents(agent)]
    rows = [r for o in outcomes for r in compaction_rows(Compacted(o.compactions, o.reason, None))]
    reason = "; ".join(dict.fromkeys(o.reason for o in outcomes if o.reason)) if not rows else ""
    text = "".join(plan.diff(o.plan) for o in outcomes if o.plan)
    screen.out(
        {"compactions": rows, "reason": reason, "diff": text},
        lambda: screen.patch(text) if text else screen.say(f"nothing to do: {reason}"),
    )


def show_compactions(made: Sequence[Compaction], reason: str) -> None:
    """Print what compactions did, for a person."""
    if not made:
        screen.say(f"nothing to do: {reason}")
    for c in made:
        screen.say(f"{c.agent}: memories {c.start} to {c.end} → {c.recent}")
        screen.say("".join(f"    {line}\n" for line in c.summary.text.splitlines()), nl=False)


@click.command()
@screen.common
@click.option("--agent", default="", help="Only this agent.")
def status(agent: str) -> None:
    """Show counts, windows, budgets and what is wrong."""
    with screen.vault() as vault:
        found = vault.status()
        if agent:
            names = vault.agents(agent)
            found = replace(found, agents=tuple(a for a in found.agents if a.agent in names))
    screen.out(_status(found), lambda: show_status(found))


def _status(found: Health) -> dict[str, object]:
    return {
        "status": found.status,
        "path": found.path,
        "format": found.format,
        "agents": found.agents,
        "memory_md": asdict(found.memory_md),
        "index": {"documents": found.documents, "fresh": True, "backend": "sqlite-fts5",
                  "embedder": "none"},
        "daemon": {"running": False, "heartbeat": None},
        "uncommitted": found.uncommitted,
        "problems": found.problems,
    }  # fmt: skip


def show_status(found: Health) -> None:
    """Print the state of a vault, for a person."""
    colour = {"OK": "green", "WARNING": "yellow", "ERROR": "red"}[found.status]
    screen.say(found.status, fg=colour, bold=True, nl=False)
    screen.say(f"  {found.path}")
    if found.agents:
        screen.table(
            ("agent", "memories", "covered", "pending", "summaries", "next at",
             "last memory", "compacted"),
            [(a.agent, a.memories, a.covered, a.pending, a.recent_summaries,
              a.next_compaction_at, screen.day(a.last_memory), screen.day(a.last_compaction))
             for a in found.agents],
        )  # fmt: skip
    else:
        screen.say("no memories yet: `vaultmem remember TEXT` makes the first")
    size = found.memory_md
    screen.say(f"MEMORY.md {size.lines} of {MOST_LINES} lines, {size.bytes} of {MOST_BYTES} bytes")
    if found.uncommitted:
        screen.say(f"{found.uncommitted} writes wait for their commit")
    for problem in found.problems:
        screen.say(f"! {problem.path or 'vault'}: {problem.message}; {problem.repair}")


@click.command()
@screen.common
@click.option("--once", is_flag=True, help="Do what is due now, then end.")
def watch(*, once: bool) -> None:
    """Do what is due: half-done writes, compactions, MEMORY.md, commits."""
    if not once:
        raise BadInput("watch does one round: `vaultmem watch --once`, from cron or a timer")
    with screen.vault() as vault:
        done = vault.tick()
    made = len(done.compactions)
    commits = [*done.commits, *([done.edits] if done.edits else [])]
    screen.out(
        {"compactions": [c.recent for c in done.compactions], "commits": commits},
        lambda: screen.say(f"{count(made, 'compaction')}, {count(len(commits), 'commit')}"),
    )


@click.command()
@screen.common
@click.option("--repair", is_flag=True, help="Mend what needs no judgement first.")
@click.option("--accept-missing", is_flag=True, help="Believe that vanished files may be gone.")
def fsck(*, repair: bool, accept_missing: bool) -> int:
    """Check every file, id, summary and pointer; exit 1 when something is wrong."""
    with screen.vault() as vault:
        report = vault.fsck(repair=repair, accept_missing=accept_missing)
    screen.out(asdict(report) | {"ok": report.ok}, lambda: _show_report(report))
    return 0 if report.ok else _PROBLEM


def _show_report(report: Report) -> None:
    screen.say("ok" if report.ok else "problems", fg="green" if report.ok else "red", nl=False)
    screen.say(
        f"  {count(report.checked['files'], 'file')}, {count(report.memories, 'memory')}, "
        f"{report.covered} summarized, {report.pending} waiting"
    )
    for p in report.problems:
        screen.say(f"! {p.code}: {p.path}: {p.message}; {p.repair}")


COMMANDS = {"compact": compact, "status": status, "watch": watch, "fsck": fsck}
