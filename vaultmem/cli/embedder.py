"""`embedder`: fetch the model that turns texts into vectors, and see which one does."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output

if TYPE_CHECKING:
    from vaultmem.api.types import Embedder, EmbedderChoice
    from vaultmem.models.embeddings import Kind, Pin, Setup
    from vaultmem.models.providers.types import Surroundings

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
    from vaultmem.models import embeddings
    from vaultmem.models.providers import endpoint

    kind, it = embeddings.setup()
    where = (folder or it.folder(_surroundings(), Path.home())).absolute()
    shop = source or it.source
    if not endpoint.is_web(shop):
        raise click.BadParameter("it takes a web address", param_hint="--source")
    lacking = it.lacking(where)
    if lacking:
        _consent(_offer(it, lacking, str(origin or it.page(shop)), where), yes=yes)
        _bring(it, lacking, origin, shop, where)
    it.prove(where, _surroundings())  # now, so that no question waits for that
    _tell_setup(kind, it, where, lacking)


def _surroundings() -> Surroundings:
    from vaultmem.models.environment import surroundings

    return surroundings(os.environ, Path.home())


def _offer(it: Setup, lacking: Sequence[Pin], origin: str, where: Path) -> str:
    size = sum(pin.size for pin in lacking) / _MEGA
    return (
        f"{it.model} turns texts into vectors on this machine; no text leaves it.\n"
        f"  from     {origin} (revision {it.revision[:8]})\n"
        f"  files    {', '.join(pin.name for pin in lacking)}: {size:.1f} MB\n"
        f"  licence  {it.licence}\n"
        f"  to       {where}"
    )


def _consent(offer: str, *, yes: bool) -> None:
    """Show the *offer*, on stderr, and return if it is taken; raises Refused if not."""
    from vaultmem.errors import Refused

    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError("nobody is there to agree: pass --yes")
    click.echo(offer, err=True)
    if not click.confirm("Fetch it?", err=True):
        raise Refused("nothing was fetched")


def _bring(
    it: Setup, lacking: Sequence[Pin], origin: Path | None, source: str, where: Path
) -> None:
    for pin in lacking:
        with output.progress(pin.name, pin.size) as told:
            if origin:
                it.copy(pin, origin, where, told)
            else:
                it.fetch(pin, source, where, told)


def _tell_setup(kind: Kind, it: Setup, where: Path, fetched: Sequence[Pin]) -> None:
    from vaultmem.models import embeddings

    choice = embeddings.choose(_surroundings(), Path.home())
    used = (choice.kind, choice.where) == (kind.name, str(where))
    result = {
        "model": it.model, "path": str(where), "files": [pin.name for pin in fetched],
        "bytes": sum(pin.size for pin in fetched), "licence": it.licence, "used": used,
    }  # fmt: skip

    def say() -> None:
        output.say(f"{f'{it.model} is set up' if fetched else 'it is there already'}: {where}")
        if choice.kind != kind.name:
            output.say(f"it is not used: {choice.why}")
        elif not used:
            output.say(f"it is not used, {choice.where} is: set VAULTMEM_MODEL_DIR={where}")

    output.out(result, say)


# --- status -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Status:
    """Who embeds, and what a probe of it came to."""

    kind: str
    model: str
    where: str
    why: str
    available: bool = False
    problem: str = ""
    space: str = ""
    edition: str = ""
    licence: str = ""
    dimensions: int = 0
    milliseconds: float = 0.0


@embedder.command()
@output.common
def status() -> None:
    """Show which embedder is in use, and whether it works."""
    from vaultmem.models import embeddings

    around = _surroundings()
    choice = embeddings.choose(around, Path.home())
    found = _probed(choice, embeddings.build(choice, around))
    output.out(found, lambda: _say_status(found))


def _probed(choice: EmbedderChoice, it: Embedder | None) -> _Status:
    from dataclasses import replace
    from time import perf_counter

    from vaultmem.errors import ModelAway
    from vaultmem.models import embeddings

    found = _Status(choice.kind, choice.model, choice.where, choice.why)
    if it is None:
        return found
    found = replace(found, space=it.space, licence=embeddings.kind(choice.kind).licence)
    began = perf_counter()
    try:
        size = len(it.query("Does anybody answer?"))
        took = round((perf_counter() - began) * 1000, 1)
        return replace(
            found, available=True, edition=it.edition(), dimensions=size, milliseconds=took
        )
    except ModelAway as e:
        return replace(found, problem=str(e))


def _say_status(found: _Status) -> None:
    if found.kind == "none":
        output.say(f"none: {found.why}")
        return
    output.say(f"{found.kind}, {found.model}: {found.why}")
    output.say(f"  where    {found.where}")
    output.say(f"  space    {found.space}")
    if found.licence:
        output.say(f"  licence  {found.licence}")
    output.say(f"  answers  {_answers(found)}")


def _answers(found: _Status) -> str:
    if not found.available:
        return f"no: {found.problem}"
    edition = f", edition {found.edition[:12]}" if found.edition else ""
    return f"in {found.milliseconds:g} ms, {found.dimensions} dimensions{edition}"


COMMANDS = {"embedder": embedder}
