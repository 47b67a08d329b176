"""What will not matter in ten sessions, and what only looks like it."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.durable import ephemeral


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The build is red right now.", ephemeral.GOING_ON),
        ("CI is failing at the moment.", ephemeral.GOING_ON),
        ("12 tests failed.", ephemeral.GOING_ON),
        ("Next step: rename the variable x.", ephemeral.GOING_ON),
        ("I am working on the login of the shop at the moment.", ephemeral.GOING_ON),
        ("I just pushed the branch fix-login.", ephemeral.IN_GIT),
        ("PR 41 was merged on Monday.", ephemeral.IN_GIT),
        ("The function parse_token is in src/auth.py.", ephemeral.IN_CODE),
        ("Run `pytest` to run the tests.", ephemeral.IN_CODE),
        ("The newest version is 2.3.", ephemeral.IN_CODE),
    ],
)
def test_work_and_what_code_and_git_say_will_not_matter(text: str, reason: str) -> None:
    assert ephemeral.reason(text) == reason


@pytest.mark.parametrize(
    "text",
    [
        "CI must be green before a release.",
        "12 tests failed because the clock of the till is wrong.",
        "12 people failed the exam.",
        "The tests are broken on Windows.",
        "Next year: move to Oslo.",
        "I am working on the book of my life since 2019.",
        "PRs are merged on Mondays.",
        "We opened a branch in Ghent.",
        "Never push the branch release.",
        "The function of the audit is to protect Ferro.",
        "Run `pytest -n 2`, never more, because the box has two cores.",
        "The newest version must support Postgres 15.",
        "The newest version of the contract is from May.",
        "The build of the house is running late.",
    ],
)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert ephemeral.reason(text) == ""
