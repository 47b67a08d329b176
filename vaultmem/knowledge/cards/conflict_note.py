"""The note of claims that disagree: a box each, ticked by a person; words beside them stay.

    - [ ] city: Lyon (user, 2024-03-01)
    - [x] city: `"Nice <3"` (web, 2026-11-20)

A value is data: where Markdown could read more into it than letters, it is JSON in a code span.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Document, Field
from vaultmem.knowledge.cards.types import Conflict, Text
from vaultmem.records import first_line

TYPE = "conflict"
_NONE = "*none*"
_THE_CARD = "the card"
_UNDATED = "undated"
_DAY = 10
_TITLE = 80
_INTRO = (
    "These claims about one fact disagree. Tick what is right, or both if both are;",
    "what is not ticked is dropped with its fact's other boxes. Other words here stay.",
)
_OURS = frozenset({"id", "type", "title", "card", "created"})
_BOX = re.compile(
    r"[-*+] \[(?P<tick>[ xX])\] "
    r"(?P<text>(?P<field>[^:]+): (?P<value>.+) \((?P<by>[^(),]+), [^(),]+\))\s*"
)
_PLAIN = re.compile(r"[^\W_]+(?:[ .,'+-]{1,2}[^\W_]+)*[.]?")


@dataclass(frozen=True, slots=True)
class Box:
    """A claim in a note, at the 0-based line *at* of its body; *by* is who says it."""

    at: int
    field: str
    value: Text | None
    by: str
    ticked: bool
    text: str


def boxes(data: bytes) -> list[Box]:
    """Return the claims that wait in a note; what is no claim is a person's. Raises Unreadable."""
    return _boxes(frontmatter.read(data).body.splitlines())


def fields(data: bytes) -> frozenset[str]:
    """Return the facts about which claims wait in a note."""
    return frozenset(box.field for box in boxes(data))


def _boxes(lines: Iterable[str]) -> list[Box]:
    matches = ((at, _BOX.fullmatch(line)) for at, line in enumerate(lines))
    return [
        Box(at, box["field"], value, box["by"], box["tick"] != " ", box["text"])
        for at, box in matches
        if box
        for value in _values(box["value"])
    ]


def chosen(data: bytes, offered: Callable[[str], bool]) -> dict[str, Text | None]:
    """Return what is ticked by field; several ticks of one field are all true, a list.

    Only boxes whose text was *offered* count.
    """
    ticked: dict[str, list[Text | None]] = {}
    for box in boxes(data):
        if box.ticked and offered(box.text):
            ticked.setdefault(box.field, []).append(box.value)
    return {field: _all(values) for field, values in ticked.items()}


def _all(values: Sequence[Text | None]) -> Text | None:
    known = [v for v in values if v is not None]
    if len(known) < 2:  # noqa: PLR2004  one is no list
        return known[0] if known else None
    items = (item for v in known for item in ((v,) if isinstance(v, str) else v))
    return tuple(dict.fromkeys(items))


# --- writing ----------------------------------------------------------------------------------


def new(card: str, person: str, created: str, note_id: str) -> bytes:
    """Return a note in which nothing waits yet about the card at the path *card*."""
    fields: dict[str, Field] = {
        "id": note_id,
        "type": TYPE,
        "title": first_line(f"Claims about {person} that disagree", _TITLE),
        "card": f"[[{card.removesuffix('.md')}]]",
        "created": created,
    }
    return frontmatter.new(fields, "\n".join(_INTRO) + "\n\n").encode()


def added(note: bytes, conflicts: Sequence[Conflict]) -> bytes:
    """Return *note* with *conflicts* in it, none twice."""
    doc = frontmatter.read(note)
    for conflict in conflicts:
        doc = _with(doc, conflict)
    return frontmatter.render(doc).encode()


def _with(doc: Document, conflict: Conflict) -> Document:
    lines = doc.body.splitlines(keepends=True)
    found = _boxes(lines)
    eol = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    known = {(box.field, box.value) for box in found}
    fresh = [
        f"- [ ] {conflict.field}: {_shown(value)} ({by}, {at[:_DAY] or _UNDATED}){eol}"
        for value, by, at in (
            (conflict.kept, conflict.kept_source or _THE_CARD, conflict.kept_at),
            (conflict.claimed, conflict.source, conflict.at),
        )
        if (conflict.field, value) not in known
    ]
    last = [box.at for box in found if box.field == conflict.field] or [box.at for box in found]
    at = last[-1] + 1 if last else len(lines)
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += eol
    body = "".join([*lines[:at], *fresh, *lines[at:]])
    return Document(doc.opening, doc.head, doc.closing, body)


def without(data: bytes, decided: Collection[str]) -> bytes | None:
    """Return the note without claims about what is *decided*; None when nothing is left to say."""
    doc = frontmatter.read(data)
    lines = doc.body.splitlines(keepends=True)
    found = _boxes(lines)
    gone = {box.at for box in found if box.field in decided}
    rest = [line for at, line in enumerate(lines) if at not in gone]
    own = [line for line in rest if line.strip() and line.strip() not in _INTRO]
    if not own and frontmatter.fields(doc).keys() <= _OURS:
        return None
    return frontmatter.render(Document(doc.opening, doc.head, doc.closing, "".join(rest))).encode()


def _shown(value: Text | None) -> str:
    if value is None:
        return _NONE
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.isprintable():
        return value
    text = json.dumps(value, ensure_ascii=False)
    return f"`{''.join(_seen(c) for c in text)}`"


def _seen(char: str) -> str:
    """Return a character of JSON so that it is seen, and does not end its code span."""
    if char == "`":
        return "\\u0060"
    return char if char.isprintable() else json.dumps(char)[1:-1]


def _values(shown: str) -> Iterator[Text | None]:
    """Yield the value that *shown* stands for, if it stands for one."""
    if shown == _NONE:
        yield None
    elif not (shown.startswith("`") and shown.endswith("`")):
        yield shown
    else:
        with contextlib.suppress(ValueError, RecursionError):
            value = json.loads(shown[1:-1])
            if isinstance(value, str):
                yield value
            elif isinstance(value, list) and all(isinstance(item, str) for item in value):
                yield tuple(value)
