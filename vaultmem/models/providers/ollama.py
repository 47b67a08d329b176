"""Ollama's language models, through its official client: one streamed completion a request.

The client is loaded with the first request. It never retries: `retry` does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from vaultmem.documents import tokens
from vaultmem.errors import ModelAway
from vaultmem.models.providers import Reply, Request, endpoint, provider_errors
from vaultmem.models.providers.ollama_client import KEEP, NAME, UNREADABLE, connected
from vaultmem.models.providers.profile import Profile
from vaultmem.models.providers.provider_errors import Waits
from vaultmem.models.providers.types import Provider, Surroundings

if TYPE_CHECKING:
    from ollama import ChatResponse, Client, GenerateResponse, ListResponse

    Part = GenerateResponse | ChatResponse

# A cold model is loaded without a word, for as long as Ollama itself allows by default; who hangs
# up before that ends the loading, so that the next call finds it as cold.
_WAITS = Waits(connect=5, silence=300, whole=1800)
_LEAST_CONTEXT = 4096
_SLACK = 1.25  # tokens are estimated, and a prompt that does not fit loses its beginning unsaid
_CLOUD = ("-cloud", ":cloud")


class Ollama:
    """A Model that asks the Ollama at *host*.

    `/api/generate` gets one plain text and no `system`: a base model's template would drop that.
    It is not `raw`, so that an instruct model still gets its own template, while that of a base
    model is the bare prompt. Without a model named, `model` is empty until the first request.
    """

    name = NAME

    def __init__(self, profile: Profile, model: str, host: str, waits: Waits = _WAITS) -> None:
        """Take endpoint, temperature and stop from *profile*; *host* is a whole URL."""
        self.model = model
        self._profile, self._host, self._waits = profile, host, waits

    def complete(self, request: Request) -> Reply:
        """Answer *request*; raises ModelAway."""
        if not self.model:
            with connected(self._host, self._waits) as client:
                self.model = self._first(client)
        with connected(self._host, self._waits, self.model) as client:
            return self._joined_reply(request, self._parts(lambda: self._ask(client, request)))

    def _first(self, client: Client) -> str:
        """Return the model to ask when none is named; raises ModelAway."""
        try:
            listed = client.list()
        except UNREADABLE as e:
            raise provider_errors.garbled(self.name) from e
        if model := next((m.model for m in listed.models if m.model and _writes(m)), ""):
            return model
        raise ModelAway(self.name, "it has no language model: `ollama pull NAME` fetches one")

    def _parts(self, ask: Callable[[], Iterator[Part]]) -> Iterator[Part]:
        """Yield the parts of the stream that *ask* opens; raises ModelAway."""
        from ollama import ResponseError  # noqa: PLC0415  # it comes with the client

        try:
            yield from ask()
        except ResponseError as e:  # a line of the stream that says what went wrong
            raise ModelAway(self.name, provider_errors.short(str(e.error)), retryable=True) from e
        except UNREADABLE as e:
            raise provider_errors.garbled(self.name) from e

    def _ask(self, client: Client, request: Request) -> Iterator[Part]:
        text = _text(request)
        options = self._options(request, text)
        form = json.loads(request.schema) if request.schema else None
        # Without `think` a model that can would spend all it may say on thinking.
        if self._profile.endpoint == "chat":
            messages = [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.prompt},
            ]
            return client.chat(
                self.model, [m for m in messages if m["content"]], stream=True, think=False,
                format=form, options=options, keep_alive=KEEP,
            )  # fmt: skip
        return client.generate(
            self.model, text, stream=True, think=False, format=form, options=options,
            keep_alive=KEEP,
        )  # fmt: skip

    def _options(self, request: Request, text: str) -> dict[str, object]:
        """Return what the model runs with; JSON ends by itself, and a stop text could tear it."""
        return {
            "num_predict": request.most_tokens,
            "num_ctx": _context(text, request.most_tokens),
            "temperature": self._profile.temperature,
            **({} if request.schema else {"stop": list(self._profile.stop)}),
        }

    def _joined_reply(self, request: Request, parts: Iterator[Part]) -> Reply:
        text = ""
        for part in parts:
            text += piece(part)
            if part.done:
                return Reply(
                    text=text,
                    model=part.model or self.model,
                    input_tokens=part.prompt_eval_count or tokens.estimate(_text(request)),
                    output_tokens=part.eval_count or tokens.estimate(text),
                    ended="length" if part.done_reason == "length" else "done",
                )
        raise provider_errors.cut(self.name)


def _text(request: Request) -> str:
    return "\n\n".join(t for t in (request.system, request.prompt) if t)


def _context(text: str, most_tokens: int) -> int:
    """Return the smallest power of two that holds *text* and the answer.

    A power of two, because Ollama loads the model anew for every other size.
    """
    need = int(tokens.estimate(text) * _SLACK) + most_tokens
    return max(_LEAST_CONTEXT, 1 << (need - 1).bit_length())


def piece(part: Part) -> str:
    """Return what *part* adds: `response` of a completion, `message` of a chat."""
    if hasattr(part, "message"):
        return part.message.content or ""
    return part.response or ""


def _writes(model: ListResponse.Model) -> bool:
    """Tell whether *model* writes, and does so here: no embedder, nor one of a cloud."""
    family = (model.details and model.details.family) or ""
    return not (family.endswith("bert") or (model.model or "").endswith(_CLOUD))


def _find(surroundings: Surroundings, reachable: Callable[[str], bool]) -> tuple[bool, str]:
    found, where = reachable(surroundings.ollama_host), endpoint.shown(surroundings.ollama_host)
    return found, f"Ollama {'answers' if found else 'does not answer'} at {where}"


def _serves(model: str, named: bool) -> bool:  # noqa: FBT001  # the registry's signature
    if named:
        return not model.startswith("claude-")  # the one that a new vault's profile names
    return "claude" not in model


PROVIDER = Provider(
    name=NAME,
    usual="",
    is_free=True,
    find=_find,
    missing=lambda _: "",
    serves=_serves,
    build=lambda model, profile, it: Ollama(profile, model, it.ollama_host),
)
