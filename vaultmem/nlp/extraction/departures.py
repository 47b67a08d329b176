"""What somebody says of a job that is over: `I quit`, `I no longer work at Halden`."""

from __future__ import annotations

import re

from vaultmem.nlp.extraction import assertion_en
from vaultmem.nlp.extraction.phrases_en import PLACE
from vaultmem.nlp.text import salience

FIELDS = frozenset({"employer", "workplace"})
"""What of a card ends with a job."""

_WHEN = (
    r"(?: (?:today|yesterday|last (?:week|month|year|\w+day)|this (?:week|month|morning)"
    r"|(?:in|on|at the end of) [A-Z]?\w+|(?:a|two|three) (?:days?|weeks?|months?) ago))?"
)
_AT = rf"(?: (?:at|with|from) (?P<where>(?-i:{PLACE})))"
_LEFT = tuple(
    re.compile(rf"(?i)^\W*{assertion_en.LEADS}I {said}{_WHEN}\W*$")
    for said in (
        rf"(?:have |['\u2019]ve )?(?:just |finally )?(?:quit|resigned){_AT}?",
        rf"(?:have |['\u2019]ve )?(?:just |finally )?(?:quit|left|lost|gave up) my job{_AT}?",
        rf"(?:was|got|have been) (?:just )?(?:laid off|fired|let go|made redundant){_AT}?",
        rf"no longer work{_AT}",
        rf"(?:don['\u2019]t|do not) work{_AT} any ?more",
    )
)


def left(sentence: str) -> str | None:
    """Return where somebody worked until then, "" when *sentence* does not say; None if not so.

    What is asked, denied, hoped or only nearly so ends no job: each has to be the whole sentence.
    """
    if salience.is_question(sentence):
        return None
    found = next((m for pattern in _LEFT if (m := pattern.match(sentence))), None)
    return None if found is None else found["where"] or ""
