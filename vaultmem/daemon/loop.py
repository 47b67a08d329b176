"""The daemon at work: hints and the agenda say what is due, each step does it on an open vault.

Scanning, committing and the heartbeat happen here; what may ask a model happens in threads beside,
one for compactions, one for notes, one for vectors, each with the vault opened once more. What
other processes ask is answered beside all of it, see `socket_server`.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import math
import os
import queue
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from vaultmem.api import housekeeping, shutdown_signals, watcher
from vaultmem.api.vault import Vault
from vaultmem.api.watcher import Watch
from vaultmem.daemon import schedule
from vaultmem.daemon.current_index import CurrentIndex
from vaultmem.daemon.inbox import Inbox
from vaultmem.daemon.query_handler import Answerer
from vaultmem.daemon.schedule import Present, Step
from vaultmem.daemon.socket_server import SocketServer
from vaultmem.documents import public_text
from vaultmem.errors import RESTORES_GONE, CannotOpen, VaultError, Watched
from vaultmem.records import visible_line
from vaultmem.storage import daemon_lock, journal
from vaultmem.storage.commits import QUIET
from vaultmem.version import __version__

_log = logging.getLogger(__name__)
_MEND = (VaultError, OSError)
"""What may go wrong with a step and be fixed by somebody: the step is tried again, ever later."""
_FAULT = "a fault of vaultmem, told above"
_GRACE = 10.0
_FOLDERS_ONLY = 15.0
"""For so long only the folders are looked at where nobody gives hints: it is cheap."""
_SLICE, _BREATH = 2.0, 0.2
"""Seconds of embedding, and of letting others have the core; a stop waits for one slice."""
_COUNTED: Mapping[Step, str] = {
    "condense": "compactions",
    "answer": "answers",
    "embed": "embedded",
    "dream": "dreams",
    "sync": "syncs",
    "pack": "packs",
}

Beside = Callable[[Callable[[], None]], None]


def _thread(job: Callable[[], None]) -> None:
    def run_and_collect() -> None:
        try:
            job()
        finally:
            # A closed vault is a ring of objects; left to itself a quiet process frees it late.
            gc.collect()

    # It dies with the process: what it writes is journalled, and a model may take minutes.
    threading.Thread(target=run_and_collect, name="vaultmem-daemon", daemon=True).start()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the daemon is given; *beat* is called with how it watches, to say that it lives."""

    open: Callable[[], Vault]
    inbox: Inbox
    beat: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    beside: Beside = _thread


class Daemon:
    """One vault's daemon: `run` until somebody calls `stop`."""

    def __init__(self, vault: Vault, seen: Watch, given: Surroundings) -> None:
        """Keep *vault*, told by *seen* when something may have changed."""
        self._store, self._seen, self._given = vault.store, seen, given
        self.present = Present(polling=seen.kind == watcher.POLLING)
        self.done: Counter[str] = Counter()
        """How many compactions, commits, answers, embedded texts, dreams and syncs there were."""
        self._stopping = False
        self._begun = given.clock()
        self._generation: int | None = None
        self._ended: queue.SimpleQueue[tuple[Step, int, str]] = queue.SimpleQueue()
        self._logged: dict[Step, str] = {}
        self._steps: dict[Step, Callable[[], None]] = {
            "beat": self._beat,
            "look": self._look,
            "answer": self._answer,
            "condense": self._condense,
            "settle": self._commit_pending,
            "embed": lambda: self._begin("embed", self._catch_up),
            "dream": self._dream,
            "sync": lambda: self._begin("sync", _synced),
            "pack": lambda: self._begin("pack", _packed),
        }

    def stop(self) -> None:
        """End after the step under way; from any thread or signal handler."""
        self._stopping = True
        self._seen.wake()

    def run(self) -> None:
        """Do what is due until stopped; raises CannotOpen when the vault's folder is gone."""
        while not self._stopping:
            self._seen.wait(self.turn())
        self._finish()

    def turn(self) -> float:
        """Take the steps that are due; return for how many seconds there is none."""
        self._gather()
        while not self._stopping and (due := schedule.due(self.present, self._given.clock())):
            self._take(due[0])
            self._gather()
        return schedule.idle_time(self.present, self._given.clock())

    def _gather(self) -> None:
        """Take note of hints, and of what has ended beside the loop."""
        if self._seen.pending:
            self.present = schedule.after_hint(self.present, self._given.clock())
        with contextlib.suppress(queue.Empty):
            while True:
                self._end(*self._ended.get_nowait())

    def _take(self, step: Step) -> None:
        _must_be_there(self._store.root.path, self._store.root.fd)
        try:
            self._steps[step]()
        except Watched:  # its lock was deleted, and another daemon is here
            raise
        except _MEND as e:
            self._failed(step, str(e))

    # --- the steps --------------------------------------------------------------------------

    def _beat(self) -> None:
        self._given.beat(self._seen.kind)
        self.present = schedule.after_beat(self.present, self._given.clock())

    def _look(self) -> None:
        hints = self._seen.take()
        if self.present.polling and self._generation is not None:
            self._store.index.fresh(_FOLDERS_ONLY)
        else:
            self._store.sync()
        generation = self._store.index.generation()
        gone = self._store.index.vanished()
        news = (
            generation != self._generation or hints.transcripts or housekeeping.waits(self._store)
        )
        self._generation = generation
        self.present = schedule.after_look(
            self.present, self._given.clock(), news=news, halted=bool(gone)
        )
        self._log_once("look", f"{len(gone)} files are gone at once; {_WAITS}" if gone else "")
        with contextlib.suppress(VaultError):  # unreadable settings: who needs them says so
            every = self._store.config().sync_every
            self.present = schedule.after_reading(self.present, every)
        rested = self._given.inbox.next(self._store)
        wait = None if rested is None else max(rested - self._given.wall(), 0.0)
        self.present = schedule.after_asking(
            self.present, None if wait is None else self._given.clock() + wait
        )

    def _commit_pending(self) -> None:
        done = housekeeping.commit_pending(self._store)
        commits = [*done.commits, *([done.edits] if done.edits else [])]
        for commit in commits:
            _log.info("committed %s", commit[:10])
        self.done["commits"] += len(commits)
        if journal.due(self._store.root):
            delays = "; ".join(f"{p.message}; {p.repair}" for p in done.delays)
            self._failed("settle", delays or "some writes wait for their commit: git is busy")
        else:
            self.present = schedule.after_commit(self.present, self._given.clock())
            left = (f"{p.path or 'vault'}: {p.message}; {p.repair}" for p in done.left)
            self._log_once("settle", "; ".join(left))

    def _condense(self) -> None:
        def job(vault: Vault) -> int:
            vault.store.sync()
            return len(vault.condense().compactions)

        self._begin("condense", job)

    def _answer(self) -> None:
        def job(vault: Vault) -> int:
            vault.store.sync()
            return self._given.inbox.answer(vault.store, self._given.wall())

        self._begin("answer", job)

    def _catch_up(self, vault: Vault) -> int:
        """Embed slice by slice until nothing is left, nothing moves, or the daemon stops."""
        embedded, before = 0, math.inf
        while done := vault.embed(_SLICE):
            embedded += done.embedded
            if self._stopping or not 0 < done.left < before:
                break
            before = done.left
            self._given.sleep(_BREATH)
        if embedded:
            _log.info("embedded %d texts", embedded)
        return embedded

    def _dream(self) -> None:
        """Do what people ticked; dream where that is due, as far as the config allows.

        A daemon that has just begun only looks after ticks: whoever starts it wants to work.
        """
        settled = self._given.clock() >= self._begun + schedule.SWEEP

        def job(vault: Vault) -> int:
            done = vault.tick_off(self._given.wall() - QUIET)
            return done + (vault.dream_if_due() if settled else 0)

        self._begin("dream", job)

    # --- beside the loop --------------------------------------------------------------------

    def _begin(self, step: Step, job: Callable[[Vault], int]) -> None:
        self.present = schedule.on_begin(self.present, step, self._given.clock())
        self._given.beside(lambda: self._done_beside(step, job))

    def _done_beside(self, step: Step, job: Callable[[Vault], int]) -> None:
        """Do *job* in a thread of its own, and let the loop know how it ended."""
        count, why = 0, _FAULT
        try:
            with self._given.open() as vault:
                count, why = job(vault), ""
        except _MEND as e:
            why = str(e)
        finally:
            self._ended.put((step, count, why))
            self._seen.wake()

    def _end(self, step: Step, count: int, why: str) -> None:
        if why:
            self._failed(step, why)
            return
        self.present = schedule.on_end(self.present, step)
        self._log_once(step, "")
        self.done[_COUNTED[step]] += count

    def _finish(self) -> None:
        """Wait a while for what is under way beside the loop, and commit what waits for that."""
        deadline = self._given.clock() + _GRACE
        while self.present.busy and (left := deadline - self._given.clock()) > 0:
            self._seen.wait(left)
            self._gather()
        self._commit_last()
        if self.present.busy:
            _log.info("left: %s; the next daemon begins it anew", ", ".join(self.present.busy))

    def _commit_last(self) -> None:
        """Commit what was just remembered: it may be long before anybody else does."""
        if not journal.due(self._store.root):
            return
        _must_be_there(self._store.root.path, self._store.root.fd)
        commits = self._store.writer.commit_pending().values()
        self.done["commits"] += len({*commits})

    # --- what goes wrong --------------------------------------------------------------------

    def _failed(self, step: Step, why: str) -> None:
        self.present = schedule.on_failure(self.present, step, self._given.clock())
        self._log_once(step, why)

    def _log_once(self, step: Step, why: str) -> None:
        """Say what is wrong once, not every time it is tried again."""
        if why and self._logged.get(step) != why:
            _log.warning("%s: %s", step, visible_line(public_text.shown(why)))
        self._logged[step] = why


_WAITS = (
    f"every write waits: bring them back (`{RESTORES_GONE}`), or confirm that they "
    "are gone: `vaultmem fsck --accept-missing`"
)


def _synced(vault: Vault) -> int:
    """Bring the vault in step with its remote; say what that brought and gave."""
    done = vault.exchange.sync_unattended()
    if done.pulled or done.gone or done.pushed:
        _log.info(
            "synced with %s/%s: %d files came, %d went, %d commits given",
            *(done.remote, done.branch, len(done.pulled), len(done.gone), done.pushed),
        )
        for line in (*map(_CONFLICT.format, done.conflicts), *done.told):
            _log.warning("sync: %s", visible_line(public_text.shown(line)))
    return 1


def _packed(vault: Vault) -> int:
    housekeeping.pack(vault.store)
    return 1


def _answerer(open_vault: Callable[[], Vault], seen: Watch) -> Answerer:
    return Answerer(open_vault, is_current=CurrentIndex(seen).holds)


_CONFLICT = "{} waits for you: two versions of the same lines"


def _must_be_there(path: Path, fd: int) -> None:
    """Raise CannotOpen when the open folder *fd* is no longer what stands at *path*."""
    try:
        same = os.path.samestat(path.stat(), os.fstat(fd))
    except OSError:
        same = False
    if not same:
        raise CannotOpen(
            f"{path} is gone or another folder now: the daemon of this vault ends; bring it back, "
            "or `vaultmem --vault PATH watch` where it lies now"
        )


def run(
    open_vault: Callable[[], Vault], inbox: Inbox, *, with_parent: bool = False
) -> Counter[str]:
    """Watch the vault that *open_vault* opens until a signal ends it; return what was done.

    *with_parent*: until the process that started this one ends, too. Raises Watched when another
    daemon is there, and CannotOpen when the vault's folder goes away.
    """
    parent = os.getppid()
    with (
        shutdown_signals.heeded((signal.SIGHUP,)),  # a closed terminal is no reason to stop
        shutdown_signals.heeded(shutdown_signals.STOPPING) as asked,
        open_vault() as vault,
        daemon_lock.Presence(vault.path, vault.store.clock, __version__) as presence,
        watcher.watching(vault.path) as seen,
        SocketServer(vault.path, lambda: _answerer(open_vault, seen)) as serving,
    ):

        def beat(kind: str) -> None:
            presence.beat(kind)
            serving.renew()
            if with_parent and os.getppid() != parent:
                daemon.stop()

        daemon = Daemon(vault, seen, Surroundings(open_vault, inbox, beat))
        asked.begins_with(daemon.stop)
        presence.beat(seen.kind)
        _log.info("watching %s (%s), process %d", vault.path, seen.kind, os.getpid())
        daemon.run()
    _log.info("stopped")
    return daemon.done
