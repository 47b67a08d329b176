"""What of a question is told to whoever is not the vault itself: a model, a retriever of one's own.

A question may hold what no file gives away, typed beside it or pasted into it. Words find the whole
of it, here; who embeds it, grades by it or searches elsewhere gets what may leave a text.
"""

from __future__ import annotations

from vaultmem.documents import public_text
from vaultmem.errors import ModelAway


def told(query: str, name: str) -> str:
    """Return what of *query* is told to whoever has this *name*.

    Raises ModelAway where that is nothing.
    """
    public = public_text.shown(query)
    if not public.strip():
        raise ModelAway(name, "is not asked, as all of the question is private", lasting=False)
    return public
