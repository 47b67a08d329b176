"""Edit a frontmatter line by line: the lines of the keys that are due change, no other byte."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from vaultmem.documents.frontmatter import yaml_spans
from vaultmem.documents.frontmatter.parser import Field
from vaultmem.documents.frontmatter.yaml_spans import Entry, Node
from vaultmem.documents.frontmatter.yaml_writer import (
    as_read,
    as_written,
    is_list,
    key_as_written,
    lines,
)
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
    added = (
        lines(indent + key_as_written(k), v, "", eol, f"{indent}  - ") for k, v in fresh.items()
    )
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
