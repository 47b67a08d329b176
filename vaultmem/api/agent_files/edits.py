"""Edits of a text as pure steps: replace, insert, append, a section anew. Only LF ends a line."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from vaultmem.api.agent_files.errors import ManyMatches, NoMatch, NoSuchLine
from vaultmem.documents import line_ends, public_text, secrets
from vaultmem.documents.markdown import outline
from vaultmem.documents.markdown.outline import Line
from vaultmem.errors import BadInput

_STOP = re.compile(r"[.!?][\"')\]]*\s+|\n\s*\n|\n(?=\s*(?:[-*+#>|]|\d{1,3}[.)])\s)")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_MOST = 1000
"""Places that are counted: a letter may stand in a text a hundred thousand times."""
_FEW = 10


def check_expected(sha256: str) -> None:
    """Raise BadInput where *sha256*, which a file is expected to have, can be that of none."""
    if sha256 and not _SHA256.fullmatch(sha256):
        raise BadInput("expected_sha256 is no sha-256: give the 64 digits with which it was read")


def lines(text: str) -> list[str]:
    """Return the lines of *text* without their LF; a CR stays, a last newline opens no line."""
    found = text.split("\n")
    return found[:-1] if not found[-1] else found


def only_adds(old: str, new: str) -> bool:
    """Tell whether *new* is *old* with something put in at one place, and nothing taken away."""
    ahead = public_text.common(old, new)
    behind = public_text.common(old[ahead:][::-1], new[ahead:][::-1])
    return ahead + behind == len(old)


def touched(old: str, new: str) -> dict[str, str]:
    """Return the sentences and the lines of *new* that are not as they were in *old*.

    A line is also returned with the one before and the one behind it, in which it may go on. Each
    comes with what stood there.
    """
    ahead = public_text.common(old, new)
    behind = public_text.common(old[ahead:][::-1], new[ahead:][::-1])
    start, end = ahead, len(new) - behind
    if start == end and len(new) >= len(old):
        return {}
    stops = [0, *(stop.end() for stop in _STOP.finditer(new)), len(new)]
    first, last = max(n for n in stops if n <= start), min(n for n in stops if n >= end)
    tops = [0, *(at + 1 for at, c in enumerate(new) if c == "\n"), len(new)]
    top = bisect_right(tops, start) - 1
    bottom = bisect_left(tops, end)
    near = ((top, bottom), (top - 1, bottom), (top, bottom + 1))
    around = ((tops[max(0, a)], tops[min(b, len(tops) - 1)]) for a, b in near)
    less = len(new) - len(old)
    return {new[a:b]: old[a : b - less] for a, b in ((first, last), *around)}


def replaced(path: str, text: str, old: str, new: str) -> str:
    """Return *text* with its one *old* as *new*; raises NoMatch, ManyMatches or BadInput."""
    if not old:
        raise BadInput("the text to replace is empty: quote the existing text")
    found = _places(text, old)
    if not found:
        raise NoMatch(path, old)
    if len(found) > 1:
        raise ManyMatches(path, old, tuple(1 + text.count("\n", 0, at) for at in found))
    return text[: found[0]] + new + text[found[0] + len(old) :]


def _places(text: str, old: str) -> list[int]:
    """Return where *old* begins in *text*, overlapping too."""
    found: list[int] = []
    at = text.find(old)
    while at >= 0 and len(found) < _MOST:
        found.append(at)
        at = text.find(old, at + 1)
    return found


def inserted(path: str, text: str, line: int, new: str) -> str:
    """Return *text* with *new* as lines of its own after *line*, 0 being the top.

    A last line gets its newline. Raises NoSuchLine.
    """
    there = lines(text)
    if not 0 <= line <= len(there):
        raise NoSuchLine(path, line, len(there))
    there[line:line] = [new.rstrip("\n")]
    return "\n".join(there) + "\n"


def appended(text: str, new: str) -> str:
    """Return *text* with *new* as lines of its own at the end."""
    eol = line_ends.of(text)
    start = text if not text or text.endswith("\n") else text + eol
    return start + _block(new, eol)


def replace_section(path: str, text: str, heading: str, new: str) -> str:
    """Return *text* with *new* below the *heading*, down to the next one of its level or above.

    Raises BadInput unless there is one such heading.
    """
    first, stop = span(path, text, heading)
    eol, raw = line_ends.of(text), outline.split(text)
    top = raw[first] if raw[first].endswith("\n") else raw[first] + eol
    body = [eol, _block(new.strip("\r\n"), eol)] if new.strip() else []
    gap = [eol] if stop < len(raw) else []
    return "".join([*raw[:first], top, *body, *gap, *raw[stop:]])


def span(path: str, text: str, heading: str) -> tuple[int, int]:
    """Return the line of the *heading* in *text*, and the one behind the last below it.

    Raises BadInput unless there is one such heading.
    """
    heads = _heads(text)
    head = _meant(path, heads, heading)
    below = (h.at for h in heads if h.at > head.at and _level(h) <= _level(head))
    return head.at, next(below, len(outline.split(text)))


def has_heading(text: str, heading: str) -> bool:
    """Tell whether *text* has that *heading*, at any level."""
    return any(_name(h.text) == _name(heading) for h in _heads(text))


def _heads(text: str) -> list[Line]:
    return [s.heading for s in outline.sections(text) if s.heading]


def _meant(path: str, heads: Sequence[Line], heading: str) -> Line:
    wanted = _name(heading)
    found = [h for h in heads if _name(h.text) == wanted]
    if len(found) == 1:
        return found[0]
    known = ", ".join(repr(_name(h.text)) for h in heads[:_FEW]) or "none"
    many = "more than one" if found else "no"
    # A private mark in a sentence would hide the rest of it.
    quoted = secrets.strip_private(wanted)
    raise BadInput(f"{path} has {many} heading {quoted!r}; nothing was changed; it has: {known}")


def _name(heading: str) -> str:
    return heading.strip().lstrip("#").strip()


def _level(heading: Line) -> int:
    return len(heading.text) - len(heading.text.lstrip("#"))


def _block(new: str, eol: str) -> str:
    """Return *new* as whole lines that end with *eol*."""
    told = new.replace("\r\n", "\n").replace("\n", eol)
    return told if told.endswith("\n") or not told else told + eol
