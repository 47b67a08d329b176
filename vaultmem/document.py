"""Turn the text of a Markdown file into frontmatter and body and back, losing nothing.

Reading is strict: what YAML readers disagree on is refused, and a scalar stays the string it was
written as. Writing touches the lines of the named keys and no other byte. Lines end with LF or
CRLF, never with anything else that Unicode or YAML take for a line break.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, NoReturn, TypeGuard, cast

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from vaultmem.errors import Refused, Unreadable

if TYPE_CHECKING:
    import frontmatter
    from frontmatter.default_handlers import BaseHandler
    from yaml.error import Mark

Value = str | list["Value"] | dict[str, "Value"]
Field = str | float | Sequence[str]

MAX_BYTES = 16 * 1024
MAX_DEPTH = 4

_BOM = "\ufeff"
_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_BLANK = re.compile(r"[ \t\r\n]*+\Z")
_KEY_FIRST = re.compile(
    r"""
    (?: [ \t]* (?: \#[^\n]* )? \r?\n )*+                # blank lines and comments
    [ \t]*
    (?: \{ (?![{%])                                     # a flow mapping, not a template's {{ or {%
      | \?[ \t]                                         # an explicit key
      | (?: "(?: [^"\\\n] | \\. )*+" [ \t]*
          | '(?: [^'\n] | '' )*+' [ \t]*
          | (?! -[ \t\r\n] | --- ) [^\s"'\[\]{}>|*@`%,\#:] (?: [^\n\#] | (?<!\s)\# )*?
        ) : (?= [ \t\r\n] | \Z )
    )""",
    re.VERBOSE,
)
_CONFLICT = tuple(re.compile(p, re.MULTILINE) for p in (r"^<{7} ", r"^={7}\r?$", r"^>{7} "))
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})

_WORDS = frozenset(
    {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<", ".inf", ".nan"}
)
_MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_ODD = re.compile(
    r"""
    \A [\[\]{}"'&*!|>%@`\-?,\#:]                        # an indicator
  | : (?: \s | \Z )                                     # reads as a key
  | \#                                                  # reads as a comment, or did once
  | \[\[                                                # a wikilink, which Obsidian wants quoted
  | \A [+]? [\d.] [\d_.,:]* (?: [eE] [+-]? \d+ )? \Z    # a number, a time, a version
  | \A [+]? 0 [xXoObB] [\da-fA-F_]+ \Z
  | \A \d{4}-\d\d?-\d\d? (?: [Tt\s] | \Z )              # a date of another make
    """,
    re.VERBOSE,
)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Joiners hold emoji and Indic words together; the two spaces are ordinary in French and Japanese.
_READABLE = frozenset("\u200c\u200d\u00a0\u3000")

_TAIL = re.compile(r"([ \t]+#[^\r\n]*)?[ \t]*\r?\n?")
_KEY_TAIL = re.compile(r"[ \t]*:(?:[ \t]*[|>][-+\d]*)?([ \t]+#[^\r\n]*)")


@dataclass(frozen=True, slots=True)
class Document:
    """The four pieces of a file's text, in order; joined they are the text again.

    `opening` is "" when there is no frontmatter (a BOM then stays in the body), `closing` is ""
    when the frontmatter never ends: a torn file, whose rest is all `head`.
    """

    opening: str
    head: str
    closing: str
    body: str


def decode(data: bytes) -> str:
    """Return *data* as text, a BOM kept; raises Unreadable("encoding")."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        raise Unreadable("encoding", f"byte {e.start} is not UTF-8 ({e.reason})") from e
    if "\0" in text:
        raise Unreadable("encoding", f"a NUL character stands at position {text.index(chr(0))}")
    return text


def parse(text: str) -> Document:
    """Split *text* where its frontmatter begins and ends; total, and `render` undoes it.

    Frontmatter is the block between a first line `---` and the next line `---` or `...` when the
    block is blank, or when its first line that is neither blank nor a comment opens a mapping: `{`,
    `? `, or a plain or quoted key, a colon, and a space or the line's end. Prose, lists, headings
    and tables between two rules are body. The rule looks at this one line and not at the YAML, so a
    mapping that breaks further down is still frontmatter, and `fields` can say what is wrong.
    """
    opening = _OPENING.match(text)
    if opening is None:
        return Document("", "", "", text)
    start = opening.end()
    closing = _CLOSING.search(text, start)
    end, after = closing.span() if closing else (len(text), len(text))
    if _KEY_FIRST.match(text, start, end) or (closing and _BLANK.match(text, start, end)):
        return Document(text[:start], text[start:end], text[end:after], text[after:])
    return Document("", "", "", text)


def render(doc: Document) -> str:
    """Return the text that *doc* was parsed from."""
    return doc.opening + doc.head + doc.closing + doc.body


def fields(doc: Document, most: int = MAX_BYTES) -> dict[str, Value]:
    """Return the frontmatter of *doc*, every scalar as the string it was written as, null as "".

    *most* is how many bytes of it are read at all. Raises Unreadable with the code `conflict`,
    `torn`, `size`, `yaml`, `anchor`, `alias`, `tag`, `duplicate`, `depth` or `documents`.
    """
    _check_whole(doc)
    return _mapping(doc.head, most)


def post(doc: Document) -> frontmatter.Post:
    """Return *doc* as python-frontmatter's own type; raises Unreadable as `fields` does."""
    import frontmatter  # noqa: PLC0415  28 ms that only this type's users should pay

    found = frontmatter.Post(doc.body, strict_handler())
    # Not through the constructor's keywords: a file may have a key `content` or `handler`.
    found.metadata = {**fields(doc)}
    return found


def new(fields: Mapping[str, Field], body: str, most: int = MAX_BYTES) -> str:
    """Return the text of a new file: *fields* in their order, then *body*, ending with a newline.

    Strings are quoted only where some reader would not see the same string. Raises Refused when the
    result would not read back as what was given.
    """
    head = "".join(_lines(_written(key), value) for key, value in fields.items())
    end = "" if not body or body.endswith("\n") else "\n"
    meant = {key: _meant(value) for key, value in fields.items()}
    return render(_checked(Document("---\n", head, "---\n", body + end), meant, most))


def update(
    doc: Document,
    changes: Mapping[str, Field | None],
    body: str | None = None,
    most: int = MAX_BYTES,
) -> Document:
    """Return *doc* with only the lines of the keys in *changes* replaced; None removes a key.

    A key that already has the value is not touched, new keys go to the end, a document without
    frontmatter gets one, and *body*, when given, stands as it is given.
    Raises Unreadable when *doc* is, and Refused when it cannot be done line by line.
    """
    was = fields(doc, most)
    due = {key: value for key, value in changes.items() if _differs(was.get(key), value)}
    meant = {key: value for key, value in was.items() if key not in due}
    meant |= {key: _meant(value) for key, value in due.items() if value is not None}
    if meant and not doc.opening:
        doc = _fronted(doc)
    if due:
        doc = replace(doc, head=_edited(doc, due))
    return _checked(doc if body is None else _with_body(doc, body), meant, most)


def strict_handler() -> BaseHandler:
    """Return the handler that makes python-frontmatter read and write as this module does.

    For its own doors, as in `frontmatter.load(file, handler=strict_handler())`; what it reads
    raises Unreadable, what it writes Refused.
    """
    from frontmatter.default_handlers import BaseHandler  # noqa: PLC0415  as in `post`

    class StrictHandler(BaseHandler):
        """Frontmatter by the rules of `parse`, `fields` and `new`."""

        FM_BOUNDARY = _OPENING
        START_DELIMITER = END_DELIMITER = "---"

        def detect(self, text: str) -> bool:
            return bool(parse(text).opening)

        def split(self, text: str) -> tuple[str, str]:
            doc = parse(text)
            _check_whole(doc)
            return doc.head, doc.body if doc.opening else text

        def load(self, fm: str) -> dict[str, object]:
            return {**_mapping(fm)}

        def export(self, metadata: dict[str, object], **_: object) -> str:
            doc = parse(new(cast("Mapping[str, Field]", metadata), ""))
            return doc.head.removesuffix("\n")

        def format(self, post: frontmatter.Post, **_: object) -> str:
            return new(cast("Mapping[str, Field]", post.metadata), post.content)

    return StrictHandler()


# Reading


def _check_whole(doc: Document) -> None:
    if "<<<<<<< " in doc.head or "<<<<<<< " in doc.body:
        _check_conflict(render(doc))
    if doc.opening and not doc.closing:
        raise Unreadable("torn", "the frontmatter opens with --- and never ends")


def _check_conflict(text: str) -> None:
    at = 0
    for marker in _CONFLICT:
        found = marker.search(text, at)
        if found is None:
            return
        at = found.end()
    raise Unreadable("conflict", "git's conflict markers stand in the text")


def _mapping(head: str, most: int = MAX_BYTES) -> dict[str, Value]:
    if len(head) > most or len(head.encode("utf-8", "replace")) > most:
        raise Unreadable("size", f"the frontmatter is larger than {most} bytes")
    try:
        return _root(yaml.parse(head, Loader=yaml.CBaseLoader))
    except yaml.MarkedYAMLError as e:
        line = e.problem_mark.line + 2 if e.problem_mark else 1
        raise Unreadable("yaml", f"line {line} is not YAML: {e.problem}") from e
    except (yaml.YAMLError, UnicodeEncodeError) as e:
        raise Unreadable("yaml", f"the frontmatter is not YAML: {e}") from e


def _root(events: Iterator[Event]) -> dict[str, Value]:
    next(events)  # the stream's start
    start = next(events)
    if isinstance(start, StreamEndEvent):
        return {}
    if not isinstance(start, DocumentStartEvent) or start.explicit:
        _reject("documents", start, "starts a document of its own")
    found = _value(events, next(events), 1)
    if not isinstance(found, dict):
        raise Unreadable("yaml", "the frontmatter is not a mapping of keys to values")
    next(events)  # the document's end
    after = next(events)
    if not isinstance(after, StreamEndEvent):
        _reject("documents", after, "starts a second document")
    return found


def _value(events: Iterator[Event], event: Event, depth: int) -> Value:
    """Return the node that *event* opens: checked as it is met, before anything is built on it."""
    if isinstance(event, ScalarEvent):
        if event.anchor or event.tag:
            _reject_node(event, event.tag)
        return "" if event.implicit[0] and event.value in _NULLS else event.value
    if not isinstance(event, CollectionStartEvent) or event.anchor or event.tag:
        _reject_node(event, getattr(event, "tag", None))
    if depth > MAX_DEPTH:
        _reject("depth", event, f"nests deeper than {MAX_DEPTH} levels")
    if isinstance(event, SequenceStartEvent):
        return _list(events, depth)
    return _dict(events, depth)


def _list(events: Iterator[Event], depth: int) -> list[Value]:
    found: list[Value] = []
    for event in events:
        if isinstance(event, CollectionEndEvent):
            break
        found.append(_value(events, event, depth + 1))
    return found


def _dict(events: Iterator[Event], depth: int) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for event in events:
        if isinstance(event, CollectionEndEvent):
            break
        key = _key(event)
        if key in found:
            _reject("duplicate", event, f"has the key {key!r} a second time")
        found[key] = _value(events, next(events), depth + 1)
    return found


def _key(event: Event) -> str:
    if not isinstance(event, ScalarEvent):
        if isinstance(event, CollectionStartEvent) and not (event.anchor or event.tag):
            _reject("yaml", event, "has a key that is a list or a mapping")
        _reject_node(event, getattr(event, "tag", None))
    if event.anchor or event.tag:
        _reject_node(event, event.tag)
    return event.value


def _reject_node(event: Event, tag: str | None) -> NoReturn:
    if isinstance(event, AliasEvent):
        _reject("alias", event, f"has an alias (*{event.anchor}); quote it if text was meant")
    if isinstance(event, NodeEvent) and event.anchor:
        _reject("anchor", event, f"has an anchor (&{event.anchor}); quote it if text was meant")
    _reject("tag", event, f"has a tag ({tag}); quote it if text was meant")


def _reject(code: str, event: Event, why: str) -> NoReturn:
    raise Unreadable(code, f"line {_start(event).line + 2} {why}")


def _start(event: Event) -> Mark:
    return cast("Mark", event.start_mark)  # libyaml marks every event


# Writing


def _lines(key: str, value: object, comment: str = "", eol: str = "\n", dash: str = "  - ") -> str:
    """Return the lines of one top-level key; *key* is written as it comes."""
    if _is_list(value) and value:
        items = "".join(f"{dash}{_written(item)}{eol}" for item in value)
        return f"{key}:{comment}{eol}{items}"
    return f"{key}: {'[]' if _is_list(value) else _written(value)}{comment}{eol}"


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _meant(value: object) -> Value:
    """Return what `fields` should see once *value* is written."""
    if isinstance(value, str):
        return value
    return [_meant(item) for item in value] if _is_list(value) else _written(value)


def _differs(was: Value | None, value: Field | None) -> bool:
    return was != (None if value is None else _meant(value))


def _written(value: object) -> str:
    """Return *value* as YAML on one line; raises Refused for what has no flat form."""
    if isinstance(value, str):
        return value if _is_plain(value) else _quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    raise Refused(
        f"{value!r} cannot be written into frontmatter: "
        "give a string, a finite number or a list of these"
    )


def _is_plain(value: str) -> bool:
    """Whether every reader takes *value*, unquoted, for this very string."""
    if _MOMENT.fullmatch(value):
        return _exists(value)
    return (
        value.isprintable()
        and value.strip() == value
        and value.lower() not in _WORDS
        and bool(value)
        and not _ODD.search(value)
    )


def _exists(moment: str) -> bool:
    # PyYAML's own loader dies of an unquoted 2026-02-30.
    try:
        datetime.fromisoformat(moment)
    except ValueError:
        return False
    return True


def _quoted(value: str) -> str:
    return '"' + "".join(_escaped(char) for char in value) + '"'


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable() or char in _READABLE:
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004  the BMP's end


def _checked(doc: Document, meant: Mapping[str, Value], most: int) -> Document:
    """Return *doc*; raises Refused when its text does not read back as *doc* and as *meant*."""
    again = parse(render(doc))
    try:
        found = fields(again, most)
    except Unreadable as e:
        raise Refused(f"nothing was written, for it could not be read again: {e.why}") from e
    if again != doc or found != meant:
        raise Refused(
            "nothing was written, for it would not read back as what was meant: "
            "edit the frontmatter by hand, or give it one plain key a line"
        )
    return doc


# Editing


@dataclass(frozen=True, slots=True)
class _Node:
    """A YAML node of a head: where its text begins and ends, and what it is."""

    start: int
    end: int
    text: str | None = None  # a scalar's
    kind: str = ""  # "[" and "{" as flow, "-" and ":" as block
    inner: tuple[_Node, ...] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A top-level key, its value, and the whole lines they stand on."""

    key: _Node
    value: _Node
    start: int
    stop: int


def _fronted(doc: Document) -> Document:
    eol, bom = _eol(doc.body), _BOM if doc.body.startswith(_BOM) else ""
    return Document(f"{bom}---{eol}", "", f"---{eol}", doc.body.removeprefix(_BOM))


def _with_body(doc: Document, body: str) -> Document:
    if body and doc.closing and not doc.closing.endswith("\n"):
        doc = replace(doc, closing=doc.closing + _eol(doc.opening))
    return replace(doc, body=body)


def _eol(text: str) -> str:
    first, newline, _ = text.partition("\n")
    return "\r\n" if newline and first.endswith("\r") else "\n"


def _edited(doc: Document, due: Mapping[str, Field | None]) -> str:
    """Return the head of *doc* with the entries in *due* replaced, removed or added."""
    head, eol = doc.head, _eol(doc.opening)
    entries = _entries(head)
    indent = next((head[e.start : e.key.start] for e in entries.values()), "")
    for key in reversed([key for key in entries if key in due]):
        entry = entries[key]
        head = head[: entry.start] + _replaced(head, entry, due[key], eol) + head[entry.stop :]
    fresh = {key: value for key, value in due.items() if value is not None and key not in entries}
    added = (_lines(indent + _written(k), v, "", eol, f"{indent}  - ") for k, v in fresh.items())
    return head + "".join(added)


def _replaced(head: str, entry: _Entry, value: Field | None, eol: str) -> str:
    """Return the lines that stand for *entry* once it has *value*."""
    indent = head[entry.start : entry.key.start]
    if indent.strip(" ") or not _TAIL.fullmatch(head, entry.value.end, entry.stop):
        raise Refused(
            f"the lines of {entry.key.text!r} hold other text of the frontmatter, "
            "so they cannot be replaced alone: give it one key a line"
        )
    if value is None:
        return ""
    if _is_list(value) and value and _is_plain_list(entry.value):
        return _relisted(head, entry, value, eol)
    key = head[entry.start : entry.key.end]
    return _lines(key, value, _comment(head, entry), eol, f"{indent}  - ")


def _comment(head: str, entry: _Entry) -> str:
    """Return the comment behind the key or behind its one-line value, with the space before it."""
    found = _KEY_TAIL.match(head, entry.key.end, entry.stop)
    if found is None and entry.value.kind not in {"-", ":"}:
        found = _TAIL.match(head, entry.value.end, entry.stop)
    return (found[1] or "") if found else ""


def _is_plain_list(node: _Node) -> bool:
    return node.kind == "-" and all(item.text is not None for item in node.inner)


def _relisted(head: str, entry: _Entry, value: Sequence[object], eol: str) -> str:
    """Return the lines of a block list for *value*, a new item indented as the others are.

    An item that stays keeps its lines as they are, with the comments above it.
    """
    at = _line_stop(head, entry.key.end)
    top, old = head[entry.start : at], {}
    for item in entry.value.inner:
        stop = _line_stop(head, item.end)
        old[item.text] = head[at:stop]
        at = stop
    dash = head[head.rfind("\n", 0, entry.value.start) + 1 : entry.value.start] + "- "
    items = (old.pop(str(_meant(item)), f"{dash}{_written(item)}{eol}") for item in value)
    return top + "".join(items)


def _entries(head: str) -> dict[str, _Entry]:
    """Return the top-level entries of a sound *head* in order; raises Refused for a flow one."""
    events = yaml.parse(head, Loader=yaml.CBaseLoader)
    root = next((event for event in events if isinstance(event, CollectionStartEvent)), None)
    if root is None:
        return {}
    node = _node(head, events, root)
    if node.kind == "{":
        raise Refused("the frontmatter is one flow mapping {…}: give it one key a line")
    keys, values = node.inner[::2], node.inner[1::2]
    pairs = zip(keys, values, strict=True)
    return {str(key.text): _entry(head, key, value) for key, value in pairs}


def _entry(head: str, key: _Node, value: _Node) -> _Entry:
    start = head.rfind("\n", 0, key.start) + 1
    return _Entry(key, value, start, _line_stop(head, max(key.end, value.end)))


def _line_stop(head: str, at: int) -> int:
    return head.find("\n", at) + 1 or len(head)


def _node(head: str, events: Iterator[Event], event: Event) -> _Node:
    """Return the node that *event* opens; depth is bounded, since the head was read before."""
    start = _start(event).index
    if isinstance(event, CollectionStartEvent):
        return _collection(head, events, event, start)
    text = event.value if isinstance(event, ScalarEvent) else None
    # libyaml ends a block scalar behind the blank lines that follow it.
    end = len(head[: _end(event)].rstrip(" \t\r\n"))
    return _Node(start, end, text)


def _collection(
    head: str, events: Iterator[Event], event: CollectionStartEvent, start: int
) -> _Node:
    inner = []
    is_list = isinstance(event, SequenceStartEvent)
    for last in events:
        if isinstance(last, CollectionEndEvent):
            break
        inner.append(_node(head, events, last))
    if event.flow_style:
        return _Node(start, _end(last), None, "[" if is_list else "{", tuple(inner))
    # libyaml ends a block where the next token begins, behind blank lines and comments.
    return _Node(start, inner[-1].end, None, "-" if is_list else ":", tuple(inner))


def _end(event: Event) -> int:
    return cast("Mark", event.end_mark).index
