"""Turns in which nobody says anything: greetings, thanks, offers of help, and goodbyes.

A closed list, and short sentences alone: an episode that is left out tells nobody of its turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from vaultmem.nlp.text import analysis
from vaultmem.storage.transcripts import Turn

_NAMED = r"(?:,?\ (?:there|again|everyone|all|for\ now|(?-i:[A-Z])\w+)){0,2}"
_SAYS_NOTHING = re.compile(
    rf"""(?:
      (?:hi|hello|hey|hiya|howdy|greetings|yo|good\ (?:morning|afternoon|evening|day|night)){_NAMED}
    | (?:bye|goodbye|see\ (?:you|ya)|take\ care|cheers){_NAMED}
    | (?:(?:many\ )?thanks|thank\ you|thx)(?:\ (?:so|very)\ much|\ a\ lot)?{_NAMED}
    | you(?:['\u2019]re|\ are)\ (?:very\ |most\ )?welcome | no\ problem | my\ pleasure
    | how\ (?:are\ you|is\ it\ going|do\ you\ do)(?:\ (?:today|doing))? | what['\u2019]?s\ up
    | (?:how|what)\ (?:can|may|could)\ i\ (?:help|assist|do)(?:\ (?:you|for\ you|with))*(?:\ today)?
    | (?:nice|good|great)\ to\ (?:meet|see|hear\ from)\ you{_NAMED}
    | ok(?:ay)? | great | perfect | cool | hallo{_NAMED} | guten\ (?:tag|morgen|abend){_NAMED}
    | danke | tsch(?:\u00fc|ue)ss | \u4f60\u597d | \u60a8\u597d | \u8c22\u8c22 | \u518d\u89c1
    )[\s.!?,\u3002\uff01\uff1f]*""",
    re.VERBOSE | re.IGNORECASE,
)


def are_all(turns: Iterable[Turn]) -> bool:
    """Tell whether *turns* of people and assistants hold nothing else; what a tool says counts."""
    return all(
        turn.role in {"user", "assistant"} and _is_empty(turn.content)
        for turn in turns
        if turn.content
    )


def _is_empty(text: str) -> bool:
    return all(_SAYS_NOTHING.fullmatch(sentence) for sentence in analysis.sentences(text))
