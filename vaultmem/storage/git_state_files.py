"""What the plain files of git tell of a vault's repository, so that no process is asked."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_GITDIR = "gitdir: "
_SPARSE = "sparsecheckout = true"


def git_dir(vault: Path) -> Path | None:
    """Return the nearest `.git` that *vault* lies beside or below, None without one."""
    above = (folder / ".git" for folder in (vault, *vault.parents))
    return next((there for there in above if os.path.lexists(there)), None)


def may_have_stash(vault: Path) -> bool:
    """Tell whether somebody may have put something aside; True where plain files do not say."""
    there = git_dir(vault)
    if there is None:
        return False
    known = (there / "refs/stash", there / "logs/refs/stash")
    return not there.is_dir() or any(path.exists() for path in known)


def is_sparse(vault: Path) -> bool:
    """Tell whether a person told git to leave files out of the checkout."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if there := git_dir(vault):
            own = there if there.is_dir() else _named(there)
            settings = (own / name for name in ("config.worktree", "config"))
            return any(_SPARSE in path.read_text().lower() for path in settings if path.exists())
    return False


def _named(file: Path) -> Path:
    """Return the folder that the *file* `.git` of a linked work tree names."""
    return file.parent / file.read_text().removeprefix(_GITDIR).strip()
