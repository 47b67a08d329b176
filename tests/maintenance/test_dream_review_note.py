"""The note a dream is reviewed in, and the plan kept beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents import frontmatter
from vaultmem.errors import BadInput
from vaultmem.maintenance.dream import inbox, review_note
from vaultmem.maintenance.dream.review_note import Done
from vaultmem.maintenance.dream.types import Dream, Edit, Gate, Kept, Lines, Make, Proposal, Remove

SWAP = (("- Milk.", "- Tea at five."), ("- Milk.",))
TWICE = Proposal(
    "merge",
    "topics/tea.md",
    "repeats what topics/kitchen.md says: tea is at five",
    (Lines("topics/tea.md", 4, *SWAP),),
)
STALE = Proposal(
    "delete", "topics/old.md", "stale", (Remove("topics/old.md", "0"),), losses=("An old fact.",)
)
MOVED = Proposal(
    "move", "MEMORY.md", "no pointer", (Make("topics/new.md", "```\n- [ ] `01234567`\n```\n"),)
)
DREAM = Dream(
    "01J5XK3M9QZ7V4T8R2N6W7Q3KZ",
    "2026-11-20T10:15:00Z",
    (TWICE, replace(STALE, protected=True), MOVED),
    ("An old fact.",),
    Gate(0.96, 0.94, 50),
    ("2 left: more than 10% of the notes would lose facts",),
)


OLD = b"An old fact.\nAnd <private>its secret</private>.\n"


def rendered(dream: Dream) -> str:
    """Return the note of *dream* in a vault with the file that would go."""
    return review_note.render(dream, {"topics/old.md": OLD}.get)


def box(text: str, proposal: Proposal) -> str:
    """Return the line with the box of *proposal*."""
    (line,) = [x for x in text.splitlines() if f"`{proposal.id}`" in x and "- [" in x]
    return line


def ticked(text: str, proposal: Proposal, mark: str = "x") -> str:
    """Return the note with a mark in the box of *proposal*."""
    line = box(text, proposal)
    return text.replace(line, line.replace("[ ]", f"[{mark}]"))


def test_a_box_that_a_person_typed_anew_counts() -> None:
    """With other blanks and without backticks; a day that reads like an id is none."""
    said = review_note.boxes(
        f"-  [x]  `{TWICE.id}` merge\n* [X] {STALE.id} delete topics/old.md\n- [x] 20261122 call\n"
    )
    assert said.ticked == said.known == {TWICE.id, STALE.id}


def test_an_id_that_stands_twice_may_be_both() -> None:
    text = ticked(rendered(DREAM), TWICE)
    said = review_note.boxes(f"{text}\n- [-] `{TWICE.id}` merge\n")
    assert said.ticked == said.declined == {TWICE.id}


def test_each_change_has_a_box_with_its_file_and_reason() -> None:
    text = rendered(DREAM)
    said = frontmatter.fields(frontmatter.parse(text))
    assert (said["type"], said["id"]) == ("dream", DREAM.id)
    assert box(text, TWICE).endswith(
        "merge topics/tea.md: repeats what topics/kitchen.md says: tea is at five"
    )
    assert "delete topics/old.md (protected): stale" in box(text, STALE)
    # What was left may be a contradiction.
    assert "3 changes: merge 1, delete 1, move 1.\n" in text
    against = replace(MOVED, contradiction=True)
    assert (
        review_note.counted([against], ["2 left"]) == "1 change: move 1; 1 contradiction among them"
    )
    none = review_note.counted(DREAM.proposals)
    assert none == "3 changes: merge 1, delete 1, move 1; no contradictions found"
    assert "Recall answers 96% of 50 probes now, 94% after." in text
    assert "## Lost for good\n\n- An old fact.\n" in text
    assert "2 left: more than 10% of the notes would lose facts" in text


def test_below_the_box_stands_what_it_would_do() -> None:
    text = rendered(DREAM)
    block = text.partition(f"`{TWICE.id}`")[2].partition("```diff\n")[2].partition("  ```\n")[0]
    assert block == (
        "  --- a/topics/tea.md\n  +++ b/topics/tea.md\n   - Milk.\n  -- Tea at five.\n"
    )


def test_what_a_file_says_is_no_box() -> None:
    """Its own fence does not end ours."""
    assert review_note.boxes(rendered(DREAM)).known == {p.id for p in DREAM.proposals}


def test_a_long_change_is_shown_whole() -> None:
    long = replace(MOVED, edits=(Make("topics/new.md", "- a line\n" * 500),))
    assert rendered(replace(DREAM, proposals=(long,))).count("+- a line") == 500


def test_a_file_that_would_go_is_shown_whole() -> None:
    block = rendered(DREAM).partition(f"`{STALE.id}`")[2].partition("  ```\n")[0]
    assert "  -An old fact.\n  -And .\n" in block


def test_what_would_hide_is_shown() -> None:
    sly = replace(
        TWICE, reason="tea \u202eevif ta", edits=(Make("topics/x.md", "a\x1b[2J\u200bb\n"),)
    )
    text = rendered(replace(DREAM, proposals=(sly,)))
    assert "\u202e" not in text
    assert not {"\x1b", "\u200b"} & set(text)
    assert "\\u202e" in text


def test_a_secret_in_a_file_is_not_told_again() -> None:
    token = "ghp_" + "a1B2c3D4" * 5
    edit = Lines("topics/x.md", 0, (f"- {token}",), ())
    text = rendered(replace(DREAM, proposals=(replace(TWICE, edits=(edit,)),)))
    assert token not in text


@pytest.mark.parametrize("mark", ["x", "X"])
def test_a_tick_chooses_and_a_stroke_declines(mark: str) -> None:
    text = ticked(ticked(rendered(DREAM), TWICE, mark), MOVED, "-")
    found = review_note.read(text)
    assert found.fresh == {TWICE.id}
    assert found.boxes.declined == {MOVED.id}
    assert found.id == DREAM.id


def test_moved_lines_remarks_and_other_line_ends_change_nothing() -> None:
    text = ticked(rendered(DREAM), MOVED)
    line = box(text, MOVED)
    text = text.replace(line, "").replace("## Changes\n", f"## Changes\nI like this one:\n{line}\n")
    assert review_note.read(text.replace("\n", "\r\n")).fresh == {MOVED.id}


def test_what_was_done_is_noted_and_all_else_stays() -> None:
    text = ticked(ticked(rendered(DREAM), TWICE), STALE) + "\nMy own remark.\n"
    done = Done("01J5XK3M9QZ7V4T8R2N6W7Q3KA", "2026-11-21T08:00:00Z", frozenset({TWICE.id}),
                {STALE.id: "topics/old.md was changed since"})  # fmt: skip
    after = review_note.marked(text, done)
    found = review_note.read(after)
    assert found.op == done.op
    assert found.applied == {TWICE.id}
    assert found.fresh == frozenset()
    assert "[x]" in box(after, TWICE)
    assert "[ ]" in box(after, STALE)
    assert "*2026-11-21: 1 applied by 01J5XK3M9QZ7V4T8R2N6W7Q3KA.*" in after
    assert f"*Skipped `{STALE.id}`: topics/old.md was changed since.*" in after
    assert after.endswith("\nMy own remark.\n")


def test_later_ticks_in_a_note_are_new() -> None:
    first = Done("01J5XK3M9QZ7V4T8R2N6W7Q3KA", "2026-11-21T08:00:00Z", frozenset({TWICE.id}), {})
    note = ticked(review_note.marked(rendered(DREAM), first), MOVED)
    assert review_note.read(note).fresh == {MOVED.id}
    second = Done("01J5XK3M9QZ7V4T8R2N6W7Q3KB", "2026-11-22T08:00:00Z", frozenset({MOVED.id}), {})
    assert review_note.read(review_note.marked(note, second)).applied == {TWICE.id, MOVED.id}


def test_a_note_that_is_taken_gets_a_letter() -> None:
    first = review_note.path("2026-11-20", ())
    second = review_note.path("2026-11-20", [first])
    assert (first, second) == ("inbox/dream-2026-11-20.md", "inbox/dream-2026-11-20-b.md")


# --- kept ---------------------------------------------------------------------------------------

words = st.text(max_size=12)
lines = st.lists(words, max_size=3).map(tuple)
edits = st.one_of(
    st.builds(Lines, words, st.integers(0, 99), lines, lines),
    st.builds(Make, words, words),
    st.builds(Remove, words, words),
)
proposals = st.builds(
    Proposal,
    st.sampled_from(["merge", "card", "skill"]),
    words,
    words,
    st.lists(edits, max_size=3).map(tuple),
    lines,
    st.lists(st.builds(Kept, words, words), max_size=2).map(tuple),
    lines,
    words,
    st.booleans(),
    st.integers(0, 3),
)
dreams = st.builds(
    Dream,
    words,
    words,
    st.lists(proposals, max_size=3).map(tuple),
    lines,
    st.builds(Gate, st.none() | st.floats(0, 1), st.none() | st.floats(0, 1), st.integers(0, 9)),
    lines,
)


@given(dreams)
def test_a_plan_is_read_back_as_it_was(dream: Dream) -> None:
    assert inbox.loads(inbox.dumps(dream)) == dream


@given(st.recursive(st.none() | words | st.integers(), st.lists).map(str) | words)
def test_anything_else_is_said_to_be_no_plan(text: str) -> None:
    with pytest.raises(BadInput, match="no plan of a dream"):
        inbox.loads(text)


def test_a_proposal_keeps_its_name_when_its_lines_move_or_days_pass() -> None:
    moved = replace(TWICE, edits=(Lines("topics/tea.md", 9, *SWAP),))
    assert moved.id == TWICE.id
    today, tomorrow = (
        replace(MOVED, edits=(_topic(f"id: 01J{n}\ncreated: 2026-11-2{n}\n"),)) for n in (0, 1)
    )
    assert today.id == tomorrow.id
    assert replace(TWICE, nth=1).id != TWICE.id


def _topic(head: str) -> Edit:
    return Make("topics/x.md", f"---\n{head}---\n- A fact.\n")
