"""Reflect on tasks that ended: a model says what is to be taken from each, once.

What was said of a task when it ended stands first and stays, word for word; a model adds lessons, a
way of working where none was told, and its judgement of the importance where nobody gave one of his
own. It is told what people and assistants said: of what a tool answered, no more than that it did.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import cast

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Experience, Outcome, bullets, experience_editor, markdown
from vaultmem.documents.frontmatter import Field
from vaultmem.errors import Unavailable
from vaultmem.memory import compaction, experiences, pointed_index, task_turns
from vaultmem.memory.compaction import human_lines
from vaultmem.memory.compaction.runner import Wanted
from vaultmem.memory.folding import material
from vaultmem.memory.tool_quotes import quotes, trusted_words
from vaultmem.nlp.extraction.talk import similarity
from vaultmem.nlp.summarization.guarded import guarded
from vaultmem.nlp.tasks import Made, Reflection, ReflectTask, Summarizer
from vaultmem.records import Record, first_line, is_trusted, iso, lowest
from vaultmem.storage import files, reader, transcript_files, transcripts
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_log = logging.getLogger(__name__)

_ENDS: tuple[Outcome, ...] = ("success", "partial", "failure")
_LATELY = timedelta(days=7)
"""Tasks that ended before that are reflected on when a person asks for it."""

_SUBJECT, _TITLE = "reflect({})", 60
_FEW_WORDS = 4
_LEAD = re.compile(r"((?:\d+\. \[\w+\] |\[.\] |- )?)(.*)")
"""What a program puts before a line of the working memory, and the line."""

_PAST = 8

Ask = Callable[[ReflectTask], Made[Reflection]]


def run(
    store: Store, agent: str, summarizer: Summarizer, wanted: Wanted | None = None
) -> tuple[str, ...]:
    """Reflect on the tasks of *agent* that are due; return the paths of their experiences.

    Nothing is done offline. The caller has synced the index and commits afterwards; no lock is held
    while the model is asked.
    """
    asked = guarded(summarizer)
    if asked.is_offline:
        return ()
    redo = (wanted or Wanted()).redo
    work = _Reflections(store, agent, functools.cache(asked.reflect), refused=redo == "all")
    due = dict.fromkeys(record.path for record in work.due(again=redo != "none"))
    return tuple(path for path in due if store.retry(functools.partial(work.reflect, path)))


@dataclass(frozen=True, slots=True)
class _Reflections:
    """The reflections of one agent; *refused*: also on what a model answered badly, or long ago."""

    store: Store
    agent: str
    ask: Ask
    refused: bool

    def due(self, *, again: bool) -> Iterator[Record]:
        """Yield what may be due: lately told, or, *again*, written without the model."""
        ours = Filter(type="episode", agent=self.agent, below="agents", outcome=_ENDS, trusted=True)
        since = "" if self.refused else iso(self.store.clock() - _LATELY)
        found = self.store.index.records(replace(ours, after=since), body=False)
        # What git does not get could not be taken back.
        yield from (r for r in found if not r.model and not r.held)
        if again:
            degraded = self.store.index.records(replace(ours, degraded=True), body=False)
            yield from (
                r for r in degraded if compaction.redoable(r, refused=self.refused) and not r.held
            )

    def reflect(self, path: str) -> bool:
        """Reflect on one experience; return whether a model added to it."""
        data = self.store.texts.read(path)
        if data is None:
            return False
        record = reader.record(path, files.content(data))
        if not _is_open(record):
            return False
        it = markdown.parse_experience(record.body, cast("Outcome", record.outcome))
        task, trust = self._task(record, it)
        if task is None or self._was_taken_back(record):
            return False
        made = self.ask(task)
        change = _change(record, data, (it, made), iso(self.store.clock()), trust)
        if change:
            self._carry_out(record, change, made)
        return change is not None and not made.degraded

    def _task(self, record: Record, it: Experience) -> tuple[ReflectTask | None, str]:
        """Return what to ask, and the trust of what comes of it."""
        found = transcripts.load(self.store.root, transcript_files.path(self.agent, record.session))
        transcript = self.store.hand_turns.marked(found) if found else None
        turns = transcript.turns if transcript else ()
        stretch = task_turns.ended(turns, it.task, record.outcome, record.created)
        if stretch is None or transcript is None:
            return None, ""
        spoken = (material.trust_of(t) for t in stretch.turns if material.is_spoken(t))
        heard = _heard(stretch.turns)
        others = trusted_words.beside(self.store, transcript)
        said = turns[: stretch.first - 1 + len(stretch.turns)]
        working = _own_lines(said, stretch.working, others)
        task = ReflectTask(
            replace(it, result=_without(it.result, heard)),
            material.mentioned(said, others=others)[stretch.first - 1 :],
            stretch.first,
            "\n".join(_without(line, heard) for line in working),
            self.agent,
        )
        return task, lowest([record.trust, *spoken])

    def _was_taken_back(self, record: Record) -> bool:
        """Tell whether somebody undid a reflection on it: then nobody reflects on it unbidden."""
        repository = self.store.writer.repository
        if repository is None or record.degraded or self.refused:
            return False
        with contextlib.suppress(Unavailable):
            newest = repository.log(1, paths=(record.path,))
            # Asking for the commits before that may go through all of the history.
            if any(e.subject.startswith(("undo:", "human:")) for e in newest):
                before = repository.log(_PAST, paths=(record.path,))
                return any(e.subject.startswith(_SUBJECT.format(self.agent)) for e in before)
        return False

    def _carry_out(self, record: Record, change: Change, made: Made[Reflection]) -> None:
        what = f"{_SUBJECT.format(self.agent)}: {first_line(record.title, _TITLE)}"
        plan = Plan(
            op=self.store.mint(),
            kind="reflect",
            subject=f"{what}, without a model" if made.degraded else what,
            changes=(change, *pointed_index.change(self.store, (change,))),
            agent=self.agent,
            session=record.session,
            trust="agent",
            model="" if made.degraded else made.model,
        )
        self.store.apply(plan)
        _log.info("reflected on %s: %s", record.path, made.degraded or made.model)


def _is_open(record: Record) -> bool:
    """Tell whether *record* is an experience that no model reflected on, and that may be told."""
    told = record.outcome in _ENDS and bool(record.session) and is_trusted(record)
    return told and record.problem is None and (not record.model or bool(record.degraded))


def _change(
    record: Record,
    data: bytes,
    told: tuple[Experience, Made[Reflection]],
    now: str,
    trust: str,
) -> Change | None:
    """Return the change that adds the reflection, or says why there is none; None for no news."""
    it, made = told
    doc = frontmatter.read(data)
    head: dict[str, Field | None] = {"model": made.model, "prompt": made.prompt}
    if made.degraded:
        if record.degraded and not _is_worse(record.degraded, made.degraded):
            return None
        new = frontmatter.update(doc, head | {"degraded": made.degraded}, None)
        return Change(record.path, data, frontmatter.render(new).encode(), "no model reflected")
    approach = [] if it.approach else bullets.prose_lines(made.value.approach)
    lessons = experience_editor.lesson_lines(_new(it.lessons, made.value.lessons))
    # Any other importance is somebody's own.
    by_rule = record.importance == experiences.importance(it)
    head |= {"importance": made.value.importance} if by_rule else {}
    head |= {
        "updated": now,
        "trust": trust,
        "faithfulness": _rounded(made.faithfulness),
        "coverage": _rounded(made.coverage),
        "written": human_lines.written("\n".join([*approach, *lessons])) or None,
        "degraded": None,
    }
    body = experience_editor.added(doc.body, approach, lessons)
    new = frontmatter.update(doc, head, body)
    return Change(record.path, data, frontmatter.render(new).encode(), "a model's reflection")


def _is_worse(before: str, now: str) -> bool:
    """Tell whether a model that was away answers now, and badly: nobody asks it unbidden."""
    return now.startswith("refused") and not before.startswith("refused")


def _new(known: Sequence[str], lessons: Sequence[str]) -> tuple[str, ...]:
    """Return those of *lessons* that *known* ones do not tell, each once."""
    return similarity.distinct((*known, *lessons))[len(similarity.distinct(known)) :]


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 3)


def _own_lines(turns: Sequence[Turn], working: str, others: Sequence[Turn]) -> Iterator[str]:
    """Yield the lines of *working*, without what stands there in the words of the tools of *turns*.

    A line is compared without what a program puts before its text, such as `1. [done]`.
    """
    parts = [_LEAD.fullmatch(line) for line in working.splitlines()]
    bare = [Turn("assistant", part[2]) for part in parts if part]
    told = quotes.mentioned((*turns, *bare), None, others=others)[len(turns) :]
    yield from (part[1] + it.content for part, it in zip(filter(None, parts), told, strict=True))


def _heard(turns: Iterable[Turn]) -> str:
    """Return all that tools answered in *turns*, in one line."""
    return " ".join(_spaced(turn.content) for turn in turns if turn.role == "tool")


def _without(text: str, heard: str) -> str:
    """Return *text* without its end where that repeats what was *heard* from tools.

    A result, or a note, may be what a tool answered, as it was passed on.
    """
    said = _spaced(text).rstrip("\u2026").split(" ")
    ends = range(len(said) - _FEW_WORDS + 1)
    # What follows any place where the repetition has begun is repeated, too.
    begins = bisect.bisect_left(ends, True, key=lambda at: " ".join(said[at:]) in heard)  # noqa: FBT003
    return " ".join(said[:begins]) if begins < len(ends) else text


def _spaced(text: str) -> str:
    return " ".join(text.split())
