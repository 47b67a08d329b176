"""A note that says otherwise than a card is seen; what is later stands once a person says so."""

from __future__ import annotations

import pytest

from tests.dreamt import CARD, Vault, card, topic
from vaultmem.maintenance.dream.detectors import card_contradictions
from vaultmem.maintenance.dream.planner import is_safe, needs_a_person

BEFORE, BETWEEN, AFTER = (f"{year}-01-05T10:00:00Z" for year in (2023, 2024, 2025))


def note(line: str, created: str = AFTER) -> dict[str, str]:
    return {"notes/ideas.md": topic(f"- {line}\n", "Ideas", created=created, source="user")}


@pytest.mark.parametrize(
    ("fields", "line", "now"),
    [
        ({"birthday": "14 November"}, "Edda's birthday is 15 November.", "birthday: 15 November"),
        ({"birthday": "4 May 1980"}, "Edda was born on 5 May 1980.", "birthday: 5 May 1980"),
        ({"employer": "Norfisk"}, "Edda works at Sild.", "employer: Sild"),
        ({"home": "Kiel"}, "Edda has moved to Bonn.", "home: Bonn"),
        ({"job": "nurse"}, "Edda is a teacher now.", "job: teacher"),
    ],
)
def test_a_later_note_changes_the_card(fields: dict[str, str], line: str, now: str) -> None:
    after = Vault({**card(**fields), **note(line)}).dreamt(card_contradictions.find)
    assert f"\n{now}\n" in after.texts[CARD]
    assert line in after.texts[CARD], "the words it goes by are kept"
    assert not after.planned(card_contradictions.find).proposals


def test_an_earlier_note_says_what_the_card_says_and_where() -> None:
    vault = Vault({**card(home="Kiel"), **note("Edda lives in Bonn.", BEFORE)})
    after = vault.dreamt(card_contradictions.find)
    assert "- Edda lives in Kiel. ([[edda]])\n" in after.texts["notes/ideas.md"]
    assert after.texts[CARD] == vault.texts[CARD]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"birthday": "14 November"}, "Edda's birthday is November 14."),
        ({"birthday": "4 May 1980"}, "Edda's birthday is 4 May."),
        ({"birthday": "14 November"}, "Ivo's birthday is 15 November."),
        ({"home": "Kiel"}, "Edda's mother lives in Bonn."),
        ({"phone": "555 0101"}, "Edda's phone number is +49 555 0101."),
        ({"job": "nurse"}, "Edda is a mother."),
        ({"likes": "tea"}, "Edda likes coffee."),
        ({"employer": "Norfisk", "employer_valid_to": "2024-03-01"}, "Edda works at Sild."),
    ],
)
def test_a_note_that_says_as_much_or_of_another_is_left(fields: dict[str, str], line: str) -> None:
    assert not Vault({**card(**fields), **note(line)}).planned(card_contradictions.find).proposals


def test_of_two_people_of_one_name_nobody_knows_who_is_meant() -> None:
    texts = {**card(home="Kiel"), **card("cards/club/edda.md", home="Rostock")}
    vault = Vault({**texts, **note("Edda lives in Bonn.")})
    assert not vault.planned(card_contradictions.find).proposals


def test_the_change_is_as_good_as_the_note_and_names_it() -> None:
    """Its name stood in twice as many brackets as a link has."""
    after = Vault({**card(home="Kiel"), **note("Edda has moved to Bonn.")})
    text = after.dreamt(card_contradictions.find).texts[CARD]
    assert f"home: agent {AFTER}" in text
    assert '- "[[ideas]]"' in text


def test_what_is_not_dated_is_up_to_a_person() -> None:
    vault = Vault({**card(home="Kiel"), **note("Edda lives in Bonn.", "")})
    (proposal,) = vault.planned(card_contradictions.find).proposals
    assert proposal.doubtful
    assert needs_a_person(proposal)
    assert not is_safe(proposal)


def test_what_is_trusted_less_than_the_card_waits_as_any_claim() -> None:
    vault = Vault({**card(source="user", home="Kiel"), **note("Edda lives in Bonn.")})
    assert not vault.planned(card_contradictions.find).proposals
    (claim,) = card_contradictions.disagreeing(vault.seen())
    assert (claim.field, claim.value, claim.source) == ("home", "Bonn", "agent")


def test_what_nobody_trusts_is_no_claim_about_a_card() -> None:
    page = {"notes/page.md": topic("- Edda lives in Bonn.\n", "Ideas", created=AFTER, source="web")}
    for source in ("agent", "user"):
        vault = Vault({**card(source=source, home="Kiel"), **page})
        assert not vault.planned(card_contradictions.find).proposals
        assert not [*card_contradictions.disagreeing(vault.seen())]
