"""`remember` and `import`: what goes in."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from vaultmem.cli import screen
from vaultmem.cli.upkeep import compaction_rows
from vaultmem.errors import BadInput
from vaultmem.model import TRUST_OF_SOURCE

_STDIN = "-"


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
    said = _stdin() if text == (_STDIN,) else " ".join(text)
    with screen.vault() as vault:
        made = vault.remember(
            said, agent=agent, source=source, importance=importance, tags=tags,
            session=session, speaker=speaker, at=at, redact=redact,
        )  # fmt: skip
    waits = made.path.startswith("inbox/")
    word = "kept for a person to review, not recalled:" if waits else "remembered"
    screen.out(made, lambda: click.echo(f"{word} {made.path}"))


def _stdin() -> str:
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
@click.option("--skip-bad", is_flag=True, help="Leave bad lines out instead of importing nothing.")
def import_(
    form: str, files: tuple[Path, ...], agent: str, *, redact: bool, skip_bad: bool
) -> None:
    """Remember the messages of FILES, once, however often they are imported.

    FORMAT is jsonl: one {"id", "session", "speaker", "content", "at"} a line.
    """
    if form != "jsonl":
        raise BadInput(f"{form!r} is no format this vaultmem imports; there is: jsonl")
    total = sum(_lines(f) for f in files)
    with screen.vault() as vault, screen.progress("importing", total) as progress:
        done, compacted = vault.import_jsonl(
            files, agent=agent, redact=redact, skip_bad=skip_bad, progress=progress
        )
    rows = compaction_rows(compacted)
    result = {"imported": done.imported, "skipped": done.skipped, "failed": done.failed,
              "compactions": rows}  # fmt: skip
    screen.out(
        result,
        lambda: click.echo(
            f"imported {screen.count(done.imported, 'memory')}, skipped {done.skipped}, "
            f"failed {done.failed}; {screen.count(len(rows), 'compaction')}"
        ),
    )


def _lines(file: Path) -> int:
    """Count lines for the progress bar; the import itself says what is wrong with a file."""
    if not sys.stderr.isatty() or not file.is_file():
        return 0
    with file.open("rb") as stream:
        return sum(1 for _ in stream)


COMMANDS = {"remember": remember, "import": import_}
