"""What the commands of `eval` share: floors, and an environment without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli import output

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vaultmem.evaluation.thresholds import Held

_PROBLEM = 1

floor = click.option("--floor", "floors", multiple=True, metavar="FIGURE=NUMBER",
                      help="Exit 1 below it: recall_any@10=0.7, sessions.hit@1=0.6.")  # fmt: skip


def offline(env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment in which cases are judged: nothing in it reaches for a network."""
    kept = {name: env[name] for name in ("VAULTMEM_EMBEDDER", "VAULTMEM_MODEL_DIR") if name in env}
    from vaultmem.api import embedders

    if embedders.is_remote(kept.get("VAULTMEM_EMBEDDER", "")):
        kept["VAULTMEM_EMBEDDER"] = "none"
    return {**kept, "VAULTMEM_SUMMARIZER": "extractive"}


def floors(texts: Sequence[str]) -> Callable[[Mapping[str, float]], tuple[Held, ...]]:
    """Read the floors at once, before anything is asked; return what holds figures to them."""
    from vaultmem.evaluation import thresholds

    wanted = [thresholds.read(text) for text in texts]
    return lambda figures: thresholds.check(wanted, figures)


def print_floors(held: Sequence[Held]) -> None:
    """Say of each floor whether it holds."""
    for floor in held:
        state = "holds" if floor.holds else "BELOW"
        output.say(f"floor {floor.figure} {floor.least:g}: {floor.seen:.4f} {state}",
                   fg="green" if floor.holds else "red")  # fmt: skip


def code(held: Sequence[Held]) -> int:
    """Return the exit code that *held* comes to."""
    return 0 if all(floor.holds for floor in held) else _PROBLEM
