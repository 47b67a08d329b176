"""The ten tools: what each is called, says of itself, takes and returns, and who does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mcp_types import Tool as Described
from mcp_types import ToolAnnotations
from pydantic import TypeAdapter

from vaultmem.integrations.mcp import (
    arguments,
    maintenance_tools,
    read_tools,
    results,
    schema,
    write_tools,
)
from vaultmem.integrations.mcp.vault_session import ServerSession

_hints = partial(ToolAnnotations, open_world_hint=False)
_LOOKS = _hints(read_only_hint=True, destructive_hint=False, idempotent_hint=True)
_ADDS = _hints(read_only_hint=False, destructive_hint=False, idempotent_hint=True)
_CHANGES = _hints(read_only_hint=False, destructive_hint=False, idempotent_hint=False)
_TAKES_AWAY = _hints(read_only_hint=False, destructive_hint=True, idempotent_hint=False)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of the server; *run* is called on the vault's thread.

    What *gives* nothing but text has no schema for it.
    """

    name: str
    title: str
    description: str
    hints: ToolAnnotations
    takes: type[arguments.Arguments]
    gives: TypeAdapter[Any] | None
    run: Callable[[ServerSession, Any], object] = field(repr=False)

    @property
    def reads_only(self) -> bool:
        """Whether it leaves the vault as it is."""
        return bool(self.hints.read_only_hint)

    def plain(self, result: object) -> dict[str, Any]:
        """Return what it gave as JSON's own types."""
        assert self.gives is not None  # noqa: S101  # text is told as it is
        found: dict[str, Any] = self.gives.dump_python(result, mode="json")
        return found

    def described(self) -> Described:
        """Return what a client is told of it."""
        return Described(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=schema.of_arguments(self.takes),
            output_schema=schema.of_result(self.gives) if self.gives else None,
            annotations=self.hints,
        )


TOOLS = (
    Tool(
        "memory_search", "Search memory",
        "Find what is remembered about a question, best match first, with path, date and trust. "
        "Search before you answer anything that depends on the past.",
        _LOOKS, arguments.Search, TypeAdapter(results.SearchResult), read_tools.search,
    ),
    Tool(
        "memory_read", "Read a memory file",
        "Read a file, whole or by lines; pass its sha256 to memory_edit for a safe edit.",
        _LOOKS, arguments.Read, TypeAdapter(results.Read), read_tools.read,
    ),
    Tool(
        "memory_list", "List memory files",
        "List files and folders.",
        _LOOKS, arguments.List, TypeAdapter(results.Listing), read_tools.entries,
    ),
    Tool(
        "memory_write", "Remember",
        "Store something new without overwriting: a memory (one thing said or learnt), a topic "
        "(lasting knowledge), a note, a card (facts about one person or thing), a task. "
        "Writing the same again returns the existing file.",
        _ADDS, arguments.Write, TypeAdapter(results.Written), write_tools.write,
    ),
    Tool(
        "memory_edit", "Edit a memory file",
        "Change a topic or a note in place. Memories, summaries and MEMORY.md are never rewritten. "
        "If undo is empty, the change cannot be undone.",
        _CHANGES, arguments.Edit, TypeAdapter(results.Edited), write_tools.edit,
    ),
    Tool(
        "memory_forget", "Forget",
        "Forget a file; what was made from it is rewritten without it. memory_undo brings it "
        "back, unless purged.",
        _TAKES_AWAY, arguments.Forget, TypeAdapter(results.Forgotten), write_tools.forget,
    ),
    Tool(
        "memory_status", "Memory status",
        "Counts, budgets, pending work, problems and how to fix them.",
        _LOOKS, arguments.Status, TypeAdapter(results.State), read_tools.status,
    ),
    Tool(
        "memory_compact", "Compact memories",
        "Summarize old memories, which stay. The first call only shows a plan; to apply it, call "
        "again with apply=true and its plan_id.",
        _TAKES_AWAY, arguments.Compact, TypeAdapter(results.Compacted), maintenance_tools.compact,
    ),
    Tool(
        "memory_history", "Memory history",
        "List operations, newest first; for a path with diffs, and with why=true its sources.",
        _LOOKS, arguments.Look, TypeAdapter(results.History), read_tools.past,
    ),
    Tool(
        "memory_undo", "Undo",
        "Undo an operation, keeping later edits. By default it only shows the diff; dry_run=false "
        "does it.",
        _TAKES_AWAY, arguments.Undo, TypeAdapter(results.Undone), maintenance_tools.undo,
    ),
)  # fmt: skip


def memory(answer: Callable[[ServerSession, dict[str, Any]], str]) -> Tool:
    """Return the one tool that is shaped like Anthropic's, done by *answer*."""

    def run(server: ServerSession, given: arguments.Command) -> str:
        return answer(server, given.model_dump(exclude_unset=True))

    return Tool(
        "memory", "Memory directory",
        "Work with the files in /memories: view a folder or a file, create, str_replace, insert, "
        "delete, rename.",
        _TAKES_AWAY, arguments.Command, None, run,
    )  # fmt: skip
