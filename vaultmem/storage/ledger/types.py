"""What a ledger has a line for."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """A memory that was acknowledged by the operation *op*, and where it is kept.

    *text* is what is accepted of its text by that, as `accepted_text.by_operation` says it.
    """

    id: str
    path: str
    op: str
    text: str = ""


class Release(NamedTuple):
    """A memory that nobody has to answer for any more where it was, and *why*.

    Kept at another *path* meanwhile it stays acknowledged; "" lets it go wherever it is. What was
    acknowledged at that path goes with it under whichever id: a person may have edited that.
    """

    id: str
    path: str
    why: str


class Taken(NamedTuple):
    """A *commit* of somebody else that has what the operations *ops* did to the file at *path*.

    A person's `git commit -a` takes what waits for a commit of ours.
    """

    commit: str
    path: str
    ops: tuple[str, ...]


Line = Entry | Release
Record = Line | Taken
"""A line of memories, or one of anything else that was acknowledged."""

LET_GO = "accepted"
"""Why a memory is released that a person lets go."""

RELEASE = "release"
"""The kind of the operation by which a person does; it changes no file, its commit names them."""
