"""What is shown instead of a page: why, in a sentence, under a title that says what kind it is."""

from __future__ import annotations

from dataclasses import replace

from vaultmem.web.types import Asked, Page, Reader


def query(_reader: Reader, _asked: Asked) -> str:
    """Return nothing to say: it is said by whoever shows this."""
    return ""


PAGE = Page("/error", "Something went wrong", "error.html", query)
_TITLES = {
    400: "That makes no sense here", 403: "Not allowed", 404: "Not found", 405: "Not like this",
    409: "Changed meanwhile", 503: "Not available now",
}  # fmt: skip


def page(status: int) -> Page:
    """Return the page for a *status* of HTTP."""
    return replace(PAGE, title=_TITLES.get(status, PAGE.title))
