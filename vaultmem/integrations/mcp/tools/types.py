"""What a tool is: what it is called, says of itself, takes and returns, and who does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mcp_types import Tool as Described
from mcp_types import ToolAnnotations
from pydantic import TypeAdapter

from vaultmem.integrations.mcp import schema
from vaultmem.integrations.mcp.tools.arguments import Arguments
from vaultmem.integrations.mcp.vault_session import ServerSession

_hints = partial(ToolAnnotations, open_world_hint=False)
LOOKS = _hints(read_only_hint=True, destructive_hint=False, idempotent_hint=True)
ADDS = _hints(read_only_hint=False, destructive_hint=False, idempotent_hint=True)
CHANGES = _hints(read_only_hint=False, destructive_hint=False, idempotent_hint=False)
TAKES_AWAY = _hints(read_only_hint=False, destructive_hint=True, idempotent_hint=False)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of the server; *run* is called on the vault's thread.

    What *gives* nothing but text has no schema for it.
    """

    name: str
    title: str
    description: str
    hints: ToolAnnotations
    takes: type[Arguments]
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
        gives = self.gives and schema.of_result(self.gives, writes=not self.reads_only)
        return Described(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=schema.of_arguments(self.takes),
            output_schema=gives,
            annotations=self.hints,
        )
