"""A vault belongs to the process that opened it; a fork of that lets go of it and opens its own."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from textwrap import dedent, indent

import pytest

from vaultmem.api import create
from vaultmem.records import utc_now
from vaultmem.storage.fork_gate import ForkGate

_SCENE = """
import asyncio, os, signal, sys
from vaultmem import AsyncVault, Memory, Vault
from vaultmem.errors import Closed, OtherProcess
from vaultmem.storage import ulids
from vaultmem.storage.ledger.entries import Ledger

path = sys.argv[1]
with_child, to_child = os.pipe()
with_parent, to_parent = os.pipe()


def refused(asked):
    try:
        asked()
    except OtherProcess as e:
        return "open the vault anew" in str(e)


def in_a_fork(work):
    child = os.fork()
    if child:
        return child
    signal.alarm(30)  # a child that hangs ends as a failure
    try:
        work()
        os._exit(0)
    finally:
        sys.excepthook(*sys.exc_info())
        os._exit(1)


def ended(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def tell(pipe):
    os.write(pipe, b".")


def hear(pipe):
    assert os.read(pipe, 1)


"""


@pytest.fixture
def vault_path(tmp_path: Path) -> Path:
    create.create(tmp_path / "v", utc_now, with_git=True)
    return tmp_path / "v"


def _played(path: Path, scene: str) -> None:
    """Play *scene* in a process that has no threads but its own: it forks."""
    done = subprocess.run(
        (sys.executable, "-c", _SCENE + dedent(scene), str(path)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, indent(done.stderr, "  ")


@pytest.mark.long
def test_a_fork_is_refused_what_its_parent_opened(vault_path: Path) -> None:
    _played(
        vault_path,
        """
        vault = Vault.open(path)
        cards, store = vault.cards, vault.store

        def child():
            assert refused(lambda: vault.remember("Oolong.", agent="ada"))
            assert refused(lambda: vault.recall("oolong"))
            assert refused(vault.status)
            assert refused(lambda: cards.get("food/tea"))
            assert refused(lambda: store.texts.read("AGENTS.md"))
            assert refused(store.index.sync)

        assert ended(in_a_fork(child))
        assert vault.remember("Oolong.", agent="ada").commit
        vault.close()
        """,
    )


@pytest.mark.long
def test_a_fork_closes_its_copy_at_once_and_its_parent_goes_on(vault_path: Path) -> None:
    """It waits for no thread of its parent's, and takes nothing away."""
    _played(
        vault_path,
        """
        vault = Vault.open(path)
        vault.add_memory("Oolong is what Mara drinks.", agent="ada")

        def child():
            vault.close()
            vault.close()
            try:
                vault.status()
            except Closed:
                os._exit(0)

        assert ended(in_a_fork(child))
        assert vault.remember("Sencha is what Tom drinks.", agent="ada").commit
        assert len(vault.recall("drinks").hits) == 2
        vault.close()
        assert Vault.open(path).fsck().problems == ()
        """,
    )


@pytest.mark.long
def test_a_memory_is_closed_in_a_fork_and_commits_nothing_there(vault_path: Path) -> None:
    _played(
        vault_path,
        """
        memory = Memory.open(path, agent="ada", session="spring")
        memory.on_user_message("Hello.")

        def child():
            with memory:
                assert refused(lambda: memory.on_user_message("Hello from the fork."))

        assert ended(in_a_fork(child))
        memory.on_user_message("And again.")
        memory.close()
        with open(path + "/agents/ada/sessions/spring.jsonl") as transcript:
            assert ["again" in line for line in transcript] == [False, True]
        """,
    )


@pytest.mark.long
def test_what_has_a_thread_of_its_own_has_none_in_a_fork(vault_path: Path) -> None:
    _played(
        vault_path,
        """
        async def opened():
            vault = await AsyncVault.open(path)
            await vault.remember("Oolong.", agent="ada")
            return vault

        async def asked(vault):
            try:
                await vault.recall("oolong")
            except OtherProcess:
                await vault.close()
                return
            raise AssertionError("it answered")

        with asyncio.Runner() as runner:
            vault = runner.run(opened())
            assert ended(in_a_fork(lambda: asyncio.run(asked(vault))))
            runner.run(vault.close())
        """,
    )


@pytest.mark.long
def test_what_a_fork_opens_anew_keeps_its_index_when_the_parent_closes(vault_path: Path) -> None:
    """SQLite keeps no second lock on a file that an inherited connection has open."""
    _played(
        vault_path,
        """
        vault = Vault.open(path)
        vault.remember("Oolong is what Mara drinks.", agent="ada")

        def child():
            vault.close()
            with Vault.open(path) as own:
                own.status()
                tell(to_parent)
                hear(with_child)
                assert os.path.exists(path + "/.vaultmem/index/catalog.sqlite3-wal")
                own.remember("Sencha is what Tom drinks.", agent="ada")

        forked = in_a_fork(child)
        hear(with_parent)
        vault.close()
        tell(to_child)
        assert ended(forked)
        """,
    )


@pytest.mark.long
def test_a_fork_that_goes_on_keeps_none_of_the_locks_it_was_made_in(vault_path: Path) -> None:
    """The thread that held them is the parent's, and gives them back there."""
    _played(
        vault_path,
        """
        from pathlib import Path
        forks = []

        def fork(count=0):
            forks.append(in_a_fork(lambda: hear(with_child)))
            return b"*" * count

        with Vault.open(path) as vault:
            with Ledger.of(Path(path)) as ledger:
                fork()
            now = vault.store.clock()
        ulids.mint(Path(path, ".vaultmem/last-id"), now, random=fork)
        signal.alarm(30)
        with Vault.open(path) as vault:
            assert vault.remember("Oolong.", agent="ada").commit
        for each in forks:
            tell(to_child)
        assert all([ended(each) for each in forks])
        """,
    )


@pytest.mark.long
def test_a_fork_waits_for_a_program_to_start_and_keeps_none_of_its_pipes(vault_path: Path) -> None:
    """Else the thread that starts it reads a pipe until the fork is gone, too."""
    _played(
        vault_path,
        """
        import threading
        started, forking = threading.Event(), threading.Event()

        def starts(event, _):
            if event == "subprocess.Popen" and not started.is_set():
                started.set()
                forking.wait()

        def remember():
            with Vault.open(path) as vault:
                vault.remember("Oolong.", agent="ada")

        sys.addaudithook(starts)
        thread = threading.Thread(target=remember, daemon=True)
        thread.start()
        started.wait()
        os.register_at_fork(before=forking.set)
        forked = in_a_fork(lambda: hear(with_child))
        signal.alarm(30)
        thread.join()
        tell(to_child)
        assert ended(forked)
        """,
    )


@pytest.mark.long
def test_a_fork_keeps_no_program_waiting_for_the_end_of_its_input(vault_path: Path) -> None:
    """Nor does what it has of the input reach the program twice."""
    _played(
        vault_path,
        """
        from vaultmem.storage.git import process
        place = Vault.open(path).store.writer.repository
        with process.talking(place, "hash-object", "--stdin") as running:
            running.stdin.write(b"Oolong.")
            forked = in_a_fork(lambda: running.stdin.flush() or hear(with_child))
            signal.alarm(30)
            running.stdin.close()
            made = running.stdout.read()
        tell(to_child)
        assert ended(forked)
        assert made == process.git(place, "hash-object", "--stdin", stdin=b"Oolong.")
        """,
    )


@pytest.mark.long
def test_a_fork_beside_a_thread_that_writes_the_index_opens_it_anew(vault_path: Path) -> None:
    """SQLite takes a lock that the thread held at that moment for its own there, for ever."""
    _played(
        vault_path,
        """
        import threading
        from vaultmem.storage.index.cache_database import transaction
        writing, forking = threading.Event(), threading.Event()

        def write():
            with Vault.open(path) as vault, transaction(vault.store.index.db):
                writing.set()
                forking.wait()

        def child():
            with Vault.open(path) as vault:
                assert vault.remember("Oolong.", agent="ada").commit

        thread = threading.Thread(target=write)
        thread.start()
        writing.wait()
        os.register_at_fork(before=forking.set)
        assert ended(in_a_fork(child))
        thread.join()
        """,
    )


def test_a_fork_waits_for_the_work_that_it_would_interrupt() -> None:
    gate, done, begun = ForkGate(patience=60), list[str](), threading.Event()

    def work() -> None:
        with gate.at_work():
            begun.set()
            while not gate._quiet._waiters:  # type: ignore[attr-defined]  # until the fork waits
                pass
            done.append("work")

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    gate.close()
    assert done == ["work"]
    gate.open()
    thread.join()


def test_a_fork_waits_for_no_work_for_ever() -> None:
    gate = ForkGate(patience=0)
    with gate.at_work():
        gate.close()
        gate.open_in_child()
        gate.close()
        gate.open()
