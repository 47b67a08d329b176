"""Take off what a model says around its answer: thoughts, openings, offers of more."""

from __future__ import annotations

import re

from vaultmem.nlp.text import analysis

# Where thoughts end; some templates open them, so that only their end comes back.
_THOUGHT = "</think(?:ing)?>"
_YES = "(?:sure|certainly|of course|okay|ok|\u597d\u7684|\u5f53\u7136)"
_HERE = "(?:here(?:['\u2019]s| is| are)|below (?:is|are)|this is|\u4ee5\u4e0b|\u4e0b\u9762|\u8fd9)"
_WHAT = "(?:summary|sentences?|memories|recap|remember|\u6458\u8981|\u603b\u7ed3|\u56de\u5fc6)"
_COLON = "[:\uff1a][\\s*]*"
# "Sure!", "Here is a summary of it:", "**Summary:**", one after the other.
_OPENING = (
    rf"(?i)(?:[\s*#]*{_YES}(?:[.!:\u3002\uff01]+|[,\uff0c](?=\s*{_HERE})))?"
    rf"(?:[\s*#]*{_HERE}[^\n:\uff1a]{{0,80}}{_WHAT}[^\n:\uff1a]{{0,80}}{_COLON})?"
    rf"(?:[\s*#]*(?:summary|recap|\u6458\u8981|\u603b\u7ed3)[\s*]*{_COLON})?"
)
_CLOSING = (
    r"(?i)\W*(?:let me know (?:if|whether) you|i hope (?:this|that) (?:helps|summary)"
    r"|would you like me to|is there anything else|\u5982\u679c\u60a8|\u5e0c\u671b\u8fd9)"
)


def without_thoughts(text: str) -> str:
    """Return *text* without the thoughts that some models utter first."""
    return re.split(_THOUGHT, text, maxsplit=1)[-1]


def sentences(text: str) -> list[str]:
    """Return the sentences of *text* that are the answer, each on one line."""
    opening = re.match(_OPENING, text)
    kept = analysis.sentences(text[opening.end() :] if opening else text)
    while kept and re.match(_CLOSING, kept[-1]):
        kept.pop()
    return [analysis.bare(sentence) for sentence in kept]
