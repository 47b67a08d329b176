"""`show`, `edit`, `open`: a file of the vault by whatever names it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path

import click
import pytest

from tests.cli.test_forget import called
from vaultmem import Vault
from vaultmem.storage.files import sha256

pytestmark = pytest.mark.without_history

TEA = "# Tea from Assam\n\nTwo minutes.\n"
APPENDS = "import sys; open(sys.argv[-1], 'a').write('Three, in winter.\\n')"


@pytest.fixture
def tea(folder: Path) -> Path:
    """Write a note as a person does."""
    note = folder / "notes/tea.md"
    note.parent.mkdir()
    note.write_text(TEA)
    return note


def at_a_terminal(folder: Path, *argv: str, typed: str = "") -> str:
    """Return what a terminal of 24 lines shows of a command in which something is *typed*."""
    mine, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "vaultmem", "--vault", str(folder), *argv]
    running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.write(mine, typed.encode())
    shown = bytearray()
    with contextlib.suppress(OSError):  # how a terminal ends
        while read := os.read(mine, 1 << 16):
            shown += read
    running.wait()
    os.close(mine)
    return shown.decode()


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have an editor that adds a line."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, "-c", APPENDS]))


@pytest.mark.with_history
def test_a_memory_is_shown_by_the_end_of_its_id(
    vault: Vault, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = vault.remember("The boiler is serviced in May.", agent="ada")

    for ref in (made.id[-6:].lower(), made.id[-6:], made.id, made.path, f"[[{made.path[:-3]}]]"):
        code, out, _ = called(capsys, folder, "show", ref)
        assert (code, "The boiler is serviced in May." in out) == (0, True), ref
    assert vault.why(made.id[-6:].lower()).chain[0].path == made.path


@pytest.mark.usefixtures("tea")
def test_a_note_is_shown_by_its_heading_or_its_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for ref in ("tea from assam", "Tea", "notes/tea", "notes/tea.md"):
        assert called(capsys, folder, "show", ref)[:2] == (0, TEA)
    assert called(capsys, folder, "show", "Tea from", "Assam")[:2] == (0, TEA)

    code, out, _ = called(capsys, folder, "show", "tea", "--json")
    assert (code, json.loads(out)["path"]) == (0, "notes/tea.md")


@pytest.mark.long
def test_a_terminal_shows_a_note_from_the_place_on_that_was_named(tea: Path, folder: Path) -> None:
    tea.write_text("---\ntags: tea\n---\n# Tea\n\nTwo minutes.\n\n## In winter\n\nThree.\n")
    for ref in ("tea#In winter", "notes/tea.md:8"):
        shown = at_a_terminal(folder, "show", ref)
        assert ("Three." in shown, "Two minutes." in shown) == (True, False), ref
    assert "Two minutes." in at_a_terminal(folder, "show", "notes/tea.md:1")


@pytest.mark.long
def test_a_terminal_shows_a_path_whole_and_a_comment_on_its_own_line(folder: Path) -> None:
    path = f"notes/{'long-' * 14}name-kqtnb7.md"
    (folder / "notes").mkdir()
    (folder / path).write_text("- Tea\n<!-- vaultmem:end -->\n\n```\n<!-- code -->\n```\n")
    shown = at_a_terminal(folder, "show", path)
    lines = [line.strip() for line in click.unstyle(shown).splitlines()]
    assert path in lines
    assert "<!-- vaultmem:end -->" in lines
    assert "<!-- code -->" in lines


def test_a_note_is_shown_by_its_aliases_and_by_what_recall_prints(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "notes").mkdir()
    (folder / "notes/Project Phoenix.md").write_text(
        "---\naliases: [Phoenix, The Bird]\n---\n# Budget\n\nNine pounds.\n"
    )
    for ref in (
        "phoenix", "The Bird", "[[Phoenix]]", "[[Phoenix|it]]", "[[Project Phoenix#Budget]]",
        "Project Phoenix#Budget", "notes/Project Phoenix.md:6",
    ):  # fmt: skip
        code, out, _ = called(capsys, folder, "show", ref)
        assert (code, "Nine pounds." in out) == (0, True), ref
    for ref, lacks in (
        ("[[Project Phoenix#budget]]", ""),
        ("Project Phoenix#Budget", ""),
        ("Project Phoenix#Heron", "notes/Project Phoenix.md has no heading 'Heron'"),
        ("notes/Project Phoenix.md:6", ""),
        ("notes/Project Phoenix.md:7", "notes/Project Phoenix.md has no line '7'"),
    ):
        code, out, err = called(capsys, folder, "show", ref)
        assert (code, "Nine pounds." in out, lacks in err, bool(err)) == (
            0, True, True, bool(lacks)
        ), ref  # fmt: skip
    for ref in ("Bird", "#Budget", ":6", "[[]]", "%"):
        assert called(capsys, folder, "show", ref)[0] == 2, ref


@pytest.mark.usefixtures("tea")
def test_a_file_is_named_by_its_path_from_where_its_reader_stands(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a shell completes it; where two have the name, the one that lies here is meant."""
    (folder / "notes/old").mkdir()
    (folder / "notes/old/tea.md").write_text("# Tea from China\n")
    monkeypatch.chdir(folder / "notes/old")
    for ref in ("../tea.md", str(folder / "notes/tea.md"), "../tea.md:1"):
        assert called(capsys, folder, "show", ref)[:2] == (0, TEA), ref
    assert called(capsys, folder, "show", "tea.md")[:2] == (0, "# Tea from China\n")
    assert called(capsys, folder, "why", "./tea.md")[0] == 0
    (folder.parent / "out.md").write_text("not in the vault\n")
    (folder / "notes/old/away").symlink_to(folder.parent)
    for ref in ("away/out.md", "../../../out.md", "tea\0.md"):
        assert called(capsys, folder, "show", ref)[0] == 2, ref


@pytest.mark.usefixtures("editor")
def test_a_note_whose_name_came_apart_is_shown_and_edited(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a Mac writes it: the letter and its accent are two characters."""
    (folder / "notes").mkdir()
    (note := folder / "notes/u\u0308ber.md").write_text("A kestrel.\n")
    for ref in ("notes/u\u0308ber.md", "notes/\u00fcber.md:1", "[[\u00fcber]]"):
        code, out, _ = called(capsys, folder, "show", ref)
        assert (code, "A kestrel." in out) == (0, True), ref
    assert called(capsys, folder, "edit", "\u00fcber")[0] == 0
    assert note.read_text() == "A kestrel.\nThree, in winter.\n"


def test_what_names_nothing_or_too_much_is_told(
    folder: Path, tea: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = called(capsys, folder, "show", "coffee")
    assert (code, "nothing here is called 'coffee'" in err) == (2, True)

    (folder / "knowledge").mkdir(exist_ok=True)
    (folder / "knowledge/tea.md").write_bytes(tea.read_bytes())
    code, _, err = called(capsys, folder, "show", "tea")
    assert (code, "knowledge/tea.md, notes/tea.md" in err) == (2, True)


def test_private_parts_are_not_shown(
    folder: Path, tea: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tea.write_text(f"{TEA}<private>Bought at Kelly's.</private>\n")

    code, out, err = called(capsys, folder, "show", "tea")

    assert (code, "Kelly" in out + err, "left out" in err) == (0, False, True)


@pytest.mark.with_history
@pytest.mark.usefixtures("editor")
def test_an_edit_is_committed_as_a_person_s(
    vault: Vault, folder: Path, tea: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = called(capsys, folder, "edit", "tea", "--reason", "It gets cold", "--json")

    assert (code, json.loads(out)["changed"]) == (0, True)
    assert tea.read_text() == f"{TEA}Three, in winter.\n"
    assert vault.log()[0].subject == "edit(person): It gets cold"


@pytest.mark.with_history
def test_an_editor_that_changes_nothing_makes_no_commit(
    vault: Vault, folder: Path, tea: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    vault.tick()
    before = vault.log()
    monkeypatch.setenv("EDITOR", "true")

    assert called(capsys, folder, "edit", "tea")[:2] == (0, "nothing changed\n")
    assert (vault.log(), tea.read_text()) == (before, TEA)


@pytest.mark.usefixtures("editor")
def test_a_memory_is_not_edited(
    vault: Vault, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = vault.remember("The boiler is serviced in May.", agent="ada")
    before = (folder / made.path).read_bytes()

    code, _, err = called(capsys, folder, "edit", made.id)

    assert (code, "correct it" in err) == (2, True)
    assert (folder / made.path).read_bytes() == before


def test_what_was_typed_while_somebody_else_wrote_is_kept_apart(
    folder: Path, tea: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    meddles = f"{APPENDS}; open({str(tea)!r}, 'a').write('With milk.\\n')"
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, "-c", meddles]))

    code, _, err = called(capsys, folder, "edit", "tea")

    assert code == 3
    assert tea.read_text() == f"{TEA}With milk.\n"
    kept = Path(err.strip().rpartition(" kept in ")[2])
    assert kept.read_text() == f"{TEA}Three, in winter.\n"
    kept.unlink()


def test_without_a_terminal_no_editor_is_looked_for(
    folder: Path, tea: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "")
    monkeypatch.setattr(click, "edit", lambda **_: pytest.fail("an editor was started"))
    code, _, said = called(capsys, folder, "edit", "tea")
    assert (code, tea.read_text()) == (2, TEA)
    assert "no terminal for an editor; nothing was changed" in said


@pytest.mark.usefixtures("tea")
def test_a_file_is_opened_in_obsidian_where_that_has_opened_the_vault(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called(capsys, folder, "open", "tea", "--print")[1] == f"{folder}/notes/tea.md\n"

    (folder / ".obsidian").mkdir(exist_ok=True)
    (folder / ".obsidian/workspace.json").write_text("{}")
    address = called(capsys, folder, "open", "tea", "--print")[1]

    assert address.startswith("obsidian://open?path=%2F")
    assert address.endswith("notes%2Ftea.md\n")


@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize("code", [0, 3, 4])
def test_a_file_that_no_program_opens_is_told(
    folder: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    code: int,
) -> None:
    opener = tmp_path / "bin/xdg-open"
    opener.parent.mkdir()
    opener.write_text(f"#!/bin/sh\necho 'no w3m here' >&2\nexit {code}\n")
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", f"{opener.parent}:{os.environ['PATH']}")

    done, out, said = called(capfd, folder, "open", "tea")

    assert (done, bool(out)) == ((2, False) if code else (0, True))
    assert ("no program here opens" in said) == bool(code)
    assert "w3m" not in said


def test_a_task_is_shown_by_its_number_unless_something_is_called_so(
    vault: Vault, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = vault.tasks.create("Buy tea")
    for ref in ("1", "#1", made.path):
        code, out, _ = called(capsys, folder, "show", ref)
        assert (code, "Buy tea" in out) == (0, True), ref

    (folder / "notes").mkdir(exist_ok=True)
    (folder / "notes/1.md").write_text(TEA)
    assert called(capsys, folder, "show", "1")[1] == TEA
    assert called(capsys, folder, "show", "2")[0] == 2


def test_the_sha_is_that_of_the_bytes(
    folder: Path, tea: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = json.loads(called(capsys, folder, "show", "tea", "--json")[1])
    assert shown["sha256"] == sha256(tea.read_bytes())


@pytest.mark.parametrize("editor", ["/nonexistent", "'no end", "/"])
def test_an_editor_that_does_not_open_is_told_and_nothing_changes(
    tea: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    editor: str,
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    code, _, said = called(capsys, folder, "edit", "notes/tea.md")
    assert code == 2
    assert "no editor could be started for notes/tea.md" in said
    assert "nothing was changed: set EDITOR" in said
    assert tea.read_text() == TEA


def test_an_editor_that_fails_is_told_to_have_done_so(
    tea: Path, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "false")
    code, _, said = called(capsys, folder, "edit", "notes/tea.md")
    told = "the editor failed (false: Editing failed): notes/tea.md is as it was"
    assert (code, told in said, tea.read_text()) == (2, True, TEA)


@pytest.mark.parametrize(
    "case",
    [
        ("open(f, 'ab').write(b'caf\\xe9')", "not UTF-8", f"{TEA}caf".encode() + b"\xe9"),
        ("open(f, 'a').write('Three.'); sys.exit(1)", "as it was: ", f"{TEA}Three.".encode()),
        ("os.remove(f)", "left no file", b""),
        ("open(f, 'w')", "empty", b""),
    ],
)
def test_what_an_editor_left_that_is_of_no_use_is_kept_if_it_is_anything(
    tea: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    case: tuple[str, str, bytes],
) -> None:
    does, told, kept = case
    monkeypatch.delenv("VISUAL", raising=False)
    code = f"import os, sys; f = sys.argv[-1]; {does}"
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, "-c", code]))
    _, out, said = called(capsys, folder, "edit", "tea")
    assert (out, told in said, tea.read_text()) == ("", True, TEA)
    assert (" kept in " in said) == bool(kept)
    if kept:
        copy = Path(said.strip().rpartition(" kept in ")[2])
        assert copy.read_bytes() == kept
        copy.unlink()


@pytest.mark.long
@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize(
    ("lines", "pager", "is_paged"), [(9, "cat", False), (99, "cat", True), (99, "/none", False)]
)
def test_what_is_long_is_shown_in_a_pager_if_there_is_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, lines: int, pager: str, *, is_paged: bool
) -> None:
    (folder / "notes/tea.md").write_text("- Assam\n" * lines)
    monkeypatch.setenv("PAGER", f"{pager} -n" if pager == "cat" else pager)
    shown = at_a_terminal(folder, "show", "notes/tea.md")
    assert shown.count("Assam") == lines
    assert ("99\t" in shown) == is_paged


@pytest.mark.long
def test_a_table_on_a_terminal_says_all_that_it_has(folder: Path) -> None:
    paths = [f"config/a-folder-of-settings/{n}-of-many-long-names.md" for n in range(3)]
    (folder / "notes").mkdir()
    (folder / "notes/paths.md").write_text(
        f"Of <name>:\n\n| a | b | c |\n|---|---|---|\n| {' | '.join(paths)} |\n"
    )
    shown = at_a_terminal(folder, "show", "paths")
    assert "\u2026" not in shown
    assert "<name>" in shown
    assert all(shown.count(letter) >= "".join(paths).count(letter) for letter in "abcdefg")


@pytest.mark.long
def test_a_table_of_many_columns_is_shown_row_by_row(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGER", "cat")
    names = [f"Column-{n}" for n in range(20)]
    (folder / "notes").mkdir()
    cells = (names, ["---"] * 20, [f"[x] {n}" for n in range(20)])
    (folder / "notes/wide.md").write_text("".join(f"| {' | '.join(it)} |\n" for it in cells))
    lines = click.unstyle(at_a_terminal(folder, "show", "wide")).splitlines()
    rows = [" ".join(line.split()) for line in lines]
    assert all(f"{name} [x] {n}" in rows for n, name in enumerate(names))


@pytest.mark.long
def test_a_row_of_a_table_is_shown_with_the_head_of_that(folder: Path) -> None:
    """And a line of code as code."""
    (folder / "notes").mkdir()
    (folder / "notes/stock.md").write_text(
        "# Stock\n\n| Tea | Tins |\n|---|---|\n| Oolong | 1 |\n| Assam | 2 |\n| Sencha | 3 |\n"
        "\n```sh\n# boil\n# pour\n```\n"
    )
    for line in 6, 7:
        shown = click.unstyle(at_a_terminal(folder, "show", f"notes/stock.md:{line}"))
        assert ("Tins" in shown, "Sencha" in shown, "Oolong" in shown) == (True, True, False)
        assert ("Assam" in shown) == (line == 6)
        assert "|" not in shown
    assert "# pour" in click.unstyle(at_a_terminal(folder, "show", "notes/stock.md:11"))


@pytest.mark.long
@pytest.mark.parametrize("answer", ["", "q"])
def test_who_is_asked_which_may_name_none(folder: Path, answer: str) -> None:
    for name in ("notes/tea.md", "topics/tea.md"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(TEA)
    said = at_a_terminal(folder, "show", "tea", typed=f"{answer}\n")
    assert "'tea' names 2 files, and none was chosen" in said


def test_no_ref_at_all_names_no_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = called(capsys, folder, "show", "")
    assert (code, "which file?" in said) == (2, True)
