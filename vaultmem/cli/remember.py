"""`remember` and `import`: what goes in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from vaultmem.cli import output
from vaultmem.cli.maintenance import compaction_rows
from vaultmem.errors import BadInput
from vaultmem.records import TRUST_OF_SOURCE

if TYPE_CHECKING:
    from vaultmem.api.vault import Intake
    from vaultmem.exchange.importing import How, Imported, Reason

_STDIN = "-"


@click.command()
@output.common
@click.argument("text", nargs=-1, required=True)
@click.option("--agent", default="", help="The agent who remembers it.")
@click.option("--source", default="agent", show_default=True,
              help=f"Where it comes from: {', '.join(TRUST_OF_SOURCE)}.")  # fmt: skip
@click.option("--importance", type=float, help="Importance from 0 to 1.")
@click.option("--tag", "tags", multiple=True, help="A tag; can be repeated.")
@click.option("--session", default="", help="The session in which it was said.")
@click.option("--speaker", default="", help="Who said it.")
@click.option("--at", help="When it was said, such as 2026-11-20 or 2026-11-20T10:15:00Z.")
@click.option("--redact", is_flag=True, help="Blank out secrets instead of refusing the text.")
def remember(  # noqa: PLR0913
    text: tuple[str, ...], agent: str, source: str, importance: float | None,
    tags: tuple[str, ...], session: str, speaker: str, at: str | None, *, redact: bool,
) -> None:  # fmt: skip
    """Store TEXT as a memory; - reads it from standard input.

    Text between <private> and </private> is not stored.
    """
    said = stdin() if text == (_STDIN,) else " ".join(text)
    with output.vault() as vault:
        made = vault.remember(
            said, agent=agent, source=source, importance=importance, tags=tags,
            session=session, speaker=speaker, at=at, redact=redact,
        )  # fmt: skip
    waits = made.path.startswith("inbox/")
    word = "kept for a person to review, not recalled:" if waits else "remembered"
    output.out(made, lambda: click.echo(f"{word} {made.path}"))


def stdin() -> str:
    """Return what stands on standard input, as it stands: not even its line ends are changed."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as e:
        raise BadInput(f"standard input is not UTF-8 (byte {e.start}): save it as UTF-8") from e


@click.command("import")
@output.common
@click.argument("form", metavar="FORMAT")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--agent", default="", help="The agent who remembers it.")
@click.option(
    "--as",
    "manner",
    type=click.Choice(["memories", "turns"]),
    default=None,
    help="Import as memories, or as session turns to be folded; by default as suits the format.",
)
@click.option("--redact", is_flag=True, help="Blank out secrets instead of refusing the text.")
@click.option(
    "--skip-bad", is_flag=True, help="Leave out bad entries instead of importing nothing."
)
@click.option(
    "--all-branches", is_flag=True, help="chatgpt: include edited and regenerated branches."
)
@click.option(
    "--reference", is_flag=True, help="markdown: link to the files instead of copying them."
)
@click.option(
    "--prune", is_flag=True, help="markdown: remove unedited copies of notes gone at the source."
)
@click.option("--dry-run", is_flag=True, help="Report what would be imported; write nothing.")
def import_(
    form: str, files: tuple[Path, ...], agent: str, manner: str | None, **how: Unpack[How]
) -> None:  # fmt: skip
    """Import FILES; importing them again brings in only what is new.

    FORMAT is jsonl (each line {"id", "session", "speaker", "content", "at"}), chatgpt (the export,
    a zip or conversations.json), claude-code (sessions or folders of them, as turns), markdown (a
    folder of notes or an Obsidian vault), basic-memory (likewise), or openclaw (a workspace).
    """
    total = _lines(files[0]) if len(files) == 1 else None
    with output.vault() as vault, output.progress("importing", total) as progress:
        made = vault.import_files(
            form, files, agent=agent, manner=manner or "", progress=progress, **how
        )
    noun = {"markdown": "note", "basic-memory": "note", "claude-code": "turn"}.get(form, "memory")
    noun = {"turns": "turn", "memories": "memory"}.get(manner or "", noun)
    output.out({**_counts(made.done), **_made(made)}, lambda: _tell(made, noun))


def _counts(done: Imported) -> dict[str, object]:
    return {
        "imported": done.imported,
        "updated": done.updated,
        "removed": done.removed,
        "skipped": done.skipped,
        "failed": done.failed,
        "skipped_because": done.skipped_because,
        "failed_because": done.failed_because,
        "remarks": done.remarks,
    }


def _made(made: Intake) -> dict[str, object]:
    rows: dict[str, object] = {"compactions": compaction_rows(made.compacted)}
    if made.folded:
        rows |= {"episodes": made.folded.episodes, "topics": made.folded.topics}
    return rows


def _tell(made: Intake, noun: str) -> None:
    done = made.done
    told = [f"imported {output.count(done.imported, noun)}"]
    told += [f"updated {done.updated}"] * bool(done.updated)
    told += [f"removed {done.removed}"] * bool(done.removed)
    told += [f"skipped {done.skipped}", f"failed {done.failed}"]
    follows = [
        output.count(len(rows), key.removesuffix("s"))
        for key, rows in _made(made).items()
        if isinstance(rows, list | tuple) and (rows or key != "compactions" or noun == "memory")
    ]
    click.echo(f"{', '.join(told)}{'; ' * bool(follows)}{', '.join(follows)}")
    reasons = (
        *_reasons("skipped", done.skipped_because),
        *_reasons("failed", done.failed_because),
        *_reasons("imported", done.remarks),
    )
    if reasons:
        output.table(("", "count", "because", "first at"), reasons)


def _reasons(word: str, reasons: tuple[Reason, ...]) -> list[tuple[str, int, str, str]]:
    return [(word, reason.count, reason.why, reason.where) for reason in reasons]


def _lines(file: Path) -> int | None:
    """Count lines for the progress bar; the import itself says what is wrong with a file."""
    if not sys.stderr.isatty() or file.suffix != ".jsonl" or not file.is_file():
        return None
    with file.open("rb") as stream:
        return sum(1 for _ in stream)


COMMANDS = {"remember": remember, "import": import_}
