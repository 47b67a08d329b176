"""Name a summary by its time and its subjects: what a list of summaries shows of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultmem.documents.languages import detection
from vaultmem.nlp.extraction.naming import first_request, titles
from vaultmem.nlp.extraction.naming.titles import Subjects
from vaultmem.nlp.extraction.talk import talk_line, utterances
from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis
from vaultmem.records import Record, first_line
from vaultmem.storage.transcripts import ROLES

_HOOK, _TITLE = 160, 60
_SUBJECTS, _MORE = 3, 6
_ROLES = frozenset(ROLES)
# So many memories open a session.
_OPENING = 4
# Of so many texts so many must speak of a subject; a summary says little twice.
_LEAST = ((24, 3), (8, 2))
_LEAST_TOLD = ((8, 2),)
# What a line of notes has beside them: its label, and days.
_FRAMES = re.compile(r"(?:^[^:\n]{1,120}|; [A-Z][a-z]+ \d{1,2}(?:, \d{4})?): ", re.MULTILINE)


class Heading(NamedTuple):
    """A summary's title and its description, each on one line."""

    title: str
    description: str


def of_recent(
    passages: Sequence[Passage],
    span: tuple[str, str],
    ordinals: tuple[int, int],
    text: str,
    matters: Sequence[str] = (),
) -> Heading:
    """Name the summary *text* of *passages*, made from the first to the second time of *span*.

    What sessions were opened for (*matters*) comes first. *ordinals* are those of its first and
    last memory, which name it where nothing else does.
    """
    voices = tuple(dict.fromkeys(" ".join(p.speaker.split()) for p in passages if p.speaker))
    found = _subjects([p.text for p in passages], voices)
    found = Subjects((*matters, *_beside(matters, found.several)), found.every)
    # Who has no name is one of every talk with an agent.
    who = talk_line.who(voices) if voices and not _ROLES.issuperset(voices) else ""
    title, more = _titled(titles.period(*span), found)
    title = title or f"Memories {ordinals[0]} to {ordinals[1]}"
    return Heading(title, _described(who, more, text))


def matters(told: Sequence[Record], agent: str, *, start: int) -> tuple[str, ...]:
    """Return what the sessions of *told*, memories in order, were opened for, each once.

    A session is one with an *agent* where nobody has another name. Where they *start* behind the
    first memory of all, the first session may have been opened before them, and is left out.
    """
    sessions: dict[str, list[Record]] = {}
    for memory in told:
        sessions.setdefault(memory.session, []).append(memory)
    if start > 1 and sessions:
        sessions.pop(next(iter(sessions)))
    sessions.pop("", None)
    found = map(first_request.subject, (_asked(some, agent) for some in sessions.values()))
    return tuple(dict.fromkeys(filter(None, found)))


def _asked(session: Sequence[Record], agent: str) -> list[str]:
    """Return the sentences with which the user opens a *session* with the *agent*."""
    if any(m.speaker not in {*_ROLES, agent} for m in session):
        return []
    asked = [m.body for m in session[:_OPENING] if m.speaker == "user"]
    return [sentence for text in asked for sentence in analysis.sentences(text)]


def _beside(matters: Sequence[str], subjects: Sequence[str]) -> Iterator[str]:
    """Yield of *subjects* what the *matters* do not say."""
    known = frozenset(term for matter in matters for term in analysis.terms(matter))
    return (it for it in subjects if not known.issuperset(analysis.terms(it)))


def of_longterm(text: str, span: tuple[str, str]) -> Heading:
    """Name the long-term summary *text*, which tells of the time of *span*."""
    quoted = "\n".join(utterances.quoted(line).text for line in text.splitlines())
    found = _subjects(re.split(r"; |\n", _FRAMES.sub(" ", quoted)), least=_LEAST_TOLD)
    when = titles.period(*span)
    title, more = _titled(f"Long-term, {when}" if when else "Long-term", found)
    return Heading(title, _described("", more, text))


def _subjects(
    texts: Sequence[str],
    voices: Sequence[str] = (),
    least: Sequence[tuple[int, int]] = _LEAST,
) -> Subjects:
    """Return what *texts* are about; of a language whose things are not known, nothing."""
    said = " ".join(texts)
    if detection.language(said) and not analysis.is_cjk(said):
        return Subjects()
    few = next((few for many, few in least if len(texts) >= many), 1)
    return titles.spoken_of(texts, _SUBJECTS + _MORE, voices, few)


def _titled(when: str, found: Subjects) -> tuple[str, Sequence[str]]:
    """Return *when* with as much of what several speak of as fits, and what else there is."""
    named = found.several[:_SUBJECTS]
    while named and len(_title(when, named)) > _TITLE:
        named = named[:-1]
    rest = [name for name in found.every if not any(said in name for said in named)]
    return _title(when, named), rest[:_MORE]


def _title(when: str, subjects: Sequence[str]) -> str:
    named = ", ".join(subjects)
    if when and named:
        return f"{when}: {named}"
    return when or named[:1].upper() + named[1:]


def _described(who: str, subjects: Sequence[str], text: str) -> str:
    """Return who speaks of which *subjects*; where there are none, how *text* begins."""
    if not subjects:
        first = text.splitlines()[0] if text.strip() else ""
        return first_line(utterances.quoted(first).text, _HOOK)
    named = ", ".join(subjects)
    return first_line(f"{who} on {named}" if who else named, _HOOK)
