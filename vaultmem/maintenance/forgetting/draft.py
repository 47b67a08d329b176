"""A forgetting in the making: what goes, whose words are whose, and the files it changes so far."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from vaultmem.config import PATH as CONFIG
from vaultmem.documents import frontmatter, note_answers
from vaultmem.documents.bodies import bullets
from vaultmem.documents.frontmatter import Document, Field
from vaultmem.knowledge import tasks
from vaultmem.maintenance import staying_lines
from vaultmem.maintenance.authorship import Authorship
from vaultmem.maintenance.forgetting import redacted_transcripts, redaction, target_texts
from vaultmem.maintenance.forgetting.redacted_transcripts import RedactedTranscript
from vaultmem.maintenance.forgetting.redaction import Copies, DistinctiveWords
from vaultmem.maintenance.forgetting.selection import LINES
from vaultmem.maintenance.forgetting.target_texts import SpokenText
from vaultmem.maintenance.provenance import hidden_sources, quoted_lines, support
from vaultmem.maintenance.provenance.quoted_lines import Said
from vaultmem.maintenance.provenance.shown_sources import ChangedFiles
from vaultmem.memory import memory_index
from vaultmem.memory.compaction import human_lines
from vaultmem.records import SCAFFOLDING, SUMMARIES, Record, first_line, iso
from vaultmem.storage import (
    files,
    hidden_texts,
    reader,
    transcript_files,
    transcripts,
    turn_names,
    withheld_lines,
)
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstones
from vaultmem.storage.turn_names import TurnName

DERIVED = frozenset({*SUMMARIES, "index"})
OURS = (files.DREAMS, "inbox/declined.md", files.CONFLICTS)
WITHOUT = "without what was forgotten"
"""Why a file is changed that told of it."""

_HOOK = 160
_TOPICS = Filter(type="topic")
_LINKED = re.compile(r"\[\[([^\[\]|#\n]+)")
_MOST = 0.5
"""Share of a line's words that one source said which it was made of."""


class ForgettingDraft:
    """One forgetting in the making: what it changes so far, by path.

    *files* are what goes with its text, *gone* that and the lines of files that stay; *rewritten*
    are those told anew, of what stays and in our own words, and *renamed* those of these whose
    names would give it away, each with its new path.
    """

    def __init__(self, store: Store, gone: Sequence[Record]) -> None:
        """Forget *gone* of the vault of *store*, whose index is fresh."""
        self.store = store
        self.files = [store.texts.load(r) for r in gone if r.type not in LINES]
        self.gone = [*self.files, *(r for r in gone if r.type in LINES)]
        self.now = iso(store.clock())
        self.paths = {r.path for r in self.files}
        self.targets = {r.stem for r in self.files} | {p.removesuffix(".md") for p in self.paths}
        self.changes: dict[str, Change] = {}
        self.rewritten: set[str] = set()
        self.renamed: dict[str, str] = {}
        self.refusing = Tombstones()
        self._own: dict[str, frozenset[str]] = {}

    # --- whose words they are -----------------------------------------------------------------

    @cached_property
    def texts(self) -> list[str]:
        """All that is to be forgotten."""
        return [it.text for it in self.spoken]

    @cached_property
    def spoken(self) -> list[SpokenText]:
        """All that is to be forgotten, with who said it."""
        return [SpokenText(text, r.speaker) for r, text in self._told]

    @cached_property
    def first(self) -> DistinctiveWords:
        """What gives it away, whoever else says it."""
        return redaction.distinctive_words(self.texts, self.targets)

    @cached_property
    def copies(self) -> Copies:
        """What is no other text, wherever it stands."""
        return redaction.copies(self.texts)

    @cached_property
    def raw(self) -> DistinctiveWords:
        """What no raw memory that stays says, no turn, and no page of the vault itself."""
        return self.first.is_kept_by(self._raw_texts())

    @cached_property
    def ours(self) -> DistinctiveWords:
        """What people's own notes do not say either; words in a row are ours, all the same."""
        own = (self._as_it_shall_be(r) for r in self.store.index.every() if self._is_a_persons(r))
        return self.raw.has_words_kept_by(
            f"{r.title}\n{r.facts}\n{note_answers.own(r.body)}" for r in own if r
        )

    def _as_it_shall_be(self, record: Record) -> Record | None:
        change = self.changes.get(record.path)
        if change is None:
            return record
        return reader.record(record.path, files.content(change.new)) if change.new else None

    def _raw_texts(self) -> Iterator[str]:
        for record in self.store.index.every(Filter(type="memory")):
            if record.path not in self.paths:
                yield f"{record.speaker}\n{record.body}"
        pages = SCAFFOLDING - {memory_index.PATH, tasks.BOARD}
        for path in (*sorted(pages), CONFIG):
            yield (self.store.texts.read(path) or b"").decode("utf-8", "replace")
        for each in self.sessions:
            yield transcripts.words(each.new)
        changed = {each.path for each in self.sessions}
        for found in transcript_files.every(self.store.root):
            if found.path not in changed:
                yield transcripts.words(self.store.texts.read(found.path) or b"")

    def _is_a_persons(self, record: Record) -> bool:
        if record.path in self.paths or record.type in {*DERIVED, "memory", "tombstone", "config"}:
            return False
        return not is_made(record) and not record.path.startswith(OURS)

    @cached_property
    def sessions(self) -> tuple[RedactedTranscript, ...]:
        """The transcripts that hold it, as they are and as they shall be."""
        return redacted_transcripts.redacted(self.store, self.gone, self.copies_for)

    def copies_for(self, speaker: str) -> Copies:
        """Return the copies that *speaker* may say: not what another one said of themselves.

        Who repeats what they said themselves may put a label before it.
        """
        owner = self.store.config().owner
        may = (it for it in self.spoken if not target_texts.is_of_another(it, speaker, owner))
        texts = [it.text for it in may]
        own = [it.text for it in self.spoken if target_texts.is_of(it, speaker, owner)]
        return self.copies if texts == self.texts and not own else redaction.copies(texts, own)

    @cached_property
    def silenced(self) -> Mapping[TurnName, str]:
        """When the turns were said of which nothing is left."""
        every = ((each.path, it) for each in self.sessions for it in each.silenced)
        return {TurnName(path, number): turn.at for path, (number, turn) in every}

    def turn(self, name: TurnName) -> str:
        """Return what is left of the turn called *name*, "" where there is none."""
        path, number = name
        made = next((each.turns for each in self.sessions if each.path == path), None)
        held = made or transcripts.parse(path, self.data(path)).turns
        return next((turn.content for turn in held[number - 1 : number]), "")

    @cached_property
    def bereft(self) -> Mapping[str, AbstractSet[str]]:
        """The lines that no source bears out once it is gone, by file, each by its digest."""
        return hidden_sources.bereft(self.store, self._changed)

    @cached_property
    def _changed(self) -> ChangedFiles:
        """What says less once it is gone."""
        before = {each.path: each.before for each in self.sessions}
        now = {each.path: each.new for each in self.sessions}

        def told(path: str) -> bytes:
            return before[path] if path in before else self.data(path)

        paths = self.paths | before.keys()
        episodes = self.store.index.each(Filter(type="episode"))
        retold = {r.path for r in episodes if transcript_files.path(r.agent, r.session) in before}
        gone = {name: r for r in self.files for name in hidden_texts.names([r.path])}
        return ChangedFiles(paths, told, lambda path: now.get(path, b""), retold, _MOST, gone)

    def is_bereft(self, path: str, line: str) -> bool:
        """Tell whether *line* of the file at *path* is one of them, and no heading."""
        lost = self.bereft.get(path, frozenset())
        return not line.startswith("#") and bool(lost) and withheld_lines.digest(line) in lost

    @cached_property
    def staying(self) -> Mapping[str, Mapping[str, str]]:
        """The lines of people that no source bears out then, by file, each with what said it."""
        index = self.store.index
        resting = {it.path: it for it in (*index.at(self.bereft), *index.every(_TOPICS))}
        found = {path: self._staying(it) for path, it in sorted(resting.items())}
        return {path: lines for path, lines in found.items() if lines}

    def _staying(self, record: Record) -> Mapping[str, str]:
        if record.path in self.paths or record.type == "card":
            return {}
        told = [
            line for line in record.body.splitlines()
            if (self._is_unlinked(line) or self.is_bereft(record.path, line))
            and self.raw.says(staying_lines.said(line))
        ]  # fmt: skip
        if record.type == "topic":
            own = self.own(record.path) if told else frozenset[str]()
            return {line: self._most_like(line) for line in told if line in own}
        is_ours = human_lines.is_ours(record)
        return {line: self._most_like(line) for line in told if not is_ours(line)}

    def _is_unlinked(self, line: str) -> bool:
        """Tell whether all that *line* cites is gone, and said it."""
        text, links = bullets.unsourced(line)
        if not links or not all(map(self._goes, links)):
            return False
        return any(support.share(text, said) >= _MOST for _, said in self._told)

    def _most_like(self, line: str) -> str:
        """Return the path of what is forgotten of which *line* says the most."""
        shares = ((support.share(line, text), it.path) for it, text in self._told)
        return max(shares, default=(0.0, ""))[1]

    @cached_property
    def _told(self) -> list[tuple[Record, str]]:
        return [(it, text) for it in self.gone for text in target_texts.texts(self.store, it)]

    def gives_away(self, text: str) -> bool:
        """Tell whether *text*, which is ours, tells of it."""
        return self.copies.stand_in(text) or self.ours.says(text)

    def no_longer_says(self, text: str) -> bool:
        """Tell whether *text*, which is ours, is not to be said again."""
        return self.ours.says(text) or self.refusing.of(text) is not None

    def own(self, path: str) -> frozenset[str]:
        """Return the lines of the file at *path* that a person wrote, as git's history says.

        Not those that say what the source says that they cite, whoever committed them.
        """
        if path not in self._own:
            came = self._authorship.own([path])[path] if self._authorship else frozenset[str]()
            self._own[path] = came - self._quoted(path) if came else came
        return self._own[path]

    def _quoted(self, path: str) -> frozenset[str]:
        text = self.data(path).decode("utf-8", "surrogateescape")
        return next(
            (
                quoted_lines.lines(it, text, self._said, made=is_made(it))
                for it in self.store.index.at([path])
            ),
            frozenset(),
        )

    @cached_property
    def _said(self) -> Said:
        told = hidden_sources.told_before(self.store, self._changed)
        return Said(told, frozenset(self.store.index.agents()))

    @cached_property
    def _authorship(self) -> Authorship | None:
        repository = self.store.writer.repository
        return Authorship(self.store, repository, self.store.texts.read) if repository else None

    # --- the files ----------------------------------------------------------------------------

    def data(self, path: str) -> bytes:
        """Return the public bytes of the file at *path*, none where there is no file."""
        return self.store.texts.read(path) or b""

    def put(self, path: str, old: bytes | None, new: bytes | None, why: str = WITHOUT) -> None:
        """Change the file at *path*, unless that is done already, or would touch what is private.

        What a person wrote around it that is not public stays as it is, and is a mention.
        """
        change = Change(path, old, new, why)
        if old != new and path not in self.changes and self.store.texts.may_change(change):
            self.changes[path] = change

    def relink(self, path: str, names: Mapping[str, str]) -> None:
        """Let links of the file at *path* lead to the new *names*; a person's lines stay."""
        made = self.changes.get(path)
        data = made.new if made else self.data(path)
        if data is None:
            return
        own = self.own(path)
        lines = data.decode("utf-8", "surrogateescape").splitlines(keepends=True)
        told = (x if x.rstrip("\r\n") in own else _relinked(x, names) for x in lines)
        new = "".join(told).encode("utf-8", "surrogateescape")
        if made:
            self.changes[path] = made._replace(new=new)
        else:
            self.put(path, data, new)

    def keep_aside(self, name: str, own: bytes) -> None:
        """Let what a person wrote into a file that goes wait in the inbox, called by *name*."""
        if own:
            self.put(files.conflict("", name, own), None, own, "a person's lines")

    def rewrite(self, record: Record, body: str | None) -> None:
        """Change of a file its body, the sources that are gone, and what our own lines were."""
        self.put(record.path, self.data(record.path), self.told_without(record, body))

    def told_without(self, record: Record, body: str | None) -> bytes:
        """Return the file that `rewrite` makes."""
        doc = frontmatter.read(self.data(record.path))
        head: dict[str, Field | None] = {}
        if self.targets.intersection(record.sources):
            head |= self.unlinked(doc)
        if body is not None and self._tells(record):
            head["description"] = first_line(body.lstrip("# "), _HOOK) or None
        if body is not None and record.written:
            head["written"] = human_lines.still_written(body, record.written)
        changed = frontmatter.update(doc, head, body, reader.most_frontmatter(record.path))
        return frontmatter.render(changed).encode()

    def _tells(self, record: Record) -> bool:
        """Tell whether the description of *record* goes; a person's goes as a copy alone."""
        is_said = self.ours.says(record.description)
        if not is_said or self.copies.stand_in(record.description):
            return is_said
        return not any(line.startswith("description:") for line in self.own(record.path))

    def unlinked(self, doc: Document) -> dict[str, Field | None]:
        """Return the sources of *doc* without what is gone, as an update of its frontmatter."""
        links = frontmatter.fields(doc).get("sources", ())
        every = [links] if isinstance(links, str) else map(str, links)
        return {"sources": [x for x in every if not self._goes(x)]}

    def _goes(self, link: str) -> bool:
        is_target = reader.link_target(link) in self.targets
        return is_target or turn_names.linked(link) in self.silenced


def _relinked(line: str, names: Mapping[str, str]) -> str:
    return _LINKED.sub(lambda found: f"[[{names.get(found[1], found[1])}", line)


def is_made(record: Record) -> bool:
    """Tell whether the program wrote a file: who wrote it says so."""
    return bool(record.model or record.prompt) or record.source in {"agent", "dream"}
