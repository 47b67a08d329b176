"""Conversations of Claude Code that were noted are taken in, once and whole."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.errors import MassVanish, Refused, StaleWrite
from vaultmem.exchange import spool
from vaultmem.exchange.formats import claude_code
from vaultmem.exchange.spool import SpooledConversation
from vaultmem.storage import transcript_files, transcripts

SESSION = "abc"


def row(n: int, text: str = "") -> str:
    """Return a line of a transcript of Claude Code."""
    role = "user" if n % 2 == 0 else "assistant"
    said = text or f"turn {n}: the pelican parser stays"
    content: object = said if role == "user" else [{"type": "text", "text": said}]
    event = {
        "type": role,
        "uuid": f"u{n}",
        "sessionId": SESSION,
        "timestamp": f"2026-01-02T10:{n:02d}:00.000Z",
        "message": {"role": role, "content": content},
    }
    return json.dumps(event) + "\n"


@pytest.fixture
def vault(plain: Vault) -> Vault:
    """Do without history: what is taken in matters here, not its commit."""
    return plain


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """Return a transcript of two turns that has rested for a minute."""
    path = tmp_path / "talk.jsonl"
    path.write_text(row(0) + row(1))
    return rested(path)


def rested(path: Path, seconds: float = 60) -> Path:
    """Let nobody have touched a file for so many seconds."""
    os.utime(path, (time.time() - seconds, time.time() - seconds))
    return path


def note(vault: Vault, path: Path, *, ended: bool = True, agent: str = "ada") -> None:
    """Do what a hook does."""
    spool.spool(vault.store.root, SpooledConversation(str(path), SESSION, agent), ended=ended)


def notes(vault: Vault) -> list[str]:
    """Return the notes that wait."""
    return sorted(p.name for p in (vault.path / spool.FOLDER).glob("*.json"))


def turns(vault: Vault, agent: str = "ada") -> list[str]:
    """Return what the vault holds of the session."""
    found = transcripts.load(vault.store.root, transcript_files.path(agent, SESSION))
    return [turn.content for turn in found.turns] if found else []


def drain(vault: Vault) -> spool.Drained:
    """Do what a round does."""
    vault.store.sync()
    return spool.drain(vault.store)


def test_a_noted_conversation_becomes_a_session_of_the_vault(vault: Vault, talk: Path) -> None:
    """Its turns are in, and nothing waits any more."""
    assert not spool.waiting(vault.store.root)
    note(vault, talk)
    assert spool.waiting(vault.store.root)
    assert drain(vault) == spool.Drained(turns=2)
    assert turns(vault) == ["turn 0: the pelican parser stays", "turn 1: the pelican parser stays"]
    assert not spool.waiting(vault.store.root)
    assert notes(vault) == []
    assert drain(vault) == spool.Drained()


def test_noted_twice_it_is_one_note_and_its_turns_come_once(vault: Vault, talk: Path) -> None:
    """A session may be compacted and end: two events, one conversation."""
    note(vault, talk)
    note(vault, talk)
    assert len(notes(vault)) == 1
    drain(vault)
    note(vault, talk)
    assert drain(vault) == spool.Drained(turns=0)
    assert len(turns(vault)) == 2


def test_what_is_still_being_written_is_taken_in_now_and_again_later(
    vault: Vault, talk: Path
) -> None:
    """Claude Code writes late: the note stays until the transcript has rested."""
    rested(talk, 1)
    note(vault, talk)
    assert drain(vault).turns == 2
    assert len(notes(vault)) == 1
    with talk.open("a") as stream:
        stream.write(row(2) + row(3)[:20])
    assert drain(vault).turns == 1
    with talk.open("a") as stream:
        stream.write(row(3)[20:])
    rested(talk)
    assert drain(vault).turns == 1
    assert notes(vault) == []
    assert len(turns(vault)) == 4


def test_of_what_is_written_this_very_moment_nothing_is_taken_for_whole(
    vault: Vault, talk: Path
) -> None:
    """A word more may come within the same tick of the file system's clock."""
    rested(talk, 0)
    note(vault, talk)
    (before,) = notes(vault)
    assert drain(vault).turns == 2
    assert notes(vault) == [before]
    assert spool.waiting(vault.store.root)


def test_what_has_not_moved_is_not_read_again(
    vault: Vault, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the last word and the rest a round costs a look at the time."""
    rested(talk, 10)
    note(vault, talk)
    assert drain(vault).turns == 2
    monkeypatch.setattr(spool, "_imported", lambda *_: pytest.fail("it was read again"))
    assert not spool.waiting(vault.store.root)
    assert drain(vault) == spool.Drained()
    later = time.time() + 60
    assert spool.waiting(vault.store.root, lambda: later)
    assert spool.drain(vault.store, lambda: later) == spool.Drained()
    assert notes(vault) == []


def test_a_note_of_the_very_moment_of_the_last_word_is_not_taken_for_done(
    vault: Vault, talk: Path
) -> None:
    """A file system's clock ticks every few milliseconds."""
    note(vault, talk)
    (waits,) = (vault.path / spool.FOLDER).iterdir()
    os.utime(waits, ns=(talk.stat().st_mtime_ns, talk.stat().st_mtime_ns))
    assert spool.waiting(vault.store.root)
    assert drain(vault).turns == 2


def test_a_session_that_may_go_on_waits_until_nobody_speaks(vault: Vault, talk: Path) -> None:
    """So a living conversation is no stream of commits, and a killed one is not lost."""
    note(vault, talk, ended=False)
    assert not spool.waiting(vault.store.root)
    assert drain(vault) == spool.Drained()
    rested(talk, 3600)
    assert spool.waiting(vault.store.root)
    assert drain(vault).turns == 2
    assert notes(vault) == []


def test_a_transcript_that_is_gone_is_told_once_and_set_aside(vault: Vault, talk: Path) -> None:
    """Nothing is asked of it again."""
    note(vault, talk)
    talk.unlink()
    (fault,) = drain(vault).faults
    assert fault.path == str(talk)
    assert "gone" in fault.message
    assert drain(vault) == spool.Drained()
    assert len(list((vault.path / spool.ASIDE).iterdir())) == 1


def test_a_transcript_waits_while_tombstones_are_hidden(
    vault: Vault, talk: Path, tmp_path: Path
) -> None:
    """It is taken in once it can be told whether any of it was forgotten."""
    (vault.path / "tombstones").symlink_to(tmp_path)
    note(vault, talk)
    assert drain(vault) == spool.Drained()
    assert (len(notes(vault)), turns(vault)) == (1, [])
    (vault.path / "tombstones").unlink()
    assert drain(vault).turns == 2


def test_a_transcript_that_says_nothing_readable_is_set_aside(vault: Vault, talk: Path) -> None:
    """A file of another kind, a broken one."""
    talk.write_bytes(b"\x00\xff not JSON\n" * 3)
    note(vault, rested(talk))
    (fault,) = drain(vault).faults
    assert "no line of it can be read" in fault.message
    assert turns(vault) == []


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"transcript": 1}', b'{"session": "x"}'])
def test_a_broken_note_stops_no_other(vault: Vault, talk: Path, data: bytes) -> None:
    """It is set aside, the next one is taken in."""
    note(vault, talk)
    (vault.path / spool.FOLDER / "0.json").write_bytes(data)
    done = drain(vault)
    assert done.turns == 2
    assert [f.path for f in done.faults] == [f"{spool.ASIDE}/0.json"]
    assert notes(vault) == []


def test_a_secret_in_a_conversation_is_blanked_out(vault: Vault, talk: Path) -> None:
    """Nobody is there to ask, and the rest of the talk is not to be lost."""
    talk.write_text(row(0, "use https://mara:hunter2-and-more@oven.example.org/ for now"))
    note(vault, rested(talk))
    assert drain(vault).turns == 1
    assert "hunter2" not in turns(vault)[0]


def test_an_agent_that_is_switched_off_gets_nothing(vault: Vault, talk: Path) -> None:
    """And the note goes: it was said that nothing is kept."""
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("disabled_agents: []", "disabled_agents: [ada]"))
    note(vault, talk)
    assert drain(vault) == spool.Drained()
    assert turns(vault) == []
    assert notes(vault) == []


@pytest.mark.parametrize("why", [MassVanish(60, "a.md"), StaleWrite("a.md", None, "changing")])
def test_what_cannot_be_written_now_waits(
    vault: Vault, talk: Path, monkeypatch: pytest.MonkeyPatch, why: Exception
) -> None:
    """Nothing is set aside for what passes."""

    def refusing(*_: object) -> int:
        raise why

    note(vault, talk)
    with monkeypatch.context() as scene:
        scene.setattr(spool, "_imported", refusing)
        assert drain(vault) == spool.Drained()
    assert drain(vault).turns == 2


def test_two_processes_take_it_in_once(vault: Vault, talk: Path) -> None:
    """The other one has gone on with the note meanwhile."""
    rested(talk, 10)
    note(vault, talk)
    with Vault.open(vault.path) as other:
        (waits,) = spool._notes(vault.store.root)
        assert drain(other).turns == 2
        vault.store.sync()
        assert spool._drained(vault.store, waits, time.time()) == spool.Drained()
    assert len(notes(vault)) == 1
    assert len(turns(vault)) == 2


def test_without_an_agent_it_is_the_usual_one_s(vault: Vault, talk: Path) -> None:
    """The config's, the only one, or `default`."""
    vault.remember("The well is deep.", agent="bo")
    note(vault, talk, agent="")
    drain(vault)
    assert len(turns(vault, "bo")) == 2


def unfit(vault: Vault, talk: Path) -> Iterator[str]:
    """Yield paths of what is no transcript of the person."""
    inside = vault.path / "agents/ada/sessions"
    inside.mkdir(parents=True)
    (inside / "mine.jsonl").write_text(row(0))
    yield str(inside / "mine.jsonl")
    link = talk.with_name("link.jsonl")
    link.symlink_to(talk)
    yield str(link)
    yield str(talk.parent)
    yield "talk.jsonl"
    yield str(talk.with_name("none.jsonl"))
    yield "/dev/null"
    yield f"{talk}\0"
    yield ""


def test_only_a_person_s_own_regular_file_outside_of_the_vault_is_noted(
    vault: Vault, talk: Path
) -> None:
    """The vault's own transcripts would be taken in for ever."""
    for path in unfit(vault, talk):
        with pytest.raises(Refused, match="a transcript is not taken in"):
            spool.spool(vault.store.root, SpooledConversation(path, SESSION), ended=True)
    assert not (vault.path / spool.FOLDER).exists()


def test_somebody_else_s_file_is_not_noted(
    vault: Vault, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever runs the hook may be allowed to read more than is theirs."""
    monkeypatch.setattr(os, "getuid", lambda: talk.stat().st_uid + 1)
    with pytest.raises(Refused, match="no regular file of yours"):
        note(vault, talk)


def test_a_link_that_took_a_transcript_s_place_is_not_followed(vault: Vault, talk: Path) -> None:
    """Between the note and the round somebody may have put one there."""
    note(vault, talk)
    talk.rename(talk.with_name("other.jsonl"))
    talk.symlink_to(talk.with_name("other.jsonl"))
    assert len(drain(vault).faults) == 1
    assert turns(vault) == []


def test_few_notes_are_kept_aside(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go."""
    monkeypatch.setattr(spool, "_MOST_ASIDE", 2)
    folder = vault.path / spool.FOLDER
    folder.mkdir(parents=True)
    for n in range(4):
        (folder / f"{n}.json").write_text("{}")
    assert len(drain(vault).faults) == 4
    assert len(list((vault.path / spool.ASIDE).iterdir())) == 2


def test_a_note_that_came_with_a_clone_is_not_taken_in(vault: Vault, talk: Path) -> None:
    """Git has it, so nobody here wrote it: it could name any transcript of this machine."""
    note(vault, talk)
    for args in (["init", "-q"], ["add", "-f", spool.FOLDER], ["commit", "-qm", "a vault"]):
        subprocess.run(["git", *args], cwd=vault.path, check=True)
    with Vault.open(vault.path) as cloned:
        done = spool.drain(cloned.store)
        assert (done.turns, [f.path for f in done.faults]) == (0, [str(talk)])
        assert "came with the repository" in done.faults[0].message
        assert turns(cloned) == notes(cloned) == []


def read_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return where readings of transcripts begin, as they come."""
    starts: list[int] = []
    read = claude_code.read_from

    def noted(path: Path, start: int, tools: dict[str, str]) -> object:
        starts.append(start)
        return read(path, start, tools)

    monkeypatch.setattr(claude_code, "read_from", noted)
    return starts


def test_a_transcript_that_goes_on_is_read_on_from_where_one_stopped(
    vault: Vault, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = read_bytes(monkeypatch)
    for n in range(2, 5):
        size = talk.stat().st_size
        note(vault, rested(talk))
        drain(vault)
        with talk.open("a") as stream:
            stream.write(row(n))
    assert starts == [0, len(row(0) + row(1)), len(row(0) + row(1) + row(2))]
    assert size == len(row(0) + row(1) + row(2) + row(3))
    assert len(turns(vault)) == 4


def test_a_torn_last_line_is_read_again_when_it_is_whole(vault: Vault, talk: Path) -> None:
    whole = row(2)
    with talk.open("a") as stream:
        stream.write(whole[:40])
    note(vault, rested(talk))
    drain(vault)
    assert len(turns(vault)) == 2
    talk.write_text(row(0) + row(1) + whole.rstrip("\n"))
    note(vault, rested(talk, 50))
    drain(vault)
    talk.write_text(row(0) + row(1) + whole + row(3))
    note(vault, rested(talk, 40))
    drain(vault)
    assert [text[:6] for text in turns(vault)] == ["turn 0", "turn 1", "turn 2", "turn 3"]


def test_another_file_in_its_place_is_read_whole(vault: Vault, talk: Path) -> None:
    note(vault, talk)
    drain(vault)
    talk.write_text(row(4) + row(5) + row(6))
    note(vault, rested(talk, 50))
    drain(vault)
    assert [text[:6] for text in turns(vault)][2:] == ["turn 4", "turn 5", "turn 6"]


def test_what_a_resumed_session_copies_comes_in_once(vault: Vault, talk: Path) -> None:
    note(vault, talk)
    drain(vault)
    copied = (row(0) + row(1)).replace(SESSION, "another")
    with talk.open("a") as stream:
        stream.write(row(1) + copied + row(2).replace(SESSION, "another"))
    note(vault, rested(talk, 50))
    drain(vault)
    assert len(turns(vault)) == 2
    other = transcripts.load(vault.store.root, transcript_files.path("ada", "another"))
    assert other is not None
    assert [turn.content[:6] for turn in other.turns] == ["turn 2"]


def test_a_result_is_its_tools_though_the_call_was_read_before(vault: Vault, talk: Path) -> None:
    call = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "ls"}}
    answer = {"type": "tool_result", "tool_use_id": "c1", "content": "parser.py"}
    event = json.loads(row(3))
    event["message"]["content"] = [call]
    with talk.open("a") as stream:
        stream.write(json.dumps(event) + "\n")
    note(vault, rested(talk))
    drain(vault)
    event = json.loads(row(4))
    event["message"]["content"] = [answer]
    with talk.open("a") as stream:
        stream.write(json.dumps(event) + "\n")
    note(vault, rested(talk, 50))
    drain(vault)
    found = transcripts.load(vault.store.root, transcript_files.path("ada", SESSION))
    assert found is not None
    assert (found.turns[-1].tool, found.turns[-1].content) == ("Bash", "parser.py")


def test_a_session_that_is_gone_here_is_read_whole_again(vault: Vault, talk: Path) -> None:
    note(vault, talk)
    drain(vault)
    (vault.path / transcript_files.path("ada", SESSION)).unlink()
    note(vault, rested(talk, 50))
    drain(vault)
    assert len(turns(vault)) == 2


def test_a_session_that_goes_on_in_a_file_of_its_own_brings_no_turn_twice(
    vault: Vault, talk: Path, tmp_path: Path
) -> None:
    """Its program copies what was said before, with the ids it had, under the name of the new one.

    Also of one that itself went on; another's first message, and an agent of another name, are new.
    """
    note(vault, talk)
    drain(vault)
    again = talk
    for n, session in enumerate(("next", "last"), 2):
        copied = again.read_text().replace(SESSION, session).replace('"next"', f'"{session}"')
        again = tmp_path / f"{session}.jsonl"
        again.write_text(copied + row(n).replace(SESSION, session))
        rested(again)
        spool.spool(vault.store.root, SpooledConversation(str(again), session, "ada"), ended=True)
        assert drain(vault).turns == 1
        found = transcripts.load(vault.store.root, transcript_files.path("ada", session))
        assert found is not None
        assert [turn.content for turn in found.turns] == [f"turn {n}: the pelican parser stays"]
    for agent, new in (("ada", 0), ("bob", 4)):
        taken = vault.import_files("claude-code", [again], agent=agent, manner="turns")
        assert taken.done.imported == new
