"""What was proved of large files, so that a command does not hash 90 MB each time.

A file that has kept its size, its time and its inode since is the one that was proved. Whoever can
forge that can write the user's files, and needs no weights for it.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from vaultmem.storage.files import private_file

FILE = "verified.json"


class Verified:
    """The proofs in one folder of the user's cache; without it everything is proved anew."""

    def __init__(self, folder: Path | None) -> None:
        """Keep them in *folder*, which comes with the first; None keeps none."""
        self._file = folder and folder / FILE

    def holds(self, path: Path, sha: str) -> bool:
        """Tell whether *sha* vouched for the file at *path* as it is now."""
        with contextlib.suppress(OSError):
            return self._load().get(str(path)) == _facts(path, sha)
        return False

    def add(self, path: Path, sha: str) -> None:
        """Remember that *sha* vouches for the file at *path*; a disk that refuses is left alone."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                proofs = {**self._load(), str(path): _facts(path, sha)}
                private_file.write(self._file, json.dumps(proofs).encode())

    def _load(self) -> dict[str, object]:
        if self._file is None:
            return {}
        try:
            found = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


def _facts(path: Path, sha: str) -> list[object]:
    told = path.stat()
    return [told.st_size, told.st_mtime_ns, told.st_ctime_ns, told.st_ino, sha]
