"""A dream is judged by what recall still finds of the vault's own facts, on a copy."""

from __future__ import annotations

import itertools

import pytest

from vaultmem import Vault
from vaultmem.maintenance.dream import recall_gate
from vaultmem.nlp.text import probe_questions

DEPLOY = """\
---
type: topic
title: Deploy
---
## Facts
- Deploys leave the depot on Tuesdays at 10:00 sharp.
- The staging server in Porto is called heron.
- Rollbacks need two approvals from Wilhelmina.
"""
TWIN = """\
---
type: topic
title: Notes
---
## Facts
- The staging server in Porto is called heron!
- Ottokar keeps the heliotrope umbrella in Graz.
"""


@pytest.fixture
def topics(vault: Vault) -> Vault:
    """Return the vault with two topics that share a fact."""
    folder = vault.path / "topics"
    folder.mkdir(exist_ok=True)
    (folder / "deploy.md").write_text(DEPLOY)
    (folder / "notes.md").write_text(TWIN)
    vault.store.sync()
    return vault


def test_a_merged_duplicate_costs_no_recall(topics: Vault) -> None:
    """What the one note does not say any more, the other one does."""
    merged = TWIN.replace("- The staging server in Porto is called heron!\n", "")
    gate = recall_gate.judge(topics.store, {"topics/notes.md": merged.encode()}, ())
    assert gate.probes == 3
    assert gate.before == gate.after == 1.0


def test_a_fact_that_goes_unsaid_is_missed(topics: Vault) -> None:
    gate = recall_gate.judge(topics.store, {"topics/notes.md": None}, ())
    assert gate.before == 1.0
    assert gate.after is not None
    assert gate.after < 1.0


def test_a_loss_that_was_declared_is_not_asked_for(topics: Vault) -> None:
    lost = ["Ottokar keeps the heliotrope umbrella in Graz."]
    gate = recall_gate.judge(topics.store, {"topics/notes.md": None}, lost)
    assert gate.after == 1.0


def test_the_vault_and_its_index_stay_as_they_are(topics: Vault) -> None:
    """The dream is only looked at."""
    recall_gate.judge(topics.store, {"topics/notes.md": None, "topics/new.md": b"News.\n"}, ())
    assert (topics.path / "topics/notes.md").read_text() == TWIN
    assert topics.recall("heliotrope umbrella").hits
    assert topics.store.index.body("topics/new.md") is None


def test_nothing_to_ask_is_no_verdict(vault: Vault) -> None:
    assert recall_gate.judge(vault.store, {}, ()).before is None


def test_what_the_index_file_says_needs_no_recall(topics: Vault) -> None:
    """Agents read it before they ask."""
    (topics.path / "MEMORY.md").write_text("Ottokar keeps the heliotrope umbrella in Graz!\n")
    gate = recall_gate.judge(topics.store, {"topics/notes.md": None}, ())
    assert gate.after == 1.0
    gone = recall_gate.judge(topics.store, {"topics/notes.md": None, "MEMORY.md": None}, ())
    assert gone.after is not None
    assert gone.after < 1.0


def test_a_topic_that_answers_many_probes_is_taken_apart_once(
    topics: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = map("".join, itertools.product("bcdefgh", repeat=2))
    facts = "".join(f"- The {it}a of {it}b keeps {it}c below {it}d.\n" for it in pairs)
    long = f"{TWIN}{facts}"
    (topics.path / "topics/notes.md").write_text(long)
    topics.store.sync()
    changes = {"topics/notes.md": f"{long}- Vera sings.\n".encode()}
    taken: list[str] = []
    words = probe_questions.distinctive_words

    def noting(text: str) -> tuple[probe_questions.Word, ...]:
        taken.append(text)
        return words(text)

    monkeypatch.setattr(probe_questions, "distinctive_words", noting)
    assert recall_gate.judge(topics.store, changes, ()).probes > 2
    assert sum(len(it) > 1000 for it in taken) == 2  # as it is, and as it will be
