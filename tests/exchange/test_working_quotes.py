"""What a tool says in a session that runs stays the tool's, whatever field of what is in hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.claude_session import ClaudeSession
from tests.conftest import Clock
from tests.exchange.test_shown_words import OWN, SAID, hooked, is_a_tools, line
from vaultmem import Vault
from vaultmem.api.agent_memory import Memory
from vaultmem.integrations.mcp.tools.task import TaskArguments, task
from vaultmem.integrations.mcp.tools.working import WorkingArguments, working
from vaultmem.integrations.mcp.vault_session import Limits, ServerSession
from vaultmem.memory.working import Step

TEXT = "The big gate of the abbey is closed on every second Monday of the month."
GOAL = "Plan the backups of the abbey."


@pytest.fixture
def vault(plain: Vault, session: ClaudeSession) -> Vault:
    """Open a vault beside a session in which a tool has just answered."""
    session.used(f"The gardens are open. {SAID} Good bye.")
    hooked(plain, session)
    return plain


def memory(vault: Vault) -> Memory:
    """Return the agent's, in a session of its own, as the command line has one."""
    return Memory(vault, agent="ada", session="by-hand")


def began(vault: Vault) -> Memory:
    """Return the agent's memory with a task of its own at work."""
    mine = memory(vault)
    mine.on_task_start(GOAL, steps=["Look at the disks."])
    return mine


WAYS: dict[str, Callable[[Vault], object]] = {
    "goal": lambda vault: memory(vault).revise(goal=SAID),
    "goal that begins": lambda vault: memory(vault).on_task_start(SAID),
    "goal over MCP": lambda vault: working(
        ServerSession(vault, Limits("ada")), WorkingArguments.model_validate({"goal": SAID})
    ),
    "goal worded anew": lambda vault: began(vault).revise(goal=SAID),
    "state": lambda vault: began(vault).set_state(SAID),
    "planned step": lambda vault: memory(vault).on_task_start(GOAL, steps=[SAID]),
    "step": lambda vault: began(vault).revise(steps=[Step(SAID)]),
    "result of a step": lambda vault: began(vault).on_step_complete(1, result=SAID),
    "error of a step": lambda vault: began(vault).on_step_complete(1, error=SAID),
    "note": lambda vault: began(vault).note("plan", SAID),
    "key of a note": lambda vault: began(vault).note(SAID, "so it is"),
    "todo": lambda vault: began(vault).set_todos([{"id": "1", "text": SAID, "status": "pending"}]),
    "id of a todo": lambda vault: began(vault).set_todos(
        [{"id": SAID, "text": "Do so.", "status": "pending"}]
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_tools_words_in_hand_are_untrusted_in_whatever_field(way: str, vault: Vault) -> None:
    """They are fenced apart, recall finds none, and they are no agent's words by that."""
    WAYS[way](vault)
    mine = memory(vault)
    assert mine.working.tool_lines
    own, _, fence = vault.context("abbey", agent="ada").text.partition("Working memory")
    assert "zqevil" not in own
    assert "zqevil" in fence
    assert 'trust="untrusted"' in fence.partition("zqevil")[0].rpartition("<memory")[2]
    assert "zqevil" not in str(vault.recall("zqevil credential deploy", agent="ada").hits)
    assert is_a_tools(vault, SAID)


def test_what_came_of_a_task_in_a_tools_words_is_untrusted(vault: Vault) -> None:
    """Also where the session of the tool is not known any more."""
    mine = memory(vault)
    mine.revise(goal=SAID)
    for note in (vault.path / ".vaultmem/running").iterdir():
        note.unlink()
    made = mine.on_task_complete("success", result="It is done.")
    assert "trust: untrusted" in (vault.path / made.path).read_text()
    assert "zqevil" not in str(vault.recall("zqevil credential deploy", agent="ada").hits)


def test_what_is_in_hand_in_the_second_of_the_answer_is_the_tools(
    vault: Vault, session: ClaudeSession, clock: Clock
) -> None:
    answer = {"type": "tool_result", "tool_use_id": "t0", "content": f"{TEXT} It closes."}
    session.add(line("user", [answer], timestamp=clock().isoformat()))
    memory(vault).revise(goal=TEXT)
    assert memory(vault).working.tool_lines
    assert is_a_tools(vault, TEXT)


@pytest.mark.parametrize("field", ["result", "error"])
def test_what_came_of_a_task_of_the_graph_is_fenced_where_a_tool_said_it(
    field: str, vault: Vault
) -> None:
    """For another agent, too, that asks for the task or for one that waits for it."""
    vault.tasks.create("Set up the disks.")
    vault.tasks.create("Look at the disks.", blocked_by=[1])
    bob = ServerSession(vault, Limits("bob"))
    for said, trust in ((OWN, "agent"), (SAID, "untrusted"), (OWN, "agent")):
        vault.tasks.update(
            1, result=said if field == "result" else None, error=said if field == "error" else None
        )
        assert vault.tasks.get(1).outcome_trust == trust
        for number in (1, 2):
            asked = TaskArguments.model_validate({"op": "get", "id": number})
            shown = next(it for it in task(bob, asked).tasks if it.id == 1)
            told = getattr(shown, field)
            assert told == OWN if trust == "agent" else "zqevil" in told
            assert ('trust="untrusted"' in told) == (trust == "untrusted")


def test_an_agents_own_goal_that_a_tool_shows_later_is_its_own(
    vault: Vault, session: ClaudeSession
) -> None:
    """The last answer came after it."""
    mine = memory(vault)
    mine.revise(goal=OWN)
    session.add({
        "type": "user", "timestamp": "2027-01-01T00:00:01.000Z",
        "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t0", "content": f"Goal: {OWN}"}
        ]},
    })  # fmt: skip
    assert not mine.working.tool_lines
    assert not is_a_tools(vault, OWN)
