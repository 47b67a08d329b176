"""Mark what touches a person's own lines: those that came since the last dream, not by the program.

A line is known by what it says: one that reads like a person's is treated as a person's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from vaultmem.dream.applying import Read, removed
from vaultmem.dream.model import Proposal, Remove

Own = Mapping[str, frozenset[str]]
"""The lines that a person wrote since the last dream, by file."""


def touches(proposal: Proposal, own: Own, read: Read) -> bool:
    """Tell whether *proposal* replaces or removes a line of a person's *own*."""
    return any(
        not own[edit.path].isdisjoint(
            lines(read(edit.path)) if isinstance(edit, Remove) else removed(edit)
        )
        for edit in proposal.edits
        if edit.path in own
    )


def lines(data: bytes | None) -> Counter[str]:
    """Return the lines with text of a file, without their ends."""
    text = (data or b"").decode("utf-8", "surrogateescape")
    return Counter(x.removesuffix("\r") for x in text.split("\n") if x.strip())


def added(old: bytes | None, new: bytes | None) -> frozenset[str]:
    """Return the lines that came from *old* to *new*."""
    return frozenset(lines(new) - lines(old))


def standing(came: Iterable[str], data: bytes | None) -> frozenset[str]:
    """Return those of the lines that *came* which the file still has."""
    return frozenset(came) & frozenset(lines(data))
