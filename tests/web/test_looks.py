"""How every page looks in a real browser: to axe, in each width, on paper, and under attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.web.desk import IN_CHROMIUM, Desk, Serve
from tests.web.payloads import PAYLOADS
from tests.web.test_hostile import attacked
from tests.web.test_pages import PLACES
from vaultmem import Vault

AXE = Path(__file__).parent / "axe/axe.min.js"
pytestmark = IN_CHROMIUM


def test_on_paper_stands_what_is_said_and_nothing_to_click(reading: Desk) -> None:
    page = reading.open("/dreams")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".change").first).to_be_visible()
    expect(page.locator("nav.side")).to_be_hidden()
    assert page.get_by_role("button").count() == 0
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == WHITE


def test_nothing_covers_a_dream_in_a_narrow_window(reading: Desk) -> None:
    page = reading.open("/dreams")
    page.set_viewport_size({"width": 400, "height": 800})
    bar = page.get_by_role("button", name="Apply what is ticked").locator("..")
    assert bar.evaluate("it => getComputedStyle(it).position") == "static"


WHITE = "rgb(255, 255, 255)"
WIDTHS = (360, 1280, 3840)
SCHEMES: Sequence[tuple[Literal["light", "dark"], str]] = (
    ("dark", "runOnly: ['color-contrast'], "), ("light", ""),
)  # fmt: skip


@dataclass
class Walk:
    """What was found on every page: by axe in light and dark, and what is wider than a window."""

    axe: dict[str, list[str]]
    wide: dict[int, list[str]]


@pytest.fixture(scope="module")
def walked(reading: Desk) -> Walk:
    """Go to every page once, and look at it in light and dark, and in each width."""
    (note,) = (reading.folder / "agents/ada/memories").rglob("*.md")
    memory = note.relative_to(reading.folder)
    with Vault.open(reading.folder) as vault:
        op = vault.log(1)[0].commit
    more = [
        "/file/topics/tea.md", "/file/cards/people/mara.md", f"/file/{memory}",
        f"/forget?ref={memory}", "/session/ada/talk", f"/operation/{op}", "/nothing",
        "/why?ref=topics/tea.md", "/cards?as_of=2999-01-01", "/folder/topics",
    ]  # fmt: skip
    context = reading.context()
    context.add_init_script(AXE.read_text())
    page = context.new_page()
    found = Walk({"light": [], "dark": []}, {width: [] for width in WIDTHS})
    for address in [*PLACES, *more]:
        page.goto(address)
        for width, wide in found.wide.items():
            page.set_viewport_size({"width": width, "height": 900})
            if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                wide.append(address)
        page.set_viewport_size({"width": 1280, "height": 900})
        page.evaluate("document.querySelectorAll('main details').forEach(it => it.open = true)")
        # Nothing but colours is otherwise in the dark.
        for scheme, rules in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            result = page.evaluate(f"axe.run(document, {{{rules}resultTypes: ['violations']}})")
            found.axe[scheme] += [
                f"{address} {it['id']}: {it['nodes'][0]['html'][:160]}"
                for it in result["violations"]
            ]
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(walked: Walk, scheme: str) -> None:
    assert walked.axe[scheme] == [], "\n".join(walked.axe[scheme])


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_is_wider_than_its_window(walked: Walk, width: int) -> None:
    assert walked.wide[width] == []


@pytest.mark.timeout(600)  # every page with every payload, beside busy processes
def test_nothing_that_was_written_runs_in_a_browser(served: Serve) -> None:
    pages: list[str] = []
    payloads = [payload.replace("\x00", "") for payload in PAYLOADS]
    desk = served(lambda vault: pages.extend(attacked(vault, payloads)))
    page = desk.open("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    for address in [*PLACES, *pages]:
        answer = page.goto(address)
        assert answer
        assert answer.status == 200, address
        page.wait_for_load_state("load")
    assert [url for url in asked if not url.startswith(desk.base)] == []
    assert faults == []
