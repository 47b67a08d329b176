"""Memories: keep one, correct one, put some away."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Unpack

from vaultmem import arguments
from vaultmem.api.vault.compactions import Compactions
from vaultmem.api.vault.options import Details
from vaultmem.api.vault.rounds import Rounds
from vaultmem.api.vault.runtime import Part, Runtime
from vaultmem.api.vault.types import Remembered
from vaultmem.config import agent_name
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.records import TRUST_OF_SOURCE, moment
from vaultmem.storage.files import sha256
from vaultmem.storage.plan import WrittenFile

if TYPE_CHECKING:
    from vaultmem.knowledge.corrections import Correction
    from vaultmem.knowledge.sharing import Shares
    from vaultmem.maintenance.archive import Archived, Moved
    from vaultmem.memory.remember import MemoryInput
    from vaultmem.storage.transcripts import Turn

_MARK = 16
"""Digits of a digest that tell one text from another."""


@arguments.checked
class Memories(Part):
    """Keep what is said, and compact what that makes due."""

    def __init__(
        self, runtime: Runtime, compactions: Compactions, shares: Callable[[], Shares]
    ) -> None:
        """Work on the vault of *runtime*; *shares* follow what is corrected."""
        super().__init__(runtime)
        self._compactions, self._shares = compactions, shares

    def remember(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as a memory file, compact offline if that makes it due, and commit."""
        made, given = self._kept(text, details)
        return self._runtime.attempt(lambda: self._committed(made, given.agent), made)

    def _committed(self, made: Remembered, agent: str) -> Remembered:
        """Compact what *made* makes due, and commit, unless a daemon does."""
        if self._runtime.watched:
            return made
        self._compactions.follow_up_quickly(agent)
        self._point_at_what_is_missing()
        return replace(made, commit=self._store.writer.commit_pending().get(made.id))

    def _point_at_what_is_missing(self) -> None:
        """Let MEMORY.md point at topics, cards and skills that people committed by hand."""
        from vaultmem.memory import pointed_records

        if pointed_records.lack(self._store):
            from vaultmem.api import housekeeping

            housekeeping.refresh_pointers(self._store)

    def add(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as `remember` does, but leave compaction and commit to the background."""
        made, _ = self._kept(text, details)
        Rounds(self._runtime).run_soon()
        return made

    def keep(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as `remember` does; compaction and commit are left to the next round."""
        return self._kept(text, details)[0]

    def remember_once(self, text: str, **details: Unpack[Details]) -> Remembered:
        """Keep *text* as `remember` does, unless the agent has it, as that source says it.

        The memory that has it holds, has all the tags, and was kept in the same session, or in
        none: in another the same words are another turn.
        """
        return self._repeated(text, details) or self.remember(text, **details)

    def _repeated(self, text: str, details: Details) -> Remembered | None:
        from vaultmem.memory import remember as memory_remember

        self._store.sync_names()
        who = agent_name(self._store.agent(details.get("agent", "")))
        said = memory_remember.clean(text, "the text", redact=True)
        tags, session = details.get("tags", ()), details.get("session", "")
        known = self._store.index.repeated(said, who, tags, session) if said else None
        if known is None or known.trust != TRUST_OF_SOURCE.get(details.get("source", "agent")):
            return None
        return Remembered(known.id, known.path, known.sha, None, duplicate=True)

    def keep_once(
        self,
        text: str,
        *,
        client: str = "python",
        agent: str = "",
        tags: Sequence[str] = (),
        reason: str = "",
    ) -> WrittenFile:
        """Keep *text* as `keep` does, unless a *client* of that name had this agent keep it before.

        With a *tag* that it did not get then it is kept again: no memory gets one afterwards.
        The files are not looked at first: that costs ten times the write, which needs none of it.
        """
        from vaultmem.memory import remember as memory_remember
        from vaultmem.memory.remember import MemoryInput, one_lines

        who = agent_name(self._store.agent(agent))
        named = one_lines(tags, "tag")
        origin = _origin(client, text)
        known = self._store.index.by_origin(who, origin)
        if known and not {*named} <= {*known.tags}:
            origin = _origin(client, "\0".join((text, *sorted({*named}))))
            known = self._store.index.by_origin(who, origin)
        if known:
            return WrittenFile(known.path, known.sha, existed=True)
        given = MemoryInput(text, who, self._store.clock(), "agent", origin=origin, tags=named)
        made = memory_remember.keep(self._store, given, reason=reason)
        change = made.change
        return WrittenFile(change.path, sha256(change.new or b""), quotes=made.quotes)

    def _kept(self, text: str, details: Details) -> tuple[Remembered, MemoryInput]:
        from vaultmem.memory import remember as memory_remember

        self._store.sync_names()
        given = self._memory_input(text, details)
        redact, reason = details.get("redact", False), details.get("reason", "")
        made = memory_remember.keep(self._store, given, redact=redact, reason=reason)
        path, sha = made.change.path, sha256(made.change.new or b"")
        return Remembered(made.op, path, sha, None, made.quotes), given

    def _memory_input(self, text: str, details: Details) -> MemoryInput:
        from vaultmem.memory import tagged_turns
        from vaultmem.memory.remember import MemoryInput, one_line, one_lines

        heard = tagged_turns.parted(details.get("heard", ()))
        importance = details.get("importance")
        source = details.get("source", "agent")
        if source not in TRUST_OF_SOURCE:
            known = ", ".join(TRUST_OF_SOURCE)
            raise BadInput(f"{quoted(source)} is not a source: use one of {known}")
        if importance is not None and not 0 <= importance <= 1:
            raise BadInput(f"importance is {importance}, it must be from 0 to 1")
        return MemoryInput(
            text=text,
            agent=agent_name(self._store.agent(details.get("agent", ""))),
            created=self._when(details.get("at")),
            source=source,
            importance=importance,
            speaker=one_line(details.get("speaker", ""), "speaker"),
            session=one_line(details.get("session", ""), "session"),
            tags=one_lines(details.get("tags", ()), "tag"),
            dated=bool(details.get("at")),
            heard=tuple(map(_public, heard)),
        )

    def _when(self, at: str | datetime | None) -> datetime:
        if isinstance(at, str):
            return moment(at)
        when = at or self._store.clock()
        # As in `moment`: what names no zone is UTC, wherever this runs.
        return when if when.tzinfo else when.replace(tzinfo=UTC)

    def correct(self, ref: str, text: str, **details: Unpack[Details]) -> Correction:
        """Correct the memory *ref*: *text* holds instead, and its file stays as it is."""
        from vaultmem.knowledge.corrections import Corrections

        agent = details.get("agent", "")
        given = self._memory_input(text, {"source": "user", **details})
        is_quick = not self._runtime.watched and self._runtime.is_quick()
        summarizer = self._runtime.summarizer if is_quick else None
        corrections = Corrections(self._store, lambda: summarizer)
        done = corrections.correct(ref, replace(given, agent=agent))
        self._runtime.attempt(lambda: self._shares().follow(), None)
        return replace(done, cited=corrections.still_cited(done)) if done.cited else done

    def archive(self, refs: Sequence[str]) -> Moved:
        """Move the memories that *refs* name out of recall and contexts; their files stay whole.

        What was shared of them is withdrawn.
        Raises BadInput for what names none or several, Refused for what is no memory of an agent,
        or is archived already.
        """
        from vaultmem.maintenance import archive

        return archive.archive(self._store, refs)

    def unarchive(self, refs: Sequence[str]) -> Moved:
        """Bring archived memories back; raises as `archive` does."""
        from vaultmem.maintenance import archive

        return archive.unarchive(self._store, refs)

    def archived(self, agent: str = "") -> tuple[Archived, ...]:
        """Return what is archived, of *agent* or of all, in time."""
        from vaultmem.maintenance import archive

        self._store.sync()
        return archive.archived(self._store, agent)


def _origin(client: str, said: str) -> str:
    """Return the key by which what a *client* had kept is known again."""
    return f"{client}/{hashlib.sha256(said.encode('utf-8', 'replace')).hexdigest()[:_MARK]}"


def _public(turn: Turn) -> Turn:
    """Return *turn* as a transcript would have it, by which a memory's text is clean, too."""
    from vaultmem.documents import secrets

    return replace(turn, content=secrets.redact(secrets.strip_private(turn.content)))
