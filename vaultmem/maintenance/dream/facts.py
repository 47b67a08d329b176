"""Read a file as facts: bullets with what hangs on them, lines of prose, lines of code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import bullets
from vaultmem.documents.markdown import outline
from vaultmem.documents.markdown.outline import Entry, Line, Section
from vaultmem.maintenance.dream.types import Fact, FactKind, Note
from vaultmem.memory import memory_index
from vaultmem.records import SCAFFOLDING
from vaultmem.storage import files, reader

_POINTER = re.compile(r"\[[^\]]*\]\([^)\s]+\)(?:\s*[:\u2014-].*)?")
_YES = frozenset({"true", "yes", "on"})
_FIXING = ("pinned", "read_only")
_IN_AGENT = 2
_SHARED = ("topics", "cards", "skills")
_NEITHER = ("agents", "tasks", "config", "templates", "inbox", "supersessions", "tombstones")


def is_cleaned(path: str) -> bool:
    """Tell whether a file at *path* is one that dreams clean up, as far as its place tells.

    Topics, cards, skills and notes are, and `MEMORY.md`; what the program keeps, what was said,
    what waits for a person, and a text that is kept as it is are not.
    """
    top, *inner = path.split("/")
    if path == memory_index.PATH or (top in _SHARED and inner):
        return path.endswith(".md")
    if top == "agents":
        return path.endswith(".md") and inner[1:2] == ["topics"] and len(inner) > _IN_AGENT
    name = inner[-1] if inner else top
    is_own = files.is_note(path) and not files.is_text(path)
    return is_own and top not in _NEITHER and name not in SCAFFOLDING


def note(path: str, data: bytes, *, fixed: bool = False) -> Note | None:
    """Return the file at *path* as a note, None when its bytes cannot be trusted.

    It is fixed where the caller says so, and where its frontmatter does (`pinned`, `read_only`).
    """
    record = reader.record(path, files.content(data))
    if record.problem:
        return None
    text = frontmatter.decode(data)
    doc = frontmatter.parse(text)
    raw = frontmatter.fields(doc, reader.most_frontmatter(path))
    fixed = fixed or any(str(raw.get(name, "")).lower() in _YES for name in _FIXING)
    first = text.count("\n", 0, len(text) - len(doc.body))
    eol = "\r\n" if "\r\n" in text else "\n"
    lines = tuple(line.removesuffix("\r") for line in _lines(text))
    found = tuple(_facts(path, own_sections(path, lines, first), first, lines))
    return Note(record, lines, found, record.sha, fixed, eol)


def _lines(text: str) -> list[str]:
    # Not splitlines(): only a newline ends a line.
    found = text.split("\n")
    return found if found[-1] else found[:-1]


def own_sections(path: str, lines: Sequence[str], first: int) -> list[Section]:
    """Return the sections of the body, whose *first* line it is, without what is generated.

    The marks stay: they are lines as any, and one ends a comment that a person left open.
    """
    hidden = {n for n in generated(path, lines) if lines[n].rstrip() not in memory_index.MARKS}
    body = ("" if n in hidden else line for n, line in enumerate(lines[first:], first))
    return outline.sections("\n".join(body))


def _facts(
    path: str, sections: Sequence[Section], first: int, lines: Sequence[str]
) -> Iterator[Fact]:
    for section in sections:
        yield from _of_section(path, section, section.name, first, lines)


def generated(path: str, lines: Sequence[str]) -> frozenset[int]:
    """Return the lines of MEMORY.md that are the program's: from one mark to the other, its hint.

    A line that a person wrote between them is none: the program would put it below.
    """
    bare = [line.rstrip() for line in lines] if path == memory_index.PATH else []
    hint = frozenset(n for n, line in enumerate(bare) if line == memory_index.HINT)
    if not memory_index.MARKS.issubset(bare):
        return hint
    begin, end = bare.index(memory_index.BEGIN), bare.index(memory_index.END)
    between = "".join(f"{line}\n" for line in bare[begin : end + 1])
    own = frozenset(filter(None, memory_index.regenerate(between, ()).split("\n")[2:]))
    return hint.union(n for n in range(begin, end + 1) if bare[n] not in own)


def _of_section(
    path: str, section: Section, name: str, first: int, lines: Sequence[str]
) -> Iterator[Fact]:
    entries: dict[int, Entry] = {}
    hanging: set[int] = set()
    for entry in outline.entries(section.lines, bullets.LABELS):
        entries[entry.own[0].at] = entry
        hanging |= {line.at for line in entry.lines}
    for line in section.lines:
        if line.at in entries:
            yield _bullet(path, name, entries[line.at], first, lines)
        elif line.at not in hanging and (kind := _kind(line)):
            raw = lines[first + line.at]
            yield Fact(path, first + line.at, (raw,), line.bare, kind, name)


def _bullet(path: str, section: str, entry: Entry, first: int, lines: Sequence[str]) -> Fact:
    start, stop = entry.lines[0].at, entry.lines[-1].at
    text, sources = bullets.unsourced(bullets.own_text(entry))
    kind: FactKind = "pointer" if _POINTER.fullmatch(text) else "bullet"
    raw = tuple(lines[first + start : first + stop + 1])
    return Fact(path, first + start, raw, text, kind, section, sources)


def _kind(line: Line) -> FactKind | None:
    if not line.bare or re.fullmatch(r"([-*_])(?:\s*\1){2,}|<!--.*-->|[`~]{3,}.*", line.bare):
        return None
    return "code" if line.kind == "idle" else "prose"
