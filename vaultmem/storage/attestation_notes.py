"""What a commit notes of files whose trust no other commit proves, and that were given it.

Apart from what is made of it, since who writes such a note reads none.
"""

from __future__ import annotations

from collections.abc import Iterator

ATTEST = "attest"
"""The kind of such an operation, and how the subject of its commit begins."""

_NOTE = "attested: "


def note(blob: str) -> str:
    """Return the note that the file that git calls *blob* was given the trust that it claims."""
    return f"{_NOTE}{blob}"


def blobs(body: str) -> Iterator[str]:
    """Return the files that the *body* of such a commit notes."""
    lines = body.splitlines()
    return (line.removeprefix(_NOTE) for line in lines if line.startswith(_NOTE))
