"""Print one item of memory so that it stays data: no text can end its fence or open another.

A mark counts as one however it is spelled, see `fence_marks`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from vaultmem.documents import fence_marks
from vaultmem.records import Record, days

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
_FENCE = re.compile(
    r'<memory(?: [a-z]+="[^"<>\n]*")* trust="untrusted">\n((?:(?!</?memory).)*)\n</memory>',
    re.DOTALL,
)
"""A fence as it is printed; of one that is opened twice the last is the one that ends."""
_QUOTES = str.maketrans('"<>', "'()")
_MINUTE = 16


def fenced(record: Record, marks: Mapping[str, str]) -> str:
    """Return *record* inside its fence, which says what it is and whatever *marks* add."""
    about = "".join(f' {k}="{attribute(v)}"' for k, v in {**_about(record), **marks}.items() if v)
    return f"<memory{about}>\n{harmless(body(record))}\n</memory>\n"


def defused_outside(text: str) -> str:
    """Return *text* with no mark of a fence but in whole fences of what is not trusted.

    Such a fence may be anybody's: it says of nothing more than that it is not trusted.
    """
    if not fence_marks.may_hold_a_mark(text):
        return text
    kept, end = list[str](), 0
    for fence in _FENCE.finditer(text):
        if fence_marks.defused(fence[1]) == fence[1]:
            kept += (fence_marks.defused(text[end : fence.start()]), fence[0])
            end = fence.end()
    return "".join((*kept, fence_marks.defused(text[end:])))


def harmless(text: str) -> str:
    """Return *text* without marks of a fence and lines of speakers, its headings below ours."""
    return unspoken(_HEADING.sub(r"\1###", fence_marks.defused(text)))


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
    plain = fence_marks.unbracketed(text)
    return " ".join(plain.translate(_QUOTES).split()).replace("&", "&amp;")
