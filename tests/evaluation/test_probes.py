"""Probes ask for what a vault holds by a few telling words of it, the same ones every time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.errors import BadInput
from vaultmem.evaluation import probes, retrieval
from vaultmem.evaluation import runner as evaluation_runner
from vaultmem.evaluation.runner import Way
from vaultmem.records import Problem, Record

pytestmark = pytest.mark.without_history

WORDS = ["tea", "bread", "oven", "lamp", "river", "Sunday", "1998", "Greta"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=9)


def memory(name: str, body: str, kind: str = "memory") -> Record:
    """Return a file of that id."""
    return Record(f"{name}.md", "", id=name, type=kind, body=body)


GARDEN = memory("a", "The gardener planted roses beside the river with Greta Larsen in 1998.\n")
COMMON = [
    memory(f"c{n}", f"The gardener planted roses beside the river, bed {n}.\n") for n in range(8)
]


def test_a_probe_is_made_of_rare_words_names_and_numbers() -> None:
    """What every memory says tells nothing of this one; and it is never the whole text."""
    made = {p.gold: p.question for p in probes.build(lambda: [GARDEN, *COMMON], 20, seed=1)}
    assert {"Greta", "Larsen", "1998"} <= set(made["a",].split())
    assert len(made["a",].split()) <= 5


def test_of_equally_rare_words_names_and_numbers_are_asked_first() -> None:
    """A capital that only opens a sentence makes no name."""
    said = "Neighbours repaired bicycles while Greta Larsen counted 1998 lanterns near Porto."
    (made,) = probes.build(lambda: [memory("a", said)], 1, seed=1)
    assert {"Greta", "Larsen", "1998", "Porto"} < set(made.question.split())
    assert "Neighbours" not in made.question


def test_the_same_seed_makes_the_same_probes_wherever_it_starts() -> None:
    """Neither the order of the records nor an earlier build matters."""
    records = [GARDEN, *COMMON]
    made = probes.build(lambda: records, 4, seed=1)
    assert made == probes.build(lambda: records[::-1], 4, seed=1)
    assert made != probes.build(lambda: records, 4, seed=2)
    assert len(made) == 4


def test_any_exact_duplicate_is_the_answer() -> None:
    twin = memory("b", "The gardener planted roses beside the river  with Greta Larsen in 1998.")
    made = probes.build(lambda: [GARDEN, twin, *COMMON], 20, seed=1)
    assert [p.gold for p in made if "Greta" in p.question] == [("a", "b"), ("a", "b")]


def test_what_says_too_little_is_not_asked_for() -> None:
    """Nor what cannot be read, nor summaries, which say what others say."""
    torn = Problem("torn", "t.md", "ends in the middle")
    records = [
        memory("short", "Thanks a lot!\n"),
        Record("t.md", "", torn, "t", "memory", body=GARDEN.body),
        memory("s", GARDEN.body, kind="summary"),
    ]
    assert probes.build(lambda: records, 20, seed=1) == ()


def test_every_type_has_its_turn() -> None:
    """Two hundred memories do not crowd out the one topic."""
    many = [memory(f"m{n}", f"Lamp {n} stood near oven {n + 1000}.\n") for n in range(200)]
    topic = memory("t", "The bakery opens Sundays at seven, said Greta.\n", kind="topic")
    made = probes.build(lambda: [*many, topic], 10, seed=1)
    assert [p.type for p in made].count("topic") == 1
    assert len(made) == 10


def test_chinese_is_asked_for_by_its_pairs() -> None:
    (made,) = probes.build(lambda: [memory("z", "用户对花生过敏。女儿叫小梅。")], 1, seed=1)
    assert all(len(word) == 2 for word in made.question.split())
    assert set(made.question) <= set("用户对花生过敏。女儿叫小梅。 ")


@given(st.lists(TEXTS, max_size=12), st.integers(0, 3))
def test_a_probe_asks_by_words_of_its_gold_but_never_all(
    bodies: list[list[str]], seed: int
) -> None:
    records = [memory(f"m{n}", " ".join(body)) for n, body in enumerate(bodies)]
    texts = {r.id: r.body for r in records}
    for probe in probes.build(lambda: records, 50, seed):
        asked = probe.question.split()
        for gold in probe.gold:
            said = texts[gold].split()
            assert set(asked) <= set(said)
            assert len(asked) <= len({word.lower() for word in said}) / 2


# --- in a vault -------------------------------------------------------------------------------


def test_a_vault_finds_what_its_probes_ask_for(vault: Vault) -> None:
    for n, thing in enumerate(("lantern", "carpet", "violin", "teapot", "ladder")):
        vault.remember(f"Greta bought a {thing} at market {n + 20} last autumn.", agent="ada")
    made = evaluation_runner.build_probes(vault, "ada", 10, seed=1)
    run = evaluation_runner.ask_probes(vault, made, Way("ada", "lexical", 10))
    assert retrieval.report(run).overall["recall_any@10"] == 1
    assert retrieval.report(run).categories["memory"].n == 5


def test_probes_tell_what_a_clean_up_lost(vault: Vault) -> None:
    """Kept before it, asked after it: of duplicates one may go, of the others none."""
    twins = [
        vault.remember("The red violin belongs to Greta Larsen, a luthier.", agent="ada")
        for _ in "ab"
    ]
    single = vault.remember(
        "The wooden ladder leans behind the bakery oven all winter.", agent="ada"
    )
    made = evaluation_runner.build_probes(vault, "ada", 10, seed=1)
    (vault.path / twins[0].path).unlink()

    def found() -> float:
        run = evaluation_runner.ask_probes(vault, made, Way("ada", "lexical", 10))
        return retrieval.report(run).overall["recall_any@10"]

    assert found() == 1
    (vault.path / single.path).unlink()
    assert found() == pytest.approx(2 / 3, abs=1e-3)


def test_an_empty_vault_has_nothing_to_be_asked_for(vault: Vault) -> None:
    with pytest.raises(BadInput, match="remember something first"):
        evaluation_runner.build_probes(vault, "", 10, seed=1)
