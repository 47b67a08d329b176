"""Compactions on real vaults: whole, once, beside other processes and people."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Once
from tests.forked import at_once
from tests.summarizers import Silent
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.api.vault.compactions import Compactions
from vaultmem.config import Config
from vaultmem.errors import DiskRefused, Refused
from vaultmem.maintenance.fsck import Report
from vaultmem.memory import compaction, placement
from vaultmem.memory import remember as memory_remember
from vaultmem.memory.compaction import Past, SummaryProgress, past_queries
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import Summary, Task
from vaultmem.storage.index import record_queries
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store

NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
START = datetime(2026, 1, 1, 8, tzinfo=UTC)
WINDOWS = "immediate_window: 4\nrecent_window: 5"


def opened(path: Path, summarizer: object = None, *, minutes: int = 0) -> Vault:
    """Open the vault at *path* when it is 10:15, or some minutes later."""
    now = NOW + timedelta(minutes=minutes)
    return Vault.open(path, summarizer=summarizer, clock=lambda: now)  # type: ignore[arg-type]


def talk(folder: Path, count: int, first: int = 1) -> Path:
    """Write a conversation of *count* messages, numbered from *first*."""
    file = folder / f"talk-{first}.jsonl"
    lines = (
        {
            "id": n,
            "session": f"s{n // 20}",
            "speaker": ("Ada", "Ben")[n % 2],
            "content": f"On walk {n} we counted {n * 7} herons near Lake {n % 50} and had tea.",
            "at": (START + timedelta(minutes=n)).isoformat(),
        }
        for n in range(first, first + count)
    )
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def _small(place: Path, *, with_git: bool = False) -> None:
    """Make a vault with small windows, and its index."""
    create.create(place, lambda: NOW, with_git=with_git)
    config = place / "config/memory_compaction.md"
    text = config.read_text().replace("immediate_window: 64\nrecent_window: 64", WINDOWS)
    config.write_text(text)
    with opened(place) as vault:
        vault.estimate()


@pytest.fixture
def place(tmp_path: Path, once: Once) -> Path:
    """Copy a vault with small windows and return where it is."""
    return once(_small).write(tmp_path / "place")


def filled(place: Path, count: int) -> None:
    """Import *count* memories into the vault, and compact."""
    with opened(place) as vault:
        vault.import_files("jsonl", [talk(place.parent, count)], agent="ada")


def memory_files(place: Path) -> list[Path]:
    """Return the files of ada's memories, oldest first."""
    return sorted((place / "agents/ada/memories").rglob("*.md"))


def texts(place: Path) -> dict[Path, bytes]:
    """Return every Markdown file there is."""
    return {p: p.read_bytes() for p in place.rglob("*.md") if ".vaultmem" not in p.parts}


def summaries(place: Path) -> list[str]:
    """Return the names of ada's summaries."""
    return sorted(p.name for p in (place / "agents/ada/summaries").glob("*.md"))


def codes(report: Report) -> list[str]:
    """Return what is wrong, in a word each."""
    return sorted(p.code for p in report.problems)


def counted(past: Past, config: Config) -> SummaryProgress:
    """Return how far the memories of *past* are summarized, having looked at each of them."""
    known = compaction.covered(past)
    return SummaryProgress(
        past.agent,
        len(past.memories),
        covered=sum(m.stem in known for m in past.memories),
        pending=len(compaction.pending(past, config)),
        begun=bool(known),
        stale=bool(compaction.stale(past)),
        behind=bool(past.recents) and not compaction.is_whole(past),
    )


def assert_told_once(place: Path) -> None:
    """Check that no memory is told of twice, that none is forgotten, and that fsck agrees."""
    with opened(place) as vault:
        report = vault.fsck()
        past = compaction.past(vault.store.index, "ada")
        config = vault.store.config()
        assert compaction.due(past, config) == ()
        noted = compaction.progress(vault.store.index, "ada", config)
        assert noted == counted(past, config)
    assert report.problems == ()
    counts = Counter(s for r in past.recents for s in r.sources)
    assert set(counts.values()) == {1}
    assert set(counts) <= {m.stem for m in past.memories}


# --- the plain way ----------------------------------------------------------------------------


@pytest.mark.long
def test_a_long_term_summary_that_cannot_be_read_stops_no_short_term_one(place: Path) -> None:
    """It is told of with what to do, stays as it is, and catches up once it can be read."""
    filled(place, 15)
    longterm = place / "agents/ada/summaries/longterm.md"
    sound = longterm.read_text()
    huge = sound.replace("\ntype: summary", f"\nnotes: {'x' * (512 << 10)}\ntype: summary", 1)
    longterm.write_text(huge)
    with opened(place, minutes=1) as vault:
        (told,) = vault.fsck().problems
        assert (told.code, told.message) == ("size", "the frontmatter is larger than 512 KiB")
        assert told.repair.startswith("shorten its frontmatter")
        vault.import_files("jsonl", [talk(place.parent, 10, 16)], agent="ada")
        assert len([name for name in summaries(place) if name.startswith("recent-")]) == 4
        assert codes(vault.fsck()) == ["not-absorbed", "not-absorbed", "size"]
        assert "longterm.md cannot be read as it is" in vault.compact("ada").reason
        assert longterm.read_text() == huge
        with pytest.raises(Refused, match=r"longterm\.md may tell of it, and cannot be read"):
            vault.forget(memory_files(place)[0].stem)
    longterm.write_text(sound)
    with opened(place, minutes=2) as vault:
        vault.compact("ada")
    assert_told_once(place)


@pytest.mark.long
def test_a_vault_fills_and_compacts_in_clean_chunks(place: Path) -> None:
    """At 10, then every 5: immediate + recent + 1, then every window."""
    with opened(place) as vault:
        made = [
            (n, c.start, c.end, c.waterfall)
            for n in range(1, 21)
            for c in [*_compactions(vault, n)]
        ]
    assert made == [(10, 1, 6, False), (15, 7, 11, True), (20, 12, 16, True)]
    assert summaries(place) == [
        "longterm.md",
        "recent-20261120-101500-b.md",
        "recent-20261120-101500-c.md",
        "recent-20261120-101500.md",
    ]
    memory_md = (place / "MEMORY.md").read_text()
    assert [name for name in summaries(place) if f"/{name})" not in memory_md] == []
    assert_told_once(place)


def _compactions(vault: Vault, n: int) -> tuple[compaction.Compaction, ...]:
    vault.store.sync()
    before = {r.path for r in compaction.past(vault.store.index, "ada").recents}
    vault.remember(f"On day {n} there were {n} herons.", agent="ada")
    past = compaction.past(vault.store.index, "ada")
    ordinal = {m.stem: i for i, m in enumerate(past.memories, 1)}
    summary = Summary("", "", "", 1, 1)
    return tuple(
        compaction.Compaction(
            "ada", r.path, None, ordinal[r.sources[0]], ordinal[r.sources[-1]], len(r.sources),
            summary, past.longterm is not None,
        )
        for r in past.recents if r.path not in before
    )  # fmt: skip


def test_forcing_twice_changes_nothing_the_second_time(place: Path) -> None:
    """And says why."""
    filled(place, 12)
    with opened(place) as vault:
        assert [c.count for c in vault.compact("ada", force=True).compactions] == [2]
        before = texts(place)
        again = vault.compact("ada", force=True)
    assert again.compactions == ()
    assert again.reason == "every memory outside the immediate window is summarized already"
    assert texts(place) == before
    assert_told_once(place)


def test_the_log_tells_of_a_compaction(place: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Start, the long-term summary, and for each chunk what was written and its kind."""
    caplog.set_level(logging.INFO, "vaultmem.memory.compaction.runner")
    filled(place, 15)
    assert [r.getMessage().split(":")[0] for r in caplog.records] == [
        "start",
        "long-term updated",
        "short-term updated",
        "complete",
        "short-term updated",
        "complete",
    ]
    text = (place / "agents/ada/summaries/longterm.md").read_text().rpartition("\n---\n")[2]
    assert caplog.records[1].getMessage().endswith(f"longterm.md, {len(text)} characters")


def test_a_name_that_a_person_took_is_left_to_him(place: Path) -> None:
    """Ours gets a suffix."""
    mine = place / "agents/ada/summaries/recent-20261120-101500.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("My own words.\n")
    filled(place, 10)
    assert mine.read_text() == "My own words.\n"
    assert summaries(place) == ["recent-20261120-101500-b.md", "recent-20261120-101500.md"]


@pytest.mark.long
def test_hundreds_of_memories_from_nothing_are_told_of_once(tmp_path: Path) -> None:
    """A backlog of a person's own files is one operation."""
    path = tmp_path / "big"
    create.create(path, lambda: NOW, with_git=False)
    for n in range(720):
        said = memory_remember.MemoryInput(
            f"On walk {n} we counted {n * 7} herons near Lake {n % 50} and had tea.",
            "ada", START + timedelta(minutes=n), speaker=("Ada", "Ben")[n % 2],
        )  # fmt: skip
        change = memory_remember.change(said, f"01KAFXF{n:019}", placement.folder)
        (path / change.path).parent.mkdir(parents=True, exist_ok=True)
        (path / change.path).write_bytes(change.new or b"")
    with opened(path) as vault:
        done = vault.compact("ada")
    assert [c.count for c in done.compactions] == [65, *[64] * 9]
    assert_told_once(path)


# --- when a person moves the ground -----------------------------------------------------------


def test_an_edited_memory_makes_its_summary_stale_until_the_next_compaction(place: Path) -> None:
    """Fsck says so before, and is content after."""
    filled(place, 15)
    target = memory_files(place)[2]
    target.write_text(target.read_text().replace("herons", "egrets"))
    with opened(place) as vault:
        assert codes(vault.fsck()) == ["stale-summary"]
        assert [c.count for c in vault.compact("ada").compactions] == [6]
    assert_told_once(place)


def test_deleted_memories_leave_their_summary(place: Path) -> None:
    """Some of them: it tells of the others. All of them: it goes, and nothing names it."""
    filled(place, 20)
    for target in memory_files(place)[1:3]:
        target.unlink()
    with opened(place) as vault:
        assert codes(vault.fsck()) == ["stale-summary"]
        vault.compact("ada")
    assert_told_once(place)
    for target in memory_files(place)[:4]:
        target.unlink()
    with opened(place) as vault:
        assert codes(vault.fsck()) == ["stale-summary"]
        vault.compact("ada")
    assert len(summaries(place)) == 3
    assert_told_once(place)


@pytest.mark.parametrize("forgetful", [False, True])
def test_a_torn_memory_keeps_its_place_and_its_summary(place: Path, *, forgetful: bool) -> None:
    """Also when the index is deleted; whole again, all is as it was."""
    filled(place, 15)
    torn, whole = memory_files(place)[2], memory_files(place)[2].read_text()
    before = {p.name: p.read_bytes() for p in (place / "agents/ada/summaries").iterdir()}
    torn.write_text(whole[:40])
    if forgetful:
        shutil.rmtree(place / ".vaultmem/index")
    with opened(place) as vault:
        assert codes(vault.fsck()) == ["torn"]
        assert vault.compact("ada", force=True).compactions == ()
    torn.write_text(whole)
    assert {p.name: p.read_bytes() for p in (place / "agents/ada/summaries").iterdir()} == before
    assert_told_once(place)


def test_late_arrivals_are_told_of_by_the_next_compaction(place: Path) -> None:
    """They lie in the middle of what was summarized already."""
    filled(place, 15)
    with opened(place) as vault:
        for n in range(5):
            at = START + timedelta(minutes=2, seconds=n)
            vault.remember(f"Late, number {n}.", agent="ada", at=at)
        newest = compaction.past(vault.store.index, "ada").recents[-1]
    assert [s.rpartition("-number-")[2][:1] for s in newest.sources] == ["0", "1", "2", "3", "4"]
    assert_told_once(place)


# --- two machines -----------------------------------------------------------------------------


def copied(place: Path, to: str) -> Path:
    """Return a clone of the vault, as git would make it: without its workings."""
    target = place.with_name(to)
    shutil.copytree(place, target, ignore=shutil.ignore_patterns(".vaultmem"))
    return target


def carried(source: Path, target: Path) -> None:
    """Bring what is new in *source* to *target*, as a merge does; the long-term one stays."""
    for path in source.glob("agents/**/*.md"):
        there = target / path.relative_to(source)
        if path.name != "longterm.md" and not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, there)


@pytest.mark.long
@pytest.mark.parametrize("more", [0, 2])
def test_two_machines_that_compacted_the_same_agree_after_the_merge(place: Path, more: int) -> None:
    """The same work, or overlapping work: in the end each memory is told of once."""
    with opened(place) as vault:
        vault.import_files("jsonl", [talk(place.parent, 9)], agent="ada")
    other = copied(place, "other")
    for where, minutes, count in ((place, 0, 6), (other, 1, 6 + more)):
        with opened(where, minutes=minutes) as vault:
            if where == other and more:
                config = where / "config/memory_compaction.md"
                config.write_text(
                    config.read_text().replace("recent_window: 5", "recent_window: 7")
                )
            file = talk(place.parent, count, 10)
            vault.import_files("jsonl", [file], agent="ada")
    carried(other, place)
    with opened(place, minutes=2) as vault:
        assert "covered-twice" in codes(vault.fsck())
        vault.compact("ada")
    assert_told_once(place)


# --- while the summarizer works ---------------------------------------------------------------


class Counting(Silent):
    """The offline summarizer, with a list of what it was asked."""

    name = "counting"

    def __init__(self) -> None:
        """Begin without a question."""
        self.asked: list[Task] = []

    def summarize(self, task: Task) -> Summary:
        """Note the task and answer it."""
        self.asked.append(task)
        return Extractive().summarize(task)


def test_a_plan_made_again_asks_nothing_twice(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call costs money; another writer who came first must not."""
    filled(place, 14)
    apply, writers = Store.apply, iter(["Ben", "Cleo"])

    def late(store: Store, *plan: Any) -> None:  # noqa: ANN401  # passed on as it came
        if name := next(writers, None):
            with (place / "MEMORY.md").open("a") as stream:
                stream.write(f"{name} was here.\n")
        apply(store, *plan)

    summarizer = Counting()
    with opened(place, summarizer) as vault:
        monkeypatch.setattr(Store, "apply", late)
        assert len(vault.compact("ada", force=True).compactions) == 1
    assert len(summarizer.asked) == len(set(summarizer.asked)) == 2
    assert (place / "MEMORY.md").read_text().endswith("Ben was here.\nCleo was here.\n")


class Meanwhile(Silent):
    """The offline summarizer, before whose first answers something happens."""

    name = "meanwhile"

    def __init__(self, happens: Callable[[], None], times: int = 1) -> None:
        """Let it happen *times*."""
        self.happens, self.times = happens, times

    def summarize(self, task: Task) -> Summary:
        """Let it happen, then answer."""
        if self.times:
            self.times -= 1
            self.happens()
        return Extractive().summarize(task)


@pytest.mark.long
def test_no_lock_is_held_while_the_summarizer_works(place: Path) -> None:
    """Somebody else remembers something, compacts even, without waiting."""

    def remember() -> None:
        with opened(place) as other:
            other.remember("Something else, meanwhile.", agent="ada", at=START)

    filled(place, 9)
    with opened(place, Meanwhile(remember)) as vault:
        vault.import_files("jsonl", [talk(place.parent, 6, 10)], agent="ada")
    with opened(place) as vault:
        assert len(compaction.past(vault.store.index, "ada").memories) == 16
        vault.compact("ada", force=True)
    assert_told_once(place)


def test_what_another_compacted_meanwhile_is_not_told_of_twice(place: Path) -> None:
    """The plan is made again, over what is left."""

    def compact_too() -> None:
        with opened(place) as other:
            other.compact("ada", force=True)

    filled(place, 9)
    with opened(place, Meanwhile(compact_too)) as vault:
        made = vault.compact("ada", force=True)
    assert made.compactions == ()
    assert_told_once(place)


def test_a_memory_edited_meanwhile_is_told_of_again(place: Path) -> None:
    """The summary told of other bytes, and the next compaction knows."""
    filled(place, 9)
    target = memory_files(place)[0]

    def edit() -> None:
        target.write_text(target.read_text().replace("herons", "egrets"))

    with opened(place, Meanwhile(edit)) as vault:
        vault.compact("ada", force=True)
    with opened(place) as vault:
        assert codes(vault.fsck()) == ["stale-summary"]
        vault.compact("ada")
    assert_told_once(place)


def test_a_memory_torn_before_the_index_knew_is_not_compacted(place: Path) -> None:
    """The living process trusts its folders; the file itself is asked once more."""
    filled(place, 9)
    with opened(place) as vault:
        for folder in filter(Path.is_dir, (place / "agents").rglob("*")):
            os.utime(folder, (1_700_000_000, 1_700_000_000))  # what has rested is trusted
        vault.recall("herons")
        target = memory_files(place)[0]
        whole = target.read_text()
        target.write_text(whole[:40])
        (made,) = vault.compact("ada", force=True).compactions
        assert made.count == 4
    target.write_text(whole)
    with opened(place) as vault:
        vault.compact("ada", force=True)
    assert_told_once(place)


@pytest.mark.long
def test_four_threads_compacting_at_once_tell_of_each_memory_once(place: Path) -> None:
    """Each with a vault of its own."""
    filled(place, 9)
    with opened(place) as vault:
        vault.import_files("jsonl", [talk(place.parent, 60, 10)], agent="bob")
    with opened(place) as vault:
        for n in range(4):
            vault.remember(f"One more, {n}.", agent="ada")
    failed: list[BaseException] = []

    def force() -> None:
        try:
            with opened(place) as mine:
                mine.compact("ada", force=True)
                mine.compact("bob", force=True)
        except BaseException as e:  # noqa: BLE001  # a thread's failure is the test's to show
            failed.append(e)

    threads = [threading.Thread(target=force) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert_told_once(place)


HURRY = """
with Vault.open(path) as vault:
    for n in range(5):
        vault.remember(f"{name} saw {n} herons.", agent="ada")
        vault.compact("ada", force=True)
"""


@pytest.mark.long
def test_four_processes_remembering_and_compacting_tell_of_each_memory_once(place: Path) -> None:
    """Under one clock, in the same seconds."""
    at_once(HURRY, place, "Ada", "Ben", "Cleo", "Dan")
    with opened(place) as vault:
        vault.compact("ada", force=True)
        assert len(compaction.past(vault.store.index, "ada").memories) == 20
    assert_told_once(place)


# --- what it costs --------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    "ask",
    [
        lambda vault: vault.remember("Nothing is due after this.", agent="ada"),
        lambda vault: vault.compact("ada"),
        lambda vault: vault.compactions.is_due("ada"),
        lambda vault: vault.status(),
    ],
)
def test_who_asks_what_is_due_has_no_record_made_of_what_is_remembered(
    place: Path, monkeypatch: pytest.MonkeyPatch, ask: Callable[[Vault], object]
) -> None:
    """As many rows are read of thirty memories as of ninety."""
    seen: list[int] = []
    read = record_queries.RecordQueries._select  # every record passes there

    def counting(self: record_queries.RecordQueries, *what: Any, **how: Any) -> Any:  # noqa: ANN401
        found = read(self, *what, **how)
        seen.append(len(found))
        return found

    costs = []
    for first in (1, 31):
        with opened(place) as vault:
            vault.import_files("jsonl", [talk(place.parent, first * 2 + 28, first)], agent="ada")
            with monkeypatch.context() as patched:
                patched.setattr(record_queries.RecordQueries, "_select", counting)
                seen.clear()
                ask(vault)
            costs.append(sum(seen))
    assert costs[0] == costs[1]


def _committed(place: Path) -> None:
    """Make a vault with small windows whose history git keeps."""
    _small(place, with_git=True)


def _summarized(place: Path) -> dict[str, str]:
    """Return what the summaries say, by name, without what no two vaults have in common."""
    own = re.compile(r"^(?:id: |op: |  - ).*\n", re.MULTILINE)
    folder = place / "agents/ada/summaries"
    return {path.name: own.sub("", path.read_text()) for path in folder.iterdir()}


@pytest.mark.long
@pytest.mark.parametrize("at_once", [1, 3])
def test_a_compaction_by_pages_says_what_one_at_once_would(
    tmp_path: Path, once: Once, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """In one commit that names them all; the long-term summary is made anew but once."""
    made: list[dict[str, str]] = []
    for chunks in (1_000, at_once):
        place = tmp_path / f"by-{len(made)}"
        once(_committed).write(place)
        monkeypatch.setattr(compaction_runner, "_PAGE", chunks)
        with opened(place) as vault:
            before = len(vault.log())
            done = vault.import_files("jsonl", [talk(tmp_path, 40)], agent="ada")
            assert len(vault.log()) == before + 1
            assert len(done.compacted.compactions) == 7
        assert_told_once(place)
        said = ["git", "-C", str(place), "log", "-1", "--format=%B"]
        message = subprocess.run(said, capture_output=True, text=True, check=True).stdout
        assert message.startswith("import(ada): 40 memories; compact(ada): 7 summaries\n")
        assert message.count(" memories, ") == 7
        made.append(_summarized(place))
    assert made[0] == made[1]


@pytest.mark.long
def test_what_a_page_did_not_reach_is_done_by_the_next_compaction(
    tmp_path: Path, once: Once, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is whole by itself: nothing is lost with those that did not come."""
    place = tmp_path / "place"
    once(_committed).write(place)
    monkeypatch.setattr(compaction_runner, "_PAGE", 2)
    applied: list[Plan] = []
    carry_out = Store.apply

    def failing(self: Store, plan: Plan, *how: Any) -> Any:  # noqa: ANN401
        applied.append(plan)
        if sum(it.kind == "compact" for it in applied) == 3:
            raise DiskRefused("the vault", "no room")
        return carry_out(self, plan, *how)

    with monkeypatch.context() as patched, opened(place) as vault:
        patched.setattr(Store, "apply", failing)
        vault.import_files("jsonl", [talk(tmp_path, 40)], agent="ada")
    assert len([name for name in summaries(place) if name.startswith("recent")]) == 4
    with opened(place, minutes=1) as vault:
        assert codes(vault.fsck()) == []
        vault.compact("ada")
    assert_told_once(place)


@pytest.mark.long
def test_who_hears_how_far_it_is_may_stop_it_and_finds_whole_pages(
    tmp_path: Path, once: Once, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, heard = tmp_path / "place", []
    once(_committed).write(place)
    monkeypatch.setattr(compaction_runner, "_PAGE", 2)

    def press_at_five(done: int, total: int) -> None:
        heard.append((done, total))
        if done == 5:
            raise KeyboardInterrupt

    with opened(place) as vault:
        with monkeypatch.context() as patched:
            patched.setattr(Compactions, "follow_up", lambda *_: compaction_runner.Outcome(None))
            vault.import_files("jsonl", [talk(tmp_path, 40)], agent="ada")
        with pytest.raises(KeyboardInterrupt):
            vault.compact("ada", progress=press_at_five)
    assert heard == [(0, 2), (1, 2), (2, 2), (2, 4), (3, 4), (4, 4), (4, 6), (5, 6)]
    assert len([name for name in summaries(place) if name.startswith("recent")]) == 4
    with opened(place, minutes=1) as vault:
        vault.compact("ada")
    assert_told_once(place)


# --- what people write meanwhile ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["longterm.md", "recent"])
def test_a_line_written_into_a_summary_since_the_last_look_stays(place: Path, name: str) -> None:
    """In place, so that no folder tells: the plan is made again with what the file says now."""
    filled(place, 30)
    path = max((place / "agents/ada/summaries").glob(f"{name}*"))
    newest = max((place / "agents/ada/summaries").glob("recent*")).read_text()
    with opened(place, minutes=1) as vault:
        memory = next(m for m in memory_files(place) if m.stem in newest)
        memory.write_text(f"{memory.read_text()}And a stork.\n")  # so the short-term one is stale
        vault.store.sync()
        with path.open("a") as file:
            file.write("A person's own line.\n")
        compaction_runner.run(
            vault.store, "ada", Extractive(), compaction_runner.Wanted(force=True)
        )
    assert path.read_text().splitlines().count("A person's own line.") == 1


def test_a_persons_file_that_has_the_name_of_the_summary_is_told_below_it(place: Path) -> None:
    """Nobody's words go because ours want their name."""
    path = place / "agents/ada/summaries/longterm.md"
    path.parent.mkdir(parents=True)
    path.write_text("My plans for the garden.\n")
    filled(place, 30)
    said = path.read_text()
    assert "My plans for the garden.\n" in said
    assert "herons" in said.partition("My plans for the garden.\n")[2]


@pytest.mark.long
@pytest.mark.parametrize("line", ["A person's own line.\n", "<private>pin 1234</private>\n"])
def test_a_summary_that_goes_takes_no_word_of_a_persons_along(tmp_path: Path, line: str) -> None:
    place = tmp_path / "place"
    create.create(place, lambda: NOW)
    config = place / "config/memory_compaction.md"
    text = config.read_text().replace("immediate_window: 64\nrecent_window: 64", WINDOWS)
    config.write_text(text)
    filled(place, 10)
    (summary,) = (place / "agents/ada/summaries").glob("recent-*.md")
    memories = memory_files(place)[:6]
    with opened(place) as vault:
        for memory in memories:  # one by one: a crowd that is gone at once stops every write
            memory.unlink()
            vault.store.sync()
        with summary.open("a") as file:
            file.write(f"\n{line}")
        made = vault.compact("ada")
    said = ["git", "-C", str(place), "log", "-p"]
    history = subprocess.run(said, capture_output=True, text=True, check=True).stdout
    left = summary.read_text() if summary.exists() else ""
    assert line.strip() in left + history
    assert "marked private" in made.reason or not left


@pytest.mark.long
def test_pages_have_each_summary_once_with_the_memories_that_it_names(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that tell of the same stand together, wherever they come in time."""
    filled(place, 60)
    first, *_, last = summaries(place)[1:]
    copied = (place / f"agents/ada/summaries/{first}").read_text()
    named = re.search(r'  - "\[\[.*\]\]"\n', copied)
    path = place / f"agents/ada/summaries/{last}"
    path.write_text(path.read_text().replace("sources:\n", f"sources:\n{named and named[0]}"))
    monkeypatch.setattr(past_queries, "_TOGETHER", 2)
    with opened(place) as vault:
        vault.store.sync()
        whole = compaction.past(vault.store.index, "ada")
        rivals, *pages = compaction.pages(vault.store.index, "ada")
    assert {recent.path.rpartition("/")[2] for recent in rivals.recents} == {first, last}
    assert sorted(r.id for page in (rivals, *pages) for r in page.recents) == [
        recent.id for recent in whole.recents
    ]
    assert max(len(page.recents) for page in pages) == len(rivals.recents) == 2
    for page in (rivals, *pages):
        stems = compaction.covered(page)
        assert page.memories == tuple(m for m in whole.memories if m.stem in stems)


@pytest.mark.long
def test_what_is_told_again_knows_its_places_without_what_goes(place: Path) -> None:
    filled(place, 60)
    gone = memory_files(place)[17]
    with opened(place) as vault:
        whole = compaction.past(vault.store.index, "ada")
        page = compaction.telling(vault.store.index, "ada", [gone.stem])
    assert [gone.stem in recent.sources for recent in page.recents].count(True) == 1
    assert 1 < len(page.memories) < len(whole.memories)
    left = page.without({str(gone.relative_to(place))})
    every = whole.without({str(gone.relative_to(place))}).memories
    places = {m.stem: n for n, m in enumerate(every, 1)}
    for memory in left.memories:
        assert left.ordinals[memory.stem] == places[memory.stem]


@pytest.mark.long
def test_where_nothing_is_due_nothing_is_loaded_that_tells(vault: Vault) -> None:
    """Half a second of patterns, of each command and of each round of the daemon."""
    vault.remember("The kettle is blue.", agent="ada")
    code = (
        "import sys; from vaultmem import Vault\n"
        "with Vault.open(sys.argv[1]) as vault: vault.compact('ada')\n"
        "print(*sys.modules)"
    )
    argv = [sys.executable, "-c", code, str(vault.path)]
    loaded = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.split()
    assert "vaultmem.memory.compaction.runner" in loaded
    told = {f"vaultmem.{it}" for it in ("nlp.summarization.extracts", "nlp.extraction.distillation",
            "nlp.summarization.guarded", "memory.compaction.cascade")}  # fmt: skip
    assert told.isdisjoint(loaded)
