"""Bring two versions of a text together over their common ancestor, by lines."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

_SECONDS = 30


def merge(ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """Return both sides' changes to *base* in one text; None when they touch the same lines.

    None as well when there is no git to ask, or it does not answer.
    """
    with tempfile.TemporaryDirectory(prefix="vaultmem-merge-") as folder:
        names = ("ours", "base", "theirs")
        for name, data in zip(names, (ours, base, theirs), strict=True):
            Path(folder, name).write_bytes(data)
        try:
            done = subprocess.run(
                ["git", "merge-file", "-p", "-q", *names],
                cwd=folder, capture_output=True, timeout=_SECONDS, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
    return done.stdout if done.returncode == 0 else None


def union(ours: str, base: str, theirs: str) -> str | None:
    """Return both sides' new lines in one text; None when a side did more than add lines."""
    versions = [text.splitlines(keepends=True) for text in (ours, base, theirs)]
    mine, before, other = versions
    if not (_only_adds(mine, before) and _only_adds(other, before)):
        return None
    added = _gaps(other, before)
    told = {line.strip() for line in mine}
    made: list[str] = []
    for own, gap, stays in zip(_gaps(mine, before), added, [*before, ""], strict=True):
        news = [line for line in gap if not line.strip() or line.strip() not in told]
        made += [*map(_ended, own), *(map(_ended, news) if any(map(str.strip, news)) else ()),
                 stays]  # fmt: skip
    return "".join(made)


def _only_adds(text: list[str], before: list[str]) -> bool:
    rest = iter(text)
    return all(line in rest for line in before)


def _gaps(text: list[str], before: list[str]) -> list[list[str]]:
    """Return what stands in *text* before each line of *before*, and behind the last."""
    gaps: list[list[str]] = [[]]
    left = iter(before)
    awaited = next(left, None)
    for line in text:
        if line == awaited:
            gaps.append([])
            awaited = next(left, None)
        else:
            gaps[-1].append(line)
    return gaps


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n"
