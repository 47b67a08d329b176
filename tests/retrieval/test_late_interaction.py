"""Late interaction: a text is as near as its nearest tokens, of which few are kept, and small."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from tests.points import Points, Words
from vaultmem.models.embeddings import TokenEmbedder
from vaultmem.models.embeddings.types import Encoded, Tokens
from vaultmem.retrieval.search import MaxSim
from vaultmem.retrieval.vectors import Vectors, late_interaction

FILE = ".vaultmem/index/vectors.sqlite3"
TEA = "Ada drinks oolong tea, and then she has a rest in the garden behind the old house."
CAT = "Her kitten sleeps all day."


class Tokenwise(Words):
    """An embedder that shows its tokens: whole words and marks, in a frame."""

    def encoded(self, texts: Sequence[str]) -> Iterator[Encoded]:
        """Yield each text, the last one first."""
        for number, vector in reversed(list(enumerate(self.documents(texts)))):
            found = list(re.finditer(r"\w+|[^\w\s]", texts[number]))
            spans = [(0, 0), *((m.start(), m.end()) for m in found), (0, 0)]
            points = [self._point(f"the token {m.group()}") for m in found]
            frame = self._point("frame")
            yield Encoded(number, vector, Tokens(spans, np.stack([frame, *points, frame])))

    def sample(self) -> list[str]:
        """Return many words."""
        return [f"a{n} b{n} c{n}" for n in range(100)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Points]:
    """Make a folder with two memories."""
    made = Points(tmp_path / "vault")
    made.remember("tea", TEA)
    made.remember("cat", CAT)
    yield made
    made.close()


@pytest.fixture
def vectors(server: Points) -> Iterator[Vectors]:
    """Open its vectors, all of them made."""
    opened = Vectors(server.path, server.index, Tokenwise())
    opened.catch_up()
    yield opened
    opened.close()


def compare(vectors: Vectors, query: str, *names: str) -> MaxSim:
    """Return how near the memories of those *names* come to each token of *query*."""
    docs = dict(vectors.index.db.execute("SELECT stem, doc FROM docs"))
    words, of = vectors.ask(query).max_sim(docs[name] for name in names)
    stems = {doc: stem for stem, doc in docs.items()}
    return MaxSim(words, {stems[doc]: near for doc, near in of.items()})


def token_vectors(server: Points) -> list[bytes]:
    """Return what is kept."""
    db = sqlite3.connect(server.path / FILE)
    rows = db.execute("SELECT tokens FROM token_vectors ORDER BY vector").fetchall()
    db.close()
    return list(chain.from_iterable(rows))


def test_one_word_of_a_long_text_is_as_near_as_alone(vectors: Vectors) -> None:
    words, of = compare(vectors, "Was it oolong?", "tea", "cat")
    assert words == ("oolong",)
    assert of["tea"] == pytest.approx((1,), abs=0.02)  # type: ignore[index]
    assert of["cat"][0] < 0.9  # type: ignore[index]


def test_each_token_of_the_question_is_compared_alone(vectors: Vectors) -> None:
    words, of = compare(vectors, "the kitten and the garden", "tea", "cat")
    assert words == ("kitten", "garden")
    assert of["cat"][0] == pytest.approx(1, abs=0.02) == of["tea"][1]  # type: ignore[index]


def test_function_words_count_where_there_are_no_others(vectors: Vectors) -> None:
    assert compare(vectors, "Who was there?", "tea").words == ("who", "was", "there")
    assert len(compare(vectors, "?!", "tea").words) == 4


def test_a_token_inside_a_word_is_of_the_whole_word() -> None:
    tokens = Tokens([(0, 0), (0, 3), (3, 6), (6, 7), (7, 8)], np.eye(5, 384, dtype=np.float32))
    kept = late_interaction.stored("Herons'a", tokens, np.eye(384, 64, dtype=np.float32))
    assert np.frombuffer(kept, "i1").reshape(-1, 64)[:, :4].tolist() == [
        [0, 127, 0, 0],
        [0, 0, 127, 0],
    ]


def test_a_byte_a_direction_is_kept_of_what_tells_something() -> None:
    """Neither of the frame, nor of function words, nor of marks."""
    (text,) = Tokenwise().encoded(["It was a kitten, and it slept."])
    directions = np.eye(64, dtype=np.float32)
    kept = late_interaction.stored("It was a kitten, and it slept.", text.tokens, directions)
    assert len(kept) == len(["kitten", "slept"]) * 64


def test_a_long_text_is_read_at_its_nearest_passage(server: Points, vectors: Vectors) -> None:
    """A word here and another a page below are no answer to both."""
    mild = "The weather was mild and nothing else happened that week. " * 40
    server.remember("long", f"{mild}\n\nA plumber came. A plumber left.\n\n{mild}\n\nOolong.\n")
    vectors.catch_up()
    _, of = compare(vectors, "plumber oolong", "long")
    assert sorted(near > 0.9 for near in of["long"]) == [False, True]  # type: ignore[index]


def test_an_embedder_that_shows_no_tokens_is_asked_for_none(server: Points) -> None:
    assert not isinstance(Words(), TokenEmbedder)
    opened = Vectors(server.path, server.index, Words())
    opened.catch_up()
    assert compare(opened, "oolong", "tea", "cat") == MaxSim()
    assert token_vectors(server) == []
    opened.close()


@pytest.mark.long
def test_token_vectors_go_with_the_vector(server: Points, vectors: Vectors) -> None:
    """When no text has it any more, and when other weights make others."""
    for n in range(3):
        server.remember("cat", f"Kitten number {n}.")
        assert len(token_vectors(server)) == 2 + n
        vectors.catch_up()
    assert len(token_vectors(server)) == 2
    pulled = Vectors(server.path, server.index, Tokenwise(edition="2"))
    assert compare(pulled, "oolong", "tea") == MaxSim()
    pulled.catch_up()
    assert len(token_vectors(server)) == 2
    assert compare(pulled, "oolong", "tea").of["tea"][0] > 0.9  # type: ignore[index]
    pulled.close()


class Elsewhere(Tokenwise):
    """The same on a machine that finds other directions."""

    def sample(self) -> list[str]:
        """Return other words."""
        return [f"x{n} y{n}" for n in range(100)]


def test_the_directions_that_were_found_first_stay(server: Points, vectors: Vectors) -> None:
    assert compare(vectors, "oolong", "tea").of
    server.remember("new", "A heron by the lake.")
    other = Vectors(server.path, server.index, Elsewhere())
    other.catch_up()
    assert compare(other, "oolong", "tea").of["tea"][0] > 0.98  # type: ignore[index]
    assert compare(vectors, "heron", "new").of["new"][0] > 0.98  # type: ignore[index]
    other.close()
