"""What a daemon costs that has nothing to do, and how soon it notices.

    python tests/bench/idling.py [--minutes 10] [--notes 10000]

It prints the share of one core the daemon took while nothing happened, how its memory grew, and
the seconds from a write to its place in the index.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import click

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.living import Living, indexed, watched, written

_BOUND = 0.5
_SOON = 3.0


@click.command()
@click.option("--minutes", default=10.0, help="How long nothing happens.")
@click.option("--notes", default=10_000, help="How many files the vault has.")
def main(minutes: float, notes: int) -> None:
    """Let a daemon idle, then write a few notes."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:  # noqa: S108
        vault = written(Path(name), notes)
        with watched(vault) as daemon:
            time.sleep(120)  # what it does first, and the rest after it, is no idling
            _idle(daemon, minutes)
            _notice(vault)


def _idle(daemon: Living, minutes: float) -> None:
    before, memory, started = daemon.seconds(), daemon.kilobytes(), time.monotonic()
    time.sleep(60 * minutes)
    spent = daemon.seconds() - before
    share = 100 * spent / (time.monotonic() - started)
    grown = daemon.kilobytes() - memory
    click.echo(f"idle for {minutes:g} min: {spent:.2f} s of CPU, {share:.3f} % (below {_BOUND} %)")
    click.echo(f"memory: {memory} KiB, grown by {grown} KiB")


def _notice(vault: Path) -> None:
    slowest = 0.0
    for n in range(5):
        started = time.monotonic()
        (vault / f"topics/new-{n}.md").write_text("Oolong.\n", encoding="utf-8")
        while not indexed(vault, f"topics/new-{n}.md"):
            time.sleep(0.02)
        slowest = max(slowest, time.monotonic() - started)
    click.echo(f"from a write to the index: {slowest:.2f} s at most (below {_SOON:g} s)")


if __name__ == "__main__":
    main()
