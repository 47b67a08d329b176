"""An LLM profile: who writes, and how; `config/profiles/<name>.md` holds one.

Where a provider is and which key opens it stands in no vault: a vault may be somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from vaultmem import config
from vaultmem.config import Raw, one_of
from vaultmem.documents import frontmatter, public_text
from vaultmem.errors import BadInput, BadSettings, NotAFile, NotFound, Unreadable
from vaultmem.models.providers.registry import PROVIDERS
from vaultmem.storage import files
from vaultmem.storage.files import Root

FOLDER = "config/profiles"
BACKENDS = ("auto", "extractive", *PROVIDERS)

_USUAL = f"{FOLDER}/summarizer.md"
_MODEL = re.compile(r"[A-Za-z0-9][\w.:/@+-]{0,199}", re.ASCII)
_ADDRESS = re.compile(r"[:/.]")
_OUTSIDE = re.compile(
    r"(?:.*_)?(?:api_?key|key|token|secret|password|(?:base_?)?ur[li]|api_base|host|server|proxy"
    r"|headers?)"
)

_ELSEWHERE = (
    "has no place in a vault, which others may read or write: set ANTHROPIC_API_KEY, "
    "ANTHROPIC_BASE_URL or OLLAMA_HOST in the environment, or in ~/.config/vaultmem/config.toml"
)


class Profile(NamedTuple):
    """Who writes and how, valid as it stands.

    An empty *model* is the backend's usual one; *stop* are texts that end an answer of Ollama;
    prices are US dollars a million tokens, None when unknown; *path* is where it was read.
    """

    backend: str = "extractive"
    model: str = ""
    endpoint: str = "generate"
    temperature: float = 0.2
    max_tokens: int = 400
    # A base model goes on with the next section, or plays both sides of a talk.
    stop: tuple[str, ...] = ("\n\n\n", "\n---", "\n#", "\nUser:", "\nAssistant:", "<|endoftext|>")
    input_price: float | None = None
    output_price: float | None = None
    path: str = _USUAL


def _endpoint(raw: Raw) -> str:
    if isinstance(raw, str) and _ADDRESS.search(raw):
        raise ValueError("generate or chat: addresses come from OLLAMA_HOST or ANTHROPIC_BASE_URL")
    return one_of("generate", "chat")(raw)


def _model(raw: Raw) -> str:
    if not isinstance(raw, str) or not _MODEL.fullmatch(raw):
        raise ValueError("the name of a model, as its provider spells it")
    return raw


def _number(what: str, most: float) -> Callable[[Raw], float]:
    def read(raw: Raw) -> float:
        found = (
            re.fullmatch(r"\d{1,6}(\.\d{1,6})?", raw, re.ASCII) if isinstance(raw, str) else None
        )
        if not found or float(found[0]) > most:
            raise ValueError(what)
        return float(found[0])

    return read


def _tokens(raw: Raw) -> int:
    if not isinstance(raw, str) or not re.fullmatch(r"[1-9]\d{0,5}", raw, re.ASCII):
        raise ValueError("a whole number from 1 to 999999")
    return int(raw)


def _texts(raw: Raw) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(x, str) and x for x in raw):
        raise ValueError("a list of texts")
    return tuple(x for x in raw if isinstance(x, str))


_price = _number("US dollars a million tokens, as 0.25", 100_000)

OPTIONS: Mapping[str, Callable[[Raw], object]] = {
    "backend": one_of(*BACKENDS),
    "model": _model,
    "endpoint": _endpoint,
    "temperature": _number("a number from 0 to 2", 2),
    "max_tokens": _tokens,
    "stop": _texts,
    "input_price": _price,
    "output_price": _price,
}


def load(raw: Mapping[str, Raw], path: str = _USUAL) -> Profile:
    """Return the profile that the frontmatter *raw* of *path* states.

    What is not named or empty has its default. Raises BadSettings for values that cannot be, and
    for keys that would name an address or a credential.
    """
    given = {key: raw[key] for key in OPTIONS if raw.get(key, "") != ""}
    if wrong := [*_misplaced(raw), *config.faults(given, OPTIONS)]:
        raise BadSettings(path, wrong)
    return Profile(**{key: OPTIONS[key](it) for key, it in given.items()}, path=path)  # type: ignore[arg-type]


def read(root: Root, name: str) -> Profile:
    """Return the profile *name* of the vault at *root*; raises BadInput, NotFound without one."""
    path = f"{FOLDER}/{name}.md"
    try:
        found = files.read(root, path)
    except NotAFile as e:
        raise BadInput(str(e)) from e
    if found is None:
        raise NotFound(f"{path} is missing: write it, or name another as `profile` in the config")
    try:
        return load(public_text.fields(frontmatter.decode(found.data)), path)
    except Unreadable as e:
        raise BadInput(f"{path}: {e.why}; fix its frontmatter") from e


def _misplaced(raw: Mapping[str, Raw]) -> Iterator[tuple[str, str]]:
    """Yield the keys of *raw* that name what no vault holds, each with where it belongs."""
    for key in raw:
        if key not in OPTIONS and _OUTSIDE.fullmatch(key.lower().replace("-", "_")):
            yield key, _ELSEWHERE
