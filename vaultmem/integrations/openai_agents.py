"""OpenAI's Agents SDK: a session of a vault as the session of a run; any version of it will do.

`Session` is a protocol, so nothing of the SDK is imported; the extra `openai-agents` brings it.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from vaultmem import arguments
from vaultmem.api.agent_memory.session_memory import SessionMemory
from vaultmem.api.async_api import AsyncVault
from vaultmem.api.types import A_TOOL, Turn
from vaultmem.api.vault import Vault
from vaultmem.api.vault.item_logs import Item, Mark
from vaultmem.errors import Refused
from vaultmem.integrations import construction, turns
from vaultmem.records import iso, utc_now

if TYPE_CHECKING:
    from agents.memory import SessionSettings

_OUTPUT = "_output"
"""How the types of items end that a tool answered with; what it calls for has the other types."""
_MESSAGE, _THOUGHTS = "message", "reasoning"
_TALKERS = ("user", "assistant")
_INSTRUCTING = ("system", "developer")
_ASKED = frozenset((
    "id", "type", "role", "status", "call_id", "name", "namespace", "server_label", "container_id",
    "arguments", "input", "code", "action", "operation", "queries", "caller", "fingerprint",
    "environment", "execution", "max_output_length", "approval_request_id", "created_by",
    "encrypted_content", "acknowledged_safety_checks",
))  # fmt: skip
"""Keys of an item that say what a tool is called for, and by whom: all others are its answer."""

_OF_A_TEXT = frozenset(("type", "text", "annotations", "logprobs"))
_DATA = re.compile(r"(?:data:[^,\s]{1,200},)?[A-Za-z0-9+/=_-]{256,}")
"""A picture or a file as a text, which has no words."""

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
        self._vault, self._agent, self._told = vault, agent, iso(utc_now())

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
        since, self._told = self._told, iso(utc_now())
        if items:
            await self._vault.do(_added, self._agent, self.session_id, list(items), since)

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
    named = ((it.get("call_id"), it.get("name")) for it in items)
    return {call: name for call, name in named if call and isinstance(name, str)}


def _turns(item: Item, tools: Mapping[object, str]) -> Iterator[Turn]:
    """Yield what *item* says; instructions, thoughts and calls say nothing.

    Users and assistants say texts. Whatever else an item holds is a tool's answer, of whatever type
    the item is: beside a call, in an item of its own, or as a message of another role.
    """
    kind = str(item.get("type") or (_MESSAGE if "role" in item else A_TOOL))
    if kind == _MESSAGE and item.get("role") in _TALKERS:
        yield from _said(str(item["role"]), item.get("content"))
    elif kind == _MESSAGE and item.get("role") not in _INSTRUCTING:
        if text := _text(item.get("content") or ""):
            yield Turn("tool", text, tool=str(item.get("role") or A_TOOL))
    elif kind not in {_MESSAGE, _THOUGHTS}:
        told = (value for key, value in item.items() if key not in _ASKED)
        found = [value for value in told if value and isinstance(value, str | list | Mapping)]
        if found or _is_output(item):
            own = item.get("name") or kind.removesuffix(_OUTPUT)
            tool = tools.get(item.get("call_id"), str(own))
            yield Turn("tool", "\n".join(filter(None, map(_text, found))), tool=tool)


def _said(role: str, content: object) -> Iterator[Turn]:
    """Yield what the parts of a message say: texts are the speaker's, and of all else the kind."""
    parts = content if isinstance(content, list) else [content]
    if text := "\n".join(filter(None, map(_spoken, parts))):
        yield Turn(role, text)
    for part in parts:
        if isinstance(part, Mapping) and not _is_spoken(part) and (words := part.get("text")):
            yield Turn("tool", _text(words), tool=_kind(part))


def _spoken(part: object) -> str:
    if not isinstance(part, Mapping):
        return part if isinstance(part, str) else ""
    text = part.get("text") or part.get("refusal") or ""
    return str(text) if _is_spoken(part) else f"[{_kind(part)}]"


def _is_spoken(part: Mapping[str, object]) -> bool:
    """Tell whether a *part* of a message is a text: `input_text`, `output_text`, `refusal`."""
    return _kind(part).split("_")[-1] in {"text", "refusal"}


def _kind(part: Mapping[str, object]) -> str:
    return str(part.get("type", "text"))


def _text(value: object) -> str:
    """Return what a tool answered as text: of a list of parts what each says, all else as JSON."""
    if isinstance(value, list):
        return "\n".join(filter(None, map(_text, value)))
    if isinstance(value, Mapping) and "text" in value and value.keys() <= _OF_A_TEXT:
        return _text(value["text"])
    worded = _worded(value)
    return worded if isinstance(worded, str) else json.dumps(worded, ensure_ascii=False)


def _worded(value: object) -> object:
    """Return a JSON *value* without the data of pictures and files."""
    if isinstance(value, str):
        return "[data]" if _DATA.fullmatch(value) else value
    if isinstance(value, list):
        return [_worded(part) for part in value]
    if isinstance(value, Mapping):
        return {key: _worded(part) for key, part in value.items()}
    return value


# --- on the thread of the vault -----------------------------------------------------------------


def _held(vault: Vault, agent: str, session: str) -> tuple[Item, ...]:
    return vault.item_logs.read([session], agent=agent)


def _marked(vault: Vault, agent: str, session: str, mark: Mark) -> tuple[Item, ...]:
    return vault.item_logs.mark([session], mark, agent=agent)


def _added(vault: Vault, agent: str, session: str, items: Sequence[Item], since: str) -> None:
    kept = vault.item_logs.append([session], items, agent=agent)
    tools = _tools(kept)
    if any(_is_output(it) and it.get("call_id") not in tools for it in kept):
        tools = _tools(_held(vault, agent, session))
    memory = SessionMemory(vault, agent=agent, session=session)
    for item in kept:
        try:
            _say(memory, item, tools, since)
        except Refused as e:  # it was forgotten: the run goes on without it
            _log.warning("%s", e)


def _say(memory: SessionMemory, item: Item, tools: Mapping[object, str], since: str) -> None:
    for turn in _turns(item, tools):
        turns.say(memory, turn, since)


def _is_output(item: Item) -> bool:
    return str(item.get("type")).endswith(_OUTPUT)
