"""Make much text into little: what is asked for, what comes back, and who may do it.

The values here are shared by every backend; `extractive` works without a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Generic, Literal, Protocol, TypeVar, runtime_checkable

from vaultmem.documents.bodies import Claim, Episode, Experience, SessionCompact, Topic
from vaultmem.records import day_of
from vaultmem.storage.transcripts import Turn

_T_co = TypeVar("_T_co", covariant=True)

Op = Literal["merge", "correct", "delete", "abstract", "move"]

IMPORTANT = 0.8
"""From this importance on a memory is in the summary of its window, if there is room."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One source: a memory, or one earlier summary."""

    text: str
    # "" when unknown, or when the text already speaks for itself.
    speaker: str = ""
    # ISO 8601 UTC, "2026-11-20T10:15:00Z", or "".
    created: str = ""
    importance: float = 0.5
    # Where it tells of a stretch of time, its end; *created* is its beginning then.
    until: str = ""

    @property
    def day(self) -> date | None:
        """The day of *created*; None when there is none."""
        return day_of(self.created)


@dataclass(frozen=True, slots=True)
class Task:
    """A summary is asked for: its tier, and its sources in order of time.

    For "longterm" the old long-term summary comes first, if there is one, then the newer recent.
    *complaint* says what was wrong with the answer before, when the same is asked again.
    """

    tier: Literal["recent", "longterm"]
    passages: tuple[Passage, ...]
    agent: str = ""
    complaint: str = ""


LATER = 10
"""So many turns after a stretch are looked at for answers to what it asks."""

OPENING = 10
"""So many turns, with which a session opens, tell what the rest of it is about."""


@dataclass(frozen=True, slots=True)
class FoldTask:
    """An episode is asked for: consecutive turns of one session, the first being number *first*.

    *later* turns of the session are not told of, but may answer what is asked in these; nor are
    those with which it opens (*opening*), but they may say what it is all about.
    """

    turns: tuple[Turn, ...]
    first: int = 1
    session: str = ""
    agent: str = ""
    complaint: str = ""
    later: tuple[Turn, ...] = ()
    opening: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class DistillTask:
    """Topics are asked for: episodes with the targets that link to them, oldest first.

    *topics* are those that exist. Asked for are the topics that are new or changed, each whole:
    contradicted facts mended, resolved decisions gone, all else as it was. *sessions* names the
    session of an episode by its target, so that what came of several is told from what was folded
    twice.
    """

    episodes: tuple[tuple[str, Episode], ...]
    topics: tuple[Topic, ...] = ()
    agent: str = ""
    complaint: str = ""
    sessions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompactTask:
    """A session's compact is asked for: its turns since *prior*, which it takes up.

    The turns end with number *turn*, which becomes the answer's `compacted_at_turn`.
    """

    turns: tuple[Turn, ...]
    turn: int
    prior: SessionCompact | None = None
    agent: str = ""
    complaint: str = ""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said: a turn, or a memory of what somebody said.

    *role* is one of `transcripts.ROLES`: only a user's words are ever claimed. *origin* is what a
    claim from it will name as its own. What has one *session* has one speaker, where no name is
    given. What is said before and after it is said in the same *talk*, "" where that is its
    session: two talks of the same time answer nothing of each other.
    """

    text: str
    speaker: str = ""
    role: str = "user"
    at: str = ""
    origin: str = ""
    session: str = ""
    talk: str = ""

    @property
    def conversation(self) -> str:
        """Where what came before it, and comes next, is said."""
        return self.talk or self.session


@dataclass(frozen=True, slots=True)
class ClaimsTask:
    """Claims are asked for: what users say of themselves and of people they know, in order."""

    items: tuple[Utterance, ...]
    agent: str = ""
    complaint: str = ""


@dataclass(frozen=True, slots=True)
class NumberedFact:
    """A fact of the vault as a model is shown it: *number* names it, *where* is its file.

    *date* is when it was written, ISO 8601 or "".
    """

    number: int
    where: str
    text: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class DreamTask:
    """Suggestions are asked for: what of the facts says the same, contradicts, or belongs together.

    Their numbers are small and distinct.
    """

    facts: tuple[NumberedFact, ...]
    agent: str = ""
    complaint: str = ""


@dataclass(frozen=True, slots=True)
class ReflectTask:
    """A reflection is asked for: what is to be taken from a task that ended.

    *experience* is what is kept of it, *working* the working memory as it was at the end, *turns*
    are those of the task, the first being number *first* of its session.
    """

    experience: Experience
    turns: tuple[Turn, ...] = ()
    first: int = 1
    working: str = ""
    agent: str = ""
    complaint: str = ""


AnyTask = Task | FoldTask | DistillTask | CompactTask | ClaimsTask | DreamTask | ReflectTask


@dataclass(frozen=True, slots=True)
class Reflection:
    """What is to be taken from a task: how it was gone about, a line a step, and the lessons.

    *importance* is from 0 to 1, None where nobody judged it.
    """

    approach: str = ""
    lessons: tuple[str, ...] = ()
    importance: float | None = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a model would have changed: nothing but a proposal, whatever a fact may order.

    merge: the facts say one thing, and *text* says it.
    correct: the first is put right by the others, and shall read *text*.
    delete: the first no longer holds because of the others; *text* is "".
    abstract: *text* tells what all have in common; they stay.
    move: the first belongs to the file that *text* names, the `where` of another fact.
    """

    op: Op
    numbers: tuple[int, ...]
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What came back: one sentence a line, who wrote it, how well, and what it saves.

    *degraded* says why the offline summarizer had to step in, empty when it had not to.
    """

    text: str
    model: str
    prompt: str
    faithfulness: float
    coverage: float
    compression: float = 0.0
    degraded: str = ""


@dataclass(frozen=True, slots=True)
class Made(Generic[_T_co]):
    """A structured answer: the value, who made it with which prompt, and why it is degraded.

    *faithfulness* and *coverage* are those of an episode or a compact, as `Summary` has them.
    """

    value: _T_co
    model: str
    prompt: str
    degraded: str = ""
    faithfulness: float | None = None
    coverage: float | None = None


@runtime_checkable
class Summarizer(Protocol):
    """Whatever can answer these tasks, each from what it holds alone.

    All raise Unavailable when no answer is to be had, and Unusable when one came that is no good.
    One that is given to `Vault.open` may raise what it likes: the offline one steps in.
    """

    name: str

    def summarize(self, task: Task) -> Summary:
        """Return two or three sentences of the passages."""
        ...

    def episode(self, task: FoldTask) -> Made[Episode]:
        """Return what the turns came to."""
        ...

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Return the topics that the episodes make or change, each whole."""
        ...

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Return where the session stands, the prior compact merged in."""
        ...

    def claims(self, task: ClaimsTask) -> Made[tuple[Claim, ...]]:
        """Return what users say of people, in order, each with the utterance it comes from."""
        ...

    def suggest(self, task: DreamTask) -> Made[tuple[Suggestion, ...]]:
        """Return what could be changed about the facts; offline nothing."""
        ...

    def reflect(self, task: ReflectTask) -> Made[Reflection]:
        """Return what is to be taken from a task; offline nothing beyond what was said of it."""
        ...
