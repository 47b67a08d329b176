"""Tell a speaker's own words from those of others that they repeat without quotation marks.

`My sister was like, I work at Tesla now`: what stands behind the verb, to the end of the sentence,
is hers.
"""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

import re

from vaultmem.documents.patterns import compiled
from vaultmem.nlp.extraction.grammar.relations import RELATION_ZH

_LONGEST = 400
"""Characters of a sentence that are looked at; of a longer one nothing is claimed anyway."""

_INTERJECTIONS = r"(?:[\w'\u2019]+(?: [\w'\u2019]+)?, ){0,3}"
_I = rf"{_INTERJECTIONS}(?:i|im|ive|we|my|our)\b"
_I_AT_ONCE = r"(?:(?:i|im|ive|we)\b|(?:my|our) [\w-]+ (?:is|was|has|works?|lives?)\b)"
_NOUN = r"(?!(?:and|but|so|who|is|was|are|were|has)\b)[\w-]+"
_SOMEBODY = (
    r"\b(?:s?he|they|who|(?:some|every)(?:one|body)"
    rf"|(?:my|our|the|his|her|their|this|that|an?) {_NOUN}(?: {_NOUN}){{0,4}}?|mum|mom|dad"
    r"|(?-i:(?!(?:That|This|It|All|So|I|We|You|What|Having|Being|Enough|There|Here|As|Easier)\b)"
    r"[A-Z])[\w-]+)"
)
_IS = r"(?:['\u2019](?:s|re)| (?:is|are|was|were|be|been|being))"
_JUST = (
    r"(?: (?:all|just|so|totally|always|then|basically|literally|really|still|suddenly|only"
    r"|kind of))*"
)
_SAYS = (
    r" (?:go|goes|went|says?|said|repl(?:y|ies|ied)|answers?|answered|texts?|texted|writes?|wrote"
    r"|shouts?|shouted|yells?|yelled|whispers?|whispered|adds?|added|screams?|screamed|mutters?"
    r"|muttered|laughs?|laughed|cries|cried|announces?|announced|explains?|explained|insists?"
    r"|insisted|asks?|asked|jokes?|joked|(?:tells?|told) (?:me|us|them|him|her|every\w+|people))"
    r"(?: (?:back|on|to me|at me|all|like))*"
)
_ICH_AT_ONCE = r"(?:ich|wir|mein\w*|unser\w*)\b"
_ICH = f"{_INTERJECTIONS}{_ICH_AT_ONCE}"
_JEMAND = (
    r"(?:\b(?:er|sie|(?:mein|unser|sein|ihr)\w* \w+)"
    r"|^\W*(?:(?:und|aber|dann|da) )*(?-i:(?!(?:So|Also|Es|Das|Ich|Wir|Ja|Na)\b)"
    r"[A-Z\u00c4\u00d6\u00dc])\w+)"
)
_HALT = r"(?: (?:dann|halt|nur|voll|einfach|wieder|gleich|total|auch|ganz|immer|dauernd|wohl))*"
_RUFT = (
    r" (?:ruft|rief|schreibt|schrieb|antwortete?t?|fl\u00fcsterte?t?|fragte?t?|schreit|schrie"
    r"|entgegnete?t?|erwiderte?t?|br\u00fcllte?t?|jammerte?t?|verk\u00fcndete?t?|erg\u00e4nzte?t?"
    r"|st\u00f6hnte?t?|lachte?t?)(?: (?:mir|uns|zur\u00fcck|laut))*"
)
_SAY_ZH = (
    "(?:就|又|还|总|一直|直接|突然|忽然|[跟对]我|大声)*"
    "(?:喊|嚷|吼|答|回答|回复|回|表示|写|问|讲|抱怨|强调|解释|宣布|来了?一?句|说)(?:道|着|了|过)?"
)
_QUOTATIVE = (
    rf"(?i){_SOMEBODY}(?:{_IS}{_JUST} like(?:[,:] ?(?={_I})| (?={_I_AT_ONCE}))"
    rf"|{_IS}{_JUST} all[,:] (?={_I})|{_SAYS}[,:] (?={_I}))"
)
_QUOTATIVE_DE = (
    rf"(?i){_JEMAND}(?:(?: (?:ist|war|sind|waren|macht))?{_HALT} so"
    rf"(?:[,:] (?={_ICH})| (?={_ICH_AT_ONCE}))|{_RUFT}[,:] (?={_ICH}))"
)
_QUOTATIVE_ZH = f"(?:[他她]们?|有人|大家|别人|{RELATION_ZH}){_SAY_ZH}[，,：:]\\s?(?=我)"
# `Wherever he goes, I live in Leeds`: there nobody speaks.
_WHEN = re.compile(
    r"(?i)\b(?:when\w*|where\w*|if|as|than|how\w*|before|until|till|while|once|since|because"
    r"|unless|wenn|wo|falls|als|w\u00e4hrend|bis|weil) $"
)


_JOINED = re.compile(r"(?i)[\s,;，；]*(?:\b(?:and|but|so|then|und|aber|da|dann)\b[\s,]*)*$")


def own(sentence: str) -> str:
    """Return *sentence* up to the clause in which another speaks, all of it where none does."""
    opening = sentence[:_LONGEST]
    starts = (
        found.start()
        for pattern in (_QUOTATIVE, _QUOTATIVE_DE, _QUOTATIVE_ZH)
        for found in compiled(pattern).finditer(opening)
        if not _WHEN.search(opening[: found.start()])
    )
    start = min(starts, default=None)
    return sentence if start is None else _JOINED.sub("", sentence[:start])
