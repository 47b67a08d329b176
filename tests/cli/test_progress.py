"""What a terminal is shown of long work: what is done, how much of it, and how long it takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.cli.output import figures


@pytest.mark.parametrize(
    ("done", "total", "seconds", "said"),
    [
        (0, None, 9.0, ""),
        (0, 2000, 9.0, "0 of 2000"),
        (1, 20, 1.0, "1 of 20"),  # too soon to tell
        (1, 20, 25.0, "1 of 20, 25 s each, 7 min 55 s left"),
        (1000, 2000, 10.0, "1000 of 2000, 100/s, 10 s left"),
        (2000, 2000, 10.0, "2000 of 2000, 200/s"),
        (1000, None, 10.0, "1000, 100/s"),
    ],
)
def test_a_rate_and_the_time_left_are_told_once_they_can_be(
    done: int, total: int | None, seconds: float, said: str
) -> None:
    assert figures(done, total, seconds) == said


@pytest.mark.long
def test_an_import_tells_of_the_summaries_that_follow_it(vault: Vault, tmp_path: Path) -> None:
    said = ({"id": n, "content": f"Lantern {n} hangs in garden {n}."} for n in range(300))
    talk = tmp_path / "talk.jsonl"
    talk.write_text("".join(f"{json.dumps(it)}\n" for it in said))
    told: list[tuple[int, int]] = []
    made = vault.import_files("jsonl", [talk], agent="ada", summarizing=lambda *it: told.append(it))
    assert {total for _, total in told} == {len(made.compacted.compactions)}
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_check_names_its_phases_and_counts_the_files_of_each(vault: Vault) -> None:
    vault.remember("The oven is a Marzocco.", agent="ada")
    told: dict[str, list[tuple[int, int]]] = {}

    def begun(what: str) -> None:
        told[what] = []

    vault.checks.lint(lambda *it: told[[*told][-1]].append(it), begun)
    assert [*told] == ["checking", "checking texts", "checking links"]
    assert told["checking"]
    assert [done for done, _ in told["checking texts"]] == [*range(told["checking texts"][0][1])]


def test_a_dream_names_its_phases(vault: Vault) -> None:
    for _ in range(2):
        vault.remember("The oven is a Marzocco.", agent="ada")
    told: list[str] = []
    vault.dreams.plan(phase=told.append, progress=lambda *_: told.append("."))
    phases = [it for it in told if it != "."]
    assert phases[:3] == ["reading what is new", "hearing what was said", "dreaming"]
    assert "." not in told[: told.index("dreaming")]
