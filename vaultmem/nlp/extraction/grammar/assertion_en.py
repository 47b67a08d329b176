"""Whether an English sentence asserts what it says, of the present, in earnest, in its own name.

A question, a condition, a wish, a guess, a plan, hearsay, fiction, jest and what was cut off assert
nothing; nor does a clause that another one governs: "I think my daughter is allergic" is a guess.
"""

from __future__ import annotations

import re

from vaultmem.nlp.text import salience

_HEARSAY = (
    r"sa(?:id|ys|ying)|told|tells|claim(?:s|ed)|wrote|asked|asks|heard|according to|apparently"
    r"|supposedly|allegedly|reportedly|rumou?rs?|rumou?r has it|believes?|insists?|thinks"
)
_GUESS = (
    r"maybe|perhaps|possibly|probably|might|guess|(?<!you )think|thought|not sure|unsure"
    r"|pretty sure|seems?|doubt\w*|wonder\w*|I bet|as far as I know|I suppose|no idea"
)
_UNREAL = (
    r"if|whether|unless|in case|wish(?:es|ed)?|would|wouldn['\u2019]?t|hopefully|someday|some day"
    r"|as if|as though|had I|were I|should I|suppose[ds]?|let['\u2019]?s (?:say|pretend)"
    r"|almost|nearly|about to|(?:was|were) going to|(?:not|n['\u2019]t) (?:like|that|as if|saying"
    r"|because)|never said|far from|in (?:a|another|my (?:past|next)) life|in name only"
    r"|(?:at least|only|just) on paper|in truth|in reality"
)
_PAST = (
    r"used to|no longer|anymore|any more|back then|back when|growing up|formerly|previously|at the"
    r" time|in those days|(?:as|when I was|when we were) (?:an? )?(?:kid|child|boy|girl|teen\w*"
    r"|student|young|little|small)s?|in my (?:youth|twenties|thirties|childhood)"
)
_FICTION = (
    r"in (?:the|this|that|a|my) (?:book|film|movie|game|play|show|series|story|song|scene|novel"
    r"|dream)|my character|the (?:lead|hero|heroine|protagonist)|lyrics"
)
_RETRACTED = (
    r"not true|untrue|lie|lies|false|no,? wait|wait,? no|I mean(?:t)?|or rather|scratch that"
    r"|correction|I misspoke|as a joke|but whatever|jok(?:e|ed|ing)|kidding|sarcas\w+|ironic\w*"
)
DOUBT = rf"(?i)\b(?:{_HEARSAY}|{_GUESS}|{_UNREAL}|{_PAST}|{_FICTION}|{_RETRACTED})\b|\?"
"""What a sentence holds that asserts nothing, wherever it stands."""

# What no one says in earnest: `Oh sure, I adore queues`, `I live in Narnia, where else`.
_IRONY = (
    r"(?i)^\W*(?:oh[,!]? (?:sure|great|joy|wonderful|fantastic|lovely|perfect)|yeah,? right"
    r"|(?:great|wonderful|fantastic|lovely|brilliant|perfect), (?:because )?I)\b"
    r"|\b(?:where|who|what|how) else\W*$|^\W*news ?flash\b|\bI (?:just|so|simply) (?:love|adore"
    r"|enjoy)"
    r" (?:waiting|standing|sitting|queu?ing|being|getting|paying|cleaning|filling)\b"
)
# Lines of films and books that everybody knows: nobody is what they say.
_CITED = (
    r"(?i)\bI(?:['\u2019]?m| am) (?:the captain now|your father|groot|batman|spartacus|legend"
    r"|the law|the danger|the night|the walrus|iron man|the one who knocks"
    r"|the king of the world|the senate|inevitable)\b"
)
# Somebody else's words: `The note reads: I am in Oslo`.
_REPORT = (
    r"(?i)^[^:]{2,60}\b(?:reads?|goes|went|says?|said|stated?|announced|replied|answered|wrote"
    r"|states|shouted|whispered|email|letter|message|note|sign|text|headline|caption|slogan):\s"
)
_JEST = (
    r"(?i);[-o]?[)dp](?!\w)|:-?p(?!\w)|\b(?:lol|lmao|rofl|(?:ha){2,}h?|hehe\w*|jk|j/k|yolo|said"
    r" (?:nobody|no one)|like i (?:like|love) my)\b|/s\s*$"
    r"|[\U0001f602\U0001f923\U0001f61c\U0001f61d\U0001f643\U0001f60f\U0001f92a\U0001f609]"
)
# The last word of what was cut off.
_CUT = (
    r"(?i)\b(?:and|or|but|the|an?|of|to|with|because|so|for|from|my|our|your|his|her|their|which"
    r"|who|when|while|like|as|is|are|was|were|about|would|could|should|than|i|we)\W*$"
)
TAKEN_BACK = (
    r"(?i)^\W*(?:(?:just|only|i['\u2019]m|i am|i was|haha|no|nah|not|lol|well|ok|okay|actually|oh"
    r"|wait|sorry)[,!. ]+)*"
    r"(?:(?:kidding|joking|jk|just a joke|not really|sarcasm|only a joke|scratch that|never ?mind"
    r"|i take (?:it|that) back|i mean(?:t)?(?! it\b)|i misspoke|make that|my mistake)\b"
    r"|(?:i|we|he|she|they|it) (?:did|was|were|had|used to)(?: (?:until|till|up to)\b|\W*$))"
    r"|^\W*(?:(?:well|oh|no|wait),? )*(?:sorry|no|wait|pardon|oops|correction)"
    r"[,!.:\u2013\u2014-]+ ?(?:it['\u2019]s |it is |rather )?(?:the |on |in )?"
    r"(?:\d[\w:.]*|(?-i:[A-Z])\w+)(?:[ '\u2019-]\w+){0,2}\W*$"
)
"""A sentence that takes back what was said before it in the turn."""

_LEADS = (
    r"(?:(?:yes|yeah|yep|no|ngl|tbh|hi|hey|hello|oh|ah|well|actually|also|and|but|so|plus|btw|by"
    r" the way"
    r"|fyi|just so you know|for the record|(?:please )?(?:remember|note)(?: that)?"
    r"|keep in mind(?: that)?|don['\u2019]t forget(?: that)?|you know|i found out"
    r"|you should know(?: that)?|ok|okay|sure|thanks|thank you|sorry|honestly|personally|in fact"
    r"|besides|currently|right now|now|these days|because|since|as|though|although|while"
    r"|originally|these days|at the moment|nowadays|at present|apart from that|on top of that"
    r"|good (?:morning|afternoon|evening)|absolutely|definitely|exactly|right|wow|today"
    r"|yesterday|recently|last (?:week|month|year)|of course|i['\u2019]m afraid|unfortunately"
    r"|luckily|sadly|as you know|one more thing|in my (?:free|spare) time|at work|at home"
    r"|for (?:breakfast|lunch|dinner|work|a living))\b[\s,!.:\u2013\u2014-]*)*"
)
LEADS = _LEADS
"""What may stand before the subject of a sentence that asserts."""

_OPENS = (
    rf"(?i)(?:^|[,;:(\u2013\u2014\u2026-]\s|[!.]\s|\b(?:and|but|so|because|(?<!ever )since|as"
    rf"|though"
    rf"|although|while|where(?= I work))\s)\s*{_LEADS}$"
)


def is_asserted(sentence: str) -> bool:
    """Whether *sentence* says in earnest, and whole, what is so."""
    if salience.is_question(sentence) or re.search(DOUBT, sentence):
        return False
    if any(re.search(pattern, sentence) for pattern in (_IRONY, _CITED, _REPORT)):
        return False
    return not (is_jest(sentence) or is_cut(sentence))


def is_jest(sentence: str) -> bool:
    """Whether *sentence* is said laughing, so that nobody knows how much of it is meant."""
    return re.search(_JEST, sentence) is not None


def is_cut(sentence: str) -> bool:
    """Whether *sentence* breaks off before it ends."""
    return re.search(_CUT, sentence) is not None and not re.search(r"[.!]\W*$", sentence)


def opens_clause(before: str) -> bool:
    """Whether a subject that follows *before* opens a clause that nothing governs."""
    return re.search(_OPENS, before) is not None
