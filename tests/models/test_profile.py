"""A profile says who writes and how, and nothing that a vault must not decide."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.config import Raw
from vaultmem.errors import BadInput
from vaultmem.models.providers import profile
from vaultmem.models.providers.profile import Profile
from vaultmem.storage.files import Root

HERE = "config/profiles/summarizer.md"


def test_what_is_not_named_has_its_default() -> None:
    """So has what is left empty."""
    empty: dict[str, Raw] = dict.fromkeys(profile.OPTIONS, "")
    assert profile.load({}) == profile.load(empty) == Profile()
    assert (Profile().backend, Profile().endpoint, Profile().temperature) == (
        "extractive", "generate", 0.2,
    )  # fmt: skip
    assert (Profile().max_tokens, Profile().input_price) == (400, None)


def test_every_option_is_read() -> None:
    """One of each, other than its default; what is not ours is not in the way."""
    raw: dict[str, Raw] = {
        "type": "config", "title": "Quick", "author": "Ada", "mood": ["calm"],
        "backend": "ollama", "model": "hf.co/ada/Herons-1B:Q4_K_M", "endpoint": "chat",
        "temperature": "0", "max_tokens": "900", "stop": ["END", "\n\n"], "input_price": "0.25",
        "output_price": "2",
    }  # fmt: skip
    assert profile.load(raw, "config/profiles/quick.md") == Profile(
        "ollama", "hf.co/ada/Herons-1B:Q4_K_M", "chat", 0.0, 900, ("END", "\n\n"), 0.25, 2.0,
        "config/profiles/quick.md",
    )  # fmt: skip


def test_no_stop_at_all_can_be_said() -> None:
    """By an empty list."""
    assert profile.load({"stop": []}).stop == ()


@pytest.mark.parametrize(
    ("name", "raw", "takes"),
    [
        ("backend", "gpt", "one of auto, extractive, anthropic, ollama"),
        ("backend", ["ollama"], "one of auto, extractive, anthropic, ollama"),
        ("model", "a b", "the name of a model"),
        ("model", ["x"], "the name of a model"),
        ("model", "x" * 300, "the name of a model"),
        ("endpoint", "complete", "one of generate, chat"),
        ("temperature", "x", "a number from 0 to 2"),
        ("temperature", "-1", "a number from 0 to 2"),
        ("temperature", "2.1", "a number from 0 to 2"),
        ("temperature", "nan", "a number from 0 to 2"),
        ("max_tokens", "0", "a whole number from 1 to 999999"),
        ("max_tokens", "1e3", "a whole number from 1 to 999999"),
        ("max_tokens", "9999999", "a whole number from 1 to 999999"),
        ("stop", "END", "a list of texts"),
        ("stop", [""], "a list of texts"),
        ("stop", [["END"]], "a list of texts"),
        ("input_price", "$1", "US dollars a million tokens"),
        ("output_price", "-1", "US dollars a million tokens"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_the_place(name: str, raw: Raw, takes: str) -> None:
    """And with what it takes."""
    with pytest.raises(BadInput) as caught:
        profile.load({name: raw})
    assert str(caught.value).startswith(f"{HERE}: {name} is {raw!r}, it takes {takes}")


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:11434", "localhost:11434", "127.0.0.1", "models.example"]
)
def test_an_address_is_refused_with_where_addresses_come_from(address: str) -> None:
    """A vault may be somebody else's, and would have our memories sent there."""
    with pytest.raises(BadInput, match="addresses come from OLLAMA_HOST or ANTHROPIC_BASE_URL"):
        profile.load({"endpoint": address})


@pytest.mark.parametrize(
    "key",
    [
        "api_key", "apiKey", "API-KEY", "anthropic_api_key", "key", "auth_token", "secret",
        "password", "base_url", "baseUrl", "url", "api_base", "host", "ollama_host", "proxy",
        "http_proxy", "headers", "server",
    ],
)  # fmt: skip
def test_a_key_or_an_address_has_no_place_in_a_vault(key: str) -> None:
    """Whatever it says, it is not repeated."""
    with pytest.raises(BadInput) as caught:
        profile.load({key: "hunter2hunter2"})
    assert f"{HERE}: {key} has no place in a vault" in str(caught.value)
    assert "hunter2" not in str(caught.value)


RAW: st.SearchStrategy[Raw] = st.recursive(
    st.text(max_size=9), lambda inner: st.lists(inner, max_size=3)
)


@given(st.dictionaries(st.sampled_from(sorted(profile.OPTIONS)), RAW))
def test_whatever_it_says_it_is_a_profile_or_bad_input(raw: dict[str, Raw]) -> None:
    """And nothing else."""
    try:
        found = profile.load(raw)
    except BadInput:
        return
    assert found.backend in profile.BACKENDS
    assert 0 <= found.temperature <= 2


def test_a_profile_is_read_from_its_file(root: Root) -> None:
    """Escapes and all."""
    path = Path(root.path, "config/profiles/quick.md")
    path.parent.mkdir(parents=True)
    path.write_text('---\ntype: config\nbackend: ollama\nstop: ["\\n\\n", END]\n---\nQuick.\n')
    found = profile.read(root, "quick")
    assert (found.backend, found.stop, found.path) == (
        "ollama", ("\n\n", "END"), "config/profiles/quick.md",
    )  # fmt: skip


def test_a_missing_profile_says_what_to_do(root: Root) -> None:
    """Write it, or name another."""
    with pytest.raises(BadInput, match="is missing: write it, or name"):
        profile.read(root, "quick")


def test_a_damaged_profile_is_named(root: Root) -> None:
    """With what is wrong."""
    path = Path(root.path, HERE)
    path.parent.mkdir(parents=True)
    path.write_text("---\nbackend: [\n---\n")
    with pytest.raises(BadInput, match=f"{HERE}: .*; fix its frontmatter"):
        profile.read(root, "summarizer")


def test_the_profile_of_a_new_vault_is_offline(folder: Path) -> None:
    """Nothing is sent anywhere unasked."""
    opened = Root(folder)
    assert profile.read(opened, "summarizer").backend == "extractive"
    opened.close()
