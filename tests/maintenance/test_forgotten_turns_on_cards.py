"""What a card has from a turn goes with the turn, unless another of its sources says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Clock
from tests.maintenance.test_purge import git
from vaultmem import Vault
from vaultmem.maintenance.dream.service import Dreams
from vaultmem.maintenance.dream.types import Gate
from vaultmem.maintenance.forgetting import Forgetting
from vaultmem.maintenance.forgetting.redaction import Remainder
from vaultmem.nlp.summarization.extractive import Extractive

SESSION = "agents/ada/sessions/t1.jsonl"
HAZELNUTS = "I am allergic to hazelnuts and I take Zyrtec each day."
AGAIN = "As I said, I am allergic to hazelnuts, so no praline for me."
CASHEWS = "I am allergic to cashews."
BIRTHDAY = "My birthday is on 14 November."


def forgetting(vault: Vault) -> Forgetting:
    return Forgetting(vault.store, vault.summarizer)


def say(vault: Vault, clock: Clock, *texts: str) -> None:
    """Let Mara say *texts*, a minute apart."""
    for text in texts:
        clock.advance(minutes=1)
        vault.sessions.say("t1", text, agent="ada", speaker="Mara")
    vault.history.commit_pending()


def dreamt(vault: Vault) -> Path:
    """Return Mara's card, as a dream makes it."""
    dreams = Dreams(vault.store, Extractive, lambda *_: Gate(1.0, 1.0, 10))
    dreams.plan(force=True)
    dreams.apply(everything=True)
    (card,) = (vault.path / "cards").rglob("mara.md")
    return card


@pytest.mark.parametrize("ref", [SESSION, f"{SESSION}:1"])
@pytest.mark.without_history
def test_a_fact_goes_with_its_turn_though_the_readme_has_its_word(
    vault: Vault, clock: Clock, ref: str
) -> None:
    assert "hazelnuts" in (vault.path / "README.md").read_text(), "the scene is void"
    say(vault, clock, HAZELNUTS)
    card = dreamt(vault)
    assert "allergy: hazelnuts\n" in card.read_text(), "the scene is void"

    done = forgetting(vault).forget([ref])

    assert not card.exists()
    assert "cards/medical/mara.md" in done.derived


@pytest.mark.without_history
def test_what_other_turns_and_memories_of_the_card_say_stays(vault: Vault, clock: Clock) -> None:
    say(vault, clock, HAZELNUTS, BIRTHDAY)
    clock.advance(minutes=1)
    vault.remember(CASHEWS, agent="ada", source="user", speaker="Mara")
    card = dreamt(vault)
    assert "  - hazelnuts\n" in card.read_text(), "the scene is void"

    forgetting(vault).forget([f"{SESSION}:1"])

    text = card.read_text()
    assert "hazelnuts" not in text
    assert "Zyrtec" not in text
    assert "  - cashews\n" in text
    assert "birthday: 14 November\n" in text
    assert f"{SESSION}#1]]" not in text
    assert f"{SESSION}#2]]" in text
    assert text.endswith(f"---\n{CASHEWS}\n\n{BIRTHDAY}\n")


@pytest.mark.without_history
def test_a_fact_stays_that_another_turn_of_the_card_says(vault: Vault, clock: Clock) -> None:
    say(vault, clock, HAZELNUTS)
    card = dreamt(vault)
    say(vault, clock, AGAIN)
    linked = card.read_text().replace('#1]]"\n', f'#1]]"\n  - "[[{SESSION}#2]]"\n')
    card.write_text(linked)
    vault.store.sync()

    forgetting(vault).forget([f"{SESSION}:1"])

    assert "allergy: hazelnuts\n" in card.read_text()
    assert "Zyrtec" not in card.read_text()


@pytest.mark.without_history
def test_a_card_on_which_a_person_says_it_too_is_named_as_one_that_says_it(
    vault: Vault, clock: Clock
) -> None:
    say(vault, clock, HAZELNUTS)
    card = dreamt(vault)
    card.write_text(card.read_text().replace("allergy: haz", "avoids: hazelnuts\nallergy: haz"))
    vault.store.sync()

    done = forgetting(vault).forget([SESSION])

    assert "avoids: hazelnuts\n" in card.read_text()
    assert "allergy:" not in card.read_text()
    assert done.mentions == ("cards/medical/mara.md",)
    assert "cards/medical/mara.md" not in done.derived


@pytest.mark.long
def test_a_purge_of_a_session_leaves_no_card_that_tells_it(vault: Vault, clock: Clock) -> None:
    say(vault, clock, HAZELNUTS)
    card = dreamt(vault)

    _, done = forgetting(vault).purge([SESSION])

    assert done.proof.verified
    assert not card.exists()


@pytest.mark.long
def test_a_dream_that_showed_a_fact_beside_another_shows_it_no_more(
    vault: Vault, clock: Clock
) -> None:
    say(vault, clock, "I am allergic to hazelnuts.", BIRTHDAY)
    dreamt(vault)
    vault.remember("Ben likes hazelnuts.", agent="ada", source="user", speaker="Ben")
    say(vault, clock, "I am a nurse.")
    dreamt(vault)
    shown = {p: p.read_text() for p in vault.path.glob("inbox/dream-*.md")}
    assert sum("allergy: hazelnuts" in text for text in shown.values()) == len(shown) > 1

    forgetting(vault).forget([f"{SESSION}:1"])

    assert not [p.name for p in shown if "hazelnuts" in p.read_text()]


@pytest.mark.long
@pytest.mark.parametrize("beside", ["", "Ben likes hazelnuts."])
def test_old_versions_of_a_card_that_stays_lose_what_a_purged_turn_told(
    vault: Vault, clock: Clock, beside: str
) -> None:
    """Though the README has its word, and another memory says it of somebody else."""
    say(vault, clock, "I am allergic to hazelnuts.", BIRTHDAY)
    if beside:
        vault.remember(beside, agent="ada", source="user", speaker="Ben")
    card = dreamt(vault)
    name = str(card.relative_to(vault.path))
    assert "allergy: hazelnuts\n" in card.read_text(), "the scene is void"

    _, done = forgetting(vault).purge([f"{SESSION}:1"])

    versions = git(vault.path, "log", "-p", "--all", "--", name, "inbox")
    assert "hazelnuts" not in versions
    assert "birthday: 14 November" in versions
    assert (done.proof.found, done.proof.verified) == ((), True)
    assert done.proof.made > 0


@pytest.mark.long
def test_a_fact_of_words_that_everybody_says_leaves_old_versions_with_its_turn(
    vault: Vault, clock: Clock
) -> None:
    say(vault, clock, "My birthday is on 5 May.", "I am allergic to cashews.")
    card = dreamt(vault)
    assert "birthday: 5 May\n" in card.read_text(), "the scene is void"

    forgetting(vault).purge([f"{SESSION}:1"])

    versions = git(vault.path, "log", "-p", "--all", "--", str(card.relative_to(vault.path)))
    assert "5 May" not in versions
    assert "cashews" in versions


@pytest.mark.long
def test_a_word_of_a_purged_text_that_an_old_version_of_a_note_has_is_named(
    vault: Vault, clock: Clock
) -> None:
    """What is looked for there by no word, since the README has it, is not passed over."""
    say(vault, clock, "I am allergic to hazelnuts.")
    note = vault.path / "notes" / "cake.md"
    note.parent.mkdir()
    for text in ("The cake has hazelnuts.\n", "The cake is gone.\n"):
        note.write_text(text)
        git(vault.path, "add", "notes")
        git(vault.path, "commit", "-qm", "a cake")

    _, done = forgetting(vault).purge([f"{SESSION}:1"])

    assert Remainder("an old version of notes/cake.md", ("hazelnuts",)) in done.proof.still
