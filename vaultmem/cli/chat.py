"""`chat`: talk with an agent that remembers."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import click

from vaultmem.cli import screen
from vaultmem.cli.remember import stdin

if TYPE_CHECKING:
    from vaultmem.agent import Answered, Chat, Face
    from vaultmem.vault import Vault

_STDIN = "-"


@click.command()
@screen.common
@click.option("--agent", default="", help="Who talks, and whose memory it has.")
@click.option("--session", default="",
              help="Which conversation; else the last one of today, or a new one.")  # fmt: skip
@click.option("--once", metavar="TEXT", default=None,
              help="Answer TEXT, or - for standard input, print the answer, and end.")  # fmt: skip
@click.option("--model", default="", help="The model, as its provider spells it.")
@click.option("--budget", type=click.IntRange(200), default=8000, show_default=True,
              help="How many tokens the memory may have in the prompt.")  # fmt: skip
def chat(agent: str, session: str, once: str | None, model: str, budget: int) -> None:
    """Talk with an agent that remembers.

    Each turn is kept as it is said; a chat that was killed goes on where it was. A line that begins
    with @ is a command, which no model sees: @help lists them.
    """
    wish = _Wish(agent, session, model, budget)
    with screen.vault() as vault:
        if once is None:
            _talk(vault, wish)
        else:
            _once(vault, wish, stdin() if once == _STDIN else once)


class _Wish(NamedTuple):
    """Who is to talk, where, by which model, with how many tokens of memory."""

    agent: str
    session: str
    model: str
    budget: int


def _once(vault: Vault, wish: _Wish, text: str) -> None:
    if text.lstrip().startswith("@"):
        _command(vault, wish, text.strip())
        return
    with closing(_chat(vault, wish)) as made:
        done = made.answer(text)
        screen.out(_result(done), lambda: _tell(done))
        sys.stdout.flush()
        made.tidy()
    if done.problem:
        raise done.problem
    if done.stop_reason == "interrupted":
        raise KeyboardInterrupt


def _command(vault: Vault, wish: _Wish, line: str) -> None:
    told = vault.command(_own(line, wish.agent))
    screen.out({"command": line, "answer": told}, lambda: screen.say(told.rstrip()))


def _tell(done: Answered) -> None:
    from vaultmem.agent import terminal

    if done.answer:
        screen.say(done.answer.rstrip())
    if not done.problem and (why := terminal.stopped(done)):
        screen.note(why)


def _result(done: Answered) -> dict[str, object]:
    return {
        "session": done.session, "turn": done.turn, "answer": done.answer,
        "tools": list(done.tools), "usage": done.usage, "cost": done.cost,
        "stop_reason": done.stop_reason,
    }  # fmt: skip


def _talk(vault: Vault, wish: _Wish) -> None:
    from vaultmem.agent.terminal import Screen, Terminal
    from vaultmem.cli import COMMANDS
    from vaultmem.errors import BadInput

    if screen.shared().json:
        raise BadInput("--json needs --once TEXT: a conversation is no object")
    face = Screen()
    commands = {name: entry.help for name, entry in COMMANDS.items() if name.startswith("@")}
    with closing(_chat(vault, wish, face)) as made:
        face.dim(_begun(made))
        Terminal(
            made.agent, made.answer, made.tidy_aside,
            lambda line: vault.command(_own(line, wish.agent)), commands, face,
        ).run(os.environ)  # fmt: skip
    vault.site.door.settle()


def _begun(made: Chat) -> str:
    """Return what a person is told first: which session it is, and who talks."""
    turns = made.vault.start_session(made.session, agent=made.agent).transcript.turns
    state = f"taken up at turn {len(turns)}" if turns else "new"
    waits = "; your last words have no answer yet" if turns and turns[-1].role == "user" else ""
    who = made.talker.model or made.talker.name
    return (
        f"session {made.session}: {state}{waits}. {who} talks; @help lists commands, Ctrl-D ends."
    )


def _own(line: str, agent: str) -> str:
    """Return an @command's *line*; what it remembers is the *agent*'s who is talked to."""
    name, _, rest = line.partition(" ")
    return f"{name} --agent {agent} {rest}" if agent and name == "@remember" else line


def _chat(vault: Vault, wish: _Wish, face: Face | None = None) -> Chat:
    """Return the conversation that is wished for; raises ModelAway where nobody can talk."""
    from dataclasses import replace
    from pathlib import Path

    from vaultmem.agent import Chat, loop, speaking
    from vaultmem.agent.model import Quiet
    from vaultmem.models.settings import surroundings
    from vaultmem.writers import WORKINGS

    profile, around = vault.writers.profile(), surroundings(os.environ, Path.home())
    around = replace(around, model=wish.model or around.model)
    choice = speaking.chosen(profile, around)
    speaker = speaking.speaker(
        choice, profile, around, vault.path / WORKINGS, vault.site.clock, vault.writers.limits()
    )
    name = wish.session or loop.newest(vault, vault.site.agent(wish.agent))
    who = vault.start_session(name, agent=wish.agent)
    return Chat(
        vault, speaker, who.transcript.session, who.transcript.agent, wish.budget, face or Quiet(),
        lambda usage: speaking.price(choice, profile, usage),
    )  # fmt: skip


COMMANDS = {"chat": chat}
