"""What an installation wrote into a project, as it is kept there in `.claude/vaultmem.json`.

A cloned repository may bring one of its own: only what an installation could have written is read
from it, anything else makes it nobody's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from vaultmem.api.project_folder import ProjectFolder, check_inside
from vaultmem.errors import Refused
from vaultmem.integrations.claude_code import plugin_files
from vaultmem.integrations.claude_code.json_merge import Insertion, Json
from vaultmem.integrations.claude_code.plugin_files import SERVERS, SETTINGS

RECEIPT = ".claude/vaultmem.json"
_WOVEN = {SETTINGS: {"hooks"}, SERVERS: {"mcpServers"}}
_LONGEST, _DEEPEST = 1 << 20, 20


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """What a file became by our insertions (*seams*): if unchanged, they are reverted."""

    sha256: str
    seams: tuple[Insertion, ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The *files* that are ours, by their digests, entries in others (*woven*), what was *made*.

    The paths that were made are folders, and files that were not there before ours was merged in.
    """

    scope: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    merged: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    made: tuple[str, ...] = ()
    written: Mapping[str, WrittenFile] = field(default_factory=dict)


def read(root: ProjectFolder) -> Receipt:
    """Return what was installed into the project at *root*, an empty receipt for nothing.

    Raises Refused for what no installation has written, and DiskRefused.
    """
    data = root.read(RECEIPT)
    if data is None:
        return Receipt()
    try:
        return _receipt(data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, Refused) as e:
        why = f": {e}" if isinstance(e, _NotOurs) else ""
        raise Refused(
            f"{root.path / RECEIPT} is not an installation receipt{why}; nothing was written or "
            "removed: restore it, or remove it"
        ) from e


def dumped(receipt: Receipt) -> bytes:
    """Return the receipt as the file that `read` reads."""
    raw: dict[str, Json] = {
        "scope": receipt.scope,
        "files": dict(receipt.files),
        "woven": {path: dict(ours) for path, ours in receipt.merged.items()},
        "made": list(receipt.made),
        "sewn": {
            path: {"sha256": it.sha256, "seams": [list(seam) for seam in it.seams]}
            for path, it in receipt.written.items()
        },
    }
    return pretty(raw).encode()


def pretty(value: Mapping[str, Json]) -> str:
    """Return *value* as a person would write it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


class _NotOurs(ValueError):
    """The receipt names what no installation writes."""


def _receipt(data: bytes) -> Receipt:
    if len(data) > _LONGEST:
        raise _NotOurs("it is too long")
    raw = json.loads(data)
    found = Receipt(
        _text(raw["scope"]),
        {_text(path): _text(sha) for path, sha in raw["files"].items()},
        {_text(path): dict(ours.items()) for path, ours in raw["woven"].items()},
        tuple(_text(path) for path in raw["made"]),
        {_text(path): written_file(it) for path, it in raw.get("sewn", {}).items()},
    )
    if found.scope not in {"plugin", "settings"}:
        raise _NotOurs("it is of another kind")
    if strange := next(_strange(found), None):
        raise _NotOurs(f"it names {strange}, which no installation writes")
    return found


def _strange(receipt: Receipt) -> Iterator[str]:
    """Yield what an installation never writes: a path elsewhere, an entry of another kind."""
    for path in (*receipt.files, *receipt.merged, *receipt.made, *receipt.written):
        check_inside(path)
    names = plugin_files.names()
    yield from sorted(receipt.files.keys() - names)
    places = {*names, *_WOVEN, *(str(it) for name in names for it in PurePosixPath(name).parents)}
    for path, ours in receipt.merged.items():
        if not ours.keys() <= _WOVEN.get(path, set()) or not _is_flat(dict(ours), _DEEPEST):
            yield path
    yield from sorted({*receipt.made} - places)
    yield from receipt.written.keys() - receipt.merged.keys()


def _is_flat(value: Json, left: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left > 0 and all(_is_flat(each, left - 1) for each in inner)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def written_file(raw: Mapping[str, Any]) -> WrittenFile:
    """Return what *raw* notes of a file; raises ValueError, KeyError or TypeError."""
    insertions = tuple(Insertion(*each) for each in raw["seams"])
    if any(type(s.at) is not int or type(s.length) is not int for s in insertions):
        raise TypeError("no place in a text")
    if any(_text(s.blanks).strip() for s in insertions):
        raise _NotOurs("it would put words into a file")
    return WrittenFile(_text(raw["sha256"]), insertions)
