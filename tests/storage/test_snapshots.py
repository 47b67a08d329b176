"""The past is asked like the present: real commits and dates, and nothing of it is written."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import Clock
from tests.forked import at_once
from vaultmem import Vault, records
from vaultmem.config import PATH as CONFIG
from vaultmem.errors import BadInput, CannotOpen, IndexFailed, Refused, Unavailable
from vaultmem.records import iso, moment
from vaultmem.retrieval import search
from vaultmem.storage import files, git, reader, snapshots
from vaultmem.storage.files import is_note
from vaultmem.storage.git import Repository
from vaultmem.storage.index import Filter, Index, Sync
from vaultmem.storage.plan import Plan
from vaultmem.storage.snapshots import Then, commit_tree, snapshot_cache
from vaultmem.storage.snapshots.commit_tree import Tree
from vaultmem.storage.store import Store, open_store

EDITOR = "topics/editor.md"
Past = Callable[[str], dict[str, str]]


def run(folder: Path, *args: str, date: str = "2026-11-20T10:00:00Z") -> str:
    """Run git in *folder* as a person does, whose clock shows *date*."""
    env = os.environ | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(["git", *args], cwd=folder, env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return os.fsdecode(done.stdout).strip()


def commit(folder: Path, date: str, **notes: str | None) -> str:
    """Write *notes* below topics (None deletes one), commit them at *date*; return the commit."""
    (folder / "topics").mkdir(exist_ok=True)
    for name, text in notes.items():
        path = folder / f"topics/{name}.md"
        path.unlink() if text is None else path.write_text(text)
    run(folder, "add", "-A")
    run(folder, "commit", "-qm", "by hand", date=date)
    return run(folder, "rev-parse", "HEAD")


def topics(store: Store) -> dict[str, str]:
    """Return the texts of the topics by name."""
    found = store.index.records(Filter(below="topics"))
    return {record.stem: record.body.strip() for record in found}


@pytest.fixture
def ask(vault: Vault) -> Past:
    """Return what asks for the topics as they were at a date."""

    def topics_at(when: str) -> dict[str, str]:
        with snapshots.at(vault.store, when) as then:
            return topics(then)

    return topics_at


# --- what was believed then -------------------------------------------------------------------


def test_it_was_vim_then_and_is_emacs_now(vault: Vault, folder: Path) -> None:
    """The scene of the wish: a commit by hand with an old date, between two of today."""
    commit(folder, "2024-05-01T12:00:00Z", editor="The team uses Vim.\n")
    commit(folder, "2026-11-20T10:00:00Z", editor="The team uses Emacs.\n")
    with snapshots.at(vault.store, "2024-06-01") as then:
        asked = search.Question("which editor does the team use", now=iso(then.clock()))
        (hit,) = search.search(then.index, asked, then.exists).hits
    assert (hit.path, hit.snippet) == (EDITOR, "The team uses Vim.")
    vault.store.sync()
    assert topics(vault.store) == {"editor": "The team uses Emacs."}


def test_what_was_deleted_since_is_there_and_what_came_since_is_not(
    folder: Path, ask: Past
) -> None:
    commit(folder, "2024-05-01T12:00:00Z", old="Old.", kept="Kept.")
    commit(folder, "2024-07-01T12:00:00Z", old=None, new="New.")
    assert ask("2024-06-01") == {"old": "Old.", "kept": "Kept."}
    assert ask("2024-07-01") == {"kept": "Kept.", "new": "New."}


def test_a_file_has_the_name_it_had(folder: Path, ask: Past) -> None:
    commit(folder, "2024-05-01T12:00:00Z", first="It.")
    run(folder, "mv", "topics/first.md", "topics/second.md")
    commit(folder, "2024-07-01T12:00:00Z")
    assert ask("2024-06-01") == {"first": "It."}
    assert ask("2024-08-01") == {"second": "It."}


def test_what_is_not_committed_is_of_no_past(folder: Path, ask: Past) -> None:
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    (folder / "topics/a.md").write_text("B.")
    run(folder, "add", "-A")
    assert ask("2026-11-20") == {"a": "A."}


# --- which commit -----------------------------------------------------------------------------


def test_a_date_means_its_end_and_a_time_itself_both_in_utc(folder: Path, ask: Past) -> None:
    """A commit at 23:30 in New York is one of the next day here."""
    commit(folder, "2024-05-01T12:00:00Z", a="Noon.")
    commit(folder, "2024-05-01T23:30:00-05:00", a="Night.")
    assert ask("2024-05-01") == ask("2024-05-02T04:29:59Z") == {"a": "Noon."}
    assert ask("2024-05-02") == ask("2024-05-02T04:30:00Z") == {"a": "Night."}
    assert ask("2024-05-01T23:30:00-05:00") == {"a": "Night."}


def test_a_branch_is_believed_from_its_merge_on(folder: Path, ask: Past) -> None:
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    run(folder, "checkout", "-qb", "side")
    commit(folder, "2024-05-04T12:00:00Z", side="Side.")
    run(folder, "checkout", "-q", "main")
    commit(folder, "2024-05-03T12:00:00Z", b="B.")
    run(folder, "merge", "-q", "--no-ff", "-m", "merge", "side", date="2024-06-01T12:00:00Z")
    assert ask("2024-05-05") == {"a": "A.", "b": "B."}
    assert ask("2024-06-01") == {"a": "A.", "b": "B.", "side": "Side."}


def test_a_commit_of_the_far_future_is_of_no_past_but_of_the_present(
    folder: Path, ask: Past
) -> None:
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    commit(folder, "2099-01-01T12:00:00Z", a="From a clock gone wrong.")
    assert ask("2026-11-19") == {"a": "A."}
    assert ask("2026-11-20") == {"a": "From a clock gone wrong."}


def test_what_came_before_a_clock_went_back_is_not_known_earlier_than_it_came(
    folder: Path, ask: Past
) -> None:
    """The last commit is dated before the others, and stands on them."""
    commit(folder, "2024-05-01T12:00:00Z", tea="Oolong.", gone="Not yet.", rent="900.")
    commit(folder, "2024-06-01T12:00:00Z", tea="Sencha.", gone=None, parrot="Kiko.", rent="950.")
    commit(folder, "2023-01-01T12:00:00Z", sofa="Grey.", rent="Paid.")
    then = {"tea": "Oolong.", "gone": "Not yet.", "sofa": "Grey.", "rent": "Paid."}
    assert ask("2024-05-15") == then
    assert ask("2023-06-01") == {"sofa": "Grey.", "rent": "Paid."}
    assert ask("2024-06-02") == {
        "tea": "Sencha.", "parrot": "Kiko.", "sofa": "Grey.", "rent": "Paid."
    }  # fmt: skip


@pytest.mark.parametrize("count", [1, 4])
def test_what_later_commits_did_is_asked_of_git_once_however_many_they_are(
    folder: Path, ask: Past, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """What a merge among them brought came later, too."""
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    run(folder, "checkout", "-qb", "side")
    commit(folder, "2024-06-01T12:00:00Z", side="Side.")
    run(folder, "checkout", "-q", "-")
    for n in range(count):
        commit(folder, "2024-06-02T12:00:00Z", b=f"B {n}.")
        run(folder, "merge", "-q", "--no-ff", "-m", "m", "side", date="2024-06-03T12:00:00Z")
        run(folder, "checkout", "-q", "side")
        commit(folder, "2024-06-04T12:00:00Z", side=f"Side {n}.")
        run(folder, "checkout", "-q", "-")
    last = commit(folder, "2023-01-01T12:00:00Z", c="C.")
    assert ask("2024-05-15") == {"a": "A.", "c": "C."}
    repository, started = git.find(folder), Counter[str]()
    assert repository

    class Counted(subprocess.Popen[bytes]):
        def __init__(self, args: list[str], **how: Any) -> None:  # noqa: ANN401  # as it comes
            started.update(args)
            super().__init__(args, **how)

    monkeypatch.setattr(subprocess, "Popen", Counted)
    when, now = (datetime(year, 5, 15, tzinfo=UTC) for year in (2024, 2026))
    assert len(commit_tree.earlier(repository, last, when, now)) == 2
    assert started["diff-tree"] == 1


def test_the_future_is_now(vault: Vault, folder: Path) -> None:
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    with snapshots.at(vault.store, "2031-01-01") as then:
        assert (topics(then), then.clock()) == ({"a": "A."}, vault.store.clock())


def lined_up(folder: Path, dates: list[int]) -> Repository:
    """Make a repository with a commit of each Unix date, one on the other."""
    made = git.create(folder)
    stream = "".join(
        f"commit refs/heads/main\nmark :{n}\ncommitter A <a> {date} +0000\ndata 0\n"
        + (f"from :{n - 1}\n" if n > 1 else "")
        + f"M 644 inline a.md\ndata {len(str(n))}\n{n}\n\n"
        for n, date in enumerate(dates, 1)
    )
    args = ["git", "fast-import", "--quiet"]
    subprocess.run(args, cwd=folder, input=stream.encode(), check=True)
    run(folder, "symbolic-ref", "HEAD", "refs/heads/main")
    return made


@pytest.mark.long
@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(-1, 10))
@settings(max_examples=25)
def test_of_dates_in_disorder_the_one_closest_to_now_counts(dates: list[int], when: int) -> None:
    """The newest by its place among those that say they were made by then."""
    with tempfile.TemporaryDirectory() as folder:
        repo = lined_up(Path(folder), dates)
        found = repo.at(datetime.fromtimestamp(when, UTC))
        fit = [n for n, date in enumerate(dates, 1) if date <= when]
        said = repo.show(found, "a.md") if found else None
        assert said == (str(fit[-1]).encode() if fit else None)
        assert repo.begins() == datetime.fromtimestamp(min(dates), UTC)


def test_a_date_no_calendar_has_is_no_trouble(tmp_path: Path) -> None:
    repo = lined_up(tmp_path / "r", [10**15])
    assert repo.at(datetime(2026, 1, 1, tzinfo=UTC)) is None
    assert str(repo.begins()) == "9999-12-31 23:59:59+00:00"


def test_a_detached_head_has_its_own_past(folder: Path, ask: Past) -> None:
    old = commit(folder, "2024-05-01T12:00:00Z", a="A.")
    commit(folder, "2024-06-01T12:00:00Z", a="B.")
    run(folder, "checkout", "-q", "--detach", old)
    assert ask("2024-07-01") == ask("2026-11-20") == {"a": "A."}


def test_a_vault_in_a_bigger_repository_sees_only_its_own(tmp_path: Path, clock: Clock) -> None:
    """Commits beside the vault are not its history, and need no index of their own."""
    run(tmp_path, "init", "-q")
    (tmp_path / "beside.md").write_text("Not ours.")
    run(tmp_path, "add", "-A")
    run(tmp_path, "commit", "-qm", "before", date="2024-01-01T12:00:00Z")
    folder = tmp_path / "vault"
    (folder / "config").mkdir(parents=True)
    (folder / CONFIG).write_text("---\nformat: 1\n---\n")
    ours = commit(folder, "2024-05-01T12:00:00Z", a="A.")
    (tmp_path / "beside.md").write_text("Still not ours.")
    run(tmp_path, "add", "-A")
    run(tmp_path, "commit", "-qm", "after", date="2024-06-01T12:00:00Z")
    store = open_store(folder, clock)
    for when in ("2024-05-02", "2024-07-01", "2026-11-20"):
        with snapshots.at(store, when) as then:
            assert (then.tree.commit, topics(then)) == (ours, {"a": "A."})
            assert then.index.value("SELECT count(*) FROM docs WHERE path LIKE '%beside%'") == 0
    with pytest.raises(BadInput, match=r"begins on 2024-05-01T12:00:00Z"):
        see(store, "2024-02-01")
    store.close()


# --- no past to ask ---------------------------------------------------------------------------


def see(store: Store, when: str) -> dict[str, str]:
    """Return the topics of *store* at *when*."""
    with snapshots.at(store, when) as then:
        return topics(then)


def test_before_history_one_is_told_when_it_begins_and_what_else_to_ask(
    folder: Path, ask: Past
) -> None:
    run(folder, "commit", "-q", "--amend", "--no-edit", date="2026-11-20T10:15:00Z")
    with pytest.raises(BadInput) as error:
        ask("2024-06-01")
    assert str(error.value) == (
        "2024-06-01 is before the history of this vault, which begins on 2026-11-20T10:15:00Z; "
        "a search by the memories' own dates needs none of it (`before=DATE`)"
    )


def test_a_shallow_clone_says_what_it_lacks(folder: Path, tmp_path: Path, clock: Clock) -> None:
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    commit(folder, "2024-06-01T12:00:00Z", a="B.")
    run(tmp_path, "clone", "-q", "--depth=1", f"file://{folder}", "clone")
    store = open_store(tmp_path / "clone", clock)
    assert see(store, "2024-07-01") == {"a": "B."}
    with pytest.raises(BadInput, match=r"begins on 2024-06-01.*`git fetch --unshallow`"):
        see(store, "2024-05-02")
    store.close()


def test_without_a_repository_there_is_no_past(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / CONFIG).write_text("---\nformat: 1\n---\n")
    store = open_store(tmp_path, clock)
    with pytest.raises(Unavailable, match="`git init` there starts one; a search by"):
        see(store, "2024-06-01")
    store.close()
    store = open_store(tmp_path, clock)
    run(tmp_path, "init", "-q")
    with pytest.raises(Unavailable, match=r"nothing of .* is committed yet"):
        see(store, "2024-06-01")
    store.close()


def test_without_git_there_is_no_past(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Unavailable, match="git is not on PATH"):
        see(vault.store, "2024-06-01")


def test_what_is_no_date_is_refused(ask: Past) -> None:
    with pytest.raises(BadInput, match="'yesterday' is not a date"):
        ask("yesterday")


# --- a site of the past -----------------------------------------------------------------------


@pytest.fixture
def then(vault: Vault, folder: Path) -> Iterator[Then]:
    """Open the vault as of a June; one note and a window of seven."""
    config = folder / CONFIG
    now = config.read_text()
    config.write_text("---\nformat: 1\nimmediate_window: 7\n---\n")
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    config.write_text(now)
    commit(folder, "2024-07-01T12:00:00Z", a="B.")
    with snapshots.at(vault.store, "2024-06-01") as opened:
        yield opened


def test_it_has_the_settings_the_clock_and_the_files_of_then(then: Then) -> None:
    (note,) = then.index.at(["topics/a.md"])
    assert then.config().immediate_window == 7
    assert iso(then.clock()) == "2024-06-01T23:59:59Z"
    assert then.texts.read("topics/a.md") == b"A."
    assert then.texts.load(then.index.at([note.path], body=False)[0]) == note
    assert then.exists(note.path, note.sha)
    assert not then.exists(note.path, files.sha256(b"B."))
    assert (then.texts.read("topics/none.md"), then.texts.read("topics")) == (None, None)


def test_settings_that_could_not_be_read_then_are_those_of_now(vault: Vault, folder: Path) -> None:
    config = folder / CONFIG
    now = config.read_text()
    for then_said in ("---\nimmediate_window: many\n---\n", "---\nformat: 99\n---\n", "---\nx"):
        config.write_text(then_said)
        commit(folder, "2024-05-01T12:00:00Z")
        config.write_text(now)
        with snapshots.at(vault.store, "2024-06-01") as then:
            assert then.config() == vault.store.config()


def test_nothing_is_written_to_it(then: Then) -> None:
    for write in (lambda: then.apply(Plan("x", "x", "x", ())), then.mint, lambda: then.writer):
        with pytest.raises(Refused, match="the past is read-only"):
            write()


def test_an_agent_who_came_later_had_nothing_to_say(vault: Vault, folder: Path) -> None:
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    vault.remember("Oolong.", agent="ada")
    with snapshots.at(vault.store, "2024-06-01") as then:
        assert (then.agents(), then.require_agent("ada")) == ([], "ada")
        with pytest.raises(BadInput, match="no agent 'bob'"):
            then.require_agent("bob")


# --- what was true then -----------------------------------------------------------------------

MAY = "---\ntype: topic\nvalid_from: 2024-05-01\nvalid_to: 2024-05-31\n---\nIn May.\n"


def test_a_fact_is_there_while_it_was_true(folder: Path, ask: Past) -> None:
    """The same commit, asked at three dates: learnt before, true in May alone."""
    commit(folder, "2024-04-01T12:00:00Z", may=MAY, ever="Ever.")
    assert ask("2024-04-30") == {"ever": "Ever."}
    assert ask("2024-05-31") == {"ever": "Ever.", "may": "In May."}
    assert ask("2024-06-01") == {"ever": "Ever."}


def test_recall_does_not_meet_what_was_not_true(vault: Vault, folder: Path) -> None:
    commit(folder, "2024-04-01T12:00:00Z", may=MAY)
    for when, count in (("2024-05-15", 1), ("2024-06-15", 0)):
        with snapshots.at(vault.store, when) as then:
            asked = search.Question("may", now=iso(then.clock()))
            assert len(search.search(then.index, asked, then.exists).hits) == count


NOON = datetime(2024, 5, 15, 12, tzinfo=UTC)


@given(st.integers(-40, 40), st.integers(-40, 40), st.integers(-40, 40))
def test_a_fact_holds_from_its_first_day_to_its_last(first: int, last: int, day: int) -> None:
    begins, ends, asked = (NOON + timedelta(days=n) for n in (first, last, day))
    valid = records.holds(str(begins.date()), str(ends.date()), asked)
    assert valid == (first <= day <= last)
    assert records.holds(str(begins.date()), "", asked) == (first <= day)
    assert records.holds("", str(ends.date()), asked) == (day <= last)


def test_the_last_second_of_a_fact_is_its_own() -> None:
    """Zones are minded, parts of a second are not."""
    last = moment("2024-05-31T23:59:59.5Z")
    assert records.holds("2024-06-01T01:00:00+02:00", "2024-05-31", last)
    assert not records.holds("2024-06-01", "", last)


@given(st.text(max_size=12), st.text(max_size=12))
def test_an_end_that_nobody_can_read_is_open(begins: str, ends: str) -> None:
    for text in (begins, ends):
        try:
            moment(text)
        except BadInput:
            continue
        return
    assert records.holds(begins, ends, NOON)


# --- bytes as committed, and nothing run ------------------------------------------------------


def test_what_a_hostile_repository_would_run_does_not_run(
    vault: Vault, folder: Path, tmp_path: Path
) -> None:
    """Filters, textconv, hooks, a file system monitor and a replaced commit: all are let be."""
    spy = tmp_path / "spy"
    spy.write_text(f"#!/bin/sh\necho $0 $* >> {tmp_path}/ran\ncat\n")
    spy.chmod(0o700)
    first = commit(folder, "2024-05-01T12:00:00Z", a="pointer\r\nto a big file\r\n")
    (folder / ".gitattributes").write_text(
        "*.md filter=evil diff=evil text eol=lf ident export-subst\n"
    )
    second = commit(folder, "2024-05-02T12:00:00Z", b="B.")
    for key in ("filter.evil.smudge", "filter.evil.clean", "filter.evil.process",
                "diff.evil.textconv", "diff.evil.command", "core.fsmonitor", "core.pager",
                "core.sshCommand", "core.alternateRefsCommand"):  # fmt: skip
        run(folder, "config", key, str(spy))
    (folder / ".git/info").mkdir(exist_ok=True)
    (folder / ".git/info/attributes").write_text("*.md working-tree-encoding=UTF-16\n")
    run(folder, "config", "filter.evil.required", "true")
    run(folder, "replace", first, second)
    with snapshots.at(vault.store, "2024-05-01") as then:
        assert topics(then) == {"a": "pointer\r\nto a big file"}
        assert then.texts.read("topics/a.md") == b"pointer\r\nto a big file\r\n"
    assert not (tmp_path / "ran").exists()


def test_an_object_that_is_not_here_is_not_fetched(
    vault: Vault, folder: Path, tmp_path: Path
) -> None:
    """A partial clone: git would run whatever its remote names to get the rest."""
    commit(folder, "2024-05-01T12:00:00Z", a="Gone.", b="Here.")
    blob = run(folder, "rev-parse", "HEAD:topics/a.md")
    (folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    run(folder, "config", "remote.origin.url", f"ext::touch {tmp_path}/fetched")
    run(folder, "config", "remote.origin.promisor", "true")
    run(folder, "config", "protocol.ext.allow", "always")
    run(folder, "config", "extensions.partialClone", "origin")
    with pytest.raises(Unavailable, match=f"git has no object {blob}"):
        see(vault.store, "2024-06-01")
    assert not (tmp_path / "fetched").exists()


def test_links_submodules_and_names_nobody_can_read_are_left_out(folder: Path, ask: Past) -> None:
    blob = run(folder, "hash-object", "-w", "--stdin", "--path=x")
    entries = [
        ("100644", "topics/plain.md"), ("100755", "topics/run.md"), ("120000", "topics/link.md"),
        ("160000", "topics/module.md"), ("100644", "topics/.hidden.md"),
        ("100644", ".obsidian/x.md"), ("100644", "topics/no\udcff.md"), ("100644", "topics/x.txt"),
        ("100644", "topics/zwei\nZeilen.md"), ("100644", "topics/größe.md"),
    ]  # fmt: skip
    lines = b"".join(os.fsencode(f"{mode} {blob}\t{path}\0") for mode, path in entries)
    subprocess.run(
        ["git", "update-index", "-z", "--index-info"], cwd=folder, input=lines, check=True
    )
    run(folder, "commit", "-qm", "odd", date="2024-05-01T12:00:00Z")
    assert sorted(ask("2024-06-01")) == ["größe", "plain", "run", "zwei\nZeilen"]


PARTS = st.sampled_from(
    ["a", "b.md", ".c", "d.tmp", "e~", "f.swp", "g.icloud", "h.txt", "ü", "\udcff", "i.MD"]
)


@given(st.lists(PARTS, min_size=1, max_size=3), st.sampled_from(["", ".md"]))
def test_a_note_of_the_past_is_what_would_be_one_on_disk(parts: list[str], suffix: str) -> None:
    path = "/".join(parts) + suffix
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
        root = files.Root(Path(folder))
        assert (path in files.listing(root).files) == is_note(path)
        root.close()


# --- the cache --------------------------------------------------------------------------------


def entries(folder: Path) -> set[str]:
    """Return the commits whose indexes are kept."""
    return {e.name for e in (folder / snapshot_cache.FOLDER).iterdir() if e.is_dir()}


def test_what_was_built_is_not_read_again(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    see(vault.store, "2024-06-01")
    monkeypatch.setattr(Tree, "reading", None)
    with snapshots.at(vault.store, "2024-06-02") as then:
        assert topics(then) == {"a": "A."}
        assert then.index.sync() == Sync()


def test_a_cache_that_is_deleted_or_damaged_comes_back(folder: Path, ask: Past) -> None:
    name = commit(folder, "2024-05-01T12:00:00Z", a="A.")
    ask("2024-06-01")
    catalog = folder / snapshot_cache.FOLDER / name / snapshot_cache.CATALOG
    catalog.unlink()
    assert ask("2024-06-01") == {"a": "A."}
    catalog.write_bytes(b"no database" * 1000)
    assert ask("2024-06-01") == {"a": "A."}


def test_damage_met_in_the_middle_is_mended_there(vault: Vault, folder: Path) -> None:
    """As recall does it: throw away, sync; what was not true stays out of it."""
    commit(folder, "2024-05-01T12:00:00Z", a="A.", may=MAY)
    with snapshots.at(vault.store, "2024-06-01") as then:
        then.index.rebuild()
        then.index.sync()
        assert topics(then) == {"a": "A."}


def test_nobody_else_may_read_it(folder: Path, ask: Past) -> None:
    name = commit(folder, "2024-05-01T12:00:00Z", a="A.")
    ask("2024-06-01")
    kept = folder / snapshot_cache.FOLDER
    modes = {p.name: p.stat().st_mode & 0o777 for p in (kept, *kept.rglob("*"))}
    assert modes == {
        "past": 0o700, name: 0o700, "lock": 0o600, "in-use": 0o600, "building": 0o600,
        snapshot_cache.CATALOG: 0o600, "catalog.lock": 0o600,
    }  # fmt: skip


@pytest.mark.long
def test_the_least_recently_used_goes_first(folder: Path, ask: Past) -> None:
    names = [commit(folder, f"2024-0{n}-01T12:00:00Z", a=f"{n}") for n in range(1, 7)]
    for month in (1, 2, 3, 4, 1, 5):
        ask(f"2024-0{month}-15")
    assert entries(folder) == {names[n - 1] for n in (3, 4, 1, 5)}
    assert ask("2024-02-15") == {"a": "2"}


def test_what_is_too_big_together_does_not_stay_together(
    folder: Path, ask: Past, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot_cache, "MOST_BYTES", 1)
    names = [commit(folder, f"2024-0{n}-01T12:00:00Z", a=f"{n}") for n in (1, 2)]
    assert (ask("2024-01-15"), entries(folder)) == ({"a": "1"}, {names[0]})
    assert (ask("2024-02-15"), entries(folder)) == ({"a": "2"}, {names[1]})


def test_what_is_in_use_stays(
    vault: Vault, folder: Path, ask: Past, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot_cache, "MOST", 1)
    names = [commit(folder, f"2024-0{n}-01T12:00:00Z", a=f"{n}") for n in (1, 2)]
    with snapshots.at(vault.store, "2024-01-15") as then:
        ask("2024-02-15")
        assert entries(folder) == set(names)
        assert topics(then) == {"a": "1"}
    ask("2024-02-15")
    assert entries(folder) == {names[1]}


def test_what_a_process_left_while_it_removed_is_cleared(folder: Path, ask: Past) -> None:
    name = commit(folder, "2024-05-01T12:00:00Z", a="A.")
    (folder / snapshot_cache.FOLDER / "gone").mkdir(parents=True)
    (folder / snapshot_cache.FOLDER / "gone/catalog.sqlite3").write_text("half")
    assert (ask("2024-06-01"), entries(folder)) == ({"a": "A."}, {name})


def test_half_an_index_is_none(folder: Path, ask: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git dies after the first file; the next one to ask builds it whole."""
    commit(folder, "2024-05-01T12:00:00Z", a="A.", b="B.")
    with monkeypatch.context() as patch:
        patch.setattr("vaultmem.storage.snapshots.commit_tree.sha256", _dies_at(2))
        with pytest.raises(Unavailable, match="git died"):
            ask("2024-06-01")
    assert ask("2024-06-01") == {"a": "A.", "b": "B."}


def _dies_at(last: int) -> Callable[[bytes], str]:
    seen: list[bytes] = []

    def sha256(data: bytes) -> str:
        seen.append(data)
        if len(seen) == last:
            raise Unavailable("git died")
        return files.sha256(data)

    return sha256


def test_a_disk_that_takes_nothing_can_still_be_asked(folder: Path, ask: Past) -> None:
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    (folder / ".vaultmem").mkdir(exist_ok=True)
    (folder / snapshot_cache.FOLDER).write_text("no folder can be made here")
    assert ask("2024-06-01") == {"a": "A."}


@pytest.mark.parametrize("place", ["past", "past/{}", "past/{}/catalog.sqlite3"])
def test_a_link_in_place_of_the_cache_is_refused(
    folder: Path, ask: Past, tmp_path: Path, place: str
) -> None:
    """A repository may hold one for the commits it had."""
    link = folder / ".vaultmem" / place.format(commit(folder, "2024-05-01T12:00:00Z", a="A."))
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(tmp_path)
    with pytest.raises(CannotOpen, match="is a link"):
        ask("2024-06-01")


LOADED = """
from pathlib import Path
from vaultmem.records import utc_now
from vaultmem.storage import snapshots
from vaultmem.storage.index import Filter
from vaultmem.storage.snapshots import snapshot_cache
from vaultmem.storage.store import open_store
"""
ASKING = """
snapshot_cache.MOST = 1
store = open_store(Path(path), utc_now)
for n in range(20):
    month = 1 + (n * int(name)) % 5
    with snapshots.at(store, f"2024-0{month}-15") as then:
        found = [r.body for r in then.index.records(Filter(below="topics"))]
    assert found == [f"{month}-{i}" for i in range(20)], (month, found)
"""


@pytest.mark.long
def test_processes_build_read_and_evict_beside_each_other(folder: Path) -> None:
    """Three of them, five dates, room for one: each always sees the whole of its date."""
    for n in range(1, 6):
        commit(folder, f"2024-0{n}-01T12:00:00Z", **{f"t{i:02}": f"{n}-{i}" for i in range(20)})
    at_once(ASKING, folder, "1", "2", "3", imports=LOADED)
    assert len(entries(folder)) == 1


@pytest.mark.long
def test_two_that_want_the_same_build_it_once(vault: Vault, folder: Path) -> None:
    """The second waits for the first and finds it whole."""
    name = commit(folder, "2024-05-01T12:00:00Z", a="A.")
    with (
        snapshot_cache.entry(folder / snapshot_cache.FOLDER, name) as catalog,
        snapshot_cache.building(catalog),
    ):
        waiting = subprocess.Popen(
            [sys.executable, "-c", ONCE, str(folder)], stdout=subprocess.PIPE, text=True
        )
        assert waiting.stdout
        assert waiting.stdout.readline() == "asks\n"
        tree = Tree(git.find(folder), name)  # type: ignore[arg-type]
        index = snapshots.snapshot_index.FrozenIndex(
            catalog, tree, vault.store.clock(), reader.record
        )
        assert Index.sync(index).added > 1
        index.close()
    assert waiting.communicate()[0] == "added 0\n"


ONCE = """
import sys
from pathlib import Path
from vaultmem.records import utc_now
from vaultmem.storage import git, reader
from vaultmem.storage.snapshots import snapshot_cache
from vaultmem.storage.snapshots.snapshot_index import FrozenIndex
from vaultmem.storage.snapshots.commit_tree import Tree

repository = git.find(Path(sys.argv[1]))
tree = Tree(repository, repository.head())
with snapshot_cache.entry(Path(sys.argv[1], snapshot_cache.FOLDER), tree.commit) as catalog:
    index = FrozenIndex(catalog, tree, utc_now(), reader.record)
    print("asks", flush=True)
    print("added", index.sync().added)
"""


def test_the_cache_is_no_database_of_the_present(vault: Vault, folder: Path) -> None:
    """What is asked of the past leaves the index of now as it was."""
    commit(folder, "2024-05-01T12:00:00Z", a="A.")
    commit(folder, "2024-06-01T12:00:00Z", a="B.")
    vault.store.sync()
    before = vault.store.index.generation()
    see(vault.store, "2024-05-15")
    assert (topics(vault.store), vault.store.index.generation()) == ({"a": "B."}, before)
    with pytest.raises(IndexFailed, match="no such function"):
        vault.store.index.db.execute("SELECT is_valid('', '')")
