"""`memory_edit`: change a topic or a note in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, TypeAdapter

from vaultmem.api.agent_files import Reached
from vaultmem.errors import BadInput
from vaultmem.integrations.mcp.tools import shown_text
from vaultmem.integrations.mcp.tools.arguments import LONGEST_PATH, PATH, Arguments, also, inner
from vaultmem.integrations.mcp.tools.types import CHANGES, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession

Op = Literal["str_replace", "append", "replace_section", "set_field"]


class Edit(Arguments):
    """What `memory_edit` is given."""

    path: str = Field(max_length=LONGEST_PATH, validation_alias=PATH)
    op: Op = Field("str_replace", validation_alias=also("op", "operation", "command", "mode"))
    old: str = Field(
        "",
        validation_alias=also(
            "old", "old_str", "old_string", "old_text", "find", "heading", "section", "key", "field"
        ),
        description="the text to replace (must be unique), the heading, or the field's name",
    )
    new: str = Field(
        validation_alias=also(
            "new", "new_str", "new_string", "new_text", "replace", "text", "content", "value"
        )
    )
    expected_sha256: str = Field(
        "",
        validation_alias=also("expected_sha256", "sha256", "sha"),
        description="refuse if the file's differs",
    )
    reason: str = Field("", validation_alias=also("reason", "why"))


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit did; *undo* is the id that takes it back, "" when nothing can."""

    path: str
    diff: str
    sha256: str
    undo: str
    commit: str | None


def edit(server: ServerSession, given: Edit) -> Edited:
    """Change a file where it is an agent's to change."""
    done = _edited(server, given)
    return Edited(done.path, shown_text.shortened(done.diff), done.sha256, done.op, done.commit)


def _edited(server: ServerSession, given: Edit) -> Reached:
    reach, path, old, new = server.reach, inner(given.path), given.old, given.new
    if given.op != "append" and not old:
        raise BadInput(f"{given.op} needs old: {_OLD[given.op]}")
    expected, reason = given.expected_sha256.lower(), given.reason
    if given.op == "append":
        return reach.append(path, new, expected_sha256=expected, reason=reason)
    step = {
        "str_replace": reach.str_replace,
        "replace_section": reach.replace_section,
        "set_field": reach.set_field,
    }[given.op]
    return step(path, old, new, expected_sha256=expected, reason=reason)


_OLD: Mapping[Op, str] = {
    "str_replace": "the text as it stands, enough of it to be unique",
    "replace_section": "the heading of the section",
    "set_field": "the name of the field in the frontmatter",
}


TOOL = Tool(
    "memory_edit", "Edit a memory file",
    "Change a topic or a note in place. Memories, summaries and MEMORY.md are never rewritten. "
    "If undo is empty, the change cannot be undone.",
    CHANGES, Edit, TypeAdapter(Edited), edit,
)  # fmt: skip
