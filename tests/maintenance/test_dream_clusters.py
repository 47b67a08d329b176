"""What many memories of several days are about becomes a topic that quotes them."""

from __future__ import annotations

import tracemalloc
from array import array
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest

from tests.dreamt import NOW, SHELTER, Vault, memories, topic
from vaultmem.maintenance.dream import subjects
from vaultmem.maintenance.dream.detectors import clusters
from vaultmem.storage.index.facets import Said


@pytest.mark.long
def test_a_cluster_becomes_a_topic_of_quotes_with_their_sources() -> None:
    vault = Vault(memories(SHELTER))
    (proposal,) = vault.planned(clusters.find).proposals
    assert (proposal.op, proposal.path) == (
        "abstract", "agents/ada/topics/homeless-shelter.md"
    )  # fmt: skip
    assert proposal.reason == "7 memories of 7 sessions or days mention Homeless shelter"
    after = vault.dreamt(clusters.find)
    made = after.texts[proposal.path]
    quotes = [line for line in made.splitlines() if line.startswith("- ")]
    assert 4 <= len(quotes) <= 5
    said = {line.partition('said: "')[2].partition('" ([[m')[0] for line in quotes}
    assert said <= set(SHELTER)
    assert "trust: agent" in made
    assert not after.planned(clusters.find).proposals
    later = replace(after, now=NOW.replace(day=25), since="2026-11-22T10:00:00Z")
    assert not later.planned(clusters.find).proposals


def test_a_topic_is_of_one_kind_of_thing() -> None:
    dog = "I started volunteering at the dog shelter near the river last week."
    made = Vault(memories([dog, *SHELTER])).dreamt(clusters.find)
    text = made.texts["agents/ada/topics/homeless-shelter.md"]
    assert "dog shelter" not in text


@pytest.mark.parametrize(
    "files",
    [
        memories(SHELTER[:5]),
        memories(SHELTER, days=2),
        memories(SHELTER, trust="untrusted"),
        memories([text.replace(".", "?") for text in SHELTER]),
        memories(SHELTER) | {"topics/shelter.md": topic("- Soup.\n", "The homeless shelter")},
    ],
)
def test_few_of_one_day_untrusted_asking_or_told_are_not(files: dict[str, str]) -> None:
    assert not Vault(files).planned(clusters.find).proposals


@pytest.mark.long
def test_a_topic_that_was_not_taken_is_offered_again() -> None:
    files = memories(SHELTER)
    for since, offered in (("2026-11-01T00:00:00Z", True), ("2001-09-09T00:00:00Z", False)):
        (found,) = Vault(files, since=since).planned(clusters.find).proposals
        assert found.offered is offered


@pytest.mark.long
def test_an_ordinary_vault_has_few_clusters() -> None:
    sample = Path(__file__).parents[2] / "vault"
    texts = {
        path.relative_to(sample).as_posix(): path.read_text(encoding="utf-8")
        for path in sample.rglob("memories/**/*.md")
    }
    assert len(texts) > 100
    assert len(Vault(texts).planned(clusters.find).proposals) <= 2


@pytest.mark.long
def test_clusters_cost_no_memory_for_each_of_their_members() -> None:
    words = {n: f"word{n}" for n in range(3 * 6 * 20)}
    groups = (
        [3 * (20 * theme + crc32(b"%d %d" % (at, theme)) % 20) for theme in range(6)]
        for at in range(2000)
    )
    said = [
        Said(at, "ada", f"day {at // 8}", 0, array("I", (n + k for n in own for k in range(3))))
        for at, own in enumerate(groups)
    ]
    tracemalloc.start()
    (found,) = subjects.of_said(said, lambda: words, lambda _: (), None, lambda _: ())
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    terms = sum(2 * one.terms.itemsize * len(one.terms) for one in said)
    assert sum(len(cluster.members) for cluster in found.clusters) > 5 * len(said)
    assert most < 3 * terms, f"{most} bytes"
