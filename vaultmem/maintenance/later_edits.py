"""What a file says now without what one operation did to it, everything later kept."""

from __future__ import annotations

from vaultmem.documents import frontmatter
from vaultmem.errors import Refused, Unreadable
from vaultmem.storage.git import FileChange
from vaultmem.storage.three_way_merge import merge

PARTLY = (
    "undone partly (`partly=true`), everything else is, and the earlier text comes into the inbox"
)
_CHANGED_AT = "updated"


def without(change: FileChange, now: bytes | None) -> bytes:
    """Return *now*, what a file says, without what *change* did to it.

    When it was changed last stays as it is: each edit moves that line, and would stand in the way
    of taking back any other. Raises Refused where later edits are on the same lines.
    """
    if now is None or change.old is None or change.new is None:
        raise Refused(f"{change.path} was changed since: undo that first, or {PARTLY}")
    base, theirs = (_changed_as(now, data) for data in (change.new, change.old))
    merged = merge(ours=now, base=base, theirs=theirs)
    if merged is None:
        raise Refused(f"{change.path}: later edits are on the same lines; {PARTLY}")
    return merged


def _changed_as(now: bytes, data: bytes) -> bytes:
    """Return *data* with the moment of change that *now* has, where both have frontmatter."""
    try:
        doc, today = (frontmatter.read(each) for each in (data, now))
        moment = frontmatter.fields(today).get(_CHANGED_AT)
        if not doc.opening or not isinstance(moment, str):
            return data
        return frontmatter.render(frontmatter.update(doc, {_CHANGED_AT: moment})).encode()
    except (Unreadable, Refused):
        return data
