"""What a commit notes of a memory, or an operation, that a person lets go.

Apart from what else commits say, since who writes such a note asks git nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

_NOTE = "no longer missed: "
_OPERATION = "operation no longer missed: "


def release_note(memory: str) -> str:
    """Return the note of the operation that lets the memory with the id *memory* go."""
    return f"{_NOTE}{memory}"


def memories(body: str) -> Iterator[str]:
    """Return the memories that the *body* of such a commit notes."""
    return _behind(_NOTE, body)


def operation_note(op: str) -> str:
    """Return the note that nobody misses the operation *op*: it was let go, or brought back."""
    return f"{_OPERATION}{op}"


def operations(body: str) -> Iterator[str]:
    """Return the operations that the *body* of a commit notes so."""
    return _behind(_OPERATION, body)


def _behind(note: str, body: str) -> Iterator[str]:
    lines = body.splitlines()
    return (line.removeprefix(note) for line in lines if line.startswith(note))
