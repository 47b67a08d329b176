"""In from other programs and out to them: files of many formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from vaultmem.api.vault.sessions import Conversing
from vaultmem.api.vault.types import Compacted, Intake
from vaultmem.config import agent_name

if TYPE_CHECKING:
    from vaultmem.exchange.exporting import Exported
    from vaultmem.exchange.importing import How, Imported
    from vaultmem.exchange.sync import Synced
    from vaultmem.knowledge.sharing import Shared
    from vaultmem.memory.folding.runner import Folding


class Exchanging(Conversing):
    """Take in what other programs keep, and write what they read."""

    def import_files(
        self,
        form: str,
        paths: Sequence[str | Path],
        *,
        agent: str = "",
        manner: str = "",
        progress: Callable[[int], None] = lambda _: None,
        **how: Unpack[How],
    ) -> Intake:
        """Take in files of a format, once; compact or fold what that makes due.

        *manner* is `memories` or `turns` where the format may become both. Raises BadInput, and
        BadLine for a line; nothing is imported then.
        """
        from vaultmem.exchange import importing

        self.store.sync_soon()
        name = agent_name(self.store.agent(agent))
        settings = importing.Settings(name, self.store.clock(), form=form, **how)
        done = importing.take(self.store, [Path(p) for p in paths], settings, progress, manner)
        turns = importing.manner(form, manner) == "turns"
        if settings.dry_run or self.watched:
            why = "a dry run" if settings.dry_run else "the daemon does what is due"
            return self._left(done, name, why, turns=turns)
        if turns:
            return Intake(done, Compacted((), "turns are folded", None), self._told(name, done.op))
        return Intake(done, self._compacted(self._follow_up(name, done.op)))

    def _told(self, agent: str, op: str) -> Folding:
        """Fold what turns made due, and commit it."""
        made = self._folded(agent, op)
        if made.op:
            self._forget_replies()
        self.store.writer.settle()
        return made

    def _left(self, done: Imported, agent: str, why: str, *, turns: bool) -> Intake:
        from vaultmem.memory.folding.runner import Folding

        folded = Folding(agent, reason=why) if turns else None
        return Intake(done, Compacted((), why, None), folded)

    def export(
        self, form: str, path: str | Path, *, agent: str = "", untrusted: bool = False
    ) -> Exported:
        """Write what recall may return for other programs, of *agent* and shared, or of everybody.

        `okf` makes a folder, `json` a file, `claude-code` a memory folder of topics and cards.
        Raises BadInput, Refused for what stands there and is not ours, DiskRefused.
        """
        from vaultmem.exchange import exporting

        if form == "claude-code":
            exporting.refuse_inside(self.store, Path(path))
            sent = self.topics.send(Path(path), agent=agent)
            return exporting.of_topics(sent.folder, len(sent.written), sent.unchanged)
        return exporting.run(self.store, form, Path(path), agent=agent, untrusted=untrusted)

    def share(self, ref: str, *, topic: str = "", dry_run: bool = False) -> Shared:
        """Offer the memory *ref* to all agents, as a fact of a shared topic.

        `shares` lists what is offered and takes it back. Raises BadInput, Refused.
        """
        return self.shares.share(ref, topic=topic, dry_run=dry_run)

    def sync_clones(
        self, remote: str = "", *, push: bool = True, dry_run: bool = False,
        accept_missing: bool = False,
    ) -> Synced:  # fmt: skip
        """Bring this clone in step with its git remote: commit, fetch, merge, push.

        *accept_missing* lets go here what a crowd of files lost there.

        Raises BadInput, Refused for what a person must see to, Unavailable.
        """
        from vaultmem.exchange.sync import Sync

        sync = Sync(self.store, lambda: self.summarizer)
        return sync.run(remote, push=push, dry_run=dry_run, accept_missing=accept_missing)
