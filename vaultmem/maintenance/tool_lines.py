"""Name the files that are untrusted for lines which a tool had said, and what a person may do."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from vaultmem.documents import part_trust
from vaultmem.documents.bodies import working_text
from vaultmem.knowledge import review
from vaultmem.maintenance import crowds
from vaultmem.records import Problem, Record
from vaultmem.storage.index import count_queries
from vaultmem.storage.store import Store

CODE = "tool-lines"
_MOST_NAMED = 3
_CROWD = "files are untrusted for what a tool had said, and in no context"
_UNTRUSTED = "so all of the file is untrusted and in no context"
_REPAIR = "take {it} out, and of its frontmatter {marks}"
_OWN = "; `vaultmem review accept {path}` if the words are your own"
_STILL = "what a tool had said is gone from it, and it is untrusted and in no context all the same"


def briefly(store: Store, paths: Sequence[str]) -> Iterator[Problem]:
    """Name those at *paths* for `status`; a crowd is counted, and none of its texts is read."""
    if len(paths) > crowds.NAMED:
        yield Problem(CODE, paths[0], f"{len(paths)} {_CROWD}", crowds.EACH)
    else:
        yield from _named(store, paths)


def each(store: Store) -> Iterator[Problem]:
    """Name each of them, for `fsck`."""
    return _named(store, count_queries.with_tool_lines(store.index))


def _named(store: Store, paths: Sequence[str]) -> Iterator[Problem]:
    return map(_problem, sorted(store.index.at(paths), key=lambda it: it.path))


def _problem(record: Record) -> Problem:
    source = "source" if record.source == "tool" else "via"
    marks = f"`{source}: tool`, `{part_trust.TOOL_LINES}` and, where it stands, `trust: untrusted`"
    known = frozenset(record.tool_lines.split())
    each = enumerate(record.body.splitlines(), record.body_line)
    if lines := [number for number, line in each if working_text.mark(line) in known]:
        it = "that line" if len(lines) == 1 else "these lines"
        message = f"a tool had said what stands in {_told(lines)}, {_UNTRUSTED}"
    elif part_trust.HEAD in known:
        it = "that"
        message = f"a tool had said what stands in its frontmatter or its name, {_UNTRUSTED}"
    else:
        return Problem(CODE, record.path, _STILL, f"take {marks} out of its frontmatter")
    repair = _REPAIR.format(it=it, marks=marks)
    if record.type in review.TYPES:
        repair += _OWN.format(path=shlex.quote(record.path))
    return Problem(CODE, record.path, message, repair)


def _told(lines: list[int]) -> str:
    """Return the numbers of the first *lines*, and how many more there are."""
    numbers = ", ".join(map(str, lines[:_MOST_NAMED]))
    more = len(lines) - _MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return f"line{'s' * (len(lines) > 1)} {numbers}{rest}"
