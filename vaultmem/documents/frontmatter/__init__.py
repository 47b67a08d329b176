"""Turn the text of a Markdown file into frontmatter and body and back, losing nothing.

Reading is strict: what YAML readers disagree on is refused, and a scalar stays the string it was
written as. Writing touches the lines of the named keys and no other byte. Lines end with LF or
CRLF, never with anything else that Unicode or YAML take for a line break.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.documents.frontmatter.key_changes import edited as edited
from vaultmem.documents.frontmatter.key_changes import reworded as reworded
from vaultmem.documents.frontmatter.key_changes import update as update
from vaultmem.documents.frontmatter.parser import KEY_LINE as KEY_LINE
from vaultmem.documents.frontmatter.parser import Document as Document
from vaultmem.documents.frontmatter.parser import Field as Field
from vaultmem.documents.frontmatter.parser import Value as Value
from vaultmem.documents.frontmatter.parser import Verbatim as Verbatim
from vaultmem.documents.frontmatter.parser import decode as decode
from vaultmem.documents.frontmatter.parser import parse as parse
from vaultmem.documents.frontmatter.parser import read as read
from vaultmem.documents.frontmatter.parser import render as render
from vaultmem.documents.frontmatter.parser import text_of as text_of
from vaultmem.documents.frontmatter.parser import texts as texts
from vaultmem.documents.frontmatter.reader import MAX_BYTES as MAX_BYTES
from vaultmem.documents.frontmatter.reader import fields as fields
from vaultmem.documents.frontmatter.reader import is_pointer as is_pointer
from vaultmem.documents.frontmatter.yaml_writer import as_read as as_read
from vaultmem.documents.frontmatter.yaml_writer import new as new

if TYPE_CHECKING:
    from frontmatter import Post

    from vaultmem.documents.frontmatter.handler import StrictHandler


def verbatim(doc: Document, most: int = MAX_BYTES) -> dict[str, Verbatim]:
    """Return the fields of *doc* whose lines say more than the values that `fields` returns.

    Numbers, yes and no, nothing, and lists of these: `new` would write them as texts. Raises
    Unreadable as `fields` does.
    """
    from vaultmem.documents.frontmatter import typed_lines  # noqa: PLC0415  with PyYAML, as in `fields`

    return typed_lines.find(doc, most)


def comments(doc: Document) -> dict[str, str]:
    """Return the comments in the frontmatter of *doc*, which is sound, each with a line of it."""
    from vaultmem.documents.frontmatter import yaml_spans  # noqa: PLC0415  with PyYAML, as in `fields`

    return yaml_spans.comments(doc.head)


def post(doc: Document) -> Post:
    """Return *doc* as python-frontmatter's own type; raises Unreadable as `fields` does."""
    from vaultmem.documents.frontmatter import handler  # noqa: PLC0415  only its users pay for the import

    return handler.post(doc)


def strict_handler() -> StrictHandler:
    """Return the handler that makes python-frontmatter read and write as this package does.

    For its own doors, as in `frontmatter.load(file, handler=strict_handler())`; what it reads
    raises Unreadable, what it writes Refused.
    """
    from vaultmem.documents.frontmatter import handler  # noqa: PLC0415  as in `post`

    return handler.StrictHandler()
