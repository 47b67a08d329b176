"""`embedder`: fetch the model that turns texts into vectors, and see which one does."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output

if TYPE_CHECKING:
    from vaultmem.models.embeddings import Choice, Embedder
    from vaultmem.models.embeddings.minilm.model_files import Pin
    from vaultmem.models.providers.environment import Surroundings

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
    from vaultmem.models.embeddings.minilm import download
    from vaultmem.models.providers import endpoint

    where = (folder or embeddings.folder(_surroundings(), Path.home())).absolute()
    shop = source or download.SOURCE
    if not endpoint.is_web(shop):
        raise click.BadParameter("it takes a web address", param_hint="--source")
    lacking = download.lacking(where)
    if lacking:
        _consent(_offer(lacking, str(origin or download.page(shop)), where), yes=yes)
        _bring(lacking, origin, shop, where)
    _prove(where)
    _tell_setup(where, lacking)


def _surroundings() -> Surroundings:
    from vaultmem.models.providers.environment import surroundings

    return surroundings(os.environ, Path.home())


def _offer(lacking: list[Pin], origin: str, where: Path) -> str:
    from vaultmem.models.embeddings.minilm import model_files

    size = sum(pin.size for pin in lacking) / _MEGA
    return (
        f"{model_files.MODEL} turns texts into vectors on this machine; no text leaves it.\n"
        f"  from     {origin} (revision {model_files.REVISION[:8]})\n"
        f"  files    {', '.join(pin.name for pin in lacking)}: {size:.1f} MB\n"
        f"  licence  {model_files.LICENCE}\n"
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


def _bring(lacking: list[Pin], origin: Path | None, source: str, where: Path) -> None:
    from vaultmem.models.embeddings.minilm import download

    for pin in lacking:
        with output.progress(pin.name, pin.size) as told:
            if origin:
                download.copy(pin, origin, where, told)
            else:
                download.fetch(pin, source, where, told)


def _prove(where: Path) -> None:
    """Prove it now, so that no question waits for that."""
    from vaultmem.models import embeddings
    from vaultmem.models.embeddings.minilm import model_files
    from vaultmem.models.embeddings.minilm.digest_cache import Verified

    if found := model_files.find(where):
        model_files.verify(found, Verified(embeddings.cache(_surroundings())))


def _tell_setup(where: Path, fetched: list[Pin]) -> None:
    from vaultmem.models import embeddings
    from vaultmem.models.embeddings.minilm import model_files

    choice = embeddings.choose(_surroundings(), Path.home())
    used = (choice.kind, choice.where) == ("minilm", str(where))
    result = {
        "model": model_files.MODEL, "path": str(where), "files": [pin.name for pin in fetched],
        "bytes": sum(pin.size for pin in fetched), "licence": model_files.LICENCE, "used": used,
    }  # fmt: skip
    output.out(result, lambda: _say_setup(where, choice, fetched=bool(fetched), used=used))


def _say_setup(where: Path, choice: Choice, *, fetched: bool, used: bool) -> None:
    output.say(f"{'all-MiniLM-L6-v2 is set up' if fetched else 'it is there already'}: {where}")
    if choice.kind != "minilm":
        output.say(f"it is not used: {choice.why}")
    elif not used:
        output.say(f"it is not used, {choice.where} is: set VAULTMEM_MODEL_DIR={where}")


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


def _probed(choice: Choice, it: Embedder | None) -> _Status:
    from dataclasses import replace
    from time import perf_counter

    from vaultmem.errors import ModelAway
    from vaultmem.models.embeddings.minilm import model_files

    found = _Status(choice.kind, choice.model, choice.where, choice.why)
    if it is None:
        return found
    licence = model_files.LICENCE if choice.kind == "minilm" else ""
    found = replace(found, space=it.space, licence=licence)
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
