"""What every request must bring before a page sees it, and what every answer carries.

The link that is opened holds a token, which opens one browser: that gets a cookie instead. A form
brings a token of its own, so that no other page can send one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vaultmem.api.loopback import connection, guard
from vaultmem.api.loopback.guard import Refusal

LARGEST = 2 * 1024 * 1024
"""Bytes of a form."""
FORM = "vaultmem.form"
"""Where in the scope of a request the fields of its form stand."""
_MOST_FIELDS = 2000
_FORM_TYPE = "application/x-www-form-urlencoded"
_OPEN = "open the link that `vaultmem web` prints; it opens one browser, once"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Keys:
    """The secrets of one start: the token of its link, its cookie, and what forms bring."""

    def __init__(self, port: int) -> None:
        """Make them anew for the server at *port*."""
        self.token = secrets.token_urlsafe(32)
        # Cookies know no ports: two servers on one machine must not take each other's.
        self._name, self._cookie = f"vaultmem-{port}", secrets.token_urlsafe(32)
        self._is_spent = False

    @property
    def form_token(self) -> str:
        """What every form brings."""
        return hmac.new(self._cookie.encode(), b"form", hashlib.sha256).hexdigest()

    def redeem(self, token: str) -> bool:
        """Tell whether *token* opens a browser: the right one does, once."""
        is_right = _same(token, self.token) and not self._is_spent
        self._is_spent = self._is_spent or is_right
        return is_right

    def know(self, cookies: str) -> bool:
        """Tell whether *cookies*, as a header has them, hold ours."""
        try:
            found = SimpleCookie(cookies).get(self._name)
        except CookieError:
            return False
        return found is not None and _same(found.value, self._cookie)

    def are_of_form(self, form: Mapping[str, list[str]]) -> bool:
        """Tell whether a form that was sent brings our token."""
        return _same(next(iter(form.get("csrf", [])), ""), self.form_token)

    def set_cookie(self, response: Response) -> None:
        """Let *response* give the browser its cookie."""
        response.set_cookie(self._name, self._cookie, httponly=True, samesite="strict", path="/")


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


class Gate:
    """Let to *app* what a browser of this machine asks that was opened with our link."""

    def __init__(self, app: ASGIApp, port: int, keys: Keys, *, read_only: bool) -> None:
        """Stand before *app* at *port*."""
        self._app, self._port, self._keys, self._read_only = app, port, keys, read_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is refused, hand on all else."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers, sends = Headers(scope=scope), _with_headers(send)
        refused = (
            guard.ambiguous(headers)
            or guard.foreign(headers, self._port, own_pages=True)
            or guard.too_long(headers, LARGEST)
        )
        if refused is None and (opened := self._opened(scope)):
            await opened(scope, receive, sends)
            return
        refused = refused or self._stranger(headers) or self._misfit(scope["method"], headers)
        if refused is None:
            scope[connection.KNOWN] = True
            refused = await self._admitted(scope, receive, sends)
        if refused:
            await PlainTextResponse(f"{refused.why}\n", refused.status)(scope, receive, sends)

    def _opened(self, scope: Scope) -> Response | None:
        """Return the answer to the link with the token: a cookie, and the page without it."""
        fields = parse_qs(scope["query_string"].decode("latin-1"))
        token = next(iter(fields.pop("token", [])), "")
        if scope["method"] != "GET" or not token or not self._keys.redeem(token):
            return None
        rest = urlencode(fields, doseq=True)
        # A path that begins with two slashes would name another host.
        path = "/" + scope["path"].lstrip("/")
        response = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        self._keys.set_cookie(response)
        return response

    def _stranger(self, headers: Headers) -> Refusal | None:
        if not self._keys.know(headers.get("cookie", "")):
            return Refusal(401, _OPEN)
        if headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
            return Refusal(403, "requests of web pages from elsewhere are refused")
        return None

    def _misfit(self, method: str, headers: Headers) -> Refusal | None:
        if method in {"GET", "HEAD"}:
            return None
        if method != "POST":
            return Refusal(405, "pages are read by GET, and changed by POST")
        if self._read_only:
            return Refusal(403, "this server was started with --read-only")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        return None if kind == _FORM_TYPE else Refusal(415, f"send {_FORM_TYPE}")

    async def _admitted(self, scope: Scope, receive: Receive, send: Send) -> Refusal | None:
        """Hand a request on; a form when it is here whole, and is one of ours."""
        refused: list[Refusal] = []

        async def checked(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["method"] == "POST":
                form = _form((await receive()).get("body", b""))
                if form is None or not self._keys.are_of_form(form):
                    refused.append(Refusal(403, "this form is not of this start: load its page"))
                    return
                scope[FORM] = form
            await self._app(scope, receive, send)

        found = await guard.bounded(checked, scope, receive, send, LARGEST)
        return found or next(iter(refused), None)


def _form(body: bytes) -> dict[str, list[str]] | None:
    try:
        return parse_qs(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS,
            errors="strict",
        )  # fmt: skip
    except ValueError:  # too many fields, or no UTF-8
        return None


def _with_headers(send: Send) -> Send:
    async def sends(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sends
