"""Tell a rule that holds beyond the talk: who does what each time, what must hold, and why.

`Petra signs off every release because she answers for the audit`. English alone is read, and only
what names whom or what the rule is of: `It must work` and `You must be tired` are none.
"""

from __future__ import annotations

import re

_OTHERS = (
    r"(?:You|I|We|He|She|It|They|This|That|These|Those|There|Here|One|Who|What|Which|Where|When|Why"
    r"|How|Every(?:one|body|thing)|Some(?:one|body|thing)|No(?:body|thing)|Any(?:one|body|thing)"
    r"|And|But|So|Or|If|As|Since|Because|While|Then|Also|Maybe|Yes|No|Not|Only|Thanks|Please|Ok"
    r"|Okay|Well|Oh|God|Life|Mom|Dad|Both)\b"
)
_NAME = rf"(?!{_OTHERS})[A-Z]\w+(?: [A-Z]\w+)?"
_WHY = (
    r"(?:,? (?:because|since|so that)|,? (?<!such )as (?:we|it|they|the|he|she|otherwise))\b"
    r"(?!.*\b(?:was|were|had|did|said)\b) .{5,}"
)
_DUTY = (
    r"(?:signs|reviews|approves|checks|tests|merges|deploys|releases|audits|handles|confirms"
    r"|verifies|countersigns|pays|books|files|logs|schedules|prepares|edits|proofreads)"
)
_EACH_TIME = rf"{_NAME} {_DUTY} (?:(?:off|up|in|out|on|over) )?(?:every|each|all) [^,;:?!]+?{_WHY}"
_THING = r"(?:(?:The|Our|Every|Each|All)(?: [\w-]+){1,4}|(?!Kids|Parents|Guys)[A-Z][a-z]+s)"
# What is guessed, or is to be done once, is no rule: `The build must be broken`, `must be fixed`.
_HELD = (
    r"(?:be (?:kept|stored|signed|approved|reviewed|tested|encrypted|logged|numbered|deleted|sent"
    r"|locked|backed up|rotated|archived|readable|reachable|unique|idempotent)\b"
    r"|(?!be\b|have\b|feel\b|seem\b|look\b|love\b|know\b|think\b|mean\b|go\b|win\b)[a-z]+\b"
    r"(?=.* (?:within|without|at most|at least|no more than|under|offline)\b)"
    r"|never be [a-z]+ed\b|(?:not|never) (?!(?:be|have|know|see|forget|lose|give)\b)[a-z]+ \w+)"
)
_MUST = rf"{_THING} (?:must|has to|have to) {_HELD}[^;:?!]*?{_WHY}"
_DEED = r"(?!(?:was|were|had|did|went|met|saw|got|came|is|are|has|have|it|that|and|but)\b|\w+ed\b)"
_ONLY = (
    rf"(?:We|[A-Z][a-z]+(?:s|ing))(?: {_DEED}[a-z-]+){{0,3}}"
    r" only (?:on|at|after|before|between|with|in|from|during|by|via|over) "
    rf"[^,;:?!]+?{_WHY}"
)
_PREFERS = (
    rf"{_NAME} (?:(?:always|strongly|generally|usually) )?prefers "
    r"(?!(?:it|this|that|these|those|them|him|her|me|us|you|not|to (?:be|stay|wait))\b|the \w+\W*$)"
    r"[^,;:?!]{4,80}"
)
_RULES = tuple(
    re.compile(rf"{pattern}\W*", re.DOTALL) for pattern in (_EACH_TIME, _MUST, _ONLY, _PREFERS)
)
# For now, for once, or not for sure.
_PASSING = re.compile(
    r"(?i)\b(?:today|tonight|tomorrow|yesterday|now|currently|at the moment|again"
    r"|(?:this|next|last) (?:one|time|week|month|year|morning|evening|weekend|summer|winter)"
    r"|(?:the )?(?:first|second|third|other|last|former|latter) one|maybe|perhaps|probably|might"
    r"|apparently|if|unless|would|could)\b"
)


def is_rule(text: str) -> bool:
    """Whether *text*, one sentence, states a rule or a standing preference of a named one."""
    plain = " ".join(text.split())
    return not _PASSING.search(plain) and any(rule.fullmatch(plain) for rule in _RULES)
