"""Summaries made of notes: the short-term one, and the long-term one as a page by subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from vaultmem.nlp.extraction.talk import utterances
from vaultmem.nlp.extraction.talk.replies import Reply
from vaultmem.nlp.summarization import note_choice, notes
from vaultmem.nlp.summarization.note_choice import Document, document
from vaultmem.nlp.summarization.notes import Note
from vaultmem.nlp.summarization.quality import Read
from vaultmem.nlp.summarization.subjects import LIFE, PLANS, SUBJECTS, subject_of
from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis
from vaultmem.storage.transcripts import ROLES

_SHARE = 0.06
"""Of the words of a window may stand in its short-term summary."""
_MOST_ROOM = 180
# A window of fewer words, or with less to note, is told better by its best sentences.
_LEAST_ROOM, _LEAST_NOTES = 60, 8
# Of a window of fewer words the room is that.
_LEAST_SIZE = 500
# A note whose items weigh less tells too little, however much room there is.
_TELLING = 1.8
_PAGE = 395
# So many summaries are weighed at once.
_TOGETHER = 16
# So many items a plan and what came of it have in common.
_COMMON = 2


def short_term(
    passages: Sequence[Passage],
    split: Sequence[Sequence[str]],
    parts: Sequence[Read],
    replies: Sequence[Reply] = (),
) -> list[str]:
    """Return a line of notes for each day and speaker; none for few *passages*, or not English.

    *split* are the sentences of the passages, without captions; none when they are not English.
    *parts* are their texts, as read, *replies* what may be told with the question before it.
    """
    size = sum(notes.words(passage.text) for passage in passages)
    found = list(notes.found(passages, split, replies)) if split and size >= _LEAST_SIZE else []
    if len({note.order for note in found}) < _LEAST_NOTES:
        return []
    room = min(max(int(_SHARE * size), _LEAST_ROOM), _MOST_ROOM)
    documents = [Document(part.parsed.terms, part.names) for part in parts]
    picked = note_choice.chosen(found, documents, room, _TELLING)
    return _fitted(picked, _by_day, room)


def page(summaries: Sequence[str]) -> list[str]:
    """Return a page by subject of the notes in *summaries*; none where they have no notes.

    Lines that are no notes stand as they are, after them. Of many summaries neighbours make pages
    first, and those the page: the time taken grows as they do.
    """
    texts = list(summaries)
    while len(texts) > _TOGETHER:
        groups = (texts[i : i + _TOGETHER] for i in range(0, len(texts), _TOGETHER))
        texts = ["\n".join(_page(group) or group) for group in groups]
    return _page(texts)


def _page(texts: Sequence[str]) -> list[str]:
    lines = [" ".join(x.split()) for text in texts for x in text.splitlines() if x.strip()]
    found, others = _read(lines)
    if not found:
        return []
    picked = note_choice.chosen([*found, *others], list(map(document, lines)), _PAGE)
    return _fitted(picked, _by_subject, _PAGE)


def _fitted(
    picked: Sequence[Note], lines: Callable[[Sequence[Note]], list[str]], room: int
) -> list[str]:
    """Set out as many of *picked*, the first first, as *room* words hold."""
    kept = list(picked)
    while kept and notes.words(" ".join(out := lines(kept))) > room:
        kept.pop()
    return out if kept else []


def _by_day(picked: Sequence[Note]) -> list[str]:
    """Set notes out by the day and the speaker, in the order in which they were said."""
    told: dict[tuple[str, str], list[str]] = {}
    for note in sorted(picked, key=lambda note: note.order):
        told.setdefault((note.day, note.speaker), []).append(note.text)
    return [notes.entry(who, day, texts) for (day, who), texts in told.items()]


# --- the page ---------------------------------------------------------------------------------


def _read(lines: Iterable[str]) -> tuple[list[Note], list[Note]]:
    """Return the notes of *lines*, and the lines that are none."""
    found: dict[tuple[str, str, str], Note] = {}
    others: dict[str, Note] = {}
    for line in lines:
        read = notes.read(line)
        if read is None:
            day = utterances.quoted(line).day
            others.setdefault(line, Note(line, "", day, -1 - len(others)))
            continue
        label, told = read
        for note in told:
            own = Note(note.text, _speaker(label), note.day, len(found))
            found.setdefault((own.text, own.speaker, own.day), own)
    return list(found.values()), list(others.values())


def _label(speaker: str, subject: str) -> str:
    """Return the label of a line; what is about none of the subjects has none but its speaker."""
    if subject == LIFE:
        return speaker
    return f"{speaker} on {subject}" if speaker else subject.capitalize()


def _speaker(label: str) -> str:
    """Return the speaker of a label, which may name a subject, too."""
    if label.lower() in SUBJECTS:
        return ""
    found = re.fullmatch(rf"(.+) on (?:{'|'.join(SUBJECTS)})", label)
    return found[1] if found else label


def _by_subject(picked: Sequence[Note]) -> list[str]:
    """Set notes out by speaker and subject, each in order of time."""
    ordered = sorted((n for n in picked if n.order >= 0), key=lambda n: (n.day, n.order))
    filed = _filed(ordered)
    voices = sorted(dict.fromkeys(n.speaker for n in ordered))
    lines = [
        notes.line(_label(voice, subject), some)
        for voice in voices
        for subject in SUBJECTS
        if (some := [n for n in ordered if n.speaker == voice and filed[n] == subject])
    ]
    return [
        *lines,
        *(n.text for n in sorted(picked, key=lambda n: (n.day, -n.order)) if n.order < 0),
    ]


def _filed(ordered: Sequence[Note]) -> dict[Note, str]:
    """File each note under its subject; what came of a plan stands with the plan.

    Subjects are those of people's lives: who serves, and is served, speaks of the matter in hand.
    """
    filed: dict[Note, str] = {}
    about = {note: frozenset(analysis.terms(note.text)) for note in ordered}
    for i, note in enumerate(ordered):
        plans = (
            earlier
            for earlier in ordered[:i]
            if filed[earlier] == PLANS and earlier.speaker == note.speaker
        )
        if note.speaker in ROLES:
            filed[note] = LIFE
            continue
        came = any(len(about[note] & about[plan]) >= _COMMON for plan in plans)
        filed[note] = PLANS if came else subject_of(note.text)
    return filed
