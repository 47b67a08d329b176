"""Whether a tombstone is whole: one that lost a part of its frontmatter lets a text back in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Value
from vaultmem.errors import Unreadable

FOLDER = "tombstones"
MARK = "[forgotten]"
"""What stands where a forgotten text stood; its word is nobody's secret."""

SALT = 16
"""Bytes of a salt; one serves a whole vault, so that a text is hashed once to be looked up."""

PART = re.compile(r"(?P<count>\d{1,9}):(?P<digest>[0-9a-f]{64})")
_SAME = ("salt", "of", "origin", "agent")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SALT = re.compile(rf"[0-9a-f]{{{2 * SALT}}}")
_OWN_NAME = re.compile(rf"{FOLDER}/(?P<id>[0-9A-Za-z]{{26}})\.md")


def is_one(path: str, raw: Mapping[str, Value] | None = None) -> bool:
    """Tell whether the file at *path* is a tombstone: by its name, or by what it says, *raw*."""
    if _OWN_NAME.fullmatch(path):
        return True
    return (raw or {}).get("type") == "tombstone" and path.startswith(f"{FOLDER}/")


def fault(path: str, raw: Mapping[str, Value]) -> str:
    """Return what the tombstone at *path* lacks that says *raw*, "" when it is whole."""
    own = _OWN_NAME.fullmatch(path)
    said = str(raw.get("id", ""))
    if raw.get("type") != "tombstone":
        return "a tombstone without its type"
    if not said or (own and own["id"].upper() != said.upper()):
        return "a tombstone without its id"
    if not _SALT.fullmatch(str(raw.get("salt", ""))):
        return "a tombstone without its salt"
    digests = listed(raw, "hash")
    if not digests or not all(map(_DIGEST.fullmatch, digests)):
        return "a tombstone without its whole hashes"
    if not all(map(PART.fullmatch, (*listed(raw, "parts"), *listed(raw, "phrases")))):
        return "a tombstone with a damaged part"
    return ""


def whole(path: str, data: bytes) -> Mapping[str, Value] | None:
    """Return what the tombstone at *path* says in *data*, None for one that is not whole."""
    try:
        raw = frontmatter.fields(frontmatter.read(data))
    except Unreadable:
        return None
    return None if fault(path, raw) else raw


def is_altered(path: str, was: bytes, now: bytes) -> bool:
    """Tell whether the tombstone at *path*, whole both times, refuses less than it did.

    It has another salt, lost a hash or a part, or stands for another kind of thing.
    """
    old, new = (None, None) if was == now else (whole(path, was), whole(path, now))
    if old is None or new is None:
        return False
    return any(old.get(key, "") != new.get(key, "") for key in _SAME) or not all(
        {*listed(old, key)} <= {*listed(new, key)} for key in ("hash", "parts")
    )


def listed(raw: Mapping[str, Value], key: str) -> tuple[str, ...]:
    """Return the texts of a list, or of what stands there alone."""
    value = raw.get(key, ())
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(map(str, value))
