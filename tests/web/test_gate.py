"""What is refused before a page sees it, and what every answer carries."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from tests.conftest import Clock
from tests.web_client import HERE, Browser, Parsed, browsing
from vaultmem import Vault
from vaultmem.web import routes
from vaultmem.web.gate import HEADERS, LARGEST
from vaultmem.web.types import Options

pytestmark = pytest.mark.without_history
ADDRESSES = [
    page.path.replace("{rest:path}", "x") for page in routes.PAGES if page.path != "/forget"
]


@pytest.fixture
def browser(vault: Vault, clock: Clock) -> Iterator[Browser]:
    """Open a vault in a browser in which one thing waits."""
    vault.remember("A page said tea is green.", agent="ada", source="web")
    with browsing(vault.path, clock=clock) as opened:
        yield opened


def test_the_link_opens_one_browser_once(browser: Browser) -> None:
    assert (browser.opened.status, browser.opened.headers["location"]) == (303, "/")
    cookie = browser.opened.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    browser.cookie = ""
    assert browser.get(f"/?token={browser.keys.token}").status == 401
    assert browser.get("/?token=wrong").status == 401


def test_the_link_never_leads_elsewhere(vault: Vault) -> None:
    with browsing(vault.path) as other:
        pass
    keys = other.keys
    keys._is_spent = False
    opened = other.get(f"//evil.example/?token={keys.token}")
    assert opened.headers["location"] == "/evil.example/"


@pytest.mark.parametrize("address", [*ADDRESSES, "/static/app.js", "/live", "/moments"])
def test_nothing_opens_without_the_cookie(browser: Browser, address: str) -> None:
    browser.cookie = "vaultmem-8040=guess"
    assert browser.get(address).status == 401


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{HERE[-4:]}", "127.0.0.1", ""])
def test_a_name_that_points_here_is_not_served(browser: Browser, host: str) -> None:
    assert browser.get("/", host=host).status == 421


def test_a_page_from_elsewhere_can_neither_post_nor_embed(browser: Browser) -> None:
    form = browser.form("/review", "review-accept")
    body = urlencode([(n, v) for n, v, _ in form.fields]).encode()
    assert browser.ask("POST", form.action, body, origin="http://evil.example").status == 403
    assert browser.ask("POST", form.action, body, origin="null").status == 403
    assert browser.get("/", sec_fetch_site="cross-site").status == 403
    assert browser.get("/", sec_fetch_site="same-site").status == 403
    # A page that sends no referrer sends this with its own forms.
    sent = browser.ask("POST", form.action, body, origin="null", sec_fetch_site="same-origin")
    assert sent.status == 303


def test_a_form_without_our_token_is_not_taken(browser: Browser) -> None:
    form = browser.form("/review", "review-accept")
    bare = urlencode([(n, v) for n, v, _ in form.fields if n != "csrf"]).encode()
    assert browser.ask("POST", form.action, bare).status == 403
    assert browser.ask("POST", form.action, bare + b"&csrf=" + b"0" * 64).status == 403
    assert browser.ask("POST", form.action, b"csrf=%ff").status == 403


def test_a_form_is_bounded_in_bytes_and_fields(browser: Browser) -> None:
    assert browser.ask("POST", "/do/edit", b"x" * (LARGEST + 1)).status == 413
    lying = browser.ask("POST", "/do/edit", b"x" * (LARGEST + 1), content_length="3")
    assert lying.status == 413
    assert browser.ask("POST", "/do/edit", b"&".join([b"a=1"] * 5000)).status == 403


def test_what_is_no_form_is_refused(browser: Browser) -> None:
    assert browser.ask("POST", "/do/undo", b"{}", content_type="application/json").status == 415
    assert browser.ask("PUT", "/").status == 405
    assert browser.ask("DELETE", "/file/x.md").status == 405


@pytest.mark.parametrize("address", ["/", "/nothing", "/file/../x", "/static/style.css"])
def test_every_answer_says_what_a_browser_may_do(browser: Browser, address: str) -> None:
    for cookie in (browser.cookie, ""):
        browser.cookie = cookie
        headers = browser.get(address).headers
        assert {k: headers[k.lower()] for k in HEADERS} == dict(HEADERS)
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


def test_a_server_that_only_reads_has_no_forms_and_takes_none(vault: Vault) -> None:
    vault.remember("A page said tea is green.", agent="ada", source="web")
    vault.tasks.create("Buy tea")
    with browsing(vault.path, Options(read_only=True)) as reader:
        for address in ("/", "/review", "/dreams", "/tasks", "/history", "/file/MEMORY.md"):
            forms = Parsed(reader.page(address)).forms
            assert not [f for f in forms if f.method == "post"], address
        body = urlencode({"csrf": reader.keys.form_token, "subject": "Buy milk"}).encode()
        assert reader.ask("POST", "/do/task-create", body).status == 403
    assert len(vault.tasks.list()) == 1


@pytest.mark.parametrize(
    "address",
    [
        "/file/../../etc/passwd", "/file/..%2f..%2fetc%2fpasswd", "/file/.git/config",
        "/file/%2e%2e/x.md", "/file/.vaultmem/index/catalog.sqlite3", "/file//etc/passwd",
        "/file/a%00b.md", "/file/C:%5Cx.md", "/folder/../..", "/static/..%2fapp.py", "/file/",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_vault(browser: Browser, address: str) -> None:
    answer = browser.get(address)
    assert answer.status in {400, 403, 404} or "Nothing here." in answer.text
    assert "root:" not in answer.text
    assert "[core]" not in answer.text


def test_a_link_in_the_vault_is_not_followed(browser: Browser, vault: Vault) -> None:
    (vault.path / "notes").mkdir()
    (vault.path / "notes/out.md").symlink_to("/etc/passwd")
    assert browser.get("/file/notes/out.md").status in {403, 404}
