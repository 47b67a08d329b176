"""Tell a question that leaves nothing to settle: of the other, of the world, or for assent alone.

To settle is what should, shall, will or needs to be done, by whom and how much of it, or something
that those who talk know: `the printer`, `our lease`. `Have you been to Rome?` is the other's to
tell, `Does a cat dream?` a question of anybody, and `Shouldn't we wait?` holds that one should
(biased questions: Ladd 1981). English alone is read.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import antecedents
from vaultmem.nlp.extraction.talk import cue_phrases

_LEAD = (
    r"(?i)\W*(?:(?:and|but|so|ok(?:ay)?|well|wait|then|also|yeah|oh|curious|[a-z]+ question)"
    r"[,.:]? )*"
)
_VERB = (
    r"(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|must|may"
    r"|might)"
)
# A clause that states, with a mark of question behind it, asks for assent alone.
_ASKS = re.compile(
    rf"{_LEAD}(?:[^,?]{{2,80}}[,:] )?(?:(?:in|at|on|for|to|with|by|from|of|until) )?"
    rf"(?:who|whom|whose|what|which|when|where|why|how|{_VERB})\b(?! the (?:\w+ )?\w+\W*$)"
)
_OF_YOU = re.compile(r"(?i)\b(?:you|your|yours|u|ur)\b")
_YOU_CHOOSE = re.compile(
    r"(?i)\b(?:do|would) you (?:want|need|prefer|rather)\b(?! to \w+ my\b)"
    r"|\bshould (?:i|we|the|our|you)\b"
)
_SETTLES = re.compile(
    r"(?i)\b(?:should|shall|must|will|needs?|(?:have|has) to|which|who|(?:do|can|could|may)"
    r" (?:we|i)|how (?:much|many|long|often|far|do i|do we|can i|can we)"
    r"|the|our|my|each|every|this|these)\b"
    r"|(?<=\s)(?-i:[A-Z])\w+"
)
_HANGS = (
    rf"{_LEAD}{_VERB}(?:n['\u2019]t)? (?:it|that|this|he|she|they|those|these)\b"
    r"|(?i:\b(?:is|are|was|were) (?:that|this|it|those|these)\W*$|\bthat even\b|\bhere\W*$)"
)
# Whoever asks so holds that it is so, or asks of what was.
_KNOWN = (
    rf"{_LEAD}(?:{_VERB}n['\u2019]t|did|was|were)\b"
    r"|(?i:\b(?:right|correct|yes|no|huh|eh|isn['\u2019]t it|don['\u2019]t you)\W*$)"
)
_QUOTED = r"^[^\"\u201c]+[\"\u201c][^\"\u201c\u201d]*[?]\W*$"
_OF_THE_TALK = (
    r"(?i)\b(?:(?:this|the) (?:chat|issue|thread|topic|conversation|question|challenge)"
    r"|chat\w*|rn|right now)\b"
)
_IDLE = tuple(map(re.compile, (_HANGS, _KNOWN, _QUOTED, _OF_THE_TALK)))


def is_one(text: str) -> bool:
    """Whether the question *text* is such a one, or of what only another sentence names."""
    if _OF_YOU.search(text) and _YOU_CHOOSE.search(text) is None:
        return True
    if _ASKS.match(text) is None or _SETTLES.search(text) is None:
        return True
    if re.search(cue_phrases.TO_SETTLE, text) is None and antecedents.hangs(text):
        return True
    return any(bar.search(text) for bar in _IDLE)
