"""Up to where transcripts of Claude Code were taken in, so that the next time costs what is new.

A file of a few hundred bytes for each; one that is gone, or is not understood, means the whole.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from vaultmem.errors import DiskRefused, Refused, StaleWrite
from vaultmem.exchange.formats.claude_code_tail import Position
from vaultmem.storage import files
from vaultmem.storage.files import Root, Step

FOLDER = ".vaultmem/spool/positions"
_MOST = 200


def load(root: Root, key: str, transcript: Path) -> Position:
    """Return where the *transcript* noted as *key* goes on; its beginning where nobody knows."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError, DiskRefused, Refused):
        found = files.read(root, _path(key))
        raw = json.loads(found.data if found else b"{}")
        tools = {str(call): str(name) for call, name in raw["tools"].items()}
        known = Position(int(raw["offset"]), str(raw["digest"]), str(raw["session"]), tools)
        if known.is_in(transcript):
            return known
    return Position()


def save(root: Root, key: str, position: Position | None) -> None:
    """Keep the *position*; None means that the whole is to be read next time.

    Where the disk refuses that, the next time reads more than it needs.
    """
    with suppress(DiskRefused, Refused, StaleWrite):
        found = files.read(root, _path(key))
        data = json.dumps(asdict(position)).encode() if position else None
        if position and (found is None or found.data != data):
            files.write(
                root, [Step(_path(key), found.sha if found else None, data)], os.urandom(13).hex()
            )
            _prune(root)
        elif found and not position:
            files.discard(root, _path(key))


def _path(key: str) -> str:
    return f"{FOLDER}/{key}.json"


def _prune(root: Root) -> None:
    """Let the oldest go: their sessions are over, or are read whole once more."""
    there = files.entries(root, FOLDER)[0]
    oldest = sorted(there, key=lambda name: there[name].mtime_ns, reverse=True)[_MOST:]
    for name in oldest:
        files.discard(root, f"{FOLDER}/{name}")
