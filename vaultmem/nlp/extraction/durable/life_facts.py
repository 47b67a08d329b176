"""Tell what a person says of their life: what they are, have, do, like, plan, and what befell them.

Of talk among people a memory keeps no more than that. A verb tells by its class whether it speaks
of a state, a habit or an event (Vendler 1957), or only of what somebody thinks, says or sees while
they talk. English alone is read.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import (
    first_hand,
    german,
    past_tense,
    plain_statements,
    relations,
)
from vaultmem.nlp.extraction.talk import idle_talk
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS, words

_LEAD = (
    r"(?i)\W*(?:(?:and|but|so|well|also|then|plus|yeah|yes|yep|oh|ok(?:ay)?|honestly|actually"
    r"|anyways?|btw|recently|lately|currently|today|yesterday|finally|last \w+|this \w+|on \w+day"
    r"|in (?:may|june|july|\d{4}|the (?:spring|summer|winter|fall|autumn))"
    r"|when i was [^,]{2,30}|as a (?:kid|child|teen\w*)|in (?:high|middle|elementary) school"
    r"|it['\u2019]s been [^,;]{1,40}(?=[,;]))[,;.! ]+)*"
)
_ADVERBS = (
    r"(?: (?:just|also|really|still|always|never|currently|recently|finally|actually|already|both"
    r"|all|mostly|usually|often|only|even|do|did|once|originally|kind of|kinda|honestly"
    r"|don['\u2019]?t|doesn['\u2019]?t|didn['\u2019]?t|\w+ly))*"
)
_I = r"(?:i|we)"
# The longest last: of `my car broke` the second word is the verb.
_WHICH = r"(?:(?:older|younger|little|big|best|new|old|whole|other) )*"
_MINE = (
    rf"(?:my|our) {_WHICH}{relations.RELATION}\b(?: (?-i:[A-Z])\w+)?",
    r"(?:my|our) [\w-]+",
    r"(?:my|our) [\w-]+ [\w-]+",
)
_IS = r"(?: am|['\u2019]m|m| are|['\u2019]re| was| were| have been|['\u2019]ve been)"
# What somebody is, and what they are at for longer than the talk.
_BEING = (
    r"(?: (?:an?|the(?! more\b)|my|from"
    r"|in (?:an?|the|my|our|(?-i:[A-Z])\w+|(?:[\w-]+ )?(?:school|college|university|grade|therapy"
    r"|rehab|debt|remission|training|sales|marketing|finance|tech|retail|charge of))(?! (?:middle"
    r"|mood|most)\b)|at|on|into|of|allergic"
    r"|vegan"
    r"|vegetarian|married|engaged|single|divorced|pregnant|born|raised|diagnosed|afraid|scared of"
    r"|good at|bad at|okay at|great at|terrible at|named|not (?:an?|allergic|into|in a)"
    r"|\d{1,2}(?= years?\b|\W*$| and\b| now\b)"
    r"|(?:not )?(?:planning|moving|working|studying|learning|living|training|saving|applying"
    r"|expecting|getting (?:married|divorced|engaged|a|an|my|our)|dating|teaching|taking|renting"
    r"|building|writing|trying to|looking for|volunteering|starting|graduating|leaving|joining"
    r"|flying|travell?ing|visiting|majoring|minoring|serving|organi[sz]ing|launching|opening"
    r"|raising|fostering|adopting|recovering|using|switching|quitting|selling|buying|hosting"
    r"|marrying|preparing|practi[cs]ing|considering|searching|reading|expanding"
    r"|going (?:to (?:(?:move|marry|start|study|visit|apply|buy|sell|retire|travel|learn|adopt|quit"
    r"|leave|open|run|graduate|build|teach|work|live|attend|compete|perform|train|spend|fly|drive"
    r"|hike|camp|join|host|have|become|major|propose)\b|(?:be|take|get) (?:an?|my|our|married)\b"
    r"|(?:the|an?|my|our|(?-i:[A-Z])\w+|\w*school|college|university)\b)|on a|back to school)"
    r"|thinking (?:of|about) \w+ing))\b)"
)
# What one gets and then has; a card with a code passes.
_GOT = (
    rf"{relations.RELATION}|job|car|bike|house|home|flat|apartment|place|degree|scholarship"
    r"|internship|license|promotion|raise|tattoo|offer|visa|divorce|pets?|puppies|kittens"
)
# An email and a place on a list pass, and so does where one got to.
_HAVING = (
    r" (?:have|has|had|['\u2019]ve got|got(?= married\b| engaged\b| (?:an?|my|two|three)"
    rf" (?:[\w-]+ ){{0,2}}?(?:{_GOT})\b))"
    r" (?!(?:never |always |just |already |also |even |still |only |ever |\w+ly )*"
    r"(?:to\b|been\b|heard\b"
    r"|seen\b|said\b|told\b|thought\b|done\b|\w+ed\b))(?!no (?:idea|clue|choice)\b"
    r"|a (?:lot|bunch) of\b"
    r"|up\b|on\b|home\b|back\b|into the\b|off\b|out\b|there\b|in\b|another one\b"
    r"|(?:one|two|three|some|none|both|any)[^\w\s]|so (?:many|much)\b|for\b|all kinds\b"
    r"|nothing\b|other \w+s\b"
    r"|(?:an?|another|your|the) (?:\w+ ){0,2}?(?:e-?mail"
    r"|text|message|call|notification|link|prompt|question|point|idea|feeling|great time"
    r"|philosophy|theory|dream|secret|confession|story"
    r"|good time)\b)"
)
_HAVE_DONE = (
    r"i['\u2019]ve (?:(?:also|never|always|already|actually|only|just|once) )*(?:been (?!here\b"
    r"|(?!work|learn|study|play|writ|train|liv|dat|teach|build|paint|volunteer|tak|see)\w+ing\b)"
    r"|had (?!to\b)|lived|worked|taken|gone|won|lost|visited|owned|played|studied|broken|moved"
    r"|bought|sold|driven|learned|learnt|travell?ed|wanted|loved|liked|hated"
    r"|got (?:an?|two|three|my)\b)"
)
_WILL = r"(?:will|['\u2019]ll) (?:be \w+ing|move|start|marry|graduate|turn)\b"
_DOES = words("""
    live lives work works study studies speak speaks play plays drive drives teach teaches run runs
    attend attends belong belongs volunteer volunteers own owns keep keeps eat eats drink drinks
    cook cooks wear wears collect collects paint paints sing sings coach coaches train trains sell
    sells grow grows rent rents raise raises visit visits bake bakes major majors
    commute commutes like likes love loves hate hates enjoy enjoys prefer prefers dislike dislikes
    want wants plan plans intend suffer suffers avoid avoids use uses take takes donate
    babysit babysits start starts begin begins finish finishes hike hikes swim swims fish fishes
    travel travels hunt hunts sleep sleeps
""")
_DID = EVENTS | words("""
    served fell rode fished hunted fractured cracked injured sprained tore crashed babysat interned
    majored coached tutored skied surfed climbed swam slept camped married divorced dated proposed
    stayed studied lived worked collected owned adopted rescued buried survived rented borrowed
    invested enrolled applied transferred commuted baked sewed knitted trained competed raced
    inherited sailed arrived retired recovered
""")
# What somebody thinks, says, sees or does with the talk: of that no memory is needed.
_NO_DEED = words("""
    said told saw asked called happened found gave read decided received presented saved posted
    watched talked walked got
""")
_LASTING = (_DOES | _DID) - _NO_DEED
# Deeds of which alone nobody will ask.
_SLIGHT = words("sent went came ran fell cut took made did gave played tried forgot left won put")
_TIED = (
    r"(?i)\b(?:my|our|last|this|next|ago|yesterday|today|since|every|as a|in (?:high|middle"
    r"|elementary|grade) school|for (?:years|\w+ years)|year|years|summer|winter|spring|fall"
    r"|semester|weekend|[a-z]+day)\b"
)
_HAS = frozenset({"is", "are", "has", "have", "was", "were", "had"})
_WORKS = (
    r"runs?|opens?|closes?|starts?|ends?|costs?|takes?|expires?|renews?|lasts?|leaves?|arrives?"
    r"|answers?|holds?|needs?|weighs?|stands?|serves?|meets?|is (?:on|at|in|open|closed|due)"
)
# Who we are, and of what, only the talk tells: `we have several channels`, `we became friends`.
_OF_US = (
    r"(?i)we(?:['\u2019]ve| have)?\b(?!.*\b(?:married|engaged|moved|moving|adopted|bought|expecting"
    r"|our|rented|divorced|rescued|built)\b)"
)
# Of somebody who is named alone it is news of the world, or a tale.
_OF_ME = r"(?i)\b(?:i|im|ive|my|me)\b"
_BEFALLS = (
    r"(?: (?:has|just|recently|finally))* (?:got (?:an?|the|married|engaged)\b|moved|had an?\b"
    r"|has an?\b|is (?:pregnant|getting|moving|my)\b|died|passed away|graduated|was born"
    r"|broke (?:his|her|up)\b"
    r"|turned \d|lives|works|married)"
)
_NOBODY = words("nobody everybody everyone somebody someone anybody anyone people who whoever some")


def is_of_a_life(text: str) -> bool:
    """Whether the main clause of *text* tells of its speaker's life, or of that of theirs."""
    opens = re.match(_LEAD, text)
    rest = text[opens.end() :] if opens else text
    if idle_talk.is_idle(rest) or first_hand.is_of_the_hour(text) or _is_of_us_alone(rest):
        return False
    if past_tense.is_adrift(rest, text):
        return False
    return _of_self(rest) or _of_theirs(rest) or _is_regular(rest)


def is_told_first_hand(text: str) -> bool:
    """Whether *text* tells of such a life, by whom it is of, and plainly; of Chinese all may."""
    if analysis.is_cjk(text):
        return True
    if german.is_talk(text):
        return german.is_first_hand(text)
    return is_of_a_life(text) and plain_statements.is_plain(text)


def _is_of_us_alone(rest: str) -> bool:
    """Whether *rest* says of `us` what only those know who are meant: no name tells who or what."""
    if re.match(_OF_US, rest) is None:
        return False
    return not (analysis.facts(rest).names or re.search(first_hand.KIN, rest))


def _is_loose(rest: str) -> bool:
    """Whether *rest* tells of one deed of the past, and neither of whom, where nor when."""
    deed = re.match(rf"(?i:{_I}{_ADVERBS} (?P<verb>\w+))\b(?!['\u2019])", rest)
    if deed is None or deed["verb"].lower() not in _SLIGHT:
        return False
    told = analysis.facts(rest)
    is_tied = told.names or told.numbers or told.dates or re.search(first_hand.KIN, rest)
    return not (is_tied or re.search(_TIED, rest))


def _of_self(rest: str) -> bool:
    forms = (
        rf"{_I}{_ADVERBS} go (?:to (?!bed|sleep|say)|\w+ing\b)",
        rf"{_I}{_IS}{_ADVERBS}{_BEING}|im{_ADVERBS}{_BEING}",
        rf"{_I}{_ADVERBS}{_HAVING}|{_HAVE_DONE}",
        rf"{_I}(?: \w+ly| also)? used to \w+|{_I} {_WILL}",
    )
    subject = re.match(rf"(?i:{_I})\b", rest)
    if _is_loose(rest):
        return False
    if any(re.match(f"(?i:{form})", rest) for form in forms):
        return True
    return subject is not None and _does(rest[subject.end() :])


def _of_theirs(rest: str) -> bool:
    """Whether *rest* says of somebody or something of the speaker's, or by name, what it did."""
    mine = [m for whose in _MINE if (m := re.match(rf"(?i:{whose})", rest))]
    if any(_is_something(rest[m.end() :]) or _does(rest[m.end() :], _HAS) for m in mine):
        return True
    named = re.match(
        r"(?!\w+ing\b|(?:An?|The|This|That|Every|All|Some)\b)[A-Z]\w+(?: [A-Z]\w+)?", rest
    )
    if named is None or analysis.head(named[0]) in _NOBODY or not analysis.names([f"x {named[0]}"]):
        return False
    behind = rest[named.end() :]
    if not (re.search(_OF_ME, rest) or re.match(_BEFALLS, behind)):
        return False
    return _is_something(behind) or _does(behind) or re.match(f"(?i:{_HAVING})", behind) is not None


def _is_something(behind: str) -> bool:
    """Whether what stands *behind* a subject says what it is."""
    is_so = rf"(?i:{_IS}|['\u2019]s| is| has been){_ADVERBS}(?! in the\b)(?:{_BEING}| my\b)"
    return re.match(is_so, behind) is not None


def _does(behind: str, besides: frozenset[str] = frozenset()) -> bool:
    """Whether the verb *behind* a subject tells of a deed, a habit or a state, or is of others."""
    # What was going on is the ground for something else: `my mom was making a sandwich`.
    if re.match(r"(?i: (?:was|were)(?: \w+ly| just)? \w+ing\b)", behind):
        return False
    forms = (_ADVERBS, rf"(?: have| has| had|['\u2019]ve){_ADVERBS}")
    said = [
        m["verb"]
        for form in forms
        if (m := re.match(rf"(?i:{form} (?P<verb>\w+)\b(?!['\u2019]))", behind))
    ]
    return any(verb.lower() in _LASTING | besides for verb in said)


def _is_regular(rest: str) -> bool:
    """Whether *rest* says in figures when, how often or for how much something does its work."""
    found = re.match(rf"(?i:(?:the|our|every|all) (?:[\w-]+ ){{1,3}}?(?:{_WORKS}))\b", rest)
    return found is not None and bool(analysis.figures(rest)[0])
