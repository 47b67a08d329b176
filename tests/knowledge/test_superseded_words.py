"""A card's words, its description and what points at it say what holds now."""

from __future__ import annotations

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.knowledge.cards.superseded_words import Replaced, without

pytestmark = pytest.mark.without_history

OLD, NEW = "My phone number is 555-0100.", "My phone number is 555-0199."
PHONE = Replaced("phone", "555-0100", NEW)


def _told(vault: Vault, text: str) -> None:
    vault.remember(text, agent="ada", source="user", speaker="Mara")
    vault.dream()
    vault.dreams.apply(everything=True)


@pytest.mark.with_history
@pytest.mark.long
@pytest.mark.parametrize("together", [True, False])
def test_a_number_that_was_replaced_is_told_nowhere(
    vault: Vault, clock: Clock, *, together: bool
) -> None:
    """Heard in one dream or in two; the memory itself still says it."""
    if together:
        vault.remember(OLD, agent="ada", source="user", speaker="Mara")
    else:
        _told(vault, OLD)
    clock.advance(days=60)
    _told(vault, NEW)
    (path,) = vault.path.glob("cards/*/*.md")
    text = path.read_text()
    assert "phone: 555-0199\n" in text
    assert f'description: "Mara (speaker): {NEW}"' in text
    assert "0100." not in text
    (pointer,) = [x for x in (vault.path / "MEMORY.md").read_text().split("\n") if "(cards/" in x]
    assert NEW in pointer
    assert vault.fsck().ok


@pytest.mark.long
def test_what_comes_back_is_said_again(vault: Vault, clock: Clock) -> None:
    for text in (OLD, NEW, f"As before: {OLD[0].lower()}{OLD[1:]}"):
        _told(vault, text)
        clock.advance(days=30)
    (path,) = vault.path.glob("cards/*/*.md")
    text = path.read_text()
    assert "phone: 555-0100\n" in text
    assert "0199." not in text


@pytest.mark.parametrize(
    ("story", "left"),
    [
        ((OLD, NEW), (NEW,)),
        (("I own a boat.", OLD, NEW), ("I own a boat.", NEW)),
        (("Call me on 555-01001.", NEW), ("Call me on 555-01001.", NEW)),
        (
            (f"{OLD[:-1]}, never call before nine.", NEW),
            (NEW, f"{OLD[:-1]}, never call before nine."),
        ),
        ((OLD,), (OLD,)),
    ],
)
def test_what_says_more_stays_behind_what_holds(
    story: tuple[str, ...], left: tuple[str, ...]
) -> None:
    assert without("\n\n".join(story), [PHONE]) == "\n\n".join(left)
