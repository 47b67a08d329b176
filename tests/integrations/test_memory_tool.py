"""The memory tool says what is documented, to the letter; what fails is a ToolError."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from anthropic import Anthropic
from anthropic.tools import ToolError
from anthropic.types.beta import BetaMemoryTool20250818ViewCommand
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Clock
from tests.forked import at_once
from tests.wire import Calls, Wire
from vaultmem import Vault
from vaultmem.api.async_api import AsyncVault
from vaultmem.errors import BadInput, Refused
from vaultmem.integrations.memory_tool import AsyncVaultMemoryTool, VaultMemoryTool
from vaultmem.integrations.memory_tool import messages as memory_tool_messages

pytestmark = pytest.mark.without_history

HEADER = "Here's the content of {} with line numbers:\n"
EDITED = (
    "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
)


@pytest.fixture
def tool(vault: Vault) -> VaultMemoryTool:
    """Return the tool of the vault."""
    return VaultMemoryTool(vault, agent="ada")


def refused(tool: VaultMemoryTool, **said: object) -> str:
    """Return what the tool says no with."""
    with pytest.raises(ToolError) as caught:
        tool.call(said)
    return str(caught.value)


def made(tool: VaultMemoryTool, path: str = "/memories/notes/plan.md", text: str = "x\n") -> str:
    """Make a note, and return its path."""
    said = tool.call({"command": "create", "path": path, "file_text": text})
    assert said == f"File created successfully at: {path}"
    return path


# --- view -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["cards/people/sam.md", "skills/knead/SKILL.md"])
def test_a_command_of_a_terminal_is_named_as_a_person_s(tool: VaultMemoryTool, path: str) -> None:
    """Whoever has this tool has no shell."""
    said = refused(tool, command="create", path=f"/memories/{path}", file_text="x")
    assert "`vaultmem " in said
    assert said.endswith("; a command is for the person to run: ask them")


def test_a_file_is_shown_with_numbers_six_wide_and_its_last_empty_line(
    tool: VaultMemoryTool,
) -> None:
    path = made(tool, text="first\r\nsec\u2028ond\n")
    said = tool.call({"command": "view", "path": path})
    assert said == HEADER.format(path) + "     1\tfirst\r\n     2\tsec\u2028ond\n     3\t"


def test_a_range_shows_its_lines(tool: VaultMemoryTool) -> None:
    path = made(tool, text="1\n2\n3\n4")
    for span, shown in (
        ([2, 3], "23"),
        ([3, -1], "34"),
        ([4, 99], "4"),
    ):
        said = tool.call({"command": "view", "path": path, "view_range": span})
        rows = [HEADER.format(path).rstrip("\n"), *(f"{n:>6}\t{n}" for n in shown)]
        assert said == "\n".join(rows)


def test_a_range_behind_the_end_says_where_that_is(tool: VaultMemoryTool) -> None:
    """Nothing at all would look like an empty file."""
    path = made(tool, text="1\n2\n3\n4")
    for span in ([9, -1], [5, 6]):
        said = tool.call({"command": "view", "path": path, "view_range": span})
        assert said == f"{HEADER.format(path)}(the file ends at line 4)"


def test_a_range_that_is_none_is_said(tool: VaultMemoryTool) -> None:
    path = made(tool)
    wrong: list[object] = [["a", "b"], [1], [1, 2, 3], "1-2", [0, 3], [3, 1], [1.5, 2], {}, 7]
    for span in [*wrong, [True, 2], [None, 2]]:
        said = refused(tool, command="view", path=path, view_range=span)
        assert said.startswith("Invalid `view_range` parameter")


def test_a_folder_is_shown_two_levels_deep_with_sizes(tool: VaultMemoryTool, folder: Path) -> None:
    made(tool, "/memories/notes/a/b/deep.md")
    made(tool, "/memories/notes/plan.md", "x" * 2000)
    (folder / "notes/.hidden.md").write_text("x")
    (folder / "notes/node_modules").mkdir()
    (folder / "notes/node_modules/y.md").write_text("x")
    deep, plan = (folder / f"notes/{p}" for p in ("a/b/deep.md", "plan.md"))
    small, large = deep.stat().st_size, plan.stat().st_size / 1024
    head = "Here're the files and directories up to 2 levels deep in /memories/notes, "
    assert tool.call({"command": "view", "path": "/memories/notes"}).split("\n") == [
        f"{head}excluding hidden items and node_modules:",
        f"{(small / 1024 + large):.1f}K\t/memories/notes",
        f"{small}B\t/memories/notes/a/",
        f"{small}B\t/memories/notes/a/b/",
        f"{large:.1f}K\t/memories/notes/plan.md",
    ]


def test_the_root_shows_memory_md_first_and_nothing_that_may_not_be_read(
    tool: VaultMemoryTool, vault: Vault
) -> None:
    vault.remember("From a page.", agent="ada", source="web")
    for path in ("/memories", "/memories/"):
        rows = tool.call({"command": "view", "path": path}).split("\n")[1:]
        assert rows[0].endswith(f"\t{path}")
        assert rows[1].endswith("\t/memories/MEMORY.md")
        assert not any("review" in row or "/." in row for row in rows)


def test_what_an_agent_makes_is_its_own_but_in_the_places_of_all(
    tool: VaultMemoryTool, vault: Vault, folder: Path
) -> None:
    """Whatever its name ends in: nothing else tells who reads it."""
    bob = VaultMemoryTool(vault, agent="bob")
    (folder / "shared.md").write_text("Of a person.\n")
    for n, path in enumerate(("files/diary.txt", "diary.md", "sub/diary.md", "diary.txt")):
        made(tool, f"/memories/{path}", f"Line {n} of mine\n")
        assert (folder / "agents/ada/files" / path).is_file()
        assert "mine" in tool.call({"command": "view", "path": f"/memories/{path}"})
        assert "does not exist" in refused(bob, command="view", path=f"/memories/{path}")
        assert "does not exist" in refused(bob, command="delete", path=f"/memories/{path}")
    for path in ("notes/all.md", "topics/all.md"):
        made(tool, f"/memories/{path}", f"For all, in {path}\n")
        assert "For all" in bob.call({"command": "view", "path": f"/memories/{path}"})
    move = {"command": "rename", "old_path": "/memories/shared.md"}
    tool.call(move | {"new_path": "/memories/renamed.md"})
    assert "Of a person" in bob.call({"command": "view", "path": "/memories/renamed.md"})


def test_the_root_shows_and_counts_a_file_once(tool: VaultMemoryTool) -> None:
    """Not where it lies in the vault beside where Claude put it."""
    before = tool.call({"command": "view", "path": "/memories"}).split("\n")
    made(tool, "/memories/progress.txt", "12345678")
    made(tool, "/memories/deep/state.json", "{}")
    rows = tool.call({"command": "view", "path": "/memories"}).split("\n")
    assert not any("/agents/" in row for row in rows)
    new = [row for row in rows[2:] if row not in before]
    assert new == [
        "2B\t/memories/deep/", "2B\t/memories/deep/state.json", "8B\t/memories/progress.txt",
    ]  # fmt: skip


@pytest.mark.long
def test_a_folder_of_very_many_is_not_shown_whole(tool: VaultMemoryTool, folder: Path) -> None:
    (folder / "notes").mkdir()
    for n in range(1005):
        (folder / f"notes/{n:04}.md").write_text("x")
    rows = tool.call({"command": "view", "path": "/memories/notes"}).split("\n")
    assert rows[-1].startswith("(5 more items are not shown")


@pytest.mark.long
def test_what_is_too_long_is_not_sent(tool: VaultMemoryTool, folder: Path) -> None:
    (folder / "huge.md").write_text("x\n" * 1_000_000)
    (folder / "long.md").write_text("a line\n" * 20_000)
    assert refused(tool, command="view", path="/memories/huge.md") == (
        "File /memories/huge.md exceeds maximum line limit of 999,999 lines."
    )
    said = tool.call({"command": "view", "path": "/memories/long.md"})
    assert said.endswith(" to 20001 are not shown: view them with view_range)")
    assert len(said) < 300_000


def test_nothing_there_is_said_as_documented(tool: VaultMemoryTool) -> None:
    for path in ("/memories/none.md", "/memories/none", "/memories/none.txt"):
        said = refused(tool, command="view", path=path)
        assert said == f"The path {path} does not exist. Please provide a valid path."
    assert "hidden" in refused(tool, command="view", path="/memories/.git/config")


def test_bytes_that_are_no_text_are_said(tool: VaultMemoryTool, folder: Path) -> None:
    (folder / "bytes.md").write_bytes(b"\xff\xfe\x80")
    assert refused(tool, command="view", path="/memories/bytes.md") == (
        "The file /memories/bytes.md is not a valid UTF-8 text file."
    )


# --- create, str_replace, insert ------------------------------------------------------------------


def test_a_file_is_made_once(tool: VaultMemoryTool, folder: Path) -> None:
    path = made(tool, "/memories/deep/nested/plan.md", "no newline")
    assert (folder / "agents/ada/files/deep/nested/plan.md").read_text().endswith("---\nno newline")
    said = refused(tool, command="create", path=path, file_text="y")
    assert said == f"Error: File {path} already exists"
    (folder / "new").mkdir()
    refused(tool, command="create", path="/memories/other/CLAUDE.md", file_text="y")
    assert not (folder / "other").exists()


def test_the_snippet_shows_two_lines_around_the_change(tool: VaultMemoryTool) -> None:
    path = made(tool, text="1\r\n2\n3\nold\n5\n6\n7\n")
    said = tool.call({"command": "str_replace", "path": path, "old_str": "old", "new_str": "a\nb"})
    assert said == EDITED + "     2\t2\n     3\t3\n     4\ta\n     5\tb\n     6\t5"
    gone = tool.call({"command": "str_replace", "path": path, "old_str": "1\r\n", "new_str": ""})
    assert gone == EDITED + "     1\t2\n     2\t3\n     3\ta"


def test_what_is_not_there_once_is_not_replaced(tool: VaultMemoryTool) -> None:
    path = made(tool, text="Hello\nMiddle\nHello")
    edit = {"command": "str_replace", "path": path, "new_str": "Hi"}
    assert refused(tool, **edit, old_str="None") == (
        f"No replacement was performed, old_str `None` did not appear verbatim in {path}."
    )
    assert refused(tool, **edit, old_str="Hello") == (
        "No replacement was performed. Multiple occurrences of old_str `Hello` in lines: 1, 3. "
        "Please ensure it is unique"
    )
    assert refused(tool, **edit | {"path": "/memories/no.md"}, old_str="x") == (
        "Error: The path /memories/no.md does not exist. Please provide a valid path."
    )
    assert "is not a file" in refused(tool, **edit | {"path": "/memories/notes"}, old_str="x")
    assert "empty" in refused(tool, **edit, old_str="")
    assert refused(tool, **edit, old_str="Rent <private>is 900") == (
        f"No replacement was performed, old_str `Rent` did not appear verbatim in {path}."
    )


def test_a_bare_private_mark_that_is_left_out_is_told(tool: VaultMemoryTool) -> None:
    path, mark = made(tool, text="a\nb\n"), "<private>"
    for edit in (
        {"command": "str_replace", "old_str": "a", "new_str": mark},
        {"command": "insert", "insert_line": 1, "insert_text": mark},
    ):
        said = tool.call({"path": path, **edit})
        assert "a <private> mark that holds nothing was left out" in said
    said = refused(tool, command="str_replace", path=path, old_str=mark, new_str="x")
    assert "old_str `(private text, which no file shows)` did not appear" in said


def test_what_was_private_of_a_text_is_told_behind_the_answer(tool: VaultMemoryTool) -> None:
    path, said = "/memories/rent.md", "1 private part was left out"
    text = "Rent <private>o</private> is due.\n"
    for edit in (
        {"command": "create", "file_text": text},
        {"command": "insert", "insert_line": 1, "insert_text": text},
        {"command": "str_replace", "old_str": "due.\nRent", "new_str": text},
    ):
        assert tool.call({"path": path, **edit}).endswith(f"\n{said}")


def test_lines_are_inserted_at_the_top_and_the_end(tool: VaultMemoryTool) -> None:
    path = made(tool, text="Line 1\nLine 2")
    for line, text in ((2, "Last\n\n"), (0, "First")):
        said = tool.call(
            {"command": "insert", "path": path, "insert_line": line, "insert_text": text}
        )
        assert said == f"The file {path} has been edited."
    shown = tool.call({"command": "view", "path": path})
    assert shown.endswith("1\tFirst\n     2\tLine 1\n     3\tLine 2\n     4\tLast\n     5\t")
    assert refused(tool, command="insert", path=path, insert_line=9, insert_text="x") == (
        "Error: Invalid `insert_line` parameter: 9. It should be within the range of lines of the "
        "file: [0, 4]"
    )
    assert refused(
        tool, command="insert", path="/memories/no.md", insert_line=0, insert_text="x"
    ) == ("Error: The path /memories/no.md does not exist")


# --- delete and rename ----------------------------------------------------------------------------


@pytest.mark.with_history
def test_what_is_deleted_leaves_a_tombstone(tool: VaultMemoryTool, folder: Path) -> None:
    path = made(tool)
    made(tool, "/memories/other/a.md", "A thing\n")
    assert tool.call({"command": "delete", "path": path}) == f"Successfully deleted {path}"
    said = tool.call({"command": "delete", "path": "/memories/other/"})
    assert said == "Successfully deleted /memories/other/"
    assert len(list((folder / "tombstones").glob("*.md"))) == 2
    assert refused(tool, command="delete", path=path) == f"Error: The path {path} does not exist"


@pytest.mark.long
@pytest.mark.with_history
def test_what_was_deleted_may_be_written_anew(tool: VaultMemoryTool, vault: Vault) -> None:
    """A tombstone keeps an import from bringing a text back, and no agent from writing it."""
    bob = VaultMemoryTool(vault, agent="bob")
    for text in ("{}", '{"open": "the studio at nine"}'):
        tool.call({"command": "delete", "path": made(tool, "/memories/state.json", text)})
        made(bob, "/memories/state.json", text)
        bob.call({"command": "delete", "path": "/memories/state.json"})
        made(tool, "/memories/state.json", text)
        tool.call({"command": "delete", "path": "/memories/state.json"})
    vault.remember("{}", agent="ada")
    with pytest.raises(Refused, match="was forgotten"):
        vault.remember('{"open": "the studio at nine"}', agent="ada")


@pytest.mark.with_history
@pytest.mark.long
def test_what_was_purged_is_not_written_anew(tool: VaultMemoryTool, vault: Vault) -> None:
    path = made(tool, "/memories/state.json", "The key is under the blue mat.")
    vault.forgetting.purge(["agents/ada/files/state.json"])
    text = "The key is under the blue mat."
    assert "was forgotten" in refused(tool, command="create", path=path, file_text=text)


def test_another_agents_tombstone_is_not_named(tool: VaultMemoryTool, vault: Vault) -> None:
    vault.forget(vault.remember("The vet is called Mo.", agent="bob").path)
    said = refused(
        tool, command="create", path="/memories/vet.txt", file_text="The vet is called Mo."
    )
    assert said.endswith("; nothing was stored: only a person lets it back in")


def test_the_root_stays(tool: VaultMemoryTool) -> None:
    for path in ("/memories", "/memories/", "/memories//"):
        assert refused(tool, command="delete", path=path) == (
            "Cannot delete the /memories directory itself"
        )
        assert refused(tool, command="rename", old_path=path, new_path="/memories/x.md") == (
            "Cannot rename the /memories directory itself"
        )
    with pytest.raises(ToolError, match="ask the person"):
        tool.clear_all_memory()


def test_a_file_and_a_folder_are_renamed(tool: VaultMemoryTool) -> None:
    made(tool)
    move = {"command": "rename", "old_path": "/memories/notes/plan.md"}
    assert tool.call(move | {"new_path": "/memories/a/b/c.md"}) == (
        "Successfully renamed /memories/notes/plan.md to /memories/a/b/c.md"
    )
    assert refused(tool, **move, new_path="/memories/x.md") == (
        "Error: The path /memories/notes/plan.md does not exist"
    )
    made(tool)
    assert refused(tool, **move, new_path="/memories/a/b/c.md") == (
        "Error: The destination /memories/a/b/c.md already exists"
    )
    assert "already exists" in refused(tool, **move, new_path="/memories")
    assert "into itself" in refused(
        tool, command="rename", old_path="/memories/a", new_path="/memories/a/b/a"
    )
    assert tool.call(
        {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/z"}
    ).startswith("Successfully renamed")


def test_what_stands_in_the_way_is_named(tool: VaultMemoryTool) -> None:
    """What does not exist is not said to exist already."""
    made(tool, "/memories/notes")
    made(tool, "/memories/State.JSON")
    made(tool, "/memories/other.txt")
    move = {"command": "rename", "old_path": "/memories/other.txt"}
    above = (
        "Error: The path /memories/notes/tea.md cannot be made: /memories/notes is there, "
        "a file, which holds no other"
    )
    new = "/memories/notes/tea.md"
    assert refused(tool, command="create", path=new, file_text="x") == above
    assert refused(tool, **move, new_path=new) == above
    case = (
        "Error: The path /memories/STATE.json cannot be made: /memories/State.JSON is there, "
        "and some file systems do not tell these names apart"
    )
    new = "/memories/STATE.json"
    assert refused(tool, command="create", path=new, file_text="x") == case
    assert refused(tool, **move, new_path=new) == case


@pytest.mark.with_history
def test_a_folder_that_lost_its_files_is_not_there_and_gives_its_name(
    tool: VaultMemoryTool,
) -> None:
    path, plan = "/memories/d", made(tool, "/memories/plan.txt")
    made(tool, f"{path}/e/x.txt")
    tool.call({"command": "delete", "path": path})
    missing = f"The path {path} does not exist. Please provide a valid path."
    assert refused(tool, command="view", path=path) == missing
    assert refused(tool, command="delete", path=path) == f"Error: The path {path} does not exist"
    tool.call({"command": "rename", "old_path": plan, "new_path": path})
    tool.call({"command": "rename", "old_path": path, "new_path": "/memories/e/f"})
    tool.call({"command": "rename", "old_path": "/memories/e", "new_path": "/memories/g"})
    made(tool, "/memories/e", "y\n")


def test_links_that_a_rename_breaks_are_told(tool: VaultMemoryTool) -> None:
    made(tool)
    made(tool, "/memories/notes/other.md", "see [[plan]]\n")
    said = tool.call({"command": "rename", "old_path": "/memories/notes/plan.md",
                      "new_path": "/memories/notes/b.md"})  # fmt: skip
    assert said.endswith("link to the old name: /memories/notes/other.md")


@pytest.mark.with_history
def test_a_commit_says_what_the_tool_did(tool: VaultMemoryTool, folder: Path) -> None:
    def committed() -> list[str]:
        told = subprocess.run(
            ("git", "log", "-1", "--format=%s%n%(trailers:key=Agent)"), cwd=folder, check=True,
            capture_output=True, text=True,
        ).stdout  # fmt: skip
        return told.split("\n")[:2]

    path = made(tool)
    assert committed() == ["write(ada): memory tool: create notes/plan.md", "Agent: ada"]
    tool.call({"command": "delete", "path": path})
    assert committed() == ["delete(ada): memory tool: delete notes/plan.md", "Agent: ada"]


# --- what a model may send ------------------------------------------------------------------------


MUDDLED: list[object] = [
    None, [], "view", 7, {}, {"command": None}, {"command": ["view"]}, {"command": "explode"},
    {"command": "x" * 10_000}, {"command": "view"}, {"command": "view", "path": None},
    {"command": "view", "path": ["/memories"]}, {"command": "create", "path": "/memories/a.md"},
    {"command": "create", "path": "/memories/a.md", "file_text": 7},
    {"command": "create", "path": "/memories/a.md", "file_text": "\ud800"},
    {"command": "create", "path": "/memories/a.md", "file_text": "a\0b"},
    {"command": "create", "path": "/memories/a.md", "file_text": "x" * 3_000_000},
    {"command": "create", "path": "/memories/a.md", "file_text": "---\nx: y: z\n---\n"},
    {"command": "insert", "path": "/memories/a.md", "insert_line": "0", "insert_text": "x"},
    {"command": "insert", "path": "/memories/a.md", "insert_line": True, "insert_text": "x"},
    {"command": "str_replace", "path": "/memories/a.md", "old_str": "a"},
    {"command": "rename", "old_path": "/memories/a.md"},
    {"command": "rename", "path": "/memories/a.md", "new_path": "/memories/b.md"},
]  # fmt: skip


def test_whatever_a_model_sends_is_answered(tool: VaultMemoryTool, folder: Path) -> None:
    before = everything(folder)
    for said in MUDDLED:
        with pytest.raises(ToolError) as caught:
            tool.call(said)
        assert len(str(caught.value)) < 500
        str(caught.value).encode()
    assert everything(folder) == before


@pytest.mark.parametrize("agent", ["", "ada"])
@pytest.mark.parametrize("whole", ["agents", "agents/{name}"])
def test_all_that_an_agent_has_is_not_taken_away_at_once(
    vault: Vault, folder: Path, agent: str, whole: str
) -> None:
    """Named or not, its memories are below there."""
    path = vault.remember("Tea at four.", agent=agent).path
    whole = f"/memories/{whole.format(name=path.split('/')[1])}"
    tool, before = VaultMemoryTool(vault, agent=agent), everything(folder)
    told = "what you keep in /memories lies in it. Name the single files or folders"
    for said in (
        {"command": "delete", "path": whole},
        {"command": "rename", "old_path": whole, "new_path": "/memories/notes/mine"},
    ):
        assert told in refused(tool, **said)
    assert everything(folder) == before


EVIL = [
    "/memories/../../etc/passwd", "/memories/..", "/etc/passwd", "/memories/%2e%2e/x.md",
    "/memories/%2E%2e%2Fx.md", "/memories/..\\x.md", "/memoriesX/a.md", "/memories/.git/config",
    "/memories/.GIT/hooks/x.md", "/memories/.vaultmem/x.md", "/memories/.obsidian/app.json",
    "/memories/CLAUDE.md", "/memories/a/claude.md", "/memories/config/memory_compaction.md",
    "/memories/a\0b.md", "/memories/a\nb.md", "/memories/a\u202eb.md", "memories/a.md", "", "/",
    "/memories/" + "x" * 5000 + ".md", "/memories/notes/plan.md/c.md", "/memories/\ud800.md",
    "/memories/con.md", "/memories/NOTES/a.md",
    "/memories/cards/a/b.md", "/memories/agents/bo/notes/x.md", "/memories/tombstones/x.md",
    "/memories/inbox/review/x.md", "/memories/TASKS.md", "/memories/skills/x/SKILL.md",
    "//memories/a.md", "/memories /a.md", "/Memories/a.md", "file:///memories/a.md", "/memories/\\",
]  # fmt: skip


def test_no_path_leads_astray(tool: VaultMemoryTool, folder: Path) -> None:
    made(tool)
    before = everything(folder)
    for said in (command for path in EVIL for command in writing(path)):
        answer = refused(tool, **said)
        assert str(folder) not in answer
        answer.encode()
    assert everything(folder) == before


def writing(path: str) -> Iterator[dict[str, object]]:
    """Yield every command that writes, at *path*."""
    yield {"command": "create", "path": path, "file_text": "x"}
    yield {"command": "str_replace", "path": path, "old_str": "", "new_str": "x"}
    yield {"command": "insert", "path": path, "insert_line": 0, "insert_text": "x"}
    yield {"command": "rename", "old_path": "/memories/notes/plan.md", "new_path": path}
    yield {"command": "delete", "path": path}


def test_the_ways_out_are_said_as_the_sdk_says_them(tool: VaultMemoryTool) -> None:
    assert refused(tool, command="view", path="/invalid/path.txt") == (
        "Path must start with /memories, got: /invalid/path.txt"
    )
    path = "/memories/../../../etc/passwd"
    assert refused(tool, command="create", path=path, file_text="x") == (
        f"Path {path} would escape /memories directory"
    )


def test_a_way_that_stays_inside_leads_where_it_leads(tool: VaultMemoryTool) -> None:
    """As in the SDK: what does not escape is not said to, and no link makes the letters lie."""
    made(tool, "/memories/notes/sub/../plan.md", "one\n")
    made(tool, "/memories/./b//c.txt", "two\n")
    assert "one" in tool.call({"command": "view", "path": "/memories/notes/./plan.md"})
    assert "two" in tool.call({"command": "view", "path": "/memories/b/d/../c.txt"})
    said = tool.call({"command": "view", "path": "/memories/notes/.."})
    assert "\t/memories/notes/plan.md" in said
    assert refused(tool, command="view", path="/memories/x/../../memories/notes/plan.md") == (
        "Path /memories/x/../../memories/notes/plan.md would escape /memories directory"
    )
    assert refused(tool, command="delete", path="/memories/b/..") == (
        "Cannot delete the /memories directory itself"
    )


def test_a_backslash_is_said_to_be_one(tool: VaultMemoryTool) -> None:
    assert refused(tool, command="create", path="/memories/a\\b.txt", file_text="x") == (
        "Path /memories/a\\b.txt has a backslash: write / between folder and file"
    )


def test_a_name_in_letters_and_accents_apart_is_the_composed_one(tool: VaultMemoryTool) -> None:
    made(tool, "/memories/cafe\u0301.txt", "x\n")
    assert "\t/memories/caf\u00e9.txt" in tool.call({"command": "view", "path": "/memories"})
    assert "x" in tool.call({"command": "view", "path": "/memories/cafe\u0301.txt"})


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("2026-11-29T10:00.txt", "2026-11-29T10-00.txt"),
        ("what?.txt", "what-.txt"),
        (".hidden", "hidden"),
        ("~", "~.md"),
        ("deep/con.json", "deep/con-file.json"),
        ("x" * 130 + ".txt", "x" * 116 + ".txt"),
        ("scan.pdf", "scan.md"),
        ("end.", "end"),
        ("notes/a:b.md", "notes/a-b.md"),
    ],
)
def test_a_name_that_is_refused_is_told_with_one_that_is_taken(
    tool: VaultMemoryTool, name: str, better: str
) -> None:
    """By the paths that Claude uses."""
    path = f"/memories/{name}"
    said = refused(tool, command="create", path=path, file_text="x")
    assert path in said
    assert said.endswith(f": keep it as /memories/{better}")
    assert "agents/ada" not in said
    old = made(tool, f"/memories/{better}")
    said = refused(tool, command="rename", old_path=old, new_path=path)
    assert said.endswith(f": keep it as /memories/{better}")


@pytest.mark.long
def test_no_answer_names_a_place_in_the_vault_that_claude_did_not(tool: VaultMemoryTool) -> None:
    made(tool, "/memories/deeper/x.txt")
    assert refused(
        tool, command="rename", old_path="/memories/deeper", new_path="/memories/deeper/y"
    ) == "/memories/deeper cannot move into itself"  # fmt: skip
    long = "x" * ((1 << 20) - 10)
    made(tool, "/memories/m3.txt", long)
    assert refused(
        tool, command="insert", path="/memories/m3.txt", insert_line=0, insert_text="y" * 20
    ) == "/memories/m3.txt would be longer than 1024 KiB: split it"  # fmt: skip
    made(tool, "/memories/notes/n.md", "said once\n")
    said = refused(
        tool, command="str_replace", path="/memories/notes/n.md", old_str="notes/n.md", new_str=""
    )
    assert "`notes/n.md`" in said


def test_a_link_leads_nowhere(tool: VaultMemoryTool, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/secret.md").write_text("sensitive")
    (folder / "link").symlink_to(tmp_path / "out")
    for said in (
        {"command": "view", "path": "/memories/link/secret.md"},
        {"command": "view", "path": "/memories/link"},
        {"command": "create", "path": "/memories/link/hacked.md", "file_text": "x"},
        {"command": "create", "path": "/memories/link/nested/hacked.md", "file_text": "x"},
        {"command": "delete", "path": "/memories/link"},
    ):
        assert refused(tool, **said) == f"Path {said['path']} would escape /memories directory"
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["secret.md"]


def everything(folder: Path) -> dict[str, bytes]:
    """Return all files around the vault but git's and our workings, by path."""
    return {
        str(path): path.read_bytes()
        for path in folder.parent.rglob("*")
        if path.is_file() and not {".git", ".vaultmem"} & {*path.parts}
    }


def _ours(folder: Path) -> dict[str, bytes]:
    """Return what no agent may ever change."""
    kept = ("CLAUDE.md", "AGENTS.md", "README.md", "config", "templates", ".obsidian", ".gitignore")
    found = everything(folder)
    inside = {p: b for p, b in found.items() if p.startswith(str(folder))}
    return {p: b for p, b in inside.items() if Path(p).relative_to(folder).parts[0] in kept} | {
        str(folder / ".git/config"): (folder / ".git/config").read_bytes()
    }


PIECES = st.sampled_from(
    ["/memories", "/", "..", ".", "notes", "a.md", "b.md", ".git", "config", "CLAUDE.md", "agents",
     "ada", "bo", "memories", "topics", "%2e", "\\", "\0", "\u202e", "é", "e\u0301", " ", "inbox",
     "MEMORY.md", "x" * 300, "tombstones", "cards", "AUX", "a.md/", "\ud800", "~", "*", "[[", "|"]
)  # fmt: skip
PATHS = st.one_of(
    st.lists(PIECES, max_size=6).map("".join),
    st.lists(PIECES, max_size=5).map(lambda parts: "/memories/" + "/".join(parts)),
    st.text(max_size=20),
)
TEXTS = st.one_of(st.none(), st.integers(-2, 3), st.text(max_size=20), st.lists(st.integers()))
COMMANDS = st.fixed_dictionaries(
    {"command": st.sampled_from(["view", "create", "str_replace", "insert", "delete", "rename"])},
    optional={
        "path": PATHS, "old_path": PATHS, "new_path": PATHS, "file_text": TEXTS, "old_str": TEXTS,
        "new_str": TEXTS, "insert_text": TEXTS, "insert_line": TEXTS, "view_range": TEXTS,
    },
)  # fmt: skip


@pytest.mark.long
@pytest.mark.with_history
@settings(
    max_examples=settings().max_examples * 2,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(said=COMMANDS)
def test_any_command_is_answered_and_nothing_outside_is_touched(
    vault: Vault, folder: Path, said: dict[str, object]
) -> None:
    tool = VaultMemoryTool(vault, agent="ada")
    tool._reach = tool._reach.delayed()
    before, around = _ours(folder), {p.name for p in folder.parent.iterdir()}
    try:
        answer = tool.call(said)
    except ToolError as e:
        answer = str(e)
    answer.encode()
    assert str(folder) not in answer
    assert _ours(folder) == before
    assert {p.name for p in folder.parent.iterdir()} == around


# --- as the SDK calls it, in asyncio, in many processes -------------------------------------------


def test_the_sdks_loop_runs_it_and_is_told_of_errors(vault: Vault) -> None:
    path = "/memories/notes/tea.md"
    asked: list[dict[str, Any]] = [
        {"command": "create", "path": path, "file_text": "Sencha at four.\n"},
        {"command": "view", "path": path},
        {"command": "view", "path": "/memories/none.md"},
    ]
    with Wire(lambda _: Calls([("memory", asked.pop(0))]) if asked else "Done.") as wire:
        client = Anthropic(api_key="k", base_url=wire.url, max_retries=0)
        client.beta.messages.tool_runner(
            model="claude-haiku-5-5", max_tokens=100, tools=[VaultMemoryTool(vault)], stream=True,
            messages=[{"role": "user", "content": "Remember my tea."}], max_iterations=5,
        ).until_done()  # fmt: skip
        client.close()
        results = [call.body["messages"][-1]["content"][0] for call in wire.calls[1:]]
    assert wire.calls[0].body["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    assert [bool(r.get("is_error")) for r in results] == [False, False, True]
    assert "     1\tSencha at four." in str(results[1]["content"])


def test_the_sdks_own_models_are_commands_too(vault: Vault) -> None:
    tool = VaultMemoryTool(vault, cache_control={"type": "ephemeral"})
    view = BetaMemoryTool20250818ViewCommand(command="view", path="/memories")
    assert tool.view(view) == tool.execute(view) == tool.call(view.to_dict())
    assert tool.to_dict() == {
        "type": "memory_20250818", "name": "memory", "cache_control": {"type": "ephemeral"},
    }  # fmt: skip


def test_the_async_tool_says_the_same(folder: Path, clock: Clock) -> None:
    async def talk() -> list[str]:
        async with await AsyncVault.open(folder, clock=clock) as vault:
            tool = AsyncVaultMemoryTool(vault, agent="ada")
            path = "/memories/notes/plan.md"
            made = tool.call({"command": "create", "path": path, "file_text": "one\n"})
            said = [str(await made), str(await tool.call({"command": "view", "path": path}))]
            for step in (tool.call({"command": "view"}), tool.clear_all_memory()):
                with pytest.raises(ToolError) as caught:
                    await step
                said.append(str(caught.value))
            return said

    assert asyncio.run(talk()) == [
        "File created successfully at: /memories/notes/plan.md",
        HEADER.format("/memories/notes/plan.md") + "     1\tone\n     2\t",
        "The `path` parameter is missing.",
        memory_tool_messages.NO_CLEARING,
    ]


def test_a_closed_vault_is_no_raw_error_either(folder: Path) -> None:
    with Vault.open(folder) as vault:
        tool = VaultMemoryTool(vault)
    refused(tool, command="view", path="/memories")
    refused(tool, command="create", path="/memories/a.md", file_text="x")


WRITERS = """
    with Vault.open(path) as vault:
        tool = VaultMemoryTool(vault, agent="ada")
        for n in range(5):
            note = f"/memories/notes/{name}-{n}.md"
            tool.call({"command": "create", "path": note, "file_text": f"note {n}\\n"})
            if n % 4 == 0:
                edit = {"command": "insert", "insert_line": 0, "insert_text": name}
                tool.call({**edit, "path": "/memories/shared.md"})
"""


@pytest.mark.with_history
@pytest.mark.long
def test_processes_that_write_at_once_keep_everything(folder: Path) -> None:
    with Vault.open(folder) as vault:
        made(VaultMemoryTool(vault), "/memories/shared.md", "")
    loaded = "from vaultmem.integrations.memory_tool import VaultMemoryTool"
    at_once(WRITERS, folder, "w0", "w1", "w2", imports=loaded)
    assert len(list((folder / "notes").glob("*.md"))) == 15
    with Vault.open(folder) as vault:
        vault.store.writer.commit_pending()
        shared = vault.reach().page("shared.md").text.split()
    assert sorted(shared) == sorted(["w0", "w1", "w2"] * 2)
    status = subprocess.run(
        ("git", "status", "--porcelain"), cwd=folder, check=True, capture_output=True
    ).stdout  # fmt: skip
    assert status == b""


def test_without_history_a_delete_is_the_persons(plain: Vault) -> None:
    tool = VaultMemoryTool(plain, agent="ada")
    path = made(tool)
    said = refused(tool, command="delete", path=path)
    assert "no history" in said
    assert "ask the person" in said
    assert tool.call({"command": "view", "path": path})


@pytest.mark.with_history
def test_a_delete_of_what_git_did_not_have_can_be_undone(
    tool: VaultMemoryTool, vault: Vault, folder: Path
) -> None:
    (folder / "notes").mkdir(exist_ok=True)
    (folder / "notes/hand.md").write_text("by a person\n")
    tool.call({"command": "delete", "path": "/memories/notes/hand.md"})
    vault.undo(vault.log(1)[0].ops[-1])
    assert (folder / "notes/hand.md").read_text() == "by a person\n"


@pytest.mark.with_history
@pytest.mark.parametrize("path", ["/memories/x.txt", "/memories/notes/x.md"])
def test_a_slash_behind_the_name_of_a_file_says_nothing(tool: VaultMemoryTool, path: str) -> None:
    said = tool.call({"command": "create", "path": f"{path}/", "file_text": "stays\n"})
    assert said == f"File created successfully at: {path}"
    refused(tool, command="create", path=f"{path}/", file_text="another")
    for shown in (path, f"{path}/"):
        assert "stays" in tool.call({"command": "view", "path": shown})
    tool.call({"command": "rename", "old_path": f"{path}/", "new_path": "/memories/y.txt/"})
    assert "stays" in tool.call({"command": "view", "path": "/memories/y.txt"})
    tool.call({"command": "delete", "path": "/memories/y.txt/"})
    refused(tool, command="view", path="/memories/y.txt")


@pytest.mark.parametrize("path", ["agents", "agents/", "agents/ada", "agents/ada/files"])
def test_no_other_name_takes_away_all_that_an_agent_keeps(tool: VaultMemoryTool, path: str) -> None:
    made(tool, "/memories/x.txt", "stays\n")
    for said in (
        {"command": "delete", "path": ""},
        {"command": "rename", "new_path": "/memories/z"},
    ):
        key = "old_path" if said["command"] == "rename" else "path"
        told = refused(tool, **{**said, key: f"/memories/{path}"})
        assert told.startswith(f"Cannot {said['command']} /memories/{path}: what you keep in")
    assert "stays" in tool.call({"command": "view", "path": "/memories/x.txt"})


def test_frontmatter_of_claudes_is_kept_but_for_what_is_the_programs_which_is_said(
    tool: VaultMemoryTool, folder: Path
) -> None:
    text = "---\ntitle: Tea\nmood: calm\nread_only: true\ntype: card\ntrust: user\n---\nhello\n"
    said = tool.call({"command": "create", "path": "/memories/notes/x.md", "file_text": text})
    assert said == (
        "File created successfully at: /memories/notes/x.md\nLeft out of its frontmatter, where "
        "they are the program's to set: read_only, type, trust."
    )
    kept = (folder / "notes/x.md").read_text()
    assert "title: Tea\nmood: calm\n" in kept
    assert "type: note\n" in kept
    assert "read_only" not in kept
    as_it_is = {"command": "create", "path": "/memories/x.txt", "file_text": text}
    assert tool.call(as_it_is) == "File created successfully at: /memories/x.txt"
    assert (folder / "agents/ada/files/x.txt").read_text() == text


@pytest.mark.parametrize("agent", ["../x", "x" * 300, "Ada", 5, None])
def test_a_tool_is_not_made_for_what_can_be_no_agent(vault: Vault, agent: object) -> None:
    with pytest.raises(BadInput, match=r"^agent"):
        VaultMemoryTool(vault, agent=cast("str", agent))


def test_a_tool_is_not_made_of_what_is_no_vault(vault: Vault) -> None:
    with pytest.raises(BadInput, match=r"^vault takes a Vault, not None"):
        VaultMemoryTool(cast("Vault", None))
    with pytest.raises(BadInput, match=r"^vault takes an AsyncVault, not 'Vault'"):
        AsyncVaultMemoryTool(cast("AsyncVault", vault))


def test_a_file_in_a_folder_is_named_by_its_path_here(tool: VaultMemoryTool) -> None:
    for folder in ("config", "config/profiles"):
        said = refused(tool, command="delete", path=f"/memories/{folder}")
        assert said.startswith(f"/memories/{folder}/")


@pytest.mark.parametrize(
    ("old", "between", "new"),
    [("d/p.txt", "q.txt", "d/P.txt"), ("notes/p.md", "q.md", "notes/P.md"), ("d", "q", "D")],
)
def test_another_case_of_a_name_is_reached_by_another_name(
    tool: VaultMemoryTool, old: str, between: str, new: str
) -> None:
    made(tool, "/memories/d/p.txt")
    made(tool, "/memories/notes/p.md")
    said = refused(tool, command="rename", old_path=f"/memories/{old}", new_path=f"/memories/{new}")
    assert said.endswith(": rename it to another name first, and that to this one")
    for way in ((old, between), (between, new)):
        before, after = (f"/memories/{name}" for name in way)
        tool.call({"command": "rename", "old_path": before, "new_path": after})
