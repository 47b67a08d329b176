"""The daemon: what it does when, on a clock we set, and that it comes and goes well."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.api.watcher import Watch
from vaultmem.daemon import loop, schedule
from vaultmem.daemon.inbox import Inbox
from vaultmem.daemon.loop import Daemon, Surroundings
from vaultmem.daemon.schedule import Present, Step
from vaultmem.errors import BadInput, CannotOpen, DiskRefused, ModelAway, VaultError
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import Summarizer, Summary, Task
from vaultmem.retrieval import daemon_client
from vaultmem.retrieval.search.types import Question
from vaultmem.storage import daemon_lock, journal
from vaultmem.storage.plan import Change, Plan

OLD = 1_700_000_000
VAULTMEM = Path(sys.executable).with_name("vaultmem")

# --- the agenda ---------------------------------------------------------------------------------

RESTING = Present(
    beaten=100, looked=100, condensed=100, settled=100, embedded=100, dreamt=100, packed=100
)


def when(now: Present, step: Step) -> float:
    """Return the first of the next ten thousand seconds in which *step* is due."""
    return next(t / 10 for t in range(1000, 100_000) if step in schedule.due(now, t / 10))


def looked(now: Present, time: float, *, news: bool = True) -> Present:
    """Look at a time."""
    return schedule.after_look(now, time, news=news, halted=False)


def test_a_daemon_that_begins_does_everything_once() -> None:
    steps = ["beat", "look", "condense", "settle", "embed", "dream", "pack"]
    assert schedule.due(Present(), 0) == steps


def test_a_daemon_at_rest_only_looks_now_and_then_and_says_that_it_lives() -> None:
    assert (when(RESTING, "beat"), when(RESTING, "look")) == (120, 160)
    assert {when(RESTING, step) for step in ("condense", "settle", "embed", "dream")} == {700}
    assert schedule.idle_time(RESTING, 105) == 15


def test_a_look_follows_the_first_hint_however_many_come() -> None:
    now = RESTING
    for time in (110, 110.5, 111, 111.9):
        now = schedule.after_hint(now, time)
    assert when(now, "look") == 112


def test_where_nobody_gives_hints_it_looks_every_few_seconds() -> None:
    assert when(Present(polling=True, beaten=100, looked=100), "look") == 103


def test_a_compaction_waits_until_an_import_is_over() -> None:
    """Hints keep coming, each look finds news; two seconds after the last one it is due."""
    now = looked(RESTING, 110)
    assert when(now, "condense") == 112
    now = schedule.after_hint(now, 110.1)
    assert when(now, "condense") > 112
    now = looked(now, 112.1)
    assert when(now, "condense") == 114.1


def test_a_compaction_does_not_wait_for_ever() -> None:
    now = looked(RESTING, 110)
    for time in range(112, 200, 2):
        now = schedule.after_hint(looked(now, time), time + 0.1)
    assert when(now, "condense") == 170


def test_what_changed_is_settled_when_it_has_rested() -> None:
    now = looked(looked(RESTING, 110), 120)
    assert when(now, "settle") == 150.5
    assert when(schedule.after_commit(now, 150.5), "settle") == 750.5


def test_what_rests_is_settled_while_something_else_keeps_changing() -> None:
    """And what was too young then, later."""
    now = RESTING
    for time in range(110, 240, 10):
        now = looked(now, time)
    assert when(now, "settle") == 230
    assert when(schedule.after_commit(now, 230), "settle") == 260.5


def test_a_look_without_news_makes_nothing_due() -> None:
    now = looked(schedule.after_hint(RESTING, 110), 112, news=False)
    assert {when(now, step) for step in ("condense", "settle", "embed", "dream")} == {700}


def test_vectors_are_made_when_an_import_is_over_and_once() -> None:
    now = schedule.after_hint(looked(RESTING, 110), 110.1)
    assert when(now, "embed") > 112
    now = looked(now, 112.1)
    assert when(now, "embed") == 114.1
    now = schedule.on_end(schedule.on_begin(now, "embed", 114.1), "embed")
    assert when(now, "embed") == 714.1


def test_vectors_of_what_comes_meanwhile_are_made_next() -> None:
    now = looked(schedule.on_begin(looked(RESTING, 110), "embed", 112), 130)
    assert "embed" not in schedule.due(now, 200)
    assert "embed" in schedule.due(schedule.on_end(now, "embed"), 132)


def test_vectors_that_could_not_be_made_are_tried_again_without_any_news() -> None:
    now = schedule.on_failure(schedule.on_begin(looked(RESTING, 110), "embed", 112), "embed", 200)
    assert when(now, "embed") == 230


def test_what_comes_while_a_model_works_is_for_the_next_compaction() -> None:
    now = schedule.on_begin(looked(RESTING, 110), "condense", 112)
    now = looked(now, 130)
    assert "condense" not in schedule.due(now, 140)
    assert schedule.due(schedule.on_end(now, "condense"), 140) == ["beat", "condense", "embed"]


def test_a_step_that_fails_waits_twice_as_long_each_time() -> None:
    now, waits = schedule.on_begin(looked(RESTING, 110), "condense", 112), []
    for _ in range(6):
        now = schedule.on_failure(now, "condense", 200)
        waits.append(when(now, "condense") - 200)
    assert waits == [30, 60, 120, 240, 480, 600]
    assert schedule.on_end(schedule.on_begin(now, "condense", 900), "condense").held == {}


def test_it_syncs_as_often_as_the_settings_say_and_sooner_after_a_failure() -> None:
    now = schedule.after_reading(RESTING, 300)
    assert when(now, "sync") == 100
    now = schedule.on_end(schedule.on_begin(now, "sync", 110), "sync")
    assert when(now, "sync") == 410
    failed = schedule.on_failure(schedule.on_begin(now, "sync", 410), "sync", 530)
    assert when(failed, "sync") == 560
    assert "sync" not in schedule.due(schedule.after_reading(failed, 0), 10_000)


@pytest.mark.long
def test_what_git_has_is_packed_once_an_hour_when_nothing_changes() -> None:
    assert when(RESTING, "pack") == 3700
    assert when(looked(RESTING, 3690), "pack") == 3720.5
    begun = schedule.on_begin(RESTING, "pack", 3700)
    assert when(schedule.on_end(begun, "pack"), "pack") == 7300


def test_while_a_crowd_of_files_is_gone_it_only_looks() -> None:
    now = schedule.after_look(looked(RESTING, 110), 120, news=True, halted=True)
    now = schedule.after_asking(now, 130)
    assert schedule.due(now, 2000) == ["beat", "look"]


# --- its steps on a real vault ------------------------------------------------------------------


def like_a_thread(job: Callable[[], None]) -> None:
    """Do a job at once; what nobody expects ends with it, and Python tells it on stderr."""
    with contextlib.suppress(ZeroDivisionError):
        job()


class Counting(Extractive):
    """The offline summarizer, and how often it was asked."""

    calls = 0

    def summarize(self, task: Task) -> Summary:
        """Summarize, and count."""
        self.calls += 1
        return super().summarize(task)


@dataclass
class Life:
    """A daemon that lives on a clock of its own; the wall's clock and the file times stand."""

    daemon: Daemon
    seen: Watch
    clock: list[float]
    beats: list[float] = field(default_factory=list)

    def pass_by(self, seconds: float) -> None:
        """Let time go by; the daemon wakes when it has something to do."""
        end = self.clock[0] + seconds
        while self.clock[0] < end:
            self.clock[0] = min(self.clock[0] + max(self.daemon.turn(), 0.001), end)
        self.daemon.turn()


@pytest.fixture
def live(folder: Path, vault: Vault) -> Callable[..., Life]:
    """Return what lets a daemon keep the vault."""

    def begin(
        summarizer: Summarizer | None = None,
        kind: str = "inotify",
        sleep: Callable[[float], None] = lambda _: None,
    ) -> Life:
        clock, seen, beats = [0.0], Watch(kind), list[float]()
        given = Surroundings(
            lambda: Vault.open(folder, summarizer=summarizer, clock=vault.store.clock),
            Inbox(frozenset({"@memory-status"}), lambda _: "OK"),
            lambda _: beats.append(clock[0]),
            clock=lambda: clock[0],
            sleep=sleep,
            beside=like_a_thread,
        )
        life = Life(Daemon(vault, seen, given), seen, clock, beats)
        life.pass_by(40)
        return life

    return begin


def git(folder: Path, *args: str) -> str:
    """Run git as a person does."""
    return subprocess.run(
        ["git", *args], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def by_hand(life: Life, folder: Path, name: str, text: str) -> Path:
    """Write a file as a person does, long ago by its time; the system tells of it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (OLD, OLD))
    life.seen.note(name)
    return path


def small_windows(folder: Path) -> None:
    """Let five memories be enough for a compaction."""
    config = folder / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("_window: 64", "_window: 2"))
    os.utime(config, (OLD, OLD))


@pytest.mark.long
@pytest.mark.with_history
def test_it_keeps_a_clone_in_step_by_itself_and_status_says_since_when_it_cannot(
    live: Callable[..., Life], folder: Path, vault: Vault, tmp_path: Path
) -> None:
    bare = tmp_path / "bare.git"
    git(folder, "init", "-q", "--bare", "-b", "main", str(bare))
    git(folder, "branch", "-M", "main")
    git(folder, "remote", "add", "origin", str(bare))
    config = folder / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("sync_every: never", "sync_every: 5m"))
    life = live()
    memory = vault.remember("The oven is a Marzocco.", agent="ada", source="user")
    life.pass_by(300)
    assert memory.path in git(bare, "ls-tree", "-r", "--name-only", "main")
    shutil.move(bare, tmp_path / "away.git")
    life.pass_by(300)
    (problem,) = (it for it in vault.status().problems if it.code == "unsynced")
    assert (problem.repair, str(bare) in problem.message) == ("`vaultmem sync` says why", False)
    shutil.move(tmp_path / "away.git", bare)
    life.pass_by(60)
    assert "unsynced" not in {it.code for it in vault.status().problems}


def test_a_written_note_is_found_within_three_seconds(
    live: Callable[..., Life], folder: Path, vault: Vault
) -> None:
    life = live()
    by_hand(life, folder, "topics/tea.md", "Oolong.\n")
    life.pass_by(3)
    assert vault.store.index.knows("topics/tea.md")


def test_a_lost_hint_is_made_good_within_a_minute(
    live: Callable[..., Life], folder: Path, vault: Vault
) -> None:
    life = live()
    by_hand(life, folder, "topics/tea.md", "Oolong.\n")
    life.seen.take()
    life.pass_by(60)
    assert vault.store.index.knows("topics/tea.md")


def test_without_hints_a_new_note_is_found_all_the_same(
    live: Callable[..., Life], folder: Path, vault: Vault
) -> None:
    life = live(kind="polling")
    by_hand(life, folder, "topics/tea.md", "Oolong.\n")
    life.seen.take()
    life.pass_by(3)
    assert vault.store.index.knows("topics/tea.md")


def test_what_a_person_wrote_is_committed_when_it_has_rested(
    live: Callable[..., Life], folder: Path
) -> None:
    """MEMORY.md points at it after that, in a commit of its own, and not before."""
    life = live()
    by_hand(life, folder, "topics/tea.md", "---\ntype: topic\ntitle: Tea\n---\nOolong.\n")
    life.pass_by(30)
    assert "topics" in git(folder, "status", "--porcelain")
    assert "topics" not in (folder / "MEMORY.md").read_text()
    life.pass_by(5)
    assert git(folder, "status", "--porcelain") == ""
    assert git(folder, "log", "-2", "--format=%s").splitlines() == [
        "index: MEMORY.md",
        "human: add topics/tea.md",
    ]


@pytest.mark.long
def test_what_is_due_is_compacted_once_and_then_it_rests(
    live: Callable[..., Life], folder: Path, vault: Vault
) -> None:
    """For hours: no call, no commit, no new file, though its own writes were noticed."""
    small_windows(folder)
    asked = Counting()
    life = live(asked)
    for n in range(5):
        made = vault.memories.keep(f"Fact {n} of the garden.", agent="ada")
        life.seen.note(made.path)
    life.pass_by(10)
    assert asked.calls == 1
    assert life.daemon.done["compactions"] == 1
    for path in folder.rglob("*.md"):
        life.seen.note(path.relative_to(folder).as_posix())
    life.pass_by(120)
    calls, head = asked.calls, git(folder, "rev-parse", "HEAD")
    life.pass_by(4 * 3600)
    assert (asked.calls, git(folder, "rev-parse", "HEAD")) == (calls, head)
    assert git(folder, "status", "--porcelain") == ""


def test_every_twenty_seconds_it_says_that_it_lives(live: Callable[..., Life]) -> None:
    life = live()
    life.pass_by(60)
    assert life.beats == [0, 20, 40, 60, 80, 100]


def test_a_note_that_asks_is_answered_and_all_is_committed(
    live: Callable[..., Life], folder: Path
) -> None:
    life = live()
    note = by_hand(life, folder, "inbox/ask.md", "@memory-status\n")
    life.pass_by(5)
    assert note.read_text().endswith("> OK\n")
    assert life.daemon.done["answers"] == 1
    assert git(folder, "status", "--porcelain") == ""


def test_a_step_that_fails_is_told_once_and_tried_again(
    live: Callable[..., Life],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    life = live()
    tries = list[float]()

    def full(*_: object) -> None:
        tries.append(life.clock[0])
        raise DiskRefused("MEMORY.md", "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("vaultmem.api.housekeeping.commit_pending", full)
        by_hand(life, folder, "topics/tea.md", "Oolong.\n")
        life.pass_by(600)
    told = [r.message for r in caplog.records if "No space" in r.message]
    assert len(told) == 1
    assert [round(b - a) for a, b in pairwise(tries)] == [30, 60, 120, 240]
    life.pass_by(600)
    assert git(folder, "status", "--porcelain") == ""


@pytest.mark.parametrize("fault", [BadInput("immediate_window is 'x'"), ZeroDivisionError()])
def test_a_fault_in_a_thread_beside_does_not_stop_the_rest(
    live: Callable[..., Life], folder: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    life = live()

    def unlucky(*_: object) -> None:
        raise fault

    monkeypatch.setattr("vaultmem.api.housekeeping.condense", unlucky)
    by_hand(life, folder, "topics/tea.md", "Oolong.\n")
    life.pass_by(60)
    assert git(folder, "status", "--porcelain") == ""
    assert life.daemon.present.held.keys() == {"condense"}


@pytest.mark.long
def test_while_a_crowd_of_files_is_gone_nothing_is_written(
    live: Callable[..., Life], folder: Path, vault: Vault, caplog: pytest.LogCaptureFixture
) -> None:
    """Said once; when they are back, all goes on."""
    for n in range(20):
        vault.remember(f"Fact {n} of the garden.", agent="ada")
    life = live()
    head = git(folder, "rev-parse", "HEAD")
    shutil.copytree(folder / "agents", folder.parent / "kept")
    shutil.rmtree(folder / "agents")
    life.seen.note("agents/")
    life.pass_by(300)
    assert git(folder, "rev-parse", "HEAD") == head
    assert len([r for r in caplog.records if "20 files are gone" in r.message]) == 1
    shutil.copytree(folder.parent / "kept", folder / "agents")
    life.pass_by(100)
    assert not life.daemon.present.halted
    assert git(folder, "rev-parse", "HEAD") == head


def test_writes_that_a_busy_git_delayed_are_committed_when_it_is_free(
    live: Callable[..., Life], folder: Path, vault: Vault
) -> None:
    life = live()
    (folder / ".git/MERGE_HEAD").write_text(git(folder, "rev-parse", "HEAD"))
    vault.remember("The well is deep.", agent="ada")
    life.pass_by(100)
    assert "agents" in git(folder, "status", "--porcelain")
    (folder / ".git/MERGE_HEAD").unlink()
    life.pass_by(130)
    assert git(folder, "status", "--porcelain") == ""


@dataclass
class Vectors:
    """What has no vector yet, by what embedding says each time that it is asked."""

    left: list[int | VaultError | None]
    asked: list[float] = field(default_factory=list)

    def embed(self, seconds: float) -> Caught | None:
        """Embed for so long."""
        self.asked.append(seconds)
        left = self.left.pop(0) if self.left else 0
        if isinstance(left, VaultError):
            raise left
        return None if left is None else Caught(left)


@dataclass
class Caught:
    """How many are left."""

    left: int
    embedded: int = 10


@pytest.fixture
def embedding(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Vectors]:
    """Return what lets vaults embed."""

    def say(*left: int | VaultError | None) -> Vectors:
        vectors = Vectors(list(left))
        monkeypatch.setattr(Vault, "embed", lambda _, s: vectors.embed(s), raising=False)
        return vectors

    return say


def test_what_has_no_vector_is_embedded_in_slices_until_nothing_is_left(
    live: Callable[..., Life], embedding: Callable[..., Vectors], folder: Path
) -> None:
    vectors = embedding(0, 300, 200, 100, 0)
    life = live()
    by_hand(life, folder, "topics/tea.md", "Oolong.\n")
    life.pass_by(10)
    assert vectors.asked == [2.0] * 5
    assert life.daemon.done["embedded"] == 50
    life.pass_by(15)
    assert len(vectors.asked) == 5


def test_what_cannot_be_embedded_is_not_tried_for_ever(
    live: Callable[..., Life], embedding: Callable[..., Vectors]
) -> None:
    vectors = embedding(*[7] * 100)
    live().pass_by(100)
    assert len(vectors.asked) == 2


def test_a_daemon_that_stops_ends_its_embedding_with_the_slice(
    live: Callable[..., Life], embedding: Callable[..., Vectors], folder: Path
) -> None:
    breaths = list[float]()

    def breathe(seconds: float) -> None:
        breaths.append(seconds)
        if len(breaths) == 2:
            life.daemon.stop()

    vectors = embedding(0, 300, 200, 100, 50)
    life = live(sleep=breathe)
    by_hand(life, folder, "topics/tea.md", "Oolong.\n")
    life.pass_by(10)
    assert (vectors.left, len(breaths)) == ([50], 2)


def test_an_embedder_that_is_away_is_told_once_and_heals(
    live: Callable[..., Life],
    embedding: Callable[..., Vectors],
    caplog: pytest.LogCaptureFixture,
) -> None:
    vectors = embedding(*[ModelAway("ollama", "no answer")] * 3, 5, 0)
    life = live()
    life.pass_by(29)
    assert life.daemon.present.held.keys() == {"embed"}
    life.pass_by(600)
    assert [r.message for r in caplog.records] == ["embed: ollama: no answer"]
    assert (vectors.left, life.daemon.present.held) == ([], {})


@pytest.mark.parametrize("what", ["removed", "moved", "replaced"])
def test_a_daemon_ends_when_the_folder_of_its_vault_goes(
    live: Callable[..., Life], folder: Path, what: str
) -> None:
    life = live()
    folder.rename(folder.with_name("elsewhere"))
    if what == "removed":
        shutil.rmtree(folder.with_name("elsewhere"))
    if what == "replaced":
        folder.mkdir()
    with pytest.raises(CannotOpen, match=r"is gone or another folder now.*bring it back"):
        life.pass_by(60)


def test_a_config_that_is_changed_counts_at_once(
    live: Callable[..., Life], folder: Path, vault: Vault
) -> None:
    life = live()
    for n in range(5):
        life.seen.note(vault.memories.keep(f"Fact {n} of the garden.", agent="ada").path)
    life.pass_by(60)
    assert life.daemon.done["compactions"] == 0
    small_windows(folder)
    life.seen.note("config/memory_compaction.md")
    life.pass_by(10)
    assert life.daemon.done["compactions"] == 1


# --- coming and going ---------------------------------------------------------------------------


@pytest.fixture
def process(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run `vaultmem watch` until it says that it watches."""
    running = subprocess.Popen(
        [VAULTMEM, "--vault", folder, "watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr
    assert "watching" in running.stderr.readline()
    yield running
    running.kill()
    running.communicate()


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_daemon_that_is_told_to_stop_ends_well(
    process: subprocess.Popen[str], folder: Path, vault: Vault, number: signal.Signals
) -> None:
    """And a closed terminal is no reason to."""
    process.send_signal(signal.SIGHUP)
    found = daemon_lock.state(folder, vault.store.clock())
    assert (found.running, found.pid) == (True, process.pid)
    vault.remember("The well is deep.", agent="ada")
    process.send_signal(number)
    assert process.wait() == 0
    assert journal.names(vault.store.root) == []
    assert daemon_lock.state(folder, vault.store.clock()) == daemon_lock.State(running=False)
    assert process.stderr
    assert "Traceback" not in process.stderr.read()


@pytest.mark.long
def test_a_second_daemon_is_refused_by_its_command(
    process: subprocess.Popen[str], folder: Path
) -> None:
    second = subprocess.run(
        [VAULTMEM, "--vault", folder, "watch"], capture_output=True, text=True, check=False
    )
    assert second.returncode == 3
    assert f"process {process.pid} already watches" in second.stderr


@pytest.mark.long
def test_a_daemon_that_was_killed_leaves_room_for_the_next(
    process: subprocess.Popen[str], folder: Path, vault: Vault
) -> None:
    process.kill()
    process.wait()
    assert not daemon_lock.state(folder, vault.store.clock()).running
    with daemon_lock.Presence(folder, vault.store.clock, "1.0"):
        assert daemon_lock.present(folder)


@pytest.mark.long
def test_a_daemon_answers_other_processes_and_leaves_no_socket_behind(
    process: subprocess.Popen[str], folder: Path
) -> None:
    """What another process wrote before the question is in the answer."""
    argv = [
        str(VAULTMEM),
        "--vault",
        str(folder),
        "remember",
        "The well is deep.",
        "--agent",
        "ada",
    ]
    subprocess.run(argv, check=True, capture_output=True)
    answer = daemon_client.recall(folder, Question("deep well"), "")
    assert answer
    assert [hit.snippet for hit in answer.hits] == ["The well is deep."]
    process.terminate()
    assert process.wait() == 0
    assert not (folder / ".vaultmem/warm.sock").exists()


@pytest.mark.long
def test_a_daemon_that_was_asked_nothing_has_loaded_nothing_for_it(
    process: subprocess.Popen[str], folder: Path
) -> None:
    assert daemon_client.ask(folder, "ping", {}) == {}
    loaded = Path(f"/proc/{process.pid}/maps").read_text("utf-8")
    assert not {name for name in ("numpy", "onnxruntime", "chromadb") if name in loaded}


def test_a_daemon_may_end_with_its_parent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook or an editor that started it and died leaves no orphan."""
    parents = iter([4711])
    monkeypatch.setattr(os, "getppid", lambda: next(parents, 1))
    inbox = Inbox(frozenset(), lambda _: "")
    loop.run(lambda: Vault.open(folder), inbox, with_parent=True)
    assert not daemon_lock.present(folder)


def test_the_daemon_s_words_have_no_place_for_what_a_terminal_would_obey(
    live: Callable[..., Life], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor for a secret that somebody quoted."""
    life = live()
    token = "ghp_" + "a1B2c3D4" * 5

    def unlucky(*_: object) -> None:
        raise DiskRefused(f"\x1b[2J {token}", "no")

    monkeypatch.setattr("vaultmem.api.housekeeping.commit_pending", unlucky)
    with caplog.at_level(logging.WARNING):
        life.pass_by(700)
    told = "".join(r.message for r in caplog.records)
    assert "\\u001b[2J" in told
    assert token not in told


# --- dreams -------------------------------------------------------------------------------------


UNTIDY = """\
---
type: topic
title: Deploy
created: 2026-11-10T09:00:00Z
---
## Facts
- Deploys go out on Tuesdays at 10:00.
- Yesterday the disk was full.
"""


HERS = "---\ntype: topic\ntitle: Disks\ncreated: 2026-11-10\n---\n- Yesterday mine was slow.\n"


def ticked(life: Life, folder: Path) -> None:
    """Tick the first box of the dream that waits, long ago."""
    (note,) = (folder / "inbox").glob("dream-*.md")
    by_hand(life, folder, f"inbox/{note.name}", note.read_text().replace("- [ ]", "- [x]", 1))


@pytest.mark.long
def test_what_was_ticked_in_a_dream_is_done(
    live: Callable[..., Life], folder: Path, vault: Vault
) -> None:
    """And nothing before."""
    life = live()
    topic = by_hand(life, folder, "topics/deploy.md", UNTIDY)
    life.pass_by(40)
    vault.dream()
    life.pass_by(60)
    assert "Yesterday" in topic.read_text()
    ticked(life, folder)
    life.pass_by(60)
    assert "On 2026-11-09 the disk was full." in topic.read_text()
    assert git(folder, "log", "-1", "--format=%s", "--", "topics").startswith("dream: 1 change")
    assert life.daemon.done["dreams"] == 1


@pytest.mark.long
@pytest.mark.parametrize(("how", "done"), [("never", 0), ("safe", 1), ("all", 1)])
def test_a_dream_that_is_due_is_planned_and_done_as_far_as_the_config_says(
    live: Callable[..., Life], folder: Path, vault: Vault, how: str, done: int
) -> None:
    """Not before the daemon has been there for ten minutes; what a person wrote stays."""
    config = folder / "config/memory_compaction.md"
    text = config.read_text().replace("dream_sessions: 5", "dream_sessions: 0")
    config.write_text(text.replace("dream_apply: never", f"dream_apply: {how}"))
    life = live()
    hers = by_hand(life, folder, "topics/disks.md", HERS)
    change = Change("topics/deploy.md", None, UNTIDY.encode(), "as the program writes")
    vault.store.apply(Plan(vault.store.mint(), "topic", "topic: deploy", (change,)))
    topic = folder / "topics/deploy.md"
    life.pass_by(300)
    assert not list((folder / "inbox").glob("dream-*.md"))
    life.pass_by(1200)
    assert len(list((folder / "inbox").glob("dream-*.md"))) == 1
    assert ("On 2026-11-09" in topic.read_text()) is bool(done)
    assert hers.read_text() == HERS
    assert life.daemon.done["dreams"] == done


@pytest.mark.long
def test_a_note_that_is_being_ticked_is_left_alone(
    live: Callable[..., Life], folder: Path, vault: Vault
) -> None:
    """Whoever ticks one box may tick another."""
    life = live()
    topic = by_hand(life, folder, "topics/deploy.md", UNTIDY)
    life.pass_by(40)
    vault.dream()
    ticked(life, folder)
    (note,) = (folder / "inbox").glob("dream-*.md")
    os.utime(note)
    life.pass_by(120)
    assert "Yesterday" in topic.read_text()
