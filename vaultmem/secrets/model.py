"""What the package finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A credential in a text: the *rule* that knew it and the characters it occupies."""

    rule: str
    start: int
    end: int
