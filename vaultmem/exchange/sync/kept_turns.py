"""Keep turns and items as they were said here where the other side took them away, or changed them.

A transcript is only added to, and so is an item log. What a line says is taken away by an operation
of ours alone, whose commit says so: it was forgotten. Where anything else did that there
(an editor, a full disk, a person's commit), it stays here as it was said, and the next push brings
it back there. Other words in its place wait in a note.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from vaultmem.exchange.sync import conflict_note
from vaultmem.exchange.sync.types import Conflict, Lines, Sides, Versions
from vaultmem.storage import item_logs, tombstones, transcript_lines
from vaultmem.storage.batches import batches
from vaultmem.storage.git import Repository
from vaultmem.storage.json_lines import fields
from vaultmem.storage.ledger import commit_notes
from vaultmem.storage.transcript_lines import Standing, Whole

_INTRO = (
    "Another machine has other words in {path} than were said.\n"
    "What was said stands there, since a transcript or an item log is only added to.\n"
    "Look at who changed it (`git log -- {path}`), and delete this note. A turn that is not to\n"
    "stay goes by `vaultmem forget {path}:NUMBER`, on all machines.\n"
)
_MARK = tombstones.MARK.encode()
_AT_ONCE = 500


def find(sides: Sides, lines: Lines, repository: Repository) -> Mapping[str, Whole]:
    """Return what of the other side's files lack something that was said, as they are with it."""
    found: dict[str, Whole] = {}
    forgets = any(tombstones.is_path(p) and it.theirs is not None for p, it in sides.items())
    lacking = {path: it for path, it in sides.items() if _lacks(path, it)}
    taken = _taken_away(lacking, lines, repository)
    for path, it in lacking.items():
        let_go = _LetGo(taken[path], forgets=forgets)
        made = transcript_lines.whole(path, it.theirs or b"", it.base or b"", let_go)
        if made.gone or made.changed:
            found[path] = made
    return found


def _lacks(path: str, it: Versions) -> bool:
    """Tell whether the file at *path* is one that only grows, and has lost something there."""
    if not (transcript_lines.is_grown(path) and it.base and it.theirs is not None):
        return False
    return not it.theirs.startswith(it.base) and transcript_lines.lacks(path, it.theirs, it.base)


class _LetGo:
    """What an operation of ours took away: one line of it stands for one alone."""

    def __init__(self, lines: Iterable[bytes], *, forgets: bool) -> None:
        """Take *lines* for such; *forgets*: the other side has forgotten something since."""
        self._taken = Counter(map(transcript_lines.unnumbered, lines))
        self._forgets = forgets

    def __call__(self, it: Standing) -> bool:
        """Tell whether that is so of what *it* says."""
        said = transcript_lines.unnumbered(it.line)
        if self._taken[said]:
            self._taken[said] -= 1
            return True
        return self._forgets and _MARK in it.by and _MARK not in it.line


def _taken_away(
    paths: Iterable[str], lines: Lines, repository: Repository
) -> Mapping[str, Sequence[bytes]]:
    """Return the lines of the files at *paths* that operations of ours took away there.

    A merge of ours takes no line away; it may let one say again what was said.
    """
    found: dict[str, list[bytes]] = {path: [] for path in paths}
    span = f"{lines.base}..{lines.theirs}"
    ops = [it.commit for some in batches(found, _AT_ONCE)
           for it in repository.commits(span, some)
           if it.ops and not commit_notes.is_put_over(it)]  # fmt: skip
    merges = [it.commit for it in repository.joined(span) if it.ops] if found else []
    rows = [(row, False) for some in repository.touched([*dict.fromkeys(ops)]).values()
            for row in some]  # fmt: skip
    rows += [(row, True) for merge, parents in repository.parents(merges).items()
             for parent in parents for row in repository.against(parent, merge)]  # fmt: skip
    wanted = [(row, is_merge) for row, is_merge in rows if row.path in found]
    texts = repository.contents({blob for row, _ in wanted for blob in row[:2]})
    for row, is_merge in wanted:
        old, new = (texts.get(blob.id, b"") for blob in row[:2])
        there = transcript_lines.standing(transcript_lines.lines_of(old), new)
        stays = {"same", "missing"} if is_merge else {"same"}
        found[row.path] += (it.line for it in there if it.how not in stays)
    return found


def sides(sides: Sides, kept: Mapping[str, Whole]) -> dict[str, Versions]:
    """Return those of *sides* in which something is *kept*, as if the other side had it."""
    return {path: replace(sides[path], theirs=it.data) for path, it in kept.items()}


def notes(kept: Mapping[str, Whole]) -> Iterator[tuple[str, bytes]]:
    """Yield a note, and the path it is about, where other words stand there."""
    for path, whole in kept.items():
        if conflicts := [_conflict(it) for it in whole.changed if not _is_silenced(it)]:
            yield path, conflict_note.note(path, conflicts, _INTRO)


def _is_silenced(it: Standing) -> bool:
    """Tell whether something of what *it* says was forgotten: other words there may say it."""
    return _MARK in it.line


def _conflict(it: Standing) -> Conflict:
    turn = fields(it.line).get("turn")
    return Conflict.of_lines(f"Turn {turn}" if turn else "An item", b"", it.line, it.by)


def notices(kept: Mapping[str, Whole]) -> Iterator[str]:
    """Say what is *kept*."""
    for path, whole in sorted(kept.items()):
        what = "item" if item_logs.is_path(path) else "turn"
        if count := whole.gone:
            gone = _many(count, what, "is", "are")
            yield f"{path}: {gone} gone there, and not forgotten: {_KEPT}"
        silenced = sum(map(_is_silenced, whole.changed))
        if silenced:
            changed = _many(silenced, what, "has", "have")
            yield f"{path}: {changed} other words there, and was forgotten here: {_SILENT}"
        if count := len(whole.changed) - silenced:
            changed = _many(count, what, "has", "have")
            yield f"{path}: {changed} other words there: {_KEPT}, and the inbox has both"


_KEPT = "what was said here stays"
_SILENT = "[forgotten] stays, and git has those words"


def _many(count: int, what: str, is_: str, are: str) -> str:
    return f"{count} {what} {is_}" if count == 1 else f"{count} {what}s {are}"
