"""What a request over HTTP must bring before the protocol sees it: ours to check, all of it.

A web page that a person visits can send requests to this machine, and a name can be made to point
at it: so Host and Origin are checked, and whoever asks must know the token of this start.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vaultmem.integrations.mcp import connection

LARGEST = 4 * 1024 * 1024
"""Bytes of a request's body."""
_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_ONCE = (
    "host", "origin", "authorization", "content-type", "content-length", "transfer-encoding",
    "mcp-session-id", "mcp-protocol-version",
)  # fmt: skip
"""Headers that have one meaning: of two, the next reader may take the other."""
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Refusal:
    """An HTTP status, and what to do about it."""

    status: int
    why: str


@dataclass(frozen=True, slots=True)
class Gate:
    """Let to *app* what comes from this machine, at our *port*, with our *token*."""

    app: ASGIApp
    port: int
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is refused, hand on all else."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self.refusal(scope["method"], Headers(scope=scope))
        if refused is None:
            scope[connection.KNOWN] = True
            await _bounded(self.app, scope, receive, send)
        else:
            await _answer(refused, scope, receive, send)

    def refusal(self, method: str, headers: Headers) -> Refusal | None:
        """Say why a request with *headers* is not served, None when it is."""
        return _confusion(headers) or self._stranger(headers) or _misfit(method, headers)

    def _stranger(self, headers: Headers) -> Refusal | None:
        if headers.get("host", "") not in self._hosts():
            return Refusal(421, "the Host is not this server: use 127.0.0.1")
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{h}" for h in self._hosts()}:
            return Refusal(403, "requests of web pages from elsewhere are refused")
        if not self._knows(headers.get("authorization", "")):
            return Refusal(401, "send `Authorization: Bearer TOKEN` with the token of this start")
        return None

    def _hosts(self) -> tuple[str, ...]:
        return tuple(f"{host}:{self.port}" for host in _HOSTS)

    def _knows(self, authorization: str) -> bool:
        scheme, _, token = authorization.partition(" ")
        same = hmac.compare_digest(token.strip().encode(), self.token.encode())
        return same and scheme.lower() == "bearer"


def _confusion(headers: Headers) -> Refusal | None:
    """Say what may be read in two ways, by us and by whoever acts on it."""
    if twice := next((name for name in _ONCE if len(headers.getlist(name)) > 1), ""):
        return Refusal(400, f"the header {twice} comes twice: send it once")
    if "content-length" in headers and "transfer-encoding" in headers:
        return Refusal(400, "a request must state its length once: leave one header out")
    return None


def _misfit(method: str, headers: Headers) -> Refusal | None:
    """Say what a request has that no request of ours has."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if method == "POST" and kind != _JSON:
        return Refusal(415, f"send {_JSON}")
    length = headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit() or int(length) > LARGEST:
        return Refusal(413, f"a request has at most {LARGEST} bytes")
    return None


async def _bounded(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Hand on a request once its body is here, unless that is longer than it may be."""
    body = bytearray()
    message: Message = {"more_body": scope["method"] == "POST"}
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
        if len(body) > LARGEST:
            await _answer(Refusal(413, f"a request has at most {LARGEST} bytes"),
                          scope, receive, send)  # fmt: skip
            return
    whole: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def again() -> Message:
        return whole.pop() if whole else await receive()

    await app(scope, again, send)


async def _answer(refused: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"WWW-Authenticate": "Bearer"} if refused.status == 401 else {}  # noqa: PLR2004
    response = JSONResponse({"error": refused.why}, refused.status, headers)
    await response(scope, receive, send)
