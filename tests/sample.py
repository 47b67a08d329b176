"""The sample vault: what `demo` leaves when clock and chance stand still.

`python tests/sample.py` writes it to `vault/` anew; a test keeps it true.
"""

from __future__ import annotations

import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from vaultmem.cli import demo
from vaultmem.maintenance import starter_files

VAULT = Path(__file__).parent.parent / "vault"
_NOON = datetime(2026, 10, 10, 9, 0, tzinfo=UTC)
_WRITTEN_BY_HAND = frozenset(starter_files.FILES) - {"MEMORY.md"}
_WORKINGS = {".git", ".vaultmem"}


def built(folder: Path) -> dict[str, bytes]:
    """Return every file that the demo leaves in *folder*, by its path."""
    for _ in demo.run(folder, lambda: _NOON, lambda count: b"\x2a" * count):
        pass
    return files(folder)


def files(folder: Path) -> dict[str, bytes]:
    """Return every file below *folder* but the program's and git's workings."""
    found = (p.relative_to(folder) for p in sorted(folder.rglob("*")) if p.is_file())
    return {p.as_posix(): (folder / p).read_bytes() for p in found if p.parts[0] not in _WORKINGS}


def write() -> None:
    """Make `vault/` what the demo leaves; the skeleton's own files stay as they are."""
    with tempfile.TemporaryDirectory() as folder:
        sample = built(Path(folder) / "vault")
    for made in ("agents", "tasks"):
        shutil.rmtree(VAULT / made, ignore_errors=True)
    for name, data in sample.items():
        if name not in _WRITTEN_BY_HAND:
            (VAULT / name).parent.mkdir(parents=True, exist_ok=True)
            (VAULT / name).write_bytes(data)


if __name__ == "__main__":
    write()
