"""Two signals, as clients send them: the second one does not break in on the commit."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import cast

import pytest

from tests.conftest import StalledGit
from tests.integrations.test_mcp_stdio import call, started
from vaultmem import Vault
from vaultmem.api import shutdown_signals
from vaultmem.cli.chat import _ended
from vaultmem.integrations.chat import Chat
from vaultmem.storage import git
from vaultmem.storage.writer import Writer


def _is_whole(folder: Path) -> None:
    assert not (folder / ".git/index.lock").exists()
    repository = git.find(folder)
    assert repository
    assert repository.unstaged() == ()
    assert repository.log(1)[0].subject.endswith("Ada likes tea.")


@pytest.mark.long
def test_a_server_ends_its_commit_under_a_second_signal(
    folder: Path, stalled_git: StalledGit
) -> None:
    with started(folder) as server:
        server.ask("tools/call", **call("Ada likes tea."))
        server.process.send_signal(signal.SIGINT)
        stalled_git.stalls()
        server.process.send_signal(signal.SIGTERM)
        stalled_git.goes_on()
        assert server.process.wait() == 0
    _is_whole(folder)


class _Talk:
    """What a chat is when it ends: something that is hung up."""

    def close(self) -> None:
        """Hang up, while somebody closes the terminal."""
        os.kill(os.getpid(), signal.SIGHUP)


def test_a_chat_ends_its_commit_under_signals(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Writer.commit_pending

    def settle(writer: Writer) -> dict[str, str]:
        for number in shutdown_signals.ENDING:
            os.kill(os.getpid(), number)
        return real(writer)

    monkeypatch.setattr(Writer, "commit_pending", settle)
    with _ended(vault, cast("Chat", _Talk())):
        vault.say("party", "Hello.", agent="ada", soon=True)
    assert not vault.store.writer.waiting()


def test_signals_are_asked_once_and_given_back() -> None:
    before = {number: signal.getsignal(number) for number in shutdown_signals.ENDING}
    asked: list[str] = []
    with shutdown_signals.heeded() as ending:
        os.kill(os.getpid(), signal.SIGINT)
        ending.begins_with(lambda: asked.append("stop"))
        for number in shutdown_signals.ENDING:
            os.kill(os.getpid(), number)
    assert asked == ["stop"]
    assert {number: signal.getsignal(number) for number in shutdown_signals.ENDING} == before


def test_a_thread_takes_no_signals() -> None:
    before = signal.getsignal(signal.SIGTERM)
    seen: list[object] = []

    def work() -> None:
        with shutdown_signals.heeded() as ending:
            seen.extend((signal.getsignal(signal.SIGTERM), ending.asked))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before, False]
