"""The runner: find, forget softly, and hand what shall leave the history to the purge."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from vaultmem import arguments
from vaultmem.errors import BadInput, DiskRefused
from vaultmem.maintenance.forgetting import planner, selection
from vaultmem.maintenance.forgetting import purge as forgetting_purge
from vaultmem.maintenance.forgetting.planner import Meant
from vaultmem.maintenance.forgetting.purge import Permit, Purged
from vaultmem.maintenance.forgetting.redaction import Standing
from vaultmem.maintenance.forgetting.selection import Found
from vaultmem.maintenance.forgetting.verification import Proof
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.remember import one_line, refuse_secrets
from vaultmem.nlp.summarization.guarded import guarded
from vaultmem.nlp.tasks import Summarizer
from vaultmem.storage import human_edits, tombstones
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Site

_KEPT = "git still has it; `vaultmem forget {ids} --purge` takes it out of the history"
_PURGED = "purged: it was taken out of every commit and object here"
_LEFT = "not all of it could be taken out of the history"
_NO_HISTORY = "there is no git history to hold it"


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a forgetting did: ids, files told again, files a person should look at, its commit.

    *history* and *index* say in a sentence how these stand; *verified* is None where nothing was
    looked for.
    """

    forgotten: tuple[str, ...]
    derived: tuple[str, ...]
    mentions: tuple[str, ...]
    history: str
    index: str
    op: str
    commit: str | None
    verified: bool | None = None


@arguments.checked
class Forgetting:
    """Forget things of one vault; what absorbed them is told again by *summarizer*."""

    def __init__(self, site: Site, summarizer: Summarizer) -> None:
        """Work on the vault of *site*."""
        self.site, self._ask = site, guarded(summarizer)

    @property
    def is_final(self) -> bool:
        """Whether what is forgotten cannot be brought back: nothing here keeps a history."""
        return self.site.door.repository is None

    def bundle_path(self) -> Path:
        """Return where a backup could go: beside the repository, and free."""
        repository = self.site.door.repository
        top = repository.top if repository else self.site.root.path
        names = (top.with_name(f"{top.name}-before-purge{n or ''}.bundle") for n in count())
        return next(name for name in names if not name.exists())

    def knows(self, ref: str) -> bool:
        """Tell whether *ref* names something that is here, or a tombstone."""
        self.site.sync_soon()
        return bool(selection.candidates(self.site, ref) or tombstones.find(self.site, ref))

    def named(self, ref: str) -> tuple[Found, ...]:
        """Return what *ref* names as a preview, nothing when it is no name here."""
        self.site.sync_soon()
        return selection.shown(selection.candidates(self.site, ref))

    def find(self, *refs: str, query: str = "", person: str = "") -> tuple[Found, ...]:
        """Return what would be forgotten, nothing being done; raises BadInput, Refused."""
        self.site.sync_soon()
        records = list(selection.named(self.site, refs))
        if query:
            records += selection.saying(self.site, query)
        if person:
            records += selection.about(self.site, person)
        return selection.shown({r.path: r for r in records}.values())

    def mentions(self, query: str) -> tuple[str, ...]:
        """Return the files of people that hold *query*, and that no forgetting would change."""
        self.site.sync_soon()
        gone = [*selection.saying(self.site, query), *selection.about(self.site, query)]
        return selection.mentions(self.site, query, gone)

    def forget(
        self, refs: Sequence[str], reason: str = "", check: Callable[[Meant], None] | None = None
    ) -> Forgotten:
        """Forget what *refs* (ids, paths, wikilinks) name, in one operation and one commit.

        Raises BadInput for what is not there, Refused for what is derived or the vault's own, and
        what *check* raises, which sees what it would do: unless told otherwise, that git has it.
        """
        if not any(ref.strip() for ref in refs):
            raise BadInput("name what shall be forgotten: an id, a path, or words")
        reason = one_line(reason, "reason")
        refuse_secrets("the reason", reason)
        self.site.sync_soon()
        self.site.refuse_unread("it may say what shall be forgotten, and nothing was changed")
        # What waits for its commit goes first: a commit of both would bring the text in again.
        self.site.door.settle()
        done = self._insist(refs, reason, check or self._keep)
        commit = self.site.door.settle().get(done.plan.op)
        self._let_go()
        repository = self.site.door.repository
        ids = tuple(stone.id for stone in done.stones)
        return Forgotten(
            ids, done.derived, done.mentions,
            _KEPT.format(ids=" ".join(ids)) if repository else _NO_HISTORY,
            "fresh", done.plan.op, commit,
        )  # fmt: skip

    def _keep(self, meant: Meant) -> None:
        """Raise Refused unless an undo can bring back what goes: git has it, or gets it now."""
        human_edits.keep(self.site, meant.plan.changes)

    def _let_go(self) -> None:
        """Let old inodes go at once, which would keep the words for half a minute.

        What an editor wrote there is rescued. A disk that refuses leaves them to the next round:
        the forgetting itself is done.
        """
        with contextlib.suppress(DiskRefused, OSError):
            self.site.door.tidy(quiet=0)

    def _insist(self, refs: Sequence[str], reason: str, check: Callable[[Meant], None]) -> Meant:
        """Plan and carry out, again when the ground moved."""
        return self.site.insist(lambda: self._attempt(refs, reason, check))

    def _attempt(self, refs: Sequence[str], reason: str, check: Callable[[Meant], None]) -> Meant:
        meant = planner.plan(self.site, self._ask, selection.named(self.site, refs), reason)
        check(meant)
        self.site.carry_out(meant.plan)
        return meant

    def purge(
        self, refs: Sequence[str], reason: str = "", permit: Permit | None = None
    ) -> tuple[Forgotten, Purged]:
        """Forget *refs* if that is not done yet, take them out of history and caches, and look.

        A ref may be the id of a tombstone. Raises as `forget` does, and Refused while history
        cannot be rewritten or files that stay say it: then nothing is forgotten either, and
        Refused says what to mend.
        """
        allowed = permit or Permit()
        self.site.sync()
        forgetting_purge.check(self.site, allowed)
        self._point_anew()
        buried = [r.upper() for r in refs if tombstones.find(self.site, r)]
        rest = [r for r in refs if r.upper() not in buried]
        named = selection.named(self.site, rest)
        paths = [r.path for r in named if r.type != selection.TURN]

        def check(meant: Meant) -> None:
            agree(forgetting_purge.refuse(self.site, meant.stones, meant.plan.changes, paths, refs))

        def agree(still: Sequence[Standing]) -> None:
            if still and allowed.agree:
                allowed.agree(still)

        if not rest:
            agree(forgetting_purge.staying(self.site, buried))
        soft = self.forget(rest, reason, check) if rest else _NOTHING
        ids = (*buried, *soft.forgotten)
        done = forgetting_purge.purge(self.site, ids, paths, allowed)
        history = _NO_HISTORY
        if self.site.door.repository:
            history = _LEFT if done.proof.found else _PURGED
        return replace(
            soft, forgotten=ids, history=history, index="made anew", verified=done.proof.verified,
            commit=done.commit or soft.commit,
        ), done  # fmt: skip

    def _point_anew(self) -> None:
        """Let MEMORY.md say of files that a person mended what they say now."""
        if changes := compaction_runner.index_change(self.site, ()):
            op = self.site.mint()
            self.site.carry_out(Plan(op, "forget", "forget: MEMORY.md points anew", changes))
            self.site.door.settle()

    def verify(self, refs: Sequence[str]) -> Proof:
        """Look whether anything of *refs*, ids of tombstones, is left; raises BadInput."""
        self.site.sync_soon()
        return forgetting_purge.verify(self.site, [r.upper() for r in refs])


_NOTHING = Forgotten((), (), (), "", "", "", None)
