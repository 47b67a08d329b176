"""Read what tells agents what to do: AGENTS.md and CLAUDE.md of a vault and of its project."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from vaultmem.errors import DiskRefused, Refused
from vaultmem.maintenance.dream import facts
from vaultmem.maintenance.dream.types import Note
from vaultmem.storage import files
from vaultmem.storage.files import Root

NAMES = ("AGENTS.md", "CLAUDE.md")
_ABOVE = "../"


def are(path: str) -> bool:
    """Tell whether the file at *path* is such, in the vault or in its project."""
    return path.removeprefix(_ABOVE) in NAMES


def read(root: Root) -> Iterator[Note]:
    """Yield these files in the vault at *root*, and in the folder around it that has a `.git`.

    Of the latter `../` is in the path. Links, and what cannot be read, are left out.
    """
    yield from _in(root, "")
    above = root.path.resolve().parent
    if (above / ".git").exists():
        with contextlib.suppress(OSError):
            project = Root(above)
            with contextlib.closing(project):
                yield from _in(project, _ABOVE)


def _in(root: Root, start: str) -> Iterator[Note]:
    for name in NAMES:
        with contextlib.suppress(Refused, DiskRefused):
            found = files.read(root, name)
            note = facts.note(f"{start}{name}", found.data, fixed=True) if found else None
            if note:
                yield note
