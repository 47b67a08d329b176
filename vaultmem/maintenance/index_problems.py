"""Where the index disagrees with the files' bytes and words: it may lag, it may not lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vaultmem.errors import DiskRefused, NotAFile
from vaultmem.maintenance.summary_problems import MEND
from vaultmem.records import Problem, Record
from vaultmem.storage import files
from vaultmem.storage.index import count_queries, file_queries
from vaultmem.storage.index.diff import Seen
from vaultmem.storage.index.texts import sortable
from vaultmem.storage.progress import Progress, untold
from vaultmem.storage.store import Store


def each(store: Store, progress: Progress = untold) -> Iterator[Problem]:
    """Yield a problem for each such file; *progress* is told how many of how many were compared."""
    for path in count_queries.listed_twice(store.index):
        yield Problem("index", path, "the index has this file twice", MEND)
    # Of what cannot be trusted now the index keeps what it said before.
    broken = {p.path for p in store.index.problems()}
    known_gone, hidden = {*store.index.vanished(), *store.index.odd}, tuple(store.index.shut)
    done, every = 0, file_queries.count(store.index)
    for page in file_queries.pages(store.index):
        progress(min(done, every), every)
        done += len(page)
        records = {record.path: record for record in store.index.at(page)}
        with files.reading_many(store.root) as read:
            for path, seen in file_queries.seen(store.index, page).items():
                said = records.get(path)
                wrong = _disagreement(store, read, path, seen, said, is_broken=path in broken)
                if wrong and path not in known_gone and not path.startswith(hidden):
                    yield Problem("index", path, wrong, MEND)


def _disagreement(  # noqa: PLR0913  # one by name
    store: Store, read: files.Read, path: str, seen: Seen | None, said: Record | None, *,
    is_broken: bool,
) -> str:  # fmt: skip
    """Return how what was *seen* of a file, and what it *said*, is not so now, "" where it is."""
    try:
        found = read(path)
    except NotAFile:
        found = None
    except DiskRefused:  # what cannot be read is named apart
        return ""
    if found is None:
        return "the index has a file that is gone"
    if seen is None or found.stamp != seen.stamp:
        return ""
    is_so = found.sha == seen.sha and (is_broken or not _lies(store, path, found, said))
    return "" if is_so else "the index disagrees with the file"


def _lies(store: Store, path: str, found: files.Content, said: Record | None) -> bool:
    now = store.texts.record(path, found)
    if now.problem or said is None:
        return not now.problem
    # The mark of a correction is the index's own, which keeps a date by hand as times are written.
    by, created = now.superseded_by or said.superseded_by, sortable(now.created)
    is_so = (by, created) == (now.superseded_by, now.created)
    return (now if is_so else replace(now, superseded_by=by, created=created)) != said
