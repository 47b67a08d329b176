"""What AGENTS.md or CLAUDE.md says is said once, and topics do not keep what will not matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Clock
from tests.dreamt import Vault, reasons, topic
from vaultmem import Vault as RealVault
from vaultmem.api import create
from vaultmem.maintenance.dream.detectors import agent_instructions, passing_state

MORE = "".join(f"- Fact {n} is own to it.\n" for n in range(8))
TOLD = "# Work\n\n## Testing\n- Tests run with vitest.\n\nUse pnpm in the frontend.\n"


@pytest.mark.parametrize("name", ["AGENTS.md", "CLAUDE.md"])
@pytest.mark.parametrize("line", ["- Tests run with vitest.", "- In the frontend, use pnpm."])
def test_what_agents_are_told_goes_from_a_topic_and_stays_there(name: str, line: str) -> None:
    vault = Vault({name: TOLD, "topics/a.md": topic(f"## Facts\n{line}\n{MORE}")})
    (proposal,) = vault.planned(agent_instructions.find).proposals
    assert (proposal.op, proposal.sources, proposal.losses) == ("delete", (name,), ())
    after = vault.dreamt(agent_instructions.find).texts
    assert after["topics/a.md"] == topic(f"## Facts\n{MORE}")
    assert after[name] == TOLD


@pytest.mark.parametrize(
    "body",
    [
        "## Billing\n- Tests run with vitest.\n",
        "## Facts\n- Tests run with vitest.\n  - but for those of the parser\n",
        "## Facts\n- Tests never run with vitest.\n",
        "## Facts\n- vitest\n",
    ],
)
def test_what_says_more_or_something_else_stays(body: str) -> None:
    vault = Vault({"AGENTS.md": TOLD, "topics/a.md": topic(f"{body}{MORE}")})
    assert not vault.planned(agent_instructions.find).proposals


def test_the_instructions_of_the_project_around_a_vault_count(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "AGENTS.md").write_text(TOLD)
    create.create(tmp_path / "mem", clock)
    (tmp_path / "mem/topics").mkdir(exist_ok=True)
    said = topic(f"## Facts\n- Tests run with vitest.\n{MORE}")
    (tmp_path / "mem/topics/a.md").write_text(said)
    with RealVault.open(tmp_path / "mem", clock=clock) as vault:
        plan = vault.dreams.plan()
        told = [p for p in plan.proposals if "../AGENTS.md" in p.sources]
        assert reasons(told) == ["../AGENTS.md tells agents so already: Tests run with vitest."]
        assert plan.gate.after == plan.gate.before


@pytest.mark.parametrize(
    "line",
    ["I am fixing the flaky login test right now.", "The port is 8080, as vite.config.ts says.",
     "Commit 4f2a9c1 fixed the login loop."],
)  # fmt: skip
def test_what_will_not_matter_is_to_be_deleted_from_a_topic(line: str) -> None:
    vault = Vault({"topics/a.md": topic(f"## Facts\n- {line}\n{MORE}"),
                   "notes/a.md": f"# Mine\n\n- {line}\n"})  # fmt: skip
    (proposal,) = vault.planned(passing_state.find).proposals
    assert (proposal.op, proposal.path, proposal.losses) == ("delete", "topics/a.md", (line,))
    after = vault.dreamt(passing_state.find).texts
    assert after["topics/a.md"] == topic(f"## Facts\n{MORE}")
