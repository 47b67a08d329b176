"""Cut what somebody said into clauses that stand for themselves, as a summary may note them.

English alone. A clause is cut where grammar has a border, never where what is left would say
something else: what a `but`, an `if` or a negation may turn stays with what it turns. Left out are
questions, courtesies, what is said to the other, and what leans on a pronoun from outside. Dates
counted from the day of speaking are written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from vaultmem.nlp.extraction.grammar import assertion_en, first_hand, irrealis
from vaultmem.nlp.extraction.talk import self_contained
from vaultmem.nlp.summarization import clause_patterns as patterns
from vaultmem.nlp.text import absolute_dates, analysis, salience
from vaultmem.nlp.text.stopwords import CHAT, EVENTS, STOP

_LEAST_WORDS, _MOST_WORDS = 3, 30
# A longer sentence is no speech; and the work for one would grow with its square.
_MOST_LETTERS = 600
# So many words before a pronoun may hold what it stands for.
_ANTECEDENT, _NOUNS = 4, 2
_SHORT = 4
# As chat writes `can't` and `don't`.
_NO_APOSTROPHE = r"(?i)\b(do|does|did|ca|wo|is|was|are|were|could|would|should|have|has|had)nt\b"
# So many commas and no verb: a list.
_LISTED = 2


class Known(NamedTuple):
    """The names that occur, in lower case: of *voices*, who speak, and all."""

    voices: AbstractSet[str]
    names: AbstractSet[str]


def cut(
    sentence: str, day: date | None, known: Known, *, alone: bool = False
) -> list[tuple[str, ...]]:
    """Return the clauses of *sentence*, said on *day*, each in its forms: whole, then shorter.

    *known* are the names that occur. *alone* is a note that no speaker stands beside: it keeps its
    subject.
    """
    if len(sentence) > _MOST_LETTERS:
        return []
    if alone:
        text = _noted_alone(sentence, day)
        return [(text,)] if text else []
    if salience.is_question(sentence) or analysis.is_code(sentence):
        return []
    if irrealis.is_half(sentence):
        return []
    told = _without_address(_opened(sentence.strip()), known.voices)
    addressed = re.search(patterns.OTHER, told) is not None
    pieces = (p for p in _pieces(told) if not addressed or re.match(patterns.FIRST, p))
    forms = (
        dict.fromkeys(c for f in _forms(p) if (c := _noted(f, day, known.names))) for p in pieces
    )
    return [tuple(some) for some in forms if some]


def standing(sentences: Sequence[str]) -> list[str]:
    """Return those of the *sentences* of a turn that the next one neither takes back nor doubts."""
    undoing = (patterns.LEFT_OPEN, assertion_en.TAKEN_BACK)
    pairs = pairwise([*sentences, ""])
    return [it for it, after in pairs if not any(re.search(p, after) for p in undoing)]


def _opened(sentence: str) -> str:
    """Return *sentence* without what opens it and says nothing."""
    lead = re.match(patterns.OPENING, sentence)
    rest = sentence[lead.end() :] if lead else sentence
    return rest[:1].upper() + rest[1:]


def _without_address(sentence: str, voices: AbstractSet[str]) -> str:
    """Return *sentence* without the names by which it calls the other."""
    first = re.match(r"([A-Z]\w+)[,!]\s+", sentence)
    if first and _is_voice(first[1], voices):
        sentence = _opened(sentence[first.end() :])
    last = re.search(r",\s*([A-Z]\w+)\s*[.!]*$", sentence)
    return sentence[: last.start()] if last and _is_voice(last[1], voices) else sentence


def _is_voice(name: str, voices: AbstractSet[str]) -> bool:
    return any(voice.startswith(name.casefold()) for voice in voices)


def _pieces(sentence: str) -> Iterator[str]:
    """Yield *sentence* in the clauses that have a subject of their own."""
    if re.match(patterns.CONDITION, sentence):
        yield sentence
        return
    found = re.finditer(patterns.BORDER, sentence)
    borders = [m.span() for m in found if not _is_inside(sentence, m.start())]
    edges = [(0, 0), *borders, (len(sentence), len(sentence))]
    piece = ""
    for (_, start), (stop, following) in pairwise(edges):
        piece = sentence[start:stop] if not piece else piece + sentence[start:stop]
        if _belongs(piece, sentence[stop:following], sentence[following:]):
            piece += sentence[stop:following]
            continue
        yield piece
        piece = ""
    if piece:
        yield piece


def _belongs(piece: str, border: str, rest: str) -> bool:
    """Whether *rest* goes with *piece*, which it may turn, or which says of it when or whether."""
    return _turns(piece, border, rest) or _comments(border, rest) or _leads(piece, border)


def _comments(border: str, rest: str) -> bool:
    """Whether *rest* says of what stands before: without `I` or `we`, or with a doubt set apart."""
    if not re.match(patterns.FIRST_PERSON, rest):
        return True
    return re.search(r"[\w,]", border) is None and re.search(patterns.TURN, rest) is not None


def _turns(piece: str, border: str, rest: str) -> bool:
    """Whether *rest* may turn *piece*, or tells what it is for, or what it speaks of."""
    if re.match(patterns.TURNING, border) or re.match(patterns.TURNING, rest):
        return True
    if re.search(r"\bso\b", border) and re.match(patterns.PURPOSE, rest):
        return True
    if any(re.search(it, piece) for it in (patterns.REPORT, patterns.SCOPE)):
        return True
    if re.match(patterns.WISH, rest) or re.search(patterns.AFTERMATH, rest):
        return True
    return re.search(patterns.TAKEN_BACK, rest) is not None


def _leads(piece: str, border: str) -> bool:
    """Whether *piece* leads to what follows: `My brother and I`, `By no means, I`, `When I`."""
    last = piece.rpartition(",")[2].strip()
    if not (re.match(patterns.FIRST_PERSON, last) or _says(last)):
        return True
    if re.search(r"\w", border):
        return False
    is_own = re.match(patterns.FIRST, piece.strip()) is not None
    return not is_own or re.search(patterns.CLAUSE_OPENER, piece) is not None


def _is_inside(sentence: str, at: int) -> bool:
    """Whether *at* is inside a quotation or brackets."""
    before = sentence[:at]
    return (
        before.count('"') % 2 == 1
        or before.count("\u201c") > before.count("\u201d")
        or before.count("(") > before.count(")")
    )


def _forms(piece: str) -> Iterator[str]:
    """Yield *piece* whole, and without each tail that can go."""
    piece = piece.strip(" ,;:.!\u2026-\u2013\u2014")
    yield piece
    for tail in re.finditer(patterns.TAIL, piece):
        kept, rest = piece[: tail.start()], piece[tail.start() :]
        if _is_inside(piece, tail.start()) or re.search(patterns.TURN, rest):
            continue
        if not any(re.search(it, kept) for it in (patterns.SCOPE, patterns.GOES_ON)):
            yield kept


def _noted(form: str, day: date | None, names: AbstractSet[str]) -> str:
    """Return *form* as a note says it, "" when it cannot stand alone."""
    # What most often decides is asked first.
    if re.match(patterns.REACTION, re.sub(_NO_APOSTROPHE, r"\1n't", form)):
        return ""
    plain = re.sub(patterns.SHOWN, r"\1 the ", re.sub(patterns.FILLERS, "", form))
    if not _says_who(plain, names) or _is_chat(form):
        return ""
    if self_contained.is_service_talk(form) or irrealis.is_imagined(form):
        return ""
    if first_hand.is_of_the_hour(form):
        return ""
    if re.search(patterns.HEARSAY, form) or re.search(patterns.TAKEN_BACK, form):
        return ""
    text = _closed(re.sub(patterns.TRIMMED, "", _understood(plain, day)))
    return _lowered(text) if text else ""


def _is_chat(form: str) -> bool:
    """Whether *form* is said to the other, or to everybody."""
    return bool(re.search(patterns.OTHER, form) or re.search(patterns.PLATITUDE, form))


def _closed(text: str) -> str:
    """Return *text* without marks at its ends, "" when it cannot be a note."""
    text = re.sub(r"\s+", " ", text.replace(";", ",")).strip(" ,:.!\u2026-\u2013\u2014")
    text = re.sub(patterns.DATE_LEAD, r"\1, ", text)
    fits = _LEAST_WORDS <= len(_predicate(text).split()) <= _MOST_WORDS
    closed = text.count('"') % 2 == 0 and text.count("(") == text.count(")")
    return text if fits and closed and not re.search(patterns.ODD, text) else ""


def _predicate(form: str) -> str:
    """Return what *form* says of the speaker, all of it where that is not its subject."""
    return re.sub(rf"^{patterns.SUBJECT}", "", form)


def _lowered(text: str) -> str:
    """Return *text* with a small letter where only the sentence asked for a capital."""
    first = text.split(maxsplit=1)[0]
    plain = analysis.head(first)
    known = (
        plain in STOP or plain in EVENTS or (len(plain) > _SHORT and plain.endswith(("ing", "ed")))
    )
    is_own = plain != "i" and first[1:].islower() and known
    return text[0].lower() + text[1:] if is_own or first == "A" else text


def _noted_alone(sentence: str, day: date | None) -> str:
    """Return *sentence*, which nobody spoke, as a note says it."""
    text = _understood(sentence.strip(), day)
    return "" if salience.is_question(text) else _closed(text)


def _says_who(form: str, names: AbstractSet[str]) -> bool:
    """Whether *form* has a subject: the speaker's `I`, or what else can be one."""
    subject = re.match(patterns.SUBJECT, form)
    if subject is None:
        return _stands(form, names)
    is_wish = (subject["short"] or "").endswith("d")
    return not is_wish or re.match(patterns.WOULD, _predicate(form)) is not None


def _stands(form: str, names: AbstractSet[str]) -> bool:
    """Whether *form* begins with what can be a subject, or with a verb that leaves out its `I`."""
    word = (form.split() or [""])[0]
    plain = analysis.head(word)
    if _is_fragment(form):
        return False
    if re.match(r"(?i)(?:we|my|our)\b", form):
        return _says(form) or re.match(patterns.WITH_ME, form) is not None
    if re.match(patterns.NOUNY, form):
        return _says(form) and not (re.match(patterns.SUBORDINATE, form) and "," not in form)
    if plain in names and (re.match(patterns.NAMED, form) or _acts(form)):
        return True
    if _is_stated(form, plain):
        return True
    return _is_deed(form, plain) and not re.search(patterns.JUDGED, form)


def _is_fragment(form: str) -> bool:
    """Whether *form* has a subject of which only another sentence tells, or no verb at all."""
    if re.match(patterns.OF_IT, form) or re.match(patterns.FOR_ALONE, form):
        return True
    return form.count(",") >= _LISTED and not _says(form)


def _acts(form: str) -> bool:
    """Whether a verb of an event follows the names that open *form*."""
    rest = form.split()[1:3]
    return any(analysis.head(word) in EVENTS or word in patterns.CAME for word in rest)


def _is_stated(form: str, plain: str) -> bool:
    """Whether *form* states something of a thing, in names or figures."""
    if plain in STOP | CHAT or plain.endswith("ing") or re.search(patterns.JUDGED, form):
        return False
    if not re.match(patterns.STATED, form):
        return False
    is_named = bool(analysis.figures(form)[0] or analysis.names([form]))
    return is_named and first_hand.is_first_hand(form)


def _is_deed(form: str, plain: str) -> bool:
    """Whether *form* opens with the verb *plain*, of which only the speaker can be the subject."""
    if (plain in EVENTS and plain not in patterns.BIDS) or re.match(patterns.ELLIPTIC, form):
        return True
    if len(plain) <= _SHORT or plain in patterns.NO_DEED | patterns.OF_THINGS:
        return False
    if plain.endswith("ing"):
        return re.search(patterns.OF_ALL, form) is None or re.search(patterns.OWN, form) is not None
    return plain.endswith("ed")


def _says(form: str) -> bool:
    """Whether *form* has a verb, as far as its form tells."""
    if re.search(patterns.VERB, form):
        return True
    return any(
        h in EVENTS or (len(h) > _SHORT and h.endswith("ed") and h not in patterns.OF_THINGS)
        for h in analysis.heads(form)[1:]
    )


def _hangs(text: str) -> bool:
    """Whether a pronoun stands for something outside *text*."""
    if re.search(patterns.POINTING, text):
        return True
    if re.search(patterns.THIRD, text) and not re.match(patterns.RELATED, text):
        return True
    return any(not _is_known(m[0], text[: m.start()]) for m in re.finditer(patterns.HANGING, text))


def _is_known(pronoun: str, before: str) -> bool:
    """Whether what stands *before* a pronoun can hold what it stands for."""
    if len(before.split()) < _ANTECEDENT or len(analysis.terms(before)) < _NOUNS:
        return False
    if pronoun.casefold() == "there":
        return re.search(patterns.PLACE, before) is not None
    if pronoun.casefold() in {"her", "hers", "him"}:
        return re.search(patterns.SOMEBODY, before) is not None
    thing = patterns.THINGS if re.match(patterns.MANY, pronoun) else patterns.THING
    return re.search(thing, before) is not None


def _understood(text: str, day: date | None) -> str:
    """Return *text*, said on *day*, with its dates; "" where it leans on what stands outside.

    A year that was counted is not named, since nobody did: the day in front of the note says it.
    """
    told = _dated(text, day)
    if not told or _hangs(told) or re.search(patterns.RELATIVE, told):
        return ""
    named = text
    for said, instead in patterns.YEARS if day else ():
        named = re.sub(said, instead, named)
    return told if named == text else _dated(named, day)


def _dated(text: str, day: date | None) -> str:
    """Return *text* with the dates written out that it counts from *day*."""
    if day is None:
        return text
    meant = absolute_dates.absolute(re.sub(patterns.TODAY, "", text), day)
    return re.sub(patterns.PLACED, r"\1, on ", meant)
