"""A place in a file, as it stands behind a reference: below a heading (`#…`) or a line (`:12`)."""

from __future__ import annotations

import re

from vaultmem.api.views.types import ViewedFile
from vaultmem.documents.markdown.outline import sections, split, words

_PLACE = re.compile(r"#[^\[\]|]*|:\d+\Z")


def of(ref: str) -> str:
    """Return the place that stands behind *ref*: `#Heading`, `:12`, or ""."""
    found = (it[0] for it in _PLACE.finditer(ref) if it[0] != "#")
    return next(found, "").strip()


def without(ref: str) -> str:
    """Return what stands before a place: the name of a file."""
    return _PLACE.split(ref, maxsplit=1)[0]


def line_of(found: ViewedFile, place: str) -> int | None:
    """Return the line of *found* that *place* means, None where it has none such.

    Of `#Heading#Below` the last one counts; headings are compared by their words.
    """
    if place.startswith(":"):
        line = int(place[1:])
        return line if 0 < line <= len(split(found.text)) else None
    name = words(place.rpartition("#")[2])
    fit = (it.heading.at for it in sections(found.body) if it.heading and it.name == name)
    at = next(fit, None)
    return None if at is None else found.body_line + at
