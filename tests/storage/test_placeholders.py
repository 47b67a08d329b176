"""Values are bound by nameless placeholders: from Python 3.14 on a list fits no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import vaultmem

pytestmark = pytest.mark.without_history

_NUMBERED = re.compile(r"[\s(,=]\?[1-9]\b")


def test_no_statement_numbers_its_placeholders() -> None:
    package = Path(vaultmem.__file__).parent
    here = [file for file in package.rglob("*.py") if _NUMBERED.search(file.read_text())]
    assert here == []
