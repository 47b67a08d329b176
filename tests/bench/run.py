"""Measure what README promises and print one table.

    python tests/bench/run.py [--quick] [--only startup,import] [--conversations FOLDER] [--json]

It works below $TMPDIR, or else /var/tmp, which is a disk where /tmp may be memory.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import click

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import compacting, importing, quality, recalling, scanning, startup, table
from tests.bench.bench import FULL, QUICK, Bench
from tests.bench.table import Row

FAMILIES: Mapping[str, Callable[[Bench], Iterator[Row]]] = {
    "startup": startup.measure,
    "import": importing.measure,
    "scan": scanning.measure,
    "recall": recalling.measure,
    "quality": quality.measure,
    "compact": compacting.measure,
}


def _chosen(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Sequence[str]:
    names = value.split(",") if value else list(FAMILIES)
    if unknown := [n for n in names if n not in FAMILIES]:
        raise click.BadParameter(f"{unknown[0]} is none of {', '.join(FAMILIES)}")
    return [name for name in FAMILIES if name in names]


@click.command()
@click.option("--quick", is_flag=True, help="Few memories, to see that it runs.")
@click.option("--only", callback=_chosen, help=f"Some of {','.join(FAMILIES)}.")
@click.option("--conversations", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Conversations with questions, for quality.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
def main(only: Sequence[str], conversations: Path | None, *, quick: bool, as_json: bool) -> None:
    """Measure startup, import, scan, recall, quality and compaction."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:  # noqa: S108
        bench = Bench(Path(name), QUICK if quick else FULL, conversations)
        machine = _machine(bench.folder)
        rows = [row for family in only for row in FAMILIES[family](bench)]
    if as_json:
        click.echo(json.dumps({"machine": machine, "rows": [table.plain(r) for r in rows]}))
    else:
        click.echo(f"{machine}\n\n{table.text(rows)}", nl=False)


def _machine(folder: Path) -> str:
    """Say what this was seen on; the file system decides what an fsync costs."""
    argv = ["df", "--output=fstype", str(folder)]
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=True)
    return (
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"{platform.system()}, {os.cpu_count()} CPUs, {done.stdout.split()[-1]}"
    )


if __name__ == "__main__":
    main()
