"""The same questions through what else one might use, beside vaultmem, as ratios in one table.

    python tests/bench/peers.py --conversations FOLDER [--limit 40] [--only grep,vaultmem] [--json]

Every peer is given the same texts (day, speaker, words), one file a message where it wants files.
MiniLM is used where VAULTMEM_MODEL_DIR has its weights. A peer with a command of its own is run
through that command, if it is installed: a process a question, as its user would wait for it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import fmean
from threading import Thread
from typing import NamedTuple

import click

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import baselines, table, timing
from tests.bench.bench import AGENT
from tests.bench.table import Row
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.evaluation import metrics, questions
from vaultmem.evaluation import runner as evaluation_runner
from vaultmem.evaluation.questions import LabelledQuestion
from vaultmem.models.embeddings.minilm.embedder import MiniLM
from vaultmem.records import utc_now
from vaultmem.retrieval.search import Mode, Scope
from vaultmem.storage.index import tokenizer

_HITS = 10
_INDEX_LIMIT, _QUERY_LIMIT = 900.0, 60.0
_YARDSTICK = "vaultmem"
_MODEL_DIR = "VAULTMEM_MODEL_DIR"
_OFFLINE = {"VAULTMEM_SUMMARIZER": "extractive"}


class Found(NamedTuple):
    """Numbers of messages, best first; and sessions, where a peer ranks them itself."""

    messages: Sequence[int]
    sessions: Sequence[str] = ()


Find = Callable[[str], Found]
"""Answers a question."""


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation, as texts, as files, as a vault; its messages count from 0."""

    ids: Sequence[str]
    sessions: Sequence[str]
    texts: Sequence[str]
    notes: Path
    vault: Path
    asked: Sequence[LabelledQuestion]

    def number(self, path: str) -> int:
        """Return which message the note at *path* is."""
        return int(Path(path).stem)


@dataclass(slots=True)
class Seen:
    """What one peer did with all questions so far."""

    any10: list[float] = field(default_factory=list)
    session1: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    index_s: float = 0.0


# --- peers ------------------------------------------------------------------------------------


@contextmanager
def _vaultmem(talk: Talk, mode: Mode) -> Iterator[Find]:
    """Index from the files alone, then ask."""
    shutil.rmtree(talk.vault / ".vaultmem")
    kind = "none" if mode == "lexical" else "minilm"
    env = {**_OFFLINE, "VAULTMEM_EMBEDDER": kind, _MODEL_DIR: os.environ.get(_MODEL_DIR, "")}
    with Vault.open(talk.vault, env=env) as vault:
        evaluation_runner.prepare(vault, mode)
        scope = Scope(type="memory")
        ask = evaluation_runner.retriever(vault, scope, mode)
        said = vault.store.index.records(scope.filter(), body=False)
        number = {r.id: talk.ids.index(r.origin.rpartition("/")[2]) for r in said}

        def find(query: str) -> Found:
            answer = ask(LabelledQuestion(query, ()), _HITS)
            return Found([number[hit.id] for hit in answer.hits], answer.sessions)

        yield find


@contextmanager
def _grep(talk: Talk) -> Iterator[Find]:
    """Have grep print the words of the question that each file holds; most of them is best."""

    def find(query: str) -> Found:
        patterns = (x for word in tokenizer.terms(query) for x in ("-e", word))
        argv = ["grep", "-rioHFZ", *patterns, str(talk.notes)]
        out = subprocess.run(argv, stdout=subprocess.PIPE, check=False).stdout.decode()
        held = dict.fromkeys(line.lower() for line in out.splitlines())
        counts = Counter(talk.number(line.partition("\0")[0]) for line in held)
        return Found([number for number, _ in counts.most_common(_HITS)])

    yield find


@contextmanager
def _fts5(talk: Talk) -> Iterator[Find]:
    with closing(baselines.plain_index(":memory:", talk.texts)) as db:
        yield lambda query: Found([n - 1 for n in baselines.best(db, query, _HITS)])


@contextmanager
def _chroma(talk: Talk) -> Iterator[Find]:
    """Ask by MiniLM alone, as Chroma's quick start does; with our copy of it, which is quicker."""
    import chromadb  # noqa: PLC0415  # half a second that others need not wait
    from chromadb.config import Settings  # noqa: PLC0415  # likewise

    model = _minilm()
    settings = Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(str(talk.notes.with_name("chroma")), settings)
    collection = client.create_collection("talk", embedding_function=None)
    names = [str(number) for number in range(len(talk.texts))]
    collection.add(ids=names, embeddings=model.documents(talk.texts))

    def find(query: str) -> Found:
        got = collection.query(query_embeddings=model.query(query), n_results=_HITS)
        return Found([int(name) for name in got["ids"][0]])

    yield find


@contextmanager
def _memsearch(talk: Talk) -> Iterator[Find]:
    """Give it MiniLM through an endpoint of OpenAI's shape, which is what it speaks."""
    with _endpoint() as url:
        options = [
            *("--provider", "openai", "--base-url", url, "--api-key", "none"),
            *("--model", "minilm", "--milvus-uri", str(talk.notes.with_name("milvus.db"))),
        ]
        _command(talk, ["memsearch", "index", str(talk.notes), *options], _INDEX_LIMIT)

        def find(query: str) -> Found:
            argv = ["memsearch", "search", "-j", "-k", str(_HITS), *options, "--", query]
            hits = json.loads(_command(talk, argv, _QUERY_LIMIT))
            return Found([talk.number(hit["source"]) for hit in hits])

        yield find


@contextmanager
def _basic_memory(talk: Talk) -> Iterator[Find]:
    """Give it a copy of the notes: it writes into them. Its vectors want a SQLite of their own."""
    mine = talk.notes.with_name("basic")
    shutil.copytree(talk.notes, mine)
    base = ["basic-memory"]
    _command(talk, [*base, "project", "add", "bench", str(mine), "--local"], _INDEX_LIMIT)
    _command(talk, [*base, "reindex", "--search", "--full", "--project", "bench"], _INDEX_LIMIT)

    def find(query: str) -> Found:
        options = ["--project", "bench", "--local", "--page-size", str(_HITS)]
        argv = [*base, "tool", "search-notes", *options, "--", query]
        hits = json.loads(_command(talk, argv, _QUERY_LIMIT))["results"]
        numbers = dict.fromkeys(talk.number(hit["file_path"]) for hit in hits)
        return Found(list(numbers))

    yield find


class Peer(NamedTuple):
    """How to open one, and why it cannot be opened here, if so."""

    open: Callable[[Talk], AbstractContextManager[Find]]
    absent: Callable[[], str] = lambda: ""


def _without_weights() -> str:
    return "" if os.environ.get(_MODEL_DIR) else f"{_MODEL_DIR} names no weights"


def _without(command: str) -> Callable[[], str]:
    return lambda: "" if shutil.which(command) else f"no {command} is installed"


PEERS: Mapping[str, Peer] = {
    _YARDSTICK: Peer(lambda talk: _vaultmem(talk, "lexical")),
    "vaultmem with MiniLM": Peer(lambda talk: _vaultmem(talk, "auto"), _without_weights),
    "grep": Peer(_grep),
    "fts5": Peer(_fts5),
    "chroma with MiniLM": Peer(_chroma, _without_weights),
    "memsearch with MiniLM": Peer(
        _memsearch, lambda: _without_weights() or _without("memsearch")()
    ),
    "basic-memory": Peer(_basic_memory, _without("basic-memory")),
}


def _minilm() -> MiniLM:
    return MiniLM(Path(os.environ[_MODEL_DIR]), None)


def _command(talk: Talk, argv: Sequence[str], seconds: float) -> str:
    """Run a peer's command in a home of its own, and not for ever; return what it prints."""
    home = talk.notes.with_name("home")
    home.mkdir(exist_ok=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "NO_PROXY": "127.0.0.1",
           "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false"}  # fmt: skip
    done = subprocess.run(argv, env=env, capture_output=True, timeout=seconds, check=True)
    return done.stdout.decode()


@contextmanager
def _endpoint() -> Iterator[str]:
    """Serve MiniLM as OpenAI's embeddings are served; yield the base URL."""
    model = _minilm()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            vectors = model.documents([asked] if isinstance(asked, str) else asked)
            rows = [
                {"object": "embedding", "index": n, "embedding": vector}
                for n, vector in enumerate(vectors.tolist())
            ]
            data = json.dumps({"object": "list", "model": "minilm", "data": rows}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


# --- measuring --------------------------------------------------------------------------------


def _talk(messages: Path, folder: Path, limit: int | None) -> Talk:
    """Write one conversation as notes and as a vault."""
    name = messages.name.removesuffix(".messages.jsonl")
    said = [json.loads(line) for line in messages.read_text(encoding="utf-8").splitlines()]
    texts = [f"{m['at'][:10]} {m['speaker']}: {m['content']}\n" for m in said]
    notes, vault = folder / name / "notes", folder / name / "vault"
    for number, text in enumerate(texts):
        note = notes / said[number]["session"] / f"{number:05}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(text, encoding="utf-8")
    create.create(vault, utc_now, with_git=False)
    with Vault.open(vault, env={**_OFFLINE, "VAULTMEM_EMBEDDER": "none"}) as opened:
        opened.import_files("jsonl", [messages], agent=AGENT)
    asked = questions.load(messages.with_name(f"{name}.questions.jsonl"))
    # The evidence of adversarial ones is what they mislead to.
    fair = [q for q in asked if q.category != "adversarial"]
    sample = questions.sample(fair, limit, seed=0)
    return Talk([m["id"] for m in said], [m["session"] for m in said], texts, notes, vault, sample)


def _measure(peer: Peer, talk: Talk, seen: Seen) -> None:
    """Open a peer and ask it every question of a conversation."""
    opened: list[Find] = []
    with ExitStack() as stack:
        entering = partial(stack.enter_context, peer.open(talk))
        seen.index_s += timing.spent(lambda: opened.append(entering()))
        for asked in talk.asked:
            _ask(opened[0], talk, asked, seen)


def _ask(find: Find, talk: Talk, asked: LabelledQuestion, seen: Seen) -> None:
    answers: list[Found] = []
    seen.seconds.append(timing.spent(lambda: answers.append(find(asked.text))))
    found = answers[0]
    sessions = found.sessions or [talk.sessions[number] for number in found.messages]
    of = dict(zip(talk.ids, talk.sessions, strict=True))
    evidence = [frozenset({piece}) for piece in asked.evidence]
    at = metrics.places([talk.ids[number] for number in found.messages], evidence)
    session_at = metrics.places(
        list(dict.fromkeys(sessions)), [frozenset({of[piece]}) for piece in asked.evidence]
    )
    seen.any10.append(metrics.recall_any(at, _HITS))
    seen.session1.append(metrics.recall_any(session_at, 1))


def _rows(seen: Mapping[str, Seen]) -> Iterator[Row]:
    """Yield four figures of every peer, as they are and divided by vaultmem's."""
    figures: Mapping[str, tuple[str, Callable[[Seen], float]]] = {
        "recall_any@10": ("", lambda s: fmean(s.any10)),
        "session hit@1": ("", lambda s: fmean(s.session1)),
        "p50": ("ms", lambda s: 1000 * timing.quantile(s.seconds, 0.5)),
        "index": ("s", lambda s: s.index_s),
    }
    for figure, (unit, of) in figures.items():
        for name, it in seen.items():
            yield Row(f"{figure}, {name}", of(it), unit, of(seen[_YARDSTICK]))


def _all(talks: Sequence[Talk], names: Sequence[str]) -> dict[str, Seen]:
    """Measure every peer that can be opened; say of the others why they are left out."""
    seen: dict[str, Seen] = {}
    for name in names:
        peer, mine = PEERS[name], Seen()
        try:
            if why := peer.absent():
                click.echo(f"{name}: left out: {why}", err=True)
                continue
            for talk in talks:
                _measure(peer, talk, mine)
            seen[name] = mine
        except (subprocess.SubprocessError, json.JSONDecodeError) as e:
            click.echo(f"{name}: left out: {e}", err=True)
    return seen


def _chosen(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Sequence[str]:
    names = value.split(",") if value else list(PEERS)
    if unknown := [n for n in names if n not in PEERS]:
        raise click.BadParameter(f"{unknown[0]} is none of {', '.join(PEERS)}")
    return list(dict.fromkeys([_YARDSTICK, *names]))


@click.command()
@click.option("--conversations", required=True, help="<name>.messages.jsonl, .questions.jsonl.",
              type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("--limit", type=click.IntRange(1), help="Questions a conversation, drawn by chance.")
@click.option("--only", callback=_chosen, help=f"Some of {','.join(PEERS)}.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
def main(conversations: Path, limit: int | None, only: Sequence[str], *, as_json: bool) -> None:
    """Ask vaultmem and its peers the same questions."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:  # noqa: S108
        files = sorted(conversations.glob("*.messages.jsonl"))
        talks = [_talk(file, Path(name), limit) for file in files]
        rows = list(_rows(_all(talks, only)))
    asked = sum(len(talk.asked) for talk in talks)
    if as_json:
        click.echo(json.dumps({"n": asked, "rows": [table.plain(row) for row in rows]}))
    else:
        click.echo(f"{asked} questions over {len(talks)} conversations; ratio: beside vaultmem")
        click.echo(table.text(rows), nl=False)


if __name__ == "__main__":
    main()
