"""What an import costs beside a bare loop that makes the same files as durable."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench import corpus, timing
from tests.bench.bench import AGENT, Bench
from tests.bench.table import Row
from vaultmem.api import create
from vaultmem.records import utc_now

_TIMES, _WHOLE, _FLAT = 3.0, 60.0, 1.25
_MEGABYTE = 1_000_000
_PEAK = Path(__file__).with_name("peak.py")


@dataclass(frozen=True, slots=True)
class _Taken:
    """What one import took."""

    seconds: float
    peak: int


def measure(bench: Bench) -> Iterator[Row]:
    """Import by itself and beside the bare loop, then whole, then twice as much."""
    few, twice = bench.scale.memories, 2 * bench.scale.memories
    file, longer = _lines(bench, few), _lines(bench, twice)
    alone, bare = _in_turn(bench, file)
    best = min(a.seconds for a in alone)
    figure = f"import {few}, compactions and commit aside, beside a bare loop, min"
    yield Row(figure, best, "s", min(bare), _TIMES)
    whole = _import(bench, "whole", file)
    yield Row(f"import {few} with compactions and commit", whole.seconds, "s", _WHOLE, 1)
    figure = f"peak memory, import {twice} beside {few}"
    yield _flat(figure, alone[0], _import(bench, "alone", longer))
    figure = "peak memory, the same with compactions and commit"
    yield _flat(figure, whole, _import(bench, "whole", longer))


def _lines(bench: Bench, count: int) -> Path:
    file = bench.folder / f"{count}.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        for turn in corpus.turns(count):
            stream.write(json.dumps(turn.message()) + "\n")
    return file


def _in_turn(bench: Bench, file: Path) -> tuple[list[_Taken], list[float]]:
    """Import and run the bare loop over the same bytes, in turn, some times."""
    alone, bare = [], []
    for _ in range(bench.scale.imports):
        alone.append(_import(bench, "alone", file))
        files = _files(bench.folder / "imported")
        bare.append(_bare(bench.folder / "bare", files))
    return alone, bare


def _import(bench: Bench, how: str, file: Path) -> _Taken:
    """Import *file* into a new vault in a process of its own."""
    path = bench.folder / "imported"
    shutil.rmtree(path, ignore_errors=True)
    create.create(path, utc_now)
    os.sync()
    # exec hands on the peak memory of the process that calls it: let that be a small shell's.
    shell = ["sh", "-c", '"$@"; exit $?', "sh"]
    argv = [*shell, sys.executable, str(_PEAK), how, str(path), str(file)]
    return _Taken(**json.loads(timing.output(argv, bench.folder)))


def _files(vault: Path) -> dict[str, bytes]:
    made = sorted((vault / "agents" / AGENT / "memories").rglob("*.md"))
    return {str(p.relative_to(vault)): p.read_bytes() for p in made}


def _bare(folder: Path, files: Mapping[str, bytes]) -> float:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.sync()
    return timing.spent(lambda: _group_commit(folder, files))


def _group_commit(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all bytes and wait for each, rename all, then wait for each folder once."""
    targets = [folder / name for name in files]
    folders = dict.fromkeys(p.parent for p in targets)
    for parent in folders:
        parent.mkdir(parents=True, exist_ok=True)
    for target, data in zip(targets, files.values(), strict=True):
        _durable(target.with_suffix(".tmp"), data)
    for target in targets:
        target.with_suffix(".tmp").rename(target)
    for parent in folders:
        _sync(parent)


def _durable(path: Path, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _flat(figure: str, few: _Taken, twice: _Taken) -> Row:
    return Row(figure, twice.peak / _MEGABYTE, "MB", few.peak / _MEGABYTE, _FLAT)
