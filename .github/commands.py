"""Write what tells of all commands, from their own help.

That is the manual's page `commands.md`, the man page, and the completions of three shells:

python .github/commands.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from vaultmem.cli import COMMANDS, GROUPS, cli
from vaultmem.cli.setup import completion_script

_PAGE = "vaultmem/manual/commands.md"
_MAN = ".github/share/man/man1/vaultmem.1"
_COMPLETIONS = {
    "bash": ".github/share/bash-completion/completions/vaultmem",
    "zsh": ".github/share/zsh/site-functions/_vaultmem",
    "fish": ".github/share/fish/vendor_completions.d/vaultmem.fish",
}
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


def written() -> dict[str, str]:
    """Return all that is written, by its path in the checkout."""
    completions = {path: completion(shell) for shell, path in _COMPLETIONS.items()}
    return {_PAGE: page(), _MAN: man(), **completions}


def completion(shell: str) -> str:
    """Return the completion script of a *shell*, which asks the program."""
    return completion_script(shell).lstrip("\n")


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


# --- man ----------------------------------------------------------------------------------------

_MAN_HEAD = """\
.TH VAULTMEM 1 "" "vaultmem" "User commands"
.SH NAME
vaultmem \\- a memory for AI agents that people own
.SH SYNOPSIS
.B vaultmem
[\\-\\-vault PATH] [\\-\\-json] [\\-v] COMMAND [ARGUMENT]...
"""
_MAN_END = """\
.SH ENVIRONMENT
.TP
.B VAULTMEM_VAULT
the vault, where no \\-\\-vault names one; by default this folder or one above
.SH EXIT STATUS
0 done, 1 a problem was found, 2 the request was wrong, 3 refused, 4 something else does not answer,
5 no vault to open
.SH SEE ALSO
.B vaultmem help
shows the manual.
"""


def man() -> str:
    """Return the man page: each command with its options."""
    return "".join([_MAN_HEAD, *_man_groups(), _MAN_END])


def _man_groups() -> Iterator[str]:
    top = click.Context(cli, info_name="vaultmem")
    for heading, group in GROUPS.items():
        yield f".SH {_roff(heading.upper())}\n"
        for name in group:
            if command := cli.get_command(top, name):
                yield from _man_command(command, name, top)


def _man_command(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f".SS {_roff(usage)}\n{_roff(_help(command).replace('`', ''))}\n"
    for option in _options(command, context):
        names, text = option.get_help_record(context) or ("", "")
        yield f".TP\n.B {_roff(names)}\n{_roff(text)}\n"
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                yield from _man_command(found, below, context)


def _roff(text: str) -> str:
    """Return *text* as troff prints it: no hyphen is a dash, no line a request."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("\n\n", "\n.PP\n")
    return re.sub(r"(?m)^(?=['.](?!PP$))", r"\\&", plain)


def main() -> None:
    """Write the files."""
    missing = COMMANDS.keys() - {name for group in GROUPS.values() for name in group}
    if missing:
        raise KeyError(*missing)
    import checkout  # noqa: PLC0415  # beside this script, where only its own run looks

    checkout.write(written())


if __name__ == "__main__":
    main()
