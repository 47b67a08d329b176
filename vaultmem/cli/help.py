"""`help`: the manual that comes with the program, page by page."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output
from vaultmem.errors import BadInput

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_FORMAT = "format"
"""The README of every vault, which is no page of the manual's folder."""

_WIDTH = 100
"""Columns at most: longer lines are hard to read."""


@click.command("help")
@output.common
@click.argument("topic", required=False, default="")
def help_(topic: str) -> None:
    """Show the manual's page on TOPIC, or list all pages."""
    known = pages()
    if not topic:
        first_lines = {name: _text(page).partition("\n")[0] for name, page in known.items()}
        titles = {name: line.removeprefix("# ") for name, line in first_lines.items()}
        output.out(titles, lambda: _show_titles(titles))
        return
    if topic not in known:
        raise BadInput(_unknown(topic))
    text = _text(known[topic])
    output.out({"topic": topic, "text": text}, lambda: _show(text))


def pages() -> dict[str, Traversable | None]:
    """Return the manual's pages by name; the specification of the format stands elsewhere."""
    found = files("vaultmem").joinpath("manual").iterdir()
    named = {p.name.removesuffix(".md"): p for p in found} | {_FORMAT: None}
    return dict(sorted(named.items()))


def _text(page: Traversable | None) -> str:
    if page:
        return page.read_text("utf-8")
    from vaultmem.api import create

    return create.specification()


def _show_titles(titles: dict[str, str]) -> None:
    output.table(("topic", "what it tells"), titles.items())
    output.say("\n`vaultmem help TOPIC` shows a page, `vaultmem COMMAND --help` the options.")


def _unknown(topic: str) -> str:
    from vaultmem.cli import COMMANDS

    more = f"{topic} --help` tells its options" if topic in COMMANDS else "help` lists its pages"
    return f"the manual has no page on {output.quoted(topic)}; `vaultmem {more}"


def _show(text: str) -> None:
    if not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text), width=min(_WIDTH, console.width))


COMMANDS = {"help": help_}
