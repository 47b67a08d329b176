"""Tell what passes of what somebody says of their life: jest, the hour, nothing in particular.

What is kept is asserted in earnest, of something that is told, and lasts beyond the day. English
alone is read.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import assertion_en, definites, relations, shell_nouns

# Something, somebody: what it is nobody will know.
_VAGUE = (
    r"(?:everything|anything|something|nothing|stuff|things|whatever|somehow|someone|somebody"
    r"|everyone|everybody)\b(?! (?:who|with|from|made|in|at|named|called|that)\b)"
    r"|(?:like|love|hate|met|meet|know|have)s? (?:\w+ )?people\b(?! (?:who|that|with|in|from)\b)"
    r"|(?:met|meet) (?:a few|some|many|lots of|people)\b|(?:that way|everywhere|anywhere)\b"
    r"|my (?:friend|roommate|neighbou?r|cousin"
    r"|boss)['\u2019]?s \w+"
    r"|your?\b|(?:the|those|these) (?:[\w-]+ ){1,3}ones?\b|bad ones\b|i meant\b"
    r"|(?:another|the other|a new|the same) one\b|(?:about|with|to) anyone\b"
    r"|another (?!(?:year|week|month|day|hour|country|city|language|job|kid|baby|child)\b)\w+"
    r"|(?:like|love|hate|enjoy|want)d? (?:how|that|when|what|it|this|these|those)\b"
    r"|(?:like|love|hate|enjoy)d? (?:all|most|some) of the\b|love some\b"
    r"|(?:to|at|with|from|about|on) this"
    r" (?!(?:year|week\w*|month|summer|winter|semester|spring|fall)\b)"
    r"|(?:couple|lot|lots) (?:of )?things\b|all (?:kinds|sorts)(?=\W*$)|that (?:night|day"
    r"|morning|week|year|summer)\b"
    r"|(?:one|two|three) or (?:two|three|four)(?= (?:a|per|each)\b|\W*$)"
    r"|my favou?rites? (?:is|was|are|were)\b"
    # Some projects, a few classes: which, and of what, is not said.
    r"|(?:a couple|a few|some|several) (?:of )?(?:[a-z-]+ )?[a-z-]+s(?: (?:this|last"
    r"|next) \w+)?\W*$"
    r"|(?:try|play|into|do|did|like|love|hate|see|hear|support|use|enjoy|spend) that\b"
    r"(?! (?:i|we|my|the|he|she|they|it|people|is)\b)"
    r"|(?:have|has) (?:an?|one|two|three|\d) (?:left\b|(?:month|week|day|year|hour)s?(?=,|\W*$))"
    r"|(?:have|has|had|got) (?:only |just |about )*[\w-]+ (?:hours?|days?|weeks?|months?) left\b"
    r"|a bunch (?:of )?others\b|\w+ing (?:more|better) than \w+ing\W*$"
    r"|any other\b(?!.*\bthan\b)|rounds? \d"
    r"|the same (?!school|class|team|company|time|day|as\b)|tons of\b"
    # To visit whom, to try what.
    r"|(?:visit|use|try|buy|bring|wear)(?=\W*$| (?:about|once|twice|often|sometimes|every)\b)"
)
# Said against what stood before, or as one more opinion: a clause that only answers.
_RIPOSTE = (
    r"(?:though|tho|anyways?)(?=\W*$|, | (?:at|in|on|for|from|so)\b)"
    r"|(?:but|or) whatever\b|fight me\b"
    r"|^(?:i|we) even\b|of the opinion\b|i was like\b"
    r"|(?:or something|if you ask me|for example|i guess|who knows|change my mind|no offense"
    r"|in my opinion|my opinion|imo|i never left|don['\u2019]?t judge|never been(?! (?:to|in|on)"
    r"\b))\b"
    r"|(?:better|worse|the (?:best|most))\W*$|only if\b|either\b(?!.*\bor\b)|sake\b"
    r"|i think\W*$|is a (?:lie|joke|mess|disaster|wreck)\b"
)
# What passes through a mind while it talks, and what has to be done before long.
_THOUGHT = (
    r"^(?:(?:i|we)(?:['\u2019](?:m|ve|d))?|im|ive)? ?(?:(?:am|was|were|did|do|of course|just|also"
    r"|really|still|always|never|have|had|start(?:ed)?|began|\w+ly) )*"
    r"(?:think|thought|guess|guessed|meant|said|admit\w*|notic\w*|wonder\w*|remember\w*|realiz\w*"
    r"|realis\w*|figur(?:e|ed|ing)|assum\w*|refer+(?:ed|ing)?|suggest\w*|argu(?:e|ed|ing)"
    r"|mention\w*|mean|meaning|hear|heard|hearing|agreed?|supposed?|found (?:that|out)|seen"
    r"|been under the impression|(?:not )?(?:exactly |really |so )?sure)\b"
    r"|^(?:i|we)(?: (?:just|really|also|still))* (?:need to|have to|got to|gotta|should|must)\b"
    r"(?!.*\b(?:every|each|daily)\b)|^(?:i )?(?: \w+){0,3} ?don['\u2019]?t want to\b"
)
# What did not happen is seldom asked for; what has not been for years is a way of life.
_NOT_DONE = (
    r"^(?:(?:i|we) )?(?:(?:still|just|even|really|also|actually) )*"
    r"(?:didn['\u2019]?t|did not|haven['\u2019]?t|have not|hadn['\u2019]?t)\b"
    r"(?!.*\b(?:years|months|ages|since|\d{4})\b)"
)
_OF_THE_DAY = (
    r"\b(?:(?:til+|until) (?:next |this )?\w+day|today|tonight|tomorrow|(?:ready|time) for bed"
    r"|this (?:morning|afternoon"
    r"|evening)|rig?ht? no?w|in a (?:bit|minute"
    r"|sec\w*)"
    r"|for a (?:little )?bit|(?:\d+|a few|ten|five) (?:more )?min\w*|for (?:dinner|lunch|breakfast)"
    r"|in \d[\d.]* (?:hours?|minutes?|mins?))\b"
)
_LIFES = (
    r"\b(?:born|died|passed away|married|engaged|pregnant|hired|fired|accepted|offered|promot\w+"
    r"|graduat\w+|moved|moving|quit|resign\w*|notice|diagnos\w+|surgery|hospital|adopted|bought"
    r"|sold|won|signed|broke|accident|job|interview|exam|results?|every|each|a day|per day)\b"
)
# Daily food and ways, and the ground on which a tale begins.
_DAILY = (
    r"(?:ate|had|eating) (?:breakfast|lunch|dinner)\b"
    r"|^(?:i|we) (?:just |also |actually )*(?:ate|drank|slept|chewed|fell asleep|ran into"
    r"|finished my|just had"
    r"|went to the (?:bath|rest)rooms?|went to the (?:store|front|office)|took a walk)\b"
    r"|^(?:i|we) (?:was|were) on (?:my|our|the) way\b|^i was at an? "
    r"|^(?:i['\u2019]?m|i am|we['\u2019]?re|we are) [^,]*\b(?:til+|until) (?:noon|midnight"
    r"|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?\b(?! (?-i:[A-Z])))"
    r"|(?:runny nose|stuffy nose|headache|stomach ?ache|hangover|hiccups|sore throat|sniffles)\b"
    r"|stay(?:ed)? up\b|to go(?=\W*$| (?:but|and|so|because|with)\b)"
    r"|^(?:i|we) (?:just |\w+ly )*(?:w[oa]ke|got) up\b|^(?:i|we) (?:just )?went to (?:bed|sleep)\b"
    r"|one time (?:i|we|my|when)\b|this (?:one |other )?(?:guy|girl|dude|kid|lady|woman|man|boy"
    r"|chick|person)\b|^(?:i|we) (?:just |then )*(?:started|began) (?:scream|cry|laugh|yell|shout"
    r"|freak|shak|sweat|danc|sing)\w*ing\b"
    # Who played which part, and who did what together with whom, only they know.
    r"|^my (?:\w+ )?\w+ was (?-i:[A-Z])\w+(?=,| and\b|\W*$)"
    r"|^we (?:first )?met\b(?!.*\b(?:wife|husband|married)\b)"
    r"|^we (?:\w+ )?\w+ together\b(?!.*\b(?:with|my|our)\b)"
    r"|(?:was|were) (?:going|about) to\b|starting to hurt\b|at the time\W*$"
    r"|(?:started|began|finished|quit|stopped)"
    r" (?:(?:a few|a couple|two|three|\d+) \w+ ago|right\b|already\b|today\b)"
    r"|(?:when|once|after|until) (?:i|we) (?:was|were|got|am) (?:done|finished|there)\b"
)
# Of the chat itself, of how a game stands, and of everybody's world.
_OF_THE_TALK = (
    r"this (?:site|chat|game|round|app|page|conversation|thing|show|movie|series|song)\b"
    r"|^we live in a \w+ where\b|(?:chat(?:s|ting|ted)?|conversations?|dialogues?"
    r"|talking to)\b|on (?:season|episode|chapter|level) \d"
    r"|\w+=[\"\u201c]|(?:user ?name|leader ?board|profile)\b|catch(?:ing)? up\W"
    r"|(?:1st|2nd|3rd|first|second|third|last) place\b|on a roll\b|points\b"
    r"|in the top (?:\w+)\W*$"
    r"|(?:last|this|next|first) round\b|born a\b"
)
# How a device behaves while they talk.
_TROUBLE = (
    r"(?:permission denied|error messages?|(?:does|do|did|is|was|will|would)(?: not|n['\u2019]?t)"
    r" (?:even )?(?:work|run|boot|compile|load|respond)(?:ing)?"
    r"|could(?: not|n['\u2019]?t) (?:find|get|figure)|keeps? (?:crashing|freezing)"
    r"|and it (?:just )?(?:looks?|works?|worked|seems?|runs?|ran|was (?:working|running))"
    r" (?:just )?(?:fine|ok(?:ay)?|good|well|great))\b"
)
_RESOLVE = (
    r"(?:work(?:ed|ing)? (?:really |so )?hard(?:er)?|do my best|be (?:better|happy|good))"
    r"(?=\W*$| to\b)|(?:end(?:ed)? (?:up|being)|keep \w+ing)\b|a ton of\b"
    r"|(?:lo){3,}l*\b"
)
# Quoted, or played: `*waves*`.
_MARKED = r"^[\"\u201c]|^['\u2018](?-i:[A-Z])|\*[a-z' ]+\*"
# All but what stands for a whole clause begins where a word does, and is looked for nowhere else.
_IDLE = re.compile(
    rf"(?i){_THOUGHT}|{_NOT_DONE}|{_MARKED}"
    rf"|\b(?:{_VAGUE}|{_RIPOSTE}|{_DAILY}|{_OF_THE_TALK}|{_RESOLVE}|{_TROUBLE})"
)
_DATED = re.compile(f"(?i){_OF_THE_DAY}")
_EVENT = re.compile(f"(?i){_LIFES}|\\bmy {relations.RELATION} (?:is|has) (?:been )?(?:in|at)\\b")


def is_idle(text: str) -> bool:
    """Whether *text*, a clause about its speaker, is nothing that will be asked for.

    What is of something that only the talk says which it is, is none either.
    """
    return is_passing(text) or definites.hangs(text) or shell_nouns.is_bare(text)


def is_passing(text: str) -> bool:
    """Whether *text* is said in jest, of the hour, or of nothing in particular."""
    if assertion_en.is_jest(text) or text.isupper() or _IDLE.search(text):
        return True
    return _DATED.search(text) is not None and _EVENT.search(text) is None
