"""What a commit notes of a file that its operation changed, and that is held back from git."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.records import visible_line

_NOTE = "held back: "


def note(path: str) -> str:
    """Return the note of the operation that changed the file at *path*, for its commit."""
    return f"{_NOTE}{visible_line(path)}"


def paths(body: str, op: str) -> Iterator[str]:
    """Yield the files that the *body* of a commit notes of the operation *op*.

    In a quiet batch the operation stands before each of its notes.
    """
    for line in body.splitlines():
        said = line.removeprefix(f"{op} ")
        if said.startswith(_NOTE):
            yield said.removeprefix(_NOTE)
