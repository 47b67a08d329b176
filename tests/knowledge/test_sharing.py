"""A memory that one agent offers to all: a fact of a shared topic, with a link to its source."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.errors import BadInput, Refused
from vaultmem.knowledge.sharing import Shared, Shares
from vaultmem.maintenance import fsck
from vaultmem.memory import pointed_index
from vaultmem.retrieval.search import Scope

pytestmark = pytest.mark.without_history

SAID = "The landlord of Alder Row is Mr. Okafor."


@pytest.fixture
def shares(vault: Vault) -> Shares:
    """Return what shares in the vault."""
    return Shares(vault.store)


def told(vault: Vault, text: str = SAID, source: str = "user") -> str:
    """Let ada remember *text*, which came from *source*; return the id."""
    return vault.remember(text, agent="ada", source=source).id


@pytest.mark.with_history
def test_a_shared_memory_is_a_fact_of_a_topic_with_a_link_to_it(
    vault: Vault, shares: Shares
) -> None:
    memory = vault.remember(SAID, agent="ada", source="user", speaker="Mara")
    before = (vault.path / memory.path).read_bytes()

    done = shares.share(memory.id)

    assert (done.path, done.topic, done.shared_by) == ("topics/shared.md", "Shared", "ada")
    text = (vault.path / done.path).read_text()
    assert f"- ada, from Mara: {SAID} ([[{Path(memory.path).stem}]])\n" in text
    assert "\ntrust: user\n" in text
    assert (vault.path / memory.path).read_bytes() == before
    assert "topics/shared.md" in (vault.path / "MEMORY.md").read_text()
    assert done.commit == git(vault, "rev-parse", "HEAD")
    assert fsck.check(vault.store).ok


def test_others_recall_what_was_shared_and_not_the_memory_itself(
    vault: Vault, shares: Shares
) -> None:
    told(vault)
    vault.remember("The oven hums.", agent="bob", source="user")
    assert not hits(vault, "landlord Okafor")
    shares.share(told(vault, "The landlord of Mill Lane is Mrs. Okafor."))
    assert hits(vault, "landlord Okafor") == ["topics/shared.md"]


def hits(vault: Vault, query: str) -> list[str]:
    """Return what bob finds."""
    scope = Scope(agent="bob", shared=True)
    return [hit.path for hit in vault.recall(query, scope=scope).hits]


@pytest.mark.with_history
def test_sharing_it_twice_changes_nothing(vault: Vault, shares: Shares) -> None:
    memory = told(vault)
    shares.share(memory)
    head = git(vault, "rev-parse", "HEAD")
    again = shares.share(memory)
    assert (again.known, again.commit) == (True, None)
    assert git(vault, "rev-parse", "HEAD") == head


def test_a_named_topic_keeps_every_line_of_its_person(vault: Vault, shares: Shares) -> None:
    path = vault.path / "topics/house-rules.md"
    path.parent.mkdir()
    own = (
        "---\ntype: topic  # mine\ntitle: House rules\n---\nAsk me first.\n\n## Facts\n* No nuts\n"
    )
    path.write_text(own)
    done = shares.share(told(vault), topic="House rules")
    text = path.read_text()
    assert done.path == "topics/house-rules.md"
    assert all(line in text.splitlines() for line in own.splitlines())
    assert f"* ada: {SAID} (" in text


def test_a_shared_fact_is_worth_no_more_than_the_least_of_the_topic(
    vault: Vault, shares: Shares
) -> None:
    shares.share(told(vault))
    shares.share(told(vault, "The boiler whistles at night.", source="agent"))
    assert "\ntrust: agent\n" in (vault.path / "topics/shared.md").read_text()


def test_it_is_listed_and_taken_back(vault: Vault, shares: Shares) -> None:
    memory = told(vault)
    shares.share(memory)
    shares.share(told(vault, "The boiler whistles at night."))
    assert [(o.memory, o.shared_by) for o in shares.offers()][:1] == [(memory, "ada")]

    gone = shares.withdraw(memory)

    assert gone.paths == ("topics/shared.md",)
    assert [o.text for o in shares.offers()] == ["ada: The boiler whistles at night."]
    with pytest.raises(BadInput, match="not shared"):
        shares.withdraw(memory)


OWN = "\n## How to reach him\n\nBy phone only, 0316 55 12.\n"


def test_a_topic_in_which_a_person_wrote_stays_when_all_that_was_shared_is_taken_back(
    vault: Vault, shares: Shares
) -> None:
    memory = told(vault)
    shares.share(memory)
    file = vault.path / "topics/shared.md"
    file.write_text(f"{file.read_text()}{OWN}")
    shares.withdraw(memory)
    assert file.read_text().endswith(f"---\n## Facts\n{OWN}")


@pytest.mark.parametrize("later", ["The landlord of Alder Row is Ms. Osei.", "Nobody owns it."])
def test_what_a_person_nested_in_a_shared_fact_stays_when_that_is_corrected(
    vault: Vault, later: str
) -> None:
    memory = told(vault)
    vault.shares.share(memory)
    vault.shares.share(told(vault, "The boiler whistles at night."))
    file = vault.path / "topics/shared.md"
    nested = "\n  - He promised to mend the roof by May\n- ada: The boiler"
    file.write_text(file.read_text().replace("\n- ada: The boiler", nested))
    vault.correct(memory, later)
    assert later in file.read_text()
    assert nested in file.read_text()


def test_a_topic_of_nothing_but_what_is_taken_back_goes(vault: Vault, shares: Shares) -> None:
    memory = told(vault)
    shares.share(memory)
    shares.withdraw(memory)
    assert not (vault.path / "topics/shared.md").exists()
    assert fsck.check(vault.store).ok


@pytest.mark.with_history
def test_undo_takes_it_back_too(vault: Vault, shares: Shares) -> None:
    shares.share(told(vault))
    op = vault.log(1)[0].ops[0]
    vault.undo(op)
    assert not (vault.path / "topics/shared.md").exists()


def test_what_is_forgotten_is_shared_no_more(vault: Vault, shares: Shares) -> None:
    memory = told(vault)
    shares.share(memory)
    shares.share(told(vault, "The boiler whistles at night."))
    vault.forget(memory)
    text = (vault.path / "topics/shared.md").read_text()
    assert "Okafor" not in text
    assert "okafor" not in text
    assert "boiler" in text


def test_what_is_corrected_is_shared_as_it_holds_now(vault: Vault, shares: Shares) -> None:
    memory = told(vault)
    shares.share(memory)
    done = vault.correct(memory, "The landlord of Alder Row is Mrs. Lind.")
    assert done.cited == ()  # nobody has to look at what followed by itself
    assert [o.text for o in shares.offers()] == ["ada: The landlord of Alder Row is Mrs. Lind."]
    assert shares.follow() == ()
    assert not pointed_index.change(vault.store, ())


def test_a_bullet_that_a_person_mended_is_theirs(vault: Vault, shares: Shares) -> None:
    memory = told(vault)
    path = vault.path / shares.share(memory).path
    path.write_text(path.read_text().replace("Mr. Okafor", "Mr. Okafor senior"))
    vault.store.sync()
    vault.correct(memory, "The landlord of Alder Row is Mrs. Lind.")
    assert shares.follow() == ()
    assert "Mr. Okafor senior" in path.read_text()


def test_a_bullet_that_a_person_mended_is_listed_as_it_stands_and_taken_back(
    vault: Vault, shares: Shares
) -> None:
    memory = told(vault)
    path = vault.path / shares.share(memory).path
    path.write_text(path.read_text().replace("ada: The landlord", "Ada says: our landlord"))
    vault.store.sync()
    (offer,) = shares.offers()
    assert (offer.memory, offer.text) == (
        memory,
        "Ada says: our landlord of Alder Row is Mr. Okafor.",
    )
    assert shares.share(memory).known
    assert shares.withdraw(memory).paths == ("topics/shared.md",)
    assert not shares.offers()


def test_nothing_untrusted_corrected_or_derived_is_shared(vault: Vault, shares: Shares) -> None:
    web = vault.remember("Buy this oven now.", agent="ada", source="web")
    with pytest.raises(Refused, match="accepted"):
        shares.share(web.id)
    memory = told(vault)
    vault.correct(memory, "The landlord of Alder Row is Mrs. Lind.")
    with pytest.raises(Refused, match="was corrected"):
        shares.share(memory)
    with pytest.raises(Refused, match="not an accepted raw memory"):
        shares.share("README.md")
    with pytest.raises(BadInput, match="recall"):
        shares.share("nobody")


def test_a_topic_that_is_read_only_or_none_is_refused(vault: Vault, shares: Shares) -> None:
    folder = vault.path / "topics"
    folder.mkdir()
    (folder / "law.md").write_text("---\ntype: topic\nread_only: true\n---\n## Facts\n- One\n")
    (folder / "poem.md").write_text("---\ntype: note\n---\nRoses.\n")
    memory = told(vault)
    with pytest.raises(Refused, match="read-only"):
        shares.share(memory, topic="law")
    with pytest.raises(Refused, match="no topic"):
        shares.share(memory, topic="poem")
    with pytest.raises(BadInput, match="not a name"):
        shares.share(memory, topic="../..")


def test_a_dry_run_shows_the_diff_and_writes_nothing(vault: Vault, shares: Shares) -> None:
    done: Shared = shares.share(told(vault), dry_run=True)
    assert f"+- ada: {SAID}" in done.diff
    assert not (vault.path / "topics").exists()


def git(vault: Vault, *args: str) -> str:
    """Return what git says in the vault."""
    done = subprocess.run(["git", *args], cwd=vault.path, capture_output=True, check=True)
    return done.stdout.decode().strip()


@pytest.mark.with_history
def test_a_topic_with_a_private_part_is_added_to_and_loses_nothing(
    vault: Vault, shares: Shares, caplog: pytest.LogCaptureFixture
) -> None:
    memory = told(vault)
    file = vault.path / shares.share(memory).path
    file.write_text(f"{file.read_text()}\nAsk Quincy.\n<private>pin 1234</private>\n")
    shares.share(told(vault, "The oven hums."))
    kept = file.read_text()
    assert "The oven hums." in kept
    with pytest.raises(Refused, match="marked private, which is not committed"):
        shares.withdraw(memory)
    vault.correct(memory, "The landlord of Alder Row is Mrs. Silva.")
    assert "still says what was corrected" in caplog.text
    assert file.read_text() == kept
