"""Make an episode of a stretch of turns."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from vaultmem.documents.bodies import Decision, Eliminated, Episode
from vaultmem.nlp.extraction.choices import (
    decisions,
    open_questions,
    preferences,
    refusals,
    replacement,
)
from vaultmem.nlp.extraction.naming import first_news, first_request, subject_phrases, titles
from vaultmem.nlp.extraction.sessions import tool_results
from vaultmem.nlp.extraction.talk import similarity, talk_line, utterances
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.tasks import FoldTask, Passage, Task
from vaultmem.nlp.text import analysis
from vaultmem.records import first_line
from vaultmem.storage.transcripts import Turn

_MOST = 12
_TALK = 6
"""Fewer sentences are named by what little they say."""
_FEW, _NAMES = 2, 60
_OF = ": "
_PASTED = "\u2026"
TALK = "Talk"
"""What talk without names and without a subject is called."""


def summary_task(task: FoldTask) -> Task:
    """Return the summary to ask for: of what was said, or of what tools answered."""
    spoken = [turn for turn in task.turns if turn.role in {"user", "assistant"}]
    own = [(turn, text) for turn in spoken if (text := utterances.own_words(turn)).strip()]
    passages = (
        Passage(text, turn.speaker or _voice(turn, task.agent), turn.at)
        if turn.role != "tool"
        else Passage(text, turn.tool, turn.at)
        for turn, text in own or [(turn, _shown(turn)) for turn in spoken or task.turns]
    )
    return Task("recent", tuple(passages), task.agent)


def _shown(turn: Turn) -> str:
    """Return what is told of a *turn* in which nobody says anything themselves."""
    return tool_results.shorten(turn.content, 300) if turn.role == "tool" else _PASTED


def _voice(turn: Turn, agent: str) -> str:
    """Return whose `I` it is where no name is known: the user's, or that of the *agent*."""
    return (agent or turn.role) if turn.role == "assistant" else turn.role


def episode(task: FoldTask, summary: str) -> Episode:
    """Return what the turns came to; *summary* is the answer to `summary_task(task)`."""
    sentences = utterances.sentences(task.turns)
    later = utterances.sentences(task.later, len(task.turns))
    chosen, refused = decisions.decisions(sentences, task.agent), refusals.eliminated(sentences)
    decided, ruled_out = replacement.standing(chosen, refused)
    return Episode(
        title=_title(task, sentences, [*summary.splitlines(), *(d.decision for d in decided)]),
        summary=summary.strip(),
        decisions=distinct_decisions(decided),
        eliminated=distinct_eliminated(ruled_out),
        open_questions=open_questions.open_questions(sentences, later)[-_MOST:],
        corrections=preferences.corrections(sentences, task.agent)[-_MOST:],
        preferences=preferences.preferences(sentences, task.agent)[-_MOST:],
        tool_results=tool_results.tool_results(task.turns)[-_MOST:],
    )


def _title(task: FoldTask, sentences: Sequence[Sentence], told: Sequence[str]) -> str:
    """Name the stretch by what it was about, where that is sure; else by who spoke, and when.

    Of small talk about nothing in particular a name in what is *told* of it says most.
    """
    texts = [s.text for s in sentences] or [passage.text for passage in summary_task(task).passages]
    named = tuple(dict.fromkeys(turn.speaker.strip() for turn in task.turns if turn.speaker))
    voices = () if _is_with_agent(task, named) else named
    if not voices and (matter := _matter(task)):
        return _of_matter(matter, _part(matter, sentences, told), _day(task), texts)
    wanted = "" if voices else _wanted(sentences) or _opened_for(task, sentences)
    if wanted:
        return wanted
    if len(texts) < _TALK and not voices:
        return titles.title(texts, voices, task.session or "Session")
    about = subject_phrases.subject(sentences, voices) if voices else ""
    about = about or titles.shared(texts, voices, [s.speaker for s in sentences])
    if not about and voices:
        about = first_news.subject(sentences, titles.no_subjects())
    if not about:
        lines = [line for line in told if not talk_line.is_one(line)]
        about = titles.told_of([utterances.quoted(s).text for s in lines], texts, voices)
    return _who_of(about, voices, texts, _day(task)) if about else _who_and_when(task, named)


def _is_with_agent(task: FoldTask, named: Sequence[str]) -> bool:
    """Whether one person at most talks with an agent: sticks to what it was opened for."""
    return len(named) <= 1 and any(turn.role == "assistant" for turn in task.turns)


def _wanted(sentences: Sequence[Sentence]) -> str:
    return first_request.subject(s.text for s in sentences if s.role == "user")


def _matter(task: FoldTask) -> str:
    """Return what the session of a later stretch was opened for, "" where that is unsure.

    Who calls a service or asks for advice sticks to it; where tools are at work one request follows
    the other.
    """
    if not task.opening or _has_tools(task):
        return ""
    opening = utterances.sentences(task.opening)
    return _wanted(opening) or _wide(opening)


def _opened_for(task: FoldTask, sentences: Sequence[Sentence]) -> str:
    """Return what a session is opened for by its first stretch, however little that says."""
    return "" if task.first > 1 or _has_tools(task) else _wide(sentences)


def _wide(sentences: Sequence[Sentence]) -> str:
    return first_request.wide_subject(s.text for s in sentences if s.role == "user")


def _has_tools(task: FoldTask) -> bool:
    return any(turn.role == "tool" for turn in (*task.opening, *task.turns))


def _part(matter: str, sentences: Sequence[Sentence], told: Sequence[str]) -> str:
    """Return of which part of the *matter* the *sentences* are, "" where that is unsure."""
    texts, known = [s.text for s in sentences], set(analysis.terms(matter))
    lines = [utterances.quoted(line).text for line in told if not talk_line.is_one(line)]
    told_of = titles.told_of(lines, texts, (), sentences)
    found = (_wanted(sentences), titles.shared(texts), told_of)
    # What is of the matter anyway says nothing: of `account and card` the card.
    parts = (titles.without(about, known) for about in found)
    return next(filter(None, parts), "")


def _of_matter(matter: str, part: str, day: str, texts: Sequence[str]) -> str:
    """Return the title of a later stretch: `Checking account: fees`, else with the *day*."""
    if not part:
        return f"{matter}, {day}" if day else matter
    return f"{matter}{_OF}{_lowered(part, texts)}"


def _lowered(about: str, texts: Sequence[str]) -> str:
    """Return *about* without its capital, unless it is a name."""
    first = about.split(maxsplit=1)[0]
    is_name = any(re.search(rf"\b[a-z]\w* {re.escape(first)}\b", text) for text in texts)
    is_word = not is_name and any(first.lower() in analysis.words(text) for text in texts)
    return about[:1].lower() + about[1:] if is_word else about


def _day(task: FoldTask) -> str:
    """Return the day of the first of the turns, "" where none is known."""
    return next((turn.at[:10] for turn in task.turns if turn.at), "")


def _who_of(about: str, voices: Sequence[str], texts: Sequence[str], day: str) -> str:
    """Return the title of talk *about* something: `Sam and Ife, 2025-11-02: road trips`.

    The same people come back to the same subject: the day tells one talk from another.
    """
    if not voices or len(voices) > _FEW or analysis.is_cjk(about):
        return about[:1].upper() + about[1:]
    plain = _lowered(about, texts)
    who = first_line(" and ".join(voices), _NAMES)
    return f"{who}, {day}{_OF}{plain}" if day else f"{who}{_OF}{plain}"


def subject(episode: Episode) -> str:
    """Return what the title of *episode* says it is about, without the people it names first.

    Who is named with a day are people; without one, those of whom the summary tells.
    """
    who, of, about = episode.title.partition(_OF)
    is_of_people = _is_dated(who) or all(name in episode.summary for name in who.split(" and "))
    return about[:1].upper() + about[1:] if of and is_of_people else episode.title


def matter(title: str, known: Collection[str]) -> str:
    """Return of which of the *known* matters a *title* names a part, "" for none.

    Who spoke, and when, is no matter: `Sam and Ife, 2025-11-02`.
    """
    lead, of, _ = title.partition(_OF)
    return lead if of and lead in known and not _is_dated(lead) else ""


def _is_dated(lead: str) -> bool:
    return re.search(r", \d{4}-\d\d-\d\d$", lead) is not None


def people(title: str) -> str:
    """Return whom a *title* names that tells only who spoke, and when; of none, TALK.

    Of a part of a session that tells nothing else, it is the matter of the session; "" for a title
    that tells a subject.
    """
    found = re.fullmatch(r"(?:(?P<who>.+), |Talk of )\d{4}-\d\d-\d\d", title)
    return "" if found is None else found["who"] or TALK


def _who_and_when(task: FoldTask, voices: Sequence[str]) -> str:
    """Return a title that tells but who spoke, and when: `Sam and Ife, 2025-11-02`."""
    day = _day(task)
    if not day:
        return task.session or "Session"
    if not voices:
        return f"{TALK} of {day}"
    # A name may be anything: as long as a page.
    return f"{first_line(talk_line.who(voices), _NAMES)}, {day}"


def distinct_decisions(found: Iterable[Decision]) -> tuple[Decision, ...]:
    """Return the decisions, each once; of two alike the later, unless it lost the reason."""
    kept: list[Decision] = []
    for decision in found:
        alike = (i for i, k in enumerate(kept) if similarity.same(k.decision, decision.decision))
        at = next(alike, None)
        if at is None:
            kept.append(decision)
        elif decision.reason or not kept[at].reason:
            kept[at] = decision
    return tuple(kept)


def distinct_eliminated(found: Iterable[Eliminated]) -> tuple[Eliminated, ...]:
    """Return the ruled-out approaches, each once; of two alike the one that says why."""
    kept: list[Eliminated] = []
    for item in found:
        alike = (i for i, k in enumerate(kept) if similarity.same(k.approach, item.approach))
        at = next(alike, None)
        if at is None:
            kept.append(item)
        elif item.why and not kept[at].why:
            kept[at] = item
    return tuple(kept)
