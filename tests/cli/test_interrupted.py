"""Ctrl-C in a long command: all is as it was, a sentence says how to go on, and that works."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.api.vault.compactions import Compactions
from vaultmem.cli import output, run
from vaultmem.exchange.importing import memories
from vaultmem.exchange.sync.sync_run import SyncRun
from vaultmem.maintenance import fsck
from vaultmem.maintenance.dream import planner
from vaultmem.maintenance.forgetting.purge import refusals
from vaultmem.maintenance.forgetting.purge import service as purge_service
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store
from vaultmem.storage.unconfirmed_operations import Earlier

_INTERRUPTED = 130


@pytest.fixture(autouse=True)
def heeding() -> Iterator[None]:
    """Heed SIGINT, which who runs the scenes in the background may have switched off."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def once(whole: Callable[..., object], nth: int = 1) -> Callable[..., object]:
    """Return *whole*, in whose *nth* call a person presses Ctrl-C."""
    left = nth

    def pressed(*args: object, **named: object) -> object:
        nonlocal left
        left -= 1
        if left == 0:
            signal.raise_signal(signal.SIGINT)
        return whole(*args, **named)

    return pressed


def files(folder: Path) -> dict[str, bytes]:
    """Return the files that a person sees, with what is in them."""
    every = (p for p in folder.rglob("*") if p.is_file() and not {".git", ".vaultmem"} & {*p.parts})
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in every}


def talk(folder: Path, count: int) -> Path:
    """Write a conversation of *count* messages beside the vault."""
    path = folder.parent / "talk.jsonl"
    said = ({"id": n, "content": f"Lantern {n} hangs in garden {n}."} for n in range(count))
    path.write_text("".join(f"{json.dumps(it)}\n" for it in said))
    return path


@pytest.mark.parametrize(
    ("command", "step", "said"),
    [
        (["fsck"], (fsck, "check"), "nothing was changed; `vaultmem fsck` begins anew"),
        (["dream", "plan"], (planner, "plan"), "no change was proposed or made; `vaultmem dream"),
        (
            ["compact"],
            (Compactions, "run"),
            "what is summarized stays, all else is as it was; `vaultmem",
        ),
        (["sync"], (SyncRun, "_round"), "is safe and committed; `vaultmem sync` goes on"),
    ],
)
def test_what_is_interrupted_leaves_the_files_and_says_how_to_go_on(
    command: list[str],
    step: tuple[object, str],
    said: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run(["--vault", str(folder), "remember", "The oven is a Marzocco.", "--agent", "ada"])
    monkeypatch.chdir(folder)
    Path("../bare.git").mkdir()
    for line in ("init -q --bare ../bare.git", "remote add origin ../bare.git"):
        _git(line)
    before, told = files(folder), io.StringIO()
    with monkeypatch.context() as patch, redirect_stderr(told):
        patch.setattr(*step, once(getattr(*step)))
        assert run(["--vault", str(folder), *command]) == _INTERRUPTED
    assert told.getvalue().startswith("vaultmem: interrupted: ")
    assert said in told.getvalue()
    assert files(folder) == before
    assert run(["--vault", str(folder), *command]) == 0


def _git(line: str) -> None:
    subprocess.run(["git", *line.split()], check=True, capture_output=True)


def test_an_import_that_was_interrupted_goes_on_where_it_stopped(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = talk(folder, 7)
    monkeypatch.setattr(memories, "BATCH", 2)
    argv = ["--vault", str(folder), "import", "jsonl", str(path), "--agent", "ada"]
    with monkeypatch.context() as patch:
        patch.setattr(Store, "apply", once(Store.apply, 3))
        assert run(argv) == _INTERRUPTED
    said = capsys.readouterr().err
    assert "what was imported is safe; the same command goes on from there" in said
    assert len([*folder.glob("agents/ada/memories/**/*.md")]) == 4
    assert run([*argv, "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["imported"], done["skipped"]) == (3, 4)
    assert run(["--vault", str(folder), "fsck"]) == 0


def test_an_import_that_was_interrupted_at_once_says_that_nothing_came_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["--vault", str(folder), "import", "jsonl", str(talk(folder, 7)), "--agent", "ada"]
    with monkeypatch.context() as patch:
        patch.setattr(Store, "apply", once(Store.apply))
        assert run(argv) == _INTERRUPTED
    assert "nothing was imported; the same command begins anew" in capsys.readouterr().err
    assert not [*folder.glob("agents/ada/memories/**/*.md")]


@pytest.mark.parametrize(("manner", "came"), [("turns", 2), ("memories", 2)])
def test_an_import_that_an_error_ended_says_what_came_in_and_goes_on_once_that_is_mended(
    folder: Path,
    manner: str,
    came: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each session is a write of its own, and so is each batch of memories."""
    monkeypatch.setattr(memories, "BATCH", 1)
    path = talk(folder, 4)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    said = (it | {"session": f"s{n}", "at": f"2026-0{n + 1}-01"} for n, it in enumerate(lines))
    path.write_text("".join(f"{json.dumps(it)}\n" for it in said))
    in_the_way = {"turns": "sessions/s2.jsonl/x", "memories": "memories/2026/03"}[manner]
    blocked = folder / "agents/ada" / in_the_way
    blocked.parent.mkdir(parents=True)
    blocked.touch()
    argv = ["--vault", str(folder), "import", "jsonl", str(path), "--agent", "ada", "--as", manner]
    assert run(argv) in {3, 4}
    told = capsys.readouterr().err
    assert "; what was imported is safe; the same command goes on from there" in told
    assert "nothing was" not in told
    blocked.unlink()
    if manner == "turns":
        blocked.parent.rmdir()
    assert run([*argv, "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["imported"], done["skipped"]) == (4 - came, came)


def test_an_import_that_an_error_ended_at_once_says_that_nothing_was_changed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "agents/ada/sessions/talk.jsonl").mkdir(parents=True)
    argv = ["--vault", str(folder), "import", "jsonl", str(talk(folder, 2)), "--agent", "ada"]
    assert run([*argv, "--as", "turns"]) in {3, 4}
    assert "nothing was changed" in capsys.readouterr().err


def test_what_an_import_left_uncommitted_is_told_and_committed_by_the_next_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(memories, "BATCH", 2)
    argv = ["--vault", str(folder), "import", "jsonl", str(talk(folder, 7)), "--agent", "ada"]
    with monkeypatch.context() as patch:
        patch.setattr(Store, "apply", once(Store.apply, 3))
        run(argv)
    assert run(["--vault", str(folder), "fsck"]) == 0
    assert "4 files wait for their commit: the next command" in capsys.readouterr().out
    assert run(["--vault", str(folder), "watch", "--once"]) == 0
    assert run(["--vault", str(folder), "--json", "fsck"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["uncommitted"] == 0


def test_an_index_whose_building_was_interrupted_is_built_by_the_next_command(
    folder: Path, vault: Vault
) -> None:
    (folder / "topics").mkdir()
    for number in range(3):
        (folder / f"topics/tea-{number}.md").write_text(f"Oolong {number}.\n")
    whole = vault.store.index.progress
    vault.queries.on_indexing(lambda _done, _total: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        vault.store.sync()
    assert not vault.store.index.knows("topics/tea-0.md")
    vault.queries.on_indexing(whole)
    vault.store.sync()
    assert all(vault.store.index.knows(f"topics/tea-{number}.md") for number in range(3))


ASKED = {
    "task": ["task", "create", "Buy tea."],
    "experience": ["experience", "Brew tea", "--outcome", "success", "--agent", "ada"],
    "remember": ["remember", "The pot is blue.", "--agent", "ada", "--again"],
    "correct": ["correct", "oven", "The oven is a Faema.", "--agent", "ada"],
    "turn": ["session", "turn", "Thanks!", "--session", "spring", "--agent", "ada"],
}


def made(folder: Path) -> list[str]:
    """Return the files of memories, experiences and tasks, and each turn by itself."""
    own = ("agents/*/memories/**/*.md", "agents/*/episodes/*.md", "tasks/*.md")
    turns = folder / "agents/ada/sessions/spring.jsonl"
    said = turns.read_text().splitlines() if turns.exists() else []
    return [*sorted(p.name for pattern in own for p in folder.glob(pattern)), *said]


def written(store: Store, plan: Plan, guard: Callable[[], None] | None = None) -> Earlier | None:
    """Write as a store does; then a person presses Ctrl-C."""
    _apply(store, plan, guard)
    signal.raise_signal(signal.SIGINT)
    return None


def answered(*_: object) -> None:
    """Press Ctrl-C when the answer is to be printed."""
    signal.raise_signal(signal.SIGINT)


_apply = Store.apply


@pytest.mark.parametrize(
    "step", [(Store, "apply", written), (output, "out", answered)], ids=["write", "answer"]
)
@pytest.mark.parametrize("what", ASKED)
def test_what_was_done_before_it_was_interrupted_is_not_done_twice(
    what: str,
    step: tuple[object, str, Callable[..., object]],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Once more in the same words gives the answer of the first; a third time is meant."""
    argv, vault = ASKED[what], ["--vault", str(folder)]
    run([*vault, "remember", "The oven is a Marzocco.", "--agent", "ada"])
    if what == "correct":
        (wrong,) = folder.glob("agents/ada/memories/**/*.md")
        argv = ["correct", wrong.stem, *argv[2:]]
    before = made(folder)
    capsys.readouterr()
    with monkeypatch.context() as patch:
        patch.setattr(*step)
        assert run([*vault, *argv]) == _INTERRUPTED
    assert "it was done before (`vaultmem log` shows it)" in capsys.readouterr().err
    first = made(folder)
    assert len(first) == len(before) + 1
    assert run([*vault, *argv]) == 0
    assert made(folder) == first
    if what != "correct":
        assert run([*vault, *argv]) == 0
        assert len(made(folder)) == len(first) + 1


def test_what_answers_an_earlier_operation_and_is_interrupted_too_keeps_it_known(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = ["--vault", str(folder), *ASKED["task"]]
    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(output, "out", answered)
            assert run(argv) == _INTERRUPTED
    assert run(argv) == 0
    assert made(folder) == ["task-0001.md"]


def test_what_was_interrupted_before_it_was_written_is_done_by_the_next(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["--vault", str(folder), *ASKED["task"]]
    with monkeypatch.context() as patch:
        patch.setattr(Store, "apply", once(Store.apply))
        assert run(argv) == _INTERRUPTED
    assert "everything acknowledged is safe, run it again" in capsys.readouterr().err
    assert (made(folder), run(argv)) == ([], 0)
    assert made(folder) == ["task-0001.md"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_that_ends_a_command_is_answered_as_a_person_who_does(
    name: str, folder: Path
) -> None:
    number = signal.Signals[name]
    code = ENDED.format(number=int(number))
    argv = [sys.executable, "-c", code, "--vault", str(folder), *ASKED["task"]]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (128 + number, "")
    assert done.stderr.startswith("vaultmem: interrupted: it was done before")
    assert run(["--vault", str(folder), *ASKED["task"]]) == 0
    assert made(folder) == ["task-0001.md"]


ENDED = """
import signal, sys
from vaultmem.__main__ import main
from vaultmem.storage.writer import Writer

real = Writer.commit_pending

def ended(*args):
    signal.raise_signal({number})
    return real(*args)

signal.signal({number}, signal.SIG_DFL)
Writer.commit_pending = ended
main()
"""
"""A command that a signal ends while it commits."""


PRESSED = """
import atexit, importlib.abc, signal, sys

class Pressed(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == moment:
            signal.raise_signal(signal.SIGINT)

moment, sys.argv[:2] = sys.argv[1], ["vaultmem"]
signal.signal(signal.SIGINT, {handler})
if moment == "the end":
    atexit.register(signal.raise_signal, signal.SIGINT)
sys.meta_path.insert(0, Pressed())
from vaultmem.__main__ import main
main()
"""
"""A command in which a person presses Ctrl-C when it begins to load a module, or at its end."""


def pressed(moment: str, handler: str = "signal.default_int_handler") -> tuple[int, str]:
    """Return with which code `vaultmem --version` ends, and what it says on stderr."""
    code = PRESSED.format(handler=handler)
    argv = [sys.executable, "-c", code, moment, "--version"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("moment", ["vaultmem.cli", "click", "vaultmem.records", "the end"])
def test_a_command_that_is_still_loading_or_at_its_end_is_interrupted_quietly(moment: str) -> None:
    assert pressed(moment) == (_INTERRUPTED, "")


def test_a_command_that_loads_more_is_interrupted_with_a_sentence() -> None:
    code, said = pressed("vaultmem.api.build")
    assert code == _INTERRUPTED
    assert said.strip() == "vaultmem: interrupted: everything acknowledged is safe, run it again"


@pytest.mark.parametrize("moment", ["click", "the end"])
def test_who_has_switched_interrupts_off_keeps_them_off(moment: str) -> None:
    assert pressed(moment, "signal.SIG_IGN") == (0, "")


def test_a_look_that_was_interrupted_says_that_nothing_was_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Vault, "status", once(Vault.status))
    assert run(["--vault", str(folder), "status"]) == _INTERRUPTED
    said = capsys.readouterr().err
    assert said == "vaultmem: interrupted: nothing in the vault was changed; run it again\n"


@pytest.mark.long
def test_a_purge_that_was_interrupted_says_whether_anything_may_be_erased(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["--vault", str(folder), "remember", "The oven is a Marzocco.", "--agent", "ada", "--json"])
    ref = json.loads(capsys.readouterr().out)["id"]
    argv = ["--vault", str(folder), "forget", ref, "--purge", "--yes"]
    for step, said in (
        ((refusals, "refuse"), "nothing was forgotten, and nothing erased"),
        ((purge_service, "_cut"), "it is forgotten in the files, and nobody knows how much"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(*step, once(getattr(*step)))
            assert run(argv) == _INTERRUPTED
        assert said in capsys.readouterr().err
    assert run(argv) == 0
