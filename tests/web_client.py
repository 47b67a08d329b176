"""A browser that runs no script, and the application in this process: asked step by step."""

from __future__ import annotations

import asyncio
import html.parser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlencode

from starlette.types import Message, Scope

from vaultmem import Vault
from vaultmem.records import Clock, utc_now
from vaultmem.web.app import App, Shell
from vaultmem.web.gate import Gate, Keys
from vaultmem.web.live import Live
from vaultmem.web.types import Options
from vaultmem.web.vault_threads import VaultThreads

PORT = 8040
HERE = f"127.0.0.1:{PORT}"
EVERYTHING = Options()


@dataclass(frozen=True)
class Answer:
    """What came back: a status, headers in lower case, and a body."""

    status: int
    headers: Mapping[str, str]
    text: str


@dataclass
class Form:
    """A form of a page: where it goes, what it does, and its fields as they are."""

    action: str
    does: str
    method: str
    fields: list[tuple[str, str, str]] = field(default_factory=list)


class Parsed(html.parser.HTMLParser):
    """What a page has: its forms, links, what it would load, what runs in it, and its tags."""

    def __init__(self, text: str) -> None:
        """Read *text*."""
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.inline: list[str] = []
        self.tags: list[str] = []
        self._textarea: list[str] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what begins."""
        a = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.inline += [f"{tag} {name}" for name in a if name.startswith("on") or name == "style"]
        if tag == "a":
            self.links.append(a.get("href", ""))
        else:
            self.loads += [a[name] for name in ("src", "href", "srcset", "poster") if name in a]
        if tag == "form":
            method = a.get("method", "get")
            self.forms.append(Form(a.get("action", ""), a.get("data-action", ""), method))
        elif tag == "textarea" and self.forms and "name" in a:
            self._textarea = []
            self.forms[-1].fields.append((a["name"], "", "textarea"))
        elif tag in {"input", "select", "button"} and self.forms and "name" in a:
            known = a["name"], a.get("value", ""), a.get("type", tag)
            self.forms[-1].fields.append(known)

    def handle_data(self, data: str) -> None:
        """Note what a textarea holds."""
        if self._textarea is not None:
            self._textarea.append(data)

    def handle_endtag(self, tag: str) -> None:
        """Note what ends."""
        if tag == "textarea" and self._textarea is not None:
            name, _, kind = self.forms[-1].fields[-1]
            text = "".join(self._textarea).removeprefix("\n")  # as browsers read it
            self.forms[-1].fields[-1] = (name, text, kind)
            self._textarea = None


class Browser:
    """A browser that was opened by the link, unless its *cookie* is taken away."""

    def __init__(self, gate: Gate, keys: Keys) -> None:
        """Open the link of *keys*."""
        self._gate, self.keys, self.cookie = gate, keys, ""
        opened = self.ask("GET", f"/?token={keys.token}")
        self.cookie = opened.headers.get("set-cookie", "").partition(";")[0]
        self.opened = opened

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Return the answer to one request; an empty header is left out."""
        sent = {"host": HERE, "cookie": self.cookie, "content-length": str(len(body))}
        if method == "POST":
            sent |= {
                "content-type": "application/x-www-form-urlencoded", "origin": f"http://{HERE}",
            }  # fmt: skip
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return asyncio.run(_asked(self._gate, method, path, body, sent))

    def get(self, path: str, **headers: str) -> Answer:
        """Return the answer for a page."""
        return self.ask("GET", path, b"", **headers)

    def page(self, path: str) -> str:
        """Return the text of a page that must be there."""
        answer = self.get(path)
        assert answer.status == 200, f"{path}: {answer.status} {answer.text[-900:]}"
        return answer.text

    def file(self, path: str) -> str:
        """Return the text of a file's page."""
        return self.page(f"/file/{quote(path)}")

    def form(self, page: str, does: str, at: int = 0) -> Form:
        """Return the form of *page* that does *does*."""
        return [f for f in Parsed(self.page(page)).forms if f.does == does][at]

    def send(self, form: Form, **changed: str | Sequence[str]) -> Answer:
        """Send *form* with its checkboxes as *changed* says, and all else as it is."""
        kept = [(n, v) for n, v, kind in form.fields if n not in changed and kind != "checkbox"]
        said = [
            (name, each)
            for name, value in changed.items()
            for each in ([value] if isinstance(value, str) else value)
        ]
        return self.ask("POST", form.action, urlencode([*kept, *said]).encode())

    def submit(self, page: str, does: str, at: int = 0, **changed: str | Sequence[str]) -> str:
        """Send the form of *page* that does *does*, and return the page it leads to."""
        answer = self.send(self.form(page, does, at), **changed)
        if answer.status == 303:
            return self.page(answer.headers["location"])
        assert answer.status == 200, f"{answer.status} {answer.text[-900:]}"
        return answer.text


async def _asked(
    gate: Gate, method: str, path: str, body: bytes, headers: Mapping[str, str]
) -> Answer:
    address, _, query = path.partition("#")[0].partition("?")
    scope: Scope = {
        "type": "http", "method": method, "path": _unquoted(address), "raw_path": address.encode(),
        "query_string": query.encode(), "scheme": "http", "root_path": "", "http_version": "1.1",
        "server": ("127.0.0.1", PORT), "client": ("127.0.0.1", 1),
        "headers": [(k.encode(), v.encode()) for k, v in headers.items() if v],
    }  # fmt: skip
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        return left.pop() if left else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await gate(scope, receive, send)
    start, *rest = sent
    found = {k.decode().lower(): v.decode() for k, v in start["headers"]}
    text = b"".join(part.get("body", b"") for part in rest).decode()
    return Answer(start["status"], found, text)


def _unquoted(address: str) -> str:
    from urllib.parse import unquote  # noqa: PLC0415  # as a server does it

    return unquote(address)


@contextmanager
def browsing(
    folder: Path,
    options: Options = EVERYTHING,
    clock: Clock = utc_now,
) -> Iterator[Browser]:
    """Yield a browser that has the vault in *folder* open."""
    threads, keys = VaultThreads(lambda: Vault.open(folder, clock=clock)), Keys(PORT)
    app = App(threads, Live(folder), Shell(options, keys.form_token, "v"), clock)
    try:
        yield Browser(Gate(app.asgi(), PORT, keys, read_only=options.read_only), keys)
    finally:
        asyncio.run(threads.__aexit__(None, None, None))
