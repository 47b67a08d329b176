"""Notice that notes change: the system's events as one set of paths, and one way to wait for them.

Events are hints: the system drops them when too many come, so a scan must decide what is true. They
come in order: who makes a file and waits for its event has those of all that was done before.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import re
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.storage import files

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

POLLING = "polling"
MOST = 1000
"""So many events at once are a burst, and some of it may be lost: look at everything."""

_ATTRIBUTES = ("FileAttribEvent", "DirAttribEvent")
_TRANSCRIPT = re.compile(r"agents/[^/]+/sessions/.+\.jsonl")


@dataclass(frozen=True, slots=True)
class Hints:
    """What seems to have changed: notes and transcripts by path, folders with a slash behind.

    *everything* when there was more than could be told one by one.
    """

    paths: frozenset[str] = frozenset()
    everything: bool = False

    @property
    def transcripts(self) -> bool:
        """Whether some transcript may have grown: no index tells that."""
        return self.everything or any(map(_TRANSCRIPT.fullmatch, self.paths))

    def __bool__(self) -> bool:
        """Tell whether anything changed."""
        return self.everything or bool(self.paths)


def matters(path: str) -> bool:
    """Tell whether the file at *path*, relative to the vault, is a note or a transcript.

    Nothing below a dot-folder (.git, .obsidian, .trash, .vaultmem) and no temporary file of
    editors, file syncs or ours: all of these begin with a dot or end otherwise.
    """
    name = path.rpartition("/")[2]
    return (
        (name.endswith(".md") or files.is_text(path) or _TRANSCRIPT.fullmatch(path) is not None)
        and not name.startswith("~syncthing~")
        and not _hidden(path)
    )


def _hidden(path: str) -> bool:
    return path.startswith(".") or "/." in path


class Gathering:
    """Hints that gather until they are taken; from any thread."""

    def __init__(self) -> None:
        """Begin with nothing noticed."""
        self._lock = threading.Lock()
        self._paths: set[str] = set()
        self._events = 0

    def note(self, paths: Sequence[str]) -> bool:
        """Keep *paths*, of one event; tell whether they are the first since any were taken."""
        with self._lock:
            before = self._pending()
            self._events += 1
            if self._events <= MOST:
                self._paths.update(paths)
            return self._pending() and not before

    def overflow(self) -> None:
        """Note that more happened than was noticed."""
        with self._lock:
            self._events = MOST + 1

    def _pending(self) -> bool:
        return bool(self._paths) or self._events > MOST

    def take(self) -> Hints:
        """Return what gathered, and begin anew."""
        with self._lock:
            taken = Hints(frozenset(self._paths), self._events > MOST)
            self._paths.clear()
            self._events = 0
        return taken

    @property
    def pending(self) -> bool:
        """Whether there is something to take."""
        with self._lock:
            return self._pending()


class Watch:
    """Where hints gather until they are taken; it also wakes whoever waits for other reasons."""

    def __init__(self, kind: str) -> None:
        """Begin with nothing noticed; *kind* says who tells: `inotify`, or `polling` for nobody."""
        self.kind = kind
        # Its put() may be called from a signal handler while get() waits; an Event's set() may not.
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._hints = Gathering()
        self._beside: list[Gathering] = []
        self.begin_anew: Callable[[], None] = lambda: None
        """Makes each watch again, of the folders as they are called now; raises OSError."""
        self._names = itertools.count()
        self._made: dict[str, threading.Event] = {}

    def beside(self) -> Gathering:
        """Return hints for somebody else, who takes them at times of his own."""
        made = Gathering()
        self._beside.append(made)
        return made

    def note(self, *paths: str) -> None:
        """Keep those of *paths* that matter; from any thread. Ring once until they are taken."""
        for path in paths:
            if made := self._made.get(path):
                made.set()
        news = [p for p in paths if p.endswith("/") or matters(p)]
        for each in self._beside:
            each.note(news)
        if self._hints.note(news):
            self.wake()

    def take(self) -> Hints:
        """Return what gathered, and begin anew."""
        return self._hints.take()

    @property
    def pending(self) -> bool:
        """Whether there is something to take."""
        return self._hints.pending

    def renew(self) -> None:
        """Watch the folders as they are called now; what happens meanwhile is noticed by a look."""
        try:
            self.begin_anew()
        except OSError:  # the system has no more
            self.kind = POLLING
        for each in (self._hints, *self._beside):
            each.overflow()
        self.wake()

    def has_caught_up(self, root: Path, seconds: float) -> bool:
        """Tell whether all was noted that was done in the vault at *root* before this was called.

        For so many *seconds* a file waits to be noticed, behind all that came before: see *Query
        synchronization* in Watchman's documentation. Raises OSError where none can be made.
        """
        if self.kind == POLLING:
            return False
        name = f".vaultmem/noticed-{os.getpid()}-{next(self._names)}"
        self._made[name] = noticed = threading.Event()
        try:
            (root / name).touch(exist_ok=False)
            return noticed.wait(seconds)
        finally:
            del self._made[name]
            (root / name).unlink(missing_ok=True)

    def wake(self) -> None:
        """End the wait, the next one if nobody waits; from any thread or signal handler."""
        self._bell.put(None)

    def wait(self, seconds: float) -> None:
        """Sleep until a first hint, a `wake`, or for so many *seconds*."""
        with contextlib.suppress(queue.Empty):
            self._bell.get(timeout=max(seconds, 0.0))
            while True:  # several may have rung for what is seen in one look
                self._bell.get_nowait()


@contextlib.contextmanager
def watching(path: Path) -> Iterator[Watch]:
    """Watch the folder at *path* and all below it while the context lasts.

    Where the system has no watches to give, nobody tells: the `kind` is `polling`, and whoever
    waits must look by itself.
    """
    observer = _observer()
    if observer is None:
        yield Watch(POLLING)
        return
    seen = Watch(_kind(observer))
    with warnings.catch_warnings():
        # It warns of a folder made while its parents are being registered; nothing is lost.
        warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning)
        if not _started(observer, path, seen):
            yield Watch(POLLING)
            return
        try:
            yield seen
        finally:
            observer.stop()
            observer.join()


def _observer() -> BaseObserver | None:
    from watchdog.observers import Observer  # noqa: PLC0415  # only a daemon pays for it

    try:
        observer = Observer()
    except (OSError, NotImplementedError):  # no instance left for this user
        return None
    return None if _kind(observer) == POLLING else observer


def _kind(observer: BaseObserver) -> str:
    return type(observer).__name__.removesuffix("Observer").lower()


def _started(observer: BaseObserver, path: Path, seen: Watch) -> bool:
    """Start watching; False, and everything given back, when the system has not enough watches."""
    from watchdog import events  # noqa: PLC0415  # likewise

    wanted: list[type[FileSystemEvent]] = [
        events.FileCreatedEvent,
        events.FileModifiedEvent,
        events.FileClosedEvent,
        events.FileMovedEvent,
        events.FileDeletedEvent,
        events.DirMovedEvent,
        events.DirDeletedEvent,
        # Before watchdog 7.1 who may read a file, and whether, came as a change of the file.
        *(getattr(events, it) for it in _ATTRIBUTES if hasattr(events, it)),
    ]

    class Handler(events.FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            seen.note(*_named(path, event))

    def begin() -> None:
        observer.schedule(Handler(), str(path), recursive=True, event_filter=wanted)

    def begin_anew() -> None:
        observer.unschedule_all()
        begin()

    seen.begin_anew = begin_anew
    try:
        begin()
        observer.start()
        # Watches that could not be had for a folder inside are passed over in silence. When there
        # is none left for one more folder, some were.
        observer.unschedule(observer.schedule(Handler(), str(path.parent), event_filter=wanted))
    except OSError:
        observer.stop()
        return False
    return True


def _named(root: Path, event: FileSystemEvent) -> Iterator[str]:
    """Yield the paths that *event* names below *root*, a slash behind those of folders."""
    for raw in (event.src_path, event.dest_path):
        name = os.fsdecode(raw)
        if name.startswith(f"{root}/"):
            path = name[len(str(root)) + 1 :]
            if not event.is_directory:
                yield path
            elif not _hidden(path):
                yield path + "/"
