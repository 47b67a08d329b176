"""What providers and embedders are chosen from: all that the user says of models."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from vaultmem.models.providers import endpoint

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
    ollama_named: bool = False
    embedder: str = ""
    embed_model: str = ""
    model_dir: str = ""
    chroma_url: str = field(default="", repr=False)
    chroma_headers: Headers = field(default=(), repr=False)
    data: Path | None = None
    cache: Path | None = None
