"""Who asks a daemon looks at no file, and sees all that was done before, as after a look."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.api import opened_store, watcher
from vaultmem.api.watcher import MOST, Watch
from vaultmem.daemon import inotify_watches
from vaultmem.daemon.current_index import CurrentIndex
from vaultmem.storage import files
from vaultmem.storage.index import Index
from vaultmem.storage.index.catalog import Sync

VAULTMEM = Path(sys.executable).with_name("vaultmem")
HERON = "agents/ada/memories/heron.md"
NOTE = "notes/heron.md"
TALK = "agents/ada/sessions/one.jsonl"
TURN = '{"turn": %d, "role": "user", "content": "%s"}\n'


@pytest.fixture
def written(folder: Path) -> Path:
    """Let a vault have a few notes and a talk."""
    for name in (HERON, NOTE, "topics/birds.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("A heron stands in the brook.\n")
    (folder / TALK).parent.mkdir(parents=True, exist_ok=True)
    (folder / TALK).write_text(TURN % (1, "The heron is grey."))
    return folder


@pytest.fixture
def seen(written: Path) -> Iterator[Watch]:
    """Watch that vault."""
    with watcher.watching(written) as opened:
        yield opened


@pytest.fixture
def current(written: Path, seen: Watch) -> Iterator[tuple[CurrentIndex, Vault]]:
    """Have looked once."""
    with Vault.open(written) as vault:
        index = CurrentIndex(seen)
        assert index.holds(vault)
        yield index, vault


def known(vault: Vault) -> dict[str, str]:
    """Return what the index has of the files."""
    return {it.path: it.sha for it in vault.store.index.every()}


def there(vault: Vault) -> dict[str, str]:
    """Return what the files are."""
    root = vault.store.root
    paths = (str(it.relative_to(root.path)) for it in root.path.rglob("*"))
    found = {it: files.read(root, it) for it in paths if files.is_note(it)}
    return {path: content.sha for path, content in found.items() if content}


def edited_keeping_size_and_time(folder: Path) -> None:
    """Change a letter, and say that nothing changed."""
    was = (folder / NOTE).stat()
    with (folder / NOTE).open("r+b") as file:
        file.write(b"The")
    subprocess.run(["touch", "-d", f"@{was.st_mtime_ns / 1e9:.9f}", folder / NOTE], check=True)


def saved_as_editors_do(folder: Path) -> None:
    """Write beside it, and put that in its place."""
    (folder / "notes/.heron.tmp").write_text("A stork.\n")
    (folder / "notes/.heron.tmp").replace(folder / NOTE)


IN_PLACE = [edited_keeping_size_and_time, saved_as_editors_do]


@pytest.mark.parametrize("edit", IN_PLACE, ids=lambda it: it.__name__)
def test_what_was_written_before_is_known_without_a_look(
    current: tuple[CurrentIndex, Vault],
    edit: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    index, vault = current
    edit(vault.path)
    monkeypatch.delattr(Index, "sync")
    assert index.holds(vault)
    assert known(vault) == there(vault)


def written_in_a_new_folder(folder: Path) -> None:
    """Make two folders and a note at once."""
    (folder / "notes/deep/er").mkdir(parents=True)
    (folder / "notes/deep/er/owl.md").write_text("An owl.\n")


def removed(folder: Path) -> None:
    """Delete a note."""
    (folder / NOTE).unlink()


def renamed(folder: Path) -> None:
    """Give a note another name."""
    (folder / NOTE).rename(folder / "notes/stork.md")


def moved_away(folder: Path) -> None:
    """Take a folder out of the vault."""
    shutil.move(folder / "notes", folder.parent / "elsewhere")


def moved_in(folder: Path) -> None:
    """Put a folder into the vault that was made elsewhere."""
    (folder.parent / "new/deep").mkdir(parents=True)
    (folder.parent / "new/deep/owl.md").write_text("An owl.\n")
    shutil.move(folder.parent / "new", folder / "notes/new")


@pytest.mark.parametrize("edit", [written_in_a_new_folder, removed, renamed, moved_away, moved_in])
def test_what_went_or_moved_is_known(
    current: tuple[CurrentIndex, Vault], edit: Callable[[Path], None]
) -> None:
    index, vault = current
    edit(vault.path)
    # A folder that went may come to light elsewhere: the system's events wait for that a while.
    assert any(index.holds(vault) for _ in range(5))
    assert known(vault) == there(vault)


def test_a_burst_has_all_files_looked_at_until_a_question_finds_none(
    current: tuple[CurrentIndex, Vault], seen: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, vault = current
    looks: list[Index] = []
    sync = Index.sync

    def look(self: Index) -> Sync:
        looks.append(self)
        return sync(self)

    monkeypatch.setattr(Index, "sync", look)
    for _ in range(MOST + 1):
        seen.note(NOTE)
    assert [(index.holds(vault), len(looks)) for _ in range(3)] == [(True, 1), (True, 2), (True, 2)]


def test_words_that_are_hidden_in_a_talk_are_told_by_no_note_made_of_it(
    current: tuple[CurrentIndex, Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    index, vault = current
    topic = vault.path / "agents/ada/topics/heron.md"
    topic.parent.mkdir()
    link = f"[[{TALK}#1]]"
    topic.write_text(f'---\nsources: ["{link}"]\n---\n# Heron\n\n- The heron is grey. {link}\n')
    assert index.holds(vault)
    (vault.path / TALK).write_text(TURN % (1, "The heron <private>is grey</private>."))
    monkeypatch.delattr(Index, "sync")
    assert index.holds(vault)
    assert "is grey" not in (vault.store.index.body("agents/ada/topics/heron.md") or "")


def test_where_nobody_tells_what_changes_only_a_look_can(written: Path) -> None:
    with Vault.open(written) as vault:
        assert not CurrentIndex(Watch(watcher.POLLING)).holds(vault)


def test_events_that_do_not_come_are_not_waited_for_long(written: Path) -> None:
    with Vault.open(written) as vault:
        assert not CurrentIndex(Watch("inotify")).holds(vault)
        assert not [it for it in (written / ".vaultmem").iterdir() if "noticed" in it.name]


@pytest.mark.long
def test_a_folder_that_is_moved_while_its_watch_is_made_is_looked_into(
    current: tuple[CurrentIndex, Vault],
) -> None:
    """Its watch may go by another's name from then on."""
    index, vault = current
    moves = "for n in $(seq 0 59); do mkdir -p t; echo $n > t/a.md; mv t n$n; mkdir t; done"
    subprocess.run(["sh", "-c", moves], cwd=vault.path, check=True)
    assert not index.holds(vault) or known(vault) == there(vault)
    for n in range(60):
        (vault.path / f"n{n}/a.md").write_text(f"Said {n}.\n")
    assert any(index.holds(vault) for _ in range(5))
    assert known(vault) == there(vault)


def test_where_a_folder_has_no_watch_only_a_look_can_tell(
    current: tuple[CurrentIndex, Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system has so many for a user."""
    index, vault = current
    inode = (vault.path / "notes").stat().st_ino
    ours = inotify_watches.ours
    monkeypatch.setattr(
        inotify_watches, "ours", lambda: {k: v for k, v in ours().items() if k != inode}
    )
    assert [index.holds(vault) for _ in range(3)] == [False] * 3
    monkeypatch.undo()
    assert any(index.holds(vault) for _ in range(3))


def test_a_file_that_may_not_be_read_any_more_is_looked_at(
    current: tuple[CurrentIndex, Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    index, vault = current
    looked: list[str] = []
    monkeypatch.setattr(Index, "absorb", lambda _self, paths: looked.extend(paths))
    (vault.path / NOTE).chmod(0)
    assert index.holds(vault)
    assert looked == [NOTE]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_after_any_edits_the_index_is_what_a_look_would_make_it(
    current: tuple[CurrentIndex, Vault], seed: int
) -> None:
    index, vault = current
    draw = random.Random(seed)  # noqa: S311  # it draws edits
    for step in range(30):
        names = sorted(there(vault)) or [NOTE]
        path = vault.path / draw.choice(names)
        match draw.randrange(5):
            case 0:
                path.write_text(f"Step {step}.\n")
            case 1:
                path.unlink(missing_ok=True)
            case 2:
                new = vault.path / f"notes/{draw.randrange(3)}/n{step}.md"
                new.parent.mkdir(parents=True, exist_ok=True)
                new.write_text(f"New {step}.\n")
            case 3 if path.exists():
                path.rename(path.with_name(f"moved-{step}.md"))
            case _:
                with (vault.path / TALK).open("a") as talk:
                    talk.write(TURN % (step + 2, "And on."))
        if draw.random() < 0.6 and index.holds(vault):
            assert known(vault) == there(vault)


@pytest.mark.long
def test_a_command_looks_at_no_file_where_a_daemon_has_and_sees_the_edit_before_it(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened_store, "_FEW", 1)
    daemon = subprocess.Popen(
        [VAULTMEM, "--vault", written, "watch"], stderr=subprocess.PIPE, text=True
    )
    try:
        assert daemon.stderr
        assert "watching" in daemon.stderr.readline()
        with Vault.open(written) as vault:
            vault.status()  # its first question has all files looked at, by the daemon
        monkeypatch.delattr(Index, "sync")
        for word in ("stork", "bittern"):
            (written / NOTE).write_text(f"A {word} stands there.\n")
            with Vault.open(written) as vault:
                assert vault.recall(word).hits
    finally:
        daemon.kill()
        daemon.communicate()
