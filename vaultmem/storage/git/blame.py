"""Say which commit wrote each line of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from vaultmem.storage.git import process
from vaultmem.storage.git.types import Place

# Of HEAD, never of the work tree: git would send that through the repository's filters.
_BLAME = ("blame", "--porcelain", "--no-textconv", "--no-progress", "HEAD")
_NO_SUCH_FILE = 128
_LINE = re.compile(rb"([0-9a-f]{40,64}) \d+ \d+(?: \d+)?")


def blame(place: Place, path: str, data: bytes) -> list[str | None]:
    """Return which commit wrote each line of *data*, what the file at *path* holds now.

    None for a line that HEAD has not got; a line's end is no part of it.
    """
    commits, was = _committed(place, path)
    now = _lines(data)
    found: list[str | None] = [None] * len(now)
    for start, here, size in _same(was, now):
        found[here : here + size] = commits[start : start + size]
    return found


def _committed(place: Place, path: str) -> tuple[list[str], list[bytes]]:
    """Return the commit of each line that HEAD has, and the lines; none where it has no file."""
    raw = process.stored(place, *_BLAME, *place.below((path,)), okay=(0, _NO_SUCH_FILE))
    each = list(_blamed_lines(raw))
    return [commit for commit, _ in each], [line for _, line in each]


def _blamed_lines(raw: bytes) -> Iterator[tuple[str, bytes]]:
    commit = ""
    for line in raw.split(b"\n"):
        if line.startswith(b"\t"):
            yield commit, line[1:].removesuffix(b"\r")
        elif found := _LINE.fullmatch(line):
            commit = found[1].decode()


def _same(was: list[bytes], now: list[bytes]) -> Iterator[tuple[int, int, int]]:
    """Yield where both have the same lines: from which on in each, and how many."""
    from difflib import SequenceMatcher  # noqa: PLC0415  # who writes asks for no blame

    pairs = zip(was, now, strict=False)
    head = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))  # most of it, mostly
    yield 0, 0, head
    matcher = SequenceMatcher(None, was[head:], now[head:], autojunk=False)
    yield from ((head + m.a, head + m.b, m.size) for m in matcher.get_matching_blocks())


def _lines(data: bytes) -> list[bytes]:
    return [line.removesuffix(b"\r") for line in data.removesuffix(b"\n").split(b"\n")]
