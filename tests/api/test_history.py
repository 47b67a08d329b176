"""The history of a vault, as a program and an agent may know of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conftest import Prepared
from vaultmem import Vault
from vaultmem.api.agent_scope import AgentScope, waits_for_review
from vaultmem.errors import BadInput, Refused, Unavailable


def tell(vault: Vault) -> None:
    """Let ada remember something, and then bo."""
    for agent in ("ada", "bo"):
        vault.remember(f"What {agent} knows of the well.", agent=agent)


@pytest.fixture
def told(prepared: Prepared) -> Vault:
    """Return a vault in which ada remembered something, and then bo did."""
    return prepared(tell)


def test_a_commit_says_what_it_touched_and_which_operation_it_is(told: Vault) -> None:
    newest = next(told.history.commits())
    assert newest.when == datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
    assert any(path.startswith("agents/bo/memories/") for path in newest.paths)
    assert newest.op == told.history.plan_newest_undo()[0]


def test_an_agent_hears_of_what_it_did_and_of_what_all_share(told: Vault) -> None:
    touched = {path for commit in told.history.commits(agent="ada") for path in commit.paths}
    assert any(path.startswith("agents/ada/") for path in touched)
    assert not any(path.startswith("agents/bo/") for path in touched)
    assert "AGENTS.md" in touched


def test_a_commit_shows_what_it_changed_in_a_file(told: Vault) -> None:
    path = told.recall("ada well").hits[0].path
    (made,) = told.history.commits(path)
    assert "+What ada knows of the well." in told.history.file_diff(made.commit, path)


def test_only_operations_of_its_own_are_an_agent_s_to_undo(told: Vault) -> None:
    last = next(told.history.commits()).op
    told.history.require_operation(last, "bo")
    with pytest.raises(Refused, match="belongs to another agent"):
        told.history.require_operation(last, "ada")
    with pytest.raises(BadInput, match="no operation 'nothing': `vaultmem log` gives"):
        told.history.require_operation("nothing")


def test_without_git_there_is_no_history(plain: Vault) -> None:
    with pytest.raises(Unavailable, match="no git history"):
        next(plain.history.commits())


def test_where_git_is_missing_undo_says_so_as_the_log_does(
    told: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    for ask in (told.history.log, lambda: next(told.history.commits())):
        with pytest.raises(Unavailable, match=r"git is not on PATH, .*: install it"):
            ask()


def test_a_diff_shows_no_pointer_into_another_agent_s_folder() -> None:
    diff = "+- [Ada](agents/ada/a.md): hers\n+- [Bo](agents/bo/b.md): his\n"
    assert AgentScope("ada").visible_diff(diff) == "+- [Ada](agents/ada/a.md): hers\n"
    assert AgentScope().visible_diff(diff) == diff


def test_what_waits_for_review_is_known_of_and_not_read() -> None:
    assert waits_for_review("Inbox/Review/a.md")
    assert AgentScope("ada").knows_of("inbox/review/a.md")
    assert not AgentScope("ada").knows_of("inbox/dream.md")
    assert not AgentScope("ada").knows_of("agents/bo/notes/a.md")
