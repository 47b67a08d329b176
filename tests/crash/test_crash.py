"""A sample of the crash campaign: kills, power losses, refusals, and every mutant.

`python tests/crash/campaign.py all` is the whole of it; `--hypothesis-profile thorough` takes four
times as many points.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import full_disk
from tests.crash import campaign, killing, mutants
from tests.crash.campaign import Bench, Row
from vaultmem import Vault
from vaultmem.errors import DiskRefused, IndexFailed
from vaultmem.maintenance.dream.service import Dreams
from vaultmem.maintenance.dream.types import Gate
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.storage.writer import Writer

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(600)]

_SEED = 20261120
_TIMES = settings().max_examples // 100
_PLAIN = (
    "remember without git",
    "import without git",
    "compact without git",
    "turns without git",
    "create, update, delete without git",
)
_WITH_GIT = (
    "remember beside a person's edits",
    "compact --force",
    "undo a compaction",
    "undo a remember",
    "tick after a person's edits",
    "turns",
    "create, update, delete",
)
_KNOWLEDGE = ("dream", "card", "forget", "correct")
_KNOWLEDGE_WITHOUT_GIT = ("card without git", "forget without git")
_OTHERS = (
    "adopt",
    "hook and intake",
    "working memory",
    "share",
    "review",
    "files by path",
    "fold",
    "sync",
    "hooks",
    "chat",
    "export",
    "skill",
    "ticked review",
    "ticked dream",
)
_INIT = ("init", "init without git", "init beside a person's files")


@pytest.fixture
def place() -> Iterator[Bench]:
    """Yield a bench with a fixed seed."""
    with campaign.bench(_SEED) as made:
        yield made


def test_what_a_person_wrote_around_a_change_and_committed_is_waited_for_no_more(
    place: Bench,
) -> None:
    (prepared,) = place.prepare(["create, update, delete"])
    last = killing.Point(len(prepared.calls) - 20, edited=True)
    assert killing.strike(prepared, last, next(place.arenas("edited"))).faults == ()


def _wrong(rows: Sequence[Row]) -> list[str]:
    return list(campaign.faults(rows))


def test_kills_without_git_leave_every_vault_whole(place: Bench) -> None:
    """Three kills each of what is done in vaults that have no repository."""
    assert _wrong(campaign.kill(place, 15 * _TIMES, _PLAIN)) == []


def test_kills_with_git_leave_vault_and_history_whole(place: Bench) -> None:
    """Two kills each beside a person's staged and unstaged work."""
    assert _wrong(campaign.kill(place, 14 * _TIMES, _WITH_GIT)) == []


def test_kills_of_init_leave_a_vault_or_none(place: Bench) -> None:
    """Kills while a folder becomes a vault."""
    assert _wrong(campaign.kill(place, 6 * _TIMES, _INIT)) == []


def test_kills_of_long_work_leave_every_vault_whole(place: Bench) -> None:
    """Kills of the 129th memory with its compaction, and of a long import."""
    assert _wrong(campaign.kill(place, 4 * _TIMES, ("remember the 129th", "import 150"))) == []


def test_kills_of_what_agents_hooks_and_machines_do_leave_every_vault_whole(place: Bench) -> None:
    """Two kills each of all that goes on around a vault; purges have the campaign alone."""
    assert _wrong(campaign.kill(place, 2 * len(_OTHERS), _OTHERS)) == []


def test_kills_of_dream_card_forget_and_correct_leave_every_vault_whole(place: Bench) -> None:
    """Two kills each of all that changes what is known."""
    names = (*_KNOWLEDGE, *_KNOWLEDGE_WITHOUT_GIT)
    assert _wrong(campaign.kill(place, 12 * _TIMES, names)) == []


def test_power_loss_in_what_is_known_leaves_every_vault_whole(place: Bench) -> None:
    """Two states each in the middle of a dream, a card, a forgetting, a correction."""
    assert _wrong(campaign.cut(place, 8 * _TIMES, _KNOWLEDGE)) == []


def test_a_version_set_aside_in_the_inbox_is_no_summary_of_its_agent(vault: Vault) -> None:
    """It is its person's: no compaction redoes it, or lets it go."""
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("_window: 64", "_window: 4"))
    made = [vault.remember(f"On walk {n} we saw {n * 3} herons.", agent="ada") for n in range(9)]
    (recent,) = (vault.path / "agents/ada/summaries").glob("recent-*.md")
    aside = vault.path / "inbox/conflict-a-recent.md"
    aside.parent.mkdir(exist_ok=True)
    aside.write_bytes(recent.read_bytes())
    first = vault.path / made[0].path
    first.write_text(first.read_text() + "And a stork.\n")
    vault.tick()
    assert aside.exists()


def test_power_loss_leaves_every_vault_whole(place: Bench) -> None:
    """Forty states that a disk may be in after the power went."""
    assert _wrong(campaign.cut(place, 40 * _TIMES, _PLAIN)) == []


def test_an_fsync_that_failed_is_never_trusted(place: Bench) -> None:
    """After an EIO nothing is promised, and the vault is whole once it is repaired."""
    assert _wrong([campaign.failed_fsyncs(place, 3 * _TIMES)]) == []


def test_every_mutant_of_the_protocol_is_caught(place: Bench) -> None:
    """The proof is worth something: it finds what is broken on purpose."""
    caught = campaign.caught(place, 14, once=True)
    assert len(caught) == len(mutants.MUTANTS) + len(mutants.OF_THE_LEDGER) + 6
    assert [name for name, (bad, _) in caught.items() if not bad] == []


def test_a_disk_that_refuses_gets_a_typed_answer(place: Bench) -> None:
    """Two errors of the disk each: each is a VaultError, and trying again succeeds."""
    answers = campaign.refuse(place, 20 * _TIMES, (*_PLAIN, "compact --force", *_KNOWLEDGE))
    assert _wrong([a.row for a in answers]) == []
    assert [where for a in answers for where in a.untyped] == []


def test_a_full_disk_gets_a_true_answer(place: Bench) -> None:
    """Fifteen rooms left on a real disk: what is said is true; asked again it is there once."""
    if not full_disk.is_possible(place.folder):
        pytest.skip("no tmpfs can be mounted here")
    answers = campaign.fill(place, 15, ("remember without git", "turns", "task", "card", "correct"))
    assert _wrong([a.row for a in answers]) == []
    assert [where for a in answers for where in a.untyped] == []


# --- what is done stays done, and what is not says so -------------------------------------------


def test_probes_that_cannot_be_asked_refuse_the_dream(vault: Vault) -> None:
    """A dream whose probes meet a bad disk leaves the vault as it was."""
    (vault.path / "topics").mkdir(exist_ok=True)
    for name in ("deploy", "notes"):
        text = f"---\ntype: topic\ntitle: {name}\n---\n- Deploys go out on Tuesdays at 10:00.\n"
        (vault.path / f"topics/{name}.md").write_text(text)

    def gate(_changed: object, _lost: object) -> Gate:
        raise IndexFailed("the index", "disk I/O error", damaged=False)

    with pytest.raises(DiskRefused, match=r"disk I/O error; nothing was changed"):
        Dreams(vault.store, Extractive, gate).plan()
    assert not list(vault.path.glob("inbox/dream-*.md"))


def test_a_forgetting_is_done_though_the_old_inodes_must_wait(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever hears of an error forgets again, and finds nothing: so there is none."""
    made = vault.remember("The umbrella was left in Graz.", agent="ada")

    def tidy(_door: Writer, quiet: float) -> None:
        raise PermissionError(13, "Permission denied", f"{quiet}")

    monkeypatch.setattr(Writer, "sweep", tidy)
    assert vault.forget(made.id).commit
    assert not (vault.path / made.path).exists()


def test_a_correction_stands_though_it_cannot_be_told_again(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The summaries wait for the next compaction; correcting twice would correct a correction."""
    made = vault.remember("The shop opens on Monday.", agent="ada")

    def run(*_args: object, **_more: object) -> None:
        raise DiskRefused("agents/ada/summaries/longterm.md", "No space left on device")

    monkeypatch.setattr(compaction_runner, "run", run)
    done = vault.correct(made.id, "The shop opens on Tuesday.")
    assert done.commit
    assert done.derived == ()
