"""The way to an Ollama: its official client with waits of ours, whatever goes wrong as ModelAway.

By itself the client would wait for ever.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from vaultmem.errors import KeyRefused, NoSuchModel
from vaultmem.models.providers import endpoint, provider_errors
from vaultmem.models.providers.provider_errors import Waits
from vaultmem.models.providers.response_stream import limit

if TYPE_CHECKING:
    import httpx
    from ollama import Client

NAME: Final = "ollama"
KEEP = "10m"
"""How long a model stays loaded after a request."""
_NO_KEY = (
    "set OLLAMA_API_KEY to a key that it accepts, or run `ollama signin` for a model of a cloud"
)
UNREADABLE = (ValueError, TypeError, AttributeError, RecursionError)
"""The client takes an answer for JSON with the right fields, and fails so when it is not."""


@contextlib.contextmanager
def connected(
    host: str, waits: Waits, model: str = "", read: Callable[[bytes], bytes] | None = None
) -> Iterator[Client]:
    """Yield a client of the Ollama at *host*, a whole URL; the one who asks wants *model*.

    It gets each line of an answer as *read* returns it. Raises ModelAway for whatever ends the
    connection, and for a status that is no success.
    """
    with _faults(host, waits), _client(host, waits, model, read) as client:
        yield client


@contextlib.contextmanager
def _faults(host: str, waits: Waits) -> Iterator[None]:
    import httpx  # noqa: PLC0415  # only a request needs it

    where = endpoint.shown(host)
    try:
        yield
    except (ConnectionError, httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as e:
        raise provider_errors.unreachable(NAME, where) from e
    except httpx.TimeoutException as e:
        # What did not come in so long will not come the next time.
        raise provider_errors.silent(NAME, where, waits, retryable=False) from e
    except httpx.TransportError as e:
        raise provider_errors.cut(NAME) from e
    except httpx.RequestError as e:
        raise provider_errors.garbled(NAME) from e


def _client(host: str, waits: Waits, model: str, read: Callable[[bytes], bytes] | None) -> Client:
    import httpx  # noqa: PLC0415  # as above

    def check(response: httpx.Response) -> None:
        limit(response, httpx.SyncByteStream, NAME, waits.whole, read)
        _check(response, model)

    try:
        import ollama  # noqa: PLC0415  # it makes a client of its own, which may fail

        return ollama.Client(
            host,
            timeout=httpx.Timeout(waits.silence, connect=waits.connect),
            trust_env=not endpoint.is_local(host),
            verify=endpoint.trusted(host),
            event_hooks={"response": [check]},
        )
    except (ImportError, ValueError, httpx.InvalidURL) as e:
        raise provider_errors.unloadable(NAME, str(e)) from e


def _check(response: httpx.Response, model: str) -> None:
    """Raise ModelAway for a status that is no success: the client would drop the headers."""
    if not response.is_error:
        return
    response.read()
    why = provider_errors.short(_message(response.text))
    fetch = f"`ollama pull {model}` fetches it" if model else ""
    remedies = {KeyRefused: _NO_KEY, NoSuchModel: fetch}
    raise provider_errors.refused(NAME, response.status_code, why, response.headers, remedies)


def _message(body: str) -> str:
    """Return the message in the *body* of an error."""
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return body
