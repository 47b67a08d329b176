"""`why`, `correct`, `review`: where a fact comes from, what is wrong, what may be trusted."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output, references
from vaultmem.records import TRUST_OF_SOURCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.api.types import Correction, Link, ReviewItem, Why


@click.command()
@output.common
@click.argument("ref", nargs=-1, required=True)
@output.agent("Whose fact, if REF is its words.")
def why(ref: tuple[str, ...], agent: str) -> None:
    """Trace REF back to what was said, and to its commit.

    REF is an id, a path, path:line, a card's category/key.field, a name, a [[link]], or the words
    of a fact.
    """
    with output.vault() as vault:
        found = vault.why(references.in_vault(vault, " ".join(ref)), agent=agent)
    output.out(found, lambda: _show(found))


def _show(found: Why) -> None:
    if found.taken != found.ref:
        output.line(f"taken to mean: {found.taken}", fg="bright_black")
    if found.unsaid:
        output.say(
            f"! nothing of it says {', '.join(map(output.quoted, found.unsaid))}", fg="yellow"
        )
    if found.turned_round:
        output.say(
            "! it says these words in other places, and so perhaps the contrary", fg="yellow"
        )
    for link in found.chain:
        _line(link)


def _line(link: Link) -> None:
    """Print what a link says, and on a second line where that stands; a commit needs none.

    What was said, and what is asked about, is not cut: a terminal breaks the line.
    """
    from vaultmem.records import first_line

    indent = "  " * link.depth
    room = max(shutil.get_terminal_size().columns - len(indent), 40)
    name = f"commit {(link.commit or '')[:12]}" if link.kind == "commit" else link.kind
    about = " ".join(filter(None, (name, output.day(link.date), link.by and f"by {link.by}")))
    output.say(f"{indent}{about}: ", nl=False)
    whole = not link.depth or link.kind in {"memory", "turn", "derived"}
    left = len(link.text) if whole else max(room - len(about) - 2, 20)
    _marked(first_line(link.text, left), link.spans)
    if link.supported is False:
        output.say(
            f"{indent}! no source says this in these words, with all its names and numbers",
            fg="yellow",
        )
    if link.kind == "commit":
        return
    where = link.path + f":{link.line}" * bool(link.line)
    notes = (where, link.commit and link.commit[:12], _beside(link))
    output.line(f"{indent}  {'  '.join(filter(None, notes))}", fg="bright_black")


def _marked(text: str, spans: Sequence[tuple[int, int]]) -> None:
    """Print *text*, on a terminal with its *spans* in bold."""
    end = 0
    for start, stop in spans:
        if stop <= len(text):
            output.say(text[end:start], nl=False)
            output.say(text[start:stop], nl=False, bold=True)
            end = stop
    output.say(text[end:])


def _beside(link: Link) -> str:
    notes = []
    if link.superseded_by:
        notes.append(f"superseded by {link.superseded_by}")
    if link.archived:
        notes.append("archived")
    if link.trust == "untrusted":
        notes.append("untrusted")
    if link.more:
        notes.append(f"and {link.more} more")
    return ", ".join(notes)


@click.command()
@output.common
@click.argument("ref")
@click.argument("text", nargs=-1, required=True)
@output.agent("Who remembers it; by default the memory's agent.")
@click.option("--source", default="user", show_default=True,
              help=f"Who says so: {', '.join(TRUST_OF_SOURCE)}.")  # fmt: skip
@click.option("--at", help="When it was said, such as 2026-11-20 or 2026-11-20T10:15:00Z.")
def correct(ref: str, text: tuple[str, ...], agent: str, source: str, at: str | None) -> None:
    """Correct the memory REF (an id, path or name) with TEXT; its file stays as it is.

    What holds instead has the same tags and importance.
    """
    with output.vault() as vault:
        meant, said = references.in_vault(vault, ref), " ".join(text)
        made = vault.correct(meant, said, agent=agent, source=source, at=at)
    output.wrote(made, lambda: _corrected(made), said)


def _corrected(made: Correction) -> None:
    output.line(f"{made.id}  {made.path}")
    if made.existed:
        output.say("it says so already")
    for stem in made.supersedes:
        output.say(f"supersedes {stem}")
    for path in made.derived:
        output.line(f"rewritten: {path}")
    for path in made.cards:
        output.line(f"without what was wrong: {path}")
    for path in made.cited:
        output.note(f"{path} is based on what was wrong: look at it")


@click.group(cls=output.Group, invoke_without_command=True)
@output.common
@click.pass_context
def review(ctx: click.Context) -> None:
    """Accept or drop notes that nobody has vouched for, such as text from the web or a tool."""
    if ctx.invoked_subcommand is None:
        _list()


@review.command("list")
@output.common
def list_() -> None:
    """List what awaits review, with hidden text and suspicious wording."""
    _list()


def _list() -> None:
    with output.vault() as vault:
        found = vault.reviews.list()
    output.out({"reviews": found}, lambda: _waiting(found))


def _waiting(found: Sequence[ReviewItem]) -> None:
    if not found:
        output.say("nothing waits")
    for item in found:
        mark = "x" if item.approved else " "
        name = item.id or item.path.rpartition("/")[2]
        output.say(f"[{mark}] {name}  {output.day(item.date)} {item.source}: {item.text}")
        output.line(f"    {item.path}", fg="bright_black")
        marks = [f"{h.count} hidden ({h.kind}) from line {h.first_line}" for h in item.hidden]
        marks += [f"{flag}-like" for flag in item.flags]
        if marks:
            output.say(f"    ! {', '.join(marks)}", fg="yellow")


@review.command()
@output.common
@click.argument("refs", nargs=-1, required=True, metavar="REF…")
def accept(refs: tuple[str, ...]) -> None:
    """Accept REF; it keeps its source, and text from the web is still never an instruction."""
    with output.vault() as vault:
        done = vault.reviews.accept(references.each_in_vault(vault, refs))
    output.out(done, lambda: _each("accepted", done.accepted))


@review.command()
@output.common
@click.argument("refs", nargs=-1, required=True, metavar="REF…")
def drop(refs: tuple[str, ...]) -> None:
    """Remove REF from the inbox; its text stays in the git history."""
    with output.vault() as vault:
        done = vault.reviews.drop(references.each_in_vault(vault, refs))
    output.out(done, lambda: _each("dropped", done.dropped))


def _each(what: str, paths: Sequence[str]) -> None:
    for path in paths:
        output.line(f"{what}: {path}")


COMMANDS = {"why": why, "correct": correct, "review": review}
