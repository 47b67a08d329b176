"""Tell news from pleasantry, one sentence at a time.

News is who did, decided or plans what, and when; a pleasantry answers to the other's news. The
patterns are compiled by `re` on first use, for the sake of commands that never summarize.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS

# An attachment's caption is the program's word, not the speaker's.
_TAG = (
    r"(?i)\[(?:shares?|shared|sends?|sent|attach\w*|image|photo|picture|video|gif|sticker|voice"
    r"|audio)\b[^\[\]]{0,400}\](?!\()"
)
_QUESTION = "[?\uff1f][^\\w]*$|[\u5417\u5462][\u3002\uff01!]*$"
# Asked without a mark, as in chat: `did u get a place`, `hows ur mum`.
_ASKS = (
    r"(?:(?:so|and|but|btw|ok|okay|oh|wait|hey|omg|lol|anyway|yo|also|well|aw|haha)[, ]+)*"
    r"(?:(?:did|do|does|are|is|was|were|have|has|can|could|will|would|should|shud|shd|wanna)"
    r" (?:u|you|ya|ur|your)\b|(?:did|does|is|was|has|should|shall|can|could|will) (?:he|she|they"
    r"|we|i|it)"
    r"\b|do (?:i|we)\b|should (?!be\b|have\b|\w+ed\b)\w+|(?:do|does|did|has|have|can|is|are)"
    r" any(?:one"
    r"|body)\b"
    r"|(?:how|what|where|who|why|which|when)(?: (?:is|are|was|were|did|do|does|r|u|ur|about)\b"
    r"|['\u2019]?(?:s|re)\b(?= ))|since when\b|(?:what|which) \w+ (?:is|are|do|does) (?:the|my|our"
    r"|we|you|u)\b|how come\b|what if\b)[^.!]*$"
)
# Asked by its word alone; behind a verb of knowing it is told, and with `\u90fd` or `\u4e5f` it is
# whatever there is.
_ASKS_ZH = (
    "^(?!.*(?:\u77e5\u9053|\u660e\u767d|\u544a\u8bc9|\u8bb0\u5f97|\u53d1\u73b0|\u51b3\u5b9a"
    "|\u8bf4\u660e|\u53d6\u51b3|\u65e0\u8bba|\u4e0d\u7ba1|\u770b\u770b|\u95ee))"
    "[^\u90fd\u4e5f\u6ca1\u4e0d]*(?:\u4ec0\u4e48\u65f6\u5019|\u600e\u4e48\u6837|\u600e\u4e48\u529e"
    "|\u4e3a\u4ec0\u4e48|\u591a\u5c11"
    "|\u54ea[\u513f\u91cc\u4e2a\u5929\u5bb6]|\u8c01|\u4ec0\u4e48"
    "|(?<![\u5341\u597d])\u51e0(?=[\u5e74\u70b9\u5c81\u53f7\u6708]))[^\u90fd\u4e5f]*$"
    "|(?:\u662f\u4e0d\u662f|\u6709\u6ca1\u6709|\u8981\u4e0d\u8981|\u80fd\u4e0d\u80fd"
    "|\u4f1a\u4e0d\u4f1a"
    "|\u597d\u4e0d\u597d|\u884c\u4e0d\u884c"
    "|\u53ef\u4e0d\u53ef\u4ee5)(?<!\u60f3\u597d...)[^\u60f3\u51b3\u5b9a\u770b]*$"
)
# Patterns in small letters are asked of small letters: to ignore case takes three times as long.
# What `re` would take for an i or an s, and lower() does not.
_SMALL = str.maketrans("\u0130\u0131\u017f", "iis")
_PLAN = (
    r"\b(?:going to|gonna|plan(?:s|ning)? (?:to|on|for)|thinking (?:of|about)|considering"
    r"|hop(?:e|ing) to|looking (?:into|for|forward to)|working on|starting|applying|researching"
    r"|preparing|training|signing up|moving|learning|building|writing|organizing|launching"
    r"|opening|running for|want(?:s|ed)? to|wanna|must|needs? to|have to|deadline|due|goal"
    r"|decision|prefers?|allergic|works? (?:as|at|for)|lives? in|never|always)\b"
)
_WHEN = (
    r"\b(?:yesterday|today|tonight|tomorrow|ago|since|just|recently|lately"
    r"|(?:last|next|this|past|every|each) (?:few )?(?:night|week|month|year|spring|summer|autumn"
    r"|fall|winter|mon|tue|wed|thu|fri|sat|sun)\w*)\b"
    "|\u6628\u5929|\u4eca\u5929|\u660e\u5929|\u5468\u672b|\u53bb\u5e74|\u660e\u5e74"
    "|[\u4e0a\u4e0b]\u4e2a?[\u5468\u6708]"
)
_SELF = r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur|[Mm]e|[Uu]s)\b|[\u6211\u79c1]"
_OTHER = r"\b(?:[Yy]ou(?:r|rs|rself)?|u|ur)\b|[\u4f60\u60a8]"
_LEANING = (
    r"(?:(?:and|but|so|also|then|plus|yeah|yes|yep|well|oh|wow|turns out),? )*"
    r"(?:it|its|that|this|those|these|they|them|their|he|she|his|her|one|there"
    r"|the (?:one|first|second|other))\b"
)
_REACTION = (
    r"(?:oh|wow|woah|whoa|yay|ah|aw+|ooh|nice|cool|great|awesome|amazing|congrats"
    r"|congratulations|thanks|thank|sorry|glad|happy to hear|good|no (?:worries|problem|doubt)"
    r"|sounds|looks|keep|can't wait|let me know|take care|bye|hi|hey|hello|of course|absolutely"
    r"|totally|exactly|agreed|same|you're|you are|you'll|you've|you'd|your|let's|that's|i agree"
    r"|i'm (?:so )?(?:proud|happy|glad|sorry)|i bet|i hear you|i know)\b"
)
_PLATITUDE = (
    r"\b(?:is (?:so |really |super |very )?(?:important|key|vital|essential|everything"
    r"|crucial)|means? a lot|so proud|thank(?:s| you)|we all|important to|keep (?:it )?up"
    r"|take a look|check (?:it|this|that) out|here's (?:a|the|my|one|some)|long time"
    r"|make a difference|something \w+ happened|feels? (?:like|so|really))\b"
)
_INNER = (
    r"\b(?:ma(?:ke|kes|de|king) (?:me|us|you)|(?:left|got|gets|keeps?|kept|gives?|gave|taught"
    r"|reminds?|reminded|motivates?|motivated|inspires?|inspired) (?:me|us)|feel(?:s|ing)?|felt"
    r"|keep going|grateful|thankful)\b"
)
# What opens an utterance and says nothing, up to where the speaker begins anew.
_LEAD = (
    r"(?i)(?:[^,;\u2013\u2014-]{0,60}\b(?:happened|going on|something cool)\b"
    r"[^,;\u2013\u2014-]{0,40} ?[,;:\u2013\u2014-] ?)?"
    r"(?:(?:yeah|yes|yep|yup|well|so|oh|wow|hey|hi|actually|anyways?|also|and|but|btw|by the way"
    r"|on another note|in the meantime|in other news|lol|haha|honestly|to be honest|guess what"
    r"|good news|great news|definitely|absolutely|thanks|thank you|then again|just asking"
    r"|(?:ha ?)+ha) ?[,:;!\u2013\u2014-]* )*"
    r"(?=(?:I|My|We|Last)\b)"
)
_PRONOUN = r"\b(?:he|she|him|her|they|them|it|(?:this|that)(?=\W*$))\b"

# A pronoun after fewer words than this stands for something outside the sentence.
_ANTECEDENT = 6
# So many words after "I", or at the start, the verb must have come.
_REACH = 3
_LEAST_WORDS, _LEAST_TERMS = 5, 2


def spoken(text: str) -> str:
    """Return *text* without captions of attachments; where one stood, a sentence ends.

    A text with fenced code is left alone, since brackets mean something else there.
    """
    return text if "```" in text or "~~~" in text else re.sub(_TAG, "\n\n", text)


def without_lead(sentence: str) -> str:
    """Return *sentence* from where it begins to tell, if that reads as a sentence of its own."""
    lead = re.match(_LEAD, sentence)
    rest = sentence[lead.end() :] if lead else ""
    return rest if rest[:1].isupper() or (rest and sentence[:1].islower()) else sentence


def is_question(sentence: str) -> bool:
    """Whether *sentence* asks."""
    asked = re.search(_QUESTION, sentence) or re.search(_ASKS_ZH, sentence)
    return asked is not None or re.match(_ASKS, sentence[:1].lower() + sentence[1:]) is not None


def is_news(sentence: str, terms: Sequence[str]) -> bool:
    """Whether *sentence*, about *terms*, can stand in a summary at all."""
    if is_question(sentence) or len(set(terms)) < _LEAST_TERMS:
        return False
    return analysis.is_cjk(sentence) or analysis.size(sentence) >= _LEAST_WORDS


def substance(sentence: str, heads: Sequence[str] = ()) -> float:
    """Weigh what *sentence* tells: something done, planned, dated, first hand.

    The weights were tuned by reading; only their order matters much. Who knows its *heads* can
    give them.
    """
    words, plain = heads or analysis.heads(sentence), sentence.translate(_SMALL).lower()
    weight = 1.0
    weight += 0.9 * (not EVENTS.isdisjoint(words))
    weight += 0.6 * bool(re.search(_PLAN, plain))
    weight += 0.7 * bool(re.search(_WHEN, plain))
    weight += 0.5 * bool(re.search(_SELF, sentence))
    weight += 0.5 * _is_deed(words)
    return weight * _doubt(sentence, plain)


def _is_deed(words: Sequence[str]) -> bool:
    """Whether the speaker does something: `I just signed up`, or `Just signed up`."""
    starts = [-1, *(i for i, word in enumerate(words) if word in {"i", "we"})]
    return any(_is_doing(word) for i in starts for word in words[i + 1 : i + 1 + _REACH])


def _is_doing(word: str) -> bool:
    return word in EVENTS or (len(word) > _LEAST_WORDS and word.endswith(("ed", "ing")))


def _doubt(sentence: str, plain: str) -> float:
    """Return how much is left when a sentence leans on others or is addressed to them."""
    left = 1.0
    left *= 0.45 if re.match(_LEANING, plain) else 1.0
    left *= 0.4 if re.match(_REACTION, plain) else 1.0
    left *= 0.5 if re.search(_PLATITUDE, plain) else 1.0
    left *= 0.6 if re.search(_INNER, plain) else 1.0
    left *= 0.5 if _hangs(plain) else 1.0
    if re.search(_OTHER, sentence):
        left *= 0.7 if re.search(_SELF, sentence) else 0.35
    return left


def _hangs(sentence: str) -> bool:
    pronoun = re.search(_PRONOUN, sentence)
    return pronoun is not None and analysis.size(sentence[: pronoun.start()]) < _ANTECEDENT
