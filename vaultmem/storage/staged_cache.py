"""What was staged when git was asked last, kept so that nobody asks twice.

Read without git: `status` asks every time, and mostly neither HEAD nor git's index has moved.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from vaultmem.storage import ledger
from vaultmem.storage.files import private_file
from vaultmem.storage.git_state_files import git_dir

_STATE = ".vaultmem/staged.json"
_CHECKSUM, _SHORTEST_CHECKSUM = 32, 20


def head(vault: Path) -> str:
    """Return the commit that HEAD stands on as far as plain files tell, "" where they do not."""
    there = git_dir(vault)
    return ledger.tip(there) if there else ""


def state(vault: Path) -> str:
    """Return what tells this HEAD and this index of git from any other.

    "" where plain files do not say.
    """
    there = git_dir(vault)
    with contextlib.suppress(OSError):
        if there and (tip := ledger.tip(there)):
            return f"{tip} {_fingerprint(there / 'index')}"
    return ""


def load(vault: Path, at: str) -> frozenset[str] | None:
    """Return the paths that were staged in the state *at*, None when that is not known."""
    if not at:
        return None
    try:
        raw = json.loads(private_file.read(vault / _STATE))
        return frozenset(map(str, raw["paths"])) if raw["state"] == at else None
    except (ValueError, KeyError, TypeError):
        return None


def note(vault: Path, at: str, paths: Iterable[str]) -> None:
    """Note what is staged in the state *at*; a disk that refuses costs the next look."""
    if not at:
        return
    raw = json.dumps({"state": at, "paths": sorted(paths)}).encode()
    with contextlib.suppress(OSError):
        private_file.write(vault / _STATE, raw, durable=False)


def is_unbroken(begin: str, published: Sequence[tuple[str, str]], end: str) -> bool:
    """Tell whether the commits *published*, (old, new) each, lead from *begin* to *end*."""
    news = [new for _, new in published]
    return [old for old, _ in published] == [begin, *news][:-1] and [begin, *news][-1] == end


def _fingerprint(index: Path) -> str:
    """Return what no two versions of the *index* share: its checksum, which its copies have, too.

    Git may leave that out: then it is the file itself.
    """
    with index.open("rb") as file:
        facts = os.fstat(file.fileno())
        file.seek(max(facts.st_size - _CHECKSUM, 0))
        end = file.read()
    if any(end[-_SHORTEST_CHECKSUM:]):
        return f"{facts.st_size}-{end.hex()}"
    return f"{facts.st_ino}-{facts.st_mtime_ns}-{facts.st_size}"
