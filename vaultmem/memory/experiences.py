"""Keep what came of a task as an episode: what was tried, how it ended, what to take from that.

Written when a task succeeds or fails, when a user gives feedback, when a preference or a tool is
met for the first time; never for every turn. `recall` ranks them by likeness, age and importance,
and a dream makes skills of those that succeed again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from vaultmem import arguments
from vaultmem.config import agent_name
from vaultmem.documents import frontmatter, secrets
from vaultmem.documents.bodies import Decision, Experience, Outcome, markdown
from vaultmem.errors import BadInput
from vaultmem.memory import folding, pointed_index, remember, tool_quotes
from vaultmem.memory.compaction import human_lines
from vaultmem.memory.remember import MemoryInput
from vaultmem.records import TRUST_OF_SOURCE, first_line, iso, names
from vaultmem.storage import (
    files,
    tombstones,
    transcript_files,
    unconfirmed_operations,
)
from vaultmem.storage.index import Filter, session_queries
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

RANGES: dict[Outcome, tuple[float, float]] = {
    "success": (0.7, 0.9),
    "partial": (0.75, 0.95),
    "failure": (0.8, 1.0),
    "feedback": (0.9, 1.0),
    "preference": (0.8, 0.8),
    "tool": (0.5, 0.7),
}
"""How important an experience is by its outcome, from and to."""

_SAME = timedelta(minutes=1)
_TITLE, _HOOK = 80, 160


@dataclass(frozen=True, slots=True)
class Added:
    """An experience that is safely on disk; *commit* is None while git has not got it yet.

    A *known* one was there already: its session told it twice within a minute.
    """

    id: str
    path: str
    importance: float
    commit: str | None
    known: bool = False


@dataclass(frozen=True, slots=True)
class ExperienceInput:
    """An experience, cleaned, and who told it when; *source* is a key of TRUST_OF_SOURCE."""

    experience: Experience
    agent: str
    session: str
    when: datetime
    importance: float
    source: str


def importance(experience: Experience) -> float:
    """Return how important *experience* is, from 0 to 1.

    Its outcome's range, from the low end up by a quarter for each of these that it holds: decisions
    with their reasons, a user's feedback, tools, lessons. The more there is to take from it, the
    longer it is worth keeping.
    """
    low, high = RANGES[experience.outcome]
    held = (experience.decisions, experience.feedback, experience.tools, experience.lessons)
    return round(low + (high - low) * sum(map(bool, held)) / len(held), 3)


def change(told: ExperienceInput, number: int, new_id: str, transcript: str = "") -> Change:
    """Return the new file of what was *told*, the agent's episode of that *number*.

    *transcript* is the path of the session's, where there is one.
    """
    it = told.experience
    title = first_line(it.task, _TITLE)
    head: dict[str, str | float | list[str]] = {
        "id": new_id,
        "type": "episode",
        "title": title,
        "description": description(it),
        "agent": told.agent,
        "created": iso(told.when),
        "source": told.source,
        "trust": TRUST_OF_SOURCE[told.source],
        "importance": told.importance,
        "session": told.session,
        "outcome": it.outcome,
        "tools_used": list(it.tools),
        "sources": [f"[[{transcript}]]"] * bool(transcript),
    }
    text = frontmatter.new({k: v for k, v in head.items() if v}, markdown.render_experience(it))
    return Change(folding.path(told.agent, number, title), None, text.encode(), it.outcome)


_KEYS = frozenset({
    "id", "type", "title", "description", "agent", "created", "updated", "source", "trust",
    "importance", "session", "outcome", "tools_used", "sources", "origin", "model", "prompt",
    "faithfulness", "coverage", "written", "degraded",
})  # fmt: skip
"""What the program writes into the frontmatter of an experience."""


def persons_part(data: bytes, left: str) -> bytes:
    """Return a note of what a person wrote into an experience; b"" for nothing.

    *data* is its file, *left* what of its text may stay. Of a person is what stands in none of the
    sections, or hangs on a bullet.
    """
    doc = frontmatter.read(data)
    ours = {*markdown.render_experience(markdown.parse_experience(doc.body)).splitlines()}
    lines = (x for x in left.splitlines(keepends=True) if x.rstrip("\r\n") not in ours - {""})
    own = "".join(lines).lstrip("\r\n")
    return human_lines.note("What a person wrote in an experience", doc, _KEYS, own)


def decisions_of(texts: Iterable[str], *, redact: bool = False) -> tuple[Decision, ...]:
    """Return the decisions that *texts* tell, each as `what: why`; raises as `remember.clean` does.

    They are cleaned before they are taken apart: a private part, or a credential with what names
    it, may go over the colon.
    """
    cleaned = remember.clean_each(texts, "a decision", redact=redact)
    said = (text.strip(": ").partition(": ") for text in cleaned)
    return tuple(Decision(what.strip(), why.strip()) for what, _, why in said if what)


def description(experience: Experience) -> str:
    """Return the line that tells of *experience*: how it ended, and what came of it."""
    it = experience
    return first_line(f"{it.outcome}: {it.result or it.approach or it.task}", _HOOK)


@arguments.checked
class Experiences:
    """The experiences of the agents of one vault."""

    def __init__(self, store: Store, commit_soon: Callable[[], None] = lambda: None) -> None:
        """Keep them in the vault at *store*; *commit_soon* has what was written committed."""
        self._store, self._commit_soon = store, commit_soon

    def add(  # noqa: PLR0913  # what is known beside it, by name
        self,
        experience: Experience,
        *,
        agent: str = "",
        session: str = "",
        at: datetime | None = None,
        weight: float | None = None,
        redact: bool = False,
        untrusted: bool = False,
    ) -> Added:
        """Keep *experience*; *weight* is its importance, if not by the rule.

        It is journalled and on disk when this returns. Its commit comes in the background, or with
        whatever commits next, and closing the vault waits for it.

        The very same text for one *session* within a minute is one experience, for a hook may
        run twice: the first is returned. Without a session it is recorded again because it happened
        again. One of a task in a tool's words is untrusted, also
        where it is known to be so (*untrusted*). Raises BadInput, SecretFound (*redact*
        blanks secrets out), SwitchedOff, Refused for what was forgotten, and where the agent gives
        a tool's words for its own.
        """
        if weight is not None and not 0 <= weight <= 1:
            raise BadInput(f"importance is {weight}, it must be from 0 to 1")
        self._store.sync_names()
        clean, when = _cleaned(experience, redact=redact), at or self._store.clock()
        name, session = agent_name(self._store.agent(agent)), remember.one_line(session, "session")
        remember.refuse_secrets("the session's name", session)
        weight = importance(clean) if weight is None else weight
        tombstones.refuse(self._store, *_texts(clean), *names({"session": session}), agent=name)
        own = _own_words(clean)
        tool_quotes.refuse(self._store, name, *own, session)
        told_of = (clean.task, *own, clean.result)
        is_a_tools = untrusted or tool_quotes.tool_of(self._store, name, *told_of)
        source = "tool" if is_a_tools else "agent"
        told = ExperienceInput(clean, name, session, when, weight, source)
        memory = MemoryInput(clean.task, told.agent, told.when, session=told.session)
        remember.check_switches(memory, self._store.config())
        made = self._known(told) or self._store.retry(lambda: self._keep(told))
        self._commit_soon()
        return made

    def _known(self, told: ExperienceInput) -> Added | None:
        """Return the same experience, if it was told of this session just now."""
        if not told.session:
            return None
        found = self._store.index.records(
            Filter(
                type="episode",
                agent=told.agent,
                session=told.session,
                outcome=told.experience.outcome,
                after=iso(told.when - _SAME),
                before=iso(told.when + _SAME),
            )
        )
        body = markdown.render_experience(told.experience)
        same = (
            Added(r.id, r.path, r.importance, None, known=True)
            for r in map(self._store.texts.load, found)
            if r.body == body
        )
        return next(same, None)

    def _keep(self, told: ExperienceInput) -> Added:
        new_id = self._store.mint()
        number = folding.number(session_queries.episode_stems(self._store.index, told.agent))
        path = transcript_files.path(told.agent, told.session) if told.session else ""
        there = path and files.stamp(self._store.root, path)
        made = change(told, number, new_id, path if there else "")
        hook = first_line(f"{told.experience.outcome}: {told.experience.task}", _TITLE)
        who = (told.agent, told.session, told.importance)
        body = markdown.render_experience(told.experience)
        plan = Plan(
            op=new_id,
            kind="experience",
            subject=f"experience({told.agent}): {hook}",
            changes=(made, *pointed_index.change(self._store, (made,))),
            agent=told.agent,
            session=told.session,
            trust=TRUST_OF_SOURCE[told.source],
            asked=unconfirmed_operations.digest("experience", *who, body),
        )
        if earlier := self._store.apply(plan):
            return Added(earlier.op, earlier.paths[0], told.importance, None, known=True)
        return Added(new_id, made.path, told.importance, None)


def _own_words(it: Experience) -> tuple[str, ...]:
    """Return what must be no tool's word: a tool may set a task, and tell what came of it."""
    is_wish = it.outcome in {"feedback", "preference"}
    decided = (x for d in it.decisions for x in (d.decision, d.reason, d.constraint))
    said = (it.approach, *it.lessons, *it.feedback, *it.tools, *decided)
    return (*said, it.result) if is_wish else said


def _texts(it: Experience) -> tuple[str, ...]:
    """Return what *it* says, each text by itself."""
    decided = (x for d in it.decisions for x in (d.decision, d.reason, d.constraint))
    said = (it.task, it.approach, it.result, *it.lessons, *it.feedback, *decided)
    return tuple(filter(None, said))


def _cleaned(it: Experience, *, redact: bool) -> Experience:
    """Return *it* as it will be read back, without what is private; raises as `clean` does."""
    clean = partial(remember.clean, redact=redact)
    each = partial(remember.clean_each, redact=redact)
    made = Experience(
        clean(it.task, "the task"),
        it.outcome,
        clean(it.approach, "the approach"),
        clean(it.result, "the result"),
        _decisions(it.decisions, redact=redact),
        each(it.feedback, "the feedback"),
        each(it.tools, "a tool's name"),
        each(it.lessons, "a lesson"),
    )
    if not made.task:
        raise BadInput(f"there is no task to tell of: {secrets.why_empty(it.task)}")
    return markdown.parse_experience(markdown.render_experience(made), made.outcome)


def _decisions(given: Iterable[Decision], *, redact: bool) -> tuple[Decision, ...]:
    """Return the decisions that are *given*, cleaned; of one that is private nothing is kept."""
    said = [(it.decision, it.reason, it.constraint) for it in given]
    texts = iter(remember.clean_each((x for it in said for x in it), "a decision", redact=redact))
    cleaned = zip(said, zip(texts, texts, texts, strict=True), strict=True)
    return tuple(Decision(*kept) for was, kept in cleaned if kept[0] or not was[0])
