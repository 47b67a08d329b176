"""A person's ways through the pages, in a real browser: Debian's Chromium, where there is one."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from tests.web.payloads import PAYLOADS
from tests.web.test_hostile import attacked
from tests.web.test_pages import PLACES, furnished
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.api.types import TopicPatch
from vaultmem.records import utc_now

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = Path(__file__).parent / "axe/axe.min.js"
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: apt-get install chromium"),
    pytest.mark.xdist_group("chromium"),
]


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


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Start the browser, whose home is its own."""
    env: dict[str, str | float | bool] = {**os.environ, "HOME": str(tmp_path_factory.mktemp("c"))}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, env=env)
        yield browser
        browser.close()


expect.set_options(timeout=30_000)  # beside busy processes, five seconds are few

Serve = Callable[[Callable[[Vault], object]], Desk]


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


def opened(
    folder: Path, fill: Callable[[Vault], object], chromium: Browser, stack: ExitStack
) -> Desk:
    """Serve a vault that *fill* filled, until *stack* ends."""
    create.create(folder, utc_now)
    with Vault.open(folder) as vault:
        fill(vault)
        vault.history.commit_pending()
    argv = [sys.executable, "-m", "vaultmem", "--vault", str(folder), "web", "--no-open", "--json"]
    process = stack.enter_context(subprocess.Popen(argv, stdout=subprocess.PIPE, text=True))
    stack.callback(process.send_signal, signal.SIGINT)
    assert process.stdout
    link = json.loads(process.stdout.readline())["url"]
    return Desk(folder, link, chromium, None, stack)


def test_somebody_finds_a_fact_and_where_it_comes_from(reading: Desk) -> None:
    page = reading.open("/search")
    page.get_by_label("What to look for").fill("When is oolong?")
    hit = page.locator("#results").get_by_role("link", name="Oolong at four.")
    hit.first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tea")
    page.get_by_role("link", name="why").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Where it comes from")
    expect(page.locator(".chain")).to_contain_text("committed")


def test_somebody_goes_back_and_sees_what_changed_since(served: Serve) -> None:
    desk = served(furnished)
    with Vault.open(desk.folder) as vault:
        before = vault.log(1)[0].when
        vault.edits.write(
            "topics/tea.md", (desk.folder / "topics/tea.md").read_text().replace("four", "five"),
            expected_sha256=vault.queries.sha256("topics/tea.md") or "",
        )  # fmt: skip
    page = desk.open("/file/topics/tea.md")
    expect(page.locator("article")).to_contain_text("Oolong at five.")
    page.locator(".past-menu > summary").click()
    slider = page.get_by_label("or slide through what happened")
    expect(slider).to_be_visible()
    slider.focus()
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    expect(page.get_by_role("status").first).to_contain_text("as of")
    assert f"as_of={before[:10]}" in page.url
    page.goto(f"/file/topics/tea.md?as_of={before}")
    if "It has changed since." in page.content():  # both commits may be of one second
        expect(page.locator("article")).to_contain_text("Oolong at four.")
    page.get_by_role("link", name="Back to now").first.click()
    expect(page.locator("article")).to_contain_text("Oolong at five.")


def test_somebody_settles_what_disagrees_by_one_click(served: Serve) -> None:
    page = served(furnished).open("/cards")
    page.get_by_role("button", name="Keep this: nuts").click()
    expect(page.get_by_role("status").first).to_contain_text("Settled: allergy is nuts.")
    expect(page.get_by_role("heading", name="Claims that disagree")).to_have_count(0)


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


def test_somebody_ticks_and_applies_a_dream_and_undoes_it(served: Serve) -> None:
    desk = served(wanting)
    before = (desk.folder / "topics/tea.md").read_text()
    page = desk.open("/dreams")
    page.get_by_role("button", name="Look for changes now").click()
    box = page.locator("input[name=change]").first
    with page.expect_response("**/do/dream-tick"):
        box.check()
    (note,) = (desk.folder / "inbox").glob("dream-*.md")
    assert f"- [x] `{box.get_attribute('value')}`" in note.read_text()
    page.get_by_role("button", name="Apply what is ticked").click()
    expect(page.get_by_role("status").first).to_contain_text("Applied 1 change.")
    page.get_by_role("link", name="Undo…").click()
    page.locator("#undo").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").first).to_contain_text("Undone.")
    assert (desk.folder / "topics/tea.md").read_text() == before


def test_somebody_types_while_another_program_writes_and_loses_nothing(served: Serve) -> None:
    desk = served(furnished)
    page = desk.open("/file/topics/tea.md")
    page.locator("#edit > summary").click()
    text = page.get_by_label("The whole file")
    text.fill(text.input_value() + "- Sencha at six.\n")
    note = desk.folder / "topics/tea.md"
    note.write_text(note.read_text() + "- Assam at eight.\n")
    expect(page.locator(".stale")).to_be_visible()
    expect(text).to_have_value(containing("Sencha at six."))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("It changed while you were editing")
    mine, theirs = (
        page.get_by_label("Yours", exact=True),
        page.get_by_label("As it is now", exact=True),
    )
    assert "Sencha at six." in mine.input_value()
    assert "Assam at eight." in theirs.input_value()
    mine.fill(theirs.input_value() + "- Sencha at six.\n")
    page.get_by_role("button", name="Save mine over it").click()
    expect(page.get_by_role("status").first).to_contain_text("Saved.")
    assert note.read_text().endswith("- Assam at eight.\n- Sencha at six.\n")


def containing(text: str) -> re.Pattern[str]:
    """Return a pattern that any text with *text* in it fits."""
    return re.compile(re.escape(text))


def test_somebody_forgets_and_reads_the_receipt(served: Serve) -> None:
    desk = served(furnished)
    page = desk.open("/search?q=roast")
    page.locator(".hit a").first.click()
    page.get_by_role("link", name="Forget…").click()
    page.get_by_label("Why").fill("no longer mine")
    page.get_by_label("Type forget to confirm").fill("forget")
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Forgotten")
    page.goto("/search?q=roast")
    expect(page.locator("#results")).not_to_contain_text("dark roast")


def test_two_tabs_see_what_either_does(served: Serve) -> None:
    desk = served(furnished)
    context = desk.context()
    one, other = context.new_page(), context.new_page()
    one.goto("/tasks")
    other.goto("/tasks")
    one.get_by_label("A new task").fill("Paint the shutters")
    one.get_by_role("button", name="Add").click()
    expect(other.get_by_role("link", name="Paint the shutters")).to_be_visible()


def test_a_tab_that_listens_late_shows_what_it_missed(served: Serve) -> None:
    desk = served(furnished)
    page, held = desk.context().new_page(), list[Route]()
    page.route("**/live*", lambda route: held.append(route))  # noqa: PLW0108  # no builtin will do
    page.goto("/folder/")
    other = desk.open("/folder/")
    (desk.folder / "heron.md").write_text("It stands in Alder Row.\n")
    expect(other.get_by_role("link", name="heron.md")).to_be_visible()
    held[0].continue_()
    expect(page.get_by_role("link", name="heron.md")).to_be_visible()


def test_fifty_tabs_are_served(reading: Desk) -> None:
    context = reading.context()
    tabs = [context.new_page() for _ in range(50)]
    for tab in tabs:
        tab.goto("/tasks", wait_until="commit")
    for tab in tabs:
        expect(tab.get_by_role("link", name="Buy an oven")).to_be_visible()


def test_everything_can_be_read_and_done_without_javascript(served: Serve) -> None:
    page = served(furnished).open("/", script=False)
    page.get_by_label("Search the vault").fill("roast")
    page.get_by_label("Search the vault").press("Enter")
    page.get_by_role("link", name="dark roast").first.click()
    expect(page.locator("article")).to_contain_text("Mara drinks dark roast")
    page.goto("/review")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("status").first).to_contain_text("Accepted")
    page.goto("/timeline")
    expect(page.locator("svg.timeline")).to_be_visible()
    page.goto("/file/topics/tea.md")
    page.locator("#edit > summary").click()
    text = page.get_by_label("The whole file")
    text.fill(text.input_value().replace("four", "five"))
    page.get_by_role("button", name="Save").click()
    expect(page.locator("article")).to_contain_text("Oolong at five.")


def test_everything_is_reached_by_keys_alone(reading: Desk) -> None:
    page = reading.open("/")
    page.keyboard.press("/")
    page.keyboard.type("oolong")
    page.keyboard.press("Enter")
    expect(page).to_have_url(containing("/search?q=oolong"))
    page.get_by_label("What to look for").press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Tea")
    page.keyboard.press("e")
    expect(page.get_by_label("The whole file")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(page.get_by_role("heading", level=1)).to_have_text("Timeline")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")


def test_review_and_dreams_are_done_by_keys_alone(served: Serve) -> None:
    page = served(dreaming).open("/")

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    press("g", "r")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")
    press("j", "Tab", "Enter")
    expect(page.get_by_role("status").first).to_contain_text("Accepted")
    press("g", "d")
    expect(page.get_by_role("heading", level=1)).to_have_text("Dreams")
    press("j")
    expect(page.locator("input[name=change]").first).to_be_focused()
    with page.expect_response("**/do/dream-tick"):
        press("Space")
    apply = page.get_by_role("button", name="Apply what is ticked").element_handle()
    while not page.evaluate("it => it === document.activeElement", apply):
        press("Tab")
    press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Applied 1 change.")


def test_a_task_is_moved_by_the_number_of_its_column(served: Serve) -> None:
    desk = served(furnished)
    page = desk.open("/tasks")
    page.keyboard.press("j")
    page.keyboard.press("2")
    expect(page.get_by_role("status").first).to_contain_text("Task 1 is in progress.")
    expect(page.get_by_role("link", name="Buy an oven")).to_be_focused()
    page.keyboard.press("3")
    expect(page.get_by_role("status").first).to_contain_text("Task 1 is completed.")


def test_a_task_is_dragged_to_another_column(served: Serve) -> None:
    page = served(furnished).open("/tasks")
    page.locator("[data-task]").drag_to(page.locator("[data-status=completed]"))
    expect(page.get_by_role("status").first).to_contain_text("Task 1 is completed.")


def test_a_timeline_is_looked_at_closer_by_dragging(reading: Desk) -> None:
    page = reading.open("/timeline")
    box = page.locator("svg.timeline").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + 4, steps=4)
    page.mouse.up()
    expect(page).to_have_url(containing("from="))


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
