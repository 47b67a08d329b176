"""What git's config says of who commits, of what is elsewhere, and of filters.

It is asked for again only where a file that git reads it from may have changed.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from vaultmem.storage.files import is_young
from vaultmem.storage.git import process
from vaultmem.storage.git.types import ConfigEntry, FileState, Place

_FILTER = re.compile(rb"filter\..*\.(?:clean|smudge|process|required)", re.DOTALL)
_WANTED = re.compile(
    rb"(user|author|committer)\.(name|email)|core\.sshcommand|(remote|branch|url)\..*|"
    + _FILTER.pattern,
    re.DOTALL,
)
_SURROUNDINGS = (
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
    *("HOME", "XDG_CONFIG_HOME", "PATH"),
)


def entries(place: Place) -> tuple[ConfigEntry, ...]:
    """Return who commits, the remotes, what branches follow, filters, and which ssh, as git does.

    What weighs more stands later. Raises Unavailable when git cannot read its config.
    """
    known = place.known_config
    around = tuple(os.environ.get(key) for key in _SURROUNDINGS)
    if known.files and known.around == around and known.files == _states(known.files):
        return known.entries
    began, before = time.time_ns(), _states(_usual(place))
    asked = ("config", "--null", "--list", "--show-scope", "--show-origin")
    said = process.git(place, *asked).split(b"\0")
    found = [
        ConfigEntry(scope, *entry.partition(b"\n")[::2])
        for scope, entry in zip(said[:-1:3], said[2::3], strict=True)
    ]
    origins = {place.top / os.fsdecode(at[5:]) for at in said[1::3] if at.startswith(b"file:")}
    files = _states({*before, *origins})
    young = any(_is_young(state, began) for state in files.values())
    sure = before.items() <= files.items() and not young and not _includes(it.key for it in found)
    known.entries = tuple(it for it in found if _WANTED.fullmatch(it.key))
    known.around, known.files = around, files if sure else {}
    return known.entries


def without_filters(place: Place) -> dict[str, str]:
    """Return what git's environment says so that it sends no file through a filter.

    One that has no command is none. Raises Unavailable when git cannot read its config.
    """
    keys = sorted({it.key for it in entries(place) if _FILTER.fullmatch(it.key)})
    told = {"GIT_CONFIG_COUNT": str(len(keys))}
    for number, key in enumerate(keys):
        told[f"GIT_CONFIG_KEY_{number}"] = os.fsdecode(key)
        told[f"GIT_CONFIG_VALUE_{number}"] = "false" if key.endswith(b".required") else ""
    return told


def _includes(keys: Iterable[bytes]) -> bool:
    """Tell whether other files may have a say: where they are, and when, is git's to find out."""
    return any(key.startswith((b"include.", b"includeif.")) for key in keys)


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
    """Tell whether the file may have changed while it was read without another state."""
    return bool(state) and is_young(state[0], now)
