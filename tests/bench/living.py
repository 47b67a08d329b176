"""A vault with many notes, a daemon that watches it, and what that daemon costs."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench import corpus, timing

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Living:
    """A process that runs."""

    pid: int

    def seconds(self) -> float:
        """Return the CPU time it took so far, its children's included."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return sum(int(x) for x in fields[11:15]) / _TICKS

    def kilobytes(self) -> int:
        """Return how much memory it holds."""
        lines = Path(f"/proc/{self.pid}/status").read_text("utf-8").splitlines()
        return next(int(x.split()[1]) for x in lines if x.startswith("VmRSS:"))


def written(folder: Path, notes: int) -> Path:
    """Make a vault in *folder* with so many memories; return where it is."""
    vault, talk = folder / "vault", folder / "turns.jsonl"
    talk.write_text(
        "".join(json.dumps(turn.message()) + "\n" for turn in corpus.turns(notes)), "utf-8"
    )
    timing.output([timing.VAULTMEM, "init", str(vault)], folder)
    argv = [timing.VAULTMEM, "--vault", str(vault), "import", "jsonl", str(talk), "--agent", "ada"]
    timing.output(argv, folder)
    (vault / "topics").mkdir()
    return vault


@contextlib.contextmanager
def watched(vault: Path) -> Iterator[Living]:
    """Run a daemon on *vault*; it must end well."""
    argv = [timing.VAULTMEM, "--vault", str(vault), "watch"]
    with subprocess.Popen(argv) as daemon:
        try:
            yield Living(daemon.pid)
        finally:
            daemon.terminate()
    if daemon.returncode:
        raise subprocess.CalledProcessError(daemon.returncode, argv)


def indexed(vault: Path, path: str) -> bool:
    """Tell whether the index knows the note at *path*."""
    return bool(_ask(vault, "SELECT count(*) FROM docs WHERE path = ?", path))


def saying(vault: Path, pattern: str) -> int:
    """Return how many notes the index knows that read like *pattern*."""
    return _ask(vault, "SELECT count(*) FROM bodies WHERE body LIKE ?", pattern)


def _ask(vault: Path, sql: str, *args: str) -> int:
    index = sqlite3.connect(
        f"file:{vault}/.vaultmem/index/catalog.sqlite3?mode=ro", timeout=60, uri=True
    )
    with contextlib.closing(index):
        return int(index.execute(sql, args).fetchone()[0])
