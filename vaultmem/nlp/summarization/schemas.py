"""What models are to return, on the wire: read generously, converted to `documents.bodies`.

Keys nobody asked for are ignored; how a field is read, `answer_fields` says. What cannot be
understood is Unusable.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, get_args

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    model_validator,
)

from vaultmem.documents.bodies import (
    Claim,
    Decision,
    Eliminated,
    Episode,
    Fact,
    SessionCompact,
    ToolResult,
    Topic,
    TopicDecision,
    TopicEliminated,
)
from vaultmem.errors import Unusable
from vaultmem.nlp.summarization import answer_fields, answer_json
from vaultmem.nlp.summarization.answer_fields import (
    List,
    Number,
    Numbers,
    Prose,
    Required,
    Result,
    Share,
    Steps,
    Text,
)
from vaultmem.nlp.tasks import (
    ClaimsTask,
    CompactTask,
    DistillTask,
    Op,
    Reflection,
    Suggestion,
    Utterance,
)
from vaultmem.nlp.text import analysis, quoted_text
from vaultmem.storage import files

_LINK = re.compile(r"(?:Episode )?(?:\[\[)?([^\[\]|]+?)(?:\.md)?(?:\|[^\[\]]*)?(?:\]\])?")


class _Wire(BaseModel):
    lone: ClassVar[str]
    """The field that a text stands for where an object is due."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        return {cls.lone: value} if isinstance(value, str) else value

    def __bool__(self) -> bool:
        return bool(getattr(self, self.lone))


class _Decision(_Wire):
    lone = "decision"
    decision: Text = ""
    reason: Text = ""
    constraint: Text = ""

    def value(self) -> Decision:
        return Decision(self.decision, self.reason, self.constraint)


class _Eliminated(_Wire):
    lone = "approach"
    approach: Text = ""
    why: Text = Field("", validation_alias=AliasChoices("why", "reason_ruled_out", "reason"))

    def value(self) -> Eliminated:
        return Eliminated(self.approach, self.why)


class _ToolResult(_Wire):
    lone = "result"
    name: Text = ""
    result: Result = ""

    def value(self) -> ToolResult:
        return ToolResult(self.name or "result", self.result)


def _results(value: object) -> object:
    """Return tool results as a list when they came as a mapping of names to results."""
    if isinstance(value, Mapping) and not {"name", "result"} <= value.keys():
        return [{"name": name, "result": result} for name, result in value.items()]
    return value


_Results = Annotated[List[_ToolResult], BeforeValidator(_results)]


class _Episode(BaseModel):
    title: Required
    summary: Prose
    decisions: List[_Decision] = []
    eliminated: List[_Eliminated] = []
    open_questions: List[Text] = []
    corrections: List[Text] = []
    preferences: List[Text] = []
    tool_results: _Results = []

    def value(self) -> Episode:
        return Episode(
            self.title,
            self.summary,
            decisions=tuple(d.value() for d in self.decisions),
            eliminated=tuple(e.value() for e in self.eliminated),
            open_questions=tuple(self.open_questions),
            corrections=tuple(self.corrections),
            preferences=tuple(self.preferences),
            tool_results=tuple(r.value() for r in self.tool_results),
        )


class _Compact(BaseModel):
    task: Required
    current_state: Prose
    key_decisions: List[_Decision] = []
    eliminated_approaches: List[_Eliminated] = []
    open_questions: List[Text] = []
    next_steps: List[Text] = []
    relevant_tool_results: _Results = []

    def value(self, turn: int) -> SessionCompact:
        return SessionCompact(
            self.task,
            self.current_state,
            key_decisions=tuple(d.value() for d in self.key_decisions),
            eliminated_approaches=tuple(e.value() for e in self.eliminated_approaches),
            open_questions=tuple(self.open_questions),
            next_steps=tuple(self.next_steps),
            relevant_tool_results=tuple(r.value() for r in self.relevant_tool_results),
            compacted_at_turn=turn,
        )


class _Fact(_Wire):
    lone = "text"
    text: Text = Field("", validation_alias=AliasChoices("text", "fact", "pattern"))
    sources: List[Text] = []


class _TopicDecision(_Decision):
    sources: List[Text] = []


class _TopicEliminated(_Eliminated):
    sources: List[Text] = []


class _Topic(BaseModel):
    slug: Text = ""
    title: Required
    description: Text = ""
    facts: List[_Fact] = []
    decisions: List[_TopicDecision] = []
    eliminated: List[_TopicEliminated] = []
    patterns: List[_Fact] = []

    def value(self, origins: _Origins) -> Topic:
        return Topic(
            origins.slug(self.slug, self.title),
            self.title,
            self.description or self.title,
            facts=origins.facts(self.facts),
            decisions=tuple(
                TopicDecision(d.value(), origins.of(d.decision, d.sources)) for d in self.decisions
            ),
            eliminated=tuple(
                TopicEliminated(e.value(), origins.of(e.approach, e.sources))
                for e in self.eliminated
            ),
            patterns=origins.facts(self.patterns),
        )


class _Topics(BaseModel):
    topics: List[_Topic]


class _Claim(BaseModel):
    item: Number
    person: Text = ""
    relationship: Text = ""
    category: Text = ""
    field: Text = Field("", validation_alias=AliasChoices("field", "attribute", "key"))
    value: Text = ""

    def of(self, item: Utterance) -> Claim:
        """Return the claim as one of *item*, said in the sentence that holds the value."""
        who = self.person or item.speaker or "user"
        return Claim(
            who,
            self.relationship.casefold(),
            _slug(self.category) or "personal",
            _slug(self.field),
            self.value,
            _sentence(self.value, item),
            item.at,
            item.origin,
            item.speaker,
        )


class _Claims(BaseModel):
    claims: List[_Claim]


_OPS: Mapping[str, Op] = {op: op for op in get_args(Op)}


class _Suggestion(BaseModel):
    # One of `_OPS`; a schema that lists them is not what every provider takes.
    op: Text
    numbers: Numbers
    text: Text = ""
    reason: Text = ""

    def value(self) -> Suggestion:
        text = "" if self.op == "delete" else self.text
        return Suggestion(_OPS[self.op], tuple(dict.fromkeys(self.numbers)), text, self.reason)


def _readable(value: object) -> object:
    """Return the suggestions that can be read, so that a bad one takes no good one with it."""
    value = answer_fields.items(value)
    if not isinstance(value, list):
        return value
    found = [_suggestion(item) for item in value]
    return [it for it in found if it and it.op in _OPS]


def _suggestion(value: object) -> _Suggestion | None:
    try:
        return _Suggestion.model_validate(value)
    except ValidationError:
        return None


class _Suggestions(BaseModel):
    suggestions: Annotated[list[_Suggestion], BeforeValidator(_readable)]


class _Reflection(BaseModel):
    approach: Steps = ""
    lessons: List[Text] = []
    importance: Share

    def value(self) -> Reflection:
        return Reflection(self.approach, tuple(self.lessons), round(self.importance, 3))


def _slug(text: str) -> str:
    return files.slug(text).replace("-", "_")


def _sentence(value: str, item: Utterance) -> str:
    """Return the sentence of *item* that holds *value*, "" when none does."""
    wanted = analysis.folded(value)
    sentences = (
        analysis.bare(sentence) for sentence in analysis.sentences(quoted_text.words(item.text))
    )
    return next((s for s in sentences if wanted and wanted in analysis.folded(s)), "")


@dataclass(frozen=True, slots=True)
class _Origins:
    """Where facts may come from: new ones from *episodes*, *known* ones from where they did."""

    episodes: tuple[str, ...]
    known: Mapping[str, tuple[str, ...]]
    slugs: Mapping[str, str]

    def facts(self, found: Iterable[_Fact]) -> tuple[Fact, ...]:
        return tuple(Fact(f.text, self.of(f.text, f.sources)) for f in found)

    def of(self, text: str, cited: Iterable[str]) -> tuple[str, ...]:
        """Return the targets that *text* comes from: as known, as cited, else all episodes."""
        targets = [*self.episodes, *(t for known in self.known.values() for t in known)]
        names = {target.rpartition("/")[2]: target for target in targets}
        names |= {target: target for target in targets}
        found = (_LINK.fullmatch(link) for link in cited)
        given = [names[link[1]] for link in found if link and link[1] in names]
        return tuple(dict.fromkeys([*self.known.get(text, ()), *given])) or self.episodes

    def slug(self, given: str, title: str) -> str:
        """Return the slug of the topic that is meant, or of a new one."""
        made = files.slug(given) or files.slug(title)
        if made in self.slugs.values():
            return made
        digest = hashlib.sha256(title.encode()).hexdigest()[:8]
        return self.slugs.get(title.casefold(), made or f"topic-{digest}")


def read_episode(text: str) -> Episode:
    """Read an episode; raises Unusable when *text* holds none."""
    return answer_json.read(_Episode, text).value()


def read_compact(text: str, task: CompactTask) -> SessionCompact:
    """Read a session's compact, as of the last turn of *task*; raises Unusable."""
    return answer_json.read(_Compact, text).value(task.turn)


def read_topics(text: str, task: DistillTask) -> tuple[Topic, ...]:
    """Read topics whose sources are among those *task* names; raises Unusable."""
    known: dict[str, tuple[str, ...]] = {}
    for topic in task.topics:
        known |= {str(answer_fields.text(it.text)): it.sources for it in topic.items}
    origins = _Origins(
        tuple(target for target, _ in task.episodes),
        known,
        {topic.title.casefold(): topic.slug for topic in task.topics},
    )
    return tuple(topic.value(origins) for topic in answer_json.read(_Topics, text).topics)


def read_claims(text: str, task: ClaimsTask) -> tuple[Claim, ...]:
    """Read claims of the numbered items of *task*; raises Unusable."""
    found = [claim for claim in answer_json.read(_Claims, text).claims if claim.value]
    items = dict(enumerate(task.items, 1))
    if not items.keys() >= {claim.item for claim in found}:
        raise Unusable("claims: an item that was not given")
    return tuple(claim.of(items[claim.item]) for claim in found)


def read_suggestions(text: str) -> tuple[Suggestion, ...]:
    """Read suggestions, those left out that are none; raises Unusable when it is no list."""
    return tuple(it.value() for it in answer_json.read(_Suggestions, text).suggestions)


def read_reflection(text: str) -> Reflection:
    """Read what is to be taken from a task; raises Unusable when *text* does not say."""
    return answer_json.read(_Reflection, text).value()


EPISODE = answer_json.schema(_Episode)
TOPICS = answer_json.schema(_Topics)
COMPACT = answer_json.schema(_Compact)
CLAIMS = answer_json.schema(_Claims)
SUGGESTIONS = answer_json.schema(_Suggestions)
REFLECTION = answer_json.schema(_Reflection)
