"""Find what is still open: questions nobody answered, and what is said to be undecided."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.nlp.extraction.choices import (
    casual_doubts,
    choices_de,
    decisions,
    doubts_de,
    idle_questions,
    undecided_de,
    undecided_zh,
)
from vaultmem.nlp.extraction.grammar import antecedents, assertion_en, relations, statement_zh
from vaultmem.nlp.extraction.talk import casual_spelling, cue_phrases, similarity, utterances
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis, salience

_LEAST_TERMS = 2
# So many turns of others are looked at: the first may only ask back.
_REPLIES = 3
# Of something that only another sentence names: `what's it called`.
# Neither says of what: `\u8fd8\u6ca1\u5b9a`, `\u76ee\u524d\u5f85\u5b9a`.
_OF_WHAT_ZH = (
    "(?!.*(?:\u60f3\u597d|\u51b3\u5b9a"
    "|\u786e\u5b9a)[^\\W\u5462\u4e86\u5427\u554a\u561b\u597d\u7684]{3})"
    "(?:\u55ef|\u54e6|\u76ee\u524d|\u73b0\u5728|\u6682\u65f6|\u6211\u4eec?|\u8fd9\u4e2a"
    "|\u90a3\u4e2a|\u8fd8|\u4e5f|\u90fd|\u4ecd|\\W)*"
    "(?:\u6ca1|\u672a|\u5f85|\u5c1a|\u6709\u5f85|\u60ac|\u4e0d(?:\u6e05\u695a"
    "|\u786e\u5b9a)(?!\u662f\u5426|\u8981\u4e0d\u8981|\u600e\u4e48|\u5982\u4f55"
    "|\u4e3a\u4ec0\u4e48))"
)
_OF_IT = (
    r"(?i)\W*(?:(?:and|but|so|ok|lol|wait),? )*(?:what|how|where|who|when|why)"
    r"(?:['\u2019]?s|['\u2019]re)?"
    r" (?:(?:is|are|was|were|does|do|did|has|have|will|much is) )?"
    r"(?:it|that|this|he|she|they|those)\b"
)
# What friends ask of both, to settle it: `which van do we rent`, but not `how do we know`.
_SETTLE = (
    r"(?:bring|pay|book|pick|drive|cook|take|buy|keep|fit|host|order|feed|watch|clean|water|choose"
    r"|use|rent|hire|invite|sell|move|paint|adopt|name|apply|sign|build|renovate)"
)
_OURS = re.compile(
    r"(?i)(?:(?:so|and|but|ok(?:ay)?|then|well|also|btw)[, ]+)*"
    r"(?:(?:(?:what|which|when|where|who|how)\b(?: \w+){0,3} )?"
    r"(?:(?:should|shall|do|will) we|are we going to|do we (?:want|need|have) to) "
    rf"{_SETTLE}\b|who(?:['\u2019]s| is| will| can)? (?:going to )?{_SETTLE}(?:s|es|ing)?\b)"
)
# What one asks oneself, or of others, or to be heard: nothing that is to be settled.
_NOT_OURS = (
    r"(?i)\b(?:i|you|your|his|her|he|she|their|they|would|even|ever|now|here|like|it|that|this"
    r"|talk\w*|chat\w*|topics?|next|tomorrow|tonight|today)\b|\?!|!\?|n['\u2019]t\b"
)
# Of the one who is asked, or what nobody can find out.
_OF_THE_HEARER = (
    r"(?i)\b(?:you|your|u|ur|he|she|they|his|her|their|life|world|people|mean(?:s|ing)?|think\w*"
    r"|why|anyone|everyone|ones?|seems?|who gets?|actually|these|those"
    r"|this(?! (?:year|month|week\w*|summer|winter|spring|fall|autumn|time)\b)|did|was|were|would"
    r"|could|even|happen\w*"
    r"|favou?rite|best|worst)\b"
    r"|\?!|!\?"
)
# A whole question, of something that both know; what one should do oneself asks for advice.
_WHOLE = re.compile(
    r"(?i)(?:\b(?:is|are|do|does|can|could|will|should|must|has|have)|['\u2019]s)"
    rf" (?:we|there|(?:the|my|our|an?) \w+|(?:my )?{relations.RELATION}|(?-i:[A-Z])\w+)\b"
    r"|^(?:if|whether|when|where|what time|who|which|how \w+) (?:the|our|my|we)\b"
    r"|^who (?:has|is|takes|pays|brings|picks|drives) \w+|\bwho do we\b"
)
_ADVICE = r"(?i)\b(?:should|shall|do|can|could) i\b"
_YES_OR_NO = (
    r"(?i)(?:(?:yes|yep|yeah|no|nope)[,.! ]+(?:it|he|she|they|there|we)"
    r"|(?:ja|nein|nee|doch)[,.! ]+(?:hat|ist|sind|gibt|war|kann|geht|er|sie|es|der|die|das))\b"
)
# What a thing is concerns those who talk where it is theirs, or at a place of theirs.
_WHAT_IS = r"(?i)(?:(?:so|and|but|ok|btw)[, ]+)*what(?:['\u2019]?s| is| are)\b"
_SHARED = r"(?i)\b(?:our|my|we|us)\b|\b(?:at|of|in|to|for) (?:the|our|my)\b"
_OF_TALK = (
    r"(?i)\b(?:chat\w*|talk\w*|topics?|conversations?|bots?|points|prompt|app|rn|right now)\b"
)
# What is said next of `it` settles what was just called undecided: `lets keep it with us`.
_SETTLES_IT = (
    r"(?i)(?:(?:ok(?:ay)?|then|so|well|fine|yes|yeah|no|i say|i think)[, ]+)*(?:let['\u2019]?s"
    r"|(?:we|i)(?:['\u2019]?ll| will| can)|(?:you|we|i) (?:do|take|own|keep))"
    r" (?!(?:\w+ )?(?:ask|check|find|look|see|think|talk|call|know)\b)"
    r"[^?]*"
    r"\b(?:it|that|this|them)\b"
)

# Whoever is told so and takes it on leaves nothing open: `i can watch the dog`.
_OFFERS = (
    r"(?i)(?:(?:oh|ok(?:ay)?|sure|yeah|yes|no worries|well)[,! ]+)*(?:(?:I|we|my"
    r" \w+)(?:['\u2019]?ll"
    r"| will| can| could)|you (?:can|could|should)) (?!(?:\w+ )?(?:ask|check|find|look|see|think"
    r"|talk|call|know|let|get back)\b)\w+"
)
# Of what only the talk names, and of the other, unless they are to choose.
_NOT_OURS_ZH = (
    "^[\u8fd9\u90a3\u5b83\u4ed6\u5979]|[\u4f60\u60a8]"
    "(?!.*(?:\u8981\u4e0d\u8981|\u8fd8\u662f|\u8be5|\u9700\u8981|\u5e0c\u671b|\u60f3))"
)
# What those who talk have to settle: `\u8981\u4e0d\u8981\u5e26\u4f1e`.
_OURS_ZH = "\u6211\u4eec|\u54b1|\u8981\u4e0d\u8981|\u8be5|\u8fd8\u662f|\u600e\u4e48\u529e"


def open_questions(
    sentences: Sequence[Sentence], later: Sequence[Sentence] = ()
) -> tuple[str, ...]:
    """Return the questions among *sentences* that nothing answers, in order; nor *later* ones."""
    said = (*sentences, *later)
    found = (
        s
        for i, s in enumerate(sentences)
        if _is_open(s, said[i + 1 :]) and (s.is_work or _is_for_people(s, said[i + 1 :]))
    )
    return similarity.distinct(map(_told, found))


def _told(sentence: Sentence) -> str:
    """Return what is open, and for whom: `no clue yet when I get the keys` needs a name."""
    if sentence.is_work:
        return sentence.text
    is_own = re.search(r"(?i)\b(?:we|our|wir|uns|unser\w*)\b", sentence.text) is None
    is_asked = salience.is_question(sentence.text) or analysis.is_cjk(sentence.text)
    return utterances.attributed(sentence) if is_own and not is_asked else sentence.text


def _is_for_people(sentence: Sentence, after: Sequence[Sentence]) -> bool:
    """Whether a person leaves open, in everyday talk, what people have to settle: no riposte.

    What is asked of both is to be settled; of anything else the reply shows that it is not known.
    """
    text = sentence.text
    if sentence.role != "user":
        return False
    if analysis.is_cjk(text):
        is_asked = salience.is_question(text) and not undecided_zh.is_open(text)
        return re.search(_OURS_ZH, text) is not None or not is_asked
    if not salience.is_question(text):
        return _is_doubt(text)
    if choices_de.is_german(text):
        return doubts_de.asks(text) and _is_unknown(sentence, after)
    read = casual_spelling.spelled(text)
    if _OURS.match(read) is not None and re.search(_NOT_OURS, read) is None:
        return True
    return _is_to_learn(sentence, after)


def _is_to_learn(question: Sentence, after: Sequence[Sentence]) -> bool:
    """Whether *question* is of something named, and whoever was asked does not know it either."""
    read = casual_doubts.WRAPPED.sub("", casual_spelling.spelled(question.text))
    if re.search(_OF_TALK, read) or re.search(_OF_THE_HEARER, read) or antecedents.hangs(read):
        return False
    if _WHOLE.search(read) is None or re.search(_ADVICE, read):
        return False
    if re.match(_WHAT_IS, read) and re.search(_SHARED, read) is None:
        return False
    return _is_unknown(question, after)


def _is_unknown(question: Sentence, after: Sequence[Sentence]) -> bool:
    """Whether whoever answers *question* first says that they do not know, or are to look."""
    others = [s for s in after if s.turn > question.turn and s.speaker != question.speaker]
    reply = [s for s in others if s.turn == others[0].turn]
    return any(_owns_not_to_know(s.text) for s in reply[:2])


def _owns_not_to_know(text: str) -> bool:
    return casual_doubts.is_unknown(text) or doubts_de.is_unknown(text)


def _has_learnt(text: str) -> bool:
    return casual_doubts.has_learnt(text) or doubts_de.has_learnt(text)


def _answers_oneself(text: str) -> bool:
    """Whether who asked says yes or no to it; of a doubt it would answer somebody else."""
    return re.match(_YES_OR_NO, text) is not None


def _is_doubt(text: str) -> bool:
    """Whether a person says in *text*, of themselves, what is not known or decided yet."""
    if choices_de.is_german(text):
        return undecided_de.is_open(text)
    return undecided_zh.is_open(text) if analysis.is_cjk(text) else casual_doubts.is_open(text)


def _is_open(sentence: Sentence, after: Sequence[Sentence]) -> bool:
    if _is_asked(sentence):
        is_phatic = re.search(cue_phrases.PHATIC, sentence.text) is not None
        asks = not is_phatic and _stands(sentence.text) and not _is_replied_to(sentence, after)
    else:
        alone = re.match(_OF_WHAT_ZH, sentence.text) or re.match(
            cue_phrases.OPEN_ALONE, sentence.text
        )
        is_aside = sentence.text.startswith("(") or assertion_en.is_jest(sentence.text)
        casual = not sentence.is_work and _is_doubt(sentence.text)
        told = alone is None and _tells_open(sentence)
        asks = not is_aside and (casual or told)
        if asks and analysis.is_cjk(sentence.text):  # what is then chosen has no word in common
            asks = not any(map(decisions.is_decision, after))
        asks = asks and not any(_settles_it(sentence, s) for s in after)
    return asks and _has_matter(sentence.text) and not is_resolved(sentence.text, after)


def _is_asked(sentence: Sentence) -> bool:
    """Whether *sentence* asks; what one does not know is put in Chinese as it would be asked."""
    is_doubt = analysis.is_cjk(sentence.text) and undecided_zh.is_open(sentence.text)
    return salience.is_question(sentence.text) and (sentence.is_work or not is_doubt)


def _tells_open(sentence: Sentence) -> bool:
    """Whether *sentence* says that something is open, and of people not what is so to others."""
    found = cue_phrases.OPEN.match(sentence)
    if found is None:
        return False
    return sentence.is_work or not statement_zh.is_of_others(sentence.text[: found.start()])


def _settles_it(open_point: Sentence, later: Sentence) -> bool:
    """Whether *later*, in one of the next turns, says what becomes of the *open_point*."""
    is_soon = open_point.turn < later.turn <= open_point.turn + _REPLIES
    if is_soon and later.speaker == open_point.speaker and _has_learnt(later.text):
        return True
    is_offer = later.turn == open_point.turn + 1 and re.match(_OFFERS, later.text) is not None
    return is_offer or (is_soon and re.match(_SETTLES_IT, later.text) is not None)


def _has_matter(text: str) -> bool:
    if analysis.is_cjk(text) and undecided_zh.is_open(text):
        return True
    least = 1 if re.search(cue_phrases.TO_SETTLE, text) else _LEAST_TERMS
    return len(set(analysis.terms(text))) >= least


def _stands(text: str) -> bool:
    """Whether the question *text* is one without what was said before it: not `And the fees?`."""
    if choices_de.is_german(text):
        return doubts_de.asks(text)
    if analysis.is_cjk(text):
        return re.search(_NOT_OURS_ZH, text) is None
    text = casual_spelling.spelled(text)
    if casual_doubts.WRAPPED.match(text):
        return True
    if re.match(_OF_IT, text) or idle_questions.is_one(text):
        return False
    asks = re.search(cue_phrases.TO_SETTLE, text) or re.search(cue_phrases.ASKS, text)
    return asks is not None and re.match(cue_phrases.GOES_ON, text) is None


def _is_replied_to(question: Sentence, after: Sequence[Sentence]) -> bool:
    """Whether the next turns of others give an answer to *question*."""
    voice = (question.role, question.speaker)
    own = [s for s in after if (s.role, s.speaker) == voice and s.turn > question.turn]
    if any(_has_learnt(s.text) or _answers_oneself(s.text) for s in own[:_REPLIES]):
        return True
    theirs = [s for s in after if (s.role, s.speaker) != voice]
    turns = list(dict.fromkeys(s.turn for s in theirs))[:_REPLIES]
    about = similarity.items(question.text)
    first = [s for s in theirs if s.turn in turns[:1]]
    if first and all(_leaves_open(s, about) for s in first):
        theirs = [s for s in theirs if not about.isdisjoint(similarity.items(s.text))]
    return any(_says_more(s, about) for s in theirs if s.turn in turns)


def _says_more(reply: Sentence, about: frozenset[str]) -> bool:
    """Whether *reply* is more than a word that the answer is to come, or a question back."""
    if salience.is_question(reply.text):
        return re.match(cue_phrases.YES_NO, reply.text) is not None
    return not (re.search(cue_phrases.DEFERRED, reply.text) or _leaves_open(reply, about))


def _leaves_open(reply: Sentence, about: frozenset[str]) -> bool:
    """Whether *reply* says that nobody knows yet, or goes on to something else."""
    if re.search(cue_phrases.LEFT_OPEN, reply.text) or _owns_not_to_know(reply.text):
        return True
    goes_on = re.search(cue_phrases.MOVES_ON, reply.text) is not None
    return goes_on and about.isdisjoint(similarity.items(reply.text))


def is_resolved(question: str, after: Sequence[Sentence]) -> bool:
    """Whether something said *after* takes up most of *question* and leaves it no longer open."""
    about = similarity.items(question)
    return any(_resolves(about, sentence) for sentence in after)


def _resolves(about: frozenset[str], sentence: Sentence) -> bool:
    if salience.is_question(sentence.text) or re.search(cue_phrases.DEFERRED, sentence.text):
        return False
    shared = len(about & similarity.items(sentence.text))
    least = 1 if decisions.is_decision(sentence) else 2
    return shared >= least and shared >= len(about) * (0.34 if least == 1 else 0.6)
