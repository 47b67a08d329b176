"""Of the results of one thing the last is told."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.sessions import run_results
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history
SAID = (
    ("user", "The nightly import of parcels.csv fails on staging, please fix it."),
    ("assistant", "I changed the reader in src/parcels.py to read 500 rows at once."),
    ("user", "Run the tests."),
    (
        "assistant",
        "pytest: 3 failed, 41 passed. test_empty fails because the header is read twice.",
    ),
    ("user", "Fix that, too."),
    ("assistant", "Fixed; 44 passed."),
    ("user", "Good, commit it."),
)


def test_a_result_that_a_later_run_mended_is_told_no_more() -> None:
    turns = (Turn(who, text, "", f"2026-03-01T10:0{i}:00Z") for i, (who, text) in enumerate(SAID))
    told = Extractive().episode(FoldTask(tuple(turns), 1, "s", "ada")).value.summary
    assert "3 failed" not in told
    assert "44 passed" in told


def test_a_result_of_another_tool_replaces_nothing() -> None:
    assert run_results.replaces("pytest: 44 passed.", "pytest: 3 failed, 41 passed.")
    assert not run_results.replaces("jest: 12 passed.", "pytest: 3 failed, 41 passed.")
    assert not run_results.replaces("Fixed the reader.", "pytest: 3 failed, 41 passed.")
