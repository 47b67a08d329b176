"""The runner: find, forget softly, and hand what shall leave the history to the purge."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from vaultmem import arguments
from vaultmem.errors import BadInput, DiskRefused
from vaultmem.maintenance import missing_memories
from vaultmem.maintenance.forgetting import allowance, caches, planner, selection
from vaultmem.maintenance.forgetting.allowance import AllowedAgain
from vaultmem.maintenance.forgetting.planner import Meant, Request
from vaultmem.maintenance.forgetting.purge import Permit, Proof, Purged, refusals
from vaultmem.maintenance.forgetting.purge import service as purge_service
from vaultmem.maintenance.forgetting.selection import ForgetTarget
from vaultmem.memory import pointed_index
from vaultmem.memory.remember import one_line, refuse_secrets
from vaultmem.nlp.summarization.guarded import guarded
from vaultmem.nlp.tasks import Summarizer
from vaultmem.records import Actor, trust_of_actor
from vaultmem.storage import human_edits, tombstones, troubles
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store

_KEPT = "git still has it; `vaultmem forget {ids} --purge` takes it out of the history"
_MAY_SAY_IT = "may contain what is to be forgotten; nothing was changed"
_PURGED = "purged: it was taken out of every commit and object here"
_LEFT = "not all of it could be taken out of the history"
_NO_HISTORY = "there is no git history to hold it"
_CLOSED = (
    "the git history here cannot be opened, and may still hold it; once git is back, "
    "`vaultmem forget {ids} --purge` takes it out"
)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a forgetting did: ids, rewritten files, files a person should look at, its commit.

    *lines* are turns and items elsewhere that lost a copy of it, as `FILE:NUMBER`; *verbatim* are
    those of *mentions* that have the very words, and whether these stay because they are
    `another`'s or too `short`. *history* and *index* say in a sentence how these stand; *verified*
    is None where nothing was looked for.
    """

    forgotten: tuple[str, ...]
    derived: tuple[str, ...]
    mentions: tuple[str, ...]
    history: str
    index: str
    op: str
    commit: str | None
    verified: bool | None = None
    lines: tuple[str, ...] = ()
    verbatim: Mapping[str, str] = field(default_factory=dict)


@arguments.checked
class Forgetting:
    """Forget things of one vault; what absorbed them is rewritten by *summarizer*."""

    def __init__(self, store: Store, summarizer: Summarizer) -> None:
        """Work on the vault of *store*."""
        self.store, self._ask = store, guarded(summarizer)

    @property
    def is_final(self) -> bool:
        """Whether what is forgotten cannot be brought back: nothing here keeps a history."""
        return self.store.writer.repository is None

    @property
    def is_closed(self) -> bool:
        """Whether there is a history that cannot be looked into now: git is not there, say."""
        return self.is_final and self.store.writer.commits.keeps_history()

    def _history(self, ids: Sequence[str]) -> str:
        """Say where what was forgotten with these *ids* still stands."""
        if self.store.writer.repository:
            return _KEPT.format(ids=" ".join(ids))
        return _CLOSED.format(ids=" ".join(ids)) if self.is_closed else _NO_HISTORY

    def bundle_path(self) -> Path:
        """Return where a backup could go: beside the repository, and free."""
        repository = self.store.writer.repository
        top = repository.top if repository else self.store.root.path
        names = (top.with_name(f"{top.name}-before-purge{n or ''}.bundle") for n in count())
        return next(name for name in names if not name.exists())

    def knows(self, ref: str) -> bool:
        """Tell whether *ref* names something that is here, or a tombstone."""
        self.store.sync()
        return bool(selection.candidates(self.store, ref) or tombstones.find(self.store, ref))

    def named(self, ref: str) -> tuple[ForgetTarget, ...]:
        """Return what *ref* names as a preview, nothing when it is no name here."""
        self.store.sync()
        return selection.shown(selection.candidates(self.store, ref))

    def find(self, *refs: str, query: str = "", person: str = "") -> tuple[ForgetTarget, ...]:
        """Return what would be forgotten, nothing being done.

        Raises BadInput, Refused, and Unavailable where a sparse checkout may leave it out.
        """
        self.store.sync()
        records = list(selection.named(self.store, refs))
        if query or person:
            troubles.refuse_left_out(self.store, "they may say it")
        if query:
            records += selection.saying(self.store, query)
        if person:
            records += selection.about(self.store, person)
        return selection.shown({r.path: r for r in records}.values())

    def mentions(self, query: str) -> tuple[str, ...]:
        """Return the files of people that hold *query*, and that no forgetting would change."""
        self.store.sync()
        gone = [*selection.saying(self.store, query), *selection.about(self.store, query)]
        return selection.mentions(self.store, query, gone)

    def forget(
        self,
        refs: Sequence[str],
        reason: str = "",
        check: Callable[[Meant], None] | None = None,
        *,
        source: Actor = "user",
        subject: str = "",
    ) -> Forgotten:
        """Forget what *refs* (ids, paths, wikilinks) name, in one operation and one commit.

        The commit has that *subject*, or tells how many files go. *source* says who forgets it, the
        user or an agent: no agent takes back what a person forgot. Raises BadInput for what is not
        there, Refused for what is derived or the vault's own, and what *check* raises, which sees
        what it would do: unless told otherwise, that git has it.
        """
        trust = trust_of_actor(source)
        if not any(ref.strip() for ref in refs):
            raise BadInput("name what to forget: an id, a path, or words")
        reason = one_line(reason, "reason")
        refuse_secrets("the reason", reason)
        self.store.sync()
        troubles.refuse_unread(self.store, f"it {_MAY_SAY_IT}")
        troubles.refuse_left_out(self.store, f"they {_MAY_SAY_IT}")
        # What waits for its commit goes first: a commit of both would bring the text in again.
        self.store.writer.commit_pending()
        request = Request(reason, trust, subject)
        done = self.store.retry(lambda: self._attempt(refs, request, check or self._keep))
        commit = self.store.writer.commit_pending().get(done.plan.op)
        self.store.index.sync()
        caches.drop_dead_vectors(self.store)
        missing_memories.release_forgotten(self.store)
        self._sweep()
        ids = tuple(it.id for it in done.tombstones)
        return Forgotten(
            ids, done.derived, done.mentions, self._history(ids), "fresh", done.plan.op, commit,
            lines=done.lines, verbatim=done.verbatim,
        )  # fmt: skip

    def _keep(self, meant: Meant) -> None:
        """Raise Refused unless an undo can bring back what goes: git has it, or gets it now."""
        human_edits.keep(self.store, meant.plan.changes)

    def _sweep(self) -> None:
        """Let old inodes go at once, which would keep the words for half a minute.

        What an editor wrote there is rescued. A disk that refuses leaves them to the next round:
        the forgetting itself is done.
        """
        with contextlib.suppress(DiskRefused, OSError):
            self.store.writer.sweep(quiet=0)

    def _attempt(
        self, refs: Sequence[str], request: Request, check: Callable[[Meant], None]
    ) -> Meant:
        gone = selection.named(self.store, refs)
        meant = planner.plan(self.store, self._ask, gone, request)
        check(meant)
        self.store.apply(meant.plan)
        return meant

    def allow_again(self, refs: Sequence[str]) -> AllowedAgain:
        """Let in again what the tombstones *refs*, by id or path, stand for; raises BadInput."""
        return allowance.allow_again(self.store, refs)

    def purge(
        self,
        refs: Sequence[str],
        reason: str = "",
        permit: Permit | None = None,
        *,
        source: Actor = "user",
    ) -> tuple[Forgotten, Purged]:
        """Forget *refs* if that is not done yet, take them out of history and caches, and look.

        A ref may be the id of a tombstone, *source* is as in `forget`. Raises as that does, and
        Refused while history cannot be rewritten or files that stay say it: then nothing is
        forgotten either, and Refused says what to mend.
        """
        allowed, trust = permit or Permit(), trust_of_actor(source)
        self.store.sync()
        refusals.check(self.store, allowed)
        self._refresh_pointers(trust)
        forgotten_ids = [r.upper() for r in refs if tombstones.find(self.store, r)]
        rest = [r for r in refs if r.upper() not in forgotten_ids]
        named = selection.named(self.store, rest)
        paths = [r.path for r in named if r.type not in selection.LINES]

        def check(meant: Meant) -> None:
            allowed.ask(refusals.refuse(self.store, meant, paths, refs))

        if not rest:
            allowed.ask(refusals.staying(self.store, forgotten_ids))
        vectors = caches.vectors_with(self.store, paths)
        soft = self.forget(rest, reason, check, source=source) if rest else _NOTHING
        ids = (*forgotten_ids, *soft.forgotten)
        done = purge_service.purge(self.store, ids, paths, allowed, trust, vectors=vectors)
        history = _LEFT if done.proof.found else _PURGED
        if self.store.writer.repository is None:
            history = self._history(ids)
        return replace(
            soft, forgotten=ids, history=history, index="rebuilt", verified=done.proof.verified,
            commit=done.commit or soft.commit,
        ), done  # fmt: skip

    def _refresh_pointers(self, trust: str) -> None:
        """Let MEMORY.md say of files that a person mended what they say now."""
        if changes := pointed_index.change(self.store, ()):
            op = self.store.mint()
            self.store.apply(Plan(op, "forget", "forget: MEMORY.md updated", changes, trust=trust))
            self.store.writer.commit_pending()

    def verify(self, refs: Sequence[str]) -> Proof:
        """Look whether anything of *refs*, tombstones by id or path, is left; raises BadInput."""
        self.store.sync()
        return purge_service.verify(self.store, refs)


_NOTHING = Forgotten((), (), (), "", "", "", None)
