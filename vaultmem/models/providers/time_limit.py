"""A limit to the whole of a call, whatever the provider sends meanwhile.

A timeout of the wire ends a silence alone: one byte a second, in a header too, keeps it open.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from vaultmem.errors import ModelAway, VaultError

_T = TypeVar("_T")


def in_time(call: Callable[[], _T], name: str, seconds: float) -> _T:
    """Return what *call* returns within *seconds*, else raise ModelAway of that *name*.

    An error of ours that it raises goes on. It runs on a thread of its own, and nobody waits for
    one that is late: whoever calls bounds what it does in its own way, too.
    """
    done: list[_T] = []
    failed: list[VaultError] = []

    def run() -> None:
        try:
            done.append(call())
        except VaultError as e:
            failed.append(e)

    asking = threading.Thread(target=run, name=f"vaultmem-{name}", daemon=True)
    asking.start()
    asking.join(seconds)
    if done:
        return done[0]
    if failed:
        raise failed[0]
    raise ModelAway(name, f"no complete answer within {seconds:g} s")
