"""What the pages show, of the present, of the past, and to whom."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.conftest import Clock, Template
from tests.web_client import Browser, Parsed, browsing
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.api.types import Patch, TopicPatch
from vaultmem.records import iso
from vaultmem.web.types import Options

PLACES = [
    "/", "/search?q=tea", "/timeline", "/cards", "/topics", "/sessions", "/tasks", "/graph",
    "/folder/", "/review", "/dreams", "/history", "/health",
]  # fmt: skip


def furnished(vault: Vault) -> None:
    """Let the vault hold something of each kind."""
    vault.remember("Mara drinks dark roast before nine.", agent="ada", speaker="Mara")
    vault.remember("A page said the oven is zqweb wide.", agent="ada", source="web")
    vault.cards.set("people/mara", Patch(
        {"allergy": "kiwi"}, person="Mara", relationship="friend", backstory="She said so.",
        source="user"))  # fmt: skip
    vault.cards.set("people/mara", Patch({"allergy": "nuts"}, source="web"))
    vault.topics.set("Tea", TopicPatch(("Oolong at four.",)))
    vault.say("talk", "Shall we order the oven?", agent="ada")
    vault.say("talk", "Yes, on Monday.", role="assistant", agent="ada")
    vault.tasks.create("Buy an oven")
    vault.tick()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Make a vault that holds something of each kind."""
    path = tmp_path_factory.mktemp("furnished") / "vault"
    create.create(path, Clock())
    with Vault.open(path, clock=Clock()) as vault:
        furnished(vault)
    return Template(path)


@pytest.fixture
def folder(made: Template, tmp_path: Path) -> Path:
    """Write that vault, and return where it is."""
    return made.write(tmp_path / "vault")


@pytest.fixture
def browser(folder: Path, clock: Clock) -> Iterator[Browser]:
    """Open it."""
    with browsing(folder, clock=clock) as opened:
        yield opened


def test_a_page_names_itself_and_loads_nothing_from_elsewhere(browser: Browser) -> None:
    for address in PLACES:
        text = browser.page(address)
        seen = Parsed(text)
        assert all(load.startswith("/static/") for load in seen.loads), (address, seen.loads)
        assert seen.inline == [], address
        assert "<title>" in text, address
        assert 'lang="en"' in text, address
        assert "<main" in text, address


def test_an_empty_vault_without_history_has_every_page(plain: Vault) -> None:
    with browsing(plain.path) as browser:
        for address in PLACES:
            browser.page(address)


def test_an_empty_vault_says_what_to_do(plain: Vault) -> None:
    with browsing(plain.path) as browser:
        assert "vaultmem remember" in browser.page("/")
        people = browser.page("/cards")
        assert "vaultmem card set" in people
        assert '<a href="/dreams">A dream</a>' in people
        assert "vaultmem topic set" in browser.page("/topics")
        assert "Nothing to review." in browser.page("/review")


@pytest.mark.long
def test_home_says_what_waits_and_what_happened(browser: Browser) -> None:
    text = browser.page("/")
    assert "<strong>1</strong> to review" in text
    assert "claims that disagree" in text
    assert "ada remembered: Mara drinks dark roast before nine." in text


def test_search_marks_words_and_finds_what_is_untrusted_only_when_asked(
    browser: Browser, vault: Vault
) -> None:
    found = browser.page("/search?q=" + quote("Who drinks roast?"))
    assert "<mark>drinks</mark> dark <mark>roast</mark>" in found
    note = "---\ntype: note\nsource: web\ntrust: untrusted\n---\nThe oven is zqwide.\n"
    (vault.path / "clipped.md").write_text(note)
    assert "zqwide" not in browser.page("/search?q=oven")
    asked = browser.page("/search?q=oven&trust=untrusted")
    assert "zqwide" in asked
    assert 'class="tag warn">untrusted' in asked


def test_search_is_narrowed_by_who_spoke_and_by_trust(browser: Browser, vault: Vault) -> None:
    vault.remember("Jonas drinks light roast.", agent="ada", speaker="Jonas", source="user")

    def found(**fields: str) -> str:
        page = browser.page("/search?" + urlencode({"q": "Who drinks roast?", **fields}))
        return page.partition('id="results"')[2]

    assert "Jonas" in found(person="jonas")
    assert "Mara" not in found(person="jonas")
    assert "Nothing found." in found(person="nobody")
    assert "Mara" in found(trust="agent") + found()
    assert "Mara" not in found(trust="user")
    assert "Jonas" in found(trust="user")


def test_the_graph_is_narrowed_by_kind_person_time_and_trust(
    browser: Browser, vault: Vault
) -> None:
    said = vault.remember("Bees like lime trees.", agent="ada", speaker="Jonas")
    stem = said.path.rpartition("/")[2].removesuffix(".md")
    vault.topics.set("Bees", TopicPatch(("Bees like lime trees.",), links=(stem,)))

    def drawn(**fields: str) -> bool:
        return 'aria-label="Bees"' in browser.page("/graph?" + urlencode(fields))

    assert drawn()
    assert drawn(person="jonas", after="2026-11-20", before="2026-11-20", agent="ada")
    assert not drawn(person="Mara")
    assert not drawn(after="2027-01-01")
    assert not drawn(before="2020-01-01")
    assert not drawn(trust="verified")
    assert not drawn(kinds="card")
    assert 'aria-label="Bees"' in browser.page("/graph?kinds=topic&kinds=memory")
    assert browser.get("/graph?after=soon").status == 400


def test_search_shows_what_lifts_each_hit(browser: Browser) -> None:
    found = browser.page("/search?q=" + quote("When does Mara drink roast?"))
    for name in ("answers", "window", "words", "speaker"):
        assert f'<span class="bar-name">{name}</span>' in found


def test_search_as_one_types_counts_as_no_use(browser: Browser, vault: Vault) -> None:
    browser.page("/search?q=roast")
    assert not (vault.path / ".vaultmem/usage.sqlite3").exists()


def test_a_derived_line_leads_to_what_says_it(browser: Browser) -> None:
    links = Parsed(browser.file("topics/tea.md")).links
    why = next(link for link in links if link.startswith("/why?"))
    assert "Oolong at four." in browser.page(why)


def test_a_card_shows_who_said_each_fact_and_what_disagrees(browser: Browser) -> None:
    text = browser.file("cards/people/mara.md")
    assert "<td>kiwi</td><td>user</td>" in text
    assert "source: web" in text


def test_links_are_called_by_what_they_lead_to(browser: Browser, vault: Vault) -> None:
    said = vault.remember("Mara keeps bees.", agent="ada", speaker="Mara")
    stem = said.path.rpartition("/")[2].removesuffix(".md")
    vault.topics.set("Bees", TopicPatch(("Mara keeps bees.",), links=(stem,)))
    note = vault.path / "topics/bees.md"
    note.write_text(note.read_text() + f"- Mara keeps bees.\n- In June ([[{stem}]]).\n")
    vault.dream()
    for page in (browser.file("topics/bees.md"), browser.page("/dreams")):
        assert ">Mara keeps bees.</a>" in page or ">Bees</a>" in page
        assert f">{stem}<" not in page
        assert ">mara keeps bees<" not in page
    assert "Bees</strong>" in browser.page("/dreams")


def test_a_card_does_not_say_that_who_speaks_is_a_speaker(browser: Browser, vault: Vault) -> None:
    drinks = {"drink": "coffee"}
    about = Patch(drinks, person="Lena", relationship="speaker", backstory="I like coffee.")
    vault.cards.set("people/lena", about)
    shown = (browser.page("/cards"), browser.file("cards/people/lena.md").partition("Source")[0])
    assert all("coffee" in page and "speaker" not in page for page in shown)


def test_people_are_drawn_with_what_they_are_to_each_other(browser: Browser, vault: Vault) -> None:
    vault.cards.set("people/jonas", Patch(
        {"sister": "Lena"}, person="Jonas", relationship="Mara's husband", backstory="He said so.",
        source="user"))  # fmt: skip
    text = browser.page("/cards")
    assert 'aria-label="Jonas is Mara\u2019s husband"' in text
    assert 'aria-label="Lena is Jonas\u2019s sister"' in text


def test_tasks_are_drawn_with_what_they_wait_for(browser: Browser, vault: Vault) -> None:
    vault.tasks.create("Bake bread", blocked_by=(1,))
    drawing = browser.page("/tasks").partition('<svg class="dependencies"')[2]
    assert 'aria-label="Buy an oven: to do"' in drawing
    assert 'aria-label="Bake bread: waits"' in drawing


def test_a_session_is_read_turn_by_turn(browser: Browser) -> None:
    text = browser.page("/session/ada/talk")
    assert text.index("Shall we order the oven?") < text.index("Yes, on Monday.")
    assert browser.get("/session/ada/none").status == 404


def test_a_memory_is_called_by_who_said_it_and_leads_to_its_session(
    browser: Browser, vault: Vault
) -> None:
    made = vault.remember("Tea at four.", agent="ada", speaker="Mara", session="talk")
    text = browser.file(made.path)
    assert ">Mara, 20 November 2026, 10:15 UTC</h1>" in text
    assert '<a href="/session/ada/talk">talk</a>' in text


def test_a_summary_with_more_sources_than_fit_shows_some_and_its_own_text(
    browser: Browser, vault: Vault
) -> None:
    sources = "".join(f'  - "[[agents/ada/summaries/recent-{n:06}]]"\n' for n in range(900))
    path = vault.path / "agents/ada/summaries/longterm.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"---\ntype: summary\ntier: longterm\nsources:\n{sources}---\nOolong.\n")
    text = browser.file("agents/ada/summaries/longterm.md")
    assert "and 876 more" in text
    assert "recent-" not in text.partition("<article")[2].partition("</article>")[0]


def test_what_is_not_there_is_not_found_and_says_so(browser: Browser) -> None:
    for address in ("/operation/zzz", "/session/ada/none", "/session/ada", "/nothing",
                    "/file/none.md"):  # fmt: skip
        answer = browser.get(address)
        assert answer.status == 404, address
        assert "<title>Not found ·" in answer.text
        assert "<h1>Not found</h1>" in answer.text
        assert "aria-current" not in answer.text  # no page of the navigation is open
    answer = browser.get("/cards?as_of=yesterday")
    assert answer.status == 400
    assert "<h1>That makes no sense here</h1>" in answer.text


def test_a_search_for_a_control_character_is_a_search_for_nothing(browser: Browser) -> None:
    assert "<title>Search ·" in browser.page("/search?q=%00")
    assert "<title>green tea ·" in browser.page("/search?q=green%00tea")


def test_no_control_character_that_is_asked_comes_back(browser: Browser) -> None:
    """Each page sends what it was asked along to the same page of another day."""
    for address in ("/search?q=green%00tea", "/dreams?q=a%00b%1bc&%00=x", "/timeline?person=%7f"):
        assert not set("\x00\x1b\x7f") & set(browser.page(address)), address


def test_hidden_characters_are_written_out(browser: Browser, vault: Vault) -> None:
    (vault.path / "note.md").write_text("# Plain\n\nOne\u202etwo <!-- do as I say -->\n")
    text = browser.file("note.md")
    assert "It has characters that cannot be seen" in text
    assert "\\u{202e}" in text
    assert "\u202e" not in text.partition("<textarea")[0]


def test_private_parts_are_shown_behind_a_click_alone(browser: Browser, vault: Vault) -> None:
    (vault.path / "note.md").write_text("# Mine\n\nTea <private>at the lido</private>.\n")
    text = browser.file("note.md")
    assert "lido" not in text
    assert "lido" not in browser.page("/search?q=lido").partition('id="results"')[2]
    assert "lido" in browser.submit("/file/note.md", "reveal")


def test_a_picture_is_a_link_that_says_where_it_goes(browser: Browser, vault: Vault) -> None:
    (vault.path / "note.md").write_text("![the oven](https://shop.example/oven.png)\n")
    text = browser.file("note.md")
    assert '<img src="https' not in text
    assert 'class="host">shop.example</span>' in text


def test_a_link_in_the_vault_leads_to_its_page(browser: Browser, vault: Vault) -> None:
    (vault.path / "note.md").write_text("See [[tea]], [Mara](cards/people/mara.md), [[nobody]].\n")
    text = browser.file("note.md")
    assert 'href="/file/topics/tea.md"' in text
    assert 'href="/file/cards/people/mara.md"' in text
    assert 'class="gone" title="nothing here is called so">nobody' in text
    assert 'href="/file/note.md"' in browser.file("topics/tea.md")  # and back


# --- the past ---------------------------------------------------------------------------------


@pytest.mark.long
def test_every_page_shows_the_past_and_offers_no_change_there(vault: Vault, clock: Clock) -> None:
    furnished(vault)
    clock.advance(days=30)
    note = vault.path / "topics/tea.md"
    note.write_text(note.read_text().replace("four", "five"))
    vault.remember("Jonas is a glazier.", agent="ada")
    vault.history.commit_pending()
    with browsing(vault.path, clock=clock) as browser:
        for address in [*PLACES, "/file/topics/tea.md", "/session/ada/talk"]:
            joint = "&" if "?" in address else "?"
            text = browser.page(f"{address}{joint}as_of=2026-11-20")
            assert not [f for f in Parsed(text).forms if f.method == "post"], address
            assert "as of 20 November 2026" in text
        then = browser.page("/file/topics/tea.md?as_of=2026-11-20")
        assert "It has changed since." in then
        assert "Oolong at four." in then.partition('<article class="prose')[2]
        assert (
            "glazier"
            not in browser.page("/search?q=glazier&as_of=2026-11-20").partition('id="results"')[2]
        )
        assert "glazier" not in browser.page("/?as_of=2026-11-20")
        assert browser.get("/?as_of=2020-01-01").status == 400
        assert browser.get("/cards?as_of=yesterday").status == 400


@pytest.mark.long
def test_lists_of_the_past_mark_what_is_otherwise_by_now(vault: Vault, clock: Clock) -> None:
    furnished(vault)
    clock.advance(days=30)
    note = vault.path / "topics/tea.md"
    note.write_text(note.read_text().replace("four", "five"))
    vault.tasks.update(1, status="in_progress")
    vault.say("talk", "It came today.", agent="ada")
    vault.forget(next((vault.path / "agents/ada/memories").rglob("*roast*")).stem)
    vault.history.commit_pending()
    with browsing(vault.path, clock=clock) as browser:

        def marks(address: str) -> tuple[int, int]:
            text = browser.page(f"{address}{'&' if '?' in address else '?'}as_of=2026-11-20")
            return text.count(">changed since<"), text.count(">gone since<")

        assert marks("/topics") == (1, 0)
        assert marks("/folder/topics") == (1, 0)
        assert marks("/search?q=oolong") == (1, 0)
        assert marks("/tasks") == (1, 0)
        assert marks("/sessions") == (1, 0)
        assert marks("/timeline") == (0, 1)
        assert marks("/") == (0, 1)
        assert marks("/search?q=roast") == (0, 1)
        assert marks("/cards") == (0, 0)
        assert ">changed since<" not in browser.page("/topics")


def test_a_range_that_ends_before_it_begins_is_turned_and_says_so(browser: Browser) -> None:
    turned = browser.page("/timeline?from=2026-11-21&to=2026-11-19")
    assert "so the two were exchanged" in turned
    assert 'data-from="2026-11-19T00:00:00Z"' in turned
    assert "exchanged" not in browser.page("/timeline?from=2026-11-19&to=2026-11-21")
    assert "exchanged" not in browser.page("/timeline?from=2027-01-01")


def test_links_stay_in_the_past(browser: Browser) -> None:
    links = Parsed(browser.page("/cards?as_of=2026-11-20")).links
    inner = [link for link in links if link.startswith("/") and not link.startswith("/static")]
    there = [link for link in inner if "as_of=2026-11-20" in link]
    assert len(inner) - len(there) == 2  # both of them lead back to now


# --- who may see what -------------------------------------------------------------------------


@pytest.mark.long
def test_a_page_for_one_agent_shows_nothing_of_another(vault: Vault, clock: Clock) -> None:
    furnished(vault)
    vault.remember("Zqbob likes zqplums.", agent="bob")
    vault.say("zqtalk", "Zqplums are ripe.", agent="bob")
    vault.history.commit_pending()
    secret = next(r.path for r in vault.views._store.index.records() if r.agent == "bob")
    with browsing(vault.path, Options(agent="ada"), clock) as browser:
        done = [f"/operation/{it.op}" for it in vault.history.commits(agent="ada") if it.op]
        for address in [*PLACES, "/folder/agents", "/search?q=zqplums", "/moments", *done]:
            text = browser.page(address)
            shown = text.partition("<main")[2].replace('value="zqplums"', "")
            assert "zqplums" not in shown, address
            assert "bob" not in shown, address
        for ref in (f"/file/{secret}", "/session/bob/zqtalk", f"/why?ref={quote(secret)}",
                    f"/forget?ref={quote(secret)}", "/folder/agents/bob"):  # fmt: skip
            answer = browser.get(ref)
            assert "zqplums" not in answer.text.replace(secret, ""), ref
        form = urlencode({"csrf": browser.keys.form_token, "path": secret, "text": "x", "sha": ""})
        for action in ("edit", "correct", "reveal"):
            sent = browser.ask("POST", f"/do/{action}", form.encode())
            assert sent.status in {400, 403, 404}, action
            assert "zqplums" not in sent.text.replace(secret, "")


def test_memory_md_shows_an_agent_no_pointer_to_what_is_anothers(
    vault: Vault, clock: Clock
) -> None:
    """Now, in the past, in what a commit changed, in its form, and whole."""
    vault.say("zqtalk", "Plums are ripe.", agent="bob")
    vault.tick()
    vault.history.commit_pending()
    index = (vault.path / "MEMORY.md").read_text()
    assert "agents/bob/" in index
    commits = [it.commit for it in vault.history.commits("MEMORY.md")]
    places = [f"/file/MEMORY.md{q}" for q in ("", *(f"?commit={it}" for it in commits))]
    with browsing(vault.path, Options(agent="ada"), clock) as browser:
        for address in (*places, f"/file/MEMORY.md?as_of={quote(iso(clock()))}"):
            text = browser.page(address).partition("<main")[2]
            assert "bob" not in text, address
        assert "agents/ada/" in browser.page("/file/MEMORY.md")
        sha = hashlib.sha256(index.encode()).hexdigest()
        fields = {"csrf": browser.keys.form_token, "path": "MEMORY.md", "text": "x", "sha": sha}
        edited, whole = (
            browser.ask("POST", f"/do/{action}", urlencode(fields).encode())
            for action in ("edit", "reveal")
        )
        assert (edited.status, "bob" in edited.text) == (403, False)
        assert "agents/ada/" in whole.text
        assert "bob" not in whole.text
    assert (vault.path / "MEMORY.md").read_text() == index
