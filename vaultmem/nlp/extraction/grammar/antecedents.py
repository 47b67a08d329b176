"""Whether a person or place that an English sentence points at stands in it.

A pronoun of a person needs somebody before it. As the object of a verb it cannot be that verb's
own subject (principle B of Chomsky's binding theory, 1981): in `My aunt can let him in`, `him` is
somebody else, of whom only another sentence tells.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.text.stopwords import STOP

_OF_A_PERSON = re.compile(r"\b(?:he|she|him|her|hers|his)\b", re.IGNORECASE)
_SOMEBODY = re.compile(
    rf"\b(?:{relations.RELATION}|who|somebody|someone|guy|girl|boy|man|woman|lady|kid|person|dude"
    r"|student|driver|dog|cat|puppy|kitten|horse|fellow|human|nurse|coach|chef|agent|landlady"
    r"|[a-z]{3,}(?:er|or|ist|ian|ess))\b"
    r"|\b(?<!\bin )(?<!\bat )(?-i:(?!I\b)[A-Z][a-z]+)"
)
_IN_A_PLACE = r"\b(?:in|at|to|from|near) (?:the )?[A-Z]\w+(?: [A-Z]\w+)*"
# No person ends a word so, common as it is.
_NOBODY = re.compile(
    r"(?:ever|never|over|after|under|other|another|either|number|order|water|paper|letter|better"
    r"|later|rather|whether|together|matter|dinner|winter|summer|weather|computer|for|or|door|floor"
    r"|color|colour|flavor|error|doctorate|less|unless|business|process|success|address|dress|mess"
    r"|stress|fitness|illness|list|exist|consist|twist|fist|first|er|minister)\b"
)
# The object of the only verb before it: no clause, preposition or second person stands between.
_AS_OBJECT = re.compile(
    r"(?i)^(?:(?!\b(?:and|but|or|so|that|who|when|while|because|if|to|for|with|of|from|about|by|let"
    r"|after|before|since)\b|[;:!?]).)*? (?:\w+) (?:him|them|her(?= (?:in|out|up|on|off"
    r"|at|there|home|again|to|for|from|about)\b|\W*$))\b"
)
_THERE = re.compile(
    r"(?i)\b(?:from|up|down|in|over|back|of|near|out|work(?:ed)?|lived?|stay(?:ed)?|start|go"
    r"|goes|went|gone|been"
    r"|moved?|get|got|study|teach"
    r"|(?:go|work|liv|stay|study|teach|mov|com|eat|play)ing"
    r"|eat|ate|play|played|up|born|came|come|arrived?|is) t?here\b"
    r"|(?<!out )(?<!over )\bthere\W*$|^(?:the|an?|my|our) (?:\w+ ){1,2}there (?:is|are|was"
    r"|costs?)\b"
)
# The first of what, all three of whom.
_OF_SEVERAL = re.compile(
    r"(?i)^the (?:first|second|third|last|next|other)(?: one)? (?:is|was|costs?)\b"
    r"|^the (?:\w+ ){1,3}ones?\b"
    r"|\ball (?:two|three|four|five|six)\b(?! (?:of )?(?:my |our |the )?\w+s\b)"
)
# What is done to it, or stands before it: it is a thing, and no weather.
_OF_A_THING = re.compile(
    r"(?i)\b(?:see|saw|of|for|with|about|on|into|like|liked?|loved?|hated?|ma[dk]e|did|do|got?"
    r"|get|bring"
    r"|brought|want(?:ed)?|buy|bought|had|have|watch(?:ed)?|used?|read|eat|ate|tr(?:y|ied)|know"
    r"|knew"
    r"|\w{2,}ing|need(?:ed)?|finish(?:ed)?|start(?:ed)?|took|take|found|find|gave|give|told|sold|sell|put"
    r"|put it"
    r"|play(?:ed)?|wear|wore|call(?:ed)?|keep|kept|jump(?:ed)?|clear(?:ed)?|fix(?:ed)?|win|won"
    r"|to \w+|after|before|during|without|than"
    r"|\w{4,}(?<!that)(?<!when)(?= it\W*$)|reach(?:ed)?|climb(?:ed)?|rode|ride|lift(?:ed)?"
    r"|bake[ds]?|cook(?:ed)?) it\b(?! (?:off"
    r"|out)\b)"
)
# What is about it is not it: `I wrote a long review about it`.
_ABOUT_IT = re.compile(
    r"(?i)\b(?:an?|the|my|our|some|two|three|\d+) (?:[\w-]+ ){1,3}(?:about|on|for|of|to) it\b"
)
_NO_THING = (
    rf"(?!dog|cat|puppy|kitten|horse|bird|fish|pet|baby){relations.RELATION}|friends?|bit|lot"
    rf"|time|few"
    r"|copy|part|piece"
)
_A_THING = re.compile(
    rf"(?i)\b(?:the|an?|this|another|some|every|his|her|our"
    rf"|my)(?! (?:{_NO_THING})\b) [\w'\u2019-]+|(?<=\s)(?-i:[A-Z])\w+|\b\d"
)
_OF_SOME = re.compile(r"(?i)\b(?:them|they|their)\b")
_SOME = re.compile(
    rf"(?i)\b(?!(?:{relations.RELATION}|is|was|has|does|this|us|always|says|minutes|hours|days"
    rf"|weeks"
    r"|months|years|times)\b)\w{{2,}}(?<!s)s\b"
    rf"|\b(?:people|kids|children|everyone|everybody|team|family|police|both|two|three|four|five"
    rf"|six"
    rf"|some|many|most|anyone|somebody|someone|company|men|women|{relations.RELATION}s"
    r"|class|band|crew|office|company|store|school)\b"
    r"|(?-i:\b[A-Z]\w+ and [A-Z])"
)
_PLACED = re.compile(
    r"\b(?:in|at|near|from) (?:the |my |our |a )?\w{3,}"
    r"|\bto (?:the|my|our|a) \w{3,}|(?<=\s)[A-Z][a-z]+"
)


def hangs(text: str) -> bool:
    """Whether *text* points at somebody or somewhere that only another sentence names."""
    person = _OF_A_PERSON.search(text)
    if person and not _knows_somebody(text[: person.start()], person[0]):
        return True
    if _AS_OBJECT.match(text) or _OF_SEVERAL.search(text):
        return True
    if _lacks(_OF_A_THING, _A_THING, text) or _lacks(_OF_SOME, _SOME, text):
        return True
    there = _THERE.search(text)
    return there is not None and _PLACED.search(text[: there.start()]) is None


def _lacks(pronoun: re.Pattern[str], antecedent: re.Pattern[str], text: str) -> bool:
    """Whether *text* has the *pronoun*, and before it nothing that it could stand for."""
    found = pronoun.search(text)
    if found is None:
        return False
    within = _ABOUT_IT.search(text)
    return antecedent.search(text[: within.start() if within else found.start()]) is None


def _knows_somebody(before: str, pronoun: str) -> bool:
    """Whether *before* names somebody for whom the *pronoun* may stand: she is no father."""
    found = (it[0] for it in _SOMEBODY.finditer(re.sub(_IN_A_PLACE, "", before)))
    # What opens a sentence has a capital, too.
    known = (
        w for w in found if not (_NOBODY.fullmatch(w) or (w[0].isupper() and w.lower() in STOP))
    )
    return any(relations.may_be(word.lower(), pronoun) for word in known)
