"""`check`: what is wrong with a vault's files, for people, CI and code hosts."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vaultmem.api.types import Finding

_PROBLEM = 1
_LOOKED = "nothing was changed; `vaultmem check` begins anew"
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@click.command()
@output.common
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif", "github"]),
              default="text", show_default=True,
              help="For people, programs, code scanning, or a GitHub workflow's log.")  # fmt: skip
def check(form: str) -> int:
    """Check each file of the vault, as a team's CI does; exit 1 if there are problems.

    Frontmatter, links, ids, sizes, credentials, private parts, hidden characters, the budget of
    MEMORY.md, wrong or mistyped settings, and all that `fsck` proves. Nothing in the vault is
    changed. For people paths count from the folder that the command runs in, for code scanning and
    workflows from the top of the git repository.
    """
    from vaultmem.api import unopened

    if it := unopened.look(output.where()):
        return _tell(form, it.found, it.folder_in_repository, it.path)
    with output.interruptible(_LOOKED), output.vault() as vault:
        checks = vault.checks
        with output.tally("reading") as told:
            found = checks.lint(told, told.phase)
        return _tell(form, found, checks.folder_in_repository, vault.path)


def _tell(form: str, found: Sequence[Finding], folder: str, vault: Path) -> int:
    """Print what was *found* in the *vault*, which is that *folder* of its repository."""
    here = _way_to(vault)
    chosen = "json" if output.shared().json else form
    before = here if chosen == "text" else folder if chosen in _OF_A_REPOSITORY else ""
    _FORMATS[chosen](tuple(replace(it, path=f"{before}{it.path}") for it in found))
    return _PROBLEM if found else 0


def _way_to(vault: Path) -> str:
    """Return how a path of the *vault* begins for who stands in this folder.

    The whole path where the folder lies neither above nor below it.
    """
    root = vault.resolve()
    with suppress(FileNotFoundError):  # who stands in a folder that is gone has the whole path
        here = Path.cwd()
        if here.is_relative_to(root):
            return "../" * len(here.relative_to(root).parts)
        if root.is_relative_to(here):
            return f"{root.relative_to(here)}/"
    return f"{root}/"


def _as_text(found: Sequence[Finding]) -> None:
    for it in found:
        output.line(f"{it.path or 'vault'}:{it.line}: {it.code}: {_said(it)}")
    output.say(output.count(len(found), "problem") if found else "ok")


def _as_json(found: Sequence[Finding]) -> None:
    _print({"ok": not found, "problems": [asdict(it) for it in found]})


def _as_sarif(found: Sequence[Finding]) -> None:
    """Print the static analysis results interchange format, 2.1.0 (OASIS)."""
    from vaultmem import __version__

    rules = [{"id": code} for code in sorted({it.code for it in found})]
    results = [
        {
            "ruleId": it.code,
            "level": "error",
            "message": {"text": _said(it)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _address(it.path)},
                        "region": {"startLine": it.line},
                    }
                }
            ],
        }
        for it in found
    ]
    driver = {"name": "vaultmem", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "results": results}
    _print({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _as_github(found: Sequence[Finding]) -> None:
    """Print commands of a workflow, which annotate lines of a change."""
    for it in found:
        place = f"file={_property(it.path or '.')},line={it.line},title={_property(it.code)}"
        click.echo(f"::error {place}::{_data(_said(it))}")


def _said(it: Finding) -> str:
    return "; ".join(filter(None, (it.message, it.repair)))


def _address(path: str) -> str:
    from urllib.parse import quote

    return quote(path or ".", errors="surrogateescape")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _print(value: object) -> None:
    click.echo(json.dumps(value))


_FORMATS: Mapping[str, Callable[[Sequence[Finding]], None]] = {
    "text": _as_text, "json": _as_json, "sarif": _as_sarif, "github": _as_github,
}  # fmt: skip

_OF_A_REPOSITORY = frozenset({"sarif", "github"})
"""What names files as the repository does that the vault may be a folder of."""

COMMANDS = {"check": check}
