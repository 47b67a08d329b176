"""What waits for its commit is read once by an open vault, and known until it is committed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.storage import committed_files, journal
from vaultmem.storage.files import Root
from vaultmem.storage.journal import Write
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

PRIVATE = b"<private>\nThe key lies under the pot.\n</private>\n"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    with Vault.open(folder) as vault:
        yield vault.store


def write(store: Store, path: str, new: bytes) -> None:
    """Write a file by an operation of its own, whose commit waits."""
    old = store.texts.read(path)
    store.apply(Plan(store.mint(), "topic", "topic: a word", (Change(path, old, new, "why"),)))


def test_each_intent_is_read_for_its_paths_once_however_often_somebody_asks(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a round of many operations costs no square of them."""
    for n in range(9):
        write(store, f"notes/{n}.md", b"The lantern hangs in the garden.\n")
    read: list[str] = []
    writes = journal.writes

    def counting(root: Root, name: str) -> tuple[Write, ...]:
        read.append(name)
        return writes(root, name)

    monkeypatch.setattr(journal, "writes", counting)
    asked = ["notes/7.md", "notes/8.md", "notes/none.md"]
    for _ in range(5):
        assert committed_files.committed(store, asked) == {"notes/7.md", "notes/8.md"}
    assert len(read) == 9 + 2, "each for its paths, two for what they say"


def test_what_was_written_last_is_known_and_what_is_committed_no_more(store: Store) -> None:
    known = store.waiting_writes
    write(store, "notes/a.md", b"one\n")
    assert known.coming({"notes/a.md", "notes/b.md"}) == {"notes/a.md"}
    write(store, "notes/b.md", b"two\n")
    write(store, "notes/a.md", b"three\n")
    assert [w.new for w in known.of({"notes/a.md"})] == [b"one\n", b"three\n"]
    assert known.coming({"notes/a.md", "notes/b.md"}) == {"notes/a.md", "notes/b.md"}
    store.writer.commit_pending()
    assert known.coming({"notes/a.md", "notes/b.md"}) == set()
    assert [*known.of({"notes/a.md"})] == []


def test_what_is_held_back_does_not_come(store: Store) -> None:
    write(store, "notes/a.md", PRIVATE)
    assert store.waiting_writes.coming({"notes/a.md"}) == set()


@pytest.mark.parametrize("count", [4, 12])
def test_what_a_persons_lines_hold_back_is_read_as_often_however_much_waits(
    store: Store, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """Each replaced what the one before it said, beside a line that is nowhere in git."""
    write(store, "notes/tea.md", b"cups: 0\nkind: green\n")
    store.writer.commit_pending()
    (store.root.path / "notes/tea.md").write_bytes(b"cups: 0\nkind: black\n")
    for n in range(count):
        write(store, "notes/tea.md", b"cups: %d\nkind: black\n" % (n + 1))
    head = store.writer.commits.head()
    read = Counter[str]()
    writes = journal.writes

    def counting(root: Root, name: str) -> tuple[Write, ...]:
        read[name[:26]] += 1
        return writes(root, name)

    monkeypatch.setattr(journal, "writes", counting)
    store.writer.commit_pending()
    assert (store.writer.commits.head(), len(read)) == (head, count)
    assert max(read.values()) <= 4, read
