"""A person's ways through the pages, in a real browser: Debian's Chromium, where there is one."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser, Route, expect

from tests.conftest import Clock
from tests.web.desk import IN_CHROMIUM, Desk, Serve, containing, dreaming, opened, wanting
from tests.web.test_pages import furnished
from vaultmem import Vault
from vaultmem.api.types import TopicPatch

pytestmark = IN_CHROMIUM


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


def test_somebody_goes_back_to_june_without_javascript(chromium: Browser, tmp_path: Path) -> None:
    clock = Clock()
    clock.now = datetime(2026, 5, 20, 10, 15, tzinfo=UTC)

    def changing_in_july(vault: Vault) -> None:
        vault.topics.set("Tea", TopicPatch(("Oolong at four.",)))
        vault.history.commit_pending()
        clock.advance(days=60)
        note = vault.path / "topics/tea.md"
        note.write_text(note.read_text().replace("four", "five"))

    with ExitStack() as stack:
        desk = opened(tmp_path / "vault", changing_in_july, chromium, stack, clock)
        page = desk.open("/file/topics/tea.md", script=False)
        expect(page.locator("article")).to_contain_text("Oolong at five.")
        page.locator(".past-menu > summary").click()
        page.get_by_label("Show everything as it was on").fill("2026-06-01")
        page.get_by_role("button", name="Go there").click()
        expect(page.get_by_role("status").first).to_contain_text("as of 1 June 2026")
        expect(page.locator("article")).to_contain_text("Oolong at four.")
        expect(page.locator("main")).to_contain_text("It has changed since.")
        page.get_by_role("link", name="Topics", exact=True).click()
        expect(page.locator("[data-row]")).to_contain_text("changed since")
        page.get_by_role("link", name="Back to now").first.click()
        expect(page.get_by_role("status")).to_have_count(0)


def test_somebody_settles_what_disagrees_by_one_click(served: Serve) -> None:
    page = served(furnished).open("/cards")
    page.get_by_role("button", name="Keep this: nuts").click()
    expect(page.get_by_role("status").first).to_contain_text("Settled: allergy is nuts.")
    expect(page.get_by_role("heading", name="Claims that disagree")).to_have_count(0)


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


def test_who_goes_to_a_box_while_the_page_is_fetched_anew_keeps_it(served: Serve) -> None:
    desk, held = served(dreaming), list[Route]()
    page = desk.open("/dreams")
    with page.expect_request("**/dreams", timeout=60_000):
        page.route("**/dreams", lambda route: held.append(route))  # noqa: PLW0108  # no builtin will do
        (desk.folder / "heron.md").write_text("It stands in Alder Row.\n")
    page.keyboard.press("j")
    expect(page.locator("input[name=change]").first).to_be_focused()
    held[0].continue_()
    expect(page.locator(".stale")).to_be_visible()
    expect(page.locator("input[name=change]").first).to_be_focused()


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
    page.goto("/tasks")
    page.get_by_role("button", name="Start: Buy an oven").click()
    expect(page.get_by_role("status").first).to_contain_text("Task 1 is in progress.")
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
    # By what it says: the answer to the tick may put another button in its place.
    while page.evaluate("document.activeElement.innerText") != "Apply what is ticked":
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
