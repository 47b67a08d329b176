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
_TO_STEP = (
    r"rename|fix|update|write|add|remove|refactor|implement|run|test|deploy|merge|push|delete"
    r"|debug|review|document|release|migrate|wire|port"
)
_AWAITED = r"(?:review|approval|reply|answer|feedback|ci|build|merge|pipeline|green)\b"
# "Fixing bugs is Petra's job" is a rule about fixing, and no work of a moment.
_RULES = re.compile(
    r"\b(?:is|are|was|were|must|should|shall|can|cannot|takes?|needs?|requires?|costs?|means?|"
    r"makes?|works?|fails?|helps?|always|never|every|each|usually|often|since)\b",
    re.IGNORECASE,
)
_FOR_LONG = re.compile(r"\bsince (?:\w+ )?(?:19|20)\d\d\b")
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


# How a build stands, what a run of tests gave, what waits for review: all of it of a moment.
_BUILD = r"(?:the |our )?(?:build|ci|pipeline|deploy(?:ment)?|test suite|suite|nightly(?: build)?)"
_TESTS = r"(?:(?:the|all|our|some|\d+(?: (?:of|out of) (?:the )?\d+)?) )*(?:unit |e2e )?tests?"
_STANDS = r"(?:red|green|broken|failing|running|passing|stuck|down)"
_MOMENT = r"(?:again|now|right now|at the moment|currently|just now|today|for now)"
_STATE = re.compile(
    rf"(?:{_MOMENT},? )?(?:"
    rf"{_BUILD} (?:is|was) (?:{_MOMENT} )?{_STANDS} {_MOMENT}"
    rf"|{_BUILD} (?:is|was) (?:currently |now |still )?(?:red|green|broken|failing)"
    rf"|{_TESTS} (?:are|were) (?:{_MOMENT} |still )?{_STANDS}(?: {_MOMENT})?"
    rf"|(?:the |all |our )?\d+(?: (?:of|out of) (?:the )?\d+)? (?:unit |e2e )?tests?"
    rf" (?:have )?(?:failed|passed|fail|pass)(?: {_MOMENT})?"
    rf"|(?:the |all )+tests (?:failed|passed|(?:fail|pass) {_MOMENT})"
    rf"|next(?: step| up)?: (?:{_TO_STEP}) [^.;]{{3,80}}"
    r")\W*",
    re.IGNORECASE,
)
_REQUEST = r"(?:pr|mr|pull request|merge request) ?[#!]?\d+"
_BRANCH = r"(?:the |my |our |a |this )?(?:new )?(?:branch|commit|pull request|merge request|pr)\b"
_PULL = r"(?:the |my |our |an? )?(?:new )?(?:pull request|merge request|pr|mr)\b"
_WHEN = (
    r"(?: (?:on (?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today|just now|this morning"
    r"|last (?:night|week)|now|again))?"
)
_ON_BRANCH = re.compile(
    rf"{_REQUEST} (?:is|was|has been|got) (?:still |now |just )?"
    rf"(?:merged|open|closed|approved|reverted){_WHEN}\W*"
    r"|(?:I|we)(?:'ve| have)?(?: just| also| now)?"
    rf" (?:(?:pushed|merged|rebased|force-pushed) {_BRANCH}|opened {_PULL})[^,;:.]{{0,60}}\W*",
    re.IGNORECASE,
)
# Where code has something, how its tests are run, which version it has: what it says itself.
_SYMBOL = r"(?:function|class|method|constant|helper|module|type|struct|interface|hook|component)"
_PATH = r"[`\"]?(?:[\w.-]+/)+[\w-]+\.[a-z]{1,5}[`\"]?"
_TELLS_CODE = re.compile(
    rf"(?:the )?{_SYMBOL} [`\"]?\w[\w.]*(?:\(\))?[`\"]? (?:is|lives|stands|is defined|is found"
    rf"|is located) in (?:the file )?{_PATH}\W*"
    r"|(?:run|use|call) `[^`]+` to (?:run|check|lint|build|format|start|execute) (?:all )?(?:the )?"
    r"(?:unit )?(?:tests?|style|code|project|types|app|suite|linter|docs)\W*"
    r"|the (?:newest|latest|current) (?:version|release) is v?\d+(?:\.\d+)+\W*",
    re.IGNORECASE,
)
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
    if (_OPENINGS.match(sentence) and not _FOR_LONG.search(sentence)) or _CHINESE.match(sentence):
        return GOING_ON
    if _PARTICIPLE.match(sentence) and not _RULES.search(sentence):
        return GOING_ON
    if _STATE.fullmatch(sentence):
        return GOING_ON
    if _COMMITTED.match(sentence) or _ON_BRANCH.fullmatch(sentence):
        return IN_GIT
    return IN_CODE if _TELLS_CODE.fullmatch(sentence) or _CITED.search(sentence) else ""
