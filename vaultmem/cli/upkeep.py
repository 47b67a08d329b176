"""`compact`, `status`, `watch`, `fsck`: keeping a vault well."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from vaultmem.cli import screen
from vaultmem.cli.screen import count
from vaultmem.memory.memory_index import MOST_BYTES, MOST_LINES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.api.vault import Compacted
    from vaultmem.maintenance.fsck import Report
    from vaultmem.maintenance.health import Health, IndexHealth, SummarizerHealth, Waiting
    from vaultmem.memory.compaction import Compaction
    from vaultmem.storage.daemon_lock import State

_PROBLEM = 1
_STARTER = "launchd" if sys.platform == "darwin" else "systemd"


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
            "compression": c.summary.compression,
            "degraded": c.summary.degraded,
            "commit": done.commit,
        }
        for c in done.compactions
    ]


@click.command()
@screen.common
@click.option("--agent", default="", help="Whose memories; everybody's, if nobody is named.")
@click.option("--force", is_flag=True, help="Take what waits below the threshold as well.")
@click.option("--redo-degraded", is_flag=True,
              help="Write again what was summarized offline in a model's place.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Print the diff and change nothing.")
@click.option("--estimate", is_flag=True, help="Print calls, tokens and price; ask no model.")
def compact(agent: str, *, force: bool, redo_degraded: bool, dry_run: bool, estimate: bool) -> None:
    """Summarize the memories that aged out of the immediate window, in chunks."""
    if estimate:
        _show_estimate(agent, force=force, redo_degraded=redo_degraded)
    elif dry_run:
        _show_plan(agent, force=force, redo_degraded=redo_degraded)
    else:
        run_compaction(agent, force=force, redo_degraded=redo_degraded)


def run_compaction(agent: str, *, force: bool, redo_degraded: bool = False) -> None:
    """Compact what *agent*, or everybody, has due, and print what that did."""
    with screen.vault() as vault:
        names = vault.agents(agent)
        done = [vault.compact(n, force=force, redo_degraded=redo_degraded) for n in names]
    rows = [row for d in done for row in compaction_rows(d)]
    reason = "; ".join(dict.fromkeys(d.reason for d in done if d.reason)) if not rows else ""
    screen.out(
        {"compactions": rows, "reason": reason},
        lambda: show_compactions([c for d in done for c in d.compactions], reason),
    )


def _show_estimate(agent: str, *, force: bool, redo_degraded: bool) -> None:
    from vaultmem.memory.compaction import cost as compaction_cost

    with screen.vault() as vault:
        names = vault.agents(agent)
        each = [vault.estimate(n, force=force, redo_degraded=redo_degraded) for n in names]
        choice, total = vault.writers.choice(), compaction_cost.total(each)
        affordable = vault.writers.affords(total.calls, total.tokens)
    result = {
        "summarizer": choice.backend,
        "model": choice.model,
        "compactions": total.compactions,
        "calls": total.calls,
        "input_tokens": total.input_tokens,
        "output_tokens": total.output_tokens,
        "price_usd": total.price,
        "within_budget": affordable,
    }
    screen.out(result, lambda: _tell_estimate(result))


def _tell_estimate(result: dict[str, object]) -> None:
    if result["summarizer"] == "extractive":
        screen.say("the offline summarizer writes: no call, no token, nothing to pay")
        return
    price = result["price_usd"]
    cost = "price unknown (input_price and output_price in the profile tell it)"
    screen.say(
        f"{result['calls']} calls of {result['model'] or result['summarizer']}, "
        f"{result['input_tokens']} tokens in, {result['output_tokens']} out, "
        + (cost if price is None else f"${price:.4f}")
    )
    if not result["within_budget"]:
        screen.say("over the budget: what is beyond it would be summarized offline", fg="yellow")


def _show_plan(agent: str, *, force: bool, redo_degraded: bool) -> None:
    from vaultmem.api.vault import Compacted
    from vaultmem.storage import plan

    with screen.vault() as vault:
        names = vault.agents(agent)
        outcomes = [vault.plan_compaction(n, force=force, redo_degraded=redo_degraded)
                    for n in names]  # fmt: skip
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
        screen.say(f"    {quality(c)}")
        screen.say("".join(f"    {line}\n" for line in c.summary.text.splitlines()), nl=False)


def quality(made: Compaction) -> str:
    """Return who wrote a summary and how well, in a line."""
    it = made.summary
    scores = (("faithful", it.faithfulness), ("covers", it.coverage), ("saves", it.compression))
    told = ", ".join(f"{what} {score:.0%}" for what, score in scores)
    return f"{it.model}: {told}" + (f"; {it.degraded}" if it.degraded else "")


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
        "index": found.index,
        "daemon": found.daemon,
        "summarizer": found.summarizer,
        "uncommitted": found.uncommitted,
        "inbox": found.inbox,
        "problems": found.problems,
    }  # fmt: skip


def _waits(inbox: Waiting) -> str:
    """Return what waits for a person, in words."""
    told = (
        (inbox.dreams, "dream", ""),
        (inbox.conflicts, "card", " with claims that disagree"),
        (inbox.reviews, "memory", " that nobody vouches for"),
    )
    return ", ".join(f"{count(number, noun)}{what}" for number, noun, what in told if number)


def show_status(found: Health) -> None:
    """Print the state of a vault, for a person."""
    colour = {"OK": "green", "WARNING": "yellow", "ERROR": "red"}[found.status]
    screen.say(found.status, fg=colour, bold=True, nl=False)
    screen.say(f"  {found.path}")
    if found.agents:
        screen.table(
            ("agent", "memories", "covered", "pending", "summaries", "faithful", "covers",
             "next at", "last memory", "compacted"),
            [(a.agent, a.memories, a.covered, a.pending, a.recent_summaries,
              screen.share(a.faithfulness), screen.share(a.coverage),
              a.next_compaction_at, screen.day(a.last_memory), screen.day(a.last_compaction))
             for a in found.agents],
        )  # fmt: skip
    else:
        screen.say("no memories yet: `vaultmem remember TEXT` makes the first")
    size = found.memory_md
    screen.say(f"MEMORY.md {size.lines} of {MOST_LINES} lines, {size.bytes} of {MOST_BYTES} bytes")
    screen.say(_finder(found.index))
    screen.say(_writer(found.summarizer))
    screen.say(_daemon(found.daemon))
    if waits := _waits(found.inbox):
        screen.say(f"waits in inbox/: {waits}")
    if found.uncommitted:
        screen.say(f"{found.uncommitted} writes wait for their commit")
    for problem in found.problems:
        screen.say(f"! {problem.path or 'vault'}: {problem.message}; {problem.repair}")


def _finder(it: IndexHealth) -> str:
    if it.embedder == "none":
        return f"recall by words: {it.why}"
    lack = f", {it.passages - it.embedded} wait" if it.embedded < it.passages else ""
    return f"recall by words and by {it.embedder}: {it.embedded} vectors{lack} ({it.backend})"


def _writer(it: SummarizerHealth) -> str:
    name = f"{it.backend} {it.model}".strip()
    if it.backend == "extractive":
        return f"summaries by {name}: {it.why}"
    return (
        f"summaries by {name}: {it.why}; {it.calls_last_hour} of {it.max_llm_calls_per_hour} calls "
        f"this hour, {it.tokens_last_day} of {it.max_tokens_per_day} tokens today"
    )


def _daemon(it: State) -> str:
    if not it.running:
        return "no daemon runs: `vaultmem watch` compacts, commits and answers notes as it comes"
    beat = screen.minute(it.heartbeat)
    return f"a daemon watches (process {it.pid}, last heard of {beat})" + it.late * ", late"


@click.command()
@screen.common
@click.option("--once", is_flag=True, help="Do what is due now, then end.")
@click.option("--exit-with-parent", is_flag=True, help="End when the caller has ended.")
@click.option(
    "--print-unit",
    "unit",
    is_flag=False,
    flag_value=_STARTER,
    metavar="[KIND]",
    type=click.Choice(["systemd", "launchd"]),
    help="Print what lets systemd or launchd start it at login.",
)
def watch(*, once: bool, exit_with_parent: bool, unit: str | None) -> None:
    """Do what is due as it comes: compactions, MEMORY.md, commits, answers to notes."""
    from vaultmem.cli import watching

    if unit:
        watching.print_unit(unit)
    elif once:
        watching.once()
    else:
        watching.forever(with_parent=exit_with_parent)


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
