"""The files that every new vault starts with, as the package brings them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.documents import frontmatter
from vaultmem.documents.markdown import blocks
from vaultmem.errors import CannotOpen
from vaultmem.memory import memory_index

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

INBOX = "inbox/.gitkeep"
"""An empty file, which keeps the folder in git."""

FILES = (
    ".gitattributes",
    ".gitignore",
    ".obsidian/app.json",
    ".obsidian/appearance.json",
    ".obsidian/bookmarks.json",
    ".obsidian/core-plugins.json",
    ".obsidian/graph.json",
    ".obsidian/snippets/vaultmem.css",
    ".obsidian/templates.json",
    ".obsidian/types.json",
    "AGENTS.md",
    "CLAUDE.md",
    "MEMORY.md",
    "Memories.base",
    "README.md",
    "config/memory_compaction.md",
    "config/profiles/summarizer.md",
    INBOX,
    "templates/card.md",
    "templates/memory.md",
    "templates/task.md",
    "templates/topic.md",
)
"""What every vault has; the sample's memories stay in the sample."""


def sample() -> Traversable:
    """Return the sample vault: inside the installed package, or beside it in a checkout."""
    from importlib.resources import files as resources  # noqa: PLC0415  # most ask for none

    package = resources("vaultmem")
    inside = package / "_vault"
    if (inside / "README.md").is_file():
        return inside
    beside = Path(str(package)).parent / "vault"
    if (beside / "README.md").is_file():
        return beside
    raise CannotOpen("this installation lacks the sample vault: install vaultmem again")


def text(name: str) -> bytes:
    """Return what a new vault's file *name* holds."""
    data = sample().joinpath(name).read_bytes()
    if name == memory_index.PATH:
        return memory_index.regenerate(data.decode(), ()).encode()
    return data


def passages(name: str) -> frozenset[str]:
    """Return the passages that the package itself brings in a file *name*; none in any other."""
    if name not in FILES:
        return frozenset()
    return frozenset(blocks.passages(frontmatter.parse(text(name).decode()).body))


def lines_beside(name: str, found: str) -> str:
    """Return what of the text *found* in the file *name* the package does not bring itself."""
    if name not in FILES:
        return found
    shipped = set(text(name).decode().splitlines())
    return "\n".join(line for line in found.splitlines() if line not in shipped)


def without_examples(names: Iterable[str]) -> frozenset[str]:
    """Return those of *names*, stems of notes, that no file gives as an example or a word."""
    examples = "\n".join(text(name).decode() for name in FILES).casefold()
    return frozenset(name for name in names if name.casefold() not in examples)
