"""What a compaction would cost is known before a call, and is what it costs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.wire import Answer, Call, Wire
from vaultmem import Vault
from vaultmem.memory.compaction import cost as compaction_cost
from vaultmem.memory.compaction.cost import Estimate
from vaultmem.models.providers.profile import Profile

pytestmark = pytest.mark.without_history

FACTS = 24


def faithful(call: Call) -> Answer:
    """Say what holds, of the last lantern that is told of."""
    last = re.findall(r"Lantern (\d+)", call.prompt)[-1]
    return f"Lantern {last} hangs in the garden, says Ann. The garden is full of lanterns."


def set_options(path: Path, *options: str) -> None:
    """Set options of a frontmatter."""
    text = path.read_text()
    for line in options:
        key = line.partition(":")[0]
        text = re.sub(rf"(?m)^{key}:.*$", line, text)
    path.write_text(text)


def filled(folder: Path) -> None:
    """Remember facts that nobody summarized yet: three chunks of four, and some that wait."""
    config = folder / "config/memory_compaction.md"
    talk = folder.parent / "talk.jsonl"
    said = ("Lantern {n} hangs in the garden, says Ann. The garden is full of lanterns." * 3,)
    lines = ({"id": n, "content": said[0].replace("{n}", str(n))} for n in range(FACTS))
    talk.write_text("".join(json.dumps(x) + "\n" for x in lines))
    with Vault.open(folder) as vault:
        vault.import_files("jsonl", [talk], agent="ada")
    set_options(config, "immediate_window: 8", "recent_window: 4")


@pytest.mark.long
@pytest.mark.parametrize("force", [False, True])
def test_an_estimate_asks_nobody_and_counts_the_calls_that_come(
    folder: Path, *, force: bool
) -> None:
    """A call for each short-term summary, and one for each long-term one."""
    filled(folder)
    with Wire(faithful) as wire, Vault.open(folder, env=wire.environment("anthropic")) as vault:
        before = sorted(p for p in folder.rglob("*.md"))
        guess = vault.estimate("ada", force=force)
        assert wire.calls == []
        assert sorted(p for p in folder.rglob("*.md")) == before
        done = vault.compact("ada", force=force)
        assert {c.summary.degraded for c in done.compactions} == {""}
        assert guess.compactions == len(done.compactions) > 2
        assert guess.calls == len(wire.calls)
        shown = sum(len(c.prompt) for c in wire.calls)
        assert shown / 8 < guess.input_tokens < shown / 2
        assert vault.estimate("ada", force=force) == Estimate(price=0.0)


def test_the_price_is_that_of_the_profile(folder: Path) -> None:
    """Dollars a million tokens, in and out; unknown when one is, and for another model."""
    filled(folder)
    profile = folder / "config/profiles/summarizer.md"
    with Wire(faithful) as wire, Vault.open(folder, env=wire.environment("anthropic")) as vault:
        assert vault.estimate("ada").price is None  # of another model than is asked
        set_options(profile, "model: test-model", "input_price: 2", "output_price: 10")
        guess = vault.estimate("ada")
        cost = (2 * guess.input_tokens + 10 * guess.output_tokens) / 1_000_000
        assert guess.price == pytest.approx(cost, abs=1e-6)
        set_options(profile, "output_price:")
        assert vault.estimate("ada").price is None


def test_the_offline_summarizer_costs_nothing(folder: Path) -> None:
    """No call, no token."""
    filled(folder)
    with Vault.open(folder) as vault:
        guess = vault.estimate("ada", force=True)
    assert (guess.calls, guess.tokens, guess.price) == (0, 0, 0.0)


@pytest.mark.long
def test_what_is_degraded_is_estimated_when_it_is_to_be_redone(folder: Path) -> None:
    """And not otherwise."""
    filled(folder)
    config = folder / "config/memory_compaction.md"
    set_options(config, "max_llm_calls_per_hour: 0")
    with Wire(faithful) as wire, Vault.open(folder, env=wire.environment("anthropic")) as vault:
        made = vault.compact("ada")
        assert {c.summary.degraded[:7] for c in made.compactions} == {"budget:"}
        set_options(config, "max_llm_calls_per_hour: 90")
        assert vault.estimate("ada").calls == 0
        guess = vault.estimate("ada", redo_degraded=True)
        assert vault.compact("ada", redo_degraded=True).compactions
        assert guess.calls == len(wire.calls) > 0
        vault.store.sync()
        assert vault.status().problems == ()
        assert vault.compact("ada", redo_degraded=True).compactions == ()


def test_sums_know_a_price_only_when_all_do() -> None:
    """An unknown price is not nothing."""
    one = Estimate(1, 2, 30, 4, 0.5)
    assert compaction_cost.total([one, one]) == Estimate(2, 4, 60, 8, 1.0)
    assert compaction_cost.total([one, Estimate(1, 1, 1, 1)]).price is None
    assert compaction_cost.total([]) == Estimate(price=0)
    assert compaction_cost.price(Profile(), 5, 5) is None
