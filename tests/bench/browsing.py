"""How long the server of the pages takes for each of them, and how much it sends.

    python tests/bench/browsing.py [--memories 10000] [--runs 5] [--vault FOLDER]

Times are what the server takes from a request to the whole answer, in this process: by the clock,
and of processors, those of git too, which tells more where others are at work beside. Sizes are
those of the page, compressed. A vault is made unless there is one.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import click

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import corpus
from tests.web_client import Browser, browsing
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.api.types import TopicPatch
from vaultmem.records import utc_now

_PAGES = (
    "/", "/timeline", "/search?q=river+and+bread", "/cards", "/topics", "/sessions", "/tasks",
    "/graph", "/review", "/dreams", "/history", "/health", "/folder/", "/moments",
)  # fmt: skip


@click.command()
@click.option("--vault", type=click.Path(exists=True, path_type=Path), help="One that is there.")
@click.option("--memories", default=10_000, show_default=True, help="How many are made else.")
@click.option("--runs", default=5, show_default=True, help="Of each page.")
@click.option("--keep", type=click.Path(path_type=Path), help="Where the vault that is made stays.")
def main(vault: Path | None, memories: int, runs: int, keep: Path | None) -> None:
    """Ask for each page several times."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:  # a real disk
        folder = vault or _made(Path(name), memories)
        if keep and not vault:
            shutil.copytree(folder, keep, copy_function=shutil.copy2)
        with Vault.open(folder) as opened, opened.views.at() as view:
            counts = dict(view.counts())
            memory = view.records("memory", newest=1)[0].path
            told = [r.path for r in view.records("summary") if r.tier == "longterm"]
        click.echo(", ".join(f"{number} {kind}" for kind, number in counts.items()))
        with browsing(folder) as browser:
            for path in (*_PAGES, f"/file/{memory}", *(f"/file/{it}" for it in told[:1])):
                _told(browser, path, runs)


def _made(folder: Path, memories: int) -> Path:
    made, talk = folder / "vault", folder / "talk.jsonl"
    create.create(made, utc_now)
    with talk.open("w") as out:
        for turn in corpus.turns(memories):
            out.write(json.dumps(turn.message()) + "\n")
    with Vault.open(made) as vault:
        vault.import_files("jsonl", [talk], agent="ada")
        for n in range(60):
            vault.topics.set(f"Subject {n}", TopicPatch((f"Fact {n} about the river.",)))
        vault.tasks.create("Buy an oven")
        vault.tick()
    return made


def _told(browser: Browser, path: str, runs: int) -> None:
    browser.page(path)
    times, work = [], []
    for _ in range(runs):
        start, before = time.perf_counter(), _processors()
        text = browser.page(path)
        times.append(1000 * (time.perf_counter() - start))
        work.append(1000 * (_processors() - before))
    size = len(gzip.compress(text.encode()))
    median = statistics.median(times)
    click.echo(
        f"{median:8.1f} ms  {max(times):8.1f} at most  {statistics.median(work):7.1f} of processors"
        f"  {size / 1024:6.1f} KB  {path[:60]}"
    )


def _processors() -> float:
    """Return the seconds of processors that this process and its children have had."""
    own = time.process_time()
    it = os.times()
    return own + it.children_user + it.children_system


if __name__ == "__main__":
    main()
