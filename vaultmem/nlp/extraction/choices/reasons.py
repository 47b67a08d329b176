"""Take a decision apart: what was decided, why, and within which bounds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.documents.bodies import Decision
from vaultmem.nlp.extraction.choices import commitments
from vaultmem.nlp.extraction.talk import casual_spelling, cue_phrases, utterances
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis

# What is shorter is no clause.
CLAUSE = 3
_DECIDES = f"(?:{cue_phrases.DECISION.english})|(?:{cue_phrases.DECISION.chinese})".replace(
    "(?i)", "", 1
)


_OF_ONE = r"\b(?:[Ii]|[Mm]y|[Mm]e|[Ii]ch|[Mm]ein\w*|[Mm]ir|[Mm]ich)\b|\u6211(?!\u4eec)"
_OF_SEVERAL = r"(?i)\b(?:we|our|us|let['\u2019]?s|wir|uns|unser\w*)\b"


def decision(sentence: Sentence, after: Sequence[Sentence], agent: str) -> Decision:
    """Take *sentence* apart, and look in the sentences *after* it for what it does not give."""
    head, reason, bound = parts(sentence.text)
    for other in after:
        because = re.match(cue_phrases.BECAUSE, other.text)
        if not reason and because and len(because[0]) < len(other.text):
            reason, tail = _bound(other.text[because.end() :], cue_phrases.BOUND)
            bound = bound or tail
        elif not bound and _binds(other):
            bound = other.text
        else:
            break
    text = utterances.trimmed(head)
    if _is_of_one(sentence, casual_spelling.spelled(f"{text} {reason}")):
        text = utterances.attributed(sentence, text, agent)
    reason = utterances.closed(reason)
    return Decision(text, reason if _tells(reason) else "", _unlinked(bound))


def _is_of_one(sentence: Sentence, read: str) -> bool:
    """Whether one person decides by *sentence*, so that it needs a name.

    In everyday talk what has no subject is of who says it: `went with the used van`.
    """
    if re.search(_OF_ONE, read):
        return True
    is_bare = not (sentence.is_work or analysis.is_cjk(read))
    return is_bare and re.search(_OF_SEVERAL, read) is None


def _tells(reason: str) -> bool:
    """Whether *reason* is one: `anyway` is none."""
    return bool(analysis.terms(reason) or analysis.figures(reason)[0]) and analysis.size(reason) > 1


def parts(text: str) -> tuple[str, str, str]:
    """Split *text* into decision, reason and constraint; the last two may be empty."""
    leading = re.match(
        r"(?i)(?:so,? )?(?:because|since|as|given that)\s+(?P<why>(?:[^,;:]|:\b){3,120})[,:]\s*"
        r"(?P<what>.{3,})"
        "|(?:\u56e0\u4e3a"
        "|\u7531\u4e8e)(?P<because>[^\uff0c,\uff1b]{2,60})[\uff0c,]\\s*(?P<so>.{2,})",
        text,
    )
    if leading:
        head = leading["what"] or leading["so"]
        decision, bound = _bound(head, cue_phrases.BOUND)
        return decision, leading["why"] or leading["because"], bound
    hence = re.search(cue_phrases.HENCE, text)
    if hence and hence.start() > CLAUSE and re.search(f"(?i){_DECIDES}", text[hence.end() :]):
        decision, bound = _bound(text[hence.end() :], cue_phrases.BOUND)
        return decision, utterances.trimmed(text[: hence.start()]), bound
    why = reason_in(text)
    head, reason = (text[: why.start()], text[why.end() :]) if why else (text, "")
    head, bound = _bound(head, cue_phrases.BOUND, cue_phrases.WITHOUT)
    reason, later = _bound(reason, cue_phrases.BOUND)
    return head, reason, bound or later


def reason_in(text: str) -> re.Match[str] | None:
    """Return where *text* goes on to a reason, if something stands on both sides."""
    found = (m for m in re.finditer(cue_phrases.REASON, text) if m[0].strip())
    inside = (m for m in found if m.start() > CLAUSE and m.end() < len(text) - CLAUSE)
    return next((m for m in inside if not _announces(m, text)), None)


def _announces(link: re.Match[str], text: str) -> bool:
    """Whether *link* is a bare mark, and what is decided stands behind it: `Boats: we chose X`."""
    if commitments.announces(casual_spelling.spelled(text[: link.end()])):
        return True
    decides = re.search(f"(?i){_DECIDES}", text)
    return not re.search(r"\w", link[0]) and decides is not None and link.end() <= decides.start()


def _bound(text: str, *patterns: str) -> tuple[str, str]:
    """Split *text* where a clause begins that binds."""
    starts = [found for pattern in patterns if (found := re.search(pattern, text))]
    if not starts or (first := min(starts, key=lambda found: found.start())).start() < CLAUSE:
        return text, ""
    return text[: first.start()], text[first.end() :]


def _binds(sentence: Sentence) -> bool:
    plain = re.search(cue_phrases.BINDING, sentence.text) and not re.search(r"\bI\b", sentence.text)
    return (
        bool(plain) and not utterances.asks(sentence) and not cue_phrases.DECISION.match(sentence)
    )


def _unlinked(bound: str) -> str:
    link = re.match(cue_phrases.LINK, bound)
    return utterances.closed(bound[link.end() :] if link else bound)
