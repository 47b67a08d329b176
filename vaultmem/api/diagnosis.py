"""What a report of a bug needs to know of a program and its vault, and nothing private.

No path, no name, no text, no value of a variable: versions, counts, kinds and codes.
"""

from __future__ import annotations

import locale
import os
import platform
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from vaultmem import config
from vaultmem.api import build
from vaultmem.api.vault import Vault
from vaultmem.errors import CannotOpen, TooNew, VaultError
from vaultmem.models.providers.registry import PROVIDERS
from vaultmem.storage import git

_VARIABLES = re.compile(
    r"VAULTMEM_\w+|OLLAMA_(?:HOST|API_KEY)|ANTHROPIC_(?:API_KEY|BASE_URL)|GIT_\w+"
)
_REQUIREMENT = re.compile(r"[\w.-]+")
_KNOWN = "memory summary episode topic card task skill note file working agent index config"
_TYPES = frozenset(_KNOWN.split())
_MOUNTS = Path("/proc/self/mounts")


class Fact(NamedTuple):
    """One line of the report."""

    about: str
    value: str


def facts(where: str) -> tuple[Fact, ...]:
    """Return what is the case for the program, and for the vault at *where*, if one is there."""
    return (*_of_the_program(), *_of_the_vault(where))


def _of_the_program() -> Iterator[Fact]:
    yield Fact("vaultmem", build.label())
    yield Fact("python", f"{platform.python_version()} ({platform.python_implementation()})")
    yield Fact("system", f"{platform.system()} {platform.release()} {platform.machine()}")
    yield Fact("git", git.version() or "none is installed")
    yield Fact("sqlite", sqlite3.sqlite_version)
    yield Fact("encoding", f"{sys.getfilesystemencoding()}, {locale.getencoding()}")
    yield Fact("packages", ", ".join(_packages()))
    named = sorted(name for name in os.environ if _VARIABLES.fullmatch(name))
    yield Fact("variables that are set", ", ".join(named) or "none")


def _packages() -> Iterator[str]:
    """Yield what we need besides, each with its version."""
    try:
        needed = metadata.requires(build.DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        needed = []
    for line in needed:
        if "extra ==" not in line and (name := _REQUIREMENT.match(line)):
            yield f"{name[0]} {_version(name[0])}"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "is missing"


def _of_the_vault(where: str) -> Iterator[Fact]:
    try:
        with Vault.open(where) as vault:
            yield from _of_an_open_vault(vault)
    except TooNew:
        yield Fact("vault", "a newer vaultmem wrote it")
    except CannotOpen:
        yield Fact("vault", "there is none here")
    except VaultError as e:
        named = [it.name for it in fields(config.Config) if f" {it.name} " in f" {e} "]
        about = f", {named[0]}" if named else ", its settings" if config.PATH in str(e) else ""
        yield Fact("vault", f"it could not be opened ({type(e).__name__}{about})")


def _of_an_open_vault(vault: Vault) -> Iterator[Fact]:
    found = vault.status()
    yield Fact("vault", f"format {found.format}, {found.status}")
    yield Fact("file system", _file_system(vault.path))
    yield Fact("history", "yes" if vault.history.has_repository else "no")
    yield Fact("files", _told(_by_type(vault)))
    yield Fact("agents", str(len(found.agents)))
    engine, _, server = found.index.backend.partition(" at ")  # whose name is nobody's business
    yield Fact(
        "index", f"{found.index.documents} documents, {engine}{' on a server' * bool(server)}"
    )
    embedder = "none" if found.index.embedder == "none" else vault.retriever.choice.kind
    yield Fact("embedder", f"{embedder}, {found.index.embedded} of {found.index.passages} vectors")
    backend = found.summarizer.backend
    yield Fact("summaries", backend if backend in {*PROVIDERS, "extractive"} else "other")
    yield Fact("daemon", "running" if found.daemon.running else "not running")
    yield Fact("commits that wait", str(found.uncommitted))
    yield Fact("problems", _told(Counter(problem.code for problem in found.problems)))


def _by_type(vault: Vault) -> Counter[str]:
    """Return how many files there are of each type; one that a person made up is not told."""
    found: Counter[str] = Counter()
    with vault.views.at() as view:
        for kind, number in view.counts().items():
            found[kind if kind in _TYPES else "other"] += number
    return found


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{what} {number}" for what, number in sorted(counts.items())) or "none"


def _file_system(path: Path) -> str:
    """Return the kind of the file system that *path* lies on, where the system tells."""
    if not _MOUNTS.is_file():
        return "unknown"
    mounts = (line.split(" ") for line in _MOUNTS.read_text(errors="replace").splitlines())
    whole = path.resolve()
    over = [(len(at), kind) for _, at, kind, *_ in mounts if whole.is_relative_to(at)]
    return max(over)[1] if over else "unknown"
