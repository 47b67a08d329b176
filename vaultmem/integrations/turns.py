"""Say the turns that a framework's messages come to, each to whom it belongs."""

from __future__ import annotations

from vaultmem.api.agent_memory.session_memory import SessionMemory
from vaultmem.api.types import Turn


def say(memory: SessionMemory, turn: Turn, since: str) -> None:
    """Keep *turn* in *memory* as its role has it: what is no speaker's is a tool's.

    The run is over that it is told of; *since* it began a tool may have spoken.
    """
    match turn.role:
        case "user":
            memory.on_user_message(turn.content)
        case "assistant":
            memory.on_assistant_message(turn.content)
        case _:
            memory.on_tool_result(turn.tool, turn.content, since=since)
