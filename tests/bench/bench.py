"""What every measurement is given: a folder on a real disk, how much to do, and shared vaults."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tests.bench import corpus
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.memory import placement, remember
from vaultmem.memory.remember import MemoryInput
from vaultmem.records import utc_now
from vaultmem.storage.ulids import increasing

AGENT = "ada"


@dataclass(frozen=True, slots=True)
class Scale:
    """How many memories, rounds, imports and questions one run takes."""

    memories: int
    many: int
    rounds: int
    imports: int
    asked: int
    greps: int


FULL = Scale(memories=10_000, many=100_000, rounds=40, imports=3, asked=300, greps=20)
QUICK = Scale(memories=150, many=300, rounds=1, imports=1, asked=10, greps=1)


@dataclass(frozen=True, slots=True)
class Bench:
    """Where to work, how much, and where conversations with known answers lie, if anywhere."""

    folder: Path
    scale: Scale
    conversations: Path | None = None

    def vault(self, count: int) -> Path:
        """Return the vault of *count* memories, made when it is first asked for."""
        path = self.folder / f"vault-{count}"
        if not path.exists():
            _write(path, count)
        return path


def _write(path: Path, count: int) -> None:
    """Write a vault's files as `import` would, but without waiting for the disk."""
    create.create(path, utc_now, with_git=False)
    ids = increasing("", corpus.START, count, bytes(10))
    rested = corpus.START.timestamp()
    for turn, memory_id in zip(corpus.turns(count), ids, strict=True):
        change = remember.change(_said(turn), memory_id, placement.folder)
        file = path / change.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(change.new or b"")
        # A file written just now is read again by the next sync, which would be measured, too.
        os.utime(file, (rested, rested))


def _said(turn: corpus.Turn) -> MemoryInput:
    return MemoryInput(
        text=turn.text,
        agent=AGENT,
        created=turn.at,
        source="import",
        speaker=turn.speaker,
        session=turn.session,
        origin=f"{turn.session}/{turn.number}",
    )


def compacted(bench: Bench) -> Path:
    """Return the vault of the usual size with all its summaries, as a user's would be."""
    path = bench.vault(bench.scale.memories)
    if not (path / "agents" / AGENT / "summaries").exists():
        with Vault.open(path) as vault:
            vault.compact(AGENT)
    return path
