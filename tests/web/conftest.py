"""The browser of this room's scenes, and vaults that are served to it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.desk import CHROMIUM, Desk, Serve, dreaming, opened


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Start the browser, whose home is its own."""
    env: dict[str, str | float | bool] = {**os.environ, "HOME": str(tmp_path_factory.mktemp("c"))}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, env=env)
        yield browser
        browser.close()


@pytest.fixture
def served(chromium: Browser, tmp_path: Path) -> Iterator[Serve]:
    """Return what fills a vault and serves it, for scenes that change something."""
    with ExitStack() as stack:
        yield lambda fill: opened(tmp_path / "vault", fill, chromium, stack)


@pytest.fixture(scope="module")
def reading(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Serve one vault, in which a dream waits, to all scenes that only read."""
    with ExitStack() as stack:
        yield opened(tmp_path_factory.mktemp("read") / "vault", dreaming, chromium, stack)
