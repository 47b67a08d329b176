"""`doctor` tells what a report of a bug needs, and nothing that is anybody's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem import Vault, __version__
from vaultmem.cli import run


def test_a_report_names_versions_and_counts_and_nothing_private(
    vault: Vault, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.remember("Zebedee keeps the key under the pot.", agent="zebedee")
    (folder / "notes").mkdir()
    (folder / "notes/odd.md").write_text("---\ntype: zebedees-own\n---\nSee [[pot]].\n")
    monkeypatch.setenv("OLLAMA_HOST", "http://zebedee.example")
    monkeypatch.setenv("VAULTMEM_EMBEDDER", "ollama")
    monkeypatch.setenv("VAULTMEM_CHROMA_URL", "https://key:of@chroma.zebedee.example")
    assert run(["--vault", str(folder), "--json", "doctor"]) == 0
    said = capsys.readouterr().out
    found = json.loads(said)
    assert found["vaultmem"].startswith(__version__)
    assert "click " in found["packages"]
    assert "OLLAMA_HOST" in found["variables that are set"]
    assert "memory 1" in found["files"]
    assert found["index"].endswith("chroma on a server")
    assert (found["agents"], found["history"]) == ("1", "yes")
    assert "zebedee" not in said.casefold()
    assert str(folder) not in said


def test_without_a_vault_it_tells_of_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--vault", str(tmp_path), "doctor"]) == 0
    said = capsys.readouterr().out
    assert "python  " in said
    assert "vault  " in said
    assert "there is none here" in said


def test_a_setting_that_keeps_the_vault_shut_is_named_without_its_value(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = folder / "config/memory_compaction.md"
    text = config.read_text()
    for there, told in (
        ("zebedee", "BadSettings, immediate_window)"),
        ("[", "BadInput, its settings)"),
    ):
        config.write_text(text.replace("immediate_window: 64", f"immediate_window: {there}"))
        assert run(["--vault", str(folder), "doctor"]) == 0
        said = capsys.readouterr().out
        assert f"it could not be opened ({told}" in said
        assert "zebedee" not in said
