"""Problems as `status` tells them: each of a few, and how many where they are a crowd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.records import Problem

NAMED = 10
"""How many are no crowd."""
EACH = "`vaultmem fsck` names each"


def briefly(found: Sequence[Problem], crowd: str, repair: str = EACH) -> Iterator[Problem]:
    """Yield what was *found*, or one problem that says *crowd* behind their number."""
    if len(found) <= NAMED:
        yield from found
    else:
        yield Problem(found[0].code, found[0].path, f"{len(found)} {crowd}", repair)
