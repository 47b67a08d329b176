"""Keep what was forgotten forgotten where the other side took its tombstone away, or altered it.

A tombstone goes, or becomes another, by an operation of ours alone, whose commit says so: a person
undid the forgetting, allowed the text again, or forgot it anew. Whatever else did that there (a
deletion by hand, a repair without the whole history) may not have meant it: the tombstone stays
here as it is, and the next push brings it back there. Where both forgot one thing, one stands.

Who may push can run those operations in a clone of theirs, or write such a commit by hand: nothing
in it proves a person. So each is named, with what shows it and what takes it back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet

from vaultmem.documents import frontmatter
from vaultmem.errors import Refused, Unreadable
from vaultmem.exchange.sync.forgotten import id_of
from vaultmem.exchange.sync.frontmatter_merge import as_list, listed
from vaultmem.exchange.sync.obeyed_changes import last_commits, shown_by
from vaultmem.exchange.sync.types import Data, Lines, Sides, Versions
from vaultmem.storage import tombstones
from vaultmem.storage.git import ABSENT, Repository
from vaultmem.storage.tombstone_checks import FOLDER, is_altered, whole

_LETS_GO = ("undo: ", "allow: ")
"""How the subjects of those operations begin that let in again what was forgotten."""


def apart(sides: Sides, lines: Lines, noted: Mapping[str, str], repository: Repository) -> Sides:
    """Return *sides*, and of the tombstones that stay nothing but ours, as if it were new.

    So what they stand for goes there, too. *noted* are the texts of those that were ever here.
    """
    lost = {path for path, it in sides.items() if _is_lost(path, it, noted)}
    if not lost:
        return sides
    kept = lost - {*_said(lost, sides, lines, repository)} - {*_moved(sides)}
    return {path: Versions(None, it.ours, None) if path in kept else it
            for path, it in sides.items()}  # fmt: skip


def _is_lost(path: str, it: Versions, noted: Mapping[str, str]) -> bool:
    """Tell whether a tombstone that is known whole here is gone there, or knows a text no longer.

    The other side alone is asked: what it did since both agreed.
    """
    if not tombstones.is_path(path) or it.ours is None or it.base in {None, it.theirs}:
        return False
    known = noted.get(path, "").encode()
    known = known if whole(path, known) else it.ours
    if it.theirs is None:
        return whole(path, known) is not None
    return is_altered(path, known, it.theirs)


def _moved(sides: Sides) -> Iterator[str]:
    """Yield the tombstones that have another name there, and know what they knew."""
    stones = {path: it for path, it in sides.items() if tombstones.is_path(path)}
    gone = {id_of(it.ours): (path, it.ours) for path, it in stones.items()
            if it.ours is not None and it.theirs is None}  # fmt: skip
    for path, it in stones.items():
        old, was = gone.get(id_of(it.theirs), ("", None))
        if was is None or it.theirs is None or whole(path, it.theirs) is None:
            continue
        if not is_altered(path, was, it.theirs):
            yield old


def _said(
    lost: AbstractSet[str], sides: Sides, lines: Lines, repository: Repository
) -> Iterator[str]:
    """Yield those of *lost* that an operation of ours let go there, or made anew."""
    last = last_commits(FOLDER, lines, repository)
    for path in lost & last.keys():
        commit, row = last[path]
        is_anew = row.old.mode == ABSENT
        lets_go = sides[path].theirs is None and commit.subject.startswith(_LETS_GO)
        if commit.ops and (lets_go or is_anew):
            yield path


def notices(
    sides: Sides, lines: Lines, before: Collection[str], there: Collection[str]
) -> Iterator[str]:
    """Say what stays, and what an operation there let go or made anew, as its commit says.

    *before* are the paths that both had when they agreed last, *there* those of the other side.
    """
    known = {path for path in sides if path in before and tombstones.is_path(path)}
    for path in sorted(known - {*_moved(sides)}):
        it = sides[path]
        if it.ours is None:
            continue
        if it.base is it.theirs is None:
            deed = "altered" if path in there else "deleted"
            yield _KEPT.format(path=path, deed=deed, allow=_allow_again(path, it.ours))
        elif it.theirs is None and whole(path, it.ours):
            yield _LET_GO.format(path) + _as_told(path, lines)
        elif it.theirs is not None and is_altered(path, it.ours, it.theirs):
            yield _ANEW.format(path) + _as_told(path, lines)


def _as_told(path: str, lines: Lines) -> str:
    return _FORGEABLE.format(shown=shown_by(lines.theirs, path), ours=lines.ours[:12], path=path)


def merged(path: str, ours: bytes, theirs: bytes) -> bytes:
    """Return the tombstone at *path* of what both sides forgot: the one of them that is whole.

    Of two such the lower one, knowing what either knows.
    """
    stones = [data for data in (ours, theirs) if tombstones.parsed(path, data)]
    if len(stones) == 1:
        return stones[0]
    kept, left = sorted((ours, theirs), key=lambda it: (not tombstones.has_left_history(it), it))
    try:
        first, other = (frontmatter.fields(frontmatter.read(it)) for it in (kept, left))
        if first.get("salt") != other.get("salt"):
            return kept
        due = {
            key: listed((), as_list(first.get(key)), as_list(other.get(key)))
            for key in ("hash", "parts", "stays")
            if first.get(key) != other.get(key)
        }
        return frontmatter.edited(kept, due)  # type: ignore[arg-type]  # values as read
    except (Refused, Unreadable):
        return kept


def come_back(sides: Sides, was_here: Callable[[str], bool]) -> Iterator[str]:
    """Say which tombstones come that were gone here: others have them still."""
    for path, it in sorted(sides.items()):
        is_new = it.base is it.ours is None and it.theirs is not None
        if is_new and tombstones.is_path(path) and was_here(path):
            yield _BACK.format(path=path, allow=_allow_again(path, it.theirs))


def _allow_again(path: str, data: Data) -> str:
    return tombstones.allow_again(id_of(data) or path)


_KEPT = (
    "{path} was {deed} there, and nothing there says that a person undid the forgetting: it stays "
    "as it was, and comes back there; {allow} lets it go everywhere"
)
_LET_GO = "{} went: there a person let in again what it stands for"
_ANEW = "{} is another now: what it stands for was let in again there, and forgotten anew"
_FORGEABLE = (
    "; whoever may push could do so: `{shown}` shows who did, `git checkout {ours} -- {path}` "
    "takes it back"
)
_BACK = (
    "{path} is here again: it was gone here, others have it still; {allow} lets it go everywhere"
)
