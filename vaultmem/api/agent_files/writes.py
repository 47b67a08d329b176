"""What all writes of an agent have in common: whether a path is free, the plan, the commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from vaultmem.api.agent_files import InTheWay, IsFolder, LedOut, Reached, paths
from vaultmem.api.agent_files.visible_files import VisibleFiles
from vaultmem.documents import public_text
from vaultmem.errors import NameTaken, SwitchedOff
from vaultmem.memory import memory_index, pointed_index
from vaultmem.records import TRUST_OF_SOURCE, first_line
from vaultmem.storage import files, human_edits, plan, reader
from vaultmem.storage.index import file_queries
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

SOURCE = "agent"
SUBJECT = 60


class Writes(VisibleFiles):
    """The files of one vault that *agent* may see, and its writes; "" is the vault's own agent."""

    def __init__(self, store: Store, agent: str = "", *, delayed: bool = False) -> None:
        """Write into the vault of *store*; *delayed* writes wait for somebody else's commit."""
        super().__init__(store, agent)
        self._delayed = delayed

    def _free(self, path: str) -> None:
        """Raise unless *path* can be one of the agent's own notes."""
        paths.given(path)
        if not path:
            raise IsFolder(path)
        paths.check_name(path)
        if paths.owner(path):
            paths.check_owner(path, self.agent)

    def writer(self) -> str:
        """Return the agent who writes; raises SwitchedOff where the config switches it off."""
        agent = self.agent
        if agent in self.store.config().disabled_agents:
            raise SwitchedOff("agent", agent)
        return agent

    def _look(self) -> None:
        """Have the index made, should this process not have looked yet.

        To write takes the names and the tombstones there are, and who writes either tells the
        index: no scan for each write, which would see no more than what we wrote last.
        """
        if self.store.index.lags:
            self.store.sync_names()

    def _check_free(self, path: str) -> None:
        """Make sure that *path* is free: raise NameTaken, or InTheWay where it cannot be made.

        A folder from which all files went is not there for an agent, and gives way.
        """
        if link := self._link(path):
            raise LedOut(link)
        known = file_queries.starting_with(self.store.index, path.partition("/")[0])
        other = path if self._stands(path) else paths.in_the_way(path, known)
        if other:
            raise NameTaken(path) if other == path else InTheWay(path, other)
        if files.kind_of(self.store.root, path) == files.FOLDER:  # no file is left in it
            files.remove_empty_folder(self.store.root, path)

    def _plan(
        self, kind: str, reason: str, changes: Sequence[Change], agent: str, op: str = ""
    ) -> Plan:
        touched = tuple(change.path for change in changes)
        return Plan(
            op=op or self.store.mint(),
            kind=kind,
            subject=f"{kind}({agent}): {first_line(reason or touched[0], SUBJECT)}",
            changes=(*changes, *self._pointing(changes)),
            agent=agent,
            trust=TRUST_OF_SOURCE[SOURCE],
            notes=touched,
        )

    def _pointing(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return the change that MEMORY.md needs, where a file is among *changes* that it lists."""
        if not any(map(self._is_listed, changes)):
            return ()
        return pointed_index.change(self.store, changes)

    def _is_listed(self, change: Change) -> bool:
        sides = (data for data in (change.old, change.new) if data is not None)
        return any(
            reader.record(change.path, files.content(d)).type in memory_index.KINDS for d in sides
        )

    def _done(self, step: Callable[[], Plan]) -> Reached:
        """Carry out what *step* plans, again where somebody else was faster, and commit."""
        done = self.store.retry(lambda: self._carried(step()))
        ours = tuple(c for c in done.changes if isinstance(c, Change))[: len(done.notes)]
        there = (c.new for c in ours if c.new is not None)  # of a rename, the first is the old name
        sha = files.sha256(next(there, b""))
        if not _changes(done):
            return Reached(ours[0].path, sha, "", "", None)
        op = done.op if self._has_undo(ours) else ""
        path, diff = ours[0].path, plan.diff(replace(done, changes=ours))
        if self._delayed:
            return Reached(path, sha, diff, op, None)
        commit, why = human_edits.commit_of(self.store, done.op, ours[-1].path)
        return Reached(path, sha, diff, op, commit, uncommitted=why)

    def _has_undo(self, changes: Sequence[Change]) -> bool:
        """Tell whether the history gets something of *changes*, so that it can be taken back."""
        return self.store.writer.commits.keeps_history() and not all(
            public_text.is_held(change.new) for change in changes
        )

    def _carried(self, meant: Plan) -> Plan:
        if _changes(meant):
            human_edits.keep(self.store, meant.changes)
            self.store.apply(meant)
        return meant


def _changes(meant: Plan) -> bool:
    """Tell whether anything would be other than it is."""
    return any(c.old != c.new for c in meant.changes if isinstance(c, Change))
