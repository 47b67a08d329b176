"""A title, a heading or a fact keeps nothing that is private, and is refused where all of it is."""

from __future__ import annotations

import os
import subprocess

import pytest

from vaultmem import Vault
from vaultmem.api.types import Patch, TopicPatch
from vaultmem.cli import run
from vaultmem.errors import BadInput, SecretFound

ALL, PART = "<private>heliotrope</private>", "Shop <private>heliotrope</private>"
KEY = ("-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw" * 3,
       "-----END PRIVATE KEY-----")  # fmt: skip


def told(vault: Vault) -> str:
    """Return the names and the text of all notes."""
    files = [p for p in vault.path.rglob("*.md") if ".git" not in p.parts]
    return "\n".join((*map(str, files), *(p.read_text() for p in files)))


def test_a_note_is_called_by_what_of_its_title_is_not_private(vault: Vault) -> None:
    ada = vault.reach("ada")
    assert ada.set_note(PART, "We open at nine.").path == "agents/ada/notes/shop.md"
    assert ada.set_note(PART, "We close at six.").existed
    assert vault.topics.set(PART, TopicPatch(("We open at nine.",))).path == "topics/shop.md"
    assert "heliotrope" not in told(vault)


def test_a_title_of_which_nothing_is_left_is_refused(vault: Vault) -> None:
    before = told(vault)
    with pytest.raises(BadInput, match="no title: all of it is private"):
        vault.reach("ada").set_note(ALL, "We open at nine.")
    with pytest.raises(BadInput, match="no title: all of it is private"):
        vault.topics.set(ALL, TopicPatch(("We open at nine.",)))
    with pytest.raises(BadInput, match="no section: all of it is private"):
        vault.reach("ada").set_note("Shop", "We open at nine.", section=ALL)
    assert told(vault) == before


def test_the_heading_of_a_section_is_cleaned_in_a_note_that_is_there(vault: Vault) -> None:
    ada = vault.reach("ada")
    ada.set_note("Shop", "We open at nine.")
    made = ada.set_note("Shop", "We close at six.", section=f"Hours {ALL}")
    assert made.commit
    assert "## Hours\n" in told(vault)
    assert "heliotrope" not in told(vault)
    with pytest.raises(SecretFound):
        ada.set_note("Shop", "And at noon.", section="ghp_" + "a1B2c3D4e5F6" * 3)


@pytest.mark.parametrize("strategy", ["append", "overwrite", "merge"])
def test_a_private_part_over_several_facts_is_in_none_of_them(vault: Vault, strategy: str) -> None:
    facts = ("We open at nine. <private>it began", "heliotrope left", "</private>", "We close.")
    vault.topics.set("Shop", TopicPatch(facts, strategy))  # type: ignore[arg-type]
    assert "We close." in told(vault)
    assert "heliotrope" not in told(vault)


def test_a_key_over_several_facts_is_a_key(vault: Vault) -> None:
    with pytest.raises(SecretFound):
        vault.topics.set("Shop", TopicPatch(KEY))


@pytest.mark.parametrize("path", ["notes/<private>heliotrope.md", "notes/a <PRIVATE>heliotrope"])
def test_no_path_has_a_private_part(vault: Vault, path: str) -> None:
    ada = vault.reach("ada")
    made = ada.set_note("Shop", "We open at nine.").path
    with pytest.raises(BadInput, match=r"the path has a private part: leave that out$"):
        ada.create(path, "hello")
    with pytest.raises(BadInput, match=r"the path has a private part: leave that out$"):
        ada.rename(made, path)
    assert "heliotrope" not in told(vault)


@pytest.mark.parametrize(
    "value", [f"shut {ALL}", ["shut", "<private>it", "heliotrope", "</private>"]]
)
def test_a_field_keeps_nothing_private(vault: Vault, value: str | list[str]) -> None:
    ada = vault.reach("ada")
    path = ada.set_note("Shop", "We open at nine.").path
    assert ada.set_field(path, "hours", value).commit
    assert "shut" in told(vault)
    assert "heliotrope" not in told(vault)
    before = told(vault)
    for key, said in (("hours", ALL), (f"a {ALL}", "nine"), ("days", ["<private>heliotrope"])):
        with pytest.raises(BadInput, match="the field is not set"):
            ada.set_field(path, key, said)
    assert told(vault) == before


def test_a_private_part_over_the_items_of_a_fact_is_in_none_of_them(vault: Vault) -> None:
    facts = {"allergy": ["nuts <private>it began", "heliotrope", "</private>", "milk"]}
    made = vault.cards.set("family/ada", Patch(facts, person="Ada", relationship="daughter",
                                               backstory="Born in May."), create=True)  # fmt: skip
    assert made.card["allergy"] == ["nuts", "milk"]
    assert "heliotrope" not in told(vault)
    with pytest.raises(BadInput, match="not stored: all of it is private"):
        vault.cards.set("family/ada", Patch({"allergy": ["<private>it", "heliotrope"]}))


@pytest.mark.with_history
@pytest.mark.parametrize("name", ["<private>heliotrope.md", "<private>heliotrope/a.md"])
def test_a_file_of_a_person_s_with_a_private_name_is_shown_and_committed_nowhere(
    vault: Vault, name: str
) -> None:
    file = vault.path / "notes" / name
    file.parent.mkdir(parents=True)
    file.write_text("The van is red.\n")
    vault.reach("ada").set_note("Shop", "We open at nine.")
    (vault.path / "notes/van.md").write_text("The van is red.\n")
    for each in (file, vault.path / "notes/van.md"):
        os.utime(each, (1, 1))
    assert run(["--vault", str(vault.path), "watch", "--once"]) == 0
    committed = subprocess.run(
        ["git", "ls-files"], cwd=vault.path, check=True, capture_output=True, text=True
    ).stdout
    assert "notes/van.md" in committed
    assert "heliotrope" not in committed
    assert [hit.path for hit in vault.recall("the red van").hits] == ["notes/van.md"]
    found = [it for it in vault.status().problems if it.path == "notes/"]
    assert [it.code for it in found] == ["secret"]
    assert "heliotrope" not in str(vault.status())
