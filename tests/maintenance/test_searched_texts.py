"""What was forgotten and stands somewhere again is named; a text is searched for it once."""

from __future__ import annotations

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.maintenance import forgotten_texts
from vaultmem.storage import tombstone_digests

pytestmark = pytest.mark.without_history

SAID = "Vera keeps the heliotrope key under the third flowerpot."
TOPIC = "---\ntype: topic\ntitle: {}\n---\n- Tea is drunk at five in the harbour house.\n{}"


@pytest.fixture
def forgetful(vault: Vault, clock: Clock) -> Vault:
    """Return a vault that has forgotten something, and two topics that do not say it."""
    vault.forget(vault.remember(SAID, agent="ada").id)
    for name in ("house", "garden"):
        write(vault, name)
    clock.advance(minutes=5)
    assert named(vault) == []
    return vault


def write(vault: Vault, name: str, more: str = "") -> None:
    """Write a topic by hand."""
    (vault.path / "topics").mkdir(exist_ok=True)
    (vault.path / f"topics/{name}.md").write_text(TOPIC.format(name, more))


def named(vault: Vault) -> list[str]:
    """Return the files that say what was forgotten."""
    vault.store.sync()
    return [problem.path for problem in forgotten_texts.problems(vault.store)]


def test_a_text_that_stays_as_it_is_is_searched_once(
    forgetful: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(tombstone_digests, "phrase_digests")
    assert named(forgetful) == []


def test_what_is_written_into_a_searched_file_is_found(forgetful: Vault) -> None:
    write(forgetful, "house", f"- {SAID}\n")
    assert named(forgetful) == ["topics/house.md"]
    assert named(forgetful) == ["topics/house.md"]


def test_both_of_two_files_that_say_it_alike_are_named(forgetful: Vault) -> None:
    for name in ("house", "shed"):
        (forgetful.path / f"topics/{name}.md").write_text(TOPIC.format("Both", f"- {SAID}\n"))
    assert named(forgetful) == ["topics/house.md", "topics/shed.md"]


def test_what_is_forgotten_later_is_looked_for_in_what_was_searched(forgetful: Vault) -> None:
    later = "Zeno sold the plovermoss ledger to a dealer in Wien."
    (forgetful.path / "diary.md").write_text(f"A quiet day.\n\n{later}\n")
    assert named(forgetful) == []
    forgetful.forget(forgetful.remember(later, agent="ada").id)
    assert named(forgetful) == ["diary.md"]


def test_a_note_of_what_was_searched_that_is_damaged_costs_a_search(forgetful: Vault) -> None:
    note = forgetful.path / ".vaultmem/index/searched.json"
    for damage in (b"", b"[]", b'{"for": 1}', b"\xff"):
        note.write_bytes(damage)
        write(forgetful, "house", f"- {SAID}\n")
        assert named(forgetful) == ["topics/house.md"]
