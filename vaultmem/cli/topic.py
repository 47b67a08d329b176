"""`topic list|get|import|export`: durable knowledge, and Claude Code's memory folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output
from vaultmem.cli.output import count

if TYPE_CHECKING:
    from vaultmem.api.types import (
        ImportedTopics,
        ListedTopic,
        TopicList,
        WholeTopic,
    )

_FAILED = 1
_folder = click.argument("folder", type=click.Path(path_type=Path))


@click.group(cls=output.Group)
@output.common
def topic() -> None:
    """Show topics, and exchange them with Claude Code's memory folder."""


@topic.command("list")
@output.common
@click.option("--kind", default="", help="Only this kind: user, feedback, project or reference.")
@click.option("--agent", default="", help="Only this agent's own topics.")
def list_(kind: str, agent: str) -> None:
    """List topics, most recently changed first."""
    with output.vault() as vault:
        found = vault.topics.listing(kind=kind, agent=agent)
    output.out(found, lambda: _show(found))


def _show(found: TopicList) -> None:
    rows = [(output.day(t.updated), t.kind or "-", t.facts, t.title, _path(t))
            for t in found.topics]  # fmt: skip
    output.table(("changed", "kind", "facts", "topic", "file"), rows)
    if found.left_off:
        output.note(f"{found.left_off} more: `vaultmem recall --type topic` finds them")


def _path(it: ListedTopic) -> str:
    notes = [*["stale"] * it.stale, *(f"no {label}" for label in it.lacks)]
    notes += [f"recall does not find it: {it.problem}"] * bool(it.problem)
    return f"{it.path} ({', '.join(notes)})" if notes else it.path


@topic.command()
@output.common
@click.argument("ref")
def get(ref: str) -> None:
    """Show the topic REF: an id, a path, a name or a title."""
    with output.vault() as vault:
        found = vault.topics.get(ref)
    output.out(found, lambda: _print_topic(found))


def _print_topic(found: WholeTopic) -> None:
    output.line(f"{found.title}  {found.path}", bold=True)
    about = (found.kind, output.day(found.updated), "stale" * found.stale)
    output.say(", ".join(x for x in (*about, *(f"no {label}" for label in found.lacks)) if x))
    output.say(found.body.strip())


@topic.command("import")
@output.common
@_folder
@click.option("--redact", is_flag=True, help="Blank out secrets instead of refusing the text.")
def import_(folder: Path, *, redact: bool) -> int:
    """Import FOLDER, a memory folder of Claude Code, as topics, each file once."""
    with output.vault() as vault:
        done = vault.topics.bring(folder, redact=redact)
    output.out(done, lambda: _print_import(done))
    return _FAILED if done.failed else 0


def _print_import(done: ImportedTopics) -> None:
    output.say(
        f"imported {count(len(done.imported), 'topic')}, updated {len(done.updated)}, "
        f"skipped {len(done.skipped)}, failed {len(done.failed)}"
    )
    for it in (*done.skipped, *done.failed):
        output.note(f"{it.file}: {it.why}")


@topic.command()
@output.common
@_folder
@click.option("--agent", default="", help="Also export this agent's own topics.")
def export(folder: Path, agent: str) -> None:
    """Export topics and cards to FOLDER, in the form of Claude Code's memory.

    Exports what all agents share, and --agent's own. It overwrites only files that it wrote.
    """
    with output.vault() as vault:
        done = vault.topics.send(folder, agent=agent)
    wrote = f"wrote {count(len(done.written), 'file')} into {done.folder}"
    output.out(done, lambda: output.say(f"{wrote}, {done.unchanged} unchanged"))


COMMANDS = {"topic": topic}
