"""What a client is told when something went wrong: what, and what to do next, and not where we run.

Messages name commands for people at a terminal; a model has tools instead.
"""

from __future__ import annotations

from pathlib import Path

from vaultmem.api.rendering import public_text
from vaultmem.errors import SecretFound, Unavailable, VaultError
from vaultmem.records import visible

EXPECTED = (VaultError, OSError)
"""What may go wrong without a fault of ours."""

_LONGEST, _HEAD, _TAIL = 2000, 500, 1000
_TOOLS = {
    "`vaultmem correct`": "memory_correct",
    "`vaultmem remember`": "memory_write",
    "`vaultmem card set CATEGORY/KEY --field NAME=VALUE`": "memory_write with kind card",
    "`vaultmem task create` and `vaultmem task update` write tasks": "memory_task writes tasks",
    "`vaultmem task list` shows": "memory_task with op list shows",
    "`vaultmem log`": "memory_history",
    "`vaultmem recall`": "memory_search",
    "`recall` gives": "memory_search gives",
    "`vaultmem undo`": "memory_undo",
    "name one with --agent": "name one as scope",
    "read it, then edit it": "memory_read it, then memory_edit it",
    "run it again": "read it again, then try again",
}


def error_text(error: Exception, vault: Path) -> str:
    """Return *error* as a sentence for a model; *vault*'s place on this machine is not in it."""
    text = str(error)
    if not isinstance(error, VaultError):
        why = (error.strerror if isinstance(error, OSError) else "") or "the index does not answer"
        text = f"{why}: the files are as they were"
    if isinstance(error, SecretFound):
        text = text.partition("; where a command has ")[0]
    for command, tool in _TOOLS.items():
        text = text.replace(command, tool)
    for place in {str(vault), str(vault.resolve())}:
        text = text.replace(f"{place}/", "").replace(place, "the vault")
    if isinstance(error, Unavailable) and "try again" not in text:
        text += "; nothing was changed: try again later"
    text = visible(public_text(text))
    # The middle is what a caller gave: what is wrong, and what to do, stand at the ends.
    return text if len(text) <= _LONGEST else f"{text[:_HEAD]} … {text[-_TAIL:]}"
