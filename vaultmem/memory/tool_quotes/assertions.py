"""What a text states: its sentences, in which tone each is said, and which a person asserts.

A person's sentence vouches for what a tool said only where the person says the same: who forbids,
asks, quotes, doubts it or says that somebody else said it does not.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from vaultmem.nlp.extraction.grammar import assertion_en
from vaultmem.nlp.text import quoted_text, salience

_ITEM = r"(?:[-*+\u2022>#|]|\d{1,3}[.)])\s"
_STOP = re.compile(
    r"\.[\"'\u201d\u2019)\]*_]*\s+(?![a-z])|[!?\u2026][\"'\u201d\u2019)\]*_]*\s+"
    rf"|[\u3002\uff01\uff1f\uff1b]|;\s|\n\s*\n|\n(?=[^\S\n]*{_ITEM})"
)
_NO = re.compile(
    r"(?i)\b(?:no|not|never|none|nothing|nobody|nowhere|neither|nor|cannot|without|unless|except"
    r"|hardly|barely|false(?:ly)?|wrong(?:ly)?|untrue|incorrect|lies?|lying|fakes?|faked|scams?"
    r"|fraud(?:ulent)?|phishing|stop(?:s|ped)?|refuse[ds]?|reject(?:s|ed)?|ignore[ds]?|avoid(?:s|ed)?"
    r"|forbid(?:s|den)?|prohibit(?:s|ed)?|block(?:s|ed)?|cancel(?:s|led)?|den(?:y|ies|ied)|disregard"
    r"|instead|(?:do|does|did|is|are|was|were|wo|ca|should|would|could|must|has|have)nt"
    r"|nicht|nichts|nie|niemals|kein(?:e[mnrs]?)?|weder|ohne|falsch|unwahr|gelogen|verboten"
    r"|jamais|ne|pas|sans|faux|nunca|jam\u00e1s|ning\u00fan|falso|senza)\b|n['\u2019]t\b"
    "|[\u4e0d\u6ca1\u6c92\u7121\u65e0\u672a\u975e\u52ff\u5225\u522b]|\u306a\u3044|\u307e\u305b\u3093"
)
_IDIOM = re.compile(
    r"(?i)\b(?:do not|don['\u2019]?t|never) forget\b|\bno (?:doubt|problem|worries)\b|\bnot only\b"
    r"|^\W*(?:oh,? )?(?:no|nope|nein)[,:] (?!not\b)"
)
_OWN_SAYING = re.compile(
    r"(?i)\b(?:as )?I(?:['\u2019]ve| have)?(?: already| just)?"
    r" (?:said|told (?:you|them)|wrote|asked)\b"
)
_BY_OTHERS = re.compile(
    r"(?i)\b(?:(?:page|site|website|mail|e-?mail|message|letter|document|article|post|tool|web"
    r"|text|ad|caller|bot|result|output|it|this|that|they|someone|somebody) (?:\w+ )?(?:wants?"
    r"|asks?|reads?|states?|demands?|orders?|recommends?)"
    r"|(?:says?|writes?|states?) (?:the|a|an|that|this)|according to|sagt|sagen|behauptet"
    r"|schreibt|angeblich|laut|steht|dice que|dit que|selon|seg\u00fan|secondo)\b"
)
_WARNS = re.compile(
    r"(?i)\b(?:beware|careful|caution|warn\w*|spam(?:mers?)?|tricks?|tricked|traps?"
    r"|crooks?|thie(?:f|ves)|swindle\w*|cheat\w*|con ?m[ae]n|criminals?|hackers?|attack\w*"
    r"|inject\w*|hates?|hated|danger(?:s|ous(?:ly)?)?|risky|crazy|mad|insane|stupid|absurd"
    r"|ridiculous|suspicious|strange|weird|odd|refus\w+|reject\w*|delet\w+|remov\w+"
    r"|vorsicht|achtung|gef\u00e4hrlich|betr[u\u00fc]g\w*|attention|cuidado|attenzione)\b"
)
_FRAUD = re.compile(r"(?i)\b(?:tricks?|spam|scams?|phishing|fraud\w*|crooks?|swindle\w*)\b")
_THERE = re.compile(r"(?i)\b(?:this|above|below|following|page)\b")
_ASKS = re.compile(
    r"(?i)\b(?:why|warum|pourquoi)\b|(?:^|[:,;])\W*(?:who|what|which|whose|how)\b"
    r"|^\W*(?:did|does|do|is|are|was|were|should|shall|must) (?:they|you|we|I|he|she|it|th\w+)\b"
)
_SINGLE_QUOTED = re.compile(
    r"(?<!\w)['\u2018\u201a\u2039\u00ab\u201e][^'\u2019\u203a\u00bb\u201c\u201d\n]{12,400}"
    r"['\u2019\u203a\u00bb\u201c\u201d](?!\w)"
)
_KEEP = re.compile(
    r"(?i)^\W*(?:(?:yes|ok|okay|please|so|and|can you|could you)\W+)*"
    r"(?:remember|note|keep|save|store|write down|record|merke?|notiere?)\b"
)
_THIS = re.compile(r"(?i)\b(?:this|that|it|these|those|page|what|following|das|dies\w*|so)\b")
_DOUBTS = re.compile(
    r"(?i)\b(?:true|right|correct|real|really|legit|sure|believe|think|mean|should|check|verify"
    r"|stimmt|wahr|richtig|echt|soll\w*)\b[^?]*\?"
)
_DENIES = re.compile(
    r"(?i)\b(?:false|wrong|untrue|not (?:true|right|correct|so)|(?:isn['\u2019]?t|is not)"
    r" (?:true|right)|lie|scam|fake|nonsense|fraud|phishing|falsch|unwahr|gelogen|unsinn)\b"
    r"|^\W*(?:please )?(?:do not|don['\u2019]?t|never|ignore|disregard|stop"
    r"|forget (?:that|it|this))\b"
)
_HEADING = re.compile(r"#{1,6}\s")
_SHORT = 8
"""Words of a sentence that may be about the one beside it alone."""

_LEAD = 160
"""Characters of what stands before a list that go with each of its items."""


class Tone(NamedTuple):
    """How often a text says *no*, and how often *maybe*: a guess, a condition, another's word."""

    no: int = 0
    maybe: int = 0


@dataclass(frozen=True, slots=True)
class Stretch:
    """A sentence of a text, from *start* to *end*, what it says, and its *tone*.

    What stands before a colon goes with what stands behind it, and with each item of a list there.
    """

    start: int
    end: int
    lead: str
    text: str
    tone: Tone

    @property
    def is_plain(self) -> bool:
        """Tell whether it says neither *no* nor *maybe*."""
        return self.tone == Tone()

    @property
    def whole(self) -> str:
        """The sentence with what stands before the colon."""
        return f"{self.lead} {self.text}"


def tone(text: str) -> Tone:
    """Return the tone of *text*."""
    own = _OWN_SAYING.sub(" ", text)
    doubts = (re.compile(assertion_en.DOUBT), _BY_OTHERS, _WARNS, _ASKS)
    maybe = sum(len(it.findall(own)) for it in doubts)
    return Tone(len(_NO.findall(_IDIOM.sub(" ", text))), maybe)


def stretches(text: str) -> list[Stretch]:
    """Return the sentences of *text* in order; every character is in one."""
    ends = [*(stop.end() for stop in _STOP.finditer(text)), len(text)]
    made: list[Stretch] = []
    lead, is_behind = "", False
    for start, end in pairwise((0, *ends)):
        said = text[start:end].strip()
        is_item = re.match(_ITEM, said) is not None
        lead = lead if is_behind or is_item else ""
        made.append(Stretch(start, end, lead, said, tone(f"{lead} {said}".strip())))
        is_behind = said.endswith((":", "\uff1a"))
        lead = _end(said) if is_behind else lead * is_item
    return made


def _end(said: str) -> str:
    """Return the last words of *said*, all where it is as short as nearly all are."""
    if len(said) <= _LEAD:
        return said
    return said[-_LEAD:].partition(" ")[2] or said[-_LEAD:]


def asserted(text: str) -> Iterator[tuple[Stretch, ...]]:
    """Yield runs of sentences that the person who says *text* states, one behind the other.

    No question, nothing quoted, and nothing that the sentence beside it doubts.
    """
    own = quoted_text.words(text)
    found = stretches(own)
    said = [it.text for it in found]
    denied = denying_headings(found)
    run: list[Stretch] = []
    for n, it in enumerate(found):
        behind = said[n + 1] if n + 1 < len(said) else ""
        before = said[n - 1] if n else ""
        if denied[n] is not None or salience.is_question(it.whole) or is_doubted(before, behind):
            yield tuple(run)
            run = []
        else:
            run.append(replace(it, text=_told(it.text)))
    yield tuple(run)


def denying_headings(found: Sequence[Stretch]) -> list[int | None]:
    """Return for each of *found* which of them is the heading above it, if that says no."""
    heading, above = None, list[int | None]()
    for n, it in enumerate(found):
        if _HEADING.match(it.text):
            heading = n if it.tone.no else None
        above.append(heading)
    return above


def is_told(it: Stretch) -> bool:
    """Tell whether *it* says something itself: it neither asks nor quotes."""
    is_quoted = it.text.startswith(">") or _told(it.text) != it.text
    return not is_quoted and not salience.is_question(it.whole)


def _told(sentence: str) -> str:
    """Return *sentence* without what it quotes, but for what is quoted to be kept."""
    if _KEEP.match(sentence):
        return sentence
    return _SINGLE_QUOTED.sub("\u2026", quoted_text.unquoted(sentence))


def is_doubted(before: str, behind: str) -> bool:
    """Tell whether the sentence *before* another, or *behind* it, doubts or denies that one."""
    if _is_short(behind) and (_DOUBTS.search(behind) or _DENIES.search(behind)):
        return True
    if any(_FRAUD.search(it) and _THERE.search(it) for it in (before, behind)):
        return True
    if not _is_short(before) or not _THIS.search(before):
        return False
    is_hearsay = tone(before).maybe > 0 and not salience.is_question(before)
    return is_hearsay or bool(_DOUBTS.search(before) or _DENIES.match(before))


def _is_short(sentence: str) -> bool:
    return 0 < len(sentence.split()) <= _SHORT


def between(found: Sequence[Stretch], start: int, end: int) -> Sequence[Stretch]:
    """Return those of the `stretches` *found* that lie, in part, from *start* to *end*."""
    first = bisect_right(found, start, key=attrgetter("end"))
    return found[first : bisect_left(found, end, first, key=attrgetter("start"))]
