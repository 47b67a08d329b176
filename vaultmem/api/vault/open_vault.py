"""What is open of a vault, who may use it, and the parts that it is made of."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack

from vaultmem import arguments
from vaultmem.api.vault.own_parts import Own
from vaultmem.api.vault.runtime import Runtime
from vaultmem.config import Config, agent_name
from vaultmem.records import Clock, utc_now
from vaultmem.storage.owner_thread import Uncopied
from vaultmem.storage.store import Store
from vaultmem.storage.ulids import Entropy

if TYPE_CHECKING:
    from vaultmem.api.agent_files.service import Reach
    from vaultmem.api.vault.checks import Checks
    from vaultmem.api.vault.compactions import Compactions
    from vaultmem.api.vault.edits import Edits
    from vaultmem.api.vault.exchange import Exchange
    from vaultmem.api.vault.history import History
    from vaultmem.api.vault.item_logs import ItemLogs
    from vaultmem.api.vault.memories import Memories
    from vaultmem.api.vault.queries import Queries
    from vaultmem.api.vault.rounds import Rounds
    from vaultmem.api.vault.sessions import Sessions
    from vaultmem.api.vault.views import Views
    from vaultmem.knowledge.cards import Cards
    from vaultmem.knowledge.review import Reviews
    from vaultmem.knowledge.sharing import Shares
    from vaultmem.knowledge.tasks.service import Tasks
    from vaultmem.knowledge.topics.service import Topics
    from vaultmem.maintenance.dream.service import Dreams
    from vaultmem.maintenance.forgetting import Forgetting
    from vaultmem.memory.experiences import Experiences
    from vaultmem.memory.working.service import Workbench
    from vaultmem.nlp.summarizer_selection import Writers
    from vaultmem.nlp.tasks import Summarizer
    from vaultmem.retrieval.retriever import Retriever


class OpenVault(Uncopied):
    """A vault that is open, and its parts, each loaded when it is first used.

    It belongs to the thread that opened it.
    """

    def __init__(self, runtime: Runtime) -> None:
        """Work on what *runtime* has open; use `open`."""
        self._runtime = runtime

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
        """Open the vault that *path* is or lies in.

        Who writes summaries follows from the vault's profile and *env*, unless a *summarizer* is
        given; who embeds, and who grades the best hits, likewise, unless an `embedder` or a
        `reranker` is. A `retriever` is searched beside the vault, a `vector_store` finds the
        nearest vectors. What one of them raises is named in `degraded_reason`, and all goes on
        without it.

        Raises BadInput when *path* is not there, or a part lacks what it needs; CannotOpen when no
        vault is there, TooNew when a newer vaultmem wrote it.
        """
        return cls(
            Runtime.open(
                path, summarizer=summarizer, clock=clock, random=random, env=env, **own
            )
        )  # fmt: skip

    @classmethod
    def init(  # noqa: PLR0913  # all but one are by name
        cls,
        path: str | Path,
        *,
        with_git: bool = True,
        in_repo: bool = False,
        layout: str = "month",
        clock: Clock = utc_now,
        random: Entropy = os.urandom,
        env: Mapping[str, str] = os.environ,
    ) -> Self:
        """Make the folder *path* a vault, as `vaultmem init` does, and open it.

        It has a repository of its own, none *with_git* off, and with *in_repo* shares the one it
        lies in. Its memories lie in folders of their month, or of their `day` where *layout* says
        so. A folder that holds other files keeps them. Raises Refused when it is a vault already or
        lies in one, BadInput for what can be no folder or layout.
        """
        from vaultmem.api import create

        arguments.check_path(path)
        create.create(
            Path(path).expanduser().absolute(), clock, with_git=with_git, in_repo=in_repo,
            layout=layout, random=random,
        )  # fmt: skip
        return cls.open(path, clock=clock, random=random, env=env)

    def close(self) -> None:
        """Give back what is held open, and wait for what is done in the background.

        Twice is once; whatever else is asked from now on raises Closed. Raises OtherThread while
        the thread that opened the vault lives: it may be using it. A fork lets go of its copy, and
        waits for nothing; the process that opened the vault keeps it.
        """
        self._runtime.close()

    def __enter__(self) -> Self:
        """Return the vault itself; raises Closed, OtherThread or OtherProcess."""
        self._runtime.check()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Close the vault."""
        self.close()

    # --- what is open -------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._runtime.closed

    @property
    def path(self) -> Path:
        """The vault's folder; any thread may ask."""
        return self._runtime.path

    @property
    def store(self) -> Store:
        """The vault's files, index and writer; raises Closed, OtherThread or OtherProcess."""
        return self._runtime.store

    @property
    def _opened(self) -> Runtime:
        """What the parts share; raises Closed, OtherThread or OtherProcess."""
        self._runtime.check()
        return self._runtime

    @property
    def summarizer(self) -> Summarizer:
        """Who writes summaries: the one given to `open`, else the one that is chosen."""
        return self._runtime.summarizer

    @property
    def writers(self) -> Writers:
        """Who may write summaries, by the profile and the environment."""
        return self._runtime.writers

    @property
    def retriever(self) -> Retriever:
        """Who answers questions, by the embedder that the environment chooses."""
        return self._runtime.retriever

    @property
    def watched(self) -> bool:
        """Whether a daemon looks after the vault: it compacts and commits."""
        return self._runtime.watched

    @property
    def config(self) -> Config:
        """The vault's settings, as `config/memory_compaction.md` has them now."""
        return self.store.config()

    @property
    def known_agents(self) -> tuple[str, ...]:
        """The agents that have files in the vault."""
        return tuple(self.store.agents())

    @property
    def usual_agent(self) -> str:
        """The agent that is meant where nobody is named: the config's, the only one, `default`."""
        return self.store.agent()

    @arguments.checked_method
    def agents(self, agent: str = "") -> tuple[str, ...]:
        """Return *agent* alone; if nobody is named the config's agent, else all there are.

        Raises BadInput for an agent that has no files.
        """
        return self._runtime.agents(agent)

    @arguments.checked_method
    def run_in_background(self, what: str, work: Callable[[Self], object]) -> None:
        """Have *work* done in the background, on this vault opened anew; nobody waits for it.

        What is asked for under one name, *what*, and has not begun yet is done once.
        """
        self._runtime.run_in_background(what, lambda again: work(type(self)(again)))

    def wait(self) -> None:
        """Wait until all that was asked for in the background is done."""
        self._runtime.wait()

    # --- its parts ----------------------------------------------------------------------------

    @cached_property
    def memories(self) -> Memories:
        """Memories: keep and correct them."""
        from vaultmem.api.vault.memories import Memories

        return Memories(self._opened, self.compactions, lambda: self.shares)

    @cached_property
    def compactions(self) -> Compactions:
        """Compaction of memories that are older than the window."""
        from vaultmem.api.vault.compactions import Compactions

        return Compactions(self._opened)

    @cached_property
    def sessions(self) -> Sessions:
        """Sessions, turn by turn; called with an agent's name it lists them."""
        from vaultmem.api.vault.sessions import Sessions

        return Sessions(self._opened)

    @cached_property
    def item_logs(self) -> ItemLogs:
        """What sessions of frameworks go on from: their own items, kept beside the talk."""
        from vaultmem.api.vault.item_logs import ItemLogs

        return ItemLogs(self._opened)

    @cached_property
    def queries(self) -> Queries:
        """Recall and contexts."""
        from vaultmem.api.vault.queries import Queries

        return Queries(self._opened)

    @cached_property
    def history(self) -> History:
        """What was done, and undoing it."""
        from vaultmem.api.vault.history import History

        return History(self._opened)

    @cached_property
    def edits(self) -> Edits:
        """Edits of whole notes by a person, each against the bytes that were read."""
        from vaultmem.api.vault.edits import Edits

        return Edits(self._opened)

    @cached_property
    def views(self) -> Views:
        """The vault to look at, as it is or as it was."""
        from vaultmem.api.vault.views import Views

        return Views(self._opened)

    @cached_property
    def checks(self) -> Checks:
        """Health, and the proof that nothing is lost."""
        from vaultmem.api.vault.checks import Checks

        return Checks(self._opened)

    @cached_property
    def rounds(self) -> Rounds:
        """Rounds of housekeeping."""
        from vaultmem.api.vault.rounds import Rounds

        return Rounds(self._opened)

    @cached_property
    def exchange(self) -> Exchange:
        """Import, export and sync."""
        from vaultmem.api.vault.exchange import Exchange

        return Exchange(self._opened, self.compactions, self.sessions, lambda: self.topics)

    @cached_property
    def cards(self) -> Cards:
        """The cards: what is known of persons and things, each fact with its source."""
        from vaultmem.knowledge.cards import Cards

        return Cards(self.store)

    @cached_property
    def topics(self) -> Topics:
        """The topics: what lasts, by subject."""
        from vaultmem.knowledge.topics.service import Topics

        return Topics(self.store, lambda: self.summarizer)

    @cached_property
    def experiences(self) -> Experiences:
        """What came of tasks: what was tried, how it ended, what to take from that."""
        from vaultmem.memory.experiences import Experiences

        return Experiences(self.store, self.rounds.commit_soon)

    @cached_property
    def tasks(self) -> Tasks:
        """The task graph: what is to be done, by whom, and what waits for what."""
        from vaultmem.knowledge.tasks.service import Tasks

        return Tasks(self.store)

    @cached_property
    def shares(self) -> Shares:
        """What agents offer to all: memories as facts of shared topics."""
        from vaultmem.knowledge.sharing import Shares

        return Shares(self.store)

    @cached_property
    def reviews(self) -> Reviews:
        """What nobody has vouched for yet, and waits for a person."""
        from vaultmem.knowledge.review import Reviews

        return Reviews(self.store)

    @property
    def dreams(self) -> Dreams:
        """Dreams: plans that clean the vault up, applied in one commit each, and undone."""
        return self.rounds.dreams

    @cached_property
    def forgetting(self) -> Forgetting:
        """Forgetting: find what it would take, forget it, purge it from the history."""
        from vaultmem.maintenance.forgetting import Forgetting

        return Forgetting(self.store, self.summarizer)

    @arguments.checked_method
    def workbench(self, agent: str = "", *, states: Sequence[str] = ()) -> Workbench:
        """Return *agent*'s working memory: goal, plan, todo list, scratchpad of its task.

        *states* are the business states that the task may be in, else those of the config.
        """
        from vaultmem.memory.working.service import Workbench

        return Workbench(self.store, agent_name(self.store.agent(agent)), states)

    @arguments.checked_method
    def reach(self, agent: str = "") -> Reach:
        """Return the files of the vault as *agent* may read and write them, by path."""
        from vaultmem.api.agent_files.service import Reach

        return Reach(self.store, lambda: self.forgetting, agent)
