"""What a vault is checked for that its own settings keep from being opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vaultmem.maintenance import lint
from vaultmem.maintenance.lint import Finding
from vaultmem.storage import git, reader
from vaultmem.storage.files import Root


@dataclass(frozen=True, slots=True)
class Unopened:
    """A vault that does not open: its folder, the one it is in its repository, and why."""

    path: Path
    folder_in_repository: str
    found: tuple[Finding, ...]


def look(path: str) -> Unopened | None:
    """Return the vault that *path* is or lies in, None where its settings let it be opened.

    Raises BadInput or CannotOpen where none is there.
    """
    folder = reader.find(Path(path).resolve())
    if not (found := lint.unopened(Root(folder))):
        return None
    repository = git.find(folder)
    return Unopened(folder, repository.prefix if repository else "", found)
