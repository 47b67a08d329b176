"""Two versions of one file in one: no marker, no word lost, each number one line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents.bodies import markdown
from vaultmem.exchange.sync import (
    conflict_note,
    frontmatter_merge,
    item_log_merge,
    line_merge,
    markdown_merge,
    merge_plan,
    transcript_merge,
)
from vaultmem.exchange.sync.transcript_merge import MergedTranscript
from vaultmem.exchange.sync.types import Conflict, Versions
from vaultmem.knowledge.cards.types import digest
from vaultmem.memory.compaction import human_lines
from vaultmem.storage import item_logs, tombstone_digests
from vaultmem.storage.tombstones import Tombstone, Tombstones

HEAD = "---\nid: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZM\ntype: {type}\nupdated: {at}\n---\n"


def joined(path: str, base: str, ours: str, theirs: str) -> tuple[str, list[str]]:
    """Return the page that both make, and the notes of what they disagree about."""
    page = markdown_merge.join(path, Versions(base.encode(), ours.encode(), theirs.encode()))
    assert b"<<<<" not in page.data
    return page.data.decode(), [note.decode() for note in page.aside]


def test_lines_far_apart_come_together() -> None:
    base = "one\n\ntwo\n\nthree\n\nfour\n"
    ours, theirs = base.replace("one", "ONE"), base.replace("four", "FOUR")
    assert joined("notes/a.md", base, ours, theirs) == ("ONE\n\ntwo\n\nthree\n\nFOUR\n", [])


SKY = """---
type: conflict
title: Two versions of notes/a.md
note: "[[notes/a]]"
---
Two machines changed the same place of notes/a.md, each in its way.
One of the two versions stands there now.
Let it say there what is right, and delete this note.

## Weather

Before:

    The sky

One version:

    The sky is blue

The other:

    The sky is grey
"""


def test_on_one_line_ours_stays_and_both_versions_wait_with_their_place() -> None:
    base, blue, grey = (f"# Weather\n{it}\n" for it in ("The sky", SKY_IS[0], SKY_IS[1]))
    assert joined("notes/a.md", base, blue, grey) == (blue, [SKY])
    assert joined("notes/a.md", base, grey, blue) == (grey, [SKY]), "the same note on both machines"


SKY_IS = ("The sky is blue", "The sky is grey")


def test_beside_a_line_that_both_changed_all_else_comes_together() -> None:
    base = "## Facts\n- It opens at nine.\n- It sells bread.\n\n## Patterns\n- Old.\n"
    ours = base.replace("nine", "ten").replace(
        "- It sells bread.\n", "- It sells bread.\n- A cat.\n"
    )
    theirs = base.replace("nine", "eleven").replace("bread", "rye").replace("- Old.\n", "")
    text, (note,) = joined("topics/shop.md", base, ours, theirs)
    assert text == "## Facts\n- It opens at ten.\n- It sells rye.\n- A cat.\n\n## Patterns\n"
    assert "eleven" in note
    assert "rye" not in note


def test_a_line_changed_here_and_removed_there_stays_as_changed() -> None:
    base, changed, gone = "- One.\n- Two.\n", "- One.\n- Two, and more.\n", "- One.\n"
    assert joined("notes/a.md", base, changed, gone) == (changed, [])
    assert joined("notes/a.md", base, gone, changed) == (changed, [])


def test_sources_and_reasons_of_one_fact_come_together() -> None:
    base = "## Facts\n- The oven is new ([[a]])\n"
    ours = "## Facts\n- The oven is new ([[a]], [[b]])\n  - **Why:** it shines\n"
    theirs = "## Facts\n- The oven is grey ([[a]], [[c]])\n"
    whole = "## Facts\n- The oven is grey ([[a]], [[b]], [[c]])\n  - **Why:** it shines\n"
    assert joined("topics/oven.md", base, ours, theirs) == (whole, [])


def test_what_both_add_under_new_headings_stays_under_its_own() -> None:
    base = "## Facts\n- One.\n"
    ours = f"{base}\n## Decisions\n- Tea.\n\n## Patterns\n- Rain.\n"
    theirs = f"{base}- Two.\n\n## Decisions\n- Rye.\n\n## Ruled out\n- Milk.\n"
    text, aside = joined("topics/shop.md", base, ours, theirs)
    parsed = markdown.parse_topic(text, "", "", "")
    assert [it.text for it in parsed.facts] == ["One.", "Two."]
    assert [it.text for it in parsed.decisions] == ["Tea.", "Rye."]
    assert [it.text for it in parsed.eliminated] == ["Milk."]
    assert [it.text for it in parsed.patterns] == ["Rain."]
    assert aside == []


def test_a_fact_that_disagrees_stays_with_its_own_reason() -> None:
    base = "- It opens at nine.\n"
    ours = "- It opens at ten.\n  - **Why:** the baker sleeps\n"
    theirs = "- It opens at eleven.\n  - **Why:** the bus\n"
    text, (note,) = joined("notes/a.md", base, ours, theirs)
    assert text == ours
    assert "    - It opens at eleven.\n      - **Why:** the bus\n" in note


_LINES = st.lists(
    st.sampled_from(("", "# Head", "- one", "- two", "  - why", "three", "- four ([[a]])", "five")),
    max_size=7,
    unique=True,
)


@st.composite
def _edited(draw: st.DrawFn, base: Sequence[str], side: str) -> list[str]:
    """Return *base* with lines reworded, taken away and added by one *side*."""
    made: list[str] = []
    for at, line in enumerate(base):
        what = draw(st.sampled_from(("keep", "keep", "reword", "remove", "add")))
        if what == "add":
            made.append(f"{draw(st.sampled_from(('- ', '', '## ')))}{side}new{at}")
        if what == "reword":
            made.append(f"{line} {side}{at}")
        elif what != "remove":
            made.append(line)
    return made


@given(st.data())
def test_no_word_of_either_side_is_lost_whoever_merges(data: st.DataObject) -> None:
    base = data.draw(_LINES)
    ours, theirs = (data.draw(_edited(base, side)) for side in ("ours", "theirs"))
    texts = ["".join(f"{line}\n" for line in lines) for lines in (base, ours, theirs)]
    one = line_merge.merge(texts[0], texts[1], texts[2])
    other = line_merge.merge(texts[0], texts[2], texts[1])
    was, mine, yours = (Counter(text.split()) for text in texts)
    for made in (one, other):
        told = [it.ours + it.theirs for it in made.conflicts]
        kept = {*" ".join((made.text, *told)).split()}
        assert {*mine, *yours} - {*was} <= kept
        assert {*" ".join({*ours} & {*theirs}).split()} <= kept
    assert conflict_note.note("a.md", one.conflicts) == conflict_note.note("a.md", other.conflicts)
    if not one.conflicts:
        assert {*one.text.split()} == {*other.text.split()}


@given(_LINES, _LINES)
def test_what_one_side_alone_changed_is_taken_as_it_is(base: list[str], now: list[str]) -> None:
    was, text = ("".join(f"{line}\n" for line in lines) for lines in (base, now))
    assert line_merge.merge(was, was, text).text == text
    assert line_merge.merge(was, text, was).text == text
    assert line_merge.merge(was, text, text).text == text


def test_what_both_add_in_one_place_stands_one_below_the_other() -> None:
    text, lost = joined("notes/a.md", "# List\n- a\n", "# List\n- a\n- b\n", "# List\n- a\n- c\n")
    assert (text, lost) == ("# List\n- a\n- b\n- c\n", [])


WEEK = "state: {}\n\n## Monday\n\n- milk\n{}\n## Tuesday\n\n- bread\n{}"


def test_a_bullet_that_each_side_added_to_another_list_stands_in_both() -> None:
    base, plants = WEEK.format("draft", "", ""), "- water the plants\n"
    ours, theirs = WEEK.format("final", plants, ""), WEEK.format("sent", "", plants)
    text, (note,) = joined("notes/week.md", base, ours, theirs)
    assert text == WEEK.format("final", plants, plants)
    assert "plants" not in note


@pytest.mark.parametrize(
    ("ours", "theirs", "both"),
    [
        ("- a\n- b\n", "- b\n- c\n", "- a\n- b\n- c\n"),
        ("- a\n- a\n", "- a\n", "- a\n- a\n"),
        ("## Mon\n- a\n## Tue\n", "## Mon\n## Tue\n- a\n", "## Mon\n- a\n## Tue\n- a\n"),
        ("## Mon\n- a\n", "## Tue\n- a\n", "## Mon\n- a\n## Tue\n- a\n"),
        ("Mon:\n- a\nTue:\n", "Mon:\n- b\n", "Mon:\n- a\n- b\nTue:\n"),
        ("Tea?\nyes\n", "Milk?\nyes\n", "Tea?\nyes\nMilk?\nyes\n"),
        ("- a\nwhich is late\n", "- b\nwhich is late\n",
         "- a\n- b\nwhich is late\nwhich is late\n"),
        ("One.\n\nTwo.\n", "One.\n\nThree.\n", "One.\n\nTwo.\n\nThree.\n"),
        ("```\na\n```\n", "```\nb\n```\n", "```\na\n```\n```\nb\n```\n"),
        ("# A\n## Todo\n- a\n# B\n## Todo\n- b\n", "# B\n## Todo\n- c\n# A\n",
         "# A\n## Todo\n- a\n# B\n## Todo\n- b\n- c\n"),
    ],
)  # fmt: skip
def test_what_both_add_in_one_place_is_said_once_only_where_it_says_the_same(
    ours: str, theirs: str, both: str
) -> None:
    base = "x {}\n"
    text, _ = joined("notes/a.md", base, base.format(1) + ours, base.format(2) + theirs)
    assert text == base.format(1) + both


def test_what_one_side_added_stands_as_it_wrote_it_beside_a_conflict() -> None:
    plan = "x {}\n# A\n## Todo\n- a\n# B\n## Todo\n- b\n"
    text, _ = joined("notes/a.md", "x\n", "x 1\n", plan.format(2))
    assert text == plan.format(1)


_ADDED = st.lists(
    st.sampled_from(("", "# A", "## B", "- a", "- b", "1. a", "yes", "no", "```", "| a |")),
    max_size=5,
)


@given(st.tuples(*[st.tuples(_ADDED, _ADDED, _ADDED)] * 2))
def test_each_line_is_there_as_often_as_either_side_added_it_in_one_place(
    both: tuple[tuple[list[str], ...], ...],
) -> None:
    base = ["The first.", "The second."]
    texts = ["".join(f"{line}\n" for line in (*a, base[0], *b, base[1], *c)) for a, b, c in both]
    made = line_merge.merge("".join(f"{line}\n" for line in base), texts[0], texts[1])
    assert made.conflicts == []
    expected = Counter(base)
    for own, other in zip(*both, strict=True):
        expected += Counter(own) | Counter(other)
    del expected[""]
    assert not expected - Counter(made.text.splitlines())


def test_of_two_times_the_later_holds_and_nobody_is_asked() -> None:
    base = HEAD.format(type="note", at="2026-11-01") + "Body.\n"
    ours = base.replace("2026-11-01", "2026-11-03").replace("Body.", "Body.\n\nOurs.")
    theirs = base.replace("2026-11-01", "2026-11-02")
    text, lost = joined("notes/a.md", base, ours, theirs)
    assert "updated: 2026-11-03\n" in text
    assert text.endswith("Body.\n\nOurs.\n")
    assert lost == []


def test_prose_that_only_theirs_has_is_never_dropped() -> None:
    base = HEAD.format(type="topic", at="x") + "Mind the gap.\n\n## Facts\n- One\n"
    ours, theirs = base.replace("the gap", "the step"), base.replace("the gap", "the dog")
    text, lost = joined("topics/oven.md", base, ours, theirs)
    assert "Mind the step." in text
    assert [it for it in lost if "Mind the dog." in it]


def test_one_topic_made_twice_has_the_facts_of_both() -> None:
    one = HEAD.format(type="topic", at="x") + "## Facts\n- One ([[a]])\n"
    two = one.replace("- One ([[a]])", "- Two ([[b]])").replace("01KAFZ", "01KAFA")
    page = markdown_merge.join("topics/shared.md", Versions(None, one.encode(), two.encode()))
    text = page.data.decode()
    assert "- One ([[a]])\n- Two ([[b]])\n" in text
    assert "id: 01KAFA" in text, "the lower id stays"
    assert page.aside == ()


def test_a_comment_in_frontmatter_that_only_theirs_has_waits() -> None:
    base = HEAD.format(type="note", at="2026-11-01") + "Body.\n"
    ours = base.replace("type: note\n", "type: note\nmood: calm\n")
    theirs = base.replace("type: note\n", "type: note\n# Ask Mara first.\n")
    text, (note,) = joined("notes/a.md", base, ours, theirs)
    assert "mood: calm\n" in text
    assert "    # Ask Mara first.\n" in note
    assert joined("notes/a.md", base, theirs, ours) == (
        theirs.replace("2026-11-01\n", "2026-11-01\nmood: calm\n"), []
    )  # fmt: skip


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        ("tags: [a]", 'tags: [a, "issue #5"]', 'tags: [a, "issue #6"]'),
        ("tags: [a]", "tags:\n  - a\n  - 'no #1'", "tags:\n  - a\n  - 'no #2'"),
        ("tags: [a] # mine", "tags: [a, b] # mine", "tags: [a, c] # mine"),
        ("mood: calm", "mood: |\n  # One\n", "mood: |\n  # One\n\nplace: here"),
    ],
)
def test_no_comment_of_frontmatter_is_missed_where_none_is_lost(
    base: str, ours: str, theirs: str
) -> None:
    three = (HEAD.format(type=f"note\n{it}", at="2026-11-01") for it in (base, ours, theirs))
    assert joined("notes/a.md", *three)[1] == []


def test_torn_pages_are_not_mixed() -> None:
    torn = b"---\ntype: note\nno end"
    page = markdown_merge.join("notes/a.md", Versions(b"Sound\n", b"Sound, ours\n", torn))
    assert (page.data, page.aside) == (b"Sound, ours\n", (torn,))


def test_a_summary_is_theirs_with_the_lines_that_people_wrote_into_ours() -> None:
    head = "---\ntype: summary\ntier: recent\nwritten: {w}\n---\n"
    ours = head.format(w="0000000000") + "By hand.\n"
    theirs = head.format(w=human_lines.digest("By us.")) + "By us.\n"
    data = markdown_merge.join(
        "agents/ada/summaries/recent-1.md", Versions(b"x", ours.encode(), theirs.encode())
    ).data.decode()
    assert data.endswith("---\nBy hand.\nBy us.\n")


SUMMARY = "agents/ada/summaries/recent-1.md"


def test_a_key_that_a_person_gave_a_summary_outlives_theirs() -> None:
    base = "---\ntype: summary\nmodel: a\n---\nText.\n"
    ours = base.replace("model: a\n", "model: a\nmood: calm\n")
    theirs = base.replace("model: a", "model: b")
    assert joined(SUMMARY, base, ours, theirs)[0] == theirs.replace("b\n", "b\nmood: calm\n")
    grey = ours.replace("calm", "grey")
    assert [it for it in joined(SUMMARY, base, ours, grey)[1] if "calm" in it and "grey" in it]


@pytest.mark.parametrize("flip", [False, True])
def test_of_two_summaries_the_one_that_is_torn_waits(*, flip: bool) -> None:
    sound, torn = "---\ntype: summary\n---\nText.\n", "---\ntype: summary\nBy hand.\n"
    sides = (torn, sound) if flip else (sound, torn)
    assert joined(SUMMARY, sound, *sides) == (sound, [torn])


def test_a_note_in_a_folder_that_is_called_summaries_is_a_note() -> None:
    base = "One.\n\nTwo.\n"
    ours, theirs = base.replace("One", "1"), base.replace("Two", "2")
    assert joined("notes/summaries/a.md", base, ours, theirs) == ("1.\n\n2.\n", [])


# --- keys -------------------------------------------------------------------------------------


def test_lists_take_what_is_new_on_either_side_and_lose_what_is_gone_from_one() -> None:
    assert frontmatter_merge.listed(["a", "b", "c"], ["a", "b", "x"], ["b", "c", "y"]) == [
        "b",
        "x",
        "y",
    ]


def test_of_two_words_on_a_task_ours_stays_and_theirs_is_shown() -> None:
    made = frontmatter_merge.merge(
        {"status": "pending"}, {"status": "in_progress"}, {"status": "completed"}
    )
    assert made.head["status"] == "in_progress"
    assert made.conflicts == [
        Conflict("Frontmatter: status", "status: pending\n", "status: in_progress\n",
                 "status: completed\n"),
    ]  # fmt: skip


@pytest.mark.parametrize("at", [("2026-11-03", "2026-11-02"), ("2026-11-02", "2026-11-03")])
def test_how_a_task_stands_is_as_one_side_says_whole_the_later_and_the_other_is_shown(
    at: tuple[str, str],
) -> None:
    base, done = {"type": "task", "status": "pending"}, {"status": "completed", "result": "80 cm"}
    ours, theirs = {**base, **done, "updated": at[0]}, {**base, "result": "90", "updated": at[1]}
    made = frontmatter_merge.merge(base, ours, theirs)
    later = ours if at[0] > at[1] else theirs
    assert made.head == {**later, "updated": "2026-11-03"}
    assert {(it.where, it.ours, it.theirs) for it in made.conflicts} == {
        ("Frontmatter: status", "status: completed\n", "status: pending\n"),
        ("Frontmatter: result", "result: 80 cm\n", 'result: "90"\n'),
    }


def test_what_two_sides_say_of_a_task_and_is_no_contradiction_holds_of_both() -> None:
    base = {"type": "task", "status": "in_progress", "subject": "Oven"}
    ours, theirs = {**base, "result": "80 cm"}, {**base, "status": "completed", "subject": "Ovens"}
    made = frontmatter_merge.merge(base, ours, theirs)
    assert made.head == {**theirs, "result": "80 cm"}
    assert not made.conflicts


def test_of_two_claims_on_a_fact_the_later_one_holds_and_the_other_side_is_shown() -> None:
    base = {"tea": "green", "claims": ["tea: user 2026-11-01T00:00:00Z aaaaaaaa"]}
    ours = {"tea": "black", "claims": ["tea: user 2026-11-02T00:00:00Z bbbbbbbb"]}
    theirs = {"tea": "white", "claims": ["tea: user 2026-11-03T00:00:00Z cccccccc"]}
    made = frontmatter_merge.merge(base, ours, theirs)  # type: ignore[arg-type]  # dict is invariant
    assert made.head == {"tea": "white", "claims": theirs["claims"]}
    assert [(it.ours, it.theirs) for it in made.conflicts] == [("tea: black\n", "tea: white\n")]


def test_a_list_of_a_card_that_both_added_to_is_claimed_by_both() -> None:
    ours = {"likes": ["tea", "rye"], "claims": ["likes: user 2026-11-02T00:00:00Z bbbbbbbb"]}
    theirs = {"likes": ["tea", "jam"], "claims": ["likes: agent 2026-11-03T00:00:00Z cccccccc"]}
    made = frontmatter_merge.merge({"likes": ["tea"]}, ours, theirs)  # type: ignore[arg-type]  # likewise
    said = digest(("tea", "rye", "jam"))
    assert made.head["likes"] == ["tea", "rye", "jam"]
    assert made.head["claims"] == [f"likes: user+agent 2026-11-03T00:00:00Z {said}"]


# --- turns ------------------------------------------------------------------------------------


def talk(*said: str, start: int = 1, origin: str = "") -> bytes:
    """Return the lines of a transcript."""
    each = ({"turn": n, "session": "s", "role": "user", "content": text}
            | ({"origin": f"{origin}/{text}"} if origin else {})
            for n, text in enumerate(said, start))  # fmt: skip
    return b"".join(json.dumps(it).encode() + b"\n" for it in each)


def known(*forgotten: str) -> Tombstones:
    """Return the tombstones of the texts that were *forgotten*."""
    digests = (tombstone_digests.digests(text, "00") for text in forgotten)
    return Tombstones(tuple(Tombstone("", "", "00", it) for it in digests))


def woven(
    base: bytes, ours: bytes, theirs: bytes, *forgotten: str
) -> tuple[MergedTranscript, list[tuple[int, str]]]:
    """Return what comes of two transcripts, and its turns by number."""
    made = transcript_merge.merge(Versions(base, ours, theirs), known(*forgotten))
    said = [json.loads(line) for line in made.data.splitlines()]
    assert [it["turn"] for it in said] == list(range(1, len(said) + 1))
    return made, [(it["turn"], it["content"]) for it in said]


def test_what_is_published_keeps_its_numbers_and_ours_follows() -> None:
    base = talk("a", "b")
    made, said = woven(base, base + talk("c", "d", start=3), base + talk("x", start=3))
    assert said == [(1, "a"), (2, "b"), (3, "x"), (4, "c"), (5, "d")]
    assert (made.span(3, 4), made.span(2, 3), made.span(1, 2)) == ((4, 5), None, (1, 2))


def test_a_turn_that_was_forgotten_on_one_side_is_forgotten() -> None:
    base, gone = talk("a", "b"), talk("[forgotten]", "b")
    assert woven(base, gone, base + talk("c", start=3))[1][0] == (1, "[forgotten]")
    assert woven(base, base + talk("c", start=3), gone)[1][0] == (1, "[forgotten]")


def test_one_talk_imported_on_both_machines_is_told_once() -> None:
    ours, theirs = talk("a", "b", origin="chat"), talk("a", origin="chat")
    assert woven(b"", ours, theirs)[1] == [(1, "a"), (2, "b")]


def turn(n: int, content: str, origin: str = "", at: str = "2026-11-01T10:00:00Z") -> bytes:
    """Return one line of a transcript."""
    said = {"turn": n, "role": "user", "at": at} | ({"origin": origin} if origin else {})
    return json.dumps(said | {"content": content}).encode() + b"\n"


def test_of_two_talks_whose_messages_bear_one_origin_every_word_is_told() -> None:
    theirs = turn(1, "The landlord is Mr Okafor.", "chat/1") + turn(2, "yes", "chat/2")
    ours = turn(1, "Sarah is allergic to hazelnuts.", "chat/1", later := "2026-11-02T10:00:00Z")
    ours += turn(2, "yes", "chat/2", later)
    made, said = woven(b"", ours, theirs)
    assert [text for _, text in said[2:]] == ["Sarah is allergic to hazelnuts.", "yes"]
    assert made.span(1, 2) == (3, 4)
    origins = [json.loads(line)["origin"] for line in made.data.splitlines()]
    assert len({*origins}) == len(origins)


def test_a_talk_whose_messages_have_no_times_has_those_of_its_import_and_is_told_once() -> None:
    theirs = turn(1, "a", "chat/1") + turn(2, "b", "chat/2")
    ours = theirs.replace(b"10:00", b"11:00") + turn(3, "c", "chat/3")
    assert woven(b"", ours, theirs)[1] == [(1, "a"), (2, "b"), (3, "c")]


def test_a_message_of_two_parts_that_say_the_same_has_both() -> None:
    once, twice = (b"".join(turn(n + 1, "ok", "chat/1") for n in range(m)) for m in (1, 2))
    assert woven(b"", twice, once)[1] == woven(b"", once, twice)[1] == [(1, "ok"), (2, "ok")]


@pytest.mark.parametrize("flip", [False, True])
def test_a_message_that_both_imported_and_one_forgot_is_forgotten(*, flip: bool) -> None:
    said, gone = turn(1, "The code is 4711.", "chat/1"), turn(1, "[forgotten]", "chat/1")
    sides = (said, gone) if flip else (gone, said)
    made, told = woven(b"", *sides, "The code is 4711.")
    assert (told, made.forgotten) == ([(1, "[forgotten]")], ((1, said.rstrip()),))


@pytest.mark.parametrize("flip", [False, True])
def test_a_message_of_which_one_forgot_a_part_is_there_once_without_it(*, flip: bool) -> None:
    whole = turn(1, "Hello. The code is 4711. Bye.", "chat/1")
    less = turn(1, "Hello. [forgotten] Bye.", "chat/1")
    sides = (whole, less) if flip else (less, whole)
    made, told = woven(b"", *sides, "The code is 4711.")
    assert (told, made.forgotten) == ([(1, "Hello. [forgotten] Bye.")], ())


@pytest.mark.parametrize("base", [b"", turn(1, "A. B. C.", "chat/1")])
def test_of_a_message_nothing_stays_that_either_side_forgot(base: bytes) -> None:
    ours, theirs = turn(1, "[forgotten] B. C.", "chat/1"), turn(1, "A. B. [forgotten]", "chat/1")
    made, told = woven(base, ours, theirs, "A.", "C.")
    assert (told, made.conflicts) == ([(1, "[forgotten] B. [forgotten]")], ())


def test_what_says_something_else_beside_what_was_forgotten_is_another_message() -> None:
    ours, theirs = turn(1, "I am Mara. [forgotten]", "chat/1"), turn(1, "I am Tom. Hi.", "chat/1")
    assert len(woven(b"", ours, theirs)[1]) == len(woven(b"", theirs, ours)[1]) == 2


SAFE = "The safe in Graz opens with the number four."
PLUMBER = "The plumber comes on Monday at nine with Ottokar."


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("origin", ["", "chat/1"])
@pytest.mark.parametrize("more", ["", " Thanks a lot."])
def test_another_turn_of_the_moment_or_the_origin_of_a_forgotten_one_stays(
    origin: str, more: str, *, flip: bool
) -> None:
    """A mark stands for the words that a tombstone knows, wherever they stood."""
    gone, whole = turn(1, f"[forgotten]{more}", origin), turn(1, f"{PLUMBER}{more}", origin)
    sides = (whole, gone) if flip else (gone, whole)
    made, told = woven(b"", *sides, SAFE)
    assert sorted(text for _, text in told) == sorted([f"[forgotten]{more}", f"{PLUMBER}{more}"])
    assert made.forgotten == ()


@pytest.mark.parametrize("flip", [False, True])
def test_of_another_turn_of_the_moment_nothing_stays_that_the_other_side_forgot(
    *, flip: bool
) -> None:
    gone, whole = turn(1, "[forgotten] Bye."), turn(1, f"{PLUMBER} {SAFE}")
    told = woven(b"", *((whole, gone) if flip else (gone, whole)), SAFE)[1]
    assert sorted(text for _, text in told) == [f"{PLUMBER} [forgotten]", "[forgotten] Bye."]


def test_two_talks_of_which_one_forgot_a_message_keep_what_both_say() -> None:
    theirs = turn(1, "[forgotten]", "chat/1") + turn(2, "yes", "chat/2")
    ours = turn(1, PLUMBER, "chat/1", later := "2026-11-02T10:00:00Z")
    ours += turn(2, "yes", "chat/2", later)
    assert len(woven(b"", ours, theirs, SAFE)[1]) == len(woven(b"", theirs, ours, SAFE)[1]) == 4


def test_live_turns_that_came_to_both_on_two_ways_are_told_once() -> None:
    """Two of one second and the same words that one side has stay two."""
    base, later = turn(1, "a"), "2026-11-01T10:00:05Z"
    ours = base + turn(2, "yes") + turn(3, "yes") + turn(4, "b", at=later)
    theirs = base + turn(2, "yes") + turn(3, "yes", at=later)
    told = woven(base, ours, theirs)[1]
    assert [text for _, text in told] == ["a", "yes", "yes", "yes", "b"]
    assert len(woven(base, ours, ours + turn(5, "c"))[1]) == 5


def test_turns_that_each_side_has_under_other_numbers_are_told_once() -> None:
    """Each merged what the other said since: one of both heads is called the common past."""
    times = (f"2026-11-01T10:00:0{n}Z" for n in range(1, 4))
    said = dict(zip("abc", times, strict=True))
    one, other = (b"".join(turn(n, it, at=said[it]) for n, it in enumerate(order, 1))
                  for order in ("abc", "bca"))  # fmt: skip
    for base in (turn(1, "a", at=said["a"]), turn(1, "b", at=said["b"])):
        for ours, theirs in ((one, other), (other, one)):
            assert sorted(text for _, text in woven(base, ours, theirs)[1]) == ["a", "b", "c"]


@pytest.mark.parametrize("flip", [False, True])
def test_a_live_turn_that_came_to_both_on_two_ways_and_one_forgot_is_forgotten(
    *, flip: bool
) -> None:
    whole, less = turn(1, "K") + turn(2, "L"), turn(1, "[forgotten]") + turn(2, "L")
    made, told = woven(b"", *((whole, less) if flip else (less, whole)), "K")
    assert (told, len(made.forgotten)) == ([(1, "[forgotten]"), (2, "L")], 1)


def test_what_was_said_at_the_moment_of_what_the_other_side_forgot_stays() -> None:
    ours = turn(1, "x", at="2026-11-01T09:00:00Z") + turn(2, "a")
    told = woven(b"", ours, turn(1, "[forgotten]"))[1]
    assert {"x", "a"} < {text for _, text in told}


def test_a_turn_that_was_mended_on_both_sides_waits_in_both_versions() -> None:
    base, ours, theirs = (turn(1, it) for it in ("a", "b", "c"))
    made, said = woven(base, ours, theirs)
    assert said == [(1, "b")]
    assert [(it.where, it.theirs) for it in made.conflicts] == [
        ("Turn 1", theirs.decode().rstrip("\n"))
    ]
    assert woven(base, turn(1, "[forgotten]"), theirs)[0].conflicts == ()


_TURNS = st.lists(
    st.tuples(st.sampled_from(("yes", "no", "tea")), st.sampled_from(("", "s/1", "s/2")),
              st.sampled_from(("2026-11-01T10:00:00Z", "2026-11-02T10:00:00Z"))),
    max_size=4,
)  # fmt: skip


@given(st.tuples(_TURNS, _TURNS, _TURNS))
def test_no_turn_of_either_side_is_swallowed(three: tuple[list[tuple[str, str, str]], ...]) -> None:
    base, mine, yours = three
    whole = [base, [*base, *mine], [*base, *yours]]
    texts = [b"".join(turn(n, *it) for n, it in enumerate(each, 1)) for each in whole]
    said = Counter(text for _, text in woven(texts[0], texts[1], texts[2])[1])
    for each in whole:
        assert not Counter(text for text, *_ in each) - said
    here, there = (Counter(it for it in each if not it[1]) for each in (mine, yours))
    assert said.total() >= len(base) + (here | there).total()


def test_a_crowd_of_turns_that_bear_one_origin_is_merged_soon() -> None:
    ours, theirs = (b"".join(turn(n, f"{it} {n}", "s/1") for n in range(1, 2001)) for it in "ab")
    assert len(woven(b"", ours, theirs)[1]) == len((ours + theirs).splitlines())


def test_a_line_that_cannot_be_read_stays() -> None:
    made = transcript_merge.merge(Versions(b"", b"no json\n", talk("x")), Tombstones())
    assert made.data == talk("x") + b"no json\n"


# --- item logs --------------------------------------------------------------------------------


LOG = "agents/ada/sessions/items/chat.jsonl"
CLEARED, TAKEN_BACK = ({"mark": mark} for mark in ("cleared", "taken back"))


def log(*lines: object) -> bytes:
    """Return an item log: a text is an item that says it, all else a line as it is."""
    said = ({"item": {"content": it}} if isinstance(it, str) else it for it in lines)
    return b"".join(json.dumps(it).encode() + b"\n" for it in said)


def held(base: bytes, ours: bytes, theirs: bytes) -> list[object]:
    """Return what the items say that a log holds, to which both sides added."""
    page = item_log_merge.merge(LOG, Versions(base, base + ours, base + theirs))
    assert page.aside == ()
    return [item["content"] for item in item_logs.parse(page.data)]


def test_an_answer_that_an_item_log_has_already_is_there_again() -> None:
    base, ours = log("Order the Ferro?", "yes"), log("Now the Calda?", "yes", "The old one?", "no")
    assert held(base, ours, log("On the train.")) == [
        "Order the Ferro?", "yes", "On the train.", "Now the Calda?", "yes", "The old one?", "no",
    ]  # fmt: skip
    assert held(b"", log("yes"), log("yes")) == ["yes", "yes"]


@pytest.mark.parametrize(
    ("ours", "theirs", "left"),
    [
        (log(CLEARED), log("c"), ["c"]),
        (log("c"), log(CLEARED), ["c"]),
        (log("d", CLEARED, "e"), log("c"), ["c", "e"]),
        (log(TAKEN_BACK), log("c"), ["a", "c"]),
        (log("d", TAKEN_BACK), log("c"), ["a", "b", "c"]),
        (log(TAKEN_BACK), log(TAKEN_BACK, "c"), ["a", "c"]),
        (log(TAKEN_BACK, TAKEN_BACK, "d"), log(TAKEN_BACK, "c"), ["c", "d"]),
        (log(TAKEN_BACK, "d"), log(CLEARED, "c"), ["c", "d"]),
    ],
)
def test_a_mark_takes_what_was_there_when_it_was_made(
    ours: bytes, theirs: bytes, left: list[str]
) -> None:
    assert held(log("a", "b"), ours, theirs) == left


@given(st.tuples(*[st.lists(st.sampled_from(("item", CLEARED, TAKEN_BACK)), max_size=7)] * 3))
def test_no_item_is_swallowed_and_each_mark_means_what_it_meant(
    three: tuple[list[object], ...],
) -> None:
    count = iter(range(99))
    base, *added = (log(*(f"{next(count)}" if x == "item" else x for x in it)) for it in three)
    was, ours, theirs = (item_logs.parse(x) for x in (base, base + added[0], base + added[1]))
    data = item_log_merge.merge(LOG, Versions(base, base + added[0], base + added[1])).data
    assert item_logs.parse(data) == [
        *(it for it in was if it in ours and it in theirs),
        *(it for it in theirs if it not in was),
        *(it for it in ours if it not in was),
    ]
    every = [it for x in (base, *added) for _, it in item_logs.numbered(x)]
    assert sorted(map(str, every)) == sorted(str(it) for _, it in item_logs.numbered(data))


def test_an_item_that_a_framework_names_is_there_once() -> None:
    own = log({"item": {"uuid": "1", "content": "a"}})
    assert held(b"", own + log("b"), own) == ["a", "b"]


@pytest.mark.parametrize("flip", [False, True])
def test_of_an_item_everything_stays_forgotten_that_either_side_forgot(*, flip: bool) -> None:
    base, gone = log({"item": {"content": ["4711", "door"]}}), "[forgotten]"
    one, other = (log({"item": {"content": it}}) for it in ([gone, "door"], ["4711", gone]))
    sides = Versions(base, *((other, one) if flip else (one, other)))
    page = item_log_merge.merge(LOG, sides)
    assert (item_logs.parse(page.data), page.aside) == ([{"content": [gone, gone]}], ())
    assert item_log_merge.merge(LOG, Versions(base, base + log("c"), one)).data.startswith(one)


def test_an_item_that_was_mended_on_both_sides_waits_in_both_versions() -> None:
    page = item_log_merge.merge(LOG, Versions(log("a"), log("b"), log("c")))
    assert page.data == log("b")
    (note,) = page.aside
    assert all(f'"content": "{it}"' in note.decode() for it in "abc")


# --- trees ------------------------------------------------------------------------------------


def merged(**paths: tuple[str | None, str | None, str | None]) -> dict[str, str | None]:
    """Return what *paths*, whose dots are slashes, become."""
    sides = {
        path.replace("__", "/") + ".md": Versions(*(x and x.encode() for x in three))  # type: ignore[arg-type]  # None stays None
        for path, three in paths.items()
    }
    made = merge_plan.merge(sides, sides.keys(), sides.keys())
    return {path: data and data.decode() for path, data in made.files.items()}  # type: ignore[misc]  # likewise


def test_what_is_changed_outlives_what_is_deleted() -> None:
    assert merged(notes__a=("old\n", None, "new\n")) == {"notes/a.md": "new\n"}
    assert merged(notes__a=("old\n", "new\n", None)) == {"notes/a.md": "new\n"}


def test_what_is_forgotten_does_not() -> None:
    memory = "---\nid: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZM\ntype: memory\n---\nOld.\n"
    made = merged(
        agents__ada__memories__a=(memory, memory + "New.\n", None),
        tombstones__01KAFZ6Q6Y3J6V8B7N6W7Q3KZM=(None, None, "---\ntype: tombstone\n---\n"),
    )
    assert made["agents/ada/memories/a.md"] is None


STONE = "---\nid: {id}\ntype: tombstone\nhash:\n{hash}salt: {salt}\n---\nForgotten.\n"
ID = "01KAFZ6Q6Y3J6V8B7N6W7Q3KZM"
SALT = "aa" * 16


def stone(*texts: str) -> str:
    """Return the tombstone of *texts*."""
    hashes = "".join(f"  - {tombstone_digests.digest(text, SALT)}\n" for text in texts)
    return STONE.format(id=ID, hash=hashes, salt=SALT)


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("head", ["", f"---\nid: {ID}\ntype: note\n---\n"])
def test_a_tombstone_is_no_rename(flip: bool, head: str) -> None:  # noqa: FBT001
    base, edited, grave = f"{head}Secret.\n", f"{head}Secret.\n\nMore secret.\n", stone("Secret.")
    here, there = (None, edited) if flip else (edited, None)
    own, other = (grave, None) if flip else (None, grave)
    paths = {"notes__a": (base, here, there), f"tombstones__{ID}": (None, own, other)}
    assert merged(**paths) == {"notes/a.md": None, f"tombstones/{ID}.md": grave}


def test_what_was_forgotten_goes_wherever_the_other_side_moved_it() -> None:
    base, moved = "A secret.\n", "A SECRET.\n"
    known = f"---\nid: {ID}\n---\nAlso.\n"
    made = merged(
        notes__a=(base, None, None),
        notes__b=(None, moved, None),
        notes__c=(None, known, None),
        notes__d=(None, "Another.\n", None),
        **{f"tombstones__{ID}": (None, None, stone("A secret."))},
    )
    assert {path for path, text in made.items() if text and path.startswith("notes")} == {
        "notes/d.md"
    }


def test_what_was_forgotten_is_known_where_it_was_moved_and_written_into() -> None:
    words = "The cat of Ada is called Quillfeather."
    grave = stone(words).replace(
        "salt:", f"parts:\n  - {tombstone_digests.part(words, SALT)}\nsalt:"
    )
    made = merged(
        notes__a=(f"{words}\n", None, None),
        notes__b=(None, f"{words}\n\nAnd she is old.\n", None),
        **{f"tombstones__{ID}": (None, None, grave)},
    )
    assert made["notes/b.md"] is None


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("head", ["", f"---\nid: {ID}\ntype: memory\n---\n"])
def test_a_person_s_note_that_says_a_forgotten_sentence_stays(head: str, *, flip: bool) -> None:
    """Also where that person took away by hand what the other side forgot."""
    words = "The cat of Ada is called Quillfeather."
    grave = stone(words).replace(
        "salt:", f"parts:\n  - {tombstone_digests.part(words, SALT)}\nsalt:"
    )
    diary = f"# My diary\n\n{words}\n\nMara is pregnant.\n\nThe safe is behind the painting.\n"
    mine = {"notes__diary": (None, None, diary) if flip else (None, diary, None)}
    theirs = {f"tombstones__{ID}": (None, grave, None) if flip else (None, None, grave)}
    made = merged(notes__a=(f"{head}{words}\n", None, None), **mine, **theirs)
    assert made["notes/diary.md"] == diary


def test_of_two_files_with_one_id_the_one_that_was_kept_stays() -> None:
    twin = f"---\nid: {ID}\n---\nSecret.\n"
    made = merged(
        notes__a=(twin, twin, None),
        notes__b=(twin, f"{twin}\nMore.\n", twin),
        **{f"tombstones__{ID}": (None, None, stone("Secret."))},
    )
    assert (made["notes/a.md"], made["notes/b.md"]) == (None, f"{twin}\nMore.\n")


def test_what_was_written_anew_where_it_was_forgotten_stays() -> None:
    made = merged(
        notes__a=("Secret.\n", "Secret.\n\nMore.\n", "Another.\n"),
        **{f"tombstones__{ID}": (None, None, stone("Secret."))},
    )
    assert made["notes/a.md"] == "Another.\n"


def test_two_tombstones_of_one_thing_know_what_either_knew() -> None:
    made = merged(**{f"tombstones__{ID}": (None, stone("One."), stone("Two."))})
    (grave,) = made.values()
    assert grave is not None
    assert all(tombstone_digests.digest(text, SALT) in grave for text in ("One.", "Two."))


def test_links_to_our_task_go_where_it_goes() -> None:
    task = "---\nid: {}\ntype: task\nsubject: {}\n---\n"
    paths = {
        "tasks/task-0001.md": (None, task.format(1, "ours"), task.format(2, "theirs")),
        "notes/own.md": (None, "See [[task-0001]] and [[task-0001|it]].\n", None),
        "notes/theirs.md": (None, None, "See [[task-0001]].\n"),
        "agents/ada/working.md": (None, "---\ntype: working\ntask: 1\n---\nGoal.\n", None),
    }
    sides = {p: Versions(*(x and x.encode() for x in three)) for p, three in paths.items()}  # type: ignore[arg-type]  # None stays None
    made = merge_plan.merge(sides, sides, sides)
    assert made.files["notes/own.md"] == b"See [[task-0002]] and [[task-0002|it]].\n"
    assert made.files["notes/theirs.md"] == b"See [[task-0001]].\n"
    assert b"\ntask: task-0002\n" in (made.files["agents/ada/working.md"] or b"")
    assert made.notices == [
        (
            "our task-0001 is task-0002 now: theirs has that number; "
            "links to it went along in agents/ada/working.md, notes/own.md"
        )
    ]


def test_two_tasks_by_hand_with_one_number_are_two() -> None:
    made = merged(**{"tasks__task-0001": (None, "# Ours\n", "# Theirs\n")})
    assert made == {"tasks/task-0001.md": "# Theirs\n", "tasks/task-0002.md": "# Ours\n"}


def test_what_two_machines_dreamt_on_one_day_is_two_notes() -> None:
    note = "---\ntype: dream\nid: 01KAF{}6Q6Y3J6V8B7N6W7Q3KZM\n---\n- [x] `00c56ee8` card\n"
    paths = {
        "inbox/dream-2026-11-20.md": (None, note.format("A").encode(), note.format("B").encode())
    }
    made = merge_plan.merge({p: Versions(*three) for p, three in paths.items()}, paths, paths)
    assert sorted(filter(None, made.files.values())) == [note.format(it).encode() for it in "AB"]
    assert made.aside == []


def test_two_episodes_with_one_name_are_two_and_links_to_ours_go_along() -> None:
    episode = "---\nid: 01KAF{}6Q6Y3J6V8B7N6W7Q3KZM\ntype: episode\nsession: {}\n---\nTea.\n"
    folder = "agents/ada/episodes"
    paths = {
        f"{folder}/episode-0001-tea.md": (None, episode.format("A", "x"), episode.format("B", "y")),
        f"{folder}/episode-0002-oven.md": (None, None, episode.format("C", "z")),
        "topics/tea.md": (None, f"- Tea ([[{folder}/episode-0001-tea]])\n", None),
    }
    sides = {p: Versions(*(x and x.encode() for x in three)) for p, three in paths.items()}  # type: ignore[arg-type]  # None stays None
    made = merge_plan.merge(sides, sides, sides)
    assert made.aside == []
    assert b"session: y" in (made.files[f"{folder}/episode-0001-tea.md"] or b"")
    assert b"session: x" in (made.files[f"{folder}/episode-0003-tea.md"] or b"")
    assert b"episode-0003-tea]]" in (made.files["topics/tea.md"] or b"")


def test_of_two_tasks_with_one_number_ours_gets_another() -> None:
    task = "---\nid: {}\ntype: task\nsubject: {}\n---\n"
    waits = '---\nid: 3\ntype: task\nblocked_by:\n  - "[[task-0001]]"\n---\n'
    made = merged(
        **{
            "tasks__task-0001": (None, task.format(1, "ours"), task.format(2, "theirs")),
            "tasks__task-0002": (None, waits, None),
        }
    )
    assert made["tasks/task-0001.md"] == task.format(2, "theirs")
    assert made["tasks/task-0003.md"] == task.format(1, "ours")
    assert "[[task-0003]]" in (made["tasks/task-0002.md"] or "")


def test_a_note_moved_here_and_changed_there_is_changed_where_it_is() -> None:
    note = "---\nid: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZM\n---\nOne.\n\nTwo.\n"
    made = merged(notes__a=(note, None, note.replace("Two", "2")), notes__b=(None, note, None))
    assert made == {"notes/a.md": None, "notes/b.md": note.replace("Two", "2")}


@pytest.mark.parametrize("flip", [True, False])
def test_a_note_moved_to_two_places_stands_at_the_first_with_both_texts(*, flip: bool) -> None:
    note = "---\nid: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZM\n---\nOne.\n\nTwo.\n\nThree.\n"
    to_a, to_b = note.replace("One", "1"), note.replace("Three", "3")
    a, b = ((to_a, None), (None, to_b)) if flip else ((None, to_a), (to_b, None))
    made = merged(x=(note, None, None), notes__a=(None, *a), notes__b=(None, *b))
    both = to_a.replace("Three", "3")
    assert made == {"x.md": None, "notes/a.md": both, "notes/b.md": None}


TEA = "---\nid: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZM\n---\nOolong.\n\nIn the morning.\n"
BEER = "---\nid: 01KAG00000000000000000000A\n---\nNo beer for Ottokar.\n"


@pytest.mark.parametrize("beer", [BEER, "No beer for Ottokar.\n"], ids=["id", "no id"])
@pytest.mark.parametrize("flip", [True, False])
def test_a_note_moved_onto_another_one_s_name_stands_beside_it(beer: str, *, flip: bool) -> None:
    edited = TEA.replace("Oolong", "Oolong, hot")
    a, drinks = ((edited, None), (beer, TEA)) if flip else ((None, edited), (TEA, beer))
    made = merged(notes__a=(TEA, *a), notes__drinks=(None, *drinks))
    theirs, ours = (edited, beer) if flip else (beer, edited)
    assert (made.pop("notes/a.md"), made.pop("notes/drinks.md")) == (None, theirs)
    assert [*made.values()] == [ours]


@pytest.mark.parametrize("flip", [True, False])
def test_of_a_note_moved_to_two_places_neither_takes_another_one_s(*, flip: bool) -> None:
    sides = {"a": (TEA, None, None), "hot": (None, TEA, BEER), "drinks": (None, "Rye.\n", TEA)}
    three = {f"notes__{x}": (it[0], it[2], it[1]) if flip else it for x, it in sides.items()}
    texts = merged(**three).values()
    assert sorted(filter(None, texts)) == sorted((TEA, BEER, "Rye.\n"))


@pytest.mark.parametrize("flip", [True, False])
def test_what_stands_where_a_note_was_moved_from_is_no_change_of_it(*, flip: bool) -> None:
    sides = {"tea": (TEA, BEER, None), "hot": (None, TEA, TEA.replace("Oolong", "Sencha"))}
    three = {f"notes__{x}": (it[0], it[2], it[1]) if flip else it for x, it in sides.items()}
    made = merged(**three)
    assert made["notes/tea.md"] == BEER
    assert made["notes/hot.md"] in {TEA, TEA.replace("Oolong", "Sencha")}


@pytest.mark.parametrize("flip", [True, False])
def test_a_copy_of_a_note_is_not_overwritten_by_the_note_that_was_moved_there(
    *, flip: bool
) -> None:
    edited, copy = TEA.replace("Oolong", "Sencha"), f"{TEA}\nBy hand.\n"
    sides = {"tea": (TEA, edited, None), "hot": (None, copy, TEA)}
    three = {f"notes__{x}": (it[0], it[2], it[1]) if flip else it for x, it in sides.items()}
    assert merged(**three)["notes/tea.md"] == edited


def test_a_person_s_line_in_our_episode_of_turns_that_were_parted_waits() -> None:
    lines = talk("a"), talk("b", start=2), talk("x", start=2)
    head = "---\nid: {}\ntype: episode\nsession: s\nturn_range_start: 1\nturn_range_end: 2\n"
    told = head.format(ID) + f"written: {human_lines.digest('Ours.')}\n---\nOurs.\n"
    for text, waits in ((told, 0), (f"{told}By hand.\n", 1)):
        path = "agents/ada/episodes/episode-0001-tea.md"
        made = merge_plan.merge(
            {
                "agents/ada/sessions/s.jsonl": Versions(
                    lines[0], lines[0] + lines[1], lines[0] + lines[2]
                ),
                path: Versions(None, text.encode(), None),
            },
            {path},
            (),
        )
        assert made.files[path] is None
        title = "What a person wrote of turns 1 to 2 of s"
        note = f"---\ntype: conflict\ntitle: {title}\n---\nBy hand.\n"
        assert made.aside == [(path, note.encode())] * waits


_NAMES = ("notes/a.md", "notes/b.md", "notes/c.md")
_IDS = tuple(f"01KAFZ6Q6Y3J6V8B7N6W7Q3KZ{it}" for it in "ABC")


def _note(which: int, said: str) -> bytes:
    return f"---\nid: {_IDS[which]}\ntype: note\n---\n{said}\n".encode()


@pytest.mark.parametrize("is_theirs", [True, False])
@pytest.mark.parametrize("order", [(1, 0, 2), (0, 2, 1), (1, 2, 0), (2, 0, 1)])
def test_an_edit_goes_with_its_file_when_names_were_swapped(
    order: tuple[int, ...], *, is_theirs: bool
) -> None:
    base = [_note(it, "Tea.") for it in range(3)]
    swapped = [_note(it, "Tea.") for it in order]
    edited = [_note(it, "Tea at one." if it == 1 else "Tea.") for it in range(3)]
    both = (edited, swapped) if is_theirs else (swapped, edited)
    sides = dict(zip(_NAMES, map(Versions, base, *both), strict=True))
    made = merge_plan.merge(sides, _NAMES, _NAMES)
    assert made.files == {name: edited[it] for name, it in zip(_NAMES, order, strict=True)}
    assert (made.aside, made.notices) == ([], [])
