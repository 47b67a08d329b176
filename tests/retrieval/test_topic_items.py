"""Which items of a topic a context shows, whoever wrote it."""

from __future__ import annotations

import pytest

from vaultmem.records import Record
from vaultmem.retrieval.context import topic_items

BULLETS = "".join(f"- Machine {n} is old.\n" for n in range(30))


@pytest.mark.parametrize("heading", ["## Facts", "## Machines", ""])
def test_a_topic_has_no_more_items_than_asked_for(heading: str) -> None:
    """Those that match come first, below whatever heading they stand."""
    body = f"The bar.\n\n{heading}\n{BULLETS}"
    record = Record("topics/bar.md", "", type="topic", title="Bar", body=body)
    found = topic_items.narrowed(record, 3, lambda text: "17" in text, lambda _: True)
    lines = [line for line in found.body.splitlines() if line.startswith("- ")]
    assert lines == ["- Machine 17 is old.", "- Machine 28 is old.", "- Machine 29 is old."]
