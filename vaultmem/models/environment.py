"""What the user says of models, outside of any vault: the environment, then a file of theirs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from vaultmem.errors import BadInput
from vaultmem.models import embeddings, reranking
from vaultmem.models.providers import endpoint
from vaultmem.models.providers.profile import BACKENDS
from vaultmem.models.providers.types import Headers, Surroundings

_FILE = "vaultmem/config.toml"
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*([\x20-\x7e]*)")


def surroundings(env: Mapping[str, str], home: Path) -> Surroundings:
    """Return what *env* says, and what it leaves open, the config file; raises BadInput.

    The file is `$XDG_CONFIG_HOME/vaultmem/config.toml`, else `~/.config/vaultmem/config.toml`, and
    spells the names as the environment does.
    """
    path = _folder(env, "XDG_CONFIG_HOME", home / ".config") / _FILE
    file = _load(path)

    def setting(name: str) -> str:
        return env.get(name, "").strip() or _text(file, name, path)

    return Surroundings(
        summarizer=_one_of(BACKENDS, "VAULTMEM_SUMMARIZER", setting("VAULTMEM_SUMMARIZER")),
        model=setting("VAULTMEM_MODEL"),
        anthropic_key=_key(setting("ANTHROPIC_API_KEY")),
        anthropic_url=_anthropic(setting("ANTHROPIC_BASE_URL")),
        ollama_host=_ollama(setting("OLLAMA_HOST")),
        embedder=_one_of(embeddings.NAMES, "VAULTMEM_EMBEDDER", setting("VAULTMEM_EMBEDDER")),
        embed_model=_printable("VAULTMEM_EMBED_MODEL", setting("VAULTMEM_EMBED_MODEL")),
        reranker=_one_of(reranking.NAMES, "VAULTMEM_RERANKER", setting("VAULTMEM_RERANKER")),
        rerank_model=_printable("VAULTMEM_RERANK_MODEL", setting("VAULTMEM_RERANK_MODEL")),
        model_dir=_printable("VAULTMEM_MODEL_DIR", setting("VAULTMEM_MODEL_DIR")),
        chroma_url=_chroma(setting("VAULTMEM_CHROMA_URL")),
        chroma_headers=_headers(setting("VAULTMEM_CHROMA_HEADERS")),
        data=_folder(env, "XDG_DATA_HOME", home / ".local/share"),
        cache=_folder(env, "XDG_CACHE_HOME", home / ".cache"),
    )


def _folder(env: Mapping[str, str], name: str, usual: Path) -> Path:
    """Return the folder that *env* names; a relative one is none, as the XDG rules have it."""
    folder = Path(env.get(name, ""))
    return folder if folder.is_absolute() else usual


def _load(path: Path) -> Mapping[str, object]:
    try:
        if not path.exists():
            return {}
        import tomllib  # noqa: PLC0415  # hardly anybody has this file, and every command looks

        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as e:
        why = e.strerror if isinstance(e, OSError) else e
        raise BadInput(f"{path}: {why}; fix it, or move it away") from e


def _text(file: Mapping[str, object], name: str, path: Path) -> str:
    value = file.get(name, "")
    if not isinstance(value, str):
        raise BadInput(f'{path}: {name} takes a text in quotes, as in {name} = "…"')
    return value.strip()


def _one_of(known: tuple[str, ...], name: str, text: str) -> str:
    if text and text not in known:
        raise BadInput(f"{name} is {text!r}, it takes one of {', '.join(known)}")
    return text


def _printable(name: str, text: str) -> str:
    if not text.isprintable():
        raise BadInput(f"{name} is {text!r}, it takes a name without control characters")
    return text


def _key(text: str) -> str:
    if not text.isascii() or not text.isprintable():
        raise BadInput("ANTHROPIC_API_KEY holds a character that no key has; copy it again")
    return text


def _anthropic(text: str) -> str:
    if text and not endpoint.is_web(text):
        raise BadInput("ANTHROPIC_BASE_URL is no web address, it takes one as https://host/path")
    return text


def _ollama(text: str) -> str:
    try:
        return endpoint.of_ollama(text)
    except ValueError as e:
        raise BadInput(f"OLLAMA_HOST is {text!r}, it takes host, host:port or a web address") from e


def _chroma(text: str) -> str:
    """Return *text* if it is https, or http on this machine: Chroma keeps whole texts."""
    if text and not (endpoint.is_web(text) and _is_private(text)):
        raise BadInput(
            "VAULTMEM_CHROMA_URL is no address that a memory may go to, it takes "
            "http://127.0.0.1:8000 on this machine, or https://host elsewhere"
        )
    return text


def _is_private(url: str) -> bool:
    return url.lower().startswith("https:") or endpoint.is_local(url)


def _headers(text: str) -> Headers:
    """Return the headers that stand in *text*, one a line or between semicolons."""
    lines = text.splitlines() if "\n" in text else text.split(";")
    return tuple(_header(line.strip()) for line in lines if line.strip())


def _header(line: str) -> tuple[str, str]:
    found = _HEADER.fullmatch(line)
    if found is None:
        raise BadInput(
            "VAULTMEM_CHROMA_HEADERS holds what is no header, it takes Name: value, one a line or "
            "with ; between them"
        )
    return found[1], found[2]
