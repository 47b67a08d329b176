"""What a commit notes of a memory, or an operation, that a person lets go."""

from __future__ import annotations

from collections.abc import Iterator

_NOTE = "no longer missed: "
_OPERATION = "operation no longer missed: "


def release_note(memory: str) -> str:
    """Return the note of the operation that lets the memory with the id *memory* go."""
    return f"{_NOTE}{memory}"


def memories(body: str) -> Iterator[str]:
    """Yield the memories that the *body* of such a commit notes."""
    for line in body.splitlines():
        if line.startswith(_NOTE):
            yield line.removeprefix(_NOTE)


def operation_note(op: str) -> str:
    """Return the note that nobody misses the operation *op*: it was let go, or brought back."""
    return f"{_OPERATION}{op}"


def operations(body: str) -> Iterator[str]:
    """Yield the operations that the *body* of a commit notes so."""
    for line in body.splitlines():
        if line.startswith(_OPERATION):
            yield line.removeprefix(_OPERATION)
