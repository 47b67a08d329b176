"""Memories that nobody asks for are put away whole, when a person ticks it, and come back."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.at_rest import let_rest
from tests.conftest import Clock
from tests.dreamt import NOW, said
from tests.dreamt import Vault as Seen
from tests.work import folders_opened
from vaultmem import Vault
from vaultmem.api import housekeeping
from vaultmem.errors import BadInput, Refused
from vaultmem.maintenance.dream.detectors import unrecalled
from vaultmem.maintenance.dream.planner import HIDES, is_safe, needs_a_person
from vaultmem.maintenance.dream.types import Move, Used
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.storage import ulids

pytestmark = pytest.mark.without_history

GREEN = "The umbrella of Ottokar is green."
THANKS = "Thank you so much!"
WISH = "Have a wonderful weekend!"
LATER = NOW + timedelta(60)
"""114 days after the first of August."""


def test_no_pointer_leads_to_where_a_memory_was(vault: Vault) -> None:
    """`MEMORY.md` is brought up to date by the operation that moves it."""
    path = vault.remember("The kettle stands in the yard.", agent="ada", importance=1.0).path
    vault.remember("The tea is in the tin.", agent="ada", importance=1.0)
    housekeeping.once(vault.store, Extractive())
    assert path in (vault.path / "MEMORY.md").read_text()
    vault.memories.archive([path])
    assert [p.code for p in vault.fsck().problems] == []


@pytest.mark.with_history
def test_who_archives_looks_into_no_folder_that_rests(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process that begins; what a person just did to the memory itself counts."""
    at = vault.store.clock() - timedelta(days=300)
    path, kept = (
        vault.remember(f"The kettle stands in the {it}.", agent="ada", at=at).path
        for it in ("yard", "shed")
    )
    let_rest((vault.path / path).parents[:3])  # a folder that was just written is looked at again
    vault.status()
    opened = folders_opened(monkeypatch)
    with Vault.open(vault.path, clock=vault.store.clock) as begun:
        file = vault.path / kept
        file.write_text(file.read_text().replace("type: memory", "type: record"))
        with pytest.raises(Refused, match="is not a memory of an agent"):
            begun.memories.archive([kept])
        assert not [it for it in opened if it.startswith("agents/ada/memories/")]
        (there,) = begun.memories.archive([path]).paths
    assert "in the yard" in (vault.path / there).read_text()


@pytest.mark.with_history
def test_an_edited_memory_gets_no_trust_by_being_archived_again(vault: Vault) -> None:
    """Taken out of the archive by hand, edited, and archived: nobody vouched for what it says."""
    path = vault.remember("The kettle stands in the yard.", agent="ada", source="user").path
    (there,) = vault.memories.archive([path]).paths
    text = (vault.path / there).read_text().replace("yard", "garden")
    (vault.path / there).unlink()
    (vault.path / path).write_text(text)
    vault.memories.archive([path])
    assert [p.code for p in vault.fsck().problems] == ["edited"]
    vault.store.index.rebuild()
    vault.store.sync()
    (record,) = vault.store.index.at([there])
    assert (record.trust, record.claimed) == ("agent", "user")


def test_what_was_forgotten_comes_back_by_no_copy_in_the_archive(vault: Vault) -> None:
    """A file that was put aside before, under another id and name."""
    path = vault.remember("The kettle stands in the yard.", agent="ada").path
    (there,) = vault.memories.archive([path]).paths
    copy = vault.path / "agents/ada/archive/copy.md"
    text = (vault.path / there).read_text()
    vault.forget(there)
    copy.write_text(text.replace(text[text.index("id: ") + 4 :][:26], "01KAFZ6Q6Y3J6V8B7N6W7Q3KZM"))
    with pytest.raises(Refused, match="this was forgotten"):
        vault.memories.unarchive(["agents/ada/archive/copy.md"])
    assert copy.exists()


def test_what_was_remembered_again_stays_archived(vault: Vault) -> None:
    """Until the other is archived: the same words would be recalled twice."""
    old = vault.remember("The kettle stands in the yard.", agent="ada").path
    (there,) = vault.memories.archive([old]).paths
    new = vault.remember("The kettle stands in the yard.", agent="ada").path
    with pytest.raises(Refused, match=f"is in the vault again as {new}: `vaultmem archive {new}`"):
        vault.memories.unarchive([there])
    vault.memories.archive([new])
    assert vault.memories.unarchive([there]).paths == (old,)


def test_a_month_that_nobody_recalled_is_one_box_for_a_person() -> None:
    vault = Seen(said(THANKS, "Ok", GREEN), now=LATER)
    (proposal,) = vault.planned(unrecalled.find).proposals
    assert proposal.op == "archive"
    assert "ada has 2 memories of 2026-08 that nobody has recalled for 90 days" in proposal.reason
    assert f'"{THANKS}"; "Ok"' in proposal.reason
    assert [e.to for e in proposal.edits if isinstance(e, Move)] == [
        "agents/ada/archive/2026/08/s01.md",
        "agents/ada/archive/2026/08/s02.md",
    ]
    assert needs_a_person(proposal)
    assert not is_safe(proposal)


def _id() -> str:
    return ulids.first_at(2e9 + 1)[:22] + "0001"


@pytest.mark.parametrize(
    ("fields", "uses", "goes"),
    [
        ({}, {}, True),
        ({}, {_id(): Used(1, 1, "2026-08-20T10:00:00Z")}, True),
        ({}, {_id(): Used(1, 1, "2026-12-20T10:00:00Z")}, False),
        ({}, {_id(): Used(9, 5, "2026-08-20T10:00:00Z")}, False),
        ({"importance": "0.69"}, {}, True),
        ({"importance": "0.7"}, {}, False),
        ({"tags": "instruction"}, {}, False),
        ({"origin": "chat/7"}, {}, False),
        ({"created": "2026-12-20T10:00:00Z"}, {}, False),
    ],
)
def test_what_was_recalled_is_important_or_new_here_stays(
    fields: dict[str, str], uses: dict[str, Used], *, goes: bool
) -> None:
    """An importer brought the one with an origin: its id is of the day on which it came."""
    (path, text), *_ = said(THANKS, **fields).items()
    text = text.replace("created: 2026-08-01T10:00:00Z\n", "", 1) if "created" in fields else text
    vault = Seen({path: text}, uses, now=LATER)
    assert bool(vault.planned(unrecalled.find).proposals) is goes


@pytest.mark.parametrize(
    ("text", "goes"),
    [
        ("ok", True),
        ("Ok, got it. Thanks a lot for your help!", True),
        ("Good morning! How are you today?", True),
        ("I'm a bit tired today.", True),
        ("Danke schön!", True),
        ("\u597d\u7684\uff0c\u8c22\u8c22\uff01", True),
        ("\U0001f44d", True),
        ("My grandmother died on Sunday; I am terribly sad!", False),
        ("Mara is allergic to penicillin!", False),
        ("The landlord is Mrs. Okafor.", False),
        ("The lease ends in May 2031.", False),
        ("I'm so sorry, my father is ill.", False),
        ("He has cancer.", False),
        ("Good morning, we decided against the loan.", False),
        ("I am tired of Berlin.", False),
        ("Thanks, I prefer tea.", False),
        ("Yes.", False),
        ("7", False),
        ("\u6211\u5bf9\u9752\u9709\u7d20\u8fc7\u654f", False),
    ],
)
def test_courtesies_alone_go(text: str, *, goes: bool) -> None:
    assert bool([*unrecalled.find(Seen(said(text), now=LATER).seen())]) is goes


def test_as_many_days_as_the_caller_says() -> None:
    seen = Seen(said(THANKS), now=LATER).seen()
    patient = replace(seen, retention=replace(seen.retention, max_age_days=200))
    assert (len(list(unrecalled.find(seen))), len(list(unrecalled.find(patient)))) == (1, 0)


# --- on a vault -------------------------------------------------------------------------------


@pytest.fixture
def path(vault: Vault, clock: Clock) -> str:
    """Return where a memory lies that was never recalled in a hundred days."""
    made = vault.remember(GREEN, agent="ada", source="user")
    clock.advance(days=100)
    return made.path


@pytest.fixture
def wish(vault: Vault, clock: Clock) -> str:
    """Return where a courtesy lies that was never recalled in a hundred days."""
    made = vault.remember(WISH, agent="ada", source="user")
    clock.advance(days=100)
    return made.path


def told(vault: Vault, text: str = GREEN) -> tuple[int, bool]:
    """Return how often it is recalled, and whether a context has it."""
    return len(vault.recall(text).hits), text in vault.context(text).text


def test_what_says_something_is_hidden_by_nobody_who_wants_all(
    vault: Vault, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan may be older than what it is judged by; whoever ticks it hears what recall loses."""
    vault.remember(GREEN, agent="ada", source="user")
    clock.advance(days=100)
    with monkeypatch.context() as patched:
        patched.setattr(unrecalled, "is_trivial", lambda _: True)
        planned = vault.dream()
    assert f"\n   {GREEN}\n" in (vault.path / planned.note).read_text()
    assert planned.gate.probes == 1
    done = vault.dreams.apply(everything=True)
    assert [s.reason for s in done.skipped] == [HIDES]
    with pytest.raises(Refused, match="recall would answer 0% of 1 probes"):
        vault.dreams.apply(ids=[p.id for p in planned.proposals])
    assert told(vault) == (1, True)


@pytest.mark.long
@pytest.mark.with_history
def test_what_is_ticked_is_moved_as_it_is_and_undone_like_all_else(vault: Vault, wish: str) -> None:
    path, before = wish, (vault.path / wish).read_bytes()
    planned = vault.dream()
    assert "No probe was asked" in (vault.path / planned.note).read_text()
    vault.dreams.apply(everything=True)
    assert told(vault, WISH) == (0, False)
    (there,) = vault.memories.archived()
    assert there.path == path.replace("/memories/", "/archive/")
    assert (vault.path / there.path).read_bytes() == before
    assert not (vault.path / path).exists()
    assert vault.fsck().ok
    assert not vault.dream().proposals
    vault.dreams.undo()
    assert told(vault, WISH) == (1, True)
    assert (vault.path / path).read_bytes() == before


def test_what_is_brought_back_is_left_alone_for_as_long_again(
    vault: Vault, wish: str, clock: Clock
) -> None:
    """Where the counts of recalls are lost, its age alone counts again."""
    (moved,) = vault.memories.archive([wish]).paths
    with pytest.raises(Refused, match="archived already"):
        vault.memories.archive([moved])
    assert vault.memories.unarchive([moved]).paths == (wish,)
    assert told(vault, WISH) == (1, True)
    clock.advance(days=80)
    assert not vault.dream().proposals
    for file in (vault.path / ".vaultmem/index").glob("uses.sqlite3*"):
        file.unlink()
    assert [p.op for p in vault.dream().proposals] == ["archive"]
    with pytest.raises(BadInput, match="no memory"):
        vault.memories.unarchive(["nothing-like-that"])


def test_an_archived_correction_still_corrects(vault: Vault, path: str) -> None:
    made = vault.correct(path, "The umbrella of Ottokar is blue.")
    vault.memories.archive([made.path])
    assert [h.stale for h in vault.recall("umbrella of Ottokar").hits] == [True]
    assert not told(vault)[1]


def test_what_is_archived_is_neither_imported_again_nor_out_of_reach_of_forgetting(
    vault: Vault, tmp_path: Path
) -> None:
    chat = tmp_path / "chat.jsonl"
    chat.write_text(f'{{"id": "1", "session": "a", "speaker": "Mara", "content": "{GREEN}"}}\n')
    vault.import_files("jsonl", [chat], agent="ada")
    (hit,) = vault.recall("umbrella").hits
    vault.memories.archive([hit.id])
    assert vault.import_files("jsonl", [chat], agent="ada").done.imported == 0
    (found,) = vault.forgetting.find(query="umbrella Ottokar")
    vault.forget(found.id)
    assert vault.memories.archived() == ()


def test_summaries_go_on_telling_of_what_is_archived(vault: Vault) -> None:
    """Nothing is summarized anew for it."""
    config = vault.path / "config/memory_compaction.md"
    text = config.read_text().replace("immediate_window: 64", "immediate_window: 2")
    config.write_text(text.replace("recent_window: 64", "recent_window: 2"))
    paths = [vault.remember(f"Cup {n} costs {n} euros.", agent="ada").path for n in range(8)]
    vault.compact()
    before = {p: p.read_bytes() for p in vault.path.glob("agents/ada/summaries/*.md")}
    assert before
    vault.memories.archive(paths[:2])
    assert not vault.compact().compactions
    assert {p: p.read_bytes() for p in before} == before
    assert vault.fsck().ok


def test_a_person_archives_by_moving_the_file(vault: Vault, path: str) -> None:
    there = vault.path / path.replace("/memories/", "/archive/")
    there.parent.mkdir(parents=True)
    shutil.move(vault.path / path, there)
    vault.tick()
    assert told(vault) == (0, False)
    assert [m.path for m in vault.memories.archived("ada")] == [
        path.replace("/memories/", "/archive/")
    ]
    assert vault.fsck().ok


def test_what_is_archived_is_shared_no_more_by_anybody(vault: Vault, path: str) -> None:
    """Nor again when it is brought back; what else is shared stays."""
    other = vault.remember("The kettle of Ottokar whistles.", agent="ada", source="user").path
    for it in (path, other):
        vault.share(it)
    assert GREEN in vault.context("umbrella").text
    assert vault.memories.archive([path]).withdrawn == ("topics/shared.md",)
    assert not [it for it in vault.recall("umbrella Ottokar").hits if "green" in it.snippet]
    assert GREEN not in vault.context("umbrella").text
    assert [it.source for it in vault.shares.offers()] == [other]
    vault.memories.unarchive([path.replace("/memories/", "/archive/")])
    assert [it.source for it in vault.shares.offers()] == [other]
    assert vault.memories.archive([path]).withdrawn == ()
    assert vault.fsck().ok
