"""A note that nothing points at gets a pointer in MEMORY.md, where a person keeps that."""

from __future__ import annotations

import pytest

from tests.dreamt import Vault, reasons, topic
from vaultmem.maintenance.dream.detectors import orphans

INDEX = "# Memory\n- [Deploy](topics/deploy.md): how we deploy\n\nBelow.\n"
DEPLOY = topic("See [[rollback]].\n", "Deploy")
FILES = {
    "topics/deploy.md": DEPLOY,
    "topics/rollback.md": topic("- Two approvals.\n", "Rollback"),
    "topics/heron.md": topic("- A server.\n", "Heron", description="the staging server"),
}


def test_a_pointer_is_added_below_the_others() -> None:
    vault = Vault({"MEMORY.md": INDEX, **FILES})
    assert reasons(vault.planned(orphans.find).proposals) == ["nothing points at topics/heron.md"]
    after = vault.dreamt(orphans.find)
    assert after.texts["MEMORY.md"] == (
        "# Memory\n- [Deploy](topics/deploy.md): how we deploy\n"
        "- [Heron](topics/heron.md): the staging server\n\nBelow.\n"
    )
    assert not after.planned(orphans.find).proposals


def test_the_first_pointer_stands_at_the_end() -> None:
    files = {f"topics/{x}.md": topic("- So.\n", x, description="why") for x in "ab"}
    after = Vault({"MEMORY.md": "# Memory\n\n", **files}).dreamt(orphans.find)
    assert after.texts["MEMORY.md"] == (
        "# Memory\n- [a](topics/a.md): why\n- [b](topics/b.md): why\n\n"
    )


def test_a_list_between_marks_points_by_itself() -> None:
    marked = "<!-- vaultmem:begin -->\n<!-- vaultmem:end -->\n"
    assert not Vault({"MEMORY.md": marked, **FILES}).planned(orphans.find).proposals
    assert not Vault(FILES).planned(orphans.find).proposals


def test_a_source_and_what_replaced_another_are_pointed_at() -> None:
    files = {
        "topics/a.md": topic("- A.\n", "A", superseded_by='"[[b]]"'),
        "topics/b.md": topic("- B.\n", "B", sources='["[[topics/c]]"]'),
        "topics/c.md": topic("- C.\n", "C"),
    }
    assert not Vault({"MEMORY.md": "# Memory\n", **files}).planned(orphans.find).proposals


def test_what_is_not_trusted_is_not_listed() -> None:
    files = {"topics/a.md": topic("- A.\n", "A", trust="untrusted")}
    assert not Vault({"MEMORY.md": "# Memory\n", **files}).planned(orphans.find).proposals


@pytest.mark.long
def test_the_budget_is_kept() -> None:
    files = {f"topics/t{n:03}.md": topic("- So.\n", f"T{n}") for n in range(300)}
    vault = Vault({"MEMORY.md": "# Memory\n", **files})
    after = vault.dreamt(orphans.find)
    assert 170 < len(after.texts["MEMORY.md"].splitlines()) < 180
    assert not after.planned(orphans.find).proposals
