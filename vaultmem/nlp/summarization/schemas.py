"""What models are to return, on the wire: read generously, converted to `documents.bodies`.

Keys nobody asked for are ignored, what is missing or null is empty, a lone text is a list of one.
What cannot be understood is Unusable.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeVar, get_args

from pydantic import (
    AfterValidator,
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
from vaultmem.nlp.summarization import answer_cleanup, answer_json
from vaultmem.nlp.summarization.prompts import plain
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

_T = TypeVar("_T")

_ITEMS, _CHARS = 30, 600
_NUMBER = re.compile(r"#?\s*(\d{1,6})")
_LINK = re.compile(r"(?:Episode )?(?:\[\[)?([^\[\]|]+?)(?:\.md)?(?:\|[^\[\]]*)?(?:\]\])?")


def _text(value: object) -> object:
    """Return a text on one line, within bounds; what is no text is left for pydantic to refuse."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    return _bounded(plain(value))


def _prose(value: object) -> object:
    """Return a text with a sentence a line, within bounds."""
    if not isinstance(value, str):
        return _text(value)
    return _bounded("\n".join(plain(sentence) for sentence in answer_cleanup.sentences(value)))


def _bounded(text: str) -> str:
    return text if len(text) <= _CHARS else text[: _CHARS - 1].rstrip() + "\u2026"


def _steps(value: object) -> object:
    """Return a way of working with a step a line, also where it came as a list."""
    if isinstance(value, list) and all(isinstance(step, str) for step in value):
        return _bounded("\n".join(filter(None, map(plain, value))))
    return _prose(value)


def _share(value: float) -> float:
    # Not `ge` and `le`: a schema with bounds is not what every provider takes.
    if not (math.isfinite(value) and 0 <= value <= 1):
        raise ValueError("must be from 0 to 1")
    return value


def _filled(text: str) -> str:
    if not text:
        raise ValueError("is empty")
    return text


def _result(value: object) -> object:
    """Return what a tool answered as a text, whatever JSON it is."""
    if value is None or isinstance(value, str):
        return _text(value)
    return _text(json.dumps(value, ensure_ascii=False))


def _list(value: object) -> object:
    """Return a list without its empty items, within bounds; what is none is left to refuse."""
    if isinstance(value, str | Mapping):
        value = [value]
    if not isinstance(value, list):
        return [] if value is None else value
    return [item for item in value if item not in (None, "", {}, [])][:_ITEMS]


def _telling(items: list[_T]) -> list[_T]:
    return [item for item in items if item]


def _number(value: object) -> object:
    """Return a number that came as a text, `#3`; what is none is left to refuse."""
    found = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(found[1]) if found else value


def _numbers(value: object) -> object:
    return _list([value] if isinstance(value, int) else value)


def _results(value: object) -> object:
    """Return tool results as a list, also when they came as a mapping of names to results."""
    if isinstance(value, Mapping) and not {"name", "result"} <= value.keys():
        value = [{"name": name, "result": result} for name, result in value.items()]
    return _list(value)


_Text = Annotated[str, BeforeValidator(_text)]
_Required = Annotated[str, BeforeValidator(_text), AfterValidator(_filled)]
_Prose = Annotated[str, BeforeValidator(_prose), AfterValidator(_filled)]
_List = Annotated[list[_T], BeforeValidator(_list), AfterValidator(_telling)]


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
    decision: _Text = ""
    reason: _Text = ""
    constraint: _Text = ""

    def value(self) -> Decision:
        return Decision(self.decision, self.reason, self.constraint)


class _Eliminated(_Wire):
    lone = "approach"
    approach: _Text = ""
    why: _Text = Field("", validation_alias=AliasChoices("why", "reason_ruled_out", "reason"))

    def value(self) -> Eliminated:
        return Eliminated(self.approach, self.why)


class _ToolResult(_Wire):
    lone = "result"
    name: _Text = ""
    result: Annotated[str, BeforeValidator(_result)] = ""

    def value(self) -> ToolResult:
        return ToolResult(self.name or "result", self.result)


_Results = Annotated[list[_ToolResult], BeforeValidator(_results), AfterValidator(_telling)]


class _Episode(BaseModel):
    title: _Required
    summary: _Prose
    decisions: _List[_Decision] = []
    eliminated: _List[_Eliminated] = []
    open_questions: _List[_Text] = []
    corrections: _List[_Text] = []
    preferences: _List[_Text] = []
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
    task: _Required
    current_state: _Prose
    key_decisions: _List[_Decision] = []
    eliminated_approaches: _List[_Eliminated] = []
    open_questions: _List[_Text] = []
    next_steps: _List[_Text] = []
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
    text: _Text = Field("", validation_alias=AliasChoices("text", "fact", "pattern"))
    sources: _List[_Text] = []


class _TopicDecision(_Decision):
    sources: _List[_Text] = []


class _TopicEliminated(_Eliminated):
    sources: _List[_Text] = []


class _Topic(BaseModel):
    slug: _Text = ""
    title: _Required
    description: _Text = ""
    facts: _List[_Fact] = []
    decisions: _List[_TopicDecision] = []
    eliminated: _List[_TopicEliminated] = []
    patterns: _List[_Fact] = []

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
    topics: _List[_Topic]


_Number = Annotated[int, BeforeValidator(_number)]


class _Claim(BaseModel):
    item: _Number
    person: _Text = ""
    relationship: _Text = ""
    category: _Text = ""
    field: _Text = Field("", validation_alias=AliasChoices("field", "attribute", "key"))
    value: _Text = ""

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
    claims: _List[_Claim]


_OPS: Mapping[str, Op] = {op: op for op in get_args(Op)}


class _Suggestion(BaseModel):
    # One of `_OPS`; a schema that lists them is not what every provider takes.
    op: _Text
    numbers: Annotated[list[_Number], BeforeValidator(_numbers)]
    text: _Text = ""
    reason: _Text = ""

    def value(self) -> Suggestion:
        text = "" if self.op == "delete" else self.text
        return Suggestion(_OPS[self.op], tuple(dict.fromkeys(self.numbers)), text, self.reason)


def _readable(value: object) -> object:
    """Return the suggestions that can be read, so that a bad one takes no good one with it."""
    value = _list(value)
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
    approach: Annotated[str, BeforeValidator(_steps)] = ""
    lessons: _List[_Text] = []
    importance: Annotated[float, AfterValidator(_share)]

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
        known |= {str(_text(it.text)): it.sources for it in topic.items}
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
