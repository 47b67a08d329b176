"""Tell what is nothing but courtesy: greetings, thanks, `ok`, small talk, how one is just now.

What is no such phrase of the lists below, whole, counts as saying something: a text of which a word
is not known may say what matters most. `Yes` and `No` are no courtesies, for they answer.
"""

from __future__ import annotations

import re

_GREETING = (
    r"(?:hi|hello|hey|hiya|howdy|yo|hallo|moin|servus|morning"
    r"|good (?:morning|afternoon|evening|night|day)|guten (?:morgen|tag|abend)|gute nacht)"
    r"(?: (?:there|again|all|everyone|everybody|folks|team))?"
    "|[\u4f60\u60a8]\u597d|\u65e9\u4e0a\u597d|\u665a\u5b89"
)
_OF_HELP = (
    r" (?:for|f\u00fcr) (?:(?:all|the|your|that|this|it|die|deine?) ?){0,3}(?:help|hilfe|info)?"
)
_THANKS = (
    r"(?:many |no )?(?:thanks|thank you|thx)(?: (?:you|so much|very much|a lot|again|a million"
    rf"|anyway))*(?:{_OF_HELP})?|cheers|much appreciated|you(?:'re| are) (?:very |most )?welcome"
    r"|(?:it was )?(?:no (?:problem|worries)|my pleasure)|don't mention it|anytime"
    rf"|(?:vielen dank|danke)(?: (?:sch\u00f6n|sehr|dir|euch|ihnen))*(?:{_OF_HELP})?|gerne?"
    r"|bitte(?: sch\u00f6n| sehr)?|keine ursache"
    "|\u8c22\u8c22\u4f60?|\u591a\u8c22|\u4e0d\u5ba2\u6c14"
)
_PRAISE = r"(?:cool|nice|great|good|awesome|perfect|wonderful|amazing|lovely|excellent|fine|super)"
_RECEIPT = (
    r"ok(?:ay|ey|i)?|k|kk|all ?right|right|got it|i see|i understand|understood|noted|fair enough"
    r"|makes sense|good to know"
    rf"|(?:(?:sounds|looks|that(?:'s| is|s)|that was) )?(?:very )?{_PRAISE}"
    r"|good one|oh|ah|aha|a?ha(?:ha)+|hm+|lol|wow|yay|phew|alles klar|verstanden|prima|klasse|toll"
    "|gut|sch\u00f6n|\u597d\u7684?|\u55ef+|\u660e\u767d\u4e86?|\u77e5\u9053\u4e86"
)
_FAREWELL = (
    r"(?:good)?bye(?: bye| for now)?|see (?:you|ya)(?: (?:later|soon|tomorrow|around|then))?|later"
    r"|talk (?:to you )?(?:soon|later)|take care|until (?:next time|tomorrow)|you too|likewise"
    r"|(?:have|enjoy) (?:a|your|the) (?:(?:very )?(?:nice|good|great|lovely|wonderful) )?"
    r"(?:day|morning|afternoon|evening|night|weekend|one|time)"
    "|tsch\u00fcss|tsch\u00fc\u00df|ciao|bis (?:bald|sp\u00e4ter|morgen|dann)"
    "|\u518d\u89c1|\u62dc\u62dc|\u660e\u5929\u89c1"
)
_TIME = r"(?: (?:now|today|tonight|again|right now|just now|at the moment))?"
_FAIR = r"(?:nice|lovely|beautiful|fine|gr[ae]y|rainy|sunny|hot|cold)"
_WEATHER = (
    rf"(?:(?:it(?:'s| is)|what|such) )?(?:an? )?{_FAIR}(?: (?:day|weather|morning|evening))?{_TIME}"
    rf"|(?:the )?weather is (?:so )?{_FAIR}{_TIME}|it(?:'s| is) (?:raining|snowing){_TIME}"
)
_STATE = (
    rf"how are (?:you|things)(?: doing)?{_TIME}|how's it going|what's (?:up|new)|and you"
    r"|wie geht(?:'s| es)(?: dir| ihnen)?|not much|nothing (?:much|new)"
    r"|(?:(?:i'm|i am|we're|we are) )?(?:doing |going )?(?:just |so |very |a (?:bit|little) )?"
    r"(?:fine|well|tired|hungry|bored|sleepy|busy|back|off to bed|going to bed|taking a break"
    rf"|having (?:lunch|dinner|breakfast|tea|coffee)){_TIME}|brb|afk|gtg"
)
_COURTESY = re.compile(
    rf"(?:(?:well|oh|ok(?:ay)?|ah|so|and|hey|hi) )*"
    rf"(?:{_GREETING}|{_THANKS}|{_RECEIPT}|{_FAREWELL}|{_WEATHER}|{_STATE})"
)
_PARTS = re.compile(r"[\s]*[.,!?;:\u2026~\u2013\u2014\n\u3002\uff0c\uff01\uff1f]+[\s]*|\s-+\s")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


def is_courtesy(text: str) -> bool:
    """Whether *text* is courtesies alone, or has no word and no figure at all."""
    parts = (_EDGES.sub("", part) for part in _PARTS.split(text.lower().replace("\u2019", "'")))
    return all(_COURTESY.fullmatch(" ".join(part.split())) for part in parts if part)
