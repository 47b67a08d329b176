"""Plan a forgetting: the files go, tombstones come, and all that absorbed them is told without."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath

from vaultmem.config import PATH as CONFIG
from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import markdown
from vaultmem.documents.frontmatter import Document, Field
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.knowledge import tasks
from vaultmem.knowledge.cards import parser
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.maintenance import starter_files
from vaultmem.maintenance.forgetting import (
    card_redaction,
    experience_redaction,
    logged_items,
    redacted_transcripts,
    redaction,
    target_texts,
    topic_redaction,
)
from vaultmem.maintenance.forgetting.logged_items import ITEM
from vaultmem.maintenance.forgetting.redacted_transcripts import RedactedTranscript
from vaultmem.maintenance.forgetting.redaction import DistinctiveWords
from vaultmem.maintenance.forgetting.selection import LINES
from vaultmem.memory import compaction, folding, memory_index, pointed_index
from vaultmem.memory.compaction import Dependencies, human_lines
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.folding import Source, Stretch, material
from vaultmem.memory.tool_quotes import trusted_words
from vaultmem.nlp.summarization.guarded import Guarded
from vaultmem.nlp.tasks import LATER, FoldTask
from vaultmem.nlp.text import analysis
from vaultmem.records import SCAFFOLDING, TRUST, Record, first_line, iso
from vaultmem.storage import files, item_logs, reader, tombstones, transcripts
from vaultmem.storage.index import Filter
from vaultmem.storage.index.coverage import Member
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.tombstone_checks import SALT
from vaultmem.storage.tombstones import Tombstone, Tombstones

_HOOK = 160
_TELLING = 4
"""Words of a sentence that is not everybody's."""
_DERIVED = frozenset({"summary", "episode", "index"})
_OURS = ("inbox/dream-", "inbox/declined.md", files.CONFLICTS)
_ID = re.compile(r"[0-9A-Z]{26}")
_WHY = "without what was forgotten"
_OWN_TEXT: Mapping[str, Callable[[str], str]] = {
    memory_index.PATH: memory_index.own_text, tasks.BOARD: tasks.own_text,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Meant:
    """What a forgetting would do: its plan, what it rewrites, what it leaves to a person."""

    plan: Plan
    tombstones: tuple[Tombstone, ...]
    derived: tuple[str, ...]
    mentions: tuple[str, ...]


def plan(store: Store, ask: Guarded, gone: Sequence[Record], reason: str) -> Meant:
    """Return what forgetting *gone* does, as one operation; raises BadInput for a telling reason.

    The index is fresh. A summarizer rewrites what absorbed it.
    """
    return _PlanBuilder(store, ask, gone).meant(reason)


class _PlanBuilder:
    """One forgetting in the making: what it changes so far, by path."""

    def __init__(self, store: Store, ask: Guarded, gone: Sequence[Record]) -> None:
        self.store, self.ask = store, ask
        self.files = [store.load(r) for r in gone if r.type not in LINES]
        self.gone = [*self.files, *(r for r in gone if r.type in LINES)]
        self.now = iso(store.clock())
        self.paths = {r.path for r in self.files}
        self.targets = {r.stem for r in self.files} | {p.removesuffix(".md") for p in self.paths}
        self.changes: dict[str, Change] = {}
        self.rewritten: set[str] = set()
        self.refusing = Tombstones()

    def meant(self, reason: str) -> Meant:
        """Go through all that may have absorbed it, and return what is to be done."""
        if self.raw.says(reason):
            raise BadInput("the reason repeats what is to be forgotten: word it differently")
        found = tuple(self._tombstones(reason))
        self.refusing = Tombstones(found)
        for record in self.files:
            self._put(record.path, self._data(record.path), None, "forgotten")
        self._clean_cards()
        for each in self.sessions:
            self._put(each.path, each.old, each.new, _WHY)
        renamed = [r for r in self.store.index.corrections() if self._rename_links(r)]
        for agent in sorted({r.agent for r in (*self.gone, *renamed) if r.type == "memory"}):
            self._rewrite_summaries(agent)
        for each in self.sessions:
            self._rewrite_episodes(each)
        for record in self.store.index.each():
            self._clean(record)
        self._clean_shrunk()
        changes = (*self.changes.values(), *map(tombstones.change, found))
        listed = (
            *pointed_index.change(self.store, changes),
            *task_service.board_change(self.store, changes),
        )
        every = (*changes, *listed)
        mentions = tuple(self._mentions(every))
        rewritten = sorted(self.changes.keys() - self.paths - {*mentions})
        derived = (*rewritten, *(c.path for c in listed if c.path not in mentions))
        return Meant(self._plan(every), found, derived, mentions)

    def _plan(self, changes: tuple[Change | Append, ...]) -> Plan:
        agents = {r.agent for r in self.gone}
        ids = tuple(f"{r.id or r.type}" for r in self.gone)
        # What a tombstone goes on to end, it ends with the trust of the correction it stands for.
        given = (r.trust for r in self.gone if r.supersedes)
        return Plan(
            self.store.mint(), "forget", f"forget: {_counted(self.gone)}", changes,
            agents.pop() if len(agents) == 1 else "", notes=ids,
            trust=max(given, key=TRUST.index, default=""),
        )  # fmt: skip

    def _tombstones(self, reason: str) -> Iterator[Tombstone]:
        salt = tombstones.load(self.store).salt or self.store.random(SALT).hex()
        for it in self.gone:
            texts = target_texts.known_by(self.store, it, self.raw)
            digests = dict.fromkeys(d for text in texts for d in tombstones.digests(text, salt))
            yield Tombstone(
                it.id or self.store.mint(), self.now, salt, tuple(digests), reason,
                "" if self.raw.says(it.origin) else it.origin, it.agent,
                parts=tuple(tombstones.part(x, salt) for x in self._sentences(it)),
                supersedes=tuple(self._ended(it)), trust=it.trust if it.supersedes else "",
            )  # fmt: skip

    def _sentences(self, it: Record) -> Iterator[str]:
        """Yield the sentences of *it* that nothing raw says that stays."""
        for text in dict.fromkeys(
            s for x in target_texts.texts(self.store, it) for s in analysis.sentences(x)
        ):
            if len(tombstones.tokens(text)) >= _TELLING and self.raw.says(text):
                yield text

    def _ended(self, it: Record) -> Iterator[str]:
        """Yield the ids of what *it* superseded: that stays so, and is named without a word."""
        for target in it.supersedes:
            named = [r for r in self.store.index.named(target) if r.type in {"memory", "tombstone"}]
            yield from (r.id for r in named if r.id)

    # --- whose words they are -----------------------------------------------------------------

    @cached_property
    def texts(self) -> list[str]:
        """All that is to be forgotten."""
        return [t for r in self.gone for t in target_texts.texts(self.store, r)]

    @cached_property
    def first(self) -> DistinctiveWords:
        """What gives it away, whoever else says it."""
        return redaction.distinctive_words(self.texts, self.targets)

    @cached_property
    def raw(self) -> DistinctiveWords:
        """What no raw memory that stays says, no turn, and no page of the vault itself."""
        return self.first.is_kept_by(self._raw_texts())

    @cached_property
    def ours(self) -> DistinctiveWords:
        """What people's own notes do not say either; words in a row are ours, all the same."""
        own = (self._as_it_shall_be(r) for r in self.store.index.each() if self._is_a_persons(r))
        return self.raw.has_words_kept_by(
            f"{r.title}\n{r.facts}\n{redaction.own(r.body)}" for r in own if r
        )

    def _as_it_shall_be(self, record: Record) -> Record | None:
        change = self.changes.get(record.path)
        if change is None:
            return record
        return reader.record(record.path, files.content(change.new)) if change.new else None

    def _raw_texts(self) -> Iterator[str]:
        for record in self.store.index.records(Filter(type="memory")):
            if record.path not in self.paths:
                yield f"{record.speaker}\n{record.body}"
        pages = SCAFFOLDING - {memory_index.PATH, tasks.BOARD}
        for path in (*sorted(pages), CONFIG):
            yield (self.store.read(path) or b"").decode("utf-8", "replace")
        for each in self.sessions:
            yield transcripts.words(each.new)
        changed = {each.path for each in self.sessions}
        for found in transcripts.transcript_files(self.store.root):
            if found.path not in changed:
                yield transcripts.words(self.store.read(found.path) or b"")

    def _is_a_persons(self, record: Record) -> bool:
        if record.path in self.paths or record.type in {*_DERIVED, "memory", "tombstone", "config"}:
            return False
        return not _is_made(record) and not record.path.startswith(_OURS)

    # --- turns and episodes -------------------------------------------------------------------

    @cached_property
    def sessions(self) -> tuple[RedactedTranscript, ...]:
        """The transcripts that hold it, as they are and as they shall be."""
        return redacted_transcripts.redacted(self.store, self.gone, self.first)

    def _rewrite_episodes(self, it: RedactedTranscript) -> None:
        before, after = it.old.split(b"\n"), it.new.split(b"\n")
        hit = {n for n, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b}
        for episode in self.store.index.records(Filter(type="episode")):
            span = range(episode.turn_start, episode.turn_end + 1)
            if redacted_transcripts.is_of(episode, it.transcript) and hit.intersection(span):
                self._rewrite_episode(episode, it)

    def _rewrite_episode(self, old: Record, it: RedactedTranscript) -> None:
        turns = it.turns[old.turn_start - 1 : old.turn_end]
        transcript = it.transcript
        others = trusted_words.beside(self.store, transcript)
        of = material.of(it.turns, old.turn_start, old.turn_end, others=others)
        both = (
            (told, t) for told, t in zip(of.turns, turns, strict=True) if t.origin != folding.ENDED
        )
        kept = tuple(told for told, t in both if t.content != redaction.MARK) or of.turns[:1]
        later = tuple(it.turns[old.turn_end : old.turn_end + LATER])
        task = FoldTask(kept, old.turn_start, transcript.session, transcript.agent, later=later)
        made = self.ask.episode(task)
        data = self._data(old.path)
        self.rewritten.add(old.path)
        if old.path not in self.paths and not self.ours.says(f"{old.title}\n{old.stem}"):
            change = folding.again(old, data, made, self.now, of.trust)
            self._put(old.path, data, change.new, _WHY)
            return
        stretch = Stretch(old.turn_start, turns)
        source = Source(transcript.agent, transcript.session, transcript.path, stretch, of.trust)
        number = int(old.stem.split("-")[1]) if old.stem[8:12].isdecimal() else 0
        new_id = self.store.mint() if old.path in self.paths else old.id
        change = folding.episode(source, made, number, (new_id, self.now))
        text = change.new or b""
        self.rewritten.add(change.path)
        if old.distilled:
            doc = frontmatter.parse(frontmatter.decode(text))
            doc = frontmatter.update(doc, {"distilled": old.distilled})
            text = frontmatter.render(doc).encode()
        if change.path == old.path:
            self.changes[old.path] = Change(old.path, data, text, _WHY)
            return
        self._put(old.path, data, None, _WHY)
        self._put(change.path, None, text, _WHY)

    # --- summaries ----------------------------------------------------------------------------

    def _rewrite_summaries(self, agent: str) -> None:
        """Write the summaries that tell of it again, and the long-term one anew from all it took.

        The cascade lets the offline summarizer's long-term text stand and takes lines out of it:
        without a model's name it is written from the beginning.
        """
        past, config = compaction_runner.past(self.store, agent), self.store.config()
        touched = self.targets | {m.stem for m in past.memories if m.path in self.changes}
        if not any(touched.intersection(r.sources) for r in past.recents):
            return
        left = replace(
            past,
            memories=tuple(self._left(m) for m in past.memories if m.path not in self.paths),
            longterm=replace(past.longterm, model="") if past.longterm else None,
        )
        store = self.store
        means = Dependencies(self.ask.summarize, store.mint, self.now, store.read, self._load)
        due = compaction.stale(left, self.targets)
        for change in compaction.propose(left, due, means, config).changes:
            self._put(change.path, change.old, _unless_idle(change), change.reason)

    def _left(self, memory: Member) -> Member:
        """Return *memory* with the sha that its file will have."""
        change = self.changes.get(memory.path)
        new = change.new if change else None
        return memory._replace(sha=files.content(new).sha) if new else memory

    def _load(self, path: str, sha: str) -> Record | None:
        """Return the record of a file with its text, which no link is part of, as of that *sha*."""
        found = self.store.now_at(path, sha)
        return replace(found, sha=sha) if found and path in self.changes else found

    # --- cards --------------------------------------------------------------------------------

    def _clean_cards(self) -> None:
        """Take the program's facts out of cards; a card that cannot be edited is a person's."""
        for record in self.store.index.records(Filter(type="card")):
            if record.path not in self.paths and not record.problem:
                with contextlib.suppress(Refused, Unreadable):
                    self._clean_card(record)

    def _clean_card(self, record: Record) -> None:
        old = self._data(record.path)
        it = card_redaction.CardRedaction(
            parser.read(record.path, old), self.first, self.raw,
            self.texts, list(self._stays(record)),
            is_linked=bool(self.targets.intersection(record.sources)),
            moments=frozenset(r.created for r in self.gone),
        )  # fmt: skip
        new = card_redaction.without(it, old, self.now)
        if new is None:
            self._put(record.path, old, None, "nothing is left of it")
        elif it.is_linked:
            doc = frontmatter.parse(frontmatter.decode(new))
            changed = frontmatter.update(doc, self._unlinked(doc))
            self._put(record.path, old, frontmatter.render(changed).encode(), _WHY)
        else:
            self._put(record.path, old, new, _WHY)

    def _stays(self, record: Record) -> Iterator[str]:
        """Yield the texts of the card's sources that stay."""
        for target in dict.fromkeys(record.sources):
            if target not in self.targets:
                yield from (r.body for r in self.store.index.named(target) if r.type == "memory")

    # --- topics, compacts, and whatever else is ours ------------------------------------------

    def _clean(self, record: Record) -> None:
        if record.path in self.changes or record.problem or record.type == "tombstone":
            return
        if record.type == "topic":
            self._clean_topic(record)
        elif record.type == "episode" and record.outcome:
            self._clean_experience(record)
        elif record.tier == "session" and self.ours.says(record.body + record.description):
            self._rewrite(record, redaction.without(record.body, self.ours.says))
        elif record.path.startswith(_OURS):
            data = self._data(record.path)
            self._put(record.path, data, redaction.note(data, self.ours), _WHY)
        elif self.targets.intersection(record.sources) and record.type not in _DERIVED:
            self._rewrite(record, None)
        elif record.type == "note":
            self._clean_answers(record)

    def _clean_experience(self, record: Record) -> None:
        old = self._data(record.path)
        new = experience_redaction.without(record, old, self.first.repeats)
        self._put(record.path, old, new, _WHY)

    def _rename_links(self, record: Record) -> bool:
        """Let a correction name by its id what is forgotten; tell whether it had to.

        We name by id from the start. A person may have linked to the file, whose name holds words:
        the one exception to "a raw memory is never rewritten".
        """
        named = self.targets.intersection(record.supersedes)
        if record.path in self.paths or record.problem or not named:
            return False
        ids = {name: r.id for r in self.gone for name in (r.stem, r.path.removesuffix(".md"))}
        names = [ids.get(target) or _link(target) for target in record.supersedes]
        data = self._data(record.path)
        doc = frontmatter.update(frontmatter.parse(frontmatter.decode(data)), {"supersedes": names})
        self._put(record.path, data, frontmatter.render(doc).encode(), _WHY)
        return True

    def _clean_answers(self, record: Record) -> None:
        """Take out of a person's note what we answered there."""
        data = self._data(record.path)
        text = data.decode("utf-8", "surrogateescape")
        masked = redaction.answers(text, self._gives_away)
        self._put(record.path, data, masked.encode("utf-8", "surrogateescape"), _WHY)

    def _clean_topic(self, record: Record) -> None:
        before = markdown.read_topic(record.body, record.stem, record.title, record.description)
        made = _is_made(record)
        says = self._no_longer_says if made else lambda _: False
        after = topic_redaction.without(before, self.targets, says)
        body = markdown.update_topic(record.body, before, after)
        if made:
            body = redaction.without(body, says)
            left = (after.facts, after.decisions, after.eliminated, after.patterns)
            if after != before and not any(left):
                self._put(record.path, self._data(record.path), None, "nothing is left of it")
                return
        stays = not self.targets.intersection(record.sources) and not says(record.description)
        if body != record.body or not stays:
            self._rewrite(record, body)

    def _no_longer_says(self, text: str) -> bool:
        return self.ours.says(text) or self.refusing.of(text) is not None

    def _rewrite(self, record: Record, body: str | None) -> None:
        """Change of a file its body, the sources that are gone, and what our own lines were."""
        data = self._data(record.path)
        doc = frontmatter.parse(frontmatter.decode(data))
        head: dict[str, Field | None] = {}
        if self.targets.intersection(record.sources):
            head |= self._unlinked(doc)
        if body is not None and self.ours.says(record.description):
            head["description"] = first_line(body.lstrip("# "), _HOOK) or None
        if body is not None and record.written:
            known = set(record.written.split())
            digests = human_lines.written(body).split()
            head["written"] = " ".join(d for d in digests if d in known)
        changed = frontmatter.update(doc, head, body, reader.most_frontmatter(record.path))
        self._put(record.path, data, frontmatter.render(changed).encode(), _WHY)

    def _unlinked(self, doc: Document) -> dict[str, Field | None]:
        links = frontmatter.fields(doc).get("sources", ())
        every = [links] if isinstance(links, str) else map(str, links)
        return {"sources": [x for x in every if reader.link_target(x) not in self.targets]}

    def _clean_shrunk(self) -> None:
        for agent in files.names(self.store.root, "agents"):
            for path in self._kept_messages(agent):
                if path.endswith(".jsonl"):
                    data = self.store.read(path) or b""
                    self._put(path, data, redaction.spoken(data, self._is_hidden_in(path)), _WHY)

    def _kept_messages(self, agent: str) -> Iterator[str]:
        """Yield the files in which messages are kept for programs, beside the transcripts."""
        for folder in (f"agents/{agent}/sessions/shrunk", f"agents/{agent}/{item_logs.FOLDER}"):
            yield from (f"{folder}/{name}" for name in files.names(self.store.root, folder))

    def _is_hidden_in(self, path: str) -> Callable[[str], bool]:
        meant = (r for r in self.gone if r.type == ITEM and r.path.partition(":")[0] == path)
        told = {text for r in meant for text in logged_items.texts(self.store, r)}
        return lambda text: text in told or self._gives_away(text)

    def _gives_away(self, text: str) -> bool:
        return self.first.repeats(text) or self.ours.says(text)

    # --- what a person shall look at ----------------------------------------------------------

    def _mentions(self, changes: Sequence[Change | Append]) -> Iterator[str]:
        """Yield the files that stay and still say it: they are people's, or other memories."""
        made = {c.path: c.new for c in changes if isinstance(c, Change)}
        for path in sorted({*files.listing(self.store.root).files, *made}):
            data = made[path] if path in made else self.store.read(path)
            if data is None or path.startswith("tombstones/"):
                continue
            text = data.decode("utf-8", "replace")
            if own := _OWN_TEXT.get(path):  # what it lists is told of in its own file
                text = own(text)
            text = starter_files.lines_beside(path, text)
            is_made = path in self.rewritten  # of turns that stay, and in our own words
            if self.first.repeats(text) or (self.raw.says(text) and not is_made):
                yield path

    # --- both ---------------------------------------------------------------------------------

    def _put(self, path: str, old: bytes | None, new: bytes | None, why: str) -> None:
        change = Change(path, old, new, why)
        # What a person wrote around it that is not public stays as it is, and is a mention.
        if old != new and path not in self.changes and self.store.can(change):
            self.changes[path] = change

    def _data(self, path: str) -> bytes:
        return self.store.read(path) or b""


def _is_made(record: Record) -> bool:
    """Tell whether the program wrote a file: who wrote it says so."""
    return bool(record.model or record.prompt) or record.source in {"agent", "dream"}


def _unless_idle(change: Change) -> bytes | None:
    """Return the new file; None for a long-term summary that has nothing left to tell of."""
    if change.new is None or PurePosixPath(change.path).name != "longterm.md":
        return change.new
    made = reader.record(change.path, files.content(change.new))
    return change.new if made.sources or human_lines.split(made)[0].strip() else None


def _link(target: str) -> str:
    return target if _ID.fullmatch(target) else f"[[{target}]]"


def _counted(gone: Sequence[Record]) -> str:
    kinds = {r.type for r in gone}
    noun = kinds.pop() if len(kinds) == 1 else "note"
    if len(gone) == 1:
        return f"1 {noun}"
    return f"{len(gone)} {noun[:-1]}ies" if noun.endswith("y") else f"{len(gone)} {noun}s"
