"""The note of a conflict: both versions of each place that two machines changed in another way.

Whoever merges writes the same note of the same conflict, byte for byte: it does not tell which
machine is this one.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.documents import frontmatter
from vaultmem.documents.markdown import blocks
from vaultmem.exchange.sync.types import Conflict
from vaultmem.records import first_line

_TITLE = 80
_INTRO = (
    "Two machines changed the same place of {path}, each in its way.\n"
    "One of the two versions stands there now.\n"
    "Let it say there what is right, and delete this note.\n"
)


def note(path: str, conflicts: Sequence[Conflict], intro: str = _INTRO) -> bytes:
    """Return the note of the *conflicts* in the file at *path*, which begins with *intro*."""
    head = {
        "type": "conflict",
        "title": first_line(f"Two versions of {path}", _TITLE),
        "note": f"[[{path.removesuffix('.md')}]]",
    }
    parts = (intro.format(path=path), *map(_part, conflicts))
    return frontmatter.new(head, "\n".join(parts)).encode("utf-8", "surrogateescape")


def _part(it: Conflict) -> str:
    one, two = sorted((it.ours, it.theirs))
    said = [("Before", it.base)] * bool(it.base) + [("One version", one), ("The other", two)]
    texts = (f"{what}:\n\n{blocks.as_code(text)}" for what, text in said)
    return "\n".join((f"## {it.where or 'At the beginning'}\n", *texts))
