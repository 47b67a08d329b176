"""What the package speaks of: a document in its pieces, and what its fields hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# As read, and as given to be written.
Value = str | list["Value"] | dict[str, "Value"]
Field = str | float | Sequence[str]


@dataclass(frozen=True, slots=True)
class Document:
    """The four pieces of a file's text, in order; joined they are the text again.

    `opening` is "" when there is no frontmatter (a BOM then stays in the body), `closing` is ""
    when the frontmatter never ends: a torn file, whose rest is all `head`.
    """

    opening: str
    head: str
    closing: str
    body: str
