"""Whose request a line is that cannot be served: its caller waits for an answer by its id.

Pure, and content with a line's two ends: an id stands before the parameters or after them.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

EDGE = 64 * 1024
"""Bytes at either end of a line that is too long, in which its id is looked for."""

_PART = re.compile(rb'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s"{}\[\],:]++', re.DOTALL)
_LAST = re.compile(
    rb'[{,]\s*"id"\s*:\s*("(?:[^"\\]|\\.)*+"|-?[0-9]+)\s*(?:,\s*"jsonrpc"\s*:\s*"2.0"\s*)?}\s*\Z',
    re.DOTALL,
)
_LONGEST = 256
"""Bytes of an id; longer ones are not given back."""


class TooLong(NamedTuple):
    """A line that was read past: how it begins, and how it ends."""

    head: bytes
    tail: bytes


def request_id(head: bytes, tail: bytes) -> str | int | None:
    """Return the id of the request that begins with *head* and ends with *tail*, if it shows."""
    last = _LAST.search(tail)
    for raw in (_first(head), last[1] if last else b""):
        if raw and (found := _id(raw)) is not None:
            return found
    return None


def _first(head: bytes) -> bytes:
    """Return the value of the first `id` that is the message's own, not one of its parameters'."""
    depth, key, colon, value = 0, b"", b"", b""
    for part in (found[0] for found in _PART.finditer(head)):
        if part in b",}" and depth == 1 and (key, colon) == (b'"id"', b":"):
            return value  # which ends here, not where the head does
        depth += (part in b"{[") - (part in b"}]")
        key, colon, value = colon, value, part
    return b""


def _id(raw: bytes) -> str | int | None:
    try:
        found = json.loads(raw) if len(raw) <= _LONGEST else None
        if isinstance(found, str):
            found.encode()  # half a character can be read, and not given back
    except ValueError:
        return None
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None
