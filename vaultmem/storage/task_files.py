"""Where tasks lie: a task's number is its file's name, and another that has it is another task.

Two who gave one number apart, on two branches or while a rebase had the files away, each keep
theirs: the one that comes back later gets a number that is free, and links that were made to it go
along.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import count

from vaultmem.storage import link_targets
from vaultmem.storage.ledger.entries import memory_id

FOLDER, BOARD = "tasks", "TASKS.md"
"""Their folder, and the page that draws them."""
_FILE = re.compile(rf"{FOLDER}/task-0*([1-9]\d{{0,8}})\.md")


def is_place(path: str) -> bool:
    """Tell whether the file at *path* lies where tasks are."""
    folder, _, name = path.rpartition("/")
    return folder == FOLDER and name.endswith(".md")


def number_of(path: str) -> int | None:
    """Return the number of the task whose file is at *path*, None when it can be no task's."""
    found = _FILE.fullmatch(path)
    return int(found[1]) if found else None


def path_of(task_id: int) -> str:
    """Return where a new task of this number is written."""
    return f"{FOLDER}/{stem_of(task_id)}.md"


def stem_of(task_id: int) -> str:
    """Return the bare name of a task's file, as a wikilink says it."""
    return f"task-{task_id:04}"


def next_number(taken: Iterable[int], named: Collection[int] = ()) -> int:
    """Return the number of the next new task: behind those *taken*, and none that is *named*."""
    return next(n for n in count(max(taken, default=0) + 1) if n not in named)


def free(taken: Iterable[str]) -> str:
    """Return where the next new task lies, beside those whose paths are *taken*."""
    return path_of(next_number(number_of(path) or 0 for path in taken))


def is_another(path: str, ours: bytes, now: bytes) -> bool:
    """Tell whether what the file at *path* says *now* is another task than *ours*, by its id."""
    ids = memory_id(ours), memory_id(now)
    return number_of(path) is not None and all(ids) and ids[0] != ids[1]


def relinked(data: bytes, before: bytes, old: str, new: str) -> bytes:
    """Return *data* with its links to the task at *old* leading to *new*.

    Unless its file had one *before*: that leads to whoever had the number first.
    """
    for names in ((old, new), (old.rpartition("/")[2], new.rpartition("/")[2])):
        was, now = (it.removesuffix(".md") for it in names)
        data = link_targets.renamed(data, was, now, before)
    return data
