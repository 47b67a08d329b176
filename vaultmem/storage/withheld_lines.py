"""What is told of a text that was made from others: not the lines that say what those hide.

Who marks a part of a memory as private hides it in what was made of the memory before, too. Lines
keep their numbers, as those of a text do from which a private part is left out.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Collection, Iterator, Sequence

from vaultmem.documents import frontmatter, note_answers
from vaultmem.errors import Unreadable
from vaultmem.records import LISTS, MARKS_OF_ORIGIN, RETOLD, SUMMARIES
from vaultmem.storage import files, reader
from vaultmem.storage.hidden_words import HiddenWords

INSTEAD = "[private]"
"""Stands for a value of the frontmatter that is not told."""
_OURS = (files.DREAMS, "inbox/declined.md", "inbox/card-", files.CONFLICTS)
_DRAWN = frozenset({*RETOLD, "card", "skill"}) - {*SUMMARIES}
_SOURCES = re.compile(rb"(?m)^sources:")
_LINK = re.compile(r"\[\[[^\[\]\n]*\]\]|\]\([^()\n]*\)")
NOTED = frozenset({
    *MARKS_OF_ORIGIN, "id", "type", "agent", "created", "updated", "session",
    "turn_range_start", "turn_range_end", "sources", "tier", "memory_range_start",
    "memory_range_end", "memory_count", "covers_from", "covers_to", "op", "model", "prompt",
    "degraded", "faithfulness", "coverage", "recent_coverage", "compression", "written",
    "claims", "date_created", "category", "key", "status", "stale_after", "valid_from",
    "valid_to", "superseded_by", "importance", "distilled", "accepted", "approved",
    "earlier_summaries", "earlier_digest", "format", "tool_lines",
})  # fmt: skip
"""The keys of what the program notes of a file, which is no word of anybody's."""
_ITEM = re.compile(r"\s*-\s+")
_BYTES = 8


def is_made(path: str, data: bytes) -> bool:
    """Tell whether the file at *path*, whose bytes are *data*, was made from others."""
    kind = reader.kind_of(path)
    if kind in SUMMARIES or path in LISTS or path.startswith(_OURS) or is_of_a_session(path):
        return True
    head = data.partition(b"\n---")[0] if kind in _DRAWN else b""
    return bool(_SOURCES.search(head))


def is_of_a_session(path: str) -> bool:
    """Tell whether an agent notes there what it is at, or what was said in a session."""
    return path.startswith("agents/") and path.endswith(("/working.md", ".compact.md"))


def digest(line: str) -> str:
    """Return what names a *line* of a file, however its words are spaced."""
    said = " ".join(line.split()).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(said, digest_size=_BYTES).hexdigest()


def has_made(path: str, data: bytes) -> bool:
    """Tell whether all or some of the file at *path*, whose bytes are *data*, was made so."""
    return is_made(path, data) or has_answers(path, data)


def has_answers(path: str, data: bytes) -> bool:
    """Tell whether the file at *path*, whose bytes are *data*, is a note with answers of ours."""
    return (
        note_answers.MARK.encode() in data
        and reader.kind_of(path) == "note"
        and note_answers.are_in(_text(data))
    )


def told(
    path: str, public: bytes, hidden: HiddenWords, own: bytes, unborne: Collection[str] = ()
) -> bytes:
    """Return what is told of *public*, as `without` does, where the file at *path* was made so.

    In a person's note our answers were; all else there is told.
    """
    if is_made(path, public):
        return without(public, hidden, own, unborne)
    if not has_answers(path, public):
        return public
    every = zip(
        note_answers.lines(_text(public)),
        _text(without(public, hidden, own, unborne)).splitlines(keepends=True),
        strict=True,
    )
    shown = (
        note_answers.instead(line, INSTEAD) if is_ours and line != left else line
        for (line, is_ours), left in every
    )
    return "".join(shown).encode("utf-8", "surrogateescape")


def restored(public: bytes, told: bytes, new: bytes) -> bytes:
    """Return *new*, which was made of what is *told*, with the lines of *public* that stay in it.

    Each stands where what was told for it does.
    """
    import difflib  # noqa: PLC0415  # hardly anybody edits such a note

    full, shown, made = (_text(it).splitlines(keepends=True) for it in (public, told, new))
    matcher = difflib.SequenceMatcher(None, shown, made, autojunk=False)
    for block in matcher.get_matching_blocks():
        made[block.b : block.b + block.size] = full[block.a : block.a + block.size]
    return "".join(made).encode("utf-8", "surrogateescape")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def without(public: bytes, hidden: HiddenWords, own: bytes, unborne: Collection[str] = ()) -> bytes:
    """Return what is told of *public*, what may leave a file made from others, which hide words.

    Nor is a line told that is *unborne*, by its digest: no source bears it out as it may be shown.
    Where its frontmatter does not bear that, nothing of it is. A line in which a person hid
    something, as the file's *own* bytes have it, stays: no edit could keep that otherwise.
    """
    if not (hidden or unborne):
        return public
    text = _text(public)
    lines = text.splitlines(keepends=True)
    kept = _text(own).splitlines(keepends=True)
    end = _head(text)
    stays = {n for n, x in enumerate(lines) if own != public and kept[n : n + 1] != [x]}
    left = (n for n, x in enumerate(lines) if unborne and digest(x) in unborne)
    at = {*_saying(lines, hidden), *left} - stays.union(_noted(lines[:end]))
    if not at:
        return public
    told = (_withheld(x, is_head=n < end) if n in at else x for n, x in enumerate(lines))
    return _sound("".join(told), lines).encode("utf-8", "surrogateescape")


def _noted(head: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of the lines of a frontmatter that the program notes something in."""
    is_noted = False
    for number, line in enumerate(head):
        if found := frontmatter.KEY_LINE.match(line):
            is_noted = found["key"] in NOTED
        if is_noted:
            yield number


def masked(text: str, hidden: HiddenWords) -> str:
    """Return *text* with a mark in the place of each line that says what is *hidden*.

    The first character of a line of a patch stays, which tells what became of it.
    """
    if not hidden.says(text):
        return text
    lines = text.splitlines(keepends=True)
    return "".join(_marked(line) if says(line, hidden) else line for line in lines)


def _marked(line: str) -> str:
    eol = line[len(line.rstrip("\r\n")) :]
    return f"{line[0] if line[0] in '+- ' else ''}{INSTEAD}{eol}"


def says(line: str, hidden: HiddenWords) -> bool:
    """Tell whether a *line* says what is *hidden*; the names of files that it links to do not."""
    return hidden.says(unlinked(line))


def unlinked(line: str) -> str:
    """Return what a *line* says, without the names of the files that it links to."""
    return _LINK.sub("]", line)


def _saying(lines: Sequence[str], hidden: HiddenWords) -> Iterator[int]:
    """Yield the numbers of the lines that say it, and of two that do so together."""
    told = [says(line, hidden) for line in lines]
    yield from (number for number, it in enumerate(told) if it)
    for n, (one, other) in enumerate(itertools.pairwise(lines)):
        is_open = not (told[n] or told[n + 1]) and one.strip() and other.strip()
        if is_open and says(f"{one} {other}", hidden):
            yield from (n, n + 1)


def _withheld(line: str, *, is_head: bool) -> str:
    eol = line[len(line.rstrip("\r\n")) :]
    if not is_head:
        return eol
    if found := frontmatter.KEY_LINE.match(line):
        has_value = line[found.end() :].strip()  # else the lines below are it, each by itself
        return f"{found['key']}: '{INSTEAD}'{eol}" if has_value else line
    item = _ITEM.match(line)
    return f"{item[0]}'{INSTEAD}'{eol}" if item else f"  {INSTEAD}{eol}"


def item(line: str) -> str:
    """Return what *line* holds as an item of a list, "" where it is none."""
    found = _ITEM.match(line)
    return line[found.end() :].strip().strip("\"'") if found else ""


def _head(text: str) -> int:
    """Return how many lines of *text* are frontmatter."""
    doc = frontmatter.parse(text)
    return len(f"{doc.opening}{doc.head}{doc.closing}".splitlines()) if doc.closing else 0


def _sound(text: str, lines: Sequence[str]) -> str:
    """Return *text*, or nothing of its *lines* where its frontmatter does not bear it."""
    try:
        frontmatter.fields(frontmatter.parse(text))
    except Unreadable:
        return "".join(line[len(line.rstrip("\r\n")) :] for line in lines)
    return text
