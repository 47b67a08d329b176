"""An open page is told of every change since it was made, however late it begins to listen."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.web.live import Live


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Vault.init(tmp_path / "vault").close()
    return tmp_path / "vault"


async def _told(live: Live, seen: int) -> str:
    """Return the first event of a stream that begins when so many changes were seen."""
    stream = live.events(seen)
    assert await anext(stream) == b"retry: 2000\n\n"
    event = await anext(stream)
    await stream.aclose()  # type: ignore[attr-defined]  # a generator's
    return event.decode()


def test_a_tab_that_listens_late_is_told_what_came_before(folder: Path) -> None:
    """The tab that listened for all was left; what it did then never reached the others."""

    async def scene() -> tuple[int, str, str]:
        async with Live(folder) as live:
            made = live.changes
            (folder / "heron.md").write_text("It stands in Alder Row.\n")
            return made, await _told(live, made), await _told(live, made)

    made, first, late = asyncio.run(scene())
    assert first.startswith("event: change\nid: ")
    assert late.startswith("event: change\nid: ")
    assert f"data: {made}\n" not in late
