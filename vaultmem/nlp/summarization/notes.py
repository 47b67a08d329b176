"""Set out notes of what was said: clauses, each with its speaker and the day on which it was said.

A short-term summary has a line for what somebody said on a day, `May 8, 2023, Ana: I sold the van;
I left Ulm.`, and a long-term one a line for what somebody said of a subject, `Ana on plans, May 8,
2023: I sold the van; May 9: I left Ulm.` Both can be read again, so that one is made of the other.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import NamedTuple

from vaultmem.nlp.extraction.durable import life_facts
from vaultmem.nlp.extraction.grammar import plain_statements
from vaultmem.nlp.extraction.talk import idle_talk
from vaultmem.nlp.extraction.talk.replies import Reply
from vaultmem.nlp.summarization import clauses
from vaultmem.nlp.tasks import IMPORTANT, Passage
from vaultmem.nlp.text import absolute_dates, analysis, quotation

# Words of what is important, and no clause of its speaker's.
_QUOTED = 30
# Of what was asked, and of what was answered.
_QUOTES = 4
_END = " ."
# What anybody may be told counts by so much less.
_GENERAL = 5
# A message of chat.
_BRIEF = 12
# Of something or somebody else, or how it is to the speaker: `the colors are so bright`.
_OPINED = re.compile(
    r"(?i)(?-i:(?!I\b|My\b|We\b|Our\b)[A-Z])(?!.*\b(?:my|our|me|us)\b)|(?:the|that|there|it)\b"
    r"|\w+ing(?: [\w'\u2019-]+){0,4} (?:is|are|was|were|has|have|helps?|makes?|gives?)\b"
    r"|\w+['\u2019]s (?:an?|my|so)\b"
    r"|(?:we(?:['\u2019](?:ve|re)| have| are| were) (?:all |been )?)?(?:swamped|stoked|crossing"
    r"|tempted|imagining|passionate|loving|upset|overwhelmed|freaked|mesmeri[sz]ed|much-needed)\b"
)
_COUNTED = re.compile(r"\w+")
_DATE = r"[A-Z][a-z]+ \d{1,2}(?:, \d{4})?"
_LINE = re.compile(rf"(?:(?P<who>[^\n]{{1,80}}?), )?(?P<rest>{_DATE}: [^\n]+)\.")
_ENTRY = re.compile(
    r"(?P<day>[A-Z][a-z]+ \d{1,2}, \d{4}), (?P<who>[^\n:]{1,80}): (?P<said>[^\n]+)\."
)
_PART = re.compile(rf"(?:(?P<day>{_DATE}): )?(?P<text>.+)")


class Note(NamedTuple):
    """A clause, who said it on which day (ISO, or ""), and its place among all clauses.

    Of notes with the same *order* one is to be taken: they are forms of one clause. *passage* is
    the number of what it was said in.
    """

    text: str
    speaker: str
    day: str
    order: int = 0
    passage: int = 0
    importance: float = 0.5


def words(text: str) -> int:
    """Count the words of *text*, each part of a date as one."""
    return len(_COUNTED.findall(text))


def found(
    passages: Sequence[Passage], split: Sequence[Sequence[str]], replies: Iterable[Reply] = ()
) -> Iterator[Note]:
    """Yield what could be noted of *passages*, in all its forms; *split* are their sentences.

    Of *replies* those are noted, with their questions, that no clause says without them.
    """
    voices = frozenset(head for p in passages for head in analysis.heads(p.speaker))
    names = frozenset(analysis.names(sentence for some in split for sentence in some))
    read = _Reading(clauses.Known(voices, names), bool(voices) and _is_chat(passages))
    replied = {reply.number: reply for reply in replies}
    orders = itertools.count(1)
    for number, (passage, sentences) in enumerate(zip(passages, split, strict=True)):
        told = clauses.standing(sentences)
        weighed = read.weighed(told, passage, replied.get(number))
        said = passage.day.isoformat() if passage.day else ""
        for (forms, weight), order in zip(weighed, orders, strict=False):
            for text in forms:
                yield Note(text, _voice(passage), said, order, number, weight)


class _Reading(NamedTuple):
    """How clauses are cut: which names are known, and whether much is left out, as in chat."""

    known: clauses.Known
    is_strict: bool

    def cuts(self, sentences: Iterable[str], passage: Passage) -> list[tuple[str, ...]]:
        """Return the clauses of *sentences* of *passage* that tell something, in all forms."""
        day, alone = passage.day, not _voice(passage)
        cuts = [c for s in sentences for c in clauses.cut(s, day, self.known, alone=alone)]
        if self.known.voices:
            cuts = [own for c in cuts if (own := tuple(filter(_is_telling, c)))]
            if self.is_strict:
                cuts = [own for c in cuts if (own := tuple(filter(_is_of_a_life, c)))]
        return cuts

    def weighed(
        self, told: Sequence[str], passage: Passage, reply: Reply | None
    ) -> list[tuple[tuple[str, ...], float]]:
        """Return what is noted of *passage*, in all forms, with what each counts.

        It is what is *told*, and a *reply* that no clause says; of what is important something.
        """
        importance = passage.importance
        noted = [(forms, importance) for forms in self.cuts(told, passage)]
        if reply and not self.cuts([reply.text], passage) and (quoted := _replied(reply)):
            noted.insert(0, ((quoted,), importance / (_GENERAL if reply.is_general else 1)))
        if importance >= IMPORTANT and not noted:
            return [((quoted,), importance) for s in told[:1] if (quoted := _quoted(s))]
        return noted


def _voice(passage: Passage) -> str:
    return " ".join(passage.speaker.split())


def _replied(reply: Reply) -> str:
    """Return *reply* as a note, with its question; "" where that could not be told apart."""
    if not reply.question:
        return _quoted(reply.text)
    text = f'asked "{reply.question}": "{reply.text.rstrip(_END)}"'
    return "" if text.count('"') != _QUOTES or "; " in text else text


def _is_chat(passages: Sequence[Passage]) -> bool:
    """Whether most of *passages* are short: much is left out in them."""
    return 2 * sum(words(passage.text) <= _BRIEF for passage in passages) > len(passages)


def _is_of_a_life(clause: str) -> bool:
    """Whether *clause*, which may have lost its `I`, says something of its speaker's life."""
    if _OPINED.match(clause) or not plain_statements.is_clean(clause):
        return False
    return any(life_facts.is_of_a_life(it) for it in (clause, f"I {clause}"))


def _is_telling(clause: str) -> bool:
    """Whether *clause*, which may have lost its `I`, is more than idle talk and opinion."""
    if _OPINED.match(clause) and not any(analysis.facts(f"x {clause}")):
        return False
    return not any(idle_talk.is_passing(it) for it in (clause, f"I {clause}"))


def _quoted(sentence: str) -> str:
    """Return *sentence* in quotation marks, as a note; "" for one that could not be told apart."""
    text = quotation.chop(analysis.bare(sentence), _QUOTED)
    return "" if '"' in text or "; " in text else f'"{text}"'


def entry(speaker: str, day: str, texts: Iterable[str]) -> str:
    """Return the line that says what *speaker*, or nobody by name, said on *day*, ISO or ""."""
    told = absolute_dates.spelled(date.fromisoformat(day)) if day else ""
    lead = ", ".join(part for part in (told, speaker) if part)
    text = "; ".join(texts)
    return f"{lead}: {text}." if lead else f"{text}."


def line(label: str, notes: Sequence[Note]) -> str:
    """Return the line that says *notes*, in their order, under *label*."""
    parts: list[str] = []
    year = 0
    for day, some in groupby(notes, key=lambda note: note.day):
        text = "; ".join(note.text for note in some)
        said = date.fromisoformat(day) if day else None
        parts.append(f"{absolute_dates.spelled(said, year)}: {text}" if said else text)
        year = said.year if said else year
    lead = (", " if notes[0].day else ": ") if label else ""
    return f"{label}{lead}{'; '.join(parts)}."


def read(text: str) -> tuple[str, list[Note]] | None:
    """Take a line of notes apart into its speaker or label and its notes; None when it is none."""
    if said := _ENTRY.fullmatch(text):
        day = _day(said["day"], None)
        told = [Note(part, "", day.isoformat()) for part in said["said"].split("; ")] if day else []
        return (said["who"], told) if told else None
    whole = _LINE.fullmatch(text)
    return (whole["who"] or "", told) if whole and (told := _parts(whole["rest"])) else None


def _parts(text: str) -> list[Note]:
    """Take apart what a line says after its label; nothing where a day is none."""
    notes: list[Note] = []
    day: date | None = None
    for part in text.split("; "):
        said = _PART.fullmatch(part)
        if said is None or (said["day"] and (day := _day(said["day"], day)) is None):
            return []
        notes.append(Note(said["text"], "", day.isoformat() if day else ""))
    return notes


def _day(text: str, before: date | None) -> date | None:
    """Return the day that *text* spells, in the year *before* where it names none."""
    month, day, *year = text.replace(",", "").split()
    if not (year or before):
        return None
    try:
        known = int(year[0]) if year else before.year if before else 0
        return date(known, absolute_dates.month(month), int(day))
    except ValueError:
        return None
