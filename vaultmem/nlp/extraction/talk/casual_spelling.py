"""Read English chat as if it were written with care: `im not gonna` is `I'm not going to`.

What is read so is compared with patterns; what is told are the words that were written.
"""

from __future__ import annotations

import re
from functools import lru_cache

from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis

_NOT = (
    r"\b(?P<verb>(?:do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should))nt\b"
    r"(?! of\b)"
)
_APOSTROPHES = (
    (r"i\b(?=[ '\u2019]|$)", "I", False),
    (r"im\b(?= )", "I'm", True),
    (r"ive\b(?= )", "I've", True),
    # `Id` and `ill` are words, too.
    (r"id\b(?= (?:rather|take|prefer|pick|choose|go)\b)", "I'd", True),
    (r"(?<!\bso )(?<!\bis )(?<!\bwas )(?<!\bfelt )ill\b(?= [a-z]{2,})", "I'll", True),
    (r"lets\b", "let's", True),
    (r"thats\b", "that's", True),
    (
        (
            r"its\b(?= (?:a|an|the|not|my|all|so|been|settled|decided|still|\d+"
            r"|closed|open|going|gonna|just|only|never|always|probably|too|way|really|very|full|gone|over)\b)"
        ),
        "it's",
        True,
    ),
    (r"(?P<asks>who|what|where|when|how)s\b(?= \w)", r"\g<asks>'s", True),
    (r"theyre\b", "they're", True),
    (r"youre\b", "you're", True),
    # At the head of a clause: `were naming her June`.
    (r"(?:(?<=^)|(?<=, )|(?<=so ))were\b(?= \w+ing\b)", "we're", True),
    (r"hes\b", "he's", True),
    (r"shes\b", "she's", True),
    (r"ur\b(?= (?:not|a|so|the|right|wrong|just)\b)", "you're", True),
    (r"ur\b", "your", True),
    (r"u\b(?!\.)", "you", False),
)
_WORDS = (
    (r"gonna\b", "going to", True),
    (r"wanna\b", "want to", True),
    (r"gotta\b", "have to", True),
    (r"(?:idk|I dunno|dunno)\b", "I don't know", True),
    (r"r\b(?= )", "are", False),
    (r"w(?:/|\b)(?= ?[a-z])", "with", False),
    (r"(?:pls|plz)\b", "please", True),
    (r"def\b(?! [a-z]\w*\()", "definitely", False),
    (r"(?:bc|cuz|cos|cus)\b", "because", False),
    (r"tho\b", "though", True),
    (r"(?:fav|fave)\b", "favorite", True),
    (r"(?<=\b[Mm]y )gf\b", "girlfriend", False),
    (r"(?<=\b[Mm]y )bf\b", "boyfriend", False),
)
_MARKS, _WRITTEN = (
    tuple(
        (re.compile(rf"\b{short}", re.IGNORECASE if folds else 0), whole)
        for short, whole, folds in some
    )
    for some in (_APOSTROPHES, _WORDS)
)


@lru_cache(maxsize=1 << 12)
def spelled(text: str) -> str:
    """Return *text* with the capitals, apostrophes and words that chat leaves out.

    Every kind that is looked for in a sentence reads it so: it is worked out once for all of them.
    """
    text = marked(text)
    for short, whole in _WRITTEN:
        text = short.sub(whole, text)
    return text


def marked(text: str) -> str:
    """Return *text* with the `I` and the apostrophes that chat leaves out, and the same words."""
    text = re.sub(_NOT, r"\g<verb>n't", text)
    text = re.sub(r"\b(?P<verb>Do|Ca|Wo)nt\b", r"\g<verb>n't", text)
    for short, whole in _MARKS:
        text = short.sub(whole, text)
    return text


def sentence(said: Sentence) -> Sentence:
    """Return what was *said* as `spelled` reads it, with the words it then has."""
    text = spelled(said.text)
    if text == said.text:
        return said
    return said._replace(text=text, words=frozenset(analysis.heads(text)))
