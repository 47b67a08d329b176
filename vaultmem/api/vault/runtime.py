"""What the parts of an open vault share: its store, summarizer and retriever, and its end."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar, Unpack

from vaultmem import arguments
from vaultmem.api import opened_store
from vaultmem.api.vault import own_parts
from vaultmem.api.vault.own_parts import Own
from vaultmem.errors import BadInput, VaultError
from vaultmem.records import Clock, utc_now
from vaultmem.storage import reader
from vaultmem.storage import store as storage_store
from vaultmem.storage.ulids import Entropy

if TYPE_CHECKING:
    from vaultmem.api.vault.background import Background
    from vaultmem.models.providers.types import Surroundings
    from vaultmem.nlp.summarizer_selection import Writers
    from vaultmem.nlp.tasks import Summarizer
    from vaultmem.retrieval.retriever import Retriever
    from vaultmem.storage.transcripts import RunningSession

T = TypeVar("T")


class Runtime:
    """An open vault, as its parts work on it."""

    def __init__(
        self,
        opened: storage_store.Store,
        summarizer: Summarizer | None,
        own: Own,
        env: Mapping[str, str],
    ) -> None:
        """Work on the *opened* vault; use `open`."""
        self._store, self._summarizer, self._own, self.env = opened, summarizer, own, env

    def check(self) -> None:
        """Raise Closed, OtherThread or OtherProcess where the vault may not be used."""
        self._store.check()

    @property
    def store(self) -> storage_store.Store:
        """The vault's folder, index and writer; raises Closed, OtherThread or OtherProcess."""
        self.check()
        return self._store

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        summarizer: Summarizer | None = None,
        clock: Clock = utc_now,
        random: Entropy = os.urandom,
        env: Mapping[str, str] = os.environ,
        **own: Unpack[Own],
    ) -> Self:
        """Open the vault that *path* is or lies in, as `Vault.open` does."""
        arguments.check_path(path)
        if summarizer is not None:
            own_parts.check_summarizer(summarizer)
        own_parts.check(own)
        found = reader.find(Path(path).resolve())
        return cls(
            opened_store.opened(found, clock, random, _running()),
            summarizer,
            own,
            env,
        )

    def close(self) -> None:
        """Give back what is held open, and wait for what is done in the background.

        A fork of the process that opened it waits for nothing.
        """
        if self.closed:
            return
        self._store.close()  # first: it refuses to another thread
        if self._store.root.inherited:
            return  # the rest has threads, and a fork has none of them
        if retriever := self.__dict__.get("retriever"):
            retriever.close()
        if background := self.__dict__.get("_background"):
            background.close()

    def run_in_background(self, what: str, work: Callable[[Self], object]) -> None:
        """Have *work* done on this vault, opened anew: see `Vault.run_in_background`."""
        self._store.check()
        self._background.ask(what, work)

    def wait(self) -> None:
        """Wait until all that was asked for in the background is done."""
        self._store.check()
        if background := self.__dict__.get("_background"):
            background.wait()

    @cached_property
    def _background(self) -> Background[Self]:
        from vaultmem.api.vault.background import Background

        # What was asked for is still done once this vault is closed: ask it for nothing then.
        return Background(
            partial(
                type(self).open, self.path, summarizer=self._summarizer, clock=self._store.clock,
                random=self._store.random, env=self.env, **self._own,
            )
        )  # fmt: skip

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._store.closed

    @property
    def path(self) -> Path:
        """The vault's folder; any thread may ask."""
        return self._store.root.path

    @cached_property
    def writers(self) -> Writers:
        """Who writes summaries, by the profile and the environment."""
        from vaultmem.nlp.summarizer_selection import Writers

        return Writers(self.store, self._surroundings)

    @cached_property
    def retriever(self) -> Retriever:
        """Who answers questions, by the embedder that the environment chooses."""
        from vaultmem.retrieval.retriever import OwnParts, Retriever

        return Retriever(self.store, self._surroundings, OwnParts(**self._own))

    def _surroundings(self) -> Surroundings:
        from vaultmem.models.environment import surroundings

        return surroundings(self.env, Path.home())

    @property
    def summarizer(self) -> Summarizer:
        """Who writes summaries: the one given to `open`, else the one that is chosen."""
        if self._summarizer is None:
            return self.writers.summarizer()
        from vaultmem.nlp.summarization.given import given

        return given(self._summarizer)

    @property
    def watched(self) -> bool:
        """Whether a daemon looks after the vault: it compacts and commits."""
        from vaultmem.storage import daemon_lock

        return daemon_lock.present(self.store.root.path)

    def commit_pending(self) -> None:
        """Commit what was written and waits for its commit."""
        self.store.writer.commit_pending()

    def attempt(self, step: Callable[[], T], otherwise: T) -> T:
        """Return what *step* does of what a write made due, *otherwise* where it cannot be done.

        The write stands: who hears of an error does it once more.
        """
        try:
            return step()
        except (VaultError, OSError) as e:
            import logging

            logging.getLogger(__name__).warning("what was kept is safe; the rest waits: %s", e)
            return otherwise

    def agents(self, agent: str = "") -> tuple[str, ...]:
        """Return *agent* alone; if nobody is named the config's agent, else all there are.

        Raises BadInput for an agent that has no files.
        """
        self.store.sync_names()  # a file that says something else now is its agent's all the same
        if agent:
            return (self.store.require_agent(agent),)
        named = self.store.config().agent
        return (named,) if named else tuple(self.store.agents()) or (self.store.agent(),)

    def is_quick(self) -> bool:
        """Tell whether a compaction takes milliseconds: nobody waits for a model unasked.

        Not so while the settings cannot be read: what was written stands, the rest waits.
        """
        import logging

        from vaultmem.nlp.summarization.extractive import Extractive

        try:
            return self._summarizer is not None or isinstance(self.summarizer, Extractive)
        except BadInput as e:
            logging.getLogger(__name__).warning("compaction waits: %s", e)
            return False

    def forget_replies(self) -> None:
        """Forget what models said: it is in the files now."""
        if self._summarizer is None:
            self.writers.forget()


class Part:
    """A part of an open vault; a method that `Vault` has, too, is described in full there."""

    def __init__(self, runtime: Runtime) -> None:
        """Work on the vault of *runtime*."""
        self._runtime = runtime

    @property
    def _store(self) -> storage_store.Store:
        return self._runtime.store


def _running() -> storage_store.Running:
    """Return who reads the sessions that run, loaded when somebody first asks: most never do."""

    @cache
    def sessions() -> storage_store.Running:
        from vaultmem.exchange.running_sessions import RunningSessions

        return RunningSessions()

    def running(store: storage_store.Store, agent: str) -> Sequence[RunningSession]:
        return sessions()(store, agent)

    return running
