"""Whether what an English sentence speaks of with `the` or a bare number is known from it alone.

`The` says that who listens knows which one is meant (Heim 1982): of a thing that everybody knows,
or that the sentence itself goes on to tell, a reader does; of `the door` only who talked did. So it
is with `a few that are tall`: a few of what, the talk had said before.
"""

from __future__ import annotations

import re

from vaultmem.nlp.text.stopwords import words

# There is one, or one for everybody, or a kind is meant: `I play the harp`, `on the swim team`.
_KNOWN = words("""
    world internet web beach gym pool army navy military marines police hospital doctor dentist
    vet church temple mosque synagogue city country countryside mountain mountains ocean sea lake
    river woods forest desert sun moon sky rain snow cold heat dark bus train subway metro tube
    plane radio tv television news weekend weekends summer winter spring fall autumn morning
    mornings evening evenings afternoon night nights past future day week month year outdoors house
    suburbs east west north south coast border government state library kitchen garden garage yard
    kids children family dog dogs cat cats baby zoo theater theatre movies cinema park market
    lottery environment elderly poor blind deaf homeless
    piano guitar violin drums bass flute cello viola trumpet saxophone sax harp organ ukulele
    clarinet trombone banjo accordion bassoon oboe
    team club band choir orchestra industry business department program field squad league board
    committee council union exam test bar truck
""")
_NOUN = r"(?P<noun>(?!same\b|whole\b|rest\b)[a-z][a-z'\u2019-]+)"
_ENDS = (
    r"(?=\W*$|[,.;:!?]| (?:and|but|so|because|cause|cuz|though|tho|haha\w*|lol|too|again|honestly"
    r"|anyway|yesterday|now|already|yet|either)\b)"
)
# Where somebody is or was is told well enough by what both know: `at the bookstore`.
_AT = (
    r"(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bfrom )(?<!\bnear )(?<!\bby )(?<!\binto )"
    r"(?<!\bas )(?<!\bquit )(?<!\bleft )(?<!\bjoined )"
)
_THE = re.compile(rf"{_AT}\b[Tt]he (?P<of>[a-z][a-z-]+ )?{_NOUN}{_ENDS}")
_OF_WHAT = re.compile(
    r"(?i)\b(?:has|have|had|got|get|want|need|saw|know|like|love|made|make|own|bought)"
    r" (?:\w+ )?(?:one|a few|a couple|some|several|many|none|two|three|four|both)"
    r"(?= (?:that|who|which|and|but|as|are|were)\b|\W*$)"
)


def hangs(text: str) -> bool:
    """Whether *text* speaks of something that only the talk around it says which it is."""
    if _OF_WHAT.search(text):
        return True
    return any(not _is_known(found, text) for found in _THE.finditer(text))


def _is_known(found: re.Match[str], text: str) -> bool:
    noun = found["noun"]
    return noun in _KNOWN or re.search(rf"\b{noun}\b", text[: found.start()]) is not None
