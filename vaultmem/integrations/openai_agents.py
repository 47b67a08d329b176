"""OpenAI's Agents SDK: a session of a vault as the session of a run; any version of it will do.

`Session` is a protocol, so nothing of the SDK is imported; the extra `openai-agents` brings it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from vaultmem import arguments
from vaultmem.api.agent_memory.session_memory import SessionMemory
from vaultmem.api.async_api import AsyncVault
from vaultmem.api.vault import Vault
from vaultmem.api.vault.item_logs import Item, Mark
from vaultmem.errors import Refused
from vaultmem.integrations import construction

if TYPE_CHECKING:
    from agents.memory import SessionSettings

_OUTPUT = "_output"
"""How the types of items end that a tool answered."""
_CALLS = ("function_call", "custom_tool_call")
_log = logging.getLogger(__name__)


class VaultSession:
    """A session of the Agents SDK, kept in a vault: `Runner.run(…, session=VaultSession(…))`.

    Its items are kept as they are, so that a run goes on where the last one ended; what was said
    becomes turns of the session's transcript, of which the vault makes episodes and topics. What a
    tool answered is a tool's turn: untrusted, and quoted nowhere else. The vault's laws hold:

    - `pop_item` and `clear_session` take items from what the next run is shown. The log marks
      them, and the transcript keeps what was said; `vaultmem forget` takes words out of both.
    - Private parts are left out, credentials are blanked out, what was forgotten is masked.
    """

    session_settings: SessionSettings | None = None

    def __init__(self, session_id: str, vault: AsyncVault, *, agent: str = "") -> None:
        """Keep the session of that id for *agent* in *vault*, which stays the caller's to close.

        Raises BadInput for what is no AsyncVault, or can be no agent.
        """
        arguments.check("session_id", session_id, "str")
        construction.check_vault(vault)
        construction.check_agent(agent)
        self.session_id = session_id
        self._vault, self._agent = vault, agent

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """Return the items in order, the last *limit* of them where that is given.

        Raises BadInput for a limit that is no whole number.
        """
        arguments.check("limit", limit, "int | None")
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        held: list[Any] = [*await self._vault.do(_held, self._agent, self.session_id)]
        return held if limit is None else held[-limit:] if limit > 0 else []

    async def add_items(self, items: Sequence[Any]) -> None:
        """Keep *items*, and what they say as turns; raises SwitchedOff, BadInput for no objects."""
        arguments.check_objects("items", items)
        if items:
            await self._vault.do(_added, self._agent, self.session_id, list(items))

    async def pop_item(self) -> Any | None:  # noqa: ANN401  # an item of the SDK's
        """Take the last item back, and return it; None where there is none."""
        gone = await self._vault.do(_marked, self._agent, self.session_id, "taken back")
        return gone[-1] if gone else None

    async def clear_session(self) -> None:
        """Begin anew: the next run is shown nothing of before."""
        await self._vault.do(_marked, self._agent, self.session_id, "cleared")


# --- what items say -----------------------------------------------------------------------------


def _tools(items: Iterable[Item]) -> dict[object, str]:
    """Return the names of the tools that *items* call, by the id of the call."""
    calls = (it for it in items if it.get("type") in _CALLS)
    return {it.get("call_id"): str(it.get("name")) for it in calls}


def _text(content: object) -> str:
    """Return the text of an item's content or output: of a list of parts what each says."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(_part, content)))
    return "" if content is None else json.dumps(content, ensure_ascii=False)


def _part(part: object) -> str:
    if not isinstance(part, Mapping):
        return str(part)
    text = part.get("text") or part.get("refusal")
    return text if isinstance(text, str) else f"[{part.get('type', 'part')}]"


# --- on the thread of the vault -----------------------------------------------------------------


def _held(vault: Vault, agent: str, session: str) -> tuple[Item, ...]:
    return vault.item_logs.read([session], agent=agent)


def _marked(vault: Vault, agent: str, session: str, mark: Mark) -> tuple[Item, ...]:
    return vault.item_logs.mark([session], mark, agent=agent)


def _added(vault: Vault, agent: str, session: str, items: Sequence[Item]) -> None:
    kept = vault.item_logs.append([session], items, agent=agent)
    tools = _tools(kept)
    if any(_is_output(it) and it.get("call_id") not in tools for it in kept):
        tools = _tools(_held(vault, agent, session))
    memory = SessionMemory(vault, agent=agent, session=session)
    for item in kept:
        try:
            _say(memory, item, tools)
        except Refused as e:  # it was forgotten: the run goes on without it
            _log.warning("%s", e)


def _say(memory: SessionMemory, item: Item, tools: Mapping[object, str]) -> None:
    """Add the turn that *item* is; calls, reasoning and instructions say nothing."""
    if _is_output(item):
        kind = str(item["type"]).removesuffix(_OUTPUT)
        memory.on_tool_result(tools.get(item.get("call_id"), kind), _text(item.get("output")))
    elif item.get("type", "message") == "message" and (text := _text(item.get("content"))):
        if item.get("role") == "user":
            memory.on_user_message(text)
        elif item.get("role") == "assistant":
            memory.on_assistant_message(text)


def _is_output(item: Item) -> bool:
    return str(item.get("type")).endswith(_OUTPUT)
