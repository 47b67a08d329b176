"""Claude, through the official SDK: one streamed message a request.

Streamed, so that silence times out and not length. The SDK is loaded with the first request, told
everything and left nothing to the environment; it does not retry, `retry` does.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from vaultmem.errors import KeyRefused, ModelAway, NoCredit, NoSuchModel, Overloaded
from vaultmem.models.providers import Reply, Request, endpoint, provider_errors
from vaultmem.models.providers.provider_errors import Waits
from vaultmem.models.providers.response_stream import limit
from vaultmem.models.providers.types import Provider, Surroundings

if TYPE_CHECKING:
    from anthropic import Anthropic as Client
    from anthropic import APIStatusError, Omit
    from anthropic.types import OutputConfigParam, TextBlockParam, ThinkingConfigDisabledParam

T = TypeVar("T")

_WAITS = Waits(connect=5, silence=60, whole=600)
_THOUGHTS = 4096
_BUSY = frozenset({"overloaded_error", "rate_limit_error"})
_PASSING = _BUSY | {"api_error", "timeout_error"}
_REMEDIES: Final[Mapping[type[ModelAway], str]] = {
    KeyRefused: "see that ANTHROPIC_API_KEY holds a key that may ask this model",
    NoCredit: "buy credit for the account of the key, or choose another model",
    NoSuchModel: "the profile's `model` or VAULTMEM_MODEL names another",
}
ENDED: Final[Mapping[object, Literal["length", "refusal"]]] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
"""What it means that a message stopped so; any other reason: it is complete."""


class Anthropic:
    """A Model that asks the Messages API at *base_url* as the owner of *key*.

    It takes no temperature, which the API has no longer, and no stop sequences: it refuses those
    of white space that base models need.
    """

    name = "anthropic"

    def __init__(self, model: str, key: str, base_url: str = "", waits: Waits = _WAITS) -> None:
        """Name the *model*; an empty *base_url* is Anthropic's own."""
        self.model = model
        self._key, self._url, self._waits = key, base_url or endpoint.ANTHROPIC, waits
        self._thinks = False

    def complete(self, request: Request) -> Reply:
        """Answer *request*; raises ModelAway."""
        return self._thinking_if_it_must(lambda: self._answer(request))

    def _thinking_if_it_must(self, ask: Callable[[], T]) -> T:
        """Return what *ask* does; some models cannot but think, and those are asked once more."""
        try:
            return ask()
        except ModelAway as e:
            if self._thinks or e.lasting or "thinking" not in e.why:
                raise
            self._thinks = True
            return ask()

    def _answer(self, request: Request) -> Reply:
        system, output, thinking = _system(request), _output(request), self._thinking()
        reply = _StreamedReply(self.model)
        with self._faults(), self._client() as client, client.messages.create(
            model=self.model,
            max_tokens=request.most_tokens + self._thinks * _THOUGHTS,
            messages=[{"role": "user", "content": request.prompt}],
            system=system,
            output_config=output,
            thinking=thinking,
            stream=True,
        ) as stream:  # fmt: skip
            for event in stream:
                reply.take(event)
        if not reply.state.whole:
            raise provider_errors.cut(self.name)
        return reply.reply(request)

    def _thinking(self) -> ThinkingConfigDisabledParam | Omit:
        """Ask for the answer alone: thoughts count towards its length, and are paid."""
        from anthropic import omit  # noqa: PLC0415  # as below

        return omit if self._thinks else {"type": "disabled"}

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn whatever the SDK raises into ModelAway."""
        import anthropic  # noqa: PLC0415  # most of a second; only a request needs it
        import httpx2  # noqa: PLC0415  # the SDK does not wrap what ends a stream

        where = endpoint.shown(self._url)
        try:
            yield
        except anthropic.APIStatusError as e:
            raise self._refused(e) from e
        except (anthropic.APITimeoutError, httpx2.TimeoutException) as e:
            raise provider_errors.silent(self.name, where, self._waits, retryable=True) from e
        except anthropic.APIConnectionError as e:
            raise provider_errors.unreachable(self.name, where) from e
        except httpx2.TransportError as e:
            raise provider_errors.cut(self.name) from e
        except (anthropic.APIError, ValueError, RecursionError) as e:
            raise provider_errors.garbled(self.name) from e

    def _client(self) -> Client:
        import anthropic  # noqa: PLC0415  # as above
        import httpx2  # noqa: PLC0415  # as above

        waits = httpx2.Timeout(self._waits.silence, connect=self._waits.connect)

        def check(response: httpx2.Response) -> None:
            limit(response, httpx2.SyncByteStream, self.name, self._waits.whole)

        hooks = {"response": [check]}
        try:
            # Given in any case: the SDK's own, when it cannot be made, complains once more as it
            # is collected. One with a transport has no proxy.
            http = (
                anthropic.DefaultHttpxClient(
                    transport=httpx2.HTTPTransport(verify=endpoint.trusted(self._url)),
                    trust_env=False,
                    event_hooks=hooks,
                )
                if endpoint.is_local(self._url)
                else anthropic.DefaultHttpxClient(event_hooks=hooks)
            )
            return anthropic.Anthropic(
                api_key=self._key, base_url=self._url, timeout=waits, max_retries=0,
                http_client=http,
            )  # fmt: skip
        except (ImportError, ValueError, httpx2.InvalidURL) as e:
            raise provider_errors.unloadable(self.name, str(e)) from e

    def _refused(self, error: APIStatusError) -> ModelAway:
        message = provider_errors.short(str(error.api_message or error.message), self._key)
        if error.response.is_success:  # an error event in a stream that had begun well
            kind = Overloaded if str(error.type) in _BUSY else ModelAway
            return kind(self.name, message, retryable=str(error.type) in _PASSING)
        return provider_errors.refused(
            self.name, error.status_code, message, error.response.headers, _REMEDIES
        )


def _system(request: Request) -> list[TextBlockParam] | Omit:
    """Return the system prompt, marked so that the provider caches it from call to call."""
    from anthropic import omit  # noqa: PLC0415  # as above

    if not request.system:
        return omit
    return [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}]


def _output(request: Request) -> OutputConfigParam | Omit:
    from anthropic import omit, transform_schema  # noqa: PLC0415  # as above

    if not request.schema:
        return omit
    # The API refuses what it cannot enforce; the SDK knows how to say it otherwise.
    schema = transform_schema(json.loads(request.schema))
    return {"format": {"type": "json_schema", "schema": schema}}


@dataclass(slots=True)
class StreamState:
    """What a message's events tell beside its words: tokens, why it stopped, if it is complete.

    *usage* has a count by its name in the API.
    """

    usage: dict[str, int] = field(default_factory=dict)
    stopped: object = None
    whole: bool = False

    def take(self, event: object) -> None:
        """Take in one event."""
        from anthropic import types as sdk  # noqa: PLC0415  # as above

        match event:
            case sdk.RawMessageStartEvent(message=sdk.Message(usage=usage)):
                self._count(usage)
            case sdk.RawMessageDeltaEvent(delta=delta, usage=usage):
                self.stopped = getattr(delta, "stop_reason", None)
                self._count(usage)
            case sdk.RawMessageStopEvent():
                self.whole = True

    def _count(self, usage: object) -> None:
        """Take in counts: each is cumulative, and the last one that is named holds."""
        for key in (
            "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens",
            "output_tokens",
        ):  # fmt: skip
            count = getattr(usage, key, None)
            if isinstance(count, int):
                self.usage[key] = max(count, 0)


@dataclass(slots=True)
class _StreamedReply:
    """A message as its events come in; an event that is not as it should be says nothing."""

    model: str
    text: str = ""
    tools: dict[int, str] = field(default_factory=dict)
    state: StreamState = field(default_factory=StreamState)

    def take(self, event: object) -> None:
        from anthropic import types as sdk  # noqa: PLC0415  # as above

        self.state.take(event)
        match event:
            case sdk.RawMessageStartEvent(message=sdk.Message(model=str(model))):
                self.model = model
            case sdk.RawContentBlockStartEvent(content_block=sdk.TextBlock(text=str(text))):
                self.text += text
            case sdk.RawContentBlockStartEvent(
                index=int(index), content_block=sdk.ToolUseBlock(input=dict(given))
            ):
                self.tools[index] = json.dumps(given) if given else ""
            case sdk.RawContentBlockDeltaEvent(delta=sdk.TextDelta(text=str(text))):
                self.text += text
            case sdk.RawContentBlockDeltaEvent(
                index=int(index), delta=sdk.InputJSONDelta(partial_json=str(part))
            ):
                self.tools[index] = self.tools.get(index, "") + part

    def reply(self, request: Request) -> Reply:
        """Return what was said; some providers give JSON as the input of a tool."""
        tool = next(iter(self.tools.values()), "")
        spent = dict(self.state.usage)
        output = spent.pop("output_tokens", 0)
        return Reply(
            text=tool if tool and (request.schema or not self.text) else self.text,
            model=self.model,
            input_tokens=sum(spent.values()),
            output_tokens=output,
            ended=ENDED.get(self.state.stopped, "done"),
        )


def _find(surroundings: Surroundings, _reachable: Callable[[str], bool]) -> tuple[bool, str]:
    found = bool(surroundings.anthropic_key)
    return found, "ANTHROPIC_API_KEY is set" if found else "no key is set"


PROVIDER = Provider(
    name=Anthropic.name,
    usual="claude-haiku-5-5",  # the small Claude of the day
    is_free=False,
    find=_find,
    missing=lambda it: "" if it.anthropic_key else "ANTHROPIC_API_KEY is not set",
    serves=lambda model, named: named or "claude" in model,
    build=lambda model, _, it: Anthropic(model, it.anthropic_key, it.anthropic_url),
)
