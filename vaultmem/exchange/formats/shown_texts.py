"""What programs show in a part of a conversation's file: all the words in it that nobody typed.

A tool, a page or a file may say its words in any field of any message. So that none of them is
missed there is no list of those that do: every text counts, however deep it lies, and the name of a
field that is one, but what whoever asks leaves out, since a person typed it or the agent wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from vaultmem.exchange.formats.json_fields import every_text_in

A_PROGRAM = "a program"
"""Who is told to have shown what stands beside a message, where nobody is named."""

_ID = re.compile(r"(?:.*_)?ids?", re.DOTALL)
_BY_ITSELF = re.compile(r"\S*(?:[@/]|\d{6}|\w{24})")
"""One word that tells something without others: an address, or a number; no name of a kind."""

_LONGEST_WORD = 1000
"""Characters of one word, beyond which letters and digits are the bytes of an image, say."""


def of(found: object, but: AbstractSet[str] = frozenset()) -> tuple[str, ...]:
    """Return all texts in *found*, each once, in order; not under ids, and the keys *but*."""
    every = every_text_in(found, lambda key: key in but or _ID.fullmatch(key) is not None)
    return tuple(dict.fromkeys(filter(_may_tell, every)))


def _may_tell(text: str) -> bool:
    if not text.isascii() or len(text.split(None, 1)) > 1:
        return True  # words of other scripts may stand without a blank
    return len(text) <= _LONGEST_WORD and _BY_ITSELF.match(text.strip()) is not None
