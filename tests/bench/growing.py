"""How the time of each command grows with what is remembered: a table and a log-log plot.

    python -m tests.bench.growing 1000 10000 100000 --svg growth.svg

Each command is a process of its own, asked of the vaults of all sizes in turn, so that what else
the machine does falls on all alike. The processor's seconds count those of git, too; of memory no
less is seen than this process has itself. The exponent is the slope of the logarithm of seconds
over that of memories: 0 costs the same at any size, 1 grows with the vault.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path

from tests.bench import baselines, corpus
from tests.bench.bench import AGENT
from tests.bench.timing import VAULTMEM
from vaultmem.records import iso

_SIZES = (1_000, 10_000, 100_000)
_QUESTION = "What did anyone say about the spare key?"
_UNIT = 1 if sys.platform == "darwin" else 1024
_WIDTH, _HEIGHT, _MARGIN, _LEGEND = 640, 400, 50, 190
_COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process took: wall and processor seconds, and memory at its peak in bytes."""

    wall: float
    cpu: float
    peak: int


@dataclass(frozen=True, slots=True)
class Growth:
    """The median costs of one command, by how many memories there are."""

    name: str
    costs: Mapping[int, Cost]

    @property
    def exponent(self) -> float:
        """The slope of the processor's seconds, both ways logarithmic."""
        return slope([(n, cost.cpu) for n, cost in self.costs.items()])


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the least squares through the logarithms of *points*; 0 of one point."""
    xs, ys = ([math.log(max(p[axis], 1e-9)) for p in points] for axis in (0, 1))
    return statistics.linear_regression(xs, ys).slope if len(points) > 1 else 0.0


def spent(argv: Sequence[str], home: Path) -> Cost:
    """Run a command to its end; one that finds a problem, or nothing, has run as well."""
    env = os.environ | {"HOME": str(home), "PYTHONPYCACHEPREFIX": str(home / "bytecode")}
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
    """Return a new vault of so many memories with its summaries, and what the import took."""
    source, vault = folder / f"{size}.jsonl", folder / f"vault-{size}"
    source.write_text("".join(f"{json.dumps(it)}\n" for it in said), "utf-8")
    spent([VAULTMEM, "init", str(vault)], folder)
    importing = [VAULTMEM, "--vault", str(vault), "import", "jsonl", str(source)]
    cost = spent([*importing, "--agent", AGENT], folder)
    with closing(baselines.plain_index(folder / f"{size}.sqlite3", _texts(vault))):
        pass
    return vault, cost


def _texts(vault: Path) -> Iterator[str]:
    return (file.read_text("utf-8") for file in vault.glob("agents/*/memories/**/*.md"))


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
    "remember": _vaultmem("remember", "Spare key {n} hangs behind the door.", "--agent", AGENT),
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
_ONCE: Mapping[str, Callable[[Path, int], list[str]]] = {
    "fsck": _vaultmem("fsck"),
    "dream plan": _vaultmem("dream", "plan"),
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


# --- what is shown ----------------------------------------------------------------------------


def table(growths: Sequence[Growth]) -> str:
    """Return a table in Markdown: wall ms, processor ms and MB at each size, and the exponent."""
    sizes = list(growths[0].costs)
    heads = [f"{size:,}".replace(",", " ") for size in sizes]
    rows = [
        f"| ms (processor ms; MB) | {' | '.join(heads)} | exponent |",
        "|---" * (len(sizes) + 2) + "|",
    ]
    for it in growths:
        cells = (
            f"{c.wall * 1000:.0f} ({c.cpu * 1000:.0f}; {c.peak / 1e6:.0f})"
            for c in it.costs.values()
        )
        rows.append(f"| {it.name} | {' | '.join(cells)} | {it.exponent:.2f} |")
    return "\n".join(rows) + "\n"


def svg(growths: Sequence[Growth]) -> str:
    """Return a log-log plot of the processor's seconds over memories, a line a command."""
    points = [(n, c.cpu) for it in growths for n, c in it.costs.items()]
    lows, highs = ([pick(math.log10(p[a]) for p in points) for a in (0, 1)] for pick in (min, max))

    def at(size: float, seconds: float) -> str:
        shares = (
            (math.log10(value) - low) / ((high - low) or 1)
            for value, low, high in zip((size, seconds), lows, highs, strict=True)
        )
        x, y = shares
        return f"{_MARGIN + x * _WIDTH:.1f},{_MARGIN + (1 - y) * _HEIGHT:.1f}"

    lines: list[str] = []
    for number, it in enumerate(growths):
        colour = _COLOURS[number % len(_COLOURS)]
        dash = ' stroke-dasharray="5 3"' if number >= len(_COLOURS) else ""
        path = " ".join(at(n, c.cpu) for n, c in it.costs.items())
        y = _MARGIN + 18 * number
        told = f"{it.name} ({it.exponent:.2f})"
        lines += (
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>',
            f'<text x="{_WIDTH + _MARGIN + 12}" y="{y}" fill="{colour}">{told}</text>',
        )
    size = f'width="{_WIDTH + _MARGIN + _LEGEND}" height="{_HEIGHT + 2 * _MARGIN}"'
    title = "processor seconds over memories, both logarithmic (exponent)"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="white"/><text x="{_MARGIN}" y="24">{title}</text>'
        + "".join(lines)
        + "</svg>\n"
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
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vaultmem-growing-") as work:
        home = Path(work)
        made = {n: built(home, messages(asked.conversations, n), n) for n in asked.sizes}
        imports = Growth("import, all of it", {n: cost for n, (_, cost) in made.items()})
        vaults = {n: vault for n, (vault, _) in made.items()}
        growths = [imports, *measured(vaults, asked.rounds, home)]
    sys.stdout.write(table(growths))
    if asked.svg:
        asked.svg.write_text(svg(growths), "utf-8")


if __name__ == "__main__":
    main()
