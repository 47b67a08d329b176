"""Tell what will not matter in ten sessions: work going on, and what code and git say themselves.

A text counts only when each of its sentences does: one that would matter later keeps it.
"""

from __future__ import annotations

import re

from vaultmem.nlp.text import analysis

GOING_ON = "tells of work that was going on then"
IN_CODE = "repeats what the project's own files say"
IN_GIT = "repeats what the git history tells"

_NOW = r"(?:currently|right now|at the moment|just now|still|today)"
_ON_WORK = (
    r"(?:(?:fix|debugg|investigat|refactor|implement|rewrit)ing|looking (?:at|into)"
    r"|working on (?:the|this|that|a|an|it)"
    r"|in the middle of (?:(?:the|a|an|my|our) )?(?:\w+ing|\w+tion|work|review|release|move))\b"
)
_TO_WORK = r"(?:fix|debug|investigate|refactor|implement|rewrite|rerun|look (?:at|into))\b"
_TO_GIT = r"(?:push|commit|rebase|merge|open a (?:pr|pull request))\b"
_WILL = r"(?:'ll|will|must|need to|have to|(?:am|are|'m|'re) going to)"
_AWAITED = r"(?:review|approval|reply|answer|feedback|ci|build|merge|pipeline|green)\b"
# "Fixing bugs is Petra's job" is a rule about fixing, and no work of a moment.
_RULES = re.compile(
    r"\b(?:is|are|was|were|must|should|shall|can|cannot|takes?|needs?|requires?|costs?|means?|"
    r"makes?|works?|fails?|helps?|always|never|every|each|usually|often|since)\b",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(rf"(?:{_NOW},? )?{_ON_WORK}", re.IGNORECASE)
_OPENINGS = re.compile(
    rf"(?:{_NOW},? )?(?:I am|I'm|we are|we're) (?:{_NOW} )?{_ON_WORK}"
    rf"|(?:(?:next|then|after that|afterwards),? )?(?:I|we) ?(?:still )?{_WILL} {_TO_WORK}"
    r"|(?:wip|work in progress|in progress|to-?do(?: today| now)?)\s*:"
    rf"|(?:(?:I|we) )?still (?:need|have) to (?:{_TO_WORK}|{_TO_GIT})"
    r"|(?:(?:I|we) )?(?:will|'ll) (?:push|merge|commit|rebase|rerun|deploy) (?:(?:it|this|that) )?"
    r"(?:once|when|after|as soon as|tomorrow|later)\b"
    r"|(?:I |we |I am |we are )?(?:paused|stopped|left off) (?:at|on|before|after|in) (?:the )?"
    r"(?:step|task|item|line|middle|part|phase)\b"
    r"|(?:I |we )?(?:resume|continue|pick (?:this|it) up)(?: (?:this|it|here))? "
    r"(?:tomorrow|later|next week|on monday|here)\b"
    rf"|(?:(?:today'?s )?(?:stand-?up|status)\s*: )?(?:I am |we are |I'm |we're )?(?:{_NOW} )?"
    rf"(?:waiting|blocked) (?:for|on|by) (?:\S+ ){{0,3}}?{_AWAITED}(?!.*\b(?:takes?|lasts?)\b)",
    re.IGNORECASE,
)
# In the middle of mending, debugging, or looking for the cause of something.
_CHINESE = re.compile(
    r"(?:\u6211\u4eec|\u6211)?\u6b63\u5728(?:\u4fee\u590d|\u8c03\u8bd5|\u6392\u67e5|\u91cd\u6784|\u5b9e\u73b0)"
)
_FILE = (
    r"[`\"]?(?:[\w.-]+/)*[\w-][\w.-]*"
    r"\.(?:toml|json|ya?ml|lock|cfg|ini|py|tsx?|jsx?|rs|go|mod|java|gradle|rb|cs|h|c|cpp|sh)[`\"]?"
)
_SAYS = r"(?:says?|states?|shows?|pins?|sets?|requires?|defines?|has it|tells?)"
_CITED = re.compile(rf"\b(?:as|per|according to)\s+(?:in\s+)?{_FILE}|{_FILE}\s+{_SAYS}\b")


# What a commit did; not what is to be done because of one.
_COMMITTED = re.compile(
    r"(?:in )?(?:commit|revision) [`\"]?(?=[0-9a-f]*\d)[0-9a-f]{7,40}[`\"]?,? (?:\w+ )?"
    r"(?:fixed|added|removed|renamed|reverted|introduced|moved|merged|bumped|updated|changed)\b"
    r"(?!.*\b(?:because|since|so|must|never|always|do not|don't)\b)",
    re.IGNORECASE,
)


def reason(text: str) -> str:
    """Say why *text* is nothing durable: GOING_ON, IN_CODE, IN_GIT, or "" when it may well be."""
    sentences = [s.strip(" -*+>\t") for s in analysis.sentences(text)]
    whys = {_why(sentence) for sentence in sentences if sentence}
    return whys.pop() if len(whys) == 1 else ""


def _why(sentence: str) -> str:
    if _OPENINGS.match(sentence) or _CHINESE.match(sentence):
        return GOING_ON
    if _PARTICIPLE.match(sentence) and not _RULES.search(sentence):
        return GOING_ON
    if _COMMITTED.match(sentence):
        return IN_GIT
    return IN_CODE if _CITED.search(sentence) else ""
