"""Obsidian's daily notes, or anybody's: files whose names begin with a day, `2026-01-02.md`.

In an Obsidian vault they are looked for in the folder that its settings name. A note whose
frontmatter names a page or a tool is worth as little as those. Fenced code, embeds, comments, what
is still to be done (`- [ ]`) and what was not done (`- [-]`) is nothing that was.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from vaultmem.documents import frontmatter, secrets
from vaultmem.documents import origin as document_origin
from vaultmem.errors import BadInput, Unreadable
from vaultmem.exchange.formats import daily_log, markdown_folder
from vaultmem.exchange.formats.daily_log import Said
from vaultmem.exchange.formats.types import Format, Item, MessageReader

_SETTINGS = ".obsidian/daily-notes.json"
_BOX = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+\[(.)\]\s")
_NOT_DONE = {
    " ": "something still to be done",
    "-": "a task that was cancelled",
    ">": "a task that was moved to another day",
    "<": "a task that was moved to another day",
}
"""What the mark of a box says against what stands behind it: that it is nothing that was."""

# Neither goes on where another might begin: a crowd of openings takes no longer.
_EMBED = re.compile(r"!\[\[[^\[\]]*\]\]|!\[[^\[\]]*\]\([^()]*(?:\([^()]*\)[^()]*)?\)")
_LINK = r"(?:\[\[[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\([^()\s]*\.md\))"
_PROPERTY = r"[\w-][\w -]{0,60}::(?:[ \t].*)?"
_NO_MEMORY = (
    (_EMBED, "an embed, or nothing"),
    (re.compile(r"<%(?:(?!<%)[^%]|%(?!>))*%>"), "a template's tag"),
    (re.compile(r"(?m)(?:^|(?<=\S)[ \t])\^[A-Za-z0-9-]+[ \t]*$"), "a name for links, `^id`"),
    (re.compile(rf"\A{_PROPERTY}(?:\n\s*{_PROPERTY})*\Z"), "properties alone, `Priority:: high`"),
    (re.compile(rf"\A(?:[^\w\[\]()]*{_LINK})+[^\w\[\]()]*\Z"), "links to notes alone"),
)
"""What of a paragraph is none of what was, and what is said where nothing else stands there."""

_COMMENT = re.compile(r"%%(?:(?!%%).)*%%", re.DOTALL)
_FENCES = ("```", "~~~")
_FENCE_END = re.compile(r"(?:```|~~~)[`~]*[ \t]*")


def files(path: Path) -> Iterator[Path]:
    """Yield the daily notes that *path* is or holds; raises OSError, BadInput for none."""
    path.stat()
    if not path.is_dir():
        yield path
        return
    walked = markdown_folder.walk(_folder(path))
    found = [it.file for it in walked if not it.why and daily_log.day(it.file.name)]
    if not found:
        raise BadInput(f"{path}: no note of a day, as 2026-01-02.md, in this folder or below it")
    yield from found


def _folder(path: Path) -> Path:
    """Return where the Obsidian vault *path* keeps its daily notes, *path* itself by default."""
    with contextlib.suppress(OSError, ValueError, AttributeError, RecursionError):
        settings = path / _SETTINGS
        named = json.loads(settings.read_bytes()).get("folder") if settings.is_file() else ""
        if isinstance(named, str) and ".." not in PurePosixPath(named).parts:
            inner = path / named.strip("/")
            return inner if inner.is_dir() and not _has_link(path, inner) else path
    return path


def _has_link(path: Path, inner: Path) -> bool:
    """Tell whether a link stands on the way from *path* to *inner*."""
    return inner.resolve() != path.resolve() / inner.relative_to(path)


def read(path: Path) -> Iterator[Item]:
    """Yield the paragraphs and points of a daily note; raises OSError, BadInput for no day's."""
    if not daily_log.day(path.name):
        raise BadInput(f"{path.name} is no note of a day: its name begins like 2026-01-02")
    try:
        text = daily_log.text_of(path)
    except BadInput as e:
        yield Item(path.name, 1, fault=str(e))
        return
    doc = frontmatter.parse(text)
    first = text.count("\n", 0, len(text) - len(doc.body)) + 1
    yield from daily_log.private_parts(path.name, doc.body, first)
    lines = secrets.blanked(doc.body).splitlines()
    fences = _fences(lines)
    for fence in fences:
        yield Item(path.name, first + fence.start, skipped="fenced code")
        lines[fence.start : fence.stop] = [""] * len(fence)
    body = "\n".join(lines)
    number, at = first, 0
    for found in _COMMENT.finditer(body):
        number, at = number + body.count("\n", at, found.start()), found.start()
        yield Item(path.name, number, skipped="a comment, `%% … %%`")
    body = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), body)
    lines = body.split("\n")
    for item in daily_log.items(path.name, body, _worth(doc), first):
        yield _kept(item, lines[item.number - first])


def _fences(lines: Sequence[str]) -> list[range]:
    """Return the places of fenced code in *lines*; a fence without an end is none."""
    ends = {line[:3]: n for n, line in enumerate(lines) if _FENCE_END.fullmatch(line)}
    found, mark, begun = [], "", 0
    for n, line in enumerate(lines):
        if mark and line[:3] == mark and _FENCE_END.fullmatch(line):
            found.append(range(begun, n + 1))
            mark = ""
        elif not mark and line[:3] in _FENCES and n < ends.get(line[:3], 0):
            mark, begun = line[:3], n
    return found


def _worth(doc: frontmatter.Document) -> Said:
    try:
        origin = document_origin.read(frontmatter.fields(doc), "note", doc.body)
    except Unreadable:
        return Said("daily", trust="untrusted")
    return Said("daily", origin.source_or("import"), origin.trust)


def _kept(item: Item, line: str) -> Item:
    """Return *item* without embeds, and skipped where it tells nothing that was."""
    if item.heard is None:
        return item
    if (box := _BOX.match(line.lstrip())) and box[1] in _NOT_DONE:
        return replace(item, heard=None, skipped=_NOT_DONE[box[1]])
    words, why = item.heard.content, ""
    for pattern, reason in _NO_MEMORY:
        left = pattern.sub("", words).strip()
        words, why = left, why if left == words else reason
        if not words:
            return replace(item, heard=None, skipped=why or "an embed, or nothing")
    return replace(item, heard=replace(item.heard, content=words))


FORMAT = Format(
    "daily-notes",
    becomes=("memories",),
    help="Obsidian's notes of a day each, 2026-01-02.md",
    messages=MessageReader(
        files, lambda path, _: read(path), edited=True, wanted="a note as 2026-01-02.md"
    ),
)
