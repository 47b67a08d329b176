"""Why a commit failed last, noted for whoever is asked: `status` reads it without git."""

from __future__ import annotations

import contextlib
from pathlib import Path

from vaultmem.storage.files import private_file

OPERATIONS = ".vaultmem/commit-delay"
EDITS = ".vaultmem/edits-delay"


def read(vault: Path, kind: str) -> str:
    """Return why the last commit of that *kind* failed, "" when it did not."""
    return private_file.read(vault / kind).decode("utf-8", "replace")


def write(vault: Path, kind: str, why: str) -> None:
    """Note *why* a commit failed, or with "" that none did."""
    if why == read(vault, kind):
        return
    with contextlib.suppress(OSError):  # a disk that refuses is said elsewhere
        if why:
            private_file.write(vault / kind, why.encode("utf-8", "replace"), durable=False)
        else:
            (vault / kind).unlink(missing_ok=True)
