"""What a merge takes away here because it is gone there, and when a person decides that first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from vaultmem.documents import public_text
from vaultmem.documents.markdown import blocks
from vaultmem.exchange.sync import forgotten
from vaultmem.exchange.sync.forgotten import id_of
from vaultmem.exchange.sync.types import Data, Lines, Merged, Sides
from vaultmem.knowledge import tasks
from vaultmem.maintenance.forgetting.tombstone_hashes import Hashes
from vaultmem.records import SUMMARIES
from vaultmem.storage import files, reader, tombstones
from vaultmem.storage.git import ABSENT, Repository
from vaultmem.storage.index.diff import suspicious

_NAMED = 3
UNDO = "undo: "
"""How the subject of an undo begins."""
FORGETTING = ("forget: ", "sync: rewrite summaries")
"""How those of what takes away what told of nothing but a forgotten text begin."""


@dataclass(frozen=True, slots=True)
class Losses:
    """The files that go, in path order: those without a tombstone, and those that were forgotten.

    Summaries, episodes and the list of tasks are none: what they cover is rewritten. Nor is a file
    that moved. What told of nothing else than what was forgotten was forgotten, too. *repeating*
    are how many of these only say again here what was forgotten there meanwhile.
    """

    deleted: tuple[str, ...]
    forgotten: tuple[str, ...]
    repeating: int = 0

    @property
    def all(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(sorted((*self.deleted, *self.forgotten)))

    @property
    def memories(self) -> tuple[str, ...]:
        """The memories that nobody forgot."""
        return tuple(path for path in self.deleted if reader.kind_of(path) == "memory")


def find(sides: Sides, made: Merged) -> Losses:
    """Return what is here, and after the merge *made* of *sides* no longer."""
    arrived = _arrived(sides, made)
    gone = [
        path
        for path, it in sorted(sides.items())
        if it.ours is not None
        and made.files.get(path) is None
        and not tombstones.is_path(path)
        and not _tells_of_others(path, it.ours)
        and (path in made.forgotten or (it.base is not None and it.theirs is None))
        and (id_of(it.ours) or None) not in arrived
    ]
    known = Hashes(forgotten.new_tombstones(sides) if gone else ())
    was_forgotten = {
        path for path in gone if path in made.forgotten or _is_of(known, path, sides[path].ours)
    }
    said_since = sum(sides[path].base is None for path in was_forgotten)
    return Losses(
        tuple(path for path in gone if path not in was_forgotten),
        tuple(path for path in gone if path in was_forgotten),
        max(0, said_since - len(known.known)),
    )


def _tells_of_others(path: str, data: bytes) -> bool:
    if path == tasks.BOARD:
        return tasks.board(data.decode("utf-8", "replace"), tasks.graph(())) is None
    return reader.kind_of(path) in SUMMARIES


def _is_of(known: Hashes, path: str, data: Data) -> bool:
    """Tell whether all that a file says below its headings was forgotten."""
    if not known.tombstones or data is None:
        return False
    it = reader.record(path, files.content(data))
    said = [x for x in (*blocks.of(it.body), *it.facts.splitlines()) if x.strip()]
    told = [x for x in said if not x.startswith("#")]
    return bool(told) and all(known.are_in(x.encode()) for x in told)


def _arrived(sides: Sides, made: Merged) -> dict[str, str]:
    """Return where each file is that is not where it was here, by its id."""
    here = {path: id_of(it.ours) for path, it in sides.items() if it.ours is not None}
    return {
        known: path
        for path, data in made.files.items()
        if data is not None and not tombstones.is_path(path)
        if (known := id_of(data)) != here.get(path)
    }


def moved_while_written(
    sides: Sides, made: Merged, own: Callable[[str], Data]
) -> Iterator[tuple[str, str]]:
    """Yield the files that the merge *made* moves here, from where to where, and that git lacks.

    *own* returns what a file holds now. What is held back from git stays as it is.
    """
    arrived = _arrived(sides, made)
    for path, it in sorted(sides.items()):
        known = id_of(it.ours) if it.ours is not None and made.files.get(path) is None else ""
        now = own(path) if known in arrived else None
        if known and now not in {None, it.ours} and not public_text.is_held(now):
            yield path, arrived[known]


def need_consent(losses: Losses, documents: int, memories: int) -> bool:
    """Tell whether a person should look first, in a vault of so many *documents* and *memories*.

    A crowd of files, forgotten or not, as for what vanishes on disk; what says a forgotten text
    again counts no more than its tombstone has hashes. Of memories that
    nobody forgot two are enough where they are more than half of all: a small vault is lost by few.
    One is never too many, or a person with two machines could not clean up by hand.
    """
    deleted = len(losses.memories)
    return suspicious(len(losses.all) - losses.repeating, documents) or (
        deleted > 1 and deleted * 2 > memories
    )


def taken_away(lines: Lines, repository: Repository, *how: str) -> frozenset[str]:
    """Return the files that operations there took away since both agreed, as their commits say.

    Those whose subjects begin as one of *how* does.
    """
    came = repository.commits(f"{lines.ours}..{lines.theirs}")
    named = [it.commit for it in came if it.ops and it.subject.startswith(how)]
    rows = (row for some in repository.touched(named).values() for row in some)
    return frozenset(row.path for row in rows if row.new.mode == ABSENT)


def notices(
    losses: Losses, before: str, staying: Collection[str] = (), undone: Collection[str] = ()
) -> Iterator[str]:
    """Say what goes without a forgetting, and how to have it again from the commit *before*.

    *staying* are files that somebody changed here since: they are deleted there alone. Those that
    were *undone* there are told apart.
    """
    for path in staying:
        yield f"{path} was deleted there, and changed here since: it stays here as it is"
    memories = {*losses.memories}
    going = [path for path in losses.deleted if path not in staying]
    for is_undone, how in ((False, "deleted there and not forgotten"), (True, "undone there")):
        some = [path for path in going if (path in undone) == is_undone]
        yield from _gone([it for it in some if it in memories], "memory", "memories", how, before)
        yield from _gone([it for it in some if it not in memories], "file", "files", how, before)


def _gone(paths: Sequence[str], one: str, many: str, how: str, before: str) -> Iterator[str]:
    if paths:
        named = ", ".join(paths[:_NAMED])
        more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
        yield (
            f"{len(paths)} {one if len(paths) == 1 else many} went, {how}: {named}{more}; "
            f"`git checkout {before[:12]} -- {paths[0]}` brings "
            f"{'it' if len(paths) == 1 else 'the first'} back"
        )
