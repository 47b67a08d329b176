"""What a summarizer has to say of a vault, as proposals: cards from claims, and suggestions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from vaultmem.documents.bodies import Claim
from vaultmem.maintenance.dream import facts as dream_facts
from vaultmem.maintenance.dream import planner
from vaultmem.maintenance.dream.detectors import cards, model_suggestions
from vaultmem.maintenance.dream.detectors.cards import SourcedClaim
from vaultmem.maintenance.dream.planner import Planned, Terms
from vaultmem.maintenance.dream.types import Proposal, Seen
from vaultmem.nlp.tasks import Suggestion

NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
SARAH = SourcedClaim(
    Claim("Sarah", "daughter", "medical", "allergy", "nuts", "Sarah is allergic to nuts.",
          "2026-11-19T08:00:00Z", "20261119-080000-nuts"), "user",
)  # fmt: skip
CARD = "cards/medical/sarah.md"
TEA = "topics/tea.md"


def seen(**files: str) -> Seen:
    """Return what a dream sees of topics by name."""
    return of({f"topics/{name}.md": text for name, text in files.items()})


def of(files: dict[str, str]) -> Seen:
    """Return what a dream sees of files."""
    notes = [
        n for path, text in sorted(files.items()) if (n := dream_facts.note(path, text.encode()))
    ]
    return Seen(tuple(notes), (), (), frozenset(files), NOW)


def planned(files: dict[str, str], *told: SourcedClaim) -> Planned:
    """Plan the cards that what was told makes."""
    read = {path: text.encode() for path, text in files.items()}.get
    return planner.plan(of(files), Terms(read), [lambda now: cards.find(now, told)])


def says(found: Planned, path: str) -> str:
    """Return a file as the plan leaves it."""
    return (found.changed[path] or b"").decode()


# --- cards --------------------------------------------------------------------------------------


def test_a_claim_makes_a_card_that_is_whole() -> None:
    found = planned({}, SARAH)
    assert [(p.op, p.path, p.sources) for p in found.proposals] == [
        ("card", CARD, ("20261119-080000-nuts",))
    ]
    text = says(found, CARD)
    assert "person: Sarah\nrelationship: daughter\n" in text
    assert "allergy: nuts\n" in text
    assert "Sarah is allergic to nuts." in text


def test_its_reason_says_which_facts_were_said_of_whom_and_when() -> None:
    (card,) = planned({}, SARAH).proposals
    assert card.reason == (
        "Sarah's allergy: nuts, as was said on 2026-11-19: Sarah is allergic to nuts"
    )


def test_a_name_alone_is_no_card() -> None:
    named = Claim("Tomas", "brother", "family", "name", "Tomas", "My brother Tomas bakes.", "2026")
    assert planned({}, SourcedClaim(named, "user")).proposals == ()


def test_who_is_believed_less_is_let_wait_where_it_was_said_later() -> None:
    """What was said before the card was written is old news."""
    text = says(planned({}, SARAH), CARD)
    pollen = Claim("Sarah", "daughter", "medical", "allergy", "pollen", "It is pollen.",
                   "2026-11-20T08:00:00Z", "pollen")  # fmt: skip
    later, earlier = (
        SourcedClaim(pollen, "import"),
        SourcedClaim(replace(pollen, at="2026-01-01"), "import"),
    )
    assert planned({CARD: text}, later).proposals == ()
    assert [it.value for it in cards.disagreeing(of({CARD: text}), [later])] == ["pollen"]
    assert not [
        *cards.disagreeing(of({CARD: text}), [earlier, SourcedClaim(pollen, "user"), SARAH])
    ]
    assert not [*cards.disagreeing(of({}), [later])]


def test_a_card_that_says_so_already_is_left_alone() -> None:
    text = says(planned({}, SARAH), CARD)
    assert planned({CARD: text}, SARAH).proposals == ()


def test_a_later_claim_patches_the_lines_it_must() -> None:
    """A person's own keys and comments stay; git keeps the old value."""
    text = says(planned({}, SARAH), CARD).replace("type: card", "type: card\nmood: calm  # mine")
    later = Claim("Sarah", "daughter", "medical", "allergy", "pollen", "It is pollen now.",
                  "2026-11-20T08:00:00Z", "20261120-080000-pollen")  # fmt: skip
    found = planned({CARD: text}, SourcedClaim(later, "user"))
    assert "mood: calm  # mine\n" in says(found, CARD)
    assert "allergy:\n  - nuts\n  - pollen\n" in says(found, CARD)
    assert says(found, CARD).endswith("Sarah is allergic to nuts.\n\nIt is pollen now.\n")


def test_what_a_person_decided_and_what_nobody_can_be_named_by_is_no_card() -> None:
    unnamed = SourcedClaim(
        Claim("user", "self", "medical", "allergy", "nuts", "I am allergic."), "user"
    )
    assert planned({}, unnamed).proposals == ()
    text = says(planned({}, SARAH), CARD).replace("type: card", "type: card\npinned: true")
    later = SourcedClaim(
        Claim("Sarah", "daughter", "medical", "city", "Lyon", "In Lyon.", "2026"), "user"
    )
    assert planned({CARD: text}, later).proposals == ()


def tom(field: str, value: str, said: str, at: str = "2026-11-19") -> SourcedClaim:
    """Return what the user said of Tom."""
    claim = Claim("Tom", "friend", "x", field, value, said, f"{at}T08:00:00Z", f"{at}-{value}")
    return SourcedClaim(claim, "user")


BEES, WASPS = (
    tom("allergy", it, f"My friend Tom is allergic to {it}.") for it in ("bees", "wasps")
)


def test_two_allergies_are_both_written_shown_and_told_where_from() -> None:
    found = planned({}, BEES, WASPS)
    (card,) = found.proposals
    assert card.reason == (
        "Tom's allergy: bees, wasps, as was said on 2026-11-19: "
        "My friend Tom is allergic to bees / My friend Tom is allergic to wasps"
    )
    text = says(found, card.path)
    assert "allergy:\n  - bees\n  - wasps\n" in text
    assert text.endswith(
        "---\nMy friend Tom is allergic to bees.\n\nMy friend Tom is allergic to wasps.\n"
    )
    assert "[[2026-11-19-bees]]" in text
    assert "[[2026-11-19-wasps]]" in text
    assert planned({card.path: text}, BEES, WASPS).proposals == ()


def test_of_two_cities_the_newer_is_written_and_both_are_shown() -> None:
    found = planned({}, tom("city", "Rome", "In Rome."), tom("city", "Oslo", "Oslo.", "2026-11-20"))
    (card,) = found.proposals
    assert card.reason.startswith("Tom's city: Oslo (no longer Rome), as was said on 2026-11-19: ")
    assert "city: Oslo\n" in says(found, card.path)
    later = planned({card.path: says(found, card.path)}, tom("city", "Bonn", "Bonn.", "2026-11-21"))
    assert later.proposals[0].reason.startswith("Tom's city: Bonn (no longer Oslo), as was said on")


def test_what_is_told_of_one_person_goes_to_one_card() -> None:
    """What is medical names it; a person with a card gets no second one."""
    day = SourcedClaim(
        replace(SARAH.claim, category="dates", field="birthday", value="May 3"), "user"
    )
    found = planned({}, day, SARAH)
    assert [p.path for p in found.proposals] == [CARD]
    assert [p.path for p in planned({CARD: says(planned({}, SARAH), CARD)}, day).proposals] == [
        CARD
    ]


def test_a_name_in_another_script_names_a_card() -> None:
    claim = replace(SARAH.claim, person="\u838e\u62c9", relationship="\u5973\u513f")
    (card,) = planned({}, SourcedClaim(claim, "user")).proposals
    assert card.path == "cards/medical/\u838e\u62c9.md"


# --- suggestions --------------------------------------------------------------------------------

FACTS = "- Tea is at five. ([[a]])\n- We take tea at 17:00. ([[b]])\n- Milk first.\n"


def suggest(now: Seen, op: str, numbers: tuple[int, ...], text: str) -> list[Proposal]:
    """Return what comes of one suggestion about the facts of *now*."""
    it = Suggestion(op, numbers, text, "because")  # type: ignore[arg-type]
    facts = model_suggestions.shown(now)
    return list(model_suggestions.find(now, model_suggestions.resolved([it], facts, "a model")))


def applied(op: str, numbers: tuple[int, ...], text: str) -> str:
    """Return topics/tea.md after a suggestion."""
    now = seen(tea=FACTS, kitchen="- The stove is old.\n")
    files = {TEA: FACTS.encode(), "topics/kitchen.md": b"- The stove is old.\n"}
    facts = model_suggestions.shown(now)
    mine = tuple(n for n, f in facts.items() if f.path == TEA)
    chosen = tuple(mine[n] for n in numbers)
    it = Suggestion(op, chosen, text, "because")  # type: ignore[arg-type]
    suggested = model_suggestions.resolved([it], facts, "a model")
    find = lambda seen: model_suggestions.find(seen, suggested)  # noqa: E731
    found = planner.plan(now, Terms(files.get), [find])
    assert all(p.by == "a model" for p in found.proposals)
    return says(found, TEA) if found.changed else ""


def test_two_facts_become_one_with_the_sources_of_both() -> None:
    assert applied("merge", (0, 1), "Tea is at 17:00, at five.") == (
        "- Tea is at 17:00, at five. ([[a]], [[b]])\n- Milk first.\n"
    )


def test_a_fact_is_put_right_in_place() -> None:
    assert "- Milk last.\n" in applied("correct", (2,), "Milk last.")


def test_what_several_have_in_common_is_added() -> None:
    text = applied("abstract", (0, 1), "Tea is a habit.")
    assert "- Tea is a habit. ([[a]], [[b]])\n" in text
    assert "- We take tea at 17:00. ([[b]])\n" in text


def test_a_fact_moves_to_where_it_belongs() -> None:
    assert applied("move", (2,), "topics/kitchen.md") == FACTS.removesuffix("- Milk first.\n")


def test_a_deletion_names_what_is_lost_and_has_a_budget() -> None:
    """One fact in any case, two of three are more than a quarter."""
    (found,) = suggest(seen(tea=FACTS), "delete", (3,), "")
    assert found.losses == ("Milk first.",)
    assert found.contradiction
    assert not suggest(seen(tea=FACTS), "merge", (1, 2), "Tea is at 17:00, at five.")[
        0
    ].contradiction
    assert applied("delete", (2,), "") == FACTS.removesuffix("- Milk first.\n")


def test_facts_that_changed_meanwhile_are_let_be() -> None:
    facts = model_suggestions.shown(seen(tea=FACTS))
    it = Suggestion("correct", (3,), "Milk last.", "because")
    now = seen(tea=FACTS.replace("Milk first", "No milk"))
    assert not [*model_suggestions.find(now, model_suggestions.resolved([it], facts, "a model"))]


def test_a_model_is_not_shown_what_it_may_not_change() -> None:
    pinned = "---\npinned: true\n---\n- A fact that stays.\n"
    files = {"MEMORY.md": "- A line.\n", "skills/x/SKILL.md": "- A step.\n", TEA: pinned}
    assert model_suggestions.shown(of(files)) == {}
