"""Exchange: files of other programs in and out, and clones brought together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from vaultmem import arguments
from vaultmem.api.vault.compactions import Compactions
from vaultmem.api.vault.runtime import Part, Runtime
from vaultmem.api.vault.sessions import Sessions
from vaultmem.api.vault.types import Compacted, Intake
from vaultmem.config import agent_name
from vaultmem.errors import BadInput, VaultError, disk_errors
from vaultmem.records import iso
from vaultmem.storage import delay_notes
from vaultmem.storage.progress import Progress, untold

if TYPE_CHECKING:
    from vaultmem.exchange.exporting import Exported
    from vaultmem.exchange.importing.service import How
    from vaultmem.exchange.importing.types import Imported, Settings
    from vaultmem.exchange.sync import Synced
    from vaultmem.knowledge.topics.service import Topics
    from vaultmem.memory.folding.runner import Folding

IMPORTED_IN_PART = "what was imported is safe; the same command goes on from there"


@arguments.checked
class Exchange(Part):
    """Import what other programs keep, export what they read, synchronise clones."""

    def __init__(
        self,
        runtime: Runtime,
        compactions: Compactions,
        sessions: Sessions,
        topics: Callable[[], Topics],
    ) -> None:
        """Work on the vault of *runtime*; what an import makes due the other parts do."""
        super().__init__(runtime)
        self._compactions, self._sessions, self._topics = compactions, sessions, topics

    def import_files(  # noqa: PLR0913  # most by name
        self,
        form: str,
        paths: Sequence[str | Path],
        *,
        agent: str = "",
        manner: str = "",
        progress: Callable[[int], None] = lambda _: None,
        summarizing: Progress = untold,
        **how: Unpack[How],
    ) -> Intake:
        """Take in files of a format, once; compact or fold what that makes due.

        *progress* is told of every entry that passed, *summarizing* how many summaries of how many
        are made then.
        """
        from vaultmem.exchange.importing import service
        from vaultmem.exchange.importing.types import Settings

        self._store.sync_soon()
        name = agent_name(self._store.agent(agent))
        settings = Settings(name, self._store.clock(), form=form, keep_agents=not agent, **how)
        with self._kept_in_part():
            done = service.take(self._store, list(map(Path, paths)), settings, progress, manner)
            return self._followed_up(name, done, settings, manner, summarizing)

    @contextlib.contextmanager
    def _kept_in_part(self) -> Iterator[None]:
        """Have an error that ends an import say so where some of it came in."""
        begun = self._store.writer.carried_out
        try:
            with disk_errors(self._store.root.path, below=True):
                yield
        except VaultError as e:
            if self._store.writer.carried_out > begun:
                e.ended(IMPORTED_IN_PART)
            raise

    def _followed_up(
        self, name: str, done: Imported, settings: Settings, manner: str, progress: Progress
    ) -> Intake:
        """Compact or fold what the import *done* made due, of *name* where it names no agent."""
        from vaultmem.exchange.importing import registry

        form = settings.form
        are_turns = registry.manner(form, manner) in {"turns", "folded"}
        if settings.dry_run or self._runtime.watched:
            why = "a dry run" if settings.dry_run else "the daemon does what is due"
            folded = self._left(name, why) if are_turns else None
            return Intake(done, Compacted((), why, None), folded)
        agents = done.agents or (name,)
        if are_turns and not done.memories:
            compacted = Compacted((), "turns are folded", None)
            return Intake(done, compacted, self._folded(agents, done.op))
        made = [self._compactions.follow_up(each, done.op, progress) for each in agents]
        folded = self._folded(agents, done.op) if are_turns or done.turns else None
        return Intake(done, self._compactions.finish(*made), folded)

    def _folded(self, agents: Sequence[str], op: str) -> Folding:
        """Fold what turns of *agents* made due, and commit it."""
        first, *more = [self._sessions.fold_due(agent, op) for agent in agents]
        made = replace(
            first,
            episodes=sum((each.episodes for each in more), first.episodes),
            topics=sum((each.topics for each in more), first.topics),
            experiences=sum((each.experiences for each in more), first.experiences),
            reason="; ".join(dict.fromkeys(x.reason for x in (first, *more) if x.reason)),
            op=next((each.op for each in (first, *more) if each.op), ""),
        )
        if made.op:
            self._runtime.forget_replies()
        self._store.writer.commit_pending()
        return made

    def _left(self, agent: str, why: str) -> Folding:
        from vaultmem.memory.folding.runner import Folding

        return Folding(agent, reason=why)

    def export(
        self, form: str, path: str | Path, *, agent: str = "", untrusted: bool = False,
        session: str = "",
    ) -> Exported:  # fmt: skip
        """Write for other programs what is remembered, of *agent* and shared, or of all."""
        from vaultmem.exchange import exporting

        if session and form != exporting.FOLDED:
            raise BadInput(f"{form} is of the whole vault: only folded is of one session")
        if form == exporting.FOLDED:
            return exporting.of_session(
                self._store, session, Path(path), agent=agent, untrusted=untrusted
            )

        if form == "claude-code":
            exporting.refuse_inside(self._store, Path(path))
            sent = self._topics().send(Path(path), agent=agent)
            return exporting.of_topics(self._store, agent, sent)
        return exporting.run(self._store, form, Path(path), agent=agent, untrusted=untrusted)

    def sync(
        self, remote: str = "", *, push: bool = True, dry_run: bool = False,
        accept_missing: bool = False,
    ) -> Synced:  # fmt: skip
        """Bring this clone in step with its git remote: commit, fetch, merge, push."""
        from vaultmem.exchange.sync import Sync

        sync = Sync(self._store, lambda: self._runtime.summarizer)
        done = sync.run(remote, push=push, dry_run=dry_run, accept_missing=accept_missing)
        if done.remote and push and not dry_run:
            delay_notes.write(self._store.root.path, delay_notes.SYNCS, "")
        return done

    def sync_unattended(self, remote: str = "") -> Synced:
        """Sync where nobody looks on: `status` tells since when that fails.

        Raises BadInput where there is no remote, too, and what `sync` raises.
        """
        try:
            done = self.sync(remote)
            if done.reason:
                raise BadInput(done.reason)
        except VaultError:
            vault = self._store.root.path
            since = delay_notes.read(vault, delay_notes.SYNCS) or iso(self._store.clock())
            delay_notes.write(vault, delay_notes.SYNCS, since)
            raise
        return done
