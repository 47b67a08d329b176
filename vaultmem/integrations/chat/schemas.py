"""What the tools take, checked before anything is done; the model is told what to mend.

Nothing may be null: what is left empty is left alone, and the schemas stay plain enough for every
provider.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from vaultmem.errors import BadInput
from vaultmem.memory.working import MOST_TODOS

Text = Annotated[str, Field(min_length=1)]
Numbers = list[Annotated[int, Field(ge=1)]]


class Input(BaseModel):
    """The input of a tool."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)


class Remember(Input):
    """What to keep."""

    text: Text
    importance: Annotated[float, Field(ge=0, le=1, description="0.5 is the usual")] = 0.5
    tags: list[Text] = []


class Recall(Input):
    """What to look for."""

    query: Text
    k: Annotated[int, Field(ge=1, le=20, description="how many hits")] = 6
    type: Annotated[str, Field(description="card, topic, memory, episode, task; empty: any")] = ""


class Read(Input):
    """What to read: a file, a turn of this session, or the list of its turns."""

    path: Annotated[str, Field(description="a file's path in the vault, or its id")] = ""
    turn: Annotated[int, Field(ge=0, description="the number of a turn of this session")] = 0
    offset: Annotated[int, Field(ge=0, description="characters to skip")] = 0

    @model_validator(mode="after")
    def _one(self) -> Self:
        if self.path and self.turn:
            raise ValueError("give path or turn, not both")
        return self


class Card(Input):
    """A fact of a person, or whose card to show."""

    name: Annotated[str, Field(description="category/key, as family/sarah; to show: or empty")] = ""
    person: str = ""
    relationship: Annotated[str, Field(description="to the user, as: daughter")] = ""
    backstory: Annotated[str, Field(description="how it came up; needed for a new card")] = ""
    field: Annotated[str, Field(description="what is said of them, as: allergy")] = ""
    value: str = ""
    quote: Annotated[str, Field(description="the user's own sentence that says so")] = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if bool(self.field) != bool(self.value):
            raise ValueError("a fact needs field and value; to show a card leave out both")
        if self.field and not self.name:
            raise ValueError("name the card: category/key, as family/sarah")
        if not (self.name or self.person):
            raise ValueError("name a card or a person")
        return self


class Item(Input):
    """One thing to do."""

    id: Text
    text: Text
    status: Literal["pending", "in_progress", "completed"]


class Todo(Input):
    """The whole list."""

    items: Annotated[list[Item], Field(max_length=MOST_TODOS)]


class Step(Input):
    """One step of a plan, and what came of it."""

    text: Text
    status: Literal["pending", "in_progress", "done", "failed"] = "pending"
    result: str = ""


class Working(Input):
    """Where the work stands."""

    goal: Annotated[str, Field(description="empty: as it is")] = ""
    state: Annotated[str, Field(description="the business state, as: awaiting payment")] = ""
    steps: Annotated[list[Step], Field(description="the whole plan; empty: as it is")] = []
    note: Annotated[str, Field(description="a line for the scratchpad")] = ""
    key: Annotated[str, Field(description="replaces the scratchpad's line of that key")] = ""
    task: Annotated[int, Field(ge=0, description="the task of the graph that it is")] = 0
    result: Annotated[str, Field(description="what came of it, at the end")] = ""
    outcome: Annotated[
        Literal["", "success", "partial", "failure"], Field(description="how it ended, once it did")
    ] = ""
    lessons: Annotated[list[Text], Field(description="what to take from it, at the end")] = []

    @model_validator(mode="after")
    def _ended(self) -> Self:
        if (self.lessons or self.result) and not self.outcome:
            raise ValueError("lessons and result come with an outcome")
        return self


class TaskCreate(Input):
    """A new task."""

    subject: Text
    description: str = ""
    owner: str = ""
    blocked_by: Numbers = []
    blocks: Numbers = []


class TaskUpdate(Input):
    """What changes of a task."""

    id: Annotated[int, Field(ge=1)]
    status: Literal["", "pending", "in_progress", "completed"] = ""
    subject: str = ""
    description: str = ""
    owner: str = ""
    result: Annotated[str, Field(description="what came of it, in a line")] = ""
    error: Annotated[str, Field(description="why it failed, in a line")] = ""
    log: Annotated[str, Field(description="the path of the file that tells how it went")] = ""
    blocked_by: Numbers = []
    blocks: Numbers = []
    unblocked_by: Numbers = []


class TaskList(Input):
    """Which tasks."""

    ready: bool = False
    blocked: bool = False
    status: Literal["", "pending", "in_progress", "completed"] = ""
    owner: str = ""


class TaskGet(Input):
    """Which task."""

    id: Annotated[int, Field(ge=1)]


class Compact(Input):
    """Nothing."""


_I = TypeVar("_I", bound=Input)


def read(form: type[_I], given: Mapping[str, object]) -> _I:
    """Return *given* as *form*; raises BadInput that says what to mend."""
    try:
        return form.model_validate(given)
    except ValidationError as e:
        wrong = "; ".join(_error_text(error["loc"], error["msg"]) for error in e.errors())
        raise BadInput(f"the input is not as it should be: {wrong}") from e


def _error_text(place: tuple[int | str, ...], why: str) -> str:
    where = ".".join(map(str, place))
    what = why.removeprefix("Value error, ")
    return f"{where}: {what}" if where else what


def schema(form: type[Input]) -> dict[str, Any]:
    """Return the JSON schema of *form* as providers want it: no titles, nothing of ours."""
    return {**_bare(form.model_json_schema()), "additionalProperties": False}


def _bare(schema: Mapping[str, Any], *, named: bool = False) -> dict[str, Any]:
    """Return *schema* without titles and docstrings; the keys of properties are *named* by us."""
    drop = set() if named else {"title"} | ({"description"} if "properties" in schema else set())
    return {
        key: _bare(value, named=key in {"properties", "$defs"} and not named)
        if isinstance(value, Mapping)
        else value
        for key, value in schema.items()
        if key not in drop
    }
