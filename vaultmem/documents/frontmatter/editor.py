"""Edit a frontmatter line by line: the lines of the keys that are due change, no other byte."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from vaultmem.documents.frontmatter import yaml_spans
from vaultmem.documents.frontmatter.reader import MAX_BYTES, fields
from vaultmem.documents.frontmatter.types import Document, Field, Value
from vaultmem.documents.frontmatter.yaml_spans import Entry, Node
from vaultmem.documents.frontmatter.yaml_writer import as_read, as_written, checked, is_list, lines
from vaultmem.errors import Refused

_TAIL = re.compile(r"([ \t]+#[^\r\n]*)?[ \t]*\r?\n?")
_KEY_TAIL = re.compile(r"[ \t]*:(?:[ \t]*[|>][-+\d]*)?([ \t]+#[^\r\n]*)")


def edited(head: str, due: Mapping[str, Field | None], eol: str) -> str:
    """Return *head* with the entries in *due* replaced, removed or added."""
    found = yaml_spans.find(head)
    indent = next((head[e.start : e.key.start] for e in found.values()), "")
    for key in reversed([key for key in found if key in due]):
        entry = found[key]
        head = head[: entry.start] + _replaced(head, entry, due[key], eol) + head[entry.stop :]
    fresh = {key: value for key, value in due.items() if value is not None and key not in found}
    added = (lines(indent + as_written(k), v, "", eol, f"{indent}  - ") for k, v in fresh.items())
    return head + "".join(added)


def _replaced(head: str, entry: Entry, value: Field | None, eol: str) -> str:
    """Return the lines that stand for *entry* once it has *value*."""
    indent = head[entry.start : entry.key.start]
    if indent.strip(" ") or not _TAIL.fullmatch(head, entry.value.end, entry.stop):
        raise Refused(
            f"the lines of {entry.key.text!r} hold other text of the frontmatter, "
            "so they cannot be replaced alone: give it one key a line"
        )
    if value is None:
        return ""
    if is_list(value) and value and _is_plain_list(entry.value):
        return _relisted(head, entry, value, eol)
    key = head[entry.start : entry.key.end]
    return lines(key, value, _comment(head, entry), eol, f"{indent}  - ")


def _comment(head: str, entry: Entry) -> str:
    """Return the comment behind the key or behind its one-line value, with the space before it."""
    found = _KEY_TAIL.match(head, entry.key.end, entry.stop)
    if found is None and entry.value.kind not in {"-", ":"}:
        found = _TAIL.match(head, entry.value.end, entry.stop)
    return (found[1] or "") if found else ""


def _is_plain_list(node: Node) -> bool:
    return node.kind == "-" and all(item.text is not None for item in node.inner)


def _relisted(head: str, entry: Entry, value: Sequence[object], eol: str) -> str:
    """Return the lines of a block list for *value*, a new item indented as the others are.

    An item that stays keeps its lines as they are, with the comments above it.
    """
    at = yaml_spans.line_stop(head, entry.key.end)
    top, old = head[entry.start : at], {}
    for item in entry.value.inner:
        stop = yaml_spans.line_stop(head, item.end)
        old[item.text] = head[at:stop]
        at = stop
    dash = head[head.rfind("\n", 0, entry.value.start) + 1 : entry.value.start] + "- "
    items = (old.pop(str(as_read(item)), f"{dash}{as_written(item)}{eol}") for item in value)
    return top + "".join(items)


_BOM = "\ufeff"


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
    meant |= {key: as_read(value) for key, value in due.items() if value is not None}
    if meant and not doc.opening:
        doc = _fronted(doc)
    if due:
        doc = _edited(doc, due)
    return checked(doc if body is None else _with_body(doc, body), meant, most)


def _differs(was: Value | None, value: Field | None) -> bool:
    return was != (None if value is None else as_read(value))


def _fronted(doc: Document) -> Document:
    eol, bom = _eol(doc.body), _BOM if doc.body.startswith(_BOM) else ""
    return Document(f"{bom}---{eol}", "", f"---{eol}", doc.body.removeprefix(_BOM))


def _edited(doc: Document, due: Mapping[str, Field | None]) -> Document:

    return replace(doc, head=edited(doc.head, due, _eol(doc.opening)))


def _with_body(doc: Document, body: str) -> Document:
    if body and doc.closing and not doc.closing.endswith("\n"):
        doc = replace(doc, closing=doc.closing + _eol(doc.opening))
    return replace(doc, body=body)


def _eol(text: str) -> str:
    first, newline, _ = text.partition("\n")
    return "\r\n" if newline and first.endswith("\r") else "\n"
