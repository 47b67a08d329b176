"""`dream review`: ask about each change that a dream proposes, as `git add -p` does."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.api.types import WaitingChange

_KEYS = "y,n,e,s,never,?"
_HELP = """\
y - apply this change
n - leave it; it stays on offer
e - open its file in your editor, then ask again
s - stop here; what you answered counts
never - leave it, and never propose it again
? - show this help"""


@dataclass(slots=True)
class Answers:
    """What a person answered: the ids to apply, and those to strike out, each with a remark."""

    applied: list[str] = field(default_factory=list)
    declined: dict[str, str] = field(default_factory=dict)


def ask(changes: Sequence[WaitingChange], vault: str) -> Answers:
    """Ask about each of *changes* in the vault at that path; the end of input stops."""
    answers = Answers()
    for number, change in enumerate(changes, 1):
        output.say(f"\n({number}/{len(changes)}) {change.headline}", bold=True)
        output.patch("\n".join(change.diff))
        try:
            if not _answered(change, vault, answers):
                break
        except click.Abort:  # the end of input, or Ctrl-C
            output.say("")
            break
    return answers


def _answered(change: WaitingChange, vault: str, answers: Answers) -> bool:
    """Ask until there is an answer, and note it; tell whether to go on."""
    while True:
        match str(click.prompt(f"Apply this change [{_KEYS}]", err=True)).strip().lower():
            case "y":
                answers.applied.append(change.proposal.id)
                return True
            case "n":
                return True
            case "s":
                return False
            case "never":
                remark = click.prompt("why (kept beside it)", "", show_default=False, err=True)
                answers.declined[change.proposal.id] = remark
                return True
            case "e":
                _edit(Path(vault, change.proposal.path))
            case _:
                output.say(_HELP)


def _edit(path: Path) -> None:
    if not path.is_file():
        output.note(f"{path} is no file yet: answer y or n")
        return
    try:
        click.edit(filename=str(path))
    except click.ClickException as e:
        output.note(f"{e.message}: set EDITOR to yours")
