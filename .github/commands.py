"""Write `vaultmem/manual/commands.md`, the page of all commands, from their own help.

python .github/commands.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from vaultmem.cli import COMMANDS, GROUPS, cli

_PAGE = Path(__file__).parents[1] / "vaultmem/manual/commands.md"
_HEAD = """\
# Commands

`vaultmem COMMAND --help` prints the same for one command. Every command takes `--vault PATH` \
(by default `VAULTMEM_VAULT`, or else the nearest vault among this folder and those above it), \
`--json` to print one JSON object on standard output, and `-v` to log what it does to standard \
error. Exit codes: 0 done, 1 a problem was found, 2 the request was wrong, 3 refused, 4 something \
else does not answer, 5 no vault to open.

The last group is for [chats](agents.md) and [notes](daemon.md); in a shell it wants quotes: \
`vaultmem '@compact-memories'`.
"""
_EVERYWHERE = {"--vault", "--json", "--verbose", "--help"}


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join([_HEAD, *_groups()])


def _groups() -> Iterator[str]:
    top = click.Context(cli, info_name="vaultmem")
    for heading, group in GROUPS.items():
        yield f"## {heading}\n"
        for name in group:
            command = cli.get_command(top, name)
            if command is None:
                raise KeyError(name)
            yield from _command(command, name, top)


def _command(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield f"### `{context.command_path.removeprefix('vaultmem ')}`\n"
    yield f"    {' '.join([context.command_path, *command.collect_usage_pieces(context)])}\n"
    yield f"{_help(command)}\n"
    rows = [_row(option, context) for option in _options(command, context)]
    if rows:
        yield "\n".join(rows) + "\n"
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                yield from _command(found, below, context)


def _help(command: click.Command) -> str:
    """Return a command's own help: a paragraph a line."""
    text = re.sub(r"</?[a-z]+>", r"`\g<0>`", command.help or "").replace("\b\n", "")
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _options(command: click.Command, context: click.Context) -> Iterator[click.Option]:
    for each in command.get_params(context):
        if isinstance(each, click.Option) and not each.hidden and not _EVERYWHERE & {*each.opts}:
            yield each


def _row(option: click.Option, context: click.Context) -> str:
    names, text = option.get_help_record(context) or ("", "")
    return f"- `{names}`: {text}"


def main() -> None:
    """Write the page."""
    missing = COMMANDS.keys() - {name for group in GROUPS.values() for name in group}
    if missing:
        raise KeyError(*missing)
    _PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
