"""`embedder`: fetch the model that turns texts into vectors, and see which one does."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output

if TYPE_CHECKING:
    from vaultmem.api.embedders import EmbedderStatus, Weights
    from vaultmem.api.types import Pin

_MEGA = 1_000_000


@click.group(cls=output.Group)
@output.common
def embedder() -> None:
    """Show or set up the embedding model, which lets recall find by meaning."""


# --- setup ------------------------------------------------------------------------------------


@embedder.command()
@output.common
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.option("--dir", "folder", type=click.Path(path_type=Path, file_okay=False),
              help="Where to put it; by default your user data folder.")  # fmt: skip
@click.option("--from", "origin", type=click.Path(path_type=Path, file_okay=False, exists=True),
              help="Copy it from this folder instead of the network.")  # fmt: skip
@click.option("--source", envvar="HF_ENDPOINT", show_envvar=True, metavar="URL",
              help="A mirror to download it from.")  # fmt: skip
def setup(*, yes: bool, folder: Path | None, origin: Path | None, source: str | None) -> None:
    """Download all-MiniLM-L6-v2 (91 MB, Apache-2.0), which runs on this machine.

    Shows what comes from where and asks first. An interrupted download resumes the next time.
    """
    from vaultmem.api import embedders

    it = embedders.weights(folder, source or "")
    lacking = it.lacking()
    if lacking:
        _consent(_offer(it, lacking, str(origin or it.page)), yes=yes)
        _bring(it, lacking, origin)
    it.prove()  # now, so that no question waits for that
    _print_setup(it, lacking)


def _offer(it: Weights, lacking: Sequence[Pin], origin: str) -> str:
    size = sum(pin.size for pin in lacking) / _MEGA
    return (
        f"{it.model} turns texts into vectors on this machine; no text leaves it.\n"
        f"  from     {origin} (revision {it.revision[:8]})\n"
        f"  files    {', '.join(pin.name for pin in lacking)}: {size:.1f} MB\n"
        f"  licence  {it.licence}\n"
        f"  to       {it.folder}"
    )


def _consent(offer: str, *, yes: bool) -> None:
    """Show the *offer*, on stderr, and return if it is taken; raises Refused if not."""
    from vaultmem.errors import Refused

    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError("nobody is there to confirm: pass --yes")
    click.echo(offer, err=True)
    if not click.confirm("Fetch it?", err=True):
        raise Refused("nothing was downloaded")


def _bring(it: Weights, lacking: Sequence[Pin], origin: Path | None) -> None:
    for pin in lacking:
        with output.progress(pin.name, pin.size) as step:
            if origin:
                it.copy(pin, origin, step)
            else:
                it.fetch(pin, step)


def _print_setup(it: Weights, fetched: Sequence[Pin]) -> None:
    from vaultmem.api import embedders

    choice = embedders.choice()
    used = (choice.kind, choice.where) == (it.kind, str(it.folder))
    result = {
        "model": it.model, "path": str(it.folder), "files": [pin.name for pin in fetched],
        "bytes": sum(pin.size for pin in fetched), "licence": it.licence, "used": used,
    }  # fmt: skip

    def say() -> None:
        output.say(f"{f'{it.model} is set up' if fetched else 'it is already there'}: {it.folder}")
        if choice.kind != it.kind:
            output.say(f"it is not used: {choice.why}")
        elif not used:
            output.say(f"it is not used, {choice.where} is: set VAULTMEM_MODEL_DIR={it.folder}")

    output.out(result, say)


# --- status -----------------------------------------------------------------------------------


@embedder.command()
@output.common
def status() -> None:
    """Show which embedder is in use, and whether it works."""
    from vaultmem.api import embedders

    found = embedders.status()
    output.out(found, lambda: _say_status(found))


def _say_status(found: EmbedderStatus) -> None:
    if found.kind == "none":
        output.say(f"none: {found.why}")
        return
    output.say(f"{found.kind}, {found.model}: {found.why}")
    output.say(f"  where    {found.where}")
    output.say(f"  space    {found.space}")
    if found.licence:
        output.say(f"  licence  {found.licence}")
    output.say(f"  answers  {_answers(found)}")


def _answers(found: EmbedderStatus) -> str:
    if not found.available:
        return f"no: {found.problem}"
    edition = f", edition {found.edition[:12]}" if found.edition else ""
    return f"in {found.milliseconds:g} ms, {found.dimensions} dimensions{edition}"


COMMANDS = {"embedder": embedder}
