"""What a client is told when something went wrong: what, and what to do next, and not where we run.

Messages name commands for people at a terminal; a model has tools instead.
"""

from __future__ import annotations

from pathlib import Path

from vaultmem.api.rendering import public_text, without_middle
from vaultmem.errors import ForgottenText, Refused, Unavailable, VaultError
from vaultmem.integrations.mcp import commands
from vaultmem.records import visible

EXPECTED = (VaultError, OSError)
"""What may go wrong without a fault of ours."""

_WORDS = {
    "read it, then edit it": "memory_read it, then memory_edit it",
    "run it again": "read it again, then try again",
    "which agent? name one": "whose memories? name an agent as scope",
    "change the file itself": "memory_edit the file itself",
    "edit or remove it by hand": "ask the person to edit or remove it",
}


def error_text(error: Exception, vault: Path, agent: str = "") -> str:
    """Return *error* as a sentence for a model that serves *agent*, "" for all of them.

    *vault*'s place on this machine is not in it.
    """
    text = str(error.seen_by(agent) if isinstance(error, ForgottenText) else error)
    if not isinstance(error, VaultError):
        why = (error.strerror if isinstance(error, OSError) else "") or "the index does not answer"
        text = f"{why}: the files are as they were"
    for ours, theirs in _WORDS.items():
        text = text.replace(ours, theirs)
    text = commands.for_client(text)
    for place in {str(vault), str(vault.resolve())}:
        text = text.replace(f"{place}/", "").replace(place, "the vault")
    passes = isinstance(error, Unavailable) and not isinstance(error, Refused)
    if passes and "try again" not in text:
        text += "; nothing was changed: try again later"
    return without_middle(visible(public_text(text)))
