"""What goes out: files by their names, and what came of writing them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Left:
    """What of a vault is not exported, why, and how often."""

    why: str
    count: int


@dataclass(frozen=True, slots=True)
class Exported:
    """Where an export lies: how many *files* it has, *notes* in them, and what was done.

    *removed* files stood there from an export before and are no longer part of it. Of the
    conversations themselves *turns_left* turns of *sessions_left* sessions stay behind.
    """

    path: str
    files: int
    notes: int
    written: int
    unchanged: int
    removed: int = 0
    left_out: tuple[Left, ...] = ()
    turns_left: int = 0
    sessions_left: int = 0
