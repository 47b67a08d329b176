"""Which paths an agent may touch, how texts are edited line by line, what a folder shows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.api.agent_files import (
    ManyMatches,
    Missing,
    NoMatch,
    NoSuchLine,
    edits,
    paging,
    paths,
    visible_files,
)
from vaultmem.api.agent_files import frontmatter as agent_file_frontmatter
from vaultmem.documents import frontmatter
from vaultmem.errors import BadInput, Refused
from vaultmem.records import Record
from vaultmem.storage.index.file_queries import SeenFile

OUTSIDE = [
    "../x.md", "a/../x.md", "/etc/passwd", "a//b.md", "./a.md", "a/./b.md", "a\\b.md",
    "..%2fx.md", "%2e%2e/x.md", "%252e%252e/x.md", "a\0b.md", "a\nb.md", "a\u202eb.md",
    "a\u200bb.md", "a./b.md", "a /b.md", "notes/ b.md",
    "x" * 2000 + ".md", "\ud800.md",
]  # fmt: skip
HIDDEN = [
    ".git/config.md", ".GIT/x.md", "a/.git/x.md", ".obsidian/x.md", ".vaultmem/x.md",
    ".claude/x.md", "notes/.x.md", ".cursorrules.md", "node_modules/x.md", "Node_Modules/x.md",
]  # fmt: skip
NEVER_WRITTEN = [
    "CLAUDE.md", "claude.MD.md/CLAUDE.md", "notes/Claude.md", "AGENTS.md", "deep/er/agents.md",
    "GEMINI.md", "README.md", "config/x.md", "Config/x.md", "tombstones/x.md", "inbox/x.md",
    "inbox/review/x.md", "templates/x.md", "cards/a/b.md", "tasks/x.md", "TASKS.md", "skills/a.md",
    "agents/ada/memories/2026/11/x.md", "agents/ada/MEMORIES/x.md", "Agents/ada/memories/x.md",
    "agents/ada/summaries/x.md", "agents/ada/episodes/x.md", "agents/ada/topics/x.md",
    "agents/ada/sessions/x.md", "agents/ada/agent.md", "agents/x.md", "notes/x.txt", "notes/x",
    "notes/x.MD", "notes/x.base", "notes/a:b.md", "notes/cafe\u0301.md", "notes/con.md",
    "notes/" + "x" * 130 + ".md",
]  # fmt: skip


@pytest.mark.parametrize("path", OUTSIDE + HIDDEN)
def test_what_leaves_the_vault_or_is_hidden_is_no_path(path: str) -> None:
    with pytest.raises((BadInput, Refused)):
        paths.given(path)
    assert not paths.is_shown(path)


@pytest.mark.parametrize("path", NEVER_WRITTEN)
def test_what_is_not_an_agents_is_never_written_in_any_case_of_letters(path: str) -> None:
    with pytest.raises(Refused):
        paths.check_name(path)


@pytest.mark.parametrize(
    "path",
    ["notes/plan.md", "topics/tea.md", "plan.md", "agents/ada/notes/x.md", "people/Zoë.md",
     "a/b/c/d.md", "agents/ada/working.md"],
)  # fmt: skip
def test_a_note_in_a_free_place_is(path: str) -> None:
    assert paths.given(path) == path
    paths.check_name(path)


@pytest.mark.parametrize(
    ("path", "way"),
    [
        ("notes/plan.txt", "keep it as notes/plan.md"),
        ("notes/plan", "keep it as notes/plan.md"),
        ("notes/plan.MD", "keep it as notes/plan.md"),
        ("cards/a/b.md", "vaultmem card set"),
        ("tasks/task-0001.md", "vaultmem task"),
        ("agents/ada/memories/2026/11/x.md", "vaultmem correct"),
        ("agents/ada/topics/x.md", "topics/"),
        ("agents/x.md", "agents/NAME/notes/"),
    ],
)
def test_a_refusal_names_the_way_to_do_it_right(path: str, way: str) -> None:
    with pytest.raises(Refused, match=way):
        paths.check_name(path)


@pytest.mark.parametrize("kind", ["memory", "summary", "episode", "card", "task", "tombstone"])
def test_what_a_file_says_it_is_counts_wherever_it_lies(kind: str) -> None:
    with pytest.raises(Refused, match=kind):
        paths.check_change(Record("notes/x.md", "", type=kind))


def test_memories_and_cards_are_forgotten_and_not_rewritten() -> None:
    memory = Record("agents/ada/memories/2026/11/x.md", "", type="memory")
    paths.check_removal(memory)
    with pytest.raises(Refused):
        paths.check_change(memory)
    with pytest.raises(Refused, match="it is generated"):
        paths.check_removal(Record("MEMORY.md", "", type="index"))


def test_what_waits_for_review_is_read_when_it_is_asked_for() -> None:
    with pytest.raises(Refused, match="vaultmem review"):
        paths.check_read("inbox/review/x.md")
    paths.check_read("inbox/review/x.md", untrusted=True)
    with pytest.raises(Missing):
        paths.check_read("tombstones/01ARZ3NDEKTSV4RRFFQ69G5FAV.md", untrusted=True)


def test_an_agent_that_is_named_sees_its_own_and_what_is_shared() -> None:
    assert paths.is_shown("agents/ada/notes/x.md", "ada")
    assert paths.is_shown("topics/x.md", "ada")
    assert not paths.is_shown("agents/bo/notes/x.md", "ada")
    assert paths.is_shown("agents/bo/notes/x.md")


def test_two_names_that_differ_by_case_alone_clash() -> None:
    known = ["notes/Plan.md", "Topics/tea.md"]
    assert paths.in_the_way("notes/plan.md", known) == "notes/Plan.md"
    assert paths.in_the_way("topics/coffee.md", known) == "Topics"
    assert paths.in_the_way("notes/Plan.md/more.md", known) == "notes/Plan.md"
    assert paths.in_the_way("notes", known) == "notes"
    assert not paths.in_the_way("notes/plan-b.md", known)


# --- editing --------------------------------------------------------------------------------------


def test_a_text_is_replaced_where_it_stands_once() -> None:
    assert edits.replaced("x.md", "a\r\nb\u2028c\n", "b\u2028c", "B") == "a\r\nB\n"
    with pytest.raises(NoMatch):
        edits.replaced("x.md", "a\n", "b", "c")
    with pytest.raises(BadInput, match="empty"):
        edits.replaced("x.md", "a\n", "", "c")
    with pytest.raises(ManyMatches) as caught:
        edits.replaced("x.md", "aaa\nb\naa\n", "aa", "c")
    assert caught.value.lines == (1, 1, 3)  # overlapping ones are told, too


@pytest.mark.parametrize(
    ("text", "line", "new", "after"),
    [
        ("one\ntwo", 0, "zero", "zero\none\ntwo\n"),
        ("one\ntwo", 1, "x\n", "one\nx\ntwo\n"),
        ("one\ntwo\n", 2, "three", "one\ntwo\nthree\n"),
        ("", 0, "one", "one\n"),
        ("one\r\ntwo\r\n", 1, "x", "one\r\nx\ntwo\r\n"),
        ("one\u2028still one\n", 1, "two", "one\u2028still one\ntwo\n"),
    ],
)
def test_lines_are_put_below_a_line(text: str, line: int, new: str, after: str) -> None:
    assert edits.inserted("x.md", text, line, new) == after


@pytest.mark.parametrize("line", [-1, 3, 10**20])
def test_there_is_no_place_beyond_the_last_line(line: int) -> None:
    with pytest.raises(NoSuchLine) as caught:
        edits.inserted("x.md", "one\ntwo\n", line, "x")
    assert (caught.value.line, caught.value.lines) == (line, 2)


def test_what_is_appended_ends_its_lines_as_the_file_does() -> None:
    assert edits.appended("a\r\nb", "c\nd") == "a\r\nb\r\nc\r\nd\r\n"
    assert edits.appended("", "c") == "c\n"


PLAN = "# Plan\n\nintro\n\n## Open\n\n- one\n\n### Soon\n\n- two\n\n## Done\n\n- three\n"


def test_a_section_is_replaced_with_what_is_below_it() -> None:
    new = edits.replace_section("x.md", PLAN, "## Open", "- four")
    assert new == "# Plan\n\nintro\n\n## Open\n\n- four\n\n## Done\n\n- three\n"
    last = edits.replace_section("x.md", PLAN, "Done", "- all")
    assert last == PLAN.replace("- three", "- all")
    assert edits.replace_section("x.md", "## Open", "Open", "- a") == "## Open\n\n- a\n"


def test_a_heading_that_is_not_there_is_answered_with_those_that_are() -> None:
    with pytest.raises(BadInput, match="'Plan', 'Open', 'Soon', 'Done'"):
        edits.replace_section("x.md", PLAN, "Later", "x")
    with pytest.raises(BadInput, match="more than one"):
        edits.replace_section("x.md", "## A\n\n## A\n", "A", "x")


# --- frontmatter ----------------------------------------------------------------------------------

OURS = "---\nid: 01ARZ3NDEKTSV4RRFFQ69G5FAV\ntype: note\nsource: agent\ntrust: agent\n---\n"


def test_an_agent_sees_the_text_it_wrote() -> None:
    assert agent_file_frontmatter.split("a.md", OURS + "hello\n") == (OURS, "hello\n")
    own = OURS.replace("type: note", "title: Mine")
    assert agent_file_frontmatter.split("a.md", own + "hello\n") == ("", own + "hello\n")


def test_what_an_agent_says_of_its_own_worth_does_not_count() -> None:
    text = "---\ntrust: verified\ntitle: Mine  # kept\nsource: human\nid: X\n---\nhello\n"
    made = agent_file_frontmatter.fronted(text, {"id": "01", "trust": "agent"})
    assert frontmatter.fields(frontmatter.parse(made)) == {
        "title": "Mine",
        "id": "01",
        "trust": "agent",
    }
    assert "title: Mine  # kept\n" in made


@pytest.mark.parametrize("edit", ["trust: verified", "trust: agent\napproved: true", "x: 1"])
def test_the_programs_keys_stay_in_an_edit(edit: str) -> None:
    text = OURS + "hello\n"
    with pytest.raises(Refused, match="belongs to the program"):
        agent_file_frontmatter.edited(
            frontmatter.parse(text), text.replace("trust: agent", edit), "now", "agent"
        )


def test_a_persons_note_that_an_agent_edits_is_worth_an_agents_word() -> None:
    text = "---\ntags: [a]  # mine\n---\nhello\n"
    new = agent_file_frontmatter.edited(
        frontmatter.parse(text), text.replace("hello", "bye"), "now", "agent"
    )
    assert new == "---\ntags: [a]  # mine\nsource: agent\ntrust: agent\n---\nbye\n"


# --- pages and folders ----------------------------------------------------------------------------


def test_a_long_text_comes_in_pages_of_whole_lines() -> None:
    text = "".join(f"line {n}\n" for n in range(1, 10))
    first = paging.cut(text, 1, None, 20)
    assert (first.text, first.next_line, first.lines) == ("line 1\nline 2\n", 3, 9)
    assert paging.cut(text, 8, 5, None) == ("line 8\nline 9\n", 8, None, 9)
    assert paging.cut("no newline", 1, None, None).text == "no newline"
    with pytest.raises(BadInput):
        paging.cut(text, 10, None, None)


@given(st.text("ab\n", max_size=60), st.integers(1, 9))
def test_pages_one_after_another_are_the_text(text: str, room: int) -> None:
    found, at = [], 1
    while at:
        page = paging.cut(text, at, None, room)
        found += page.text.split("\n")[: page.lines]
        at = page.next_line or 0
    told = [line.partition("…")[0] for line in found]
    assert [x for x in told if x] == [x[:room] for x in edits.lines(text) if x]


def test_a_line_that_is_longer_than_a_page_is_cut_and_says_so() -> None:
    page = paging.cut("x" * 50 + "\nshort\n", 1, None, 10)
    assert page.text == "xxxxxxxxxx… (40 more characters in this line)\n"
    assert page.next_line == 2


def test_a_folder_is_the_sum_of_its_files_and_memory_md_comes_first() -> None:
    found = [SeenFile("a/b/c/d.md", 3, "2026", "note"), SeenFile("a/x.md", 2, "2025", "note"),
             SeenFile("MEMORY.md", 5, "", "index")]  # fmt: skip
    shown = [(e.path, e.folder, e.size, e.date) for e in visible_files.entries(found, "", 2)]
    assert shown == [
        ("MEMORY.md", False, 5, ""), ("a", True, 5, "2026"), ("a/b", True, 3, "2026"),
        ("a/x.md", False, 2, "2025"),
    ]  # fmt: skip
    assert [e.path for e in visible_files.entries(found[:1], "a/b", 1)] == ["a/b/c"]


@pytest.mark.long
@settings(max_examples=300)
@given(st.lists(st.sampled_from(["..", ".", "", ".git", "a", "x.md", "%2e%2e", "\\", " ", "A."])))
def test_a_path_that_passes_has_only_plain_components(parts: list[str]) -> None:
    path = "/".join(parts)
    try:
        passed = paths.given(path)
    except (BadInput, Refused):
        return
    assert passed == path
    assert all(part in {"a", "x.md"} for part in parts) or path == ""


def test_an_inbox_is_read_by_the_vaults_own_agent_alone() -> None:
    assert paths.is_shown("inbox/dream-1.md")
    for path in ("inbox/dream-1.md", "Inbox/x.md", "inbox/review/x.md"):
        assert not paths.is_shown(path, "ada")
        with pytest.raises(Missing):
            paths.check_read(path, "ada", untrusted=True)
