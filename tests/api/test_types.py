"""The names of the public API that are loaded when they are first used."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from vaultmem import Vault
from vaultmem.api import types

CORE = ("errors", "records", "version")
LAZY = ["vaultmem.api.rendering", "vaultmem.api.types"]


@pytest.mark.parametrize("module", LAZY)
def test_every_name_that_is_offered_is_there(module: str) -> None:
    offered = importlib.import_module(module)
    assert all(getattr(offered, name) is not None for name in offered.__all__)


@pytest.mark.parametrize("module", LAZY)
def test_a_name_that_is_not_offered_is_an_attribute_error(module: str) -> None:
    with pytest.raises(AttributeError, match="Nothing"):
        _ = importlib.import_module(module).Nothing


@pytest.mark.parametrize("module", LAZY)
def test_importing_the_names_loads_no_room(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = {m for m in done.stdout.split() if m.startswith("vaultmem.")}
    assert ours - {f"vaultmem.{core}" for core in CORE} == {"vaultmem.api", module}


def test_what_a_vault_returns_has_its_type_there(vault: Vault) -> None:
    vault.remember("The well is deep.", agent="ada")
    answer = vault.recall("well", scope=types.Scope(agent="ada"))
    assert isinstance(answer, types.Answer)
    assert isinstance(answer.hits[0], types.Hit)
    assert isinstance(vault.status(), types.Health)
