"""What every backend keeps to, over a real wire, through the official SDKs."""

from __future__ import annotations

import contextlib
import json
import socket
from typing import Protocol

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wire import Answer, Call, Cut, Raw, Said, Silence, Status, Trouble, Wire
from vaultmem.documents import tokens
from vaultmem.errors import ModelAway, NoCredit
from vaultmem.models.providers import Model, Reply, Request
from vaultmem.models.providers.anthropic import Anthropic
from vaultmem.models.providers.ollama import Ollama
from vaultmem.models.providers.profile import Profile
from vaultmem.models.providers.provider_errors import Waits
from vaultmem.models.providers.registry import PROVIDERS
from vaultmem.models.providers.response_stream import within
from vaultmem.models.providers.selection import provider

ASKED = Request("You keep a diary.", "Ada saw a heron.\nSummarize.", 300)
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"task": {"type": "string", "minLength": 1}},
        "required": ["task"],
    }
)
FORM = Request("You keep a diary.", "What is the task?", 300, SCHEMA)
KEY = "sk-ant-api03-" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9" * 3
CALM = Waits(connect=5, silence=20, whole=40)
HASTY = Waits(connect=5, silence=0.3, whole=40)


class Make(Protocol):
    """Makes a backend that asks at a URL."""

    def __call__(self, url: str, waits: Waits = CALM) -> Model:
        """Make it."""
        ...


def anthropic(url: str, waits: Waits = CALM) -> Model:
    """Return a Claude that answers at *url*."""
    return Anthropic("claude-haiku-5-5", KEY, url, waits)


def ollama(url: str, waits: Waits = CALM) -> Model:
    """Return a base model at *url*."""
    return Ollama(Profile(), "herons:1b", url, waits)


def ollama_chat(url: str, waits: Waits = CALM) -> Model:
    """Return a chat model at *url*."""
    return Ollama(Profile(endpoint="chat"), "herons:1b", url, waits)


BACKENDS = [anthropic, ollama, ollama_chat]
every_backend = pytest.mark.parametrize("make", BACKENDS)


def answers(make: Make, said: Answer, request: Request = ASKED) -> Reply:
    """Return what *make* makes of *said*."""
    with Wire(lambda _: said) as wire:
        return make(wire.url).complete(request)


def fault(make: Make, said: Answer, request: Request = ASKED) -> ModelAway:
    """Return what *make* raises for *said*."""
    with pytest.raises(ModelAway) as caught:
        answers(make, said, request)
    return caught.value


def asked(make: Make, request: Request = ASKED) -> Call:
    """Return the one call that *make* sends."""
    with Wire(lambda _: "{}") as wire:
        make(wire.url).complete(request)
    (call,) = wire.calls
    return call


def test_every_provider_that_can_be_chosen_passes_these() -> None:
    """By its name in the registry."""
    assert {make("http://127.0.0.1:9").name for make in BACKENDS} == {*PROVIDERS}
    assert [provider(name).name for name in PROVIDERS] == [*PROVIDERS]


# --- answers ----------------------------------------------------------------------------------


@every_backend
@pytest.mark.parametrize("text", ["Ada saw a heron. 她看见苍鹭。 🦩" * 20, "", "\n{a}\n"])
def test_a_text_arrives_as_it_was_said(make: Make, text: str) -> None:
    """In many pieces, cut within characters, with pings between them; empty is an answer too."""
    reply = answers(make, text)
    assert reply.text == text
    assert (reply.input_tokens, reply.output_tokens, reply.ended) == (11, 7, "done")
    assert reply.model in {"claude-haiku-5-5", "herons:1b"}


@every_backend
def test_all_of_the_prompt_is_shown_once(make: Make) -> None:
    """System and prompt."""
    call = asked(make)
    assert call.prompt.count("You keep a diary.") == 1
    assert call.prompt.count("Ada saw a heron.\nSummarize.") == 1


@every_backend
def test_json_arrives_as_text(make: Make) -> None:
    """Where a schema was given."""
    assert json.loads(answers(make, '{"task": "count"}', FORM).text) == {"task": "count"}


@every_backend
def test_a_length_that_ran_out_is_told(make: Make) -> None:
    """As each provider names it."""
    stop = "max_tokens" if make is anthropic else "length"
    assert answers(make, Said("Ada saw", stop)).ended == "length"


def test_a_refusal_is_told() -> None:
    """What was said up to there is kept."""
    reply = answers(anthropic, Said("I would", "refusal"))
    assert (reply.text, reply.ended) == ("I would", "refusal")


def test_json_may_come_as_the_input_of_a_tool() -> None:
    """A proxy may have made a tool of our schema."""
    reply = answers(anthropic, Said('{"task": "count herons"}', "tool_use", tool=True), FORM)
    assert reply == Reply('{"task": "count herons"}', "claude-haiku-5-5", 11, 7)


def test_cached_tokens_are_input() -> None:
    """Read from the cache or written to it."""
    usage = {"cache_read_input_tokens": 1000, "cache_creation_input_tokens": 200}
    assert answers(anthropic, Said("Herons.", usage=usage)).input_tokens == 1211


def test_tokens_that_are_not_told_are_estimated() -> None:
    """Ollama leaves them out for a prompt it has in its cache."""
    reply = answers(ollama, Said("Herons.", usage={"prompt_eval_count": 0, "eval_count": 0}))
    shown = f"{ASKED.system}\n\n{ASKED.prompt}"
    assert (reply.input_tokens, reply.output_tokens) == (
        tokens.estimate(shown),
        tokens.estimate("Herons."),
    )


# --- requests ---------------------------------------------------------------------------------


def test_what_claude_is_sent() -> None:
    """The system prompt may be cached; no temperature, which the API has no longer."""
    call = asked(anthropic)
    assert call.path == "/v1/messages"
    assert call.body == {
        "thinking": {"type": "disabled"},
        "model": "claude-haiku-5-5",
        "max_tokens": 300,
        "system": [
            {
                "type": "text",
                "text": "You keep a diary.",
                "cache_control": {"type": "ephemeral"},
            }
        ],
        "messages": [{"role": "user", "content": "Ada saw a heron.\nSummarize."}],
        "stream": True,
    }


def test_what_claude_is_sent_for_json() -> None:
    """The schema, in the words of the API; what it cannot enforce becomes a description."""
    form = asked(anthropic, FORM).body["output_config"]["format"]
    assert form["type"] == "json_schema"
    assert form["schema"]["additionalProperties"] is False
    assert form["schema"]["properties"] == {
        "task": {"type": "string", "description": "{minLength: 1}"}
    }


def test_claude_is_sent_no_empty_system_prompt() -> None:
    """The API refuses an empty text."""
    assert "system" not in asked(anthropic, Request("", "Hello.", 9)).body


def test_what_a_base_model_is_sent() -> None:
    """One plain text, which the model's own template may wrap; a stop and a length."""
    call = asked(ollama)
    assert call.path == "/api/generate"
    assert call.body == {
        "model": "herons:1b",
        "prompt": "You keep a diary.\n\nAda saw a heron.\nSummarize.",
        "stream": True,
        "think": False,
        "keep_alive": "10m",
        "options": {
            "num_predict": 300,
            "num_ctx": 4096,
            "temperature": 0.2,
            "stop": list(Profile().stop),
        },
    }


def test_what_a_chat_model_is_sent() -> None:
    """Two messages."""
    call = asked(ollama_chat)
    assert call.path == "/api/chat"
    assert call.body["messages"] == [
        {"role": "system", "content": "You keep a diary."},
        {"role": "user", "content": "Ada saw a heron.\nSummarize."},
    ]


@pytest.mark.parametrize("make", [ollama, ollama_chat])
def test_what_ollama_is_sent_for_json(make: Make) -> None:
    """The schema, and no stop that could tear the JSON."""
    body = asked(make, FORM).body
    assert body["format"] == json.loads(SCHEMA)
    assert "stop" not in body["options"]


@pytest.mark.parametrize(("characters", "context"), [(9000, 4096), (40_000, 16_384)])
def test_a_long_prompt_has_room(characters: int, context: int) -> None:
    """In steps of two, for each new size means loading the model anew."""
    request = Request("", "heron..." * (characters // 8), 300)
    assert asked(ollama, request).body["options"]["num_ctx"] == context


LISTED = [
    {"model": "nomic-embed-text:latest", "details": {"family": "nomic-bert"}},
    {"model": "gpt-oss:120b-cloud", "details": {"family": "gptoss"}},
    {"model": "qwen3:4b", "details": {"family": "qwen3"}},
    {"model": "llama3.2:1b", "details": {"family": "llama"}},
]


def test_the_first_model_that_writes_here_is_asked_when_none_is_named() -> None:
    """Not an embedder, and nothing leaves the house unasked."""
    with Wire(lambda _: "Herons.", LISTED) as wire:
        model = Ollama(Profile(), "", wire.url, CALM)
        assert model.complete(ASKED).model == model.model == "qwen3:4b"


def test_an_ollama_without_models_says_how_to_get_one() -> None:
    """And is not asked again at once."""
    with Wire(lambda _: "", LISTED[:2]) as wire, pytest.raises(ModelAway) as caught:
        Ollama(Profile(), "", wire.url, CALM).complete(ASKED)
    assert "`ollama pull NAME`" in str(caught.value)
    assert not caught.value.retryable


def test_a_model_that_is_not_there_says_how_to_get_it() -> None:
    """By its name."""
    found = fault(ollama, Status(404, "model 'herons:1b' not found"))
    assert str(found) == (
        "ollama: refused with status 404: model 'herons:1b' not found; "
        "`ollama pull herons:1b` fetches it"
    )
    assert not found.retryable


def test_who_is_refused_by_a_key_hears_what_to_do() -> None:
    """Whoever asked, a compaction that goes on offline among them."""
    found = fault(ollama, Status(401, "unauthorized"))
    assert str(found) == (
        "ollama: refused with status 401: unauthorized; set OLLAMA_API_KEY to a key that it "
        "accepts, or run `ollama signin` for a model of a cloud"
    )


# --- faults -----------------------------------------------------------------------------------


@every_backend
@pytest.mark.parametrize("code", [408, 409, 429, 500, 502, 503, 529])
def test_what_passes_may_be_tried_again(make: Make, code: int) -> None:
    """And whose turn it is, is told once per call: the SDKs do not retry by themselves."""
    with Wire(lambda _: Status(code, headers={"retry-after": "7"})) as wire:
        with pytest.raises(ModelAway) as caught:
            make(wire.url).complete(ASKED)
        assert len(wire.calls) == 1
    found = caught.value
    assert (found.retryable, found.after) == (True, 7.0)
    assert f"status {code}: no" in str(found)


@every_backend
@pytest.mark.parametrize("code", [400, 401, 403, 404, 413])
def test_what_stays_is_not_tried_again(make: Make, code: int) -> None:
    """And only what lies in the request leaves the next one its chance."""
    found = fault(make, Status(code))
    assert not found.retryable
    assert found.lasting == (code not in {400, 413})


@pytest.mark.parametrize(
    "said", [Status(400, "Your credit balance is too low to access the API."), Status(402, "Pay.")]
)
def test_a_claude_that_nobody_pays_says_what_to_do(said: Status) -> None:
    """It answers no other request either."""
    found = fault(anthropic, said)
    assert (type(found), found.retryable, found.lasting) == (NoCredit, False, True)
    assert str(found).endswith("; buy credit for the account of the key, or choose another model")


def test_a_claude_is_asked_not_to_think_unless_it_must() -> None:
    """Thoughts count towards the length of the answer; a model that cannot but think gets room."""

    def answer(call: Call) -> str | Status:
        stubborn = "thinking" in call.body
        return Status(400, "thinking cannot be disabled for this model") if stubborn else "Calm."

    with Wire(answer) as wire:
        model = anthropic(wire.url)
        assert [model.complete(ASKED).text for _ in range(2)] == ["Calm.", "Calm."]
        bodies = [call.body for call in wire.calls]
    assert [body.get("thinking") for body in bodies] == [{"type": "disabled"}, None, None]
    assert bodies[1]["max_tokens"] > bodies[0]["max_tokens"] == ASKED.most_tokens


@pytest.mark.parametrize("told", ["true", "false"])
def test_a_provider_may_say_itself_whether_to_try_again(told: str) -> None:
    """A limit of the month is a 429 as well."""
    found = fault(anthropic, Status(429, headers={"x-should-retry": told}))
    assert found.retryable == (told == "true")


@pytest.mark.parametrize(
    ("headers", "after"),
    [
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Fri, 20 Nov 2026 10:15:00 GMT"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait_is_read(headers: dict[str, str], after: float | None) -> None:
    """Or left to us."""
    assert fault(anthropic, Status(429, headers=headers)).after == after


@every_backend
def test_a_providers_message_is_short_and_holds_no_key(make: Make) -> None:
    """Neither the one we sent nor another."""
    other = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    found = str(fault(make, Status(401, f"bad key {KEY} {other}\x1b[31m\n{'x ' * 5000}")))
    assert KEY not in found
    assert other not in found
    assert "\x1b" not in found
    assert len(found) < 300


def test_a_key_that_looks_like_none_does_not_show_either() -> None:
    """A proxy may have keys of any shape."""
    with Wire(lambda _: Status(401, "no such key: blue heron")) as wire:
        with pytest.raises(ModelAway) as caught:
            Anthropic("claude-haiku-5-5", "blue heron", wire.url, CALM).complete(ASKED)
        assert caught.value.why.startswith("refused with status 401: no such key: [REDACTED]; ")


@every_backend
def test_a_status_with_an_odd_body_is_understood(make: Make) -> None:
    """A gateway answers in its own words."""
    with Wire(lambda _: "") as wire:
        wire.answer = lambda _: Status(502, message="", headers={"content-type": "text/html"})
        with pytest.raises(ModelAway, match="status 502"):
            make(wire.url).complete(ASKED)


@every_backend
@pytest.mark.parametrize("said", ["", "Ada saw a "])
def test_silence_is_not_waited_for(make: Make, said: str) -> None:
    """At once or after half an answer; only Claude's passes: Ollama's is a machine too slow."""
    with Wire(lambda _: Silence(said)) as wire, pytest.raises(ModelAway) as caught:
        make(wire.url, HASTY).complete(ASKED)
    found = caught.value
    assert "no answer from 127.0.0.1" in str(found)
    assert found.retryable == (make is anthropic)


@every_backend
@pytest.mark.parametrize("clean", [True, False])
def test_half_an_answer_is_none(make: Make, clean: bool) -> None:  # noqa: FBT001
    """Whether the line was cut or ended as if nothing were."""
    found = fault(make, Cut("Ada saw a heron.", clean))
    assert found.why == "the answer was cut off"
    assert found.retryable


@every_backend
def test_trouble_within_a_stream_may_be_tried_again(make: Make) -> None:
    """The status was a success by then."""
    found = fault(make, Trouble("Ada saw"))
    assert "Overloaded" in str(found)
    assert found.retryable


def test_a_refusal_within_a_stream_is_not_tried_again() -> None:
    """Its kind tells."""
    found = fault(anthropic, Trouble("Ada", "invalid_request_error", f"bad {KEY}"))
    assert not found.retryable
    assert KEY not in str(found)


@every_backend
def test_nobody_there_is_said(make: Make) -> None:
    """With the address."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(ModelAway, match=f"does not answer at 127.0.0.1:{port}") as caught:
            make(f"http://127.0.0.1:{port}").complete(ASKED)
    assert caught.value.retryable


GARBAGE = [
    b"", b"\n\n", b"{", b"[]\n", b"null\n", b'"x"\n', b"1\n", b"\xff\xfe\n", b"<html>\n",
    b'{"response": 3}\n', b'{"message": {}}\n', b'{"error": {"a": 1}}\n', b"[" * 100_000 + b"\n",
    b"event: message_start\ndata: {\n\n", b"event: message_start\ndata: []\n\n",
    b"event: message_start\ndata: \xff\n\n", b"event: error\ndata: {\n\n",
    b"event: error\ndata: []\n\n", b'event: error\ndata: {"error": 3}\n\n',
    b'event: error\ndata: {"error": {"message": 3, "type": []}}\n\n',
    b'event: content_block_delta\ndata: {"type": "content_block_delta", "delta": 3}\n\n',
    b'event: message_delta\ndata: {"type": "message_delta"}\n\n',
    b"event: message_stop\ndata: " + b"[" * 100_000 + b"\n\n",
]  # fmt: skip


@every_backend
@pytest.mark.parametrize("data", GARBAGE, ids=lambda data: repr(data[:40]))
def test_what_is_no_answer_is_told(make: Make, data: bytes) -> None:
    """And nothing else is raised, whatever comes."""
    fault(make, Raw(data))


PIECES = st.lists(
    st.sampled_from([
        b"event: ", b"data: ", b"\n", b"\n\n", b"{", b"}", b'"type": ', b'"message_stop"', b",",
        b'"message_delta"', b"message_delta", b'"delta": ', b"null", b"3", b'"index": ',
        b'"done": ',
        b"true", b'"response": ', b'"error": ', b'"message": ', b'"x"', b"[", b"]", b"error",
        b'{"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use"}}',
    ]),
    max_size=30,
)  # fmt: skip


@every_backend
def test_no_bytes_make_a_backend_fall(make: Make) -> None:
    """It answers, or says that there is no answer."""
    with Wire(lambda _: "") as wire:

        @settings(max_examples=25)
        @given(PIECES)
        def ask(pieces: list[bytes]) -> None:
            wire.answer = lambda _: Raw(b"".join(pieces))
            with contextlib.suppress(ModelAway):
                model.complete(ASKED)

        model = make(wire.url)
        ask()


def test_an_answer_that_never_ends_is_ended() -> None:
    """However lively it is."""
    seconds = iter(range(100))
    with pytest.raises(ModelAway, match="no complete answer within 9 s"):
        list(within([b"x"] * 50, "ollama", 9, lambda: float(next(seconds))))


def test_an_answer_of_any_length_is_not_listened_to() -> None:
    """In one line or in many."""
    for chunks in ([b"x" * 11], [b"x"] * 50):
        with pytest.raises(ModelAway, match="does not end"):
            list(within(chunks, "ollama", 9, lambda: 0.0, most=10))


# --- the way there ----------------------------------------------------------------------------


@every_backend
def test_no_proxy_stands_between_us_and_this_machine(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the environment says."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert answers(make, "Herons.").text == "Herons."


@every_backend
def test_a_proxy_is_used_for_other_machines(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the environment says."""
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with Wire(lambda _: Status(418, "a proxy")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        with pytest.raises(ModelAway, match="418: a proxy"):
            make("http://models.example").complete(ASKED)


@pytest.mark.parametrize("variable", ["ALL_PROXY", "HTTPS_PROXY"])
@every_backend
def test_a_broken_proxy_is_said(make: Make, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a traceback."""
    monkeypatch.setenv(variable, "gopher://nowhere:70")
    with pytest.raises(ModelAway, match="the client cannot be made"):
        make("http://models.example").complete(ASKED)


def test_claude_is_asked_where_and_as_we_say_not_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The SDK would read a dozen variables."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "another")
    call = asked(anthropic)
    assert KEY in (call.headers.get("Authorization") or "") + (call.headers.get("x-api-key") or "")
