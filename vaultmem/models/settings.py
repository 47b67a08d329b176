"""What the user says of models, outside of any vault: the environment, then a file of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vaultmem.errors import BadInput
from vaultmem.models import address
from vaultmem.models.profile import BACKENDS

_FILE = "vaultmem/config.toml"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a vault is opened among; empty is unset.

    *summarizer* and *model* override a profile. The addresses are whole URLs and may hold
    credentials, as the key is one: none of them shows in the repr.
    """

    summarizer: str = ""
    model: str = ""
    anthropic_key: str = field(default="", repr=False)
    anthropic_url: str = field(default="", repr=False)
    ollama_host: str = field(default=address.OLLAMA, repr=False)
    ollama_named: bool = False


def surroundings(env: Mapping[str, str], home: Path) -> Surroundings:
    """Return what *env* says, and what it leaves open, the config file; raises BadInput.

    The file is `$XDG_CONFIG_HOME/vaultmem/config.toml`, else `~/.config/vaultmem/config.toml`, and
    spells the names as the environment does.
    """
    path = _path(env, home)
    file = _load(path)

    def said(name: str) -> str:
        return env.get(name, "").strip() or _text(file, name, path)

    host = said("OLLAMA_HOST")
    return Surroundings(
        summarizer=_summarizer(said("VAULTMEM_SUMMARIZER")),
        model=said("VAULTMEM_MODEL"),
        anthropic_key=_key(said("ANTHROPIC_API_KEY")),
        anthropic_url=_anthropic(said("ANTHROPIC_BASE_URL")),
        ollama_host=_ollama(host),
        ollama_named=bool(host),
    )


def _path(env: Mapping[str, str], home: Path) -> Path:
    folder = Path(env.get("XDG_CONFIG_HOME", ""))
    return (folder if folder.is_absolute() else home / ".config") / _FILE


def _load(path: Path) -> Mapping[str, object]:
    try:
        if not path.exists():
            return {}
        import tomllib  # noqa: PLC0415  # hardly anybody has this file, and every command looks

        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as e:
        why = e.strerror if isinstance(e, OSError) else e
        raise BadInput(f"{path}: {why}; mend it, or move it away") from e


def _text(file: Mapping[str, object], name: str, path: Path) -> str:
    value = file.get(name, "")
    if not isinstance(value, str):
        raise BadInput(f'{path}: {name} takes a text in quotes, as in {name} = "…"')
    return value.strip()


def _summarizer(text: str) -> str:
    if text and text not in BACKENDS:
        raise BadInput(f"VAULTMEM_SUMMARIZER is {text!r}, it takes one of {', '.join(BACKENDS)}")
    return text


def _key(text: str) -> str:
    if not text.isascii() or not text.isprintable():
        raise BadInput("ANTHROPIC_API_KEY holds a character that no key has; copy it again")
    return text


def _anthropic(text: str) -> str:
    if text and not address.is_web(text):
        raise BadInput("ANTHROPIC_BASE_URL is no web address, it takes one as https://host/path")
    return text


def _ollama(text: str) -> str:
    try:
        return address.of_ollama(text)
    except ValueError as e:
        raise BadInput(f"OLLAMA_HOST is {text!r}, it takes host, host:port or a web address") from e
