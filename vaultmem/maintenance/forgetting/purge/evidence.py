"""Gather from git what a purge has to know: what was said, what gives it away, what to rewrite."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from vaultmem.maintenance import starter_files
from vaultmem.maintenance.forgetting import near_lines, redaction, target_texts
from vaultmem.maintenance.forgetting.purge.git_history import GitHistory
from vaultmem.maintenance.forgetting.purge.made_files import MadeFiles, PurgedTexts
from vaultmem.maintenance.forgetting.purge.repeated_sentences import RepeatedSentences
from vaultmem.maintenance.forgetting.purge.silenced_turns import SilencedTurns
from vaultmem.maintenance.forgetting.purge.staying_texts import StayingTexts
from vaultmem.maintenance.forgetting.purge.target import PurgeTarget
from vaultmem.maintenance.forgetting.purge.wanted_rewrite import WantedRewrite
from vaultmem.maintenance.forgetting.redaction import DistinctiveWords, Leads, Remainder, Run
from vaultmem.maintenance.forgetting.target_texts import SpokenText
from vaultmem.records import LISTS, Record
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

    def still(self, made: Mapping[str, str]) -> tuple[Remainder, ...]:
        """Return what stays and says a name, a rare word or a phrase of it, once *made* stands."""
        stays = [it for it in self.remaining if it.place not in made and it.place not in self.live]
        own = (p for p in made if not tombstones.is_path(p) and p not in LISTS)
        leads = (self.leads.at(path, f"{path}\n{made[path]}") for path in own if made[path])
        in_files = (*stays, *(it for it in leads if it))
        return redaction.worth_naming(self.leads.names, self.beside, in_files)


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
    """What is known of *target*, once at *paths*, by all of *history*; each is asked once."""

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
        history, sentences = self.history, RepeatedSentences(self._all_spoken, self.owner)
        rows = set[Run]()
        remaining = [*_remainders(self._leads, self.staying.files(), rows)]
        beside = self.staying.beside_files(self._distinctive)
        beside_files = tuple(_remainders(self._leads, beside, rows))
        wanted, tellings = Rewrite({}, frozenset(), {}, {}), dict[str, DistinctiveWords]()
        if self._texts:
            wanted, tellings = self._rewrite()
            old = self.staying.old_versions(wanted, tellings, self._leads.stand_in)
            remaining += _remainders(self._leads, old, set())
        foreign = {b.id for b in history.foreign}
        held = (self._found.keys() | wanted.blobs.keys()) - history.heads - foreign
        return Evidence(
            self._texts, self._records, frozenset(map(history.repository.inside, self._gone)),
            self._distinctive, wanted, tuple(map(history.shown, self._live())),
            dict(sorted(self._repeating_files(sentences))), frozenset(held), self._leads,
            tuple(remaining), beside_files, frozenset(rows), tellings, sentences,
        )  # fmt: skip

    # --- its files ----------------------------------------------------------------------------

    @cached_property
    def _found(self) -> Mapping[str, bytes]:
        """The old files themselves, by their blobs: those with the id, and those at the paths."""
        return dict(self._old_blobs())

    @cached_property
    def _known(self) -> Mapping[str, frozenset[str]]:
        """The paths of each blob."""
        return {version.id: version.paths for version in self.history.versions}

    @cached_property
    def _everywhere(self) -> frozenset[str]:
        return self.paths.union(*(self._known.get(oid, ()) for oid in self._found))

    @cached_property
    def _gone(self) -> frozenset[str]:
        return self._everywhere - self.history.head.keys()

    def _live(self) -> list[str]:
        """Return its own files that stand at the last commit: another may have taken the name."""
        head = self.history.head
        return sorted(p for p in self._everywhere if p in head and head[p].id in self._found)

    @cached_property
    def _records(self) -> tuple[Record, ...]:
        paths = (min(self._known.get(oid, ()), default="unknown.md") for oid in self._found)
        inside = map(self.history.repository.inside, paths)
        both = zip(inside, map(files.content, self._found.values()), strict=True)
        return tuple(reader.record(path, data) for path, data in both)

    def _old_blobs(self) -> Iterator[tuple[str, bytes]]:
        """Yield the old files themselves: those with the id, and those at the paths."""
        meant = {v.id for v in self.history.versions if v.paths & self.paths}
        for it in history_rewrite.objects(self.history.repository):
            if it.kind == "blob" and (it.id in meant or self.target.is_file(it.data)):
                yield it.id, it.data

    # --- what it says -------------------------------------------------------------------------

    @cached_property
    def _turns(self) -> frozenset[str]:
        told = [text for it in self._records for text in target_texts.of_file(it)]
        return frozenset(self.silenced.said_with(told))

    @cached_property
    def _all_spoken(self) -> tuple[SpokenText, ...]:
        return tuple(dict.fromkeys(self._spoken()))

    def _spoken(self) -> Iterator[SpokenText]:
        yield from self.spoken
        for record in self._records:
            yield from (SpokenText(text, record.speaker) for text in target_texts.of_file(record))
        yield from self.silenced.speakers(self._turns)
        if not self._records and not self.spoken and not self._turns:
            yield from map(SpokenText, self._known_again())

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(it.text for it in self._all_spoken))

    @cached_property
    def _first(self) -> DistinctiveWords:
        names = starter_files.without_examples(self._stems)
        telling = (name for name in names if not _NUMBERED.fullmatch(name))
        return redaction.distinctive_words(self._texts, telling)

    @cached_property
    def _distinctive(self) -> DistinctiveWords:
        return self._first.is_kept_by(self.staying.all())

    @cached_property
    def _leads(self) -> Leads:
        return redaction.leads(self._texts)

    def _known_again(self) -> Iterator[str]:
        """Yield what the hashes of the tombstones know in old files and messages."""
        ours = {version.id for version in self.history.versions}
        for it in history_rewrite.objects(self.history.repository):
            if it.kind in {"commit", "tag"} or it.id in ours:
                yield from self.target.hashes.matches(it.data)

    @cached_property
    def _stems(self) -> frozenset[str]:
        """The names of its files, as links have them."""
        return frozenset(PurePosixPath(p).stem for p in self._own() if p.endswith(".md"))

    def _own(self) -> Collection[str]:
        """Return its own paths: what a person called a copy of it tells nothing."""
        inside = self.history.repository.inside
        own = [p for p in self._gone if reader.kind_of(inside(p)) == "memory"]
        return own or [p for p in self._gone if p in self.paths] or self._gone

    # --- what follows -------------------------------------------------------------------------

    def _rewrite(self) -> tuple[Rewrite, dict[str, DistinctiveWords]]:
        """Return the history without it, and what gives it away in the files made of it."""
        copies = redaction.copies(self._texts)
        said = self.silenced.places(self._turns, copies)
        inside = map(self.history.repository.inside, self._gone)
        names = frozenset({*self._stems, *said, *(p.removesuffix(".md") for p in inside)})
        moments = frozenset({*said.values(), *(r.created for r in self._records)} - {""})
        words = self._first, self._distinctive
        made = MadeFiles(self.history, PurgedTexts(self._texts, names, moments, *words, copies))
        making = WantedRewrite(self.silenced, self._turns, self._distinctive, copies, made)
        return making.rewrite(self._gone), dict(made.tellings)

    def _repeating_files(
        self, sentences: RepeatedSentences
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the vault's own files that stand at the last commit and say it still, and where."""
        repository, head = self.history.repository, self.history.head
        own = (p for p in head if p.startswith(repository.prefix))
        for path in (p for p in own if not tombstones.is_path(repository.inside(p))):
            shown, text = self.history.shown(path), self.history.text(head[path])
            if places := near_lines.names(shown, text, sentences.are_in):
                yield shown, places


def _remainders(
    leads: Leads, places: Iterable[tuple[str, str]], rows: set[Run]
) -> Iterator[Remainder]:
    """Yield which of *places* say something of it; the words in a row go to *rows*."""
    for place, text in places:
        if it := leads.at(place, text):
            rows |= leads.rows_in(text) if it.phrase else set()
            yield it
