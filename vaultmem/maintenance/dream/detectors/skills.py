"""Ways of working that succeeded again and again become skills; what fails later is noted there.

A way is proven by three successes that are alike in task and approach, on two days or in two
sessions, and more of them than there are failures; what spoke against it becomes a caution.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil
from typing import cast

from vaultmem.documents.bodies import Experience, Outcome
from vaultmem.documents.bodies.markdown import parse_experience
from vaultmem.errors import BadInput
from vaultmem.knowledge import skills
from vaultmem.knowledge.skills import Point, Skill
from vaultmem.maintenance.dream import new_topics
from vaultmem.maintenance.dream.types import Make, Note, Proposal, Seen, key
from vaultmem.records import Record, first_line, lowest, moment
from vaultmem.retrieval.context.deduplication import singular
from vaultmem.storage.index import tokenizer

PROVEN = 3
"""So many successes make a way of working a skill."""

_TASK, _WAY, _STEP, _SUBJECT = 0.5, 0.34, 0.5, 0.75
"""The least share of words that two tasks, approaches, steps have in common, and of a task's words
that a skill on the same subject has."""

_SAME_WAY = 0.75
"""Approaches that share so much are one way, whatever names their tasks have in them."""

_COMMON = 2 / 3
_PLACES = 2
_TITLE = 80
_MARK = re.compile(r"^(?:[-*+]|\d{1,3}[.)])\s+")
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|(?<=[\u3002\uff1b\uff01])\s*")
_OBJECTS = frozenset({"failure", "feedback"})


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An experience as it is compared: the words of its task and of its approach."""

    record: Record
    experience: Experience
    task: frozenset[str]
    way: frozenset[str]

    @property
    def link(self) -> str:
        return self.record.path.removesuffix(".md")


@dataclass(slots=True, eq=False)
class _Way:
    """Successes alike in task and approach, the oldest first, and what speaks against them."""

    proofs: list[_Attempt]
    against: list[_Attempt] = field(default_factory=list)

    def is_like(self, it: _Attempt) -> bool:
        """Tell whether *it* is of this way: like its first proof or its newest."""
        return any(_alike(it, proof) for proof in (self.proofs[-1], self.proofs[0]))

    def doubt(self) -> str:
        """Return why it is not proven though it succeeded often enough; "" where it is."""
        days = {it.record.created[:10] for it in self.proofs}
        sessions = {it.record.session for it in self.proofs if it.record.session}
        if max(len(days), len(sessions)) < _PLACES:
            return "all on one day and in one session: another day or session proves it"
        if len(self.against) >= len(self.proofs):
            return f"and as often it did not: {len(self.against)} times"
        return ""


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a new skill for each proven way that has none, and a caution for each later failure."""
    tried, known = _tried(seen), _known(seen)
    taken = {path.split("/")[1] for path in seen.paths if path.startswith(f"{skills.FOLDER}/")}
    for way in _often(tried, known):
        if not way.doubt():
            made = _skill(way.proofs, way.against, taken)
            taken.add(made.name)
            yield _proposed(made, way)
    yield from (p for note in known if not note.fixed for p in _cautioned(note, tried))


def unproven(seen: Seen) -> Iterator[str]:
    """Yield why a way of working is no skill yet though it succeeded often enough."""
    for way in _often(_tried(seen), _known(seen)):
        if why := way.doubt():
            title = _title(way.proofs)
            yield f"no skill yet: {title!r} succeeded {len(way.proofs)} times, {why}"


def _known(seen: Seen) -> list[Note]:
    return [note for note in seen.notes if note.record.type == "skill"]


def _often(tried: Sequence[_Attempt], known: Sequence[Note]) -> Iterator[_Way]:
    """Yield the ways that succeeded often enough and that no skill tells of."""
    for way in _ways(tried):
        if len(way.proofs) >= PROVEN and not any(_covers(note, way) for note in known):
            yield way


# --- what was tried -------------------------------------------------------------------------------


def _tried(seen: Seen) -> list[_Attempt]:
    """Return what was tried, the oldest first."""
    held = (r for r in seen.episodes if r.trust != "untrusted" and not r.superseded_by)
    counted = (r for r in held if r.outcome in {"success", *_OBJECTS})
    return [_attempt(r) for r in sorted(counted, key=lambda r: (r.created, r.id or r.path))]


def _attempt(record: Record) -> _Attempt:
    it = parse_experience(record.body, cast("Outcome", record.outcome))
    return _Attempt(record, it, _words(it.task or record.title), _words(it.approach))


def _words(text: str) -> frozenset[str]:
    return frozenset(singular(term) for line in text.splitlines() for term in tokenizer.terms(line))


def _share(one: frozenset[str], two: frozenset[str]) -> float:
    return len(one & two) / len(one | two) if one and two else 0.0


def _alike(it: _Attempt, proof: _Attempt) -> bool:
    """Tell whether *it* was the same task, gone about in the same way; an objection may not say."""
    same = _share(it.way, proof.way)
    if _share(it.task, proof.task) < _TASK:
        return same >= _SAME_WAY and not it.task.isdisjoint(proof.task)
    return same >= _WAY or (not it.way and it.experience.outcome != "success")


def _ways(tried: Sequence[_Attempt]) -> list[_Way]:
    """Return the ways that succeeded, in order of their first success."""
    ways: list[_Way] = []
    by_word: dict[str, dict[_Way, None]] = {}  # in order of their first success
    for it in tried:
        if it.experience.outcome == "success" and it.way:
            near = next((way for way in _near(it, by_word) if way.is_like(it)), None)
            if near is None:
                near = _Way([])
                ways.append(near)
            near.proofs.append(it)
            for word in it.task:
                by_word.setdefault(word, {})[near] = None
    for it in (it for it in tried if it.experience.outcome in _OBJECTS):
        for way in _near(it, by_word):
            if way.is_like(it):
                way.against.append(it)
    return ways


def _near(it: _Attempt, by_word: Mapping[str, Iterable[_Way]]) -> Iterable[_Way]:
    """Return the ways of which a task shares a word with *it*, those that share most first."""
    shared = Counter(way for word in sorted(it.task) for way in by_word.get(word, ()))
    return [way for way, _ in shared.most_common()]  # in their order where they share as much


# --- new skills -----------------------------------------------------------------------------------


def _covers(note: Note, way: _Way) -> bool:
    """Tell whether the skill in *note* was learnt from this way, or is on the same subject."""
    if {it.link for it in (*way.proofs, *way.against)}.intersection(note.record.sources):
        return True
    about = _words(f"{note.record.title}\n{note.record.description}")
    task = way.proofs[-1].task
    return len(task & about) >= _SUBJECT * len(task)


def _skill(proofs: Sequence[_Attempt], against: Sequence[_Attempt], taken: set[str]) -> Skill:
    newest = proofs[-1]
    title = _title(proofs)
    created = newest.record.created
    links = tuple(it.link for it in proofs)
    return Skill(
        name=skills.name(title, taken),
        title=title,
        when=tuple(_points((it.experience.task, it) for it in reversed(proofs))),
        steps=_steps([it.experience.approach for it in proofs]),
        tools=tuple(dict.fromkeys(tool for it in reversed(proofs) for tool in it.experience.tools)),
        lessons=tuple(_points((x, it) for it in reversed(proofs) for x in it.experience.lessons)),
        cautions=tuple(_points((x, it) for it in reversed(against) for x in _cautions(it))),
        learnt=tuple(_learnt(it) for it in reversed(proofs)),
        sources=links,
        id=new_topics.new_id("\n".join(links), _when(newest)),
        created=created,
        trust=lowest(("agent", *(it.record.trust for it in (*proofs, *against)))),
    )


def _title(proofs: Sequence[_Attempt]) -> str:
    """Return the newest task without what was so this time only: the words of most of them."""
    least = ceil(_COMMON * len(proofs))
    counts = Counter(word for it in proofs for word in it.task)
    newest = first_line(proofs[-1].experience.task, _TITLE)
    kept: list[str] = []
    for word in (*newest.split(), ""):
        if word and _is_common(_words(word), counts, least):
            kept.append(word)
            continue
        while kept and _is_light(kept[-1]):  # "the" of what goes
            kept.pop()
    telling = [word for word in kept if not _is_light(word)]
    return " ".join(kept).rstrip(",;:") if len(telling) > 1 else newest


def _is_common(said: frozenset[str], told: Counter[str], least: int) -> bool:
    # Of a Chinese sentence, which has no spaces, most pairs of signs must be.
    return said <= tokenizer.STOP_WORDS or 2 * sum(told[word] >= least for word in said) > len(said)


def _is_light(word: str) -> bool:
    return _words(word) <= tokenizer.STOP_WORDS


def _when(it: _Attempt) -> datetime:
    try:
        return moment(it.record.created)
    except BadInput:
        return datetime.fromtimestamp(0, UTC)


def _points(said: Iterable[tuple[str, _Attempt]]) -> Iterator[Point]:
    """Yield what was said once, with all who said it."""
    texts: dict[str, str] = {}
    sources: dict[str, list[str]] = {}
    for text, it in said:
        line = " ".join(text.split())
        if key(line):
            texts.setdefault(key(line), line)
            sources.setdefault(key(line), []).append(it.link)
    yield from (Point(text, tuple(dict.fromkeys(sources[k]))) for k, text in texts.items())


def _steps(approaches: Sequence[str]) -> tuple[str, ...]:
    """Return the newest approach's steps that most of them have, in its words; else all of them."""
    each = [_split(approach) for approach in approaches]
    least = ceil(_COMMON * len(each))
    common = [step for step in each[-1] if sum(_has(steps, step) for steps in each) >= least]
    return tuple(common or each[-1])


def _split(approach: str) -> list[str]:
    lines = [_MARK.sub("", line.strip()) for line in approach.splitlines()]
    if len(lines) == 1:
        lines = _SENTENCE.split(lines[0])
    return [line for line in lines if key(line)]


def _has(steps: Iterable[str], step: str) -> bool:
    wanted = _words(step)
    return any(key(x) == key(step) or _share(_words(x), wanted) >= _STEP for x in steps)


def _learnt(it: _Attempt) -> Point:
    result = first_line(it.experience.result or it.experience.task, _TITLE)
    return Point(f"{it.record.created[:10]}: {result}", (it.link,))


def _proposed(made: Skill, way: _Way) -> Proposal:
    path = f"{skills.FOLDER}/{made.name}/{skills.FILE}"
    days = ", ".join(dict.fromkeys(it.record.created[:10] for it in way.proofs))
    failed = f", and met {_met(way.against)}" if way.against else ""
    times = f"{len(way.proofs)} times, on {days}"
    reason = f"this way of working succeeded {times}{failed}: {made.title}"
    return Proposal("skill", path, reason, (Make(path, skills.text(made)),), made.sources)


# --- what speaks against them later ---------------------------------------------------------------


def _cautioned(note: Note, tried: Sequence[_Attempt]) -> Iterator[Proposal]:
    """Yield the proposal to note in a skill what spoke against its way of working since."""
    learnt = [it for it in tried if it.link in note.record.sources]
    text = "\n".join(note.lines)
    new = [
        it
        for it in tried
        if it.experience.outcome in _OBJECTS
        and f"[[{it.link}]]" not in text
        and any(_alike(it, proof) for proof in learnt)
    ]
    if new:
        lines = skills.points(_points((x, it) for it in new for x in _cautions(it)))
        reason = f"its way of working met {_met(new)}: it should say what to watch out for"
        edit = new_topics.added(note, lines, skills.CAUTIONS)
        yield Proposal("correct", note.path, reason, (edit,), tuple(it.link for it in new))


def _met(against: Iterable[_Attempt]) -> str:
    return "; ".join(f"{it.experience.outcome} on {it.record.created[:10]}" for it in against)


def _cautions(it: _Attempt) -> tuple[str, ...]:
    """Return what to heed after *it*: what the user said, the lessons, else how it ended."""
    cautions = (*it.experience.feedback, *it.experience.lessons)
    return cautions or (it.experience.result or f"It did not work: {it.experience.task}",)
