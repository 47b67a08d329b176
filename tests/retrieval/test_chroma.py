"""Chroma may lag, lose, lie down or be taken away: what is asked is answered rightly."""

from __future__ import annotations

import contextlib
import ctypes
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import chromadb
import httpx
import pytest
from chromadb.api.client import Client
from chromadb.config import Settings

from tests.cases import rarely
from tests.points import Clock, Points, Words, nearest
from vaultmem.errors import BadInput
from vaultmem.retrieval.vectors import Vectors
from vaultmem.retrieval.vectors.chroma_collection import end
from vaultmem.retrieval.vectors.chroma_location import Folder

Opener = Callable[..., Vectors]
COUNT = 40
CAT = "Her kitten sleeps all day."


@pytest.fixture
def points(tmp_path: Path) -> Iterator[Points]:
    """Make a folder with forty memories and one of a cat."""
    made = Points(tmp_path / "vault")
    for n in range(COUNT):
        made.write(f"note-{n}", f"Note {n} is about matter {n * 7} and little else.")
    made.write("cat", CAT)
    made.index.sync()
    yield made
    made.close()


@pytest.fixture
def opened(points: Points) -> Iterator[Opener]:
    """Return what opens the vectors of the folder, with Chroma as their engine."""
    made: list[Vectors] = []

    def opener(embedder: Words | None = None, **more: object) -> Vectors:
        given = {"exact_up_to": 0, "coded_up_to": 0, **more}
        made.append(Vectors(points.path, points.index, embedder or Words(), **given))  # type: ignore[arg-type]
        return made[-1]

    yield opener
    for vectors in made:
        vectors.close()


@pytest.fixture
def asked_exactly(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows whenever all vectors are compared in the store's place."""
    times: list[str] = []
    plain = Vectors._everything

    def told(vectors: Vectors, *args: object) -> object:
        times.append("exactly")
        return plain(vectors, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Vectors, "_everything", told)
    return times


def store_of(points: Points) -> Path:
    """Return where the embedded store is."""
    return points.path / ".vaultmem/chroma"


@contextlib.contextmanager
def foreign(path: Path) -> Iterator[chromadb.Collection]:
    """Open the one collection of a store as another program would."""
    client = chromadb.PersistentClient(f"{path}/.", Settings(anonymized_telemetry=False))
    assert isinstance(client, Client)
    try:
        yield client.list_collections()[0]
    finally:
        client.close()


# --- embedded -----------------------------------------------------------------------------------


def test_the_store_proposes_and_is_not_asked_for_everything(
    opened: Opener, asked_exactly: list[str]
) -> None:
    assert opened().catch_up().fed == COUNT + 1
    vectors = opened()
    assert nearest(vectors, "kitten sleeps") == ["cat"]
    assert nearest(vectors, "note 11 about matter 77") == ["note-11"]
    assert not asked_exactly
    assert not vectors.ask("kitten").degraded
    assert vectors.state().engine == "chroma"
    assert vectors.state().fed == COUNT + 1


def test_any_reader_of_the_store_understands_its_entries(opened: Opener, points: Points) -> None:
    path = "agents/ada/summaries/recent-001.md"
    head = "type: summary\ntier: recent\ncreated: 2026-11-20T10:15:00Z\nmemory_range_start: 1"
    points.put(path, f"---\n{head}\nmemory_range_end: 65\n---\nAda moved to the coast.\n")
    points.put("topics/boats.md", "---\ntype: topic\ntitle: Boats\n---\nBoats float.\n")
    points.index.sync()
    vectors = opened()
    vectors.catch_up()
    with foreign(store_of(points)) as collection:
        (summary,) = collection.get(where={"type": "memory_summary"})["metadatas"] or []
        (topic,) = collection.get(where={"type": "topic"})["documents"] or []
        cat = collection.get(where={"path": "agents/ada/memories/cat.md"})
        space = (collection.metadata or {})["space"]
    assert summary == {
        "path": path,
        "type": "memory_summary",
        "agent": "ada",
        "date": "2026-11-20T10:15:00Z",
        "timestamp": "2026-11-20T10:15:00Z",
        "memory_range_start": 1,
        "memory_range_end": 65,
        "summary_text": "Ada moved to the coast.",
    }
    assert topic == "Boats float."
    assert cat["documents"] == [CAT]
    assert space == "words:hashed"


def test_the_store_keeps_nothing_of_what_the_memory_of_the_process_held(
    opened: Opener, points: Points
) -> None:
    """Its graph saves blocks as they were handed out; here they are handed out full of Z."""
    try:
        ctypes.CDLL(None).mallopt(-6, ord("Z") ^ 0xFF)
    except AttributeError:
        pytest.skip("the C library of this system has no such setting")
    opened().catch_up()
    saved = [path.read_bytes() for path in store_of(points).rglob("*.bin")]
    assert not any(b"Z" * 16 in data for data in saved)


def test_what_the_store_was_not_fed_is_compared_beside_it(
    opened: Opener, points: Points, asked_exactly: list[str]
) -> None:
    vectors = opened()
    vectors.catch_up()
    assert nearest(vectors, "kitten") == ["cat"]
    points.remember("pup", "Her puppy chews a shoe.")
    assert vectors.catch_up(feed_from=256).fed == 0
    assert nearest(vectors, "puppy shoe") == ["pup"]
    points.remember("pup", "Her puppy caught a ball.")
    vectors.catch_up(feed_from=256)
    assert nearest(vectors, "ball") == ["pup"]
    assert vectors.catch_up().fed == 1
    assert nearest(vectors, "ball") == ["pup"]
    assert not asked_exactly


def test_what_is_forgotten_leaves_the_store_and_may_come_back(
    opened: Opener, points: Points
) -> None:
    vectors = opened()
    vectors.catch_up()
    assert nearest(vectors, "kitten") == ["cat"]
    points.forget("agents/ada/memories/cat.md")
    assert "cat" not in nearest(vectors, "kitten", COUNT + 1)
    vectors.catch_up()
    with foreign(store_of(points)) as collection:
        assert collection.count() == COUNT
        assert CAT not in (collection.get()["documents"] or [])
    points.remember("cat", CAT)
    assert nearest(vectors, "kitten") == ["cat"]
    assert nearest(opened(), "kitten") == ["cat"]


@pytest.mark.long
def test_a_store_at_rest_is_not_opened_again(opened: Opener, points: Points) -> None:
    vectors = opened()
    vectors.catch_up()
    vectors.catch_up()
    before = (store_of(points) / "chroma.sqlite3").stat().st_mtime_ns
    assert vectors.catch_up().fed == 0
    assert (store_of(points) / "chroma.sqlite3").stat().st_mtime_ns == before


def scribbled(store: Path) -> None:
    """Write over the store's database."""
    (store / "chroma.sqlite3").write_bytes(b"no database" * 1000)


def without_index(store: Path) -> None:
    """Delete the files of the vector index, which Chroma takes for an empty one."""
    for folder in (p for p in store.iterdir() if p.is_dir()):
        shutil.rmtree(folder)
    with foreign(store) as collection:
        collection.delete(collection.get(include=[])["ids"][:30])


def by_another(store: Path) -> None:
    """Put a store of somebody else in its place."""
    shutil.rmtree(store)
    client = chromadb.PersistentClient(f"{store}/./.", Settings(anonymized_telemetry=False))
    assert isinstance(client, Client)
    client.create_collection("vaultmem-other", embedding_function=None)
    client.close()


@pytest.mark.long
@pytest.mark.parametrize("harm", [scribbled, shutil.rmtree, *rarely(without_index, by_another)])
def test_whatever_happens_to_the_store_all_is_found_and_it_comes_back(
    opened: Opener, points: Points, harm: Callable[[Path], None], asked_exactly: list[str]
) -> None:
    living = opened()
    living.catch_up()
    assert nearest(living, "kitten") == ["cat"]
    harm(store_of(points))
    for vectors in (opened(), living):
        assert nearest(vectors, "kitten") == ["cat"]
        assert nearest(vectors, "note 12 about matter 84") == ["note-12"]
    opened().catch_up(feed_from=256)
    asked_exactly.clear()
    for vectors in (opened(), living):
        assert nearest(vectors, "kitten") == ["cat"]
        assert not vectors.ask("kitten").degraded
        assert vectors.state().reason == ""
    assert not asked_exactly
    assert sorted(p.name for p in store_of(points).parent.glob("chroma*")) == [
        "chroma",
        "chroma.lock",
    ]


def test_a_damaged_store_is_told_until_it_is_made_anew(opened: Opener, points: Points) -> None:
    opened().catch_up()
    scribbled(store_of(points))
    assert "does not answer as it should" in opened().ask("kitten").degraded
    assert "does not answer as it should" in opened().state().reason


def test_an_older_copy_of_the_store_is_not_believed(
    opened: Opener, points: Points, tmp_path: Path
) -> None:
    """It holds as many entries as the ledger says, but not the same ones."""
    opened().catch_up()
    shutil.copytree(store_of(points), tmp_path / "old")
    points.forget("agents/ada/memories/note-1.md")
    points.remember("pup", "Her puppy chews a shoe.")
    opened().catch_up()
    shutil.rmtree(store_of(points))
    (tmp_path / "old").rename(store_of(points))
    assert nearest(opened(), "puppy shoe") == ["pup"]
    opened().catch_up()
    vectors = opened()
    assert nearest(vectors, "puppy shoe") == ["pup"]
    assert not vectors.ask("puppy").degraded


def test_while_the_store_is_fed_by_another_the_vectors_answer(
    opened: Opener, points: Points, asked_exactly: list[str]
) -> None:
    opened().catch_up()
    with Folder(points.path / ".vaultmem").alone() as ours:
        assert ours
        vectors = opened()
        assert nearest(vectors, "kitten") == ["cat"]
        assert not vectors.ask("kitten").degraded
        points.remember("pup", "Her puppy chews a shoe.")
        assert vectors.catch_up().fed == 0
        assert nearest(vectors, "puppy") == ["pup"]
    assert asked_exactly
    asked_exactly.clear()
    assert nearest(vectors, "puppy") == ["pup"]
    assert vectors.catch_up().fed == 1
    assert nearest(vectors, "puppy") == ["pup"]
    assert not asked_exactly


def test_two_spaces_share_a_store_and_never_mix(opened: Opener) -> None:
    other = Words("words:other")
    other.size = 32
    for embedder in (None, other, None, other):
        vectors = opened(embedder)
        vectors.catch_up()
        assert nearest(vectors, "kitten") == ["cat"]
        assert vectors.state().fed == COUNT + 1


def test_other_weights_get_a_store_of_their_own(
    opened: Opener, points: Points, asked_exactly: list[str]
) -> None:
    opened().catch_up()
    pulled = Words(edition="2")
    vectors = opened(pulled)
    assert vectors.catch_up().fed == COUNT + 1
    assert nearest(vectors, "kitten") == ["cat"]
    with foreign(store_of(points)) as collection:
        assert collection.count() == COUNT + 1
    assert not asked_exactly


def test_a_dotenv_in_the_working_folder_says_nothing_to_us(
    opened: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("CHROMA_API_IMPL=evil.module\nANONYMIZED_TELEMETRY=True\n")
    monkeypatch.chdir(tmp_path)
    assert opened().catch_up().fed == COUNT + 1


# --- a server -----------------------------------------------------------------------------------


class Run:
    """A real Chroma server that can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        """Serve *folder* on a free port."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        self._clients: list[Client] = []
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        chroma = Path(sys.executable).with_name("chroma")
        place = ["--path", str(self.folder), "--host", "127.0.0.1", "--port", str(self.port)]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([chroma, "run", *place], stdout=quiet, stderr=quiet)
        while not self._answers():
            assert self.process.poll() is None

    def _answers(self) -> bool:
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/api/v2/heartbeat", timeout=2).is_success
        return False

    def stop(self) -> None:
        """Stop it."""
        while self._clients:
            end(self._clients.pop())
        self.process.terminate()
        self.process.wait()

    def collections(self) -> dict[str, chromadb.Collection]:
        """Return what it holds, by name."""
        client = self.client()
        return {c.name: c for c in client.list_collections()}

    def client(self) -> Client:
        """Return a client, which ends with the server."""
        client = chromadb.HttpClient("127.0.0.1", self.port)
        assert isinstance(client, Client)
        self._clients.append(client)
        return client


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run a Chroma server."""
    served = Run(tmp_path_factory.mktemp("served"))
    yield served
    served.stop()


@pytest.mark.long
def test_a_server_serves_and_several_vaults_share_it(
    opened: Opener, points: Points, run: Run, tmp_path: Path, asked_exactly: list[str]
) -> None:
    assert opened(chroma_url=run.url).catch_up().fed == COUNT + 1
    vectors = opened(chroma_url=run.url)
    assert nearest(vectors, "kitten") == ["cat"]
    assert not asked_exactly
    state = vectors.state()
    assert (state.engine, state.url) == ("server", f"127.0.0.1:{run.port}")
    other = Points(tmp_path / "other")
    other.remember("cow", "A cow gives milk.")
    theirs = Vectors(other.path, other.index, Words(), chroma_url=run.url)
    theirs.catch_up()
    assert nearest(theirs, "kitten", 9) == ["cow"]
    assert nearest(vectors, "milk cow", COUNT + 9)[0] != "cow"
    theirs.close()
    other.close()
    assert not (points.path / ".vaultmem/chroma").exists()


@pytest.mark.long
def test_what_another_process_feeds_a_server_is_seen_at_once(
    opened: Opener, points: Points, run: Run, asked_exactly: list[str]
) -> None:
    living = opened(chroma_url=run.url)
    living.catch_up()
    assert nearest(living, "kitten") == ["cat"]
    points.remember("pup", "Her puppy chews a shoe.")
    points.forget("agents/ada/memories/cat.md")
    opened(chroma_url=run.url).catch_up()
    assert nearest(living, "puppy shoe") == ["pup"]
    assert "cat" not in nearest(living, "kitten", COUNT + 9)
    assert not asked_exactly


@pytest.mark.long
def test_a_server_that_goes_down_is_named_and_heals_by_itself(
    opened: Opener, points: Points, run: Run
) -> None:
    clock = Clock()
    vectors = opened(chroma_url=run.url, clock=clock)
    vectors.catch_up()
    assert nearest(vectors, "kitten") == ["cat"]
    run.stop()
    try:
        down = vectors.ask("kitten")
        assert f"127.0.0.1:{run.port}" in down.degraded
        assert nearest(vectors, "kitten") == ["cat"]
        points.remember("pup", "Her puppy chews a shoe.")
        assert vectors.catch_up().fed == 0
        assert nearest(vectors, "puppy") == ["pup"]
        assert f"127.0.0.1:{run.port}" in opened(chroma_url=run.url).ask("kitten").degraded
    finally:
        run.start()
    assert vectors.ask("kitten").degraded
    clock.now += 11
    assert not vectors.ask("kitten").degraded
    assert vectors.catch_up().fed == 1
    assert nearest(vectors, "puppy") == ["pup"]


@pytest.mark.long
def test_a_collection_that_somebody_drops_is_made_and_fed_again(
    opened: Opener, points: Points, run: Run
) -> None:
    clock = Clock()
    living = opened(chroma_url=run.url, clock=clock)
    living.catch_up()
    nearest(living, "kitten")
    before = run.collections()
    client = run.client()
    for name in before:
        client.delete_collection(name)
    assert nearest(living, "kitten") == ["cat"]
    clock.now += 11
    points.remember("pup", "Her puppy chews a shoe.")
    assert living.catch_up().fed == COUNT + 2
    assert nearest(living, "kitten") == ["cat"]
    assert not living.ask("kitten").degraded


@pytest.mark.long
def test_a_server_that_lost_entries_gets_a_new_collection(opened: Opener, run: Run) -> None:
    before = run.collections().keys()
    opened(chroma_url=run.url).catch_up()
    (name,) = run.collections().keys() - before
    ours = run.collections()[name]
    ours.delete(ours.get(include=[])["ids"][:30])
    vectors = opened(chroma_url=run.url)
    assert "holds 11 of the 41" in vectors.ask("kitten").degraded
    assert nearest(vectors, "kitten") == ["cat"]
    vectors.catch_up(feed_from=256)
    fresh = opened(chroma_url=run.url)
    assert not fresh.ask("kitten").degraded
    assert run.collections()[ours.name].count() == COUNT + 1
    assert run.collections()[ours.name].id != ours.id
    assert f"{ours.name}-new" not in run.collections()


Answer = tuple[int, str, bytes]


@contextlib.contextmanager
def stranger(*answers: Answer) -> Iterator[str]:
    """Serve something that is no Chroma: the first answer to the first request, and so on."""
    rest = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, body = rest.pop(0) if len(rest) > 1 else rest[0]
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815  # http.server's own name

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


BEAT: Answer = (200, "application/json", b'{"nanosecond heartbeat": 1}')


@pytest.mark.parametrize(
    "answers",
    [
        [(404, "text/html", b"<html>no such page</html>")],
        [BEAT, (401, "application/json", b'{"error":"AuthError","message":"no"}')],
        [BEAT, (200, "application/json", b'{"a": 1}')],
        *rarely(
            [(500, "text/plain", b"oops")],
            [(200, "text/html", b"<html>welcome</html>")],
            [(200, "application/json", b"[]")],
            [BEAT, (502, "text/html", b"<html>bad gateway</html>")],
            [BEAT, (200, "application/json", b'{"user_id": "", "tenant": "t", "databases": []}')],
        ),
    ],
)
def test_a_server_that_is_no_chroma_degrades_and_never_breaks(
    opened: Opener, answers: list[Answer]
) -> None:
    with stranger(*answers) as url:
        vectors = opened(chroma_url=url)
        assert vectors.catch_up().fed == 0
        assert nearest(vectors, "kitten") == ["cat"]
        assert vectors.state().reason


@pytest.mark.long
def test_credentials_in_the_url_are_sent_and_never_shown(opened: Opener, run: Run) -> None:
    url = f"http://ada:s3cret@127.0.0.1:{run.port}"
    vectors = opened(chroma_url=url)
    vectors.catch_up()
    assert nearest(vectors, "kitten") == ["cat"]
    assert "s3cret" not in repr(vectors.state())
    with pytest.raises(BadInput) as refused:
        opened(chroma_url="http://ada:s3cret@example.org:8000")
    assert "s3cret" not in str(refused.value)
