"""Tell a speaker's own words from what is only carried along: recalled, pasted, quoted, code.

What an agent is to believe of people is anchored in these words alone.
"""

from __future__ import annotations

import re

from vaultmem.documents.markdown import fences
from vaultmem.nlp.text import pasted_text, salience

# Whatever a program fences in; an opened one that is never closed goes to the end.
_FENCED = (
    r"(?is)<(?P<tag>memor(?:y|ies)|vault[\w-]*|context|recalled|summar(?:y|ies)|episodes?|topics?"
    r"|turns|utterances|facts|prior|system[\w-]*|tool[\w-]*|documents?|files?|quote|blockquote|pre"
    r"|code|private)\b[^<>]{0,200}>.*?(?:</(?P=tag)\s*>|\Z)"
)
_PASTED = (
    r"(?im)^(?:On [^\n]{5,80} wrote:|-{3,} ?(?:Original|Forwarded) Message[^\n]*"
    r"|Begin forwarded message:)[ \t]*$(?:.|\n)*"
)
_LINES = r"(?im)^[ \t]*(?:>|(?:assistant|system|tool|ai|bot|human|user|agent)[ \t]*[:\uff1a]).*$"
# So many words in quotation marks are a speech, fewer may be a title.
_SPEECH = (
    r"\"(?:[^\s\"]+\s+){2,60}[^\s\"]+\"|\u201c(?:[^\s\u201d]+\s+){2,60}[^\s\u201d]+\u201d"
    r"|\u201c[^\u201d\n]{5,200}\u201d|\u300c[^\u300d\n]{5,200}\u300d"
)


def words(text: str) -> str:
    """Return *text* without code, fenced or pasted blocks, captions and quoted lines."""
    text = _without_code(text)
    for pattern in (_FENCED, _PASTED, _LINES):
        text = re.sub(pattern, "\n\n", text)
    return salience.spoken(pasted_text.own(text))


def _without_code(text: str) -> str:
    if not ("```" in text or "~~~" in text):
        return text
    lines = text.split("\n")
    kept = zip(lines, fences.outside(lines), strict=True)
    return "\n".join(line if is_outside else "" for line, is_outside in kept)


def unquoted(sentence: str) -> str:
    """Return *sentence* with an ellipsis for each speech of somebody's that it quotes."""
    return re.sub(_SPEECH, "\u2026", sentence)
