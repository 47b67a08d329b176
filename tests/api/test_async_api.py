"""The vault for asyncio: its own thread, every method, errors as they are, nothing left open."""

from __future__ import annotations

import ast
import asyncio
import runpy
import subprocess
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, assert_type

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.api.agent_memory import Memory
from vaultmem.api.async_api import AsyncMemory, AsyncVault
from vaultmem.api.types import Answer, Remembered, Task, Working
from vaultmem.errors import BadInput, CannotOpen, Closed
from vaultmem.retrieval.search import Scope

pytestmark = pytest.mark.without_history


def run(scene: Coroutine[Any, Any, None]) -> None:
    """Run *scene*, and see that no thread of ours outlives it."""
    before = set(threading.enumerate())
    asyncio.run(scene, debug=True)
    late = [t for t in set(threading.enumerate()) - before if t.name.startswith("vaultmem")]
    for thread in late:
        thread.join()
        assert not thread.is_alive()


class Gate:
    """Something slow that a call does on the vault's thread: it waits until it may go on."""

    def __init__(self) -> None:
        """Begin closed."""
        self.begun, self.open = threading.Event(), threading.Event()
        self.done: list[str] = []

    def remember(self, vault: Vault, text: str) -> str:
        """Wait, remember *text*, and return its path."""
        self.begun.set()
        assert self.open.wait()
        self.done.append(text)
        return vault.remember(text, agent="ada").path

    async def begins(self) -> None:
        """Wait until a call is at it."""
        await asyncio.to_thread(self.begun.wait)


async def closed_meanwhile(
    folder: Path, gate: Gate
) -> tuple[AsyncVault, asyncio.Task[str], asyncio.Task[None]]:
    """Open the vault and begin to close it while a call waits at *gate*; return all three."""
    vault = await AsyncVault.open(folder)
    asked = asyncio.create_task(vault.do(gate.remember, "The last word."))
    await gate.begins()
    return vault, asked, asyncio.create_task(vault.close())


def test_every_method_and_part_and_property_of_a_vault_is_awaited(folder: Path) -> None:
    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            made = await vault.remember("Mara drinks dark roast.", agent="ada", tags=["coffee"])
            answer = await vault.recall("roast", k=3)
            assert [hit.path for hit in answer.hits] == [made.path]
            assert await vault.cards.list() == ()
            assert (await vault.tasks.create("Buy beans")).id == 1
            assert await vault.path == folder
            assert await vault.reach("ada").page(made.path, first=1)

    run(scene())


def test_what_is_asked_runs_on_one_thread_that_is_not_the_callers(folder: Path) -> None:
    def which(_: Vault) -> str:
        return threading.current_thread().name

    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            names = await asyncio.gather(*(vault.do(which) for _ in range(5)))
            assert set(names) != {threading.current_thread().name}
            assert len(set(names)) == 1

    run(scene())


def test_two_vaults_have_a_thread_each(folder: Path) -> None:
    def which(_: Vault) -> int:
        return threading.get_ident()

    async def scene() -> None:
        async with await AsyncVault.open(folder) as one, await AsyncVault.open(folder) as two:
            assert await one.do(which) != await two.do(which)

    run(scene())


def test_do_passes_arguments_and_returns_the_result(folder: Path) -> None:
    def add(vault: Vault, first: str, *, second: str) -> int:
        for text in (first, second):
            vault.remember(text, agent="ada")
        return vault.status().agents[0].memories

    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            count: int = await vault.do(add, "One cat.", second="Two dogs.")
            assert count == 2

    run(scene())


def test_many_at_once_in_a_task_group_are_all_kept(folder: Path) -> None:
    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            async with asyncio.TaskGroup() as group:
                for n in range(8):
                    group.create_task(vault.remember(f"Bird number {n} sang.", agent="ada"))
            assert (await vault.status()).agents[0].memories == 8

    run(scene())


@pytest.mark.with_history
def test_what_is_read_bit_by_bit_is_read_on_the_vaults_thread(folder: Path) -> None:
    """The index and git belong to it; the caller goes through what it found."""

    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            made = [await vault.remember(f"Roast {n}.", agent="ada") for n in range(3)]
            found = await vault.queries.files(Scope(type="memory"))
            assert {it.path for it in found} == {it.path for it in made}
            assert [it.subject for it in await vault.history.commits(limit=1)]

    run(scene())


def test_an_error_comes_through_as_it_is(folder: Path) -> None:
    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            with pytest.raises(BadInput, match="importance is 7"):
                await vault.remember("x", importance=7)
            with pytest.raises(AttributeError, match="no attribute 'rember'"):
                await vault.rember("x")  # type: ignore[attr-defined]
            with pytest.raises(BadInput):
                await vault.cards.get("nobody/knows")

    run(scene())


def test_what_is_no_vault_is_not_opened_and_no_thread_stays(tmp_path: Path) -> None:
    async def scene() -> None:
        with pytest.raises(CannotOpen):
            await AsyncVault.open(tmp_path)

    run(scene())


def test_a_running_call_that_is_cancelled_goes_on_and_its_result_is_dropped(folder: Path) -> None:
    gate = Gate()

    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            task = asyncio.create_task(vault.do(gate.remember, "Sara has a cat."))
            await gate.begins()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            gate.open.set()
            assert len((await vault.recall("cat")).hits) == 1
            assert (await vault.fsck()).ok

    run(scene())


def test_a_waiting_call_that_is_cancelled_is_never_begun(folder: Path) -> None:
    gate = Gate()

    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            first = asyncio.create_task(vault.do(gate.remember, "first"))
            await gate.begins()
            second = asyncio.create_task(vault.do(gate.remember, "second"))
            await asyncio.sleep(0)
            second.cancel()
            await asyncio.sleep(0)
            gate.open.set()
            await first
            assert gate.done == ["first"]

    run(scene())


def test_closing_waits_for_what_was_asked(folder: Path) -> None:
    gate = Gate()

    async def scene() -> None:
        _, asked, closing = await closed_meanwhile(folder, gate)
        await asyncio.sleep(0)
        assert not closing.done()
        gate.open.set()
        await closing
        assert (folder / await asked).exists()

    run(scene())


def test_a_close_that_is_cancelled_closes_all_the_same(folder: Path) -> None:
    gate = Gate()

    async def scene() -> None:
        vault, asked, closing = await closed_meanwhile(folder, gate)
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        gate.open.set()
        await asked
        await vault.close()
        with pytest.raises(Closed, match="is closed"):
            await vault.status()

    run(scene())


def test_an_opening_that_is_given_up_leaves_nothing_open(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go, closed = threading.Event(), threading.Event(), threading.Event()
    real_open, real_close = Vault.open, Vault.close

    def slow(path: Path) -> Vault:
        begun.set()
        assert go.wait()
        return real_open(path)

    def close(vault: Vault) -> None:
        real_close(vault)
        closed.set()

    monkeypatch.setattr(Vault, "open", slow)
    monkeypatch.setattr(Vault, "close", close)

    async def scene() -> None:
        opening = asyncio.create_task(AsyncVault.open(folder))
        await asyncio.to_thread(begun.wait, 10)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        go.set()
        assert await asyncio.to_thread(closed.wait, 10)

    run(scene())


def test_who_forgets_to_await_is_told(folder: Path) -> None:
    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            with pytest.warns(RuntimeWarning, match="never awaited"):
                vault.remember("This is not kept.")  # type: ignore[unused-coroutine]
            assert (await vault.recall("kept")).hits == ()

    run(scene())


def test_an_async_memory_is_told_and_asked_and_its_vault_too(folder: Path, clock: Clock) -> None:
    async def scene() -> None:
        async with await AsyncMemory.open(folder, agent="ada", session="s", clock=clock) as memory:
            assert (await memory.on_user_message("We meet at the harbour.")).turn == 1
            shown = await memory.build_context()
            assert "harbour" in shown.text
            assert (await memory.vault.session("s")).transcript.agent == "ada"
            assert await memory.do(lambda it: it.agent) == "ada"

    run(scene())
    with Memory.open(folder, agent="ada", session="s", clock=clock) as memory:
        assert "harbour" in memory.build_context().text


def test_a_vault_is_made_and_opened(tmp_path: Path) -> None:
    async def scene() -> None:
        async with await AsyncVault.init(tmp_path / "mine") as vault:
            await vault.remember("Mara likes tea.", agent="ada")
            assert len((await vault.recall("tea")).hits) == 1

    run(scene())


def test_it_is_typed_as_what_it_asks_is(folder: Path) -> None:
    """Type checkers see each method: these lines hold when they are checked, and when they run."""

    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            made = assert_type(await vault.remember("Mara likes tea.", agent="ada"), Remembered)
            found = assert_type(await vault.recall("tea", k=3), Answer)
            assert [hit.path for hit in found.hits] == [made.path]
            assert_type(await vault.workbench("ada").read(), Working)
            assert_type(await vault.tasks.list(), tuple[Task, ...])
            assert assert_type(await vault.path, Path) == folder
            with pytest.raises(TypeError, match="'agnt'"):
                await vault.remember("x", agnt="ada")  # type: ignore[call-arg]
        async with await AsyncMemory.open(folder, agent="ada") as memory:
            assert_type(await memory.vault.recall("tea"), Answer)

    run(scene())


@pytest.mark.long
def test_the_types_are_those_of_the_methods_there_are() -> None:
    script = Path(__file__).parents[2] / ".github/async_stubs.py"
    module = runpy.run_path(str(script))
    written = (script.parents[1] / "vaultmem/api/async_api.pyi").read_text(encoding="utf-8")
    as_ast = [ast.dump(ast.parse(text)) for text in (module["stub"](), written)]
    # pytest would explain where two texts of this length differ, which takes it minutes
    same = as_ast[0] == as_ast[1]
    assert same, f"python {script} writes it anew"


@pytest.mark.long
def test_who_does_without_asyncio_does_not_load_it(folder: Path) -> None:
    code = (
        "import sys; from vaultmem import Memory\n"
        f"m = Memory.open({str(folder)!r}, agent='ada'); m.on_user_message('hello'); m.close()\n"
        "assert 'asyncio' not in sys.modules, 'asyncio is loaded'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_cannot_be_meant_is_said_here_too(folder: Path) -> None:
    async def scene() -> None:
        async with await AsyncVault.open(folder) as vault:
            with pytest.raises(BadInput, match="tags takes a list of strings"):
                await vault.remember("a", tags="health")
            with pytest.raises(BadInput, match="k takes a whole number"):
                await vault.recall("a", k="5")  # type: ignore[arg-type]
        async with await AsyncMemory.open(folder, agent="ada") as memory:
            with pytest.raises(BadInput, match="text takes a string, not None"):
                await memory.remember(None)  # type: ignore[arg-type]
            with pytest.raises(BadInput, match="steps takes a list of strings, not 'str'"):
                await memory.on_task_start("a", steps="bc")

    run(scene())
