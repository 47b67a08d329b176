"""What goes wrong between us and a provider, told in one way whoever the provider is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vaultmem.documents import secrets
from vaultmem.errors import CutOff, KeyRefused, ModelAway, NoCredit, NoSuchModel, Overloaded
from vaultmem.records import first_line

_LATER = frozenset({408, 409, 429})
_THIS_REQUEST = frozenset({400, 413, 422})
_SERVERS = 500
_KINDS: Mapping[int, type[ModelAway]] = {
    401: KeyRefused, 402: NoCredit, 403: KeyRefused, 404: NoSuchModel,
    429: Overloaded, 503: Overloaded, 529: Overloaded,
}  # fmt: skip
_UNPAID = "credit balance"
"""What Anthropic says with status 400, as of a request that cannot be."""
_SHOWN, _JUDGED = 200, 2000


@dataclass(frozen=True, slots=True)
class Waits:
    """How many seconds we wait: for a connection, through a silence, for a whole answer."""

    connect: float
    silence: float
    whole: float


def short(message: str, key: str = "") -> str:
    """Return a provider's *message* as one line, the *key* and what looks like one redacted."""
    if key:
        message = message.replace(key, "[REDACTED]")
    return first_line(secrets.redact(message[:_JUDGED]), _SHOWN)


def refused(
    name: str,
    status: int,
    message: str,
    headers: Mapping[str, str],
    remedies: Mapping[type[ModelAway], str],
) -> ModelAway:
    """Return what an HTTP *status* that is no success means, *message* being fit to be shown.

    *remedies* are what a person can do about what it means.
    """
    kind = NoCredit if _UNPAID in message else _KINDS.get(status, ModelAway)
    said = (
        f"refused with status {status}: {message}" if message else f"refused with status {status}"
    )
    return kind(
        name,
        "; ".join(filter(None, (said, remedies.get(kind)))),
        retryable=_again(status, headers),
        after=_after(headers),
        lasting=kind is NoCredit or status not in _THIS_REQUEST,
    )


def _again(status: int, headers: Mapping[str, str]) -> bool:
    wanted = headers.get("x-should-retry", "")
    if wanted in {"true", "false"}:
        return wanted == "true"
    return status in _LATER or status >= _SERVERS


def _after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds a provider asks us to wait; a date, which none sends, is not read."""
    for header, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        wait = headers.get(header, "")
        if wait.replace(".", "", 1).isdecimal() and len(wait) <= len("1234567.890"):
            return float(wait) / unit
    return None


def unreachable(name: str, where: str) -> ModelAway:
    """Return what it means that nobody takes our connection."""
    return ModelAway(name, f"does not answer at {where}", retryable=True)


def silent(name: str, where: str, waits: Waits, *, retryable: bool) -> ModelAway:
    """Return what it means that nothing more comes from *where*."""
    return ModelAway(name, f"no answer from {where} for {waits.silence:g} s", retryable=retryable)


def cut(name: str) -> ModelAway:
    """Return what it means that an answer ended before its end."""
    return CutOff(name, "the answer was cut off", retryable=True)


def garbled(name: str) -> ModelAway:
    """Return what it means that an answer does not speak the provider's protocol."""
    return ModelAway(name, "the answer cannot be read", retryable=True)


def unloadable(name: str, why: str) -> ModelAway:
    """Return what it means that the provider's client cannot be made, a broken proxy say."""
    return ModelAway(name, f"the client cannot be made: {short(why)}")
