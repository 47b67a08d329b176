"""all-MiniLM-L6-v2: that it is the model it says, what it costs to know that, and what it computes.

Most scenes make a model of four words; those with the real weights rest where VAULTMEM_MODEL_DIR
names none.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vaultmem.errors import ModelAway
from vaultmem.models.embeddings.minilm import model_files, numpy_backend
from vaultmem.models.embeddings.minilm.digest_cache import FILE, Verified
from vaultmem.models.embeddings.minilm.embedder import MiniLM
from vaultmem.models.embeddings.minilm.model_files import Weights
from vaultmem.models.embeddings.minilm.onnx_backend import Graph
from vaultmem.models.embeddings.types import Pin

WEIGHTS = os.environ.get("VAULTMEM_MODEL_DIR", "")  # a scene's environment is its own
needs_weights = pytest.mark.skipif(not WEIGHTS, reason="VAULTMEM_MODEL_DIR names no weights")

WORDS = ["[PAD]", "[UNK]", "heron", "duck"]
TABLE = np.random.default_rng(7).normal(size=(len(WORDS), 384)).astype(np.float32)


# --- a model of four words --------------------------------------------------------------------


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


def _message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """Return a protocol buffer of numbered *fields*."""
    made: list[bytes] = []
    for number, value in fields:
        if isinstance(value, int):
            made += [_varint(number << 3), _varint(value)]
        else:
            data = value.encode() if isinstance(value, str) else value
            made += [_varint(number << 3 | 2), _varint(len(data)), data]
    return b"".join(made)


def _attribute(name: str, value: int | list[int]) -> bytes:
    if isinstance(value, int):
        return _message((1, name), (3, value), (20, 2))
    return _message((1, name), *((8, item % 2**64) for item in value), (20, 7))


def _value(name: str, kind: int) -> bytes:
    dims = [(1, _message((2, axis))) for axis in ("texts", "tokens")]
    dims += [(1, _message((1, 384)))] * (kind == 1)
    tensor = _message((1, kind), (2, _message(*dims)))
    return _message((1, name), (2, _message((1, tensor))))


def _model(parts: list[tuple[int, bytes]], given: str) -> bytes:
    """Return the ONNX file of a graph of *parts* that gives what is named so (onnx.proto)."""
    asked = ("input_ids", "attention_mask", "token_type_ids")
    ends = [*((11, _value(name, 7)) for name in asked), (12, _value(given, 1))]
    graph = _message(*parts, (2, "herons"), *ends)
    return _message((1, 8), (7, graph), (8, _message((2, 17))))


def onnx() -> bytes:
    """Return a graph whose tokens are rows of TABLE, with the ins and outs of the real one."""
    gather = _message((1, "table"), (1, "input_ids"), (2, "last_hidden_state"), (4, "Gather"))
    table = _message((1, len(WORDS)), (1, 384), (2, 1), (8, "table"), (9, TABLE.tobytes()))
    return _model([(1, gather), (5, table)], "last_hidden_state")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the graph and its tokenizer, and take them for the published files."""
    from tokenizers import Tokenizer  # noqa: PLC0415
    from tokenizers.models import WordLevel  # noqa: PLC0415
    from tokenizers.pre_tokenizers import Whitespace  # noqa: PLC0415

    made = tmp_path / "model"
    made.mkdir()
    tokenizer = Tokenizer(WordLevel({w: n for n, w in enumerate(WORDS)}, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(made / "tokenizer.json"))
    (made / "model.onnx").write_bytes(onnx())
    for path in made.iterdir():
        monkeypatch.setitem(model_files.PINS, path.name, pin(path))
    return made


def pin(path: Path) -> Pin:
    """Return the file as if it had been published so."""
    return Pin(path.name, path.stat().st_size, model_files.digest(path))


def unit(vector: np.ndarray[tuple[int], np.dtype[np.float32]]) -> object:
    """Return *vector* with length 1, to compare with."""
    return pytest.approx(vector / np.linalg.norm(vector), abs=1e-6)


def test_a_graph_sees_only_the_tokens_of_a_text(folder: Path) -> None:
    """Not what a shorter one is filled up with beside a longer one."""
    short, long = MiniLM(folder, None).documents(["heron", "duck heron heron swan"])
    assert short == unit(TABLE[2])
    assert long == unit(TABLE[[3, 2, 2, 1]].mean(axis=0))


def test_each_token_is_shown_where_it_stands(folder: Path) -> None:
    """Before they are averaged; texts of a length come together."""
    texts = ["duck heron", "swan"]
    swan, both = MiniLM(folder, None).encoded(texts)
    assert (swan.number, swan.tokens.spans) == (1, [(0, 4)])
    assert (both.number, both.tokens.spans) == (0, [(0, 4), (5, 10)])
    assert both.tokens.vectors == pytest.approx(TABLE[[3, 2]])
    assert both.vector == unit(TABLE[[3, 2]].mean(axis=0))


def test_a_sample_is_of_the_words_of_the_vocabulary(folder: Path) -> None:
    """None of its marks; each time the same."""
    assert sorted(" ".join(MiniLM(folder, None).sample()).split()) == ["duck", "heron"]
    assert MiniLM(folder, None).sample() == MiniLM(folder, None).sample()


def test_a_graph_reports_to_nobody(folder: Path, tmp_path: Path) -> None:
    """Left alone, onnxruntime would leave a device id and an event in the home folder."""
    home = tmp_path / "home"
    home.mkdir()
    code = (
        "from vaultmem.models.embeddings.minilm.onnx_backend import Graph;"
        "from pathlib import Path; import sys;"
        "print(Graph(Path(sys.argv[1])).encode([[2, 3]])[0].shape)"
    )
    argv = [sys.executable, "-c", code, str(folder / "model.onnx")]
    env = {**os.environ, "HOME": str(home)}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "(2, 384)\n"
    assert list(home.rglob("*")) == []


# --- proof ------------------------------------------------------------------------------------


def refusal(folder: Path, cache: Path | None = None) -> str:
    """Return why the weights in *folder* are refused."""
    with pytest.raises(ModelAway) as caught:
        MiniLM(folder, cache).query("heron")
    return str(caught.value)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_another_is_not_loaded(folder: Path, name: str) -> None:
    """It is named, with the way out."""
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data + b" ")
    found = hashlib.sha256(data + b" ").hexdigest()
    assert refusal(folder) == (
        f"minilm: {folder / name} is not the file of all-MiniLM-L6-v2 that was published (its "
        f"sha256 is {found}); `vaultmem embedder setup` fetches that"
    )
    (folder / name).write_bytes(data)
    assert MiniLM(folder, None).query("heron") == unit(TABLE[2])


def test_weights_that_come_later_are_found(folder: Path, tmp_path: Path) -> None:
    """Nothing has to be started anew."""
    it = MiniLM(tmp_path / "later", None)
    with pytest.raises(ModelAway, match="no weights"):
        it.query("heron")
    folder.rename(tmp_path / "later")
    assert it.query("heron") == unit(TABLE[2])


def test_a_file_is_proved_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then again when it was touched."""
    proved: list[str] = []

    def digest(path: Path, real: Callable[[Path], str] = model_files.digest) -> str:
        proved.append(path.name)
        return real(path)

    monkeypatch.setattr(model_files, "digest", digest)
    for _ in range(2):
        MiniLM(folder, tmp_path / "cache").query("heron")
    assert proved == ["tokenizer.json", "model.onnx"]
    os.utime(folder / "model.onnx", (1, 1))
    MiniLM(folder, tmp_path / "cache").query("heron")
    assert proved == ["tokenizer.json", "model.onnx", "model.onnx"]


@pytest.mark.parametrize("data", ["", "[]", "\udcff", '{"x": 3}', "[" * 9999])
def test_a_damaged_memory_of_proofs_is_made_anew(folder: Path, tmp_path: Path, data: str) -> None:
    """It is only a memory."""
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / FILE).write_text(data, errors="surrogateescape")
    MiniLM(folder, cache).query("heron")
    assert len(json.loads((cache / FILE).read_text())) >= 2
    assert Verified(cache).holds(folder / "model.onnx", model_files.PINS["model.onnx"].sha)


def test_where_nothing_can_be_remembered_it_works(folder: Path, tmp_path: Path) -> None:
    """A file stands where the folder should."""
    (tmp_path / "cache").touch()
    assert len(MiniLM(folder, tmp_path / "cache").query("heron")) == 384


def test_what_chroma_unpacked_is_proved_by_its_archive(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is another export of the same model, whose files nobody pins."""
    for name in ("model.onnx", "tokenizer.json"):
        monkeypatch.setitem(model_files.PINS, name, Pin(name, 1, "of another export"))
    cache, theirs = tmp_path / "cache", tmp_path / "onnx"
    shutil.copytree(folder, theirs)
    with tarfile.open(model_files.archive(theirs), "w:gz") as packed:
        packed.add(theirs, "onnx")
    assert "is not the file" in refusal(theirs)
    monkeypatch.setattr(model_files, "CHROMAS", pin(model_files.archive(theirs)))
    assert MiniLM(theirs, cache).query("heron") == unit(TABLE[2])

    model_files.archive(theirs).unlink()
    assert MiniLM(theirs, cache).query("heron") == unit(TABLE[2])
    (theirs / "model.onnx").write_bytes(onnx() + b"\0")
    assert "is not the file" in refusal(theirs, cache)


def test_a_model_that_cannot_be_loaded_is_named(folder: Path) -> None:
    """Although it is what was published."""
    (folder / "model.onnx").write_bytes(b"herons")
    model_files.PINS["model.onnx"] = pin(folder / "model.onnx")
    assert refusal(folder).startswith(f"minilm: {folder / 'model.onnx'} cannot be loaded: ")


# --- numbers ----------------------------------------------------------------------------------


def test_tensors_are_read_where_they_lie(tmp_path: Path) -> None:
    """Those of floats; behind a head of any length."""
    head = {
        "__metadata__": {"format": "pt"},
        "places": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]},
        "a": {"dtype": "F32", "shape": [2, 2], "data_offsets": [8, 24]},
        "b": {"dtype": "F32", "shape": [1], "data_offsets": [24, 28]},
    }
    text = json.dumps(head).encode()
    data = np.arange(1, 6, dtype="<f4").tobytes()
    path = tmp_path / "x.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(8) + data)
    found = numpy_backend.load(path)
    assert {name: tensor.tolist() for name, tensor in found.items()} == {
        "a": [[1, 2], [3, 4]],
        "b": [5],
    }


def test_products_keep_to_one_thread_and_then_go_on_as_before() -> None:
    """The rest of the process has its own wishes."""
    library = numpy_backend._openblas()
    if library is None:
        pytest.skip("numpy brought no OpenBLAS of its own")
    before = library.scipy_openblas_get_num_threads64_()
    library.scipy_openblas_set_num_threads64_(2)
    with numpy_backend.one_thread():
        within = library.scipy_openblas_get_num_threads64_()
    after = library.scipy_openblas_get_num_threads64_()
    library.scipy_openblas_set_num_threads64_(before)
    assert (within, after) == (1, 2)


@pytest.fixture(scope="session")
def model() -> MiniLM:
    """Return the real model."""
    return MiniLM(Path(WEIGHTS), None)


@needs_weights
def test_it_computes_what_its_makers_computed(model: MiniLM) -> None:
    """The example on the model's page, with the numbers that stand there (sbert.net)."""
    found = model.documents(
        ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    )
    said = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert found @ found.T == pytest.approx(np.array(said), abs=5e-5)


@needs_weights
@pytest.mark.parametrize(
    ("one", "alike", "other"),
    [
        ("How do I cancel my subscription?", "Ways to end my membership", "How do I cook rice?"),
        ("Ada was born in 1815.", "Her birth year is 1815.", "The lake froze in January."),
        ("The server is down.", "Our host does not respond.", "The dog lay down."),
    ],
)
def test_what_means_the_same_is_near(model: MiniLM, one: str, alike: str, other: str) -> None:
    """In other words."""
    asked, near, far = model.documents([one, alike, other])
    assert asked @ near > 0.5
    assert asked @ near > asked @ far + 0.2


@needs_weights
def test_a_text_counts_to_its_256th_token(model: MiniLM) -> None:
    """Of which two are its frame; its tokenizer, left alone, cuts at 128."""
    start = "heron " * 253
    whole, cut, early = model.documents([start + "duck", start + "duck swan", start + "lake"])
    assert whole == pytest.approx(cut, abs=1e-6)
    assert abs(whole - early).max() > 1e-4


class _Export:
    """The model as a graph of the plainest operators, its weights taken from a safetensors file."""

    def __init__(self, tensors: numpy_backend.Tensors) -> None:
        """Begin with nothing."""
        self.tensors = tensors
        self.nodes: list[tuple[int, bytes]] = []
        self.known: list[tuple[int, bytes]] = []

    def op(self, kind: str, *given: str, **attributes: int | list[int]) -> str:
        """Add a node; return the name of what it gives."""
        name = f"{kind}_{len(self.nodes)}"
        told = [(5, _attribute(key, value)) for key, value in attributes.items()]
        made = _message(*((1, x) for x in given), (2, name), (4, kind), *told)
        self.nodes.append((1, made))
        return name

    def const(self, values: object) -> str:
        """Add a constant; return its name."""
        array = np.asarray(values)
        kind, name = (1 if array.dtype.kind == "f" else 7), f"c{len(self.known)}"
        data = array.astype("<f4" if kind == 1 else "<i8").tobytes()
        dims = [(1, size) for size in array.shape]
        self.known.append((5, _message(*dims, (2, kind), (8, name), (9, data))))
        return name

    def weight(self, name: str) -> str:
        """Add a tensor of the file; return its name."""
        return self.const(self.tensors[name])

    def linear(self, x: str, name: str) -> str:
        """Multiply by a weight and add its bias."""
        turned = self.const(self.tensors[f"{name}.weight"].T)
        return self.op("Add", self.op("MatMul", x, turned), self.weight(f"{name}.bias"))

    def norm(self, x: str, name: str) -> str:
        """Bring each token to mean 0 and variance 1, then as the file has it."""
        x = self.op("Sub", x, self.op("ReduceMean", x, axes=[-1]))
        variance = self.op("ReduceMean", self.op("Mul", x, x), axes=[-1])
        size = self.op("Sqrt", self.op("Add", variance, self.const(1e-12)))
        x = self.op("Mul", self.op("Div", x, size), self.weight(f"{name}.weight"))
        return self.op("Add", x, self.weight(f"{name}.bias"))

    def heads(self, x: str, name: str, order: list[int]) -> str:
        """Project *x* and part it among the heads."""
        parted = self.op("Reshape", self.linear(x, name), self.const([0, 0, 12, 32]))
        return self.op("Transpose", parted, perm=order)

    def layer(self, x: str, name: str, hidden: str) -> str:
        """Add one layer."""
        own = f"{name}.attention.self"
        query, value = (self.heads(x, f"{own}.{k}", [0, 2, 1, 3]) for k in ("query", "value"))
        near = self.op("MatMul", query, self.heads(x, f"{own}.key", [0, 2, 3, 1]))
        near = self.op("Add", self.op("Mul", near, self.const(32**-0.5)), hidden)
        heard = self.op("MatMul", self.op("Softmax", near), value)
        heard = self.op("Transpose", heard, perm=[0, 2, 1, 3])
        heard = self.op("Reshape", heard, self.const([0, 0, 384]))
        heard = self.linear(heard, f"{name}.attention.output.dense")
        x = self.norm(self.op("Add", x, heard), f"{name}.attention.output.LayerNorm")
        wide = self.linear(x, f"{name}.intermediate.dense")
        erf = self.op("Erf", self.op("Mul", wide, self.const(0.5**0.5)))
        wide = self.op("Mul", wide, self.op("Add", erf, self.const(1.0)))
        narrow = self.linear(self.op("Mul", wide, self.const(0.5)), f"{name}.output.dense")
        return self.norm(self.op("Add", x, narrow), f"{name}.output.LayerNorm")

    def whole(self) -> bytes:
        """Return the file."""
        length = self.op("Shape", "input_ids", start=1, end=2)
        places = self.weight("embeddings.position_embeddings.weight")
        places = self.op("Slice", places, self.const([0]), length)
        words = self.op("Gather", self.weight("embeddings.word_embeddings.weight"), "input_ids")
        types = self.weight("embeddings.token_type_embeddings.weight")
        types = self.op("Gather", types, "token_type_ids")
        x = self.op("Add", self.op("Add", words, places), types)
        x = self.norm(x, "embeddings.LayerNorm")
        seen = self.op("Cast", "attention_mask", to=1)
        hidden = self.op("Mul", self.op("Sub", seen, self.const(1.0)), self.const(1e9))
        hidden = self.op("Reshape", hidden, self.const([0, 1, 1, -1]))
        for number in range(6):
            x = self.layer(x, f"encoder.layer.{number}", hidden)
        return _model([*self.nodes, *self.known], x)


@needs_weights
def test_both_formats_are_one_space(model: MiniLM, tmp_path: Path) -> None:
    """So that vectors of one are found by questions of the other."""
    path = tmp_path / "model.onnx"
    path.write_bytes(_Export(numpy_backend.load(Path(WEIGHTS) / "model.safetensors")).whole())
    texts = ["Ada saw a heron.", "", "她在湖边看见一只苍鹭。", "heron " * 300, "The build fails."]
    loaded = model._load()
    ids = [loaded.tokenizer.encode(text).ids for text in texts]
    found = np.stack([tokens.mean(axis=0) for tokens in Graph(path).encode(ids)])
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    assert (found * model.documents(texts)).sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert found == pytest.approx(model.documents(texts), abs=1e-5)


@needs_weights
def test_it_is_proved_to_be_the_published_one(tmp_path: Path) -> None:
    """By the digests that the world pins."""
    found = model_files.find(Path(WEIGHTS))
    assert found is not None
    model_files.verify(found, Verified(tmp_path))
    other = shutil.copytree(WEIGHTS, tmp_path / "other", copy_function=os.symlink)
    (other / "model.safetensors").unlink()
    data = bytearray(found.model.read_bytes())
    data[-1] ^= 1
    (other / "model.safetensors").write_bytes(data)
    with pytest.raises(ModelAway, match=r"model\.safetensors is not the file"):
        model_files.verify(Weights(other / "model.safetensors", found.tokenizer), Verified(None))
