"""What is to be otherwise in the history: old versions, paths and messages without the target."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from vaultmem.maintenance.forgetting import redaction
from vaultmem.maintenance.forgetting.purge.git_history import OPERATION
from vaultmem.maintenance.forgetting.purge.made_files import MadeFiles, named_in
from vaultmem.maintenance.forgetting.purge.silenced_turns import SilencedTurns, said
from vaultmem.maintenance.forgetting.redaction import Copies, DistinctiveWords
from vaultmem.storage import item_logs
from vaultmem.storage.git import ORDINARY, Blob
from vaultmem.storage.git.history_rewrite import Rewrite, Version
from vaultmem.storage.tombstones import MARK

_OF_A_MODEL = re.compile(rb"(?m)^model:(?![ \t]*['\"]?(?:extractive)?['\"]?[ \t]*\r?$)")
_HEAD = 4096


class WantedRewrite:
    """Old versions and messages of a history without the target of *silenced*, found by *words*.

    *copies* of it go whoever else says its words; *turns* is what turns said that fell silent with
    it.
    """

    def __init__(
        self,
        silenced: SilencedTurns,
        turns: frozenset[str],
        words: DistinctiveWords,
        copies: Copies,
        made: MadeFiles,
    ) -> None:
        """Change nothing: the rewrite is a value."""
        self.history, self.target, self.silenced = silenced.history, silenced.target, silenced
        self.turns, self.words, self.copies, self.made = turns, words, copies, made
        self._here: dict[str, frozenset[bytes]] = {}

    def rewrite(self, gone: Collection[str]) -> Rewrite:
        """Return what to rewrite; *gone* are paths of it."""
        whole = dict(self._encoded()) | dict(self._brought())
        return Rewrite(*self._files(gone), dict(self._lines()), whole)

    # --- files --------------------------------------------------------------------------------

    def _files(self, gone: Collection[str]) -> tuple[dict[str, bytes], frozenset[str]]:
        """Return the old versions without it, and the paths that go."""
        history = self.history
        every = {p for v in history.versions for p in v.paths} - history.head.keys()
        named = set(filter(self.words.says, every))
        paths = frozenset({*gone, *named, *self._drawn()})
        blobs: dict[str, bytes] = {}
        for version in history.versions:
            if version.id in history.heads or version.paths <= paths:
                continue
            data = history.read(version.id)
            if (new := self._without(version, data)) != data:
                blobs[version.id] = new
        return blobs, paths

    def _drawn(self) -> Iterator[str]:
        """Yield the cards that are gone and that once said it: all they said was drawn from it."""
        inside, head = self.history.repository.inside, self.history.head
        for version in self.history.versions:
            # As a set less another all of head would be gone through each time.
            gone = (p for p in version.paths if p not in head)
            cards = {p for p in gone if inside(p).startswith("cards/")}
            if cards and self.words.repeats_sentence(self._text_of(version)):
                yield from cards

    def _text_of(self, version: Version) -> str:
        return self.history.text(Blob(ORDINARY, version.id))

    def _without(self, version: Version, data: bytes) -> bytes:
        inside = [self.history.repository.inside(p) for p in version.paths]
        if all(p.startswith("tombstones/") for p in inside):
            return data
        if any(map(item_logs.is_path, inside)):
            return redaction.spoken(data, self._told_in_a_log)
        if any(p.endswith(".jsonl") for p in inside):
            lines = data.split(b"\n")
            numbers = frozenset(
                n
                for p in version.paths
                for n in self.silenced.lines_of(p)
                if n <= len(lines) and said(lines[n - 1])[0] in self.turns
            )
            new = redaction.spoken(data, self._told, numbers=numbers).split(b"\n")
            here = frozenset[bytes]().union(*map(self._lines_here, version.paths))
            both = zip(lines, new, strict=True)
            return b"\n".join(old if old in here else made for old, made in both)
        return self._without_in_note(version, data)

    def _lines_here(self, path: str) -> frozenset[bytes]:
        """Return the lines of the file as it stays: those stay in its old versions, too."""
        if path not in self._here:
            blob = self.history.head.get(path)
            lines = self.history.bytes_of(blob).split(b"\n") if blob else ()
            self._here[path] = frozenset(lines)
        return self._here[path]

    def _without_in_note(self, version: Version, data: bytes) -> bytes:
        new, is_named = data, self.made.are_named_in(version)
        made = [path for path in sorted(version.paths) if path in self.made.tellings]
        for path in made:
            new = self.made.without(path, new)
        known = [self.made.tellings[path] for path in made]
        for words in known or [self.words.by_provenance() if is_named else self.words]:
            new = redaction.note(new, words)
            if is_named and _OF_A_MODEL.search(data[:_HEAD]):
                new = redaction.masked(new, words)
        return new

    def _told(self, text: str) -> str:
        left = self.copies.without(text)
        return MARK if self.words.says(left) else left

    def _told_in_a_log(self, text: str) -> str:
        return MARK if text in self.turns else self._told(text)

    # --- messages -----------------------------------------------------------------------------

    def _brought(self) -> Iterator[tuple[str, str]]:
        """Yield the messages of the commits that brought it, which begin with its first words."""
        ids = {it.id for it in self.target.tombstones}
        turns = tuple(f": {text}" for text in self.turns)
        for text in self.history.messages:
            first, ops = text.partition("\n")[0], OPERATION.findall(text)
            is_turns = first.startswith("turn(") and first.endswith(turns)
            if is_turns or (len(ops) == 1 and ops[0] in ids):
                subject, _, rest = redaction.message(text, self.words).partition("\n")
                kind = subject.partition(": ")[0] if ": " in subject else "remember"
                yield text, f"{kind}: {MARK}\n{rest}"

    def _lines(self) -> Iterator[tuple[str, str]]:
        for text in self.history.messages:
            masked, known = text, self._words_for(text)
            for words in known:
                masked = redaction.message(masked, words)
            if masked != text and not any(words.says(masked) for words in known):
                pairs = zip(text.split("\n"), masked.split("\n"), strict=True)
                yield from ((old, new) for old, new in pairs if old != new)

    def _encoded(self) -> Iterator[tuple[str, str]]:
        """Yield the messages that say it over lines of which none says it, as encoded text does."""
        for text in self.history.messages:
            for words in self._words_for(text):
                if words.says(redaction.message(text, words)):
                    yield text, redaction.trailers(text, words)

    def _words_for(self, message: str) -> list[DistinctiveWords]:
        """Return what gives it away in a *message*: one of ours may name files made of it."""
        tellings = self.made.tellings
        return [self.words, *(tellings[path] for path in named_in(tellings, message))]
