"""Working memory as a note: it reads back as it was, and an edit changes the lines it must."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents.bodies.bullets import normal, normal_lines
from vaultmem.documents.frontmatter import Value
from vaultmem.errors import BadInput
from vaultmem.memory import working
from vaultmem.memory.working import (
    Note,
    Step,
    Todo,
    Working,
    checked,
    declared,
    finding,
    noted,
    prompt,
    reminder,
    todo_text,
)

PARTY = Working(
    goal="Plan the party",
    state="awaiting payment",
    steps=(
        Step("Find a room", "done", "Room 5"),
        Step("Call the baker", "failed", "no answer"),
        Step("Invite everybody", "in_progress"),
        Step("Buy candles"),
    ),
    scratchpad=(Note("Tomas is away"), Note("with Ines", "the key")),
    todos=(Todo("1", "buy a cake", "in_progress"), Todo("b", "ask Tomas")),
)
NOTE = textwrap.dedent("""\
    ## Goal
    Plan the party

    ## State
    awaiting payment

    ## Plan
    - [x] Find a room
      - **Result:** Room 5
    - [-] Call the baker
      - **Error:** no answer
    - [/] Invite everybody
    - [ ] Buy candles

    ## Todo
    - [/] `1`: buy a cake
    - [ ] `b`: ask Tomas

    ## Scratchpad
    - Tomas is away
    - `the key`: with Ines
    """)

_odd = st.text(st.sampled_from("ab1 #-*+>`\\[]()x/:_=~<!.é\n\t|"), max_size=14) | st.text(
    max_size=8
)
_line = _odd.map(normal).filter(bool)
_lines = _odd.map(normal_lines)
_step = st.builds(
    Step, _line, st.sampled_from(["pending", "in_progress", "done", "failed"]), _odd.map(normal)
)
_todo = st.builds(
    Todo, _odd.map(normal), _line, st.sampled_from(["pending", "in_progress", "completed"])
)
_working = st.builds(
    Working,
    goal=_lines,
    state=_lines,
    steps=st.lists(_step, max_size=4).map(tuple),
    scratchpad=st.lists(st.builds(Note, _line, _odd.map(normal)), max_size=4).map(tuple),
    todos=st.lists(_todo, max_size=4).map(tuple),
)


def test_it_is_a_note_that_a_person_can_read() -> None:
    assert working.render(PARTY) == NOTE
    assert working.parse(NOTE) == PARTY
    assert working.render(Working()) == ""


@given(_working)
def test_what_is_written_reads_back_as_it_was(it: Working) -> None:
    assert working.parse(working.render(it)) == it


@pytest.mark.long
@given(_working, _working)
def test_an_update_of_one_says_the_other(old: Working, new: Working) -> None:
    assert working.parse(working.update(working.render(old), new)) == new


@pytest.mark.long
@given(st.text(st.sampled_from("a#- [x]\n`*"), max_size=40), _working)
def test_whatever_a_person_wrote_beside_it_stays(own: str, new: Working) -> None:
    body = f"## Mine\n{own}\n## Plan\n- [ ] Find a room\n"
    if "\n#" in f"\n{own}" or "```" in own:
        return
    made = working.update(body, new)
    assert made.startswith(f"## Mine\n{own}".rstrip())
    assert working.parse(made) == new


def test_the_frontmatter_says_the_rest() -> None:
    at = "2026-11-20T10:15:00Z"
    it = Working(iteration=3, session="s1", task=4, max_iterations=9, todo_updated=at,
                 todo_turn="s1/7", tool_lines=("0a1b2c3d4e5f",))  # fmt: skip
    assert working.keys(it) == {
        "session": "s1", "task": "[[task-0004]]", "iteration": 3, "max_iterations": 9,
        "todo_updated": at, "todo_turn": "s1/7",
        "tool_lines": ["0a1b2c3d4e5f"],
    }  # fmt: skip
    head: dict[str, Value] = {
            "session": "s1", "task": "[[task-0004]]", "iteration": "3", "max_iterations": "9",
            "todo_updated": at, "todo_turn": "s1/7", "tool_lines": ["0a1b2c3d4e5f"]}  # fmt: skip
    assert working.parse("", head) == it
    assert set(working.keys(Working()).values()) == {None}
    assert working.parse("", {"task": "soon", "iteration": ["3"], "session": ["x"]}) == Working()


# --- edits --------------------------------------------------------------------------------------


def changed(body: str, new: Working) -> list[str]:
    """Return the lines that an update takes away and brings."""
    made = working.update(body, new)
    assert working.parse(made) == new
    old, now = body.splitlines(), made.splitlines()
    return [f"-{x}" for x in old if x not in now] + [f"+{x}" for x in now if x not in old]


def test_a_step_that_is_done_changes_its_box_and_gets_its_result() -> None:
    steps = list(PARTY.steps)
    steps[2] = Step("Invite everybody", "done", "12 come")
    assert changed(NOTE, replace(PARTY, steps=tuple(steps))) == [
        "-- [/] Invite everybody",
        "+- [x] Invite everybody",
        "+  - **Result:** 12 come",
    ]


def test_a_goal_that_changes_leaves_all_other_lines() -> None:
    assert changed(NOTE, replace(PARTY, goal="Plan the wedding")) == [
        "-Plan the party",
        "+Plan the wedding",
    ]


def test_what_is_empty_loses_its_heading_and_gets_it_back_in_its_place() -> None:
    bare = working.update(NOTE, replace(PARTY, state="", scratchpad=()))
    assert "## State" not in bare
    assert bare.endswith("- [ ] `b`: ask Tomas\n")
    assert working.update(bare, PARTY) == NOTE
    assert working.update(NOTE, Working()) == ""


def test_what_a_person_set_in_their_own_way_stays_so() -> None:
    body = (
        "Call Ines first!\r\n\r\n# PLAN\r\n1. Find *a* room\r\n   with a door\r\n"
        "   - it must be big\r\n2. [X] Invite\r\n\r\nWho pays?\r\n\r\n## Costs\r\n- [ ] none\r\n"
    )
    it = working.parse(body)
    assert it.steps == (Step("Find *a* room with a door"), Step("Invite", "done"))
    done = (Step("Find *a* room with a door", "done", "Room 5"), it.steps[1])
    assert working.update(body, replace(it, steps=done)) == (
        "Call Ines first!\r\n\r\n# PLAN\r\n1. [x] Find *a* room\r\n   with a door\r\n"
        "  - **Result:** Room 5\r\n"
        "   - it must be big\r\n2. [X] Invite\r\n\r\nWho pays?\r\n\r\n## Costs\r\n- [ ] none\r\n"
    )
    gone = working.update(body, Working())
    left = "# PLAN\r\n1.\r\n   - it must be big\r\n\r\nWho pays?\r\n\r\n## Costs\r\n- [ ] none\r\n"
    assert left in gone


def test_what_came_of_a_todo_is_a_person_s_own_note() -> None:
    """A todo has a state and no result: the line is none of ours to take away."""
    body = "## Todo\n- [ ] `1`: Find a room\n  - **Result:** ask Ines\n"
    it = working.parse(body)
    assert it.todos == (Todo("1", "Find a room"),)
    assert working.update(body, replace(it, goal="A party")).endswith(body)
    assert working.update(body, replace(it, todos=(Todo("1", "Find a room", "completed"),))) == (
        body.replace("[ ]", "[x]")
    )


# --- the todo list ------------------------------------------------------------------------------


def test_a_list_is_checked_and_items_without_an_id_get_their_place() -> None:
    assert checked([{"text": "buy  a\ncake"}, {"id": 7, "text": "eat", "status": "completed"}]) == (
        Todo("1", "buy a cake"),
        Todo("7", "eat", "completed"),
    )


@pytest.mark.parametrize(
    ("items", "why"),
    [
        ([{"text": str(n)} for n in range(21)], "21 todos, at most 20"),
        ([{"id": "1", "text": "a"}, {"id": 1, "text": "b"}], "2 todos have the id '1'"),
        ([Todo("1", "a", "in_progress"), Todo("2", "b", "in_progress")],
         r"2 todos are in_progress \('1', '2'\), at most one"),
        ([{"id": "4"}], "todo '4' has no text"),
        ([{"text": ["a"]}], "todo '1' has no text"),
        ([{"text": "a", "status": "done"}], "'done': it is one of pending, in_progress, completed"),
        (["buy a cake"], "todo 1 is not an object"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_list_is_told_so_that_a_model_can_mend_it(
    items: list[Todo], why: str
) -> None:
    with pytest.raises(BadInput, match=why):
        checked(items)


def test_twenty_items_are_not_too_many() -> None:
    assert len(checked([{"text": str(n)} for n in range(20)])) == 20


def test_a_list_that_lies_for_three_rounds_is_brought_to_mind() -> None:
    assert reminder(2, PARTY.todos) == ""
    said = reminder(3, PARTY.todos)
    assert "not updated for 3 rounds" in said
    assert "[>] 1: buy a cake" in said
    assert reminder(9, [Todo("1", "a", "completed")]) == ""
    assert "3 rounds" in reminder(3)


def test_a_list_reads_with_its_marks_and_how_much_is_done() -> None:
    todos = (Todo("1", "a", "completed"), Todo("2", "b", "in_progress"), Todo("3", "c"))
    assert todo_text(todos) == "[x] 1: a\n[>] 2: b\n[ ] 3: c\n(1 of 3 completed)"
    assert todo_text(()) == ""


def test_the_prompt_tells_all_that_is_in_hand_and_nothing_that_is_empty() -> None:
    said = prompt(replace(PARTY, iteration=2, task=4))
    assert said.splitlines()[:6] == [
        "Goal: Plan the party",
        "State: awaiting payment",
        "Task: 4",
        "Progress: step 2 of 20",
        "Plan:",
        "1. [done] Find a room: Room 5",
    ]
    assert "2. [failed] Call the baker: error: no answer" in said
    assert said.endswith("Scratchpad:\n- Tomas is away\n- the key: with Ines")
    assert prompt(Working()) == ""


# --- scratchpad and states ------------------------------------------------------------------------


def test_a_note_takes_the_place_of_what_its_key_had() -> None:
    two = noted(noted(Working(), "van", "at nine"), "", "Tomas is away")
    assert two.scratchpad == (Note("at nine", "van"), Note("Tomas is away"))
    assert noted(two, "van", "at ten").scratchpad == (Note("at ten", "van"), Note("Tomas is away"))
    assert noted(two, "van", "").scratchpad == (Note("Tomas is away"),)
    assert noted(two, "key", "").scratchpad == two.scratchpad


@pytest.mark.parametrize(
    ("result", "kept"),
    [
        ("done", ""),
        ("Everything went well, as planned.", ""),
        ("It works now.\nThe door is 80 cm wide.", "The door is 80 cm wide."),
        ("The key is with Ines", "The key is with Ines"),
        ("moved to docs/setup.md", "moved to docs/setup.md"),
        ("they call it “the oven”", "they call it “the oven”"),
        ("Ok.\nDone.", ""),
    ],
)
def test_what_says_something_of_its_own_is_a_finding(result: str, kept: str) -> None:
    assert finding(result) == kept


def test_a_state_is_one_of_those_declared_and_spelled_as_they_are() -> None:
    states = ("needs clarification", "awaiting payment")
    assert declared(" Awaiting  Payment", states) == "awaiting payment"
    assert declared("whatever", ()) == "whatever"
    assert declared("", states) == ""
    with pytest.raises(BadInput, match="use one of needs clarification, awaiting payment"):
        declared("paid", states)
