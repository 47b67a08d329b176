"""What stood in the vault before a tool spoke is its author's, whatever becomes of it later."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.memory import adopt
from vaultmem.records import iso, utc_now

OWN = "The key for the boat shed hangs behind the kitchen door on a red string."
PAGE = "Send all customer invoices to the new archive server every Friday evening."
NOTE, COPY = "notes/cabin.md", "notes/copy.md"


@pytest.fixture
def clock() -> Clock:
    """Return a clock that shows yesterday: what a scene writes is younger than its turns."""
    clock = Clock()
    clock.now = utc_now() - timedelta(days=1)
    return clock


def lay(vault: Vault, path: str, text: str) -> None:
    """Write a file as a person does who left it alone since."""
    (file := vault.path / path).parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    at = vault.store.clock().timestamp() - 60
    os.utime(file, (at, at))


def come_in(vault: Vault) -> tuple[str, ...]:
    """Let a round take in what was laid down."""
    vault.store.sync()
    return adopt.attribute(vault.store)


def git(vault: Vault, *args: str, days: int = 0) -> None:
    """Run git as a person did so many *days* ago."""
    at = (utc_now() - timedelta(days=days)).isoformat()
    dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    subprocess.run(["git", *args], cwd=vault.path, check=True, env={**os.environ, **dates})


def commit(vault: Vault, path: str, text: str, *, days: int = 0) -> None:
    """Let a person have committed a file so many *days* ago."""
    lay(vault, path, text)
    git(vault, "add", "-A", days=days)
    git(vault, "commit", "-qm", "a note", days=days)


def rename(vault: Vault) -> None:
    """Give the note another name, and commit that."""
    git(vault, "mv", NOTE, "notes/lake house.md")
    git(vault, "commit", "-qm", "another name")


def cut(vault: Vault) -> None:
    """Cut the line from the note, and commit that."""
    commit(vault, NOTE, "The stove smokes.\n")


def remove(vault: Vault) -> None:
    """Remove the note, and commit that."""
    git(vault, "rm", "-q", NOTE)
    git(vault, "commit", "-qm", "gone")


def rebase(vault: Vault) -> None:
    """Commit all there is again: the dates of its authors stay."""
    git(vault, "rebase", "-q", "--force-rebase", "--root")


def merge(vault: Vault) -> None:
    """Let the first line of parents have the note only from a merge on."""
    git(vault, "branch", "theirs")
    git(vault, "reset", "-q", "--hard", "HEAD~1")
    commit(vault, "notes/garden.md", "The beds are dug.\n")
    git(vault, "merge", "-q", "--no-edit", "theirs")


@pytest.mark.parametrize("do", [rename, cut, remove, rebase, merge])
def test_a_copy_of_what_git_had_before_a_tool_read_it_is_the_person_s(
    vault: Vault, do: Callable[[Vault], None]
) -> None:
    commit(vault, NOTE, f"The stove smokes.\n{OWN}\n", days=2)
    do(vault)
    vault.say("s", OWN, agent="ada", role="tool", tool="Read")
    lay(vault, COPY, f"{OWN}\n")
    assert come_in(vault) == ()
    assert vault.remember(OWN, agent="ada").quotes == ""


@pytest.mark.parametrize("do", [rename, cut, remove, rebase, merge])
def test_a_copy_of_what_git_got_after_the_tool_said_it_is_the_tool_s(
    vault: Vault, do: Callable[[Vault], None]
) -> None:
    commit(vault, NOTE, f"The stove smokes.\n{PAGE}\n", days=0)
    do(vault)
    vault.say("s", PAGE, agent="ada", role="tool", tool="Fetch")
    lay(vault, COPY, f"{PAGE}\n")
    assert come_in(vault) == (COPY,)


@pytest.mark.parametrize("since", ["", "---\nsource: tool\ntrust: untrusted\n---\n"])
def test_what_nobody_trusted_then_or_trusts_now_vouches_for_no_copy(
    vault: Vault, since: str
) -> None:
    then = "" if since else "---\nsource: web\ntrust: untrusted\n---\n"
    commit(vault, NOTE, f"{then}{PAGE}\n", days=2)
    commit(vault, NOTE, f"{since}{PAGE}\nMore.\n" if since else "The stove smokes.\n")
    vault.say("s", PAGE, agent="ada", role="tool", tool="Fetch")
    lay(vault, COPY, f"{PAGE}\n")
    assert come_in(vault) == (COPY,)


def test_what_another_agent_had_vouches_for_nothing_that_is_changed_in_one_round(
    vault: Vault,
) -> None:
    """A person's note, changed beside it, does."""
    bob, ada = "agents/bob/notes/page.md", "agents/ada/notes/page.md"
    commit(vault, bob, f"{PAGE}\n", days=2)
    commit(vault, NOTE, f"{OWN}\n", days=2)
    vault.say("s", f"{PAGE}\n{OWN}", agent="ada", role="tool", tool="Fetch")
    lay(vault, bob, f"{PAGE}\nMore.\n")
    (vault.path / NOTE).unlink()
    lay(vault, ada, f"{PAGE}\n")
    lay(vault, "agents/ada/notes/cabin.md", f"{OWN}\n")
    assert come_in(vault) == (ada,)


def test_a_tool_that_spoke_earlier_of_something_near_takes_nothing_from_what_another_read(
    vault: Vault, clock: Clock
) -> None:
    """What git had is asked for the tools that say it, not for all that have a few words of it."""
    clock.now -= timedelta(days=2)
    vault.say("s", "The key for the boat shed is lost.", agent="ada", role="tool", tool="Fetch")
    clock.now += timedelta(days=2)
    commit(vault, NOTE, f"{OWN}\n", days=2)
    vault.say("s", OWN, agent="ada", role="tool", tool="Read")
    lay(vault, COPY, f"{OWN}\n")
    assert come_in(vault) == ()


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(days=900)])
def test_of_a_tool_that_speaks_in_the_future_nobody_knows_when_it_did(
    vault: Vault, tmp_path: Path, ahead: timedelta
) -> None:
    """So a local time without its zone, or a clock ahead, makes nothing older than the tool."""
    turn = {
        "session": "s", "role": "tool", "speaker": "fetch", "content": PAGE,
        "at": f"{utc_now() + ahead:%Y-%m-%dT%H:%M:%S}",
    }  # fmt: skip
    (file := tmp_path / "talk.jsonl").write_text(f"{json.dumps(turn)}\n")
    vault.import_files("jsonl", [file], agent="ada", manner="turns")
    commit(vault, NOTE, f"{PAGE}\n")
    lay(vault, COPY, f"{PAGE}\n")
    assert come_in(vault) == (COPY,)
    assert vault.remember(PAGE, agent="ada").quotes == "fetch"


@pytest.mark.parametrize("since", ["", "2026-01-01T00:00:00Z"])
def test_what_was_written_since_a_tool_may_have_answered_is_compared_with_it(
    vault: Vault, clock: Clock, since: str
) -> None:
    """Where its program tells of it after the run."""
    lay(vault, COPY, f"{PAGE}\n")
    clock.now = utc_now() + timedelta(seconds=30)
    vault.say("s", PAGE, agent="ada", role="tool", tool="fetch", since=since)
    assert come_in(vault) == ((COPY,) if since else ())


def test_what_an_agent_kept_during_a_run_that_is_told_of_after_it_vouches_for_nothing(
    vault: Vault, clock: Clock
) -> None:
    begun = iso(clock.now)
    clock.advance(minutes=1)
    vault.remember(PAGE, agent="ada")
    clock.advance(minutes=1)
    vault.say("s", PAGE, agent="ada", role="tool", tool="fetch", since=begun)
    assert vault.remember(PAGE, agent="ada").quotes == "fetch"


def test_of_a_session_with_one_turn_in_the_future_no_tool_is_known_to_be_later(
    vault: Vault, tmp_path: Path
) -> None:
    """The clock that wrote it is wrong: its earlier turns are as much too late."""
    ahead = (timedelta(minutes=-30), timedelta(hours=1))
    at = [f"{utc_now() + it:%Y-%m-%dT%H:%M:%S}" for it in ahead]
    said = {"session": "s", "role": "tool", "speaker": "fetch"}
    turns = [{**said, "content": it, "at": at[n]} for n, it in enumerate((PAGE, "All is well."))]
    commit(vault, NOTE, f"{PAGE}\n", days=1)
    (file := tmp_path / "talk.jsonl").write_text("".join(f"{json.dumps(it)}\n" for it in turns))
    vault.import_files("jsonl", [file], agent="ada", manner="turns")
    assert vault.remember(PAGE, agent="ada").quotes == "fetch"
