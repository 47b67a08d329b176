"""Tables read well in a terminal of 80 columns."""

from __future__ import annotations

import pytest

from vaultmem.cli import output

OP = "01M8GT5BQ9966G3HA3EYBGMH5V"


def test_an_operation_is_whole_and_the_words_beside_it_are_folded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    what = "write(ada): " + "a long reason of many words, " * 4
    output._draw(("when", "operation", "what"), [("2026-11-28 10:00", OP, what)], "")
    lines = capsys.readouterr().out.splitlines()
    assert any(OP in line for line in lines)
    assert all(len(line) <= 80 for line in lines)
    assert len(lines) > 3


def test_a_table_says_yes_and_no(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("what", "is it"), [("open", True), ("shut", False), ("many", 2)])
    assert capsys.readouterr().out == "what  is it\nopen  yes\nshut  no\nmany  2\n"
