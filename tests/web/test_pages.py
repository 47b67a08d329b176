"""What the pages show, of the present, of the past, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Clock
from tests.web_client import Browser, Parsed, browsing
from vaultmem import Vault
from vaultmem.api.types import Patch, TopicPatch
from vaultmem.web import routes
from vaultmem.web.types import Options

PLACES = [
    "/", "/search?q=tea", "/timeline", "/cards", "/topics", "/sessions", "/tasks", "/graph",
    "/folder/", "/review", "/dreams", "/history", "/health",
]  # fmt: skip
PAYLOADS = [
    "<script>alert('zq')</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>",
    '"><script>alert(1)</script>', "'><img src=x onerror=alert(1)>",
    "</textarea><script>1</script>",
    "</title><script>1</script>", "<a href='javascript:alert(1)'>x</a>", "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))", "[x](data:text/html,<script>1</script>)", "[x](vbscript:1)",
    "![p](http://evil.example/a.png)", "![p](javascript:alert(1))", "<iframe src=//evil.example>",
    "<style>*{background:url(//evil.example)}</style>", "<link rel=stylesheet href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>", "<base href=//evil.example/>",
    "<form action=//evil.example><button>x</button></form>", "<math><mi xlink:href='javascript:1'>",
    "<object data=//evil.example>", "<embed src=//evil.example>", "<video poster=//evil.example>",
    "<div style='background:url(//evil.example)'>", "<x onclick=1 onfocus=1 autofocus tabindex=1>",
    "[[<img src=x onerror=1>|<script>1</script>]]", '[[a" onmouseover="1|b]]',
    "<https://evil.example/<script>>", "[x](<javascript:alert(1)>)", "[x](//evil.example \"t'>\")",
    "[x]: javascript:alert(1)\n\n[x]", "&lt;script&gt;1&lt;/script&gt;", "`<script>1</script>`",
    "```html\n<script>1</script>\n```", "<!--><script>1</script>-->", "{{ 7*7 }}", "{% raw %}",
    "\u202e<script>1</script>", "<scr\u0000ipt>1</script>", "<\u017fcript>1</script>",
    "\uff053Cscript\uff053E",
    "<img hx-get='/do/undo' hx-trigger=load>", "<div hx-post='/do/forget' data-action=forget>",
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


@pytest.fixture
def browser(vault: Vault, clock: Clock) -> Iterator[Browser]:
    """Open a vault that holds something of each kind."""
    furnished(vault)
    with browsing(vault.path, clock=clock) as opened:
        yield opened


@pytest.mark.parametrize("address", PLACES)
def test_a_page_names_itself_and_loads_nothing_from_elsewhere(
    browser: Browser, address: str
) -> None:
    text = browser.page(address)
    seen = Parsed(text)
    assert all(load.startswith("/static/") for load in seen.loads), seen.loads
    assert seen.inline == []
    assert "<title>" in text
    assert 'lang="en"' in text
    assert "<main" in text


@pytest.mark.parametrize("address", PLACES)
def test_an_empty_vault_without_history_has_every_page(plain: Vault, address: str) -> None:
    with browsing(plain.path) as browser:
        browser.page(address)


def test_an_empty_vault_says_what_to_do(vault: Vault) -> None:
    with browsing(vault.path) as browser:
        assert "vaultmem remember" in browser.page("/")
        assert "vaultmem card set" in browser.page("/cards")
        assert "vaultmem topic set" in browser.page("/topics")
        assert "Nothing waits." in browser.page("/review")


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
    assert "Nothing answers that." in found(person="nobody")
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
    assert "says web" in text


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
    assert browser.get("/session/ada/none").status == 400


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


def test_hidden_characters_are_written_out(browser: Browser, vault: Vault) -> None:
    (vault.path / "note.md").write_text("# Plain\n\nOne\u202etwo <!-- do as I say -->\n")
    text = browser.file("note.md")
    assert "It hides something from the eye" in text
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


def test_links_stay_in_the_past(browser: Browser) -> None:
    links = Parsed(browser.page("/cards?as_of=2026-11-20")).links
    inner = [link for link in links if link.startswith("/") and not link.startswith("/static")]
    there = [link for link in inner if "as_of=2026-11-20" in link]
    assert len(inner) - len(there) == 2  # both of them lead back to now


# --- who may see what -------------------------------------------------------------------------


def test_a_page_for_one_agent_shows_nothing_of_another(vault: Vault, clock: Clock) -> None:
    furnished(vault)
    vault.remember("Zqbob likes zqplums.", agent="bob")
    vault.say("zqtalk", "Zqplums are ripe.", agent="bob")
    vault.history.commit_pending()
    secret = next(r.path for r in vault.views._store.index.records() if r.agent == "bob")
    with browsing(vault.path, Options(agent="ada"), clock) as browser:
        for address in [*PLACES, "/folder/agents", "/search?q=zqplums", "/moments"]:
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


# --- what others wrote ------------------------------------------------------------------------


def attacked(vault: Vault, payload: str) -> list[str]:
    """Put *payload* into every field of every kind of file; return the pages that show it."""
    line = " ".join(payload.split())
    quoted = "'" + line.replace("'", "''") + "'"
    keys = ("title", "description", "person", "relationship", "subject", "owner", "field",
            "session", "speaker", "status", "model", "origin")  # fmt: skip
    head = "".join(f"{key}: {quoted}\n" for key in keys)
    lists = f"tags: [{quoted}]\naliases: [{quoted}]\nsources: [{quoted}]\n"
    body = "\n\n".join((
        f"# {line}", payload, f"- {line}", f"> {line}", f"| {line} |\n|---|\n| {line} |",
        f"[a]({line})", f"![{line}](x)", f"`{line}`", f"[[{line}]]", f"**{line}**",
        f"- [ ] `0a1b2c3d` merge x.md: {line}", f"- [ ] field: {line} (web, 2026-11-20)",
    )) + "\n"  # fmt: skip
    pages = []
    for kind, path in (
        ("topic", "topics/x.md"), ("card", "cards/people/x.md"), ("task", "tasks/task-0009.md"),
        ("note", "notes/x.md"), ("summary", "agents/ada/summaries/recent-20261120-101500.md"),
        ("episode", "agents/ada/episodes/episode-0001-x.md"), ("conflict", "inbox/x.md"),
    ):  # fmt: skip
        where = vault.path / path
        where.parent.mkdir(parents=True, exist_ok=True)
        text = f"---\ntype: {kind}\n{head}{lists}---\n{body}"
        where.write_text(text, errors="replace")
        pages.append(f"/file/{path}")
    return pages


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_that_was_written_runs_or_loads(vault: Vault, clock: Clock, payload: str) -> None:
    pages = attacked(vault, payload)
    vault.remember(payload.replace("\x00", ""), agent="ada", source="web")
    with browsing(vault.path, clock=clock) as browser:
        for address in [*PLACES, *pages]:
            answer = browser.get(address)
            assert answer.status < 500, (address, answer.text[-500:])
            seen = Parsed(answer.text)
            assert seen.inline == [], (address, seen.inline)
            assert all(load.startswith("/static/") for load in seen.loads), (address, seen.loads)
            assert seen.tags.count("script") == 2
            known = ("/", "#", "http://", "https://", "mailto:", "obsidian://open?",
                     "vscode://file/")  # fmt: skip
            assert all(link.startswith(known) or not link for link in seen.links), address
            active = {"iframe", "style", "object", "embed", "base", "math", "video"}
            assert active.isdisjoint(seen.tags), address


FIELDS = ("q", "type", "agent", "after", "before", "from", "to", "kinds", "page", "ref", "turn",
          "commit", "as_of", "trust", "person", "path", "said", "token", "self")  # fmt: skip


@pytest.mark.without_history
@given(data=st.data())
def test_whatever_a_page_is_asked_it_answers(fuzzed: Browser, data: st.DataObject) -> None:
    page = data.draw(st.sampled_from([page.path for page in routes.PAGES]))
    rest = data.draw(st.text(max_size=40) | st.sampled_from(["topics/tea.md", "ada/talk", ".."]))
    texts = st.text(max_size=30) | st.sampled_from(["2026-11-20", "0", "-1", "9" * 30, "\x00", "'"])
    fields = data.draw(st.dictionaries(st.sampled_from(FIELDS), texts, max_size=4))
    address = page.replace("{rest:path}", quote(rest.encode("utf-8", "replace")))
    query = urlencode({k: v.encode("utf-8", "replace") for k, v in fields.items()})
    answer = fuzzed.get(f"{address}?{query}")
    assert answer.status in {200, 303, 400, 403, 404, 503}, answer.text[-400:]


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Open one vault for all that is asked."""
    from vaultmem.api import create  # noqa: PLC0415
    from vaultmem.records import utc_now  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("fuzzed") / "vault"
    create.create(folder, utc_now, with_git=False)
    with Vault.open(folder) as vault:
        vault.remember("Mara drinks dark roast.", agent="ada", session="talk")
        vault.topics.set("Tea", TopicPatch(("Oolong at four.",)))
    with browsing(folder) as opened:
        yield opened
