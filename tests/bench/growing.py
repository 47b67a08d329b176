"""How the time of each command grows with what is remembered: a table and a log-log plot.

    python -m tests.bench.growing 1000 10000 100000 --svg growth.svg

Each command is a process of its own, asked of the vaults of all sizes in turn, so that what else
the machine does falls on all alike. The processor's seconds count those of git, too; of memory no
less is seen than this process has itself. `--folder` keeps the vaults, and what their imports took,
for the next time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain, count, islice
from pathlib import Path

from tests.bench import corpus
from tests.bench.bench import AGENT
from tests.bench.growth import Cost, Growth, head, row, svg
from tests.bench.timing import VAULTMEM
from vaultmem.records import iso

_SIZES = (1_000, 10_000, 100_000)
_INDEXING = (
    "import sys; from pathlib import Path; from tests.bench import baselines\n"
    "files = Path(sys.argv[2]).glob('agents/*/memories/**/*.md')\n"
    "baselines.plain_index(sys.argv[1], (it.read_text('utf-8') for it in files)).close()"
)
_QUESTION = "What did anyone say about the spare key?"
_UNIT = 1 if sys.platform == "darwin" else 1024


def spent(argv: Sequence[str], home: Path) -> Cost:
    """Run a command to its end; one that finds a problem, or nothing, has run as well."""
    env = os.environ | {"HOME": str(home), "PYTHONPYCACHEPREFIX": str(home / "bytecode")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # else each command compiles what it loads
    started = time.perf_counter()
    done = subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    if done.returncode not in {0, 1}:
        raise subprocess.CalledProcessError(done.returncode, argv)
    wall = time.perf_counter() - started
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * _UNIT)


# --- the vaults -------------------------------------------------------------------------------


def messages(conversations: Path | None, wanted: int) -> Iterator[Mapping[str, object]]:
    """Yield so many messages: those of *conversations* again and again, each time as new ones."""
    if conversations is None:
        return (turn.message() for turn in corpus.turns(wanted))
    files = sorted(conversations.glob("*.messages.jsonl"))
    said = [json.loads(line) for f in files for line in f.read_text("utf-8").splitlines()]
    rounds = ((again, it) for again in count() for it in said)
    return (_changed(it, again, n) for n, (again, it) in enumerate(islice(rounds, wanted)))


def _changed(said: Mapping[str, object], again: int, number: int) -> Mapping[str, object]:
    at = corpus.START.fromtimestamp(corpus.START.timestamp() + number * 1800, corpus.START.tzinfo)
    return {
        **said,
        "id": f"{said['id']}-{again}",
        "session": f"{said['session']}-{again}",
        "content": f"{said['content']} (no. {again})",
        "at": iso(at),
    }


def built(folder: Path, said: Iterable[Mapping[str, object]], size: int) -> tuple[Path, Cost]:
    """Return a vault of so many memories with its summaries, and what the import took."""
    vault, noted = folder / f"vault-{size}", folder / f"{size}.json"
    if not noted.exists():
        source = folder / f"{size}.jsonl"
        with source.open("w", encoding="utf-8") as stream:
            stream.writelines(f"{json.dumps(it)}\n" for it in said)
        spent([VAULTMEM, "init", str(vault)], folder)
        importing = [VAULTMEM, "--vault", str(vault), "import", "jsonl", str(source)]
        cost = spent([*importing, "--agent", AGENT], folder)
        # In a process of its own: what this one holds is seen in the memory of all it starts.
        database = folder / f"{size}.sqlite3"
        spent([sys.executable, "-c", _INDEXING, str(database), str(vault)], folder)
        noted.write_text(json.dumps(asdict(cost)), "utf-8")
    return vault, Cost(**json.loads(noted.read_text("utf-8")))


# --- the commands -----------------------------------------------------------------------------


def _vaultmem(*words: str) -> Callable[[Path, int], list[str]]:
    def argv(vault: Path, number: int) -> list[str]:
        return [VAULTMEM, "--vault", str(vault), *(word.format(n=number) for word in words)]

    return argv


def _plain_index(vault: Path, _number: int) -> list[str]:
    code = (
        "import sys; from contextlib import closing; from tests.bench import baselines; import"
        " sqlite3\nwith closing(sqlite3.connect(sys.argv[1])) as db:"
        f" baselines.best(db, {_QUESTION!r}, 10)"
    )
    number = vault.name.removeprefix("vault-")
    return [sys.executable, "-c", code, str(vault.with_name(f"{number}.sqlite3"))]


def _grep(vault: Path, _number: int) -> list[str]:
    tool = ["rg", "-il"] if shutil.which("rg") else ["grep", "-ril"]
    return [*tool, "-e", "spare", "-e", "key", str(vault / "agents")]


_COMMANDS: Mapping[str, Callable[[Path, int], list[str]]] = {
    "status": _vaultmem("status", "--json"),
    "recall": _vaultmem("recall", _QUESTION),
    "context": _vaultmem("context", "spare key", "--agent", AGENT, "--budget", "2000"),
    "remember": _vaultmem(
        *("remember", "Spare key {n} hangs behind the door.", "--agent", AGENT, "--again")
    ),
    "session turn": _vaultmem(
        *("session", "turn", "Turn {n}: the key again.", "--session", "s"),
        *("--role", "user", "--agent", AGENT),
    ),
    "task create": _vaultmem("task", "create", "Mend lock {n}"),
    "compact, nothing due": _vaultmem("compact", "--agent", AGENT),
    "watch --once": _vaultmem("watch", "--once"),
    "git status": lambda vault, _: ["git", "-C", str(vault), "status", "--porcelain"],
    "plain FTS5": _plain_index,
    "ripgrep" if shutil.which("rg") else "grep": _grep,
}


def _reindexed(vault: Path, number: int) -> list[str]:
    shutil.rmtree(vault / ".vaultmem/index")
    return _vaultmem("status")(vault, number)


def _synced(vault: Path, number: int) -> list[str]:
    bare, git = vault.with_suffix(".git"), ["git", "-C", str(vault)]
    if not bare.exists():
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(bare)], check=True)
        subprocess.run([*git, "remote", "add", "origin", str(bare)], check=True)
    return _vaultmem("sync", "--remote", "origin")(vault, number)


def _forgotten(vault: Path, number: int) -> list[str]:
    memory = next(vault.glob("agents/*/memories/*/*/*.md"))
    return _vaultmem("forget", memory.relative_to(vault).as_posix(), "--yes")(vault, number)


_ONCE: Mapping[str, Callable[[Path, int], list[str]]] = {
    "fsck": _vaultmem("fsck"),
    "dream plan": _vaultmem("dream", "plan"),
    "index made anew": _reindexed,
    "eval self, 50 probes": _vaultmem("eval", "self", "--probes", "50"),
    "sync, all pushed": _synced,
    "sync, nothing new": _synced,
    "forget": _forgotten,
}


def measured(vaults: Mapping[int, Path], rounds: int, home: Path) -> Iterator[Growth]:
    """Yield how each command grows, the slow ones after one run; all have run once before."""
    for name, argv in chain(_COMMANDS.items(), _ONCE.items()):
        costs: dict[int, list[Cost]] = {size: [] for size in vaults}
        for number in range(rounds + 1 if name in _COMMANDS else 1):
            for size, vault in vaults.items():
                costs[size].append(spent(argv(vault, number), home))
        yield Growth(name, {size: _median(seen[1:] or seen) for size, seen in costs.items()})


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(it.wall for it in costs),
        statistics.median(it.cpu for it in costs),
        max(it.peak for it in costs),
    )


def main() -> None:
    """Build the vaults, measure, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sizes", nargs="*", type=int, default=_SIZES)
    parser.add_argument(
        "--conversations", type=Path, help="*.messages.jsonl, repeated with changes"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--folder", type=Path, help="keep the vaults here, and use those there are")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vaultmem-growing-") as work:
        home = asked.folder or Path(work)
        made = {n: built(home, messages(asked.conversations, n), n) for n in asked.sizes}
        imports = Growth("import, all of it", {n: cost for n, (_, cost) in made.items()})
        vaults = {n: vault for n, (vault, _) in made.items()}
        sys.stdout.write(head(asked.sizes))
        growths: list[Growth] = []
        for it in chain([imports], measured(vaults, asked.rounds, home)):
            growths.append(it)
            sys.stdout.write(row(it))
            sys.stdout.flush()
            if asked.svg:  # as far as it has come: the last rows take longest
                asked.svg.write_text(svg(growths), "utf-8")


if __name__ == "__main__":
    main()
