"""Who commits, when and why: as the person's config and environment name them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime

from vaultmem.storage.git import config
from vaultmem.storage.git.types import Place

_NOBODY = b"vaultmem <vaultmem@localhost>"
_CRUD = bytes(range(33)) + b".,:;<>\"\\'"
_NEVER = datetime.fromtimestamp(0, UTC)


def facts(place: Place, message: str, when: datetime) -> bytes:
    """Return who commits, when and why, as a commit says it."""
    # Of several entries the last one holds.
    names = {it.key: it.value for it in config.entries(place)}
    return _facts(_identity(names, b"author"), _identity(names, b"committer"), when, message)


def no_facts() -> bytes:
    """Return the facts of a commit that nobody will see."""
    return _facts(_NOBODY, _NOBODY, _NEVER, "")


def _identity(names: Mapping[bytes, bytes], role: bytes) -> bytes:
    """Return a person as `git var` does, which is a process for each of the two.

    As it does with user.useConfigOnly: else git makes a name up from the machine's accounts.
    """
    name, email = (
        os.environb.get(b"GIT_%s_%s" % (role.upper(), part.upper()))
        or names.get(b"%s.%s" % (role, part))
        or names.get(b"user.%s" % part)
        for part in (b"name", b"email")
    )
    if email is None or not (plain := _plain(name or b"")):
        return _NOBODY
    return b"%s <%s>" % (plain, _plain(email))


def _plain(text: bytes) -> bytes:
    """Return *text* without what git takes off either end of a name, or out of it."""
    return text.strip(_CRUD).translate(None, b"\n<>")


def _facts(author: bytes, committer: bytes, when: datetime, message: str) -> bytes:
    aware = when.astimezone() if when.tzinfo is None else when
    date = f"{max(0, int(aware.timestamp()))} {aware.strftime('%z')[:5]}".encode()
    text = message.replace("\0", "").strip().encode(errors="replace") + b"\n"
    values = (author, date, committer, date, len(text), text)
    return b"author %s %s\ncommitter %s %s\ndata %d\n%s" % values
