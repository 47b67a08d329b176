"""What a person saves in their editor is in the file byte for byte, and what is hidden stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_forget import called
from vaultmem import Vault

pytestmark = pytest.mark.without_history

Editor = Callable[[bytes, bytes], list[bytes]]
"""What to replace by what; returns the texts that it was shown."""

PIN = "<private>pin 1234</private>"
MARK = "[private part 1: not shown, stays as it is]"
TASK = "---\nstatus: pending\n---\n# Buy tea\n"
CARD = "---\ncategory: people\nkey: sarah\nschool: Lyceum\n---\n"


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch) -> Editor:
    """Have an editor that replaces bytes in the file, all of it where they are none."""

    def edits(old: bytes, new: bytes) -> list[bytes]:
        shown: list[bytes] = []

        def edit(filename: str) -> None:
            shown.append(text := Path(filename).read_bytes())
            Path(filename).write_bytes(text.replace(old, new) if old else new)

        monkeypatch.setenv("EDITOR", "an editor")
        monkeypatch.setattr("click.edit", edit)
        return shown

    return edits


def written(folder: Path, path: str, text: str) -> Path:
    """Write a file as a person does."""
    note = folder / path
    note.parent.mkdir(exist_ok=True, parents=True)
    note.write_bytes(text.encode())
    return note


@pytest.mark.parametrize(
    "text", ["mix\r\nunix\nlast\n", "lone\rreturn\nlast\n", "\ufeffbom\r\nlast\r\n", "a\nlast"]
)
@pytest.mark.parametrize("typed", [b"last, and x\n", b"last\r\nx\n", b"last\r\nx\r"])
def test_bytes_that_were_not_touched_stay_and_typed_ones_are_as_typed(
    folder: Path, editor: Editor, capsys: pytest.CaptureFixture[str], text: str, typed: bytes
) -> None:
    note = written(folder, "notes/tea.md", text)
    editor(b"last", typed)

    assert called(capsys, folder, "edit", "notes/tea.md")[0] == 0

    assert note.read_bytes() == text.encode().replace(b"last", typed)


@pytest.mark.parametrize(
    ("old", "new"),
    [(f"{MARK}\n", f"hi\n{MARK}\r\n"), ("First.\n", ""), ("First.\n", "crlf\r\nline\r\n"),
     (f" {MARK}\nLast.", f"\nLast. {MARK}"), ("Last.", "<private>Mine.</private>")],
)  # fmt: skip
def test_a_mark_stands_for_what_is_private_and_the_part_goes_with_it(
    folder: Path, editor: Editor, capsys: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    text = f"First.\n {PIN}\nLast.\n"
    note = written(folder, "notes/tea.md", text)
    shown = editor(old.encode(), new.encode())

    assert called(capsys, folder, "edit", "notes/tea.md")[0] == 0

    assert shown == [text.replace(PIN, MARK).encode()]
    made = shown[0].decode().replace(old, new).replace(MARK, PIN)
    assert note.read_bytes() == made.encode()


@pytest.mark.parametrize("new", ["", MARK * 2, f"<private>{MARK}"])
def test_a_part_whose_mark_is_gone_stays_and_what_was_typed_is_kept(
    folder: Path, editor: Editor, capsys: pytest.CaptureFixture[str], new: str
) -> None:
    note = written(folder, "notes/tea.md", text := f"First.\n{PIN}\n")
    editor(MARK.encode(), new.encode())

    code, _, said = called(capsys, folder, "edit", "notes/tea.md")

    assert (code != 0, note.read_text(), "1234" in said) == (True, text, False)
    kept = Path(said.strip().rpartition(" kept in ")[2])
    assert kept.read_text() == f"First.\n{new}\n"
    kept.unlink()


@pytest.mark.parametrize(
    "case",
    [("cards/people/sarah.md", CARD, "school: Lyceum", "school: [Lyceum", "line 5"),
     ("tasks/task-0001.md", TASK, "pending", "nonsense", "status is 'nonsense'"),
     ("topics/tea.md", "---\ntags: [a]\n---\n# Tea\n", "tags: [a]", "tags: {a", "line 3")],
)  # fmt: skip
def test_what_could_not_be_read_is_not_written_but_kept(
    folder: Path,
    editor: Editor,
    capsys: pytest.CaptureFixture[str],
    case: tuple[str, str, str, str, str],
) -> None:
    path, text, old, new, told = case
    file = written(folder, path, text)
    editor(old.encode(), new.encode())

    code, _, said = called(capsys, folder, "edit", path)

    assert (code != 0, told in said, file.read_text()) == (True, True, text), said
    kept = Path(said.strip().rpartition(" kept in ")[2])
    assert kept.read_text() == text.replace(old, new)
    kept.unlink()


def test_what_is_broken_already_may_be_mended_step_by_step(
    folder: Path, editor: Editor, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(folder, "tasks/task-0001.md", TASK.replace("pending", "nonsense"))
    editor(b"tea", b"milk")

    assert called(capsys, folder, "edit", "tasks/task-0001.md")[0] == 0
    assert "milk" in file.read_text()


@pytest.mark.parametrize(
    ("text", "typed", "made"),
    [("mix\r\nunix\n", "mix\r\nunix\r\nx\r\n", "mix\r\nunix\nx\n"),
     ("lone\rreturn\n", "lone\r\nreturned\r\n", "lone\rreturned\r"),
     ("a\nb\n", "a\r\nc\r\nb", "a\nc\nb"), ("a", "a\r\nb\r\n", "a\nb\n")],
)  # fmt: skip
def test_what_a_form_sends_has_the_line_ends_of_the_file(
    vault: Vault, text: str, typed: str, made: str
) -> None:
    note = written(vault.path, "notes/tea.md", text)
    vault.store.sync()
    vault.edits.write(
        "notes/tea.md", typed, expected_sha256=vault.queries.sha256("notes/tea.md") or ""
    )
    assert note.read_bytes() == made.encode()
