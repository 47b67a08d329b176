"""Read what a speaker says is so no longer as the sentence that once said it is so.

`I'm not vegetarian any more` is read as `I'm vegetarian`, by the grammar of what is so, so that
whatever can be told of somebody can end. What each says has to be the whole of its clause; of what
follows behind a comma only the reason is told.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import assertion_en
from vaultmem.nlp.text import salience

_OPENS = rf"^\W*(?i:turns out )?{assertion_en.LEADS}"
_TAIL = r"(?i:,? (?:btw|by the way|thankfully|luckily|sadly|at last|either))?"
_WHY = r"(?:[.!]*|[,;\u2013\u2014] ?(?!(?i:but|except|only|just|unless)\b)(?P<why>[^?]*))$"
_OVER = rf"(?i:,? any ?more|,? after all|,? now){_TAIL}{_WHY}"
_WHAT = r"(?P<what>[^,.;:!?]{2,60}?)"
_STOPPED = (
    r"(?i:(?: have|['\u2019]ve)? ?(?:just |finally |recently )?"
    r"(?:stopped|quit|gave up|given up))"
)
_FORMS = (
    (rf"{_OPENS}I(?:['\u2019]m| am) not {_WHAT}{_OVER}", ("I am {}.",)),
    (rf"{_OPENS}I(?:['\u2019]m| am) no longer {_WHAT}{_TAIL}{_WHY}", ("I am {}.",)),
    (rf"^\W*[Nn]ot {_WHAT}(?i: any ?more){_TAIL}{_WHY}", ("I am {}.",)),
    (rf"{_OPENS}I (?:don['\u2019]t|do not) {_WHAT}(?i:,? any ?more){_TAIL}{_WHY}", ("I {}.",)),
    (rf"{_OPENS}I no longer {_WHAT}{_TAIL}{_WHY}", ("I {}.",)),
    (
        rf"{_OPENS}I{_STOPPED} taking {_WHAT}{_TAIL}{_WHY}",
        ("I take {}.",),
    ),
    (
        rf"{_OPENS}I{_STOPPED} (?:playing )?{_WHAT}{_TAIL}{_WHY}",
        ("I play {}.",),
    ),
    (
        (
            rf"{_OPENS}[Mm]y (?P<what>[a-z]+(?: [a-z]+)?) allergy (?:is|has) "
            rf"(?:gone|over|cured|disappeared){_TAIL}{_WHY}"
        ),
        ("I am allergic to {}.", "I am allergic to {}s.", "I have a {} allergy."),
    ),
)
_ONCE = ((r"(?<=[a-z\u00df]) nicht mehr(?= )", ""), (r"不再", ""), (r"不(过敏|吃素)了", r"\1"))
_SPEAKS = r"^\W*(?:[Ii]ch (?:bin|esse|spiele|nehme|fahre|trinke|lebe) nicht mehr |我)"


def was(sentence: str) -> tuple[str, ...]:
    """Return how what *sentence* says is over was said once, in each way; none if nothing is."""
    if salience.is_question(sentence) or assertion_en.is_jest(sentence):
        return ()
    for pattern, before in _FORMS:
        found = re.match(pattern, sentence)
        if found and not re.search(assertion_en.DOUBT, found["why"] or ""):
            return tuple(each.format(found["what"]) for each in before)
    if re.match(_SPEAKS, sentence):
        for over, instead in _ONCE:
            if len(re.findall(over, sentence)) == 1:
                return (re.sub(over, instead, sentence),)
    return ()
