"""Tables read well in a terminal of 80 columns."""

from __future__ import annotations

import re

import pytest

from tests.cases import rarely
from tests.cli.test_files import at_a_terminal
from tests.cli.test_forget import called
from tests.conftest import Prepared
from vaultmem import Vault
from vaultmem.cli import output, tables

pytestmark = pytest.mark.without_history

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
OP = "01M8GT5BQ9966G3HA3EYBGMH5V"


def test_an_operation_is_whole_and_the_words_beside_it_are_folded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    what = "write(ada): " + "a long reason of many words, " * 4
    tables.draw(("when", "operation", "what"), [("2026-11-28 10:00", OP, what)], "")
    lines = capsys.readouterr().out.splitlines()
    assert any(OP in line for line in lines)
    assert all(len(line) <= 80 for line in lines)
    assert len(lines) > 3


def test_a_table_says_yes_and_no(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("what", "is it"), [("open", True), ("shut", False), ("many", 2)])
    assert capsys.readouterr().out == "what  is it\nopen  yes\nshut  no\nmany  2\n"


@pytest.mark.parametrize("agents", [1, 7])
def test_short_cells_are_whole_and_rows_that_have_no_room_are_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, agents: int
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"an-agent-{number}" for number in range(agents)]
    measures = [f"measure {number}" for number in range(9)]
    rows = [(name, *["14 minutes ago"] * 9) for name in names]
    tables.draw(("agent", *measures), rows, "")
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert all(name in shown for name in names)
    assert shown.count("14 minutes ago") == 9 * agents


def tell(vault: Vault) -> None:
    """Let there be memories in long sentences, a topic, and much that is to be told."""
    said = "The boiler in the cellar is serviced in May, and all of the neighbours want to know"
    for number in range(4):
        vault.remember(f"{said} a week before number {number} is due.", agent="ada")
    topic = vault.path / "topics/boiler.md"
    topic.parent.mkdir(exist_ok=True)
    topic.write_text("---\ntype: topic\n---\n## Facts\n- It is red.\n")
    vault.store.sync()


@pytest.fixture
def talk(prepared: Prepared) -> Vault:
    """Return a vault with memories in long sentences, a topic, and much that is to be told."""
    return prepared(tell)


@pytest.mark.long
@pytest.mark.parametrize(
    "argv",
    [
        ("digest", "--since", "2000-01-01"),
        ("recall", "boiler"),
        *rarely((("status",),), (("doctor",),)),
    ],
)
def test_lines_are_folded_between_words_on_a_terminal_and_whole_in_a_pipe(
    talk: Vault, capsys: pytest.CaptureFixture[str], argv: tuple[str, ...]
) -> None:
    shown = at_a_terminal(talk.path, *argv)
    plain = _ESCAPE.sub("", shown)
    for line in plain.splitlines():
        assert len(line) <= 80 or max(map(len, line.split())) > 70, line  # a path stays whole
    assert "## Facts" not in plain

    piped = called(capsys, talk.path, *argv)[1]
    assert max(map(len, piped.splitlines())) > 80
