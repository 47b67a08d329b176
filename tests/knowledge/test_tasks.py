"""Tasks decided on as values: read as a person left them, linked on both sides, drawn safely."""

from __future__ import annotations

import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents import frontmatter
from vaultmem.errors import BadInput, Refused
from vaultmem.knowledge import tasks
from vaultmem.knowledge.tasks import Edit, Graph, Links, New, Page, Task
from vaultmem.storage.plan import Change

NOW = "2026-11-20T10:15:00Z"
ULID = "01HZZZZZZZZZZZZZZZZZZZZZZZ"


def page(number: int, head: str = "", body: str = "") -> Page:
    """Return the page of a task with these lines of frontmatter."""
    return tasks.read(f"tasks/task-{number:04}.md", f"---\n{head}\n---\n{body}".encode())


def drawn(*heads: str) -> Graph:
    """Return the graph of tasks 1, 2, … with these lines of frontmatter each."""
    return tasks.graph(page(n, head) for n, head in enumerate(heads, 1))


def after(graph: Graph, changes: tuple[Change, ...]) -> Graph:
    """Return the graph once *changes* are made."""
    pages = {p.path: p for p in graph.pages.values()}
    made = {c.path: tasks.read(c.path, c.new or b"") for c in changes}
    return tasks.graph({**pages, **made}.values())


def chain(count: int) -> Graph:
    """Return tasks each of which waits for the one before it."""
    return drawn("subject: t1", *(f"blocked_by: {n}" for n in range(1, count)))


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ref", [4, "4", "#4", "0004", "task-4", "task-0004", "TASK-0004", "[[task-0004]]",
            "[[tasks/task-0004|Ship]]", "tasks/task-0004.md"],
)  # fmt: skip
def test_a_task_is_named_by_its_number_however_that_is_written(ref: int | str) -> None:
    assert tasks.number(ref) == 4


@pytest.mark.parametrize("ref", ["", "0", "-4", "4.5", "four", "task-", "[[]]", "../task-0004.md"])
def test_what_names_no_task_is_bad_input(ref: str) -> None:
    with pytest.raises(BadInput, match="names no task"):
        tasks.number(ref)


# --- reading ------------------------------------------------------------------------------------


def test_a_task_is_made_and_reads_back_as_it_was_told() -> None:
    new = New("Write: the #migration", "Step by step\n\n- one\n", "ada", Links([1], [2]))
    (made, *_) = tasks.create(drawn("", ""), new, ULID, NOW)
    it = tasks.read(made.path, made.new or b"").task
    assert it == Task(
        3, "Write: the #migration", "pending", "ada", (1,), (2,), "Step by step\n\n- one",
        "tasks/task-0003.md", NOW, NOW,
    )  # fmt: skip
    head = frontmatter.fields(frontmatter.parse((made.new or b"").decode()))
    assert head["type"] == "task"
    assert head["blocked_by"] == ["[[task-0001]]"]
    assert (head["source"], head["trust"]) == ("agent", "agent")


def test_a_file_that_a_person_wrote_needs_no_key_at_all() -> None:
    it = tasks.read("tasks/task-7.md", b"# Buy milk\n\nThe fat one.\n").task
    assert it is not None
    assert (it.id, it.subject, it.status) == (7, "Buy milk", "pending")
    assert it.description == "# Buy milk\n\nThe fat one."
    assert tasks.read("tasks/task-0008.md", b"").task == Task(
        8, "task-0008", path="tasks/task-0008.md"
    )


@pytest.mark.parametrize("said", ["completed", "Completed", "in progress", "in-progress"])
def test_a_status_counts_however_it_is_set(said: str) -> None:
    it = page(1, f"status: {said}")
    assert it.problems == ()
    assert it.task
    assert it.task.status == said.lower().replace(" ", "_").replace("-", "_")


def test_a_status_that_is_none_counts_as_pending_and_is_told() -> None:
    graph = drawn("status: cancelled", "blocked_by: 1")
    assert graph.tasks[1].status == "pending"
    assert graph.is_blocked(graph.tasks[2])
    (problem,) = graph.problems
    assert (problem.code, problem.path) == ("status", "tasks/task-0001.md")
    assert "'cancelled'" in problem.message


def test_a_link_on_one_side_counts_on_both() -> None:
    graph = drawn('blocks:\n  - "[[task-0002]]"', "blocked_by: 3, 1", "")
    assert graph.tasks[2].blocked_by == (1, 3)
    assert graph.tasks[3].blocks == (2,)
    assert graph.edges == {(1, 2), (3, 2)}
    assert graph.problems == ()


def test_what_cannot_be_read_keeps_others_waiting_and_its_number() -> None:
    torn = tasks.read("tasks/task-0002.md", b"---\nstatus: completed\n")
    graph = tasks.graph([page(1, "blocked_by: 2"), torn])
    assert graph.waits_for(graph.tasks[1]) == (2,)
    assert graph.next_number == 3
    assert [p.code for p in graph.problems] == ["torn"]
    with pytest.raises(Refused, match=r"task-0002\.md: "):
        tasks.update(graph, 2, Edit(status="completed"), NOW)


def test_links_to_nothing_keep_nobody_waiting_and_are_told() -> None:
    graph = drawn('blocked_by:\n  - "[[task-0009]]"\n  - "[[Notes on Ships]]"')
    assert graph.is_ready(graph.tasks[1])
    said = " ".join(p.message for p in graph.problems)
    assert "names task 9, which is not there" in said
    assert "'[[Notes on Ships]]', which is no task" in said


def test_a_number_that_others_still_name_is_not_given_again() -> None:
    assert drawn("blocked_by: 2", "").next_number == 3
    assert drawn("blocked_by: 2").next_number == 3
    assert drawn("blocks: 2, 3\nblocked_by: 900").next_number == 4


def test_files_that_are_no_tasks_or_one_too_many_are_told() -> None:
    graph = tasks.graph(
        [page(4), tasks.read("tasks/task-4.md", b"twin"), tasks.read("tasks/Milk.md", b"x")]
    )
    assert [(p.path, p.code) for p in graph.problems] == [
        ("tasks/Milk.md", "name"),
        ("tasks/task-4.md", "number"),
    ]
    assert graph.tasks[4].path == "tasks/task-0004.md"


# --- deciding -----------------------------------------------------------------------------------


def test_links_are_written_on_both_sides_and_taken_away_on_both() -> None:
    graph = drawn("subject: a", "subject: b", "subject: c")
    made = tasks.update(graph, 2, Edit(links=Links(blocked_by=[1], blocks=[3])), NOW)
    assert sorted(c.path[-7:-3] for c in made) == ["0001", "0002", "0003"]
    linked = after(graph, made)
    own = {n: (p.task.blocked_by, p.task.blocks) for n, p in linked.pages.items() if p.task}
    assert own == {1: ((), (2,)), 2: ((1,), (3,)), 3: ((2,), ())}
    gone = after(linked, tasks.update(linked, 2, Edit(links=Links(unblocked_by=[1])), NOW))
    assert gone.edges == {(2, 3)}
    assert "blocks" not in gone.pages[1].data.decode()


def test_what_is_so_already_changes_nothing() -> None:
    graph = drawn('subject: a\nstatus: Pending\nblocks:\n  - "[[task-0002]]"', "blocked_by: 1")
    same = Edit(subject="a", description="", owner="", links=Links([], [2], [2]))
    assert tasks.update(graph, 1, same, NOW) == ()


def test_a_change_leaves_every_other_line_as_its_person_wrote_it() -> None:
    text = textwrap.dedent("""\
        ---
        # mine
        status:   pending # for now
        due: 2026-12-01
        blocked_by:
        - "[[task-0002|the schema]]"
        - "[[task-0001]]"
        ---
          Keep   this.
        """)
    graph = tasks.graph([page(1), page(2), tasks.read("tasks/task-0003.md", text.encode())])
    edit = Edit(status="in_progress", links=Links(unblocked_by=[1]))
    made = next(c for c in tasks.update(graph, 3, edit, NOW) if c.path.endswith("0003.md"))
    assert (made.new or b"").decode() == (
        text.replace("status:   pending # for now", "status: in_progress # for now")
        .replace('- "[[task-0001]]"\n', "")
        .replace("---\n  Keep", f"updated: {NOW}\n---\n  Keep")
    )


@pytest.mark.parametrize(
    ("links", "why"),
    [
        (Links(blocked_by=[3]), "1 waits for 3, 3 waits for 2, 2 waits for 1"),
        (Links(blocked_by=[1]), "task 1 cannot wait for itself"),
        (Links(blocks=[1]), "task 1 cannot wait for itself"),
    ],
)
def test_no_task_waits_for_itself_however_far_the_way(links: Links, why: str) -> None:
    with pytest.raises(Refused, match=why):
        tasks.update(chain(3), 1, Edit(links=links), NOW)


def test_a_new_task_in_the_middle_of_a_cycle_is_refused() -> None:
    with pytest.raises(Refused, match="3 waits for 2, 2 waits for 1, 1 waits for 3"):
        tasks.create(chain(2), New("x", links=Links(blocked_by=[2], blocks=[1])), ULID, NOW)


def test_a_link_that_goes_makes_room_for_one_the_other_way() -> None:
    graph = chain(2)
    made = tasks.update(graph, 2, Edit(links=Links(blocks=[1], unblocked_by=[1])), NOW)
    assert after(graph, made).edges == {(2, 1)}


def test_a_cycle_made_by_hand_is_told_and_stops_no_other_change() -> None:
    graph = drawn("blocked_by: 2", "blocked_by: 1", "")
    (problem,) = graph.problems
    assert problem.code == "cycle"
    assert "wait for each other" in problem.message
    assert tasks.update(graph, 3, Edit(links=Links(blocked_by=[1])), NOW)
    mended = after(graph, tasks.update(graph, 1, Edit(links=Links(unblocked_by=[2])), NOW))
    assert mended.problems == ()
    assert re.search(r"task update (\d) --unblock (\d)`", problem.repair)


@pytest.mark.parametrize(
    ("links", "why"),
    [
        (Links(blocked_by=[9]), "there is no task 9"),
        (Links(blocks=[9]), "there is no task 9"),
        (Links(blocked_by=[1], unblocked_by=[1]), "choose one"),
    ],
)
def test_links_to_no_task_are_refused_by_name(links: Links, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        tasks.update(chain(2), 2, Edit(links=links), NOW)


@given(st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), max_size=25))
def test_whatever_is_linked_no_cycle_comes_of_it_and_both_sides_agree(
    wanted: list[tuple[int, int]],
) -> None:
    graph = drawn(*[""] * 7)
    for task_id, other in wanted:
        try:
            made = tasks.update(graph, task_id, Edit(links=Links(blocked_by=[other])), NOW)
        except Refused:
            continue
        graph = after(graph, made)
        assert graph.problems == ()
        for n, it in graph.pages.items():
            assert it.task
            assert set(it.task.blocked_by) == set(graph.tasks[n].blocked_by)
            assert set(it.task.blocks) == set(graph.tasks[n].blocks)
    assert not graph.tasks or any(graph.is_ready(it) for it in graph.tasks.values())


# --- the board ----------------------------------------------------------------------------------


def board(*heads: str, old: str | None = None) -> str:
    made = tasks.board(old, drawn(*heads))
    assert made is not None
    return made


def test_the_board_draws_what_is_open_and_lists_what_is_ready() -> None:
    said = board(
        "subject: Design\nstatus: completed\nupdated: 2026-11-20T10:15:00Z",
        "subject: Build\nstatus: in_progress\nowner: ada\nblocked_by: 1",
        "subject: Ship\nblocked_by: 2",
        "subject: Rest",
    )
    assert '  t1["1: Design"]:::done\n  t2["2: Build"]:::doing\n' in said
    assert '  t3["3: Ship"]:::waits\n  t4["4: Rest"]:::ready\n  t1 --> t2\n  t2 --> t3\n' in said
    assert said.index("```mermaid") < said.index("## In progress") < said.index("## Ready")
    assert "## In progress\n- [2. Build](tasks/task-0002.md): ada\n" in said
    assert "## Ready\n- [4. Rest](tasks/task-0004.md)\n" in said
    assert "## Blocked\n- [3. Ship](tasks/task-0003.md): waits for 2\n" in said
    assert "## Done\n- [1. Design](tasks/task-0001.md): 2026-11-20\n" in said


def test_what_a_person_wrote_around_the_marks_stays() -> None:
    old = "Mine\r\n<!-- vaultmem:begin -->\r\n## Ready\r\n<!-- vaultmem:end -->\r\nMine, too\r\n"
    said = board("subject: Rest", old=old)
    assert said.startswith("Mine\r\n<!-- vaultmem:begin -->\r\n```mermaid\r\n")
    assert said.endswith("tasks/task-0001.md)\r\n<!-- vaultmem:end -->\r\nMine, too\r\n")
    assert board("subject: Rest", old="All mine\n") == "All mine\n"


def test_what_a_person_wrote_between_the_marks_goes_below_and_not_away() -> None:
    made = board("subject: Rest").replace("## Ready", "Ask Ines!\n## Ready")
    said = board("subject: Rest", "subject: Ship", old=made)
    assert said.endswith("<!-- vaultmem:end -->\n\nAsk Ines!\n")
    assert board("subject: Rest", "subject: Ship", old=said) == said


def test_without_tasks_there_is_no_board_but_a_persons_words_stay() -> None:
    assert tasks.board(None, drawn()) is None
    made = board("subject: Rest")
    assert tasks.board(made, drawn()) is None
    assert tasks.board(f"{made}Mine\n", drawn()) is not None


def test_a_board_of_many_tasks_stays_short_and_says_how_many_more() -> None:
    said = board(*(f"subject: t{n}\nstatus: completed" for n in range(30)), *[""] * 300)
    assert "- and 20 more: `vaultmem task list` shows them" in said
    assert "- and 200 more: `vaultmem task list` shows them" in said
    assert len(said.splitlines()) < 220


def test_a_diagram_of_many_tasks_shows_the_open_ones_first_and_counts_the_rest() -> None:
    done = ["subject: Old\nstatus: completed"] * 100
    after = "subject: Next\nblocked_by: [" + ", ".join(map(str, range(1, 101))) + "]"
    begun = "subject: Now\nstatus: in_progress"
    said = board(*done, *[after] * 30, *["subject: New"] * 50, begun)

    assert said.count(":::done\n") == 0
    assert (said.count(":::ready\n"), said.count(":::doing\n")) == (59, 1)
    line = "Not drawn: 121 of the tasks (21 open, 100 done); `vaultmem task list` shows them."
    assert f"```\n\n{line}\n\n## In progress\n" in said
    assert said.count("Not drawn:") == 1
    again = board(*done, "subject: New", old=said)
    assert "Not drawn:" not in again


@given(st.text(max_size=40) | st.sampled_from([
    '"]:::x\nt9["', "```\n<script>", "<!-- vaultmem:end -->", "1. list", "[a](b)", "end", "`md`",
    "#quot;", "%%{init: {}}%%", "a\u202eb", "click t1 href", "![[x]]",
]))  # fmt: skip
def test_no_subject_breaks_out_of_the_board(subject: str) -> None:
    """One line a node, nothing but numbers for what Mermaid, Markdown or HTML would obey."""
    head = f"subject: {frontmatter.new({'s': subject}, '').split('s: ', 1)[1].splitlines()[0]}"
    graph = drawn(head, "subject: Rest")
    said = tasks.board(None, graph) or ""
    assert said.count("<!-- vaultmem:end -->") == 1
    assert said.count("```") == 2
    (line,) = [x for x in said.splitlines() if x.startswith("  t1")]
    label = line.removeprefix('  t1["1: ').removesuffix('"]:::ready')
    assert not set(re.sub(r"#\d+;", "", label)) & set('"`<>[](){}|&;#%\\/:!\u202e')
    (item,) = [x for x in said.splitlines() if x.startswith("- [1.")]
    assert item.endswith("](tasks/task-0001.md)")
    assert not re.search(r"(?<!\\)[<>`*_~|]", item)
    assert tasks.board(said, graph) == said
