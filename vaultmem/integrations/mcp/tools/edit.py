"""`memory_edit`: change a topic or a note in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, TypeAdapter

from vaultmem.api.agent_files import Reached
from vaultmem.api.agent_files.edits import check_expected
from vaultmem.api.rendering import quoted
from vaultmem.errors import BadInput, StaleWrite
from vaultmem.integrations.mcp.tools import shown_text
from vaultmem.integrations.mcp.tools.arguments import (
    LONGEST_PATH,
    PATH,
    Arguments,
    also,
    path_of,
    refuse_unused,
)
from vaultmem.integrations.mcp.tools.types import CHANGES, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession

Op = Literal["str_replace", "append", "replace_section", "set_field"]


def _op(value: object) -> object:
    """Take `set` for `set_field`, as clients guess it."""
    return "set_field" if value == "set" else value


class Edit(Arguments):
    """What `memory_edit` is given."""

    path: str = Field(max_length=LONGEST_PATH, validation_alias=PATH, description="path or id")
    op: Annotated[Op, BeforeValidator(_op)] = Field(
        "str_replace", validation_alias=also("op", "operation", "command", "mode"),
        description="replace a text, a section or a field of the frontmatter, or append",
    )  # fmt: skip
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
        ),
        description="what is to stand there",
    )
    expected_sha256: str = Field(
        "",
        validation_alias=also("expected_sha256", "sha256", "sha"),
        description="refuse if the file's differs",
    )
    reason: str = Field(
        "", validation_alias=also("reason", "why"), description="why, for the history"
    )


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit did; *undo* is the id that takes it back, "" when nothing can.

    *uncommitted* says why no commit has it, and what to do.
    """

    path: str
    diff: str
    sha256: str
    undo: str
    commit: str | None
    uncommitted: str = ""


def edit(server: ServerSession, given: Edit) -> Edited:
    """Change a file where it is an agent's to change."""
    check_expected(given.expected_sha256)
    path = path_of(server, given.path, untrusted=True)
    if given.op == "set_field" and path.startswith("tasks/"):
        return _task(server, path, given)
    done = _edited(server, path, given)
    is_trusted = server.reach.page(done.path, most=1, untrusted=True).trust != shown_text.UNTRUSTED
    diff = (
        shown_text.shortened(done.diff)
        if is_trusted
        else shown_text.of_untrusted("update", done.path, done.diff)
    )
    return Edited(done.path, diff, done.sha256, done.op, done.commit, done.uncommitted)


def _edited(server: ServerSession, path: str, given: Edit) -> Reached:
    reach, old, new = server.reach, given.old, given.new
    if given.op != "append" and not old:
        raise BadInput(f"{given.op} needs old: {_OLD[given.op]}")
    expected, reason = given.expected_sha256.lower(), given.reason
    if given.op == "append":
        refuse_unused(given, ("path", "op", "new", "expected_sha256", "reason"), "append")
        if not new.strip():
            raise BadInput("append needs new: the text that is to be added")
        return reach.append(path, new, expected_sha256=expected, reason=reason)
    if given.op == "set_field":
        value = _listed(new) if old in _LISTS else new
        return reach.set_field(path, old, value, expected_sha256=expected, reason=reason)
    step = reach.str_replace if given.op == "str_replace" else reach.replace_section
    return step(path, old, new, expected_sha256=expected, reason=reason)


def _listed(text: str) -> tuple[str, ...]:
    """Return the names in *text*, which stand between commas, in brackets and quotes or without."""
    inner = text.strip()
    inner = inner[1:-1] if inner.startswith("[") and inner.endswith("]") else inner
    return tuple(name for part in inner.split(",") if (name := part.strip(" \n\t\"'")))


def _task(server: ServerSession, path: str, given: Edit) -> Edited:
    """Set a field of a task: which of them may be set, and what follows, is for tasks to say."""
    if given.old not in _OF_TASKS:
        raise BadInput(
            f"a task has no field {quoted(given.old)} that is set: it has {', '.join(_OF_TASKS)}"
        )
    found = server.vault.queries.sha256(path)
    if given.expected_sha256.lower() not in {"", found}:
        raise StaleWrite(path, given.expected_sha256, found)
    changed: Mapping[str, Any] = {given.old: given.new}
    made = server.vault.tasks.update(path, **changed, reason=given.reason)
    return Edited(
        made.path, "", server.vault.queries.sha256(made.path) or "", "", made.commit
    )  # fmt: skip


_OF_TASKS = ("status", "subject", "owner", "result", "error")
_LISTS = ("tags", "aliases")
"""Fields of which each has several values."""
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
