"""The files that say which memory another supersedes: neither of the two is rewritten for it.

They name ids and dates and no word, so that forgetting either memory leaves nothing behind.
"""

from __future__ import annotations

from vaultmem.documents import frontmatter
from vaultmem.records import Record

FOLDER = "supersessions"
TYPE = "supersession"


def path(old: str) -> str:
    """Return where it is said what superseded the memory with the id *old*."""
    return f"{FOLDER}/{old}.md"


def text(old: Record, new: Record, trust: str) -> str:
    """Return the file that says that the memory *new* supersedes *old*.

    Two machines that find the same write the same.
    """
    head = {
        "type": TYPE,
        "agent": old.agent,
        "created": new.created,
        "source": "dream",
        "trust": trust,
        "supersedes": old.id,
        "superseded_by": new.id,
    }
    body = (
        f"The memory {old.id} of {old.created[:10]} no longer holds: {new.id} of"
        f" {new.created[:10]} says what does. Delete this file to let both hold.\n"
    )
    return frontmatter.new(head, body)
