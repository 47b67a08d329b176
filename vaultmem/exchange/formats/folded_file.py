"""A folded memory as one file, `{session}_folded.json`: episodes, lasting knowledge, newest turns.

`memory`, `l1_turns` and the two counts are what other programs read and write. `details` is ours
and may be missing: what these have no place for. A key that is neither is refused, so that nothing
is left behind in silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
    model_validator,
)

from vaultmem.errors import BadInput
from vaultmem.exchange.formats import shown_texts
from vaultmem.exchange.formats.json_fields import without
from vaultmem.storage.transcripts import text_of

LARGEST = 16 * 1024 * 1024
"""Bytes of one file."""

MOST_TURNS = 100_000
"""Turns that a session may have had."""

_MOST_EPISODES, _MOST_RESULTS = 5_000, 200
_Count = Annotated[int, Field(ge=0, le=MOST_TURNS)]
_Name = Annotated[str, StringConstraints(max_length=200)]
# A session that was never counted as it should be has turns below 0.
_Number = Annotated[int, Field(ge=-MOST_TURNS, le=MOST_TURNS)]


_OWN = {"text": "text", "thinking": "thinking", "tool_use": "input", "server_tool_use": "input"}
"""The field that who talks writes of a block, by the type of that."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Decided(_Part):
    """A decision, its reason and what it must respect."""

    decision: str
    reason: str | None = ""
    constraint: str | None = ""


class RuledOut(_Part):
    """An approach that was ruled out, and why."""

    approach: str
    why: str | None = ""


class FoldedEpisode(_Part):
    """What a stretch of turns came to; *turn_range* has its first and its last turn."""

    episode_id: _Count
    turn_range: tuple[_Number, _Number]
    summary: str
    decisions: tuple[Decided, ...] = ()
    eliminated: tuple[RuledOut, ...] = ()
    open_questions: tuple[str, ...] = ()
    tool_results: Annotated[dict[str, JsonValue], Field(max_length=_MOST_RESULTS)] = {}


class Semantic(_Part):
    """What lasts."""

    facts: tuple[str, ...] = ()
    decisions: tuple[Decided, ...] = ()
    eliminated_approaches: tuple[RuledOut, ...] = ()
    patterns: tuple[str, ...] = ()


class FoldedLayers(_Part):
    """The folded layers, and how far they go."""

    semantic: Semantic = Semantic()
    episodes: Annotated[tuple[FoldedEpisode, ...], Field(max_length=_MOST_EPISODES)] = ()
    current_episode_id: _Count = 0
    total_turns_seen: _Count = 0


class FoldedTurn(_Part):
    """A turn as a message of a model's API."""

    role: Literal["user", "assistant", "tool", "system"]
    content: str | list[JsonValue]

    @property
    def is_shown(self) -> bool:
        """Whether a tool says it, or a program: nobody of those who talk."""
        kinds = [str(it.get("type")) for it in self._blocks if isinstance(it, dict)]
        is_result = self.role == "user" and any(kind.endswith("tool_result") for kind in kinds)
        return self.role in {"tool", "system"} or is_result or bool(self.shown and not self._said)

    @property
    def text(self) -> str:
        """What it says, without pictures and calls."""
        return (text_of(self.content) or "") if self.is_shown else self._said

    @property
    def shown(self) -> tuple[str, ...]:
        """What stands beside that which somebody says in it: results, files, what is cited."""
        return shown_texts.of([_beside(it) for it in self._blocks if isinstance(it, dict)])

    @property
    def _blocks(self) -> list[JsonValue]:
        return self.content if isinstance(self.content, list) else [self.content]

    @property
    def _said(self) -> str:
        said = (
            it.get("text") if isinstance(it, dict) else it for it in self._blocks if _is_own(it)
        )
        return "\n".join(it for it in said if isinstance(it, str) and it)


def _is_own(block: JsonValue) -> bool:
    return isinstance(block, str) or (isinstance(block, dict) and block.get("type") == "text")


def _beside(block: Mapping[str, JsonValue]) -> Mapping[str, object]:
    return without(block, {_OWN.get(str(block.get("type")), "")})


class TurnDetails(_Part):
    """Who said a turn and when, and the tool whose result it is; *role* where it is another."""

    role: Literal["", "tool", "system"] = ""
    speaker: _Name = ""
    at: _Name = ""
    tool: _Name = ""


class EpisodeDetails(_Part):
    """The title of an episode, when its last turn was, and what else it keeps."""

    title: _Name = ""
    created: _Name = ""
    trust: Literal["", "untrusted"] = ""
    corrections: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()


class Details(_Part):
    """What other programs have no place for: of each turn and episode, in their order, or none.

    *began* is when the session's first turn was: two of one name are told apart by it.
    """

    session: _Name = ""
    began: _Name = ""
    turns: tuple[TurnDetails, ...] = ()
    episodes: tuple[EpisodeDetails, ...] = ()


class FoldedFile(_Part):
    """The whole file. The counts stand in *memory*, beside it, or in both, alike."""

    memory: FoldedLayers
    l1_turns: Annotated[tuple[FoldedTurn, ...], Field(max_length=MOST_TURNS)]
    current_episode_id: _Count | None = None
    total_turns_seen: _Count | None = None
    details: Details = Details()

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        _check(self)
        return self

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The turns of each episode, from 1, one behind the other, and before those of `l1_turns`.

        As the file has them where that is so; else counted anew, each as long as it says it is.
        """
        given = tuple(episode.turn_range for episode in self.memory.episodes)
        ends = [0, *(last for _, last in given)]
        told = max(self._counted - len(self.l1_turns), 0)
        if ends[-1] <= told and all(
            end < first <= last for end, (first, last) in zip(ends, given, strict=False)
        ):
            return given
        return tuple(_in_a_row(given))

    @property
    def told(self) -> int:
        """How many turns there were before those of `l1_turns`."""
        last = self.ranges[-1][1] if self.ranges else 0
        return max(last, self._counted - len(self.l1_turns))

    @property
    def next_episode(self) -> int:
        """The id that the next episode gets."""
        last = self.memory.episodes[-1].episode_id + 1 if self.memory.episodes else 0
        return max(last, self.memory.current_episode_id, self.current_episode_id or 0)

    @property
    def _counted(self) -> int:
        return max(self.memory.total_turns_seen, self.total_turns_seen or 0)

    def episodes(self) -> Iterator[tuple[FoldedEpisode, EpisodeDetails]]:
        """Yield the episodes, each with its details."""
        details = self.details.episodes or (EpisodeDetails(),) * len(self.memory.episodes)
        return zip(self.memory.episodes, details, strict=True)

    def turns(self) -> Iterator[tuple[FoldedTurn, TurnDetails]]:
        """Yield the turns, each with its details."""
        details = self.details.turns or (TurnDetails(),) * len(self.l1_turns)
        return zip(self.l1_turns, details, strict=True)


def _in_a_row(given: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    end = 0
    for first, last in given:
        start, end = end + 1, end + max(last - first + 1, 1)
        yield start, end


def _check(file: FoldedFile) -> None:
    """Raise ValueError for a file that contradicts itself."""
    memory, details = file.memory, file.details
    for name in ("current_episode_id", "total_turns_seen"):
        outer, inner = getattr(file, name), getattr(memory, name)
        if outer is not None and inner and outer != inner:
            raise ValueError(f"{name} is {outer} and, in memory, {inner}")
    ids = [episode.episode_id for episode in memory.episodes]
    if ids != sorted(set(ids)):
        raise ValueError("the ids of the episodes do not rise")
    following = memory.current_episode_id or file.current_episode_id
    if ids and following is not None and following <= ids[-1]:
        raise ValueError(f"the next episode is {following}, and there is an episode {ids[-1]}")
    if details.turns and len(details.turns) != len(file.l1_turns):
        raise ValueError("details.turns has not one for each of l1_turns")
    if details.episodes and len(details.episodes) != len(memory.episodes):
        raise ValueError("details.episodes has not one for each of memory.episodes")
    if file.told + len(file.l1_turns) > MOST_TURNS:
        raise ValueError(f"more than {MOST_TURNS} turns")


def parse(data: bytes) -> FoldedFile:
    """Return what the bytes of a file say; raises BadInput with the first thing that is wrong."""
    if len(data) > LARGEST:
        raise BadInput(f"is longer than {LARGEST >> 20} MiB: no folded memory is")
    try:
        return FoldedFile.model_validate_json(data.removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as e:
        first = e.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        why = first["msg"].removeprefix("Value error, ")
        raise BadInput(f"is no folded memory: {f'{where}: ' * bool(where)}{why}") from e


def is_ours(data: bytes) -> bool:
    """Tell whether *data* is a file that we wrote."""
    try:
        return bool(parse(data).details.session)
    except BadInput:
        return False


def text(file: FoldedFile) -> bytes:
    """Return the bytes of *file*; of the details those that say something."""
    whole = file.model_dump(exclude={"details"})
    whole["details"] = file.details.model_dump(exclude_defaults=True)
    return json.dumps(whole, ensure_ascii=False, indent=2).encode() + b"\n"
