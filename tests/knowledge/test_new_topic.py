"""A topic that a program writes: once, with its sources, and never in place of another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vaultmem import Vault
from vaultmem.api.types import NewTopic, TopicPatch
from vaultmem.errors import BadInput, Refused, SecretFound

pytestmark = pytest.mark.without_history

WELL = NewTopic("The well", "It is deep.\nIt is cold.", "people ask", ("garden",))


def test_a_topic_is_written_with_its_facts_and_listed(vault: Vault) -> None:
    made = vault.topics.create(WELL)
    assert made.path == "topics/the-well.md"
    assert not made.existed
    assert vault.queries.sha256(made.path) == made.sha256
    text = (vault.path / made.path).read_text()
    assert "tags:\n  - garden\n" in text
    assert text.endswith("## Facts\n- It is deep.\n- It is cold.\n")
    assert "[The well](topics/the-well.md): people ask" in (vault.path / "MEMORY.md").read_text()


def test_the_same_topic_again_is_the_one_that_is_there(vault: Vault) -> None:
    made = vault.topics.create(WELL)
    again = vault.topics.create(WELL)
    assert (again.path, again.sha256, again.existed) == (made.path, made.sha256, True)
    with pytest.raises(Refused, match=r"topics/the-well\.md exists with different content"):
        vault.topics.create(NewTopic("The well", "It is dry."))


def test_a_topic_of_nothing_and_one_with_a_secret_are_refused(vault: Vault) -> None:
    with pytest.raises(BadInput, match="nothing was written: all of it is private"):
        vault.topics.create(NewTopic("The well", "<private>deep</private>"))
    with pytest.raises(SecretFound):
        vault.topics.create(NewTopic("The well", "ghp_" + "a1B2c3D4" * 5))
    assert vault.queries.sha256("topics/the-well.md") is None


def test_a_private_part_may_go_over_the_tags(vault: Vault) -> None:
    tags = ("garden", "<private>", "hush", "</private>")
    text = (vault.path / vault.topics.create(replace(WELL, tags=tags)).path).read_text()
    assert "tags:\n  - garden\nsources" in text or "tags:\n  - garden\n---" in text


def test_a_title_with_a_key_is_refused_without_a_word_of_it(vault: Vault) -> None:
    """Nor as the name that its file would have."""
    title = "key password: Xk9zqsec0006" + "x!vQ7"
    for tell in (
        lambda: vault.topics.create(NewTopic(title, "It is deep.")),
        lambda: vault.topics.set(title, TopicPatch(("It is deep.",), "append")),
    ):
        with pytest.raises(SecretFound, match=r"the title: looks like a secret") as caught:
            tell()
        assert "xk9" not in str(caught.value).casefold()


def test_a_private_part_may_go_over_the_links(vault: Vault) -> None:
    links = ("plan", "<private>a", "hush", "b</private>")
    vault.topics.create(replace(WELL, links=links))
    vault.topics.set("The pond", TopicPatch(("It is deep.",), "append", links=links))
    for name in ("the-well", "the-pond"):
        text = (vault.path / f"topics/{name}.md").read_text()
        assert "[[plan]]" in text
        assert "hush" not in text


def test_what_it_rests_on_says_its_links_and_its_trust(vault: Vault) -> None:
    heard = vault.remember("The well is deep.", agent="ada", source="user")
    links, trust = vault.reach("ada").links([heard.id])
    assert links == (heard.path.rpartition("/")[2].removesuffix(".md"),)
    assert trust == "agent"
    assert vault.reach("ada").links([]) == ((), "agent")


def test_a_note_is_written_once(vault: Vault) -> None:
    reach = vault.reach("ada")
    made = reach.create_note("Plan", "Dig.")
    assert made.path == "agents/ada/notes/plan.md"
    assert reach.create_note("Plan", "Dig.").existed
    with pytest.raises(Refused, match="exists with different content"):
        reach.create_note("Plan", "Fill.")


def test_a_memory_is_kept_once_by_each_client(vault: Vault) -> None:
    made = vault.memories.keep_once("The well is deep.", agent="ada")
    assert vault.memories.keep_once("The well is deep.", agent="ada").path == made.path
    assert vault.memories.keep_once("The well is deep.", agent="ada").existed
    assert not vault.memories.keep_once("The well is deep.", agent="bo").existed
