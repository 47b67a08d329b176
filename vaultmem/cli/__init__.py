"""The command line: parse, call Vault, print. Commands load when they are called."""

from __future__ import annotations

import gc
import importlib
import io
import os
import signal
import sys
from collections.abc import Mapping
from types import FrameType
from typing import NamedTuple

import click

from vaultmem.cli import options, standard_streams
from vaultmem.cli.output import Ended, Globals, Interrupted, common, quoted
from vaultmem.errors import Unavailable, VaultError
from vaultmem.records import visible

_BY_SIGNAL = 128
_AGAIN = "everything acknowledged is safe, run it again"
_DONE = (
    "it was done before (`vaultmem log` shows it), and nobody was told: run it again in the same "
    "words for the answer, it is not done twice, unless what it made was changed or superseded "
    "since, or it is a turn and its session went on"
)


class _Entry(NamedTuple):
    """Where a command lives, and what help says of it without loading it."""

    module: str
    help: str


GROUPS: Mapping[str, Mapping[str, _Entry]] = {
    "Everyday": {
        "init": _Entry("setup", "Turn a folder into a vault."),
        "demo": _Entry("setup", "Run the whole cycle on a bundled conversation."),
        "remember": _Entry("remember", "Store a memory."),
        "recall": _Entry("recall", "Find what was remembered."),
        "context": _Entry("recall", "Print the context for an agent's prompt."),
        "why": _Entry("why", "Show where a fact comes from, down to what was said."),
        "show": _Entry("files", "Show a file of the vault."),
        "edit": _Entry("files", "Edit a file in your editor, and commit it."),
        "open": _Entry("files", "Open a file in Obsidian or another program."),
        "correct": _Entry("why", "Correct a memory."),
        "forget": _Entry("forget", "Forget a memory; --purge erases it from the git history, too."),
        "archive": _Entry("archive", "Put memories away, which are kept and not recalled."),
        "unarchive": _Entry("archive", "Bring archived memories back."),
        "web": _Entry("web", "Look at the vault in a browser, and put right what is wrong."),
        "status": _Entry("maintenance", "Show counts, windows, budgets and health."),
        "help": _Entry("help", "Read the manual."),
    },
    "People and tasks": {
        "card": _Entry("card", "Manage facts about people and things, with their sources."),
        "topic": _Entry("topic", "List, show, update, import and export topics."),
        "note": _Entry("note", "Update notes."),
        "task": _Entry("task", "Manage tasks and what blocks them."),
        "working": _Entry("working", "Show and set what an agent has in hand."),
        "experience": _Entry("experience", "Record what came of a task."),
        "review": _Entry("why", "Accept or drop notes that nobody has vouched for."),
        "share": _Entry("share", "Share one agent's memory with all agents."),
        "digest": _Entry("history", "Report what was learnt, corrected and forgotten."),
    },
    "Upkeep": {
        "compact": _Entry(
            "maintenance", "Summarize memories older than the window (turns: see fold)."
        ),
        "fold": _Entry(
            "session", "Turn old session turns into episodes, and old episodes into topics."
        ),
        "dream": _Entry("dream", "Plan a clean-up of the whole vault, and apply what you tick."),
        "watch": _Entry("maintenance", "Run the daemon; --once does what is due now and exits."),
        "fsck": _Entry("maintenance", "Check that nothing is lost; --repair fixes what it can."),
        "doctor": _Entry("doctor", "Print what a report of a bug needs, and nothing private."),
        "check": _Entry("check", "Check each file, as a team's CI does; exit 1 on problems."),
        "log": _Entry("history", "List operations, newest first."),
        "diff": _Entry("history", "Show what an operation changed."),
        "undo": _Entry("history", "Undo one operation, keeping later edits."),
    },
    "Agents": {
        "session": _Entry("session", "Keep conversations turn by turn; compact one in progress."),
        "chat": _Entry("chat", "Chat with a model that remembers."),
        "mcp": _Entry("mcp", "Serve the vault to agents over MCP."),
        "hook": _Entry(
            "hook", "Set up Claude Code, Cursor, Codex, Gemini or VS Code; answer hooks."
        ),
    },
    "Machines": {
        "sync": _Entry("sync", "Sync with the git remote, and the index with the files."),
        "import": _Entry("import_files", "Import conversations and notes."),
        "export": _Entry("export", "Export the vault in another format."),
        "embedder": _Entry("embedder", "Show or set up the embedding model."),
        "completion": _Entry("setup", "Print the completion script of a shell."),
    },
    "Measuring": {
        "eval": _Entry("eval", "Measure how well recall works."),
    },
    "In chats and notes": {
        "@compact-memories": _Entry("at_commands", "Compact now, even below the threshold."),
        "@memory-status": _Entry("at_commands", "Show counts, windows and health."),
        "@memory-budget": _Entry("at_commands", "Show how full MEMORY.md and the windows are."),
        "@remember": _Entry("at_commands", "Store a memory."),
        "@recall": _Entry("at_commands", "Find what was remembered."),
        "@forget": _Entry("at_commands", "Forget a memory."),
        "@dream": _Entry("at_commands", "Plan a clean-up, for review in the inbox."),
        "@bootstrap-summaries": _Entry("at_commands", "Summarize memories that have no summary."),
    },
}
"""The commands as `--help` groups them."""

COMMANDS: Mapping[str, _Entry] = {
    name: entry for group in GROUPS.values() for name, entry in group.items()
}


class _Commands(click.Group):
    """The commands by name; only the one that is called is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module = importlib.import_module(f"vaultmem.cli.{entry.module}")
        found: object = module.COMMANDS[cmd_name]
        if not isinstance(found, click.Command):
            return None
        if ctx.resilient_parsing:  # a shell asks how the line may go on
            from vaultmem.cli import completion

            completion.offer(found)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0].startswith("@"):
            args = _spoken(args)
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(_no_such_command(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for heading, group in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, entry.help) for name, entry in group.items()])


def _spoken(args: list[str]) -> list[str]:
    """Take apart an @command that comes with its text in one string: '@remember she likes tea'.

    What follows the name is text as it stands, unless it begins with an option.
    """
    name, *rest = args[0].split(None, 1)
    if not rest:
        return [name, *args[1:]]
    if rest[0].startswith("--"):
        return [name, *rest[0].split(), *args[1:]]
    return [name, *args[1:], "--", rest[0]]


def _no_such_command(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, n=1)
    return f"there is no command {quoted(name)}" + (
        f", did you mean {quoted(near[0])}?" if near else ""
    )


def _print_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001  # click's
    if value and not ctx.resilient_parsing:
        from vaultmem.api import build

        click.echo(f"vaultmem {build.label()}")
        ctx.exit()


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@common
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
              help="Show the version and exit.")  # fmt: skip
def cli() -> None:
    """Give AI agents a memory that people own: a folder of Markdown files in git."""


def main() -> None:
    """Run the command line; every mistake is one sentence on stderr and an exit code."""
    standard_streams.open_closed()
    # What a vault holds is nobody else's business, whatever the shell's umask.
    os.umask(0o077)
    # A command is short and its values live to its end: looking for garbage often only costs.
    gc.freeze()
    gc.set_threshold(100_000)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that lacks a letter gets its number, not a traceback.
        sys.stdout.reconfigure(errors="backslashreplace")
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)
    code = run(sys.argv[1:])
    # Python's own end looks for garbage once more, in all that goes with the process anyway.
    gc.freeze()
    sys.exit(code)


def _end(number: int, _frame: FrameType | None) -> None:
    # The first begins the end, and nothing cuts that short.
    signal.signal(number, signal.SIG_IGN)
    raise Ended(number)


def run(args: list[str]) -> int:
    """Run one command and return its exit code."""
    # https://no-color.org: set to anything but nothing.
    color = False if os.environ.get("NO_COLOR") else None
    shared = Globals()
    try:
        result = cli.main(
            args, prog_name="vaultmem", standalone_mode=False, color=color, obj=shared
        )
    except click.exceptions.NoArgsIsHelpError as e:
        e.show()
        return e.exit_code
    except (
        VaultError, click.ClickException, click.Abort, KeyboardInterrupt, Ended, OSError
    ) as e:  # fmt: skip
        from vaultmem.api.rendering import public_text, without_middle

        why, code = _error_text(e, shared)
        # A mistake is often quoted; a secret in it, or what a terminal would obey, is not.
        click.echo(f"vaultmem: {without_middle(visible(public_text(why)))}", err=True)
        return code
    except SystemExit:
        # Click's own answer to a reader that has seen enough (`| head -1`), and to completion.
        return 0
    return result if isinstance(result, int) else 0


def _error_text(error: BaseException, shared: Globals) -> tuple[str, int]:
    """Return what went wrong in a sentence, and its exit code."""
    if isinstance(error, VaultError):
        return options.with_options(str(error)), error.exit_code
    if isinstance(error, Interrupted):
        return error.message, _signal_code(error.__cause__)
    if isinstance(error, click.ClickException):
        return _usage(error), error.exit_code
    if isinstance(error, OSError):
        where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        why = error.strerror or error
        return (
            f"{where}{why}; the files are as they were: fix that and try again",
            Unavailable.exit_code,
        )
    return f"interrupted: {_DONE if shared.note_unconfirmed() else _AGAIN}", _signal_code(error)


def _signal_code(ended_by: BaseException | None) -> int:
    """Return the exit code of a command that a signal ended, as shells count it."""
    number = ended_by.number if isinstance(ended_by, Ended) else signal.SIGINT
    return _BY_SIGNAL + number


def _usage(error: click.ClickException) -> str:
    """Return click's message as one sentence that ends with the way to the help."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    path = ctx.command_path if ctx else "vaultmem"
    if isinstance(error, click.MissingParameter) and ctx and (ctx.info_name or "").startswith("@"):
        return f"what {ctx.info_name} is about is missing: write `{ctx.info_name} WORDS`"
    message = " ".join(error.format_message().split()).rstrip(".")
    if isinstance(error, click.NoSuchOption) and ctx and _is_text(error.option_name, ctx.command):
        message += "; put -- before a text that begins with a dash"
    return f"{message[:1].lower()}{message[1:]}; `{path} --help` shows more"


def _is_text(option: str, command: click.Command) -> bool:
    """Tell whether *option*, which *command* does not have, may be the beginning of a text."""
    takes_text = any(isinstance(it, click.Argument) for it in command.params)
    return takes_text and (" " in option or not option.startswith("--"))
