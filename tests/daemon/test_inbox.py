"""Questions that people write into notes, and the answers below them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.api import at_commands
from vaultmem.cli import watch
from vaultmem.daemon import note_commands
from vaultmem.daemon.inbox import Inbox
from vaultmem.errors import BadInput

pytestmark = pytest.mark.without_history

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
OLD = 1_700_000_000
KNOWN = frozenset({"@memory-status", "@remember", "@recall", "@compact-memories"})


def asked(text: str) -> list[str]:
    """Return the commands in a note."""
    return [question.command for question in note_commands.questions(text)]


def all_answered(text: str, said: str) -> str:
    """Answer every question of a note with the same words."""
    for question in reversed(note_commands.questions(text)):
        text = note_commands.answered(text, question, said, NOON)
    return text


# --- the text -----------------------------------------------------------------------------------


def test_a_line_that_begins_with_a_command_asks() -> None:
    text = "# Monday\n\nPlease:\n@memory-status\nand @recall tea\n@remember  She likes tea. \n"
    assert asked(text) == ["@memory-status", "@remember  She likes tea."]


@pytest.mark.parametrize(
    "text",
    [
        "> @memory-status\n",
        "```\n@memory-status\n```\n",
        "~~~~ text\n~~~\n@memory-status\n~~~~\n",
        "```\n@memory-status\n",
        "---\nnote: |\n  x\n@memory-status\n---\n",
        "    @memory-status\n",
        "%%\n@memory-status\n%%\n",
        "<!-- not now\n@memory-status\n-->\n",
        "$$\nx\n@memory-status\n$$\n",
        "%% one %% %% two\n@memory-status\n",
        "Tea %% not now\n@memory-status\n%%\n",
        "1. Run:\n\n    ```\n@memory-status\n    ```\n",
        "@\n",
        "",
    ],
)
def test_a_quoted_fenced_or_unknown_command_does_not_ask(text: str) -> None:
    assert asked(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: x\n---\n@memory-status\n",
        "```\ncode\n```\n@memory-status\n",
        "---\n@memory-status\n",
        "%% hidden %%\n<!-- so is\n\nthis --> <!-- and this -->\n@memory-status\n",
        "\ufeff@memory-status",
        "> 50%% of it <!--\n\n@memory-status\n\n20%% -->\n",
        "@memory-status\r\n",
    ],
)
def test_a_command_behind_frontmatter_or_a_fence_asks(text: str) -> None:
    assert asked(text) == ["@memory-status"]


def test_the_answer_stands_directly_below_and_all_else_stays() -> None:
    text = "Dear vault,\n\n@memory-status\n\nThanks.\n"
    assert all_answered(text, "OK\n\n2 memories\n") == (
        "Dear vault,\n\n@memory-status\n"
        "> [!vaultmem] 2026-11-20 12:00 UTC\n> OK\n>\n> 2 memories\n"
        "\nThanks.\n"
    )


def test_each_of_several_commands_is_answered_below_its_own_line() -> None:
    """An empty line parts a callout from the next line, or that would be part of it."""
    assert all_answered("@memory-status\n@recall tea", "OK") == (
        "@memory-status\n> [!vaultmem] 2026-11-20 12:00 UTC\n> OK\n\n"
        "@recall tea\n> [!vaultmem] 2026-11-20 12:00 UTC\n> OK\n"
    )


def test_windows_newlines_stay() -> None:
    text = all_answered("@memory-status\r\nThanks.\r\n", "OK\n2")
    assert text.count("\n") == text.count("\r\n") == 6


def test_only_a_question_without_an_answer_is_answered() -> None:
    text = "@memory-status\n> [!vaultmem] 2026-11-19 12:00 UTC\n> OK\n\n@recall tea\n"
    assert asked(text) == ["@recall tea"]


LINES = st.sampled_from(
    ["@memory-status", "@remember tea", "> quoted", "```", "~~~", "---", "", "Tea.", "  x", "@x"]
)


@given(st.lists(LINES), st.sampled_from(["\n", "\r\n"]), st.text())
def test_an_answer_only_adds_lines_and_asks_nothing(
    lines: list[str], newline: str, said: str
) -> None:
    """Whatever it says: taken away again, the note is as it was."""
    text = newline.join(lines)
    after = all_answered(text, said)
    assert asked(after) == []
    marked = re.compile(r"> \[!vaultmem\] 2026.*\n(>.*\n)*", re.MULTILINE)
    kept = [x.strip() for x in marked.sub("", after).splitlines() if x.strip()]
    before = [x.strip() for x in text.splitlines() if x.strip()]
    assert [x for x in kept if x != "> quoted"] == [x for x in before if x != "> quoted"]


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("@memory-status", ["@memory-status"]),
        ("@remember She likes -k 3 tea", ["@remember", "--", "She likes -k 3 tea"]),
        ("@remember --agent ada  She  likes tea", ["@remember", "--agent", "ada", "--",
                                                   "She  likes tea"]),
        ("@recall -k 3 --agent=ada tea", ["@recall", "-k", "3", "--agent", "ada", "--", "tea"]),
        ("@remember -- --vault is an option", ["@remember", "--", "--vault is an option"]),
    ],
)  # fmt: skip
def test_a_command_in_a_note_is_its_options_and_text(command: str, arguments: list[str]) -> None:
    assert at_commands.arguments(command) == arguments


@pytest.mark.parametrize("option", ["--vault /etc", "--vault=/etc", "--json", "-v", "--force"])
def test_a_note_may_not_say_which_vault_or_how(option: str) -> None:
    with pytest.raises(BadInput, match="is not an option in a note"):
        at_commands.arguments(f"@recall {option} tea")


# --- the notes ----------------------------------------------------------------------------------


class Asked:
    """Somebody who answers, and counts."""

    def __init__(self, before: Callable[[], None] = lambda: None) -> None:
        """Do *before* each answer what happens meanwhile."""
        self.before, self.commands = before, list[list[str]]()

    def __call__(self, argv: list[str]) -> str:
        """Answer one command."""
        self.commands.append(argv)
        self.before()
        return "Aye."


def note(vault: Vault, path: str, text: str, *, rested: bool = True) -> Path:
    """Write a note as a person does, some time ago if it has *rested*."""
    file = vault.path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    if rested:
        os.utime(file, (OLD, OLD))
    vault.store.index.sync()
    return file


def subjects(vault: Vault) -> list[str]:
    """Return the subjects of all commits, newest first."""
    argv = ["git", "-C", str(vault.path), "log", "--format=%s"]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.with_history
def test_a_rested_note_is_answered_once(vault: Vault) -> None:
    ask = Asked()
    inbox = Inbox(KNOWN, ask)
    file = note(vault, "inbox/ask.md", "@memory-status\n")
    assert inbox.next(vault.store) == OLD + 30
    assert inbox.answer(vault.store, OLD + 31) == 1
    assert file.read_text() == "@memory-status\n> [!vaultmem] 2026-11-20 10:15 UTC\n> Aye.\n"
    vault.store.index.sync()
    assert inbox.next(vault.store) is None
    assert inbox.answer(vault.store, OLD + 99) == 0
    assert ask.commands == [["@memory-status"]]


@pytest.mark.with_history
def test_the_person_s_words_and_the_answer_are_two_commits(vault: Vault) -> None:
    note(vault, "inbox/ask.md", "@memory-status\n")
    Inbox(KNOWN, Asked()).answer(vault.store, OLD + 31)
    assert subjects(vault)[:2] == ["answer: inbox/ask.md", "human: add inbox/ask.md"]


def test_a_note_on_conflicts_is_a_person_s_like_any_other(vault: Vault) -> None:
    note(vault, "inbox/conflict-of-interest.md", "@memory-status\n")
    assert Inbox(KNOWN, Asked()).answer(vault.store, OLD + 31) == 1
    assert vault.status().inbox.conflicts == 0


def test_a_note_that_somebody_still_writes_is_left_alone(vault: Vault) -> None:
    note(vault, "inbox/ask.md", "@memory-status\n")
    assert Inbox(KNOWN, Asked()).answer(vault.store, OLD + 29) == 0


@pytest.mark.parametrize(
    ("path", "head"),
    [
        ("inbox/review/x.md", ""),
        ("inbox/deeper/x.md", ""),
        ("inbox/conflict-01j5-ask-1a2b3c4d.md", ""),
        ("inbox/ask.sync-conflict-20261120.md", ""),
        ("topics/x.md", ""),
        ("inbox/x.md", "---\ntype: memory\n---\n"),
        ("inbox/x.md", "---\ntype: dream\n---\n"),
        ("inbox/x.md", "---\ntrust: untrusted\n---\n"),
        ("inbox/x.md", "---\nsource: web\n---\n"),
        ("inbox/x.md", "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n"),
    ],
)
def test_only_what_a_person_wrote_into_the_inbox_asks(vault: Vault, path: str, head: str) -> None:
    note(vault, path, f"{head}@memory-status\n")
    assert Inbox(KNOWN, Asked()).next(vault.store) is None


@pytest.mark.with_history
def test_what_was_carried_out_is_not_carried_out_again(vault: Vault) -> None:
    """The person went on writing while the command ran: the answer waits, the command does not."""
    file = vault.path / "inbox/ask.md"

    def meanwhile() -> None:
        if len(ask.commands) == 1:
            file.write_text("Monday.\n@remember Tea at four.\n")

    ask = Asked(meanwhile)
    inbox = Inbox(KNOWN, ask)
    note(vault, "inbox/ask.md", "@remember Tea at four.\n")
    assert inbox.answer(vault.store, OLD + 31) == 0
    assert file.read_text() == "Monday.\n@remember Tea at four.\n"
    os.utime(file, (OLD + 60, OLD + 60))
    vault.store.index.sync()
    assert inbox.answer(vault.store, OLD + 91) == 1
    assert file.read_text().endswith("> Aye.\n")
    assert len(ask.commands) == 1


def test_the_same_question_a_second_time_is_a_second_question(vault: Vault) -> None:
    ask = Asked()
    note(vault, "inbox/ask.md", "@remember Tea.\n\n@remember Tea.\n")
    Inbox(KNOWN, ask).answer(vault.store, OLD + 31)
    assert ask.commands == [["@remember", "--", "Tea."]] * 2


def test_an_option_that_a_note_may_not_use_is_the_answer(vault: Vault) -> None:
    file = note(vault, "inbox/ask.md", "@recall --vault /etc passwords\n")
    ask = Asked()
    Inbox(KNOWN, ask).answer(vault.store, OLD + 31)
    assert "> --vault is not an option in a note" in file.read_text()
    assert ask.commands == []


def test_what_is_nearly_a_command_is_answered_with_what_there_is(vault: Vault) -> None:
    """Other words with an @ are names, or somebody's own marks."""
    names = (
        "@mara hello\n\n@ada hello\n\n@media a.png\n\n@todo Ask Bob\n\n@param x\n\n@team tea?\n\n"
    )
    file = note(vault, "inbox/ask.md", f"@rember tea\n\n{names}@help\n")
    ask = Asked()
    assert Inbox(KNOWN, ask).answer(vault.store, OLD + 31) == 1
    said = file.read_text()
    there = "@compact-memories, @memory-status, @recall, @remember"
    assert f"> there is no @rember: did you mean `@remember`? there are {there}\n" in said
    assert f"> there is no @help: there are {there}\n" in said
    assert said.count("[!vaultmem]") == 2
    assert names in said
    assert ask.commands == []


def test_a_command_with_a_capital_asks_and_a_person_s_name_does_not(vault: Vault) -> None:
    """A phone begins each line with one."""
    file = note(vault, "inbox/ask.md", "@Recall green tea\n\n@Zoe hello\n\n@RECALL\n")
    ask = Asked()
    assert Inbox(KNOWN, ask).answer(vault.store, OLD + 31) == 1
    assert ask.commands == [["@recall", "--", "green tea"], ["@recall"]]
    assert "@Zoe hello\n\n@RECALL" in file.read_text()


def test_an_answer_links_to_the_files_that_it_names(vault: Vault) -> None:
    kept = "agents/ada/memories/2026/11/tea"
    said = f"{kept}.md:11  2026-11-20  1.47\n    see notes/tea.md\nremembered {kept}.md\n"
    said += "tick what you want in inbox/dream.md, then `vaultmem dream apply`\n"
    file = note(vault, "inbox/ask.md", "@recall tea\n")
    Inbox(KNOWN, lambda _: said).answer(vault.store, OLD + 31)
    assert file.read_text().endswith(
        f"> [[{kept}]]:11  2026-11-20  1.47\n>     see notes/tea.md\n> remembered [[{kept}]]\n"
        "> tick what you want in [[inbox/dream]], then `vaultmem dream apply`\n"
    )


def test_a_secret_that_a_note_holds_is_not_written_once_more(vault: Vault) -> None:
    secret = "ghp_" + "a1B2c3D4" * 5
    file = note(vault, "inbox/ask.md", "@recall token\n")
    Inbox(KNOWN, lambda _: f"my token is {secret}").answer(vault.store, OLD + 31)
    assert "> my token is [REDACTED" in file.read_text()


def test_a_command_that_holds_a_credential_is_refused(vault: Vault) -> None:
    """What would be kept of it is a mark, which says nothing."""
    secret = "ghp_" + "a1B2c3D4" * 5
    text = f"@remember Tea.\n\n@remember {secret}\n\nIt is {secret}.\n"
    file = note(vault, "inbox/ask.md", text)
    ask = Asked()
    Inbox(KNOWN, ask).answer(vault.store, OLD + 31)
    assert ask.commands == [["@remember", "--", "Tea."]]
    refused = f"@remember {secret}\n> [!vaultmem] 2026-11-20 10:15 UTC\n> this line holds a cred"
    assert refused in file.read_text()


# --- what is carried out ------------------------------------------------------------------------


def test_a_command_of_a_note_is_the_plain_command_on_this_vault(vault: Vault) -> None:
    watch.answer(vault.path, ["@remember", "--agent", "ada", "--", "Oolong, never sugar."])
    said = watch.answer(vault.path, ["@recall", "-k", "1", "--", "oolong"])
    assert "Oolong, never sugar." in said


def test_a_command_that_fails_answers_with_its_sentence(vault: Vault) -> None:
    said = watch.answer(vault.path, ["@recall", "--agent", "nobody", "--", "tea"])
    assert said == (
        "no agent 'nobody' in this vault; there are: none yet: its first memory makes one\n"
    )
