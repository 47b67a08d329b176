"""Why a commit failed last, and since when syncs do: `status` reads it without git."""

from __future__ import annotations

import contextlib
from pathlib import Path

from vaultmem.storage.files import private_file

OPERATIONS = ".vaultmem/commit-delay"
EDITS = ".vaultmem/edits-delay"
SYNCS = ".vaultmem/sync-delay"
"""Holds no reason, but a time (ISO 8601): a reason would be the remote's own words."""


def read(vault: Path, kind: str) -> str:
    """Return what is noted of that *kind*, "" when the last one did not fail."""
    return private_file.read(vault / kind).decode("utf-8", "replace")


def write(vault: Path, kind: str, why: str) -> None:
    """Note *why* one of that *kind* failed, or with "" that it did not."""
    if why == read(vault, kind):
        return
    with contextlib.suppress(OSError):  # a disk that refuses is said elsewhere
        if why:
            private_file.write(vault / kind, why.encode("utf-8", "replace"), durable=False)
        else:
            (vault / kind).unlink(missing_ok=True)
