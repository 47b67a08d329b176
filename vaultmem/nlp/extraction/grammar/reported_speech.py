"""Whether somebody else said a clause: `Tom said we take the Calda`, but not `I told Tom`."""

from __future__ import annotations

import re

_SAYS = (
    r"(?:sa(?:id|ys)|told|tells|wrote|writes|claim(?:s|ed)|announce[ds]|mention(?:s|ed)"
    r"|insist(?:s|ed)|suggest(?:s|ed)|argue[ds]|think(?:s|ing)|thought|believe[ds]|reckon(?:s|ed)"
    r"|texted|e?-?mailed|messaged|reported)"
)
_OWN = re.compile(r"(?i)\b(?:i|we)(?:['\u2019](?:ve|d))?(?: \w+){0,2} $")
_AGREED = re.compile(r"(?i)\bas (?:\S+ ){1,3}$")
_VERB = re.compile(
    rf"(?i)\b(?:they say|{_SAYS})\b(?! (?:no|yes|so)\b)"
    "|(?:\u4ed6|\u5979|\u4ed6\u4eec|\u5979\u4eec|\u8001\u677f|\u5ba2\u6237)\u8bf4"
    "|\u544a\u8bc9\u6211"
)
_HEARD = re.compile(
    r"(?i)\b(?:i|we)(?:['\u2019](?:ve|d))?(?: \w+)? (?:heard|was told|were told)\b"
    r"|\b(?:apparently|allegedly|reportedly|supposedly|rumou?r has it)\b"
    r"|\baccording to (?:him|her|them|(?-i:(?!I\b)[A-Z])\w*)\b"
    "|\u542c\u8bf4|\u636e\u8bf4"
)
# Where the speaker goes on in their own name: `Tom said it is loud, so we take the Calda`.
_OWN_AGAIN = re.compile(
    r"(?i)[,;.:]? (?:and |but )?(?:so|therefore|hence|that's why|which is why)(?! that\b)\b"
    r"|[,;] (?:but|and|yet) |;|[\uff0c\uff1b,](?:\u6240\u4ee5|\u56e0\u6b64|\u4e8e\u662f|\u4f46)"
)
# Behind what was said: `We take the Calda because it is cheap, Tom said.`
_BEHIND = re.compile(
    rf"(?i),[\"'\u201d\u2019]? (?!as\b)(?:(?!(?:i|we)\b)(?:\w+ )?\w+ {_SAYS}(?: (?:me|us))?"
    rf"|{_SAYS} (?!i\b|we\b)(?:(?:the|an?|my|our|his|her|their) )?\w+|according to \w+)"
    r"(?:\W*$|;|, (?:but|though|although|yet)\b)"
)


def is_reported(text: str, start: int) -> bool:
    """Tell whether somebody else than the speaker says what begins at *start* of the sentence."""
    before = text[:start]
    ends = [m.end() for m in _HEARD.finditer(before)]
    ends += [m.end() for m in _VERB.finditer(before) if not _is_own(before[: m.start()])]
    if any(not _OWN_AGAIN.search(text, end, start) for end in ends):
        return True
    return bool(_BEHIND.search(text, start))


def _is_own(before: str) -> bool:
    """Tell whether the speaker says it, or agrees, going by what stands *before* the verb."""
    return bool(_OWN.search(before) or _AGREED.search(before))
