"""What a wait for a model needs: a word when it is long, and nobody else who waits for the same.

The lock of a session is the system's own: whoever holds it may be killed, and it is free.
"""

from __future__ import annotations

import contextlib
import hashlib
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from vaultmem.errors import Answering
from vaultmem.storage import file_lock

LONG = 10.0
"""Seconds of silence after which a person wonders."""

_LOCKS = "answering"
_ALIVE, _OVER = "alive", "over"


@contextlib.contextmanager
def alone(workings: Path, agent: str, session: str) -> Iterator[None]:
    """Be the only one who answers in *session* of *agent*; *workings* is the vault's `.vaultmem`.

    Raises Answering, at once, where somebody else does.
    """
    name = hashlib.sha256(f"{agent}/{session}".encode()).hexdigest()[:32]
    (workings / _LOCKS).mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(file_lock.locked(workings / _LOCKS / name, patience=0))
        except BlockingIOError as e:
            raise Answering(session) from e
        yield


@contextlib.contextmanager
def watched(tell: Callable[[], None], seconds: float = LONG) -> Iterator[Callable[[], None]]:
    """Yield what is to be called at each sign of life; after *seconds* without one *tell* is.

    It is called from another thread, once a silence.
    """
    signs: queue.SimpleQueue[str] = queue.SimpleQueue()
    watcher = threading.Thread(target=_watch, args=(signs, tell, seconds), daemon=True)
    watcher.start()
    try:
        yield lambda: signs.put(_ALIVE)
    finally:
        signs.put(_OVER)
        watcher.join()


def _watch(signs: queue.SimpleQueue[str], tell: Callable[[], None], seconds: float) -> None:
    """Take the signs of life until the one that says it is over."""
    sign = _ALIVE
    while sign != _OVER:
        try:
            sign = signs.get(timeout=seconds)
        except queue.Empty:
            tell()
            sign = signs.get()  # a silence is told of once
