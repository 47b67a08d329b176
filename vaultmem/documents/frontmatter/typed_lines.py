"""Find the keys of a frontmatter whose lines say more than their texts: of what type these are."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.documents.frontmatter import yaml_spans
from vaultmem.documents.frontmatter.parser import Document, Value, Verbatim, parse
from vaultmem.documents.frontmatter.reader import fields
from vaultmem.documents.frontmatter.yaml_spans import Entry, Node
from vaultmem.documents.frontmatter.yaml_writer import as_written
from vaultmem.errors import Refused, Unreadable

_QUOTED = ('"', "'", "|", ">")
"""How a scalar begins that is a text for every reader."""


def find(doc: Document, most: int) -> dict[str, Verbatim]:
    """Return the fields of *doc* that `new` would write as something else, in their lines."""
    was = fields(doc, most)
    try:
        found = yaml_spans.find(doc.head)
    except Refused:  # a flow mapping has no lines of a key
        return {}
    said = {key: _lines(doc.head, entry) for key, entry in found.items() if _is_typed(doc, entry)}
    return {key: Verbatim(was[key], text) for key, text in said.items() if _says(text, key, was)}


def _lines(head: str, entry: Entry) -> str:
    return head[entry.start : entry.stop].replace("\r\n", "\n")


def _is_typed(doc: Document, entry: Entry) -> bool:
    return any(_changes(doc.head, node) for node in _scalars(entry.value))


def _scalars(node: Node) -> Iterator[Node]:
    if node.text is not None:
        yield node
    for item in node.inner:
        yield from _scalars(item)


def _changes(head: str, node: Node) -> bool:
    """Tell whether a reader may see another type once the text of *node* is written here."""
    text = node.text or ""
    return not head.startswith(_QUOTED, node.start) and as_written(text) != text


def _says(text: str, key: str, was: dict[str, Value]) -> bool:
    """Tell whether *text* alone is the lines of *key*."""
    try:
        return fields(parse(f"---\n{text}---\n")) == {key: was[key]}
    except Unreadable:
        return False
