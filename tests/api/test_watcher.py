"""What the file system tells of a vault, and whether a daemon is there."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

import pytest
import watchdog.observers
from watchdog.observers.api import BaseObserver

from vaultmem.api import watcher
from vaultmem.api.watcher import MOST, Watch, matters
from vaultmem.errors import Watched
from vaultmem.storage import daemon_lock

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Make a folder with a note in it."""
    folder = tmp_path / "vault"
    for name in ("topics/tea.md", "agents/ada/sessions/one.jsonl", ".vaultmem/lock"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("Oolong.\n")
    return folder


@pytest.fixture
def seen(notes: Path) -> Iterator[Watch]:
    """Watch that folder."""
    with watcher.watching(notes) as opened:
        yield opened


def noticed(seen: Watch, wanted: str) -> frozenset[str]:
    """Wait until *wanted* was noticed, and return all that was."""
    found: set[str] = set()
    for _ in range(10):
        seen.wait(5)
        found |= seen.take().paths
        if wanted in found:
            return frozenset(found)
    raise AssertionError(f"only {sorted(found)}")


def in_place(note: Path) -> None:
    """Save as Obsidian does."""
    note.write_text("Sencha.\n")


def atomically(note: Path) -> None:
    """Save as most editors do."""
    fresh = note.with_name(".tea.md.swp")
    fresh.write_text("Sencha.\n")
    fresh.replace(note)


def from_outside(note: Path) -> None:
    """Bring a file from another folder."""
    fresh = note.parents[2] / "elsewhere.md"
    fresh.write_text("Sencha.\n")
    fresh.replace(note)


def by_removing(note: Path) -> None:
    """Delete it."""
    note.unlink()


@pytest.mark.parametrize("save", [in_place, atomically, from_outside, by_removing])
def test_a_saved_or_deleted_note_is_noticed(
    seen: Watch, notes: Path, save: Callable[[Path], None]
) -> None:
    save(notes / "topics/tea.md")
    assert noticed(seen, "topics/tea.md") == {"topics/tea.md"}


def test_a_note_in_a_folder_that_was_just_made_is_noticed(seen: Watch, notes: Path) -> None:
    (notes / "agents/cat/memories/2026").mkdir(parents=True)
    (notes / "agents/cat/memories/2026/x.md").write_text("Milk.\n")
    assert noticed(seen, "agents/cat/memories/2026/x.md")


def test_a_renamed_note_is_noticed_under_both_names(seen: Watch, notes: Path) -> None:
    (notes / "topics/tea.md").rename(notes / "topics/green tea.md")
    assert noticed(seen, "topics/green tea.md") == {"topics/tea.md", "topics/green tea.md"}


def test_a_folder_that_is_moved_away_is_noticed(seen: Watch, notes: Path) -> None:
    (notes / "topics").rename(notes.parent / "away")
    assert noticed(seen, "topics/") == {"topics/"}


def test_a_folder_that_is_removed_takes_nothing_from_the_rest(seen: Watch, notes: Path) -> None:
    shutil.rmtree(notes / "topics")
    noticed(seen, "topics/tea.md")
    (notes / "new.md").write_text("Still here.\n")
    assert noticed(seen, "new.md")


def test_a_line_more_in_a_transcript_is_told_apart(seen: Watch, notes: Path) -> None:
    with (notes / "agents/ada/sessions/one.jsonl").open("a") as session:
        session.write("{}\n")
    seen.wait(5)
    assert seen.take().transcripts


def test_reading_is_not_noticed(seen: Watch, notes: Path) -> None:
    (notes / "topics/tea.md").read_text()
    (notes / "new.md").write_text("Written.\n")
    assert noticed(seen, "new.md") == {"new.md"}


@pytest.mark.parametrize(
    "path",
    [
        ".git/index.md", ".obsidian/x.md", ".trash/tea.md", ".vaultmem/linger/tea.md/x.md",
        "topics/.vm-tmp-host-1-x-0", "topics/.#tea.md", "topics/tea.md~", "topics/tea.md.swp",
        "topics/tea.md.tmp", "topics/.syncthing.tea.md.tmp", "topics/~syncthing~tea.md",
        "topics/tea.md.icloud", "topics/tea.png", "agents/ada/notes.jsonl", ".hidden.md",
    ],
)  # fmt: skip
def test_what_editors_syncs_and_we_put_aside_does_not_matter(path: str) -> None:
    assert not matters(path)


@pytest.mark.parametrize("path", ["MEMORY.md", "inbox/ask.md", "agents/ada/sessions/a/b.jsonl"])
def test_notes_and_transcripts_matter(path: str) -> None:
    assert matters(path)


def test_a_burst_becomes_one_hint_to_look_at_everything() -> None:
    """What the system drops is not told, so it is enough that many events came, ours or git's."""
    seen = Watch("inotify")
    for n in range(MOST + 1):
        seen.note(f".git/objects/{n}")
    assert seen.pending
    assert seen.take().everything
    assert not seen.take()


def test_hints_ring_once_until_they_are_taken() -> None:
    seen = Watch("inotify")
    seen.note("a.md")
    seen.wait(5)
    seen.note("b.md")
    assert seen._bell.empty()
    assert seen.take().paths == {"a.md", "b.md"}


def test_a_signal_ends_the_wait() -> None:
    """A handler runs in the middle of it."""
    seen = Watch("inotify")

    def wake(_number: int, _frame: FrameType | None) -> None:
        seen.wake()

    before = signal.signal(signal.SIGALRM, wake)
    left = signal.setitimer(signal.ITIMER_REAL, 0.05)
    seen.wait(3600)
    signal.signal(signal.SIGALRM, before)
    signal.setitimer(signal.ITIMER_REAL, *left)


def test_without_an_instance_to_be_had_nobody_tells(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OSError(errno.EMFILE, "inotify instance limit reached")

    monkeypatch.setattr(watchdog.observers, "Observer", refuse)
    with watcher.watching(notes) as seen:
        assert seen.kind == watcher.POLLING


@pytest.mark.parametrize("left", [0, 1])
def test_without_watches_enough_for_all_folders_nobody_tells(
    notes: Path, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    """Where only some folders got one, half the hints would be worse than none."""
    schedule = BaseObserver.schedule
    calls = iter(range(9))

    def scarce(self: BaseObserver, *args: object, **more: object) -> object:
        if next(calls) > left - 1:
            raise OSError(errno.ENOSPC, "inotify watch limit reached")
        return schedule(self, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(BaseObserver, "schedule", scarce)
    with watcher.watching(notes) as seen:
        assert seen.kind == watcher.POLLING


# --- who watches --------------------------------------------------------------------------------


def presence(notes: Path) -> daemon_lock.Presence:
    """Be a daemon of the vault *notes*."""
    return daemon_lock.Presence(notes, lambda: NOON, "1.0")


def test_a_daemon_is_seen_while_it_runs_and_not_after(notes: Path) -> None:
    with presence(notes) as here:
        here.beat("inotify")
        assert daemon_lock.state(notes, NOON) == daemon_lock.State(
            running=True, heartbeat="2026-11-20T12:00:00Z", pid=os.getpid()
        )
    assert daemon_lock.state(notes, NOON) == daemon_lock.State(running=False)
    assert not (notes / ".vaultmem/daemon.json").exists()


def test_a_heartbeat_is_nobody_else_s_business(notes: Path) -> None:
    with presence(notes) as here:
        here.beat("inotify")
        assert (notes / ".vaultmem/daemon.json").stat().st_mode & 0o777 == 0o600


def test_a_second_daemon_is_refused_and_told_who_is_there(notes: Path) -> None:
    with presence(notes) as here:
        here.beat("inotify")
        with (
            pytest.raises(Watched, match=f"process {os.getpid()} already watches"),
            presence(notes),
        ):
            pass
        assert daemon_lock.state(notes, NOON).running


def test_a_daemon_that_was_killed_is_not_running(notes: Path) -> None:
    """Its lock died with it; what it said last is still there."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with presence(notes) as here:
        here.beat("inotify")
        said = json.loads((notes / ".vaultmem/daemon.json").read_text())
    (notes / ".vaultmem/daemon.json").write_text(json.dumps(said | {"pid": gone.pid}))
    found = daemon_lock.state(notes, NOON)
    assert (found.running, found.heartbeat) == (False, "2026-11-20T12:00:00Z")


def test_a_daemon_that_has_not_said_so_for_long_is_late(notes: Path) -> None:
    with presence(notes) as here:
        here.beat("inotify")
        assert not daemon_lock.state(notes, NOON.replace(minute=1)).late
        assert daemon_lock.state(notes, NOON.replace(minute=2)).late


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', '{"pid": "x", "beat": 3}'])
def test_a_torn_heartbeat_is_none(notes: Path, text: str) -> None:
    (notes / ".vaultmem/daemon.json").write_text(text)
    assert daemon_lock.state(notes, NOON) == daemon_lock.State(running=False)


def test_who_only_asks_does_not_keep_a_daemon_out(notes: Path) -> None:
    (notes / daemon_lock.LOCK).touch()
    asking = os.open(notes / daemon_lock.LOCK, os.O_RDONLY)
    fcntl.flock(asking, fcntl.LOCK_SH)
    assert not daemon_lock.present(notes)
    os.close(asking)
    with presence(notes):
        assert daemon_lock.present(notes)


def test_a_daemon_whose_lock_was_deleted_takes_it_again(notes: Path) -> None:
    with presence(notes) as here:
        shutil.rmtree(notes / ".vaultmem")
        here.beat("inotify")
        assert daemon_lock.present(notes)


def test_a_daemon_gives_way_to_one_that_came_when_its_lock_was_deleted(notes: Path) -> None:
    with presence(notes) as first:
        shutil.rmtree(notes / ".vaultmem")
        with presence(notes), pytest.raises(Watched):
            first.beat("inotify")
