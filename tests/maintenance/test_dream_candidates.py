"""Of a vault's memories a dream is shown those that may matter, and finds what it finds in all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.conftest import Clock
from tests.dreamt import SHELTER, memories, topic
from vaultmem import Vault
from vaultmem.maintenance.dream import candidates, memory_facets, planner
from vaultmem.maintenance.dream.planner import Terms
from vaultmem.maintenance.dream.session import gather
from vaultmem.maintenance.dream.types import Proposal, Seen
from vaultmem.records import Record, iso
from vaultmem.retrieval import usage
from vaultmem.storage import files
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

EARLY = datetime(2026, 5, 1, 10, tzinfo=UTC)
SAID = (
    ("Mara", "I live in Graz."),
    ("Mara", "The harbour master keeps the brass telescope in a tall cabinet."),
    ("Mara", "Thank you so much!"),
    ("Mara", "The harbour master keeps the brass telescope in a tall cabinet."),
    ("Mara", "I live in Linz now."),
    ("Ben", "I live in Oslo."),
    ("Ben", "I live in Rome now."),
    ("Ben", "We are back in Oslo."),
    ("Mara", "The deploy port is 9000."),
    ("Mara", "My favourite tea is oolong from the shop beside the bridge."),
)
NOTES = {
    "topics/deploy.md": topic("- The deploy port is 8080.\n", created="2026-01-01T00:00:00Z"),
    "topics/week.md": topic("- The roof was mended yesterday.\n", "Week", created="2026-03-04"),
    "topics/links.md": topic("- See [[{named}]] and [[20200101-000000-gone-aaaaaa]].\n", "Links"),
}


@pytest.fixture
def planted(vault: Vault, clock: Clock) -> Vault:
    """Return a vault with something for each kind of finding, amid many memories of nothing."""
    said = [
        vault.remember(text, agent="ada", speaker=who, source="user", session=f"s{n}",
                       at=EARLY + timedelta(days=n)).path
        for n, (who, text) in enumerate(SAID)
    ]  # fmt: skip
    named = said[-1].rpartition("/")[2].removesuffix(".md")
    texts = memories(SHELTER) | {p: t.replace("{named}", named) for p, t in NOTES.items()}
    for path, text in texts.items():
        file = vault.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    clock.now = datetime(2027, 3, 1, tzinfo=UTC)
    vault.store.sync()
    return vault


def whole(vault: Vault, seen: Seen) -> Seen:
    """Return *seen* as it would be with all memories and all paths in it."""
    everything = vault.store.index.records(Filter(type="memory", recallable=True))
    paths = files.paths(vault.store.root, lambda name: name.startswith("."))
    return replace(
        seen, memories=tuple(everything), paths=frozenset(paths), subjects=None, told=None
    )


def found(vault: Vault, seen: Seen) -> list[Proposal]:
    """Return what is proposed for what was *seen*, and why the rest waits."""
    return [*planner.plan(seen, Terms(vault.store.texts.read)).proposals]


@pytest.mark.long
def test_no_finding_is_lost_with_the_memories_that_a_dream_is_not_shown(planted: Vault) -> None:
    seen = gather(planted.store, "").seen
    everything = whole(planted, seen)
    assert len(seen.memories) < len(everything.memories)
    proposals = found(planted, seen)
    assert proposals == found(planted, everything)
    kinds = Counter(proposal.op for proposal in proposals)
    assert kinds.keys() >= {"delete", "supersede", "correct", "link", "abstract", "archive"}
    assert kinds["correct"] == 2  # the port, and the day
    assert kinds["supersede"] == 1  # who is back lives where he did


@pytest.mark.long
def test_what_was_asked_for_often_is_shown_wherever_it_lies(planted: Vault) -> None:
    """Nothing else brings an old memory of no subject before a dream."""
    first = planted.store.index.records(Filter(type="memory", recallable=True))[20]
    assert first.path not in {it.path for it in gather(planted.store, "").seen.memories}
    for n in range(4):
        usage.add(planted.path, [first.id], iso(planted.store.clock()), f"question {n}")
    assert first.path in {it.path for it in gather(planted.store, "").seen.memories}


@pytest.mark.long
def test_what_a_memory_has_in_common_is_worked_out_once(
    planted: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For one that came or was edited since, and for it alone."""
    worked: list[str] = []
    work = memory_facets.of

    def counting(memory: Record) -> object:
        worked.append(memory.path)
        return work(memory)

    candidates.learn(planted.store.index)
    monkeypatch.setattr(memory_facets, "of", counting)
    new = planted.remember("The spare key hangs in the shed.", agent="ada").path
    edited = planted.path / "agents/ada/memories/2026/08/m020.md"
    edited.write_text(edited.read_text() + "And a stork.\n")
    planted.store.sync()
    for _ in range(2):
        candidates.learn(planted.store.index)
    assert sorted(worked) == sorted([new, edited.relative_to(planted.path).as_posix()])
