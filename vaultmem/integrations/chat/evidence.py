"""Who said what a model wants to note of a person: a turn of the user's that says it, or nobody.

Pure: a model names the words, and the transcript decides whether a user said them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.memory.folding.material import trust_of
from vaultmem.retrieval.context.deduplication import holds
from vaultmem.storage.transcripts import Turn

_WORD = re.compile(r"[^\W_]+")
_QUESTION = re.compile(r"[^.!?\u2026\u3002\uff01\uff1f\n]*[.!\u2026]*[?\uff1f]")


def said_by_user(turns: Sequence[Turn], quote: str, value: str) -> Turn | None:
    """Return the newest turn in which a user says the *quote*, and *value* in it; else None.

    Case, blanks and punctuation do not count. Who asks whether it is so does not say it, and what
    was imported was not said here.
    """
    words, fact = _words(quote), _words(value)
    if not fact or not holds(words, fact):
        return None
    own = (t for t in reversed(turns) if t.role == "user" and trust_of(t) == "user")
    return next((turn for turn in own if _says(turn.content, words)), None)


def _says(text: str, part: Sequence[str]) -> bool:
    """Tell whether *part* stands in *text*, in none of its questions."""
    return any(holds(_words(told), part) for told in _QUESTION.split(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
