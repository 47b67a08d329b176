"""`help` shows the manual that comes with the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem.cli import run

_MANUAL = Path(__file__).parents[2] / "vaultmem/manual"
_FORMAT = Path(__file__).parents[2] / "vault/README.md"
_PAGES = {path.stem: path for path in _MANUAL.glob("*.md")} | {"format": _FORMAT}


def test_every_page_is_listed_with_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", "--json"]) == 0
    titles = json.loads(capsys.readouterr().out)
    assert list(titles) == sorted(_PAGES)
    assert titles["sessions"] == "Sessions"
    assert titles["format"] == "The vault format, version 1"


@pytest.mark.parametrize("topic", _PAGES)
def test_a_page_is_printed_as_it_is_written(capsys: pytest.CaptureFixture[str], topic: str) -> None:
    """A pipe gets Markdown."""
    assert run(["help", topic]) == 0
    assert capsys.readouterr().out == _PAGES[topic].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("topic", "advice"), [("dream", "dream --help"), ("moon", "`vaultmem help`")]
)
def test_what_has_no_page_is_said_with_the_way_on(
    capsys: pytest.CaptureFixture[str], topic: str, advice: str
) -> None:
    assert run(["help", topic]) == 2
    assert advice in capsys.readouterr().err
