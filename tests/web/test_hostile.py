"""What others wrote, and what pages and forms are asked: nothing of it runs, loads or breaks."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.payloads import PAYLOADS
from tests.web.test_pages import PLACES
from tests.web_client import Browser, Parsed, browsing
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.api.types import TopicPatch
from vaultmem.records import utc_now
from vaultmem.web import routes

KINDS = (
    ("topic", "topics/x{}.md"), ("card", "cards/people/x{}.md"), ("task", "tasks/task-{}.md"),
    ("note", "notes/x{}.md"), ("summary", "agents/ada/summaries/recent-20261120-10{}.md"),
    ("episode", "agents/ada/episodes/episode-{}-x.md"), ("conflict", "inbox/x{}.md"),
    ("dream", "inbox/dream-2026-11-{}.md"), ("skill", "skills/x{}/SKILL.md"),
)  # fmt: skip
LINKS = (
    "/", "#", "http://", "https://", "mailto:", "obsidian://open?", "vscode://file/",
)  # fmt: skip
_TOGETHER = 5
"""Payloads of one file."""
ACTIVE = {"iframe", "style", "object", "embed", "base", "math", "video", "audio", "noscript"}


def attacked(vault: Vault, payloads: Sequence[str], number: int = 9) -> list[str]:
    """Put *payloads* into every field of every kind of file; return the pages that show them."""
    payload = "\n\n".join(payloads)
    line = " ".join(payload.split())
    keys = ("title", "description", "person", "relationship", "subject", "owner", "field",
            "session", "speaker", "status", "model", "origin", "sister")  # fmt: skip
    turned = (" ".join((*payloads[n:], *payloads[:n])) for n in cycle(range(len(payloads))))
    quoted = ("'" + " ".join(text.split()).replace("'", "''") + "'" for text in turned)
    # Long texts are cut: in one field or another each comes first.
    head = "".join(f"{key}: {next(quoted)}\n" for key in keys)
    lists = "".join(f"{key}: [{next(quoted)}]\n" for key in ("tags", "aliases", "sources"))
    body = "\n\n".join((
        f"# {line}", payload, f"- {line}", f"> {line}", f"| {line} |\n|---|\n| {line} |",
        f"[a]({line})", f"![{line}](x)", f"`{line}`", f"[[{line}]]", f"**{line}**",
        f"- [ ] `0a1b2c3d` merge x.md: {line}", f"- [ ] field: {line} (web, 2026-11-20)",
    )) + "\n"  # fmt: skip
    pages = []
    for kind, name in KINDS:
        path = name.format(f"{number:04}")
        where = vault.path / path
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(f"---\ntype: {kind}\n{head}{lists}---\n{body}", errors="replace")
        pages.append(f"/file/{path}")
    return pages


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, list[str]]]:
    """Open a vault in which every payload stands wherever one can be put, and name its pages."""
    folder = tmp_path_factory.mktemp("poisoned") / "vault"
    create.create(folder, utc_now)
    pages: list[str] = []
    groups = [PAYLOADS[at : at + _TOGETHER] for at in range(0, len(PAYLOADS), _TOGETHER)]
    with Vault.open(folder) as vault:
        for number, payloads in enumerate(groups):
            pages += attacked(vault, payloads, number)
            text = "\n".join(payloads).replace("\x00", "")
            vault.remember(text, agent="ada", source="web" if number % 2 else "user")
            vault.say("talk", text, agent="ada")
            vault.tasks.create(f"task {text}"[:200])
        (folder / "notes/<img src=x onerror=1>.md").write_text("Oolong.\n")
        vault.history.commit_pending()
        git(folder, "commit", "--allow-empty", "-qm", "".join(PAYLOADS).replace("\x00", ""))
        operations = [f"/operation/{it.commit}" for it in vault.log(3)]
    places = [*PLACES, "/session/ada/talk", "/folder/notes", "/folder/topics", *operations]
    with browsing(folder) as browser:
        yield browser, [*places, *pages]


def git(folder: Path, *args: str) -> None:
    """Do as a person's git does."""
    who = ("-c", "user.name=<b onclick=1>", "-c", "user.email=x@example.org")
    subprocess.run(["git", *who, *args], cwd=folder, check=True)


def check(browser: Browser, address: str) -> None:
    """Hold the page at *address* to what no page may do."""
    answer = browser.get(address)
    assert answer.status < 500, (address, answer.text[-500:])
    seen = Parsed(answer.text)
    assert seen.inline == [], (address, seen.inline)
    assert all(load.startswith("/static/") for load in seen.loads), (address, seen.loads)
    assert seen.tags.count("script") == 2, address
    assert all(link.startswith(LINKS) or not link for link in seen.links), address
    assert ACTIVE.isdisjoint(seen.tags), address
    ours = {"", *(f"/do/{it.name}" for it in routes.ACTIONS), *(it.path for it in routes.PAGES)}
    assert {f.action for f in seen.forms} <= ours | {address.partition("?")[0]}, address


@pytest.mark.long
def test_nothing_that_was_written_runs_or_loads(poisoned: tuple[Browser, list[str]]) -> None:
    browser, pages = poisoned
    for address in pages:
        check(browser, address)


@pytest.mark.long
@pytest.mark.parametrize("page", [page.path for page in routes.PAGES])
def test_nothing_that_is_asked_runs_or_loads(
    poisoned: tuple[Browser, list[str]], page: str
) -> None:
    browser, _ = poisoned
    for payload in PAYLOADS[::12]:
        text = payload.encode("utf-8", "replace")
        fields = urlencode(dict.fromkeys(FIELDS, text) | {"as_of": ""})
        check(browser, f"{page.replace('{rest:path}', quote(text))}?{fields}")


FIELDS = ("q", "type", "agent", "after", "before", "from", "to", "kinds", "page", "ref", "turn",
          "commit", "as_of", "trust", "person", "path", "said", "token", "self")  # fmt: skip
TEXTS = st.text(max_size=30) | st.sampled_from(["2026-11-20", "0", "-1", "9" * 30, "\x00", "'"])
PATHS = st.sampled_from([
    "topics/tea.md", "../x", "/etc/passwd", "agents/ada", "1", "tea", ".git/config", "x" * 300,
])  # fmt: skip


@pytest.mark.without_history
@given(data=st.data())
def test_whatever_a_page_is_asked_it_answers(fuzzed: Browser, data: st.DataObject) -> None:
    page = data.draw(st.sampled_from([page.path for page in routes.PAGES]))
    rest = data.draw(st.text(max_size=40) | st.sampled_from(["topics/tea.md", "ada/talk", ".."]))
    fields = data.draw(st.dictionaries(st.sampled_from(FIELDS), TEXTS, max_size=4))
    address = page.replace("{rest:path}", quote(rest.encode("utf-8", "replace")))
    query = urlencode({k: v.encode("utf-8", "replace") for k, v in fields.items()})
    answer = fuzzed.get(f"{address}?{query}")
    assert answer.status in {200, 303, 400, 403, 404, 503}, answer.text[-400:]


@pytest.mark.long
@pytest.mark.without_history
@given(data=st.data())
def test_whatever_a_form_says_it_is_answered(fuzzed: Browser, data: st.DataObject) -> None:
    action = data.draw(st.sampled_from([action.name for action in routes.ACTIONS]))
    names = st.sampled_from(["path", "text", "sha", "ref", "typed", "reason", "op", "id", "remark",
                             "change", "shown", "card", "field", "value", "task", "status",
                             "subject", "back"])  # fmt: skip
    words = st.sampled_from(["forget", "completed", "people/mara", "allergy", "kiwi"])
    said = data.draw(st.lists(st.tuples(names, TEXTS | PATHS | words), max_size=6))
    body = urlencode(
        [("csrf", fuzzed.keys.form_token), *((k, v.encode("utf-8", "replace")) for k, v in said)]
    )
    answer = fuzzed.ask("POST", f"/do/{action}", body.encode())
    assert answer.status in {200, 303, 400, 403, 404, 409, 503}, (action, said, answer.text[-400:])
    assert fuzzed.get("/").status == 200


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Open one vault for all that is asked."""
    folder = tmp_path_factory.mktemp("fuzzed") / "vault"
    create.create(folder, utc_now, with_git=False)
    with Vault.open(folder) as vault:
        vault.remember("Mara drinks dark roast.", agent="ada", session="talk")
        vault.topics.set("Tea", TopicPatch(("Oolong at four.",)))
        vault.tasks.create("Buy an oven")
    with browsing(folder) as opened:
        yield opened
