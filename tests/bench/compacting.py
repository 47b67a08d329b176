"""What it takes to summarize a vault of years that nobody has summarized yet."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench import timing
from tests.bench.bench import Bench
from tests.bench.table import Row

_SECONDS, _MEGABYTES = 60.0, 500.0
_MEGABYTE = 1_000_000
_PEAK = Path(__file__).with_name("peak.py")


def measure(bench: Bench) -> Iterator[Row]:
    """Compact the large vault in a process of its own, from no summary at all."""
    count = bench.scale.many
    # exec hands on the peak memory of the process that calls it: let that be a small shell's.
    shell = ["sh", "-c", '"$@"; exit $?', "sh"]
    argv = [*shell, sys.executable, str(_PEAK), "compact", str(bench.vault(count))]
    taken = json.loads(timing.output(argv, bench.folder))
    yield Row(f"compaction of {count} from nothing", taken["seconds"], "s", _SECONDS, 1)
    peak = taken["peak"] / _MEGABYTE
    yield Row(f"peak memory, compaction of {count}", peak, "MB", _MEGABYTES, 1)
