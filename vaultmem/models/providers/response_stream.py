"""The bytes of an answer as they come over the wire: no more than so many, and not for ever.

A client waits for the end of a line, and a provider that never ends one would fill the memory; one
that sends a byte now and then is never silent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from vaultmem.errors import ModelAway

LONGEST = 16 * 1024 * 1024
"""Bytes of one answer; the events of a long one are some hundred thousand."""


def within(
    chunks: Iterable[bytes],
    name: str,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
    most: int = LONGEST,
) -> Iterator[bytes]:
    """Yield *chunks* while they are *most* bytes and come within *seconds*; then raise ModelAway.

    A timeout of the wire ends a silence; a provider that pings on and on is ended by this.
    """
    end = clock() + seconds
    for chunk in chunks:
        most -= len(chunk)
        if most < 0:
            raise ModelAway(name, "the answer does not end: the connection was closed")
        if clock() > end:
            raise ModelAway(name, f"no complete answer within {seconds:g} s")
        yield chunk


def by_line(chunks: Iterable[bytes], read: Callable[[bytes], bytes]) -> Iterator[bytes]:
    """Yield the lines of *chunks* as *read* returns them, each as soon as it is whole."""
    begun: list[bytes] = []
    for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for line in ended:
            yield read(b"".join([*begun, line])) + b"\n"
            begun = []
        begun.append(rest)
    if last := b"".join(begun):
        yield read(last)


def limit(
    response: Any,  # noqa: ANN401  # httpx, or the SDK's copy
    base: type[Any],
    name: str,
    seconds: float,
    read: Callable[[bytes], bytes] | None = None,
) -> None:
    """Let the body of *response* come `within` bounds, each line as *read* returns it.

    *base* is its library's kind of stream.
    """
    whole = response.stream

    def body(_: object) -> Iterator[bytes]:
        chunks = within(whole, name, seconds)
        return by_line(chunks, read) if read else chunks

    made = {"__iter__": body, "close": lambda _: whole.close()}
    response.stream = type("Limited", (base,), made)()
