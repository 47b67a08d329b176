"""Who writes, why, and what it takes: from the profile, the environment, and a file of the user."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Clock
from tests.wire import Status, Wire
from vaultmem.errors import BadInput, ModelAway, OverBudget
from vaultmem.models.environment import surroundings
from vaultmem.models.providers import Request, endpoint
from vaultmem.models.providers.budget import FILE, Limits, Spent, spent
from vaultmem.models.providers.factory import build
from vaultmem.models.providers.profile import Profile
from vaultmem.models.providers.selection import Choice, choose
from vaultmem.models.providers.types import Surroundings

ASKED = Request("", "Summarize.", 9)
PLENTY = Limits(10**6, 10**9)
KEY = "sk-ant-secret"


def there(_: str) -> bool:
    """Say that Ollama answers."""
    return True


def nowhere(_: str) -> bool:
    """Say that it does not."""
    return False


def unasked(url: str) -> bool:
    """Fail when asked."""
    raise AssertionError(url)


# --- choosing ---------------------------------------------------------------------------------

SAYS = "config/profiles/summarizer.md says so"


@pytest.mark.parametrize(
    ("profile", "around", "choice"),
    [
        (Profile(), Surroundings(), Choice("extractive", "", SAYS)),
        (Profile("ollama"), Surroundings(), Choice("ollama", "", SAYS)),
        (Profile("ollama", "claude-haiku-5-5"), Surroundings(), Choice("ollama", "", SAYS)),
        (
            Profile("anthropic"),
            Surroundings(anthropic_key=KEY),
            Choice("anthropic", "claude-haiku-5-5", SAYS),
        ),
        (
            Profile("anthropic", "claude-opus-5-5"),
            Surroundings(),
            Choice("anthropic", "claude-opus-5-5", SAYS, "ANTHROPIC_API_KEY is not set"),
        ),
        (
            Profile("anthropic", "claude-opus-5-5"),
            Surroundings("ollama"),
            Choice("ollama", "", "VAULTMEM_SUMMARIZER says so"),
        ),
        (
            Profile("ollama", "herons"),
            Surroundings("extractive", "qwen3", KEY),
            Choice("extractive", "", "VAULTMEM_SUMMARIZER says so"),
        ),
        (
            Profile("ollama", "herons"),
            Surroundings("ollama", "qwen3"),
            Choice("ollama", "qwen3", "VAULTMEM_SUMMARIZER says so"),
        ),
        (
            Profile(model="herons"),
            Surroundings("ollama"),
            Choice("ollama", "herons", "VAULTMEM_SUMMARIZER says so"),
        ),
        (
            Profile("auto", "herons"),
            Surroundings(anthropic_key=KEY),
            Choice("anthropic", "claude-haiku-5-5", "auto: ANTHROPIC_API_KEY is set"),
        ),
    ],
)
def test_the_user_comes_before_the_profile(
    profile: Profile, around: Surroundings, choice: Choice
) -> None:
    """And a model goes only to the backend it is of; Ollama is not asked for."""
    assert choose(profile, around, unasked) == choice


@pytest.mark.parametrize(
    ("reachable", "choice"),
    [
        (there, Choice("ollama", "herons", "auto: Ollama answers at 127.0.0.1:11434")),
        (
            nowhere,
            Choice(
                "extractive", "",
                "auto: no key is set and Ollama does not answer at 127.0.0.1:11434",
            ),
        ),
    ],
)  # fmt: skip
def test_without_a_key_auto_is_ollama_if_it_answers(
    reachable: Callable[[str], bool], choice: Choice
) -> None:
    """Else offline, with the reason."""
    assert choose(Profile("auto", "herons"), Surroundings(), reachable) == choice
    around = Surroundings("auto")
    assert choose(Profile("anthropic"), around, reachable).backend == choice.backend


def test_an_address_is_shown_without_its_credentials() -> None:
    """As `status` shows it to anybody."""
    around = Surroundings(ollama_host="https://ada:hunter2@models.example:8443/x")
    assert "hunter2" not in choose(Profile("auto"), around, nowhere).why
    assert "hunter2" not in repr(around)


def test_choosing_loads_no_sdk() -> None:
    """`status` does it every time."""
    code = (
        "import sys; from vaultmem.models.providers import budget, endpoint, types;"
        "from vaultmem.models.providers import profile, selection;"
        "around = types.Surroundings(anthropic_key='k');"
        "selection.choose(profile.Profile('auto'), around, endpoint.reachable);"
        "selection.choose(profile.Profile('auto'), types.Surroundings(), endpoint.reachable);"
        "import vaultmem.models.providers.factory;"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"anthropic", "ollama", "httpx", "httpx2", "pydantic"}
    assert heavy.isdisjoint(done.stdout.split())


# --- surroundings -----------------------------------------------------------------------------


def test_nothing_said_is_nothing_set(tmp_path: Path) -> None:
    """Empty is unset, too; a home has folders by itself."""
    data, cache = tmp_path / ".local/share", tmp_path / ".cache"
    assert surroundings({}, tmp_path) == Surroundings(data=data, cache=cache)
    env = {"VAULTMEM_SUMMARIZER": "", "ANTHROPIC_API_KEY": " ", "OLLAMA_HOST": "",
           "VAULTMEM_EMBEDDER": "", "VAULTMEM_CHROMA_HEADERS": " ", "XDG_DATA_HOME": "",
           "XDG_CACHE_HOME": "relative"}  # fmt: skip
    assert surroundings(env, tmp_path) == Surroundings(data=data, cache=cache)


def test_the_environment_is_read(tmp_path: Path) -> None:
    """All of it."""
    env = {
        "VAULTMEM_SUMMARIZER": "ollama", "VAULTMEM_MODEL": "qwen3", "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": "https://models.example/x", "OLLAMA_HOST": "10.0.0.9",
        "VAULTMEM_EMBEDDER": "minilm", "VAULTMEM_EMBED_MODEL": "bge-m3",
        "VAULTMEM_MODEL_DIR": "/models", "VAULTMEM_CHROMA_URL": "https://chroma.example/x",
        "VAULTMEM_CHROMA_HEADERS": "X-Token: abc; X-Empty:", "XDG_DATA_HOME": "/data",
        "XDG_CACHE_HOME": "/cache",
    }  # fmt: skip
    assert surroundings(env, tmp_path) == Surroundings(
        summarizer="ollama", model="qwen3", anthropic_key=KEY,
        anthropic_url="https://models.example/x", ollama_host="http://10.0.0.9:11434",
        embedder="minilm", embed_model="bge-m3", model_dir="/models",
        chroma_url="https://chroma.example/x",
        chroma_headers=(("X-Token", "abc"), ("X-Empty", "")),
        data=Path("/data"), cache=Path("/cache"),
    )  # fmt: skip


@pytest.mark.parametrize("xdg", [True, False])
def test_a_file_of_the_user_fills_what_the_environment_leaves_open(
    tmp_path: Path, xdg: bool  # noqa: FBT001
) -> None:  # fmt: skip
    """In either place."""
    folder = tmp_path / ("xdg" if xdg else ".config") / "vaultmem"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(
        f'VAULTMEM_SUMMARIZER = "auto"\nANTHROPIC_API_KEY = "{KEY}"\nVAULTMEM_EMBEDDER = "none"\n'
    )
    env = {"XDG_CONFIG_HOME": str(tmp_path / "xdg") if xdg else "", "VAULTMEM_SUMMARIZER": "ollama"}
    said = surroundings(env, tmp_path)
    assert (said.summarizer, said.anthropic_key, said.embedder) == ("ollama", KEY, "none")


@pytest.mark.parametrize("data", [b"x = ", b"\xff", b"ANTHROPIC_API_KEY = 3"])
def test_a_damaged_file_of_the_user_is_named(tmp_path: Path, data: bytes) -> None:
    """With the way out."""
    path = tmp_path / ".config/vaultmem/config.toml"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    with pytest.raises(BadInput) as caught:
        surroundings({}, tmp_path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("VAULTMEM_SUMMARIZER", "gpt", "one of auto, extractive, anthropic, ollama"),
        ("ANTHROPIC_BASE_URL", "models.example", "it takes one as https://host/path"),
        ("ANTHROPIC_BASE_URL", "http://[", "it takes one as https://host/path"),
        ("OLLAMA_HOST", "127.0.0.1:herons", "it takes host, host:port or a web address"),
        ("OLLAMA_HOST", "ftp://x", "it takes host, host:port or a web address"),
        ("OLLAMA_HOST", "http://[", "it takes host, host:port or a web address"),
        ("OLLAMA_HOST", "a b", "it takes host, host:port or a web address"),
        ("VAULTMEM_EMBEDDER", "openai", "one of none, minilm, ollama"),
        ("VAULTMEM_EMBED_MODEL", "a\x1bb", "it takes a name without control characters"),
        ("VAULTMEM_MODEL_DIR", "/a\0b", "it takes a name without control characters"),
    ],
)
def test_a_variable_that_cannot_be_is_named(
    tmp_path: Path, name: str, value: str, says: str
) -> None:
    """With what it takes."""
    with pytest.raises(BadInput, match=says) as caught:
        surroundings({name: value}, tmp_path)
    assert str(caught.value).startswith(f"{name} is ")


@pytest.mark.parametrize("key", ["sk-ant-\u2026", "sk-ant\n-x"])
def test_a_key_that_cannot_be_is_not_repeated(tmp_path: Path, key: str) -> None:
    """It would not pass through a header."""
    with pytest.raises(BadInput, match="ANTHROPIC_API_KEY holds a character") as caught:
        surroundings({"ANTHROPIC_API_KEY": key}, tmp_path)
    assert "sk-ant" not in str(caught.value)


def test_a_key_never_shows(tmp_path: Path) -> None:
    """Not in a log, not in a traceback."""
    assert KEY not in repr(surroundings({"ANTHROPIC_API_KEY": KEY}, tmp_path))


@pytest.mark.parametrize(
    "url",
    [
        "http://chroma.example:8000",
        "http://127.0.0.1.example",
        "ftp://127.0.0.1",
        "127.0.0.1:8000",
        "https://",
        "http://[",
    ],
)
def test_a_memory_goes_to_a_server_here_or_through_a_closed_channel(
    tmp_path: Path, url: str
) -> None:
    """Chroma is sent whole texts."""
    with pytest.raises(BadInput, match=r"it takes http://127\.0\.0\.1:8000 on this machine, or"):
        surroundings({"VAULTMEM_CHROMA_URL": url}, tmp_path)


@pytest.mark.parametrize("url", ["http://localhost:8000", "http://[::1]:8000", "HTTPS://x.example"])
def test_such_a_server_is_taken(tmp_path: Path, url: str) -> None:
    """As it is spelt."""
    assert surroundings({"VAULTMEM_CHROMA_URL": url}, tmp_path).chroma_url == url


def test_headers_stand_in_lines_or_between_semicolons(tmp_path: Path) -> None:
    """In lines a semicolon is part of one."""
    env = {"VAULTMEM_CHROMA_HEADERS": "Authorization: Bearer s3cr3t\n\nCookie: a=1; b=2\n"}
    said = surroundings(env, tmp_path)
    assert said.chroma_headers == (("Authorization", "Bearer s3cr3t"), ("Cookie", "a=1; b=2"))
    assert "s3cr3t" not in repr(said)


@pytest.mark.parametrize(
    "text", ["s3cr3t", "a b: s3cr3t", ": s3cr3t", "a: s3cr3t\u2026", "\r:s3cr3t"]
)
def test_what_is_no_header_is_not_repeated(tmp_path: Path, text: str) -> None:
    """It may be a token."""
    with pytest.raises(BadInput, match="VAULTMEM_CHROMA_HEADERS holds what is no header") as caught:
        surroundings({"VAULTMEM_CHROMA_HEADERS": text}, tmp_path)
    assert "s3cr3t" not in str(caught.value)


# --- addresses --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        (":5000", "http://127.0.0.1:5000"),
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104  # what a server is told
        ("box", "http://box:11434"),
        ("box:80/", "http://box:80"),
        ("http://box", "http://box:80"),
        ("https://box/ollama/", "https://box:443/ollama"),
        ("[::1]", "http://[::1]:11434"),
        ("http://[::]:5000", "http://[::1]:5000"),
    ],
)
def test_a_host_is_read_as_ollama_reads_it(host: str, url: str) -> None:
    """With its own port unless a scheme is named."""
    assert endpoint.of_ollama(host) == url


@given(st.text(max_size=30))
def test_any_text_is_an_address_or_is_none(text: str) -> None:
    """And what is one can be shown and judged."""
    try:
        url = endpoint.of_ollama(text)
    except ValueError:
        return
    assert endpoint.is_web(url)
    assert endpoint.shown(url)
    assert endpoint.is_local(url) in {True, False}


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:11434", True),
        ("http://127.8.9.1", True),
        ("http://[::1]:1", True),
        ("http://localhost:1", True),
        ("http://box.localhost", True),
        ("http://localhost.example", False),
        ("http://10.0.0.1", False),
        ("https://api.anthropic.com", False),
    ],
)
def test_this_machine_is_known(url: str, local: bool) -> None:  # noqa: FBT001
    """By any of its names."""
    assert endpoint.is_local(url) == local


def test_whoever_takes_a_connection_is_reachable() -> None:
    """Nobody else is."""
    with Wire(lambda _: "") as wire:
        assert endpoint.reachable(wire.url)
    assert not endpoint.reachable(wire.url)
    assert not endpoint.reachable("http://" + "x" * 70 + ".example:1")


# --- building ---------------------------------------------------------------------------------


def test_extractive_needs_no_model(tmp_path: Path, clock: Clock) -> None:
    """So there is none, and nothing on disk."""
    choice = Choice("extractive", "", "")
    assert build(choice, Profile(), Surroundings(), tmp_path, clock, PLENTY) is None
    assert list(tmp_path.iterdir()) == []


def test_what_is_missing_is_said_when_asked(tmp_path: Path, clock: Clock) -> None:
    """Not before: a status must be had without a key."""
    choice = choose(Profile("anthropic"), Surroundings(), unasked)
    model = build(choice, Profile("anthropic"), Surroundings(), tmp_path, clock, PLENTY)
    assert model is not None
    with pytest.raises(ModelAway, match="anthropic: ANTHROPIC_API_KEY is not set"):
        model.complete(ASKED)


@pytest.mark.parametrize("backend", ["anthropic", "ollama"])
def test_an_answer_is_kept_and_counted_once(tmp_path: Path, clock: Clock, backend: str) -> None:
    """The second start asks nobody."""
    with Wire(lambda _: "Herons.") as wire:
        around = surroundings(wire.environment(backend), tmp_path)
        for _ in range(2):
            choice = choose(Profile(), around, unasked)
            model = build(choice, Profile(), around, tmp_path, clock, PLENTY)
            assert model is not None
            assert (model.name, model.model) == (backend, "test-model")
            assert model.complete(ASKED).text == "Herons."
        assert len(wire.calls) == 1
    assert spent(tmp_path / FILE, clock()) == Spent(1, 18)


def test_every_try_is_a_call(tmp_path: Path, clock: Clock) -> None:
    """A budget of two ends the third."""
    with Wire(lambda _: Status(529, headers={"retry-after": "0"})) as wire:
        around = Surroundings("anthropic", "", KEY, wire.url)
        choice = choose(Profile(), around, unasked)
        model = build(choice, Profile(), around, tmp_path, clock, Limits(2, 10**9))
        assert model is not None
        with pytest.raises(OverBudget):
            model.complete(ASKED)
        assert len(wire.calls) == 2


def test_a_hundred_summaries_do_not_wait_for_who_is_away(tmp_path: Path, clock: Clock) -> None:
    """Three tries in all."""
    with Wire(lambda _: Status(503, headers={"retry-after": "0"})) as wire:
        around = surroundings(wire.environment("ollama"), tmp_path)
        choice = choose(Profile(), around, unasked)
        model = build(choice, Profile(), around, tmp_path, clock, PLENTY)
        assert model is not None
        for _ in range(100):
            with pytest.raises(ModelAway, match="refused with status 503"):
                model.complete(ASKED)
        assert len(wire.calls) == 3
