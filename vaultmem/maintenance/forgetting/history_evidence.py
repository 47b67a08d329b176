"""Gather from git what a purge has to know: what was said, what gives it away, what to rewrite."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from vaultmem.maintenance import starter_files
from vaultmem.maintenance.forgetting import other_refs, redaction, target_texts
from vaultmem.maintenance.forgetting.redaction import DistinctiveWords, Leads, Remainder, Run
from vaultmem.maintenance.forgetting.verification import Hashes
from vaultmem.records import LISTS, Record, first_line
from vaultmem.storage import files, item_logs, reader, tombstones
from vaultmem.storage.git import Blob, Repository, history_rewrite, objects, process
from vaultmem.storage.git.history_rewrite import Rewrite, Version
from vaultmem.storage.git.types import PLAIN
from vaultmem.storage.tombstones import Tombstone

_ID = re.compile(rb"(?m)^id:[ \t]*['\"]?([0-9A-Za-z]{26})\b")
_OP = re.compile(r"(?m)^Vaultmem-Op: (\S+)$")
_NUMBERED = re.compile(r"task-\d+")
"""What a task is called: it says nothing of it, and the next task may be called so."""
_OF_A_MODEL = re.compile(rb"(?m)^model:(?![ \t]*['\"]?(?:extractive)?['\"]?[ \t]*\r?$)")
_RECENT = "/summaries/recent-"
_HEAD = 4096
_SUBJECT = 60
_WHO = "--format=%an <%ae>%n%cn <%ce>"
"""What is made of other files, which are named themselves."""
_TEXTS = PLAIN | {"120000"}
"""The modes of what has a text: the target of a link is one."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of the forgotten: its *texts*, old *records*, *paths* (from the vault).

    *live* names files of its own that the last commit still has, *repeating* other files there
    that say a sentence of it whole. *old* are the blobs that hold it, in whatever words. Of the
    files that stay, those included that were only forgotten and stay in git, *remaining* says what
    of it is said there, *beside* of what git has beside them, and *rows* which of its words in a
    row; *leads* is what they are looked for by.
    """

    texts: tuple[str, ...]
    records: tuple[Record, ...]
    paths: frozenset[str]
    distinctive: DistinctiveWords
    wanted: Rewrite
    live: tuple[str, ...]
    repeating: tuple[str, ...]
    old: frozenset[str]
    leads: Leads
    remaining: tuple[Remainder, ...]
    beside: tuple[Remainder, ...]
    rows: frozenset[Run]


def gather(
    repository: Repository, found: Sequence[Tombstone], paths: Iterable[str] = ()
) -> Evidence:
    """Look through all of git for the files that *found* stand for, or at *paths* of the vault.

    Where these are gone, whatever still says a sentence of theirs tells what they said. Objects
    that nothing reaches count, too: so a purge that was cut short finds the words again.
    """
    # One process reads whatever is asked for.
    with objects.reading(repository) as read:
        return _Gathering(repository, found, frozenset(paths), read).evidence()


class _Gathering:
    def __init__(
        self,
        repository: Repository,
        found: Sequence[Tombstone],
        paths: frozenset[str],
        read: Callable[[Blob], bytes],
    ) -> None:
        self.repository, self.tombstones, self._bytes = repository, found, read
        self.ids = {it.id.upper().encode() for it in found}
        # Of a bigger repository what is not the vault's stays, old versions too.
        whole = repository.whole
        every = history_rewrite.versions(whole)
        self.versions = [v for v in every if self._is_ours(v)]
        self.foreign = [Blob("100644", v.id) for v in every if not self._is_ours(v)]
        head = repository.head()
        self.head = {p: b for p, b in objects.files(whole, head).items() if b.mode in _TEXTS}
        self.heads = {blob.id for blob in self.head.values()}
        self.paths = {repository.prefix + path for path in paths}
        self.turns: frozenset[str] = frozenset()

    def evidence(self) -> Evidence:
        found = dict(self._old_blobs())
        known = {v.id: v.paths for v in self.versions}
        everywhere = {p for oid in found for p in known.get(oid, ())} | self.paths
        # Another file may have taken the name since.
        live = tuple(sorted(p for p in everywhere if p in self.head and self.head[p].id in found))
        gone = everywhere - self.head.keys()
        records = tuple(self._records(found, known))
        self.turns = frozenset(self._turns([t for r in records for t in _told(r)]))
        texts = tuple(dict.fromkeys(self._texts(records)))
        names = starter_files.without_examples(self._stems(gone))
        telling = (name for name in names if not _NUMBERED.fullmatch(name))
        distinctive = redaction.distinctive_words(texts, telling, self._others())
        repeating = tuple(sorted(self._repeating_files(distinctive)))
        leads = redaction.leads(texts, (text for _, text in self._scaffolding))
        rows = set[Run]()
        remaining = tuple(_remainders(leads, self._staying(), rows))
        said = (*self._human_messages(distinctive), *self._notes_on_commits(distinctive))
        besides = (*self._beside, *said)
        beside = tuple(_remainders(leads, besides, rows))
        wanted = Rewrite({}, frozenset(), {}, {})
        if texts:
            whole = dict(self._encoded(distinctive)) | dict(self._brought(distinctive))
            messages = dict(self._lines(distinctive)), whole
            wanted = Rewrite(*self._files(distinctive, gone), *messages)
        old = (found.keys() | wanted.blobs.keys()) - self.heads - {b.id for b in self.foreign}
        return Evidence(
            texts, records, frozenset(map(self.repository.inside, gone)), distinctive, wanted,
            tuple(map(self._shown, live)), tuple(map(self._shown, repeating)), frozenset(old),
            leads, remaining, beside, frozenset(rows),
        )  # fmt: skip

    def _shown(self, path: str) -> str:
        """Return *path* as a person in the vault's folder names it."""
        prefix = self.repository.prefix
        return posixpath.relpath(path, prefix) if prefix else path

    def _is_ours(self, version: Version) -> bool:
        return any(path.startswith(self.repository.prefix) for path in version.paths)

    def _old_blobs(self) -> Iterator[tuple[str, bytes]]:
        """Yield the old files themselves: those with the id, and those at the paths."""
        meant = {v.id for v in self.versions if v.paths & self.paths}
        for it in history_rewrite.objects(self.repository):
            if it.kind == "blob" and (it.id in meant or self._is_it(it.data)):
                yield it.id, it.data

    def _is_it(self, data: bytes) -> bool:
        return _named(data) in self.ids

    def _records(
        self, found: dict[str, bytes], known: dict[str, frozenset[str]]
    ) -> Iterator[Record]:
        for oid, data in found.items():
            path = min(known.get(oid, ()), default="unknown.md")
            yield reader.record(self.repository.inside(path), files.content(data))

    def _texts(self, records: Sequence[Record]) -> Iterator[str]:
        for record in records:
            yield from _told(record)
        yield from sorted(self.turns)
        if not records:
            yield from self._known_again()

    @cached_property
    def _hashes(self) -> Hashes:
        """What knows again what the tombstones stand for."""
        return Hashes(self.tombstones)

    def _known_again(self) -> Iterator[str]:
        """Yield what the hashes of the tombstones know in old files and messages."""
        ours = {version.id for version in self.versions}
        for it in history_rewrite.objects(self.repository):
            if it.kind in {"commit", "tag"} or it.id in ours:
                yield from self._hashes.matches(it.data)

    def _stems(self, gone: Collection[str]) -> frozenset[str]:
        """Return the names of its files, as links have them."""
        return frozenset(PurePosixPath(p).stem for p in self._own(gone) if p.endswith(".md"))

    def _own(self, gone: Collection[str]) -> list[str]:
        """Return its own paths: what a person called a copy of it tells nothing."""
        own = [p for p in gone if reader.kind_of(self.repository.inside(p)) == "memory"]
        return own or [p for p in gone if p in self.paths] or list(gone)

    def _repeating_files(self, distinctive: DistinctiveWords) -> Iterator[str]:
        """Yield the vault's own files that stand at the last commit and say it still."""
        prefix, inside = self.repository.prefix, self.repository.inside
        own = (p for p in self.head if p.startswith(prefix) and not tombstones.is_path(inside(p)))
        for path in own:
            if distinctive.repeats_sentence(self._text(self.head[path])):
                yield path

    def _others(self) -> Iterator[str]:
        """Yield all that stays: files and their names, what the program brought, git's own."""
        for blob in {b.id: b for b in (*self.head.values(), *self.foreign)}.values():
            yield self._text(blob)
        yield "\n".join(self.head)
        yield from (text for _, text in self._beside)
        yield from (text for _, text in (*self._only_forgotten, *self._elsewhere))

    @cached_property
    def _elsewhere(self) -> tuple[tuple[str, str], ...]:
        """What other branches and tags alone have, and where; not what says a sentence of it."""
        return tuple(
            other_refs.living(
                self.repository, self.head.keys(), self._bytes,
                lambda data: self._is_it(data) or self._hashes.are_in(data),
            )
        )  # fmt: skip

    @cached_property
    def _only_forgotten(self) -> tuple[tuple[str, str], ...]:
        """What was forgotten and is not to be purged, and where: an undo brings it back from git.

        Not what says a sentence of what is to be purged: that goes along.
        """
        return tuple(self._bring_back())

    def _bring_back(self) -> Iterator[tuple[str, str]]:
        ids = {it.id.upper().encode() for it in self._other_tombstones(self.head, self.head)
               if not (it.purged or it.rewritten)}  # fmt: skip
        for version in self.versions if ids else ():
            data = b"" if version.paths & self.head.keys() else self._read(version.id)
            if _named(data) in ids and not self._hashes.are_in(data):
                path = min(version.paths)
                text = data.decode("utf-8", "replace")
                yield f"{self._shown(path)}, which was only forgotten", f"{path}\n{text}"

    @cached_property
    def _beside(self) -> tuple[tuple[str, str], ...]:
        """What git has beside files and messages, and where: who committed, refs, config."""
        return tuple(self._asked_beside())

    def _asked_beside(self) -> Iterator[tuple[str, str]]:
        who = process.git(self.repository, "log", "--all", _WHO).decode(errors="replace")
        for line in dict.fromkeys(who.splitlines()):
            yield f"the author or committer {line}", line
        refs = process.git(self.repository, "for-each-ref", "--format=%(refname)")
        for line in refs.decode(errors="replace").splitlines():
            yield f"the ref {line}", line
        yield from history_rewrite.set_up(self.repository)

    def _staying(self) -> Iterator[tuple[str, str]]:
        """Yield the files that may say something of it and stay; not what is made of others."""
        shipped = dict(self._scaffolding)
        for path, blob in self.head.items():
            inside = self.repository.inside(path)
            if inside in shipped or inside in LISTS or tombstones.is_path(inside):
                continue
            yield self._shown(path), f"{path}\n{self._text(blob)}"
        yield from (*self._only_forgotten, *self._elsewhere)

    def _human_messages(self, distinctive: DistinctiveWords) -> Iterator[tuple[str, str]]:
        """Yield what messages of commits and tags say once it is redacted, and where.

        Not those of the program's own commits, which say what the files do.
        """
        log = process.git(self.repository, "log", "--all", "-z", "--format=%B")
        tags = process.git(self.repository, "for-each-ref", "--format=%(contents)%00", "refs/tags")
        every = b"\0".join((log, tags)).decode("utf-8", "surrogateescape").split("\0")
        for text in dict.fromkeys(text.strip() for text in every if not _OP.search(text)):
            stays = redaction.message(text, distinctive)
            yield f"the message {first_line(stays, _SUBJECT)!r}", stays

    def _notes_on_commits(self, distinctive: DistinctiveWords) -> Iterator[tuple[str, str]]:
        """Yield what git's notes say once that is redacted, and where."""
        whole = self.repository.whole
        for name, tip in whole.refs().items():
            noted = objects.files(whole, tip) if name.startswith(other_refs.NOTES) else {}
            for blob in noted.values():
                stays = redaction.note(self._bytes(blob), distinctive).decode("utf-8", "replace")
                yield f"the note on a commit {first_line(stays, _SUBJECT)!r}", stays

    @cached_property
    def _scaffolding(self) -> tuple[tuple[str, str], ...]:
        """The files that every vault has, and that nobody changed."""
        brought = ((name, starter_files.text(name)) for name in starter_files.FILES)
        there = ((self.head.get(self.repository.prefix + n), n, data) for n, data in brought)
        return tuple((n, data.decode()) for b, n, data in there if b and self._bytes(b) == data)

    # --- turns that say [forgotten] now -------------------------------------------------------

    def _silent(self, path: str) -> frozenset[int]:
        """Return the lines of a transcript that say nothing any more."""
        blob = self.head.get(path)
        data = self._read(blob.id) if blob and path.endswith(".jsonl") else b""
        return _marked(data)

    def _turns(self, texts: Sequence[str]) -> Iterator[str]:
        """Yield what those lines said that fell silent with these, whose files say *texts*.

        What was forgotten by itself is git's still, and an undo brings it back.
        """
        origins = {it.origin for it in self.tombstones} - {""}
        along = frozenset(self._along())
        silenced = dict(self._silenced())
        known = {
            text
            for text, origin in silenced.items()
            if text in along
            or origin in origins
            or self._hashes.are_in(text.encode(errors="replace"))
        }
        repeated = redaction.distinctive_words([*texts, *known], ())
        yield from (text for text in silenced if text in known or repeated.repeats(text))

    def _silenced(self) -> Iterator[tuple[str, str]]:
        """Yield what lines that are silent now said in older versions, and by what origin."""
        for path in (p for p in self.head if p.endswith(".jsonl")):
            silent = self._silent(path)
            for version in self.versions if silent else ():
                if path in version.paths:
                    lines = self._read(version.id).split(b"\n")
                    for said in (_said(lines[n - 1]) for n in silent if n <= len(lines)):
                        if said[0] != redaction.MARK:
                            yield said
        for path in filter(self._is_log, self.head):
            now = self._read(self.head[path].id)
            for version in (v for v in self.versions if path in v.paths):
                for text in item_logs.silenced(now, self._read(version.id), redaction.MARK):
                    yield text, ""

    def _along(self) -> Iterator[str]:
        """Yield what turns said that fell silent in the commits that brought the tombstones.

        Not what fell silent with something else that was forgotten in the same commit.
        """
        stones = [self.repository.prefix + it.path for it in self.tombstones]
        log = ("log", "--all", "--diff-filter=A", "--no-renames", "--format=%H %P", "--", *stones)
        whole = self.repository.whole
        for line in process.git(whole, *log).decode().splitlines():
            commit, _, before = line.partition(" ")
            if not before or " " in before:  # a merge: what it silenced is known by its hash
                continue
            then, now = objects.files(whole, before), objects.files(whole, commit)
            theirs = Hashes([*self._other_tombstones(now, now.keys() - then.keys())])
            for path in (p for p in now if p.endswith(".jsonl") and p in then):
                if then[path].id != now[path].id:
                    texts = self._fell_silent(path, self._read(now[path].id), then[path])
                    yield from (t for t in texts if not theirs.are_in(t.encode(errors="replace")))

    def _fell_silent(self, path: str, now: bytes, then: Blob) -> Iterator[str]:
        before = self._read(then.id)
        if self._is_log(path):
            yield from item_logs.silenced(now, before, redaction.MARK)
            return
        said = before.split(b"\n")
        yield from (_said(said[n - 1])[0] for n in _marked(now) if n <= len(said))

    def _is_log(self, path: str) -> bool:
        return item_logs.is_path(self.repository.inside(path))

    def _other_tombstones(
        self, now: Mapping[str, Blob], came: Iterable[str]
    ) -> Iterator[Tombstone]:
        """Yield the tombstones among the files that *came* of which nothing is to be purged."""
        for path in came:
            where = self.repository.inside(path)
            found = tombstones.is_path(where) and tombstones.parsed(where, self._bytes(now[path]))
            if found and found.id.upper().encode() not in self.ids:
                yield found

    # --- what is to be otherwise --------------------------------------------------------------

    def _files(
        self, distinctive: DistinctiveWords, gone: set[str]
    ) -> tuple[dict[str, bytes], frozenset[str]]:
        """Return the old versions without it, and the paths that go."""
        every = {p for v in self.versions for p in v.paths} - self.head.keys()
        named = set(filter(distinctive.says, every))
        paths = frozenset(gone | named | set(self._drawn(distinctive)))
        blobs: dict[str, bytes] = {}
        made = self._made_of(self._stems(gone))
        for version in self.versions:
            if version.id in self.heads or version.paths <= paths:
                continue
            data = self._read(version.id)
            words = distinctive.by_provenance() if version.id in made else distinctive
            new = self._without(version, data, words)
            if version.id in made and _OF_A_MODEL.search(data[:_HEAD]):
                new = redaction.masked(new, words)
            if new != data:
                blobs[version.id] = new
        return blobs, paths

    def _made_of(self, names: Collection[str]) -> frozenset[str]:
        """Return the old versions that name it as a source, and the summaries made of these."""
        links = {redaction.folded(name) for name in names if len(redaction.words(name)) > 1}
        first = set(self._naming(links))
        stems = {PurePosixPath(p).stem for v in first for p in v.paths if _RECENT in p}
        return frozenset(v.id for v in first.union(self._naming(stems)))

    def _naming(self, stems: Collection[str]) -> Iterator[Version]:
        """Yield the versions of notes that hold one of *stems*."""
        if not stems:
            return
        named = re.compile("|".join(map(re.escape, sorted(stems))))
        notes = (v for v in self.versions if any(p.endswith(".md") for p in v.paths))
        yield from (v for v in notes if named.search(self._text(Blob("100644", v.id)).casefold()))

    @cached_property
    def _messages(self) -> tuple[str, ...]:
        return tuple(history_rewrite.messages(self.repository))

    def _brought(self, distinctive: DistinctiveWords) -> Iterator[tuple[str, str]]:
        """Yield the messages of the commits that brought it, which begin with its first words."""
        ids = {it.id for it in self.tombstones}
        turns = tuple(f": {text}" for text in self.turns)
        for text in self._messages:
            first, ops = text.partition("\n")[0], _OP.findall(text)
            is_turns = first.startswith("turn(") and first.endswith(turns)
            if is_turns or (len(ops) == 1 and ops[0] in ids):
                subject, _, rest = redaction.message(text, distinctive).partition("\n")
                kind = subject.partition(": ")[0] if ": " in subject else "remember"
                yield text, f"{kind}: {redaction.MARK}\n{rest}"

    def _drawn(self, distinctive: DistinctiveWords) -> Iterator[str]:
        """Yield the cards that are gone and that once said it: all they said was drawn from it."""
        for version in self.versions:
            gone = version.paths - self.head.keys()
            cards = {p for p in gone if self.repository.inside(p).startswith("cards/")}
            if cards and distinctive.repeats_sentence(self._text(Blob("100644", version.id))):
                yield from cards

    def _without(self, version: Version, data: bytes, distinctive: DistinctiveWords) -> bytes:
        inside = [self.repository.inside(p) for p in version.paths]
        if all(p.startswith("tombstones/") for p in inside):
            return data
        if any(map(item_logs.is_path, inside)):
            told = self.turns
            return redaction.spoken(data, lambda text: text in told or distinctive.says(text))
        if any(p.endswith(".jsonl") for p in inside):
            lines = data.split(b"\n")
            numbers = frozenset(
                n
                for p in version.paths
                for n in self._silent(p)
                if n <= len(lines) and _said(lines[n - 1])[0] in self.turns
            )
            return redaction.spoken(data, distinctive.says, numbers=numbers)
        return redaction.note(data, distinctive)

    def _lines(self, distinctive: DistinctiveWords) -> Iterator[tuple[str, str]]:
        for text in self._messages:
            masked = redaction.message(text, distinctive)
            if masked != text and not distinctive.says(masked):
                pairs = zip(text.split("\n"), masked.split("\n"), strict=True)
                yield from ((old, new) for old, new in pairs if old != new)

    def _encoded(self, distinctive: DistinctiveWords) -> Iterator[tuple[str, str]]:
        """Yield the messages that say it over lines of which none says it, as encoded text does."""
        for text in self._messages:
            if distinctive.says(redaction.message(text, distinctive)):
                yield text, redaction.trailers(text, distinctive)

    def _read(self, oid: str) -> bytes:
        return self._bytes(Blob("100644", oid))

    def _text(self, blob: Blob) -> str:
        return self._bytes(blob).decode("utf-8", "replace")


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


def _named(data: bytes) -> bytes:
    """Return the id of a file, b"" for one without, and for a tombstone."""
    if not data.startswith((b"---", b"\xef\xbb\xbf---")):
        return b""
    head = data[:_HEAD].partition(b"\n---")[0]
    named = None if b"type: tombstone" in head else _ID.search(head)
    return named[1].upper() if named else b""


def _marked(data: bytes) -> frozenset[int]:
    """Return the lines of a transcript that say that something was forgotten."""
    lines = enumerate(data.split(b"\n"), 1)
    return frozenset(n for n, line in lines if _said(line)[0] == redaction.MARK)


def _said(line: bytes) -> tuple[str, str]:
    """Return what a line of a transcript says, and its origin."""
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return "", ""
    if not isinstance(raw, dict):
        return "", ""
    return str(raw.get("content", "")), str(raw.get("origin", ""))
