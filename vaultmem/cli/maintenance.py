"""`compact`, `status`, `watch`, `fsck`: keeping a vault well."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from vaultmem.api.types import MOST_BYTES, MOST_LINES
from vaultmem.cli import output
from vaultmem.cli.output import count
from vaultmem.records import days, first_line, utc_now, visible_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.api.types import (
        AgentHealth,
        Compaction,
        DaemonState,
        Health,
        IndexHealth,
        Outcome,
        Problem,
        Report,
        SummarizerHealth,
        WaitingCounts,
    )
    from vaultmem.api.vault.types import Compacted

_PROBLEM = 1
_LOOKED = "nothing was changed; `vaultmem fsck` begins anew"
_REPAIRED = "what was repaired stays, all else is as it was; `vaultmem fsck --repair` goes on"
_COMPACTED = "what is summarized stays, all else is as it was; `vaultmem compact` goes on"
_REDO = "`vaultmem compact --redo-degraded` asks again, once the model answers"
_MOST, _LINE = 10, 60
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
            "longterm_degraded": done.degraded if c.longterm else "",
            "commit": done.commit,
        }
        for c in done.compactions
    ]


@click.command()
@output.common
@output.agent("Only this agent's memories; by default all agents'.")
@click.option("--force", is_flag=True, help="Compact even below the threshold.")
@click.option("--redo-degraded", is_flag=True,
              help="Redo summaries that were written offline in place of a model.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Print the diff and change nothing.")
@click.option("--estimate", is_flag=True, help="Print the calls, tokens and price; call no model.")
def compact(agent: str, *, force: bool, redo_degraded: bool, dry_run: bool, estimate: bool) -> None:
    """Summarize memories older than the immediate window, in chunks; for turns see `fold`.

    Compacts of sessions that are due are made, too, and a model is asked what is to be taken from
    tasks that ended.
    """
    if estimate:
        _show_estimate(agent, force=force, redo_degraded=redo_degraded)
    elif dry_run:
        _show_plan(agent, force=force, redo_degraded=redo_degraded)
    else:
        run_compaction(agent, force=force, redo_degraded=redo_degraded)


def run_compaction(agent: str, *, force: bool, redo_degraded: bool = False) -> None:
    """Compact what *agent*, or everybody, has due, and print what that did."""
    with (
        output.interruptible(_COMPACTED),
        output.vault() as vault,
        output.tally("summarizing") as progress,
    ):
        names = vault.agents(agent)
        done = [
            vault.compact(n, force=force, redo_degraded=redo_degraded, progress=progress)
            for n in names
        ]
        sessions = [path for name in names for path in vault.sessions.compact_due(name)]
        experiences = [
            path for n in names for path in vault.sessions.reflect(n, redo_degraded=redo_degraded)
        ]
    made = [c for d in done for c in d.compactions]
    degraded = [d.degraded for d in done if d.degraded]
    rows = [row for d in done for row in compaction_rows(d)]
    reason = "" if rows else _reason(done)

    def show() -> None:
        others = [*(d.longterm for d in done if d.longterm), *sessions, *experiences]
        if made or not others:
            _show_compactions(made, reason)
        for why in degraded:
            output.note(f"the long-term summary was written offline: {why}")
        if degraded or any(c.summary.degraded for c in made):
            output.note(_REDO)
        if others:
            output.say("\n".join(others))

    written = {"sessions": sessions, "experiences": experiences}
    output.out({"compactions": rows, **written, "reason": reason}, show)


def _reason(done: Sequence[Compacted | Outcome]) -> str:
    return "; ".join(dict.fromkeys(d.reason for d in done if d.reason))


def _show_estimate(agent: str, *, force: bool, redo_degraded: bool) -> None:
    with output.vault() as vault:
        names = vault.agents(agent)
        total = vault.compactions.estimate_all(names, force=force, redo_degraded=redo_degraded)
        choice = vault.writers.choice()
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
    output.out(result, lambda: _print_estimate(result))


def _print_estimate(result: dict[str, object]) -> None:
    if result["summarizer"] == "extractive":
        output.say("the offline summarizer writes them: no calls, no tokens, no cost")
        return
    price = result["price_usd"]
    cost = "price unknown (set input_price and output_price in the profile)"
    output.say(
        f"{result['calls']} calls of {result['model'] or result['summarizer']}, "
        f"{result['input_tokens']} tokens in, {result['output_tokens']} out, "
        + (cost if price is None else f"${price:.4f}")
    )
    if not result["within_budget"]:
        output.say("over budget: the rest would be summarized offline", fg="yellow")


def _show_plan(agent: str, *, force: bool, redo_degraded: bool) -> None:
    from vaultmem.api.rendering import plan_diff
    from vaultmem.api.vault.types import Compacted

    with output.vault() as vault, output.tally("summarizing") as progress:
        outcomes = [
            vault.plan_compaction(n, force=force, redo_degraded=redo_degraded, progress=progress)
            for n in vault.agents(agent)
        ]
    rows = [
        r
        for o in outcomes
        for r in compaction_rows(Compacted(o.compactions, o.reason, None, o.degraded))
    ]
    reason = "" if rows else _reason(outcomes)
    text = "".join(plan_diff(o.plan) for o in outcomes if o.plan)
    output.out(
        {"compactions": rows, "reason": reason, "diff": text},
        lambda: output.patch(text) if text else output.say(f"nothing to do: {reason}"),
    )


def _show_compactions(made: Sequence[Compaction], reason: str) -> None:
    if not made:
        output.say(f"nothing to do: {reason}")
    for c in made:
        output.say(f"{c.agent}: memories {c.start} to {c.end} → {c.recent}")
        it = c.summary
        scores = (("faithful", it.faithfulness), ("covers", it.coverage), ("saves", it.compression))
        figures = ", ".join(f"{what} {score:.0%}" for what, score in scores)
        output.say(f"    {it.model}: {figures}" + (f"; {it.degraded}" if it.degraded else ""))
        output.say("".join(f"    {line}\n" for line in it.text.splitlines()), nl=False)


@click.command()
@output.common
@output.agent("Only this agent.")
def status(agent: str) -> None:
    """Show counts, windows, budgets and problems."""
    with output.interruptible(output.ONLY_READ), output.vault() as vault:
        found = vault.status()
        if agent:
            names = vault.agents(agent)
            found = replace(found, agents=tuple(a for a in found.agents if a.agent in names))
    whole = click.get_current_context().info_name == "@memory-status"
    output.out(found, lambda: _show_status(found, whole=whole))


def _waits(inbox: WaitingCounts) -> str:
    """Return what waits for a person, in words."""
    kinds = (
        (inbox.dreams, "dream", ""),
        (inbox.disagreements, "disagreement", " between the claims of a card"),
        (inbox.reviews, "memory", " that nobody vouches for"),
        (inbox.conflicts, "conflict", " between two versions of a file"),
    )
    return ", ".join(f"{count(number, noun)}{what}" for number, noun, what in kinds if number)


def _show_status(found: Health, *, whole: bool) -> None:
    now = utc_now()
    colour = {"OK": "green", "WARNING": "yellow", "ERROR": "red"}[found.status]
    output.say(found.status, fg=colour, bold=True, nl=False)
    output.line(f"  {found.path}")
    if found.agents:
        output.table(
            ("agent", "memories", "covered", "pending", "summaries", "faithful", "covers",
             "next at", "last memory", "compacted"),
            [(a.agent, a.memories, a.covered, a.pending, a.recent_summaries,
              output.share(a.faithfulness), output.share(a.coverage),
              a.next_compaction_at or "-", output.age(a.last_memory, now),
              output.age(a.last_compaction, now))
             for a in found.agents],
        )  # fmt: skip
        output.prose(
            f"windows: the newest {found.immediate_window} memories word for word, "
            f"then {found.recent_window} to a short-term summary"
        )
        for agent in found.agents:
            _show_summaries(agent, whole=whole)
    else:
        output.prose("no memories yet: `vaultmem remember TEXT` stores the first")
    size = found.memory_md
    output.prose(
        f"MEMORY.md {size.lines} of {MOST_LINES} lines, {size.bytes} of {MOST_BYTES} bytes"
    )
    output.prose(_finder(found.index))
    output.prose(_writer(found.summarizer))
    output.prose(_daemon(found.daemon))
    if waits := _waits(found.inbox):
        output.prose(f"waits in inbox/: {waits}")
    if found.uncommitted:
        _show_waiting(found.uncommitted, "write")
    for problem in found.problems:
        output.prose(_problem(problem), indent="  ")


def _show_waiting(number: int, noun: str) -> None:
    verb, whose = ("waits", "its") if number == 1 else ("wait", "their")
    output.prose(f"{count(number, noun)} {verb} for {whose} commit: the next command that writes "
                 "commits, or `vaultmem watch --once`")  # fmt: skip


def _show_summaries(agent: AgentHealth, *, whole: bool) -> None:
    for it in agent.summaries:
        told_of = days(it.covers_from, it.covers_to)
        output.prose(", ".join(filter(None, (it.path, told_of))), indent="    ")
        lines = it.text.splitlines()
        for line in lines if whole else lines[:1]:
            output.prose(f"    {line}", indent="    ")


def _problem(it: Problem) -> str:
    return visible_line(f"! {it.path or 'vault'}: {it.message}; {it.repair}")


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


def _daemon(it: DaemonState) -> str:
    if not it.running:
        return "no daemon is running: `vaultmem watch` compacts, commits and answers notes"
    beat = output.minute(it.heartbeat)
    return f"a daemon watches (process {it.pid}, last heartbeat {beat})" + it.late * ", late"


@click.command()
@output.common
@click.option("--once", is_flag=True, help="Do what is due now, then exit.")
@click.option("--exit-with-parent", is_flag=True, help="Exit when the parent process exits.")
@click.option(
    "--print-unit",
    "unit",
    is_flag=False,
    flag_value=_STARTER,
    metavar="[KIND]",
    type=click.Choice(["systemd", "launchd"]),
    help="Print a unit with which systemd or launchd starts it at login.",
)
def watch(*, once: bool, exit_with_parent: bool, unit: str | None) -> None:
    """Run the daemon: compact, fold, update MEMORY.md, commit and answer notes as needed."""
    from vaultmem.cli import watch as cli_watch

    if unit:
        cli_watch.print_unit(unit)
    elif once:
        cli_watch.once()
    else:
        cli_watch.run_forever(with_parent=exit_with_parent)


@click.command()
@output.common
@click.option("--repair", is_flag=True, help="First fix what needs no decision of yours.")
@click.option(
    "--accept-missing", is_flag=True, help="Accept that missing files are gone on purpose."
)
@click.option(
    "--accept", metavar="REF", multiple=True,
    help="Accept what an edited memory says now as yours; may be repeated.",
)  # fmt: skip
def fsck(*, repair: bool, accept_missing: bool, accept: tuple[str, ...]) -> int:
    """Check every file, id, summary and pointer; exit 1 if there are problems."""
    with (
        output.interruptible(_REPAIRED if repair else _LOOKED),
        output.vault() as vault,
        output.tally("checking") as progress,
    ):
        report = vault.fsck(
            repair=repair, accept_missing=accept_missing, accept=accept, progress=progress
        )
    output.out(asdict(report) | {"ok": report.ok}, lambda: _show_report(report))
    return 0 if report.ok else _PROBLEM


def _show_report(report: Report) -> None:
    output.say("ok" if report.ok else "problems", fg="green" if report.ok else "red", nl=False)
    output.say(
        f"  {count(report.checked['files'], 'Markdown file')}, {count(report.memories, 'memory')}, "
        f"{report.covered} summarized, {report.pending} waiting"
    )
    if report.uncommitted:
        _show_waiting(report.uncommitted, "file")
    if left := report.not_checked_out:
        output.prose(f"{count(left, 'file')} that a sparse checkout leaves out not looked at: "
                     "`git sparse-checkout disable` checks out all of them")  # fmt: skip
    for p in report.problems:
        output.line(f"! {p.code}: {p.path or 'vault'}: {p.message}; {p.repair}")
    for path in report.set_aside:
        output.line(f"{path}: what could not be mended was set aside there, and what that means")
    for p in (*report.tool_lines, *report.due):
        output.line(f"{p.path}: {p.message}; {p.repair}")
    if found := report.unsupported:
        output.say(f"no source bears out {count(len(found), 'line')}, `vaultmem why` shows each:")
    for it in found[:_MOST]:
        output.line(f"  {it.path}:{it.line}: {first_line(it.text, _LINE)}")
    if len(found) > _MOST:
        output.say(f"  and {len(found) - _MOST} more: `vaultmem fsck --json` lists them")


COMMANDS = {"compact": compact, "status": status, "watch": watch, "fsck": fsck}
