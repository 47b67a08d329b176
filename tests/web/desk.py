"""A vault that is served by a process of its own, and Debian's Chromium to open it in."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.test_pages import furnished
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.api.types import TopicPatch
from vaultmem.records import utc_now

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
IN_CHROMIUM = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: apt-get install chromium"),
    pytest.mark.xdist_group("chromium"),
    pytest.mark.long,
]
"""What scenes in the browser are marked with: it may be missing, and one at a time is enough."""

expect.set_options(timeout=30_000)  # beside busy processes, five seconds are few


@dataclass
class Desk:
    """A vault that is served by a process of its own, and a browser to open it in."""

    folder: Path
    link: str
    browser: Browser
    cookies: Any
    stack: ExitStack

    @property
    def base(self) -> str:
        """The address of the server."""
        return self.link.partition("/?")[0]

    def context(self, *, script: bool = True) -> BrowserContext:
        """Return a browser that knows the server already."""
        made = self.browser.new_context(
            base_url=self.base, java_script_enabled=script, reduced_motion="reduce",
            viewport={"width": 1280, "height": 900},
        )  # fmt: skip
        self.stack.callback(made.close)
        made.set_default_timeout(20_000)
        if self.cookies is None:
            page = made.new_page()
            page.goto(self.link)
            page.close()
            self.cookies = made.cookies()
        else:
            made.add_cookies(self.cookies)
        return made

    def open(self, path: str = "/", *, script: bool = True) -> Page:
        """Return a tab of a new browser at *path*."""
        page = self.context(script=script).new_page()
        page.goto(path)
        return page


Serve = Callable[[Callable[[Vault], object]], Desk]
"""Serves a new vault that a function filled."""


def opened(
    folder: Path, fill: Callable[[Vault], object], chromium: Browser, stack: ExitStack,
    clock: Callable[[], datetime] = utc_now,
) -> Desk:  # fmt: skip
    """Serve a vault that *fill* filled by *clock*, until *stack* ends."""
    create.create(folder, clock)
    with Vault.open(folder, clock=clock) as vault:
        fill(vault)
        vault.history.commit_pending()
    argv = [sys.executable, "-m", "vaultmem", "--vault", str(folder), "web", "--no-open", "--json"]
    process = stack.enter_context(subprocess.Popen(argv, stdout=subprocess.PIPE, text=True))
    stack.callback(process.send_signal, signal.SIGINT)
    assert process.stdout
    link = json.loads(process.stdout.readline())["url"]
    return Desk(folder, link, chromium, None, stack)


def wanting(vault: Vault) -> None:
    """Let there be something to dream of."""
    vault.topics.set("Tea", TopicPatch(("Oolong at four.", "Sencha in the morning.")))
    note = vault.path / "topics/tea.md"
    note.write_text(note.read_text() + "- Oolong at four.\n")


def dreaming(vault: Vault) -> None:
    """Let something of each kind be there, and a dream wait."""
    furnished(vault)
    wanting(vault)
    vault.dream()


def containing(text: str) -> re.Pattern[str]:
    """Return a pattern that any text with *text* in it fits."""
    return re.compile(re.escape(text))
