"""Damage of every kind: found, named, and mended where that needs no judgement."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import Template
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.documents.secrets import scanner
from vaultmem.maintenance.fsck import Report
from vaultmem.memory import memory_index
from vaultmem.storage.index import Filter

Damage = Callable[[Path], str]
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def git(folder: Path, *args: str) -> str:
    """Run git as a person does."""
    return subprocess.run(
        ["git", *args], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a vault with thirteen memories of ada, two short-term summaries and a long-term one."""
    path = tmp_path_factory.mktemp("sound") / "vault"
    create.create(path, lambda: NOON)
    config = path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("_window: 64", "_window: 4"))
    talk = path.parent / "talk.jsonl"
    lines = (
        {"id": n, "session": "s", "content": f"Lantern {n} hangs in garden number {n}, says Ann."}
        for n in range(1, 14)
    )
    talk.write_text("".join(json.dumps(x) + "\n" for x in lines))
    with Vault.open(path, clock=lambda: NOON) as vault:
        vault.import_files("jsonl", [talk], agent="ada")
    git(path, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qam", "settings")
    return path


@pytest.fixture(scope="module")
def kept(sound: Path) -> Template:
    """Read the sound vault, its objects in one pack."""
    git(sound, "repack", "-adq")
    return Template(sound)


@pytest.fixture
def place(kept: Template, tmp_path: Path) -> Path:
    """Copy the sound vault to where a scene may break it."""
    return kept.write(tmp_path / "vault")


@pytest.fixture
def broken(place: Path) -> Iterator[Vault]:
    """Open the copy."""
    with Vault.open(place, clock=lambda: NOON) as opened:
        opened.store.sync()
        yield opened


def memories(place: Path) -> list[Path]:
    """Return the files of ada's memories, oldest first."""
    return sorted((place / "agents/ada/memories").rglob("*.md"), key=lambda p: p.read_text())


def summaries(place: Path) -> list[Path]:
    """Return the short-term summaries, oldest first."""
    return sorted((place / "agents/ada/summaries").glob("recent-*.md"), key=lambda p: p.stem)


def here(place: Path, path: Path) -> str:
    """Return *path* as problems name it."""
    return path.relative_to(place).as_posix()


def found(report: Report) -> set[tuple[str, str]]:
    """Return codes and paths of what is wrong."""
    return {(p.code, p.path) for p in report.problems}


def contents(place: Path) -> dict[str, bytes]:
    """Return the bytes of every file of the vault but the workings."""
    inner = ((p, p.relative_to(place)) for p in place.rglob("*") if p.is_file())
    return {str(i): p.read_bytes() for p, i in inner if i.parts[0] not in {".git", ".vaultmem"}}


def uncovered(place: Path) -> Path:
    """Return the file of a memory that no summary tells."""
    told = "".join(s.read_text() for s in summaries(place))
    return next(m for m in memories(place) if m.stem not in told)


def covered(place: Path) -> Path:
    """Return the file of a memory that the first summary tells."""
    return next(m for m in memories(place) if m.stem in summaries(place)[0].read_text())


def test_a_sound_vault_is_ok(broken: Vault) -> None:
    """With counts to compare."""
    report = broken.fsck()
    assert found(report) == set()
    assert (report.memories, report.covered, report.pending) == (13, 9, 0)
    assert report.checked["summaries"] == 3


# --- files ------------------------------------------------------------------------------------


def rewritten(change: Callable[[bytes], bytes]) -> Damage:
    """Return the damage that changes the bytes of a memory that no summary tells."""

    def damage(place: Path) -> str:
        path = uncovered(place)
        path.write_bytes(change(path.read_bytes()))
        return here(place, path)

    return damage


def swapped(old: str, new: str) -> Damage:
    """Return the damage that replaces a piece of a memory."""

    def change(data: bytes) -> bytes:
        assert old.encode() in data
        return data.replace(old.encode(), new.encode(), 1)

    return rewritten(change)


BOMB = "a: &a [x,x]\nb: [*a,*a]\n"
DEEP = "a: [[[[[[x]]]]]]\n"

KEPT = {
    "encoding": rewritten(lambda d: d.replace(b"says", b"s\xe4ys")),
    "encoding nul": rewritten(lambda d: d.replace(b"says", b"s\0ys")),
    "conflict": rewritten(lambda d: d + b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"),
    "anchor": swapped("type: memory\n", "type: memory\n" + BOMB),
    "alias": swapped("type: memory\n", "type: memory\nb: *a\n"),
    "tag": swapped("type: memory\n", "type: !!python/name:os.system memory\n"),
    "duplicate": swapped("type: memory\n", "type: memory\ntype: card\n"),
    "depth": swapped("type: memory\n", "type: memory\n" + DEEP),
    "size": swapped("type: memory\n", f"type: memory\nx: {'y' * 20_000}\n"),
    "yaml": swapped("type: memory\n", "type: memory\nx: [1, 2\n"),
    "yaml tab": swapped("type: memory\n", "type: memory\n\t- x\n"),
}


@pytest.mark.parametrize("kind", KEPT)
def test_a_file_that_cannot_be_trusted_is_named_and_kept(
    broken: Vault, place: Path, kind: str
) -> None:
    """It is a person's to mend: repair does not touch it, recall still finds what it said."""
    path = KEPT[kind](place)
    before = contents(place)
    assert found(broken.fsck()) == {(kind.partition(" ")[0], path)}
    assert found(broken.fsck(repair=True)) == {(kind.partition(" ")[0], path)}
    assert contents(place) == before
    assert broken.status().status == "WARNING"
    assert broken.compact("ada", force=True).compactions == ()


TORN = {
    "torn": rewritten(lambda d: d[:40]),
    "empty": rewritten(lambda _: b""),
    "empty of blanks": rewritten(lambda _: b""),
    "emptied": rewritten(lambda d: d[: d.index(b"\n---\n") + 5]),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", TORN)
def test_a_file_that_lost_its_end_comes_back_from_git(
    broken: Vault, place: Path, kind: str
) -> None:
    """What is left of it is how its last version began."""
    before = contents(place)
    path = TORN[kind](place)
    assert found(broken.fsck()) == {(kind.partition(" ")[0], path)}
    assert broken.fsck(repair=True).ok
    assert contents(place) == before


def test_a_torn_file_of_which_git_has_no_more_stays(broken: Vault, place: Path) -> None:
    """Nothing is guessed."""
    path = uncovered(place)
    path.write_bytes(b"---\nid: other")
    assert found(broken.fsck(repair=True)) == {("torn", here(place, path))}
    assert path.read_bytes() == b"---\nid: other"


LACKING = {
    "no id": swapped("id: ", "idea: "),
    "a bad id": swapped("id: 0", "id: I"),
    "no time": swapped("created: ", "made: "),
    "a bad time": swapped("created: 2", "created: next year, not 2"),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", LACKING)
def test_a_memory_written_by_hand_gets_what_it_lacks(broken: Vault, place: Path, kind: str) -> None:
    """Its own lines stay as they are."""
    path = LACKING[kind](place)
    text = (place / path).read_text()
    assert found(broken.fsck()) == {("incomplete", path)}
    assert broken.fsck(repair=True).ok
    kept = [x for x in text.splitlines() if not x.startswith(("id:", "created:"))]
    assert [x for x in (place / path).read_text().splitlines() if x in kept] == kept


@pytest.mark.long
def test_a_bare_note_among_the_memories_becomes_one(broken: Vault, place: Path) -> None:
    """A person drops a file without frontmatter: its time is the file's."""
    path = place / "agents/ada/memories/by-hand.md"
    path.write_text("The well is deep.\n")
    os.utime(path, (0, 1_700_000_000))
    assert found(broken.fsck()) == {("incomplete", here(place, path))}
    assert broken.fsck(repair=True).ok
    assert "created: 2023-11-14T22:13:20Z\n" in path.read_text()
    assert path.read_text().endswith("---\nThe well is deep.\n")


def test_a_torn_card_and_an_empty_topic_are_named(broken: Vault, place: Path) -> None:
    """Not only memories are looked at."""
    for name, text in (("cards/me/ann.md", "---\ntype: card\nperson: An"), ("cards/me/b.md", "")):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    assert found(broken.fsck()) == {("torn", "cards/me/ann.md"), ("empty", "cards/me/b.md")}


@pytest.mark.long
def test_a_task_that_was_emptied_is_named_and_comes_back_from_git(
    broken: Vault, place: Path
) -> None:
    """Its number alone would say that it is pending, and is called task-0001."""
    path = broken.tasks.create("Oil the gate").path
    text = (place / path).read_text()
    (place / path).write_bytes(b"")
    assert found(broken.fsck()) == {("empty", path)}
    assert broken.fsck(repair=True).ok
    assert (place / path).read_text() == text


# --- identity and links -----------------------------------------------------------------------


def test_a_conflict_copy_is_named(broken: Vault, place: Path) -> None:
    """Two files, one id: a person keeps one."""
    path = uncovered(place)
    copy = path.with_name(path.stem + " (conflicted copy).md")
    shutil.copy(path, copy)
    (problem,) = broken.fsck(repair=True).problems
    assert problem.code == "twins"
    assert here(place, path) in problem.message
    assert here(place, copy) in problem.message


@pytest.mark.long
def test_a_memory_is_no_twin_of_one_that_vanished(broken: Vault, place: Path) -> None:
    """Else a person would delete the only one that is there."""
    path = uncovered(place)
    away = place / "agents/ada/archive" / path.name
    away.parent.mkdir()
    path.rename(away)
    assert broken.fsck().ok
    text = away.read_bytes()
    for each in (*memories(place), away):
        each.unlink()
    path.write_bytes(text)
    assert [p.code for p in broken.fsck().problems] == ["vanished"]
    copy = path.with_name("copy.md")
    copy.write_bytes(text)
    (twins,) = [p for p in broken.fsck().problems if p.code == "twins"]
    assert twins.message.endswith(f"in {here(place, path)}, {here(place, copy)}")


def test_two_memories_of_one_name_are_named(broken: Vault, place: Path) -> None:
    """A link says the name alone."""
    path = uncovered(place)
    other = place / "agents/bob/memories" / path.name
    other.parent.mkdir(parents=True)
    text = path.read_text()
    at = text.index("id: ") + 4
    other.write_text(text[: at + 20] + "ZZZZZZ" + text[at + 26 :])
    assert [p.code for p in broken.fsck().problems] == ["same-name"]


@pytest.mark.long
def test_a_deleted_memory_makes_its_summary_stale_until_it_is_redone(
    broken: Vault, place: Path
) -> None:
    """The next compaction tells only what there is."""
    path = covered(place)
    path.unlink()
    (first, *_) = summaries(place)
    assert found(broken.fsck()) == {
        ("stale-summary", here(place, first)),
        ("missing", here(place, path)),
    }
    broken.compact("ada")
    broken.store.writer.commit_edits(quiet=0)
    assert broken.fsck().ok
    assert path.stem not in first.read_text()


@pytest.mark.long
def test_an_edited_memory_that_was_accepted_makes_its_summary_stale_until_it_is_redone(
    broken: Vault, place: Path
) -> None:
    """A person corrects what was remembered."""
    path = covered(place)
    path.write_text(path.read_text().replace("Lantern", "Streetlight"))
    (first, *_) = summaries(place)
    assert found(broken.fsck()) == {("edited", here(place, path))}
    accepted = broken.fsck(accept=[path.stem])
    assert found(accepted) == {("stale-summary", here(place, first))}
    broken.compact("ada")
    assert broken.fsck().ok


def test_a_memory_that_two_summaries_tell_is_named(broken: Vault, place: Path) -> None:
    """Each memory is told once."""
    first, second = summaries(place)
    link = next(x for x in first.read_text().splitlines() if x.startswith('  - "[['))
    second.write_text(second.read_text().replace("sources:\n", f"sources:\n{link}\n"))
    codes = {code for code, _ in found(broken.fsck())}
    assert "covered-twice" in codes


@pytest.mark.long
def test_a_deleted_summary_is_missed_and_made_again(broken: Vault, place: Path) -> None:
    """By whoever still names it, and because its memories are told nowhere."""
    first, _ = summaries(place)
    first.unlink()
    report = broken.fsck()
    assert ("dangling-source", "agents/ada/summaries/longterm.md") in found(report)
    assert report.pending == 5
    broken.tick()
    assert broken.fsck().ok


def test_a_deleted_long_term_summary_is_missed(broken: Vault, place: Path) -> None:
    """It had absorbed a short-term one."""
    (place / "agents/ada/summaries/longterm.md").unlink()
    codes = found(broken.fsck())
    assert ("not-absorbed", "agents/ada/summaries/longterm.md") in codes
    broken.tick()
    assert broken.fsck().ok


@pytest.mark.long
def test_a_long_term_summary_that_an_editor_put_back_catches_up_in_the_next_round(
    broken: Vault, place: Path
) -> None:
    """What the person wrote into the old copy stays."""
    path = place / "agents/ada/summaries/longterm.md"
    old = path.read_text()
    for n in range(5):
        broken.remember(f"On day {n} the harbour froze over, {n} boats stayed.", agent="ada")
    assert path.read_text() != old
    path.write_text(f"{old}A line by hand.\n")
    assert {code for code, _ in found(broken.fsck())} == {"not-absorbed"}
    broken.tick()
    assert broken.fsck().ok
    assert path.read_text().splitlines().count("A line by hand.") == 1
    before = path.read_text()
    broken.tick()
    assert path.read_text() == before


def test_a_pointer_to_nothing_is_named_and_mended(broken: Vault, place: Path) -> None:
    """MEMORY.md lists what the vault has."""
    path = place / "MEMORY.md"
    before = path.read_text()
    path.write_text(before.replace("recent-", "resent-", 1))
    assert {code for code, _ in found(broken.fsck())} == {"dangling-pointer"}
    assert broken.fsck(repair=True).ok
    assert path.read_text() == before


@pytest.mark.long
def test_a_pointer_to_what_a_person_moved_is_due_and_no_fault(broken: Vault, place: Path) -> None:
    """The next round renews it, once that is committed; a person's own line it does not."""
    index = place / "MEMORY.md"
    broken.remember("The kiln costs 450 euros.", agent="bea")
    broken.tick()
    target = next(t for t in memory_index.targets(index.read_text()) if "/memories/" in t)
    archived = place / target.replace("/memories/", "/archive/")
    archived.parent.mkdir(parents=True)
    (place / target).rename(archived)
    report = broken.fsck()
    assert (report.ok, [it.message.split()[0] for it in report.due]) == (True, [target])
    assert not broken.status().problems
    before = index.read_text()
    index.write_text(f"- [mine]({target})\n{before}")
    assert ("dangling-pointer", "MEMORY.md") in found(broken.fsck())
    index.write_text(before)
    git(place, "add", "-A")
    git(place, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "Archive")
    broken.tick()
    report = broken.fsck()
    assert (report.ok, report.due) == (True, ())


def test_a_memory_md_over_its_budget_is_named(broken: Vault, place: Path) -> None:
    """A person's own lines are theirs to shorten."""
    path = place / "MEMORY.md"
    path.write_text("A line of my own.\n" * 201 + path.read_text())
    assert ("over-budget", "MEMORY.md") in found(broken.fsck())


# --- workings ---------------------------------------------------------------------------------


def test_an_intent_that_cannot_be_read_is_named(broken: Vault, place: Path) -> None:
    """It may be all that is left of a write."""
    path = place / ".vaultmem/journal/01J5XK3M9QZ7V4T8R2N6W7Q3KZ.json"
    path.write_bytes(b'{"torn')
    assert ("intent", here(place, path)) in found(broken.fsck(repair=True))
    assert path.exists()


def test_what_a_dead_process_left_is_named_and_removed(broken: Vault, place: Path) -> None:
    """A temporary file whose owner is gone."""
    from vaultmem.storage.files import TEMP  # noqa: PLC0415
    from vaultmem.storage.files.leftover_files import _host  # noqa: PLC0415

    dead = subprocess.Popen(["true"])
    dead.wait()
    path = place / f"agents/ada/{TEMP}{_host()}-{dead.pid}-01J5XK3M9QZ7V4T8R2N6W7Q3KZ-0"
    path.write_text("half a mem")
    assert found(broken.fsck()) == {("leftover", here(place, path))}
    assert broken.fsck(repair=True).ok
    assert not path.exists()


def test_a_vault_made_read_only_by_a_failing_disk_is_named_and_freed(
    broken: Vault, place: Path
) -> None:
    """Only repair, asked for by a person, lets writes through again."""
    (place / ".vaultmem/read-only").touch()
    assert found(broken.fsck()) == {("read-only", ".vaultmem/read-only")}
    assert broken.status().status == "ERROR"
    assert broken.fsck(repair=True).ok
    broken.remember("more", agent="ada")


def test_a_half_done_write_is_finished_on_the_way(broken: Vault, place: Path) -> None:
    """Opening is enough: what was promised is done."""
    from vaultmem.storage import journal  # noqa: PLC0415
    from vaultmem.storage.plan import Change, Plan  # noqa: PLC0415

    new = Change("topics/tea.md", None, b"---\ntype: topic\n---\nTea.\n", "why not")
    todo = journal.intent(Plan(broken.store.mint(), "x", "x", (new,)), broken.store.mint(), None)
    journal.begin(broken.store.root, todo)
    assert broken.fsck().ok
    assert (place / "topics/tea.md").read_text().endswith("Tea.\n")


@pytest.mark.parametrize("make", ["file link", "folder link", "dangling link", "pipe"])
def test_a_link_or_a_device_is_named_and_not_followed(
    broken: Vault, place: Path, tmp_path: Path, make: str
) -> None:
    """It could lead out of the vault."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.md").write_text("zanzibar\n")
    path = place / "topics" / ("odd.md" if make != "folder link" else "odd")
    path.parent.mkdir(exist_ok=True)
    if make == "pipe":
        os.mkfifo(path)
    else:
        target = {"file link": "secret.md", "folder link": "", "dangling link": "x.md"}[make]
        path.symlink_to(tmp_path / "outside" / target)
    assert found(broken.fsck(repair=True)) == {("link", here(place, path))}
    assert broken.recall("zanzibar").hits == ()
    assert broken.status().status == "WARNING"


def test_a_crowd_that_vanished_is_named_and_waits_for_a_person(broken: Vault, place: Path) -> None:
    """`git checkout` brings it back, --accept-missing lets it go."""
    shutil.rmtree(place / "agents/ada/memories")
    report = broken.fsck(repair=True)
    assert [(p.code, p.message[:17]) for p in report.problems] == [
        ("vanished", "13 files are gone")
    ]
    assert report.memories == 13
    git(place, "checkout", "--", "agents/ada/memories")
    assert broken.fsck().ok


def lie(place: Path, *statements: str) -> None:
    """Change the index behind everybody's back."""
    db = sqlite3.connect(place / ".vaultmem/index/catalog.sqlite3")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seen SET sha = 'f00' WHERE path LIKE '%/longterm.md'",
        "UPDATE docs SET trust = 'verified' WHERE path LIKE '%/longterm.md'",
        "UPDATE bodies SET body = 'lies' WHERE doc = (SELECT doc FROM docs WHERE tier='longterm')",
        "DELETE FROM docs WHERE path LIKE '%/longterm.md'",
        "INSERT INTO docs(doc, path, stem, tags, sources) VALUES (9999, 'x.md', 'x', '', '')",
        "UPDATE remembered SET memories = memories + 1",
        "DELETE FROM uncovered",
    ],
    ids=["sha", "field", "text", "missing", "invented", "counts", "waiting"],
)
def test_an_index_that_lies_is_found_out_and_corrected(
    broken: Vault, place: Path, statement: str
) -> None:
    """The files decide."""
    broken.store.index.db.execute("UPDATE seen SET racy = 0")
    lie(place, statement, "INSERT OR IGNORE INTO bodies SELECT doc, '' FROM docs")
    before = contents(place)
    assert "index" in {p.code for p in broken.fsck().problems}
    assert broken.fsck(repair=True).ok
    assert contents(place) == before


def test_a_file_that_the_index_has_twice_is_no_twin(broken: Vault, place: Path) -> None:
    """There is one of it: who deleted the other would delete the only one."""
    path = uncovered(place)
    db = sqlite3.connect(place / ".vaultmem/index/catalog.sqlite3")
    names = [name for _, name, *_ in db.execute("PRAGMA table_xinfo(docs)") if name != "doc"]
    db.close()
    columns, where = ", ".join(names), f"path = '{here(place, path)}'"
    lie(  # the body first, while there is one row
        place,
        f"INSERT INTO bodies SELECT 9999, body FROM docs JOIN bodies USING(doc) WHERE {where}",  # noqa: S608  # our own
        f"INSERT INTO docs(doc, {columns}) SELECT 9999, {columns} FROM docs WHERE {where}",  # noqa: S608  # our own
    )
    assert found(broken.fsck()) == {("index", here(place, path))}
    assert broken.fsck(repair=True).ok
    assert path.exists()
    assert len(broken.store.index.at([here(place, path)])) == 1


@pytest.mark.long
def test_what_the_index_alone_calls_a_twin_is_none(broken: Vault, place: Path) -> None:
    broken.store.index.db.execute("UPDATE seen SET racy = 0")
    (one, other, *_) = sorted(place.glob("agents/*/memories/**/*.md"))
    first, second = here(place, one), here(place, other)
    known = f"SELECT id FROM docs WHERE path = '{first}'"  # noqa: S608  # our own
    lie(place, f"UPDATE docs SET id = ({known}) WHERE path = '{second}'")  # noqa: S608  # our own
    assert ("index", second) in found(broken.fsck())
    assert "twins" not in {problem.code for problem in broken.fsck().problems}
    assert broken.fsck(repair=True).ok


@pytest.mark.long
def test_a_damaged_git_object_is_named(broken: Vault, place: Path) -> None:
    """Git's own check says which."""
    tree = git(place, "rev-parse", "HEAD^{tree}").strip()
    path = place / ".git/objects" / tree[:2] / tree[2:]
    if not path.exists():  # packed: let git unpack it
        packs = list((place / ".git/objects/pack").glob("*.pack"))
        data = [p.read_bytes() for p in packs]
        for p in list((place / ".git/objects/pack").iterdir()):
            p.unlink()
        for pack in data:
            subprocess.run(["git", "unpack-objects", "-q"], cwd=place, input=pack, check=True)
    path.chmod(0o600)
    path.write_bytes(b"garbage")
    assert ("git", ".git") in found(broken.fsck())


# --- health -----------------------------------------------------------------------------------

BY_HAND = {
    "topics/plain.md": "Just text.\n",
    "topics/crlf.md": "---\r\ntype: topic\r\ntitle: Windows\r\n---\r\nText.\r\n",
    "topics/bom.md": "\ufeff---\ntype: topic\n---\nText.\n",
    "topics/comments.md": "---\n# mine\ntype: topic   # a comment\nmood: calm\n---\nText.\n",
    "topics/flow.md": "---\ntype: topic\ntags: [a, b]\nsources: ['[[nowhere]]']\n---\nText.\n",
    "topics/rules.md": "Text.\n\n---\n\nMore.\n\n---\n",
    "topics/no-newline.md": "---\ntype: topic\n---\nText.",
    "topics/only-head.md": "---\ntype: topic\ntitle: Later\n---\n",
    "topics/empty.md": "",
    "topics/words.md": "---\ntype: topic\na: NO\nb: 1.10\nc: 12:30\nd: 0123\ne:\n---\nText.\n",
    "topics/deep/er/note.md": "Text.\n",
    "topics/sizes.md": "x" * 200_000,
    "topics/Ünïcode 名前.md": "Text.\n",
    "topics/with space & (signs).md": "Text.\n",
    "topics/markers.md": "Git writes <<<<<<< and ======= into files.\n",
    "cards/me/ann.md": "---\ntype: card\nperson: Ann\nrelationship: friend\n---\nBackstory.\n",
    "agents/ada/agent.md": "---\ntype: note\n---\nHelps in the garden.\n",
    "agents/ada/topics/private.md": "Text.\n",
    "inbox/question.md": "@recall tea\n",
    "notes.md": "Text.\n",
    "journal/2026-11-20.md": "- [ ] buy milk\n",
}


@pytest.mark.long
def test_what_a_person_writes_is_sound_and_repair_leaves_it_alone(
    broken: Vault, place: Path
) -> None:
    """Topics, cards and notes of every sane shape, byte for byte, before and after a round."""
    for name, text in BY_HAND.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(text.encode())
        os.utime(place / name, (NOON.timestamp(), NOON.timestamp()))
    before = contents(place)
    assert found(broken.fsck()) == set()
    assert broken.fsck(repair=True).ok
    broken.tick()
    assert contents(place) == before
    broken.store.writer.commit_edits(quiet=0)
    broken.tick()
    after = contents(place)
    assert found(broken.fsck(repair=True)) == set()
    assert contents(place) == after
    assert {k for k in after if after[k] != before.get(k)} == {"MEMORY.md"}


def test_a_memory_that_git_has_and_the_disk_has_not_is_missing(vault: Vault) -> None:
    """One is no crowd, and no summary tells of it."""
    made = vault.remember("The well is deep.", agent="ada")
    (vault.path / made.path).unlink()
    (told,) = vault.fsck().problems
    assert (told.code, told.path) == ("missing", made.path)
    assert told.repair.endswith("is gone, once the folder has not changed for 30 seconds")


@pytest.mark.long
def test_a_memory_that_was_remembered_again_is_not_brought_back_beside_that(vault: Vault) -> None:
    """A person removed it with git; fsck says that it is here, and how to let the old one go."""
    old = vault.remember("The well is deep.", agent="ada")
    for args in (["rm", "-q", old.path], ["commit", "-qm", "gone"]):
        subprocess.run(["git", *args], cwd=vault.path, check=True)
    new = vault.remember("The well is deep.", agent="ada")
    (told,) = vault.fsck(repair=True).problems
    assert "here again under another id" in told.message
    assert told.repair.startswith("`vaultmem fsck --accept-missing` lets the old one go")
    (kept,) = vault.store.index.records(Filter(type="memory", below="agents"))
    assert kept.path == new.path
    assert vault.fsck(accept_missing=True).ok


def test_a_memory_that_got_another_name_is_not_missing(vault: Vault) -> None:
    """It is known by its id; bringing the old file back would make it two."""
    made = vault.remember("The well is deep.", agent="ada")
    (vault.path / made.path).rename((vault.path / made.path).with_name("well.md"))
    assert vault.fsck().problems == ()


# --- episodes -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folded(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Let episodes tell of turns 1 to 10, 11 to 20 and 21 to 30 of forty-one."""
    path = Path(shutil.copytree(sound, tmp_path_factory.mktemp("folded") / "vault", symlinks=True))
    config = path / "config/memory_compaction.md"
    config.write_text(
        config.read_text().replace("session_strategy: auto", "session_strategy: fold")
    )
    with Vault.open(path, clock=lambda: NOON) as vault:
        for n in range(41):
            vault.say("farm", f"We decided to keep hen {n} because of her eggs.", agent="ada")
        assert vault.fsck().ok
    return path


@pytest.fixture
def told(folded: Path, tmp_path: Path) -> Iterator[Vault]:
    """Open a copy of it."""
    path = Path(shutil.copytree(folded, tmp_path / "vault", symlinks=True))
    with Vault.open(path, clock=lambda: NOON) as opened:
        opened.store.sync()
        yield opened


def episode_at(vault: Vault, number: int) -> Path:
    """Return the file of ada's *number*-th episode."""
    (path,) = (vault.path / "agents/ada/episodes").glob(f"episode-{number:04}-*.md")
    return path


@pytest.mark.long
@pytest.mark.parametrize(("old", "new", "code"), [
    ("turn_range_start: 11", "turn_range_start: 13", "episode-gap"),
    ("turn_range_start: 11", "turn_range_start: 9", "episode-overlap"),
    ("turn_range_start: 11", "turn_range_start: -1", "bad-episode"),
    ("turn_range_end: 20", "turn_range_end: 2000", "bad-episode"),
])  # fmt: skip
def test_an_episode_whose_range_is_wrong_is_found(
    told: Vault, old: str, new: str, code: str
) -> None:
    """The file is named, with what to do."""
    path = episode_at(told, 2)
    path.write_text(path.read_text().replace(old, new))
    problems = {p.code: p for p in told.fsck().problems}
    assert problems[code].path == here(told.path, path) or code == "episode-overlap"
    assert problems[code].repair


def test_a_gap_between_episodes_is_found_and_folding_mends_it(told: Vault) -> None:
    """Somebody deleted one."""
    episode_at(told, 2).unlink()
    (problem,) = [p for p in told.fsck().problems if p.code.startswith("episode")]
    assert (problem.code, problem.path) == ("episode-gap", here(told.path, episode_at(told, 3)))
    assert problem.message == "turns 21 to 30: no episode covers turn 11 and later"
    told.fold("ada")
    assert [p for p in told.fsck().problems if p.code.startswith("episode")] == []


def test_episodes_of_a_transcript_that_is_gone_are_found(told: Vault) -> None:
    """They tell of turns that nobody can look up."""
    (told.path / "agents/ada/sessions/farm.jsonl").unlink()
    codes = [p.code for p in told.fsck().problems if p.code == "bad-episode"]
    assert len(codes) == 3


def test_a_date_by_hand_is_no_lie_of_the_index(vault: Vault) -> None:
    """A day without a time, as people write it."""
    (vault.path / "topics").mkdir(exist_ok=True)
    text = "---\ntype: topic\ntitle: Tea\ncreated: 2026-11-02\n---\nOolong.\n"
    (vault.path / "topics/tea.md").write_text(text)
    vault.store.sync()
    assert [p.code for p in vault.fsck().problems if p.code == "index"] == []


def test_a_persons_own_index_is_for_a_dream_to_tidy(vault: Vault) -> None:
    """The program makes nothing anew outside of its marks."""
    lines = [f"- Observation {n} of the harbour.\n" for n in range(230)]
    (vault.path / "MEMORY.md").write_text("".join(lines) + "- [Lost](topics/lost.md)\n")
    found = {p.code: p.repair for p in vault.fsck().problems}
    assert "dream plan" in found["over-budget"]
    assert "dream plan" in found["dangling-pointer"]


@pytest.mark.long
def test_what_is_forgotten_and_waits_for_its_commit_is_not_missed(vault: Vault) -> None:
    """Nobody is told how to bring it back."""
    made = vault.remember("The well is deep.", agent="ada")
    assert made.commit
    lock = vault.path / ".git/index.lock"
    lock.touch()
    vault.forget(made.id)
    assert [p for p in vault.fsck().problems if p.code == "missing"] == []
    lock.unlink()
    vault.store.writer.commit_pending()
    assert vault.fsck().ok


@pytest.mark.parametrize("item", ["<private>zz</private>", "", "two\\nlines", "a <private>b"])
@pytest.mark.parametrize("key", ["tags", "sources", "supersedes"])
def test_whatever_a_list_holds_the_index_says_the_same_of_it(
    vault: Vault, folder: Path, key: str, item: str
) -> None:
    path = folder / vault.remember("The well is deep.", agent="ada").path
    path.write_text(path.read_text().replace("\nsource:", f'\n{key}:\n  - "{item}"\nsource:', 1))
    vault.store.sync()
    assert "index" not in {p.code for p in vault.fsck().problems}


@pytest.mark.long
def test_what_was_forgotten_is_not_made_a_memory_again(vault: Vault) -> None:
    """Neither by a repair, nor is a repair advised that would: it is named for what it is."""
    words = "The heliotrope umbrella of Ottokar was left in Graz."
    vault.forget(vault.remember(words, agent="ada").id)
    dropped = vault.path / "agents/ada/memories/h2.md"
    dropped.write_text(f"{words}\n")
    for report in (vault.fsck(), vault.fsck(repair=True), vault.status()):
        assert [(p.code, p.path) for p in report.problems] == [
            ("forgotten", "agents/ada/memories/h2.md")
        ]
    assert dropped.read_text() == f"{words}\n"


def test_a_memory_that_says_what_was_forgotten_is_named(vault: Vault) -> None:
    """Whatever its id: somebody may have put back the file under a new one."""
    kept = vault.remember("The heliotrope umbrella of Ottokar was left in Graz.", agent="ada")
    text = (vault.path / kept.path).read_text()
    vault.forget(kept.id)
    again = vault.path / kept.path
    again.write_text(text.replace(kept.id, f"01KAFXF{0:019}"))
    assert ("forgotten", kept.path) in {(p.code, p.path) for p in vault.fsck().problems}


def test_what_lies_in_every_vault_is_searched_for_credentials_once(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.fsck()
    looked: list[str] = []
    search = scanner._found

    def searching(text: str) -> tuple[scanner.Finding, ...]:
        looked.append(text)
        return search(text)

    monkeypatch.setattr(scanner, "_found", searching)
    vault.fsck()
    assert looked == []


def test_a_text_that_git_lost_and_that_lies_on_disk_is_stored_anew(
    vault: Vault, folder: Path
) -> None:
    """As after a power cut: its object is empty, or gone."""
    hit = vault.remember("The blob lamp.", agent="ada")
    vault.say("talk", "One alpha.", agent="ada")
    vault.history.commit_pending()
    for path, how in ((hit.path, "empty"), ("agents/ada/sessions/talk.jsonl", "gone")):
        blob = git(folder, "rev-parse", f"HEAD:{path}").strip()
        loose = folder / ".git/objects" / blob[:2] / blob[2:]
        loose.unlink()
        if how == "empty":
            loose.touch(mode=0o444)
    assert "git" in {problem.code for problem in vault.fsck().problems}
    assert vault.fsck(repair=True).ok
    assert git(folder, "show", f"HEAD:{hit.path}").endswith("The blob lamp.\n")
    git(folder, "fsck", "--strict")


@pytest.mark.long
def test_a_memory_whose_text_git_lost_is_there_again_with_the_next_round(
    vault: Vault, folder: Path
) -> None:
    hit = vault.remember("The blob lamp.", agent="ada")
    blob = git(folder, "rev-parse", f"HEAD:{hit.path}").strip()
    (folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    (told,) = [p for p in vault.fsck().problems if p.code == "not-in-head"]
    assert told.repair == "`vaultmem watch --once` commits it again"
    vault.tick()
    assert vault.fsck().ok
