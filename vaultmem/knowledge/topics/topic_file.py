"""The file of a topic, changed where what it lists changed: all else stays byte for byte."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Topic, markdown, sections
from vaultmem.documents.frontmatter import Field
from vaultmem.documents.markdown import outline
from vaultmem.documents.markdown.outline import Section
from vaultmem.errors import Refused, StaleWrite
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store

_KEYS = frozenset({
    "id", "type", "kind", "title", "description", "agent", "created", "updated", "source", "trust",
    "sources", "origin", "model", "prompt", "degraded",
})  # fmt: skip
"""What the program writes into the frontmatter of a topic; `tags` only where it sets a `kind`."""


def is_spent(data: bytes) -> bool:
    """Tell whether a topic has nothing left but what the program itself wrote around its facts.

    That is its frontmatter, the title, and the headings of the four lists. Anything else, a comment
    or a rule, too, is a person's.
    """
    doc = frontmatter.read(data)
    head = frontmatter.fields(doc)
    own = head.keys() - _KEYS - ({"tags"} if "kind" in head else set())
    title = outline.words(str(head.get("title", "")))
    return not (own or frontmatter.comments(doc)) and all(
        _is_empty(section, title) for section in outline.sections(doc.body)
    )


def _is_empty(section: Section, title: str) -> bool:
    is_ours = not section.heading or section.name in sections.TOPIC_LISTS
    if not (is_ours or (section.is_title and section.name == title)):
        return False
    return all(line.kind == "bullet" and not line.text for line in section.lines if line.bare)


def updated(
    store: Store, path: str, sides: tuple[Topic, Topic], head: Mapping[str, Field | None]
) -> Change:
    """Return the change of the topic at *path* from the one of the *sides* to the other.

    *head* is set in its frontmatter. Raises Refused for one that is read-only.
    """
    old = store.texts.read(path)
    if old is None:
        raise StaleWrite(path, "", None)
    doc = frontmatter.read(old)
    if frontmatter.fields(doc).get("read_only") == "true":
        raise Refused(f"{path} is read-only by its frontmatter: name another topic")
    text = frontmatter.render(
        frontmatter.update(doc, head, markdown.update_topic(doc.body, *sides))
    )
    return Change(path, old, text.encode(), "what is known by now")
