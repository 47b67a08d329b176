"""Compare the ledger with HEAD: which acknowledged memories it has not, and where these stand.

Only what moved since the last time is looked at: new lines, and the paths that left HEAD.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from vaultmem.documents import public_text
from vaultmem.errors import Unavailable
from vaultmem.storage import tombstone_checks
from vaultmem.storage.batches import batches
from vaultmem.storage.git import ABSENT, Blob, Repository, Row
from vaultmem.storage.ledger import left_commits, lfs_pointers
from vaultmem.storage.ledger.commit_records import acknowledged, acknowledged_since, ids_of
from vaultmem.storage.ledger.entries import Ledger, holds
from vaultmem.storage.ledger.missing_cache import Comparison, Missing
from vaultmem.storage.ledger.our_commits import OurCommits
from vaultmem.storage.ledger.standing_entries import alive
from vaultmem.storage.ledger.types import LET_GO, Entry, Line, Release, Taken

_EVERYWHERE = ("--all", "--reflog")
_AT_ONCE = 5000
"""Memories that are looked for in HEAD together: by path, so that few folders have them."""
_LOOK_UPS = 20_000
"""How many files are looked for on branches before it is enough to know that git has them."""
_KINDS = {
    "refs/heads/": "branch", "refs/remotes/": "branch", "refs/tags/": "tag",
    "refs/stash": "git's stash",
}  # fmt: skip


def complete(ledger: Ledger, repository: Repository, *, whole: bool = False) -> None:
    """Make the ledger anew where it, or a part of it, is gone; *whole* reads all that is there.

    From commits, of every branch and of those left, and what it still says.
    """
    known = ledger.last_comparison
    is_shorter = ledger.size < known.size if known else ledger.size == 0
    if (is_shorter or (whole and ledger.is_damaged)) and repository.head() is not None:
        ledger.become(chain(acknowledged(repository, *_EVERYWHERE), ledger.records()))


def compare(ledger: Ledger, repository: Repository, *, whole: bool = False) -> Comparison:
    """Return how the ledger stands to HEAD, and note it; *whole* trusts no earlier look.

    Raises Unavailable and DiskRefused.
    """
    complete(ledger, repository, whole=whole)
    head, known = repository.head() or "", ledger.last_comparison
    rows = _learnt(ledger, repository, known, head)
    if known and rows:
        ledger.add([*_returned(ledger, repository, known, rows)])
    if whole or known is None or rows is None or known.size > ledger.size:
        suspects = _Suspects((Missing(e.id, e.path, e.op) for e in ledger.alive()), None)
    else:
        suspects = _moved(ledger, repository, known, rows)
    lost = _lost(ledger, repository, head, suspects)
    now = Comparison(head, ledger.size, lost, thrown=_thrown(repository, known, rows),
                     taken=taken(ledger, None if whole else known))  # fmt: skip
    ours = OurCommits.of(repository, now.taken)
    left, settled = left_commits.find(ours, known, head, rows)
    had = None if whole or known is None else known.pointers
    pointers = lfs_pointers.find(repository, had, head, rows)
    stay = known.stay if known else ""
    now = now._replace(left=left, settled=settled, pointers=pointers, stay=stay)
    return ledger.stands(_placed(ours, known, now))


def taken(ledger: Ledger, known: Comparison | None) -> tuple[Taken, ...]:
    """Return what others have committed of ours, of which *known* has all up to its size."""
    if known is None or known.size > ledger.size:
        return tuple(dict.fromkeys(ledger.taken()))
    return tuple(dict.fromkeys([*known.taken, *ledger.taken(known.size)]))


def _thrown(
    repository: Repository, known: Comparison | None, rows: Sequence[Row] | None
) -> tuple[str, ...]:
    """Return the commits that HEAD was seen on and that git has not any more.

    One that git told *rows* of is there. Not where it never had all: behind the edge of a shallow
    clone nothing is lost.
    """
    if known is None:
        return ()
    is_told = rows is not None or not known.head
    is_there = is_told or known.head in repository.held([known.head])
    if is_there or repository.is_shallow:
        return known.thrown
    return tuple(dict.fromkeys([*known.thrown, known.head]))


def _learnt(
    ledger: Ledger, repository: Repository, known: Comparison | None, head: str
) -> list[Row] | None:
    """Return what differs in the vault since *known*; learn what others have acknowledged since.

    None where nobody can tell: there was no commit, or somebody rewrote the history.
    """
    if known is None or not known.head:
        return None
    if known.head == head:
        return []
    try:
        rows = repository.between(known.head, head or repository.nothing)
        if head:
            lines = [*acknowledged_since(repository, known.head, head)]
            stays = _still_there(ledger, repository, head, lines)
            ledger.add(it for it in lines if it not in stays)
    except Unavailable:
        return None
    return [row._replace(path=repository.inside(row.path)) for row in rows
            if row.path.startswith(repository.prefix)]  # fmt: skip


def _still_there(
    ledger: Ledger, repository: Repository, head: str, lines: Iterable[Line]
) -> frozenset[Release]:
    """Return what of *lines* lets a memory go that HEAD has: it was missing elsewhere alone."""
    let_go = {it.id: it for it in lines if isinstance(it, Release) and it.why == LET_GO}
    known = ledger.entries(let_go) if let_go else {}
    there = repository.blobs(head, [entry.path for entry in known.values()])
    ids = ids_of(repository, there.values())
    return frozenset(let_go[it.id] for it in known.values()
                     if it.path in there and ids.get(there[it.path].id) == it.id)  # fmt: skip


class _Suspects(NamedTuple):
    """What HEAD may lack, by path, and the files that came to it: None for any there are."""

    missing: Iterable[Missing]
    came: dict[str, Blob] | None


def _moved(
    ledger: Ledger, repository: Repository, known: Comparison, rows: Sequence[Row]
) -> _Suspects:
    """Return what may have left since *known*: of the paths that went, and of new lines."""
    replaced = _replaced(ledger, repository, rows)
    went = [row for row in rows if row.new.mode == ABSENT and holds(row.path)] + replaced
    before = {each.id: each for each in known.missing} | _gone(ledger, repository, known, went)
    suspected = (Entry(m.id, m.path, m.op) for m in before.values())
    now = alive(chain(suspected, ledger.since(known.size)))
    found = (
        m if (m := before.get(e.id)) and m.path == e.path else Missing(e.id, e.path, e.op)
        for e in now
    )
    came = [row for row in rows if row.old.mode == ABSENT] + replaced
    return _Suspects(found, {row.path: row.new for row in came})


def _replaced(ledger: Ledger, repository: Repository, rows: Sequence[Row]) -> list[Row]:
    """Return which of *rows* put one acknowledged memory in the place of another.

    A file that was moved onto another takes its path; one that calls itself by an id that nobody
    acknowledged was edited, and is named for that.
    """
    both = [row for row in rows if holds(row.path) and ABSENT not in {row.old.mode, row.new.mode}]
    ids = ids_of(repository, (blob for row in both for blob in row[:2]))
    other = [row for row in both if ids.get(row.old.id) != ids.get(row.new.id)]
    known = ledger.entries({ids.get(row.new.id, "") for row in other}) if other else {}
    return [row for row in other if ids.get(row.old.id) and ids.get(row.new.id) in known]


def _gone(
    ledger: Ledger, repository: Repository, known: Comparison, went: Sequence[Row]
) -> dict[str, Missing]:
    """Return the acknowledged memories whose files *went*, with the text that each had last."""
    if not went:
        return {}
    ids = ids_of(repository, (row.old for row in went))
    entries = ledger.entries({*ids.values()})
    last = _last_texts(repository, known)
    found = ((row, entries.get(ids.get(row.old.id, ""))) for row in went)
    return {e.id: Missing(e.id, row.path, e.op, last.get(row.path, row.old.id))
            for row, e in found if e}  # fmt: skip


def _last_texts(repository: Repository, known: Comparison) -> dict[str, str]:
    """Return the blobs that commits since *known* took away, by path: edited before that, maybe."""
    commits = [it.commit for it in repository.log(None, since=known.head)]
    rows = repository.touched(commits)
    return {row.path: row.old.id for commit in reversed(commits) for row in rows.get(commit, ())
            if row.new.mode == ABSENT}  # fmt: skip


def _returned(
    ledger: Ledger, repository: Repository, known: Comparison, rows: Sequence[Row]
) -> Iterator[Entry]:
    """Yield what a person let go and that came to HEAD again, by *rows* and by nobody of ours."""
    came = {row.path: row.new for row in rows if row.old.mode == ABSENT and holds(row.path)}
    for line in ledger.since(known.size):
        came.pop(line.path, None)
    if came and (let_go := ledger.let_go()):
        ids = ids_of(repository, came.values())
        for path, blob in came.items():
            if (entry := let_go.get(ids.get(blob.id, ""))) is not None:
                yield entry._replace(path=path)


def _lost(
    ledger: Ledger, repository: Repository, head: str, suspects: _Suspects
) -> tuple[Missing, ...]:
    """Return which of *suspects* HEAD has not; let those go that were forgotten."""
    lost: dict[str, Missing] = {}
    for some in batches(suspects.missing, _AT_ONCE):
        had = _had(ledger, repository, head, some)
        lost |= {m.id: m for m in some if m.path not in had}
    if lost:
        lines: list[Line] = [*_renamed(repository, head, lost, suspects.came),
                 *_forgotten(repository, head, lost)]  # fmt: skip
        ledger.add(lines)
        for line in lines:
            lost.pop(line.id, None)
    return tuple(lost[memory] for memory in sorted(lost))  # the oldest first


def _had(
    ledger: Ledger, repository: Repository, head: str, wanted: Sequence[Missing]
) -> frozenset[str]:
    """Return the paths at which HEAD has what is *wanted*, and no other acknowledged memory."""
    has = repository.blobs(head, [m.path for m in wanted])
    ids = ids_of(repository, has.values())
    others = {m.path: now for m in wanted if m.path in has
              and (now := ids.get(has[m.path].id, m.id)) != m.id}  # fmt: skip
    known = ledger.entries({*others.values()}) if others else {}
    return frozenset(path for path in has if others.get(path) not in known)


def _renamed(
    repository: Repository, head: str, lost: Mapping[str, Missing], came: Mapping[str, Blob] | None
) -> Iterator[Entry]:
    """Yield what a person moved to another path, where HEAD still has it."""
    if came is None:
        came = repository.files(head) if head else {}
    notes = {path: blob for path, blob in came.items() if path.endswith(".md")}
    ids = ids_of(repository, notes.values())
    for path, blob in notes.items():
        if (memory := lost.get(ids.get(blob.id, ""))) is not None:
            yield Entry(memory.id, path, memory.op)


def _forgotten(repository: Repository, head: str, lost: Mapping[str, Missing]) -> Iterator[Release]:
    """Yield what has a tombstone, in HEAD or on disk."""
    paths = {f"{tombstone_checks.FOLDER}/{memory}.md": memory for memory in lost}
    there = repository.blobs(head, [*paths])
    for path, memory in paths.items():
        if path in there or (repository.root / path).exists():
            yield Release(memory, "", "forgotten")


# --- where else ---------------------------------------------------------------------------------


def _placed(ours: OurCommits, known: Comparison | None, now: Comparison) -> Comparison:
    """Say where else what is missing stands; what was looked up already is asked for once."""
    if not (now.missing or now.left):
        return now
    repository = ours.repository
    refs = repository.refs()
    told = "\n".join(f"{commit} {name}" for name, commit in refs.items())
    had = {each.id: each for each in known.missing} if known else {}
    seen = had if known and known.refs == told else {}
    lost = [m._replace(blob=m.blob or had[m.id].blob) if m.id in had else m for m in now.missing]
    new = [each for each in lost if each.id not in seen]
    found = {**seen, **{each.id: each for each in _looked_up(repository, refs, new)}}
    missing = tuple(found[each.id] for each in now.missing)
    is_same = known is not None and (known.left, known.refs) == (now.left, told)
    left = now.left if is_same else left_commits.placed(ours, refs, now.head, now.left)
    return now._replace(missing=missing, refs=told, left=left)


def _looked_up(
    repository: Repository, refs: Mapping[str, str], missing: Sequence[Missing]
) -> Iterator[Missing]:
    paths = [each.path for each in missing]
    most = max(1, _LOOK_UPS // max(1, len(missing)))
    there = [(shown(name), repository.blobs(at, paths)) for name, at in [*refs.items()][:most]]
    ids = ids_of(repository, (blob for _, blobs in there for blob in blobs.values()))
    for each in missing:
        found = ((name, blobs[each.path].id) for name, blobs in there if each.path in blobs)
        # Another memory may have its path by now.
        own = ((name, blob) for name, blob in found if ids.get(blob) == each.id)
        place, blob = next(own, ("", each.blob))
        yield each._replace(place=place, blob=blob)


def shown(ref: str) -> str:
    """Return a ref as a person names it, without a credential that stands in its name."""
    ref = public_text.shown(ref)
    for folder, kind in _KINDS.items():
        if ref.startswith(folder):
            return f"{kind} {ref.removeprefix(folder)}".rstrip()
    return ref
