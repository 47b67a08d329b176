"""Meet python-frontmatter: its own type filled, its own doors made strict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import frontmatter
from frontmatter.default_handlers import BaseHandler

from vaultmem.documents.frontmatter.parser import OPENING, Document, Field, parse
from vaultmem.documents.frontmatter.reader import MAX_BYTES, check_whole, fields, mapping
from vaultmem.documents.frontmatter.yaml_writer import new


def post(doc: Document) -> frontmatter.Post:
    """Return *doc* as python-frontmatter's own type; raises Unreadable as `fields` does."""
    found = frontmatter.Post(doc.body, StrictHandler())
    # Not through the constructor's keywords: a file may have a key `content` or `handler`.
    found.metadata = {**fields(doc)}
    return found


class StrictHandler(BaseHandler):
    """Frontmatter by the rules of `parse`, `fields` and `new`."""

    FM_BOUNDARY = OPENING  # BaseHandler will not be made without one

    def detect(self, text: str) -> bool:
        """Tell whether *text* has a frontmatter."""
        return bool(parse(text).opening)

    def split(self, text: str) -> tuple[str, str]:
        """Return frontmatter and body; raises Unreadable for a damaged text."""
        doc = parse(text)
        check_whole(doc)
        return doc.head, doc.body if doc.opening else text

    def load(self, fm: str) -> dict[str, object]:
        """Return the fields of the frontmatter *fm*."""
        return {**mapping(fm, MAX_BYTES)}

    def export(self, metadata: dict[str, object], **_: object) -> str:
        """Return *metadata* as frontmatter without its fences."""
        doc = parse(new(cast("Mapping[str, Field]", metadata), ""))
        return doc.head.removesuffix("\n")

    def format(self, post: frontmatter.Post, **_: object) -> str:
        """Return the text of a new file with what *post* holds."""
        return new(cast("Mapping[str, Field]", post.metadata), post.content)
