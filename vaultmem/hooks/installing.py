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

from vaultmem.errors import BadInput, DiskRefused, Refused
from vaultmem.files import sha256
from vaultmem.hooks import weaving
from vaultmem.hooks.plugin import Parts, Scope, Target, parts
from vaultmem.hooks.weaving import Json

RECEIPT = ".claude/vaultmem.json"


@dataclass(frozen=True, slots=True)
class Installed:
    """The files that are installed, and those of them that were written just now."""

    path: str
    scope: Scope
    files: tuple[str, ...]
    written: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Uninstalled:
    """The files that were removed or are now without us; *kept* were changed by hand."""

    path: str
    removed: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Receipt:
    scope: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    woven: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    made: tuple[str, ...] = ()


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
    receipt = _Receipt(scope, {**before.files, **digests}, wanted.woven, tuple(made))
    with _disk(project):
        if due:
            # First: whatever breaks off behind it can be taken back.
            _write(project / RECEIPT, _dumped(receipt))
        for path, data in due.items():
            _write(project / path, data)
    return Installed(str(project), scope, (*wanted.files, *wanted.woven), tuple(due))


def uninstall(project: Path) -> Uninstalled:
    """Take out of *project* exactly what was installed.

    Raises BadInput where nothing was, Refused where a file can no longer be read, and DiskRefused.
    """
    before = _receipt(project)
    if not before.scope:
        raise BadInput(f"{project} has no plugin of vaultmem: {RECEIPT} is not there")
    ours = {p: sha for p, sha in before.files.items() if _read(project, p) is not None}
    gone = [p for p, sha in ours.items() if sha256(_read(project, p) or b"") == sha]
    bare = {p: text for p, mine in before.woven.items() if (text := _bare(project, p, mine))}
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


def _due(project: Path, before: _Receipt, wanted: Parts) -> Iterator[tuple[str, bytes]]:
    """Yield what must be written; raises Refused where that would take something from somebody."""
    for path, text in wanted.files.items():
        have = _read(project, path)
        if have not in {None, text.encode()} and sha256(have or b"") != before.files.get(path):
            raise Refused(f"{project / path} is not ours; nothing was written: move it away first")
        if have != text.encode():
            yield path, text.encode()
    for path, ours in wanted.woven.items():
        have = _read(project, path)
        new = _woven(project / path, have, before.woven.get(path, {}), ours).encode()
        if new != have:
            yield path, new


def _woven(
    path: Path, have: bytes | None, old: Mapping[str, Json], ours: Mapping[str, Json]
) -> str:
    if have is None:
        return _pretty(ours)
    try:
        text = have.decode()
        return weaving.woven(weaving.unwoven(text, old) if old != ours else text, ours)
    except (Refused, UnicodeDecodeError) as e:
        why = e if isinstance(e, Refused) else "it is not UTF-8"
        raise Refused(
            f"{path}: {why}; nothing was written: add this by hand\n{_pretty(ours)}"
        ) from e


def _bare(project: Path, path: str, ours: Mapping[str, Json]) -> str:
    """Return the text of a file without what is ours, "" when nothing of it is there."""
    have = (_read(project, path) or b"").decode()
    if not have:
        return ""
    try:
        text = weaving.unwoven(have, ours)
    except Refused as e:
        raise Refused(f"{project / path}: {e}; take this out by hand\n{_pretty(ours)}") from e
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
        return _Receipt(raw["scope"], raw["files"], raw["woven"], tuple(raw["made"]))
    except (ValueError, KeyError, TypeError) as e:
        raise Refused(f"{project / RECEIPT} cannot be read: restore it, or remove it") from e


def _dumped(receipt: _Receipt) -> bytes:
    raw: dict[str, Json] = {
        "scope": receipt.scope,
        "files": dict(receipt.files),
        "woven": {path: dict(ours) for path, ours in receipt.woven.items()},
        "made": list(receipt.made),
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
