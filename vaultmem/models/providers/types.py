"""What providers and embedders are chosen from, and what a provider has to say of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from vaultmem.models.providers import Model, endpoint
from vaultmem.models.providers.profile import Profile

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a vault is opened among; empty is unset.

    *summarizer* and *model* override a profile. The addresses are whole URLs and may hold
    credentials, as the key and the headers are some: none of them shows in the repr.
    *data* and *cache* are where this user's programs keep what they need, and what they can lose.
    """

    summarizer: str = ""
    model: str = ""
    anthropic_key: str = field(default="", repr=False)
    anthropic_url: str = field(default="", repr=False)
    ollama_host: str = field(default=endpoint.OLLAMA, repr=False)
    embedder: str = ""
    embed_model: str = ""
    reranker: str = ""
    rerank_model: str = ""
    model_dir: str = ""
    chroma_url: str = field(default="", repr=False)
    chroma_headers: Headers = field(default=(), repr=False)
    data: Path | None = None
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of language models: how it is found, and made.

    *usual* is the model for whoever names none, empty when the provider knows; *is_free* says that
    an answer costs no money. *find* returns whether `auto` may take it, and why, or why not, given
    whether an address can be reached; *missing* what the user must set before it can be asked,
    else "". *serves* tells whether a profile's model is one of this provider, for a profile that
    names the provider, or leaves it open. *build* makes the Model, and asks nothing.
    """

    name: str
    usual: str
    is_free: bool
    find: Callable[[Surroundings, Callable[[str], bool]], tuple[bool, str]]
    missing: Callable[[Surroundings], str]
    serves: Callable[[str, bool], bool]
    build: Callable[[str, Profile, Surroundings], Model]
