"""Bring the published files into a folder: over HTTP, going on where a line broke, or by copying.

A file gets its name when its digest is right and its bytes are on the disk, not before.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import BinaryIO
from urllib import request
from urllib.error import HTTPError

from vaultmem.errors import Busy, ModelAway, Unavailable, disk_errors
from vaultmem.models.embeddings.minilm import model_files
from vaultmem.models.embeddings.minilm.model_files import MODEL, REVISION, SAFETENSORS, TOKENIZER
from vaultmem.models.embeddings.types import Pin, Told
from vaultmem.models.providers import endpoint
from vaultmem.models.providers.retry import Pace, Patience

SOURCE = "https://huggingface.co"
"""Where its makers publish it; mirrors keep the same paths."""
FILES = (TOKENIZER, SAFETENSORS)
PACE = Pace()
"""How long it waits after a line broke, twice as long each time."""

_SILENCE = 30.0
_TRIES = 4
_CHUNK = 1 << 18


def page(source: str) -> str:
    """Return the address of the model at *source*, for people."""
    return f"{source.rstrip('/')}/sentence-transformers/{MODEL}"


def lacking(folder: Path) -> list[Pin]:
    """Return the files that *folder* lacks, or has otherwise."""
    return [pin for pin in FILES if not _is_there(folder / pin.name, pin)]


def _is_there(path: Path, pin: Pin) -> bool:
    try:
        return path.stat().st_size == pin.size and model_files.digest(path) == pin.sha
    except OSError:
        return False


class _Another(Unavailable):
    """What came is not the published file."""

    def __init__(self, pin: Pin, how: str) -> None:
        super().__init__(
            f"{pin.name} is not the file of {MODEL} that was published ({how}); nothing of it was "
            "kept"
        )


class _Broken(Exception):
    """The line broke; what came before is good."""


class _NoSuchPart(Exception):
    """The file is shorter there than what came before, which is none of it."""


def fetch(pin: Pin, source: str, folder: Path, told: Told) -> None:
    """Download the file *pin* from *source* into *folder*.

    What a broken line leaves is kept for the next time; a file that is another leaves nothing.
    Raises Unavailable, Busy, DiskRefused.
    """
    url = f"{page(source)}/resolve/{REVISION}/{pin.name}"
    with _part(pin, folder) as file:
        left = _size(file)
        told(left)
        _fetch(file, url, pin, told)
        if left and not _is_right(file, pin):  # what was left was none of it
            _empty(file, told)
            _fetch(file, url, pin, told)


def _fetch(file: BinaryIO, url: str, pin: Pin, told: Told) -> None:
    def go_on() -> None:
        if why := _go_on(file, url, pin, told):
            raise ModelAway(endpoint.shown(url), why, retryable=True)

    try:
        Patience(PACE, 0, _TRIES).ask(go_on)
    except ModelAway as e:
        raise Unavailable(
            f"{e}, {_size(file)} of {pin.size} bytes of {pin.name} are there; run it again, it "
            "goes on from there"
        ) from e


def copy(pin: Pin, origin: Path, folder: Path, told: Told) -> None:
    """Copy the file *pin* from the folder *origin* into *folder*; raises as `fetch` does."""
    with _part(pin, folder) as file:
        file.truncate(0)
        for chunk in _copied(origin / pin.name):
            file.write(chunk)
            told(len(chunk))


@contextmanager
def _part(pin: Pin, folder: Path) -> Iterator[BinaryIO]:
    """Yield what is there of the file, to go on with; it gets its name if it is right then."""
    part = folder / f".{pin.name}.part"
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with part.open("ab") as file:
            _hold(file, folder)
            try:
                yield file
                _prove(file, pin)
            except Unavailable as e:
                if isinstance(e, _Another) or not _size(file):
                    part.unlink()
                raise
            part.replace(folder / pin.name)


def _hold(file: BinaryIO, folder: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as e:
        raise Busy(str(folder), 0) from e


def _prove(file: BinaryIO, pin: Pin) -> None:
    if not _is_right(file, pin):
        raise _Another(pin, f"its sha256 is {_digest(file)}")
    os.fsync(file.fileno())


def _is_right(file: BinaryIO, pin: Pin) -> bool:
    return _size(file) == pin.size and _digest(file) == pin.sha


def _digest(file: BinaryIO) -> str:
    file.flush()
    return model_files.digest(Path(file.name))


def _empty(file: BinaryIO, told: Told) -> None:
    told(-_size(file))
    file.truncate(0)


def _size(file: BinaryIO) -> int:
    file.flush()
    return os.fstat(file.fileno()).st_size


def _copied(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except OSError as e:
        raise Unavailable(f"{path}: {e.strerror or e}; nothing was copied") from e


def _go_on(file: BinaryIO, url: str, pin: Pin, told: Told) -> str:
    """Append what *file* lacks; return why it is not whole yet, empty when it is."""
    if _is_right(file, pin):
        return ""
    if _size(file) >= pin.size:
        _empty(file, told)
    try:
        have = _size(file)
        with _response(url, have) as answer:
            if have and answer.status != HTTPStatus.PARTIAL_CONTENT:
                _empty(file, told)
            lack = pin.size - _size(file)
            if answer.length not in {None, lack}:
                raise _Another(pin, f"{answer.length} bytes came for {lack}")
            for chunk in _received(answer, lack):
                file.write(chunk)
                told(len(chunk))
    except _NoSuchPart as e:
        _empty(file, told)
        return str(e)
    except _Broken as e:
        return str(e)
    return "" if _size(file) == pin.size else "the line was cut"


@contextmanager
def _response(url: str, have: int) -> Iterator[HTTPResponse]:
    """Yield the answer to a request for *url* from the byte *have* on."""
    asked = request.Request(url, headers={"User-Agent": "vaultmem"})  # noqa: S310  # http, https
    if have:
        asked.add_header("Range", f"bytes={have}-")
    proxies: dict[str, str] | None = {} if endpoint.is_local(url) else None
    try:
        answer = request.build_opener(request.ProxyHandler(proxies)).open(asked, timeout=_SILENCE)
    except HTTPError as e:
        e.close()
        if have and e.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise _NoSuchPart("it has no such part") from e
        raise Unavailable(
            f"{endpoint.shown(url)} refused {url.rpartition('/')[2]} with status {e.code}"
        ) from e
    except (OSError, HTTPException) as e:
        raise _Broken(_why(e)) from e
    with answer:
        yield answer


def _received(answer: HTTPResponse, lack: int) -> Iterator[bytes]:
    """Yield what comes, at most *lack* bytes."""
    try:
        while lack and (chunk := answer.read(min(_CHUNK, lack))):
            lack -= len(chunk)
            yield chunk
    except (OSError, HTTPException) as e:
        raise _Broken(_why(e)) from e


def _why(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason) or "the line was cut"
