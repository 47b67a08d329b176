"""Take what is forgotten out of an experience: the lines that say it, or all of it by its task."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import markdown
from vaultmem.maintenance.forgetting import redaction
from vaultmem.memory import experiences
from vaultmem.records import Record
from vaultmem.storage import reader

if TYPE_CHECKING:
    from vaultmem.documents.bodies import Outcome


def without(record: Record, data: bytes, repeats: Callable[[str], bool]) -> bytes | None:
    """Return the file *data* of *record* without what *repeats* it; None where its task does."""
    if repeats(record.title) or repeats(record.stem):
        return None
    body = redaction.without(record.body, repeats)
    if body == record.body and not repeats(record.description):
        return data
    left = markdown.parse_experience(body, cast("Outcome", record.outcome))
    if not left.task:
        return None
    doc = frontmatter.parse(frontmatter.decode(data))
    head = {"description": experiences.description(left)}
    changed = frontmatter.update(doc, head, body, reader.most_frontmatter(record.path))
    return frontmatter.render(changed).encode()
