"""What `git fsck` finds wrong with a repository, but for what no history has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.errors import Unavailable
from vaultmem.storage.git import process
from vaultmem.storage.git.types import Place

_FAULTY = re.compile(r"(?:error|warning) in \w+ ([0-9a-f]{40,64}):")
_IN_PIECES = (
    *("-c", "core.packedGitWindowSize=1m"),
    *("-c", "core.packedGitLimit=16m"),
    *("-c", "core.deltaBaseCacheLimit=8m"),
)
"""Lets git map no pack as a whole, which costs no time where one is read from end to end."""

_NO_FAULTS = frozenset(
    f"missing tree {empty}"
    for empty in (
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
    )
)


def check(repo: Place) -> str | None:
    """Return what git finds wrong with the repository, None when nothing is wrong."""
    args = ("fsck", "--strict", "--no-dangling", "--no-progress")
    argv = (*_IN_PIECES, *process.argv(repo, args))
    done = process.run(argv, repo.top, limit=process.LONG)
    if done.returncode == 0:
        return None
    lines = (done.stdout + done.stderr).decode(errors="replace").strip().splitlines()
    # Git knows the tree of nothing without having it, and misses it after a rebase.
    wrong = _reachable(repo, [line for line in lines if line not in _NO_FAULTS])
    said = "\n".join(wrong) or ("" if lines else f"git fsck failed ({done.returncode})")
    return said or None


def _reachable(repo: Place, lines: Sequence[str]) -> list[str]:
    """Return *lines* of a check but for what it says of objects that no history has.

    What was fetched, and refused, lies beside the history until git clears it away.
    """
    named = {line: found[1] for line in lines if (found := _FAULTY.match(line))}
    if not named:
        return [*lines]
    try:
        listed = process.git(repo, "rev-list", "--objects", "--all")
    except Unavailable:  # the history itself is broken: all there is to be known helps
        return [*lines]
    there = {line.partition(b" ")[0].decode() for line in listed.splitlines()}
    return [line for line in lines if line not in named or named[line] in there]
