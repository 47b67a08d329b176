"""Who commits, when and why: as the person's config and environment name them.

The config is asked for again only where a file that git reads it from may have changed.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from vaultmem.storage.git import process
from vaultmem.storage.git.types import FileState, Place

_NOBODY = b"vaultmem <vaultmem@localhost>"
_CRUD = bytes(range(33)) + b".,:;<>\"\\'"
_NEVER = datetime.fromtimestamp(0, UTC)
_NAMES = frozenset(
    b"%s.%s" % (who, part)
    for who in (b"user", b"author", b"committer")
    for part in (b"name", b"email")
)
_SURROUNDINGS = (
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
    *("HOME", "XDG_CONFIG_HOME", "PATH"),
)
_TICK_NS = 20_000_000
"""A file may change again within one tick of the system's clock, and keep its times."""
_SECOND_NS = 1_000_000_000


def facts(place: Place, message: str, when: datetime) -> bytes:
    """Return who commits, when and why, as a commit says it."""
    config = _config(place)
    return _facts(_identity(config, b"author"), _identity(config, b"committer"), when, message)


def no_facts() -> bytes:
    """Return the facts of a commit that nobody will see."""
    return _facts(_NOBODY, _NOBODY, _NEVER, "")


def _config(place: Place) -> Mapping[bytes, bytes]:
    """Return what the config says of names, by its keys."""
    known = place.known_config
    around = tuple(os.environ.get(key) for key in _SURROUNDINGS)
    if known.files and known.around == around and known.files == _states(known.files):
        return known.names
    asked = ("config", "--null", "--list", "--show-origin")
    began, before = time.time_ns(), _states(_usual(place))
    done = process.run(process.argv(place, asked), place.top)
    said = done.stdout.split(b"\0")
    origins = {place.top / os.fsdecode(at[5:]) for at in said[::2] if at.startswith(b"file:")}
    # Of several entries the last one holds.
    config = dict(entry.partition(b"\n")[::2] for entry in said[1::2])
    files = _states({*before, *origins})
    young = any(_is_young(state, began) for state in files.values())
    sure = done.returncode == 0 and before.items() <= files.items() and not young
    known.names = {key: value for key, value in config.items() if key in _NAMES}
    known.around, known.files = around, files if sure and not _includes(config) else {}
    return known.names


def _includes(config: Iterable[bytes]) -> bool:
    """Tell whether other files may have a say: where they are, and when, is git's to find out."""
    return any(key.startswith((b"include.", b"includeif.")) for key in config)


def _usual(place: Place) -> Iterator[Path]:
    """Yield where git looks for its config: a file may come where none is."""
    env = os.environ
    yield place.common_dir / "config"
    yield place.git_dir / "config.worktree"
    yield Path("/etc/gitconfig")
    yield Path(shutil.which("git") or "/usr/bin/git").parents[1] / "etc/gitconfig"
    named = (
        ("GIT_CONFIG_GLOBAL", ""),
        ("GIT_CONFIG_SYSTEM", ""),
        ("XDG_CONFIG_HOME", "git/config"),
    )
    beneath = (("HOME", ".gitconfig"), ("HOME", ".config/git/config"))
    yield from (place.top / env[key] / name for key, name in (*named, *beneath) if env.get(key))


def _states(files: Iterable[Path]) -> dict[Path, FileState]:
    return {path: _state(path) for path in files}


def _state(path: Path) -> FileState:
    """Return what changes whenever the file does; nothing where it is not, or not to be seen."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_ctime_ns, found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev)


def _is_young(state: FileState, now: int) -> bool:
    """Tell whether the file may have changed while it was read without another state.

    Nobody can set the time of its last change; some disks know whole seconds only, or even ones.
    """
    if not state:
        return False
    changed, *_ = state
    return now - changed < (_TICK_NS if changed % _SECOND_NS else 2 * _SECOND_NS)


def _identity(config: Mapping[bytes, bytes], role: bytes) -> bytes:
    """Return a person as `git var` does, which is a process for each of the two.

    As it does with user.useConfigOnly: else git makes a name up from the machine's accounts.
    """
    name, email = (
        os.environb.get(b"GIT_%s_%s" % (role.upper(), part.upper()))
        or config.get(b"%s.%s" % (role, part))
        or config.get(b"user.%s" % part)
        for part in (b"name", b"email")
    )
    if email is None or not (plain := _plain(name or b"")):
        return _NOBODY
    return b"%s <%s>" % (plain, _plain(email))


def _plain(text: bytes) -> bytes:
    """Return *text* without what git takes off either end of a name, or out of it."""
    return text.strip(_CRUD).translate(None, b"\n<>")


def _facts(author: bytes, committer: bytes, when: datetime, message: str) -> bytes:
    aware = when.astimezone() if when.tzinfo is None else when
    date = f"{max(0, int(aware.timestamp()))} {aware.strftime('%z')[:5]}".encode()
    text = message.replace("\0", "").strip().encode(errors="replace") + b"\n"
    values = (author, date, committer, date, len(text), text)
    return b"author %s %s\ncommitter %s %s\ndata %d\n%s" % values
