"""The best by words are found without a score, or a row, for each text that shares a word."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.conftest import Once
from vaultmem import Vault
from vaultmem.retrieval.search import Scope, candidates
from vaultmem.retrieval.search.parsed_query import parse_query
from vaultmem.storage.files import Root
from vaultmem.storage.index import Filter, Index, Source, word_queries, word_ranking
from vaultmem.storage.reader import record

pytestmark = pytest.mark.without_history

_WORDS = [f"w{n}" for n in range(60)]
_OFTEN = [1 / (n + 1) for n in range(60)]
_EVERYTHING = Filter()


def texts(many: int) -> Iterator[str]:
    """Yield texts of a few words, a handful of them long, common words being in nearly all."""
    drawn = random.Random(7)  # noqa: S311  # the same each time
    for n in range(many):
        said = " ".join(drawn.choices(_WORDS, _OFTEN, k=drawn.randrange(3, 12)))
        yield f"{said}.\n" if n % 40 else "\n".join([f"# {said}", f"{said}.\n" * 120])


def _opened(folder: Path, root: Root) -> Index:
    return Index(folder / "index.sqlite3", Source.of(root), record)


def _noted(folder: Path) -> None:
    """Index three hundred notes, one in five about a card."""
    for n, text in enumerate(texts(300)):
        below = folder / ("cards" if n % 5 == 0 else "notes")
        below.mkdir(parents=True, exist_ok=True)
        (below / f"{n}.md").write_text(text)
    with closing(Root(folder)) as root, closing(_opened(folder, root)) as made:
        made.sync()


@pytest.fixture
def index(tmp_path: Path, once: Once) -> Iterator[Index]:
    """Open the index of these notes."""
    folder = once(_noted).write(tmp_path / "texts")
    with closing(Root(folder)) as root, closing(_opened(folder, root)) as made:
        yield made


def steps(index: Index, action: Callable[[], object]) -> int:
    """Return how many steps SQLite takes for an *action*."""
    taken = 0

    def step() -> None:
        nonlocal taken
        taken += 1

    index.db.set_progress_handler(step, 1)
    action()
    index.db.set_progress_handler(None, 1)
    return taken


@contextmanager
def rows_read(index: Index) -> Iterator[list[object]]:
    """Yield a list that gets each row that leaves the database."""
    read: list[object] = []

    def noted(_: object, row: object) -> object:
        read.append(row)
        return row

    index.db.row_factory = noted
    yield read
    index.db.row_factory = None


@pytest.mark.parametrize("where", [_EVERYTHING, Filter(below="cards"), Filter(below="none")])
@pytest.mark.parametrize("asked", ["w40 w3 w0", "w30 w50 w1 w0", "w0 w1", "w59", "w2 w2x"])
@pytest.mark.parametrize("many", [0, 10**9])
def test_the_best_are_those_of_all_that_share_a_word(
    index: Index, monkeypatch: pytest.MonkeyPatch, asked: str, where: Filter, many: int
) -> None:
    """With or without the bound, and in whatever scope."""
    monkeypatch.setattr(word_ranking, "_MANY", many)
    forms = word_queries.forms(index, asked.split())
    meant = word_queries.docs_at(index, [it.path for it in index.records(where)])
    leading = word_ranking.leading(index, forms, where, 6)
    for found, known in zip(leading, word_ranking.scores(index, forms, meant), strict=True):
        least = min(sorted(known.values(), reverse=True)[:6], default=0.0)
        best = {doc: score for doc, score in known.items() if score >= least}
        assert {doc: found.get(doc) for doc in best} == pytest.approx(best)
        assert sum(score >= least for score in found.values()) == len(best)


def test_texts_that_have_a_common_word_alone_get_no_score(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where enough of them have a rare one, these cannot be among the best."""
    forms = word_queries.forms(index, ["w9", "w0"])

    def best() -> object:
        return word_ranking.leading(index, forms, _EVERYTHING, 6)

    all_scored = steps(index, best)
    monkeypatch.setattr(word_ranking, "_MANY", 0)
    assert steps(index, best) < all_scored * 7 / 8


def test_a_question_reads_no_row_of_each_text_that_shares_a_word_with_it(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred more cost it nothing but their scores."""
    monkeypatch.setattr(candidates, "_BEST", 10)
    index, costs = vault.store.index, list[int]()
    for count in (60, 160):
        for n in range(count):
            (vault.path / f"{n}.md").write_text(f"Tea is oolong{' indeed' * n}.\n")
        vault.store.sync()
        with rows_read(index) as read:
            assert len(candidates.find(index, parse_query("Which tea?"), Scope(), None)) == 10
        costs.append(len(read))
    assert costs[1] <= costs[0] + 10
