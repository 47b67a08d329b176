"""A vault as the Claude Agent SDK's session store: by the SDK's own contract, and by our laws."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from vaultmem import AsyncVault, Vault
from vaultmem.errors import BadInput
from vaultmem.integrations.claude_agent_sdk import VaultSessionStore

pytestmark = pytest.mark.without_history

if TYPE_CHECKING:
    from claude_agent_sdk import SessionKey

KEY = "ghp_w8Kq2Zr5Lm9Xv3Bn7Tc1Yd4Fg6Hj0Ps8Qe2R"
SESSION: SessionKey = {"project_key": "-work-shop", "session_id": "s1"}
SUB: SessionKey = {**SESSION, "subpath": "subagents/agent-1"}


def entry(number: int, role: str, text: str) -> Any:  # noqa: ANN401  # a line of Claude Code's
    """Return a line of a session."""
    return {
        "type": role, "uuid": f"u{number}", "sessionId": "s1", "isSidechain": False,
        "timestamp": f"2026-11-20T10:0{number}:00Z",
        "message": {"role": role, "content": [{"type": "text", "text": text}]},
    }  # fmt: skip


TALK = [
    entry(1, "user", "We paint the shop in petrol blue, because the green peeled off."),
    {"type": "ai-title", "title": "Paint", "sessionId": "s1"},
    entry(2, "assistant", "Petrol blue it is."),
]


def play(folder: Path, scene: Callable[[VaultSessionStore], Awaitable[None]]) -> None:
    """Let a scene have a store of ada's."""

    async def main() -> None:
        async with await AsyncVault.open(folder) as vault:
            await scene(VaultSessionStore(vault, agent="ada"))

    asyncio.run(main())
    with Vault.open(folder) as vault:
        vault.tick()
        assert vault.fsck().ok


def test_it_keeps_the_contract_of_the_sdk(folder: Path) -> None:
    testing = pytest.importorskip("claude_agent_sdk.testing", reason="the SDK is not installed")

    async def main() -> None:
        agents = (f"agent-{n}" for n in itertools.count())
        async with await AsyncVault.open(folder) as vault:
            await testing.run_session_store_conformance(
                lambda: VaultSessionStore(vault, agent=next(agents))
            )

    asyncio.run(main())


def test_lines_come_back_as_they_were_and_the_talk_is_turns_once(folder: Path) -> None:
    async def scene(store: VaultSessionStore) -> None:
        await store.append(SESSION, TALK[:2])
        await store.append(SESSION, TALK)  # a batch that was sent again
        await store.append(SUB, [entry(3, "user", "Look for paint.")])
        assert await store.load(SESSION) == [*TALK[:2], *TALK[1:]]
        assert await store.list_subkeys({"project_key": "-work-shop", "session_id": "s1"}) == [
            "subagents/agent-1"
        ]

    play(folder, scene)
    lines = (folder / "agents/ada/sessions/s1.jsonl").read_text().splitlines()
    assert [json.loads(line)["origin"] for line in lines] == ["s1/u1", "s1/u2"]


def test_what_is_deleted_is_not_loaded_and_the_transcript_keeps_it(folder: Path) -> None:
    async def scene(store: VaultSessionStore) -> None:
        await store.append(SESSION, TALK)
        await store.append(SUB, TALK[:1])
        await store.delete(SESSION)
        assert await store.load(SESSION) is None
        assert await store.load(SUB) is None
        assert await store.list_sessions("-work-shop") == []

        await store.append(SESSION, TALK)
        assert await store.load(SESSION) == TALK

    play(folder, scene)
    assert "petrol blue" in next((folder / "agents/ada/sessions/items").iterdir()).read_text()


def test_lines_that_name_no_session_are_turns_of_the_one_they_were_given_for(folder: Path) -> None:
    async def scene(store: VaultSessionStore) -> None:
        for name in ("s1", "s2"):
            line = {k: v for k, v in entry(1, "user", f"Of {name}.").items() if k != "sessionId"}
            await store.append({**SESSION, "session_id": name}, [line])

    play(folder, scene)
    talks = (folder / "agents/ada/sessions").glob("*.jsonl")
    assert sorted(path.stem for path in talks) == ["s1", "s2"]


@pytest.mark.long
def test_a_credential_is_blanked_out_and_what_was_forgotten_is_masked(folder: Path) -> None:
    landlord = "My landlord Bertil wants the flat back by Easter."

    async def first(store: VaultSessionStore) -> None:
        told = [entry(1, "user", landlord), entry(2, "user", f"The key is {KEY}.")]
        await store.append(SESSION, told)
        kept = json.dumps(await store.load(SESSION))
        assert KEY not in kept
        assert "Bertil" in kept

    async def again(store: VaultSessionStore) -> None:
        await store.append(SESSION, [entry(3, "user", landlord)])
        held = await store.load(SESSION) or []
        assert len(held) == 3
        assert "Bertil" not in json.dumps(held)

    play(folder, first)
    with Vault.open(folder) as vault:
        vault.forget("agents/ada/sessions/s1.jsonl:1")
    play(folder, again)


def test_what_no_session_can_be_kept_in_is_refused_at_once(folder: Path) -> None:
    with Vault.open(folder) as vault, pytest.raises(BadInput, match="vault takes an AsyncVault"):
        VaultSessionStore(cast("AsyncVault", vault))

    async def main() -> None:
        async with await AsyncVault.open(folder) as vault:
            with pytest.raises(BadInput, match="cannot name an agent"):
                VaultSessionStore(vault, agent="../x")

    asyncio.run(main())


@pytest.mark.parametrize(
    ("key", "named"),
    [({}, "project_key"), (None, "project_key"), ({"project_key": "p"}, "session_id")],
)
def test_what_is_no_key_of_a_session_is_named(folder: Path, key: object, named: str) -> None:
    async def scene(store: VaultSessionStore) -> None:
        with pytest.raises(BadInput, match=f"^{named} of the key takes a string"):
            await store.load(cast("Any", key))

    play(folder, scene)


def test_what_is_no_list_of_lines_and_no_project_is_named(folder: Path) -> None:
    nothing = cast("Any", None)

    async def scene(store: VaultSessionStore) -> None:
        with pytest.raises(BadInput, match=r"^entries takes a list of JSON objects, not None"):
            await store.append(SESSION, nothing)
        with pytest.raises(BadInput, match=r"^project_key takes a string, not None"):
            await store.list_sessions(nothing)

    play(folder, scene)
