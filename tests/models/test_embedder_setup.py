"""`embedder setup` and `embedder status`: a download over real HTTP, cut, resumed, and proved."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import click
import pytest

from tests.wire import Wire
from vaultmem.cli.embedder import embedder
from vaultmem.errors import BadInput, Busy, DiskRefused, Refused, Unavailable, VaultError
from vaultmem.models.embeddings.minilm import download, model_files
from vaultmem.models.embeddings.types import Pin
from vaultmem.models.providers.retry import Pace

WEIGHTS = os.environ.get("VAULTMEM_MODEL_DIR", "")  # a scene's environment is its own
DATA = {
    "tokenizer.json": b'{"herons": 1}',
    "model.safetensors": bytes(range(256)) * 4000,
}
PAGE = "/sentence-transformers/all-MiniLM-L6-v2/resolve/1110a243fdf4706b3f48f1d95db1a4f5529b4d41/"


# --- a mirror ---------------------------------------------------------------------------------


@dataclass
class Mirror:
    """Serves *files*, in its own ways."""

    files: dict[str, bytes] = field(default_factory=lambda: dict(DATA))
    cuts: list[int] = field(default_factory=list)
    """After how many bytes it hangs up, request by request; then it does no more."""
    ranges: bool = True
    store: str = ""
    """Where it sends whoever asks, if it keeps large files elsewhere."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    """The name and the range of each request."""
    url: str = ""


class _Handler(BaseHTTPRequestHandler):
    mirror: ClassVar[Mirror]

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        name, wanted = self.path.removeprefix(PAGE), self.headers.get("range", "")
        if self.mirror.store and self.path.startswith(PAGE):
            self.send_response(302)
            self.send_header("location", self.path.replace(PAGE, self.mirror.store))
            self.end_headers()
            return
        name = name.removeprefix(self.mirror.store)
        self.mirror.asked.append((name, wanted))
        if name not in self.mirror.files:
            self.send_error(404)
            return
        data = self.mirror.files[name]
        first = int(wanted[len("bytes=") : -1]) if wanted and self.mirror.ranges else 0
        if first >= len(data):
            self.send_error(416)
            return
        self.send_response(206 if first else 200)
        self.send_header("content-length", str(len(data) - first))
        self.end_headers()
        cut = self.mirror.cuts.pop(0) if self.mirror.cuts else len(data)
        self.wfile.write(data[first : first + cut])


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    """Serve on this machine."""
    made = Mirror()
    handler = type("Handler", (_Handler,), {"mirror": made})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    made.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds between two tries; nobody waits."""
    seconds: list[float] = []
    pace = Pace(seconds.append, lambda: 0.0, lambda: 0.0)
    monkeypatch.setattr(download, "PACE", pace)
    return seconds


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, waits: list[float]) -> None:  # noqa: ARG001  # no waits
    """Take DATA for the published files."""
    pins = {n: Pin(n, len(d), hashlib.sha256(d).hexdigest()) for n, d in DATA.items()}
    monkeypatch.setattr(download, "FILES", tuple(pins.values()))
    monkeypatch.setattr(model_files, "PINS", pins)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where this user's weights belong."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    return tmp_path / "data/vaultmem/models/all-MiniLM-L6-v2"


def run(*args: str) -> None:
    """Run `embedder` with *args*."""
    embedder.main(list(args), standalone_mode=False)


def refusal(kind: type[VaultError | click.ClickException], *args: str) -> str:
    """Return what `embedder` with *args* is refused with."""
    with pytest.raises(kind) as caught:
        run(*args)
    error = caught.value
    return error.format_message() if isinstance(error, click.ClickException) else str(error)


def there(folder: Path) -> Mapping[str, bytes]:
    """Return all files of *folder*."""
    return {p.name: p.read_bytes() for p in folder.iterdir()} if folder.exists() else {}


# --- setup ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
def test_setup_fetches_two_files_once(
    mirror: Mirror, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then it is used, without another word to anybody."""
    run("setup", "--yes", "--source", mirror.url)
    assert there(place) == DATA
    out, err = capsys.readouterr()
    assert (out, err) == (f"all-MiniLM-L6-v2 is set up: {place}\n", "")
    run("setup", "--source", mirror.url)
    assert capsys.readouterr().out == f"it is already there: {place}\n"
    assert mirror.asked == [("tokenizer.json", ""), ("model.safetensors", "")]


@pytest.mark.usefixtures("small")
def test_setup_tells_programs_what_it_did(
    mirror: Mirror, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """A mirror may be named as the hub's own tools name it."""
    monkeypatch.setenv("HF_ENDPOINT", mirror.url + "/")
    run("setup", "--yes", "--json", "--dir", str(tmp_path / "mine"))
    assert json.loads(capsys.readouterr().out) == {
        "model": "all-MiniLM-L6-v2",
        "path": str(tmp_path / "mine"),
        "files": ["tokenizer.json", "model.safetensors"],
        "bytes": sum(len(data) for data in DATA.values()),
        "licence": "Apache-2.0",
        "used": False,
    }


@pytest.mark.usefixtures("small")
def test_a_line_that_breaks_is_taken_up_where_it_broke(
    mirror: Mirror, place: Path, waits: list[float]
) -> None:
    """Twice, in one go, and a little later each time."""
    mirror.cuts = [100, 300_000, 200_000]
    run("setup", "--yes", "--source", mirror.url)
    assert there(place) == DATA
    assert mirror.asked == [
        ("tokenizer.json", ""),
        ("model.safetensors", ""),
        ("model.safetensors", "bytes=300000-"),
        ("model.safetensors", "bytes=500000-"),
    ]
    assert waits == [0.5, 1.0]


@pytest.mark.usefixtures("small")
def test_what_was_fetched_is_there_the_next_time(mirror: Mirror, place: Path) -> None:
    """When the line broke too often."""
    mirror.cuts = [100, 1000, 1000, 1000, 1000]
    why = refusal(Unavailable, "setup", "--yes", "--source", mirror.url)
    assert "4000 of 1024000 bytes of model.safetensors are there; run it again" in why
    assert there(place).keys() == {"tokenizer.json", ".model.safetensors.part"}
    mirror.asked.clear()
    run("setup", "--yes", "--source", mirror.url)
    assert there(place) == DATA
    assert mirror.asked == [("model.safetensors", "bytes=4000-")]


@pytest.mark.usefixtures("small")
def test_a_mirror_that_knows_no_ranges_begins_again(mirror: Mirror, place: Path) -> None:
    """Nothing is there twice."""
    mirror.cuts, mirror.ranges = [100, 300_000], False
    run("setup", "--yes", "--source", mirror.url)
    assert there(place) == DATA


@pytest.mark.usefixtures("small")
def test_a_mirror_may_keep_its_files_elsewhere(mirror: Mirror, place: Path) -> None:
    """And is asked there for the rest alone."""
    mirror.cuts, mirror.store = [100, 300_000], "/store/"
    run("setup", "--yes", "--source", mirror.url)
    assert there(place) == DATA
    assert mirror.asked[-1] == ("model.safetensors", "bytes=300000-")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("sent", "how"),
    [
        (DATA["model.safetensors"][:-1] + b"x", "its sha256 is "),
        (b"<html>Log in</html>", "19 bytes came for 1024000"),
        (DATA["model.safetensors"] + b"x", "1024001 bytes came for 1024000"),
    ],
)
def test_another_file_leaves_nothing(mirror: Mirror, place: Path, sent: bytes, how: str) -> None:
    """Not a byte: it must not be gone on with."""
    mirror.files["model.safetensors"] = sent
    why = refusal(Unavailable, "setup", "--yes", "--source", mirror.url)
    assert why.startswith(
        "model.safetensors is not the file of all-MiniLM-L6-v2 that was published"
    )
    assert how in why
    assert there(place).keys() == {"tokenizer.json"}


WHOLE = DATA["model.safetensors"]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("ranges", [True, False])
@pytest.mark.parametrize(
    "part",
    [b"bad", WHOLE[:-1] + b"x", WHOLE + b"x", b"x" * len(WHOLE), WHOLE[:-1], WHOLE[:5], b"x" * 9],
)
def test_whatever_was_left_of_another_time_it_ends(
    mirror: Mirror, place: Path, part: bytes, *, ranges: bool
) -> None:
    """What is none of the file, longer or another is thrown away, whatever the mirror knows."""
    place.mkdir(parents=True)
    (place / ".model.safetensors.part").write_bytes(part)
    mirror.ranges = ranges
    run("setup", "--yes", "--source", mirror.url)
    assert there(place) == DATA


@pytest.mark.usefixtures("small")
def test_a_part_that_is_whole_is_not_asked_for(mirror: Mirror, place: Path) -> None:
    """It was all there when somebody pulled the plug; a server would answer 416 for ever."""
    place.mkdir(parents=True)
    (place / ".model.safetensors.part").write_bytes(WHOLE)
    run("setup", "--yes", "--source", mirror.url)
    assert there(place) == DATA
    assert mirror.asked == [("tokenizer.json", "")]


@pytest.mark.usefixtures("small")
def test_a_mirror_that_has_less_than_was_left_is_asked_anew(mirror: Mirror, place: Path) -> None:
    """It says 416; what it has is told for what it is, and nothing of it stays."""
    place.mkdir(parents=True)
    (place / ".model.safetensors.part").write_bytes(WHOLE[:1000])
    mirror.files["model.safetensors"] = b"<html>Log in</html>"
    why = refusal(Unavailable, "setup", "--yes", "--source", mirror.url)
    assert "19 bytes came for 1024000" in why
    assert there(place).keys() == {"tokenizer.json"}


@pytest.mark.usefixtures("small")
def test_a_mirror_without_the_file_is_named(mirror: Mirror, place: Path) -> None:
    """With what it said."""
    mirror.files.clear()
    where = mirror.url.removeprefix("http://")
    assert refusal(Unavailable, "setup", "--yes", "--source", mirror.url) == (
        f"{where} refused tokenizer.json with status 404"
    )
    assert there(place) == {}


@pytest.mark.usefixtures("small")
def test_nobody_there_is_a_sentence(place: Path) -> None:
    """With why."""
    assert refusal(Unavailable, "setup", "--yes", "--source", "http://127.0.0.1:1") == (
        "127.0.0.1:1: Connection refused, 0 of 13 bytes of tokenizer.json are there; run it again, "
        "it goes on from there"
    )
    assert there(place) == {}


@pytest.mark.usefixtures("small")
def test_a_full_disk_is_a_sentence(mirror: Mirror, place: Path) -> None:
    """As the system says it."""
    place.mkdir(parents=True)
    (place / ".model.safetensors.part").symlink_to("/dev/full")
    why = refusal(DiskRefused, "setup", "--yes", "--source", mirror.url)
    assert why.startswith(f"{place}: No space left on device; ")


@pytest.mark.usefixtures("small")
def test_two_do_not_fetch_at_once(mirror: Mirror, place: Path) -> None:
    """Their bytes would mix."""
    place.mkdir(parents=True)
    with (place / ".tokenizer.json.part").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert str(place) in refusal(Busy, "setup", "--yes", "--source", mirror.url)
    run("setup", "--yes", "--source", mirror.url)
    assert there(place) == DATA


@pytest.mark.usefixtures("small")
def test_a_folder_serves_as_well(tmp_path: Path, place: Path) -> None:
    """Where there is no network."""
    stick = tmp_path / "stick"
    stick.mkdir()
    (stick / "tokenizer.json").write_bytes(DATA["tokenizer.json"])
    why = refusal(Unavailable, "setup", "--yes", "--from", str(stick))
    assert why == f"{stick / 'model.safetensors'}: No such file or directory; nothing was copied"
    (stick / "model.safetensors").write_bytes(b"x")
    assert "is not the file" in refusal(Unavailable, "setup", "--yes", "--from", str(stick))
    assert there(place).keys() == {"tokenizer.json"}
    (stick / "model.safetensors").write_bytes(DATA["model.safetensors"])
    run("setup", "--yes", "--from", str(stick))
    assert there(place) == DATA


def test_nothing_is_fetched_unasked(mirror: Mirror) -> None:
    """A script must say that it means it."""
    why = refusal(click.UsageError, "setup", "--source", mirror.url)
    assert why == "nobody is there to confirm: pass --yes"
    assert mirror.asked == []


def test_a_source_is_a_web_address() -> None:
    """Nothing else is opened."""
    why = refusal(BadInput, "setup", "--yes", "--source", "file:///etc")
    assert "'file:///etc' is no web address" in why


def asked_at_a_terminal(answer: str, *args: str) -> tuple[int, str]:
    """Return the exit code and all output of a setup that somebody gives *answer*."""
    ours, theirs = pty.openpty()
    code = (
        "import sys; from vaultmem.cli.embedder import embedder; from vaultmem.errors import *\n"
        "try: embedder.main(sys.argv[1:], standalone_mode=False)\n"
        "except VaultError as e: print(e); sys.exit(e.exit_code)"
    )
    os.write(ours, answer.encode())
    done = subprocess.run(
        [sys.executable, "-c", code, *args],
        stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    os.close(ours)
    os.close(theirs)
    return done.returncode, done.stdout


def test_a_person_sees_what_comes_and_may_say_no(mirror: Mirror, place: Path) -> None:
    """Size, licence, from where, to where."""
    code, shown = asked_at_a_terminal("n\n", "setup", "--source", mirror.url)
    assert code == Refused.exit_code
    assert f"from     {mirror.url}/sentence-transformers/all-MiniLM-L6-v2" in shown
    assert "files    tokenizer.json, model.safetensors: 91.3 MB" in shown
    assert "licence  Apache-2.0" in shown
    assert f"to       {place}" in shown
    assert shown.endswith("nothing was downloaded\n")
    assert mirror.asked == []


def test_a_person_may_say_yes(mirror: Mirror) -> None:
    """Then it is fetched; here it is another file."""
    code, shown = asked_at_a_terminal("y\n", "setup", "--source", mirror.url)
    assert code == Unavailable.exit_code
    assert "13 bytes came for 466247" in shown


@pytest.mark.skipif(not WEIGHTS, reason="VAULTMEM_MODEL_DIR names no weights")
def test_what_was_set_up_answers(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The real one, from a folder."""
    run("setup", "--yes", "--from", WEIGHTS)
    capsys.readouterr()
    run("status", "--json")
    found = json.loads(capsys.readouterr().out)
    assert 0 < found.pop("milliseconds") < 10_000
    assert found == {
        "kind": "minilm", "model": "all-MiniLM-L6-v2", "where": str(place),
        "why": "its weights were found", "available": True, "problem": "",
        "space": "minilm:all-MiniLM-L6-v2", "edition": model_files.REVISION,
        "licence": "Apache-2.0", "dimensions": 384,
    }  # fmt: skip


# --- status -----------------------------------------------------------------------------------

Told = Callable[[], str]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """Return what `embedder status` prints for a person."""

    def tell() -> str:
        run("status")
        return capsys.readouterr().out

    return tell


def test_status_says_that_nobody_embeds(told: Told) -> None:
    """And what to do."""
    assert told() == (
        "none: no embedder is set up: `vaultmem embedder setup` fetches one of 91 MB\n"
    )


def test_status_asks_the_server(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """One question, timed."""
    monkeypatch.setenv("VAULTMEM_EMBEDDER", "ollama")
    listed = [{"model": "nomic-embed-text:latest", "digest": "f00dbeef" * 8}]
    with Wire(lambda _: "", listed) as wire:
        monkeypatch.setenv("OLLAMA_HOST", wire.url)
        lines = told().splitlines()
        assert len(wire.calls) == 1
    where = wire.url.removeprefix("http://")
    assert lines[:3] == [
        "ollama, nomic-embed-text: VAULTMEM_EMBEDDER says so",
        f"  where    {where}",
        "  space    ollama:nomic-embed-text",
    ]
    assert lines[3].startswith("  answers  in ")
    assert lines[3].endswith(" ms, 64 dimensions, edition f00dbeeff00d")


def test_status_says_why_there_is_no_answer(
    told: Told, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the way out."""
    monkeypatch.setenv("VAULTMEM_EMBEDDER", "minilm")
    assert told().endswith(
        f"  answers  no: minilm: no weights of all-MiniLM-L6-v2 in {place}; "
        "`vaultmem embedder setup` fetches them\n"
    )
