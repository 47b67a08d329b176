"""A repository around a vault that has one of its own: it is told to leave the folder alone."""

from __future__ import annotations

import os
import re
from pathlib import Path

from vaultmem.errors import disk_errors
from vaultmem.storage.git import process
from vaultmem.storage.git.types import Place

_SUBMODULE = b"160000"
_PATTERN = re.compile(r"([\\*?\[]| (?=/))")


def tracked(outer: Place) -> int:
    """Return how many files *outer* has in the vault's folder; a submodule is none."""
    return sum(not row.startswith(_SUBMODULE) for row in _rows(outer))


def is_submodule(outer: Place) -> bool:
    """Tell whether the vault's folder is a submodule of *outer*."""
    return any(row.startswith(_SUBMODULE) for row in _rows(outer))


def _rows(outer: Place) -> list[bytes]:
    folder = outer.prefix.rstrip("/")
    raw = process.git(outer, "ls-files", "-s", "-z", "--", folder)
    rows = [row for row in raw.split(b"\0") if row]
    here = os.fsencode(folder)
    return [r for r in rows if not r.startswith(_SUBMODULE) or r.partition(b"\t")[2] == here]


def leave_out(outer: Place) -> Path:
    """Add the vault's folder to what *outer* ignores here, and return the file that says so.

    Of all its work trees, and for nobody who clones it. Raises DiskRefused.
    """
    file = outer.common_dir / "info/exclude"
    with disk_errors(file):
        file.parent.mkdir(exist_ok=True)
        with file.open("a+b") as found:
            found.seek(0)
            data = found.read()
            line = os.fsencode(pattern(outer.prefix)) + b"\n"
            found.write(line if not data or data.endswith(b"\n") else b"\n" + line)
    return file


def pattern(prefix: str) -> str:
    """Return what names the folder *prefix*, and no other, in a list of what git ignores."""
    return "/" + _PATTERN.sub(r"\\\1", prefix)
