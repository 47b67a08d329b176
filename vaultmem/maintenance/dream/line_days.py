"""Say on which day a line came into git, for notes that do not say when they were written.

The commits of all files in question are read once, instead of a blame for each; a line is known by
what it says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from vaultmem.maintenance.authorship import added
from vaultmem.storage import git
from vaultmem.storage.git import PLAIN, Blob, Entry, Repository, Row

Lines = Mapping[str, Collection[str]]
"""Lines of files, without their ends, by path."""

Days = Mapping[str, Mapping[str, str]]
"""The day on which a line came (ISO 8601), by path and line."""


def first_days(repository: Repository, wanted: Lines, latest: Callable[[str], str]) -> Days:
    """Return the days on which the *wanted* lines came, as far as git can tell.

    It cannot for a line that came on several days, by the program, from another file, or before a
    shallow clone begins. *latest* returns the day on which a file was last written: what git got
    later than that had been written some day before.
    """
    if not wanted or repository.is_shallow:
        return {}
    entries = {entry.commit: entry for entry in repository.log(None, paths=sorted(wanted))}
    touched = repository.touched(list(entries))
    came: dict[str, dict[str, set[str]]] = {path: defaultdict(set) for path in wanted}
    for commit, rows in _with_own(repository, touched, wanted).items():
        strange = _taken(repository, touched[commit], set().union(*rows.values()))
        for path, lines in rows.items():
            for line in lines:
                came[path][line].add("" if line in strange else _day(entries[commit]))
    return {path: _sure(lines, latest(path)) for path, lines in came.items()}


def _with_own(
    repository: Repository, touched: Mapping[str, Sequence[Row]], wanted: Lines
) -> dict[str, dict[str, frozenset[str]]]:
    """Return which of the *wanted* lines came by each commit, by path."""
    rows = [(commit, row) for commit, each in touched.items() for row in each if row.path in wanted]
    blobs = repository.contents(blob for _, row in rows for blob in (row.old, row.new))
    found: dict[str, dict[str, frozenset[str]]] = {}
    for commit, row in rows:
        if lines := _added(blobs, row.old, row.new) & frozenset(wanted[row.path]):
            found.setdefault(commit, {})[row.path] = lines
    return found


def _taken(repository: Repository, rows: Sequence[Row], lines: Collection[str]) -> frozenset[str]:
    """Return those of the *lines* that some file lost in the same commit: they were moved."""
    older = [row for row in rows if row.old.mode in PLAIN]
    blobs = repository.contents(blob for row in older for blob in (row.old, row.new))
    lost = (_added(blobs, row.new, row.old) for row in older)
    return frozenset(lines) & frozenset().union(*lost)


def _added(blobs: Mapping[str, bytes], old: Blob, new: Blob) -> frozenset[str]:
    return added(blobs.get(old.id), blobs.get(new.id))


def _day(entry: Entry) -> str:
    """Return the day of a person's commit; what the program writes was said on another."""
    return "" if git.OP in dict(entry.trailers) else entry.when.date().isoformat()


def _sure(lines: Mapping[str, set[str]], latest: str) -> dict[str, str]:
    single = ((line, *days) for line, days in lines.items() if len(days) == 1)
    return {line: day for line, day in single if day and day <= latest}
