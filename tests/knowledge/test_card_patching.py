"""What claims make of a card's bytes, what waits, and what cards come to as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.knowledge.cards import (
    conflict_note,
    flat_json,
    formats,
    names,
    parser,
    patch_claims,
    patching,
)
from vaultmem.knowledge.cards.types import (
    RESERVED,
    Claim,
    Conflict,
    Json,
    Patch,
    Proposed,
    Strategy,
    Text,
)
from vaultmem.storage import files, reader

_ANSWERED = {"type", "path", "commit", "uncommitted", "conflicts"}
PATH = "cards/medical/doctor_sarah.md"
NOW = "2026-11-20T10:15:00Z"
HAND_MADE = """---
type: card
mood: calm   # my own note
person: Sarah Smith
relationship: daughter
"city": 'Lyon'
tags: [family, doctor]
---
She moved in spring.
"""


def claim(field: str, value: Text | None, source: str = "agent", at: str = NOW) -> Claim:
    """Say something of Sarah's doctor."""
    about = ("Sarah Smith", "daughter", "medical", "doctor_sarah")
    return Claim(*about, field, value, "Said on the way to school.", source, at)


def card(*claims: Claim) -> bytes:
    """Return a new card."""
    made = patching.change(None, PATH, claims, NOW, "01KAFX0000000000000000000A").text
    assert made is not None
    return made


def patched(data: bytes, *claims: Claim) -> bytes:
    """Return *data* with *claims* in it, all of which fit."""
    made = patching.change(data, PATH, claims, NOW, "")
    assert made.text is not None
    assert not made.conflicts
    return made.text


def lines_changed(old: bytes, new: bytes) -> tuple[set[str], set[str]]:
    """Return the lines that went and those that came."""
    before, after = old.decode().splitlines(), new.decode().splitlines()
    return set(before) - set(after), set(after) - set(before)


# --- bytes ------------------------------------------------------------------------------------


def test_a_new_card_is_a_file_that_a_person_can_read() -> None:
    """The whole file, in its order."""
    assert card(claim("phone", "0123", "user", "2024-03-01T10:00:00Z")).decode() == (
        "---\nid: 01KAFX0000000000000000000A\ntype: card\n"
        'title: "Sarah Smith: doctor sarah"\n'
        'description: "Sarah Smith (daughter): Said on the way to school."\n'
        "category: medical\nkey: doctor_sarah\nperson: Sarah Smith\nrelationship: daughter\n"
        "date_created: 2024-03-01T10:00:00Z\nsource: user\ntrust: user\nclaims:\n"
        '  - "person: user 2024-03-01T10:00:00Z dd50edfe"\n'
        '  - "relationship: user 2024-03-01T10:00:00Z 4ed28f82"\n'
        '  - "backstory: user 2024-03-01T10:00:00Z d28a0180"\n'
        '  - "phone: user 2024-03-01T10:00:00Z 1be2e452"\n'
        'phone: "0123"\n---\nSaid on the way to school.\n'
    )


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_patch_changes_the_line_of_the_fact_and_its_claim(eol: str) -> None:
    """A person's comment, list and line ends stay byte for byte."""
    old = card(claim("phone", "0123"), claim("doctor", "Dr. Lee")).replace(
        b"type: card\n", b"type: card\nmood: calm   # my own note\n"
    )
    old = old.replace(b"\n", eol.encode())
    new = patched(old, claim("phone", "0456"))
    gone, come = lines_changed(old, new)
    assert (len(gone), len(come)) == (2, 2)
    assert 'phone: "0456"' in come
    assert new.count(eol.encode()) == new.count(b"\n") == old.count(b"\n")
    assert new.endswith(f"---{eol}Said on the way to school.{eol}".encode())


def test_what_is_there_already_changes_nothing() -> None:
    """Said again, by whomever."""
    old = card(claim("phone", "0123", "user"))
    for source in ("agent", "user", "web"):
        made = patching.change(old, PATH, [claim("phone", "0123", source)], NOW, "")
        assert made == Proposed(None)


def test_what_a_person_says_too_is_the_persons_from_then_on() -> None:
    """So that the same doubt does not come again."""
    new = patched(card(claim("phone", "0123")), claim("phone", "0123", "human"))
    assert parser.read(PATH, new).marks["phone"].sources == ("human",)


def test_taking_a_fact_away_takes_its_claim_too() -> None:
    """Nothing is left of the name."""
    new = patched(card(claim("phone", "0123"), claim("city", "Lyon")), claim("phone", None))
    assert b"phone" not in new
    assert b"city: Lyon" in new


def test_a_backstory_is_replaced_whole_and_the_description_follows() -> None:
    """The description is ours as long as nobody rewrote it."""
    new = patched(card(claim("phone", "1")), claim("backstory", "Told at the clinic."))
    assert new.endswith(b"---\nTold at the clinic.\n")
    assert b'description: "Sarah Smith (daughter): Told at the clinic."' in new


def test_quoted_keys_and_flow_lists_of_a_hand_made_card_are_patched_in_place() -> None:
    """`"city"` is city."""
    new = patched(HAND_MADE.encode(), claim("city", "Nice", "human"))
    assert b"mood: calm   # my own note\n" in new
    assert b'"city": Nice\n' in new
    assert b"tags: [family, doctor]\n" in new


def test_a_name_in_other_case_is_the_same_fact() -> None:
    """As Obsidian takes it."""
    new = patched(card(claim("Phone", "1")), claim("phone", "2"))
    assert parser.read(PATH, new).facts == {"Phone": "2"}


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (b"---\nperson: [\n---\n", "yaml"),
        (b"---\nperson: a\nperson: b\n---\n", "duplicate"),
        (b"---\nperson: a\n", "torn"),
        (b"\xff\xfe", "encoding"),
        (b"", "empty"),
    ],
)
def test_a_card_that_cannot_be_trusted_is_refused_by_name(broken: bytes, code: str) -> None:
    """The file is named, and what to do."""
    with pytest.raises(Unreadable, match=PATH) as caught:
        patching.change(broken, PATH, [claim("phone", "1")], NOW, "")
    assert caught.value.code == code


def test_what_a_person_nested_is_read_flat_and_not_pulled_apart() -> None:
    """All of it may go; one line of it may not be rewritten."""
    old = b"---\ntype: card\nperson: S\ncontact:\n  phone: '1'\n  mail: a\n---\nx\n"
    assert parser.read(PATH, old).facts == {"contact.phone": "1", "contact.mail": "a"}
    with pytest.raises(Refused, match=r"stands nested below 'contact'"):
        patching.change(old, PATH, [claim("contact.phone", "2", "human")], NOW, "")
    both = [claim("contact.phone", None, "human"), claim("contact.mail", None, "human")]
    assert patched(old, *both) == b"---\ntype: card\nperson: S\n---\nx\n"


def test_a_value_stands_not_above_and_below_another() -> None:
    """Nesting it again would lose one."""
    old = card(claim("contact.phone", "1"))
    with pytest.raises(BadInput, match=r"which holds a value: take that away first"):
        patching.change(old, PATH, [claim("contact", "x")], NOW, "")


@pytest.mark.parametrize("lacking", ["person", "relationship", "backstory"])
def test_a_new_card_without_what_every_card_needs_is_refused(lacking: str) -> None:
    """What is missing is named."""
    whole = Patch(fields={"x": "1"}, person="P", relationship="R", backstory="B", at=NOW)
    nothing: dict[str, Any] = {lacking: ""}
    asked = replace(whole, **nothing)
    with pytest.raises(BadInput, match=f"has no {lacking}: a new one needs each;"):
        patching.change(None, PATH, patch_claims.claims(asked, "a/b", None), NOW, "X")


def test_no_reserved_key_is_a_fact_of_a_card() -> None:
    """What the program keeps in a card is not told as knowledge."""
    text = "---\ntype: card\n" + "".join(f"{key}: x\n" for key in sorted(RESERVED - _ANSWERED))
    found = reader.record(PATH, files.content(f"{text}---\nx\n".encode()))
    assert found.facts == ""


# --- who may say what -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "said", "at", "wins"),
    [
        ("agent", "agent", "2026-12-01T00:00:00Z", True),
        ("agent", "agent", "2020-01-01T00:00:00Z", False),
        ("user", "agent", "2026-12-01T00:00:00Z", False),
        ("agent", "user", "2020-01-01T00:00:00Z", True),
        ("human", "user", "2026-12-01T00:00:00Z", False),
        ("agent", "web", "2026-12-01T00:00:00Z", False),
        ("agent", "tool", "2026-12-01T00:00:00Z", False),
    ],
)
def test_the_more_trusted_wins_then_the_newer(held: str, said: str, at: str, *, wins: bool) -> None:
    """What does not win waits, with both claims, sources and dates."""
    made = patching.change(
        card(claim("city", "Lyon", held)), PATH, [claim("city", "Nice", said, at)], NOW, ""
    )
    waits = Conflict("city", "Lyon", "Nice", said, at, held, NOW)
    assert (made.text is not None, made.conflicts) == (wins, () if wins else (waits,))


def test_nobody_untrusted_adds_a_fact_nor_takes_one_away() -> None:
    """Not even one that is not there yet."""
    old = card(claim("city", "Lyon"))
    made = patching.change(
        old, PATH, [claim("iban", "666", "web"), claim("city", None, "tool")], NOW, ""
    )
    assert made.text is None
    assert [(c.field, c.kept, c.claimed) for c in made.conflicts] == [
        ("iban", None, "666"),
        ("city", "Lyon", None),
    ]


def test_what_was_changed_by_hand_is_a_persons_word() -> None:
    """The digest of its claim does not fit any more; a fact without a claim is one, too."""
    old = card(claim("city", "Lyon", "user")).replace(b"city: Lyon", b"city: Brest\nmood: calm")
    made = patching.change(
        old, PATH, [claim("city", "Nice", "user"), claim("mood", "grim", "user")], NOW, ""
    )
    assert made.text is None
    assert [(c.kept, c.kept_source) for c in made.conflicts] == [
        ("Brest", "human"),
        ("calm", "human"),
    ]


def test_a_card_is_worth_what_its_least_trusted_fact_is() -> None:
    """And never more than it says of itself for other reasons."""
    old = card(claim("city", "Lyon", "user"))
    with_agent = patched(old, claim("phone", "1", "agent"))
    assert b"\ntrust: agent\n" in with_agent
    assert b"\ntrust: user\n" in patched(with_agent, claim("phone", "2", "user"))
    fetched = HAND_MADE.replace("type: card", "type: card\ntrust: untrusted").encode()
    assert b"\ntrust: untrusted\n" in patched(fetched, claim("city", "Nice", "human"))


def test_a_card_that_a_person_vouched_for_is_lowered_by_what_is_new_alone() -> None:
    """As one that came from the web and was reviewed."""
    web = card(claim("city", "Lyon", "web"))
    assert b"\ntrust: untrusted\n" in web
    reviewed = web.replace(b"trust: untrusted", b"trust: verified")
    assert b"\ntrust: verified\n" in patched(reviewed, claim("city", "Nice", "human"))
    assert b"\ntrust: user\n" in patched(reviewed, claim("phone", "1", "user"))
    again = patching.change(reviewed, PATH, [claim("city", "Rome", "web")], NOW, "")
    assert [c.claimed for c in again.conflicts] == ["Rome"]


def test_in_one_breath_the_untrusted_does_not_slip_into_a_new_card() -> None:
    """It waits beside it."""
    made = patching.change(
        None, PATH, [claim("iban", "666", "web"), claim("city", "Lyon", "user")], NOW, "X"
    )
    assert made.text is not None
    assert b"iban" not in made.text
    assert b"\nsource: user\ntrust: user\n" in made.text
    assert [c.claimed for c in made.conflicts] == ["666"]


# --- strategies -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategy", "old", "new", "comes"),
    [
        ("overwrite", ("a", "b"), ("c",), ("c",)),
        ("append", "a", "b", ("a", "b")),
        ("append", ("a", "b"), ("b", "c"), ("a", "b", "c")),
        ("merge", ("a", "b"), ("b", "c"), ("a", "b", "c")),
        ("merge", "a", "b", "b"),
        ("merge", "a", ("a", "b"), ("a", "b")),
    ],
)
def test_how_values_meet(strategy: Strategy, old: Text, new: Text, comes: Text) -> None:
    """Replaced, kept as a history, or united; nothing stands twice."""
    made = patching.change(
        card(claim("visits", old)), PATH, [claim("visits", new)], NOW, "", strategy=strategy
    )
    assert made.text is not None
    assert parser.read(PATH, made.text).facts == {"visits": comes}


def test_what_is_appended_takes_nothing_away_and_makes_nothing_more_trusted() -> None:
    """The list is guarded by its best source and worth its least."""
    new = patching.change(
        card(claim("visits", "May", "user")), PATH, [claim("visits", "June", "agent")], NOW, "",
        strategy="append",
    ).text  # fmt: skip
    mark = parser.read(PATH, new or b"").marks["visits"]
    assert (mark.joined_sources, mark.guards, mark.trust) == ("user+agent", "user", "agent")


def test_an_attribute_may_keep_all_its_values() -> None:
    """By the policy that stands in the card."""
    old = patching.change(
        None, PATH, [claim("visits", "May")], NOW, "X", policies={"visits": "all"}
    ).text
    new = patched(old or b"", claim("visits", "June"))
    assert b'policies:\n  - "visits: all"\n' in new
    assert b"visits:\n  - May\n  - June\n" in new


# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["", "a", "/b", "a/", "A/b", "a/B", "a/b/c", "../a", "a/..", "a/b.md", "a/b\n", "-a/b", "é/b",
     "con/b", "a/nul", "a" * 99 + "/b", "a\\b", "a/b\0"],
)  # fmt: skip
def test_no_name_leads_anywhere_else(name: str) -> None:
    """Nor to a file that some system could not hold."""
    with pytest.raises(BadInput):
        names.new(name)


@pytest.mark.parametrize(
    "name",
    ["id", "Type", "claims", "trust.x", "yes", "No", "1st", "#tag", "a: b", "a..b", ".a", "a.", "",
     "[x]", "- a", "a\0", "person.name", "x" * 200, "{{a}}", "a\u202eb"],
)  # fmt: skip
def test_no_fact_is_called_what_others_read_otherwise(name: str) -> None:
    """Obsidian, YAML, and the program itself."""
    with pytest.raises(BadInput):
        names.field(name)


@pytest.mark.parametrize("name", ["phone", "contact.phone", "kids.0.name", "First name", "过敏"])
def test_what_people_call_facts_is_fine(name: str) -> None:
    """In any script."""
    assert names.field(name) == name


def test_a_b_c_is_not_a_b_c() -> None:
    """Names that differ in where the category ends share no note."""
    assert names.note("a-b/c") != names.note("a/b-c")


# --- nested and flat --------------------------------------------------------------------------

_words = st.text("abcxyz", min_size=1, max_size=4)
_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_values = st.recursive(
    _texts | st.lists(_texts, max_size=3),
    lambda inner: (
        st.dictionaries(_words, inner, min_size=1, max_size=3)
        | st.lists(st.dictionaries(_words, inner, min_size=1, max_size=2), min_size=1, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.long
@given(st.dictionaries(_words, _values, max_size=4))
def test_flat_and_nested_again_is_the_same(values: dict[str, Json]) -> None:
    """Whatever text, lists of text, objects, and lists of objects."""
    told = {k: v for k, v in flat_json.flatten(values).items() if v is not None}
    assert flat_json.nest(told) == values


def test_numbers_are_text_so_that_they_stay_as_they_are() -> None:
    """A JSON reader would make 1.10 of 1.1."""
    assert flat_json.flatten({"a": 1, "b": True, "c": [1, 2.5]}) == {
        "a": "1", "b": "true", "c": ("1", "2.5"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"a": {"b": "1"}, "a.b": "2"}, "stands twice"),
        ({"a": [1, None]}, "holds null"),
        (json.loads('{"a":' * 20 + "1" + "}" * 20), "nests deeper"),
    ],
)
def test_what_no_key_can_hold_is_named(values: Mapping[str, Json], why: str) -> None:
    """With its place."""
    with pytest.raises(BadInput, match=f"cards.json: a.*{why}"):
        flat_json.flatten(values, "cards.json: ")


# --- the note of claims that disagree ---------------------------------------------------------


def noted(*conflicts: Conflict) -> bytes:
    """Return a note with *conflicts*."""
    return conflict_note.added(conflict_note.new(PATH, "Sarah", NOW, "X"), conflicts)


def test_both_claims_stand_in_the_note_with_source_and_date() -> None:
    """A box each."""
    conflict = Conflict("city", "Lyon", "Nice", "web", NOW, "user", "2024-03-01T10:00:00Z")
    assert (
        noted(conflict)
        .decode()
        .endswith("\n\n- [ ] city: Lyon (user, 2024-03-01)\n- [ ] city: Nice (web, 2026-11-20)\n")
    )


def test_no_claim_stands_twice_and_claims_of_one_fact_stand_together() -> None:
    """However often it is said."""
    first = Conflict("city", "Lyon", "Nice", "web", NOW)
    other = Conflict("phone", "1", "2", "web", NOW)
    note = noted(first, other)
    assert conflict_note.added(note, [first, other]) == note
    more = conflict_note.added(note, [Conflict("city", "Lyon", "Rome", "tool", NOW)])
    assert [(b.field, b.value) for b in conflict_note.boxes(more)] == [
        ("city", "Lyon"), ("city", "Nice"), ("city", "Rome"), ("phone", "1"), ("phone", "2"),
    ]  # fmt: skip


@given(_texts | st.lists(_texts, max_size=3).map(tuple) | st.none())
def test_a_value_in_a_note_is_data(value: Text | None) -> None:
    """It makes one box, comes back as it was, and hides nothing."""
    note = noted(Conflict("city", "Lyon", value, "web", NOW))
    if value == "Lyon":
        return
    assert [(b.field, b.value, b.ticked) for b in conflict_note.boxes(note)] == [
        ("city", "Lyon", False), ("city", value, False),
    ]  # fmt: skip
    line = note.decode().splitlines()[-1]
    assert line.isprintable()
    ticked = note.decode().replace("[ ]", "[x]", 2).replace("[x] city: Lyon", "[ ] city: Lyon")
    assert conflict_note.chosen(ticked.encode(), lambda _: True) == {"city": value}
    assert conflict_note.chosen(ticked.encode(), lambda _: False) == {}


def test_html_and_links_in_a_claim_are_code() -> None:
    """Obsidian renders neither."""
    evil = "<img src=x> [[MEMORY]] `x`\n- [x] city: Oslo (user, 2024)"
    line = noted(Conflict("city", "Lyon", evil, "web", NOW)).decode().splitlines()[-1]
    assert line == (
        r'- [ ] city: `"<img src=x> [[MEMORY]] \u0060x\u0060\n- [x] city: Oslo (user, 2024)"`'
        " (web, 2026-11-20)"
    )


def test_two_ticks_are_two_truths() -> None:
    """A list of both."""
    note = noted(Conflict("city", "Lyon", "Nice", "web", NOW)).replace(b"[ ]", b"[X]")
    assert conflict_note.chosen(note, lambda _: True) == {"city": ("Lyon", "Nice")}


def test_a_note_goes_when_nothing_waits_and_stays_for_a_persons_words() -> None:
    """What was decided goes in any case."""
    note = noted(Conflict("city", "Lyon", "Nice", "web", NOW))
    assert conflict_note.without(note, {"city"}) is None
    mine = note + b"  I asked her.\r\n"
    left = conflict_note.without(mine, {"city"}) or b""
    assert left.endswith(b"stay.\n\n  I asked her.\r\n")
    assert conflict_note.boxes(left) == []


# --- formats ----------------------------------------------------------------------------------


def test_cards_come_out_as_nested_json_lines_and_paragraphs() -> None:
    """One card, four ways."""
    data = card(claim("contact.phone", "0123"), claim("visits", ("May", "June")))
    cards = [parser.read(PATH, data)]
    facts = {"contact": {"phone": "0123"}, "visits": ["May", "June"]}
    own = {
        "person": "Sarah Smith", "relationship": "daughter",
        "backstory": "Said on the way to school.", "date_created": NOW,
    }  # fmt: skip
    assert formats.exported(cards, "advanced") == {
        "categories": {"medical": {"doctor_sarah": {**facts, **own}}}
    }
    assert formats.exported(cards, "json") == {"categories": {"medical": {"doctor_sarah": facts}}}
    assert formats.exported(cards, "notes") == {
        "notes": ["Sarah Smith: contact phone: 0123", "Sarah Smith: visits: May, June"]
    }
    paragraph = (
        "About Sarah Smith (daughter), 2026-11-20. contact phone: 0123; visits: May, June. "
        "Said on the way to school."
    )
    assert formats.exported(cards, "enhanced") == {"notes": [paragraph]}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (b'{"categories": {', r"x\.json:1:17: not JSON"),
        (b"[" * 100_000, "nests too deep"),
        (b'{"a": 1, "a": 2}', "'a' appears twice"),
        (b'{"a": NaN}', "NaN is not a number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too long"),
        (b'"\xff"', "byte 1 is not UTF-8"),
    ],
)
def test_torn_or_hostile_json_is_refused_with_its_place(text: bytes, where: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(BadInput, match=where):
        formats.load(text, "x.json")


@pytest.mark.parametrize(
    ("found", "where"),
    [
        ([], "the file: not an object"),
        ({}, "categories: not an object"),
        ({"categories": {"a": []}}, r"categories\.a: not an object"),
        ({"categories": {"a": {"b": 1}}}, r"categories\.a\.b: not an object"),
        ({"categories": {"a": {"../b": {}}}}, "not the name of a card"),
        ({"categories": {"a": {"b": {"person": 1}}}}, r"categories\.a\.b\.person: not a text"),
    ],
)
def test_what_is_no_card_is_named(found: Json, where: str) -> None:
    """With the way to it."""
    with pytest.raises(BadInput, match=where):
        formats.patches(found, Patch())


# --- whatever people write --------------------------------------------------------------------

_hand_lines = st.lists(
    st.sampled_from([
        "type: card", "person: Sarah", "mood: calm   # mine", "# a comment", "", '"city": \'Lyon\'',
        "tags: [a, b]", "visits:\n  - May # spring\n  - June", "contact:\n  phone: '1'",
        "note: |\n  two\n  lines", "claims:\n  - 'city: user 2024-01-01T00:00:00Z deadbeef'\n  - x",
        "trust: user", 'policies: ["visits: all", mine]', "odd:", "日记: 好", "source: https://x.y",
        "backstory: in the head", "date: 2024-01-01",
    ]),
    unique=True,
)  # fmt: skip


@given(
    _hand_lines,
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
    st.sampled_from(["x\n", ""]),
)
def test_a_patch_of_whatever_a_person_wrote_touches_nothing_else(
    head: list[str],
    eol: str,
    bom: str,
    body: str,
) -> None:
    """Or is refused with a reason; what it wrote, it reads."""
    text = bom + "---\n" + "".join(f"{line}\n" for line in head) + "---\n" + body
    old = text.replace("\n", eol).encode()
    said = [claim("city", "Nice", "human"), claim("visits", "July", "human")]
    try:
        new = patching.change(old, PATH, said, NOW, "").text
    except (Refused, Unreadable):
        return
    assert new is not None
    found = parser.read(PATH, new)
    assert found.attributes["city"] == "Nice"
    assert found.marks["city"].sources == ("human",)
    gone, _ = lines_changed(old, new)
    ours = ("city", '"city', "visits", "trust", "claims", "  - ", "policies")
    assert [line for line in gone if not line.startswith(ours)] == []
    assert new.endswith(body.replace("\n", eol).encode())
