"""The keys and values of files that others write: a key in one notation, every text inside."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

CASE_TURN = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""Where a word ends within a name, as in `WebFetch`."""


def texts(value: object) -> Iterator[str]:
    """Yield every text inside the *value* of a key, lists and mappings in order."""
    left = [value]
    while left:
        found = left.pop()
        if isinstance(found, str):
            if found.strip():
                yield found
        elif isinstance(found, Mapping):
            left.extend(reversed([*found.values()]))
        elif isinstance(found, list | tuple):
            left.extend(reversed(found))


@lru_cache(maxsize=256, typed=True)
def key_of(key: object) -> str:
    """Return *key* in one notation: `tool_use_id` for `ToolUseID`, `tool-use-id`."""
    # Asked for the same few keys of every file.
    return re.sub(r"[\s-]+", "_", plain(CASE_TURN.sub("_", str(key)))).strip("_")


def plain(text: str) -> str:
    """Return *text* as it reads: one form of each letter, no case, nothing that is not seen."""
    if text.isascii() and text.isprintable():  # nearly always: nothing to fold or to leave out
        return text.lower().strip()
    folded = unicodedata.normalize("NFKC", text)
    seen = (c for c in folded if unicodedata.category(c) not in {"Cf", "Cc", "Mn"})
    return "".join(seen).casefold().strip()
