"""How soon the index knows what is on disk: nothing new, one file changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import ascii_lowercase

from tests.bench import timing
from tests.bench.bench import AGENT, Bench, compacted
from tests.bench.table import Row
from vaultmem import Vault

_RESCAN, _FOUND = 300.0, 500.0


class NotFound(Exception):
    """A command did not see a change that was there before it began."""


def measure(bench: Bench) -> Iterator[Row]:
    """Scan an unchanged vault many times, then change one file and ask for it."""
    path = compacted(bench)
    count = bench.scale.memories
    yield from _rows(f"rescan of {count} unchanged files", _rescans(bench, path), _RESCAN)
    found = [_found(bench, path, n) for n in range(max(bench.scale.rounds // 4, 1))]
    yield from _rows(f"one of {count} changed and recalled by a command", found, _FOUND)


def _rows(figure: str, times: Sequence[float], bound: float) -> Iterator[Row]:
    for which, share in (("min", 0.0), ("median", 0.5)):
        seen = 1000 * timing.quantile(times, share)
        yield Row(f"{figure}, {which}", seen, "ms", bound, 1)


def _rescans(bench: Bench, path: Path) -> Sequence[float]:
    with Vault.open(path) as vault:
        return timing.interleaved({"": vault.store.index.sync}, bench.scale.rounds)[""]


def _found(bench: Bench, path: Path, n: int) -> float:
    """Add a word of its own to a memory; return how long the command takes that asks for it."""
    word = f"quixo{ascii_lowercase[n // 26]}{ascii_lowercase[n % 26]}"
    file = sorted((path / "agents" / AGENT / "memories").rglob("*.md"))[n]
    edited = file.with_suffix(".new")
    edited.write_text(f"{file.read_text(encoding='utf-8')}\n{word}\n", encoding="utf-8")
    edited.replace(file)
    argv = [timing.VAULTMEM, "--vault", str(path), "--json", "recall", word]
    said: list[bytes] = []
    seconds = timing.spent(lambda: said.append(timing.output(argv, bench.folder)))
    if not any(path / hit["path"] == file for hit in json.loads(said[0])["hits"]):
        raise NotFound(word)
    return seconds
