"""Make bytes of one proposal: all of its edits on files as they are now, or a reason why not.

Lines are found by what they say, so that a plan still fits after edits around them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultmem.documents import frontmatter, secrets
from vaultmem.errors import Refused, Unreadable
from vaultmem.maintenance import authorship
from vaultmem.maintenance.authorship import Own
from vaultmem.maintenance.dream.types import Edit, Lines, Make, Move, Proposal, Remove
from vaultmem.storage import files
from vaultmem.storage.git import Repository

Read = Callable[[str], bytes | None]
"""Gives the bytes of a file, None when there is none."""

Drift = Mapping[str, Sequence[tuple[int, int]]]
"""By path, where lines were expected to come or go and did not: the place, and how many."""

_LINE = re.compile(r"([^\n]*?)(\r?\n|\Z)")


class Misfit(Exception):
    """An edit does not fit the file as it is; the text says why, in a clause."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The files that a proposal touches as it leaves them, and itself as its lines stand now."""

    proposal: Proposal
    files: Mapping[str, bytes | None]


def fit(proposal: Proposal, read: Read, drift: Drift | None = None) -> Fitted:
    """Return what *proposal* makes of the files that *read* gives; raises Misfit.

    *drift* says how far lines stand from where the proposal expects them.
    """
    made: dict[str, bytes | None] = {}
    edits = []
    for edit in proposal.edits:
        now = made[edit.path] if edit.path in made else _read(read, edit.path)
        expected = _shifted(edit, (drift or {}).get(edit.path, ()))
        made[edit.path], done = _edited(expected, now)
        if isinstance(edit, Move):
            made[edit.to] = _moved(edit, now, read)
        edits.append(done)
    return Fitted(replace(proposal, edits=tuple(edits)), made)


def removed(edit: Edit) -> Counter[str]:
    """Return the lines with text that *edit* takes away; of a whole file it does not know them."""
    if not isinstance(edit, Lines):
        return Counter()
    return Counter(x for x in edit.old if x.strip()) - Counter(edit.new)


def takes_away(proposal: Proposal) -> bool:
    """Tell whether words go with *proposal*, which only git could bring back."""
    return bool(proposal.losses) or any(isinstance(e, Remove) or removed(e) for e in proposal.edits)


def touches(proposal: Proposal, own: Own, read: Read) -> bool:
    """Tell whether *proposal* replaces or removes a line of a person's *own*."""
    return any(
        not own[edit.path].isdisjoint(
            authorship.lines(read(edit.path)) if isinstance(edit, Remove) else removed(edit)
        )
        for edit in proposal.edits
        if edit.path in own
    )


def grown(edit: Edit) -> tuple[int, int]:
    """Return where *edit* changes the number of lines, and by how many."""
    return (edit.at, len(edit.new) - len(edit.old)) if isinstance(edit, Lines) else (0, 0)


def _read(read: Read, path: str) -> bytes | None:
    try:
        return read(path)
    except Refused as e:
        raise Misfit(str(e)) from e


def _shifted(edit: Edit, drift: Sequence[tuple[int, int]]) -> Edit:
    if not isinstance(edit, Lines):
        return edit
    return replace(edit, at=edit.at - sum(by for at, by in drift if at <= edit.at))


def _edited(edit: Edit, now: bytes | None) -> tuple[bytes | None, Edit]:
    """Return the file with *edit* made, and the edit with the place where it was made."""
    if isinstance(edit, Make):
        return _made(edit, now), edit
    if now is None:
        raise Misfit(f"{edit.path} is gone")
    if isinstance(edit, Remove | Move):
        if files.sha256(now) != edit.sha:
            raise Misfit(f"{edit.path} was changed since")
        return None, edit
    return _replaced(edit, now)


def _moved(edit: Move, now: bytes | None, read: Read) -> bytes | None:
    """Return the file that has moved, at its new place."""
    if _read(read, edit.to) is not None:
        raise Misfit(f"{edit.to} exists by now")
    return now


def _made(edit: Make, now: bytes | None) -> bytes:
    if now is not None:
        raise Misfit(f"{edit.path} exists by now")
    try:
        files.portable(edit.path)
    except Refused as e:
        raise Misfit(str(e)) from e
    _refuse_secret(edit.path, edit.text, "")
    return edit.text.encode()


def _replaced(edit: Lines, now: bytes) -> tuple[bytes, Lines]:
    try:
        text = frontmatter.decode(now)
    except Unreadable as e:
        raise Misfit(f"{edit.path}: {e.why}") from e
    _refuse_secret(edit.path, "\n".join(edit.new), text)
    lines = [(m[1], m[2]) for m in _LINE.finditer(text) if m[0]]
    at = _nearest([line for line, _ in lines], edit.old, edit.at)
    if at is None:
        raise Misfit(f"{edit.path} was changed since: the lines it is about are gone")
    return _spliced(lines, at, edit).encode(), replace(edit, at=at)


def _refuse_secret(path: str, new: str, old: str) -> None:
    """Raise Misfit when the edit would bring a credential to a file that had it not."""
    if any(new[f.start : f.end] not in old for f in secrets.find(new)):
        raise Misfit(f"{path}: what would be written there looks like a secret")


def _nearest(lines: Sequence[str], old: Sequence[str], want: int) -> int | None:
    """Return where *old* stands in *lines*; of several places the one nearest to *want*."""
    if not old:
        return max(0, min(want, len(lines)))
    begins = (at for at, line in enumerate(lines) if line == old[0])
    stands = (at for at in begins if tuple(lines[at : at + len(old)]) == tuple(old))
    return min(stands, key=lambda at: (abs(at - want), at), default=None)


def _spliced(lines: Sequence[tuple[str, str]], at: int, edit: Lines) -> str:
    """Return the text with *edit* made at *at*; line ends, and a missing last one, stay."""
    ends = {end for _, end in lines}
    eol = "\r\n" if "\r\n" in ends else "\n"
    head, tail = shared_ends(edit.old, edit.new)
    begin, stop = at + head, at + len(edit.old) - tail
    fresh = [(line, eol) for line in edit.new[head : len(edit.new) - tail]]
    whole = [*lines[:begin], *fresh, *lines[stop:]]
    if not whole:
        return ""
    last = lines[-1][1] if lines else eol
    *before, (line, _) = whole
    return "".join(text + (end or eol) for text, end in before) + line + last


def shared_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return how many lines *old* and *new* share at their beginning, and then at their end."""
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    rest = most - head
    tail = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    return head, tail


def loose(repository: Repository, paths: Collection[str], read: Read) -> frozenset[str]:
    """Return those of the files at *paths* that HEAD does not hold byte for byte as *read* does.

    A file that is not there has nothing to lose.
    """
    head = repository.head()
    held = repository.files(head, *paths) if head and paths else {}
    blobs = repository.contents(held.values())
    now = {path: data for path in paths if (data := read(path)) is not None}
    return frozenset(
        path for path, data in now.items() if path not in held or blobs.get(held[path].id) != data
    )


def ignored(repository: Repository, paths: Collection[str]) -> frozenset[str]:
    """Return those of the files at *paths* that git was told to leave out."""
    strange = frozenset(paths) - repository.in_head(paths).keys()
    if not strange:
        return strange
    staged = repository.staged()
    return strange - staged - {dirty.path for dirty in repository.unstaged(staged)}
