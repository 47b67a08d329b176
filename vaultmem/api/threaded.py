"""Something that lives on a thread of its own, asked with asyncio; no method is written twice.

A SQLite connection belongs to the thread that opened it, so whatever is asked runs there, one call
after another. `await vault.recall("tea", k=3)` is `Vault.recall` on that thread.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Coroutine, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from operator import attrgetter, methodcaller
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar, cast

from vaultmem.errors import Closed, OtherProcess
from vaultmem.storage.owner_thread import Owner, Uncopied

__all__ = ("Threaded", "Uncopied", "Worker")


class _Closes(Protocol):
    def close(self) -> None: ...


P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound=_Closes)

_Step = Callable[[Any], Any]
_PROBES = ("_", "cr_", "gi_", "ag_")
"""How the names begin by which Python and asyncio look at a coroutine."""


def _gone_through(answer: T) -> T:
    """Return *answer*; one that is made while it is asked for is made here, as far as it goes."""
    return cast("T", iter([*answer])) if isinstance(answer, Iterator) else answer


class Worker(Uncopied, Generic[S]):
    """The thread on which one subject is made, asked and closed."""

    def __init__(self, close: Callable[[S], None] = methodcaller("close")) -> None:
        """Begin with no subject, which *close* closes; the thread starts with the first call."""
        self._closes = close
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="vaultmem")
        self._made: list[S] = []
        self._closing: Future[None] | None = None
        self._owner = Owner("this vault")

    async def make(self, factory: Callable[[], S]) -> None:
        """Make the subject; who gives up waiting for it leaves nothing open."""
        try:
            await self._result(self._submit(lambda: self._made.append(factory())))
        except BaseException:
            self._close()
            raise

    async def ask(self, call: Callable[[S], T]) -> T:
        """Return what *call* makes of the subject, or raise what it raises."""
        return await self._result(self._asked(call))

    def make_and_wait(self, factory: Callable[[], S]) -> None:
        """Make the subject, as `make` does, for who has no event loop."""
        try:
            self._submit(lambda: self._made.append(factory())).result()
        except BaseException:
            self._close()
            raise

    def ask_and_wait(self, call: Callable[[S], T]) -> T:
        """Return what *call* makes of the subject, as `ask` does, to any other thread."""
        return self._asked(call).result()

    def close_and_wait(self) -> None:
        """Close the subject once all that was asked is done; a fork waits for nothing."""
        if not self._owner.inherited:
            self._close().result()

    def _asked(self, call: Callable[[S], T]) -> Future[T]:
        return self._submit(lambda: _gone_through(call(self._made[0])))

    async def close(self) -> None:
        """Close the subject once all that was asked is done, whoever gives up waiting.

        A fork has no such thread: it asks for nothing, and there is nothing to wait for.
        """
        if self._owner.inherited:
            return
        await asyncio.shield(self._result(self._close()))

    def _submit(self, call: Callable[[], T]) -> Future[T]:
        if self._closing:
            raise Closed("this vault")
        if self._owner.inherited:
            raise OtherProcess("this vault")
        return self._pool.submit(contextvars.copy_context().run, call)

    def _close(self) -> Future[None]:
        if self._closing is None:
            self._closing = self._pool.submit(self._close_subject)
            self._pool.shutdown(wait=False)  # what is asked already is still done
        return self._closing

    def _close_subject(self) -> None:
        while self._made:
            self._closes(self._made.pop())

    @staticmethod
    async def _result(asked: Future[T]) -> T:
        return await asyncio.wrap_future(asked)


class _Proxy(Generic[S]):
    """A place that is named and not asked yet: `vault.cards`, `vault.cards.get`."""

    def __init__(self, lane: Worker[S], steps: tuple[_Step, ...]) -> None:
        """Stand for what the *steps* lead to, from the subject of the *lane*."""
        self._lane, self._steps = lane, steps

    def __getattr__(self, name: str) -> _Proxy[S]:
        """Return the place of that *name* in this one."""
        return _Proxy(self._lane, (*self._steps, _attribute(self, name)))

    def __call__(self, *args: object, **kwargs: object) -> _Asked[S]:
        """Ask: what comes back is awaited, or asked on in its turn."""
        return _Asked(self._lane, (*self._steps, methodcaller("__call__", *args, **kwargs)))

    def __await__(self) -> Generator[Any, None, Any]:
        """Read it, as one reads a property."""
        return self._lane.ask(_walk(self._steps)).__await__()


class _Asked(Coroutine[Any, Any, Any], Generic[S]):
    """A call that runs when it is awaited; `await vault.workbench("ada").read()` asks it on."""

    def __init__(self, lane: Worker[S], steps: tuple[_Step, ...]) -> None:
        """Stand for the result of the last of the *steps*."""
        self._lane, self._steps = lane, steps
        # Made here, so that Python tells who forgets to await it.
        self._running = lane.ask(_walk(steps))

    def __getattr__(self, name: str) -> _Proxy[S]:
        """Return the place of that *name* in what the call returns."""
        step = _attribute(self, name)
        self._running.close()
        return _Proxy(self._lane, (*self._steps, step))

    def __await__(self) -> Generator[Any, None, Any]:
        """Run the call and return its result."""
        return self._running.__await__()

    def send(self, value: Any) -> Any:  # noqa: ANN401  # as every coroutine
        """Go on, as a coroutine does."""
        return self._running.send(value)

    def throw(self, *error: Any) -> Any:  # noqa: ANN401  # likewise
        """Raise *error* where it waits."""
        return self._running.throw(*error)

    def close(self) -> None:
        """Give it up before it was asked."""
        self._running.close()


def _attribute(of: object, name: str) -> _Step:
    if name.startswith(_PROBES):
        raise AttributeError(f"{type(of).__name__!r} has no attribute {name!r}")
    return attrgetter(name)


def _walk(steps: tuple[_Step, ...]) -> _Step:
    def walk(subject: object) -> object:
        for step in steps:
            subject = step(subject)
        return subject

    return walk


class Threaded(Uncopied, Generic[S]):
    """What has a thread of its own: everything but opening and closing is asked there."""

    def __init__(self, lane: Worker[S]) -> None:
        """Ask the subject of the *lane*; use `open`."""
        self._lane = lane

    async def do(
        self, fn: Callable[Concatenate[S, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return `fn(it, *args, **kwargs)`, run on its thread: several steps in one go, typed.

        Nothing else happens on the vault in between. A call that is cancelled while it waits is
        never begun; one that runs goes on, and its result is dropped.
        """
        return await self._lane.ask(lambda subject: fn(subject, *args, **kwargs))

    def __getattr__(self, name: str) -> _Proxy[S]:
        """Return the method, property or part of that *name*, to be called and awaited."""
        return _Proxy(self._lane, (_attribute(self, name),))

    async def close(self) -> None:
        """Close it once everything that was asked is done; twice is once."""
        await self._lane.close()

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Close it."""
        await self.close()
