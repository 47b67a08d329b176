"""The warm path: what goes over the socket, who may speak there, and that nothing breaks it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import cached_property
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.daemon.query_handler import HANDLERS, Answerer, Handler
from vaultmem.daemon.socket_server import SocketServer
from vaultmem.errors import BadInput, CannotOpen
from vaultmem.retrieval import daemon_client
from vaultmem.retrieval.daemon_client import client, codec, protocol, socket_path
from vaultmem.retrieval.daemon_client.codec import Malformed, Plain
from vaultmem.retrieval.daemon_client.protocol import Message
from vaultmem.retrieval.search.types import Answer, Question, Scope

HERE = ".vaultmem/warm.sock"
st.register_type_strategy(
    Scope,
    st.builds(
        Scope, agent=st.text(), shared=st.booleans(), type=st.text(), person=st.text(),
        tags=st.lists(st.text()).map(tuple), after=st.text(), before=st.text(),
        untrusted=st.booleans(), trust=st.sampled_from(["", "agent", "user", "verified"]),
    ),
)  # fmt: skip
QUESTIONS = st.from_type(Question)
ANSWERS = st.from_type(Answer)

# --- what is said -------------------------------------------------------------------------------


@pytest.mark.long
@given(QUESTIONS)
def test_a_question_comes_over_as_it_was_asked(asked: Question) -> None:
    sent = protocol.encoded(Message("recall", codec.plain(asked)))
    assert codec.read(Question, protocol.decoded(sent).said) == asked


def is_finite(answer: Answer) -> bool:
    """Tell whether JSON has a word for each number of *answer*."""
    parts = [(it.value, it.weight, it.part) for hit in answer.hits for it in hit.signals]
    numbers = chain((hit.score for hit in answer.hits), *parts)
    return all(abs(number) < 1e300 for number in numbers)


@pytest.mark.long
@given(ANSWERS.filter(is_finite))
def test_an_answer_comes_over_as_it_was_given(given: Answer) -> None:
    sent = protocol.encoded(Message("answer", codec.plain(given)))
    assert codec.read(Answer, protocol.decoded(sent).said) == given


@pytest.mark.parametrize(
    "other",
    [
        {"k": "10"},
        {"k": True},
        {"k": 1.5},
        {"query": None},
        {"mode": "telepathic"},
        {"mode": []},
        {"scope": {}},
        {"scope": asdict(Scope()) | {"tags": "tea"}},
        {"scope": asdict(Scope()) | {"planet": "Mars"}},
        {"planet": "Mars"},
    ],
)
def test_what_is_not_exactly_a_question_is_none(other: Plain) -> None:
    """A newer program may mean something else by it."""
    with pytest.raises(Malformed):
        codec.read(Question, codec.plain(Question("tea")) | other)


@pytest.mark.long
@given(st.binary() | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(repr))
def test_whatever_is_sent_is_a_message_or_malformed(line: bytes | str) -> None:
    with contextlib.suppress(Malformed):
        protocol.decoded(line if isinstance(line, bytes) else line.encode())


@pytest.mark.parametrize("said", ["[" * 100_000, '{"a":' * 100_000, "1" * 100_000, "NaN", "{}"])
def test_json_that_would_break_its_reader_is_malformed(said: str) -> None:
    with pytest.raises(Malformed):
        protocol.decoded(said.encode())


@pytest.mark.parametrize("other", [{"protocol": 2}, {"program": "99.0"}, {"more": 1}])
def test_what_another_version_says_is_not_understood(other: Plain) -> None:
    heard = json.loads(protocol.encoded(Message("ping", {})))
    assert protocol.decoded(json.dumps(heard).encode()) == Message("ping", {})
    with pytest.raises(Malformed):
        protocol.decoded(json.dumps(heard | other).encode())


# --- nobody, or somebody strange ----------------------------------------------------------------


@contextlib.contextmanager
def somebody(place: Path, does: Callable[[socket.socket], object]) -> Iterator[None]:
    """Listen at *place*, and do something with the first who connects."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen()

        def meet() -> None:
            with contextlib.suppress(OSError), listener.accept()[0] as peer:
                does(peer)

        thread = threading.Thread(target=meet)
        thread.start()
        yield
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def answers(peer: socket.socket) -> None:
    """Answer whatever is asked with nothing."""
    peer.recv(1 << 16)
    peer.sendall(protocol.encoded(Message("answer", {})))


def test_where_nobody_is_there_is_no_answer(folder: Path) -> None:
    assert daemon_client.ask(folder, "ping", {}) is None
    shutil.rmtree(folder / ".vaultmem", ignore_errors=True)
    assert daemon_client.recall(folder, Question("tea"), "") is None


def test_a_socket_that_a_dead_daemon_left_gives_no_answer(folder: Path, vault: Vault) -> None:
    with somebody(vault.path / HERE, answers):
        assert daemon_client.ask(folder, "ping", {}) == {}
    assert (folder / HERE).is_socket()
    assert daemon_client.ask(folder, "ping", {}) is None


def test_a_link_in_the_socket_s_place_is_not_followed(
    folder: Path, vault: Vault, tmp_path: Path
) -> None:
    with somebody(tmp_path / "elsewhere", answers):
        (vault.path / HERE).symlink_to(tmp_path / "elsewhere")
        assert daemon_client.ask(folder, "ping", {}) is None


def test_a_link_in_the_workings_place_is_not_followed(folder: Path, tmp_path: Path) -> None:
    shutil.rmtree(folder / ".vaultmem", ignore_errors=True)
    (tmp_path / "other").mkdir()
    with somebody(tmp_path / "other/warm.sock", answers):
        (folder / ".vaultmem").symlink_to(tmp_path / "other")
        assert daemon_client.ask(folder, "ping", {}) is None


def test_who_is_another_user_is_not_spoken_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the modes of the file system say."""
    near, far = socket.socketpair()
    with near, far:
        assert socket_path.is_ours(near)
        monkeypatch.setattr(os, "geteuid", lambda: 4711)
        assert not socket_path.is_ours(near)


def test_an_answer_of_another_user_is_not_taken(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_path, "is_ours", lambda _: False)
    with somebody(vault.path / HERE, answers):
        assert daemon_client.ask(vault.path, "ping", {}) is None


def drip(peer: socket.socket) -> None:
    """Never come to an end, nor stop."""
    with contextlib.suppress(OSError):
        while True:
            peer.sendall(b" ")
            select.select([peer], [], [], 0.01)


def silent(peer: socket.socket) -> None:
    """Say nothing, for as long as the other listens."""
    while peer.recv(1 << 16):
        pass


def flood(peer: socket.socket) -> None:
    """Say more than anybody can hold."""
    with contextlib.suppress(OSError):
        while True:
            peer.sendall(b" " * (1 << 20))


@pytest.mark.parametrize(
    "does",
    [
        lambda peer: peer.recv(1),
        lambda peer: peer.sendall(b"\x00\xff\n"),
        lambda peer: peer.sendall(protocol.encoded(Message("answer", {"hits": 1}))),
        lambda peer: peer.sendall(protocol.encoded(Message("mistake", {}))),
        silent,
        drip,
        flood,
    ],
)
def test_a_strange_answer_is_none_and_given_up(
    vault: Vault, does: Callable[[socket.socket], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "_ANSWER", 0.3)
    with somebody(vault.path / HERE, does):
        assert daemon_client.recall(vault.path, Question("tea"), "") is None


def test_who_asks_loads_neither_the_daemon_nor_vectors() -> None:
    """What is loaded to ask is what opening a vault loads anyway, and a few small modules."""
    code = (
        "import sys, vaultmem.retrieval.daemon_client\n"
        "print([m for m in ('asyncio', 'numpy', 'chromadb', 'pydantic', 'vaultmem.api.vault')"
        " if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


# --- a server -----------------------------------------------------------------------------------

Serve = Callable[..., contextlib.AbstractContextManager[SocketServer]]


@pytest.fixture
def serve(folder: Path, clock: Clock, vault: Vault) -> Serve:  # noqa: ARG001  # it was opened once
    """Return what serves the vault as its daemon does."""

    def begin(
        handlers: Mapping[str, Handler] = HANDLERS,
        patience: float = 5.0,
        kind: type[Vault] = Vault,
    ) -> SocketServer:
        def opened() -> Vault:
            return kind.open(folder, clock=clock)

        return SocketServer(folder, lambda: Answerer(opened, handlers), patience)

    return begin


def raw(folder: Path, sent: bytes) -> bytes:
    """Send bytes to the server and return all that comes back; it must come to an end."""
    with socket_path.connected(folder, 1) as peer:
        peer.settimeout(None)
        with contextlib.suppress(OSError):
            peer.sendall(sent)
            peer.shutdown(socket.SHUT_WR)
        heard = b""
        with contextlib.suppress(ConnectionError):
            while chunk := peer.recv(1 << 16):
                heard += chunk
        return heard


def found(answer: Answer | None) -> list[str]:
    """Return the snippets of an answer that there is."""
    assert answer is not None
    return [hit.snippet for hit in answer.hits]


def test_a_question_is_answered_as_the_vault_itself_would(serve: Serve, vault: Vault) -> None:
    vault.remember("The well is deep.", agent="ada")
    vault.remember("Oolong is a tea.", agent="ada")
    with serve():
        assert found(daemon_client.recall(vault.path, Question("deep well"), "")) == [
            "The well is deep."
        ]
        assert found(
            daemon_client.recall(vault.path, Question("tea", scope=Scope(agent="ada")), "")
        ) == ["Oolong is a tea."]


def test_what_was_written_deleted_or_edited_just_before_counts(
    serve: Serve, vault: Vault, folder: Path
) -> None:
    """By other processes, and in place too, which shows in no folder's time."""
    note = folder / "topics/tea.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("Oolong, from the hills.\n")
    with serve():
        assert found(daemon_client.recall(folder, Question("oolong"), "")) == [
            "Oolong, from the hills."
        ]
        made = vault.remember("Oolong is for guests.", agent="ada")
        assert "Oolong is for guests." in found(
            daemon_client.recall(folder, Question("oolong"), "")
        )
        (folder / made.path).unlink()
        note.write_text("Sencha, from the coast.\n")
        assert found(daemon_client.recall(folder, Question("oolong"), "")) == []
        assert found(daemon_client.recall(folder, Question("sencha"), "")) == [
            "Sencha, from the coast."
        ]


def test_a_mistake_is_a_mistake_here_as_there(serve: Serve, folder: Path) -> None:
    with serve(), pytest.raises(BadInput, match="k is 0, it must be from 1 to 50"):
        daemon_client.recall(folder, Question("tea", k=0), "")


def test_a_question_for_other_vectors_is_declined(serve: Serve, folder: Path) -> None:
    with serve():
        assert (
            daemon_client.recall(folder, Question("tea"), "minilm:of another environment") is None
        )


def test_settings_that_changed_since_the_last_question_count(serve: Serve, folder: Path) -> None:
    """The first who asks by the new ones is declined, and the vault opened anew."""
    chosen = ["", "minilm:m"]

    class Reading(Vault):
        """A vault that reads its settings once."""

        @cached_property
        def space(self) -> str:
            """The space that is chosen when it is first asked."""
            return chosen[0]

    with serve(kind=Reading):
        assert daemon_client.recall(folder, Question("tea"), "") is not None
        chosen.pop(0)
        assert daemon_client.recall(folder, Question("tea"), "minilm:m") is None
        assert daemon_client.recall(folder, Question("tea"), "minilm:m") is not None


def test_settings_of_the_daemon_that_cannot_be_are_no_mistake_of_who_asks(
    serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTMEM_EMBEDDER", "crystal ball")
    with pytest.raises(BadInput), Vault.open(folder) as opened:
        assert opened.space
    with serve():
        assert daemon_client.recall(folder, Question("tea"), "") is None


def test_a_question_that_is_too_long_to_send_is_not_sent(serve: Serve, folder: Path) -> None:
    with serve():
        assert daemon_client.recall(folder, Question("tea" * protocol.LONGEST_REQUEST), "") is None


def test_the_socket_is_nobody_else_s_business_and_goes_with_its_daemon(
    serve: Serve, folder: Path
) -> None:
    before = os.umask(0)
    try:
        with serve():
            assert stat.S_IMODE((folder / HERE).stat().st_mode) == 0o600
            assert stat.S_IMODE((folder / ".vaultmem").stat().st_mode) == 0o700
    finally:
        os.umask(before)
    assert not (folder / HERE).exists()


def test_another_user_is_not_answered(
    serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who got in all the same: as root, or where modes mean nothing."""
    with serve():
        monkeypatch.setattr(socket_path, "is_ours", lambda _: False)
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(str(folder / HERE))
            peer.settimeout(None)
            with contextlib.suppress(OSError):
                peer.sendall(protocol.encoded(Message("ping", {})))
            with contextlib.suppress(ConnectionResetError):
                assert peer.recv(1) == b""


def test_where_modes_mean_nothing_there_is_no_socket(
    serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(os, "chmod", lambda *_, **__: None)
    with serve():
        assert not (folder / HERE).exists()
    assert "would be open to others on this file system" in caplog.text


def test_a_vault_may_lie_deep(tmp_path: Path, folder: Path, clock: Clock) -> None:
    """Deeper than the some hundred bytes that a socket's address has."""
    deep = tmp_path.joinpath(*["a folder of many letters"] * 8, "vault")
    shutil.copytree(folder, deep)
    Vault.open(deep).close()
    with SocketServer(deep, lambda: Answerer(lambda: Vault.open(deep, clock=clock))):
        assert daemon_client.ask(deep, "ping", {}) == {}


def test_a_socket_that_a_dead_daemon_left_is_replaced(serve: Serve, folder: Path) -> None:
    with somebody(folder / HERE, answers):
        pass
    with serve():
        assert daemon_client.ask(folder, "ping", {}) == {}


def a_link(place: Path) -> None:
    """Put a link there."""
    place.symlink_to("elsewhere")


def a_file(place: Path) -> None:
    """Put a file there."""
    place.write_text("mine")


@pytest.mark.parametrize("put", [a_link, a_file])
def test_where_no_socket_can_be_it_is_said_once_and_that_is_all(
    serve: Serve, folder: Path, put: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    put(folder / HERE)
    before = (folder / HERE).lstat()
    with serve() as serving:
        serving.renew()
        assert daemon_client.ask(folder, "ping", {}) is None
    assert (folder / HERE).lstat() == before
    assert [r.message for r in caplog.records] == [
        "no questions are answered from here: .vaultmem/warm.sock is not our socket: remove it"
    ]


def test_a_socket_that_somebody_removed_comes_back(serve: Serve, folder: Path) -> None:
    with serve() as serving:
        shutil.rmtree(folder / ".vaultmem")
        Vault.open(folder).close()
        assert daemon_client.ask(folder, "ping", {}) is None
        serving.renew()
        assert daemon_client.ask(folder, "ping", {}) == {}
        kept = (folder / HERE).stat()
        serving.renew()
        assert (folder / HERE).stat() == kept
    assert not (folder / HERE).exists()


def test_the_socket_of_the_next_daemon_is_left_alone(serve: Serve, folder: Path) -> None:
    with contextlib.ExitStack() as later:
        with serve():
            later.enter_context(serve())
        assert daemon_client.ask(folder, "ping", {}) == {}


# --- that lives on ------------------------------------------------------------------------------


@pytest.mark.long
@settings(max_examples=60)
@given(sent=st.lists(st.binary(max_size=300), max_size=8))
def test_no_bytes_stop_it(tmp_path_factory: pytest.TempPathFactory, sent: list[bytes]) -> None:
    """It answers or closes, and the next one is answered."""
    folder = tmp_path_factory.mktemp("served")
    (folder / ".vaultmem").mkdir()

    def never() -> Vault:
        raise CannotOpen("nothing that was sent is a question")

    with SocketServer(folder, lambda: Answerer(never, {})):
        for some in sent:
            heard = raw(folder, some)
            assert protocol.decoded(heard).kind == "declined"
        assert (
            protocol.decoded(raw(folder, protocol.encoded(Message("ping", {})))).kind == "declined"
        )


@pytest.mark.parametrize("said", [{}, {"question": {}}, {"question": None, "space": []}])
def test_a_question_that_is_none_is_declined(serve: Serve, folder: Path, said: Plain) -> None:
    with serve():
        assert daemon_client.ask(folder, "recall", said) is None
        assert daemon_client.ask(folder, "what", said) is None
        assert daemon_client.ask(folder, "ping", {}) == {}


def test_a_line_without_end_is_not_kept(serve: Serve, folder: Path) -> None:
    with serve():
        assert raw(folder, b"x" * (3 * protocol.LONGEST_REQUEST)) == b""
        assert daemon_client.ask(folder, "ping", {}) == {}


def test_who_says_nothing_keeps_nobody_waiting(serve: Serve, folder: Path) -> None:
    with serve(patience=3600), contextlib.ExitStack() as silent:
        for _ in range(10):
            silent.enter_context(socket_path.connected(folder, 1))
        assert daemon_client.ask(folder, "ping", {}) == {}


def test_who_says_nothing_is_let_go(serve: Serve, folder: Path) -> None:
    with serve(patience=0.1), socket_path.connected(folder, 1) as peer:
        peer.settimeout(None)
        assert peer.recv(1) == b""


def test_who_does_not_take_the_answer_keeps_nobody_waiting(serve: Serve, folder: Path) -> None:
    def much(_vault: Vault, _said: Plain) -> Plain:
        return {"text": "x" * (4 << 20)}

    with serve({"much": much, **HANDLERS}, patience=0.5), socket_path.connected(folder, 1) as peer:
        peer.sendall(protocol.encoded(Message("much", {})))
        assert daemon_client.ask(folder, "ping", {}) == {}
        assert len((daemon_client.ask(folder, "much", {}) or {}).get("text", "")) == 4 << 20  # type: ignore[arg-type]


def let_in(folder: Path) -> socket.socket:
    """Connect, as soon as the queue of those who wait to be accepted has room."""
    while True:
        with contextlib.suppress(BlockingIOError):
            return socket_path.connected(folder, 1)
        os.sched_yield()


def test_so_many_at_once_and_the_longest_makes_room(serve: Serve, folder: Path) -> None:
    """Who says nothing keeps nobody out, however many of him there are."""
    with serve(patience=600), contextlib.ExitStack() as silent:
        peers = [silent.enter_context(let_in(folder)) for _ in range(40)]
        while daemon_client.ask(folder, "ping", {}) is None:  # the queue may be full for a moment
            os.sched_yield()
        peers[0].settimeout(None)
        assert peers[0].recv(1) == b""


def test_a_fault_in_an_answer_costs_that_answer_alone(
    serve: Serve, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever asked does it himself, at once; the fault is told."""

    def unlucky(_vault: Vault, _said: Plain) -> Plain:
        return {"x": 1 // 0}

    with serve({"recall": unlucky, "ping": HANDLERS["ping"]}):
        assert daemon_client.recall(folder, Question("tea"), "") is None
        assert daemon_client.ask(folder, "ping", {}) == {}
    assert any(r.exc_info and r.exc_info[0] is ZeroDivisionError for r in caplog.records)


def test_after_trouble_the_vault_is_opened_anew(serve: Serve, folder: Path) -> None:
    """Its settings may have changed since, or its workings are gone."""
    seen = list[Vault]()

    def troubled(vault: Vault, _said: Plain) -> Plain:
        seen.append(vault)
        if len(seen) == 2:
            raise OSError("gone")
        return {}

    with serve({"ask": troubled}):
        assert [daemon_client.ask(folder, "ask", {}) for _ in range(4)] == [{}, None, {}, {}]
    assert seen[0] is seen[1]
    assert seen[1] is not seen[2]
    assert seen[2] is seen[3]


def test_many_processes_at_once_are_all_answered(serve: Serve, vault: Vault) -> None:
    vault.remember("The well is deep.", agent="ada")
    heard = list[Answer | None]()
    with serve():
        asking_ = [
            threading.Thread(
                target=lambda: heard.append(daemon_client.recall(vault.path, Question("well"), ""))
            )
            for _ in range(20)
        ]
        for thread in asking_:
            thread.start()
        for thread in asking_:
            thread.join()
    assert [found(answer) for answer in heard] == [["The well is deep."]] * 20
