"""What is shown where there is no page: why, in a sentence."""

from __future__ import annotations

from vaultmem.web.types import Asked, Page, Reader


def query(_reader: Reader, _asked: Asked) -> str:
    """Return nothing to say: it is said by whoever shows this."""
    return ""


PAGE = Page("/error", "Not here", "error.html", query)
