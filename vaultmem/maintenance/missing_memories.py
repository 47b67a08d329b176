"""Name the acknowledged memories that HEAD has not, where each stands, and the way back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from vaultmem.records import Problem
from vaultmem.storage import journal, ledger
from vaultmem.storage.ledger import Missing
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Site

CODE = "not-in-head"
_NAMED = 10
_ON_DISK = "on disk alone"
_IN_HISTORY = "in older commits alone"
_NOWHERE = "nowhere in git"
_FOREIGN = (
    "commits wait: .git/index.lock is another git's",
    "if no git is at work there, remove it; the next command commits",
)
_WAYS = {
    _ON_DISK: "`vaultmem watch --once` commits it again",
    _IN_HISTORY: "`vaultmem fsck --repair` brings it back, `--accept-missing` lets it go",
    _NOWHERE: "bring it back from a clone or a backup, or let it go: `fsck --accept-missing`",
}
_BRANCH = "go back there, or merge it, or let `vaultmem fsck --repair` bring it here"


def briefly(site: Site) -> Iterator[Problem]:
    """Name what HEAD lacks, for `status`: a crowd that stands at one place is counted."""
    for place, some in _by_place(site, () if _rests(site) else site.door.missing()).items():
        if len(some) <= _NAMED:
            yield from (_problem(each, place) for each in some)
        else:
            message = f"{len(some)} acknowledged memories are not in HEAD; they stand {place}"
            yield Problem(CODE, some[0].path, message, f"`vaultmem fsck` names each; {_way(place)}")


def each(site: Site) -> Iterator[Problem]:
    """Name every memory that HEAD lacks, for `fsck`: all of the ledger is compared."""
    for place, some in _by_place(site, site.door.missing(whole=True)).items():
        yield from (_problem(one, place) for one in some)


def restored(site: Site) -> Iterator[Change]:
    """Yield what brings back those that stand in git alone, where nothing else took their place."""
    for memory in site.door.missing(whole=True):
        if site.read(memory.path) is None and (text := site.door.text_of(memory)) is not None:
            yield Change(memory.path, None, text, "it had left the history")


def waiting(site: Site) -> Iterator[Problem]:
    """Say why commits wait; asking git costs, so only when some do."""
    if not journal.names(site.root):
        return
    from vaultmem.storage import git  # noqa: PLC0415  # only while commits wait

    repository = site.door.repository
    why = repository.blocked() if repository else None
    if why:
        message, repair = f"commits wait: {why}", "finish it; the next command commits"
    elif not git.available():
        message, repair = "commits wait: there is no git", "install git"
    elif repository is None and (why := git.unopened(site.root.path)):
        message = f"commits wait: git does not open them: {why}"
        repair = f"`git config --global --add safe.directory {site.root.path}` if you trust it"
    elif site.is_git_locked():
        message, repair = _FOREIGN
    else:
        return
    yield Problem("uncommitted", "", message, repair)


def left_lock(*, was_there: bool) -> Iterator[Problem]:
    """Tell of a lock that a dead process of ours had left, which whoever comes next clears."""
    if was_there:
        message = "a process of vaultmem that was killed had left git locked; that is cleared"
        repair = "nothing to do: what it had written, the next command commits"
        yield Problem("left-lock", ".git/index.lock", message, repair)


def _rests(site: Site) -> bool:
    """Tell without git whether there is nothing to tell."""
    folders = (site.root.path, *site.root.path.parents)
    return ledger.rests(site.root.path) or not any((f / ".git").exists() for f in folders)


def _by_place(site: Site, missing: Sequence[Missing]) -> dict[str, list[Missing]]:
    found: dict[str, list[Missing]] = defaultdict(list)
    for memory in missing:
        found[_place(site, memory)].append(memory)
    return found


def _place(site: Site, memory: Missing) -> str:
    if site.door.is_here(memory):
        return _ON_DISK
    if memory.place:
        return f"on {memory.place}" if " " in memory.place else f"in {memory.place}"
    return _IN_HISTORY if site.door.text_of(memory) is not None else _NOWHERE


def _problem(memory: Missing, place: str) -> Problem:
    message = f"acknowledged, and not in HEAD: it stands {place}"
    return Problem(CODE, memory.path, message, _way(place))


def _way(place: str) -> str:
    return _WAYS.get(place, _BRANCH)
