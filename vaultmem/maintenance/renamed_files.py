"""Where that lies now which an operation wrote, and whose name another thing has since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultmem.errors import Refused
from vaultmem.knowledge import tasks
from vaultmem.records import Record
from vaultmem.storage import files
from vaultmem.storage.git import FileChange
from vaultmem.storage.store import Store


def followed(store: Store, op: str, ours: Iterable[FileChange]) -> list[FileChange]:
    """Return *ours*, which *op* did, each where the file lies now that it wrote, by its id.

    A sync gives our task another number, and our note another name, where theirs has it already:
    what stands there then is not what was written. What was made and is nowhere is left out. Raises
    Refused where what was changed is nowhere.
    """
    done = list(ours)
    told = {it.path: store.texts.read(it.path) for it in done if it.new and files.is_note(it.path)}
    others = [it for it in done if it.path in told and told[it.path] != it.new]
    written = {it.path: _record(store, it.path, it.new or b"") for it in others}
    now = {path: _record(store, path, data) if (data := told[path]) else None for path in written}
    lost = {path: it for path, it in written.items() if it.id and _is_not(now[path], it)}
    lie = store.index.identified({it.id for it in lost.values()})
    at = {(it.id, it.type): it.path for it in lie}
    new = {path: at.get((it.id, it.type), "") for path, it in lost.items()}
    return [one for it in done for one in _where(op, it, new.get(it.path, it.path), now)]


def _is_not(there: Record | None, it: Record) -> bool:
    """Tell whether *there* is another thing than *it*, or no thing where *it* is a task."""
    return there.id != it.id if there else bool(tasks.number_of(it.path))


def _where(op: str, it: FileChange, at: str, now: dict[str, Record | None]) -> Iterator[FileChange]:
    other = now.get(it.path)
    if at or other is None or not other.id:  # one without an id may be it, rewritten by hand
        yield it._replace(path=at or it.path)
    elif it.old is not None:
        raise Refused(
            f"what {op} changed at {it.path} is gone, and another thing stands there; nothing was "
            "undone"
        )


def _record(store: Store, path: str, data: bytes) -> Record:
    return store.texts.record(path, files.content(data))
