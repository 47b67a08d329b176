"""Turns and items that say `[forgotten]` now, and what they said before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from vaultmem.maintenance.forgetting import redaction
from vaultmem.maintenance.forgetting.purge.git_history import GitHistory
from vaultmem.maintenance.forgetting.purge.target import PurgeTarget
from vaultmem.maintenance.forgetting.redaction import Copies
from vaultmem.maintenance.forgetting.target_texts import SpokenText
from vaultmem.maintenance.forgetting.tombstone_hashes import Hashes
from vaultmem.storage import item_logs
from vaultmem.storage.git import Blob, objects, process
from vaultmem.storage.json_lines import fields
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.turn_names import TurnName


class SilencedTurns:
    """The lines of the transcripts and logs of *history* that fell silent with *target*."""

    def __init__(self, history: GitHistory, target: PurgeTarget) -> None:
        """Look through all versions of the files that the last commit has."""
        self.history, self.target = history, target

    def said_with(self, texts: Sequence[str]) -> Iterator[str]:
        """Yield what those lines said that fell silent with these, whose files say *texts*.

        What was forgotten by itself is git's still, and an undo brings it back.
        """
        origins = {it.origin for it in self.target.tombstones} - {""}
        along = frozenset(self._along())
        silenced = {text: origin for text, origin, _ in self._silenced()}
        known = {
            text
            for text, origin in silenced.items()
            if text in along or origin in origins or self.target.is_said_in(text)
        }
        copies = redaction.copies([*texts, *known])
        yield from (text for text in silenced if text in known or copies.are_all_of(text))

    def lines_of(self, path: str) -> frozenset[int]:
        """Return the lines of a transcript that say nothing any more."""
        blob = self.history.head.get(path)
        data = self.history.read(blob.id) if blob and path.endswith(".jsonl") else b""
        return _marked(data)

    def places(self, turns: AbstractSet[str], copies: Copies) -> Mapping[str, str]:
        """Return when the turns were said that lost one of *turns*, or *copies*, by `FILE#NUMBER`.

        Paths are from the vault.
        """
        history, found = self.history, dict[str, str]()
        for path in (p for p in history.head if p.endswith(".jsonl") and not history.is_log(p)):
            now = history.read(history.head[path].id).split(b"\n")
            cut = [n for n, line in enumerate(now, 1) if MARK in said(line)[0]]
            for version in history.versions if cut else ():
                before = history.read(version.id).split(b"\n") if path in version.paths else []
                for n in (n for n in cut if n <= len(before)):
                    text = said(before[n - 1])[0]
                    if text in turns or copies.stand_in(text):
                        moment = _field(before[n - 1], "at")
                        found[str(TurnName(history.repository.inside(path), n))] = moment
        return found

    def speakers(self, turns: AbstractSet[str]) -> Iterator[SpokenText]:
        """Yield *turns*, each with who said it."""
        every = {SpokenText(text, speaker) for text, _, speaker in self._silenced()}
        yield from sorted((it for it in every if it.text in turns), key=str)

    def _silenced(self) -> Iterator[tuple[str, str, str]]:
        """Yield what lines that are silent now said in older versions, by what origin, and who."""
        history = self.history
        for path in (p for p in history.head if p.endswith(".jsonl")):
            silent = self.lines_of(path)
            for version in history.versions if silent else ():
                if path in version.paths:
                    lines = history.read(version.id).split(b"\n")
                    for line in (lines[n - 1] for n in silent if n <= len(lines)):
                        if said(line)[0] != MARK:
                            yield *said(line), _field(line, "speaker")
        for path in filter(history.is_log, history.head):
            now = history.read(history.head[path].id)
            for version in (v for v in history.versions if path in v.paths):
                for text in item_logs.silenced(now, history.read(version.id), MARK):
                    yield text, "", ""

    def _along(self) -> Iterator[str]:
        """Yield what turns said that fell silent in the commits that brought the tombstones.

        Not what fell silent with something else that was forgotten in the same commit.
        """
        history = self.history
        stones = [history.repository.prefix + it.path for it in self.target.tombstones]
        log = ("log", "--all", "--diff-filter=A", "--no-renames", "--format=%H %P", "--", *stones)
        whole = history.repository.whole
        for line in process.git(whole, *log).decode().splitlines():
            commit, _, before = line.partition(" ")
            if not before or " " in before:  # a merge: what it silenced is known by its hash
                continue
            then, now = objects.files(whole, before), objects.files(whole, commit)
            came = now.keys() - then.keys()
            theirs = Hashes([*self.target.other_tombstones(history, now, came)])
            for path in (p for p in now if p.endswith(".jsonl") and p in then):
                if then[path].id != now[path].id:
                    texts = self._fell_silent(path, history.read(now[path].id), then[path])
                    yield from (t for t in texts if not theirs.are_in(t.encode(errors="replace")))

    def _fell_silent(self, path: str, now: bytes, then: Blob) -> Iterator[str]:
        before = self.history.read(then.id)
        if self.history.is_log(path):
            yield from item_logs.silenced(now, before, MARK)
            return
        lines = before.split(b"\n")
        yield from (said(lines[n - 1])[0] for n in _marked(now) if n <= len(lines))


def _marked(data: bytes) -> frozenset[int]:
    """Return the lines of a transcript that say that something was forgotten."""
    lines = enumerate(data.split(b"\n"), 1)
    return frozenset(n for n, line in lines if said(line)[0] == MARK)


def said(line: bytes) -> tuple[str, str]:
    """Return what a line of a transcript says, and its origin."""
    return _field(line, "content"), _field(line, "origin")


def _field(line: bytes, key: str) -> str:
    return str(fields(line).get(key, ""))
