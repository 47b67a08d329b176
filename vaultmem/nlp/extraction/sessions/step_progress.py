"""Tell whether a step that was to be taken was taken since.

Somebody says that it is done, or tells the deed: its verb in the past, and its object.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from vaultmem.nlp.extraction.talk import cue_phrases, similarity
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis, salience

# A step was taken when so much of it is told as done.
_TAKEN = 0.5
_PAST = {
    "began": "begin", "bought": "buy", "brought": "bring", "built": "build", "came": "come",
    "caught": "catch", "chose": "choose", "chosen": "choose", "did": "do",
    "done": "do", "drew": "draw", "drawn": "draw", "drove": "drive", "fed": "feed",
    "found": "find", "gave": "give", "given": "give", "got": "get", "held": "hold", "hung": "hang",
    "kept": "keep", "laid": "lay", "led": "lead", "left": "leave", "lent": "lend", "made": "make",
    "met": "meet", "paid": "pay", "ran": "run", "rang": "ring",
    "rewrote": "rewrite", "rewritten": "rewrite", "said": "say", "sang": "sing", "saw": "see",
    "sent": "send", "shown": "show", "sold": "sell", "spoke": "speak",
    "spoken": "speak", "stood": "stand", "swept": "sweep", "taken": "take",
    "taught": "teach", "thought": "think", "told": "tell", "took": "take", "went": "go",
    "won": "win", "written": "write", "wrote": "write",
}  # fmt: skip
# Who did it, or that it was done, right before the verb that says what. Verbs whose past looks
# like their present (`we put it there`) tell nothing.
_DOER = (
    r"(?:^|\b(?i:i|we|he|she|they|you|is|are|was|were|been|got|and|has|have)(?:['\u2019](?:ve|s))?"
    r"|^(?!(?:The|This|That|These|An?|Our|My|Your|His|Her|Its|Their|New|All|Some|Is|Are) )"
    r"[A-Z]\w+)(?: (?:have|has|had|just|already|now|finally|then|also|been|all|both))* ?$"
)
_VOID = (
    r"(?i)\b(?:not|never|nobody|nothing|no|tried to|wanted|supposed|almost|nearly|if|when|once"
    r"|until|before|unless|would|could|should|must|to be|will be)\b|n['\u2019]t\b"
)
_BUT = r"(?i)\b(?:but|though|however|except|in vain|voicemail|no answer)\b"
_SO_NOW = r"(?i)(?: (?:now|already|as well|too|and .*))?\W*"
_CLAUSE_END = re.compile(r"[,;:.!?]|\s[\u2013\u2014-]\s")


def is_done(step: str, after: Iterable[Sentence]) -> bool:
    """Whether something said *after* tells that *step* was taken."""
    heads = analysis.heads(step)
    # What a step has in the past (`the failed drive`) is not what it does.
    verbs = ["" if _verb(head) else analysis.stem(head) for head in heads]
    told = (s.text for s in after if not salience.is_question(s.text))
    return any(_says_done(step, verbs, text) or _tells_deed(heads, verbs, text) for text in told)


def _says_done(step: str, verbs: Sequence[str], text: str) -> bool:
    """Whether *text* says of most of the words of *step* that it is done, in another verb."""
    done = re.search(cue_phrases.DONE, text)
    if not done or _verb(done[0]) in verbs or re.search(cue_phrases.NOT_DONE, text):
        return False
    return similarity.within(similarity.items(step), similarity.items(text)) > _TAKEN


def _tells_deed(heads: Sequence[str], verbs: Sequence[str], text: str) -> bool:
    """Whether a clause of *text* tells the deed of a step: its verb in the past, its object.

    As `I called Okafor` does of `Next I call Okafor about the flue`.
    """
    start, said = 0, similarity.items(text)
    for end in [*(found.start() for found in _CLAUSE_END.finditer(text)), len(text)]:
        clause, start = text[start:end].strip(), end + 1
        if re.search(_VOID, clause) or re.search(_BUT, clause) or re.search(_BUT, text[end:]):
            continue
        for word in re.finditer(r"[^\W\d_]+", clause):
            if not (verb := _verb(word[0])) or verb not in verbs:
                continue
            behind = analysis.terms(" ".join(heads[verbs.index(verb) + 1 :]))
            if (
                _is_done_to(behind, clause, word)
                and similarity.within(frozenset(behind), said) > _TAKEN
            ):
                return True
    return False


def _is_done_to(behind: Sequence[str], clause: str, verb: re.Match[str]) -> bool:
    """Whether somebody else does *verb* in *clause* to the first thing that stands *behind* it.

    It stands behind it there, too, unless it is what *was* done.
    """
    doer = re.search(_DOER, clause[: verb.start()])
    if not (doer and behind) or not set(analysis.terms(doer[0])).isdisjoint(behind):
        return False
    # What is written every Friday is not yet written.
    if re.search(r"\b(?:is|are)\b", doer[0]) and not re.fullmatch(_SO_NOW, clause[verb.end() :]):
        return False
    is_passive = re.search(r"\b(?:is|are|was|were|been|got)\b", doer[0])
    return behind[0] in similarity.items(clause if is_passive else clause[verb.end() :])


def _verb(word: str) -> str:
    """Return the stem of the verb that *word* is the past of, "" when it is none."""
    head = word.casefold()
    if head in _PAST:
        return analysis.stem(_PAST[head])
    return analysis.stem(head) if head.endswith("ed") else ""
