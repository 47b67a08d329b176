"""A clause is stated where one sentence has its words in order, asserts them, and ends there."""

from __future__ import annotations

import pytest

from vaultmem.maintenance.provenance import statements

JOB, WRONG, ILL = "Tom lost his job", "Doctor Huber is wrong", "\u738b\u5c0f\u660e\u75c5\u4e86"
STATED = (
    (JOB, "Tom lost his job."),
    (JOB, "We know that Tom has lost his job and his flat."),
    (JOB, "- the flat in Wels\n  - **Why:** Tom lost his job\n- the boat"),
    (WRONG, "I decided to stop the lithium because Doctor Huber is wrong."),
    ("Is Tom gay?", "Hello. Is Tom gay?"),
    ("Tom krank ist", "Wir bleiben, weil Tom krank ist."),
    (ILL, f"{ILL}\uff0c\u6240\u4ee5\u6211\u4eec\u4e0d\u53bb\u3002"),
)
OTHERWISE = (
    (JOB, "Tom lost his keys on the way to his job."),
    (JOB, "His job lost Tom."),
    (JOB, "Tom lost his job interview."),
    (JOB, "Did Tom lose? Maybe Tom lost his job."),
    (JOB, "It is not true that Tom lost his job."),
    (JOB, "We left, not because Tom lost his job."),
    (JOB, "Tom lost his job. That is a lie."),
    (JOB, "I wonder if Tom lost his job."),
    (WRONG, "Doctor Huber is never wrong about the date."),
    ("Is Tom gay?", "Tom is gay."),
    ("Tom krank ist", "Lena fragt, ob Tom krank ist."),
    (ILL, f"{ILL}\u5f88\u4e45\u7684\u72d7\u3002"),
)


@pytest.mark.parametrize(("clause", "text"), STATED)
def test_a_clause_is_stated_by(clause: str, text: str) -> None:
    assert statements.states(clause, text)


@pytest.mark.parametrize(("clause", "text"), OTHERWISE)
def test_a_clause_is_not_stated_by(clause: str, text: str) -> None:
    assert not statements.states(clause, text)


def test_a_reason_is_a_clause_and_a_name_within_one_is_none() -> None:
    said = "We sell the flat in Linz because Tom lost his job."
    assert statements.has_clause(JOB, said)
    assert not statements.has_clause("flat in Linz", said)
