"""Make a folder a vault: the listed files of the sample vault, and its first commit."""

from __future__ import annotations

import os
from importlib.resources import files as resources
from importlib.resources.abc import Traversable
from pathlib import Path

from vaultmem import config, git, pointers
from vaultmem.commit import Door
from vaultmem.errors import BadInput, CannotOpen, DiskRefused, Refused
from vaultmem.files import READ_ONLY, Root
from vaultmem.ids import Entropy
from vaultmem.model import Clock
from vaultmem.plan import Change, Plan

FILES = (
    ".gitattributes",
    ".gitignore",
    ".obsidian/app.json",
    ".obsidian/bookmarks.json",
    ".obsidian/core-plugins.json",
    ".obsidian/graph.json",
    ".obsidian/templates.json",
    ".obsidian/types.json",
    "AGENTS.md",
    "CLAUDE.md",
    "MEMORY.md",
    "Memories.base",
    "README.md",
    "config/memory_compaction.md",
    "config/profiles/summarizer.md",
    "templates/card.md",
    "templates/memory.md",
    "templates/task.md",
    "templates/topic.md",
)
"""What every vault has; the sample's memories stay in the sample."""


def sample() -> Traversable:
    """Return the sample vault: inside the installed package, or beside it in a checkout."""
    package = resources("vaultmem")
    inside = package / "_vault"
    if (inside / "README.md").is_file():
        return inside
    beside = Path(str(package)).parent / "vault"
    if (beside / "README.md").is_file():
        return beside
    raise CannotOpen("this installation lacks the sample vault: install vaultmem again")


def create(
    path: Path, clock: Clock, *, with_git: bool = True, random: Entropy = os.urandom
) -> tuple[tuple[str, ...], str | None]:
    """Make *path* a vault; return the files written and the commit, None without git.

    A folder that holds other files keeps them; raises Refused when it is a vault already.
    """
    _make_folder(path)
    if (path / config.PATH).exists():
        raise Refused(f"{path} is a vault already: `vaultmem --vault {path} status` shows it")
    if with_git and git.available() and git.find(path) is None:
        git.create(path)
    root = Root(path)
    try:
        door = Door(root, clock, git.find if with_git else lambda _: None, random)
        return _fill(door, path)
    finally:
        root.close()


def _make_folder(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise BadInput(f"{path} is a file: name a folder, or one that is yet to be made")
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as e:
        raise DiskRefused(str(path), e.strerror or str(e)) from e


def _fill(door: Door, path: Path) -> tuple[tuple[str, ...], str | None]:
    changes = tuple(c for name in FILES if (c := _change(path, name)) is not None)
    op = door.mint()[0]
    plan = Plan(op, "init", "init: a vault", changes)
    # What a failed fsync left when a first try promised nothing yet.
    (path / READ_ONLY).unlink(missing_ok=True)
    with door.writing() as put:
        put(plan)
    return tuple(c.path for c in changes), door.settle().get(op)


def _change(path: Path, name: str) -> Change | None:
    """Return the new file; one of that name in an existing folder is a person's, and stays."""
    return None if (path / name).exists() else Change(name, None, text(name), "in every vault")


def text(name: str) -> bytes:
    """Return what a new vault's file *name* holds."""
    data = sample().joinpath(name).read_bytes()
    if name == pointers.PATH:
        return pointers.regenerate(data.decode(), ()).encode()
    return data
