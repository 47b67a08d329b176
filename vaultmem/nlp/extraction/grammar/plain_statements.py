"""Whether what somebody says among people of their life can be told as it stands.

Precision before recall: told is a short and whole sentence in the first person, in its speaker's
own words, of something that it names. What is left out is quoted or typed matter, chat noise, jest,
the trouble and the tasks of the hour, and what only moves somebody or occurs to them. English alone
is read.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import assertion_en, relations

_MOST_WORDS = 26
_TIME = (
    r"(?:yesterday|recently|lately|currently|finally|today|(?:last|this|next) \w+"
    r"|(?:two|three|a few|\d+) \w+ ago|on \w+day|in (?:\d{4}|(?-i:[A-Z])\w+|the \w+)"
    r"|when i was [^,]{2,30}|as a (?:kid|child|teen\w*)|in (?:high|middle|elementary) school)"
)
# Who opens with `but`, `so` or `because` answers something that is not told.
_OPENS = (
    rf"(?i)(?:(?:yes|yeah|oh|wow|well|also|and|plus|hey|btw|{_TIME})"
    r"(?: (?-i:[A-Z])\w+)?[,!.]* )*"
)
_OURS = (
    rf"{relations.RELATION}|family|house|home|flat|apartment|wedding|anniversary|honeymoon|kids"
    r"|parents|folks|pets?|shop|store|farm|garden|studio|job|car|boss|birthday|name|area|favou?rite"
)
# `We` of a firm or a list is nobody by name, and what it has or is only those know who talk.
_SPEAKER = (
    rf"(?i:i|im|ive|(?:my|our) (?:[\w-]+ )?(?:{_OURS})"
    r"|we(?!['\u2019]| (?:just |also |still )*(?:are|have|had|use|do|did|will|get|need|know)\b)"
    r"|we(?:['\u2019]re| are)(?= (?:\w+ )?(?:moving|getting|adopting|expecting|married|engaged"
    r"|considering adopting|buying|renting)\b))\b"
)
_TYPED = r"://|www\.|[<>{}\[\]|*_=#@^~\\`/]|\W\W\W\W|\w\.\w+\.\w|^\W|[a-z]\d+[a-z]|--\w|\d\.\d+\.\d"
_FACE = r"[:;=][-o'\u2019]?[)(DdPpxXoO/\\|3\]\[]+(?!\w)|<3|\^_\^"
_NOISE = (
    r"(?i)\b(?:lol|lmao|rofl|(?:ha){2,}h?|heh\w*|hmm*|ugh+|eh|meh|nah|wtf|imho|imo|afaik|iirc|atm"
    r"|gonna|wanna|gotta|dunno|kinda|sorta|dude|y'?all|damn|shit\w*|fuck\w*|crap|thats|er+)\b"
)
# A title alone is quoted in one's own words.
_TITLE = re.compile(r"[\"\u201c][A-Z0-9][^\"\u201c\u201d]{1,60}[\"\u201d]")
_QUOTE = r"[\"\u201c\u201d]"
_ENDS_OPEN = (
    r"(?i)\b(?:at|in|on|by|from|into|than|under|over|behind|through|during|until|since|if|not|very|more|be"
    r"|been|being|has|have|had|actually|around|somehow|afterwards|yet|though)\W*$"
)
_GUESSED = (
    r"(?i)\b(?:i (?:believe|think|guess|suppose|bet|doubt|mean|hope|feel|assume|imagine)"
    r"|(?:am|['\u2019]m) (?:afraid|sure|not sure)|would|could|might|(?-i:(?<!in )may)|should|must"
    r"|seems?|apparently|perhaps|maybe|probably|somewhat|supposed(?:ly)?|if|unless|wonder\w*|realiz\w*"
    r"|realis\w*|(?:learned|learnt|found|decided|chose|noticed) (?:that|not|out)|pretty much)\b"
)
# What it is of, or more than what, only the talk around it says.
_LEANS = (
    r"(?i)\b(?:bigger|smaller|better|worse|cheaper|more(?! (?:into|of|my))|less)\b(?!.*\bthan\b)"
    r"|\b(?:that (?:all|does|makes|one|was|is)|there|here|next to|finished (?:on|last|yesterday))\b"
    r"|\b(?:similar|such|the same|likewise|instead|otherwise|either|neither|too|as well|therefore"
    r"|the (?:\w+ )?(?:idea|fact|way|latest|recently|following|above|first one|other)"
    r"|these|those|another|a few(?! (?:years|months|weeks|days))|an? (?:bit|lot|bunch)|a couple"
    r"|lots? of|tons of|about \d|some|the (?:guys|others|rest|people|folks)|learn(?:ed|t) by"
    # `I have headers`: which, and for what.
    r"|i have (?!an?\b|my\b|our\b|one\b|two\b|three\b|four\b|five\b|\d|been\b|always\b|never\b"
    r"|also\b|just\b|\w+(?:ed|en)\b)\w+|(?:up|open|running)(?=,|\W*$)"
    r"|things?|stuffs?|anything|something|everything|nothing|someone|somebody|anyone"
    r"|(?:have|had|has|like|love|hate|enjoy|prefer)s? the|run out|out of)\b"
)
_TROUBLE = (
    r"(?i)\b(?:problems?|issues?|bugs?|troubles?|errors?|fail(?:s|ed|ing|ures?)?|unable|lost|stuck"
    r"|annoy\w*|crash(?:es|ed|ing)?|broken|wrong|worked fine"
    r"|can(?:not|['\u2019]?t)|couldn['\u2019]?t"
    r"|won['\u2019]?t|dependenc\w+|success\w*|complain\w*|confus\w*|weird|strange)\b"
)
# What is done to a work while it is talked of, and asked for there.
_TASK = (
    r"(?i)\b(?:(?:try|tried|trying|need|needs|needed|have|had|manage[ds]?|able|tend|like) to"
    r"|looking (?:for|at|into|forward)|checked (?:in|out)|(?:chang|install|modifi|rebuil|compil"
    r"|test|fix|updat|upgrad|post|patch|committ|packag|configur|download|upload|releas|push|merg|debug"
    r"|port|renam|replac|remov|add|set|switch|click|boot|reboot|mail)(?:ed|ing|t|d)\b"
    r"|asking|telling|saying|figur\w+|(?:good|bad|great|terrible) at|posting|version"
    r"|preview|list|mailing|message|e-?mails?|thread|subject|reply|replied)\b"
)
# What moves somebody, or what they hold: nobody asks for it later.
_MOVES = (
    r"(?i)\b(?:feelings?|balance|motivat\w+|happiness|happy|dreams?|goals?|aims?|self"
    r"|difference|respect|mindset|journey|excited|thrilled|proud|glad|grateful|thankful|scared"
    r"|worried|nervous|curious|tired|busy|sorry|upset|sad|funny|tough|rough|crazy"
    r"|(?:had|having|have had|['\u2019]ve had) (?:an? )?(?:great|good|nice|fun|hard|bad|blast|quiet"
    r"|best|awesome|amazing|lovely|wonderful)\b"
    r"|immersed|realiz\w+|importan\w+|matters?|world|anyway|wants?|wish(?:es)?"
    r"|(?:am|['\u2019]m) [^,.]*\bwho)\b"
)
# It goes on with what was said, or says itself that it is an opinion.
_ANSWERS = (
    r"(?i)^\W*(?:but|so|because|cause|since|ya|imh?o|(?:yeah,? )?me (?:too|neither))\b"
    r"|\b(?:as well|either)\W*$"
)
_IN_PART = tuple(map(re.compile, (_TYPED, _FACE, _QUOTE, _ENDS_OPEN, _ANSWERS)))
_IDLE = tuple(map(re.compile, (_NOISE, _GUESSED, _LEANS, _TROUBLE, _TASK, _MOVES)))


def is_plain(text: str) -> bool:
    """Whether *text* is such a sentence."""
    opens = re.match(_OPENS, text)
    rest = text[opens.end() :] if opens else text
    return re.match(_SPEAKER, rest) is not None and is_clean(text)


def is_clean(text: str) -> bool:
    """Whether *text* is in earnest and whole, its speaker's own, and of what it names."""
    if assertion_en.is_jest(text) or text.isupper() or not is_whole(text):
        return False
    return not any(bar.search(text) for bar in _IDLE)


def is_whole(text: str) -> bool:
    """Whether *text* is short, one statement and no more, and nothing that was typed or quoted."""
    if len(text.split()) > _MOST_WORDS or "?" in text or assertion_en.is_cut(text):
        return False
    own = _TITLE.sub("", text)
    return not any(bar.search(own) for bar in _IN_PART)
