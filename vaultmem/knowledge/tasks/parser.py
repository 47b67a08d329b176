"""Read a task's file as its own lines say it; what a person left out or got wrong is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vaultmem.documents import frontmatter, origin
from vaultmem.documents.frontmatter import Value, text_of
from vaultmem.documents.part_trust import OUTCOME_TRUST
from vaultmem.errors import Unreadable
from vaultmem.knowledge.tasks.types import STATUSES, Task, named, status_named
from vaultmem.records import TRUST_OF_SOURCE, Problem, first_line
from vaultmem.storage import reader
from vaultmem.storage.task_files import number_of, stem_of

_SUBJECT = 200
_NAME_IT = "rename it to tasks/task-NNNN.md, with a number that is free"


@dataclass(frozen=True, slots=True)
class Page:
    """A file below `tasks/`: its bytes, the task that they tell of, and what is wrong with them.

    *task* is None for a file that cannot be read, or whose name has no number.
    """

    path: str
    data: bytes
    task: Task | None
    problems: tuple[Problem, ...] = ()


def read(path: str, data: bytes) -> Page:
    """Return the page at *path*; never fails."""
    found = number_of(path)
    if found is None:
        return _odd(path, data, "name", "a file among the tasks whose name has no number", _NAME_IT)
    try:
        doc = frontmatter.read(data)
        raw = frontmatter.fields(doc)
    except Unreadable as e:
        return _odd(path, data, e.code, e.why, reader.BY_HAND)
    return Page(path, data, _task(found, path, raw, doc.body), tuple(_wrong(path, raw)))


def listed(raw: Mapping[str, Value], key: str) -> list[str]:
    """Return what the list *key* of a task's frontmatter names, each as it is written."""
    value = raw.get(key, "")
    if isinstance(value, str):  # typed in a hurry: `blocked_by: 1, 2`
        return [part.strip() for part in value.split(",") if part.strip()]
    return [item for item in value if isinstance(item, str) and item.strip()]


def _odd(path: str, data: bytes, code: str, why: str, repair: str) -> Page:
    return Page(path, data, None, (Problem(code, path, why, repair),))


def _task(task_id: int, path: str, raw: Mapping[str, Value], body: str) -> Task:
    subject = text_of(raw, "subject") or text_of(raw, "title") or body.replace("#", " ")
    return Task(
        id=task_id,
        subject=first_line(subject, _SUBJECT) or stem_of(task_id),
        status=status_named(text_of(raw, "status")) or "pending",
        owner=text_of(raw, "owner"),
        blocked_by=_numbers(raw, "blocked_by"),
        blocks=_numbers(raw, "blocks"),
        description=body.strip("\r\n"),
        path=path,
        created=text_of(raw, "created"),
        updated=text_of(raw, "updated"),
        result=text_of(raw, "result"),
        error=text_of(raw, "error"),
        log=text_of(raw, "log").removeprefix("[[").removesuffix("]]").partition("|")[0],
        trust=origin.read(raw, "task", body).trust,
        outcome_trust=TRUST_OF_SOURCE["tool" if OUTCOME_TRUST in raw else "agent"],
    )


def _numbers(raw: Mapping[str, Value], key: str) -> tuple[int, ...]:
    found = (named(text) for text in listed(raw, key))
    return tuple(dict.fromkeys(n for n in found if n is not None))


def _wrong(path: str, raw: Mapping[str, Value]) -> Iterator[Problem]:
    status = text_of(raw, "status")
    if status and status_named(status) is None:
        message = f"status is {status!r}, so it counts as pending"
        yield Problem("status", path, message, f"write {', '.join(STATUSES)}")
    for key in ("blocked_by", "blocks"):
        for text in listed(raw, key):
            if named(text) is None:
                why = f"{key} names {text!r}, which is no task"
                yield Problem("link", path, why, 'write "[[task-0004]]"')
