"""Tell a Chinese sentence that states something by itself from an answer and a bid.

`\u5427` behind a clause makes of it what its speaker proposes or guesses (Li & Thompson 1981).
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import relations

_ANSWERS = "(?:(?:\u597d\u7684?|\u55ef|\u884c|\u5bf9|\u662f\u7684|\u53ef\u4ee5)[^\\w])*"
# What answers, or goes on with what was said: `\u8bf4\u662f\u4e0b\u5468\u4e00`.
_LEANS = (
    r"^\w\u7684[^\w]|"
    f"^{_ANSWERS}(?:\u8bf4\u662f|\u90a3(?!\u4e48)|\u8fd9|\u4ed6|\u5979|\u5b83|\u5e94\u8be5"
    f"|\u8fd8\u6ca1"
    "|\u6ca1\u95ee\u9898|\u662f\u554a|\u6211\u4e5f)"
    "|\u4e5f(?:\u53bb\u8fc7|\u662f|\u884c|\u53ef\u4ee5|\u4e00\u6837)"
    f"|^{_ANSWERS}\u6211[^,\uff0c\u3002]*"
    "[\u7ed9\u8ddf\u548c\u5bf9\u5e2e\u966a\u7b49\u627e\u89c1][\u4ed6\u5979\u5b83]"
)
_PROPOSES = "\u5427(?:[^\\w]|$)"
# `\u5343\u4e07\u522b\u653e\u76d0`: nothing that is so.
_BIDS = (
    f"^{_ANSWERS}(?:\u4f60|\u60a8|\u4f60\u4eec|\u5343\u4e07|\u8bb0\u5f97)*(?:\u5343\u4e07|\u522b"
    f"|\u4e0d\u8981|\u4e0d\u7528"
    "|\u8bf7|\u8bb0\u5f97|\u5e2e\u6211|\u9ebb\u70e6|\u63a8\u8350[\u4e00\u51e0\u4e2a])"
)
# What one could do, of nobody: `\u53ef\u4ee5\u5148\u627e\u7269\u4e1a`.
_OFFERS = (
    f"^{_ANSWERS}(?:\u4e5f|\u8fd8)?\u53ef\u4ee5"
    "(?:[\u5148\u53bb\u8bd5\u7b49\u7528\u628a\u627e\u6362\u8003]|\u518d|\u76f4\u63a5)"
)
_STATES_NOTHING = re.compile(f"{_LEANS}|{_PROPOSES}|{_BIDS}|{_OFFERS}")

_MARKS = r"[^\w]"
# Who is not who speaks: `\u6211\u540c\u5b66\u653e\u5f03\u4e86\u4fdd\u7814`.
_OTHERS = (
    f"(?:[\u4ed6\u5979\u5b83\u4f60\u60a8]|\u8001\u677f|\u516c\u53f8|\u9886\u5bfc"
    f"|\u5b66\u6821|\u4eba\u5bb6|\u522b\u4eba|{relations.RELATION_ZH})(?!\u7684)"
)
_AMONG_US = "\u6211\u4eec|\u54b1|\u6211(?:\u548c|\u8ddf|\u4e0e)"
_LAUGHS = "[\u54c8\u563f\u5475\u563b]{2,}|\u7b11\u6b7b"


def is_of_others(before: str) -> bool:
    """Whether the clause that *before* breaks off is about somebody else than who speaks."""
    clause = re.split(_MARKS, before)[-1]
    return re.search(_OTHERS, clause) is not None and re.search(_AMONG_US, clause) is None


def is_laughed(text: str) -> bool:
    """Whether *text* is said laughing, so that nobody knows how much of it is meant."""
    return re.search(_LAUGHS, text) is not None


def stands(text: str) -> bool:
    """Whether *text* states something by itself."""
    return _STATES_NOTHING.search(text) is None
