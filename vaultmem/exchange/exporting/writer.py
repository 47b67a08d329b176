"""Write an export outside of the vault; what is not ours, or was changed since, is not touched."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from vaultmem.errors import Refused, disk_errors
from vaultmem.storage.files import Root, export_write, sha256

MANIFEST = ".vaultmem-export.json"
_EMPTY = "name a folder that is empty, or one that was exported to before"


@dataclass(frozen=True, slots=True)
class Put:
    """How many files were written, stood there already, were taken away."""

    written: int
    unchanged: int
    removed: int


def folder(path: Path, wanted: Mapping[str, bytes]) -> Put:
    """Make the folder *path* hold the files *wanted*, as far as it is ours.

    Raises Refused, before anything is written, where a file stands that we did not write, or that
    was changed since; DiskRefused.
    """
    with disk_errors(path, below=True):
        before = _manifest(path)
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.closing(Root(path)) as root:
            return _put(root, wanted, before)


def _put(root: Root, wanted: Mapping[str, bytes], before: Mapping[str, str]) -> Put:
    due = {name: data for name, data in wanted.items() if _is_due(root, name, data, before)}
    gone = [
        name
        for name, sha in before.items()
        if name not in wanted and export_write.holds(root, name, sha)
    ]
    if not before:  # first, so that an export that is killed leaves a folder that is known for ours
        export_write.put_below(root, MANIFEST, _manifest_data(wanted))
    for name, data in due.items():
        export_write.put_below(root, name, data)
    for name in gone:
        export_write.remove(root, name)
        for above in PurePosixPath(name).parents[:-1]:
            export_write.remove_folder(root, str(above))
    if before and (due or gone):
        export_write.put_below(root, MANIFEST, _manifest_data(wanted))
    for folder_name in sorted({name.rpartition("/")[0] for name in (*wanted, MANIFEST)}):
        export_write.sweep(root, folder_name)
    return Put(len(due), len(wanted) - len(due), len(gone))


def _manifest_data(wanted: Mapping[str, bytes]) -> bytes:
    named = {name: sha256(data) for name, data in sorted(wanted.items())}
    return json.dumps({"vaultmem": "export", "files": named}, indent=1).encode() + b"\n"


def _manifest(path: Path) -> dict[str, str]:
    """Return what an export before wrote here; raises Refused for a folder that is not ours."""
    # An export that was killed may have left something half written.
    if not path.exists() or (
        path.is_dir() and all(export_write.is_leftover(it.name) for it in path.iterdir())
    ):
        return {}
    manifest = path / MANIFEST
    try:
        plain = manifest.is_file() and not manifest.is_symlink()
        raw = json.loads(manifest.read_bytes()) if plain else {}
        found = raw.get("files") if isinstance(raw, dict) else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused(f"{path} was not written by vaultmem, nothing was written: {_EMPTY}")
    return {str(name): str(sha) for name, sha in found.items()}


def _is_due(root: Root, name: str, data: bytes, before: Mapping[str, str]) -> bool:
    now = export_write.read(root, name)
    if now is not None and now != data and before.get(name) != sha256(now):
        raise Refused(
            f"{root.path / name} was not written by vaultmem or was changed since it was exported, "
            "nothing was written: bring the change home, then move that file away"
        )
    return now != data
