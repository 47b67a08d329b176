"""What a shell offers for the arguments and options of a command, by their names.

Whatever goes wrong, nothing is offered: nobody has asked for anything yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath

import click
from click.shell_completion import CompletionItem

from vaultmem.cli import output
from vaultmem.errors import VaultError

_MOST = 200
_TYPES = ("memory", "summary", "episode", "topic", "card", "task", "skill", "note")
_NAMED = _TYPES[3:]
"""What is named in words, and not by when it was."""


def offer(command: click.Command) -> None:
    """Let *command*, and those below it, offer what their arguments may be."""
    for parameter in command.params:
        names = _OF_COMMAND.get((command.name, parameter.name)) or _OFFERED.get(parameter.name)
        if names and parameter.type is click.STRING:
            parameter.type = _Offered(names)
    if isinstance(command, click.Group):
        for each in command.commands.values():
            offer(each)


class _Offered(click.ParamType[str]):
    """A text that is one of some names, as far as they are known."""

    name = "text"

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002  # click's
        incomplete: str,
    ) -> list[CompletionItem]:
        with ctx.scope(cleanup=False):
            try:
                names = [name for name in self._names() if name.startswith(incomplete)]
            except (VaultError, OSError):
                return []
        return [CompletionItem(name) for name in sorted(names)[:_MOST]]


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


_OFFERED: Mapping[str | None, Callable[[], Iterable[str]]] = {
    "agent": _agents,
    "ref": _files,
    "refs": _files,
    "status": _statuses,
}
_OF_COMMAND: Mapping[tuple[str | None, str | None], Callable[[], Iterable[str]]] = {
    ("import", "form"): _imports,
    ("export", "form"): _exports,
    ("help", "topic"): _pages,
    ("recall", "kind"): lambda: _TYPES,
}
