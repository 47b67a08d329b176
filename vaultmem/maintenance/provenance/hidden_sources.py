"""Find the lines that their own sources do not bear out any more, as these may be shown now.

Who marks a part of a memory or a turn as private hides what was made of it before: a fact of a
card, a line of a topic, an episode or a summary. What another source says of something else does
not save it; another of its own that says it does. So it is with what somebody forgets.
"""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from vaultmem.documents import frontmatter, note_answers, public_text
from vaultmem.documents.bodies import markdown
from vaultmem.documents.markdown import outline
from vaultmem.errors import BadInput, DiskRefused, Refused, Unreadable
from vaultmem.knowledge.cards import parser
from vaultmem.knowledge.cards.parser import Card
from vaultmem.maintenance.dream.link_graph import proofs
from vaultmem.maintenance.provenance import borne_out, card_claims, sources, support
from vaultmem.maintenance.provenance.borne_out import Whose
from vaultmem.maintenance.provenance.card_claims import CardFact
from vaultmem.maintenance.provenance.changed_lines import (
    TITLED,
    TOLD_OTHERWISE,
    ChangedLine,
    by_keys,
    is_line_lost,
)
from vaultmem.maintenance.provenance.quoted_lines import Told
from vaultmem.maintenance.provenance.shown_sources import (
    ChangedFiles,
    Source,
    Sources,
    Transcripts,
    own_bytes,
    passage_of,
    same,
    unmarked,
)
from vaultmem.maintenance.provenance.support import Heard
from vaultmem.memory.compaction import human_lines
from vaultmem.nlp.tasks import Passage
from vaultmem.records import LISTS, SUMMARIES, Record, is_trusted
from vaultmem.storage import (
    files,
    hidden_texts,
    reader,
    transcript_files,
    withheld_lines,
)
from vaultmem.storage.hidden_words import HiddenWords
from vaultmem.storage.index import Filter, marked_files
from vaultmem.storage.store import Store

_WHO = ("person", "relationship")
_SNIPPET = f"{note_answers.LEAD} "
"""What a line of an answer begins with that says what the file has which is named above."""
_CHANGED = re.compile(r"  \+\+\+ b/(?P<path>cards/.+\.md)")


def unborne(store: Store, hidden: HiddenWords) -> dict[str, frozenset[str]]:
    """Return the lines that no source bears out any more, by paths, each by its digest.

    *hidden* are the words that nobody is shown, whatever file says them.
    """
    judge = _Judge(store, hidden, _marked(store))
    notes = (p for p, _ in marked_files.resting(store.index, (), ()) if p not in LISTS)
    return judge.lines((*sorted(LISTS), *notes))


def _marked(store: Store) -> ChangedFiles:
    """Return what says less since a part of it was marked."""
    index = store.index
    marked = frozenset((*marked_files.notes(index), *marked_files.talks(index)))

    def now(path: str) -> bytes:
        own = own_bytes(store, path)
        return own if transcript_files.holds(path) else public_text.public(path, own)

    return ChangedFiles(marked, lambda path: unmarked(own_bytes(store, path)), now)


def told_unmarked(store: Store, hidden: HiddenWords) -> Told:
    """Return what knows what sources said before anything in them was marked."""
    return _Judge(store, hidden, _marked(store)).told_before


def bereft(store: Store, changed: ChangedFiles) -> dict[str, frozenset[str]]:
    """Return the lines that no source bears out once files are *changed*, as `unborne` does."""
    return _Judge(store, hidden_texts.known(store.index), changed).lines()


def told_before(store: Store, changed: ChangedFiles) -> Told:
    """Return what knows what sources said before files were *changed*."""
    return _Judge(store, hidden_texts.known(store.index), changed).told_before


@dataclass
class _Judge:
    """Judges what rests on *changed* files, and what rests on that, level by level."""

    store: Store
    hidden: HiddenWords
    changed: ChangedFiles
    found: dict[str, frozenset[str]] = field(default_factory=dict)

    def lines(self, listing: Iterable[str] = ()) -> dict[str, frozenset[str]]:
        """Return the lines that are not borne out, of what is *listing* files among them."""
        below: Collection[str] = self.changed.paths
        seen: set[str] = set()
        while due := [p for p in self._resting(below) if p not in seen]:
            seen.update(due)
            for path in due:
                self._judge(path)
            below = [p for p in due if p in self.changed.retold or self._tells_less(p)]
        for path in listing:
            self._judge(path)
        return self.found

    def _resting(self, paths: Collection[str]) -> list[str]:
        """Return what names one of *paths* among its sources, and long-term summaries above them.

        These name the newest of their sources alone.
        """
        if not paths:
            return []
        index = self.store.index
        found = [r.path for r in index.citing(hidden_texts.names(paths))]
        agents = {reader.agent_of(p) for p in paths if "/summaries/recent-" in p}
        each = (index.each(Filter(type="summary", agent=agent)) for agent in sorted(agents))
        return [*found, *(r.path for r in chain.from_iterable(each) if r.tier == "longterm")]

    def _judge(self, path: str) -> None:
        with contextlib.suppress(Unreadable, BadInput, Refused, DiskRefused):
            public = public_text.public(path, self._own(path))
            if withheld_lines.has_made(path, public):
                text = public.decode("utf-8", "surrogateescape")
                lost = frozenset(map(withheld_lines.digest, self._lost(path, public, text)))
                if lost:
                    self.found[path] = lost

    def _lost(self, path: str, public: bytes, text: str) -> Iterator[str]:
        """Yield the lines of *text* that are not borne out."""
        is_note = not withheld_lines.is_made(path, public)
        if path in LISTS or path.startswith(files.DREAMS) or is_note:
            yield from self._of_links(path, text)
            return
        record = reader.record(path, files.content(public))
        if record.type == "card":
            yield from self._of_card(parser.read(path, public), text)
        elif not record.outcome:  # an experience is what was said of a task
            yield from self._of_note(record, text)

    # --- by kind ------------------------------------------------------------------------------

    def _of_links(self, path: str, text: str) -> Iterator[str]:
        """Yield the lines of a list, a dream's changes, or our answers, by what they link to."""
        for part in _parts(path, text):
            links = chain.from_iterable(map(proofs, part))
            cited = [(link.target.removesuffix(".md").lstrip("/"),) for link in links]
            if rests := self._of(cited):
                yield from (
                    line for line in part if borne_out.is_lost(withheld_lines.unlinked(line), rests)
                )
                if found := next(filter(None, map(_CHANGED.match, part)), None):
                    yield from self._of_change(found["path"], part, rests)

    def _of_change(self, path: str, part: Sequence[str], rests: Sources) -> Iterator[str]:
        """Yield the lines of a dream's change of the card at *path* that its sources hide."""
        shown = [ChangedLine.of(line, each) for line, each in by_keys(part)]
        record = next(iter(self.store.index.at([path])), None)
        said = {it.name: it.value for it in shown if it.name in _WHO}
        person = said.get("person", record.person if record else "")
        relationship = said.get("relationship", record.relationship if record else "")
        whose = self._whose(person, relationship)
        cited = sources.cited(record, "") if record else ()
        every = [*rests, *self._of(cited)]
        told = [it for it in shown if it.is_fact]
        lost = [it for it in told if is_line_lost(whose, it, every)]
        yield from (it.line for it in lost)
        left = {it.name for it in told if it not in lost}
        gone = {it.name for it in lost} - left
        yield from (it.line for it in shown if it.field in gone)

    def _of_card(self, card: Card, text: str) -> Iterator[str]:
        names, known = sources.resolved(self.store, sources.cited(card.record, ""))
        every = self._of_names(names, known)
        if not any(source.is_marked for source in every):
            return
        whose = self._whose(card.record.person, card.record.relationship)
        above = card.doc.opening.count("\n")
        for number, line in list(enumerate(text.splitlines(), 1))[above:]:
            name = card_claims.field_at(card, number)
            fact = card_claims.fact_of(card, number)
            if name in TITLED or fact is None or name == "backstory":
                said = _said(name, line)
                if _may_say(name, line) and borne_out.is_lost(
                    said, borne_out.said_by_voices(said, every)
                ):
                    yield line
            elif fact.grows:
                said = withheld_lines.item(line)
                if said and borne_out.is_item_lost(whose, name, said, every):
                    yield line
            elif name not in TOLD_OTHERWISE and fact.said and fact.at:
                own = self._of_moment(fact, names, known)
                value = str(card.attributes[name])
                is_hidden = value != withheld_lines.INSTEAD and borne_out.is_fact_lost(
                    fact.said, own
                )
                if is_hidden and not borne_out.states(whose, name, value, every):
                    yield line

    def _whose(self, person: str, relationship: str) -> Whose:
        return Whose(person, relationship, self.store.config().owner)

    def _of_moment(self, fact: CardFact, names: Sequence[str], known: dict[str, Record]) -> Sources:
        """Return what a *fact* was drawn from: the memories and turns of its moment."""
        drawn = [name for name in fact.drawn(names, known) if name in known]
        return [*self._of_names(drawn, known), *self._turns_of(names, fact.at)]

    def _of_note(self, record: Record, text: str) -> Iterator[str]:
        told = self._told_of(record)
        every = self._of(sources.cited(record, "")) if told is None else told
        if record.tier == "longterm":
            every = [*every, *self._of_records(r for _, r in sources.counted(self.store, record))]
        head = record.body_line - 1
        for number, line in enumerate(text.splitlines()):
            bare = line[len(outline.lead(line)) :]
            if number < head:
                found = frontmatter.KEY_LINE.match(line)
                name = found["key"] if found else ""
                if name in TITLED and self._is_lost(_said(name, line), every):
                    yield line
            elif line.strip() and not (record.tier == "session" and markdown.tells_turn(line)):
                own = self._of(sources.cited(record, line)) if any(proofs(line)) else every
                if self._is_lost(sources.without_proofs(bare), own):
                    yield line

    def _is_lost(self, said: str, rests: Sources) -> bool:
        """Tell whether *rests* bore out a clause of *said*, and do no longer."""
        return any(
            borne_out.is_lost(clause, rests)
            and any(support.share_heard(clause, it.full) >= self.changed.least for it in rests)
            for clause in said.split("; ")
        )

    def _told_of(self, record: Record) -> Sources | None:
        """Return the turns that an episode tells of; None for what is no episode."""
        if record.type != "episode":
            return None
        first, last = sources.first_turn(record), record.turn_end
        return self._turns(sources.path_of(record))[first - 1 : last or None]

    # --- sources ------------------------------------------------------------------------------

    def told_before(self, cited: Iterable[sources.Cited]) -> list[Passage]:
        """Return what the sources that are *cited* said, but for a person's lines in a summary."""
        names, known = sources.resolved(self.store, cited)
        ours = {
            name: replace(it, body=human_lines.split(it)[1]) if it.type in SUMMARIES else it
            for name, it in known.items()
        }
        every = self._of_names(names, ours)
        return [*chain.from_iterable(it.full.passages for it in every)]

    def _of(self, cited: Iterable[sources.Cited]) -> Sources:
        return self._of_names(*sources.resolved(self.store, cited))

    def _of_names(self, names: Sequence[str], known: dict[str, Record]) -> Sources:
        others = [name for name in names if name not in known]
        gone = (self.changed.gone[name] for name in others if name in self.changed.gone)
        return [
            *self._of_records(known.values()),
            *(Source(Heard((passage_of(it),)), Heard(()), is_trusted(it)) for it in gone),
            *chain.from_iterable(map(self._turns, others)),
        ]

    def _of_records(self, records: Iterable[Record]) -> Sources:
        return [*chain.from_iterable(map(self._sources, records))]

    def _sources(self, record: Record) -> Iterator[Source]:
        """Yield what *record* says, and the turns that it tells of."""
        path = record.path
        if path in self.changed.paths:
            yield self._source(record, self.changed.before(path))
        elif record.withheld or path in self.found:
            yield self._source(record, self._own(path))
        else:
            yield same(passage_of(record))._replace(is_own=is_trusted(record))
        yield from self._told_of(record) or ()

    def _own(self, path: str) -> bytes:
        return own_bytes(self.store, path)

    def _source(self, record: Record, full: bytes) -> Source:
        before, now = (
            Heard((passage_of(reader.record(record.path, files.content(data))),) if data else ())
            for data in (full, self._told(record.path))
        )
        return Source(before, now, is_trusted(record))

    def _told(self, path: str) -> bytes:
        """Return what is told of the file at *path*, as far as was judged."""
        own = self._own(path)
        is_changed = path in self.changed.paths
        public = self.changed.now(path) if is_changed else public_text.public(path, own)
        return withheld_lines.told(path, public, self.hidden, own, self.found.get(path, ()))

    def _tells_less(self, path: str) -> bool:
        own = self._own(path)
        return self._told(path) != public_text.public(path, own)

    def _turns_of(self, names: Sequence[str], at: str) -> Iterator[Source]:
        for turn in chain.from_iterable(map(self._turns, names)):
            if turn.public.passages[0].created == at:
                yield turn

    def _turns(self, path: str) -> Sources:
        return self._transcripts[path] if transcript_files.holds(path) else ()

    @cached_property
    def _transcripts(self) -> Transcripts:
        return Transcripts(self.store, self.changed)


def _parts(path: str, text: str) -> Iterator[list[str]]:
    """Yield the lines that name their sources together.

    Of a dream those of one change, of our answers in a note those of one hit.
    """
    if path in LISTS:
        yield from ([line] for line in text.splitlines())
        return
    if path.startswith(files.DREAMS):
        yield from _begun(text.splitlines(), lambda line: line.startswith("- ["))
        return
    ours = [line for line, is_ours in note_answers.lines(text) if is_ours]
    yield from _begun(ours, lambda line: not line.startswith(_SNIPPET))


def _begun(lines: Iterable[str], begins: Callable[[str], bool]) -> Iterator[list[str]]:
    """Yield *lines* in parts, each with the line that *begins* it."""
    parts: dict[int, list[str]] = defaultdict(list)
    for line in lines:
        parts[len(parts) + (begins(line) or not parts)].append(line)
    yield from parts.values()


def _may_say(name: str, line: str) -> bool:
    """Tell whether *line*, of the property *name* of a card, says something of its person."""
    return bool(line.strip()) and name not in withheld_lines.NOTED | {"person", "relationship", ""}


def _said(name: str, line: str) -> str:
    """Return what *line* says of the property *name*; of the text below the facts, what it says."""
    found = frontmatter.KEY_LINE.match(line)
    plain = line[found.end() :] if found and name != "backstory" else line
    return plain if name in {*TITLED, "backstory"} else f"{name} {plain}"
