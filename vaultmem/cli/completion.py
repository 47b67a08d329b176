"""What a shell offers for the arguments and options of a command, by their names.

Whatever goes wrong, nothing is offered: nobody has asked for anything yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

import click
from click.shell_completion import CompletionItem

from vaultmem.cli import output
from vaultmem.errors import VaultError
from vaultmem.records import TRUST_OF_SOURCE

_MOST = 200
_TYPES = ("memory", "turn", "summary", "episode", "topic", "card", "task", "skill", "note")
_NAMED = _TYPES[3:]
"""What is named in words, and not by when it was."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """What an argument may be: one of *names*, else what the shell itself finds of a *kind*."""

    names: Callable[[], Iterable[str]] = tuple
    kind: Literal["", "file", "dir"] = ""


def offer(command: click.Command) -> None:
    """Let *command*, and those below it, offer what their arguments may be."""
    for parameter in command.params:
        offered = _OF_COMMAND.get((command.name, parameter.name)) or _OFFERED.get(parameter.name)
        if offered and parameter.type is click.STRING:
            parameter.type = _Offered(offered)
    if isinstance(command, click.Group):
        for each in command.commands.values():
            offer(each)


class _Offered(click.ParamType[str]):
    """A text that is one of some names, as far as they are known, or else a path."""

    name = "text"

    def __init__(self, offered: _Offer) -> None:
        self._offered = offered

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002  # click's
        incomplete: str,
    ) -> list[CompletionItem]:
        if self._offered.kind and _is_below_here(incomplete):
            return [CompletionItem(incomplete, type=self._offered.kind)]
        with ctx.scope(cleanup=False):
            try:
                names = [it for it in self._offered.names() if it.startswith(incomplete)]
            except (VaultError, OSError):
                names = []
        if self._offered.kind and not names:
            return [CompletionItem(incomplete, type=self._offered.kind)]
        return [CompletionItem(name) for name in sorted(names)[:_MOST]]


def _is_below_here(incomplete: str) -> bool:
    """Tell whether a folder is typed that there is: the shell knows more of it than we do."""
    folder, slash, _ = incomplete.rpartition("/")
    return bool(slash) and Path(folder or "/").is_dir()


def _agents() -> Iterable[str]:
    with output.vault() as vault, vault.views.at() as view:
        return view.agents()


def _files() -> Iterable[str]:
    """Return the paths of what is named in words, without `.md`."""
    with output.vault() as vault, vault.views.at() as view:
        return [str(PurePosixPath(record.path).with_suffix("")) for record in view.records(_NAMED)]


def _imports() -> Iterable[str]:
    from vaultmem.api import formats

    return formats.FORMATS


def _exports() -> Iterable[str]:
    from vaultmem.api.types import EXPORT_FORMS

    return EXPORT_FORMS


def _statuses() -> Iterable[str]:
    from vaultmem.api.types import STATUSES

    return STATUSES


def _pages() -> Iterable[str]:
    from vaultmem.cli.help import pages

    return pages()


_REF = _Offer(_files, "file")
_SOURCE = _Offer(lambda: TRUST_OF_SOURCE)
_OFFERED: Mapping[str | None, _Offer] = {
    "agent": _Offer(_agents),
    "path": _Offer(kind="dir"),
    "ref": _REF,
    "refs": _REF,
    "status": _Offer(_statuses),
}
_OF_COMMAND: Mapping[tuple[str | None, str | None], _Offer] = {
    ("import", "form"): _Offer(_imports),
    ("export", "form"): _Offer(_exports),
    ("help", "topic"): _Offer(_pages),
    ("recall", "kind"): _Offer(lambda: _TYPES),
    ("remember", "source"): _SOURCE,
    ("correct", "source"): _SOURCE,
}
