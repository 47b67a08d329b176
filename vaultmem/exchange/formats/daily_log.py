"""A note of one day: each point or paragraph of it is a memory of that day.

A heading with a time dates what stands below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vaultmem.documents import frontmatter, secrets
from vaultmem.documents import origin as document_origin
from vaultmem.errors import BadInput, Unreadable
from vaultmem.exchange.formats.types import ImportedMessage, Item

_DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:[- ].+)?\.md")
_TIME = re.compile(r"#+\s.*?\b(\d{1,2}:\d\d)\b.*")
_POINT = re.compile(r"\A(?:[-*+]|\d{1,3}[.)])(?:\s+(?:\[.\]\s+)?|\Z)")
# Each stops where another of its kind might begin, so that a crowd of openings takes no longer.
_COMMENT = re.compile(r"(?<![ \t])[ \t]*<!--(?:(?!<!--)[^>])*-->")


@dataclass(frozen=True, slots=True)
class Said:
    """Of what a note is, as its format is called, and what its text is worth."""

    form: str
    source: str = "import"
    trust: str = ""


def day(name: str) -> str:
    """Return the day that the file *name* is of, "" where it is of none."""
    found = _DAY.fullmatch(name)
    return found[1] if found else ""


def text_of(path: Path) -> str:
    """Return the text of the note at *path*; raises OSError, and BadInput for no UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as e:
        raise BadInput("not UTF-8: save it as UTF-8") from e


def worth(doc: frontmatter.Document, form: str) -> Said:
    """Return what the note *doc*, of a *form*, is worth by its frontmatter, or its first line."""
    try:
        origin = document_origin.read(frontmatter.fields(doc), "memory", doc.body)
    except Unreadable:
        return Said(form, trust="untrusted")
    return Said(form, origin.source_or("import"), origin.trust)


def first_line(text: str, doc: frontmatter.Document) -> int:
    """Return the number of the line of *text* in which the body of *doc* begins."""
    return text.count("\n", 0, len(text) - len(doc.body)) + 1


def items(name: str, text: str, said: Said, first: int = 1, of: str = "") -> Iterator[Item]:
    """Yield the paragraphs and points of the *text*, which begins in line *first* of its file.

    It is *of* the day that its *name* tells, unless another is given. What of it was private is an
    item that is skipped: a part may go over several points.
    """
    at = of = of or day(name)
    yield from private_parts(name, text, first)
    for number, block in _blocks(secrets.blanked(text)):
        if block.startswith("#"):
            time = _TIME.fullmatch(block)
            at = f"{of}T{time[1]:0>5}:00" if time else at
        else:
            words = _POINT.sub("", _COMMENT.sub("", block).lstrip()).strip()
            message = ImportedMessage(
                words, key=f"{said.form}/{of}", session=f"{said.form}-{of}", at=_valid(at, of),
                source=said.source, trust=said.trust,
            )  # fmt: skip
            yield Item(name, number + first - 1, message)


def private_parts(name: str, text: str, first: int = 1) -> Iterator[Item]:
    """Yield what is skipped of *text* because it is private, if anything."""
    if said := secrets.left_out(text):
        yield Item(name, first, skipped=said)


def _valid(at: str, day: str) -> str:
    hour, _, minute = at.removeprefix(day).lstrip("T").partition(":")
    fits = not hour or (int(hour) < 24 and int(minute[:2]) < 60)  # noqa: PLR2004  # hours, minutes
    return at if fits else day


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield headings, points with what hangs on them, and paragraphs, each with its first line."""
    block: list[str] = []
    began = 1
    for number, line in enumerate(text.splitlines(), 1):
        opens = line.startswith("#") or bool(_POINT.match(line))
        if block and (opens or not line.strip() or block[0].startswith("#")):
            yield began, "\n".join(block)
            block = []
        if line.strip():
            began = number if not block else began
            block.append(line.rstrip())
    if block:
        yield began, "\n".join(block)
