"""Run the whole suite again and again, each time in another order, beside a busy machine.

    python tests/repeat.py --seeds 10 --beside 8

Each run has a seed of its own, for the order and for what Hypothesis makes up; it is printed, and
`--first SEED --seeds 1` runs that one again. Fails when any test failed in any run. What stands
behind `--` goes to pytest.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

_ROOT = Path(__file__).parents[1]
_BUSY = "while True: pass"
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", re.MULTILINE)


@contextmanager
def _crowd(count: int) -> Iterator[None]:
    """Keep *count* processes busy."""
    running = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def _run(seed: int, more: Sequence[str]) -> list[str]:
    """Run the suite once, tell how it went, and return what failed."""
    argv = [
        *(sys.executable, "-m", "pytest", "-q", "-n", "auto"),
        *(f"--randomly-seed={seed}", f"--hypothesis-seed={seed}"),
        *more,
    ]
    began, before = time.monotonic(), os.times()
    done = subprocess.run(argv, cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=False)
    after = os.times()
    spent = sum(after[2:4]) - sum(before[2:4])
    failed = _FAILED.findall(done.stdout)
    if done.returncode and not failed:
        failed = [f"pytest ended with {done.returncode}"]
    last = done.stdout.rstrip().rpartition("\n")[2]
    click.echo(
        f"seed {seed}: {last} ({spent:.0f} s of processor, {time.monotonic() - began:.0f} s)"
    )
    for name in failed:
        click.echo(f"  {name}")
    return failed


@click.command()
@click.option("--seeds", default=10, show_default=True, help="How many runs.")
@click.option("--first", default=1, show_default=True, help="The seed of the first run.")
@click.option("--beside", default=0, show_default=True, help="How many busy processes beside it.")
@click.argument("more", nargs=-1)
def main(seeds: int, first: int, beside: int, more: Sequence[str]) -> None:
    """Run the whole suite SEEDS times; MORE goes to pytest."""
    with _crowd(beside):
        failed = [name for seed in range(first, first + seeds) for name in _run(seed, more)]
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
