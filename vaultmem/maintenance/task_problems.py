"""What is wrong with the files below `tasks/`, beside what the index says of them."""

from __future__ import annotations

from vaultmem.maintenance import sound_tasks
from vaultmem.records import Problem
from vaultmem.storage import files, task_files
from vaultmem.storage.index import file_queries
from vaultmem.storage.store import Store


def of(store: Store, *, whole: bool = False) -> tuple[Problem, ...]:
    """Return the problems of the tasks.

    Their files are read once for as long as they stay as they are and have no fault; *whole* reads
    them again.
    """
    vault, seen = store.root.path, file_queries.shas(store.index, task_files.FOLDER)
    shas = frozenset((path, sha) for path, sha in seen if task_files.is_place(path))
    if not shas or (sound_tasks.are(vault, shas) and not whole):
        return ()
    from vaultmem.knowledge import tasks  # noqa: PLC0415  # most tasks were found sound before

    known = {problem.path for problem in store.index.problems()}
    allowed = ((path, store.texts.read_if_allowed(path)) for path, _ in sorted(shas))
    read = {path: data for path, data in allowed if data is not None}
    found = tasks.graph(tasks.read(path, data) for path, data in read.items())
    if len(read) == len(shas) and not found.problems:
        sound_tasks.note(vault, ((path, files.sha256(data)) for path, data in read.items()))
    return tuple(problem for problem in found.problems if problem.path not in known)
