"""What the first lines of a package say of its modules is so."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import vaultmem

ROOT = Path(vaultmem.__file__).parent
PACKAGES = sorted(ROOT.rglob("__init__.py"))


@pytest.mark.parametrize("file", PACKAGES, ids=lambda p: p.parent.relative_to(ROOT).as_posix())
def test_a_package_lists_only_modules_that_stand_in_it(file: Path) -> None:
    """Newcomers find their way by these lists; a module that moved takes its line along."""
    said = ast.get_docstring(ast.parse(file.read_text())) or ""
    listed = set(re.findall(r"^([a-z_]+): ", said, re.MULTILINE))
    there = {path.stem for path in file.parent.iterdir()}
    assert listed <= there
