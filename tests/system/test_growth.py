"""How growth is fitted and shown."""

from __future__ import annotations

import math
from xml.etree import ElementTree as ET

import pytest

from tests.bench.growth import Cost, Growth, head, row, slope, svg

pytestmark = pytest.mark.without_history

SIZES = (1_000, 10_000, 100_000)
FLAT = Growth("remember", {n: Cost(0.2, 0.1, 50_000_000) for n in SIZES})
ROOTED = Growth("status", {n: Cost(0.2, math.sqrt(n), 50_000_000) for n in SIZES})


def test_what_grows_with_the_square_root_has_half_an_exponent() -> None:
    assert ROOTED.exponent == pytest.approx(0.5)
    assert FLAT.exponent == pytest.approx(0)
    assert slope([(1_000, 3.0)]) == 0


def test_a_table_and_a_plot_show_each_command() -> None:
    assert head(SIZES).startswith("| ms (processor ms; MB) | 1 000 | 10 000 | 100 000 |")
    assert row(FLAT) == "| remember | " + "200 (100; 50) | " * 3 + "0.00 |\n"
    lines = ET.fromstring(svg([FLAT, ROOTED]))  # noqa: S314  # our own
    assert len([it for it in lines if it.tag.endswith("polyline")]) == 2
