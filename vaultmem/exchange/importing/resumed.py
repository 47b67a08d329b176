"""Which sessions began with the same message: a program that goes on with one copies its beginning.

By the first message of a session that came in its file is found again, so that no turn comes twice:
a note of a few bytes each, in the cache. Without it such a session comes in whole.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress

from vaultmem.errors import DiskRefused, Refused, StaleWrite
from vaultmem.memory.remember import MemoryInput
from vaultmem.storage import files, transcript_files, transcripts
from vaultmem.storage.files import Root, Step

FOLDER = ".vaultmem/spool/begun"
_MOST = 1000


def known(root: Root, agent: str, session: str, said: Sequence[MemoryInput]) -> frozenset[str]:
    """Return the origins of what *said* in a *session* of *agent*'s that another holds already.

    They began with the same message, and have it by the same id in the same words.
    """
    if not said:
        return frozenset()
    held = {
        (_id(turn.origin), turn.content)
        for other in _sessions(root, _path(agent, said[0]))
        if other != session
        for turn in _turns(root, agent, other)
    }
    return frozenset(it.origin for it in said if (_id(it.origin), it.text) in held)


def note(root: Root, agent: str, session: str, first: MemoryInput) -> None:
    """Note that a *session* of *agent*'s that came in now begins with *first*.

    Where the disk refuses that, one that goes on with it comes in whole.
    """
    path = _path(agent, first)
    sessions = [*_sessions(root, path)]
    if session in sessions:
        return
    with suppress(DiskRefused, Refused, StaleWrite):
        found = files.read(root, path)
        data = json.dumps([*sessions, session]).encode()
        files.write(root, [Step(path, found.sha if found else None, data)], os.urandom(13).hex())
        _prune(root)


def _sessions(root: Root, path: str) -> Iterator[str]:
    with suppress(OSError, ValueError, TypeError, DiskRefused, Refused):
        found = files.read(root, path)
        yield from map(str, json.loads(found.data) if found else ())


def _turns(root: Root, agent: str, session: str) -> Iterator[transcripts.Turn]:
    found = transcripts.load(root, transcript_files.path(agent, session))
    yield from found.turns if found else ()


def _id(origin: str) -> str:
    return origin.rpartition("/")[2]


def _path(agent: str, first: MemoryInput) -> str:
    key = hashlib.sha256(f"{agent}\0{_id(first.origin)}".encode("utf-8", "surrogatepass"))
    return f"{FOLDER}/{key.hexdigest()[:32]}.json"


def _prune(root: Root) -> None:
    there = files.entries(root, FOLDER)[0]
    for name in sorted(there, key=lambda name: there[name].mtime_ns, reverse=True)[_MOST:]:
        files.discard(root, f"{FOLDER}/{name}")
