"""A text of any name in `files/` is part of the vault wherever a note is, and stays as it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.web_client import browsing
from vaultmem import Vault
from vaultmem.api.watcher import matters
from vaultmem.errors import Refused
from vaultmem.storage import files

pytestmark = pytest.mark.without_history

TEXT = "<rules>\n  <rule>Greet Zebulon by name. [[1]]</rule>\n</rules>\n"
PATH = "files/deep/rules.xml"


@pytest.fixture
def laid(folder: Path) -> Path:
    """Return a text that a person laid into the folder."""
    file = folder / PATH
    file.parent.mkdir(parents=True)
    file.write_text(TEXT)
    return file


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("files/progress.txt", True),
        ("files/notes", True),
        ("agents/ada/files/a/b.json", True),
        ("files/a.md", False),
        ("files/photo.PNG", False),
        ("files/.env", False),
        ("files/.git/config", False),
        ("files/a.txt~", False),
        ("notes/progress.txt", False),
        ("agents/ada/notes/files/x.txt", False),
    ],
)
def test_which_paths_are_texts(path: str, *, is_one: bool) -> None:
    assert files.is_text(path) is is_one
    assert matters(path) is (is_one or path.endswith(".md"))


def test_a_listing_has_what_is_text_and_leaves_attachments_alone(laid: Path, vault: Vault) -> None:
    (laid.parent / "photo.png").write_bytes(b"\x89PNG\xff")
    (laid.parent / "x.swp").write_text("x")
    seen = [it.path for it in vault.reach().listing("files") if not it.folder]
    assert seen == [PATH]
    assert vault.checks.lint() == ()
    assert vault.checks.fsck().problems == ()


def test_what_an_editor_writes_is_found_at_once(laid: Path, vault: Vault) -> None:
    assert vault.recall("Zebulon").hits[0].path == PATH
    saved = laid.with_name(".rules.xml.swp")
    saved.write_text(TEXT.replace("Zebulon", "Ottilie"))
    saved.replace(laid)
    assert vault.recall("Ottilie").hits[0].path == PATH
    assert not vault.recall("Zebulon").hits


def test_what_is_no_utf8_is_told_and_never_deleted(laid: Path, vault: Vault) -> None:
    laid.write_bytes(b"\xff\xfe caf\xe9")
    assert [(it.code, it.path) for it in vault.checks.fsck().problems] == [("encoding", PATH)]
    assert laid.exists()


def test_an_agent_reads_it_and_sets_no_field_of_it(laid: Path, vault: Vault) -> None:
    reach = vault.reach()
    assert reach.page(PATH).text == TEXT
    with pytest.raises(Refused, match="no frontmatter"):
        reach.set_field(PATH, "status", "done")
    assert laid.read_text() == TEXT


@pytest.mark.usefixtures("laid")
def test_its_page_shows_it_as_it_is(vault: Vault) -> None:
    with browsing(vault.path) as browser:
        text = browser.file(PATH)
    assert "&lt;rule&gt;Greet Zebulon by name. [[1]]&lt;/rule&gt;" in text


@pytest.mark.usefixtures("laid")
def test_an_export_takes_it_along_as_markdown(vault: Vault, tmp_path: Path) -> None:
    vault.export("okf", tmp_path / "bundle")
    text = (tmp_path / f"bundle/{PATH}.md").read_text()
    assert text.endswith(TEXT)
    assert "type: file" in text


@pytest.mark.long
@pytest.mark.with_history
def test_it_is_forgotten_and_purged_as_a_note_is(laid: Path, vault: Vault, folder: Path) -> None:
    vault.reach().str_replace(PATH, "by name", "by her name")
    gone = vault.forget(PATH)
    assert not laid.exists()
    assert len(gone.forgotten) == 1
    vault.forgetting.purge([*gone.forgotten])
    asked = ["git", "log", "--all", "-S", "Zebulon", "--format=%h"]
    assert subprocess.check_output(asked, cwd=folder) == b""


@pytest.mark.usefixtures("laid")
def test_a_new_name_comes_with_the_digest_of_what_it_holds(vault: Vault) -> None:
    """With which its next edit may go on."""
    made = vault.reach().rename(PATH, "files/rules.xml")
    assert made.sha256 == files.sha256(TEXT.encode())
    vault.reach().append("files/rules.xml", "More.", expected_sha256=made.sha256)
