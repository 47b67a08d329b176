"""What tools are given: checked, forgiving of the names that models guess, and explained."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Annotated, Any
from urllib.parse import unquote

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)
from pydantic_core import PydanticCustomError

from vaultmem.api.types import status_named
from vaultmem.errors import BadInput
from vaultmem.integrations.mcp.vault_session import ServerSession
from vaultmem.records import moment

LONGEST_PATH = 1024
_SCHEME = "memory://"
_TASK = re.compile(r"(?:tasks/)?task-0*(\d{1,9})(?:\.md)?")
_NO_NUMBER = "this is true or false: give a number"
_NO_LIST = 'this is not a JSON list: write ["tea", "green"], or tea, green'


def several(value: object) -> object:
    """Take one string for a list: JSON as some clients send it, else words between commas."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError) as e:
            raise PydanticCustomError("list", _NO_LIST) from e
    return [word for part in value.split(",") if (word := part.strip())]


def whole(value: object) -> object:
    """Let no `true` pass for 1: a client that sends it has mistaken one argument for another."""
    if isinstance(value, bool):
        raise PydanticCustomError("int", _NO_NUMBER)
    return value


def dated(value: str) -> str:
    """Return *value*, which is a date, a time or nothing, as it is."""
    try:
        if value:
            moment(value)
    except BadInput as e:
        raise PydanticCustomError("date", "{why}", {"why": str(e)}) from e
    return value


def numbers(value: object) -> object:
    """Take one number for a list, and `task-0004` for 4."""
    found = several([value] if isinstance(value, int) else value)
    return [number(it) for it in found] if isinstance(found, list) else found


def number(value: object) -> object:
    """Take `task-0004` or `tasks/task-0004.md` for 4."""
    named = _TASK.fullmatch(value) if isinstance(value, str) else None
    return named[1] if named else whole(value)


def status(value: object) -> object:
    """Take `done`, `doing` and `todo` for the status of a task that they mean."""
    return (status_named(value) or value) if isinstance(value, str) else value


Names = Annotated[list[str], BeforeValidator(several)]
Numbers = Annotated[list[Annotated[int, Field(ge=1)]], BeforeValidator(numbers)]
Number = Annotated[int, BeforeValidator(number)]
Whole = Annotated[int, BeforeValidator(whole)]
When = Annotated[str, AfterValidator(dated)]
TaskStatus = BeforeValidator(status)


def also(*names: str) -> AliasChoices:
    """Return the names that an argument goes by; the first is shown."""
    return AliasChoices(*names)


PATH = also("path", "file", "file_path", "filename", "id", "ref", "uri")


class Arguments(BaseModel):
    """The arguments of one tool; a name that it does not know is a mistake, and said so."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Leave out what is null: so some clients send an argument that they do not give."""
        return {name: value for name, value in given.items() if value is not None}

    @property
    def is_preview(self) -> bool:
        """Whether a tool that writes is only to show what it would do."""
        return False


def given_names(given: Arguments) -> list[str]:
    """Return the names of the arguments that are *given*, and not as they would be without."""
    fields = type(given).model_fields.items()
    return [name for name, it in fields if getattr(given, name) != it.default]


def refuse_unused(given: Arguments, used: Collection[str], doing: str) -> None:
    """Raise BadInput for an argument that is *given* and of no use to what is being *doing*.

    What is as it would be without being given, as some clients send it, says nothing.
    """
    if others := [name for name in given_names(given) if name not in used]:
        raise BadInput(f"{doing} takes {', '.join(used)}: leave out {', '.join(others)}")


def inner(path: str) -> str:
    """Return *path* as it is in the vault: clients give the URI of a resource, too.

    RFC 6570 encodes what a URI cannot hold, as the template `memory://{+path}` asks.
    """
    return unquote(path.removeprefix(_SCHEME)) if path.startswith(_SCHEME) else path


def path_of(server: ServerSession, ref: str, *, untrusted: bool = False) -> str:
    """Return the path of the file that *ref* means, a path, an id or a link to it.

    Raises what `Reach.page` does, which reads what is *untrusted* where it is said.
    """
    return server.reach.page(inner(ref), most=1, untrusted=untrusted).path
