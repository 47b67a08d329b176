"""Several processes at once: what was written is found, what was deleted is not, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.points import Points, Words, nearest
from vaultmem.retrieval.vectors import Vectors

WRITES = 6


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Points]:
    """Make a folder with three hundred memories."""
    made = Points(tmp_path / "vault")
    for n in range(300):
        made.write(f"old-{n}", f"Old note {n} about thing {n * 13}.")
    made.index.sync()
    yield made
    made.close()


def opened(server: Points) -> Vectors:
    """Return the vectors of the folder, with Chroma as their engine."""
    return Vectors(server.path, server.index, Words(), exact_up_to=0, coded_up_to=0)


def writer(folder: Path, name: str) -> None:
    """Write, find what was written, delete it, miss it; feed the store in between."""
    server = Points(folder)
    vectors = opened(server)
    for n in range(WRITES):
        mine, text = f"{name}-{n}", f"writer {name} number {n} zebra{name}{n}"
        server.remember(mine, text)
        vectors.catch_up(feed_from=1 if n % 3 == 0 else 256)
        assert nearest(vectors, text) == [mine], f"{mine} was written and is missed"
        if n % 2:
            server.forget(f"agents/ada/memories/{mine}.md")
            assert mine not in nearest(vectors, text, 3), f"{mine} was deleted and is found"
    vectors.close()
    server.close()


def answerer(folder: Path) -> None:
    """Answer questions, a line each, with the name of the nearest memory."""
    server = Points(folder)
    vectors = opened(server)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(nearest(vectors, line.strip(), 3)) + "\n")
        sys.stdout.flush()
    vectors.close()
    server.close()


def feeder(folder: Path) -> None:
    """Say that the first entries went in, and go on feeding."""
    server = Points(folder)
    vectors = opened(server)
    feed = vectors._ledger(vectors._space()).__class__.feed

    def told(*args: object) -> None:
        sys.stdout.write("fed\n")
        sys.stdout.flush()
        sys.stdin.readline()
        feed(*args)  # type: ignore[arg-type]

    vectors._ledger(vectors._space()).__class__.feed = told  # type: ignore[method-assign, assignment]
    vectors.catch_up()


def start(role: str, *args: object) -> subprocess.Popen[str]:
    """Run a function of this module in a process of its own."""
    given = ", ".join(repr(str(a)) if i else f"Path({str(a)!r})" for i, a in enumerate(args))
    code = f"from tests.retrieval.test_vector_processes import *; {role}({given})"
    pipe = subprocess.PIPE
    here = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=here
    )


def ask(process: subprocess.Popen[str], query: str) -> list[str]:
    """Ask a living answerer."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(query + "\n")
    process.stdin.flush()
    return [str(name) for name in json.loads(process.stdout.readline())]


def end(process: subprocess.Popen[str]) -> None:
    """Let a process come to its end, and see that it was a good one."""
    _, said = process.communicate()
    assert process.returncode == 0, said


@pytest.mark.long
def test_a_living_reader_sees_what_another_process_writes_and_deletes(server: Points) -> None:
    mine = opened(server)
    mine.catch_up()
    reader = start("answerer", server.path)
    assert ask(reader, "old note 7 about thing 91")[0] == "old-7"
    server.remember("new", "The baker hides marbles.")
    mine.catch_up()
    assert ask(reader, "baker marbles")[0] == "new"
    server.forget("agents/ada/memories/old-7.md")
    assert "old-7" not in ask(reader, "old note 7 about thing 91")
    mine.catch_up()
    assert "old-7" not in ask(reader, "old note 7 about thing 91")
    server.remember("old-7", "Old note 7 about thing 91.")
    assert ask(reader, "old note 7 about thing 91")[0] == "old-7"
    end(reader)
    mine.close()


@pytest.mark.long
def test_several_writers_and_readers_at_once_miss_nothing_and_return_nothing_deleted(
    server: Points,
) -> None:
    mine = opened(server)
    mine.catch_up()
    writers = [start("writer", server.path, name) for name in ("a", "b")]
    reader = start("answerer", server.path)
    while any(w.poll() is None for w in writers):
        assert ask(reader, "old note 7 about thing 91")[0] == "old-7"
    for process in (*writers, reader):
        end(process)
    assert mine.catch_up().embedded == 0
    for name in ("a", "b"):
        kept = [n for n in range(WRITES) if n % 2 == 0]
        for n in kept:
            text = f"writer {name} number {n} zebra{name}{n}"
            assert nearest(mine, text) == [f"{name}-{n}"]
    assert not mine.ask("zebra").degraded
    assert mine.state().fed == mine.state().passages
    shas = mine._blobs.shas(mine._space())
    assert len(shas) == len(set(shas))
    mine.close()


@pytest.mark.long
def test_a_feeder_that_is_killed_leaves_a_store_that_the_next_one_mends(server: Points) -> None:
    process = start("feeder", server.path)
    assert process.stdout
    assert process.stdout.readline() == "fed\n"
    os.kill(process.pid, signal.SIGKILL)  # the store has taken a batch, the ledger not
    process.communicate()
    server.forget("agents/ada/memories/old-7.md")
    mine = opened(server)
    assert nearest(mine, "old note 8 about thing 104") == ["old-8"]
    assert "old-7" not in nearest(mine, "old note 7 about thing 91", 5)
    mine.catch_up()
    assert nearest(mine, "old note 8 about thing 104") == ["old-8"]
    assert mine.state().fed == mine.state().passages == 299
    assert not mine.ask("note").degraded
    mine.close()
