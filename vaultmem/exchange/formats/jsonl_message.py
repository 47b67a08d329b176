"""One message of a JSONL conversation, as its line has it."""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vaultmem.errors import BadInput
from vaultmem.exchange.formats.json_fields import date, unix_time

LONGEST_NAME = 200
"""Characters of a session, a speaker, a message's id."""

_TIMES = ("timestamp", "created_at", "created", "datetime", "date", "time")
"""What other programs call the time that something was said at."""

_Number = Annotated[int, Field(ge=-(2**63), lt=2**63)]


class Message(BaseModel):
    """One line of a JSONL conversation; unknown keys are not ours to judge."""

    model_config = ConfigDict(strict=True, frozen=True, extra="allow")

    id: Annotated[str, Field(max_length=LONGEST_NAME)] | _Number | None = None
    session: str | None = Field(default=None, max_length=LONGEST_NAME)
    speaker: str | None = Field(default=None, max_length=LONGEST_NAME)
    role: str | None = Field(default=None, max_length=LONGEST_NAME)
    content: str
    at: str | None = None
    importance: object = None
    tags: object = None
    path: object = None
    type: object = None

    @property
    def when(self) -> str:
        """When it was said, also by another program's name for it; "" where no date says so."""
        if self.at is not None:
            return self.at
        named = map(_time, map((self.model_extra or {}).get, _TIMES))
        return next(filter(None, named), "")

    @property
    def unread_time(self) -> str:
        """What stands under another program's name for a time, and is none, where nothing else is.

        A number that is none counts something else.
        """
        if self.when:
            return ""
        named = map((self.model_extra or {}).get, _TIMES)
        return next((text for text in named if isinstance(text, str) and text.strip()), "")

    @property
    def weight(self) -> float | None:
        """The importance where it is one of ours, from 0 to 1: other programs have other scales."""
        given = self.importance
        if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1:
            return float(given)
        return None


def _time(value: object) -> str:
    """Return the time that *value* is, "" for none: a date, or Unix time in s or ms."""
    return unix_time(value) or date(value)


def parse(line: str) -> Message:
    """Return what *line* says; raises BadInput."""
    try:
        line.encode()
        return Message.model_validate_json(line)
    except UnicodeEncodeError as e:
        raise BadInput("not UTF-8") from e
    except ValidationError as e:
        if _has_half_a_character(line):
            raise BadInput("it holds half a character: cut it out") from e
        first = e.errors(include_url=False, include_input=False)[0]
        # A position within the line, which pydantic calls `line 1`, would only mislead.
        why = first["msg"].partition(" at line ")[0]
        raise BadInput(f"{first['loc'][0]}: {why}" if first["loc"] else why) from e


def _has_half_a_character(line: str) -> bool:
    """Tell whether the JSON of *line* holds half a character, which pydantic takes for no JSON."""
    try:
        json.dumps(json.loads(line), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        return False
    return False
