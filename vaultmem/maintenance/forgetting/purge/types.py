"""What a purge is permitted, and what it comes to: its receipt, and the proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from vaultmem.maintenance.forgetting.redaction import Remainder


@dataclass(frozen=True, slots=True)
class Permit:
    """What a person allows: *remotes* keep what they have, *backup* is written first.

    *agree* is told what stays and says a name, a rare word or a phrase of it, before anything is
    done, and raises where that is not wanted.
    """

    remotes: bool = False
    backup: Path | None = None
    agree: Callable[[Sequence[Remainder]], None] | None = None

    def ask(self, still: Sequence[Remainder]) -> None:
        """Tell *agree* what stays, if anything does; raises what that raises."""
        if still and self.agree:
            self.agree(still)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a purge did, in numbers, and what it could not reach.

    *files* are paths that are gone from every commit, *versions* old versions of other files in
    which lines went; *signatures* were lost with the commits they signed. *backup* still holds all
    of it.
    """

    files: int = 0
    versions: int = 0
    messages: int = 0
    commits: int = 0
    refs: int = 0
    signatures: int = 0
    objects_before: int = 0
    objects_after: int = 0
    caches: tuple[str, ...] = ()
    backup: str = ""
    out_of_reach: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """What was looked for, in how many places, and where something was *found*.

    *by* says how: by those of its *words* and *phrases* that nothing which stays says, or by
    hashes of its texts, the *words*, and of its sentences, the *phrases*. In old versions of so
    many files *made* of it those words count, too, that other files alone say. *still* is what
    stays, and says a name, a rare word or a phrase of it.
    """

    by: str
    objects: int
    files: int
    found: tuple[str, ...]
    words: int = 0
    phrases: int = 0
    made: int = 0
    still: tuple[Remainder, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether nothing was found, and nothing that stays says a phrase of it."""
        return not self.found and not any(it.phrase for it in self.still)


@dataclass(frozen=True, slots=True)
class Purged:
    """A purge that is done: its receipt, what was found afterwards, its commit."""

    receipt: Receipt
    proof: Proof
    commit: str | None
