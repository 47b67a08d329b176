"""`eval summaries`: how much of what is asked later the summaries hold."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import eval_options, output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.evaluation.summaries import Held, Measured
    from vaultmem.evaluation.thresholds import Held as Floor

_COLUMNS = ("conversation", "summary", "words", "share", "answers held", "by chance", "ratio")


@click.command()
@output.common
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@eval_options.floor
def summaries(folder: Path, floors: Sequence[str]) -> int:
    """Compact the conversations in FOLDER, offline; measure what of later answers is held.

    A conversation is NAME.messages.jsonl, as `import jsonl` reads it, with NAME.questions.jsonl
    beside it: each line {"question": ..., "answer": ..., "category": ...}.
    """
    from vaultmem.evaluation import summaries as measured

    held = eval_options.floors(floors)
    found = measured.load(folder)
    made = []
    with output.progress("compacting", len(found)) as progress:
        for it in found:
            made.append(measured.live(it, eval_options.offline(os.environ)))
            progress(1)
    figures = measured.figures(made)
    results = held(figures)
    output.out(
        {**figures, "conversations": [asdict(it) for it in made], "floors": results},
        lambda: _print(made, results),
    )
    return eval_options.code(results)


def _print(made: Sequence[Measured], held: Sequence[Floor]) -> None:
    rows = [
        (it.name, kind, *_row(some))
        for it in made
        for kind, some in (("short-term", it.short_term), ("long-term", it.long_term))
    ]
    output.table(_COLUMNS, rows)
    eval_options.print_floors(held)


def _row(it: Held) -> tuple[str, ...]:
    shares = (output.share(it.share), output.share(it.held), output.share(it.by_chance))
    return (str(it.words), *shares, f"{it.ratio:.1f}")
