"""Put the plugin into a project and take it out again; what is a person's stays as it is.

`.claude/vaultmem.json` is the receipt: which files are ours, by their digests, which entries were
woven into files of others, which folders were made. All is decided before anything is written.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from vaultmem.errors import BadInput, DiskRefused, Refused
from vaultmem.files import sha256
from vaultmem.hooks import weaving
from vaultmem.hooks.plugin import Parts, Scope, Target, parts
from vaultmem.hooks.weaving import Json, Seam

RECEIPT = ".claude/vaultmem.json"


@dataclass(frozen=True, slots=True)
class Installed:
    """The files that are installed, and those of them that were written just now.

    *made* when not even the project's folder was there: its name may be mistyped.
    """

    path: str
    scope: Scope
    files: tuple[str, ...]
    written: tuple[str, ...]
    made: bool = False


@dataclass(frozen=True, slots=True)
class Uninstalled:
    """The files that were removed or are now without us; *kept* were changed by hand."""

    path: str
    removed: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sewn:
    """What a file became by its *seams*: while it is that still, they can be undone to the byte."""

    sha256: str
    seams: tuple[Seam, ...]


@dataclass(frozen=True, slots=True)
class _Receipt:
    scope: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    woven: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    made: tuple[str, ...] = ()
    sewn: Mapping[str, _Sewn] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Due:
    """What is to be written, and how it came about in a file of somebody's."""

    data: bytes
    seams: tuple[Seam, ...] = ()

    @property
    def sewn(self) -> _Sewn:
        return _Sewn(sha256(self.data), self.seams)


def install(project: Path, scope: Scope, target: Target) -> Installed:
    """Install the plugin into *project*; what is there already as it should be is left alone.

    Raises Refused, with nothing written, where a file of somebody else stands in the way, and
    DiskRefused.
    """
    before, wanted = _receipt(project), parts(scope, target)
    if before.scope not in {"", scope}:
        raise Refused(
            f"{project} has it as {before.scope} already: `vaultmem hook uninstall {project}` first"
        )
    due = dict(_due(project, before, wanted))
    made = dict.fromkeys([*before.made, *(p for p in due if not (project / p).exists())])
    made |= dict.fromkeys(folder for path in due for folder in _new_folders(project, path))
    digests = {path: sha256(text.encode()) for path, text in wanted.files.items()}
    # What an older version put there, and this one does not, is ours to take away some day.
    sewn = {path: it for path, it in before.sewn.items() if path not in due}
    sewn |= {path: it.sewn for path, it in due.items() if it.seams}
    receipt = _Receipt(scope, {**before.files, **digests}, wanted.woven, tuple(made), sewn)
    is_new = not project.exists()
    with _disk(project):
        if due:
            # First: whatever breaks off behind it can be taken back.
            _write(project / RECEIPT, _dumped(receipt))
        for path, it in due.items():
            _write(project / path, it.data)
    files = (*wanted.files, *wanted.woven)
    return Installed(str(project), scope, files, tuple(due), made=is_new)


def uninstall(project: Path) -> Uninstalled:
    """Take out of *project* exactly what was installed.

    Raises BadInput where nothing was, Refused where a file can no longer be read, and DiskRefused.
    """
    before = _receipt(project)
    if not before.scope:
        raise BadInput(f"{project} has no plugin of vaultmem: {RECEIPT} is not there")
    ours = {p: sha for p, sha in before.files.items() if _read(project, p) is not None}
    gone = [p for p, sha in ours.items() if sha256(_read(project, p) or b"") == sha]
    bare = {p: text for p in before.woven if (text := _bare(project, p, before))}
    with _disk(project):
        for path in gone:
            (project / path).unlink()
        for path, text in bare.items():
            if path in before.made and weaving.is_empty(text):
                (project / path).unlink()
            else:
                _write(project / path, text.encode())
        (project / RECEIPT).unlink()
        _remove_folders(project, before.made)
    return Uninstalled(str(project), (*gone, *bare), tuple(sorted(ours.keys() - set(gone))))


# --- what is due ------------------------------------------------------------------------------


def _due(project: Path, before: _Receipt, wanted: Parts) -> Iterator[tuple[str, _Due]]:
    """Yield what must be written; raises Refused where that would take something from somebody."""
    for path, text in wanted.files.items():
        have = _read(project, path)
        if have not in {None, text.encode()} and sha256(have or b"") != before.files.get(path):
            raise Refused(f"{project / path} is not ours; nothing was written: move it away first")
        if have != text.encode():
            yield path, _Due(text.encode())
    for path, ours in wanted.woven.items():
        have = _read(project, path)
        new = _woven(project, path, have, before, ours)
        if new.data != have:
            yield path, new


def _woven(
    project: Path, path: str, have: bytes | None, before: _Receipt, ours: Mapping[str, Json]
) -> _Due:
    if have is None:
        return _Due(_pretty(ours).encode())
    try:
        text = have.decode()
        if is_other := before.woven.get(path, ours) != ours:
            text = _unwoven(text, path, before)
        new, seams = weaving.woven(text, ours)
    except (Refused, UnicodeDecodeError) as e:
        why = e if isinstance(e, Refused) else "it is not UTF-8"
        raise Refused(
            f"{project / path}: {why}; nothing was written: add this by hand\n{_pretty(ours)}"
        ) from e
    # What is put back among others of ours has no seams: undone alone, it would leave those.
    return _Due(new.encode(), seams if is_other or path not in before.woven else ())


def _unwoven(text: str, path: str, before: _Receipt) -> str:
    """Return *text* without what is ours: as it was, unless somebody changed it since."""
    sewn = before.sewn.get(path)
    if sewn and sewn.sha256 == sha256(text.encode()):
        return weaving.unpicked(text, sewn.seams)
    return weaving.unwoven(text, before.woven[path])


def _bare(project: Path, path: str, before: _Receipt) -> str:
    """Return the text of a file without what is ours, "" when nothing of it is there."""
    have = (_read(project, path) or b"").decode()
    if not have:
        return ""
    try:
        text = _unwoven(have, path, before)
    except Refused as e:
        ours = _pretty(before.woven[path])
        raise Refused(f"{project / path}: {e}; take this out by hand\n{ours}") from e
    return "" if text == have else text


def _pretty(value: Mapping[str, Json]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


# --- the receipt ------------------------------------------------------------------------------


def _receipt(project: Path) -> _Receipt:
    data = _read(project, RECEIPT)
    if data is None:
        return _Receipt()
    try:
        raw = json.loads(data)
        sewn = {path: _sewn(it) for path, it in raw.get("sewn", {}).items()}
        return _Receipt(raw["scope"], raw["files"], raw["woven"], tuple(raw["made"]), sewn)
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise Refused(f"{project / RECEIPT} cannot be read: restore it, or remove it") from e


def _sewn(raw: Mapping[str, Any]) -> _Sewn:
    return _Sewn(raw["sha256"], tuple(Seam(*each) for each in raw["seams"]))


def _dumped(receipt: _Receipt) -> bytes:
    raw: dict[str, Json] = {
        "scope": receipt.scope,
        "files": dict(receipt.files),
        "woven": {path: dict(ours) for path, ours in receipt.woven.items()},
        "made": list(receipt.made),
        "sewn": {
            path: {"sha256": it.sha256, "seams": [list(seam) for seam in it.seams]}
            for path, it in receipt.sewn.items()
        },
    }
    return _pretty(raw).encode()


# --- the disk ---------------------------------------------------------------------------------


@contextlib.contextmanager
def _disk(project: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        raise DiskRefused(str(e.filename or project), e.strerror or str(e)) from e


def _read(project: Path, path: str) -> bytes | None:
    """Return what a file below *project* holds; raises Refused when a link leads there."""
    for part in (PurePosixPath(path), *PurePosixPath(path).parents[:-1]):
        if (project / part).is_symlink():
            raise Refused(f"{project / part} is a link; nothing was written: put the file there")
    try:
        return (project / path).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as e:
        raise DiskRefused(str(project / path), e.strerror or str(e)) from e


def _new_folders(project: Path, path: str) -> Iterator[str]:
    folders = [*reversed(PurePosixPath(path).parents[:-1])]
    yield from (str(folder) for folder in folders if not (project / folder).exists())


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, with the mode that it has."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".vm-tmp-{os.getpid()}-{path.name}")
    try:
        with fresh.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            fresh.chmod(path.stat().st_mode)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _remove_folders(project: Path, made: tuple[str, ...]) -> None:
    for path in sorted(made, key=len, reverse=True):
        with contextlib.suppress(OSError):  # a person put something there
            (project / path).rmdir()
