"""`compact`, `status`, `watch`, `fsck`: keeping a vault well."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from vaultmem.cli import screen
from vaultmem.errors import BadInput

if TYPE_CHECKING:
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
@click.option("--agent", default="", help="Whose memories.")
@click.option("--force", is_flag=True, help="Take what waits below the threshold as well.")
@click.option("--dry-run", is_flag=True, help="Print the diff and change nothing.")
def compact(agent: str, *, force: bool, dry_run: bool) -> None:
    """Summarize the memories that aged out of the immediate window, in chunks."""
    if dry_run:
        _show_plan(agent, force=force)
        return
    with screen.vault() as vault:
        done = vault.compact(agent, force=force)
    screen.out(
        {"compactions": compaction_rows(done), "reason": done.reason},
        lambda: show_compaction(done),
    )


def _show_plan(agent: str, *, force: bool) -> None:
    from vaultmem import plan
    from vaultmem.vault import Compacted

    with screen.vault() as vault:
        outcome = vault.plan_compaction(agent, force=force)
    rows = compaction_rows(Compacted(outcome.compactions, outcome.reason, None))
    text = plan.diff(outcome.plan) if outcome.plan else ""
    screen.out(
        {"compactions": rows, "reason": outcome.reason, "diff": text},
        lambda: screen.patch(text) if text else click.echo(outcome.reason),
    )


def show_compaction(done: Compacted) -> None:
    """Print what a compaction did, for a person."""
    if not done.compactions:
        click.echo(f"nothing to do: {done.reason}")
    for c in done.compactions:
        click.echo(f"memories {c.start} to {c.end} → {c.recent}")
        click.echo("".join(f"    {line}\n" for line in c.summary.text.splitlines()), nl=False)


@click.command()
@screen.common
def status() -> None:
    """Show counts, windows, budgets and what is wrong."""
    with screen.vault() as vault:
        found = vault.status()
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
    click.secho(found.status, fg=colour, bold=True, nl=False)
    click.echo(f"  {found.path}")
    if found.agents:
        screen.table(
            ("agent", "memories", "immediate", "covered", "pending", "summaries", "last memory",
             "last compaction", "next at"),
            [(a.agent, a.memories, a.immediate, a.covered, a.pending, a.recent_summaries,
              a.last_memory or "-", a.last_compaction or "-", a.next_compaction_at)
             for a in found.agents],
        )  # fmt: skip
    else:
        click.echo("no memories yet: `vaultmem remember TEXT` makes the first")
    size = found.memory_md
    click.echo(f"MEMORY.md {size.lines} of 200 lines, {size.bytes} of 25000 bytes")
    for problem in found.problems:
        click.echo(f"! {problem.path or 'vault'}: {problem.message}; {problem.repair}")


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
        lambda: click.echo(f"{made} compactions, {len(commits)} commits"),
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
    click.secho("ok" if report.ok else "problems", fg="green" if report.ok else "red", nl=False)
    click.echo(
        f"  {report.checked['files']} files, {report.memories} memories, {report.covered} "
        f"summarized, {report.pending} waiting"
    )
    for p in report.problems:
        click.echo(f"! {p.code}: {p.path}: {p.message}; {p.repair}")


COMMANDS = {"compact": compact, "status": status, "watch": watch, "fsck": fsck}
