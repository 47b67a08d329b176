"""A turn in which a user is said to speak, and a program put what a tool answered between tags."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vaultmem.documents import tagged_outputs
from vaultmem.storage.transcripts import Turn


def parted(turns: Iterable[Turn]) -> list[Turn]:
    """Return *turns*, ahead of each of a user's what is tagged in it as a tool's.

    What its last part says of the agent's context, and of a phase of the work, holds behind it.
    """
    return [part for turn in turns for part in _parts(turn)]


def _parts(turn: Turn) -> list[Turn]:
    found = tagged_outputs.read(turn.content) if turn.role == "user" else None
    if not (found and found.tag):
        return [turn]
    tagged = replace(turn, role="tool", content=found.tagged, speaker="", tool=found.tag)
    if not found.own:
        return [tagged]
    return [replace(tagged, context_tokens=0, phase=False), replace(turn, content=found.own)]
