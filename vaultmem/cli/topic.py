"""`topic list|get|set|import|export`: durable knowledge, and Claude Code's memory folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output, references
from vaultmem.cli.output import count
from vaultmem.cli.remember import stdin
from vaultmem.records import TRUST, TRUST_OF_SOURCE

if TYPE_CHECKING:
    from vaultmem.api.types import (
        ImportedTopics,
        ListedTopic,
        Strategy,
        TopicList,
        WholeTopic,
        WrittenTopic,
    )

_FAILED = 1
_STDIN = "-"
_UNTRUSTED = TRUST[0]
strategy = click.option("--strategy", type=click.Choice(["append", "overwrite", "merge"]),
                        default="append", show_default=True,
                        help="How to combine what is new with what is there.")  # fmt: skip
_folder = click.argument("folder", type=click.Path(path_type=Path))


@click.group(cls=output.Group)
@output.common
def topic() -> None:
    """Show and update topics, and exchange them with Claude Code's memory folder."""


@topic.command("list")
@output.common
@click.option("--kind", default="", help="Only this kind: user, feedback, project or reference.")
@output.agent("Only this agent's own topics.")
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
    marks = [*["stale"] * it.stale, *[_UNTRUSTED] * (it.trust == _UNTRUSTED)]
    notes = [*marks, *(f"no {label}" for label in it.lacks)]
    notes += [f"recall does not find it: {it.problem}"] * bool(it.problem)
    return f"{it.path} ({', '.join(notes)})" if notes else it.path


@topic.command()
@output.common
@click.argument("ref")
def get(ref: str) -> None:
    """Show the topic REF: an id, a path, a name or a title."""
    with output.vault() as vault:
        found = vault.topics.get(references.in_vault(vault, ref))
    output.out(found, lambda: _print_topic(found))


def _print_topic(found: WholeTopic) -> None:
    output.line(f"{found.title}  {found.path}", bold=True)
    about = (found.kind, output.day(found.updated), "stale" * found.stale)
    output.say(", ".join(x for x in (*about, *(f"no {label}" for label in found.lacks)) if x))
    output.say(found.body.strip())


@topic.command("set")
@output.common
@click.argument("title")
@click.argument("facts", metavar="[FACT]...", nargs=-1)
@strategy
@click.option("--kind", default="", help="What it is: user, feedback, project or reference.")
@click.option("--description", default="", help="When it is worth reading, in one line.")
@output.agent("The agent who writes.")
@click.option("--source", default="agent", show_default=True,
              help=f"Where it comes from: {', '.join(TRUST_OF_SOURCE)}.")  # fmt: skip
def set_(  # noqa: PLR0913
    title: str, facts: tuple[str, ...], strategy: Strategy, kind: str, description: str,
    agent: str, source: str,
) -> None:  # fmt: skip
    """Put facts into the topic TITLE, which all agents share; create it if there is none.

    FACT - reads facts from standard input, one per line. append adds what is not there yet;
    overwrite replaces all facts; merge replaces only those that the new ones contradict, keeps the
    new ones as a memory, too, and lets the model that is set, if any, word the result.
    """
    from vaultmem.api.types import TopicPatch

    text = given_text(facts)
    patch = TopicPatch(
        tuple(text.splitlines()), strategy, kind, description, source=source, agent=agent
    )
    with output.vault() as vault:
        made = vault.topics.set(title, patch)
    output.wrote(made, lambda: _print_written(made), text)


def given_text(given: tuple[str, ...]) -> str:
    """Return the lines that are *given*, each - as those of standard input."""
    return "\n".join(stdin().rstrip("\n") if each == _STDIN else each for each in given)


def _print_written(made: WrittenTopic) -> None:
    added, removed = count(len(made.added), "fact"), len(made.removed)
    what = f"{added} added, {removed} removed" if made.changed else "nothing changed"
    output.line(f"{made.path}: {what}")
    for fact in made.reworded:
        output.note(f"there in other words: {fact}")
    if made.degraded:
        output.note(f"merged by rules: {made.degraded}")


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
@output.agent("Also export this agent's own topics.")
def export(folder: Path, agent: str) -> None:
    """Export topics and cards to FOLDER, in the form of Claude Code's memory.

    Exports what all agents share, and --agent's own. It overwrites only files that it wrote.
    """
    with output.vault() as vault:
        done = vault.topics.send(folder, agent=agent)
    wrote = f"wrote {count(len(done.written), 'file')} into {done.folder}"
    output.out(done, lambda: output.say(f"{wrote}, {done.unchanged} unchanged"))


COMMANDS = {"topic": topic}
