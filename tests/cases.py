"""Cases of a parametrized scene: a few of each kind every day, the rest with what takes long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


def rarely(*cases: object) -> list[ParameterSet]:
    """Return *cases*, tuples of several values or one value each, marked as `long`."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for case in cases
    ]
