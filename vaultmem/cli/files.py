"""`show`, `edit`, `open`: one file of the vault, by whatever names it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output, references
from vaultmem.errors import BadInput, Refused, StaleWrite, VaultError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.api.types import Draft, Record
    from vaultmem.api.vault import Vault
    from vaultmem.api.views.types import ViewedFile

_WIDTH = 100
_SHOWN = 8
_SOON = 5
"""Seconds in which xdg-open says that it has nothing to open a file with."""

_ref = click.argument("ref", nargs=-1, required=True)


@click.command()
@output.common
@_ref
@click.option("--raw", is_flag=True, help="Print the file as it is, without a pager.")
def show(ref: tuple[str, ...], *, raw: bool) -> None:
    """Show the file that REF names.

    REF is an id or the last six letters of one, a path, a name, a [[link]], a card's category/key,
    a title, an alias, or the number of a task; a heading (#...) or a line (:12) may stand behind
    it. On a terminal the file is rendered from there on, in a pager where it is long; else all of
    it is printed. Private parts and credentials are left out.
    """
    with output.vault() as vault:
        found, place = _file(vault, " ".join(ref))
    shown = {
        "path": found.path, "id": found.record.id, "type": found.record.type,
        "text": found.text, "held": found.held, "sha256": found.sha256,
    }  # fmt: skip
    output.out(shown, lambda: _print(found, place, raw=raw))


@click.command()
@output.common
@_ref
@click.option("--reason", default="", help="Why, for the history.")
def edit(ref: tuple[str, ...], reason: str) -> None:
    """Edit the file that REF names in $EDITOR, and commit it as yours.

    REF is as in `show`. A mark stands for each private part and credential, and stays. What
    somebody else wrote meanwhile is not overwritten, and a file that can be read is not made one
    that cannot: your text is kept apart then. A memory is never rewritten: `correct` it.
    """
    if not (_has_editor() or (sys.stdin.isatty() and sys.stdout.isatty())):
        raise BadInput(
            "here is no terminal for an editor; nothing was changed: run it in one, or set EDITOR"
            " to an editor that needs none"
        )
    with output.vault() as vault:
        found = _one(vault, " ".join(ref))
        if why_not := vault.edits.why_not(found.path, found.type):
            raise BadInput(f"{found.path} is not edited: {why_not}")
        draft = vault.edits.draft(found.path)
    text = _typed(draft)
    if text in {draft.text, f"{draft.text}\n"}:
        output.out({"path": draft.path, "changed": False}, lambda: output.line("nothing changed"))
        return
    try:
        with output.vault() as vault:
            made = vault.edits.save(draft, text, reason=reason)
    except VaultError as e:
        why = f"{draft.path} was changed meanwhile" if isinstance(e, StaleWrite) else str(e)
        raise _kept(why, draft.path, text.encode()) from e
    said = {"path": made.path, "changed": True, "commit": made.commit, "sha256": made.sha256,
            "uncommitted": made.uncommitted}  # fmt: skip
    at = f", commit {made.commit[:12]}" if made.commit else ""
    output.out(said, lambda: output.line(f"{made.path}: written{at}"))
    if made.uncommitted and not output.shared().json:
        output.note(made.uncommitted)


def _typed(found: Draft) -> str:
    """Return the text as a person left it in their editor.

    Raises BadInput where none opens, Refused where the text is of no use, but kept.
    """
    import tempfile

    before = found.text.encode("utf-8", "surrogateescape")
    with tempfile.TemporaryDirectory(prefix="vaultmem-") as folder:
        draft = Path(folder) / Path(found.path).name
        draft.write_bytes(before)
        failed = _edited(draft, found.path)
        if not draft.is_file():
            raise BadInput(f"the editor left no file for {found.path}; nothing was changed")
        after = draft.read_bytes()
    if failed and after == before:
        raise BadInput(
            f"the editor failed ({failed}): {found.path} is as it was; run it again, or set EDITOR"
            " to another"
        )
    if failed:
        raise _kept(f"{found.path} is as it was: {failed}", found.path, after)
    try:
        return after.decode()
    except UnicodeDecodeError as e:
        why = f"{found.path} is as it was, since what the editor saved is not UTF-8 ({e.reason})"
        raise _kept(why, found.path, after) from e


def _has_editor() -> bool:
    """Tell whether somebody named the editor; else one is looked for, which wants a terminal."""
    return any(map(os.environ.get, ("VISUAL", "EDITOR")))


def _edited(draft: Path, path: str) -> str:
    """Let a person edit *draft*, which is of *path*; return why that failed, "" where it did not.

    Raises BadInput where no editor starts.
    """
    try:
        click.edit(filename=str(draft))
    except (click.ClickException, ValueError) as e:  # ValueError: a quote in $EDITOR has no end
        if not isinstance(e, ValueError) and not isinstance(e.__cause__, OSError):
            return str(e)
        raise BadInput(
            f"no editor could be started for {path} ({e}); nothing was changed: set EDITOR to one"
            " that is here, as in `EDITOR=nano vaultmem edit …`"
        ) from e
    return ""


@click.command("open")
@output.common
@_ref
@click.option(
    "--with", "program", type=click.Choice(["auto", "obsidian", "system"]), default="auto",
    help="Obsidian, or what the system opens such a file with. auto: Obsidian where it has"
    " opened the vault before.",
)  # fmt: skip
@click.option("--print", "is_printed", is_flag=True, help="Print the address, and open nothing.")
def open_(ref: tuple[str, ...], program: str, *, is_printed: bool) -> None:
    """Open the file that REF names in Obsidian or another program.

    REF is as in `show`.
    """
    from vaultmem.api import location

    with output.vault() as vault:
        path = vault.path / _one(vault, " ".join(ref)).path
        has_opened = (vault.path / ".obsidian/workspace.json").exists()
    in_obsidian = program == "obsidian" or (program == "auto" and has_opened)
    address = location.in_obsidian(path) if in_obsidian else str(path)
    if not is_printed and not _launched(address):
        other = "`--with system` asks the system, " if in_obsidian else ""
        raise BadInput(f"no program here opens {address}: {other}`show` prints the file")
    output.out({"path": str(path), "address": address}, lambda: output.line(address))


def _launched(address: str) -> bool:
    """Let the system open *address*; tell whether it did, as far as it says so soon."""
    import subprocess

    if sys.platform != "linux":
        return click.launch(address) == 0
    try:
        # Where no desktop runs, xdg-open stays as long as the program that it starts.
        # What it says of each program that it missed is not for a person to read.
        opener = subprocess.Popen(["xdg-open", address], stderr=subprocess.DEVNULL)
        return opener.wait(_SOON) == 0
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False


# --- what a REF names -----------------------------------------------------------------------------


def _file(vault: Vault, ref: str) -> tuple[ViewedFile, str]:
    """Return the file that *ref* names, and the place in it that stands behind its name."""
    path = _one(vault, ref).path
    with vault.views.at() as view:
        return view.file(path), view.place(references.in_vault(vault, ref))


def _one(vault: Vault, ref: str) -> Record:
    """Return what *ref* names; of several a person at a terminal chooses. Raises BadInput."""
    if not ref.strip():
        raise BadInput("which file? name it by its id, path or title")
    with vault.views.at() as view:
        found = view.named(references.in_vault(vault, ref))
    if not found:
        raise BadInput(
            f"nothing here is called {output.quoted(ref)}: `vaultmem recall` gives ids and paths"
        )
    if len(found) == 1:
        return found[0]
    if output.shared().json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        paths = ", ".join(r.path for r in found[:_SHOWN])
        raise BadInput(
            f"{output.quoted(ref)} names {len(found)} files: name one by its path ({paths})"
        )
    return _chosen(ref, found)


def _chosen(ref: str, found: Sequence[Record]) -> Record:
    click.echo(f"{output.quoted(ref)} names {len(found)} files:", err=True)
    for number, record in enumerate(found, 1):
        about = " ".join(filter(None, (output.day(record.created), record.title)))
        click.echo(output.shown(f"  {number}  {record.path}  {about}"), err=True)
    said = click.prompt(
        "Which (Enter: none)", default="", show_default=False, value_proc=_number, err=True
    )
    if said > len(found):
        raise BadInput(f"{ref!r} names {len(found)} files, and {said} is none of them")
    if not said:
        raise BadInput(f"{ref!r} names {len(found)} files, and none was chosen")
    return found[said - 1]


def _number(said: str) -> int:
    """Return the number that a person typed, 0 for none."""
    if said.strip() in {"", "q"}:
        return 0
    if not said.strip().isdecimal():
        raise click.BadParameter(f"{said!r} is no number: Enter leaves")
    return int(said)


# --- to a person ----------------------------------------------------------------------------------


def _print(found: ViewedFile, place: str, *, raw: bool) -> None:
    from vaultmem.api.views import places

    line = places.line_of(found, place) if place else 1
    if raw or not sys.stdout.isatty():
        output.say(found.text, nl=not found.text.endswith("\n"))
    else:
        _page(_rendered(found, line or 1))
    if line is None:
        kind = "line" if place.startswith(":") else "heading"
        output.note(f"{found.path} has no {kind} {output.quoted(place[1:])}: here is all of it")
    if found.held:
        output.note(f"{found.path}: parts that are {found.held} are left out here")


def _page(text: str) -> None:
    """Print *text*, in a pager where it is longer than the terminal and a pager is there."""
    import shutil

    fits = text.count("\n") < shutil.get_terminal_size().lines
    pager = os.environ.get("PAGER", "").split()
    if fits or (pager and not shutil.which(pager[0])):
        click.echo(text, nl=False)
    else:
        click.echo_via_pager(text)


def _rendered(found: ViewedFile, line: int) -> str:
    """Return what a terminal shows of *found*, from *line* of it on."""
    from rich.console import Console
    from rich.text import Text

    from vaultmem.cli.terminal_markdown import TerminalMarkdown

    console = Console()
    with console.capture() as drawn:
        console.print(Text(found.path, style="bold"), soft_wrap=True)  # to be copied whole
        for name, value in found.properties.items():
            said = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            console.print(Text(output.shown(f"{name}: {said}"), style="bright_black"))
        console.print()
        body = TerminalMarkdown(output.shown(found.body), max(0, line - found.body_line))
        console.print(body, width=min(_WIDTH, console.width))
    return drawn.get()


def _kept(why: str, path: str, typed: bytes) -> Refused:
    """Return what says *why* nothing was written, and where is kept what was *typed*."""
    import tempfile

    if not typed.strip():
        return Refused(why)
    with tempfile.NamedTemporaryFile(
        prefix="vaultmem-", suffix=Path(path).suffix, delete=False
    ) as kept:
        kept.write(typed)
    return Refused(f"{why}; what you typed is kept in {kept.name}")


COMMANDS = {"show": show, "edit": edit, "open": open_}
