"""Who edits a file and puts its time back is seen by the next question, without a daemon."""

from __future__ import annotations

from pathlib import Path

from tests.at_rest import edit_unseen, let_rest
from vaultmem import Vault

NOTE, TALK, TOPIC = "knowledge/pay.md", "agents/ada/sessions/talk.jsonl", "topics/kiln.md"
MARKED = "<private> My salary is 4711 euros</private>"
OPEN = "xxxxxxxxx My salary is 4711 eurosxxxxxxxxxx"
SAID = "xxxxxxxxx The kiln is a Nabertherm xxxxxxxxxx"
KEPT = "<private> The kiln is a Nabertherm </private>"


def told(folder: Path, question: str) -> str:
    """Return what a process that was just started tells of a *question*, all in one text."""
    with Vault.open(folder) as vault:
        answers = vault.recall(question), vault.context(question, agent="ada")
        return "\n".join(map(str, answers))


def test_what_is_edited_or_marked_under_the_same_size_and_time_is_seen(folder: Path) -> None:
    with Vault.open(folder) as vault:
        memory = vault.remember("The rent is 400 euros.", agent="ada").path
    (folder / NOTE).parent.mkdir(exist_ok=True)
    (folder / NOTE).write_text(f"# Pay\n\n{OPEN}\n")
    let_rest(folder / path for path in (memory, NOTE))
    assert "400 euros" in told(folder, "rent")
    assert "4711" in told(folder, "salary")
    edit_unseen(folder / memory, "400", "500")
    edit_unseen(folder / NOTE, OPEN, MARKED)
    now = told(folder, "rent")
    assert ("500 euros" in now, "400 euros" in now) == (True, False)
    assert "4711" not in told(folder, "salary")
    with Vault.open(folder) as vault:
        assert [it.path for it in vault.status().problems if it.code == "edited"] == [memory]


def test_a_topic_tells_no_turn_that_was_marked_under_the_same_size_and_time(folder: Path) -> None:
    with Vault.open(folder) as vault:
        vault.say("talk", SAID, agent="ada")
    (folder / TOPIC).parent.mkdir(exist_ok=True)
    (folder / TOPIC).write_text(
        "---\ntype: topic\nsources: ['[[agents/ada/sessions/talk]]']\n---\n# Kiln\n\n"
        "- The kiln is a Nabertherm.\n"
    )
    let_rest(folder / path for path in (TALK, TOPIC))
    assert "Nabertherm" in told(folder, "kiln")
    edit_unseen(folder / TALK, SAID, KEPT)
    assert "Nabertherm" not in told(folder, "kiln")


def test_the_next_question_reads_the_settings_that_were_edited_unseen(folder: Path) -> None:
    with Vault.open(folder) as vault:
        before = vault.config.immediate_window
    old, new = f"immediate_window: {before}", f"immediate_window: {before + 1}"
    edit_unseen(folder / "config/memory_compaction.md", old, new)
    with Vault.open(folder) as vault:
        assert vault.config.immediate_window == before + 1
