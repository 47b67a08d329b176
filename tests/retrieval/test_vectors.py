"""A vector for every passage, each made once; the nearest are the nearest of what is there now."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.points import ANYWHERE, Clock, Points, Words, nearest
from vaultmem.errors import Busy, CannotOpen, ModelAway
from vaultmem.retrieval.search.types import Scope
from vaultmem.retrieval.vectors import Caught, State, Vectors
from vaultmem.retrieval.vectors.coded_engine import Codes, code, coded
from vaultmem.retrieval.vectors.embedding_cache import Blob
from vaultmem.retrieval.vectors.exact_engine import Exact
from vaultmem.retrieval.vectors.matrix import stored
from vaultmem.storage.index import cache_database

if TYPE_CHECKING:
    from vaultmem.models.embeddings.types import Matrix

Opener = Callable[..., Vectors]
FILE = ".vaultmem/index/vectors.sqlite3"
TEXTS = {
    "tea": "Ada drinks oolong tea in the garden.",
    "car": "They will buy an automobile in spring.",
    "cat": "Her kitten sleeps all day.",
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Points]:
    """Make a folder with three memories, of as many days."""
    made = Points(tmp_path / "vault")
    for day, (name, text) in enumerate(TEXTS.items(), 1):
        made.remember(name, text, day=day)
    yield made
    made.close()


@pytest.fixture
def words() -> Words:
    """Return an embedder."""
    return Words()


@pytest.fixture(params=["exact", "coded"])
def opened(server: Points, words: Words, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Return what opens the vectors of the folder, with each of our own engines."""
    made: list[Vectors] = []
    engine = {"exact_up_to": 0} if request.param == "coded" else {}

    def opener(embedder: Words = words, **more: object) -> Vectors:
        made.append(Vectors(server.path, server.index, embedder, **{**engine, **more}))  # type: ignore[arg-type]
        return made[-1]

    yield opener
    for vectors in made:
        vectors.close()


def embed(vectors: Vectors, seconds: float | None = None) -> Caught:
    """Catch up as a short command does, which feeds Chroma when there is no store yet."""
    return vectors.catch_up(seconds, feed_from=256)


def test_the_nearest_are_those_that_share_the_most_words(opened: Opener) -> None:
    vectors = opened()
    assert vectors.catch_up().embedded == 3
    assert nearest(vectors, "buy an automobile", 3)[0] == "car"
    assert nearest(vectors, "kitten") == ["cat"]


def test_the_cosine_of_a_doc_is_that_of_its_vector(opened: Opener, server: Points) -> None:
    vectors = opened()
    vectors.catch_up()
    near = vectors.ask("Ada (1 November 2026) drinks oolong tea in the garden")
    found = near.of([server.doc("agents/ada/memories/tea.md"), 10**9])
    assert list(found) == [server.doc("agents/ada/memories/tea.md")]
    assert 0.5 < next(iter(found.values())) <= 1.001


def test_nothing_is_embedded_twice(opened: Opener, server: Points, words: Words) -> None:
    opened().catch_up()
    server.remember("tea", "Ada gave up tea.")
    server.remember("tea", TEXTS["tea"], day=1)
    assert opened().catch_up() == Caught(0, 0, 0)
    assert len(words.embedded) == 3


def test_a_catalog_made_anew_costs_no_embedding(
    opened: Opener, server: Points, words: Words
) -> None:
    opened().catch_up()
    server.index.rebuild()
    server.index.sync()
    assert nearest(opened(), "kitten") == ["cat"]
    assert len(words.embedded) == 3


class Slow(Words):
    """An embedder that takes a second each time, on a clock of ours."""

    def __init__(self, clock: Clock) -> None:
        """Move the hands of *clock*."""
        super().__init__()
        self.clock = clock

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return a vector a text, a second later."""
        self.clock.now += 1
        return super().documents(texts)


def test_the_newest_are_embedded_first_and_the_time_is_kept(opened: Opener, server: Points) -> None:
    for n in range(60):
        server.remember(f"note-{n}", f"Note number {n}.", day=20)
    clock = Clock()
    slow = Slow(clock)
    caught = embed(opened(slow, clock=clock), seconds=1.5)
    assert (caught.embedded, caught.left) == (32, 63 - 32)
    assert all("Note number" in text for text in slow.embedded)


def test_the_newest_are_embedded_however_late_it_is(opened: Opener, server: Points) -> None:
    """Others may hold the core until the time is over."""
    for n in range(20):
        server.remember(f"note-{n}", f"Note number {n}.")
    server.remember("new", "The baker hides marbles.", day=20)
    vectors = opened()
    caught = embed(vectors, seconds=0)
    assert (caught.embedded, caught.left, caught.refused) == (16, 24 - 16, 0)
    near = vectors.ask("the baker hides marbles")
    assert near.degraded.startswith("8 of 24 passages have no vector yet: ")
    assert nearest(vectors, "the baker hides marbles") == ["new"]


def test_what_has_no_vector_yet_is_told(opened: Opener, server: Points) -> None:
    vectors = opened()
    embed(vectors)
    assert not vectors.ask("tea").degraded
    server.remember("new", "The baker hides marbles.")
    assert vectors.ask("tea").degraded.startswith("1 of 4 passages have no vector yet: ")
    assert vectors.state().reason.startswith("1 of 4")


def test_progress_is_told_batch_by_batch(opened: Opener) -> None:
    told: list[tuple[int, int]] = []
    opened().catch_up(progress=lambda *at: told.append(at))
    assert told == [(3, 3)]


def test_an_embedder_that_goes_away_loses_nothing_it_has_done(
    opened: Opener, server: Points, words: Words
) -> None:
    for n in range(40):
        server.remember(f"note-{n}", f"Note number {n}.")
    vectors = opened()

    def leave(done: int, _: int) -> None:
        words.away = done >= 16

    with pytest.raises(ModelAway):
        vectors.catch_up(progress=leave)
    with pytest.raises(ModelAway):
        opened().ask("tea")
    words.away = False
    assert opened().catch_up().embedded == 43 - 16


class Picky(Words):
    """An embedder that will not have one text."""

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return a vector a text, unless that one is among them."""
        if any("kitten" in text for text in texts):
            raise ModelAway("picky", "this text is too long", lasting=False)
        return super().documents(texts)


def test_one_text_that_cannot_be_embedded_keeps_no_other_waiting(opened: Opener) -> None:
    vectors = opened(Picky())
    assert embed(vectors) == Caught(2, 1, 2, refused=1)
    assert "the model gives no vector for 1 texts" in vectors.state().reason
    assert "sync" not in vectors.state().reason


@pytest.mark.parametrize("number", [0.0, float("nan")])
def test_a_vector_that_points_nowhere_is_none(opened: Opener, number: float) -> None:
    class Nowhere(Words):
        def documents(self, texts: Sequence[str]) -> Matrix:
            return np.full((len(texts), self.size), number, np.float32)

    vectors = opened(Nowhere())
    assert embed(vectors) == Caught(0, 3, 0, refused=3)
    assert "the model gives no vector for 3 texts" in vectors.state().reason


def test_two_spaces_never_mix(opened: Opener) -> None:
    other = Words("words:other")
    other.size = 32
    opened().catch_up()
    assert embed(opened(other)).embedded == 3
    assert nearest(opened(other), "kitten") == nearest(opened(), "kitten") == ["cat"]
    assert (opened(other).state().dimensions, opened().state().dimensions) == (32, 64)


def test_other_weights_under_the_same_name_begin_anew(opened: Opener) -> None:
    opened().catch_up()
    pulled = Words(edition="2")
    vectors = opened(pulled)
    assert not nearest(vectors, "kitten")
    assert embed(vectors).embedded == 3
    assert nearest(vectors, "kitten") == ["cat"]


def test_a_living_process_notices_other_weights_within_a_minute(
    opened: Opener, words: Words
) -> None:
    clock = Clock()
    vectors = opened(clock=clock)
    vectors.catch_up()
    assert nearest(vectors, "kitten") == ["cat"]
    words.weights = "2"
    clock.now += 61
    assert not nearest(vectors, "kitten")
    embed(vectors)
    assert nearest(vectors, "kitten") == ["cat"]


def test_vectors_of_another_length_are_not_compared(opened: Opener, words: Words) -> None:
    embed(opened())
    words.size = 32
    assert nearest(opened(), "kitten") == []


def test_a_question_is_embedded_once(opened: Opener, words: Words) -> None:
    vectors = opened()
    for _ in range(3):
        vectors.ask("kitten")
    assert words.asked == ["kitten"]


def test_what_is_deleted_is_not_found_and_what_is_new_is(opened: Opener, server: Points) -> None:
    vectors = opened()
    vectors.catch_up()
    assert nearest(vectors, "kitten", 3)[0] == "cat"
    server.forget("agents/ada/memories/cat.md")
    server.remember("pup", "Her puppy chews a shoe.")
    embed(vectors)
    assert nearest(vectors, "puppy kitten", 9) == ["pup", "car", "tea"] or nearest(
        vectors, "puppy kitten", 9
    ) == ["pup", "tea", "car"]


@pytest.mark.long
def test_a_narrow_scope_is_searched_to_its_end(opened: Opener, server: Points) -> None:
    """Six hundred nearer texts of somebody else do not hide the one that is asked for."""
    for n in range(600):
        server.remember(f"cat-{n}", f"kitten {n}")
    doc = server.remember("bob", "A kitten, and many other things besides it.", agent="bob")
    vectors = opened()
    embed(vectors)
    near = vectors.ask("kitten")
    assert list(near.nearest(Scope(agent="bob").filter(), 5)) == [doc]


def test_a_long_text_is_as_near_as_its_nearest_passage(opened: Opener, server: Points) -> None:
    filler = "The weather was mild and nothing else happened that week. " * 40
    long = server.remember("long", f"{filler}\n\n{'The plumber found a leak. ' * 40}\n\n{filler}")
    vectors = opened()
    embed(vectors)
    assert vectors.state().passages > 4
    near = vectors.ask("plumber leak")
    assert near.nearest(ANYWHERE, 1).keys() == {long}
    assert near.of([long]) == pytest.approx(near.nearest(ANYWHERE, 1))


def test_vectors_without_a_text_go_when_they_outnumber_the_others(
    opened: Opener, server: Points
) -> None:
    vectors = opened()
    for n in range(5):
        server.remember("tea", f"Cup number {n}.")
        embed(vectors)
    db = sqlite3.connect(server.path / FILE)
    assert db.execute("SELECT count(*) FROM vectors").fetchone() == (3,)
    db.close()
    assert nearest(vectors, "cup number 4") == ["tea"]
    assert nearest(vectors, "kitten") == ["cat"]


def _portions(rows: list[Blob]) -> Callable[[int], list[Blob]]:
    return lambda last: rows[last : last + 7]


@given(st.data())
def test_the_scan_equals_comparing_one_by_one(data: st.DataObject) -> None:
    count, many = data.draw(st.integers(0, 40)), data.draw(st.integers(1, 50))
    points = np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=(count, 5))
    rows = [Blob(n + 1, f"t{n}", v) for n, v in enumerate(stored(points.astype(np.float32)))]
    cuts = sorted(data.draw(st.lists(st.integers(0, count), max_size=3)))
    question = np.ones(5, np.float32)
    exact = Exact()
    for there in [*cuts, count]:
        sight = exact.ask(question, "space", there, _portions(rows[:there]))
    wanted = sorted((float(np.float32(p) @ question) for p in points), reverse=True)[:many]
    found = sorted(sight.best(many).values(), reverse=True)
    assert np.allclose(found, wanted, atol=1e-5)
    assert sight.of(["t0", "t99"]).keys() == ({"t0"} if count else set())


@given(st.data())
def test_codes_that_differ_least_are_the_nearest(data: st.DataObject) -> None:
    count, many = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 50))
    dimensions = data.draw(st.sampled_from([5, 64, 100]))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    points, asked = rng.normal(size=(count, dimensions)), rng.normal(size=dimensions)
    rows = [Blob(n * 3 + 1, "", v) for n, v in enumerate(stored(points.astype(np.float32)))]
    codes = Codes(dimensions)
    for portion in (rows[: count // 2], rows[count // 2 :]):
        codes.extend([coded(row) for row in portion])
    apart = {row.id: int(sum((p > 0) != (asked > 0))) for row, p in zip(rows, points, strict=True)}
    found = codes.nearest(code(asked.astype(np.float32)), many)
    assert sorted(apart[it] for it in found) == sorted(apart.values())[:many]
    assert len({*found}) == len(found)
    assert codes.last == rows[-1].id


def test_codes_are_made_once_and_go_with_their_vectors(server: Points) -> None:
    def kept() -> list[int]:
        with contextlib.closing(sqlite3.connect(server.path / FILE)) as db:
            return [number for (number,) in db.execute("SELECT vector FROM codes")]

    def opened() -> contextlib.closing[Vectors]:
        return contextlib.closing(Vectors(server.path, server.index, Words(), exact_up_to=0))

    with opened() as vectors:
        vectors.catch_up()
        assert kept() == []
        assert nearest(vectors, "kitten") == ["cat"]
        assert kept() == [1, 2, 3]
        server.remember("dog", "Her puppy barks at noon.", day=4)
        vectors.catch_up()
    with opened() as vectors:
        assert nearest(vectors, "puppy") == ["dog"]
        assert kept() == [1, 2, 3, 4]
        for name in ("tea", "car", "dog"):
            server.forget(f"agents/ada/memories/{name}.md")
        vectors.catch_up()
        assert nearest(vectors, "puppy", 4) == ["cat"]
        assert len(kept()) == 1


def test_a_damaged_file_is_made_anew_and_filled_again(opened: Opener, server: Points) -> None:
    opened().catch_up()
    (server.path / FILE).write_bytes(b"no database" * 1000)
    (server.path / f"{FILE}-wal").unlink(missing_ok=True)
    vectors = opened()
    assert not nearest(vectors, "kitten")
    assert embed(vectors).embedded == 3
    assert nearest(vectors, "kitten") == ["cat"]


def test_a_file_that_is_damaged_or_deleted_while_it_is_open_heals(
    opened: Opener, server: Points
) -> None:
    vectors = opened()
    vectors.catch_up()
    for harm in (_scribble, Path.unlink):
        harm(server.path / FILE)
        vectors.ask("kitten")
        embed(vectors)
        assert nearest(vectors, "kitten") == ["cat"]


def _scribble(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    with path.open("r+b") as file:
        file.seek(100)
        file.write(os.urandom(path.stat().st_size - 100))


def test_a_database_that_is_held_is_busy(
    opened: Opener, server: Points, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_database, "PATIENCE", 0.1)
    vectors = opened()
    vectors.ask("tea")
    holder = sqlite3.connect(server.path / FILE, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(Busy):
        embed(vectors)
    holder.close()


def test_where_nothing_can_be_written_the_vectors_live_in_memory(
    server: Points, words: Words, tmp_path: Path
) -> None:
    (tmp_path / "ro").mkdir()
    (tmp_path / "ro" / ".vaultmem").write_text("no folder can be here")
    vectors = Vectors(tmp_path / "ro", server.index, words)
    assert vectors.catch_up() == Caught(3, 0, 0)
    assert vectors.ask("kitten").nearest(ANYWHERE, 1)
    vectors.close()


def test_vectors_that_live_in_memory_feed_no_store(opened: Opener, server: Points) -> None:
    """A disk that takes no file takes no store; loading Chroma to learn that takes a second."""
    (server.path / ".vaultmem/index/vectors.lock").mkdir()
    vectors = opened()
    assert vectors.catch_up() == Caught(3, 0, 0)
    assert not (server.path / ".vaultmem/chroma").exists()
    assert vectors.state().reason == ""
    assert nearest(vectors, "kitten") == ["cat"]


def test_a_lock_that_cannot_be_opened_leaves_the_store_alone(
    opened: Opener, server: Points
) -> None:
    (server.path / ".vaultmem/chroma.lock").mkdir()
    vectors = opened()
    assert vectors.catch_up() == Caught(3, 0, 0)
    assert "chroma.lock" in vectors.state().reason
    assert not vectors.ask("kitten").degraded


def test_the_file_is_for_its_owner_alone(opened: Opener, server: Points) -> None:
    opened().catch_up()
    assert (server.path / FILE).stat().st_mode & 0o777 == 0o600
    assert (server.path / ".vaultmem/chroma").stat().st_mode & 0o777 == 0o700


def test_a_link_in_its_place_is_refused(opened: Opener, server: Points, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (server.path / ".vaultmem/chroma").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CannotOpen):
        opened()


def test_the_state_is_told_without_asking_anybody(
    opened: Opener, words: Words, request: pytest.FixtureRequest
) -> None:
    embed(opened())
    words.away = True
    engine = request.node.callspec.params["opened"]
    assert opened().state() == State(3, 3, 64, engine, "", 3, "")


def test_neither_numpy_nor_chroma_loads_before_a_question() -> None:
    code = (
        "import sys, vaultmem.retrieval.vectors;"
        "print([m for m in ('numpy', 'chromadb', 'httpx') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
