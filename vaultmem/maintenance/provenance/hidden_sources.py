"""Find the lines that their own sources do not bear out any more, as these may be shown now.

Who marks a part of a memory or a turn as private hides what was made of it before: a fact of a
card, a line of a topic, an episode or a summary. What another source says of something else does
not save it; another of its own that says it does.
"""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Self

from vaultmem.documents import frontmatter, public_text, secrets
from vaultmem.documents.bodies import Claim
from vaultmem.documents.markdown import outline
from vaultmem.errors import BadInput, DiskRefused, Refused, Unreadable
from vaultmem.knowledge.cards import parser, persons
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.types import OWN
from vaultmem.maintenance.dream.link_graph import proofs
from vaultmem.maintenance.provenance import card_claims, sources, support
from vaultmem.maintenance.provenance.card_claims import CardFact
from vaultmem.maintenance.provenance.support import Heard
from vaultmem.nlp.extraction.grammar import relations
from vaultmem.nlp.extraction.grammar.relations import Person
from vaultmem.nlp.extraction.personal_facts import claims
from vaultmem.nlp.tasks import ClaimsTask, Passage, Utterance
from vaultmem.nlp.text import analysis, salience
from vaultmem.records import LISTS, Record, is_trusted
from vaultmem.storage import files, hidden_texts, reader, transcripts, withheld_lines
from vaultmem.storage.hidden_words import HiddenWords
from vaultmem.storage.index import Filter, marked_files
from vaultmem.storage.store import Store

_TITLED = ("title", "description")
_OWN = frozenset(OWN) - {"relationship"}
_WHO = ("person", "relationship")
_DREAMS = "inbox/dream-"
_PATCH = re.compile(r"  [-+ ]")
_CHANGED = re.compile(r"  \+\+\+ b/(?P<path>cards/.+\.md)")
_VOICES = frozenset({"user", "assistant"})


class _Source(NamedTuple):
    """What a source said before it hid anything, and what it may be shown to say."""

    full: Heard
    public: Heard
    is_own: bool = True
    """Whether a person or an agent says it: a tool's words bear nothing out."""

    @property
    def is_marked(self) -> bool:
        """Whether it hides something."""
        return self.full is not self.public

    def tells_less(self, said: str) -> bool:
        """Tell whether words of *said* are among what it hides."""
        return self.is_marked and _share(said, self.public) < _share(said, self.full)


Sources = Sequence[_Source]


class _Whose(NamedTuple):
    """On whose card a fact stands, in the vault of *owner*, "" for nobody's."""

    person: str
    relationship: str
    owner: str

    @property
    def spoke(self) -> bool:
        """Whether it is who said of themselves what stands there."""
        return self.relationship in {persons.SELF, persons.SPEAKER}

    def is_named_in(self, text: str) -> bool:
        """Tell whether *text* names them."""
        return self.person.casefold() in text.casefold()

    def is_of(self, claim: Claim) -> bool:
        """Tell whether *claim*, as it is placed on cards, is of them."""
        if claim.person.casefold() != self.person.casefold():
            return False
        if self.spoke or persons.is_speaker(claim):
            return self.spoke and persons.is_speaker(claim)
        its, mine = (_relation(it) for it in (claim.relationship, self.relationship))
        return not its[1] or its == mine


def _relation(relationship: str) -> tuple[str, str]:
    """Return whose relation it is, and which in English."""
    which = relations.in_english(persons.relation(relationship).casefold())
    return persons.whose(relationship).casefold(), which


def unborne(store: Store, hidden: HiddenWords) -> dict[str, frozenset[str]]:
    """Return the lines that no source bears out any more, by paths, each by its digest.

    *hidden* are the words that nobody is shown, whatever file says them.
    """
    return _Judge(store, hidden).lines()


@dataclass
class _Judge:
    """Judges what rests on files that hide something, and what rests on that, level by level."""

    store: Store
    hidden: HiddenWords
    found: dict[str, frozenset[str]] = field(default_factory=dict)

    def lines(self) -> dict[str, frozenset[str]]:
        """Return the lines that are not borne out."""
        below: Collection[str] = self._marked
        seen: set[str] = set()
        while due := [p for p in self._resting(below) if p not in seen]:
            seen.update(due)
            for path in due:
                self._judge(path)
            below = [path for path in due if self._tells_less(path)]
        for path in (*sorted(LISTS), *self._dreams):
            self._judge(path)
        return self.found

    @cached_property
    def _marked(self) -> frozenset[str]:
        index = self.store.index
        return frozenset((*marked_files.notes(index), *marked_files.talks(index)))

    @cached_property
    def _dreams(self) -> list[str]:
        return [p for p, _ in marked_files.resting(self.store.index, (), ()) if p not in LISTS]

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
            if withheld_lines.is_made(path, public):
                text = public.decode("utf-8", "surrogateescape")
                lost = frozenset(map(withheld_lines.digest, self._lost(path, public, text)))
                if lost:
                    self.found[path] = lost

    def _lost(self, path: str, public: bytes, text: str) -> Iterator[str]:
        """Yield the lines of *text* that are not borne out."""
        if path in LISTS or path.startswith(_DREAMS):
            yield from self._of_links(path, text)
            return
        record = reader.record(path, files.content(public))
        if record.type == "card":
            yield from self._of_card(parser.read(path, public), text)
        elif not record.outcome:  # an experience is what was said of a task
            yield from self._of_note(record, text)

    # --- by kind ------------------------------------------------------------------------------

    def _of_links(self, path: str, text: str) -> Iterator[str]:
        """Yield the lines of a list, or of a dream's changes, by the files that they link to."""
        for part in _parts(path, text):
            links = chain.from_iterable(map(proofs, part))
            cited = [(link.target.removesuffix(".md").lstrip("/"),) for link in links]
            if rests := self._of(cited):
                yield from (line for line in part if _is_lost(withheld_lines.unlinked(line), rests))
                if found := next(filter(None, map(_CHANGED.match, part)), None):
                    yield from self._of_change(found["path"], part, rests)

    def _of_change(self, path: str, part: Sequence[str], rests: Sources) -> Iterator[str]:
        """Yield the lines of a dream's change of the card at *path* that its sources hide."""
        shown = [_Shown.of(line, each) for line, each in _by_keys(part)]
        record = next(iter(self.store.index.at([path])), None)
        said = {it.name: it.value for it in shown if it.name in _WHO}
        person = said.get("person", record.person if record else "")
        relationship = said.get("relationship", record.relationship if record else "")
        whose = self._whose(person, relationship)
        cited = sources.cited(record, "") if record else ()
        every = [*rests, *self._of(cited)]
        told = [it for it in shown if it.is_fact]
        lost = [it for it in told if _is_shown_lost(whose, it, every)]
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
            if name in _TITLED or fact is None or name == "backstory":
                said = _said(name, line)
                if _may_say(name, line) and _is_lost(said, _of_voices(said, every)):
                    yield line
            elif fact.grows:
                said = withheld_lines.item(line)
                if said and _is_item_lost(whose, name, said, every):
                    yield line
            elif name not in _OWN and fact.said and fact.at:
                own = self._of_moment(fact, names, known)
                value = str(card.attributes[name])
                is_lost = value != withheld_lines.INSTEAD and _is_fact_lost(fact.said, own)
                if is_lost and not _states(whose, name, value, every):
                    yield line

    def _whose(self, person: str, relationship: str) -> _Whose:
        return _Whose(person, relationship, self.store.config().owner)

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
                if name in _TITLED and _is_lost(_said(name, line), every):
                    yield line
            elif line.strip():
                own = self._of(sources.cited(record, line)) if any(proofs(line)) else every
                if _is_lost(sources.without_proofs(bare), own):
                    yield line

    def _told_of(self, record: Record) -> Sources | None:
        """Return the turns that an episode tells of; None for what is no episode."""
        if record.type != "episode":
            return None
        first, last = sources.first_turn(record), record.turn_end
        return self._turns(sources.path_of(record))[first - 1 : last or None]

    # --- sources ------------------------------------------------------------------------------

    def _of(self, cited: Iterable[sources.Cited]) -> Sources:
        return self._of_names(*sources.resolved(self.store, cited))

    def _of_names(self, names: Sequence[str], known: dict[str, Record]) -> Sources:
        talks = (self._turns(name) for name in names if name not in known)
        return [*self._of_records(known.values()), *chain.from_iterable(talks)]

    def _of_records(self, records: Iterable[Record]) -> Sources:
        return [self._source(record) for record in records]

    def _source(self, record: Record) -> _Source:
        if record.path in self._marked:
            return self._changed(record, _unmarked(self._own(record.path)))
        if record.withheld or record.path in self.found:
            return self._changed(record, self._own(record.path))
        return _same(_passage(record))._replace(is_own=is_trusted(record))

    def _own(self, path: str) -> bytes:
        return _own(self.store, path)

    def _changed(self, record: Record, full: bytes) -> _Source:
        before = reader.record(record.path, files.content(full))
        now = reader.record(record.path, files.content(self._told(record.path)))
        heard = Heard((_passage(before),))
        return _Source(heard, Heard((_passage(now),)), is_trusted(record))

    def _told(self, path: str) -> bytes:
        """Return what is told of the file at *path*, as far as was judged."""
        own = self._own(path)
        public = public_text.public(path, own)
        if not withheld_lines.is_made(path, public):
            return public
        return withheld_lines.without(public, self.hidden, own, self.found.get(path, ()))

    def _tells_less(self, path: str) -> bool:
        own = self._own(path)
        return self._told(path) != public_text.public(path, own)

    def _turns_of(self, names: Sequence[str], at: str) -> Iterator[_Source]:
        for turn in chain.from_iterable(map(self._turns, names)):
            if turn.public.passages[0].created == at:
                yield turn

    def _turns(self, path: str) -> Sources:
        return self._transcripts[path] if transcripts.holds(path) else ()

    @cached_property
    def _transcripts(self) -> _Transcripts:
        return _Transcripts(self.store, self._marked)


class _Transcripts(dict[str, Sources]):
    """The turns of sessions, by the paths of their transcripts, each read once."""

    def __init__(self, store: Store, marked: Collection[str]) -> None:
        """Read those of *store*, of which *marked* hide something."""
        super().__init__()
        self._store, self._is_marked = store, frozenset(marked).__contains__

    def __missing__(self, path: str) -> Sources:
        """Read the transcript at *path*; one that is not there has no turns."""
        found = sources.transcript(self._store, path)
        turns = found.turns if found else ()
        now = [Passage(t.content, t.speaker or t.role, t.at) for t in turns]
        own = [t.role in _VOICES for t in turns]
        if self._is_marked(path):
            whole = transcripts.parse(path, _unmarked(_own(self._store, path))).turns
            before = [Passage(t.content, t.speaker or t.role, t.at) for t in whole]
            told = [_pair(*each) for each in zip(before, now, strict=False)]
        else:
            told = [_same(it) for it in now]
        paired = zip(told, own, strict=False)
        self[path] = [it._replace(is_own=is_own) for it, is_own in paired]
        return self[path]


# --- judged ---------------------------------------------------------------------------------------


def _is_lost(said: str, rests: Sources) -> bool:
    """Tell whether a clause of *said* stands on what its sources hide, and on nothing else."""
    if not any(source.is_marked for source in rests):
        return False
    return any(_is_clause_lost(clause, rests) for clause in said.split("; "))


def _is_clause_lost(said: str, rests: Sources) -> bool:
    if not any(source.tells_less(said) for source in rests):
        return False
    before = max(_share(said, source.full) for source in rests)
    now = max(_share(said, source.public) for source in rests)
    if now < before:
        return True
    all_now, all_before = (s.public for s in rests), (s.full for s in rests)
    return _share_of_all(said, all_now) < _share_of_all(said, all_before)


def _share_of_all(said: str, every: Iterable[Heard]) -> float:
    passages = chain.from_iterable(heard.passages for heard in every)
    return _share(said, Heard(tuple(passages)))


def _is_fact_lost(said: str, own: Sources) -> bool:
    """Tell whether what a fact was drawn from, *own*, says it no more."""
    if any(source.tells_less(said) for source in own):
        return True
    if not any(source.is_marked for source in own) or any(_share(said, s.full) for s in own):
        return False
    heard = Heard(tuple(chain.from_iterable(source.public.passages for source in own)))
    return not support.is_borne_out(said, heard)  # it is in words of its own


def _of_voices(said: str, every: Sources) -> Sources:
    """Return of *every* source what may bear out *said* of a card: statements of who hid it."""
    voices = {p.speaker for s in every if s.tells_less(said) for p in s.full.passages}
    return [
        source
        for source in every
        if source.is_marked
        or (source.is_own and any(_may_bear(p, voices) for p in source.public.passages))
    ]


def _may_bear(passage: Passage, voices: Collection[str]) -> bool:
    return passage.speaker in voices and any(_statements(passage))


def _states(whose: _Whose, name: str, value: str, every: Sources) -> bool:
    """Tell whether one of *every* source says in public that the fact *name* has this *value*."""
    told = chain.from_iterable(s.public.passages for s in every if s.is_own)
    return any(_says_fact(passage, whose, name, value) for passage in told)


def _is_item_lost(whose: _Whose, name: str, item: str, every: Sources) -> bool:
    """Tell whether an *item* of a list is said by what is hidden, and by no statement beside.

    No time tells what it was drawn from. Where nothing hidden states it in words that are known for
    that, another statement that has its words may be what it was drawn from.
    """
    less = [source for source in every if source.tells_less(item)]
    if not less or _states(whose, name, item, every):
        return False
    hidden = chain.from_iterable(source.full.passages for source in less)
    if any(_says_fact(passage, whose, name, item) for passage in hidden):
        return True
    told = chain.from_iterable(s.public.passages for s in every if s.is_own)
    return not any(support.share(item, x) == 1.0 for p in told for x in _statements(p))


def _says_fact(passage: Passage, whose: _Whose, name: str, value: str) -> bool:
    """Tell whether *passage* states of this very person that *name* is *value*."""
    if name == "relationship":
        return whose.is_named_in(passage.text) and _says_relation(passage, whose)
    if value.casefold() not in passage.text.casefold():
        return False
    said = f"{whose.person} {name.replace('_', ' ')} {value}"
    if any(support.share(said, one) == 1.0 for one in _statements(passage)):
        return True
    asked = (name.rpartition(".")[2], value.casefold())
    return any(
        whose.is_of(it) and (it.field, str(it.value).casefold()) == asked
        for it in _claims(passage, whose)
    )


def _says_relation(passage: Passage, whose: _Whose) -> bool:
    said = f"{whose.person} {persons.relation(whose.relationship)}"
    if any(support.share(said, one) == 1.0 for one in _statements(passage)):
        return True
    met = _Whose(whose.person, "", whose.owner)
    return any(it.relationship and whose.is_of(it) for it in _claims(passage, met))


def _claims(passage: Passage, whose: _Whose) -> Iterator[Claim]:
    """Yield what *passage* says on cards, by one who knows whose card is asked for."""
    its = whose.relationship
    known = [Person(whose.person, persons.relation(its))] if its and not whose.spoke else []
    speaker = persons.speaker(passage.speaker, whose.owner)
    task = ClaimsTask((Utterance(passage.text, speaker, at=passage.created),))
    for claim in claims.statements(task, known):
        yield from persons.placed(claim, whose.owner)


def _statements(passage: Passage) -> Iterator[str]:
    """Yield the sentences of *passage* that ask nothing."""
    each = analysis.sentences(passage.text)
    return (one for one in each if not salience.is_question(one))


def _share(said: str, heard: Heard) -> float:
    return support.share_heard(said, heard)


def _is_shown_lost(whose: _Whose, it: _Shown, every: Sources) -> bool:
    if it.name != "relationship":
        return _is_item_lost(whose, it.name, it.value, every)
    said = f"{whose.person} {persons.whose(it.value)} {persons.relation(it.value)}"
    return _is_fact_lost(said, every) and not _states(whose, it.name, it.value, every)


# --- texts ----------------------------------------------------------------------------------------


class _Shown(NamedTuple):
    """A *line* of a dream's change: below which key it stands, and what it gives that."""

    line: str
    name: str
    value: str

    @classmethod
    def of(cls, line: str, name: str) -> Self:
        """Take *line*, which stands at or below the key *name*."""
        patch = _PATCH.match(line)
        plain = line[patch.end() :] if patch else ""
        found = frontmatter.KEY_LINE.match(plain)
        value = plain[found.end() :].strip() if found else withheld_lines.item(plain)
        return cls(line, name, value.strip("\"'"))

    @property
    def is_fact(self) -> bool:
        """Whether it is one of a card that its sources tell."""
        noted = {*withheld_lines.NOTED, *_TITLED, *_OWN, ""}
        return bool(self.value) and self.value != withheld_lines.INSTEAD and self.name not in noted

    @property
    def field(self) -> str:
        """Which fact it names without its value: by a claim of it, or by a list's key."""
        if self.name == "claims":
            return self.value.partition(": ")[0]
        return "" if self.value else self.name


def _by_keys(part: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines of a change, each with the key of the frontmatter that it stands at."""
    name = ""
    for line in part:
        patch = _PATCH.match(line)
        plain = line[patch.end() :] if patch else ""
        if found := frontmatter.KEY_LINE.match(plain):
            name = found["key"]
        elif not withheld_lines.item(plain):
            name = ""
        yield line, name


def _parts(path: str, text: str) -> Iterator[list[str]]:
    """Yield the lines that name their sources together: of a dream those of one change."""
    if path in LISTS:
        yield from ([line] for line in text.splitlines())
        return
    parts: dict[int, list[str]] = defaultdict(list)
    for line in text.splitlines():
        parts[len(parts) + (line.startswith("- [") or not parts)].append(line)
    yield from parts.values()


def _may_say(name: str, line: str) -> bool:
    """Tell whether *line*, of the property *name* of a card, says something of its person."""
    return bool(line.strip()) and name not in withheld_lines.NOTED | {"person", "relationship", ""}


def _said(name: str, line: str) -> str:
    """Return what *line* says of the property *name*; of the text below the facts, what it says."""
    found = frontmatter.KEY_LINE.match(line)
    plain = line[found.end() :] if found and name != "backstory" else line
    return plain if name in {*_TITLED, "backstory"} else f"{name} {plain}"


def _own(store: Store, path: str) -> bytes:
    """Return the bytes of the file at *path*, none where it is gone or the system refuses."""
    with contextlib.suppress(DiskRefused, Refused):
        return store.own(path) or b""
    return b""


def _unmarked(data: bytes) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    return secrets.without_marks(text).encode("utf-8", "surrogateescape")


def _passage(source: Record) -> Passage:
    text = "\n".join(filter(None, (source.title, source.description, source.facts, source.body)))
    return Passage(text, source.speaker, source.created)


def _same(passage: Passage) -> _Source:
    heard = Heard((passage,))
    return _Source(heard, heard)


def _pair(full: Passage, public: Passage) -> _Source:
    return _same(public) if full == public else _Source(Heard((full,)), Heard((public,)))
