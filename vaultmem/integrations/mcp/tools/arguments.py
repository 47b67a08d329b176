"""What tools are given: checked, forgiving of the names that models guess, and explained."""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict
from pydantic_core import PydanticCustomError

LONGEST_PATH = 1024
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


Names = Annotated[list[str], BeforeValidator(several)]


def also(*names: str) -> AliasChoices:
    """Return the names that an argument goes by; the first is shown."""
    return AliasChoices(*names)


PATH = also("path", "file", "file_path", "filename", "id", "ref", "uri")


class Arguments(BaseModel):
    """The arguments of one tool; a name that it does not know is a mistake, and said so."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def inner(path: str) -> str:
    """Return *path* as it is in the vault: clients give that of a resource, too."""
    return path.removeprefix("memory://")
