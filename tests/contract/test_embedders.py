"""What every embedder keeps to: Ollama over a real wire through its client, MiniLM by its weights.

The weights are 91 MB and not ours to bring: where VAULTMEM_MODEL_DIR names none, those scenes rest.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.wire import Answer, Call, Cut, Raw, Silence, Status, Vectors, Wire, bag, bags
from vaultmem.errors import ModelAway
from vaultmem.models import embeddings
from vaultmem.models.embeddings import Choice, Embedder, choose, prefixes
from vaultmem.models.embeddings import ollama as ollama_embedder
from vaultmem.models.embeddings.given import Given
from vaultmem.models.embeddings.minilm import model_files
from vaultmem.models.embeddings.minilm.embedder import MiniLM
from vaultmem.models.embeddings.ollama import Ollama
from vaultmem.models.environment import surroundings
from vaultmem.models.providers.ollama_client import connected
from vaultmem.models.providers.provider_errors import Waits
from vaultmem.models.providers.retry import Pace
from vaultmem.models.providers.types import Surroundings

if TYPE_CHECKING:
    from ollama import Client

WEIGHTS = os.environ.get("VAULTMEM_MODEL_DIR", "")  # a scene's environment is its own
needs_weights = pytest.mark.skipif(not WEIGHTS, reason="VAULTMEM_MODEL_DIR names no weights")
HASTY = Waits(connect=5, silence=0.3, whole=40)


class ManualPace:
    """A pace whose clock moves as somebody waits, and notes the waits."""

    def __init__(self) -> None:
        """Begin at 100."""
        self.now = 100.0
        self.waits: list[float] = []
        self.pace = Pace(self.wait, lambda: self.now, lambda: 0.0)

    def wait(self, seconds: float) -> None:
        """Let *seconds* pass."""
        self.waits.append(seconds)
        self.now += seconds


@pytest.fixture
def wire() -> Iterator[Wire]:
    """Serve vectors that count words."""
    with Wire(lambda _: "") as served:
        yield served


# --- the contract -----------------------------------------------------------------------------

Make = Callable[[str], Embedder]


def ollama(url: str) -> Embedder:
    """Return an embedder that asks at *url*."""
    return Ollama("herons", url)


def minilm(_: str) -> Embedder:
    """Return an embedder with weights."""
    return MiniLM(Path(WEIGHTS), None)


class Bags:
    """A caller's own embedder: it counts words, and is none the wiser about length."""

    space = "bags-1"

    def documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the counts of the words of each."""
        return [bag(text) for text in texts]

    def query(self, text: str) -> list[float]:
        """Return the counts of its words."""
        return bag(text)


def given(_: str) -> Embedder:
    """Return what asks the caller's own embedder."""
    return Given(Bags())


EMBEDDERS = {
    "ollama": pytest.param(ollama, id="ollama"),
    "minilm": pytest.param(minilm, id="minilm", marks=needs_weights),
    "given": pytest.param(given, id="given"),
}
"""What makes an embedder of each kind; a new one is a line here."""

every_embedder = pytest.mark.parametrize("make", EMBEDDERS.values())
every_kind = pytest.mark.parametrize("name", embeddings.KINDS)
TEXTS = [
    "Ada saw a grey heron at the lake.",
    "",
    " \n",
    "她在湖边看见一只苍鹭。",
    "🦩🦩 ¿Qué? \u200b",
    "The build fails on Python 3.12. " * 3200,
    "Ada saw a grey heron at the lake.",
    "half a pair: \ud83e",
]


@every_embedder
def test_a_text_is_a_row_of_length_1_in_its_place(make: Make, wire: Wire) -> None:
    """Whatever it says: nothing, another script, 100 000 characters, what is no UTF-8."""
    embedder = make(wire.url)
    found = embedder.documents(TEXTS)
    assert (found.dtype.name, found.ndim, len(found)) == ("float32", 2, len(TEXTS))
    assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=1e-5)
    for text, row in zip(TEXTS, found, strict=True):
        assert embedder.documents([text])[0] == pytest.approx(row, abs=1e-5)


@every_embedder
def test_the_order_is_kept_however_many_there_are(make: Make, wire: Wire) -> None:
    """They are sorted and parted on the way."""
    embedder = make(wire.url)
    texts = [f"heron {n} " + "and a duck " * (n * 7 % 11) for n in range(40)]
    together = embedder.documents(texts)
    assert together[33] == pytest.approx(embedder.documents(texts[33:34])[0], abs=1e-5)
    assert (together @ together.T).argmax(axis=1).tolist() == list(range(40))


@every_embedder
def test_no_texts_are_no_rows(make: Make, wire: Wire) -> None:
    """And nobody is asked."""
    assert len(make(wire.url).documents([])) == 0
    assert wire.calls == []


@every_embedder
def test_a_question_lies_near_its_answer(make: Make, wire: Wire) -> None:
    """In the space of the documents."""
    embedder = make(wire.url)
    found = embedder.documents(["Ada saw a heron at the lake.", "The build fails on Windows."])
    asked = embedder.query("Who saw a heron?")
    assert asked.shape == found[0].shape
    assert np.linalg.norm(asked) == pytest.approx(1, abs=1e-5)
    assert (found @ asked).argmax() == 0


@every_embedder
def test_an_embedder_says_who_it_is_without_being_loaded(make: Make) -> None:
    """Nobody listens at that port."""
    it = make("http://127.0.0.1:1")
    assert it.space == f"{it.name}:{it.model}"


def test_every_kind_is_held_to_the_contract() -> None:
    """And nobody else."""
    assert EMBEDDERS.keys() == {*embeddings.KINDS, Given.name}


@every_kind
def test_who_is_named_is_chosen_and_built(name: str, tmp_path: Path) -> None:
    """Whether it is there or not: what a vault opens with is not asked for that."""
    choice = chosen(tmp_path, VAULTMEM_EMBEDDER=name)
    assert (choice.kind, choice.why) == (name, "VAULTMEM_EMBEDDER says so")
    assert choice.model
    assert choice.where
    embedder = embeddings.build(choice, Surroundings())
    assert embedder is not None
    assert (embedder.name, embedder.model) == (name, choice.model)
    assert embeddings.kind(name).name == name


@every_kind
def test_no_kind_is_chosen_where_nothing_of_it_lies(name: str, tmp_path: Path) -> None:
    """Unasked, none goes by a guess."""
    assert embeddings.kind(name).find(Surroundings(), tmp_path) is None


def test_who_is_away_is_named(tmp_path: Path) -> None:
    """With where we looked."""
    nobody = Ollama("herons", "http://127.0.0.1:1", pace=ManualPace().pace)
    for it, why in (
        (nobody, "does not answer at 127.0.0.1:1"),
        (MiniLM(tmp_path, None), f"in {tmp_path}; `vaultmem embedder setup` fetches them"),
    ):
        with pytest.raises(ModelAway, match=why):
            it.documents(["Ada"])
        with pytest.raises(ModelAway, match=why):
            it.query("Ada")


# --- ollama: what it is sent ------------------------------------------------------------------


def sent(model: str, ask: Callable[[Embedder], object]) -> list[Call]:
    """Return what *ask* has the wire hear."""
    with Wire(lambda _: "") as wire:
        ask(Ollama(model, wire.url))
    return wire.calls


def test_what_ollama_is_sent() -> None:
    """Nothing but the texts; too long ones it cuts itself."""
    (call,) = sent("herons", lambda it: it.documents(["Ada", " "]))
    assert call.path == "/api/embed"
    assert call.body == {
        "model": "herons", "input": ["Ada", "."], "truncate": True, "keep_alive": "10m",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("nomic-embed-text", "search_query: Ada", "search_document: Ada"),
        ("nomic-embed-text:v1.5", "search_query: Ada", "search_document: Ada"),
        ("nomic-embed-text-v2-moe", "search_query: Ada", "search_document: Ada"),
        ("embeddinggemma", "task: search result | query: Ada", "title: none | text: Ada"),
        (
            "mxbai-embed-large",
            "Represent this sentence for searching relevant passages: Ada",
            "Ada",
        ),
        (
            "snowflake-arctic-embed:22m",
            "Represent this sentence for searching relevant passages: Ada",
            "Ada",
        ),
        ("snowflake-arctic-embed2", "query: Ada", "Ada"),
        (
            "qwen3-embedding:0.6b",
            prefixes.of("qwen3-embedding").query + "Ada",
            "Ada",
        ),
        ("jeffh/intfloat-multilingual-e5-large", "query: Ada", "passage: Ada"),
        ("bge-m3", "Ada", "Ada"),
        ("all-minilm", "Ada", "Ada"),
    ],
)
def test_a_model_reads_what_it_was_trained_with(model: str, query: str, document: str) -> None:
    """Else it finds worse."""
    (asked,) = sent(model, lambda it: it.query("Ada"))
    (told,) = sent(model, lambda it: it.documents(["Ada"]))
    assert (asked.body["input"], told.body["input"]) == ([query], [document])


@pytest.mark.parametrize(
    ("texts", "sizes"),
    [
        (["heron"] * 70, [32, 32, 6]),
        (["heron " * 5000] * 5, [3, 2]),
        (["heron"] * 32, [32]),
    ],
)
def test_a_request_is_of_a_size(texts: list[str], sizes: list[int]) -> None:
    """In texts and in characters."""
    calls = sent("herons", lambda it: it.documents(texts))
    assert [len(call.body["input"]) for call in calls] == sizes


def test_a_proxy_does_not_come_between(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on this machine."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert len(Ollama("herons", wire.url).query("Ada")) == 64


# --- ollama: what it may answer ---------------------------------------------------------------


def fault(said: Answer, ask: Callable[[Embedder], object] | None = None) -> ModelAway:
    """Return what comes of *said*."""
    with Wire(lambda _: "", embed=lambda _: said) as wire:
        it = Ollama("herons", wire.url, HASTY, ManualPace().pace)
        with pytest.raises(ModelAway) as caught:
            (ask or (lambda it: it.documents(["Ada", "Grace"])))(it)
    return caught.value


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (Vectors([[1.0, 2.0]]), "returned 1 vectors for 2 texts"),
        (Vectors([]), "returned 0 vectors for 2 texts"),
        (Vectors([[1.0, 2.0], [1.0]]), "returned vectors of 1, 2 dimensions"),
        (Vectors([[], []]), "returned vectors of 0 dimensions"),
        (Vectors([[1.0, 2.0], [0.0, 0.0]]), "returned a vector that points nowhere"),
        (Vectors([[1.0, 2.0], [float("nan"), 0.0]]), "returned a vector that points nowhere"),
        (Vectors([[1.0, 2.0], [float("inf"), 0.0]]), "returned a vector that points nowhere"),
        (Raw(b'{"embeddings": "herons"}'), "the answer cannot be read"),
        (Raw(b'{"embeddings": [["a"], ["b"]]}'), "the answer cannot be read"),
        (Raw(b"{}"), "the answer cannot be read"),
        (Raw(b"[" * 100_000), "the answer cannot be read"),
        (Cut('{"embeddings": [[1.0, 2'), "the answer was cut off"),
        (Cut('{"embeddings": [[1.0, 2', clean=True), "the answer cannot be read"),
        (Silence(), "no answer from 127.0.0.1:"),
        (Status(503, "busy"), "refused with status 503: busy"),
    ],
)
def test_what_is_no_answer_is_none(said: Answer, why: str) -> None:
    """Torn, silent, of a wrong shape, or no number."""
    assert why in fault(said).why


def test_numbers_of_any_size_are_a_direction() -> None:
    """Their squares would be none."""
    said = Vectors([[3e200, 4e200], [3e-200, 4e-200]])
    with Wire(lambda _: "", embed=lambda _: said) as wire:
        found = Ollama("herons", wire.url).documents(["Ada", "Grace"])
    assert found == pytest.approx(np.array([[0.6, 0.8], [0.6, 0.8]]))


def test_a_model_that_is_missing_comes_with_the_way_out() -> None:
    """As Ollama says it."""
    said = Status(404, 'model "herons" not found, try pulling it first')
    assert "; `ollama pull herons` fetches it" in fault(said).why


@pytest.mark.parametrize(
    "said",
    [
        Status(400, "input length exceeds maximum context length"),
        Status(500, "failed to encode response: json: unsupported value: NaN"),
        Vectors([[1.0, 2.0], [0.0, 0.0]]),
    ],
)
def test_a_text_that_a_model_stumbles_over_stops_no_other(said: Answer) -> None:
    """Whoever embeds a thousand leaves that one out."""

    def answer(call: Call) -> Answer:
        return said if "Grace" in call.body["input"] else bags(call)

    with Wire(lambda _: "", embed=answer) as wire:
        it = Ollama("herons", wire.url, pace=ManualPace().pace)
        with pytest.raises(ModelAway) as caught:
            it.documents(["Ada", "Grace"])
        assert not caught.value.lasting
        assert len(it.documents(["Ada"])) == 1


def test_who_is_busy_is_asked_again() -> None:
    """Once."""
    said: list[Answer] = [Status(503), Vectors([bag("Ada")])]
    manual = ManualPace()
    with Wire(lambda _: "", embed=lambda _: said.pop(0)) as wire:
        assert len(Ollama("herons", wire.url, pace=manual.pace).documents(["Ada"])) == 1
    assert manual.waits == [0.5]


def test_who_is_away_is_left_alone_for_a_while_and_comes_back() -> None:
    """A hundred questions do not wait a hundred times; nothing has to be started anew."""
    manual, said = ManualPace(), Status(503)
    with Wire(lambda _: "", embed=lambda _: said) as wire:
        it = Ollama("herons", wire.url, pace=manual.pace)
        for _ in range(100):
            with pytest.raises(ModelAway, match="refused with status 503"):
                it.query("Ada")
        assert len(wire.calls) == 2
        wire.embed = bags
        manual.now += 30
        assert len(it.query("Ada")) == 64


def test_who_sits_before_a_question_waits_less_than_documents(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question is not worth a minute, nor is a list of models."""
    silences = list[float]()

    def noted(host: str, waits: Waits, model: str = "") -> AbstractContextManager[Client]:
        silences.append(waits.silence)
        return connected(host, waits, model)

    monkeypatch.setattr(ollama_embedder, "connected", noted)
    it = Ollama("herons", wire.url)
    it.edition()
    it.query("Ada")
    it.documents(["Ada"])
    assert silences == [5, 10, 60]


def test_who_is_silent_is_not_asked_again_for_half_a_minute() -> None:
    """A recall asks for the edition, then for a vector: it waits once."""
    manual = ManualPace()
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it never answers
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        it = Ollama("herons", url, HASTY, manual.pace)
        with pytest.raises(ModelAway, match="no answer from"):
            it.edition()
        manual.now += 29
        with pytest.raises(ModelAway, match="not asked again for 1 s"):
            it.query("Ada")


# --- ollama: editions -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "model", "edition"),
    [
        ([{"model": "herons:latest", "digest": "f00d"}], "herons", "f00d"),
        ([{"model": "herons:latest", "digest": "f00d"}], "herons:latest", "f00d"),
        ([{"model": "herons:v2", "digest": "beef"}], "herons:v2", "beef"),
        ([{"model": "herons:v2", "digest": "beef"}], "herons", ""),
        ([{"model": "herons:latest"}], "herons", ""),
        ([], "herons", ""),
    ],
)
def test_the_edition_is_the_digest_that_is_listed(
    listed: list[dict[str, str]], model: str, edition: str
) -> None:
    """So that a model that was pulled anew is another."""
    with Wire(lambda _: "", listed) as wire:
        it = Ollama(model, wire.url)
        assert (it.edition(), it.space) == (edition, f"ollama:{model.removesuffix(':latest')}")


def test_who_is_away_has_no_edition() -> None:
    """It is not that there is none."""
    with pytest.raises(ModelAway, match="does not answer"):
        Ollama("herons", "http://127.0.0.1:1", pace=ManualPace().pace).edition()


# --- choosing ---------------------------------------------------------------------------------


def put(folder: Path, *names: str) -> Path:
    """Put empty files there: to choose, nobody reads them."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def chosen(tmp_path: Path, **env: str) -> Choice:
    """Return who embeds for a user of *tmp_path*."""
    return choose(surroundings(env, tmp_path), tmp_path)


def test_nobody_embeds_until_there_are_weights(tmp_path: Path) -> None:
    """And how to get some is said."""
    choice = chosen(tmp_path)
    assert choice == Choice(
        "none", "", "", "no embedder is set up: `vaultmem embedder setup` fetches one of 91 MB"
    )
    assert embeddings.build(choice, Surroundings()) is None


@pytest.mark.parametrize(
    ("place", "env"),
    [
        (".local/share/vaultmem/models/all-MiniLM-L6-v2", {}),
        ("data/vaultmem/models/all-MiniLM-L6-v2", {"XDG_DATA_HOME": "{}/data"}),
        ("mine", {"VAULTMEM_MODEL_DIR": "{}/mine"}),
        ("mine", {"VAULTMEM_MODEL_DIR": "~/mine", "VAULTMEM_EMBEDDER": "minilm"}),
    ],
)
@pytest.mark.parametrize("model", ["model.safetensors", "model.onnx", "onnx/model.onnx"])
def test_weights_that_are_found_are_used(
    tmp_path: Path, place: str, env: dict[str, str], model: str
) -> None:
    """In either format."""
    folder = put(tmp_path / place, "tokenizer.json", model)
    choice = chosen(tmp_path, **{k: v.format(tmp_path) for k, v in env.items()})
    assert (choice.kind, choice.model, choice.where) == ("minilm", model_files.MODEL, str(folder))


@pytest.mark.parametrize("files", [["model.safetensors"], ["tokenizer.json"], []])
def test_half_of_a_model_is_none(tmp_path: Path, files: list[str]) -> None:
    """As an interrupted copy leaves it."""
    put(tmp_path / ".local/share/vaultmem/models/all-MiniLM-L6-v2", *files)
    assert chosen(tmp_path).kind == "none"


def test_what_chroma_has_counts_with_its_archive(tmp_path: Path) -> None:
    """Without, nobody could prove it."""
    theirs = tmp_path / ".cache/chroma/onnx_models/all-MiniLM-L6-v2"
    put(theirs, "onnx/model.onnx", "onnx/tokenizer.json")
    assert chosen(tmp_path).kind == "none"
    put(theirs, "onnx.tar.gz")
    assert chosen(tmp_path).where == str(theirs / "onnx")


@pytest.mark.parametrize("env", [{"VAULTMEM_EMBEDDER": "minilm"}, {"VAULTMEM_MODEL_DIR": "{}/no"}])
def test_who_names_weights_that_are_not_there_is_told_when_it_matters(
    tmp_path: Path, env: dict[str, str]
) -> None:
    """Not before: a vault opens without them."""
    choice = chosen(tmp_path, **{k: v.format(tmp_path) for k, v in env.items()})
    embedder = embeddings.build(choice, Surroundings())
    assert embedder is not None
    with pytest.raises(ModelAway, match="no weights of all-MiniLM-L6-v2 in "):
        embedder.query("Ada")


def test_ollama_is_asked_only_by_name(tmp_path: Path) -> None:
    """Its address is shown without what is secret in it."""
    host = "http://ada:hunter2@models.example:11434"
    assert chosen(tmp_path, OLLAMA_HOST=host).kind == "none"
    choice = chosen(tmp_path, OLLAMA_HOST=host, VAULTMEM_EMBEDDER="ollama")
    assert choice == Choice(
        "ollama", "nomic-embed-text", "models.example:11434", "VAULTMEM_EMBEDDER says so"
    )
    embedder = embeddings.build(choice, Surroundings())
    assert embedder is not None
    assert embedder.space == "ollama:nomic-embed-text"


def test_nobody_embeds_where_that_is_said(tmp_path: Path) -> None:
    """Weights or not."""
    put(tmp_path / "mine", "tokenizer.json", "model.safetensors")
    choice = chosen(tmp_path, VAULTMEM_EMBEDDER="none", VAULTMEM_MODEL_DIR=str(tmp_path / "mine"))
    assert choice == Choice("none", "", "", "VAULTMEM_EMBEDDER is none")


def test_choosing_and_building_load_nothing_heavy() -> None:
    """`status` does it every time."""
    code = (
        "import sys; from pathlib import Path; from vaultmem.models import embeddings;"
        "from vaultmem.models.providers.types import Surroundings;"
        "around = [Surroundings(embedder=e) for e in ('', 'minilm', 'ollama')];"
        "[embeddings.build(embeddings.choose(a, Path('/nowhere')), a) for a in around];"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numpy", "ollama", "httpx", "tokenizers", "onnxruntime", "pydantic", "chromadb"}
    assert heavy.isdisjoint(done.stdout.split())
