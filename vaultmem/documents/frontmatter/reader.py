"""Read the fields of a document, unless its text is damaged."""

from __future__ import annotations

import re

from vaultmem.documents.frontmatter import plain_reader
from vaultmem.documents.frontmatter.parser import Document, Value, render
from vaultmem.errors import Unreadable

MAX_BYTES = 16 * 1024

_LFS = "version https://git-lfs.github.com/spec/v1\n"
_CONFLICT = (r"^<{7} ", r"^={7}\r?$", r"^>{7} ")


def fields(doc: Document, most: int = MAX_BYTES) -> dict[str, Value]:
    """Return the frontmatter of *doc*, every scalar as the string it was written as, null as "".

    *most* is how many bytes of it are read at all. Raises Unreadable with the code `conflict`,
    `lfs`, `torn`, `size`, `yaml`, `anchor`, `alias`, `tag`, `duplicate`, `depth` or `documents`.
    """
    check_whole(doc)
    return mapping(doc.head, most)


def mapping(head: str, most: int) -> dict[str, Value]:
    """Return what *head* maps to; raises Unreadable, at once when it has more than *most* bytes."""
    if len(head) > most or len(head.encode("utf-8", "replace")) > most:
        raise Unreadable("size", f"the frontmatter is larger than {most >> 10} KiB")
    if (plain := plain_reader.read(head)) is not None:
        return plain
    from vaultmem.documents.frontmatter import yaml_reader  # noqa: PLC0415  PyYAML is slow to import

    return yaml_reader.load(head)


def is_pointer(data: bytes) -> bool:
    """Tell whether *data* is what git LFS leaves in the place of a text."""
    return data.startswith(_LFS.encode())


def check_whole(doc: Document) -> None:
    """Raise Unreadable when *doc* is torn or stands amid git's conflict markers."""
    if doc.body.startswith(_LFS) and not doc.opening:
        raise Unreadable("lfs", "git LFS has its text elsewhere, and a pointer to it here")
    if "<<<<<<< " in doc.head or "<<<<<<< " in doc.body:
        _check_conflict(render(doc))
    if doc.opening and not doc.closing:
        raise Unreadable("torn", "the frontmatter opens with --- and never ends")


def _check_conflict(text: str) -> None:
    at = 0
    for marker in _CONFLICT:
        found = re.compile(marker, re.MULTILINE).search(text, at)
        if found is None:
            return
        at = found.end()
    raise Unreadable("conflict", "git's conflict markers stand in the text")
