"""Intents: what is being written, kept until it is in git, so that a crash can be made good.

`.vaultmem/journal/<id>.json` is an intent that may be half done; `<id>.applied.json` is done on
disk and waits for its commit, as `<id>.theirs.applied.json` does for a person's. All hold the bytes
to write, so a replay asks nobody. Of a file that grows they hold what is added alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultmem.errors import Refused
from vaultmem.records import LISTS
from vaultmem.storage import files
from vaultmem.storage.files import Addition, Root, Step

if TYPE_CHECKING:
    from vaultmem.storage.plan import Append, Change, Plan

FOLDER = ".vaultmem/journal"
_DONE = ".applied.json"
_THEIRS = f".theirs{_DONE}"
_ID = re.compile(r"[0-9A-Za-z]{26}")  # it becomes part of names


class Write(NamedTuple):
    """One file of an intent: the bytes that were read, the bytes to write; None is absence.

    With *at* the bytes are added to a file of that size, and what it held was not read.
    """

    path: str
    old: bytes | None
    new: bytes | None
    pre: str | None
    at: int | None = None

    @property
    def step(self) -> Step | Addition:
        """The write itself."""
        if self.at is None:
            return Step(self.path, self.pre, self.new)
        return Addition(self.path, self.at, self.new or b"")


Mark = int | str | None
"""How a file was left: how long where it grows, its sha-256 where it was made, else None."""


def _mark(write: Write, new: bytes) -> Mark:
    """Return that of the *new* bytes; what is made from other files goes on with these."""
    if write.at is not None:
        return write.at + len(new)
    return files.sha256(new) if write.old is None and write.path not in LISTS else None


@dataclass(frozen=True, slots=True)
class Intent:
    """A plan on its way to disk and into git; *base* is the HEAD it was made on.

    *merge* is the commit that holds it already, where it brings another line of history in.
    *theirs*: what is left of it stands among a person's lines, and is theirs to commit.
    """

    id: str
    op: str
    kind: str
    agent: str
    subject: str
    trailers: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    base: str | None
    writes: tuple[Write, ...]
    applied: bool = False
    count: int = 1
    merge: str = ""
    asked: str = ""
    theirs: bool = False

    @property
    def marks(self) -> dict[str, Mark]:
        """What tells of each file that it leaves there whether that is as it was left."""
        return {w.path: _mark(w, w.new) for w in self.writes if w.new is not None}


def intent(plan: Plan, intent_id: str, base: str | None) -> Intent:
    """Return the intent to carry out *plan*, named *intent_id*, made on the commit *base*."""
    return Intent(
        intent_id, plan.op, plan.kind, plan.agent, plan.subject, plan.trailers, plan.notes,
        base, tuple(_written(c) for c in plan.changes), count=plan.count, merge=plan.merge,
        asked=plan.asked,
    )  # fmt: skip


def _written(change: Change | Append) -> Write:
    from vaultmem.storage import plan  # noqa: PLC0415  # who only counts intents makes none

    if isinstance(change, plan.Append):
        return Write(change.path, None, change.data, None, change.at)
    return Write(change.path, change.old, change.new, change.step.pre)


def begin(root: Root, todo: Intent) -> None:
    """Make the intent durable: from here on it will be carried out, now or after a crash."""
    name = f"{FOLDER}/{todo.id}.json"
    files.write(root, [Step(name, None, _dump(todo))], todo.id)


def applied(root: Root, todo: Intent) -> None:
    """Note that all of the intent's files are as it wants them; who writes it confirms it then."""
    # Not synced: a replay of a finished intent finds everything done.
    files.rename(root, f"{FOLDER}/{todo.id}.json", f"{FOLDER}/{todo.id}{_DONE}")


def rewrite(root: Root, todo: Intent) -> None:
    """Let the file of an intent hold *todo* in place of what it was, durably."""
    found, data = files.read(root, _path(todo)), _dump(todo)
    if found is None or found.data != data:
        files.write(root, [Step(_path(todo), found.sha if found else None, data)], todo.id)


def leave(root: Root, name: str, paths: Collection[str]) -> None:
    """Let the intent in the file *name* wait for what it writes to *paths* alone, a person's."""
    if todo := get(root, name):
        writes = tuple(write for write in todo.writes if write.path in paths)
        rewrite(root, replace(todo, writes=writes, theirs=True))
        if not todo.theirs:
            finish(root, todo)


def finish(root: Root, todo: Intent) -> None:
    """Forget an intent that is in git, or has no git to go to; raises DiskRefused and ReadOnly."""
    files.discard(root, _path(todo))


def stays(root: Root, todo: Intent) -> bool:
    """Tell whether the intent is still there; what raised may have done so after it was removed."""
    return files.stamp(root, _path(todo)) is not None


def _path(todo: Intent) -> str:
    ending = _THEIRS if todo.theirs else _DONE if todo.applied else ".json"
    return f"{FOLDER}/{todo.id}{ending}"


def names(root: Root) -> list[str]:
    """Return the file names of all intents, oldest first."""
    return sorted(name for name in files.names(root, FOLDER) if name.endswith(".json"))


def due(root: Root) -> list[str]:
    """Return the file names of the intents whose commit is ours to make."""
    return [name for name in names(root) if not name.endswith(_THEIRS)]


def begun(root: Root) -> list[str]:
    """Return the file names of the intents that were begun and not noted as applied."""
    return [name for name in names(root) if not is_applied(name)]


def is_applied(name: str) -> bool:
    """Tell whether the intent in the file *name* is done on disk."""
    return name.endswith(_DONE)


def half_done(root: Root) -> bool:
    """Tell whether some intent was begun and not noted as applied."""
    return bool(begun(root))


def was_torn(root: Root) -> bool:
    """Tell whether some intent is half done, or who wrote one died at that and left none."""
    return half_done(root) or files.has_strays(root, FOLDER)


def get(root: Root, name: str, only: Collection[str] | None = None) -> Intent | None:
    """Return the intent in the file *name*; None when it is gone or cannot be read.

    And where it writes nothing near *only*: to take one of a thousand files apart takes long.
    """
    found = files.read(root, f"{FOLDER}/{name}")
    if found is None or not (only is None or _is_near(found.data, only)):
        return None
    todo = load(found.data, applied=name.endswith(_DONE))
    return todo and replace(todo, theirs=name.endswith(_THEIRS))


def _is_near(data: bytes, paths: Collection[str]) -> bool:
    """Tell whether the intent in *data* may write to a folder of *paths*, or to one that has none.

    A plan writes many files to few folders.
    """
    starts = {path[: path.rfind("/") + 1] or path for path in paths}
    return any(json.dumps(start)[:-1].encode() in data for start in starts)


def writes(root: Root, name: str) -> tuple[Write, ...]:
    """Return what the intent in the file *name* writes; nothing when it is gone or unreadable."""
    todo = get(root, name)
    return todo.writes if todo else ()


def waiting(root: Root) -> list[tuple[str, Intent]]:
    """Return name and head of each intent that waits for its commit.

    Of its writes it has where they go, and none of their bytes.
    """
    found = ((n, get(root, n)) for n in names(root) if n.endswith(_DONE))
    return [(n, replace(todo, writes=_without_bytes(todo.writes))) for n, todo in found if todo]


def _without_bytes(every: Iterable[Write]) -> tuple[Write, ...]:
    return tuple(write._replace(old=None, new=None) for write in every)


def _dump(todo: Intent) -> bytes:
    writes = [
        {"path": w.path, "pre": w.pre, "old": _text(w.old), "new": _text(w.new), "at": w.at}
        for w in todo.writes
    ]
    head = {
        "id": todo.id, "op": todo.op, "kind": todo.kind, "agent": todo.agent,
        "subject": todo.subject, "trailers": todo.trailers, "notes": todo.notes,
        "base": todo.base, "count": todo.count, "merge": todo.merge, "asked": todo.asked,
        "writes": writes,
    }  # fmt: skip
    return json.dumps(head).encode()


def load(data: bytes, *, applied: bool) -> Intent | None:
    """Read an intent's bytes; None when they are not one."""
    try:
        raw = json.loads(data)
        if not _ID.fullmatch(raw["id"]):
            return None
        writes = [_write(w) for w in raw["writes"]]
        trailers = tuple((k, v) for k, v in raw["trailers"])
        return Intent(
            raw["id"], raw["op"], raw["kind"], raw["agent"], raw["subject"], trailers,
            tuple(raw["notes"]), raw["base"], tuple(writes), applied, int(raw.get("count", 1)),
            str(raw.get("merge", "")), str(raw.get("asked", "")),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, Refused):
        return None


def _write(raw: dict[str, Any]) -> Write:
    path = "/".join(files.inside(str(raw["path"])))
    at = raw.get("at")  # what wrote intents before files could grow did not say
    if not (at is None or (isinstance(at, int) and at >= 0)):
        raise ValueError("no place in a file")
    return Write(path, _data(raw["old"]), _data(raw["new"]), raw["pre"], at)


def _text(data: bytes | None) -> str | None:
    # Files of people may hold any bytes; surrogates carry those that are no UTF-8 through JSON.
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _data(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")
