"""A card that was drawn from a corrected memory says no more what was wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.knowledge.cards.types import Patch
from vaultmem.knowledge.corrections import Correction, Corrections
from vaultmem.memory.remember import MemoryInput
from vaultmem.nlp.summarization.extractive import Extractive

CARD = "cards/medical/sarah.md"
MOTHER = "cards/family/mara.md"


def dreamt(vault: Vault, *texts: str) -> str:
    """Remember *texts*, and let a dream draw cards from them; return the first memory's path."""
    made = [vault.remember(text, agent="ada", source="user", speaker="Mara") for text in texts]
    vault.dreams.plan(force=True)
    vault.dreams.apply(everything=True)
    return made[0].path


def correct(vault: Vault, ref: str, text: str) -> Correction:
    """Correct *ref* as the user."""
    return Corrections(vault.store, Extractive).correct(
        ref, MemoryInput(text, "ada", vault.store.clock(), "user", speaker="Mara")
    )


@pytest.mark.long
def test_a_corrected_fact_leaves_its_card_and_the_right_one_comes(vault: Vault) -> None:
    old = dreamt(vault, "My daughter Sarah is allergic to hazelnuts.")
    made = correct(vault, old, "My daughter Sarah is allergic to walnuts, not hazelnuts.")
    card = (vault.path / CARD).read_text()
    assert made.cards == (MOTHER, CARD)
    assert CARD not in made.cited
    assert "allergy: walnuts\n" in card
    assert Path(old).stem not in card
    assert card.endswith("---\nMy daughter Sarah is allergic to walnuts, not hazelnuts.\n")
    assert f"[[{Path(made.path).stem}]]" in card
    assert vault.log(1)[0].commit == made.commit
    assert vault.fsck().ok


@pytest.mark.long
def test_what_else_a_card_says_stays(vault: Vault) -> None:
    old = dreamt(
        vault, "My daughter Sarah is allergic to milk.", "My daughter Sarah is allergic to soy."
    )
    correct(vault, old, "Sarah is not allergic to milk.")
    card = vault.cards.get("medical/sarah")
    assert card["allergy"] == "soy"
    assert card["backstory"] == (
        "My daughter Sarah is allergic to soy.\n\nSarah is not allergic to milk."
    )


@pytest.mark.long
def test_what_a_person_wrote_stays_and_is_named(vault: Vault) -> None:
    old = dreamt(vault, "My daughter Sarah is allergic to milk.")
    vault.cards.set("medical/sarah", Patch({"allergy": "milk"}, backstory="Seen.", source="human"))
    made = correct(vault, old, "Sarah is not allergic to milk.")
    assert (made.cards, made.cited) == ((MOTHER,), (CARD,))
    assert vault.cards.get("medical/sarah")["allergy"] == "milk"


def test_a_card_with_a_private_part_is_left_among_what_is_cited(vault: Vault) -> None:
    memory = dreamt(vault, "My daughter Sarah is allergic to hazelnuts.")
    file = vault.path / CARD
    file.write_text(f"{file.read_text()}\nAsk Quincy.\n<private>pin 1234</private>\n")
    before = file.read_text()
    made = correct(vault, memory, "My daughter Sarah is allergic to walnuts, not hazelnuts.")
    assert (made.cards, made.cited) == ((MOTHER,), (CARD,))
    assert file.read_text() == before


def test_what_is_told_of_a_child_without_a_name_is_corrected_on_the_parents_card(
    vault: Vault,
) -> None:
    old = dreamt(vault, "My daughter is allergic to hazelnuts.")
    assert vault.cards.get("medical/mara")["daughter_allergy"] == "hazelnuts"
    correct(vault, old, "My daughter is allergic to walnuts, not hazelnuts.")
    assert vault.cards.get("medical/mara")["daughter_allergy"] == "walnuts"
