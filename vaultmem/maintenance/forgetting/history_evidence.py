"""Gather from git what a purge has to know: what was said, what gives it away, what to rewrite."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from vaultmem.maintenance import starter_files
from vaultmem.maintenance.forgetting import near_lines, redaction, target_texts
from vaultmem.maintenance.forgetting.git_history import GitHistory
from vaultmem.maintenance.forgetting.made_files import MadeFiles, Purged
from vaultmem.maintenance.forgetting.purge_target import PurgeTarget
from vaultmem.maintenance.forgetting.redaction import DistinctiveWords, Leads, Remainder, Run
from vaultmem.maintenance.forgetting.repeated_sentences import RepeatedSentences
from vaultmem.maintenance.forgetting.silenced_turns import SilencedTurns
from vaultmem.maintenance.forgetting.staying_texts import StayingTexts
from vaultmem.maintenance.forgetting.target_texts import SpokenText
from vaultmem.maintenance.forgetting.wanted_rewrite import WantedRewrite
from vaultmem.records import Record
from vaultmem.storage import files, reader, tombstones
from vaultmem.storage.git import Repository, history_rewrite, objects
from vaultmem.storage.git.history_rewrite import Rewrite
from vaultmem.storage.tombstones import Tombstone

_NUMBERED = re.compile(r"task-\d+")
"""What a task is called: it says nothing of it, and the next task may be called so."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of the forgotten: its *texts*, old *records*, *paths* (from the vault).

    *live* names files of its own that the last commit still has, *repeating* other files there
    that say a sentence of it whole, with the places in them. *old* are the blobs that hold it, in
    whatever words. Of the files that stay, those included that were only forgotten and stay in git,
    *remaining* says what of it is said there, *beside* of what git has beside them, and *rows*
    which of its words in a row; *leads* is what they are looked for by. *tellings* are the files
    that were made of it, from the top, with what gives it away in an old version of each;
    *sentences* are what no file may say whole.
    """

    texts: tuple[str, ...]
    records: tuple[Record, ...]
    paths: frozenset[str]
    distinctive: DistinctiveWords
    wanted: Rewrite
    live: tuple[str, ...]
    repeating: Mapping[str, tuple[str, ...]]
    old: frozenset[str]
    leads: Leads
    remaining: tuple[Remainder, ...]
    beside: tuple[Remainder, ...]
    rows: frozenset[Run]
    tellings: Mapping[str, DistinctiveWords]
    sentences: RepeatedSentences


def gather(
    repository: Repository,
    found: Sequence[Tombstone],
    paths: Iterable[str] = (),
    spoken: Sequence[SpokenText] = (),
    *,
    owner: str,
) -> Evidence:
    """Look through all of git for the files that *found* stand for, or at *paths* of the vault.

    Where these are gone, whatever still says a sentence of theirs tells what they said. Objects
    that nothing reaches count, too: so a purge that was cut short finds the words again. The vault
    is its *owner*'s, "" for nobody's.
    """
    # One process reads whatever is asked for.
    with objects.reading(repository) as read:
        asked = frozenset(repository.prefix + path for path in paths)
        history = GitHistory(repository, read)
        return _Gathering(history, PurgeTarget(found), asked, spoken, owner).evidence()


class _Gathering:
    def __init__(
        self,
        history: GitHistory,
        target: PurgeTarget,
        paths: frozenset[str],
        spoken: Sequence[SpokenText],
        owner: str,
    ) -> None:
        self.history, self.target, self.paths = history, target, paths
        self.spoken, self.owner = spoken, owner
        self.silenced = SilencedTurns(history, target)
        self.staying = StayingTexts(history, target)

    def evidence(self) -> Evidence:
        history, found = self.history, dict(self._old_blobs())
        known = {v.id: v.paths for v in history.versions}
        everywhere = {p for oid in found for p in known.get(oid, ())} | self.paths
        # Another file may have taken the name since.
        live = sorted(p for p in everywhere if p in history.head and history.head[p].id in found)
        gone = everywhere - history.head.keys()
        records = tuple(self._records(found, known))
        turns = frozenset(self.silenced.said_with([t for r in records for t in _told(r)]))
        spoken = tuple(dict.fromkeys(self._spoken(records, turns)))
        texts = tuple(dict.fromkeys(it.text for it in spoken))
        sentences = RepeatedSentences(spoken, self.owner)
        stems = self._stems(gone)
        names = starter_files.without_examples(stems)
        telling = (name for name in names if not _NUMBERED.fullmatch(name))
        first = redaction.distinctive_words(texts, telling)
        distinctive = first.is_kept_by(self.staying.all())
        repeating = dict(sorted(self._repeating_files(sentences)))
        leads = redaction.leads(texts)
        rows = set[Run]()
        remaining = [*_remainders(leads, self.staying.files(), rows)]
        beside = tuple(_remainders(leads, self.staying.beside_files(distinctive), rows))
        wanted, tellings = Rewrite({}, frozenset(), {}, {}), dict[str, DistinctiveWords]()
        if texts:
            copies = redaction.copies(texts)
            said = self.silenced.places(turns, copies)
            inside = map(history.repository.inside, gone)
            named = frozenset({*stems, *said, *(p.removesuffix(".md") for p in inside)})
            moments = frozenset({*said.values(), *(r.created for r in records)} - {""})
            made = MadeFiles(history, Purged(texts, named, moments, first, distinctive, copies))
            making = WantedRewrite(self.silenced, turns, distinctive, copies, made)
            wanted, tellings = making.rewrite(gone), dict(made.tellings)
            old = self.staying.old_versions(wanted, tellings, leads.stand_in)
            remaining += _remainders(leads, old, set())
        foreign = {b.id for b in history.foreign}
        held = (found.keys() | wanted.blobs.keys()) - history.heads - foreign
        return Evidence(
            texts, records, frozenset(map(history.repository.inside, gone)), distinctive, wanted,
            tuple(map(history.shown, live)), repeating, frozenset(held),
            leads, tuple(remaining), beside, frozenset(rows), tellings, sentences,
        )  # fmt: skip

    def _old_blobs(self) -> Iterator[tuple[str, bytes]]:
        """Yield the old files themselves: those with the id, and those at the paths."""
        meant = {v.id for v in self.history.versions if v.paths & self.paths}
        for it in history_rewrite.objects(self.history.repository):
            if it.kind == "blob" and (it.id in meant or self.target.is_file(it.data)):
                yield it.id, it.data

    def _records(
        self, found: dict[str, bytes], known: dict[str, frozenset[str]]
    ) -> Iterator[Record]:
        for oid, data in found.items():
            path = min(known.get(oid, ()), default="unknown.md")
            yield reader.record(self.history.repository.inside(path), files.content(data))

    def _spoken(self, records: Sequence[Record], turns: frozenset[str]) -> Iterator[SpokenText]:
        yield from self.spoken
        for record in records:
            yield from (SpokenText(text, record.speaker) for text in _told(record))
        yield from self.silenced.speakers(turns)
        if not records and not self.spoken and not turns:
            yield from map(SpokenText, self._known_again())

    def _known_again(self) -> Iterator[str]:
        """Yield what the hashes of the tombstones know in old files and messages."""
        ours = {version.id for version in self.history.versions}
        for it in history_rewrite.objects(self.history.repository):
            if it.kind in {"commit", "tag"} or it.id in ours:
                yield from self.target.hashes.matches(it.data)

    def _stems(self, gone: Collection[str]) -> frozenset[str]:
        """Return the names of its files, as links have them."""
        return frozenset(PurePosixPath(p).stem for p in self._own(gone) if p.endswith(".md"))

    def _own(self, gone: Collection[str]) -> list[str]:
        """Return its own paths: what a person called a copy of it tells nothing."""
        inside = self.history.repository.inside
        own = [p for p in gone if reader.kind_of(inside(p)) == "memory"]
        return own or [p for p in gone if p in self.paths] or list(gone)

    def _repeating_files(
        self, sentences: RepeatedSentences
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the vault's own files that stand at the last commit and say it still, and where."""
        repository, head = self.history.repository, self.history.head
        own = (p for p in head if p.startswith(repository.prefix))
        for path in (p for p in own if not tombstones.is_path(repository.inside(p))):
            shown, text = self.history.shown(path), self.history.text(head[path])
            if places := tuple(near_lines.saying(shown, text, sentences.are_in)):
                yield shown, places


def _remainders(
    leads: Leads, places: Iterable[tuple[str, str]], rows: set[Run]
) -> Iterator[Remainder]:
    """Yield which of *places* say something of it; the words in a row go to *rows*."""
    for place, text in places:
        if it := leads.at(place, text):
            rows |= leads.rows_in(text) if it.phrase else set()
            yield it


def _told(record: Record) -> Iterator[str]:
    found = (record.body, record.title, record.description, record.facts)
    yield from (text for text in found if text and not target_texts.is_a_frame(record, text))
