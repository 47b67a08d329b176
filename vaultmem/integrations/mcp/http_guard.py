"""What a request over HTTP must bring before the protocol sees it: ours to check, all of it.

Beside what every server of this machine asks for, whoever asks must know the token of this start.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from vaultmem.api.loopback import connection, guard
from vaultmem.api.loopback.guard import Refusal

LARGEST = 4 * 1024 * 1024
"""Bytes of a request's body."""
_ONCE = ("mcp-session-id", "mcp-protocol-version")
_JSON = "application/json"


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
            refused = await guard.bounded(self.app, scope, receive, send, LARGEST)
        if refused:
            await _answer(refused, scope, receive, send)

    def refusal(self, method: str, headers: Headers) -> Refusal | None:
        """Say why a request with *headers* is not served, None when it is."""
        return (
            guard.ambiguous(headers, _ONCE)
            or guard.foreign(headers, self.port)
            or self._stranger(headers)
            or _misfit(method, headers)
        )

    def _stranger(self, headers: Headers) -> Refusal | None:
        if not self._knows(headers.get("authorization", "")):
            return Refusal(401, "send `Authorization: Bearer TOKEN` with the token of this start")
        return None

    def _knows(self, authorization: str) -> bool:
        scheme, _, token = authorization.partition(" ")
        same = hmac.compare_digest(token.strip().encode(), self.token.encode())
        return same and scheme.lower() == "bearer"


def _misfit(method: str, headers: Headers) -> Refusal | None:
    """Say what a request has that no request of ours has."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if method == "POST" and kind != _JSON:
        return Refusal(415, f"send {_JSON}")
    return guard.too_long(headers, LARGEST)


async def _answer(refused: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"WWW-Authenticate": "Bearer"} if refused.status == 401 else {}  # noqa: PLR2004
    response = JSONResponse({"error": refused.why}, refused.status, headers)
    await response(scope, receive, send)
