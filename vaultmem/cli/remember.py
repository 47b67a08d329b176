"""`remember` and `import`: what goes in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from vaultmem.cli import screen
from vaultmem.cli.upkeep import compaction_rows
from vaultmem.errors import BadInput
from vaultmem.model import TRUST_OF_SOURCE

if TYPE_CHECKING:
    from vaultmem.importing import Imported
    from vaultmem.vault import Vault

_STDIN = "-"


class _How(TypedDict):
    """How an import goes about it."""

    agent: str
    redact: bool
    skip_bad: bool
    progress: Callable[[int], None]


@click.command()
@screen.common
@click.argument("text", nargs=-1, required=True)
@click.option("--agent", default="", help="Who remembers.")
@click.option("--source", default="agent", show_default=True,
              help=f"Where it comes from: {', '.join(TRUST_OF_SOURCE)}.")  # fmt: skip
@click.option("--importance", type=float, help="From 0 to 1.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be given several times.")
@click.option("--session", default="", help="The session in which it was said.")
@click.option("--speaker", default="", help="Who said it.")
@click.option("--at", help="When it was said: 2026-11-20 or 2026-11-20T10:15:00Z.")
@click.option("--redact", is_flag=True, help="Blank out secrets instead of refusing them.")
def remember(  # noqa: PLR0913
    text: tuple[str, ...], agent: str, source: str, importance: float | None,
    tags: tuple[str, ...], session: str, speaker: str, at: str | None, *, redact: bool,
) -> None:  # fmt: skip
    """Keep TEXT as a memory; - reads it from standard input.

    What stands between <private> and </private> is not stored.
    """
    said = stdin() if text == (_STDIN,) else " ".join(text)
    with screen.vault() as vault:
        made = vault.remember(
            said, agent=agent, source=source, importance=importance, tags=tags,
            session=session, speaker=speaker, at=at, redact=redact,
        )  # fmt: skip
    waits = made.path.startswith("inbox/")
    word = "kept for a person to review, not recalled:" if waits else "remembered"
    screen.out(made, lambda: click.echo(f"{word} {made.path}"))


def stdin() -> str:
    """Return what stands on standard input, as it stands: not even its line ends are changed."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as e:
        raise BadInput(f"standard input is not UTF-8 (byte {e.start}): save it as UTF-8") from e


@click.command("import")
@screen.common
@click.argument("form", metavar="FORMAT")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--agent", default="", help="Who remembers.")
@click.option("--redact", is_flag=True, help="Blank out secrets instead of refusing them.")
@click.option(
    "--as",
    "kind",
    type=click.Choice(["memories", "turns"]),
    default="memories",
    show_default=True,
    help="A memory each, or turns of sessions that are folded.",
)
@click.option("--skip-bad", is_flag=True, help="Leave bad lines out instead of importing nothing.")
def import_(  # noqa: PLR0913
    form: str, files: tuple[Path, ...], agent: str, kind: str, *, redact: bool, skip_bad: bool
) -> None:
    """Remember the messages of FILES, once, however often they are imported.

    FORMAT is jsonl: one {"id", "session", "speaker", "content", "at"} a line.
    """
    if form != "jsonl":
        raise BadInput(f"{form!r} is no format this vaultmem imports; there is: jsonl")
    total = sum(_lines(f) for f in files)
    with screen.vault() as vault, screen.progress("importing", total) as progress:
        how = partial(_import_turns if kind == "turns" else _import_memories, vault)
        how(files, agent=agent, redact=redact, skip_bad=skip_bad, progress=progress)


def _import_memories(vault: Vault, files: tuple[Path, ...], **how: Unpack[_How]) -> None:
    done, compacted = vault.import_jsonl(files, **how)
    rows = compaction_rows(compacted)
    screen.out(
        {**_counts(done), "compactions": rows},
        lambda: click.echo(f"{_told(done, 'memory')}; {screen.count(len(rows), 'compaction')}"),
    )


def _import_turns(vault: Vault, files: tuple[Path, ...], **how: Unpack[_How]) -> None:
    done, made = vault.import_turns(files, **how)
    episodes, topics = len(made.episodes), len(made.topics)
    screen.out(
        {**_counts(done), "compactions": [], "episodes": made.episodes, "topics": made.topics},
        lambda: click.echo(
            f"{_told(done, 'turn')}; {screen.count(episodes, 'episode')}, "
            f"{screen.count(topics, 'topic')}"
        ),
    )


def _counts(done: Imported) -> dict[str, object]:
    return {"imported": done.imported, "skipped": done.skipped, "failed": done.failed}


def _told(done: Imported, noun: str) -> str:
    return (
        f"imported {screen.count(done.imported, noun)}, skipped {done.skipped}, "
        f"failed {done.failed}"
    )


def _lines(file: Path) -> int:
    """Count lines for the progress bar; the import itself says what is wrong with a file."""
    if not sys.stderr.isatty() or not file.is_file():
        return 0
    with file.open("rb") as stream:
        return sum(1 for _ in stream)


COMMANDS = {"remember": remember, "import": import_}
