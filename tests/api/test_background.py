"""Work that nobody waits for: on a thread of its own, done once, and a fault in it is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from vaultmem.api.vault.background import Background
from vaultmem.errors import Busy


class Opened:
    """What is opened for each piece of work; *closed* counts how often that ended."""

    closed = 0

    def close(self) -> None:
        """Be closed."""
        Opened.closed += 1


@pytest.fixture
def background(monkeypatch: pytest.MonkeyPatch) -> Iterator[Background[Opened]]:
    monkeypatch.setattr(Opened, "closed", 0)
    made = Background(Opened)
    yield made
    made.close()


def test_it_is_done_elsewhere_in_the_order_of_asking(background: Background[Opened]) -> None:
    done = list[tuple[str, bool]]()

    def note(what: str) -> None:
        done.append((what, threading.current_thread() is threading.main_thread()))

    background.ask("fold", lambda _: note("fold"))
    background.ask("commit", lambda _: note("commit"))
    background.wait()
    assert done == [("fold", False), ("commit", False)]
    assert Opened.closed == 2


def test_what_is_asked_twice_before_it_begins_is_done_once(background: Background[Opened]) -> None:
    """And once more for who asks while it is under way: they may have come too late for it."""
    begun, go, done = threading.Event(), threading.Event(), list[str]()

    def commit(_: Opened) -> None:
        begun.set()
        go.wait()
        done.append("commit")

    background.ask("commit", commit)
    begun.wait()
    for _ in range(5):
        background.ask("commit", commit)
    go.set()
    background.wait()
    assert done == ["commit", "commit"]


def test_what_cannot_be_done_now_waits_and_stops_nothing(
    background: Background[Opened], caplog: pytest.LogCaptureFixture
) -> None:
    done = list[str]()

    def refuse(_: Opened) -> None:
        raise Busy("the vault", 1)

    background.ask("fold", refuse)
    background.ask("commit", lambda _: done.append("commit"))
    background.wait()
    assert done == ["commit"]
    assert "what was written is safe" in caplog.text


def test_a_fault_of_the_program_is_not_lost() -> None:
    background = Background(Opened)
    background.ask("fold", lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        background.close()
