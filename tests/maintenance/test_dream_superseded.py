"""What somebody says later ends what they said before, where it is certain and a person agrees."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.dreamt import Vault as Seen
from tests.dreamt import said
from vaultmem import Vault
from vaultmem.maintenance.dream.detectors import superseded
from vaultmem.maintenance.dream.planner import is_safe, needs_a_person

pytestmark = pytest.mark.without_history

GRAZ, LINZ = "Mara lives in Graz.", "Mara moved and lives in Linz now."


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (GRAZ, LINZ),
        ("I live in Graz.", "Good morning! I now live in Linz. The river is near."),
        ("I live in Graz", "I've moved from Graz to Linz last week."),
        ("I work at Acme.", "I don't work at Acme any more."),
        ("Mara lives in Graz", "Mara no longer lives in Graz"),
        ("My boss is Anna.", "My boss is now Tom."),
        ("Postgres listens on port 5433.", "Postgres now listens on port 5434."),
    ],
)
def test_what_is_otherwise_now_ends_what_was(older: str, newer: str) -> None:
    vault = Seen(said(older, newer))
    (proposal,) = vault.planned(superseded.find).proposals
    assert proposal.op == "supersede"
    assert all(x in proposal.reason for x in (older, newer, "(2026-08-01)", "(2026-08-02)"))
    assert not is_safe(proposal)
    assert needs_a_person(proposal)


@pytest.mark.parametrize(
    "texts",
    [
        ("I live in Graz.", "I live in Linz."),
        ("I live in Graz and I like it.", "I live in Linz now."),
        ("I live in a flat.", "I live in Linz now."),
        ("I live in Graz.", "Tom lives in Linz now."),
        ("I live in Graz.", "If I find work, I live in Linz now."),
        ("I live in Graz.", "I moved from Marketing to Sales."),
        ("We live in Graz.", "We live in Linz now."),
        ("The deadline is 5 May.", "The deadline is now 7 May."),
        ("The server listens on port 80.", "The server now listens on port 81."),
        (LINZ, GRAZ),
        (GRAZ, LINZ, GRAZ),
        (GRAZ, LINZ, "Mara is back in Graz."),
    ],
)
def test_what_may_still_hold_stays(texts: tuple[str, ...]) -> None:
    assert not Seen(said(*texts)).planned(superseded.find).proposals


@pytest.mark.parametrize(
    ("older", "newer", "found"),
    [
        ("Standup\n\nStandup is at 9:30.", "New standup\n\nStandup got pushed to ten.", 1),
        ("Cache\n\nThe cache TTL is 5 minutes.", "Settings\n\ncache TTL: 10 minutes", 1),
        ("Lena\n\nLena is vegetarian.", "Dinner\n\nLena had the steak, she eats meat again.", 1),
        ("Anna\n\nAnna lives in Lyon.", "Anna's move\n\nAnna lives in Nice now.", 1),
        ("Keys\n\nThe key is in the shed.", "Keys\n\nThe key is in the hall.", 0),
        ("Shop\n\nThe deadline is 5 May.", "Till\n\nThe deadline is now 7 May.", 0),
        ("Standup\n\nStandup is at 9:30, and long.", "Later\n\nStandup moved to ten.", 0),
    ],
)
def test_what_an_agent_noted_is_read_below_its_title(older: str, newer: str, found: int) -> None:
    """With a title, as an agent stores it, or without."""
    noted = {"speaker": "", "source": "agent", "trust": "agent"}
    bare = tuple(text.partition("\n\n")[2] for text in (older, newer))
    for texts in ((older, newer), bare):
        proposals = Seen(said(*texts, **noted)).planned(superseded.find).proposals
        assert [bare[0].rstrip(".") in p.reason for p in proposals] == [True] * found


@pytest.mark.parametrize(
    "newer",
    [
        {"speaker": "Tom"},
        {"agent": "bo"},
        {"source": "web", "trust": "untrusted"},
        {"speaker": "assistant"},
    ],
)
def test_nobody_ends_another_s_words(newer: dict[str, str]) -> None:
    texts = {**said(GRAZ), **said("", LINZ, **newer)}
    assert not Seen(texts).planned(superseded.find).proposals


# --- on a vault -------------------------------------------------------------------------------


def told(vault: Vault) -> list[tuple[str, str]]:
    """Return which of the two memories a context shows, with the days they are of."""
    lines = vault.context("Where does Mara live?").text.splitlines()
    days = {GRAZ: "2026-10-01", LINZ: "2026-11-01"}
    return [(x, d) for x, d in days.items() if any(x in it and it.startswith(d) for it in lines)]


@pytest.fixture
def moved(vault: Vault) -> Vault:
    """Return a vault in which Mara moved."""
    for text, month in ((GRAZ, 10), (LINZ, 11)):
        at = datetime(2026, month, 1, tzinfo=UTC)
        vault.remember(text, agent="ada", source="user", at=at)
    return vault


def _memory(vault: Vault, text: str) -> str:
    return next(h.path for h in vault.recall(text).hits if h.snippet == text)


@pytest.mark.long
@pytest.mark.with_history
def test_once_it_is_ticked_contexts_show_the_later_with_its_date(moved: Vault) -> None:
    """Neither memory changes by a byte; it is undone like every operation."""
    memories = {p: p.read_bytes() for p in moved.path.glob("agents/ada/memories/**/*.md")}
    (proposal,) = moved.dream().proposals
    both = [(GRAZ, "2026-10-01"), (LINZ, "2026-11-01")]
    assert told(moved) == both
    moved.dreams.apply(ids=[proposal.id])
    assert told(moved) == both[1:]
    assert [h.stale for h in moved.recall("Where does Mara live?").hits] == [False, True]
    assert {p: p.read_bytes() for p in memories} == memories
    assert moved.fsck().ok
    assert not moved.dream().proposals
    moved.dreams.undo()
    assert told(moved) == both


def test_a_memory_that_is_superseded_is_told_on_no_card_and_not_archived(vault: Vault) -> None:
    """In the same dream, and in the next."""
    for text, month in ((GRAZ, 3), (LINZ, 6)):
        at = datetime(2026, month, 1, tzinfo=UTC)
        vault.remember(text, agent="ada", source="user", speaker="Mara", at=at)
    for _ in range(2):
        proposed = vault.dream().proposals
        assert not any("Graz" in str(p.edits) for p in proposed if p.op == "card")
        assert not any("graz" in str(p.edits) for p in proposed if p.op == "archive")
        vault.dreams.apply(everything=True)
    assert "Graz" not in vault.context("Where does Mara live?").text


@pytest.mark.long
def test_what_ended_a_memory_may_be_forgotten_and_the_memory_stays_ended(moved: Vault) -> None:
    """No word of either is in the file that says so."""
    moved.dreams.apply(ids=[p.id for p in moved.dream().proposals])
    (file,) = moved.path.glob("supersessions/*.md")
    before = file.read_bytes()
    moved.forget(_memory(moved, LINZ))
    assert told(moved) == []
    assert file.read_bytes() == before
    assert b"Linz" not in before
    assert b"graz" not in before
    assert moved.fsck().ok


def test_a_file_that_nobody_let_in_ends_nothing_a_user_said(moved: Vault) -> None:
    old, new = (moved.store.index.named(_memory(moved, text))[0].id for text in (GRAZ, LINZ))
    folder = moved.path / "supersessions"
    folder.mkdir()
    (folder / f"{old}.md").write_text(
        f"---\ntype: supersession\ntrust: user\nsupersedes: {old}\nsuperseded_by: {new}\n---\n"
    )
    assert len(told(moved)) == 2
