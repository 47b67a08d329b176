"""Repositories as people have them: sparse, with large files elsewhere, signed, of another user."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import Prepared
from tests.storage.test_outer_repository import git
from vaultmem import Vault, config
from vaultmem.api import create
from vaultmem.errors import BadInput, Refused, Unavailable
from vaultmem.knowledge.topics.types import TopicPatch
from vaultmem.records import LISTS, Clock
from vaultmem.storage import ledger
from vaultmem.storage.git import Blob, objects
from vaultmem.storage.git.types import Place

POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 12\n"


def sparse(vault: Vault, *left_out: str) -> None:
    """Leave folders out of the checkout, as a person does."""
    git(vault.path, "status")  # what git has not looked at it does not leave out
    patterns = [f"!/{path}" for path in left_out]
    git(vault.path, "sparse-checkout", "set", "--no-cone", "/*", *patterns)


def summarize(vault: Vault) -> None:
    """Let memories of three months be summarized."""
    settings = vault.path / config.PATH
    settings.write_bytes(settings.read_bytes().replace(b"window: 64", b"window: 4"))
    git(vault.path, "commit", "-qam", "a small window")
    for n in range(24):
        at = f"2025-0{1 + n // 8}-1{n % 8}T10:00:00Z"
        vault.remember(f"Oven {n} of Mara costs {n * 7} euros in Graz.", agent="ada", at=at)
    vault.compact("ada", force=True)
    vault.tick()
    vault.store.writer.commit_pending()


@pytest.fixture
def told(prepared: Prepared) -> Vault:
    """Return a vault whose memories of three months are summarized."""
    return prepared(summarize)


@pytest.mark.long
def test_memories_that_are_left_out_of_the_checkout_are_not_gone(told: Vault) -> None:
    """What tells of them stays as it is, and nothing is found wrong."""
    with told as vault:
        before = git(vault.path, "rev-parse", "HEAD:agents")
        sparse(vault, "agents/ada/memories/2025/01/1*", "agents/ada/memories/2025/02/*-oven-9-*")
        here = len(list(vault.path.glob("agents/ada/memories/*/*/*.md")))
        vault.tick()
        vault.compact("ada", force=True)
        assert vault.fsck().ok
        assert git(vault.path, "rev-parse", "HEAD:agents") == before
        vault.remember("Written meanwhile.", agent="ada")
        vault.store.writer.commit_pending()
        git(vault.path, "sparse-checkout", "disable")
        vault.store.sync()
        assert len(list(vault.path.glob("agents/ada/memories/*/*/*.md"))) > here + 1
        assert (
            git(vault.path, "diff", "--diff-filter=D", "--name-only", f"{before}", "HEAD:agents")
            == ""
        )
        assert vault.fsck().ok


@pytest.mark.long
def test_nothing_is_summarized_twice_while_summaries_are_left_out(told: Vault) -> None:
    with told as vault:
        sparse(vault, "agents/ada/summaries/")
        vault.fsck(accept_missing=True)  # a crowd that is gone pauses all
        for n in range(8):
            vault.remember(f"Boat {n} of Mara costs {n * 7} euros.", agent="ada")
        reason = vault.compact("ada", force=True).reason
        assert "git leaves summaries of ada out of the checkout" in reason
        git(vault.path, "sparse-checkout", "disable")
        assert vault.compact("ada", force=True).compactions
        assert vault.fsck().ok


@pytest.mark.long
def test_pointers_at_what_is_left_out_of_the_checkout_stay(vault: Vault) -> None:
    """What lists all files is made by who has them all, whatever is written or repaired here."""
    vault.tasks.create("Mend the well")
    for name in ("boiler", "tax"):
        vault.topics.set(name, TopicPatch((f"The {name} waits.",)))
    vault.tick()
    before = [(vault.path / page).read_bytes() for page in sorted(LISTS)]
    assert b"[boiler](topics/boiler.md)" in before[0]
    sparse(vault, "topics/boiler.md", "tasks/")
    vault.fsck(accept_missing=True)
    vault.topics.set("roof", TopicPatch(("The roof leaks.",)))
    vault.tick()
    found = vault.fsck(repair=True)
    assert (found.ok, found.not_checked_out) == (True, 2)
    assert [(vault.path / page).read_bytes() for page in sorted(LISTS)] == before
    (told,) = [p for p in vault.status().problems if p.code == "sparse"]
    assert told.message.startswith("2 files are left out by a sparse checkout")
    git(vault.path, "sparse-checkout", "disable")
    vault.tick()
    assert vault.fsck().not_checked_out == 0
    listed = (vault.path / "MEMORY.md").read_text()
    assert all(f"topics/{name}.md" in listed for name in ("boiler", "tax", "roof"))


@pytest.mark.long
def test_a_vault_whose_config_is_left_out_is_not_made_again(told: Vault, clock: Clock) -> None:
    with told as vault:
        sparse(vault, "config/")
        with pytest.raises(Refused, match=r"is not checked out: .*`git sparse-checkout add"):
            create.create(vault.path, clock)


def test_a_pointer_of_git_lfs_is_no_memory_and_is_left_as_it_is(vault: Vault) -> None:
    note = vault.path / "agents/ada/memories/2026/11/a.md"
    vault.remember("The well is deep.", agent="ada")
    note.write_text(POINTER)
    os.utime(note, (1, 1))
    vault.tick()
    assert note.read_text() == POINTER
    assert [(p.code, p.path) for p in vault.fsck(repair=True).problems] == [
        ("lfs", "agents/ada/memories/2026/11/a.md")
    ]
    (vault.path / config.PATH).write_text(POINTER)
    with pytest.raises(BadInput, match="`git lfs pull`"):
        vault.store.config()


def test_an_undo_puts_no_pointer_in_the_place_of_a_text(vault: Vault) -> None:
    (vault.path / "topics").mkdir()
    for text in (POINTER, "---\ntype: topic\n---\nTea.\n"):
        (vault.path / "topics/tea.md").write_text(text)
        git(vault.path, "add", "topics")
        git(vault.path, "commit", "-qm", "a topic")
    with pytest.raises(Refused, match="git LFS has what it said before"):
        vault.undo(git(vault.path, "rev-parse", "HEAD"))
    assert "Tea." in (vault.path / "topics/tea.md").read_text()


def point(vault: Vault, *paths: str) -> None:
    """Commit pointers of git LFS in the place of files, as its clean filter does, and no text."""
    for path in paths:
        data = (vault.path / path).read_bytes()
        oid = hashlib.sha256(data).hexdigest()
        pointer = vault.path / ".vaultmem/pointer"
        pointer.write_text(f"{POINTER.splitlines()[0]}\noid sha256:{oid}\nsize {len(data)}\n")
        blob = git(vault.path, "hash-object", "-w", str(pointer))
        git(vault.path, "update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
        pointer.unlink()
    git(vault.path, "commit", "-qm", "lfs")


def is_pointer(vault: Vault, path: str) -> bool:
    return git(vault.path, "show", f"HEAD:{path}").startswith("version https://git-lfs")


@pytest.mark.long
def test_what_head_has_as_a_pointer_alone_is_named_and_its_text_is_committed_again(
    vault: Vault,
) -> None:
    """A clone would have pointers: also of a note that git never had as text."""
    made = vault.remember("The well is deep.", agent="ada")
    vault.say("spring", "The pump is old.", agent="ada")
    vault.store.writer.commit_pending()
    (vault.path / "tea.md").write_text("Green tea at four.\n")
    paths = [made.path, "agents/ada/sessions/spring.jsonl", "tea.md"]
    point(vault, *paths)
    named = [("lfs", path) for path in paths]
    assert [(p.code, p.path) for p in vault.status().problems] == named
    assert [(p.code, p.path) for p in vault.fsck().problems] == named
    vault.say("spring", "The pump is new.", agent="ada")
    vault.store.writer.commit_pending()
    assert not any(is_pointer(vault, path) for path in paths)
    assert git(vault.path, "status", "--porcelain") == ""
    for path in paths:
        text = (vault.path / path).read_text()
        assert git(vault.path, "show", f"HEAD:{path}") == text.strip()
    assert vault.fsck().ok


def test_while_git_is_told_to_keep_a_pointer_nothing_is_looked_at_twice(vault: Vault) -> None:
    """Until its file, what says how git stores it, or what is staged is otherwise."""
    vault.say("spring", "The pump is old.", agent="ada")
    vault.store.writer.commit_pending()
    path = "agents/ada/sessions/spring.jsonl"
    point(vault, path)
    attributes = vault.path / ".gitattributes"
    before = attributes.read_text()
    attributes.write_text(f"{before}*.jsonl filter=lfs\n")
    git(vault.path, "commit", "-qm", "filtered", ".gitattributes")
    vault.store.writer.commit_pending()
    assert not ledger.is_due(vault.path)
    os.utime(vault.path / path, (1, 1))
    assert ledger.is_due(vault.path)
    vault.store.writer.commit_pending()
    assert (ledger.is_due(vault.path), is_pointer(vault, path)) == (False, True)
    attributes.write_text(before)
    assert ledger.is_due(vault.path)
    vault.store.writer.commit_pending()
    assert not is_pointer(vault, path)


def test_fsck_holds_no_list_of_all_the_files_that_head_has(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a million such a list alone would be half a gigabyte."""
    vault.remember("The well is deep.", agent="ada")
    vault.store.writer.commit_pending()
    listed, files = list[Sequence[str]](), objects.files

    def noting(place: Place, commit: str | None, *paths: str) -> dict[str, Blob]:
        listed.append(paths)
        return files(place, commit, *paths)

    monkeypatch.setattr(objects, "files", noting)
    assert vault.fsck().ok
    assert all(listed)


def test_a_text_that_was_edited_since_it_became_a_pointer_is_committed_as_git_had_it(
    vault: Vault,
) -> None:
    tea = vault.path / "tea.md"
    tea.write_text("Green tea at four.\n")
    git(vault.path, "add", "tea.md")
    git(vault.path, "commit", "-qm", "tea")
    point(vault, "tea.md")
    tea.write_text("Black tea at five.\n")
    vault.store.writer.commit_pending()
    assert git(vault.path, "show", "HEAD:tea.md") == "Green tea at four."
    assert tea.read_text() == "Black tea at five.\n"


@pytest.mark.long
def test_a_repair_brings_back_the_texts_of_pointers_that_a_checkout_put_on_disk(
    vault: Vault,
) -> None:
    made = vault.remember("The well is deep.", agent="ada")
    vault.say("spring", "The pump is old.", agent="ada")
    vault.store.writer.commit_pending()
    paths = [made.path, "agents/ada/sessions/spring.jsonl"]
    texts = [(vault.path / path).read_bytes() for path in paths]
    point(vault, *paths)
    git(vault.path, "rm", "-q", "--cached", *paths)
    git(vault.path, "reset", "-q", "--hard")
    assert (vault.path / made.path).read_text().startswith(POINTER.splitlines()[0])
    found = vault.fsck().problems
    assert {(p.code, p.path) for p in found} == {("lfs", path) for path in paths}
    assert all("`vaultmem fsck --repair` brings back" in p.repair for p in found)
    assert vault.fsck(repair=True).ok
    assert [(vault.path / path).read_bytes() for path in paths] == texts
    assert not any(is_pointer(vault, path) for path in paths)


@pytest.mark.parametrize("attribute", ["filter=mine", "ident", "working-tree-encoding=UTF-16"])
@pytest.mark.parametrize("path", [".gitattributes", ".git/info/attributes"])
def test_what_git_would_store_instead_of_a_note_is_told_of(
    vault: Vault, path: str, attribute: str
) -> None:
    (vault.path / path).parent.mkdir(exist_ok=True)
    (vault.path / path).write_text(f"*.png {attribute}\n*.md text {attribute}\n")
    (found,) = (p for p in vault.status().problems if p.code == "filtered")
    assert (found.path, found.message.startswith(f"`*.md text {attribute}`")) == (path, True)


def test_an_attribute_outside_of_the_vault_is_told_of_by_fsck(vault: Vault, tmp_path: Path) -> None:
    """Git itself is asked where it reads them; `status` runs no git for it."""
    assert vault.fsck().problems == ()
    attributes = tmp_path / "attributes"
    attributes.write_text("*.md filter=mine\n")
    git(vault.path, "config", "core.attributesFile", str(attributes))
    (found,) = vault.fsck().problems
    assert (found.code, found.path) == ("filtered", "")
    assert "core.attributesFile" in found.message
    (vault.path / ".git/info/attributes").write_text("*.md !filter\n")
    assert vault.fsck().problems == ()


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("git-lfs"), reason="git-lfs is not installed")
def test_notes_in_git_lfs_are_told_of_and_lose_nothing(vault: Vault) -> None:
    """Our commits hold their text; what a person's git puts in its place is its own."""
    git(vault.path, "lfs", "install", "--local")
    git(vault.path, "lfs", "track", "*.md", "*.bin")
    git(vault.path, "add", ".gitattributes")
    git(vault.path, "commit", "-qm", "lfs")
    assert [p.code for p in vault.status().problems] == ["filtered"]
    made = vault.remember("The well is deep.", agent="ada")
    vault.store.writer.commit_pending()
    assert "The well is deep." in git(vault.path, "show", f"HEAD:{made.path}")
    git(vault.path, "commit", "-qam", "a person's")
    assert git(vault.path, "show", f"HEAD:{made.path}").startswith("version https://git-lfs")
    assert vault.recall("well").hits
    with pytest.raises(Refused, match=r"git LFS has it.*take notes out"):
        vault.forget(made.id)
    assert (vault.path / made.path).exists()


def test_who_signs_commits_is_asked_for_nothing(vault: Vault, tmp_path: Path) -> None:
    """A commit of ours has no signature, and waits for no pinentry."""
    asked = tmp_path / "asked"
    gpg = tmp_path / "gpg"
    gpg.write_text(f"#!/bin/sh\ntouch {asked}\nsleep 60\n")
    gpg.chmod(0o755)
    for key, value in (("commit.gpgsign", "true"), ("gpg.program", str(gpg)),
                       ("gpg.ssh.program", str(gpg)), ("user.signingkey", "x")):  # fmt: skip
        git(vault.path, "config", key, value)
    for form in ("openpgp", "ssh"):
        git(vault.path, "config", "gpg.format", form)
        vault.remember(f"Signed by {form}.", agent="ada")
        vault.store.writer.commit_pending()
    assert git(vault.path, "status", "--porcelain") == ""
    assert not asked.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to another user")
def test_commits_wait_while_git_does_not_trust_the_owner(vault: Vault, clock: Clock) -> None:
    """What is written then is committed when it does, as what it is."""
    subprocess.run(["chown", "-R", "1234", vault.path], check=True)
    with Vault.open(vault.path, clock=clock) as opened:
        made = opened.remember("The well is deep.", agent="ada")
        assert made.commit is None
        (problem,) = opened.status().problems
        assert "it belongs to another user" in problem.message
        assert f"safe.directory {vault.path}" in problem.repair
        with pytest.raises(Unavailable, match=r"cannot open the history .*safe\.directory"):
            opened.log()
    subprocess.run(["chown", "-R", "0", vault.path], check=True)
    with Vault.open(vault.path, clock=clock) as opened:
        opened.store.writer.commit_pending()
        assert opened.log()[0].ops == (made.id,)
