"""`chat`: talk with an agent that remembers."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from vaultmem.cli import output
from vaultmem.cli.remember import stdin
from vaultmem.errors import BadInput, VaultError

if TYPE_CHECKING:
    from vaultmem.api.vault import Vault
    from vaultmem.integrations.chat import Answered, Chat, Face

_STDIN = "-"
_UNANSWERED = (
    "your words and what was done for them until then are kept in session {} (`vaultmem log` shows "
    "it), and have no whole answer: say what is to follow there, for the same words are said twice"
)
_UNFOLDED = "the answer is kept; what is left to fold waits for the next chat"
_TYPED = "These lines are typed by the person, and answered by a program:"


@click.command()
@output.common
@output.agent("The agent you talk to, and whose memory it uses.")
@click.option("--session", default="",
              help="The session; by default the last of the past day, or a new one.")  # fmt: skip
@click.option("--once", metavar="TEXT", default=None,
              help="Answer TEXT (- reads standard input), print the answer, and exit.")  # fmt: skip
@click.option("--model", default="", help="The model's name, as its provider spells it.")
@click.option("--budget", type=click.IntRange(200), default=8000, show_default=True,
              help="How many tokens of the prompt memory may take.")  # fmt: skip
def chat(agent: str, session: str, once: str | None, model: str, budget: int) -> None:
    """Chat with an agent that remembers.

    Each turn is saved as it is said, so a chat that was killed resumes where it was. A line that
    begins with @ is a command, which no model sees: @help lists them.
    """
    options = _ChatOptions(agent, session, model, budget)
    with output.vault() as vault:
        if once is None:
            _run_terminal(vault, options)
        else:
            _once(vault, options, stdin() if once == _STDIN else once)


class _ChatOptions(NamedTuple):
    """Who is to talk, where, by which model, with how many tokens of memory."""

    agent: str
    session: str
    model: str
    budget: int


def _once(vault: Vault, options: _ChatOptions, text: str) -> None:
    if text.lstrip().startswith("@"):
        line = text.strip()
        answer = vault.command(line, agent=options.agent)
        output.out({"command": line, "answer": answer}, lambda: output.say(answer.rstrip()))
        return
    from vaultmem.integrations.chat.terminal import Aside

    with _ended(vault, _chat(vault, options, Aside() if _wordy() else None)) as made:
        unanswered = _UNANSWERED.format(made.session)
        with output.interruptible(unanswered):
            done = _answered(made, text)
        output.wrote(_result(done), lambda: _print_answer(done), text)
        sys.stdout.flush()
        with output.interruptible(_UNFOLDED):
            made.follow_up()
    with output.interruptible(unanswered):
        _end(done)


@contextmanager
def _ended(vault: Vault, made: Chat) -> Iterator[Chat]:
    """Hang up and commit at the end what was said, whatever ends it; a daemon does, where one runs.

    Ctrl-C does not wait for what a model still has to fold; nothing breaks in on the commit.
    """
    from vaultmem.api import shutdown_signals

    try:
        yield made
    finally:
        with shutdown_signals.heeded((signal.SIGTERM, signal.SIGHUP)):
            try:
                made.close()
            finally:
                with shutdown_signals.heeded((signal.SIGINT,)):
                    if not vault.watched:
                        vault.history.commit_pending()


class _NoAnswer(VaultError):
    """There is no answer, or not all of it."""

    def __init__(self, why: str, exit_code: int = VaultError.exit_code) -> None:
        """Say *why*, and what to do next."""
        super().__init__(why)
        self.exit_code = exit_code


def _answered(made: Chat, text: str) -> Answered:
    from vaultmem.errors import SecretFound
    from vaultmem.integrations.chat import terminal

    try:
        return made.answer(text)
    except SecretFound as e:
        raise _NoAnswer(terminal.refusal_text(e), e.exit_code) from e


def _end(done: Answered) -> None:
    """Raise what a script must not take for success."""
    from vaultmem.integrations.chat import terminal

    if done.stop_reason == "interrupted":
        raise KeyboardInterrupt
    if done.problem:
        raise _NoAnswer(terminal.stopped(done), done.problem.exit_code)
    if why := terminal.stopped(done):
        raise _NoAnswer(why)


def _wordy() -> bool:
    """Tell whether somebody is there to be told what is waited for."""
    return not output.shared().json and (sys.stderr.isatty() or output.shared().verbose)


def _print_answer(done: Answered) -> None:
    from vaultmem.integrations.chat import terminal

    if done.answer:
        output.say(done.answer.rstrip())
    if told := terminal.kept_from_writing(done):
        output.note(told)


def _result(done: Answered) -> dict[str, object]:
    return {
        "session": done.session, "turn": done.turn, "answer": done.answer,
        "tools": list(done.tools), "usage": done.usage, "cost": done.cost,
        "stop_reason": done.stop_reason, "written": done.written, "refused": done.refused,
    }  # fmt: skip


def _run_terminal(vault: Vault, options: _ChatOptions) -> None:
    from vaultmem.integrations.chat.terminal import Screen, Terminal

    if output.shared().json:
        raise BadInput("--json needs --once TEXT: a conversation is not one JSON object")
    face = Screen(wordy=_wordy())
    who = ["--agent", options.agent] if options.agent else []
    with _ended(vault, _chat(vault, options, face)) as made:
        face.dim(_begun(made))
        again = shlex.join(["vaultmem", "chat", *who, "--session", made.session])
        Terminal(
            made.agent, made.answer, made.follow_up_in_background,
            lambda line: vault.command(line, agent=options.agent), _at_commands(), again, face,
        ).run(os.environ)  # fmt: skip


def _begun(made: Chat) -> str:
    """Return what a person is told first: which session it is, and who talks."""
    turns = made.vault.start_session(made.session, agent=made.agent).transcript.turns
    state = f"taken up at turn {len(turns)}" if turns else "new"
    waits = "; your last words have no answer yet" if turns and turns[-1].role == "user" else ""
    who = made.talker.model or made.talker.name
    return (
        f"session {made.session}: {state}{waits}. {who} talks; @help lists commands, Ctrl-D ends."
    )


def _chat(vault: Vault, options: _ChatOptions, face: Face | None = None) -> Chat:
    from vaultmem.integrations.chat.opening import open_chat

    listed = "".join(f"{name}: {about}\n" for name, about in _at_commands().items())
    return open_chat(
        vault, os.environ, face=face, commands=f"{_TYPED}\n{listed}", **options._asdict()
    )


def _at_commands() -> dict[str, str]:
    """Return what each @command does, by name."""
    from vaultmem.cli import COMMANDS

    return {name: entry.help for name, entry in COMMANDS.items() if name.startswith("@")}


COMMANDS = {"chat": chat}
