"""A mention in the place of what a tool said: `(fetch, turn 3)`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from vaultmem.memory.tool_quotes import plain_words
from vaultmem.memory.tool_quotes.near_quotes import Row
from vaultmem.memory.tool_quotes.readings import Place
from vaultmem.records import first_line
from vaultmem.storage.transcripts import A_TOOL, Turn

_NAME = 64
_STOP = re.compile(r"[.!?\u2026\u3002\uff01\uff1f]")
_ELSEWHERE = "another session"
_MENTION = re.compile(rf"\([^()\n]{{1,80}}, (?:turn \d+|{_ELSEWHERE})\)")
_OPENING_TAGS = re.compile(r"(?i)(?:<[a-z][^<>\n]{0,80}>\s{0,8})*<?\Z")
_CLOSING_TAGS = re.compile(r"(?i)(?:\s{0,8}</[a-z][\w-]{0,20}>)+")
_TAGS = 200
"""Characters before a quotation in which its tags are looked for."""


class _Span(NamedTuple):
    """What stands together in a *reading*: its mention, and which word of it stands *behind*."""

    start: int
    end: int
    mention: str
    reading: int
    behind: int


def of(turn: Turn, number: int | None, first: int | None) -> str:
    """Return the mention of a tool's *turn*: turn *number* counts from *first*, None elsewhere.

    Without a number where *first* is None.
    """
    name = first_line(turn.tool, _NAME) or A_TOOL
    if first is None:
        return f"({name})"
    return f"({name}, {_ELSEWHERE})" if number is None else f"({name}, turn {first + number})"


def are_in(text: str) -> bool:
    """Tell whether *text*, as `instead` made it, has a mention."""
    return _MENTION.search(text) is not None


def has_own_words(line: str) -> bool:
    """Tell whether a *line*, as `instead` made it, says something beside its mentions."""
    return not are_in(line) or re.search(r"\w", _MENTION.sub("", line)) is not None


def instead(text: str, places: Iterable[Place], said: Mapping[Row, str]) -> str:
    """Return *text* with one mention for all that stands together in a reading.

    *said* tells how the tool is mentioned that said a row first.
    """
    kept, done = [], 0
    for start, end, mention, *_ in sorted(_spans(places, said)):
        if start >= done:
            kept += [text[done : max(done, _before_tags(text, start))], mention]
        if end > done:
            done = _behind_tags(text, end)
            kept.append(_end(text[start:end]))
    return "".join([*kept, text[done:]])


def _spans(places: Iterable[Place], said: Mapping[Row, str]) -> Iterator[_Span]:
    last: _Span | None = None
    for it in sorted(places, key=lambda place: (place.reading, place.at)):
        behind = it.at + len(it.row)
        if last and last.reading == it.reading and it.at <= last.behind:
            last = last._replace(end=max(it.end, last.end), behind=max(behind, last.behind))
            continue
        if last:
            yield last
        last = _Span(it.start, it.end, said[it.row], it.reading, behind)
    if last:
        yield last


def _end(quoted: str) -> str:
    """Return the marks that end what is *quoted*, and close what was opened before it."""
    stop = _STOP.search(quoted, plain_words.words_end(quoted))
    closes = quoted.endswith("]") and "[" not in quoted
    return (stop[0] if stop else "") + "]" * closes


def _before_tags(text: str, start: int) -> int:
    """Return where the tags begin that stand right before *start*, or around it: `<p>`."""
    first = max(0, start - _TAGS)
    found = _OPENING_TAGS.search(text[first:start])
    return first + found.start() if found else start


def _behind_tags(text: str, end: int) -> int:
    """Return where the tags end that close right behind *end*."""
    found = _CLOSING_TAGS.match(text, end)
    return found.end() if found else end
