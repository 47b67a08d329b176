"""Write an export outside of the vault; what is not ours, or was changed since, is not touched."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from vaultmem.errors import DiskRefused, Refused
from vaultmem.files import outside, sha256

MANIFEST = ".vaultmem-export.json"
_EMPTY = "name a folder that is empty, or one that was exported to before"


@dataclass(frozen=True, slots=True)
class Put:
    """How many files were written, stood there already, were taken away."""

    written: int
    unchanged: int
    removed: int


def folder(root: Path, wanted: Mapping[str, bytes]) -> Put:
    """Make *root* hold the files *wanted*, as far as it is ours.

    Raises Refused, before anything is written, where a file stands that we did not write, or that
    was changed since; DiskRefused.
    """
    try:
        before = _manifest(root)
        due = {name: data for name, data in wanted.items() if _is_due(root, name, data, before)}
        gone = [name for name in before if name not in wanted and _is_ours(root, name, before)]
        for name, data in due.items():
            outside.put(root / name, data)
        for name in gone:
            (root / name).unlink()
            _remove_empty(root, (root / name).parent)
        if due or gone or not before:
            outside.put(root / MANIFEST, _told(wanted))
    except OSError as e:
        raise DiskRefused(str(e.filename or root), e.strerror or str(e)) from e
    return Put(len(due), len(wanted) - len(due), len(gone))


def _told(wanted: Mapping[str, bytes]) -> bytes:
    named = {name: sha256(data) for name, data in sorted(wanted.items())}
    return json.dumps({"vaultmem": "export", "files": named}, indent=1).encode() + b"\n"


def _manifest(root: Path) -> dict[str, str]:
    """Return what an export before wrote here; raises Refused for a folder that is not ours."""
    if not root.exists() or (root.is_dir() and not any(root.iterdir())):
        return {}
    path = root / MANIFEST
    try:
        raw = json.loads(path.read_bytes()) if path.is_file() and not path.is_symlink() else {}
        found = raw.get("files") if isinstance(raw, dict) else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Refused(f"{root} is not ours, nothing was written: {_EMPTY}")
    return {str(name): str(sha) for name, sha in found.items()}


def _is_due(root: Path, name: str, data: bytes, before: Mapping[str, str]) -> bool:
    path = root / name
    _refuse_links(root, path)
    if not path.exists():
        return True
    now = path.read_bytes()
    if now == data:
        return False
    if before.get(name) != sha256(now):
        raise Refused(f"{path} is not ours or was changed since it was exported, nothing was "
                      "written: bring the change home, then move that file away")  # fmt: skip
    return True


def _refuse_links(root: Path, path: Path) -> None:
    for part in (path, *path.parents):
        if part == root:
            return
        if part.is_symlink() or (part != path and part.exists() and not part.is_dir()):
            raise Refused(f"{part} is a link or no folder, nothing was written: move it away")


def _is_ours(root: Path, name: str, before: Mapping[str, str]) -> bool:
    """Tell whether a file that is no longer wanted is as we wrote it, inside *root*."""
    if name.startswith("/") or ".." in name.split("/"):
        return False
    path = root / name
    plain = not any(p.is_symlink() for p in (path, *path.parents) if root in p.parents)
    return plain and path.is_file() and sha256(path.read_bytes()) == before[name]


def _remove_empty(root: Path, path: Path) -> None:
    while path != root and not any(path.iterdir()):
        path.rmdir()
        path = path.parent
