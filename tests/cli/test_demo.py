"""The demo runs for real, and the sample vault is what it leaves."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.cli import demo
from vaultmem.errors import Refused
from vaultmem.maintenance import starter_files


def _sample() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "sample", Path(__file__).parents[1].joinpath("sample.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["sample"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
def test_the_sample_vault_is_what_the_demo_leaves(tmp_path: Path) -> None:
    """`python tests/sample.py` makes it so again."""
    sample = _sample()
    assert sample.built(tmp_path / "vault") == sample.files(sample.VAULT)


def test_a_new_vault_holds_none_of_the_sample(tmp_path: Path) -> None:
    made = create.create(tmp_path / "v", lambda: _sample()._NOON).files
    assert set(made) == set(starter_files.FILES)
    assert "agents" not in (tmp_path / "v" / "MEMORY.md").read_text()


@pytest.mark.long
def test_the_demo_leaves_a_sound_vault_with_its_evidence_on_top(tmp_path: Path) -> None:
    steps = list(demo.run(tmp_path / "v"))
    asked = [s for s in steps if "recall" in s.command]
    assert "hazelnuts" in asked[0].lines[0].casefold()
    assert "Faema" in asked[1].lines[0]
    with Vault.open(tmp_path / "v") as vault:
        assert vault.fsck().problems == ()
        assert vault.status().status == "OK"


def test_the_demo_leaves_a_folder_with_files_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(Refused, match="not empty"):
        list(demo.run(tmp_path))
    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]
