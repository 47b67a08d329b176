"""Read the log: the commits of a vault, their messages and trailers."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from vaultmem.git import process, trees
from vaultmem.git.model import Entry, Place

_TRAILER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*:[ \t]*(.*)")


def entries(place: Place, *args: str) -> list[Entry]:
    """Return the commits that rev-list finds with *args*, newest first."""
    shape = "--format=%H%x00%at%x00%an%x00%s%x00%b%x00"
    raw = process.git(place, "rev-list", "--no-commit-header", "--encoding=UTF-8", shape, *args)
    fields = raw.decode(errors="replace").split("\0")[:-1]
    return [_entry(*fields[at : at + 5]) for at in range(0, len(fields), 5)]


def mentions(place: Place, text: str, base: str | None) -> list[Entry]:
    """Return the commits after *base* whose message holds *text*, newest first."""
    if trees.head(place) is None:
        return []
    return entries(place, "--fixed-strings", f"--grep={text}", after(place, base), "--")


def after(place: Place, since: str | None) -> str:
    """Return the range from *since* to HEAD; None asks the whole history."""
    return "HEAD" if since is None else f"{trees.step(place, since)[1]}..HEAD"


def _entry(commit: str, at: str, author: str, subject: str, body: str) -> Entry:
    text, trailers = _trailers(body)
    when = datetime.fromtimestamp(int(at), UTC)
    return Entry(commit.lstrip("\n"), when, author, subject, text, trailers)


def _trailers(body: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    # Read here and not by git, whose idea of a trailer the repository's config can change.
    text, _, last = ("\n\n" + body.strip()).rpartition("\n\n")
    found = [_TRAILER.fullmatch(line) for line in last.splitlines()]
    if not found or None in found:
        return body.strip(), ()
    return text.strip(), tuple((m[1], m[2].strip()) for m in found if m)
