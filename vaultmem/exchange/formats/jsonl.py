"""JSON lines, one message each: `{"id", "session", "speaker" or "role", "content", "at"}`.

Only `content` is required.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vaultmem.documents import origin as document_origin
from vaultmem.errors import BadInput
from vaultmem.exchange.formats import bounded_lines
from vaultmem.exchange.formats.bounded_lines import Line
from vaultmem.exchange.formats.types import ImportedMessage, Item

LONGEST = 16 * 1024 * 1024
"""Bytes of one line: a memory has a hundredth of it, and other programs keep more beside it."""

LONGEST_NAME = 200
"""Characters of a session, a speaker, a message's id."""

_TOOLS = frozenset(("tool", "function", "tool_result", "observation", "ipython"))
_DERIVED = frozenset(("summary", "episode", "topic", "card", "task", "skill", "note", "working"))
"""What `export json` writes beside memories."""

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
    path: object = None
    type: object = None


def read(path: Path) -> Iterator[Item]:
    """Yield every line of *path* that is not blank; raises OSError."""
    for line in bounded_lines.read(path, LONGEST):
        yield _item(path, line)


def _item(path: Path, line: Line) -> Item:
    if line.fault:
        return Item(path.name, line.number, fault=line.fault)
    try:
        said = message(line.text)
        if said.path and str(said.type) in _DERIVED:
            return Item(path.name, line.number, skipped=f"a {said.type} of a vault, no message")
        return Item(path.name, line.number, _heard(said, path.stem))
    except BadInput as e:
        return Item(path.name, line.number, fault=str(e))


def message(line: str) -> Message:
    """Return what *line* says; raises BadInput."""
    try:
        line.encode()
        return Message.model_validate_json(line)
    except UnicodeEncodeError as e:
        raise BadInput("not UTF-8") from e
    except ValidationError as e:
        first = e.errors(include_url=False, include_input=False)[0]
        # A position within the line, which pydantic calls `line 1`, would only mislead.
        why = first["msg"].partition(" at line ")[0]
        raise BadInput(f"{first['loc'][0]}: {why}" if first["loc"] else why) from e


def _heard(said: Message, stem: str) -> ImportedMessage:
    session = said.session or stem
    origin = document_origin.read(said.model_extra or {})
    who = said.role or said.speaker or ""
    fetched = "tool" if who.casefold() in _TOOLS else "web" if origin.worth == "untrusted" else ""
    return ImportedMessage(
        said.content,
        "" if said.id is None else str(said.id),
        session,
        session,
        said.speaker or said.role or "",
        "tool" if fetched == "tool" else said.role or "",
        said.at or "",
        source=fetched or "import",
        trust=origin.trust,
    )
