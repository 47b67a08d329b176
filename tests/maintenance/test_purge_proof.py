"""What a purge looks for, where, and what it says of that: all of it, and no more."""

from __future__ import annotations

import base64
import errno
import json
import os
import shutil
import tracemalloc
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.cases import rarely
from tests.maintenance.test_purge import everywhere, git
from vaultmem import Vault
from vaultmem.errors import Refused
from vaultmem.maintenance.forgetting import Permit, Purged, redaction
from vaultmem.maintenance.forgetting.purge import verification
from vaultmem.maintenance.forgetting.redaction import Remainder

SAID = "Das Geschäft von Ottokar Zwieback steht heute leer in Graz."
Place = Callable[[Path], object]


def note(folder: Path, name: str, text: str | bytes, message: str = "a note") -> None:
    """Commit a file as a person does."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    git(folder, "add", "-f", name)
    git(folder, "commit", "-qm", message)


def once(folder: Path, text: str | bytes, message: str = "a note") -> None:
    """Let a file say *text* in the history alone."""
    note(folder, "notes/a.md", text, message)
    note(folder, "notes/a.md", "gone\n")


def purge(vault: Vault, said: str = SAID) -> Purged:
    """Remember and purge."""
    memory = vault.remember(said, agent="ada")
    return vault.forgetting.purge([memory.id])[1]


def link(folder: Path) -> None:
    """Commit a link whose target says it, and remove it."""
    (folder / "link").symlink_to("Ottokar Zwieback")
    git(folder, "add", "link")
    git(folder, "commit", "-qm", "a link")
    git(folder, "rm", "-q", "link")
    git(folder, "commit", "-qm", "no link")


def renamed(folder: Path) -> None:
    """Commit a file whose name says it, letters and their dots apart, and rename it."""
    note(folder, "notes/gescha\u0308ft.md", "x")
    git(folder, "mv", "notes/gescha\u0308ft.md", "notes/b.md")
    git(folder, "commit", "-qm", "renamed")


HISTORIES: dict[str, Place] = {
    "JSON escapes": lambda v: once(v, json.dumps({"text": "Das Geschäft"})),
    "base64": lambda v: once(v, base64.encodebytes((SAID * 3).encode())),
    "base64 in a message": lambda v: once(
        v, "x", "x\n\n" + base64.b64encode(SAID.encode()).decode()
    ),
    "a name in another form": renamed,
    "the target of a link": link,
}


@pytest.mark.long
@pytest.mark.parametrize("where", HISTORIES)
def test_what_says_it_in_another_writing_leaves_the_history(vault: Vault, where: str) -> None:
    HISTORIES[where](vault.path)
    count = git(vault.path, "rev-list", "--count", "HEAD")
    done = purge(vault)
    assert done.proof.verified
    for needle in (b"Zwieback", b"Gesch", b"gescha", base64.b64encode(SAID.encode())[:24]):
        assert everywhere(vault.path, needle) == []
    assert int(git(vault.path, "rev-list", "--count", "HEAD")) >= int(count)
    assert git(vault.path, "fsck", "--strict") == ""


STAYING: dict[str, tuple[Place, Remainder]] = {
    "a task": (
        lambda v: note(v, "tasks/task-0001.md", "---\ntype: task\nsubject: Ask Zwieback\n---\n"),
        Remainder("tasks/task-0001.md", ("zwieback",)),
    ),
    "working memory": (
        lambda v: note(v, "agents/ada/working.md", "---\ntype: working\n---\nCall Ottokar.\n"),
        Remainder("agents/ada/working.md", ("ottokar",)),
    ),
    "a transcript": (
        lambda v: note(
            v,
            "agents/ada/sessions/s.jsonl",
            '{"turn": 1, "at": "2026-11-20T10:00:00Z", "speaker": "user", "content": "Ottokar?"}\n',
        ),
        Remainder("agents/ada/sessions/s.jsonl", ("ottokar",)),
    ),
    "the name of a file": (
        lambda v: note(v, "notes/ottokar.md", "nothing\n"),
        Remainder("notes/ottokar.md", ("ottokar",)),
    ),
    "a phrase": (
        lambda v: note(v, "notes/a.md", "Es steht heute leer in Graz.\n"),
        Remainder("notes/a.md", ("graz",), phrase=True),
    ),
    "a branch": (
        lambda v: git(v, "branch", "ottokar/shop"),
        Remainder("the ref refs/heads/ottokar/shop", ("ottokar",)),
    ),
    "a committer": (
        lambda v: git(v, "-c", "user.name=Ottokar", "commit", "-q", "--allow-empty", "-m", "x"),
        Remainder("the author or committer Ottokar <ada@example.org>", ("ottokar",)),
    ),
    "the config": (
        lambda v: git(v, "config", "branch.main.description", "Ottokar"),
        Remainder(".git/config", ("ottokar",)),
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("where", STAYING)
def test_what_stays_and_says_a_part_of_it_is_named_before_and_after(
    vault: Vault, where: str
) -> None:
    put, standing = STAYING[where]
    memory = vault.remember(SAID, agent="ada")
    put(vault.path)
    asked: list[Remainder] = []

    def refuse(still: Sequence[Remainder]) -> None:
        asked.extend(still)
        raise Refused("no")

    with pytest.raises(Refused, match="no"):
        vault.forgetting.purge([memory.id], permit=Permit(agree=refuse))
    assert asked == [standing]
    assert (vault.path / memory.path).exists()

    soft, done = vault.forgetting.purge([memory.id])
    assert done.proof.still == (standing,)
    assert done.proof.found == ()
    assert soft.verified is not standing.phrase
    assert done.proof.verified is not standing.phrase


@pytest.mark.long
def test_a_correction_and_other_memories_are_named(vault: Vault) -> None:
    """What corrects it says its name, and so may others; a word of many is nobody's."""
    memory = vault.remember("Ask Zwieback for an umbrella.", agent="ada")
    vault.correct(memory.id, "Zwieback hat das Haus verkauft.")
    for n in range(4):
        vault.remember(f"Day {n}: no umbrella.", agent="ada")
    _, done = vault.forgetting.purge([memory.id])
    (it,) = done.proof.still
    assert it.words == ("zwieback",)
    assert "zwieback-hat-das-haus" in it.place


@pytest.mark.long
def test_a_name_is_named_wherever_it_stands_and_the_most_places_are_counted(vault: Vault) -> None:
    memory = vault.remember("The old Quillfeather umbrella is gone.", agent="ada")
    git(vault.path, "branch", "side-quillfeather")
    git(vault.path, "tag", "quillfeather-1", "-am", "Before Quillfeather left")
    git(vault.path, "commit", "-q", "--allow-empty", "-m", "Drop Quillfeather")
    for n in range(9):
        note(vault.path, f"notes/{n}.md", f"{n}: the quillfeather thing.\n")
    still = vault.forgetting.purge([memory.id])[1].proof.still
    assert [it.place for it in still] == [
        "the ref refs/heads/side-quillfeather",
        "the ref refs/tags/quillfeather-1",
        "the message 'Drop Quillfeather'",
        "the message 'Before Quillfeather left'",
        *(f"notes/{n}.md" for n in range(4)),
        "5 more places",
    ]
    assert {it.words for it in still} == {("quillfeather",)}
    assert sum(it.places for it in still) == 13


@pytest.mark.long
def test_a_task_that_says_it_is_named_and_not_the_lists_that_are_made_of_it(vault: Vault) -> None:
    said = "Call the kettle merchant about the umbrella."
    memory = vault.remember(said, agent="ada")
    task = vault.tasks.create(said, source="user")
    with pytest.raises(Refused, match=f"still say it: {task.path}; edit or forget them"):
        vault.forgetting.purge([memory.id])
    (vault.path / "MEMORY.md").write_text(f"{said}\n")
    vault.forget(task.path)
    git(vault.path, "commit", "-qam", "mine")
    with pytest.raises(Refused, match=r"still say it: MEMORY\.md; edit or forget them"):
        vault.forgetting.purge([memory.id])


@pytest.mark.long
def test_a_word_that_few_files_say_is_named_where_git_says_it_too(vault: Vault) -> None:
    """What opens a sentence is no name, and what git has beside files makes it no common word."""
    memory = vault.remember("Quillfeather is gone.", agent="ada")
    for n in range(4):
        git(vault.path, "branch", f"side-quillfeather-{n}")
    note(vault.path, "notes/a.md", "The quillfeather thing.\n")
    still = vault.forgetting.purge([memory.id])[1].proof.still
    assert [it.place for it in still] == [
        *(f"the ref refs/heads/side-quillfeather-{n}" for n in range(4)),
        "notes/a.md",
    ]


def test_one_that_is_forgotten_already_is_asked_about_too(vault: Vault) -> None:
    memory = vault.remember(SAID, agent="ada")
    vault.forget(memory.id)
    note(vault.path, "notes/a.md", "Ottokar lives here.\n")

    def refuse(still: Sequence[Remainder]) -> None:
        raise Refused(str(still))

    with pytest.raises(Refused, match="ottokar"):
        vault.forgetting.purge([memory.id], permit=Permit(agree=refuse))
    assert b"Zwieback" in git(vault.path, "log", "-p").encode()


@pytest.mark.long
def test_of_what_a_model_made_of_it_no_old_version_keeps_its_text(vault: Vault) -> None:
    """It may have said it in any words."""
    memory = vault.remember(SAID, agent="ada")
    stem = Path(memory.path).stem
    text = (
        "---\nid: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZN\ntype: topic\ntitle: A shop\n"
        "description: An empty shop\nmodel: {}\n"
        f'sources:\n  - "[[{stem}]]"\n---\n- The merchant gave up. [[{stem}]]\n- Tea is green.\n'
    )
    note(vault.path, "topics/model.md", text.format("claude-x"))
    note(vault.path, "topics/offline.md", text.format("extractive"))
    for name in ("topics/model.md", "topics/offline.md"):
        git(vault.path, "rm", "-q", name)
    git(vault.path, "commit", "-qm", "gone")
    purge_of(vault, memory.id)
    model, offline = (was(vault.path, name) for name in ("topics/model.md", "topics/offline.md"))
    assert "merchant" not in model
    assert "shop" not in model
    assert "Tea is green." not in model
    assert "Tea is green." in offline


def was(folder: Path, name: str) -> str:
    """Return the first version of a file."""
    (commit,) = git(folder, "log", "--format=%H", "--diff-filter=A", "--", name).split()
    return git(folder, "show", f"{commit}:{name}")


def purge_of(vault: Vault, ref: str) -> Purged:
    """Purge what *ref* names."""
    return vault.forgetting.purge([ref])[1]


@pytest.mark.long
def test_a_text_of_which_others_say_each_word_is_looked_for_by_its_file_alone(
    vault: Vault,
) -> None:
    first = vault.remember("Mara likes tea.", agent="ada")
    vault.remember("We know: Mara likes tea. Ben does not.", agent="ada")
    done = purge_of(vault, first.id)
    assert (done.proof.words, done.proof.phrases, done.proof.found) == (0, 0, ())
    assert not git(vault.path, "log", "--all", "--oneline", "--", first.path)
    assert first.id not in git(vault.path, "log", "-p", "--", "agents")


@pytest.mark.long
def test_a_note_on_a_commit_does_not_say_it_and_stays_where_it_was(vault: Vault) -> None:
    vault.remember("The oven is wide.", agent="ada")
    vault.store.writer.commit_pending()
    git(vault.path, "notes", "add", "-m", "Reviewed: fine.", "HEAD")
    git(vault.path, "notes", "append", "-m", SAID, "HEAD")
    done = purge(vault)
    assert done.proof.verified
    assert everywhere(vault.path, b"Zwieback") == []


@pytest.mark.long
def test_a_note_on_a_commit_that_keeps_a_name_which_stays_is_named(vault: Vault) -> None:
    """A tag that says the name keeps it, and so the note does."""
    memory = vault.remember(SAID, agent="ada")
    vault.store.writer.commit_pending()
    git(vault.path, "notes", "add", "-m", "Ask Ottokar.", "HEAD")
    git(vault.path, "branch", "ottokar")
    still = vault.forgetting.purge([memory.id])[1].proof.still
    assert [it.place for it in still] == [
        "the ref refs/heads/ottokar",
        "the note on a commit 'Ask Ottokar.'",
    ]


@pytest.mark.long
def test_what_stays_and_says_a_phrase_is_found_by_who_purges_again(vault: Vault) -> None:
    """Though the first one found something else of it, and its words went with the history."""
    memory = vault.remember(SAID, agent="ada")
    note(vault.path, "notes/a.md", "Es steht heute leer in Graz.\n")
    trash = vault.path / ".trash/a.md"
    trash.parent.mkdir()
    trash.write_text(SAID)
    assert vault.forgetting.purge([memory.id])[1].proof.found == (str(trash),)
    trash.unlink()
    again = vault.forgetting.purge([memory.id])[1].proof
    assert "notes/a.md" in [it.place for it in again.still]
    assert not again.verified


@pytest.mark.long
def test_a_private_store_of_git_that_says_it_is_found(vault: Vault) -> None:
    """What git keeps beside its objects, such as large files, is looked through."""
    large = vault.path / ".git/lfs/objects/aa/bb/aabb"
    large.parent.mkdir(parents=True)
    large.write_text(SAID)
    done = purge(vault)
    assert not done.proof.verified
    assert done.proof.found == (str(large),)


def bundle(folder: Path, at: Path) -> None:
    """Write all of the history into one file."""
    git(folder, "bundle", "create", "-q", str(at), "--all")


def clone(folder: Path, at: Path) -> None:
    """Make a bare repository of it."""
    git(folder, "clone", "-q", "--bare", ".", str(at))


def without_index(folder: Path, at: Path) -> None:
    """Make one whose pack has no index, which git does not look into before it has one."""
    clone(folder, at)
    git(at, "repack", "-adq")
    for index in (at / "objects/pack").glob("*.idx"):
        index.unlink()


def objects(folder: Path, at: Path) -> None:
    """Copy what git stores, without what makes a repository of it."""
    shutil.copytree(folder / ".git/objects", at)


@pytest.mark.long
@pytest.mark.parametrize(
    ("copied", "at"),
    [
        (without_index, "inner/.git"),
        *rarely(
            (bundle, "old.bundle"),
            (bundle, ".git/old.bundle"),
            (clone, "old.git"),
            (objects, "old"),
            (objects, ".git/before/objects"),
        ),
    ],
)
def test_a_copy_of_the_history_that_says_it_is_found(
    vault: Vault, copied: Callable[[Path, Path], None], at: str
) -> None:
    """It is packed: no word of it stands in any of its files."""
    copy = vault.path / at
    vault.remember("Tea at four.", agent="ada")
    memory = vault.remember(SAID, agent="ada")
    copy.parent.mkdir(exist_ok=True)
    copied(vault.path, copy)
    found = vault.forgetting.purge([memory.id])[1].proof.found
    assert found
    for place in found:
        assert place.startswith(str(copy))
        assert place.endswith(", a copy of a history that says it: remove it")
    shutil.rmtree(copy) if copy.is_dir() else copy.unlink()
    assert vault.forgetting.purge([memory.id])[1].proof.verified


@pytest.mark.long
def test_of_another_history_in_the_vault_only_what_cannot_be_read_is_named(vault: Vault) -> None:
    other = vault.path / "code"
    other.mkdir()
    git(other, "init", "-q")
    (other / "a.py").write_text("print()\n")
    git(other, "add", "a.py")
    git(other, "commit", "-qm", "begin")
    git(other, "repack", "-adq")
    memory = vault.remember(SAID, agent="ada")
    assert vault.forgetting.purge([memory.id])[1].proof.verified
    (pack,) = (other / ".git/objects/pack").glob("*.pack")
    pack.chmod(0o600)
    pack.write_bytes(pack.read_bytes()[:-30])
    (vault.path / "old.bundle").write_text("# v2 git bundle\n")
    found = vault.forgetting.verify([memory.id]).found
    why = "a copy of a history that cannot be looked into: remove it"
    assert set(found) == {f"{other / '.git'}, {why}", f"{vault.path / 'old.bundle'}, {why}"}


@pytest.mark.long
def test_what_cannot_be_read_is_named(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder or a file that the system keeps from us may say it."""
    memory = vault.remember(SAID, agent="ada")
    for name in ("docs/a.txt", "b.txt"):
        (vault.path / name).parent.mkdir(exist_ok=True)
        (vault.path / name).write_text(SAID)
    listed, opened = os.scandir, Path.open

    def listing(path: Any = ".") -> Any:  # noqa: ANN401  # as the system's
        if str(path).endswith("/docs"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return listed(path)

    def opening(path: Path, *args: Any, **how: Any) -> Any:  # noqa: ANN401  # likewise
        if path.name == "b.txt":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, *args, **how)

    monkeypatch.setattr(os, "scandir", listing)
    monkeypatch.setattr(Path, "open", opening)
    found = vault.forgetting.purge([memory.id])[1].proof.found
    why = "which cannot be read"
    assert found == (f"{vault.path / 'b.txt'}, {why}", f"{vault.path / 'docs'}, {why}")


@pytest.mark.long
def test_a_binary_file_in_utf_16_that_says_it_is_found(vault: Vault) -> None:
    once(vault.path, "x".encode("utf-16") + "DAS GESCHÄFT".encode("utf-16-le"))
    done = purge(vault)
    assert [place.split()[:2] for place in done.proof.found] == [["git", "blob"]]


@pytest.mark.long
def test_a_large_file_is_looked_through_in_blocks_and_each_word_of_it_is_seen(vault: Vault) -> None:
    """Where blocks meet, too; what is only the end of a longer word there is another word."""
    words = redaction.distinctive_words([SAID], ())
    file, rows = vault.path / "a.db", "\0" + "lorem ipsum dolor\n" * 10
    end = next(n for n in count() if n * len(rows) > 1 << 20)
    for at in (end - 800, end):
        file.write_bytes((rows * at + "der Zwieback\n" + rows * (end // 9)).encode())
        assert verification.by_words(vault.store, words).found == (str(file),)
    for at in range((1 << 20) - 8, (1 << 20) + 2, 3):
        file.write_bytes((("\0" * at) + "Zwieback" + "\0" * (1 << 17)).encode())
        assert verification.by_words(vault.store, words).found == (str(file),)
    file.write_bytes(b"\0" + b"Festungszwieback" * (1 << 17))
    assert verification.by_words(vault.store, words).found == ()


@pytest.mark.long
def test_a_file_four_times_as_large_takes_no_more_memory(vault: Vault) -> None:
    words = redaction.distinctive_words([SAID], ())
    file, row = vault.path / "a.db", b"\0\xe4" * 4000 + b" lorem ipsum dolor\n"

    def peak(size: int) -> int:
        file.write_bytes(row * (size // len(row)))
        tracemalloc.start()
        assert verification.by_words(vault.store, words).verified
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(8 << 20) < 1.3 * peak(2 << 20)
