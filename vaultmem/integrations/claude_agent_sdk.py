"""The Claude Agent SDK: a vault as the store that sessions are resumed from.

`SessionStore` is a protocol, so nothing of the SDK is imported; the extra `claude-agent-sdk` brings
it, with Claude Code's own program.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultmem import arguments
from vaultmem.api.async_api import AsyncVault
from vaultmem.api.vault import Vault
from vaultmem.integrations import construction

if TYPE_CHECKING:
    from claude_agent_sdk import SessionKey, SessionStoreEntry
    from claude_agent_sdk.types import SessionListSubkeysKey, SessionStoreListEntry

_MAIN = 2
"""Words that name the log of a session itself: its project, and its id."""
_UUID, _SESSION = "uuid", "sessionId"


class VaultSessionStore:
    """A session store of the Claude Agent SDK: `ClaudeAgentOptions(session_store=…)`.

    Claude Code's lines are kept as they are, each uuid once, so that any machine that has the vault
    resumes a session; what was said becomes turns of a transcript in the background, as `vaultmem
    import claude-code` has them, of which the vault makes episodes and topics. What a tool answered
    is a tool's turn: untrusted, and quoted nowhere else. The vault's laws hold:

    - `delete` marks a session as deleted, with its subagents', and `load` has none of it any more.
      The log and the transcript keep what was said; `vaultmem forget` takes words out of both.
    - Private parts are left out, credentials are blanked out, what was forgotten is masked: such a
      line comes back without them.

    It has no `list_session_summaries`: the SDK reads the sessions instead.
    """

    def __init__(self, vault: AsyncVault, *, agent: str = "") -> None:
        """Keep the sessions of *agent* in *vault*, which stays the caller's to close.

        Raises BadInput for what is no AsyncVault, or can be no agent.
        """
        construction.check_vault(vault)
        construction.check_agent(agent)
        self._vault, self._agent = vault, agent

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Keep what is new of *entries*; raises SwitchedOff, BadInput for no objects."""
        arguments.check_objects("entries", entries)
        if entries:
            await self._vault.do(_appended, self._agent, _name(key), entries)

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """Return the entries of a session in order, None where there is none."""
        held: list[Any] = [*await self._vault.do(_loaded, self._agent, _name(key))]
        return held or None

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        """Return the sessions of a project, each with when it was added to last."""
        arguments.check("project_key", project_key, "str")
        every = await self._vault.do(_listed, self._agent)
        return [
            {"session_id": name[1], "mtime": changed}
            for name, changed in every.items()
            if name[0] == project_key and len(name) == _MAIN
        ]

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """Return the subpaths of a session, as of its subagents."""
        own, every = _name(key), await self._vault.do(_listed, self._agent)
        return [name[_MAIN] for name in every if name[:_MAIN] == own and len(name) > _MAIN]

    async def delete(self, key: SessionKey) -> None:
        """Mark a session as deleted, with all below it, or the one subpath that is named."""
        await self._vault.do(_deleted, self._agent, _name(key))


def _name(key: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the name of a session's log; raises BadInput for what is no key."""
    named = key if isinstance(key, Mapping) else {}
    for part in ("project_key", "session_id"):
        arguments.check(f"{part} of the key", named.get(part), "str")
    below = key.get("subpath")
    return (key["project_key"], key["session_id"], *([below] if below else ()))


# --- on the thread of the vault -----------------------------------------------------------------


def _appended(
    vault: Vault, agent: str, name: tuple[str, ...], entries: Sequence[Mapping[str, Any]]
) -> None:
    new = vault.item_logs.append(name, entries, agent=agent, key=_UUID)
    if new and len(name) == _MAIN:
        vault.run_in_background(f"turns {name}", partial(_take_in, agent=agent, name=name))


def _take_in(vault: Vault, agent: str, name: tuple[str, ...]) -> None:
    """Make turns of what a session says, once."""
    items = ({_SESSION: name[1], **item} for item in _loaded(vault, agent, name))
    lines = (json.dumps(item, ensure_ascii=False) for item in items)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        vault.import_files(
            "claude-code", [path], agent=agent, manner="turns", redact=True, skip_bad=True
        )


def _loaded(vault: Vault, agent: str, name: tuple[str, ...]) -> tuple[Mapping[str, Any], ...]:
    return vault.item_logs.read(name, agent=agent)


def _listed(vault: Vault, agent: str) -> dict[tuple[str, ...], int]:
    logs = vault.item_logs.list(agent=agent)
    return {log.name: log.changed_ms for log in logs if len(log.name) >= _MAIN and not log.cleared}


def _deleted(vault: Vault, agent: str, name: tuple[str, ...]) -> None:
    for each in _listed(vault, agent):
        if each[: len(name)] == name:
            vault.item_logs.mark(each, "cleared", agent=agent)
