"""Tell a sentence whose news is a noun that has no content of its own.

`A setback`, `a project`, `some tough times`: such nouns are shells, which another clause or a
complement fills (Schmid 2000). Where nothing does, nobody will ask for it. English alone is read.
"""

from __future__ import annotations

import re

_SHELL = (
    r"(?:setbacks?|projects?|experiences?|times?|challenges?|journey|plans?|progress|goals?|ideas?"
    r"|opportunit(?:y|ies)|moments?|issues?|problems?|thoughts?|changes?|improvements?|success(?:es)?"
    r"|difference|steps?|ride|path|surprises?|reasons?|way|ways|updates?|news|options?|choices?"
    r"|days?|memories|results?|work|effort|breakthrough|feelings?)"
)
_HOW = r"(?:[\w'\u2019-]+ ){0,2}?"
_WHEN = (
    r"(?:(?:lately|recently|now|too|again|already|today|yesterday|sometimes|so far|here|down"
    r"|since|in the past \w+|(?:last|this|for the last|over the) \w+|for (?:a while|ages)"
    r"|to stay on track)\W*)*"
)
_ENDS = rf"(?=\W*{_WHEN}(?:$|[-,;:.!?\u2013\u2014]))"
_HAS_ONLY = re.compile(
    rf"(?i)^(?:(?:btw|hey|recently|lately|oh|wow|yesterday|last \w+|this \w+)[, ]+)*(?:i|we)"
    rf"(?:['\u2019](?:ve|m|re|d))?(?: (?:have|had|has|been|am|are|just|also|really|still|finally"
    rf"|actually|currently))*"
    rf" (?:had|have|got|made|makes?|making|working on|work on|start(?:ed|ing)?|finish(?:ed)?"
    rf"|fac(?:ed|ing)|reached|hit|hav(?:e|ing)|set|writing|planning|seen|found|doing|did|done"
    rf"|went through|going through)"
    rf" (?:an?|some|all|my|our|the|many|lots of|a lot of|a few|so many|several|quite a few) {_HOW}"
    rf"{_SHELL}{_ENDS}"
)
# What somebody thinks, announced by its noun: `My theory is that the mast bends`.
_OPINES = re.compile(
    r"(?i)^(?:my|our|the) (?:[\w-]+ ){0,2}?(?:point|theory|feeling|guess|concern|suspicion"
    r"|impression|opinion|take|understanding|thought|hunch|assumption|argument|worry|question"
    r"|conclusion|complaint|advice|suggestion|recommendation|issue|problem)"
    r"(?: (?:of|on|about|with|here) \w+)? (?:is|was|isn['\u2019]t|wasn['\u2019]t)\b"
)
# A deed without what it is done to: `I've been reading a lot`.
_MUCH = re.compile(
    r"(?i)^(?:i|we)(?:['\u2019](?:ve|m|re))?(?: (?:have|been|am|are|just|also|really|still))*"
    rf" \w+(?:ing|ed)? (?:a lot|a bit|so much|too much|quite a bit|more){_ENDS}"
)


def is_bare(text: str) -> bool:
    """Whether *text* tells no more than that there was one of them, or much of a deed.

    Or the noun announces a thought, and no deed at all.
    """
    return any(it.match(text) for it in (_HAS_ONLY, _MUCH, _OPINES))
