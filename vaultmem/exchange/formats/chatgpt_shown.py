"""What programs show in a message of ChatGPT's: all its words that nobody typed.

A tool, a page or a file may say its words in any message that is not of the talk, and beside any
that is: in what was searched, in what is cited. So that none of them is missed there is no list of
those that do: every text counts but what a person typed, and what the assistant wrote itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.exchange.formats.json_fields import Raw

PROGRAM = "ChatGPT"
"""Who is told to have shown what stands in a message where no tool is."""

_OWN = frozenset(("matched_text", "targeted_reply"))
"""What is repeated beside a message of the talk itself: the assistant wrote it."""

_ID = re.compile(r"(?:.*_)?id", re.DOTALL)
_BY_ITSELF = re.compile(r"\S*(?:[@/]|\d{6}|\w{24})")
"""One word that tells something without others: an address, or a number; no name of a kind."""


def texts(message: Raw, *, is_said: bool) -> tuple[str, ...]:
    """Return what programs show in *message*; *is_said* where its content was typed or written."""
    beside = {key: value for key, value in message.items() if not is_said or key != "content"}
    return tuple(dict.fromkeys(filter(_may_tell, _every(beside))))


def _may_tell(text: str) -> bool:
    return len(text.split(None, 1)) > 1 or _BY_ITSELF.match(text.strip()) is not None


def _every(found: object) -> Iterator[str]:
    """Yield all texts in *found*, in order, but for ids and for what is its own."""
    waiting = [found]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case list() as inner:
                waiting += reversed(inner)
            case dict() as inner:
                told = [it for key, it in inner.items() if key not in _OWN and not _is_id(key)]
                waiting += reversed(told)


def _is_id(key: str) -> bool:
    return _ID.fullmatch(key) is not None
