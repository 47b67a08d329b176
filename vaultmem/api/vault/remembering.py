"""The way in: one memory, a conversation from elsewhere, a correction."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Unpack

from vaultmem.api.vault.compaction import Compacting
from vaultmem.api.vault.types import Details, Remembered
from vaultmem.config import agent_name
from vaultmem.documents import public_text
from vaultmem.errors import BadInput
from vaultmem.records import TRUST_OF_SOURCE, moment
from vaultmem.storage.files import sha256

if TYPE_CHECKING:
    from vaultmem.knowledge.corrections import Correction
    from vaultmem.memory.remember import MemoryInput


class Remembering(Compacting):
    """Keep what is said, and compact what that makes due."""

    def remember(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as a memory file, compact offline if that makes it due, and commit.

        Where a daemon runs, it does the rest; what a model shall summarize waits for it, or for
        `compact`. Raises BadInput for what cannot be, SecretFound for a credential, SwitchedOff for
        an agent or session that the config switches off.
        """
        made, said = self._keep(text, details)
        return self._afterwards(lambda: self._settled(made, said.agent), made)

    def _settled(self, made: Remembered, agent: str) -> Remembered:
        """Compact what *made* makes due, and commit, unless a daemon does."""
        if self.watched:
            return made
        if self._is_quick():
            self._follow_up(agent)
        return replace(made, commit=self.store.writer.settle().get(made.id))

    def add_memory(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as `remember` does, but leave compaction and commit to the background."""
        made, _ = self._keep(text, details)
        self.tick_soon()
        return made

    def _keep(self, text: str, details: Details) -> tuple[Remembered, MemoryInput]:
        from vaultmem.memory import remember as memory_remember

        self.store.sync_soon()
        said = self._said(text, details)
        change, memory_id = memory_remember.keep(
            self.store, said, redact=details.get("redact", False), reason=details.get("reason", "")
        )
        return Remembered(memory_id, change.path, sha256(change.new or b""), None), said

    def _said(self, text: str, details: Details) -> MemoryInput:
        from vaultmem.memory.remember import MemoryInput, one_line

        importance = details.get("importance")
        source = details.get("source", "agent")
        if source not in TRUST_OF_SOURCE:
            known = ", ".join(TRUST_OF_SOURCE)
            raise BadInput(f"{public_text.shown(source)!r} is no source: use one of {known}")
        if importance is not None and not 0 <= importance <= 1:
            raise BadInput(f"importance is {importance}, it goes from 0 to 1")
        return MemoryInput(
            text=text,
            agent=agent_name(self.store.agent(details.get("agent", ""))),
            created=self._when(details.get("at")),
            source=source,
            importance=importance,
            speaker=one_line(details.get("speaker", ""), "speaker"),
            session=one_line(details.get("session", ""), "session"),
            tags=tuple(t for tag in details.get("tags", ()) if (t := one_line(tag, "tag"))),
            dated=bool(details.get("at")),
        )

    def _when(self, at: str | datetime | None) -> datetime:
        if isinstance(at, str):
            return moment(at)
        when = at or self.store.clock()
        # As in `moment`: what names no zone is UTC, wherever this runs.
        return when if when.tzinfo else when.replace(tzinfo=UTC)

    def correct(self, ref: str, text: str, **details: Unpack[Details]) -> Correction:
        """Let *text* hold instead of the memory *ref*, whose file stays as it is.

        Raises BadInput when *ref* names none or several, Refused for what is no raw memory or is
        more trusted than the correction.
        """
        from vaultmem.knowledge.corrections import Corrections

        agent = details.get("agent", "")
        said = self._said(text, {"source": "user", **details})
        quick = self.summarizer if not self.watched and self._is_quick() else None
        done = Corrections(self.store, lambda: quick).correct(ref, replace(said, agent=agent))
        self._afterwards(self.shares.follow, None)
        return done
