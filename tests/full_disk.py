"""A real file system of its own that can be full: a tmpfs, where we may mount one."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
_ROOMY = 1 << 30
_MANY_FILES = 1 << 20


@dataclass(frozen=True, slots=True)
class Disk:
    """A mounted tmpfs: how much it takes is set while it is in use."""

    path: Path

    def leave(self, pages: int, files: int = _MANY_FILES) -> None:
        """Let it take so many *pages* and *files* more, and no more than that."""
        now = os.statvfs(self.path)
        size = (now.f_blocks - now.f_bfree) * now.f_frsize + pages * PAGE
        inodes = now.f_files - now.f_ffree + files
        # A size of 0 would mean none at all.
        _run("mount", "-o", f"remount,size={max(size, PAGE)},nr_inodes={inodes}", str(self.path))

    def make_room(self) -> None:
        """Let it take whatever comes."""
        _run("mount", "-o", f"remount,size={_ROOMY},nr_inodes={_MANY_FILES}", str(self.path))

    def used(self) -> tuple[int, int]:
        """Return how many pages and files it holds."""
        now = os.statvfs(self.path)
        pages = (now.f_blocks - now.f_bfree) * now.f_frsize // PAGE
        return pages, now.f_files - now.f_ffree


@contextlib.contextmanager
def mounted(folder: Path) -> Iterator[Disk]:
    """Yield an empty disk at *folder*, which is made; raises OSError where none can be mounted."""
    folder.mkdir(parents=True)
    _run("mount", "-t", "tmpfs", "-o", f"size={_ROOMY}", "vaultmem-test", str(folder))
    try:
        yield Disk(folder)
    finally:
        _run("umount", "-l", str(folder))


def is_possible(folder: Path) -> bool:
    """Tell whether a disk can be mounted below *folder*."""
    with contextlib.suppress(OSError), mounted(folder / "probe"):
        return True
    return False


def _run(*argv: str) -> None:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.returncode, f"{argv[0]}: {done.stderr.strip()}")
