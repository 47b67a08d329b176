"""What stays when something is purged, and where it stands: files, messages, git's own words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from vaultmem.documents import public_text
from vaultmem.maintenance import starter_files
from vaultmem.maintenance.forgetting import redaction
from vaultmem.maintenance.forgetting.purge import target
from vaultmem.maintenance.forgetting.purge.git_history import OPERATION, GitHistory
from vaultmem.maintenance.forgetting.purge.target import PurgeTarget
from vaultmem.maintenance.forgetting.redaction import DistinctiveWords
from vaultmem.records import LISTS, SUMMARIES, first_line
from vaultmem.storage import reader, tombstones
from vaultmem.storage.git import (
    ORDINARY,
    Blob,
    Repository,
    history_rewrite,
    objects,
    process,
)
from vaultmem.storage.git.history_rewrite import Rewrite
from vaultmem.storage.git.types import PLAIN

_SUBJECT = 60
_NOTES = "refs/notes/"
_FORGOTTEN = ", which was only forgotten"
_ON = " on "
"""Stands before the name of a ref, which has no space in it."""
_WHO = "--format=%an <%ae>%n%cn <%ce>"


class StayingTexts:
    """What of *history* stays when *target* is purged, a text with the place that it stands in."""

    def __init__(self, history: GitHistory, target: PurgeTarget) -> None:
        """Read what is asked for when it is."""
        self.history, self.target = history, target

    def all(self) -> Iterator[str]:
        """Yield all that stays: files and their names, what the program brought, git's own."""
        history = self.history
        for blob in {b.id: b for b in (*history.head.values(), *history.foreign)}.values():
            yield history.text(blob)
        yield "\n".join(history.head)
        yield from (text for _, text in self._of_git)
        yield from (text for _, text in (*self._only_forgotten, *self._elsewhere))

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield the files that may say something of it, but for the lines that every vault has.

        Not what is made of others.
        """
        history, shipped = self.history, dict(self._scaffolding)
        for path, blob in history.head.items():
            inside = history.repository.inside(path)
            if inside in shipped or inside in LISTS or tombstones.is_path(inside):
                continue
            own = starter_files.lines_beside(inside, history.text(blob))
            yield history.shown(path), f"{path}\n{own}"
        yield from (*self._only_forgotten, *self._elsewhere)

    def beside_files(self, distinctive: DistinctiveWords) -> Iterator[tuple[str, str]]:
        """Yield what git has beside files, messages and notes once they are redacted."""
        yield from self._of_git
        yield from self._human_messages(distinctive)
        yield from self._notes_on_commits(distinctive)

    def old_versions(
        self, wanted: Rewrite, made: Collection[str], says: Callable[[str], bool]
    ) -> Iterator[tuple[str, str]]:
        """Yield the lines that files had once and have no more, where *says* asks for them.

        As the *wanted* rewrite has them. Not of what is *made* of what is purged, or of other
        files, nor of what was only forgotten or stands elsewhere: that is yielded with the files.
        """
        history, lines = self.history, dict[str, dict[str, None]]()
        told = {place.removesuffix(_FORGOTTEN) for place, _ in self._only_forgotten}
        elsewhere = {place.rpartition(_ON)[0] for place, _ in self._elsewhere}
        beside = history.heads | self._noted
        for version in (v for v in history.versions if v.id not in beside):
            blob = Blob(ORDINARY, version.id)
            own = version.paths - wanted.paths - {*made}
            path = min((p for p in own if _is_kept(history.repository, p, blob)), default="")
            if not path or path in elsewhere or history.shown(path) in told:
                continue
            new = wanted.blobs.get(version.id)
            text = history.text(blob) if new is None else new.decode("utf-8", "replace")
            now = history.text(history.head[path]) if path in history.head else ""
            here = {*now.splitlines()}
            gone = [line for line in text.splitlines() if line not in here]
            if says("\n".join(gone)) and not (new is None and self._goes(history.read(blob.id))):
                lines.setdefault(path, {}).update(dict.fromkeys(gone))
        for path, known in sorted(lines.items()):
            yield f"an old version of {history.shown(path)}", "\n".join(known)

    def _goes(self, data: bytes) -> bool:
        """Tell whether *data* goes along: it is what is purged, or says a sentence of it."""
        return self.target.is_file(data) or self.target.hashes.are_in(data)

    @cached_property
    def _noted(self) -> frozenset[str]:
        """The notes on commits, which are yielded beside the files."""
        whole = self.history.repository.whole
        tips = [tip for name, tip in whole.refs().items() if name.startswith(_NOTES)]
        return frozenset(blob.id for tip in tips for blob in objects.files(whole, tip).values())

    @cached_property
    def _elsewhere(self) -> tuple[tuple[str, str], ...]:
        """What other branches and tags alone have, and where; not what says a sentence of it."""
        it = self.history
        return tuple(_on_other_refs(it.repository, it.head.keys(), it.bytes_of, self._goes))

    @cached_property
    def _only_forgotten(self) -> tuple[tuple[str, str], ...]:
        """What was forgotten and is not to be purged, and where: an undo brings it back from git.

        Not what says a sentence of what is to be purged: that goes along.
        """
        return tuple(self._bring_back())

    def _bring_back(self) -> Iterator[tuple[str, str]]:
        history, head = self.history, self.history.head
        others = self.target.other_tombstones(history, head, head)
        ids = {it.id.upper().encode() for it in others if not (it.purged or it.rewritten)}
        for version in history.versions if ids else ():
            data = b"" if version.paths & head.keys() else history.read(version.id)
            if target.named(data) in ids and not self.target.hashes.are_in(data):
                path = min(version.paths)
                text = data.decode("utf-8", "replace")
                yield f"{history.shown(path)}{_FORGOTTEN}", f"{path}\n{text}"

    @cached_property
    def _of_git(self) -> tuple[tuple[str, str], ...]:
        """What git has beside files and messages, and where: who committed, refs, config."""
        return tuple(self._asked_of_git())

    def _asked_of_git(self) -> Iterator[tuple[str, str]]:
        repository = self.history.repository
        who = process.git(repository, "log", "--all", _WHO).decode(errors="replace")
        for line in dict.fromkeys(who.splitlines()):
            yield f"the author or committer {line}", line
        refs = process.git(repository, "for-each-ref", "--format=%(refname)")
        for line in refs.decode(errors="replace").splitlines():
            yield f"the ref {line}", line
        yield from history_rewrite.set_up(repository)

    def _human_messages(self, distinctive: DistinctiveWords) -> Iterator[tuple[str, str]]:
        """Yield what messages of commits and tags say once it is redacted, and where.

        Not those of the program's own commits, which say what the files do.
        """
        repository = self.history.repository
        log = process.git(repository, "log", "--all", "-z", "--format=%B")
        tags = process.git(repository, "for-each-ref", "--format=%(contents)%00", "refs/tags")
        every = b"\0".join((log, tags)).decode("utf-8", "surrogateescape").split("\0")
        for text in dict.fromkeys(text.strip() for text in every if not OPERATION.search(text)):
            stays = redaction.message(text, distinctive)
            yield f"the message {first_line(stays, _SUBJECT)!r}", stays

    def _notes_on_commits(self, distinctive: DistinctiveWords) -> Iterator[tuple[str, str]]:
        """Yield what git's notes say once that is redacted, and where."""
        whole = self.history.repository.whole
        for name, tip in whole.refs().items():
            noted = objects.files(whole, tip) if name.startswith(_NOTES) else {}
            for blob in noted.values():
                note = redaction.note(self.history.bytes_of(blob), distinctive)
                stays = note.decode("utf-8", "replace")
                yield f"the note on a commit {first_line(stays, _SUBJECT)!r}", stays

    @cached_property
    def _scaffolding(self) -> tuple[tuple[str, str], ...]:
        """The files that every vault has, and that nobody changed."""
        head, prefix = self.history.head, self.history.repository.prefix
        brought = ((name, starter_files.text(name)) for name in starter_files.FILES)
        there = ((head.get(prefix + name), name, data) for name, data in brought)
        unchanged = (
            (n, data.decode()) for b, n, data in there if b and self.history.bytes_of(b) == data
        )
        return tuple(unchanged)


def _on_other_refs(
    repository: Repository,
    here: Collection[str],
    read: Callable[[Blob], bytes],
    goes: Callable[[bytes], bool],
) -> Iterator[tuple[str, str]]:
    """Yield where each file is that HEAD, which has *here*, has not, and its path and its text.

    Paths are from the top of the repository. Not what *goes*, nor what is made of other files:
    that is told anew without what goes.
    """
    whole = repository.whole
    seen: set[tuple[str, str]] = set()
    for name, tip in whole.refs().items():
        found = {} if name.startswith(_NOTES) else objects.files(whole, tip)
        for path in found.keys() - here:
            blob = found[path]
            if (path, blob.id) in seen or not _is_kept(repository, path, blob):
                continue
            seen.add((path, blob.id))
            if not goes(data := read(blob)):
                yield f"{path}{_ON}{_short(name)}", f"{path}\n{data.decode('utf-8', 'replace')}"


def _is_kept(repository: Repository, path: str, blob: Blob) -> bool:
    inside = repository.inside(path)
    if not path.startswith(repository.prefix) or blob.mode not in PLAIN:
        return False
    is_made = reader.kind_of(inside) in SUMMARIES or inside in LISTS
    return not is_made and not tombstones.is_path(inside)


def _short(ref: str) -> str:
    """Return what git calls *ref* where it means no other."""
    short = ref.removeprefix("refs/heads/").removeprefix("refs/remotes/").removeprefix("refs/tags/")
    return public_text.shown(short)
