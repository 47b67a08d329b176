"""What is out of date is proposed to go, and what only it says is named as lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.dreamt import NOW, Vault, topic
from vaultmem.maintenance.dream import importance
from vaultmem.maintenance.dream.detectors import stale
from vaultmem.maintenance.dream.types import Retention, Seen, Used
from vaultmem.records import Record

BODY = "## Facts\n- The office is in Graz.\n- Lunch is at noon.\n"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"valid_to": "2026-01-31"}, "topics/a.md was valid until 2026-01-31 only"),
        ({"stale_after": "2026-11-21"}, "topics/a.md is stale after 2026-11-21, by its own date"),
        ({"superseded_by": '"[[b]]"'}, "topics/a.md is superseded by topics/b.md"),
    ],
)
def test_a_note_whose_time_is_over_names_what_only_it_says(
    fields: dict[str, str], reason: str
) -> None:
    files = {
        "topics/a.md": topic(BODY, "A", **fields),
        "topics/b.md": topic("- Lunch is at noon\n"),
    }
    (proposal,) = stale.find(Vault(files).seen())
    assert (proposal.op, proposal.reason) == ("delete", reason)
    assert proposal.losses == ("The office is in Graz.",)


def test_a_file_goes_whole_however_much_it_says() -> None:
    vault = Vault({"topics/a.md": topic(f"{BODY}- Keys hang left.\n", stale_after="2026-01-01")})
    (proposal,) = vault.planned(stale.find).proposals
    assert len(proposal.losses) == 3
    assert vault.dreamt(stale.find).texts == {}


def test_what_says_nothing_of_its_own_goes_without_a_loss() -> None:
    files = {"topics/a.md": topic(BODY, "A", superseded_by='"[[b]]"'), "topics/b.md": topic(BODY)}
    vault = Vault(files)
    assert vault.planned(stale.find).proposals[0].losses == ()
    after = vault.dreamt(stale.find)
    assert list(after.texts) == ["topics/b.md"]
    assert not after.planned(stale.find).proposals


def test_a_card_loses_its_fields_too() -> None:
    card = "---\ntype: card\nperson: Sarah\ncity: Lyon\nvalid_to: 2025-12-31\n---\nShe moved.\n"
    (proposal,) = stale.find(Vault({"cards/home/sarah.md": card}).seen())
    assert proposal.losses == ("She moved.", "city: Lyon")


@pytest.mark.parametrize(
    "fields",
    [
        {"valid_to": "2026-11-22"},
        {"stale_after": "2027-01-01"},
        {"stale_after": "soon"},
        {"superseded_by": '"[[gone]]"'},
        {"superseded_by": '"[[a]]"'},
        {"valid_to": "2026-01-31", "pinned": "true"},
    ],
)
def test_what_holds_or_is_pinned_is_left(fields: dict[str, str]) -> None:
    assert not Vault({"topics/a.md": topic(BODY, "A", **fields)}).planned(stale.find).proposals


def episode(
    number: int,
    importance: float = 0.5,
    created: str = "2026-01-01T00:00:00Z",
    distilled: str = "2026-01-02T00:00:00Z",
    session: str = "",
) -> Record:
    """Return an episode of January that topics took up."""
    path = f"agents/ada/episodes/e{number:04}.md"
    return Record(
        path, "", id=f"{number:026}", type="episode", agent="ada", body=f"Said {number}.\n",
        importance=importance, created=created, distilled=distilled, session=session,
    )  # fmt: skip


def shelf(*first: Record) -> Seen:
    """Return an agent that has *first* and a thousand episodes that must stay."""
    rest = [episode(n, importance=0.9) for n in range(1_000)]
    return Seen((), (), (*first, *rest), frozenset(), NOW)


def test_beyond_a_thousand_episodes_those_worth_least_go() -> None:
    seen = shelf(episode(2_001, importance=0.5), episode(2_002, importance=0.4), episode(2_003))
    full = replace(seen, episodes=seen.episodes[:-1])
    assert [(p.path[-8:], p.losses) for p in stale.find(full)] == [
        ("e2002.md", ("Said 2002.",)),
        ("e2001.md", ("Said 2001.",)),
    ]
    assert not list(stale.find(replace(seen, episodes=seen.episodes[2:-1])))


def test_episodes_that_are_new_important_waiting_cited_or_folded_again_stay() -> None:
    seen = shelf(
        episode(2_001, importance=0.7),
        episode(2_002, created="2026-10-01T00:00:00Z"),
        episode(2_003, distilled=""),
        episode(2_004, session="talk"),
        episode(2_005),
    )
    fact = "## Facts\n- So it was. ([[agents/ada/episodes/e2005]])\n"
    notes = Vault({"topics/a.md": topic(fact)}).seen().notes
    paths = frozenset({"agents/ada/sessions/talk.jsonl"})
    assert not list(stale.find(replace(seen, notes=notes, paths=paths)))


def test_importance_falls_with_time_and_rises_with_use_feeling_and_uniqueness() -> None:
    plain = Record("m", "", created="2026-05-01T00:00:00Z", body="The bus is blue.")
    used = Used(5, 4, "2026-11-20T00:00:00Z")
    base = importance.importance(plain, None, NOW, 1.0)
    assert 0 < base < 0.3
    assert importance.importance(plain, used, NOW, 1.0) > base
    assert (
        importance.importance(replace(plain, created="2026-11-21T00:00:00Z"), None, NOW, 1) > base
    )
    assert importance.importance(replace(plain, body="I love it!"), None, NOW, 1.0) > base
    assert importance.importance(plain, None, NOW, 0.5) == pytest.approx(base / 2)
    assert importance.importance(replace(plain, importance=1.0), None, NOW, 1.0) > base
    loud = replace(plain, body="love! " * 50, importance=1.0, created="2026-11-22T10:00:00Z")
    assert importance.importance(loud, replace(used, count=99), NOW, 1.0) <= 1.0


def test_how_many_episodes_stay_and_how_old_one_must_be_to_go_is_the_callers_to_say() -> None:
    seen = Seen((), (), tuple(episode(n) for n in range(1, 6)), frozenset(), NOW)
    assert list(stale.find(seen)) == []
    few = replace(seen, retention=Retention(max_age_days=90, max_episodes=3))
    assert len(list(stale.find(few))) == 2
    young = replace(seen, retention=Retention(max_age_days=10_000, max_episodes=3))
    assert list(stale.find(young)) == []
