"""Where a note does not say when it was written, git says when its lines came, or nobody does."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable

import pytest

from tests.dreamt import topic
from vaultmem import Vault

MOVED = "We moved to Postgres yesterday.\n"
PATH = "topics/db.md"


def put(vault: Vault, path: str, text: str) -> None:
    """Write a file as a person does."""
    (vault.path / path).parent.mkdir(exist_ok=True)
    (vault.path / path).write_text(text)


def commit(vault: Vault, day: str, message: str = "by hand") -> None:
    """Commit all there is on a *day*, as a person does."""
    env = {**os.environ, "GIT_AUTHOR_DATE": f"{day}T12:00:00Z"}
    for args in (["add", "-A"], ["commit", "-qm", message]):
        subprocess.run(["git", *args], cwd=vault.path, check=True, env=env)


def told(vault: Vault) -> tuple[list[str], list[str]]:
    """Return what a dream proposes for relative dates, and what it says of those that stay."""
    plan = vault.dream()
    found = [p.edits[0].new[0] for p in plan.proposals if "says a date relative" in p.reason]  # type: ignore[union-attr]
    return found, [why for why in plan.left if "relative date" in why]


def test_a_date_counts_from_the_day_on_which_git_got_its_line(vault: Vault) -> None:
    """Not from that of the file's first or last commit."""
    put(vault, PATH, topic("Ada asked for it.\n"))
    commit(vault, "2024-05-01")
    put(vault, PATH, topic(f"Ada asked for it.\n\n{MOVED}"))
    commit(vault, "2024-05-10")
    put(vault, PATH, topic(f"Mara asked for it.\n\n{MOVED}"))
    commit(vault, "2024-05-20")
    assert told(vault) == (["We moved to Postgres on 2024-05-09."], [])


def _by_the_program(vault: Vault) -> None:
    put(vault, PATH, topic(MOVED))
    commit(vault, "2024-05-10", "import\n\nVaultmem-Op: 01J00000000000000000000000")


def _renamed(vault: Vault) -> None:
    put(vault, "topics/old.md", topic(MOVED))
    commit(vault, "2024-05-10")
    (vault.path / "topics/old.md").rename(vault.path / PATH)
    commit(vault, "2024-05-20")


def _twice(vault: Vault) -> None:
    for day, text in (("2024-05-10", MOVED), ("2024-05-11", ""), ("2024-05-20", MOVED)):
        put(vault, PATH, topic(text))
        commit(vault, day)


def _older_than_its_commit(vault: Vault) -> None:
    put(vault, PATH, topic(MOVED))
    os.utime(vault.path / PATH, (1_700_000_000, 1_700_000_000))
    commit(vault, "2024-05-10")


@pytest.mark.parametrize("came", [_by_the_program, _renamed, _twice, _older_than_its_commit])
def test_where_git_cannot_tell_the_date_stays_and_the_dream_says_so(
    vault: Vault, came: Callable[[Vault], None]
) -> None:
    came(vault)
    says = f"{PATH}: 1 line with a relative date, and neither the file nor git says on which day"
    found, (left,) = told(vault)
    assert (found, left.startswith(says)) == ([], True)
