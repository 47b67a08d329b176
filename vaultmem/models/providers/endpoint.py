"""Where a provider is: its address read, named for people, and whether anything answers there.

No SDK is loaded here, so that `status` may ask.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ssl import SSLContext
    from urllib.parse import SplitResult

ANTHROPIC = "https://api.anthropic.com"
OLLAMA = "http://127.0.0.1:11434"

_OLLAMA_PORT = 11434
_PORTS = {"http": 80, "https": 443}
_KNOCK = 0.3


def _split(url: str) -> SplitResult:
    from urllib.parse import urlsplit  # noqa: PLC0415  # most vaults name no address

    return urlsplit(url)


def of_ollama(text: str) -> str:
    """Return the URL that an OLLAMA_HOST of *text* means; raises ValueError when it is none.

    As Ollama's own client has it: the scheme is http and the port 11434 unless named. A server's
    own 0.0.0.0 means this machine.
    """
    if not text.strip():
        return OLLAMA
    scheme, found, rest = text.strip().partition("://")
    if not found:
        scheme, rest = "http", text.strip()
    parts = _split(f"{scheme}://{rest}")
    host, named = parts.hostname or "127.0.0.1", parts.port
    if scheme not in _PORTS or any(c.isspace() for c in host):
        raise ValueError("host, host:port or an http address")
    port = named or (_PORTS[scheme] if found else _OLLAMA_PORT)
    return f"{scheme}://{_bracketed(_dialled(host))}:{port}{parts.path.rstrip('/')}"


def _dialled(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # read, never bound


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def is_web(url: str) -> bool:
    """Tell whether *url* is an http or https address with a host."""
    try:
        parts = _split(url)
        return parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def endpoint(url: str) -> tuple[str, int]:
    """Return host and port of *url*."""
    parts = _split(url)
    return parts.hostname or "", parts.port or _PORTS.get(parts.scheme, _PORTS["https"])


def shown(url: str) -> str:
    """Return *url* as people see it: host and port, and no credential that stands in it."""
    host, port = endpoint(url)
    default = port == _PORTS.get(_split(url).scheme)
    return _bracketed(host) if default else f"{_bracketed(host)}:{port}"


def is_local(url: str) -> bool:
    """Tell whether *url* is this machine: no proxy can stand between."""
    import ipaddress  # noqa: PLC0415  # as above

    host, _ = endpoint(url)
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def trusted(url: str) -> SSLContext | bool:
    """Return whom to trust: the usual authorities, or nobody where nothing is encrypted.

    They take 28 ms to read, most of what a warm question costs.
    """
    if url.startswith("https:"):
        return True
    import ssl  # noqa: PLC0415  # it comes with every SDK

    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def reachable(url: str) -> bool:
    """Tell whether something takes a connection at *url* within 0.3 s."""
    import socket  # noqa: PLC0415  # only a choice that is left to us asks

    try:
        socket.create_connection(endpoint(url), _KNOCK).close()
    except (OSError, UnicodeError):  # a host that no name can be is a UnicodeError
        return False
    return True
