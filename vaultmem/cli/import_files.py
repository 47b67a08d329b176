"""`import`: take in what other programs keep, by the formats that there are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, Unpack

import click

from vaultmem.api import formats
from vaultmem.cli import options, output
from vaultmem.cli.maintenance import compaction_rows

if TYPE_CHECKING:
    from vaultmem.api.types import How, Imported, Reason
    from vaultmem.api.vault import Vault
    from vaultmem.api.vault.types import Intake

C = TypeVar("C", bound=Callable[..., object])

_NOUNS = {"memories": "memory", "turns": "turn", "notes": "note", "folded": "piece"}
_PLURALS = {"memory": "memories", "turn": "turns", "note": "notes"}


def _help() -> str:
    *most, last = (f"{form.name} ({form.help})" for form in formats.FORMATS.values())
    return (
        "Import FILES; importing them again brings in only what is new.\n\n"
        f"FORMAT is {', '.join(most)}, or {last}."
    )


def _format_options(command: C) -> C:
    """Give *command* the options that only some formats have."""
    for option, names in reversed(formats.options().items()):
        shown = f"{names[0]}: {option.help}"
        command = click.option(option.flag, is_flag=True, help=shown)(command)
    return command


@click.command("import", help=_help())
@output.common
@click.argument("form", metavar="FORMAT")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@output.agent("The agent who remembers it.")
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
@_format_options
@click.option("--dry-run", is_flag=True, help="Report what would be imported; write nothing.")
def import_(
    form: str, files: tuple[Path, ...], agent: str, manner: str | None, **how: Unpack[How]
) -> None:  # fmt: skip
    """Take in FILES, and tell what came of it."""
    total = _lines(files[0]) if len(files) == 1 else None
    with (
        output.vault() as vault,
        output.interruptible(partial(_how_to_go_on, vault, vault.history.waiting())),
        output.tally("importing") as told,
    ):
        made = vault.import_files(
            form, files, agent=agent, manner=manner or "", progress=output.counted(told, total),
            summarizing=_then(told, "summarizing"), **how,
        )  # fmt: skip
    noun = _NOUNS[formats.manner(form, manner or "")]
    if noun == "note" and (made.done.notes or made.done.agents):
        noun = "memory"  # what a vault exported has these, too
    counts = {key: value for key, value in asdict(made.done).items() if key != "op"}
    kinds = {_PLURALS[it]: n for it, n in _kinds(made.done, noun).items() if it in _PLURALS}
    output.out({**counts, **kinds, **_made(made)}, lambda: _print_intake(made, noun))


def _then(told: output.Tally, what: str) -> Callable[[int, int], None]:
    """Return what is to be told of *what* follows: it names that at its first step."""
    begun = False

    def step(done: int, total: int) -> None:
        nonlocal begun
        if not begun:
            begun = True
            told.phase(what)
        told(done, total)

    return step


def _how_to_go_on(vault: Vault, waited: int) -> str:
    """Say what became of an import that was cut short; *waited* writes waited for it to begin."""
    from vaultmem.api.vault.exchange import IMPORTED_IN_PART

    if vault.store.writer.carried_out or vault.history.waiting() > waited:
        if number := vault.history.waiting() - waited:
            waits = f"{output.count(number, 'write')} of it {'waits' if number == 1 else 'wait'}"
            return f"{IMPORTED_IN_PART}, and commits: {waits} for that"
        return IMPORTED_IN_PART
    return "nothing was imported; the same command begins anew"


def _made(made: Intake) -> dict[str, object]:
    rows: dict[str, object] = {"compactions": compaction_rows(made.compacted)}
    if made.folded:
        rows |= {"episodes": made.folded.episodes, "topics": made.folded.topics}
    return rows


def _kinds(done: Imported, noun: str) -> Mapping[str, int]:
    """Return how many of each kind were imported, the *noun* that the format makes first."""
    beside = {"note": done.notes, "turn": done.turns, "memory": done.memories}
    own = done.imported - sum(beside.values())
    kinds = {noun: own + beside.pop(noun, 0)}
    return kinds | {kind: n for kind, n in beside.items() if n}


def _print_intake(made: Intake, noun: str) -> None:
    done = made.done
    kinds = _kinds(done, noun)
    words = [f"imported {' and '.join(output.count(n, kind) for kind, n in kinds.items())}"]
    words += [f"updated {done.updated}"] * bool(done.updated)
    words += [f"removed {done.removed}"] * bool(done.removed)
    words += [f"skipped {done.skipped}", f"failed {done.failed}"]
    follows = [
        output.count(len(rows), key.removesuffix("s"))
        for key, rows in _made(made).items()
        if isinstance(rows, list | tuple) and (rows or key != "compactions" or noun == "memory")
    ]
    click.echo(f"{', '.join(words)}{'; ' * bool(follows)}{', '.join(follows)}")
    reasons = (
        *_reasons("skipped", done.skipped_because),
        *_reasons("failed", done.failed_because),
        *_reasons("imported", done.remarks),
    )
    if reasons:
        output.table(("", "count", "because", "first at"), reasons)


def _reasons(word: str, reasons: tuple[Reason, ...]) -> list[tuple[str, int, str, str]]:
    return [
        (word, reason.count, options.with_options(reason.why), reason.where) for reason in reasons
    ]


def _lines(file: Path) -> int | None:
    """Count lines for the progress bar; the import itself says what is wrong with a file."""
    if not sys.stderr.isatty() or file.suffix != ".jsonl" or not file.is_file():
        return None
    with file.open("rb") as stream:
        return sum(1 for _ in stream)


COMMANDS = {"import": import_}
