"""Which transcripts and item logs had all that git has when they were looked at last.

Read without git: `status` asks every time, and mostly these were added to, if anything.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from vaultmem.errors import DiskRefused, Refused
from vaultmem.storage import files, item_logs, transcript_files
from vaultmem.storage.files import Root, private_file

_STATE = ".vaultmem/whole-sessions.json"


class Seen(NamedTuple):
    """A file as it was seen: how long, when it was changed, and the checksum of what it said."""

    size: int
    mtime_ns: int
    ctime_ns: int
    checksum: int


class Look(NamedTuple):
    """The files that are *whole*, as they are now, those *doubted*, and what was *known* before."""

    whole: Mapping[str, Seen]
    doubted: Mapping[str, Seen]
    known: Mapping[str, Seen]


def look(root: Root) -> Look:
    """Return how the transcripts and item logs below *root* are; only what changed is read.

    What was whole and has only been added to is so still. One that cannot be read is left out.
    """
    known = _load(root.path)
    whole, doubted = dict[str, Seen](), dict[str, Seen]()
    talks = (it.path for it in transcript_files.every(root))
    for path in (*talks, *item_logs.readable(root)):
        with contextlib.suppress(DiskRefused, Refused):
            stamp, was = files.stamp(root, path), known.get(path)
            if stamp and was and was[:3] == (stamp.size, stamp.mtime_ns, stamp.ctime_ns):
                whole[path] = was
            elif found := files.read(root, path):
                is_grown = was and crc32(found.data[: was.size]) == was.checksum
                times = found.stamp.mtime_ns, found.stamp.ctime_ns
                now = Seen(len(found.data), *times, crc32(found.data))
                (whole if is_grown else doubted)[path] = now
    return Look(whole, doubted, known)


def note(vault: Path, whole: Mapping[str, Seen], known: Mapping[str, Seen]) -> None:
    """Note which files are *whole*, where others were *known*; a disk that refuses costs a look."""
    if whole != known:
        with contextlib.suppress(OSError):
            raw = json.dumps(whole, sort_keys=True).encode()
            private_file.write(vault / _STATE, raw, durable=False)


def _load(vault: Path) -> dict[str, Seen]:
    try:
        raw = json.loads(private_file.read(vault / _STATE))
        return {str(path): Seen(*map(int, it)) for path, it in raw.items()}
    except (ValueError, TypeError, AttributeError):
        return {}
