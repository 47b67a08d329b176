"""How long a question takes in a living process, beside grep and plain FTS5 over the same files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from tests.bench import baselines, corpus, timing
from tests.bench.bench import Bench
from tests.bench.table import Row
from vaultmem import Vault

_FEW_MS, _MANY_MS = 15.0, 80.0
_MEGABYTE = 1_000_000
_HITS = 10
_WARM = 10


def measure(bench: Bench) -> Iterator[Row]:
    """Ask the same kind of questions of a vault and of one ten times its size."""
    yield from _asked(bench, bench.scale.memories, _FEW_MS)
    yield from _asked(bench, bench.scale.many, _MANY_MS)


def _asked(bench: Bench, count: int, bound: float) -> Iterator[Row]:
    path = bench.vault(count)
    queries = list(corpus.questions(corpus.turns(count), count // bench.scale.asked))
    yield from _indexed(path, count)
    with Vault.open(path) as vault:
        times = _times(vault.recall, queries)
    median = 1000 * timing.quantile(times, 0.5)
    yield Row(f"recall among {count}, p50", median, "ms", bound, 1)
    yield Row(f"recall among {count}, p95", 1000 * timing.quantile(times, 0.95), "ms")
    greps = _times(lambda q: baselines.grep(path / "agents", q), queries[: bench.scale.greps])
    yield Row(f"grep -ril among {count}, p50, beside recall", _p50(greps), "ms", median)
    plain = _plain(bench.folder / f"plain-{count}.sqlite3", count, queries)
    yield Row(f"plain FTS5 among {count}, p50, beside recall", _p50(plain), "ms", median)


def _indexed(path: Path, count: int) -> Iterator[Row]:
    """Build the index from the files alone."""
    shutil.rmtree(path / ".vaultmem", ignore_errors=True)
    with Vault.open(path) as vault:
        yield Row(f"index of {count} from nothing", timing.spent(vault.site.sync), "s")
    index, texts = (_megabytes(path / p) for p in (".vaultmem/index", "agents"))
    yield Row(f"size of the index of {count}, beside the files'", index, "MB", texts)


def _megabytes(folder: Path) -> float:
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / _MEGABYTE


def _times(ask: Callable[[str], object], queries: Sequence[str]) -> Sequence[float]:
    for query in queries[:_WARM]:
        ask(query)
    return [timing.spent(partial(ask, query)) for query in queries]


def _p50(times: Sequence[float]) -> float:
    return 1000 * timing.quantile(times, 0.5)


def _plain(file: Path, count: int, queries: Sequence[str]) -> Sequence[float]:
    texts = (f"{turn.speaker}: {turn.text}" for turn in corpus.turns(count))
    with closing(baselines.plain_index(file, texts)) as db:
        return _times(lambda q: baselines.best(db, q, _HITS), queries)
