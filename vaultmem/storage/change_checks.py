"""What no change may do: bring in a credential, or alter what of a file is not to be told."""

from __future__ import annotations

from vaultmem.documents import public_text, secrets
from vaultmem.errors import HeldBack, SecretFound
from vaultmem.storage import transcripts
from vaultmem.storage.plan import Append, Change


def check(change: Change | Append) -> None:
    """Raise SecretFound or HeldBack where *change* may not be made."""
    _refuse_secrets(change)
    _refuse_to_touch_hidden(change)


def _refuse_secrets(change: Change | Append) -> None:
    """Raise SecretFound when *change* brings in a credential that was not there before."""
    old, text = _news(change)
    for finding in secrets.find(text):
        if text[finding.start : finding.end] not in old:
            raise SecretFound(change.path, finding.rule)


def _refuse_to_touch_hidden(change: Change | Append) -> None:
    """Raise HeldBack when *change* would alter a part of a file that is not to be told."""
    if isinstance(change, Append) or change.old is None or change.new is None:
        return
    if not public_text.keeps(change.old, change.new):
        raise HeldBack(change.path)


def _news(change: Change | Append) -> tuple[str, str]:
    """Return the text that was there as far as it matters, and the one that shall be."""
    if isinstance(change, Append):
        return "", transcripts.words(change.data)
    old, new = ((data or b"").decode("utf-8", "replace") for data in (change.old, change.new))
    return old, new
