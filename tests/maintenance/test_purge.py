"""Purging on real repositories: no object, no name, no message, no cache holds it afterwards."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.maintenance.test_forgetting import ALLERGY, NEEDLE, card, conversation, forgetting
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import BadInput, Busy, DiskRefused, Refused
from vaultmem.maintenance.forgetting import Permit
from vaultmem.maintenance.forgetting.purge.git_history import GitHistory
from vaultmem.records import Actor, utc_now
from vaultmem.retrieval import usage
from vaultmem.retrieval.vectors.database import Database
from vaultmem.retrieval.vectors.embedding_cache import Blobs, Made
from vaultmem.storage.git import Blob, history_rewrite
from vaultmem.storage.git.types import Place


def git(folder: Path, *args: str) -> str:
    """Run git in *folder* as a person does."""
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return os.fsdecode(done.stdout).strip()


def everywhere(folder: Path, needle: bytes) -> list[str]:
    """Return the files below *folder* and the git objects that hold *needle*."""
    files = (p for p in folder.rglob("*") if p.is_file())
    found = [str(p.relative_to(folder)) for p in files if needle in p.read_bytes()]
    objects = subprocess.run(
        ["git", "-C", str(folder), "cat-file", "--batch-all-objects", "--batch"],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    return found + ["git objects"] * (needle in objects)


@pytest.mark.long
def test_a_disk_that_refuses_a_purge_is_named_and_it_can_be_asked_again(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = vault.remember("The heliotrope key is under the stone.", agent="ada")

    def refuse(*_args: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(vault.path / ".git/index"))

    with monkeypatch.context() as patch:
        patch.setattr(history_rewrite, "rebuild_index", refuse)
        with pytest.raises(DiskRefused, match="index: Permission denied"):
            forgetting(vault).purge([memory.id])
    stones = [path.stem for path in vault.path.glob("tombstones/*.md")]
    forgetting(vault).purge(stones)
    assert everywhere(vault.path, b"heliotrope") == []


@pytest.mark.long
def test_a_purge_leaves_no_word_in_any_file_object_or_cache(vault: Vault, tmp_path: Path) -> None:
    file = conversation(tmp_path)
    vault.import_files("jsonl", [file], agent="ada")
    hit = vault.recall("heliotrope").hits[0]
    forgetting(vault).forget([hit.id], "asked to")
    assert everywhere(vault.path, b"heliotrope")
    before = {p: p.read_bytes() for p in vault.path.glob("agents/**/*.md")}

    soft, done = forgetting(vault).purge([hit.id])

    assert everywhere(vault.path, b"heliotrope") == []
    assert done.proof.found == ()
    assert soft.verified is True
    assert done.receipt.files >= 1
    assert done.receipt.commits > 0
    assert git(vault.path, "fsck", "--strict") == ""
    assert git(vault.path, "status", "--porcelain") == ""
    assert {p: p.read_bytes() for p in before} == before
    assert vault.fsck().ok, vault.fsck().problems
    again = vault.import_files("jsonl", [file], agent="ada").done
    assert again.imported == 0


def forgotten(vault: Vault) -> str:
    """Keep the needle among other memories, forget it, and return its id."""
    for text in ("Plain words about the sea.", NEEDLE, "More words about the north."):
        vault.remember(text, agent="ada")
    memory = vault.recall("heliotrope").hits[0]
    forgetting(vault).forget([memory.id])
    return memory.id


@pytest.mark.long
def test_branches_tags_and_merges_are_rewritten_and_keep_their_shape(vault: Vault) -> None:
    here = vault.path
    git(here, "branch", "before")
    number = forgotten(vault)
    git(here, "checkout", "-qb", "side", "HEAD~1")
    git(here, "commit", "-qm", "side work", "--allow-empty")
    git(here, "checkout", "-q", "main")
    git(here, "merge", "-q", "--no-ff", "-m", "merge the heliotrope side", "side", "-s", "ours")
    git(here, "tag", "-a", "v1", "-m", "a heliotrope tag", "side")
    git(here, "tag", "light", "HEAD~1")
    git(here, "pack-refs", "--all")
    shape = git(here, "log", "--all", "--format=%an %ad %d", "--graph")
    before = git(here, "rev-parse", "before", "HEAD^{tree}")

    forgetting(vault).purge([number])

    assert everywhere(here, b"heliotrope") == []
    assert git(here, "log", "--all", "--format=%an %ad %d", "--graph").splitlines()[1:] or shape
    assert git(here, "rev-parse", "before", "HEAD~1^{tree}") == before
    assert git(here, "log", "-1", "--format=%s", "HEAD~1") == "[forgotten]"
    assert git(here, "log", "-1", "--format=%p", "HEAD~1").count(" ") == 1
    assert git(here, "cat-file", "-t", "v1") == "tag"
    git(here, "fsck", "--strict")


@pytest.mark.long
def test_names_and_messages_vanish_with_the_words(vault: Vault) -> None:
    number = forgotten(vault)
    assert "heliotrope" in git(vault.path, "log", "--all", "--name-only", "--format=%B")

    forgetting(vault).purge([number])

    log = git(vault.path, "log", "--all", "--name-only", "--format=%B")
    assert "heliotrope" not in log
    assert "remember(ada): [forgotten]" in log
    assert f"Vaultmem-Op: {number}" in log


@pytest.mark.long
def test_a_live_memory_is_forgotten_and_purged_in_one_go(vault: Vault) -> None:
    memory = vault.remember(NEEDLE, agent="ada")

    soft, _ = forgetting(vault).purge([memory.id], "asked to")

    assert soft.forgotten == (memory.id,)
    assert soft.verified
    assert everywhere(vault.path, b"heliotrope") == []
    assert "purged: 2026-11-20" in (vault.path / f"tombstones/{memory.id}.md").read_text()


@pytest.mark.long
@pytest.mark.parametrize(("source", "trust"), [("user", "user"), ("agent", "agent")])
def test_a_purge_says_in_its_commits_who_did_it(vault: Vault, source: Actor, trust: str) -> None:
    said = vault.remember("The oven hums in the night.", agent="ada", source="agent")
    vault.forgetting.purge([said.id], source=source)
    told = [dict(it.trailers).get("Trust") for it in vault.log() if it.subject[:7] == "forget:"]
    assert set(told) == {trust}
    assert len(told) > 1  # the forgetting, and what is noted of the purge


@pytest.mark.long
def test_old_turns_of_a_transcript_vanish_from_its_versions(vault: Vault, tmp_path: Path) -> None:
    vault.import_files("jsonl", [conversation(tmp_path, 24)], agent="ada", manner="turns")
    episode = min((vault.path / "agents/ada/episodes").glob("*.md"))

    soft, done = forgetting(vault).purge([str(episode.relative_to(vault.path))])

    assert done.proof.found == ()
    assert everywhere(vault.path, b"heliotrope") == []
    assert vault.fsck().ok, vault.fsck().problems
    assert soft.forgotten


Trouble = Callable[[Path], object]


@pytest.mark.parametrize(
    ("trouble", "says"),
    [
        (lambda v: git(v, "checkout", "-q", "--detach"), "detached HEAD"),
        (lambda v: ((v / "x.md").write_text("x"), git(v, "add", "x.md")), "something is staged"),
        (lambda v: (v / "README.md").write_text("changed"), "changed and not committed"),
        (lambda v: git(v, "remote", "add", "origin", "https://example.org/x"), "a remote, origin"),
        (lambda v: git(v, "worktree", "add", "-q", str(v.parent / "tree")), "other work trees"),
        (lambda v: (v / ".git/shallow").write_text(git(v, "rev-parse", "HEAD")), "shallow"),
        (lambda v: (v / ".git/MERGE_HEAD").touch(), "a merge is in progress"),
        (lambda v: git(v, "update-ref", "refs/stash", "HEAD"), "there is a stash"),
        (lambda v: git(v, "tag", "blob", "HEAD:README.md"), "no commit"),
    ],
)
def test_a_purge_waits_while_it_could_harm(vault: Vault, trouble: Trouble, says: str) -> None:
    memory = vault.remember(NEEDLE, agent="ada")
    refs = git(vault.path, "for-each-ref")
    trouble(vault.path)

    with pytest.raises(Refused, match=says):
        forgetting(vault).purge([memory.id])

    assert (vault.path / memory.path).exists()
    assert refs.splitlines()[0].split()[0] in git(vault.path, "for-each-ref")


def committed_note(vault: Vault) -> Path:
    """Return a note of a person's that git has."""
    note = vault.path / "notes/b.md"
    note.parent.mkdir()
    note.write_text("The ferry leaves at nine.\n")
    git(vault.path, "add", "notes/b.md")
    git(vault.path, "commit", "-qm", "a note")
    return note


@pytest.mark.long
def test_a_purge_goes_round_a_file_that_is_held_back(vault: Vault) -> None:
    """Its private part is never to be committed: the file stays as it is, a change that waits."""
    memory = vault.remember(NEEDLE, agent="ada")
    note = committed_note(vault)
    private = "The ferry leaves at nine.\n<private>A dentist at noon.</private>\n"
    note.write_text(private)
    entry = git(vault.path, "ls-files", "-s", "notes/b.md")

    _, done = forgetting(vault).purge([memory.id])

    assert done.proof.found == ()
    assert everywhere(vault.path, b"heliotrope") == []
    assert note.read_text() == private
    assert git(vault.path, "ls-files", "-s", "notes/b.md") == entry
    assert git(vault.path, "status", "--short", "notes/").split() == ["M", "notes/b.md"]
    assert "dentist" not in git(vault.path, "log", "--all", "-p")


@pytest.mark.long
def test_a_purge_that_a_held_file_would_belie_says_so_and_leaves_it(vault: Vault) -> None:
    """What it says of what is forgotten is the person's to take out."""
    memory = vault.remember(NEEDLE, agent="ada")
    note = committed_note(vault)
    note.write_text(f"The ferry.\n<private>Noon.</private>\n{NEEDLE}\n")

    _, done = forgetting(vault).purge([memory.id])

    assert any("notes/b.md" in it for it in done.proof.found), done.proof.found
    assert NEEDLE in note.read_text()


@pytest.mark.long
def test_a_remote_is_named_as_out_of_reach(vault: Vault) -> None:
    number = forgotten(vault)
    git(vault.path, "remote", "add", "origin", "https://example.org/x")

    _, done = forgetting(vault).purge([number], permit=Permit(remotes=True))

    assert "the remote origin" in done.receipt.out_of_reach[0]
    assert git(vault.path, "remote") == "origin"


@pytest.mark.long
def test_the_histories_of_submodules_are_named_as_out_of_reach(
    vault: Vault, tmp_path: Path
) -> None:
    memory = vault.remember(NEEDLE, agent="ada")
    other = tmp_path / "other"
    other.mkdir()
    for args in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", NEEDLE)):
        git(other, *args)
    allowed = ("-c", "protocol.file.allow=always")
    git(vault.path, *allowed, "submodule", "add", "-q", str(other), "sub")
    git(vault.path, "commit", "-qam", "add a submodule")
    _, done = forgetting(vault).purge([memory.id])
    assert f"the histories of submodules, in {vault.path / '.git/modules'}" in (
        done.receipt.out_of_reach
    )


@pytest.mark.long
def test_a_backup_holds_all_of_it_and_is_named(vault: Vault, tmp_path: Path) -> None:
    number = forgotten(vault)
    file = tmp_path / "all.bundle"

    _, done = forgetting(vault).purge([number], permit=Permit(backup=file))

    assert done.receipt.backup == str(file)
    git(tmp_path, "clone", "-q", str(file), "again")
    assert "heliotrope" in git(tmp_path / "again", "log", "--name-only", "--format=")
    with pytest.raises(BadInput, match="belongs outside of it"):
        forgetting(vault).purge([number], permit=Permit(backup=vault.path / "x.bundle"))


@pytest.mark.long
def test_a_purge_that_was_cut_short_is_finished_by_the_next(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = forgotten(vault)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    for step in ("_swap", "rebuild_index", "scrub"):
        with monkeypatch.context() as patched:
            patched.setattr(history_rewrite, step, killed)
            with pytest.raises(KeyboardInterrupt):
                forgetting(vault).purge([number])
        assert vault.fsck().ok
        assert git(vault.path, "status", "--porcelain") == ""

    _, done = forgetting(vault).purge([number])

    assert done.proof.by == "words"
    assert done.proof.found == ()
    assert everywhere(vault.path, b"heliotrope") == []


@pytest.mark.long
def test_verify_finds_what_is_left_and_by_hash_when_no_word_is_known(vault: Vault) -> None:
    number = forgotten(vault)
    proof = forgetting(vault).verify([number])
    assert proof.by == "words"
    assert any(place.startswith("git blob") for place in proof.found)

    forgetting(vault).purge([number])
    clean = forgetting(vault).verify([number])
    assert (clean.by, clean.found) == ("hash", ())

    (vault.path / "stray.txt").write_text(f"Notes\n\n- {NEEDLE}\n")
    assert forgetting(vault).verify([number]).found == (str(vault.path / "stray.txt"),)


@pytest.mark.long
def test_hostile_config_does_not_run(vault: Vault, tmp_path: Path) -> None:
    number = forgotten(vault)
    ran = tmp_path / "ran"
    hook = vault.path / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    for key in ("core.fsmonitor", "filter.x.clean", "gc.recentObjectsHook", "core.pager"):
        git(vault.path, "config", key, f"touch {ran}")

    forgetting(vault).purge([number])

    assert not ran.exists()
    assert everywhere(vault.path, b"heliotrope") == []


@pytest.mark.long
def test_a_commit_made_meanwhile_stops_the_purge_before_anything_moved(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = forgotten(vault)
    fetch = history_rewrite._fetch

    def beside_a_person(
        place: Place, beside: Path, moved: Mapping[str, str], old: Mapping[str, str]
    ) -> None:
        fetch(place, beside, moved, old)
        tree = git(vault.path, "rev-parse", "HEAD^{tree}")
        new = git(vault.path, "commit-tree", "-p", "HEAD", "-m", "a person's", tree)
        git(vault.path, "update-ref", "refs/heads/main", new)

    with monkeypatch.context() as patched:
        patched.setattr(history_rewrite, "_fetch", beside_a_person)
        with pytest.raises(Busy):
            forgetting(vault).purge([number])

    assert git(vault.path, "log", "-1", "--format=%s") == "a person's"
    assert forgetting(vault).purge([number])[0].verified


@pytest.mark.long
def test_what_a_killed_purge_left_in_the_git_folder_goes_with_the_next(vault: Vault) -> None:
    number = forgotten(vault)
    left = vault.path / ".git/purge-of-vaultmem/texts"
    left.mkdir(parents=True)
    (left / "x").write_text(NEEDLE)

    vault.remember("Life goes on.", agent="ada")
    forgetting(vault).purge([number])

    assert everywhere(vault.path, b"heliotrope") == []


@pytest.mark.long
def test_vectors_go_and_the_proof_looks_for_their_bytes(vault: Vault) -> None:
    memory = vault.remember(NEEDLE, agent="ada")
    asked = "SELECT passages.sha FROM passages JOIN docs USING(doc) WHERE docs.id = ?"
    sha = str(vault.store.index.value(asked, memory.id))
    vector = bytes(range(64)) * 4
    with closing(Database(vault.path / ".vaultmem/index/vectors.sqlite3")) as database:
        blobs = Blobs(database)
        blobs.put(blobs.space("model", "1"), {sha: Made(vector)})
    stray = vault.path / ".obsidian/cache.bin"
    stray.write_bytes(b"\0" + vector)

    _, done = forgetting(vault).purge([memory.id])

    assert done.proof.found == (str(stray),)
    assert everywhere(vault.path, vector) == [".obsidian/cache.bin"]


@pytest.mark.long
def test_how_often_things_were_of_use_outlives_a_purge_but_for_what_went(vault: Vault) -> None:
    number = forgotten(vault)
    other = vault.recall("sea").hits[0].id
    vault.recall("words about the sea")
    assert number in usage.load(vault.path)

    forgetting(vault).purge([number])

    assert number not in usage.load(vault.path)
    assert usage.load(vault.path)[other].count > 1


@pytest.mark.long
def test_without_git_the_caches_are_made_anew(tmp_path: Path) -> None:
    create.create(tmp_path / "v", utc_now, with_git=False)
    with Vault.open(tmp_path / "v") as vault:
        memory = vault.remember(NEEDLE, agent="ada")
        vault.recall("heliotrope")

        soft, done = forgetting(vault).purge([memory.id])

        files = (p for p in vault.path.rglob("*") if p.is_file())
        assert not any(b"heliotrope" in p.read_bytes() for p in files)
    assert soft.verified
    assert (done.receipt.commits, done.commit) == (0, None)


Step = Callable[[Vault, int], object]
STEPS: tuple[Step, ...] = (
    lambda v, n: v.remember(f"Plain words number {n} about rivers.", agent="ada"),
    lambda v, _: v.say("talk", NEEDLE, agent="ada"),
    lambda v, n: (v.path / f"umbrella-{n}.md").write_text(f"# N\n- {NEEDLE}\n- other\n"),
    lambda v, _: [p.write_text("no more\n") for p in v.path.glob("umbrella-*.md")],
    lambda v, n: git(v.path, "branch", f"b{n}"),
    lambda v, n: git(v.path, "tag", "-a", f"t{n}", "-m", "tag of the\numbrella"),
    lambda v, _: git(v.path, "gc", "-q"),
)


@pytest.mark.long
@settings(max_examples=settings().max_examples // 8)
@given(st.lists(st.sampled_from(STEPS), max_size=8))
def test_whatever_the_history_nothing_is_left_of_it(steps: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        create.create(Path(folder) / "v", utc_now)
        with Vault.open(Path(folder) / "v") as vault:
            memory = vault.remember(NEEDLE, agent="ada")
            for number, step in enumerate(steps):
                step(vault, number)
                vault.store.writer.commit_pending()
                git(vault.path, "add", "-A")
                git(vault.path, "commit", "-q", "--allow-empty", "-m", "by hand: the heliotrope")
            for note in vault.path.glob("umbrella-*.md"):
                note.unlink()
            git(vault.path, "add", "-A")
            git(vault.path, "commit", "-q", "--allow-empty", "-m", "tidied")

            soft, _ = forgetting(vault).purge([memory.id])

            assert soft.verified
            assert everywhere(vault.path, b"heliotrope") == []
            assert git(vault.path, "status", "--porcelain") == ""
            assert vault.fsck().ok


@pytest.mark.long
def test_a_purge_waits_while_a_file_of_a_persons_says_it_and_then_finds_all_of_it(
    vault: Vault,
) -> None:
    memory = vault.remember("My daughter Sarah is allergic to hazelnuts.", agent="ada")
    note = vault.path / "topics/family.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("# Family\n- My daughter Sarah is allergic to hazelnuts.\n")
    git(vault.path, "add", "-A")
    git(vault.path, "commit", "-qm", "My daughter Sarah is allergic to hazelnuts, noted")
    before = git(vault.path, "rev-list", "--max-count=1", "HEAD")

    with pytest.raises(Refused, match=rf"topics/family.md; .*`vaultmem forget {memory.id} --purge"):
        forgetting(vault).purge([memory.id])
    assert before in git(vault.path, "rev-list", "HEAD")
    assert (vault.path / memory.path).exists()

    note.write_text(
        "# Family\n- Sarah, my daughter, is fond of a walk.\n- hazelnuts: allergic to\n"
    )
    git(vault.path, "commit", "-qam", "mended")
    soft, _ = forgetting(vault).purge([memory.id])

    assert soft.verified
    assert everywhere(vault.path, b"allergic to hazelnuts") == []
    assert "Sarah" in note.read_text()


@pytest.mark.long
def test_a_text_whose_file_is_gone_from_history_is_found_again_by_its_hash(vault: Vault) -> None:
    number = forgotten(vault)
    forgetting(vault).purge([number])
    stray = vault.path / "stray.md"
    stray.write_text(f"They say that {NEEDLE.upper()} So it goes.\n")
    git(vault.path, "add", "-A")
    git(vault.path, "commit", "-qm", f"I heard: {NEEDLE}")
    git(vault.path, "rm", "-q", "stray.md")
    git(vault.path, "commit", "-qm", "tidied")
    found = forgetting(vault).verify([number])
    assert found.by == "hash"
    assert {place.split()[1] for place in found.found if place.startswith("git ")} >= {
        "blob", "commit",
    }  # fmt: skip

    soft, _ = forgetting(vault).purge([number])

    assert soft.verified
    assert everywhere(vault.path, b"eliotrope") == []
    assert forgetting(vault).verify([number]).verified


@pytest.mark.long
def test_words_in_a_row_go_from_messages_and_old_files_though_each_is_said_elsewhere(
    vault: Vault,
) -> None:
    memory = vault.remember("Ben saw the red boat at noon.", agent="ada")
    vault.remember("Ben and the boat. A red one? At noon we saw it.", agent="ada")
    old = vault.path / "old.md"
    old.write_text("They say Ben saw the red boat, and left.\n- another line\n")
    git(vault.path, "add", "-A")
    git(vault.path, "commit", "-qm", "so Ben saw the red boat")
    old.write_text("- another line\n")
    git(vault.path, "commit", "-qam", "tidied")

    soft, _ = forgetting(vault).purge([memory.id])

    assert soft.verified
    assert everywhere(vault.path, b"saw the red boat") == []


@pytest.mark.long
def test_a_card_that_went_with_it_leaves_history_whole(vault: Vault) -> None:
    memory = vault.remember(ALLERGY, agent="ada", source="user")
    vault.remember("Ben likes hazelnuts.", agent="ada")  # so the word alone gives nothing away
    card(vault, Path(memory.path).stem)
    git(vault.path, "add", "-A")
    git(vault.path, "commit", "-qm", "a card")

    soft, _ = forgetting(vault).purge([memory.id])

    assert soft.verified
    assert everywhere(vault.path, b"\nallergy: hazelnuts") == []


@pytest.mark.long
def test_what_a_person_called_a_copy_gives_nothing_away(vault: Vault) -> None:
    here = vault.path
    subjects = ["bakery notes: plan for the bakery", "copy outside", "tidy bakery folder", "rmcopy"]
    memory = vault.remember("Zwieback was left in Graz by Ottokar.", agent="ada")
    text = (here / memory.path).read_bytes()
    copies = here / "notes/bakery.md", here / "copy.md"
    copies[0].parent.mkdir(exist_ok=True)
    for copy, subject in zip(copies, subjects, strict=False):
        copy.write_bytes(text)
        git(here, "add", "-A")
        git(here, "commit", "-qm", subject)
    for copy, subject in zip(copies, subjects[2:], strict=True):
        copy.unlink()
        git(here, "commit", "-qam", subject)

    soft, done = forgetting(vault).purge([memory.id])

    assert (soft.verified, done.proof.found) == (True, ())
    assert everywhere(here, b"Zwieback") == []
    assert set(subjects) <= set(git(here, "log", "--format=%s").splitlines())


@pytest.mark.long
def test_a_copy_that_stays_stops_a_purge_before_anything_is_done(
    vault: Vault, tmp_path: Path
) -> None:
    here = vault.path
    memory = vault.remember("Zwieback was left in Graz by Ottokar.", agent="ada")
    (here / "copy.md").write_bytes((here / memory.path).read_bytes())
    git(here, "add", "-A")
    git(here, "commit", "-qm", "copied")
    vault.tick()
    head = git(here, "rev-parse", "HEAD")
    backup = tmp_path.with_name("all.bundle")
    with pytest.raises(Refused, match=r"copy\.md is a remaining copy .*`git rm`"):
        forgetting(vault).purge([memory.path], permit=Permit(backup=backup))
    assert (here / memory.path).exists()
    assert not backup.exists()
    assert git(here, "rev-parse", "HEAD") == head

    git(here, "rm", "-q", "copy.md")
    git(here, "commit", "-qm", "removed")
    assert forgetting(vault).purge([memory.path])[0].verified


@pytest.mark.long
def test_old_summaries_lose_its_quotes_though_a_variant_stays(vault: Vault) -> None:
    memory = vault.remember("Olga keeps her spare key under the blue pot.", agent="ada")
    vault.remember("A spare key under the blue pot: Olga's habit!", agent="ada")
    stem = Path(memory.path).stem
    summary = vault.path / "agents/ada/summaries/recent-old.md"
    summary.parent.mkdir(exist_ok=True)
    head = f"---\ntype: note\nsources:\n  - '[[{stem}]]'\n---\n"
    summary.write_text(f"{head}- The spare key under the blue pot.\n- It rains.\n")
    longterm = vault.path / "agents/ada/summaries/old-longterm.md"
    longterm.write_text("Of [[recent-old]]: its spare key under the blue pot.\n")
    git(vault.path, "add", "-A")
    git(vault.path, "commit", "-qm", "summaries")
    for file in (summary, longterm):
        file.unlink()
    git(vault.path, "commit", "-qam", "summaries gone")
    done = forgetting(vault).forget([memory.id])
    assert len(forgetting(vault).verify(done.forgotten).found) >= 3

    soft, purged = forgetting(vault).purge(done.forgotten)

    assert purged.proof.found == ()
    assert [it.phrase for it in purged.proof.still] == [True]
    assert soft.verified is False
    still = forgetting(vault).verify(done.forgotten).still  # the variant, and its pointer
    assert (purged.proof.still[0].place, True) in {(it.place, it.phrase) for it in still}
    assert everywhere(vault.path, b"The spare key under") == []
    assert everywhere(vault.path, b"its spare key under") == []
    assert everywhere(vault.path, b"- It rains.") == ["git objects"]
    assert vault.recall("spare key").hits


@pytest.mark.long
def test_the_subject_that_brought_it_goes_whatever_its_words(vault: Vault) -> None:
    memory = vault.remember("Yes.", agent="ada")
    vault.remember("Tom said yes.", agent="ada")
    vault.store.writer.commit_pending()
    found = forgetting(vault).forget([memory.id])
    assert not forgetting(vault).verify(found.forgotten).verified

    soft, _ = forgetting(vault).purge([memory.id])

    assert soft.verified
    log = git(vault.path, "log", "--format=%s")
    assert "Yes." not in log
    assert "remember(ada): [forgotten]" in log
    assert "remember(ada): Tom said yes." in log


@pytest.mark.long
def test_a_turn_and_all_that_quotes_it_leave_the_history(vault: Vault) -> None:
    vault.say("talk", "Plain words about the sea.", agent="ada")
    vault.say("talk", NEEDLE, agent="ada")

    soft, _ = forgetting(vault).purge(["agents/ada/sessions/talk.jsonl:2"])

    assert soft.verified
    assert everywhere(vault.path, b"heliotrope") == []
    assert "about the sea" in (vault.path / "agents/ada/sessions/talk.jsonl").read_text()


@pytest.mark.long
def test_a_purge_leaves_in_git_what_was_only_forgotten_before(vault: Vault) -> None:
    """Of other turns that are silent, too, and an undo brings that back byte for byte."""
    other = vault.remember("The plovermoss ledger of Ida was lost in Wien.", agent="ada")
    vault.say("talk", "By the way, the plovermoss ledger of Ida was lost in Wien.", agent="ada")
    vault.say("talk", NEEDLE, agent="ada")
    kept = vault.remember(NEEDLE, agent="ada")
    vault.store.writer.commit_pending()
    before = {p: p.read_bytes() for p in vault.path.glob("agents/ada/*/**/*.*") if p.is_file()}
    gone = forgetting(vault).forget([other.id])

    soft, done = forgetting(vault).purge([kept.id])

    assert (soft.verified, done.proof.found) == (True, ())
    assert everywhere(vault.path, b"heliotrope") == []
    vault.undo(gone.op)
    talk = vault.path / "agents/ada/sessions/talk.jsonl"
    assert talk.read_bytes().split(b"\n")[0] == before[talk].split(b"\n")[0]
    path = vault.path / other.path
    assert path.read_bytes() == before[path]


@pytest.mark.long
def test_of_what_was_forgotten_together_a_purge_takes_the_one_it_names(vault: Vault) -> None:
    """The turns that said the other are in git still."""
    other = vault.remember("The plovermoss ledger of Ida was lost in Wien.", agent="ada")
    vault.say("talk", "By the way, the plovermoss ledger of Ida was lost in Wien.", agent="ada")
    vault.say("talk", NEEDLE, agent="ada")
    named = vault.remember(NEEDLE, agent="ada")
    vault.store.writer.commit_pending()
    forgetting(vault).forget([other.id, named.id])

    _, done = forgetting(vault).purge([named.id])

    assert done.proof.found == ()
    assert everywhere(vault.path, b"heliotrope") == []
    history = git(vault.path, "log", "-p", "--", "agents/ada/sessions/talk.jsonl")
    assert "By the way, the plovermoss ledger" in history


@pytest.mark.long
def test_what_was_only_forgotten_stays_whole_though_it_has_a_word_of_what_is_purged(
    vault: Vault,
) -> None:
    """That word is named before, for it stays in git; an undo brings the other memory back."""
    named = vault.remember(NEEDLE, agent="ada")
    other = vault.remember("The heliotrope scarf of Berta hangs in Wien.", agent="ada")
    before = (vault.path / other.path).read_bytes()
    gone = forgetting(vault).forget([named.id, other.id])
    told: list[str] = []
    permit = Permit(agree=lambda still: told.extend(it.place for it in still))

    _, done = forgetting(vault).purge([named.id], permit=permit)

    assert f"{other.path}, which was only forgotten" in told
    assert done.proof.found == ()
    assert "Ottokar" not in git(vault.path, "log", "--all", "-p")
    vault.undo(gone.op, partly=True)
    assert (vault.path / other.path).read_bytes() == before


@pytest.mark.long
def test_what_lives_on_another_branch_stays_whole_and_its_words_are_named(vault: Vault) -> None:
    """Not what says a sentence of what is purged: that goes along, on every branch."""
    named = vault.remember(NEEDLE, agent="ada")
    git(vault.path, "checkout", "-q", "-b", "trial")
    other = vault.remember("The heliotrope scarf of Berta hangs in Wien.", agent="ada")
    vault.remember(f"Mara said: {NEEDLE}", agent="bob")
    vault.store.writer.commit_pending()
    before = (vault.path / other.path).read_bytes()
    git(vault.path, "checkout", "-q", "main")
    told: list[str] = []
    permit = Permit(agree=lambda still: told.extend(it.place for it in still))

    _, done = forgetting(vault).purge([named.id], permit=permit)

    assert told == [f"{other.path} on trial"]
    assert done.proof.found == ()
    assert "Ottokar" not in git(vault.path, "log", "--all", "-p")
    assert git(vault.path, "show", f"trial:{other.path}") == before.decode().strip()


@pytest.mark.long
@pytest.mark.parametrize("is_forgotten", [False, True])
def test_a_memory_that_older_commits_alone_have_is_not_purged_along(
    vault: Vault, *, is_forgotten: bool
) -> None:
    named = vault.remember(NEEDLE, agent="ada")
    dropped = vault.remember("Berta likes plums very much.", agent="ada")
    vault.store.writer.commit_pending()
    git(vault.path, "reset", "-q", "--hard", "HEAD~1")
    if is_forgotten:
        vault.forget(named.id)
    with pytest.raises(Refused, match=r"only in older commits.*`vaultmem fsck --repair` brings"):
        forgetting(vault).purge([named.id])
    vault.fsck(repair=True)
    assert forgetting(vault).purge([named.id])[0].verified
    assert (vault.path / dropped.path).exists()


def test_a_memory_elsewhere_that_says_more_than_what_is_purged_is_named_first(
    vault: Vault,
) -> None:
    named = vault.remember(NEEDLE, agent="ada")
    git(vault.path, "checkout", "-q", "-b", "trial")
    other = vault.remember(f"Berta called. {NEEDLE} She was angry about 400 euros.", agent="ada")
    vault.store.writer.commit_pending()
    git(vault.path, "checkout", "-q", "main")
    with pytest.raises(Refused, match=f"{other.path}: says a part of it, on branch trial"):
        forgetting(vault).purge([named.id])
    assert NEEDLE in git(vault.path, "show", f"trial:{other.path}")
    assert vault.recall("heliotrope").hits


@pytest.mark.long
def test_what_was_forgotten_twice_is_purged_as_one(vault: Vault) -> None:
    made = [vault.remember(NEEDLE, agent=agent) for agent in ("ada", "bob")]
    forgetting(vault).forget([it.id for it in made])

    _, done = forgetting(vault).purge([made[0].id])

    assert done.proof.found == ()
    assert everywhere(vault.path, b"heliotrope") == []


@pytest.mark.long
def test_what_git_set_up_is_no_place_to_look_for_a_word(vault: Vault) -> None:
    number = forgotten(vault)
    sample = vault.path / ".git/hooks/pre-rebase.sample"
    sample.parent.mkdir(exist_ok=True)
    sample.write_text("# a heliotrope sample\n")
    git(vault.path, "config", "alias.x", "log --grep heliotrope")
    assert forgetting(vault).purge([number])[0].verified


@pytest.mark.long
def test_the_subject_of_a_turn_of_one_word_goes_too(vault: Vault) -> None:
    vault.say("talk", "Yes.", agent="ada")
    vault.store.writer.commit_pending()
    assert "Yes." in git(vault.path, "log", "--format=%s")
    assert forgetting(vault).purge(["agents/ada/sessions/talk.jsonl:1"])[0].verified
    assert "Yes." not in git(vault.path, "log", "--format=%B")


@pytest.mark.long
def test_the_number_of_a_purged_task_is_no_trace_of_it(vault: Vault) -> None:
    """AGENTS.md has it as an example, and the next task is called so."""
    task = vault.tasks.create("Phone the plumber Quincy")
    _, done = forgetting(vault).purge([task.path])
    assert (done.proof.found, done.proof.verified) == ((), True)
    assert everywhere(vault.path, b"Quincy") == []

    gone = forgetting(vault).forget([vault.tasks.create("Phone the grocer Ottokar").path])
    assert vault.tasks.create("Buy bread").path == task.path
    _, done = forgetting(vault).purge(gone.forgotten)
    assert (done.proof.found, done.proof.verified) == ((), True)
    assert everywhere(vault.path, b"Ottokar") == []
    assert vault.tasks.get(1).subject == "Buy bread"


class Files(dict[str, Blob]):
    """The files of a commit; they note in *walks* when all of them are gone through."""

    walks = 0

    def keys(self) -> Any:  # noqa: ANN401  # as that of a mapping
        """Return their paths."""
        Files.walks += 1
        return super().keys()


class Ids(set[str]):
    """Ids; they note in *joins* when they are all put together with others."""

    joins = 0

    def __or__(self, other: Any) -> Any:  # noqa: ANN401  # as that of a set
        """Return them with *other* ones."""
        Ids.joins += 1
        return super().__or__(other)


@pytest.mark.long
def test_not_all_that_stays_is_gone_through_for_each_old_version(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A vault twice as large with twice the old versions would take four times as long."""
    made = GitHistory.__init__

    def noting(history: GitHistory, *args: Any) -> None:  # noqa: ANN401  # as it is made
        made(history, *args)
        history.head, history.heads = Files(history.head), Ids(history.heads)

    def walks(old: int) -> int:
        for number in range(old):
            (vault.path / "notes").mkdir(exist_ok=True)
            (vault.path / "notes/a.md").write_text(f"Version {number} of {old}.\\n")
            git(vault.path, "add", "notes/a.md")
            git(vault.path, "commit", "-qm", "a note")
        memory = vault.remember(f"{NEEDLE} {old} lies under the stone.", agent="ada")
        Files.walks = Ids.joins = 0
        vault.forgetting.purge([memory.id])
        return Files.walks + Ids.joins

    monkeypatch.setattr(GitHistory, "__init__", noting)
    assert walks(2) == walks(9)
