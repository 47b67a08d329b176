"""Where a vault is: found from a folder in it, without opening it; and where Obsidian finds it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from vaultmem import arguments
from vaultmem.storage import reader


def find(start: str | Path) -> Path:
    """Return the folder of the vault that *start* is or lies in.

    Raises CannotOpen where there is none, BadInput where *start* is not there, or empty.
    """
    arguments.check_path(start)
    return reader.find(Path(start).resolve())


def in_obsidian(file: str | Path) -> str:
    """Return the address by which Obsidian opens *file*, an absolute path."""
    return f"obsidian://open?path={quote(str(file), safe='')}"
