"""Take the pictures of the manual's page on `web`, of what the demo leaves and a little more.

python .github/screenshots.py [CHROMIUM]
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from vaultmem import Vault
from vaultmem.api.types import Patch, TopicPatch

_HERE = Path(__file__).parent
_PICTURES = (
    ("home", "/", "light", 860),
    ("why", "/why?ref=agents/ada/summaries/longterm.md:26", "light", 620),
    ("timeline", "/timeline?from=2026-08-01&to=2026-10-20", "light", 620),
    ("dreams", "/dreams", "dark", 860),
)
_WIDTH = 1240


def main() -> None:
    """Serve a vault and take a picture of each of its pages."""
    chromium = sys.argv[1] if len(sys.argv) > 1 else shutil.which("chromium")
    with tempfile.TemporaryDirectory() as name:
        folder, config = Path(name) / "memory", Path(name) / "gitconfig"
        config.write_text("[user]\n\tname = Mara\n\temail = mara@example.org\n")
        os.environ |= {"GIT_CONFIG_GLOBAL": str(config), "GIT_CONFIG_NOSYSTEM": "1"}
        _run("demo", str(folder))
        _furnish(folder)
        argv = [sys.executable, "-m", "vaultmem", "--vault", str(folder), "web", "--no-open",
                "--json"]  # fmt: skip
        with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout  # noqa: S101  # it was asked for
            link = json.loads(process.stdout.readline())["url"]
            _take(link, chromium)
            process.send_signal(signal.SIGINT)


def _run(*args: str) -> None:
    argv = [sys.executable, "-m", "vaultmem", *args]
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)


def _furnish(folder: Path) -> None:
    """Let something wait: for review, a disagreement, a dream."""
    with Vault.open(folder) as vault:
        vault.remember("A page said the oven needs 32 amperes.", agent="ada", source="web")
        vault.cards.set("medical/sarah", Patch({"allergy": "walnuts"}, source="web"))
        facts = ("The lease runs five years from 1 September.", "The rent is 1,850 a month.")
        vault.topics.set("Harbour Street 18", TopicPatch(facts))
        note = folder / "topics/harbour-street-18.md"
        note.write_text(note.read_text() + "- The lease runs five years from 1 September.\n")
        vault.history.commit_pending()
        vault.dream()


def _take(link: str, chromium: str | None) -> None:
    base = link.partition("/?")[0]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        opened = browser.new_context()
        opened.new_page().goto(link)
        state = opened.storage_state()
        for name, path, scheme, height in _PICTURES:
            context = browser.new_context(
                storage_state=state, color_scheme="dark" if scheme == "dark" else "light",
                viewport={"width": _WIDTH, "height": height}, reduced_motion="reduce",
            )  # fmt: skip
            page = context.new_page()
            page.goto(base + path)
            page.wait_for_timeout(300)
            page.screenshot(path=_HERE / f"web-{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
