"""What was done, shown, and taken back without losing what came later."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.at_rest import let_rest
from tests.cases import rarely
from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.errors import BadInput, Refused, Unavailable
from vaultmem.memory import pointed_index
from vaultmem.records import Record
from vaultmem.storage.git import worktree
from vaultmem.storage.git.types import Blob, Place
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Change, Plan

UNKNOWN = "01J5XK3M9QZ7V4T8R2N6W7Q3KZ"


@pytest.fixture(autouse=True)
def _small(folder: Path) -> None:
    """Make the windows four memories wide."""
    path = folder / "config/memory_compaction.md"
    path.write_text(path.read_text().replace("_window: 64", "_window: 4"))


def git(folder: Path, *args: str) -> str:
    """Run git as a person does."""
    return subprocess.run(
        ["git", *args], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def tell(vault: Vault, count: int) -> list[str]:
    """Remember *count* plain facts; return the paths."""
    return [
        vault.remember(f"Fact {n}: lantern {n} hangs in the garden.", agent="ada").path
        for n in range(1, count + 1)
    ]


def notes(vault: Vault) -> dict[str, str]:
    """Return every Markdown file of the vault and what it says."""
    return {
        str(p.relative_to(vault.path)): p.read_text()
        for p in sorted(vault.path.rglob("*.md"))
        if ".vaultmem" not in p.parts
    }


def memories(vault: Vault) -> list[Record]:
    """Return the memories, in the order of time."""
    return vault.store.index.records(Filter(type="memory", below="agents"))


def bring(vault: Vault, tmp_path: Path, count: int) -> str:
    """Import *count* facts from a file; return the operation."""
    path = tmp_path / "chat.jsonl"
    lines = ({"id": n, "content": f"Fact {n} about the garden."} for n in range(count))
    path.write_text("".join(json.dumps(x) + "\n" for x in lines))
    return vault.import_files("jsonl", [path], agent="ada").done.op


def chat(tmp_path: Path) -> Path:
    """Return a file with the turns of a session, so many that some are due to be folded."""
    path = tmp_path / "talk.jsonl"
    turns = (
        {"id": n, "session": "talk", "role": "user", "content": f"Lantern {n} hangs in Graz."}
        for n in range(40)
    )
    path.write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    return path


def batch(vault: Vault, *texts: str) -> list[tuple[str, str]]:
    """Remember *texts* in one commit, as a busy git does; return their ids and paths."""
    lock = vault.path / ".git/index.lock"
    lock.touch()
    made = []
    for text in texts:
        vault.memories.keep(text, agent="ada")
    lock.unlink()
    vault.store.writer.commit_pending()
    for line in vault.log()[0].body.splitlines():
        op, _, path = line.partition(" ")
        made.append((op, path))
    return made


# --- log and diff -----------------------------------------------------------------------------


def test_the_log_tells_newest_first_who_did_what(vault: Vault) -> None:
    """Operations with subject and trailers."""
    made = vault.remember("The well is deep.", agent="ada", session="s1")
    newest, first = vault.log()
    assert newest.subject == "remember(ada): The well is deep."
    assert newest.ops == (made.id,)
    assert dict(newest.trailers)["Session"] == "s1"
    assert first.subject == "init: a vault"
    assert newest.when.endswith("Z")


def test_the_log_is_cut_where_one_says(vault: Vault) -> None:
    """Twenty at first sight, all when asked."""
    tell(vault, 3)
    assert len(vault.log(2)) == 2
    assert len(vault.log(None)) == 4


def test_a_diff_is_the_patch_of_one_operation(vault: Vault) -> None:
    """Named by operation, in either case, or by its commit."""
    made = vault.remember("The well is deep.", agent="ada")
    assert made.commit is not None
    patch = vault.diff(made.id)
    assert "+The well is deep.\n" in patch
    assert vault.diff(made.id.lower()) == patch == vault.diff(made.commit[:12])


def test_a_diff_of_nothing_named_is_what_waits(vault: Vault) -> None:
    """A person's own edits."""
    made = vault.remember("The well is deep.", agent="ada")
    path = vault.path / made.path
    path.write_text(path.read_text().replace("deep", "dry"))
    assert "-The well is deep.\n+The well is dry.\n" in vault.diff()


def test_a_diff_reads_files_of_folders_that_moved_alone(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each once, however often git is asked; what is staged is shown as it is on disk."""
    day = datetime(2024, 6, 1, tzinfo=UTC)
    old, new = (
        vault.remember(f"The {it} is deep.", agent="ada", at=day + timedelta(days=60 * n)).path
        for n, it in enumerate(("well", "lake"))
    )
    vault.history.commit_pending()
    git(folder, "add", "--all")  # what the scene itself wrote
    git(folder, "commit", "--quiet", "-m", "as it stands")
    files = (p for p in folder.rglob("*") if p.is_file() and ".git" not in p.parts)
    let_rest(files)  # what was just written is read each time
    assert vault.diff() == ""
    read: list[str] = []
    kind = worktree._kind

    def reading(place: Place, path: str, blob: Blob) -> Any:  # noqa: ANN401  # as it is told
        read.append(path)
        return kind(place, path, blob)

    monkeypatch.setattr(worktree, "_kind", reading)
    assert (vault.diff(), read) == ("", [])
    text = (folder / new).read_text()
    (folder / new).write_text(text.replace("deep", "flat"))
    assert "-The lake is deep.\n+The lake is flat.\n" in vault.diff()
    assert {*read} == {new}
    git(folder, "add", new)
    (folder / new).write_text(text.replace("deep", "dry"))
    assert "-The lake is deep.\n+The lake is dry.\n" in vault.diff()
    git(folder, "rm", "--quiet", "--cached", old)
    assert "-The well is deep.\n" in vault.diff()


@pytest.mark.parametrize("op", [UNKNOWN, "x", "HEAD", "--all", "abcdef0123"])
def test_what_is_not_in_the_history_is_named(vault: Vault, op: str) -> None:
    """With the command that lists what is."""
    for ask in (vault.diff, vault.undo):
        with pytest.raises(BadInput, match=r"no operation '.*' in the history: `vaultmem log`"):
            ask(op)


# --- undo -------------------------------------------------------------------------------------


def test_undo_of_a_memory_removes_its_file_in_a_commit_of_its_own(vault: Vault) -> None:
    """The history keeps both."""
    before = notes(vault)
    made = vault.remember("The well is deep.", agent="ada")
    plan, commit = vault.undo(made.id)
    assert notes(vault) == before
    assert [c.path for c in plan.changes] == [made.path]
    assert vault.log()[0].commit == commit
    assert vault.log()[0].subject == "undo: remember(ada): The well is deep."
    assert vault.recall("well").hits == ()
    assert vault.fsck().ok


def test_undo_of_an_undo_redoes(vault: Vault) -> None:
    """Byte for byte."""
    made = vault.remember("The well is deep.", agent="ada")
    vault.tick()
    after = notes(vault)
    plan, _ = vault.undo(made.id)
    vault.undo(plan.op)
    assert notes(vault) == after
    assert [h.id for h in vault.recall("well").hits] == [made.id]


def test_no_undo_but_its_own_brings_back_what_was_forgotten(vault: Vault) -> None:
    """In whatever file an operation stood before the forgetting."""
    text = "The heliotrope umbrella of Ottokar was left in Graz."
    made = vault.remember(text, agent="ada")
    vault.memories.archive([made.path])
    archived = vault.log(1)[0].ops[0]
    vault.forget(made.id)
    forgot = vault.log(1)[0].ops[0]
    with pytest.raises(Refused, match="say again what was forgotten"):
        vault.undo(archived)
    assert not vault.recall("heliotrope").hits
    vault.undo(forgot)
    vault.undo(archived)
    assert vault.recall("heliotrope").hits


def test_undo_twice_says_that_it_is_done(vault: Vault) -> None:
    """Also when a person deleted the file by hand."""
    made = vault.remember("The well is deep.", agent="ada")
    vault.undo(made.id)
    with pytest.raises(Refused, match="is already undone"):
        vault.undo(made.id)


@pytest.mark.parametrize("partly", [False, True])
def test_undo_twice_says_so_too_where_a_person_added_a_line_meanwhile(
    vault: Vault, *, partly: bool
) -> None:
    """No operation is named that nobody carried out."""
    note = vault.path / "topics/well.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("# Well\n\n- deep\n- cold\n- old\n- round\n")
    vault.store.writer.commit_edits(0.0)
    note.write_text("# Well\n\n- dry\n- cold\n- old\n- round\n")
    vault.store.writer.commit_edits(0.0)
    edit = vault.log()[0].commit
    note.write_text(f"{note.read_text()}- by hand\n")
    vault.undo(edit, partly=partly)
    undone = note.read_text()
    with pytest.raises(Refused, match="is already undone"):
        vault.undo(edit, partly=partly)
    assert note.read_text() == undone == "# Well\n\n- deep\n- cold\n- old\n- round\n- by hand\n"


def test_an_older_edit_of_a_note_is_taken_back_where_a_newer_one_is_elsewhere_in_it(
    vault: Vault, clock: Clock
) -> None:
    """Each edit moves the moment of the last one, and that stays."""
    reach = vault.reach("ada")
    reach.create("notes/tea.md", "Tea is green.\n\nIt grows in rows.\n\nIts price is high.\n")
    for old, new in (("green", "black"), ("high", "low")):
        clock.advance(minutes=1)
        reach.str_replace("notes/tea.md", old, new)
    newest, older = (each.ops[0] for each in vault.log(2))
    note = vault.path / "notes/tea.md"
    before = note.read_text()
    vault.undo(older)
    assert note.read_text() == before.replace("black", "green")
    vault.undo(newest)
    assert "green" in note.read_text()
    assert "high" in note.read_text()


def test_undo_of_one_memory_of_a_batch_leaves_the_others(vault: Vault) -> None:
    """One commit, several operations: the right one is taken back."""
    made = batch(vault, "The well is deep.", "The hill is high.", "The sea is wide.")
    assert len(made) == 3
    (op, path) = made[1]
    plan, _ = vault.undo(op)
    assert [c.path for c in plan.changes] == [path, "MEMORY.md"]
    left = sorted(r.body for r in vault.store.index.records(Filter(agent="ada")))
    assert left == ["The sea is wide.\n", "The well is deep.\n"]


@pytest.mark.long
def test_undo_of_an_import_takes_its_summaries_back_too(vault: Vault, tmp_path: Path) -> None:
    """The vault is as it was before it; and undoing that brings all of it back."""
    before = notes(vault)
    op = bring(vault, tmp_path, 13)
    after = notes(vault)
    assert any("recent-" in path for path in after)
    plan, _ = vault.undo(op)
    assert notes(vault) == before
    assert vault.fsck().ok
    vault.undo(plan.op)
    assert notes(vault) == after
    assert vault.fsck().ok


def forgotten(vault: Vault, text: str) -> str:
    """Forget the memory that says *text*; return its path."""
    (path,) = (r.path for r in vault.store.index.records(Filter(type="memory")) if text in r.body)
    vault.forget(path)
    return path


@pytest.mark.long
@pytest.mark.parametrize("had", [3, *rarely(0, 13)])
def test_an_import_of_which_something_was_forgotten_since_is_undone_partly(
    vault: Vault, tmp_path: Path, had: int
) -> None:
    """What was forgotten stays so; its summaries were told again without it, and go, too.

    Those of before tell what they told, be they of some of *had* memories.
    """
    tell(vault, had)
    vault.tick()
    before = notes(vault)
    op = bring(vault, tmp_path, 13)
    gone = forgotten(vault, "Fact 1 about")
    stones = {path for path in notes(vault) if path.startswith("tombstones/")}
    with pytest.raises(Refused, match="`partly=true`"):
        vault.undo(op)
    undo = vault.undo(op, partly=True)[0].op
    left = notes(vault)
    assert {path: text for path, text in left.items() if path not in stones} == before
    assert stones < left.keys()
    assert vault.fsck().ok
    vault.undo(undo)
    assert gone not in notes(vault)
    assert vault.fsck().ok


def test_what_was_moved_since_is_named_before_the_rest_is_undone(
    vault: Vault, tmp_path: Path
) -> None:
    op = bring(vault, tmp_path, 3)
    first, second, third = (
        r.path for r in vault.store.index.records(Filter(type="memory", agent="ada"))
    )
    vault.memories.archive([first])
    (vault.path / "notes").mkdir()
    (vault.path / second).rename(vault.path / "notes/mine.md")
    with pytest.raises(Refused, match=r"was moved to \S+ \(1 more were moved, too\)"):
        vault.undo(op)
    assert (vault.path / third).exists()
    vault.undo(op, partly=True)
    assert not (vault.path / third).exists()
    assert (vault.path / "notes/mine.md").exists()
    with pytest.raises(Refused, match="but what was moved since"):
        vault.undo(op, partly=True)


def test_what_went_back_by_hand_was_not_moved(vault: Vault, tmp_path: Path) -> None:
    bring(vault, tmp_path, 1)
    path = next(r.path for r in vault.store.index.records(Filter(type="memory", agent="ada")))
    before = (vault.path / path).read_bytes()
    moved = vault.memories.archive([path])
    (vault.path / moved.paths[0]).unlink()
    (vault.path / path).write_bytes(before)
    vault.undo(moved.op)
    assert (vault.path / path).read_bytes() == before


def test_a_summary_that_a_person_wrote_in_since_is_theirs_to_take_away(
    vault: Vault, tmp_path: Path
) -> None:
    """What the refusal says to do makes the undo go on."""
    op = bring(vault, tmp_path, 13)
    forgotten(vault, "Fact 9 about")
    (path,) = {r.path for r in vault.store.index.records(Filter(type="summary", tier="longterm"))}
    file = vault.path / path
    file.write_text(f"{file.read_text()}A line of mine.\n")
    with pytest.raises(Refused, match=f"{path} mentions .* delete it first"):
        vault.undo(op, partly=True)
    assert "A line of mine.\n" in file.read_text()
    file.unlink()
    vault.undo(op, partly=True)
    assert vault.fsck().ok


def test_undo_of_an_import_that_git_took_in_parts_takes_all(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may have committed the first batches."""
    monkeypatch.setattr("vaultmem.exchange.importing.memories.BATCH", 2)
    before = notes(vault)
    real = type(vault.store).apply

    def and_settle(*args: object) -> None:
        real(*args)  # type: ignore[arg-type]
        vault.store.writer.commit_pending()

    monkeypatch.setattr(type(vault.store), "apply", and_settle)
    op = bring(vault, tmp_path, 5)
    monkeypatch.undo()
    assert sum(op in o.ops for o in vault.log()) == 4  # three batches, and MEMORY.md
    assert vault.diff(op).count("+Fact") == 5
    vault.undo(op)
    assert notes(vault) == before


def test_an_undo_names_all_commits_of_an_operation(
    vault: Vault,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The log shows the fold that came last; the import before it goes, too."""
    real = type(vault.store).apply

    def and_settle(*args: object) -> None:
        real(*args)  # type: ignore[arg-type]
        vault.store.writer.commit_pending()

    monkeypatch.setattr(type(vault.store), "apply", and_settle)
    op = vault.import_files("jsonl", [chat(tmp_path)], agent="ada", manner="turns").done.op
    monkeypatch.undo()
    subjects = [o.subject for o in vault.log() if op in o.ops]
    fold, imported = dict.fromkeys(subjects)
    assert (fold[:9], imported) == ("fold(ada)", "import(ada): 40 turns")
    assert run(["--vault", str(vault.path), "undo", op, "--dry-run"]) == 0
    assert f"takes back {op} ({imported}; {fold})" in capsys.readouterr().err
    assert run(["--vault", str(vault.path), "undo", op]) == 0
    assert capsys.readouterr().out.startswith(f"undid {op} ({imported}; {fold}): ")
    assert vault.log(1)[0].subject == f"undo: {imported}; {fold}"


@pytest.mark.long
def test_undo_of_a_compaction_then_compacting_again_gives_the_same(vault: Vault) -> None:
    """The memories were never touched, so nothing is lost either way."""
    tell(vault, 8)
    vault.remember("Fact 9: lantern 9 hangs in the garden.", agent="ada")
    (op,) = (o.ops[0] for o in vault.log() if o.subject.startswith("compact"))
    (first,) = [t for p, t in notes(vault).items() if "recent-" in p]
    vault.undo(op)
    (ada,) = vault.status().agents
    assert (ada.memories, ada.covered, ada.recent_summaries) == (9, 0, 0)
    vault.compact("ada")
    (second,) = [t for p, t in notes(vault).items() if "recent-" in p]
    words = [x for x in first.splitlines() if not x.startswith("id: ")]
    assert words == [x for x in second.splitlines() if not x.startswith("id: ")]
    assert vault.fsck().ok


@pytest.mark.parametrize("noted", [False, True])
def test_an_undone_compaction_leaves_a_memory_md_that_points_at_every_memory(
    vault: Vault,
    noted: bool,  # noqa: FBT001  # a row of a table
) -> None:
    """At one of later, too, of an agent that has no summary any more; whatever else came since."""
    tell(vault, 5)
    vault.tick()
    vault.compact("ada", force=True)
    (op,) = (o.ops[0] for o in vault.log() if o.subject.startswith("compact"))
    later = vault.remember("Ottokar keeps the ledger.", agent="ada")
    if noted:
        vault.tasks.create("Buy bread")
    vault.undo(op)
    index = (vault.path / "MEMORY.md").read_bytes()
    assert later.path.encode() in index
    vault.store.sync()
    assert pointed_index.change(vault.store, ()) == ()


def test_undo_keeps_what_a_person_wrote_since(vault: Vault) -> None:
    """A true three-way merge: our lines go, theirs stay."""
    topic = vault.path / "topics/tea.md"
    topic.parent.mkdir()
    facts = [f"- fact {n}" for n in range(1, 10)]
    topic.write_text("---\ntype: topic\n---\n" + "\n".join(facts) + "\n")
    git(vault.path, "add", "topics")
    git(vault.path, "commit", "-qm", "by hand")
    edited = topic.read_text().replace("- fact 2\n", "- fact two\n")
    topic.write_text(edited)
    git(vault.path, "commit", "-qam", "reword")
    commit = git(vault.path, "rev-parse", "HEAD").strip()
    topic.write_text(edited.replace("- fact 9\n", "- fact nine\n"))
    vault.undo(commit)
    assert "- fact 2\n" in topic.read_text()
    assert "- fact nine\n" in topic.read_text()


def test_undo_refuses_what_later_edits_stand_on(vault: Vault) -> None:
    """The file is named, and stays as it is."""
    made = vault.remember("The well is deep.", agent="ada")
    path = vault.path / made.path
    path.write_text(path.read_text().replace("deep", "dry"))
    before = notes(vault)
    with pytest.raises(Refused, match=rf"^{made.path} was changed since") as told:
        vault.undo(made.id)
    assert told.value.exit_code == 3
    assert notes(vault) == before


def test_undo_refuses_a_memory_that_a_summary_tells(vault: Vault) -> None:
    """Or the summary would tell of nothing."""
    tell(vault, 9)
    first = vault.log(None)[-2].ops[0]
    before = notes(vault)
    with pytest.raises(
        Refused, match=r"recent-.*\.md mentions .*: undo the operation that made it first"
    ):
        vault.undo(first)
    assert notes(vault) == before


def test_undo_refuses_an_episode_that_a_later_one_goes_on_from(vault: Vault) -> None:
    """Or nothing would tell of the turns before that."""
    for subject in ("boiler", "garden"):
        for n in range(3):
            vault.say("house", f"The {subject} needs repair number {n}.", agent="ada")
        vault.fold("ada", force=True)
    newest, oldest = (o.ops[0] for o in vault.log() if o.subject.startswith("fold"))
    with pytest.raises(Refused, match=r"episode-0002-.* goes on from .*episode-0001-"):
        vault.undo(oldest)
    vault.undo(newest)
    vault.undo(oldest)
    assert vault.fsck().ok


def test_undo_brings_nothing_back_that_was_remembered_again(vault: Vault) -> None:
    """The same words would stand there twice; that is taken back first."""
    undone, _ = vault.undo(vault.remember("The well is deep.", agent="ada").id)
    again = vault.remember("The well is deep.", agent="ada")
    before = notes(vault)
    with pytest.raises(Refused, match=f"is in the vault again as {again.path}; nothing was undone"):
        vault.undo(undone.op)
    with pytest.raises(Refused, match=r"all that .* took away is in the vault again"):
        vault.undo(undone.op, partly=True)
    assert notes(vault) == before
    vault.undo(again.id)
    vault.undo(undone.op)
    assert [it.body.strip() for it in memories(vault)] == ["The well is deep."]


def test_what_came_back_and_was_archived_since_comes_back_no_second_time(vault: Vault) -> None:
    """What was put away would be recalled, and stand there twice."""
    undone, _ = vault.undo(vault.remember("The well is deep.", agent="ada").id)
    vault.undo(undone.op)
    vault.memories.archive([memories(vault)[0].path])
    before = notes(vault)
    with pytest.raises(Refused, match=r"is in the vault again as agents/ada/archive/"):
        vault.undo(undone.op)
    assert notes(vault) == before
    assert vault.recall("well").hits == ()


def test_undo_brings_the_rest_of_an_import_back_partly(vault: Vault, tmp_path: Path) -> None:
    """What came in again stays as it is, once."""
    undone, _ = vault.undo(bring(vault, tmp_path, 3))
    bring(vault, tmp_path, 2)
    there = {it.path for it in memories(vault)}
    with pytest.raises(Refused, match="is in the vault again as"):
        vault.undo(undone.op)
    vault.undo(undone.op, partly=True)
    assert sorted(it.body.strip() for it in memories(vault)) == [
        f"Fact {n} about the garden." for n in range(3)
    ]
    assert there < {it.path for it in memories(vault)}
    assert vault.fsck().ok


def test_what_stood_beside_it_before_is_not_in_the_way_of_an_undo(vault: Vault) -> None:
    """Two memories of the same words, one of which is archived."""
    one, two = (vault.remember("The well is deep.", agent="ada") for _ in range(2))
    vault.undo(vault.memories.archive([one.path]).op)
    assert [it.path for it in memories(vault)] == [one.path, two.path]


def test_undo_refuses_a_correction_that_was_corrected_since(vault: Vault) -> None:
    """Or what it corrected would hold again beside the last word; that goes first."""
    price = vault.remember("The van costs 700.", agent="ada", source="user")
    first = vault.correct(price.id, "The van costs 800.", source="user")
    last = vault.correct(first.id, "The van costs 900.", source="user")
    before = notes(vault)
    for partly in (False, True):
        with pytest.raises(Refused, match=f"{last.path} corrects {first.path}: undo"):
            vault.undo(first.id, partly=partly)
    assert notes(vault) == before
    vault.undo(last.id)
    vault.undo(first.id)
    assert "700" in vault.context("van", agent="ada").text


def test_what_was_told_of_before_it_came_back_may_go_again(vault: Vault) -> None:
    """A person deleted a memory of which a topic tells: to undo and redo that changes nothing."""
    made = vault.remember("The well is deep.", agent="ada", source="user")
    vault.share(made.id)
    vault.history.commit_pending()
    (vault.path / made.path).unlink()
    vault.store.writer.commit_edits(quiet=0)
    vault.tick()
    after = notes(vault)
    deleted = next(o.commit for o in vault.log() if o.subject.startswith("human"))
    plan, _ = vault.undo(deleted)
    vault.undo(plan.op)
    assert notes(vault) == after


@pytest.mark.long
def test_an_episode_is_forgotten_once_more_where_a_later_one_goes_on_from_it(vault: Vault) -> None:
    """And comes back before that: another has stood for its turns."""
    for word in ("river", "harbour"):
        vault.say("spring", f"Ottokar left the {word} umbrella in Graz.", agent="ada")
        vault.fold(force=True)
    first, _ = vault.store.index.records(Filter(type="episode"))
    forgot = vault.forget(first.path)
    after = notes(vault)
    plan, _ = vault.undo(forgot.op)
    vault.undo(plan.op)
    assert notes(vault) == after


@pytest.mark.long
def test_undo_refuses_a_compaction_that_the_long_term_summary_absorbed(vault: Vault) -> None:
    """Later compactions are taken back first; then it goes."""
    tell(vault, 13)
    newest, oldest = (o.ops[0] for o in vault.log() if o.subject.startswith("compact"))
    with pytest.raises(Refused, match=r"longterm\.md mentions .*recent-"):
        vault.undo(oldest)
    vault.undo(newest)
    vault.undo(oldest)
    assert vault.status().agents[0].covered == 0
    assert vault.fsck().ok


def test_undo_does_not_unmake_the_vault(vault: Vault) -> None:
    """Its first commit is not an operation to take back."""
    with pytest.raises(Refused, match="created this vault: to get rid of it, remove its folder"):
        vault.undo(vault.log()[-1].ops[0])
    assert (vault.path / "config/memory_compaction.md").is_file()


def test_a_planned_undo_changes_nothing(vault: Vault) -> None:
    """It shows what would go."""
    made = vault.remember("The well is deep.", agent="ada")
    before = notes(vault)
    plan = vault.plan_undo(made.id)
    assert [(c.path, c.op) for c in plan.changes] == [(made.path, "delete")]
    assert notes(vault) == before


def test_history_waits_while_a_person_merges(vault: Vault) -> None:
    """The memory is safe, its commit comes later."""
    (vault.path / ".git/MERGE_HEAD").write_text(git(vault.path, "rev-parse", "HEAD"))
    made = vault.remember("The well is deep.", agent="ada")
    assert made.commit is None
    assert vault.status().uncommitted == 1
    (vault.path / ".git/MERGE_HEAD").unlink()
    assert vault.log()[0].ops == (made.id,)


def test_without_a_commit_there_is_nothing_to_tell(vault: Vault) -> None:
    """A repository whose branch is yet unborn."""
    git(vault.path, "checkout", "-q", "--orphan", "new")
    assert vault.log() == ()


def test_without_git_history_is_said_to_be_missing(vault: Vault) -> None:
    """And how to have one."""
    (vault.path / ".git").rename(vault.path.parent / "gone")
    with pytest.raises(Unavailable, match="has no git history: `git init` there starts one"):
        vault.log()


def test_undo_takes_back_what_was_done_to_a_persons_part_of_the_index(vault: Vault) -> None:
    """And keeps what came later: a line of theirs, and a pointer between the marks."""
    index = vault.path / "MEMORY.md"
    before = index.read_bytes()
    mine = before + b"- [Old](topics/old.md): mine\n"
    index.write_bytes(mine)
    vault.store.writer.commit_edits(quiet=0)
    op = vault.store.mint()
    shorter = Change("MEMORY.md", mine, before, "tidied")
    vault.store.apply(Plan(op, "dream", "dream: 1 change", (shorter,)))
    vault.store.writer.commit_pending()
    (vault.path / "topics").mkdir(exist_ok=True)
    (vault.path / "topics/new.md").write_text("---\ntype: topic\ntitle: New\n---\nNews.\n")
    vault.store.writer.commit_edits(quiet=0, only=frozenset({"topics/new.md"}))
    index.write_bytes(b"".join([b"<!-- mine -->\n", before]))
    vault.store.sync()
    vault.undo(op)
    text = index.read_text()
    assert "- [Old](topics/old.md): mine\n" in text
    assert "(topics/new.md)" in text


def test_what_was_forgotten_of_a_transcript_comes_back(vault: Vault) -> None:
    """Turns stay where they were said; what a forgetting blanked out is no turn that was added."""
    vault.say("spring", "Ottokar left the heliotrope umbrella in Graz.", agent="ada")
    vault.say("spring", "Plain words about rivers.", agent="ada")
    vault.fold(force=True)
    before = {p: p.read_bytes() for p in vault.path.rglob("agents/**/*") if p.is_file()}
    (episode,) = vault.store.index.records(Filter(type="episode"))
    done = vault.forget(episode.path)
    assert "heliotrope" not in "".join(
        p.read_text() for p in vault.path.rglob("agents/**/*") if p.is_file()
    )
    vault.undo(done.op)
    assert {p: p.read_bytes() for p in vault.path.rglob("agents/**/*") if p.is_file()} == before


def files_of_ada(vault: Vault) -> dict[str, bytes]:
    """Return every file of ada's and what it has."""
    below = vault.path / "agents/ada"
    return {str(p.relative_to(below)): p.read_bytes() for p in below.rglob("*") if p.is_file()}


def test_a_turn_that_was_undone_comes_back(vault: Vault) -> None:
    """Its transcript was gone with it: brought back whole, it adds nothing to what is there."""
    vault.say("spring", "Tom is in Graz.", agent="ada")
    vault.store.writer.commit_pending()
    before = files_of_ada(vault)
    op, plan = vault.history.plan_newest_undo()
    vault.history.apply_undo(plan)
    assert not files_of_ada(vault)
    vault.undo(plan.op)
    assert files_of_ada(vault) == before
    vault.undo(op)
    assert not files_of_ada(vault)


def test_a_chat_whose_import_was_undone_comes_back(vault: Vault, tmp_path: Path) -> None:
    """Its turns and what was told of them, byte for byte."""
    op = vault.import_files("jsonl", [chat(tmp_path)], agent="ada", manner="turns").done.op
    before = files_of_ada(vault)
    assert any(path.startswith("episodes/") for path in before)
    plan, _ = vault.undo(op)
    assert not files_of_ada(vault)
    vault.undo(plan.op)
    assert files_of_ada(vault) == before
    assert vault.fsck().ok


def test_a_transcript_does_not_come_back_over_one_that_was_begun_since(vault: Vault) -> None:
    vault.say("spring", "Tom is in Graz.", agent="ada")
    vault.store.writer.commit_pending()
    plan, _ = vault.undo(vault.log(1)[0].ops[0])
    vault.say("spring", "Tom is in Linz.", agent="ada")
    before = files_of_ada(vault)
    with pytest.raises(Refused, match="append-only"):
        vault.undo(plan.op)
    assert files_of_ada(vault) == before


def test_a_turn_that_was_forgotten_since_its_undo_does_not_come_back(vault: Vault) -> None:
    text = "Ottokar left the heliotrope umbrella in Graz."
    vault.say("spring", text, agent="ada")
    vault.store.writer.commit_pending()
    plan, _ = vault.undo(vault.log(1)[0].ops[0])
    vault.forget(vault.remember(text, agent="ada").id)
    with pytest.raises(Refused, match="say again what was forgotten"):
        vault.undo(plan.op)


@pytest.mark.long
def test_what_was_purged_stays_gone(vault: Vault) -> None:
    kept = vault.remember("Ottokar left the heliotrope umbrella in Graz.", agent="ada")
    done = vault.forget(kept.id)
    vault.store.writer.commit_edits(quiet=0)
    vault.forgetting.purge([kept.id])
    with pytest.raises(Refused, match="purged"):
        vault.undo(done.op)
    newest = vault.log(1)[0]
    assert newest.subject == "forget: 1 purged"
    with pytest.raises(Refused, match="purged: nothing of it is left"):
        vault.undo(newest.commit)


@pytest.mark.long
def test_what_was_forgotten_beside_what_was_purged_comes_back_alone(vault: Vault) -> None:
    """A person says so: of what was purged the tombstone stays, and its text away."""
    kept = [
        vault.remember(text, agent="ada")
        for text in ("Ottokar left the heliotrope umbrella in Graz.", "Nina teaches botany.")
    ]
    done = vault.forgetting.forget([it.id for it in kept])
    vault.store.writer.commit_edits(quiet=0)
    vault.forgetting.purge([kept[0].id])
    with pytest.raises(Refused, match=f"{kept[0].id} was purged: .*`partly=true`"):
        vault.undo(done.op)
    vault.undo(done.op, partly=True)
    assert [hit.id for hit in vault.recall("who teaches botany, Nina?").hits] == [kept[1].id]
    assert [it.stem for it in (vault.path / "tombstones").glob("*.md")] == [kept[0].id]
    with pytest.raises(Refused, match="was forgotten"):
        vault.remember("Ottokar left the heliotrope umbrella in Graz.", agent="ada")
    assert vault.fsck().ok
    assert vault.forgetting.verify([kept[0].id]).verified


def test_what_cannot_be_taken_back_waits_in_the_inbox(vault: Vault) -> None:
    """The rest is taken back; whoever wrote on the same lines keeps their words."""
    folder = vault.path / "topics"
    folder.mkdir(exist_ok=True)
    names = ("oven", "rent")
    changes = []
    for name in names:
        path, old = f"topics/{name}.md", f"The {name} was old.\n".encode()
        (vault.path / path).write_bytes(old)
        changes.append(Change(path, old, f"The {name} is new.\n".encode(), "better"))
    vault.store.writer.commit_edits(quiet=0)
    op = vault.store.mint()
    vault.store.apply(Plan(op, "dream", "dream: 2 changes", tuple(changes)))
    vault.store.writer.commit_pending()
    (folder / "rent.md").write_text("The rent is too high.\n")
    with pytest.raises(Refused, match="`partly=true`"):
        vault.undo(op)
    vault.undo(op, partly=True)
    assert (folder / "oven.md").read_text() == "The oven was old.\n"
    assert (folder / "rent.md").read_text() == "The rent is too high.\n"
    (aside,) = (vault.path / "inbox").glob("conflict-*rent*.md")
    assert aside.read_text() == "The rent was old.\n"


def test_who_undoes_partly_hears_what_could_not_be_undone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And where the earlier text is."""
    with Vault.open(folder) as vault:
        ops = []
        for n, names in enumerate((("oven",), ("oven", "rent"), ("new",))):
            (folder / "topics").mkdir(exist_ok=True)
            changes = []
            for name in names:
                path, old = f"topics/{name}{n}.md", f"The {name} was old.\n".encode()
                if name != "new":
                    (folder / path).write_bytes(old)
                changes.append(
                    Change(path, None if name == "new" else old, b"It is new.\n", "better")
                )
            vault.store.writer.commit_edits(quiet=0)
            ops.append(vault.store.mint())
            vault.store.apply(Plan(ops[-1], "edit", "edit: better", tuple(changes)))
            vault.store.writer.commit_pending()
        for name in ("oven0", "rent1", "new2"):
            (folder / f"topics/{name}.md").write_text("It is anew.\n")
    none, some, new = ops
    at = ["--vault", str(folder), "undo", "--partly"]
    assert run([*at, none]) == 0
    (aside,) = (folder / "inbox").glob("conflict-*oven*.md")
    where = "later edits stand in the same lines; the earlier text is in inbox/"
    said = f"nothing of {none} could be undone: {where}{aside.name}\n"
    assert capsys.readouterr().out == said
    assert (folder / "topics/oven0.md").read_text() == "It is anew.\n"
    assert run([*at, some]) == 0
    (aside,) = (folder / "inbox").glob("conflict-*rent*.md")
    out = capsys.readouterr().out
    assert out.startswith(f"undid {some}: 2 files; `vaultmem undo ")
    assert out.endswith(f"` redoes it; the rest stays as it is: {where}{aside.name}\n")
    assert run([*at, new]) == 3
    assert "it made topics/new2.md, which was changed since" in capsys.readouterr().err


def test_an_undone_correction_leaves_memory_md_as_it_was(vault: Vault) -> None:
    """The memory that had ended holds again, and is pointed at."""
    home = vault.remember("Mara lives in Graz.", agent="ada", source="user")
    vault.remember("Ottokar keeps the ledger.", agent="ada", source="user")
    vault.tasks.create("Buy bread")
    before = (vault.path / "MEMORY.md").read_text()
    assert home.path in before
    vault.undo(vault.correct(home.id, "Mara lives in Wien.", source="user").id)
    assert (vault.path / "MEMORY.md").read_text() == before


def test_an_undo_names_the_operation_of_the_commit_and_each_id_as_it_is_written(
    vault: Vault, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tell(vault, 1)
    vault.history.commit_pending()
    sha = git(folder, "rev-parse", "HEAD").strip()
    op = vault.log(1)[0].ops[0]
    assert run(["--vault", str(folder), "undo", sha[:12].upper(), "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["undone"] == sha[:12]
    assert run(["--vault", str(folder), "undo", sha[:12].upper()]) == 0
    assert capsys.readouterr().out.startswith(f"undid {sha[:12]}: ")
    assert f"Takes back {op} ({sha[:12]})." in git(folder, "log", "-1", "--format=%B")


def test_of_turns_that_share_a_commit_one_is_not_called_nothing(vault: Vault) -> None:
    vault.say("talk", "Tea at four.", agent="ada")
    vault.say("talk", "And cake.", agent="ada")
    vault.history.commit_pending()
    commit = next(it for it in vault.log() if len(it.ops) > 1)
    with pytest.raises(Refused, match=f"committed with others.*undo {commit.commit[:12]}"):
        vault.undo(commit.ops[0])
    vault.undo(commit.commit)
    assert not [*vault.path.rglob("talk.jsonl")]
