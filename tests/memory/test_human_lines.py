"""A person's lines stay where they stood when ours around them are written again."""

from __future__ import annotations

import pytest

from vaultmem.memory.compaction import human_lines
from vaultmem.records import Record

OURS = "On Monday Mara said:\n\n## Decisions\n- We take the Ferro\n- The roof waits\n"


def among(text: str, body: str, ours: str = OURS) -> str:
    old = Record("episode.md", "", body=body, written=human_lines.written(ours))
    return human_lines.among(text, old)


@pytest.mark.parametrize(
    "body",
    [
        OURS,
        OURS.replace("Ferro\n", "Ferro\n  - in black\n    with a lid\n"),
        OURS.replace("waits\n", "waits\n\n## Mine\n\n- Ask Vera\n"),
        OURS.replace("said:\n", "said:\n\nI was there.\n"),
        f"Mine.\n{OURS}",
        f"Mine.\n\n{OURS}",
        OURS.replace("- We", "  -  We").replace("Ferro\n", "Ferro\n  - in black\n"),
    ],
)
def test_a_line_stays_below_the_one_that_it_stood_below(body: str) -> None:
    told = among(OURS, body)
    assert told == body.replace("  -  We", "- We")
    assert human_lines.split(Record("", "", body=told, written=human_lines.written(OURS)))[1]
    assert among(OURS, told) == told


def test_a_line_whose_bullet_went_stands_first() -> None:
    body = OURS.replace("Ferro\n", "Ferro\n  - in black\n").replace("waits\n", "waits\n  - Mine\n")
    left = OURS.replace("- We take the Ferro\n", "")
    assert among(left, body) == "  - in black\n" + left.replace("waits\n", "waits\n  - Mine\n")


@pytest.mark.parametrize(
    ("own", "behind"),
    [
        ("  - in black\n\n  It has a lid.\n", "\n"),
        ("\n### Habits\n\nShe collects stamps.\n", "\n"),
        ("  - in black\n\n", "\n"),
        ("  - in black\n", ""),
        ("```\nShe collects stamps.\n```\n", ""),
    ],
)
def test_what_follows_a_line_whose_bullet_went_is_no_part_of_it(own: str, behind: str) -> None:
    body = OURS.replace("Ferro\n", f"Ferro\n{own}")
    left = OURS.replace("- We take the Ferro\n", "")
    told = among(left, body)
    assert told == own.strip("\n") + "\n" + behind + left
    assert among(left, told) == told


def test_of_a_text_of_unknown_lines_all_is_a_persons() -> None:
    assert among("Anew.\n", "Mine.\n\n- and this\n", ours="") == "Mine.\n\n- and this\nAnew.\n"


def test_of_two_lines_that_are_the_same_it_stays_below_its_own() -> None:
    ours = "- Mow\n  - **Why:** it grows\n- Rake\n  - **Why:** it grows\n"
    assert among(ours, f"{ours}Mine.\n", ours) == f"{ours}Mine.\n"
