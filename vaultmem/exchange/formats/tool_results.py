"""What a tool answered, in short: a transcript tells what was said, not every file read."""

from __future__ import annotations

from vaultmem.documents import secrets


def shortened(text: str, most: int) -> str:
    """Return the first *most* characters of *text*, with its length; a credential is not halved."""
    if len(text) <= most:
        return text
    kept = text[: secrets.boundary(text, most)].rstrip()
    return f"{kept} … [{len(text)} characters in all]"
