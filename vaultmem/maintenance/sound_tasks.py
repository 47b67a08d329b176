"""Which files below `tasks/` were found without fault, so that `status` reads them once.

Kept in the folder of the index, as one digest of all of them, and without a word of any. It holds
for the version that looked.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from vaultmem.storage.files import private_file
from vaultmem.version import __version__

_STATE = ".vaultmem/index/tasks.sha256"


def are(vault: Path, shas: Iterable[tuple[str, str]]) -> bool:
    """Tell whether the files of these paths and *shas*, and no others, were found so."""
    return private_file.read(vault / _STATE) == _digest(shas)


def note(vault: Path, shas: Iterable[tuple[str, str]]) -> None:
    """Note that they were; a disk that refuses costs the next look."""
    with contextlib.suppress(OSError):
        private_file.write(vault / _STATE, _digest(shas), durable=False)


def _digest(shas: Iterable[tuple[str, str]]) -> bytes:
    return sha256(repr((__version__, sorted(shas))).encode()).hexdigest().encode()
