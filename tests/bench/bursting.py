"""What a daemon does in a storm: many files at once, a checkout, an import.

    python tests/bench/bursting.py [--files 60000] [--notes 10000]

The system drops events of such a burst; what counts is that the index is whole soon after.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import corpus, timing
from tests.bench.living import saying, watched, written

_BOUND = 60.0
_CHECKED_OUT = 1000
_IMPORTED = 2000
_WRITER = """
import pathlib, sys
folder = pathlib.Path(sys.argv[1])
for n in range(int(sys.argv[2])):
    if n % 1000 == 0:
        (folder / str(n)).mkdir(parents=True)
        here = folder / str(n)
    (here / f"{n}.md").write_text(f"Leaf {n} of the tea garden.\\n")
"""


@click.command()
@click.option("--files", default=60_000, help="How many files come at once.")
@click.option("--notes", default=10_000, help="How many there are before.")
def main(files: int, notes: int) -> None:
    """Write many files beside a daemon, check out others, import a conversation."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:  # noqa: S108
        vault = written(Path(name), notes)
        with watched(vault) as daemon:
            time.sleep(60)
            _checkout(vault)
            _import(vault, Path(name))
            _burst(vault, files)
            click.echo(f"CPU of the daemon in all: {daemon.seconds():.1f} s")


def _burst(vault: Path, files: int) -> None:
    started = time.monotonic()
    argv = [sys.executable, "-c", _WRITER, str(vault / "topics/burst"), str(files)]
    subprocess.run(argv, check=True)
    written_in = time.monotonic() - started
    waited = _until(lambda: saying(vault, "Leaf % of the tea garden%") == files)
    click.echo(
        f"{files} files written in {written_in:.1f} s, "
        f"indexed {waited:.1f} s after (below {_BOUND:g} s)"
    )


def _checkout(vault: Path) -> None:
    """Have git rewrite a thousand notes, as another branch or a merge would."""
    git = ["git", "-C", str(vault), "-c", "commit.gpgSign=false"]
    for branch in ("Leaf", "Branch"):
        for n in range(_CHECKED_OUT):
            note = vault / f"topics/branch/{n}.md"
            note.parent.mkdir(exist_ok=True)
            note.write_text(f"{branch} {n}.\n", encoding="utf-8")
        subprocess.run([*git, "checkout", "-q", "-b", branch], check=True)
        subprocess.run([*git, "add", "topics/branch"], check=True)
        subprocess.run([*git, "commit", "-qm", branch], check=True)
    subprocess.run([*git, "checkout", "-q", "Leaf"], check=True)
    _until(lambda: saying(vault, "Leaf %") == _CHECKED_OUT)
    started = time.monotonic()
    subprocess.run([*git, "checkout", "-q", "Branch"], check=True)
    spent = time.monotonic() - started
    waited = _until(lambda: saying(vault, "Branch %") == _CHECKED_OUT)
    click.echo(
        f"git checkout of {_CHECKED_OUT} files in {spent:.1f} s, indexed {waited:.1f} s after"
    )


def _import(vault: Path, folder: Path) -> None:
    talk = folder / "talk.jsonl"
    lines = (json.dumps(turn.message()) for turn in corpus.turns(_IMPORTED, seed=99))
    talk.write_text("\n".join(lines) + "\n", encoding="utf-8")
    argv = [timing.VAULTMEM, "--vault", str(vault), "import", "jsonl", str(talk), "--agent", "cat"]
    started = time.monotonic()
    timing.output(argv, folder)
    spent = time.monotonic() - started
    done = timing.output([timing.VAULTMEM, "--vault", str(vault), "--json", "fsck"], folder)
    click.echo(f"import of {_IMPORTED} messages: {spent:.1f} s; fsck ok: {json.loads(done)['ok']}")


def _until(there: Callable[[], bool]) -> float:
    started = time.monotonic()
    while not there():
        time.sleep(0.2)
    return time.monotonic() - started


if __name__ == "__main__":
    main()
