"""The names of turns and items, as a person gives them to be forgotten: `FILE:NUMBER`."""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.records import Record
from vaultmem.storage import item_logs, transcript_files

_NAME = re.compile(r"(?P<path>.+\.jsonl)(?::(?P<number>[1-9]\d{0,8}))?")


class LineName(NamedTuple):
    """Names the line with that *number* of the transcript or log at *path*; 0 for all of them."""

    path: str
    number: int = 0

    def __str__(self) -> str:
        """Return it as a person gives it."""
        return f"{self.path}:{self.number}" if self.number else self.path


def parse(name: str) -> LineName | None:
    """Return what *name* stands for, None for what is no name of lines."""
    found = _NAME.fullmatch(name)
    return LineName(found["path"], int(found["number"] or 0)) if found else None


def path_of(record: Record) -> str:
    """Return where the file lies whose lines *record* stands for."""
    found = parse(record.path)
    return found.path if found else record.path


def are_in(path: str) -> bool:
    """Tell whether what stands at *path* is named by its line: it is a transcript, or a log."""
    return transcript_files.holds(path) or item_logs.is_path(path)


def is_line(name: str) -> bool:
    """Tell whether *name* is that of one turn or item."""
    found = parse(name)
    return found is not None and found.number > 0 and are_in(found.path)
