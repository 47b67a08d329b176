"""What `watch` does beside parsing: logs, the answers to notes, how the system starts it."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import click

from vaultmem import cli
from vaultmem.api.vault import Vault
from vaultmem.cli import output
from vaultmem.daemon import loop, service_files
from vaultmem.daemon.inbox import Inbox
from vaultmem.records import Problem


def once() -> None:
    """Do one round and print what it did."""
    with output.vault() as vault:
        done = vault.tick()
        answers = _inbox(vault.path).answer_all(vault)
    made, folded = done.condensed.compactions, done.condensed.folded
    commits = [*done.commits, *([done.edits] if done.edits else [])]
    counts = [output.count(len(made), "compaction"), output.count(len(commits), "commit")]
    if folded:
        counts.insert(1, f"{len(folded)} folded")
    if done.ticked:
        counts.append(f"{done.ticked} ticked changes applied")
    if answers:
        counts.append(f"{output.count(answers, 'note')} answered")
    result = {
        "compactions": [c.recent for c in made], "folded": folded, "commits": commits,
        "ticked": done.ticked, "answers": answers, "problems": (*done.delays, *done.left),
    }  # fmt: skip
    output.out(result, lambda: _show(", ".join(counts), (*done.delays, *done.left)))


def _show(did: str, problems: Sequence[Problem]) -> None:
    output.say(did)
    for problem in problems:
        output.line(f"! {problem.path or 'vault'}: {problem.message}; {problem.repair}")


def run_forever(*, with_parent: bool) -> None:
    """Watch the vault until somebody says to stop; tell on stderr what is done."""
    _log_to_stderr()
    path = _vault()
    done = loop.run(lambda: Vault.open(path), _inbox(path), with_parent=with_parent)
    output.out({what: done[what] for what in ("compactions", "commits", "answers")}, lambda: None)


def _inbox(path: Path) -> Inbox:
    known = frozenset(name for name in cli.COMMANDS if name.startswith("@"))
    return Inbox(known, lambda argv: answer(path, argv))


def _vault() -> Path:
    with Vault.open(output.where()) as found:
        return found.path


def _log_to_stderr() -> None:
    formatter = logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%SZ")
    formatter.converter = time.gmtime
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(formatter)
    log = logging.getLogger("vaultmem")
    log.setLevel(logging.DEBUG if output.shared().verbose else logging.INFO)
    log.addHandler(lines)
    # It tells of lost events, which the next look makes good, and of those it meets while it stops.
    logging.getLogger("watchdog").setLevel(logging.CRITICAL)


def answer(path: Path, argv: list[str]) -> str:
    """Return what a command prints that is run on the vault at *path*, or why it does not work."""
    name, *rest = argv
    printed, wrong = StringIO(), StringIO()
    with redirect_stdout(printed), redirect_stderr(wrong):
        code = cli.run([name, "--vault", str(path), *rest])
    return wrong.getvalue().removeprefix("vaultmem: ") if code else printed.getvalue()


def print_unit(kind: str) -> None:
    """Print the unit of *kind* for this program and this vault; it is installed nowhere."""
    made = {"systemd": service_files.systemd, "launchd": service_files.launchd}[kind]
    program = Path(shutil.which(sys.argv[0]) or sys.argv[0]).absolute()
    text = made(program, _vault())
    output.out({"kind": kind, "unit": text}, lambda: click.echo(text, nl=False))
