"""What a remote may not bring in: what no vault holds, and what starts programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from vaultmem import config
from vaultmem.config import Config
from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Value
from vaultmem.errors import BadInput, Refused, TooNew, Unreadable
from vaultmem.exchange import obeyed_files
from vaultmem.exchange.sync import obeyed_changes
from vaultmem.exchange.sync.types import Data, Merged, Sides
from vaultmem.models.providers import profile
from vaultmem.storage import files, reader, tombstones, troubles
from vaultmem.storage.files import twin_names
from vaultmem.storage.git import ABSENT, PLAIN, Row

_LARGEST = 64 << 20
"""Bytes of a file that a merge reads; a merge holds some copies of it in memory."""

_DAMAGED = (
    "{path} is damaged there ({why}), and nothing new could be remembered with it: nothing was "
    "merged; `{shown}` shows who did it. Bring it back there, or delete it there if it never was "
    "whole, and sync again; or take it over with `git pull --no-rebase`, and mend it here with "
    "`vaultmem fsck --repair`"
)


def refuse(row: Row) -> None:
    """Raise Refused for a change there that no vault may hold."""
    path = row.path
    if any("\ud800" <= c <= "\udfff" for c in path):
        raise Refused(f"{path!r} is in the remote, and its name is not UTF-8: rename it there")
    folded = twin_names.folded(path)
    try:
        files.inside(path)
    except Refused as e:
        raise Refused(f"{path!r} is in the remote, and vaultmem must not write that: remove it "
                      "there") from e  # fmt: skip
    if ".vaultmem" in folded.split("/"):  # of a vault within this one, too
        raise Refused(
            f"{path} is in the remote, and it does not belong in a vault: remove it there"
        )
    if row.new.mode != ABSENT and f"{folded}/" in troubles.OWN_FOLDERS:
        raise Refused(f"{path} is a file there, in the place of a folder of every vault: nothing "
                      "was merged; remove it there")  # fmt: skip
    if not is_plain(row):
        raise Refused(f"{path} is a link or a submodule there, which no vault holds: remove it "
                      "there, or `git pull`")  # fmt: skip


def refuse_program(row: Row) -> None:
    """Raise Refused for a change there that a tool of this machine would run by itself."""
    who = obeyed_files.runs(twin_names.folded(row.path)) if row.new.mode != ABSENT else ""
    if who:
        raise Refused(f"{row.path} comes from the remote, and {who} would run it: remove it there, "
                      "or look at it and `git pull`")  # fmt: skip


def is_plain(row: Row) -> bool:
    """Tell whether a path was and is a file, or nothing."""
    return all(blob.mode in PLAIN or blob.mode == ABSENT for blob in (row.old, row.new))


def giant_check(rows: Iterable[Row]) -> Callable[[str, int], None]:
    """Return what, told a blob and its size, raises Refused where a merge should not read that.

    Of what *rows* have there.
    """
    paths = {row.new.id: row.path for row in rows}

    def refuse_giant(blob: str, size: int) -> None:
        if blob in paths and size > _LARGEST:
            raise Refused(f"{paths[blob]} has {size >> 20} MiB there, and sync takes no file of "
                          f"more than {_LARGEST >> 20}: remove it there, or look at it and "
                          "`git pull`")  # fmt: skip

    return refuse_giant


def refuse_settings(made: Merged, read: Callable[[str], Data]) -> None:
    """Raise Refused for settings with which this program could not open the vault, or not write.

    *read* returns what is here of a file that no side changed.
    """
    if not any(path.startswith("config/") for path in made.files):
        return

    def merged(path: str) -> dict[str, Value]:
        data = made.files[path] if path in made.files else read(path)
        if data is None:
            raise BadInput(f"{path} is gone")
        return frontmatter.fields(frontmatter.read(data))

    path = config.PATH
    try:
        named = config.load(merged(path)).profile
        path = f"{profile.FOLDER}/{named}.md"
        profile.load(merged(path), path)
    except (BadInput, TooNew, Unreadable) as e:
        raise Refused(f"the settings there would stop this vault ({e}): nothing was merged; mend "
                      f"{path} there, and sync again") from e  # fmt: skip


def refuse_damaged_tombstones(sides: Sides, made: Merged, tip: str) -> None:
    """Raise Refused for a tombstone there that is not whole: it would keep out all that is new.

    *tip* is the commit there.
    """
    for path, it in sorted(sides.items()):
        new = made.files.get(path)
        if new is None or new == it.ours or not tombstones.is_path(path):
            continue
        if why := _damage(path, new):
            shown = obeyed_changes.shown_by(tip, path)
            raise Refused(_DAMAGED.format(path=path, why=why, shown=shown))


def _damage(path: str, data: bytes) -> str:
    """Return why the tombstone at *path* could not be asked of a text, "" when it could."""
    if len(data) > files.LARGEST_NOTE:
        return f"it has more than {files.LARGEST_NOTE >> 20} MiB"
    read = reader.record(path, files.content(data))
    return read.problem.message if read.type == "tombstone" and read.problem else ""


def settings(sides: Sides, made: Merged, tip: str) -> Iterator[str]:
    """Yield a word on each hidden file that is another than here: programs heed them.

    *tip* is the commit there.
    """
    for path, it in sorted(sides.items()):
        is_hidden = any(part.startswith(".") for part in path.split("/"))
        new = made.files.get(path)
        if new != it.ours and (is_hidden or path.startswith("config/")):
            what = _changed_settings(path, it.ours, new)
            shown = obeyed_changes.shown_by(tip, path)
            yield f"{path} was changed there{what}: `{shown}` shows it"


def _changed_settings(path: str, old: Data, new: Data) -> str:
    """Return which settings are others now, each with what it was and is.

    Those of a profile say to whom texts are sent.
    """
    before, after = _settings(path, old), _settings(path, new)
    if before is None or after is None:
        return ""
    options = profile.OPTIONS if isinstance(before, profile.Profile) else config.OPTIONS
    changes = [
        f"{key} was {_stated(key, before)} and is {_stated(key, after)}"
        for key in options
        if getattr(before, key) != getattr(after, key)
    ]
    return f" ({', '.join(changes)})" if changes else ""


def _stated(key: str, settings: Config | profile.Profile) -> str:
    """Return the value of *key* as a file states it."""
    value = getattr(settings, key)
    return config.interval_text(value) if key == "sync_every" else repr(value)


def _settings(path: str, data: Data) -> Config | profile.Profile | None:
    """Return what the file at *path* states; None where that is no settings and no profile."""
    try:
        stated = frontmatter.fields(frontmatter.read(data or b""))
        if path == config.PATH:
            return config.load(stated)
        is_profile = path.startswith(f"{profile.FOLDER}/")
        return profile.load(stated, path) if is_profile else None
    except (BadInput, TooNew, Unreadable):
        return None
