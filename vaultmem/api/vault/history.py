"""History: what was done to a vault, what it changed, and undoing it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem import arguments
from vaultmem.api.vault.runtime import Part
from vaultmem.api.vault.types import Commit
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, NothingToUndo, Refused
from vaultmem.records import PERSONS, TRUST, Actor, trust_of_actor

if TYPE_CHECKING:
    from vaultmem.api.agent_scope import AgentScope
    from vaultmem.maintenance.digest import Digest
    from vaultmem.maintenance.history import Operation
    from vaultmem.storage.git import Entry, Repository, Row
    from vaultmem.storage.plan import Append, Change, Plan

_TRUST = "Trust"
_AGENTS = TRUST.index("agent")
_SAID = frozenset({"memory", "card", "topic", "note", "skill", "file"})
"""What is said or decided; the rest is made of it."""

_KIND = re.compile(r"[a-z]+(?=[(:])")
_UPKEEP = frozenset({"adopt", "index", "items", "session", "shrink", "turn", "turns"})
"""What the program does of its own accord, and tells nobody's trust of."""

_COMMITS = 50
"""Commits that git is asked about at once."""
_FILES = 100
"""Files of a commit that are read for what they were: an import says how many it has, no word."""


@arguments.checked
class History(Part):
    """Look at the past of a vault, and undo operations."""

    @property
    def has_repository(self) -> bool:
        """Whether git keeps a history of the vault."""
        return self._store.writer.repository is not None

    def commit_pending(self) -> Mapping[str, str]:
        """Commit what was written and waits for its commit; return the commits by operation."""
        return self._store.writer.commit_pending()

    def waiting(self) -> int:
        """Return how many writes wait for their commit; of an import each batch is one."""
        return self._store.writer.waiting()

    def commits(
        self, path: str = "", *, agent: str = "", limit: int | None = None
    ) -> Iterator[Commit]:
        """Yield what was done, to all or to the file at *path*, newest first.

        An *agent* who is named hears of what it did or all share, where it may know of all the
        files that a commit touched. *limit* is how many are looked at. Raises Unavailable without
        git.
        """
        from vaultmem.api.agent_scope import AgentScope

        scope, repository = AgentScope(agent), self._repository()
        found = repository.log(limit, paths=[path] if path else [])
        for start in range(0, len(found), _COMMITS):
            part = found[start : start + _COMMITS]
            rows = repository.touched([entry.commit for entry in part])
            for entry in part:
                made = self._commit(entry, rows.get(entry.commit, ()))
                if _is_open(scope, entry, made.paths):
                    yield made

    def versions(self, path: str, *, agent: str = "", limit: int = 30) -> tuple[Commit, ...]:
        """Return the newest commits that touched the file at *path*, newest first.

        What else they touched is not looked for; but an *agent* who is named hears of those alone
        of which `commits` tells it. Raises Unavailable without git.
        """
        if agent:
            return tuple(self.commits(path, agent=agent, limit=limit))
        found = self._repository().log(limit, paths=[path])
        return tuple(self._commit(entry, ()) for entry in found)

    def _repository(self) -> Repository:
        """Return what keeps the history, with all in it that waited; raises Unavailable."""
        from vaultmem.maintenance import history

        self._store.writer.commit_pending()
        self._store.index.fresh()  # it knows what is hidden
        return history.repository_of(self._store)

    def file_diff(self, commit: str, path: str) -> str:
        """Return what a *commit* changed in the file at *path*, without what is private."""
        from vaultmem.maintenance import history

        return self._told(history.patch(self._repository(), commit, path))

    def is_untrusted(self, change: Change | Append) -> bool:
        """Tell whether *change* writes or takes away a text that nobody vouches for all of."""
        from vaultmem.storage import files, reader, transcript_files
        from vaultmem.storage.plan import Append

        versions = [change.data] if isinstance(change, Append) else [change.old, change.new]
        return transcript_files.holds(change.path) or any(
            reader.least_trust(self._store.texts.record(change.path, files.content(data)), data)
            == TRUST[0]
            for data in versions
            if data is not None
        )

    def was_untrusted(self, commit: str, path: str) -> bool:
        """Tell so of what a *commit* changed in the file at *path*."""
        from vaultmem.storage.plan import Change

        changes = (it for it in self._repository().changed(commit) if it.path == path)
        return any(self.is_untrusted(Change(it.path, it.old, it.new, "")) for it in changes)

    def untrusted_now(self, paths: Iterable[str]) -> frozenset[str]:
        """Return the notes at *paths* of which nobody vouches for all."""
        found = self._store.index.at(paths, body=False)
        return frozenset(it.path for it in found if it.trust == TRUST[0] or it.tool_lines)

    def untrusted_in(self, found: Commit) -> frozenset[str]:
        """Return the files of a commit of which nobody vouches for all, before it, by it, or now.

        Of a commit with more files than a person tells of at once what they were is not looked for.
        """
        from vaultmem.maintenance import history
        from vaultmem.storage import transcript_files
        from vaultmem.storage.plan import Change

        paths = {*filter(transcript_files.holds, found.paths)}
        paths |= self.untrusted_now(found.paths)
        if len(found.paths) <= _FILES and found.paths - paths:
            changed = history.repository_of(self._store).changed(found.commit)
            changes = (Change(it.path, it.old, it.new, "") for it in changed)
            paths.update(it.path for it in changes if self.is_untrusted(it))
        return frozenset(paths & found.paths)

    def plan_newest_undo(
        self, agent: str = "", *, partly: bool = False, source: Actor = "user"
    ) -> tuple[str, Plan]:
        """Return the newest operation that is not undone yet, and the plan that takes it back.

        Of *agent* where one is named; *partly* and *source* as in `plan_undo`. Raises BadInput
        where there is none.
        """
        done = self.commits(agent=agent, limit=None if agent else _COMMITS)
        for op in (commit.op for commit in done if commit.op):
            with contextlib.suppress(NothingToUndo):
                return op, self.plan_undo(op, partly=partly, source=source)
        raise BadInput("there is nothing to take back: `vaultmem log` shows what was done")

    def require_operation(self, op: str, agent: str = "") -> None:
        """Raise BadInput where *op* is no operation, Refused where *agent* may not know of it.

        What people committed is no operation. Without a history it is not looked for.
        """
        from vaultmem.api.agent_scope import AgentScope

        if not self.has_repository:
            return
        repository = self._repository()
        entry = repository.find_op(op.upper())
        if entry is None:
            raise BadInput(f"no operation {quoted(op)}: `vaultmem log` gives the id of each")
        touched = repository.touched([entry.commit]).get(entry.commit, ())
        if not _is_open(AgentScope(agent), entry, (row.path for row in touched)):
            raise Refused(f"{op} changed what belongs to another agent: ask the person to undo it")

    def require_agents_own(self, op: str, plan: Plan) -> None:
        """Raise Refused where an agent would take back, by *plan*, what a person said or decided.

        That is an operation with a person's word, one that does not say whose it is, and one whose
        undoing makes a file that is worth more than an agent's, takes such a one away, or makes one
        worth more: what somebody forgot, corrected, or took back their consent to.
        """
        entry = self._repository().find_op(op.upper())
        is_persons = entry is not None and _is_a_persons(entry)
        if is_persons or any(map(self._weighs_more, _rewritten(plan))):
            raise Refused(f"{op} is about what a person said or decided: ask them to undo it")

    def _weighs_more(self, change: Change) -> bool:
        """Tell whether a note is made, taken away or raised that is worth more than an agent's."""
        from vaultmem.storage import files

        def worth(data: bytes | None) -> int:
            record = (
                None if data is None else self._store.texts.record(change.path, files.content(data))
            )
            return TRUST.index(record.trust) if record and record.type in _SAID else -1

        if change.old is None or change.new is None:
            return max(worth(change.old), worth(change.new)) > _AGENTS
        return worth(change.new) > max(worth(change.old), _AGENTS)

    def log(self, limit: int | None = 20) -> tuple[Operation, ...]:
        """Return the newest operations, newest first; raises Unavailable without git."""
        from vaultmem.maintenance import history

        self._store.writer.commit_pending()
        self._store.index.fresh()  # it knows what is hidden
        found = history.operations(self._store, limit)
        return tuple(
            replace(it, subject=self._told(it.subject), body=self._told(it.body)) for it in found
        )

    def digest(self, since: str = "", until: str = "", agent: str = "") -> Digest:
        """Return what was learnt, corrected and forgotten, by all or by *agent*."""
        from vaultmem.maintenance import digest

        period = digest.period(since, until, self._store.clock())
        self._store.sync()
        name = self._store.require_agent(agent) if agent else ""
        self._store.writer.commit_pending()
        return digest.digest(digest.gather(self._store, period, name))

    def diff(self, op: str = "") -> str:
        """Return the patch of one operation, or of what is not committed when none is named."""
        from vaultmem.maintenance import history

        self._store.index.fresh()
        return self._told(history.diff(self._store, op))

    def _told(self, text: str) -> str:
        """Return *text*, which git has, without what people have marked as private since."""
        return self._store.texts.without_hidden(text)

    def _commit(self, entry: Entry, touched: Iterable[Row]) -> Commit:
        it = entry.public
        return Commit(
            it.commit, it.when, it.author, self._told(it.subject), it.ops[-1] if it.ops else "",
            frozenset(row.path for row in touched),
        )  # fmt: skip

    def undo(self, op: str, *, partly: bool = False) -> tuple[Plan, str | None]:
        """Take one operation back, keeping later edits; return the plan and its commit."""
        plan = self.plan_undo(op, partly=partly)
        return plan, self.apply_undo(plan)

    def apply_undo(self, plan: Plan) -> str | None:
        """Carry out what `plan_undo` returned; return its commit, None while git waits.

        Raises StaleWrite when a file of it changed since.
        """
        self._store.apply(plan)
        return self._store.writer.commit_pending().get(plan.op)

    def plan_undo(self, op: str, *, partly: bool = False, source: Actor = "user") -> Plan:
        """Return the plan that would take one operation back, as `undo` does.

        *source* says who asks for it, the user or an agent.
        """
        from vaultmem.maintenance import history

        self._store.sync_soon()
        self._store.writer.commit_pending()
        # A person's has no trust of its own: what it makes anew would be taken for their word.
        trust = trust_of_actor(source)
        trust = "" if trust in PERSONS else trust
        return history.undo(self._store, op, partly=partly, trust=trust)

    def taken_back(self, plan: Plan) -> str:
        """Return what an undo takes back, where that is in several commits; "" otherwise."""
        from vaultmem.maintenance import history

        return self._told(history.taken_back(plan))


def _is_a_persons(entry: Entry) -> bool:
    """Tell whether a person did it, as far as its commit says; what says nothing is a person's."""
    told = [value for key, value in entry.trailers if key == _TRUST]
    kind = _KIND.match(entry.subject)
    return not PERSONS.isdisjoint(told) or not (told or (kind and kind[0] in _UPKEEP))


def _rewritten(plan: Plan) -> Iterator[Change]:
    from vaultmem.storage.plan import Change

    return (change for change in plan.changes if isinstance(change, Change))


def _is_open(scope: AgentScope, entry: Entry, touched: Iterable[str]) -> bool:
    """Tell whether an agent may know of a commit that *touched* these files."""
    return scope.did(entry.trailers) and all(map(scope.knows_of, touched))
