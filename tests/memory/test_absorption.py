"""A long-term summary names the last that it absorbed, and counts those before them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cases import rarely
from tests.conftest import Template
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.documents import frontmatter
from vaultmem.maintenance.provenance import tracing, unsupported
from vaultmem.memory import compaction, memory_index
from vaultmem.memory.compaction import absorption
from vaultmem.nlp.text import analysis
from vaultmem.records import Record
from vaultmem.storage import files, reader
from vaultmem.storage.index import record_queries, summary_tally

pytestmark = pytest.mark.without_history

NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
LONGTERM = "agents/ada/summaries/longterm.md"
NAMED = 3


@pytest.fixture(autouse=True)
def _few_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let three be named: vaults of thousands of summaries take long to make."""
    monkeypatch.setattr(absorption, "_NAMED", NAMED)


@pytest.fixture(scope="module")
def filled_before() -> dict[int, Template]:
    """Return vaults by how many memories they have, once they were made."""
    return {}


@pytest.fixture
def place(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    filled_before: dict[int, Template],
) -> Path:
    """Return a vault with small windows, without a history, with as many memories as are asked."""
    count = getattr(request, "param", 0)
    if count not in filled_before:
        made = small(tmp_path_factory.mktemp("filled") / "place")
        if count:
            filled(made, count)
        filled_before[count] = Template(made)
    return filled_before[count].write(tmp_path / "place")


def small(path: Path, *, with_git: bool = False) -> Path:
    """Make a vault with small windows at *path*, and return that."""
    create.create(path, lambda: NOW, with_git=with_git)
    config = path / "config/memory_compaction.md"
    windows = "immediate_window: 2\nrecent_window: 3"
    config.write_text(
        config.read_text().replace("immediate_window: 64\nrecent_window: 64", windows)
    )
    if with_git:
        subprocess.run(["git", "-C", path, "commit", "-qam", "Small windows"], check=True)
    return path


def filled(place: Path, count: int, first: int = 1) -> None:
    """Import *count* memories into the vault, from number *first* on, and compact."""
    file = place.parent / f"talk-{first}.jsonl"
    lines = (
        {"id": n, "speaker": "Ada", "content": f"On walk {n} we saw {n * 7} herons at Lake {n}.",
         "at": (NOW + timedelta(days=n)).isoformat()}
        for n in range(first, first + count)
    )  # fmt: skip
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with opened(place) as vault:
        vault.import_files("jsonl", [file], agent="ada")


def opened(place: Path) -> Vault:
    """Open the vault at *place*."""
    return Vault.open(place, clock=lambda: NOW)


def longterm(vault: Vault) -> Record:
    """Return the long-term summary as its file is now."""
    return reader.record(LONGTERM, files.content((vault.path / LONGTERM).read_bytes()))


def short_term(place: Path) -> list[Path]:
    """Return the short-term summaries, oldest first."""

    def age(path: Path) -> object:
        return frontmatter.fields(frontmatter.parse(path.read_text()))["id"]

    return sorted((place / LONGTERM).parent.glob("recent-*.md"), key=age)  # type: ignore[arg-type]


def memory_files(place: Path) -> list[Path]:
    """Return the files of ada's memories, oldest first."""
    return sorted((place / "agents/ada/memories").rglob("*.md"))


def codes(place: Path) -> list[tuple[str, str]]:
    """Return what fsck finds, with the paths."""
    with opened(place) as vault:
        return [(p.code, p.path) for p in vault.fsck().problems]


def whole(place: Path) -> bool:
    """Compact what is due, and tell whether all is told of as it should be."""
    with opened(place) as vault:
        vault.compact("ada")
        past = compaction.past(vault.store.index, "ada")
        at_least = absorption.count(longterm(vault)) == len(past.recents) - 1
        return at_least and absorption.is_whole(past) and not vault.fsck().problems


@pytest.mark.parametrize("place", [30], indirect=True)
def test_the_last_are_named_and_the_others_counted(place: Path) -> None:
    """However many there are, and by a sum that anybody can work out."""
    with opened(place) as vault:
        it = longterm(vault)
        recents = compaction.past(vault.store.index, "ada").recents
    assert [f"{name}.md" for name in it.sources] == [r.path for r in recents[-1 - NAMED : -1]]
    assert it.earlier_summaries == len(recents) - 1 - NAMED == 5
    assert whole(place)
    before = (place / LONGTERM).read_text().partition("\n---\n")[0].count("\n")
    filled(place, 30, first=31)
    assert (place / LONGTERM).read_text().partition("\n---\n")[0].count("\n") == before
    assert whole(place)


def test_one_that_names_each_is_read_and_counts_from_the_next_on(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As all did before they counted."""
    with monkeypatch.context() as before:
        before.setattr(absorption, "_NAMED", 1_000)
        filled(place, 30)
    with opened(place) as vault:
        assert (len(longterm(vault).sources), longterm(vault).earlier_summaries) == (8, 0)
    assert codes(place) == []
    filled(place, 3, first=31)
    with opened(place) as vault:
        assert (len(longterm(vault).sources), longterm(vault).earlier_summaries) == (NAMED, 6)
    assert whole(place)


@pytest.mark.long
@pytest.mark.parametrize("place", [30], indirect=True)
def test_an_earlier_one_that_is_gone_is_missed_and_what_it_told_is_told_again(
    place: Path,
) -> None:
    """Its memories are summarized anew, and the long-term summary is made of all there are."""
    short_term(place)[1].unlink()
    assert ("dangling-source", LONGTERM) in codes(place)
    assert whole(place)


@pytest.mark.parametrize("place", [30], indirect=True)
def test_an_earlier_one_in_place_of_another_is_noticed(place: Path) -> None:
    """They are as many: the sum tells."""
    file = short_term(place)[1]
    file.write_text(re.sub("(?m)^id: .*", f"id: 0{'1' * 25}", file.read_text()))
    assert ("dangling-source", LONGTERM) in codes(place)
    assert whole(place)


@pytest.mark.long
def test_one_that_came_late_is_absorbed(place: Path, tmp_path: Path) -> None:
    """Another machine made it, before those that are named here."""
    filled(place, 8)
    other = tmp_path / "other"
    shutil.copytree(place, other)
    filled(other, 3, first=1_001)
    filled(place, 30, first=9)
    for path in other.glob("agents/ada/**/*.md"):
        there = place / path.relative_to(other)
        if not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, there)
    assert whole(place)
    assert codes(place) == []


@pytest.mark.long
@pytest.mark.parametrize("which", [1, *rarely(5)])
@pytest.mark.parametrize("place", [40], indirect=True)
def test_an_earlier_one_whose_memory_is_gone_is_told_again(place: Path, which: int) -> None:
    """And so is the long-term one, which keeps as many."""
    with opened(place) as vault:
        count = absorption.count(longterm(vault))
    memory_files(place)[which].unlink()
    assert whole(place)
    with opened(place) as vault:
        assert absorption.count(longterm(vault)) == count
    assert f"Lake {which + 1}." not in (place / LONGTERM).read_text()


@pytest.mark.long
@pytest.mark.parametrize("place", [40], indirect=True)
def test_an_earlier_one_whose_memories_are_forgotten_is_not_counted(place: Path) -> None:
    """And the long-term summary is made without it."""
    first = memory_files(place)[:4]
    with opened(place) as vault:
        count = absorption.count(longterm(vault))
        for file in first:
            vault.forget(file.relative_to(place).as_posix())
        assert absorption.count(longterm(vault)) == count - 1
    assert "Lake 3." not in (place / LONGTERM).read_text()
    assert codes(place) == []
    assert whole(place)


@pytest.mark.parametrize("place", [40], indirect=True)
def test_a_line_of_it_leads_to_an_earlier_one(place: Path) -> None:
    """Which it does not name."""
    with opened(place) as vault:
        earlier = short_term(place)[1]
        said = next(
            n for n, line in enumerate((place / LONGTERM).read_text().splitlines(), 1)
            if "Lake 5" in line
        )  # fmt: skip
        chain = tracing.trace(vault.store, f"{LONGTERM}:{said}").chain
    assert earlier.name in {link.path.rpartition("/")[2] for link in chain}


@pytest.mark.long
def test_a_compaction_reads_as_much_however_many_were_absorbed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that it names, and the newest that MEMORY.md points at."""
    monkeypatch.setattr(memory_index, "MOST_LINES", 10)
    config = place / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("resummarize_every: 16", "resummarize_every: 0"))
    seen: list[Record] = []
    read = record_queries.RecordQueries._select

    def counting(self: record_queries.RecordQueries, *what: object, **how: object) -> list[Record]:
        found: list[Record] = read(self, *what, **how)  # type: ignore[arg-type]
        seen.extend(r for r in found if r.type == "summary" and r.body)
        return found

    costs = []
    for first, count in ((1, 40), (41, 3), (44, 60), (104, 3)):
        with monkeypatch.context() as patched:
            patched.setattr(record_queries.RecordQueries, "_select", counting)
            seen.clear()
            filled(place, count, first=first)
        costs.append(len(seen))
    assert costs[1] == costs[3]


@pytest.mark.long
def test_who_asks_whether_it_lags_reads_as_much_however_many_were_absorbed(place: Path) -> None:
    """By the instructions that SQLite carries out."""
    costs = []
    for first in (1, 61, 121):
        filled(place, 60, first=first)
        with opened(place) as vault:
            steps: list[None] = []
            vault.store.index.db.set_progress_handler(lambda: steps.append(None), 1)  # noqa: B023
            assert not summary_tally.lags(vault.store.index, "ada")
            vault.store.index.db.set_progress_handler(None, 1)
        costs.append(len(steps))
    assert costs[1] == costs[2]


@pytest.mark.parametrize("place", [40], indirect=True)
def test_lines_that_an_earlier_one_bears_out_are_not_called_unsupported(place: Path) -> None:
    with opened(place) as vault:
        assert vault.fsck().unsupported == ()


@pytest.mark.parametrize("place", [40], indirect=True)
def test_a_summary_is_held_against_what_it_counts_once_for_all_its_lines(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those are thousands: they are read, and taken apart, once."""
    read: list[str] = []
    parsed = analysis.parsed

    def counting(text: str) -> analysis.Parsed:
        read.append(text)
        return parsed(text)

    with opened(place) as vault:
        earlier = vault.store.index.at([short_term(place)[1].relative_to(place).as_posix()])[0].body
        monkeypatch.setattr(analysis, "parsed", counting)
        assert len([line for line in longterm(vault).body.splitlines() if line.strip()]) > 2
        assert not [*unsupported.lines(vault.store)]
    assert read.count(earlier) == 1


@pytest.mark.parametrize("place", [40], indirect=True)
def test_a_line_is_not_called_unsupported_while_one_that_is_counted_is_gone(place: Path) -> None:
    """It may have said so."""
    for file in short_term(place)[:5]:
        file.unlink()
    with opened(place) as vault:
        report = vault.fsck()
        assert LONGTERM in {p.path for p in report.problems}
        assert LONGTERM not in {it.path for it in report.unsupported}


@pytest.mark.parametrize("first", [1, *rarely(21)])
@pytest.mark.parametrize("place", [40], indirect=True)
def test_forgetting_all_that_the_named_ones_tell_of_leaves_it_whole(
    place: Path, first: int
) -> None:
    """It names the next ones before, or counts fewer."""
    with opened(place) as vault:
        refs = [f.relative_to(place).as_posix() for f in memory_files(place)[first : first + 16]]
        vault.forgetting.forget(refs)
        assert vault.fsck().problems == ()
        assert len(longterm(vault).sources) == NAMED


@pytest.mark.long
@pytest.mark.with_history
def test_what_is_counted_is_purged_with_its_words(tmp_path: Path) -> None:
    place = small(tmp_path / "place", with_git=True)
    filled(place, 40)
    refs = [f.relative_to(place).as_posix() for f in memory_files(place)[4:7]]
    with opened(place) as vault:
        vault.forgetting.purge(refs)
        assert vault.fsck().problems == ()
    assert "Lake 6." not in (place / LONGTERM).read_text()
    assert whole(place)


@pytest.mark.long
@pytest.mark.with_history
@pytest.mark.parametrize("before", [16, *rarely(40)])
def test_undo_of_a_compaction_that_counts_leaves_every_byte_as_it_was(
    tmp_path: Path, before: int
) -> None:
    """Whether the first are counted by it, or more."""
    place = small(tmp_path / "place", with_git=True)
    filled(place, before)
    with opened(place) as vault:
        was, counted, log = contents(place), longterm(vault).earlier_summaries, vault.log(50)
    filled(place, 4, first=before + 1)
    with opened(place) as vault:
        assert longterm(vault).earlier_summaries > counted
        for entry in vault.log(50)[: -len(log)]:
            for op in reversed(entry.ops):
                vault.undo(op)
        assert contents(place) == was
        assert vault.fsck().problems == ()
    assert whole(place)


def contents(place: Path) -> dict[str, bytes]:
    """Return every file of the agent."""
    files_of = (it for it in (place / "agents").rglob("*.md") if it.is_file())
    return {it.relative_to(place).as_posix(): it.read_bytes() for it in files_of}
