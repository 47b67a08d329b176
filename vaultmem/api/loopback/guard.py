"""What every request to a server of this machine must bring before anything else sees it.

A web page that a person visits can send requests to this machine, and a name can be made to point
at it: so Host and Origin are checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_ONCE = (
    "host", "origin", "authorization", "content-type", "content-length", "transfer-encoding",
)  # fmt: skip
"""Headers that have one meaning: of two, the next reader may take the other."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An HTTP status, and what to do about it."""

    status: int
    why: str


def hosts(port: int) -> tuple[str, ...]:
    """Return how this machine may be called in a request to *port*."""
    return tuple(f"{host}:{port}" for host in _HOSTS)


def ambiguous(headers: Headers, others: Iterable[str] = ()) -> Refusal | None:
    """Say what may be read in two ways, by us and by whoever acts on it.

    *others* are further headers that may come once only.
    """
    if twice := next((name for name in (*_ONCE, *others) if len(headers.getlist(name)) > 1), ""):
        return Refusal(400, f"the header {twice} comes twice: send it once")
    if "content-length" in headers and "transfer-encoding" in headers:
        return Refusal(400, "a request must state its length once: leave one header out")
    return None


def foreign(headers: Headers, port: int, *, own_pages: bool = False) -> Refusal | None:
    """Say that a request is for another host than this one, or a page from elsewhere sent it.

    *own_pages*: this server has pages, whose forms a browser may send.
    """
    if headers.get("host", "") not in hosts(port):
        return Refusal(421, "the Host is not this server: use 127.0.0.1")
    origin = headers.get("origin")
    if own_pages and origin == "null" and headers.get("sec-fetch-site") == "same-origin":
        return None  # a page that sends no referrer has no origin in its forms either
    if origin is not None and origin not in {f"http://{host}" for host in hosts(port)}:
        return Refusal(403, "requests of web pages from elsewhere are refused")
    return None


def too_long(headers: Headers, largest: int) -> Refusal | None:
    """Say that a body states a length that is none, or is beyond *largest* bytes."""
    length = headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit() or int(length) > largest:
        return Refusal(413, f"a request has at most {largest} bytes")
    return None


async def bounded(
    app: ASGIApp, scope: Scope, receive: Receive, send: Send, largest: int
) -> Refusal | None:
    """Hand a request on to *app* once its body is here; say so where that is beyond *largest*."""
    body = bytearray()
    message: Message = {"more_body": scope["method"] == "POST"}
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
        if len(body) > largest:
            return Refusal(413, f"a request has at most {largest} bytes")
    whole: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def again() -> Message:
        return whole.pop() if whole else await receive()

    await app(scope, again, send)
    return None
