"""A vault belongs to the thread that opened it, until it is closed."""

from __future__ import annotations

import asyncio
import copy
import gc
import inspect
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vaultmem import AsyncVault, Memory, Vault
from vaultmem.api import create
from vaultmem.errors import Busy, Closed, OtherThread, Refused
from vaultmem.records import utc_now
from vaultmem.retrieval.search import Question
from vaultmem.storage import journal
from vaultmem.storage.files import Root

_WORDS = {
    "text": "Oolong.", "query": "oolong", "ref": "oolong", "line": "@memory-status", "op": "x",
    "session": "spring", "path": "AGENTS.md", "what": "tick", "work": len, "form": "jsonl",
    "paths": [], "messages": "[]", "asked": None, "name": "x", "role": "user", "goal": "tea",
}  # fmt: skip
_STANDS = {"close", "closed", "path", "open", "init"}
_PARTS = (
    "memories", "compactions", "sessions", "queries", "cards", "topics", "tasks", "experiences",
    "dreams", "forgetting", "shares", "reviews", "history", "checks", "rounds", "exchange",
)  # fmt: skip


def _public(of: object) -> list[str]:
    return [n for n in dir(type(of)) if not n.startswith("_") and n not in _STANDS]


def _used(of: object, name: str) -> None:
    """Read or call what *of* has under *name*, with words for all that it wants to know."""
    found = getattr(of, name)
    if callable(found):
        wanted = inspect.signature(found).parameters.values()
        found(
            *(
                _WORDS.get(p.name, "x")
                for p in wanted
                if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
            )
        )


def _answering(of: object) -> Iterator[str]:
    """Yield what still gives an answer, or an error that is no Closed."""
    for name in _public(of):
        try:
            _used(of, name)
        except Closed:
            continue
        except Exception as e:  # noqa: BLE001  # every other is a fault
            yield f"{type(of).__name__}.{name}: {e!r}"
        else:
            yield f"{type(of).__name__}.{name}"


def _in_another_thread(work: Callable[[], object]) -> list[BaseException]:
    """Do *work* in a thread that ends; return what it raised."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as e:  # noqa: BLE001  # every error is what is asked for
            raised.append(e)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return raised


@pytest.fixture
def open_vault(tmp_path: Path) -> Vault:
    create.create(tmp_path / "open", utc_now, with_git=False)
    return Vault.open(tmp_path / "open")


def test_whatever_is_asked_of_a_closed_vault_says_that_it_is_closed(open_vault: Vault) -> None:
    """Every public method and property, and each part: cards, tasks, dreams, reach."""
    open_vault.close()
    assert list(_answering(open_vault)) == []


def test_a_closed_vault_is_not_entered(open_vault: Vault) -> None:
    open_vault.close()
    with pytest.raises(Closed), open_vault:
        pass


def test_a_signal_handler_hears_that_it_interrupts_a_write(
    open_vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not wait for the lock that its own thread holds, and the write goes on."""
    heard: list[str] = []

    def interrupt(*_: object) -> None:
        try:
            open_vault.remember("Said by the handler.", agent="ada")
        except Busy as e:
            heard.append(str(e))

    before = signal.signal(signal.SIGALRM, interrupt)
    begin = journal.begin

    def interrupted(root: Root, todo: journal.Intent) -> None:
        signal.raise_signal(signal.SIGALRM)
        begin(root, todo)

    monkeypatch.setattr(journal, "begin", interrupted)
    try:
        made = open_vault.remember("Said by the caller.", agent="ada")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert open_vault.post(made.path).content == "Said by the caller.\n"
    assert [text.partition(",")[0] for text in heard] == ["this vault is in the middle of a write"]


def test_a_part_that_was_taken_before_the_close_is_closed_with_its_vault(
    open_vault: Vault,
) -> None:
    cards, tasks, topics = open_vault.cards, open_vault.tasks, open_vault.topics
    bench, reach, retriever = (
        open_vault.workbench("ada"),
        open_vault.reach("ada"),
        open_vault.retriever,
    )
    dreams, shares, reviews = open_vault.dreams, open_vault.shares, open_vault.reviews
    open_vault.close()
    asked: tuple[Callable[[], object], ...] = (
        cards.list, lambda: cards.get("medical/sarah"), tasks.graph, topics.listing, bench.read,
        lambda: bench.change(lambda now: now), lambda: reach.page("AGENTS.md"),
        lambda: reach.remove("topics/tea.md"), dreams.plan, dreams.log, shares.follow,
        reviews.list, lambda: open_vault.forgetting.find("tea"),
        lambda: retriever.here(Question("tea", mode="lexical")),
    )  # fmt: skip
    for ask in asked:
        with pytest.raises(Closed):
            ask()


def test_a_closed_vault_writes_nothing_into_the_one_that_has_its_descriptor_now(
    open_vault: Vault, tmp_path: Path
) -> None:
    open_vault.close()
    create.create(tmp_path / "other", utc_now, with_git=False)
    with Vault.open(tmp_path / "other") as other:
        with pytest.raises(Closed, match="this vault is closed"):
            open_vault.remember("A secret of the first.", agent="ada")
        assert other.recall("secret").hits == ()
    assert not list(tmp_path.rglob("*secret*"))


def test_closing_twice_is_nothing(open_vault: Vault) -> None:
    before = os.dup(0)
    os.close(before)
    open_vault.close()
    open_vault.close()
    with open_vault.path.joinpath("AGENTS.md").open() as taken_over:
        open_vault.close()
        assert taken_over.readline()


def test_a_memory_closes_once_whoever_closed_its_vault(open_vault: Vault) -> None:
    memory = Memory(open_vault, agent="ada")
    memory.vault.close()
    memory.close()
    with pytest.raises(Closed):
        memory.on_user_message("Hello.")


def test_another_thread_is_told_whose_the_vault_is(open_vault: Vault) -> None:
    """It names the way: one vault a thread, or AsyncVault."""
    cards = open_vault.cards
    for work in (
        lambda: open_vault.remember("Oolong.", agent="ada"),
        lambda: open_vault.recall("oolong"),
        open_vault.status,
        lambda: cards.set("food/tea", object()),  # type: ignore[arg-type]
        open_vault.store.index.sync,
        lambda: open_vault.store.texts.read("AGENTS.md"),
    ):
        (raised,) = _in_another_thread(work)
        assert isinstance(raised, OtherThread)
        assert "AsyncVault" in str(raised)
    open_vault.close()


def test_another_thread_closes_nothing_while_the_owner_lives(open_vault: Vault) -> None:
    (raised,) = _in_another_thread(open_vault.close)
    assert isinstance(raised, OtherThread)
    assert open_vault.remember("Oolong.", agent="ada").id
    open_vault.close()


def test_whose_thread_has_ended_is_closed_by_any(tmp_path: Path) -> None:
    """A worker that opened the vault is gone; who sweeps up after it may close."""
    create.create(tmp_path / "v", utc_now, with_git=False)
    opened: list[Vault] = []
    assert _in_another_thread(lambda: opened.append(Vault.open(tmp_path / "v"))) == []
    opened[0].close()
    assert opened[0].closed


def test_who_forgets_to_close_holds_no_descriptor_for_ever(tmp_path: Path) -> None:
    """Garbage is collected in any thread, and a vault is a ring of objects."""
    create.create(tmp_path / "v", utc_now, with_git=False)
    Vault.open(tmp_path / "v").status()
    gc.collect()
    held = [link.resolve() for link in Path("/proc/self/fd").iterdir()]
    assert [path for path in held if path.is_relative_to(tmp_path / "v")] == []


def test_what_is_done_in_the_background_has_the_chance_of_its_vault(open_vault: Vault) -> None:
    """A vault that was given no chance of its own uses none behind its caller's back."""

    def fixed(count: int) -> bytes:
        return b"\x2a" * count

    seen: list[object] = []
    with Vault.open(open_vault.path, random=fixed) as vault:
        vault.run_in_background("look", lambda again: seen.append(again.store.random))
    assert seen == [fixed]
    open_vault.close()


def _copies(of: object) -> Iterator[Callable[[], object]]:
    yield lambda: copy.copy(of)
    yield lambda: copy.deepcopy(of)
    yield lambda: pickle.dumps(of)


def test_what_is_open_is_neither_copied_nor_pickled(open_vault: Vault) -> None:
    """Two would give back one descriptor; frameworks copy whatever lies in their state."""
    memory = Memory(open_vault, agent="ada")
    retriever = open_vault.retriever
    retriever.vectors  # noqa: B018  # it holds a database of its own
    for held in (open_vault, memory, open_vault.store.root, open_vault.store.index.db):
        for copied in _copies(held):
            with pytest.raises(Refused, match="hand on its path, and open it there"):
                copied()
    parts = [getattr(open_vault, name) for name in _PARTS]
    for holder in (*parts, open_vault.store, retriever, open_vault.reach("ada"), {"of": [memory]}):
        with pytest.raises(Refused, match="cannot be copied"):
            copy.deepcopy(holder)
        with pytest.raises(Refused, match="cannot be copied"):
            pickle.dumps(holder)
    open_vault.close()


def test_a_vault_with_a_thread_of_its_own_is_not_copied(open_vault: Vault) -> None:
    async def scene() -> None:
        async with await AsyncVault.open(open_vault.path) as vault:
            for held in (vault, vault.cards, {"of": [vault]}):
                with pytest.raises(Refused, match="cannot be copied"):
                    copy.deepcopy(held)
                with pytest.raises(Refused, match="cannot be copied"):
                    pickle.dumps(held)
            assert await vault.remember("Oolong.", agent="ada")

    asyncio.run(scene())
    open_vault.close()


def test_a_copy_that_was_begun_takes_nothing_from_the_vault(
    open_vault: Vault, tmp_path: Path
) -> None:
    """The words of the first stay out of the one that is opened next."""
    with pytest.raises(Refused):
        copy.deepcopy(open_vault)
    gc.collect()
    create.create(tmp_path / "other", utc_now, with_git=False)
    with Vault.open(tmp_path / "other") as other:
        open_vault.remember("A secret of the first.", agent="ada")
        assert other.recall("secret").hits == ()
        assert len(open_vault.recall("secret").hits) == 1
    open_vault.close()


def test_what_only_looks_like_an_open_folder_closes_nothing(open_vault: Vault) -> None:
    """Somebody fills an object whose `__init__` never ran, as a copy is made."""
    root = open_vault.store.root
    made = object.__new__(type(root))
    made.__dict__.update(root.__dict__)
    del made
    gc.collect()
    assert open_vault.store.texts.read("AGENTS.md") is not None
    open_vault.close()


def test_a_vault_whose_descriptor_somebody_closed_is_closed_without_a_fault(
    open_vault: Vault,
) -> None:
    os.close(open_vault.store.root.fd)
    open_vault.close()
    assert open_vault.closed


@pytest.mark.long
def test_a_vault_is_open_until_the_process_has_ended(open_vault: Vault) -> None:
    """What was to be done at the exit may have been asked for before it was opened."""
    scene = """
import atexit, sys
from vaultmem import Vault

@atexit.register
def last():
    vault.remember("Oolong.", agent="ada")

vault = Vault.open(sys.argv[1])
"""
    subprocess.run((sys.executable, "-c", scene, str(open_vault.path)), check=True)
    assert len(open_vault.recall("oolong").hits) == 1
    open_vault.close()
