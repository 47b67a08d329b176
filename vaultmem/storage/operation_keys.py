"""What identifies a piece of work that was made of files: two machines that did it agree on it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Protocol


class Source(Protocol):
    """What such work was made of: a file by its id and its bytes, and whether it still holds."""

    @property
    def id(self) -> str:
        """The id of the file."""

    @property
    def sha(self) -> str:
        """The sha-256 of its bytes."""

    @property
    def superseded_by(self) -> str:
        """What holds instead, "" while it holds itself."""


def operation_key(kind: str, prompt: str, sources: Iterable[Source]) -> str:
    """Return what identifies this work on these bytes.

    A source that was corrected since is another one: what mentions it is to be rewritten.
    """
    parts = [kind, prompt, *sorted(map(_as_it_is, sources))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _as_it_is(source: Source) -> str:
    return f"{source.id}:{source.sha}" + ":superseded" * bool(source.superseded_by)
