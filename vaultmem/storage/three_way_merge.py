"""Bring two versions of a text together over their common ancestor, by lines."""

from __future__ import annotations

from pathlib import Path

_SECONDS = 30


def merge(ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """Return both sides' changes to *base* in one text; None when they touch the same lines.

    None as well when there is no git to ask, or it does not answer.
    """
    import subprocess  # noqa: PLC0415  # two changed one text: hardly ever
    from tempfile import TemporaryDirectory  # noqa: PLC0415  # likewise

    from vaultmem.storage import subprocesses  # noqa: PLC0415  # likewise

    with TemporaryDirectory(prefix="vaultmem-merge-") as folder:
        names = ("ours", "base", "theirs")
        for name, data in zip(names, (ours, base, theirs), strict=True):
            Path(folder, name).write_bytes(data)
        try:
            done = subprocesses.run(
                ["git", "merge-file", "-p", "-q", *names], cwd=folder, timeout=_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
    return done.stdout if done.returncode == 0 else None
