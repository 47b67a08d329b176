"""Questions: what was said, what a prompt should hold, how the vault is, what was done to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vaultmem.api.vault.base import Opened
from vaultmem.errors import BadInput
from vaultmem.maintenance import health
from vaultmem.maintenance.health import Health

if TYPE_CHECKING:
    from frontmatter import Post

    from vaultmem.maintenance.digest import Digest
    from vaultmem.maintenance.fsck import Report
    from vaultmem.maintenance.history import Operation
    from vaultmem.retrieval.context import Context
    from vaultmem.retrieval.search import Answer, Mode, Question, Scope
    from vaultmem.retrieval.vectors import Caught
    from vaultmem.storage.plan import Plan

_MOMENT = 0.2
"""Seconds: who answers for others has a step of its own that embeds."""


class Asking(Opened):
    """Ask the vault, look at its past, and prove that it is whole."""

    def post(self, path: str) -> Post:
        """Return the file at *path* as python-frontmatter's Post: `.metadata`, `.content`.

        Raises BadInput when there is none, Unreadable when its bytes cannot be trusted.
        """
        from vaultmem.documents import frontmatter

        data = self.store.read(path)
        if data is None:
            raise BadInput(f"{path} is not in the vault: `recall` gives the paths of what is")
        return frontmatter.post(frontmatter.parse(frontmatter.decode(data)))

    def recall(
        self,
        query: str,
        k: int = 10,
        scope: Scope | None = None,
        *,
        mode: Mode = "auto",
        as_of: str = "",
    ) -> Answer:
        """Return the *k* best hits for *query* within *scope*, and count them as of use.

        *mode* is `lexical` (words), `semantic` (vectors) or `auto` (both, where there is an
        embedder). *as_of*, a date or a time, asks the vault as it was committed then. Raises
        BadInput.
        """
        from vaultmem.memory.remember import encodable
        from vaultmem.retrieval.search import Question, Scope

        where = scope or Scope()
        if not all(t.isascii() or encodable(t) for t in (query, where.type, *where.tags)):
            raise BadInput("the question is not UTF-8: write it again")
        return self.retriever.recall(Question(query, k, where, mode=mode), as_of)

    def recall_here(self, asked: Question) -> Answer:
        """Answer *asked* in this process, and count nothing; raises BadInput."""
        return self.retriever.here(asked, patience=_MOMENT)

    @property
    def space(self) -> str:
        """The space that questions are embedded in, "" where nobody embeds."""
        return self.retriever.space

    def embed(
        self,
        seconds: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Caught | None:
        """Embed what has no vector yet, for at most so many *seconds*; None where nobody embeds.

        *progress* is told how many texts of how many are done. Raises ModelAway.
        """
        self.store.sync_soon()
        return self.retriever.embed(seconds, progress)

    def context(
        self,
        query: str = "",
        *,
        agent: str = "",
        budget: int = 8000,
        turns: int = 0,
        as_of: str = "",
    ) -> Context:
        """Return what an agent's prompt should hold of its memory, within *budget* tokens.

        *turns* is how long the conversation is by now; *as_of* as in `recall`.
        """
        return self.retriever.context(query, agent, budget, turns=turns, as_of=as_of)

    def status(self) -> Health:
        """Return counts, windows, budgets and problems."""
        left = self.store.has_left_lock()
        self.store.sync_soon()
        return health.check(self.store, self.writers, self.retriever, left_lock=left)

    def command(self, line: str, *, agent: str = "") -> str:
        """Return what `vaultmem '@…'` prints for *line*, as for `@memory-status`.

        One that names no agent is asked for *agent*. Raises BadInput for what is no @command, else
        what the command raises.
        """
        from vaultmem.api import at_commands

        known = agent in self.store.agents()
        return at_commands.run(self.path, line, self._env, agent=agent, known=known)

    def log(self, limit: int | None = 20) -> tuple[Operation, ...]:
        """Return the newest operations, newest first; raises Unavailable without git."""
        from vaultmem.maintenance import history

        self.store.writer.settle()
        return history.operations(self.store, limit)

    def digest(self, since: str = "", until: str = "", agent: str = "") -> Digest:
        """Return what was learnt, corrected and forgotten, by all or by *agent*.

        *since* is a span (`7d`, the default, `2w`, `24h`), a date or a time. Raises BadInput.
        """
        from vaultmem.maintenance import digest

        period = digest.period(since, until, self.store.clock())
        self.store.sync()
        name = self.store.require_agent(agent) if agent else ""
        self.store.writer.settle()
        return digest.digest(digest.gather(self.store, period, name))

    def diff(self, op: str = "") -> str:
        """Return the patch of one operation, or of what is not committed when none is named."""
        from vaultmem.maintenance import history

        return history.diff(self.store, op)

    def undo(self, op: str, *, partly: bool = False) -> tuple[Plan, str | None]:
        """Take one operation back, keeping later edits; return the plan and its commit.

        *partly*: where these stand on the same lines, the file stays and the older text goes to the
        inbox.
        """
        plan = self.plan_undo(op, partly=partly)
        self.store.apply(plan)
        return plan, self.store.writer.settle().get(plan.op)

    def plan_undo(self, op: str, *, partly: bool = False) -> Plan:
        """Return the plan that would take one operation back, as `undo` does."""
        from vaultmem.maintenance import history

        self.store.sync_soon()
        self.store.writer.settle()
        return history.undo(self.store, op, partly=partly)

    def fsck(self, *, repair: bool = False, accept_missing: bool = False) -> Report:
        """Check everything; *repair* mends what needs no judgement first."""
        from vaultmem.maintenance import fsck

        self.store.sync()
        if accept_missing:
            self.store.index.accept_missing()
            self.store.writer.accept_missing()
        if repair:
            fsck.repair(self.store)
            self.store.writer.settle()
            self.store.sync()
        return fsck.check(self.store)
