"""Build a commit: turn changes into a stream that `git fast-import` stores.

Nothing points to the new commit when this is done; the lock publishes it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from vaultmem.errors import Refused
from vaultmem.storage.git import process
from vaultmem.storage.git.types import ABSENT, PLAIN, Blob, Change, Edit, Place, Row, object_id

_NOBODY = b"vaultmem <vaultmem@localhost>"
_CRUD = bytes(range(33)) + b".,:;<>\"\\'"
# fast-import needs a name for what it builds; the stream resets it before any ref is written.
_REF = b"refs/vaultmem/building"
_NEVER = datetime.fromtimestamp(0, UTC)
_NEVER_A_NAME = re.compile(r"|\.{1,2}|\.git[. ]*|git~1|[^\0]*\0.*", re.IGNORECASE | re.DOTALL)


def edits(
    changes: Iterable[Change], algorithm: str, blobs: dict[str, str | None]
) -> Iterator[Edit]:
    """Yield *changes* with their blob ids, and note these in *blobs*; each is read once.

    Raises Refused when a path is no path of a vault.
    """
    for change in changes:
        if any(_NEVER_A_NAME.fullmatch(part) for part in change.path.split("/")):
            raise Refused(f"{change.path!r} is no path of a vault; nothing was committed")
        blob = None if change.data is None else object_id(algorithm, b"blob", change.data)
        blobs[change.path] = blob
        yield Edit(change.path, blob, change.data)


def news(place: Place, edits: Iterable[Edit], tree: dict[str, Blob]) -> Iterator[tuple[Edit, Row]]:
    """Yield only what differs from *tree*, with what it does to it: a script stays executable."""
    for edit in edits:
        was = tree.get(edit.path)
        if edit.blob is None:
            if was:
                del tree[edit.path]
                yield edit, Row(was, Blob(ABSENT, "0" * len(was.id)), place.prefix + edit.path)
        elif was is None or was.id != edit.blob or was.mode not in PLAIN:
            mode = was.mode if was and was.mode in PLAIN else "100644"
            tree[edit.path] = now = Blob(mode, edit.blob)
            before = was or Blob(ABSENT, "0" * len(edit.blob))
            yield edit, Row(before, now, place.prefix + edit.path)


def facts(place: Place, message: str, when: datetime) -> bytes:
    """Return who commits, when and why, as the person's config and environment name them."""
    asked = ("config", "--null", "--get-regexp", r"^(user|author|committer)\.(name|email)$")
    said = process.run(process.argv(place, asked), place.top).stdout
    # Of several lines the last one holds.
    config = dict(line.partition(b"\n")[::2] for line in said.split(b"\0"))
    return _facts(_identity(config, b"author"), _identity(config, b"committer"), when, message)


def no_facts() -> bytes:
    """Return the facts of a commit that nobody will see."""
    return _facts(_NOBODY, _NOBODY, _NEVER, "")


def fast_import(  # noqa: PLR0913  # a second parent is rare, and goes by name
    place: Place,
    facts: bytes,
    base: str | None,
    news: Iterable[tuple[Edit, Row]],
    extra: Mapping[str, str],
    *,
    merged: str = "",
) -> str:
    """Store the commit that puts *news* on top of *base*, and return its id.

    *merged* is its second parent, if it has one.
    """
    stream = _stream(facts, base, merged, news)
    args = ("fast-import", "--quiet", "--done")
    return process.feed(place, args, stream, extra).decode().strip()


def quote(path: str | Path) -> bytes:
    """Return *path* in git's own quotes."""
    raw = os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"%s"' % raw


def _stream(
    head: bytes, base: str | None, merged: str, news: Iterable[tuple[Edit, Row]]
) -> Iterator[bytes]:
    # The mark is asked back, then the ref is reset before fast-import would write it.
    yield b"feature done\ncommit %s\nmark :1\n%s" % (_REF, head)
    if base:
        yield b"from %s\n" % base.encode()
    if merged:
        yield b"merge %s\n" % merged.encode()
    for edit, row in news:
        path = quote(row.path)
        if edit.blob is None:
            yield b"D %s\n" % path
        elif edit.data is None:
            yield b"M %s %s %s\n" % (row.new.mode.encode(), row.new.id.encode(), path)
        else:
            yield b"M %s inline %s\ndata %d\n" % (row.new.mode.encode(), path, len(edit.data))
            yield edit.data
            yield b"\n"
    yield b"\nget-mark :1\nreset %s\n\ndone\n" % _REF


def _identity(config: Mapping[bytes, bytes], role: bytes) -> bytes:
    """Return a person as `git var` does, which is a process for each of the two.

    As it does with user.useConfigOnly: else git makes a name up from the machine's accounts.
    """
    name, email = (
        os.environb.get(b"GIT_%s_%s" % (role.upper(), part.upper()))
        or config.get(b"%s.%s" % (role, part))
        or config.get(b"user.%s" % part)
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
