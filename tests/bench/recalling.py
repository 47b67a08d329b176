"""How long a question takes in a living process, beside grep and plain FTS5 over the same files.

By words alone, and with vectors: these are drawn at random, for what they mean costs no time.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from tests.bench import baselines, corpus, timing
from tests.bench.bench import Bench
from tests.bench.table import Row
from vaultmem import Vault
from vaultmem.models.embeddings.types import Encoded, Tokens
from vaultmem.retrieval import search
from vaultmem.retrieval.search import Question
from vaultmem.retrieval.vectors import Vectors

if TYPE_CHECKING:
    from vaultmem.models.embeddings.types import Matrix, Vector

_FEW_MS, _MANY_MS = 15.0, 80.0
_FEW_HYBRID_MS, _MANY_HYBRID_MS = 40.0, 120.0
_SIZE = 384
_MEGABYTE = 1_000_000
_HITS = 10
_WORD = re.compile(r"\w+")
_WARM = 10


def measure(bench: Bench) -> Iterator[Row]:
    """Ask the same kind of questions of a vault and of one ten times its size."""
    yield from _asked(bench, bench.scale.memories, _FEW_MS, _FEW_HYBRID_MS)
    yield from _asked(bench, bench.scale.many, _MANY_MS, _MANY_HYBRID_MS)


def _asked(bench: Bench, count: int, bound: float, hybrid_bound: float) -> Iterator[Row]:
    path = bench.vault(count)
    queries = list(corpus.questions(corpus.turns(count), count // bench.scale.asked))
    yield from _indexed(path, count)
    with Vault.open(path) as vault:
        times = _times(vault.recall, queries)
        hybrid = _p50(_hybrid(vault, queries))
    median = 1000 * timing.quantile(times, 0.5)
    yield Row(f"recall among {count}, p50", median, "ms", bound, 1)
    yield Row(f"recall among {count}, p95", 1000 * timing.quantile(times, 0.95), "ms")
    yield Row(f"recall with vectors among {count}, p50", hybrid, "ms", hybrid_bound, 1)
    greps = _times(lambda q: baselines.grep(path / "agents", q), queries[: bench.scale.greps])
    yield Row(f"grep -ril among {count}, p50, beside recall", _p50(greps), "ms", median)
    plain = _plain(bench.folder / f"plain-{count}.sqlite3", count, queries)
    yield Row(f"plain FTS5 among {count}, p50, beside recall", _p50(plain), "ms", median)


class Arbitrary:
    """An embedder that draws a vector for each text and each of its words, always the same one."""

    name, model, space = "arbitrary", "drawn", "arbitrary:drawn"

    def edition(self) -> str:
        """Return which weights they are."""
        return "1"

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return a vector a text."""
        return np.stack([self.query(text) for text in texts])

    def encoded(self, texts: Sequence[str]) -> Iterator[Encoded]:
        """Yield each text with a token a word."""
        for number, text in enumerate(texts):
            spans = [found.span() for found in _WORD.finditer(text)]
            tokens = self.documents([text[first:last] for first, last in spans])
            yield Encoded(number, self.query(text), Tokens(spans, tokens))

    def sample(self) -> list[str]:
        """Return what are words to it."""
        return [" ".join(map(str, range(_SIZE)))]

    def query(self, text: str) -> Vector:
        """Return the vector of a text."""
        drawn = np.random.default_rng(crc32(text.encode())).standard_normal(_SIZE, np.float32)
        return drawn / np.float32(np.linalg.norm(drawn))


def _hybrid(vault: Vault, queries: Sequence[str]) -> Sequence[float]:
    """Ask by words and vectors; what each question's vector costs is its embedder's matter."""
    index, exists = vault.store.index, vault.store.exists
    with closing(Vectors(vault.path, index, Arbitrary())) as vectors:
        vectors.catch_up()
        return _times(lambda q: search.search(index, Question(q), exists, vectors), queries)


def _indexed(path: Path, count: int) -> Iterator[Row]:
    """Build the index from the files alone."""
    shutil.rmtree(path / ".vaultmem", ignore_errors=True)
    with Vault.open(path) as vault:
        yield Row(f"index of {count} from nothing", timing.spent(vault.store.sync), "s")
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
