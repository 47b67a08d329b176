"""`working show|set`: what an agent has in hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output
from vaultmem.errors import BadInput

if TYPE_CHECKING:
    from vaultmem.api.types import Working
    from vaultmem.api.vault import Vault

_agent = output.agent("The agent whose work it is.")


@click.group(cls=output.Group)
@output.common
def working() -> None:
    """Show and set what an agent has in hand: goal, plan, business state, todo list, notes."""


@working.command()
@output.common
@_agent
def show(agent: str) -> None:
    """Show what the agent has in hand, and the business states that may be set."""
    with output.vault() as vault:
        _out(vault, agent, vault.workbench(agent).read())


@working.command("set")
@output.common
@_agent
@click.option("--goal", default="", help="What the work is for.")
@click.option("--state", default="", help="The business state: one that the config declares.")
@click.option("--note", "notes", type=(str, str), multiple=True, metavar="KEY TEXT",
              help='An entry of the scratchpad; "" removes it. Can be repeated.')  # fmt: skip
def set_(agent: str, goal: str, state: str, notes: tuple[tuple[str, str], ...]) -> None:
    """Set what is given of what the agent has in hand."""
    if not (goal or state or notes):
        raise BadInput("nothing to set: give --goal, --state or --note")
    from vaultmem.api.agent_memory import Memory

    with output.vault() as vault:
        bench = vault.workbench(agent)
        memory = Memory(vault, agent=bench.agent, session=bench.read().session)
        if goal or state:
            memory.revise(goal=goal, state=state)
        for key, text in notes:
            memory.note(key, text)
        vault.history.commit_pending()
        _out(vault, agent, memory.working, output.wrote)


_Tell = Callable[[object, Callable[[], None]], None]


def _out(vault: Vault, agent: str, now: Working, tell: _Tell = output.out) -> None:
    bench = vault.workbench(agent)
    found = {"agent": bench.agent, "path": bench.path, "states": bench.states, **asdict(now)}
    tell(found, lambda: _page(now, bench.states, bench.path))


def _page(now: Working, states: tuple[str, ...], path: str) -> None:
    from vaultmem.api.rendering import in_hand

    output.say(in_hand(now, path) or "nothing is in hand")
    if states:
        output.say(f"States: {', '.join(states)}")


COMMANDS = {"working": working}
