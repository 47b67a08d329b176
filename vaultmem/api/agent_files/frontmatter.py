"""The frontmatter of what an agent writes: the program's keys, which no agent sets or changes."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Document, Field, Value
from vaultmem.documents.public_text import quoted
from vaultmem.errors import Refused, Unreadable
from vaultmem.storage import reader

_WRITTEN = frozenset({"id", "type", "agent", "created", "updated", "source", "trust"})
KEPT = _WRITTEN | {
    "accepted", "approved", "op", "origin", "session", "speaker", "model", "prompt", "written",
    "claims", "supersedes", "superseded_by", "read_only", "policies", "degraded", "faithfulness",
    "hash", "salt", "parts", "stays",
}  # fmt: skip
"""The keys that say where a text comes from, what it is worth, and what may be done with it."""


def split(path: str, text: str) -> tuple[str, str]:
    """Return what stands before the text that an agent sees of the file at *path*, and that text.

    A frontmatter that is the program's alone is left out. Raises Unreadable for a broken one, or
    one that is longer than that file may have.
    """
    doc, most = reader.parsed(path, text), reader.most_frontmatter(path)
    if doc.opening and is_left_out(frontmatter.fields(doc, most)):
        return doc.opening + doc.head + doc.closing, doc.body
    return "", text


def is_left_out(head: Mapping[str, Value]) -> bool:
    """Tell whether the frontmatter *head* is the program's alone: no agent sees it in the text."""
    return head.keys() <= _WRITTEN


def seen(path: str, text: str) -> tuple[Mapping[str, Value], str]:
    """Return the frontmatter of a file and the text that an agent sees; a broken one is text."""
    try:
        head = frontmatter.fields(reader.parsed(path, text), reader.most_frontmatter(path))
        return head, split(path, text)[1]
    except Unreadable:
        return {}, text


def check_open(path: str, text: str) -> None:
    """Raise Refused when a person keeps the file at *path* as it is: `read_only: true`."""
    head, _ = seen(path, text)
    if head.get("read_only") == "true":
        raise Refused(f"{path} is read-only by its frontmatter: only a person changes it")


def fronted(text: str, head: Mapping[str, Field]) -> str:
    """Return *text*, which an agent brings, as a new file whose frontmatter says *head*.

    Its own frontmatter stays but for the keys that are the program's. Raises Refused or Unreadable
    for one that cannot be kept.
    """
    doc = frontmatter.parse(text)
    if not doc.opening:
        return frontmatter.new(head, "") + text
    own: dict[str, Field | None] = dict.fromkeys(KEPT & frontmatter.fields(doc).keys())
    return frontmatter.render(frontmatter.update(frontmatter.update(doc, own), head))


def unkept(text: str) -> tuple[str, ...]:
    """Return the keys of the frontmatter of *text* that `fronted` leaves out, as they stand."""
    return tuple(key for key in frontmatter.fields(frontmatter.parse(text)) if key in KEPT)


def edited(old: Document, text: str, now: str, trust: str) -> str:
    """Return *text*, the new whole of the file that was *old*, with what the program notes of it.

    It has the *trust* of whoever is trusted least. Raises Refused when a key was changed that is
    the program's.
    """
    doc, was = frontmatter.parse(text), frontmatter.fields(old)
    said = frontmatter.fields(doc)
    if changed := sorted(key for key in KEPT if was.get(key) != said.get(key)):
        raise Refused(
            f"{quoted(changed[0])} in the frontmatter belongs to the program: leave it as it is"
        )
    return frontmatter.render(frontmatter.update(doc, _noted(was, now, trust)))


def _noted(was: Mapping[str, Value], now: str, trust: str) -> dict[str, Field | None]:
    noted: dict[str, Field | None] = {}
    if "id" in was:
        noted["updated"] = now
    if was.get("trust", "user") != trust:
        noted |= {"trust": trust} if "source" in was else {"source": "agent", "trust": trust}
    return noted


def with_field(text: str, key: str, value: Field) -> str:
    """Return *text* with one field of its frontmatter set; raises Refused or Unreadable."""
    return frontmatter.render(frontmatter.update(frontmatter.parse(text), {key: value}))
