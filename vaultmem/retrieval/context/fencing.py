"""Print one item of memory so that it stays data: no text can end its fence or open another.

A model reads tags less strictly than a parser does. So a mark counts as one however it is spelled:
in other brackets, letters or escapes, with spaces or invisible characters in between.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from vaultmem.records import Record, days

_NAME = "memory"
_BRACKETS = "<\uff1c\ufe64\u2039\u2329\u3008\u27e8\u276e\u02c2\u1438"
_ESCAPED = (
    r"&(?:amp;)*(?:#x?[0-9a-f]{1,7}|[a-z]{2,16});?|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}"
)
_MAY_HOLD_A_MARK = re.compile(rf"[{_BRACKETS}&\\%]")
_CHARACTER = re.compile(rf"{_ESCAPED}|.", re.IGNORECASE | re.DOTALL)
_AMPERSANDS = re.compile(r"&(?:amp;)+", re.IGNORECASE)
# Cyrillic and Greek letters that look like those of the name.
_TWINS = str.maketrans(
    "\u043c\u0435\u043e\u0433\u0443\u03bc\u03b5\u03bf\u03c5\u03b3" + _BRACKETS[1:],
    "meory" + "meoyy" + "<" * (len(_BRACKETS) - 1),
)
_UNSEEN = frozenset({"Cf", "Cc", "Mn", "Me", "Zs", "Zl", "Zp"})
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
_LINE_END = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_BLANK = rf"[^\S{_LINE_END}]|[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]"
_HASH = "[#\uff03\ufe5f]"
_HEADING = re.compile(
    rf"(?:\A|(?<=[{_LINE_END}]))((?:{_BLANK})*){_HASH}(?:{_BLANK})*{_HASH}(?!(?:{_BLANK})*{_HASH})"
)
_SPEAKER = re.compile(
    rf"(?:\A|(?<=[{_LINE_END}]))((?:{_BLANK})*)"
    r"(?=[~\u02dc\u223c\uff5e][^\s/<>](?:[^\n/<>]{0,62}[^\s/<>])?[>\uff1e])"
)
_QUOTES = str.maketrans('"<>', "'()")
_MINUTE = 16


def fenced(record: Record, marks: Mapping[str, str]) -> str:
    """Return *record* inside its fence, which says what it is and whatever *marks* add."""
    about = "".join(f' {k}="{attribute(v)}"' for k, v in {**_about(record), **marks}.items() if v)
    return f"<memory{about}>\n{harmless(body(record))}\n</memory>\n"


def harmless(text: str) -> str:
    """Return *text* without marks of a fence and lines of speakers, its headings below ours."""
    if _MAY_HOLD_A_MARK.search(text):
        text = _replaced(text, _brackets(list(_read(text))))
    return unspoken(_HEADING.sub(r"\1###", text))


def unspoken(text: str) -> str:
    """Return *text*, no line of which begins like that of a speaker in a transcript, `~Mara>`."""
    return _SPEAKER.sub(r"\1\\", text)


def _about(record: Record) -> dict[str, str]:
    if record.type == "memory":
        date = record.created[:_MINUTE].replace("T", " ")
        known = {"source": record.stem, "date": date, "speaker": record.speaker}
    else:
        known = {"source": record.path, "date": _days(record), "title": record.title}
    return {**known, "type": record.type, "trust": record.trust}


def _days(record: Record) -> str:
    """Return the days that a summary tells of, or the day when *record* was made."""
    return days(record.covers_from, record.covers_to) or days(record.created, "")


def body(record: Record) -> str:
    """Return what *record* says, below a line that tells of whom, of which memories or turns."""
    first = ""
    if record.type == "card" and record.person:
        first = f"About {record.person}" + f" ({record.relationship})" * bool(record.relationship)
    elif record.tier == "recent":
        first = f"(memories {record.range_start} to {record.range_end})"
    elif record.type == "episode" and record.turn_end:
        first = f"(turns {record.turn_start} to {record.turn_end})"
    return "\n".join(x for x in (first, record.facts, record.body.strip()) if x)


def attribute(text: str) -> str:
    """Return *text* so that it stays between its quotes, and begins no mark that goes on behind."""
    plain = text
    if _MAY_HOLD_A_MARK.search(text):
        plain = _replaced(text, [r for r in _read(text) if r.char == "<"])
    return " ".join(plain.translate(_QUOTES).split()).replace("&", "&amp;")


class _Read(NamedTuple):
    """A character as a reader takes it, and where it is written."""

    char: str
    first: int
    last: int


def _replaced(text: str, brackets: Sequence[_Read]) -> str:
    """Return *text* with other brackets, which stand for nothing, for *brackets*."""
    kept, end = [], 0
    for bracket in brackets:
        kept.append(text[end : bracket.first])
        end = bracket.last
    return "[".join([*kept, text[end:]])


def _brackets(read: Sequence[_Read]) -> list[_Read]:
    """Return the brackets with nothing but signs between them and the fence's name."""
    plain = "".join(r.char for r in read)
    found: list[_Read] = []
    at = plain.find(_NAME)
    while at >= 0:
        behind = at
        while behind and not plain[behind - 1].isalnum():
            behind -= 1
        found += (r for r in read[behind:at] if r.char == "<")
        at = plain.find(_NAME, at + 1)
    return found


def _read(text: str) -> Iterator[_Read]:
    """Yield what *text* comes to when escapes are resolved and all that cannot be seen is gone."""
    for written in _CHARACTER.finditer(text):
        meant = _meant(written[0])
        if meant == written[0]:
            spots = [(c, written.start() + n, written.start() + n + 1) for n, c in enumerate(meant)]
        else:
            spots = [(c, *written.span()) for c in meant]
        for char, first, last in spots:
            yield from (_Read(c, first, last) for c in _folded(char))


def _meant(written: str) -> str:
    if len(written) == 1:
        return written
    if written[0] == "&":
        return html.unescape(_AMPERSANDS.sub("&", written))
    code = int(written[1:] if written[0] == "%" else written[2:], 16)
    return chr(code)


def _folded(char: str) -> str:
    plain = unicodedata.normalize("NFKC", char).casefold().translate(_TWINS)
    seen = (c for c in plain if unicodedata.category(c) not in _UNSEEN)
    return "".join(c for c in seen if c not in _FILLERS)
