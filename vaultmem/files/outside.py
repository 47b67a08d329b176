"""Write a file outside of the vault: an export, which no journal watches over."""

from __future__ import annotations

import os
from pathlib import Path

from vaultmem.errors import DiskRefused
from vaultmem.files.model import sha256

_TEMP = ".vaultmem-export"


def put(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, in folders for our own eyes; raises DiskRefused."""
    temp = path.with_name(f"{_TEMP}-{sha256(data)[:8]}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with temp.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temp.replace(path)
    except OSError as e:
        temp.unlink(missing_ok=True)
        raise DiskRefused(str(path), e.strerror or str(e)) from e
