"""The file of a topic, changed where what it lists changed: all else stays byte for byte."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Topic, markdown
from vaultmem.documents.frontmatter import Field
from vaultmem.errors import Refused, StaleWrite
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store


def updated(
    store: Store, path: str, sides: tuple[Topic, Topic], head: Mapping[str, Field | None]
) -> Change:
    """Return the change of the topic at *path* from the one of the *sides* to the other.

    *head* is set in its frontmatter. Raises Refused for one that is read-only.
    """
    old = store.read(path)
    if old is None:
        raise StaleWrite(path, "", None)
    doc = frontmatter.read(old)
    if frontmatter.fields(doc).get("read_only") == "true":
        raise Refused(f"{path} is read-only by its frontmatter: name another topic")
    text = frontmatter.render(
        frontmatter.update(doc, head, markdown.update_topic(doc.body, *sides))
    )
    return Change(path, old, text.encode(), "what is known by now")
