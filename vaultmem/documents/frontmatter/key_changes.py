"""Update a document: find what is due, have the lines edited, check that it reads as meant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from vaultmem.documents import line_ends
from vaultmem.documents.frontmatter.parser import Document, Field, read, render
from vaultmem.documents.frontmatter.reader import MAX_BYTES, fields
from vaultmem.documents.frontmatter.yaml_writer import as_read, checked
from vaultmem.errors import Refused, Unreadable

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
    wanted = {key: None if value is None else as_read(value) for key, value in changes.items()}
    due = {key: changes[key] for key, value in wanted.items() if was.get(key) != value}
    meant = {key: value for key, value in was.items() if key not in due}
    meant |= {key: value for key in due if (value := wanted[key]) is not None}
    if meant and not doc.opening:
        eol, bom = line_ends.of(doc.body), _BOM if doc.body.startswith(_BOM) else ""
        doc = Document(f"{bom}---{eol}", "", f"---{eol}", doc.body.removeprefix(_BOM))
    if due:
        from vaultmem.documents.frontmatter import line_editor  # noqa: PLC0415  with PyYAML, as in `fields`

        doc = doc._replace(head=line_editor.edited(doc.head, due, line_ends.of(doc.opening)))
    if body and doc.closing and not doc.closing.endswith("\n"):
        doc = doc._replace(closing=doc.closing + line_ends.of(doc.opening))
    return checked(doc if body is None else doc._replace(body=body), meant, most)


def edited(
    data: bytes,
    changes: Mapping[str, Field | None],
    body: str | None = None,
    most: int = MAX_BYTES,
) -> bytes:
    """Return the file *data* as `update` changes it; raises what that and `read` do."""
    return render(update(read(data), changes, body, most)).encode()


def reworded(doc: Document, keys: Collection[str], change: Callable[[str], str]) -> Document:
    """Return *doc* with what *change* makes of the lines of *keys*, however nested their values.

    Raises Unreadable when *doc* is, and Refused when its keys have no lines of their own, or what
    *change* makes cannot be read.
    """
    if not keys:
        return doc
    from vaultmem.documents.frontmatter import yaml_spans  # noqa: PLC0415  with PyYAML, as in `fields`

    head, parts, last = doc.head, list[str](), 0
    for key, entry in yaml_spans.find(head).items():
        if key in keys:
            parts += [head[last : entry.start], change(head[entry.start : entry.stop])]
            last = entry.stop
    made = doc._replace(head="".join([*parts, head[last:]]))
    try:
        same = fields(made).keys() == fields(doc).keys()
    except Unreadable as e:
        raise Refused(f"its frontmatter cannot be reworded: {e.why}") from e
    if not same:
        raise Refused("its frontmatter cannot be reworded: it would have other keys")
    return made
