"""Where transcripts lie: `agents/<agent>/sessions/<session>.jsonl`, and which there are.

None is opened.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from vaultmem.documents import public_text
from vaultmem.errors import DiskRefused
from vaultmem.storage import files
from vaultmem.storage.files import Root, Stamp

_SUFFIX = ".jsonl"
_LONGEST_SAFE = 100
_LONGEST_SLUG = 60
_FEW, _MANY = 6, 16
_SAFE = re.compile(r"[a-z0-9_-][a-z0-9._-]*")
# The digits begin with a letter, so that a name that ends in a time is no such name.
_HASHED = re.compile(rf".*-[a-f](?:[0-9a-f]{{{_FEW - 1}}}|[0-9a-f]{{{_MANY - 1}}})")


class TranscriptFile(NamedTuple):
    """A transcript that is there, not opened yet."""

    path: str
    agent: str
    stamp: Stamp


def path(agent: str, session: str) -> str:
    """Return where the session's transcript lies; two sessions never share a file."""
    return f"agents/{agent}/sessions/{stem(session)}{_SUFFIX}"


def holds(path: str) -> bool:
    """Tell whether *path* is where a session's transcript may lie."""
    parts = path.split("/")
    return (
        len(parts) == len(("agents", "ada", "sessions", "talk.jsonl"))
        and (parts[0], parts[2]) == ("agents", "sessions")
        and parts[3].endswith(_SUFFIX)
    )


def stem(session: str) -> str:
    """Return what the file of a session is called, without its ending; no two share one."""
    if _is_safe(session):
        return session
    name = files.slug(session, _LONGEST_SLUG)
    digest = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()
    tail = digest.lstrip("0123456789")
    # Few digits tell names apart that differ in case and punctuation; more where letters are lost.
    kept = sum(map(str.isalnum, session)) == sum(map(str.isalnum, name))
    return f"{name or 'session'}-{tail[:_FEW] if kept else tail[:_MANY]}"


def _is_safe(session: str) -> bool:
    """Tell whether the name can be a file's, and is none of those that `stem` makes."""
    fits = len(session) <= _LONGEST_SAFE and files.fits(session + _SUFFIX)
    return fits and bool(_SAFE.fullmatch(session)) and not _HASHED.fullmatch(session)


def every(root: Root) -> list[TranscriptFile]:
    """Return all transcripts, in path order, without opening one.

    Not those in a folder that we may not read, which the scan of the vault tells of.
    """
    return sorted(_every(root), key=lambda each: each.path)


def _every(root: Root) -> Iterator[TranscriptFile]:
    for agent in filter(_is_plain, _entries(root, "agents")[1]):
        yield from _files_of(root, agent)


def _files_of(root: Root, agent: str) -> Iterator[TranscriptFile]:
    folder = f"agents/{agent}/sessions"
    for name, stamp in _entries(root, folder)[0].items():
        if name.endswith(_SUFFIX) and _is_plain(name):
            yield TranscriptFile(f"{folder}/{name}", agent, stamp)


def _entries(root: Root, folder: str) -> tuple[dict[str, Stamp], list[str]]:
    with contextlib.suppress(DiskRefused):
        return files.entries(root, folder)
    return {}, []


def _is_plain(name: str) -> bool:
    # A name that is no UTF-8 could not even be shown, nor may one that is a credential.
    shown = name.isprintable() and not public_text.named_secret(name)
    return shown and not name.startswith(".")


def written_last(
    root: Root, agent: str, sessions: int, but: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the paths of the *sessions* transcripts that were written last, in order.

    Of *agent*, or of all where it is empty, and not of those at the paths *but*.
    """
    every = _files_of(root, agent) if agent else _every(root)
    wanted = (each for each in every if each.path not in but)
    lately = sorted(wanted, key=lambda each: each.stamp.mtime_ns)[-sessions:]
    return tuple(each.path for each in lately)
