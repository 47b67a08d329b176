"""How long a command takes to start, beside what importing click alone takes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial

from tests.bench import timing
from tests.bench.bench import Bench, compacted
from tests.bench.table import Row

_TIMES, _QUIET = 5.0, 150.0


def measure(bench: Bench) -> Iterator[Row]:
    """Run bare click, `--help` and `status` in turn, many times."""
    vault = str(compacted(bench))
    commands = {
        "click": [sys.executable, "-c", "import click"],
        "--help": [timing.VAULTMEM, "--help"],
        "status": [timing.VAULTMEM, "--vault", vault, "status"],
    }
    actions: dict[str, Callable[[], object]] = {
        name: partial(timing.output, argv, bench.folder) for name, argv in commands.items()
    }
    times = timing.interleaved(actions, bench.scale.rounds)
    for name in ("--help", "status"):
        for which, share in (("min", 0.0), ("median", 0.5)):
            seen, click = (1000 * timing.quantile(times[n], share) for n in (name, "click"))
            yield Row(f"vaultmem {name}, {which}, beside import click", seen, "ms", click, _TIMES)
        yield Row(f"vaultmem {name}, min", 1000 * min(times[name]), "ms", yardstick=_QUIET, most=1)
