"""`remember`: keep a memory."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from vaultmem.cli import output
from vaultmem.errors import BadInput
from vaultmem.records import INSTRUCTS, PERSON_SOURCES, TRUST_OF_SOURCE

_STDIN = "-"


@click.command()
@output.common
@click.argument("text", nargs=-1, required=True)
@output.agent("The agent who remembers it.")
@click.option("--source", default="agent", show_default=True,
              help=f"Where it comes from: {', '.join(TRUST_OF_SOURCE)}.")  # fmt: skip
@click.option("--importance", type=float, help="Importance from 0 to 1.")
@click.option(
    "--tag",
    "tags",
    multiple=True,
    callback=output.refuse_empty,
    help="A tag; can be repeated. With `instruction`, and --source user, it is followed.",
)
@click.option("--session", default="", help="The session in which it was said.")
@click.option("--speaker", default="", help="Who said it.")
@click.option("--at", help="When it was said, such as 2026-11-20 or 2026-11-20T10:15:00Z.")
@click.option("--again", is_flag=True, help="Store it also where the agent has the same words.")
@click.option("--redact", is_flag=True, help="Blank out secrets instead of refusing the text.")
def remember(  # noqa: PLR0913
    text: tuple[str, ...], agent: str, source: str, importance: float | None,
    tags: tuple[str, ...], session: str, speaker: str, at: str | None, *, again: bool,
    redact: bool,
) -> None:  # fmt: skip
    """Store TEXT as a memory; - reads it from standard input.

    Text between <private> and </private> is not stored. Words that the agent has already are
    not stored twice: the file that has them is named, and stays as it is. With a tag that
    it lacks, an importance, a session, a speaker, a date or another source they are a memory of
    their own; --again stores them in any case.
    """
    content = stdin() if text == (_STDIN,) else " ".join(text)
    with output.vault() as vault:
        is_new = again or session or speaker or at or importance is not None
        keep = vault.remember if is_new else vault.memories.remember_once
        made = keep(
            content, agent=agent, source=source, importance=importance, tags=tags,
            session=session, speaker=speaker, at=at, redact=redact,
        )  # fmt: skip
        vault.rounds.point_at_the_first()
    if made.duplicate:
        output.wrote(
            made, lambda: click.echo(f"already in {made.path}; --again stores it anyway"), content
        )
        return
    waits = made.path.startswith("inbox/")
    word = "kept for a person to review, not recalled:" if waits else "remembered"
    why = f" ({made.quotes} said it, in these words or nearly so)" if made.quotes else ""

    def show() -> None:
        click.echo(f"{word} {made.path}{why}")
        if not waits and _asks_to_be_followed(tags) and source not in PERSON_SOURCES:
            output.note(
                f"no agent follows what a person did not say: `vaultmem review accept {made.id}`"
                " makes it a standing instruction, as `--source user` does at once"
            )

    output.wrote(made, show, content)


def _asks_to_be_followed(tags: Iterable[str]) -> bool:
    return any(tag.strip().removeprefix("#").casefold() in INSTRUCTS for tag in tags)


def stdin() -> str:
    """Return what stands on standard input, as it stands: not even its line ends are changed."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as e:
        raise BadInput(f"standard input is not UTF-8 (byte {e.start}): save it as UTF-8") from e


COMMANDS = {"remember": remember}
