"""Which text of a memory is accepted: told by its digest, and set by whoever writes through us.

A memory is accepted as it was acknowledged. What an operation of ours makes of its text is, too,
and what a person accepts of an edit: the key `accepted` has the digest of that, and taking it away
brings back what was accepted first. No other edit changes what is accepted.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple

from vaultmem.documents import frontmatter, public_text
from vaultmem.errors import Unreadable

KEY = "accepted"
AS_FIRST = "first"
"""What was accepted first is accepted again."""
UNLESS_KNOWN = "?"
"""Stands before a digest that counts where none is known."""
INSTEAD_OF = ">"
"""Stands between two digests: the latter counts where the former is what is accepted."""

_DIGITS = 16
_ACCEPTED = re.compile(rb"""(?im)^accepted:[ \t]*["']?([0-9a-f]{16})["']?[ \t]*\r?$""")
_HEAD = 16 << 10
_TAKES_ALONG = frozenset({"adopt", "archive", "rename", "repair", "restore", "sync", "unarchive"})
"""Operations that take a text as they find it, whoever wrote it."""
_ACCEPTS = "accept"
"""The operation by which a person accepts a text, which may say so of itself already."""
_MOVES = frozenset({"dream", "undo"})
"""Operations that move a memory, or bring it back, as it was."""


class Text(NamedTuple):
    """The digest of what a file says in public, and of what it says was accepted, "" of nothing."""

    digest: str
    accepted: str


def digest(body: str) -> str:
    """Return the digest of the words of *body*, however they are spaced."""
    words = " ".join(body.split()).encode("utf-8", "surrogateescape")
    return sha256(words).hexdigest()[:_DIGITS]


def of(data: bytes) -> Text | None:
    """Return what is to be known of the file *data*; None where it cannot be read."""
    try:
        body = public_text.parsed(frontmatter.decode(data)).body
    except Unreadable:
        return None
    found = _ACCEPTED.search(data[:_HEAD].partition(b"\n---")[0])
    return Text(digest(body), found[1].decode().lower() if found else "")


def known_after(took: str, known: str, first: str) -> str:
    """Return the digest that is accepted after an operation, of which `by_operation` says *took*.

    *known* was accepted before it, "" for nothing, and *first* before all others.
    """
    if took == AS_FIRST:
        return first
    if took.startswith(UNLESS_KNOWN):
        return known or took.removeprefix(UNLESS_KNOWN)
    old, instead, new = took.rpartition(INSTEAD_OF)
    return known if instead and known not in ("", old) else new or known


def by_operation(kind: str, old: Text | None, new: Text | None) -> str:
    """Return what is accepted once an operation of that *kind* has made *new* of *old*.

    A digest, one behind UNLESS_KNOWN, two around INSTEAD_OF, AS_FIRST, or "" where that stays as it
    is. Who takes a later edit back accepts no earlier one.
    """
    if new is None:
        return ""
    if kind in _TAKES_ALONG or (kind in _MOVES and old is None):
        return UNLESS_KNOWN + new.digest
    if old is None:
        return new.digest
    if old.digest != new.digest:
        return old.digest + INSTEAD_OF + new.digest if kind == "undo" else new.digest
    if old.accepted != new.accepted:
        return new.accepted or AS_FIRST
    return new.accepted if kind == _ACCEPTS else ""
