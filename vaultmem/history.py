"""What was done to a vault and when, shown, and undone without losing what came later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vaultmem import cascade, git, pointers
from vaultmem.errors import BadInput, Refused, Unavailable
from vaultmem.git import Entry, FileChange, Repository
from vaultmem.merge import merge
from vaultmem.plan import Change, Plan
from vaultmem.site import Site


@dataclass(frozen=True, slots=True)
class Operation:
    """One commit that vaultmem or a person made; *ops* are its operations' ids."""

    commit: str
    when: str
    author: str
    subject: str
    ops: tuple[str, ...]
    body: str
    trailers: tuple[tuple[str, str], ...]


def operations(site: Site, limit: int | None) -> tuple[Operation, ...]:
    """Return the newest *limit* commits that touch the vault, newest first."""
    return tuple(_operation(entry) for entry in _repository(site).log(limit))


def _operation(entry: Entry) -> Operation:
    ops = tuple(value for key, value in entry.trailers if key == git.OP)
    when = entry.when.strftime("%Y-%m-%dT%H:%M:%SZ")
    return Operation(
        entry.commit, when, entry.author, entry.subject, ops, entry.body, entry.trailers
    )


def _repository(site: Site) -> Repository:
    if site.door.repository is None:
        raise Unavailable(
            f"{site.root.path} has no git history: `git init` there starts one; "
            "everything but history works without"
        )
    return site.door.repository


def diff(site: Site, op: str = "") -> str:
    """Return the patch of one operation, or of what is not committed yet when none is named."""
    repository = _repository(site)
    return repository.diff(_entry(repository, op).commit if op else None)


def _entry(repository: Repository, op: str) -> Entry:
    found = repository.find_op(op.upper()) if op else None
    if found is None:
        raise BadInput(f"no operation {op!r} in the history: `vaultmem log` lists them")
    return found


def undo(site: Site, op: str) -> Plan:
    """Return the plan that takes one operation back and keeps whatever came later.

    Raises BadInput for an unknown operation, Refused when later changes stand on it.
    """
    repository = _repository(site)
    entry = _entry(repository, op)
    changed = [c for c in repository.changed(entry.commit) if c.path != pointers.PATH]
    ours = [c for c in changed if _belongs(c, entry, op.upper())]
    reverse = tuple(change for c in ours for change in _reverse(site, c))
    if not reverse:
        raise Refused(f"{op} is undone already: its files are as they were before it")
    _refuse_covered(site, reverse)
    return Plan(
        op=site.mint(),
        kind="undo",
        subject=f"undo: {entry.subject}",
        changes=(*reverse, *cascade.index_change(site, reverse)),
        agent=dict(entry.trailers).get("Agent", ""),
        notes=(f"Takes back {op.upper()} ({entry.commit[:12]}).",),
    )


def _belongs(change: FileChange, entry: Entry, op: str) -> bool:
    """Tell whether a path of a commit is this operation's; a quiet batch lists whose is whose."""
    if sum(key == git.OP for key, _ in entry.trailers) == 1:
        return True
    return f"{op} {change.path}" in entry.body.splitlines()


def _reverse(site: Site, change: FileChange) -> Iterator[Change]:
    now = site.read(change.path)
    if now == change.old:
        return
    want = change.old
    if now != change.new:
        want = _merged(change, now)
    yield Change(change.path, now, want, "taken back")


def _merged(change: FileChange, now: bytes | None) -> bytes:
    """Return today's text without what the operation did to it."""
    if now is None or change.old is None or change.new is None:
        raise Refused(f"{change.path} was changed since: undo that first, or mend it by hand")
    merged = merge(ours=now, base=change.new, theirs=change.old)
    if merged is None:
        raise Refused(f"{change.path}: later edits stand on these lines; mend it by hand")
    return merged


def _refuse_covered(site: Site, reverse: tuple[Change, ...]) -> None:
    """Raise Refused when a summary that stays tells of a memory that would go."""
    going = {c.path for c in reverse}
    for change in reverse:
        if change.new is not None:
            continue
        stem = change.path.rpartition("/")[2].removesuffix(".md")
        teller = site.index.value(
            "SELECT docs.path FROM links JOIN docs USING(doc) WHERE target = ?"
            " AND docs.type = 'summary'",
            stem,
        )
        if teller and teller not in going:
            raise Refused(f"{teller} summarizes {change.path}: undo that compaction first")
