"""A number to stop at: what does not concern the question is not returned to fill the hits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import Prepared
from tests.retrieval.remembered import filled
from vaultmem import Vault
from vaultmem.retrieval.search import Likeness, MaxSim, Mode, Question, relevance, search
from vaultmem.retrieval.search.parsed_query import parse_query
from vaultmem.retrieval.search.relevance import BY_VECTORS, BY_WORDS, WITH_VECTORS, Floor
from vaultmem.retrieval.search.types import Candidate, Found
from vaultmem.storage.index import Filter, Index, word_queries

pytestmark = pytest.mark.without_history

FACTS = (
    "The boiler is serviced in May.",
    "Tomas repairs the oven on Fridays.",
    "The lease of Harbour Street is signed.",
    "Colour prints are kept in the blue folder.",
)


def house(vault: Vault) -> None:
    """Let the vault know a few things of a house."""
    filled(vault, FACTS)


@pytest.fixture
def flat(prepared: Prepared) -> Vault:
    """Open a vault that knows a few things of a house."""
    return prepared(house)


def full_house(vault: Vault) -> None:
    """Let it know, besides, that twenty wait in the hall."""
    filled(vault, [*FACTS, *(f"Number {n} waits in the hall." for n in range(20))])
    vault.store.sync()


@pytest.fixture
def full(prepared: Prepared) -> Vault:
    """Open a vault that knows of a house that is full."""
    return prepared(full_house)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("boiler service", {FACTS[0]}),
        ("Is the lease signed, and when is the boiler serviced?", {FACTS[0], FACTS[2]}),
        ("colour", {FACTS[3]}),
        ("Which colour did Mara paint the small sailing boat in Lisbon last summer?", set()),
        ("How long do tortoises live?", set()),
    ],
)
def test_what_does_not_concern_the_question_is_not_returned(
    flat: Vault, query: str, expected: set[str]
) -> None:
    """A word in common is little where seven are asked for."""
    found = flat.recall(query)
    assert {hit.snippet for hit in found.hits} == expected


@pytest.mark.parametrize("strange", range(7))
def test_a_rare_word_suffices_however_many_stand_nowhere(flat: Vault, strange: int) -> None:
    words = ["zorb", "quix", "flarn", "drimp", "wug", "blick", "snerf"][:strange]
    found = flat.recall(" ".join(["boiler", *words]))
    assert [hit.snippet for hit in found.hits] == [FACTS[0]]


def test_who_asks_for_somebody_unheard_of_asks_for_texts_that_are_elsewhere(flat: Vault) -> None:
    """A name that nobody has said counts more than other words that stand nowhere."""
    assert flat.recall("Which colour does mara of the harbour like").hits
    assert flat.recall("Which colour does Mara of Lisbon like").hits == ()


@pytest.fixture
def told(flat: Vault, tmp_path: Path) -> Vault:
    """Return the vault when Nora and Will have told it something."""
    lines = [("My cello is from Lyon.", "Nora", 10), ("I took the ferry.", "Will", 20)]
    (tmp_path / "told.jsonl").write_text("".join(
        json.dumps({"content": text, "speaker": name, "at": f"2026-10-{on}T09:00:00Z"}) + "\n"
        for text, name, on in lines
    ))  # fmt: skip
    flat.import_files("jsonl", [tmp_path / "told.jsonl"], agent="ada")
    return flat


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What is Nora's blood type?", 0),
        ("Has Nora been to Peru?", 0),
        ("Where is the cello of Nora from?", 1),
        ("Nora?", 1),
        ("Who is Nora?", 1),
        ("Tell me about Nora", 1),
        ("Who is Will?", 1),
    ],
)
def test_the_name_of_who_speaks_is_found_where_nothing_else_is_asked(
    told: Vault, query: str, expected: int
) -> None:
    """Nearly every text is by one of them."""
    assert len(told.recall(query).hits) == expected


@pytest.mark.parametrize(
    "query", ["the of and is", "what is it", "who was that", "Tell me please", "\u4ed6\u662f\u8c01"]
)
def test_function_words_alone_ask_for_nothing(told: Vault, query: str) -> None:
    assert told.recall(query).hits == ()


def test_where_nothing_is_found_no_session_is_named(flat: Vault) -> None:
    flat.remember("My sister liked the colour.", agent="ada", session="may")
    unknown = "Which colour did Mara paint the small sailing boat in Lisbon last summer?"
    assert (flat.recall(unknown).hits, flat.recall(unknown).sessions) == ((), ())


@pytest.mark.parametrize(("day", "shown"), [(19, 1), (20, 2)])
def test_only_what_was_said_at_about_that_time_was_said_around_it(
    flat: Vault, tmp_path: Path, day: int, shown: int
) -> None:
    """A file of notes of many days is one session, and no conversation."""
    lines = [("The ferry leaves at nine.", day), ("Mara painted the shutters green.", 20)]
    (tmp_path / "diary.jsonl").write_text("".join(
        json.dumps({"content": text, "at": f"2026-10-{on}T09:00:00Z"}) + "\n" for text, on in lines
    ))  # fmt: skip
    flat.import_files("jsonl", [tmp_path / "diary.jsonl"], agent="ada")
    assert len(flat.recall("green shutters").hits) == shown


# --- by figures -------------------------------------------------------------------------------


def found(*those: Candidate) -> Found:
    """Return candidates by doc."""
    return {it.doc: it for it in those}


def test_the_share_of_the_question_that_a_text_covers_is_its_relevance() -> None:
    question = parse_query("oolong teapot glaze")
    relevant = relevance.of(question, found(Candidate(1, held=(2.0, 1.0, 3.0)),
                                            Candidate(2, held=(2.0, 0.0, 0.0)),
                                            Candidate(3, held=(0.0, 0.0, 0.0))))  # fmt: skip
    assert relevant[1] == pytest.approx(1.0)
    assert 0.25 < relevant[2] < 1 / 3
    assert relevant[3] == 0.0


def test_a_turn_covers_most_of_what_is_said_around_it() -> None:
    talk = found(
        Candidate(1, session="may", held=(2.0,), after=2),
        Candidate(2, session="may", held=(0.0,), before=1),
    )
    relevant = relevance.of(parse_query("oolong"), talk)
    assert relevant[1] == pytest.approx(1.0)
    assert relevant[2] == pytest.approx(0.7)


def test_a_pair_of_characters_that_no_text_has_counts_half() -> None:
    """Of `她对春天过敏` the pairs are five, and only two of them are words."""
    question = parse_query("她对春天过敏")
    text = Candidate(1, held=(0.0, 0.0, 0.0, 0.0, 2.0))
    assert relevance.concerned(question, found(text), BY_WORDS) == {1}


def test_a_word_that_a_text_has_another_for_counts_half() -> None:
    """The boiler is all that `boilers gadget` asks for; of a gadget there is none."""
    has, near = Candidate(1, held=(2.0, 0.0)), Candidate(2, held=(0.0, 0.0), near=(0.8, 0.0))
    relevant = relevance.of(parse_query("boilers gadget"), found(has, near))
    assert relevant[2] == pytest.approx(0.4 * relevant[1])


def test_what_was_said_on_the_day_that_is_named_concerns_the_question() -> None:
    day = Candidate(1, created="2026-05-05T10:00:00Z", held=(0.0,))
    asked = parse_query("What happened on 5 May 2026?")
    assert relevance.concerned(asked, found(day), BY_WORDS) == {1}


def test_what_meaning_alone_finds_is_found_beside_words_too() -> None:
    """A model of few dimensions brought an answer to .52: enough alone, too little with words."""
    texts = found(Candidate(1, cosine=0.4), Candidate(2, cosine=0.2))
    for floor in (BY_VECTORS, WITH_VECTORS):
        assert 1 in relevance.concerned(parse_query("buy a car"), texts, floor, 0.184)


def test_meaning_counts_from_what_is_usual_in_the_vault() -> None:
    """To some models everything is alike to 0.6."""
    texts = found(Candidate(1, cosine=0.9), Candidate(2, cosine=0.62), Candidate(3, cosine=0.5))
    question = parse_query("oolong")
    assert relevance.concerned(question, texts, WITH_VECTORS, 0.6) == {1}
    assert relevance.concerned(question, texts, WITH_VECTORS, 0.88) == frozenset()


def test_where_the_best_concerns_the_question_the_rest_is_held_to_less() -> None:
    texts = found(Candidate(1, cosine=0.5), Candidate(2, cosine=0.2), Candidate(3, cosine=0.0))
    question = parse_query("oolong")
    assert relevance.concerned(question, texts, Floor(0.8, 0.3), 0.0) == {1, 2}
    assert relevance.concerned(question, texts, Floor(1.1, 0.3), 0.0) == frozenset()


# --- with an embedder ---------------------------------------------------------------------------


@dataclass
class Meanings:
    """A dense leg by which a few texts are near to the question, and all others as is usual."""

    index: Index
    near: Mapping[str, float]
    degraded: str = ""
    embedded: str = ""
    """What stands in the paths of texts that have vectors by now."""

    def ask(self, query: str) -> Likeness:  # noqa: ARG002  # it is told what is near
        """Return itself."""
        return self

    def of(self, docs: Iterable[int]) -> Mapping[int, float]:
        """Return the cosines of *docs*."""
        return {
            doc: self._cosine(path)
            for doc, path in word_queries.paths(self.index, docs).items()
            if self.embedded in path
        }

    def nearest(self, where: Filter, k: int) -> Mapping[int, float]:
        """Return the nearest in scope."""
        cosines = self.of(
            word_queries.docs_at(self.index, [r.path for r in self.index.records(where)])
        )
        return dict(sorted(cosines.items(), key=lambda it: -it[1])[:k])

    def _cosine(self, path: str) -> float:
        return max((c for name, c in self.near.items() if name in path), default=0.1)

    def passage(self, doc: int) -> str:  # noqa: ARG002  # each text is one
        """Return no passage."""
        return ""

    def max_sim(self, docs: Iterable[int]) -> MaxSim:  # noqa: ARG002  # it has no token vectors
        """Return nothing."""
        return MaxSim()


@pytest.mark.parametrize("mode", ["auto", "semantic"])
@pytest.mark.parametrize(("cosine", "expected"), [(0.8, 1), (0.2, 0)])
def test_with_an_embedder_nothing_is_found_where_nothing_is_near(
    full: Vault, mode: Mode, cosine: float, expected: int
) -> None:
    """Of the words that are asked for no text has any."""
    near = Meanings(full.store.index, {"oven": cosine})
    asked = Question("Who mends cookers?", mode=mode)
    hits = search(full.store.index, asked, full.store.exists, near).hits
    assert [hit.snippet for hit in hits] == [FACTS[1]] * expected


def test_of_a_few_texts_nobody_knows_what_is_far(flat: Vault) -> None:
    near = Meanings(flat.store.index, {})
    hits = search(flat.store.index, Question("Who mends cookers?"), flat.store.exists, near).hits
    assert {hit.snippet for hit in hits} >= set(FACTS)


@pytest.mark.parametrize("usual", [0.1, 0.6])
@pytest.mark.parametrize("embedded", ["number", "nowhere"])
def test_what_has_no_vector_yet_is_found_by_its_words(
    full: Vault, usual: float, embedded: str
) -> None:
    """Though to the model all that has one is alike to 0.6; and no other is returned beside it."""
    partly = Meanings(full.store.index, {"number": usual}, embedded=embedded)
    asked = Question("When is the boiler serviced?")
    hits = search(full.store.index, asked, full.store.exists, partly).hits
    assert [hit.snippet for hit in hits] == [FACTS[0]]
    nobody = Question("How long do tortoises live?")
    assert search(full.store.index, nobody, full.store.exists, partly).hits == ()


@pytest.mark.long
def test_the_few_texts_of_many_that_have_vectors_tell_what_is_usual(full: Vault) -> None:
    for n in range(80):
        full.remember(f"Crate {n} stands in the yard.", agent="ada")
    full.store.sync()
    partly = Meanings(full.store.index, {"number-7": 0.8}, embedded="number")
    hits = search(
        full.store.index, Question("Who mends cookers?"), full.store.exists, partly
    ).hits  # fmt: skip
    assert [hit.snippet for hit in hits] == ["Number 7 waits in the hall."]
