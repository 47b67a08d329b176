"""In from other programs and out to them: files of many formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from vaultmem.config import agent_name
from vaultmem.vault.conversing import Conversing
from vaultmem.vault.model import Compacted

if TYPE_CHECKING:
    from vaultmem.exporting import Exported
    from vaultmem.folding import Folding
    from vaultmem.importing import How, Imported


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
    ) -> tuple[Imported, Compacted | Folding]:
        """Take in files of a format, once; compact or fold what that makes due.

        *manner* is `memories` or `turns` where the format may become both. Raises BadInput, and
        BadLine for a line; nothing is imported then.
        """
        from vaultmem import folding, importing

        self.site.sync_soon()
        name = agent_name(self.site.agent(agent))
        settings = importing.Settings(name, self.site.clock(), form=form, **how)
        done = importing.take(self.site, [Path(p) for p in paths], settings, progress, manner)
        turns = importing.manner(form, manner) == "turns"
        if settings.dry_run or self.watched:
            why = "a dry run" if settings.dry_run else "the daemon does what is due"
            return done, folding.Folding(name, reason=why) if turns else Compacted((), why, None)
        if not turns:
            return done, self._compacted(self._follow_up(name, done.op))
        made = self._folded(name, done.op)
        if made.op:
            self._forget_replies()
        self.site.door.settle()
        return done, made

    def export(
        self, form: str, path: str | Path, *, agent: str = "", untrusted: bool = False
    ) -> Exported:
        """Write what recall may return for other programs, of *agent* and shared, or of everybody.

        `okf` makes a folder, `json` a file, `claude-code` a memory folder of topics and cards.
        Raises BadInput, Refused for what stands there and is not ours, DiskRefused.
        """
        from vaultmem import exporting

        if form == "claude-code":
            exporting.refuse_inside(self.site, Path(path))
            sent = self.topics.send(Path(path), agent=agent)
            return exporting.of_topics(sent.folder, len(sent.written), sent.unchanged)
        return exporting.run(self.site, form, Path(path), agent=agent, untrusted=untrusted)
