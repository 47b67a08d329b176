"""Where a vault's Chroma store is: a folder of the vault, or a server.

A folder bears one writer, and nobody who opens it meanwhile: an open client never sees what another
process writes, and two writers lose a twentieth for good. So whoever opens it holds the lock.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import chromadb
import httpx
from chromadb.config import Settings
from chromadb.errors import error_types

from vaultmem.retrieval.vectors.chroma_collection import (
    About,
    Store,
    answering,
    end,
    find,
    make,
    sessions,
)
from vaultmem.retrieval.vectors.chroma_ledger import FOLDER
from vaultmem.retrieval.vectors.chroma_url import Url
from vaultmem.retrieval.vectors.types import StoreAway
from vaultmem.storage import file_lock

if TYPE_CHECKING:
    from chromadb.api.client import Client

_CONNECT, _ANSWER = 2.0, 10.0
_WHO = "Chroma's store in .vaultmem/chroma"


class Place(Protocol):
    """What can hold the store."""

    key: str
    """Its name in the ledger."""
    live: bool
    """Whether an open store sees what other processes feed it."""

    def generation(self) -> int:
        """Return what changes when another store is put in its place."""

    def alone(self) -> contextlib.AbstractContextManager[bool]:
        """Keep everybody else from writing; False when somebody does. Raises StoreAway."""

    def reading(self) -> contextlib.AbstractContextManager[bool]:
        """Keep everybody else from what opening to read does not bear; False when it must wait."""

    def open(self, about: About, *, made: bool = False) -> Store | None:
        """Open the collection, *made* if need be; None when there is none. Raises StoreAway."""

    def beside(self, about: About) -> Store:
        """Open an empty collection beside the one there is."""

    def replace(self, store: Store, about: About) -> None:
        """Close *store* and put it where the collection was."""


class Folder:
    """An embedded store in `.vaultmem/chroma`."""

    key, live = FOLDER, False

    def __init__(self, folder: Path) -> None:
        """Stand in *folder*, which is the vault's `.vaultmem`."""
        self._path, self._lock = folder / "chroma", folder / "chroma.lock"
        self._new, self._old = folder / "chroma.new", folder / "chroma.old"

    def generation(self) -> int:
        """Return the inode of the folder, 0 when there is none."""
        try:
            return (self._path / "chroma.sqlite3").stat().st_ino
        except OSError:
            return 0

    @contextlib.contextmanager
    def alone(self) -> Iterator[bool]:
        """Hold the lock, if nobody does; a crash releases it. Raises StoreAway without one."""
        with contextlib.ExitStack() as held:
            with answering(_WHO):  # not what the caller does inside
                flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
                lock = os.open(self._lock, flags, 0o600)
                held.callback(file_lock.unlock, lock)
                ours = _taken(lock)
            yield ours

    def reading(self) -> contextlib.AbstractContextManager[bool]:
        """Hold the lock: to open it is to write, if only a little."""
        return self.alone()

    def open(self, about: About, *, made: bool = False) -> Store | None:
        """Open the collection, *made* if need be; the caller is alone. Raises StoreAway."""
        if not made and not self.generation():
            return None
        with answering(_WHO):
            self._path.mkdir(mode=0o700, exist_ok=True)
        return _collection(_client(self._path), about, _WHO, made=made)

    def beside(self, about: About) -> Store:
        """Make an empty collection in a new folder."""
        for left in (self._new, self._old):
            shutil.rmtree(left, ignore_errors=True)
        with answering(_WHO):
            self._new.mkdir(mode=0o700)
        return make(_client(self._new), about, _WHO)

    def replace(self, store: Store, about: About) -> None:  # noqa: ARG002  # a server needs it
        """Close *store* and put its folder where the other was; a crash here leaves none."""
        store.close()
        with answering(_WHO):
            if self._path.exists():
                self._path.rename(self._old)
            self._new.rename(self._path)
        shutil.rmtree(self._old, ignore_errors=True)


class Server:
    """A Chroma server; it sees to its writers itself, but one of ours at a time is enough."""

    live = True

    def __init__(self, url: Url, headers: Mapping[str, str], folder: Folder) -> None:
        """Ask the server at *url* with those *headers*; the lock is that of *folder*."""
        self._url, self._folder = url, folder
        self._headers = {**url.authorization(), **headers}
        self.key = url.bare
        self._who = f"the Chroma server at {url.shown}"

    def generation(self) -> int:
        """Return 0: what it holds is told by the collection's own identity."""
        return 0

    def alone(self) -> contextlib.AbstractContextManager[bool]:
        """Keep our other processes from feeding it."""
        return self._folder.alone()

    def reading(self) -> contextlib.AbstractContextManager[bool]:
        """Read whenever one likes."""
        return contextlib.nullcontext(enter_result=True)

    def open(self, about: About, *, made: bool = False) -> Store | None:
        """Open the collection, *made* if need be; None when there is none. Raises StoreAway."""
        return _collection(self._client(), about, self._who, made=made)

    def beside(self, about: About) -> Store:
        """Make an empty collection under another name."""
        return make(self._client(), replace(about, name=f"{about.name}-new"), self._who)

    def replace(self, store: Store, about: About) -> None:
        """Give *store* the name of the other collection, which goes."""
        with contextlib.closing(store):
            store.rename(about.name)

    def _client(self) -> Client:
        self._greet()
        with answering(self._who):
            client = chromadb.HttpClient(
                host=self._url.bare,
                port=self._url.port,
                ssl=self._url.bare.startswith("https:"),
                headers=dict(self._headers),
                settings=_settings(),
            )
        return _hurried(cast("Client", client))

    def _greet(self) -> None:
        """Raise StoreAway unless a Chroma answers soon: its client would wait without end."""
        url = f"{self.key}/api/v2/heartbeat"
        with answering(self._who):
            answer = httpx.get(url, headers=self._headers, timeout=_CONNECT)
            _raise_plainly(answer)
            answer.json()["nanosecond heartbeat"]


def _taken(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _client(path: Path) -> Client:
    _blank_new_memory()
    with answering(_WHO):
        return cast("Client", chromadb.PersistentClient(_spelled(path), _settings()))


def _blank_new_memory() -> None:
    """Let the C library hand out blank memory, and blank what is given back, from now on.

    Chroma's graph saves whole blocks of which it filled a part: the rest is what this process had
    there before, and private words may be among it. Other systems than Linux have no such setting.
    """
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_PERTURB, _FREED)


_M_PERTURB, _FREED = -6, 0xFF  # of malloc.h; what is handed out has the complement, zeros


def _collection(client: Client, about: About, who: str, *, made: bool) -> Store | None:
    try:
        store = find(client, about, who) or (make(client, about, who) if made else None)
    except StoreAway:
        end(client)
        raise
    if store is None:
        end(client)
    return store


def _settings() -> Settings:
    """Return settings of our own: what a `.env` in the working folder says is not for us."""
    return Settings(_env_file=None, anonymized_telemetry=False)  # type: ignore[call-arg]  # pydantic's own


def _spelled(path: Path) -> str:
    """Return *path* in a spelling that nobody in this process has used.

    Chroma keeps one engine per process and spelling, as old as its first opening.
    """
    steps = ("/." if bit == "1" else "//" for bit in f"{secrets.randbits(48):048b}")
    return f"{path}{''.join(steps)}"


def _hurried(client: Client) -> Client:
    """Return *client* with limits to its patience, and errors of kinds that can be named."""
    for connections in sessions(client):
        connections.timeout = httpx.Timeout(_ANSWER, connect=_CONNECT)
        connections.event_hooks = {"response": [_raise_plainly]}
    return client


def _raise_plainly(response: httpx.Response) -> None:
    """Raise HTTPStatusError for an error that is none of Chroma's own: it would be an Exception."""
    if response.is_error:
        response.read()
        if not _is_chromas(response):
            response.raise_for_status()


def _is_chromas(response: httpx.Response) -> bool:
    try:
        return response.json()["error"] in error_types
    except (ValueError, KeyError, TypeError):
        return False
