"""Which engine finds the nearest vectors how soon, in how much memory, and how well, by size.

    python -m tests.bench.nearest 10000 100000 300000 --server

Memories with vectors of 384 dimensions that lie in clusters; each engine answers in a process of
its own: the first question from nothing, then questions in turn. Recall is of the 50 nearest as the
exact scan has them. The server is a real `chroma run`, which two machines, a vault each, feed at
the same time and then ask at the same time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import httpx
import numpy as np

from tests.points import ANYWHERE, Points
from vaultmem.retrieval.vectors import Vectors

if TYPE_CHECKING:
    from vaultmem.models.embeddings.types import Matrix, Vector

_DIMENSIONS, _A_CLUSTER, _NEAREST, _QUESTIONS = 384, 100, 50, 40
_UNIT = 1 if sys.platform == "darwin" else 1024
_SLICE = 30.0
_NONE, _ALL = 0, 2**62
_ENGINES = {
    "exact": {"exact_up_to": _ALL},
    "coded": {"exact_up_to": _NONE, "coded_up_to": _ALL},
    "chroma": {"exact_up_to": _NONE, "coded_up_to": _NONE},
    "server": {},
}


class Clustered:
    """An embedder of texts that say in which cluster they lie."""

    name, model, space = "clustered", "random", "clustered:random"

    def edition(self) -> str:
        """Return which weights they are."""
        return "1"

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return a vector a text: the middle of its cluster, and as much noise again."""
        return np.stack([self.query(text) for text in texts])

    def query(self, text: str) -> Vector:
        """Return the vector of *text*."""
        cluster = text.partition("cluster ")[2].partition(",")[0]
        point = _noise(f"cluster {cluster}") + _noise(text)
        return np.asarray(point / np.linalg.norm(point), np.float32)


def _noise(seed: str) -> Vector:
    drawn = np.random.default_rng(crc32(seed.encode())).standard_normal(_DIMENSIONS, np.float32)
    return np.asarray(drawn, np.float32)


@dataclass(frozen=True, slots=True)
class Answers:
    """What one process took: seconds to the first answer and of each after, memory, and hits."""

    first: float
    later: Sequence[float]
    processor: float
    peak: int
    found: Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Fed:
    """What one process fed: entries, seconds, how many rounds, memory."""

    entries: int
    seconds: float
    rounds: int
    peak: int


def lay_out(folder: Path, size: int) -> Path:
    """Make a folder of so many memories, their catalog and their vectors."""
    path = folder / f"points-{size}"
    points = Points(path)
    for n in range(size):
        points.write(f"point-{n}", f"It lies in cluster {n % (size // _A_CLUSTER)}, point {n}.")
    points.index.sync()
    with contextlib.closing(_vectors(points, "exact", "")) as vectors:
        vectors._sync_store = lambda *_: 0  # type: ignore[method-assign]  # no store is fed here
        vectors.catch_up()
    points.close()
    return path


def _vectors(points: Points, engine: str, url: str) -> Vectors:
    return Vectors(points.path, points.index, Clustered(), chroma_url=url, **_ENGINES[engine])  # type: ignore[arg-type]


def ask(path: Path, engine: str, url: str) -> Answers:
    """Ask the same questions as everybody, in this process."""
    points = Points(path)
    clusters = points.index.value("SELECT count(*) FROM docs") // _A_CLUSTER  # type: ignore[operator]
    rng = np.random.default_rng(1)
    asked = [f"Asked of cluster {rng.integers(clusters)}, no. {n}" for n in range(_QUESTIONS)]
    times: list[float] = []
    found: list[Sequence[int]] = []
    began = time.perf_counter()
    used = 0.0
    with contextlib.closing(_vectors(points, engine, url)) as vectors:
        for number, question in enumerate(asked):
            if number == 1:
                used = time.process_time()
            near = vectors.ask(question)
            found.append(list(near.nearest(ANYWHERE, _NEAREST)))
            times.append(time.perf_counter() - began)
            if near.degraded:
                sys.exit(f"{engine}: {near.degraded}")
            began = time.perf_counter()
    used = (time.process_time() - used) / (len(asked) - 1)
    points.close()
    return Answers(times[0], times[1:], used, _peak(), found)


def feed(path: Path, engine: str, url: str) -> Fed:
    """Feed the store until it has all, a while at a time, as the daemon does."""
    points = Points(path)
    began, entries, rounds = time.perf_counter(), 0, 0
    with contextlib.closing(_vectors(points, engine, url)) as vectors:
        while fed := vectors.catch_up(_SLICE).fed:
            entries, rounds = entries + fed, rounds + 1
            sys.stderr.write(f"{engine}: {entries} after {time.perf_counter() - began:.0f} s\n")
        if why := vectors.state().reason:
            sys.exit(f"{engine}: {why}")
    points.close()
    return Fed(entries, time.perf_counter() - began, rounds, _peak())


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Run a Chroma server over *folder*; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    chroma = Path(sys.executable).with_name("chroma")
    place = ["--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([chroma, "run", *place], stdout=quiet, stderr=quiet)
    url = f"http://127.0.0.1:{port}"
    try:
        while True:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{url}/api/v2/heartbeat", timeout=2).is_success:
                    break
        yield url
    finally:
        process.terminate()
        process.wait()


def _apart(what: str, path: Path, engine: str, url: str) -> dict[str, object]:
    """Do it in a process of its own."""
    (done,) = _at_once(what, [path], engine, url)
    return done


def _at_once(what: str, paths: Sequence[Path], engine: str, url: str) -> list[dict[str, object]]:
    """Do it in a process for each of *paths*; exec hands on a peak: let that be a small shell's."""
    argv = [sys.executable, "-m", "tests.bench.nearest", "--do", what]
    # One thread, as a machine that does other things leaves it.
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    shell = ["sh", "-c", '"$@"; exit $?', "sh"]
    running = [
        subprocess.Popen([*shell, *argv, str(path), engine, url], stdout=subprocess.PIPE, env=env)
        for path in paths
    ]
    said = [process.communicate()[0] for process in running]
    if any(process.returncode for process in running):
        sys.exit(f"{engine}: could not {what}")
    return [json.loads(answer) for answer in said]


def rows(folder: Path, size: int, *, server: bool) -> Iterator[str]:
    """Yield a row of the table for each engine."""
    path = lay_out(folder, size)
    exact = Answers(**_apart("ask", path, "exact", ""))  # type: ignore[arg-type]
    yield _row(size, "exact", exact, exact)
    made = Answers(**_apart("ask", path, "coded", ""))  # type: ignore[arg-type]  # whoever asks first makes the codes
    coded = Answers(**_apart("ask", path, "coded", ""))  # type: ignore[arg-type]
    yield _row(size, "coded", coded, exact, Fed(size, made.first - coded.first, 1, made.peak))
    fed = Fed(**_apart("feed", path, "chroma", ""))  # type: ignore[arg-type]
    chroma = Answers(**_apart("ask", path, "chroma", ""))  # type: ignore[arg-type]
    yield _row(size, "Chroma in the vault", chroma, exact, fed)
    if server:
        machines = [path, Path(shutil.copytree(path, path.with_name(f"{path.name}-other")))]
        with serving(folder / f"server-{size}") as url:
            both = [Fed(**it) for it in _at_once("feed", machines, "server", url)]  # type: ignore[arg-type]
            answers = [Answers(**it) for it in _at_once("ask", machines, "server", url)]  # type: ignore[arg-type]
            for number, (asked, fed) in enumerate(zip(answers, both, strict=True), 1):
                yield _row(size, f"Chroma server, machine {number} of 2", asked, exact, fed)


HEAD = (
    "| vectors | engine | first answer | after that, p50 (processor) | memory | of the 50 nearest |"
    " fed |\n" + "|---" * 7 + "|"
)


def _row(size: int, engine: str, it: Answers, exact: Answers, fed: Fed | None = None) -> str:
    shares = [len({*a} & {*b}) / len(b) for a, b in zip(it.found, exact.found, strict=True)]
    later = sorted(it.later)[len(it.later) // 2]
    how = f"{fed.seconds:.1f} s, {fed.rounds} rounds, {fed.peak / 1e6:.0f} MB" if fed else ""
    return (
        f"| {size} | {engine} | {it.first:.2f} s | {later * 1000:.0f} ms"
        f" ({it.processor * 1000:.0f}; least {min(it.later) * 1000:.0f})"
        f" | {it.peak / 1e6:.0f} MB | {math.fsum(shares) / len(shares):.3f} | {how} |"
    )


def main() -> None:
    """Measure what the command line asks for, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sizes", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--server", action="store_true", help="start a Chroma server, too")
    parser.add_argument("--do", nargs=4, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.do:
        what, path, engine, url = asked.do
        work = ask if what == "ask" else feed
        sys.stdout.write(json.dumps(asdict(work(Path(path), engine, url))))
        return
    sys.stdout.write(f"{HEAD}\n")
    for size in asked.sizes:
        with tempfile.TemporaryDirectory(prefix="vaultmem-nearest-") as folder:
            for row in rows(Path(folder), size, server=asked.server):
                sys.stdout.write(f"{row}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
