"""Find memories and episodes that are asked for again and again, and put them into a topic.

The gates are those of OpenClaw's dreaming: found three times, by three distinct questions, lately;
what a topic says already, asks, greets, or comes from nobody trusted is not promoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from vaultmem.documents.bodies import markdown
from vaultmem.maintenance.dream import importance, new_topics
from vaultmem.maintenance.dream.new_topics import Topic
from vaultmem.maintenance.dream.types import Note, Proposal, Seen, Used, key
from vaultmem.nlp.extraction import similarity, titles, utterances
from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis, quotation, salience
from vaultmem.records import TRUST, Record, lowest

MOST = 10
"""So many a dream promotes at most: the most important, told before or not."""

_RECALLS, _QUESTIONS, _DAYS = 3, 3, 30
_FITS, _SHARED = 0.5, 2
# A longer memory is promoted by its most telling sentence.
_WHOLE = 200
_ROOM = 190


@dataclass(frozen=True, slots=True)
class _Gem:
    """A record worth promoting, the one line that says it, and what a link to it says."""

    record: Record
    line: str
    used: Used

    @property
    def target(self) -> str:
        record = self.record
        return record.stem if record.type == "memory" else record.path.removesuffix(".md")


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a bullet in a topic, old or new, for each record that proved of use."""
    gems = _gems(seen)
    topics = [n for n in seen.notes if n.record.type == "topic"] if gems else []
    facts = [fact for note in topics for fact in note.facts]
    cited = {target.rpartition("/")[2] for fact in facts for target in fact.sources}
    told = {key(fact.text) for fact in facts}
    made: set[str] = set()
    for gem in gems:
        if gem.record.stem in cited or key(gem.line) in told or _is_told(gem, topics):
            continue
        home = _home(gem, topics)
        proposal = _into(gem, home) if home else _anew(gem, seen)
        # A second one for the same new topic fits that once it is there.
        if home or proposal.path not in made:
            made.add(proposal.path)
            yield proposal


def _gems(seen: Seen) -> list[_Gem]:
    """Return what was found often enough, the most important first."""
    hot = [(r, used) for r in (*seen.memories, *seen.episodes) if (used := _hot(r, seen))]
    said = (_Gem(record, line, used) for record, used in hot if (line := _line(record)))
    worth = {g: importance.importance(g.record, g.used, seen.now, 1.0) for g in said}
    return sorted(worth, key=lambda g: (-round(worth[g], 6), g.record.created, g.record.id))[:MOST]


def _hot(record: Record, seen: Seen) -> Used | None:
    used = seen.uses.get(record.id) or seen.uses.get(record.path)
    if used is None or TRUST.index(record.trust) < TRUST.index("agent"):
        return None
    often = used.count >= _RECALLS and used.questions >= _QUESTIONS
    late = importance.age(used.last, seen.now) <= _DAYS and used.last > seen.since
    return used if often and late else None


# --- what it says -----------------------------------------------------------------------------


def _line(record: Record) -> str:
    """Return the line that says what *record* is worth promoting for, "" when nothing is."""
    if record.type == "episode":
        return _telling(markdown.parse_episode(record.body).summary.splitlines())
    body = " ".join(salience.spoken(record.body).split())
    parts = analysis.sentences(body)
    whole = len(body) <= _WHOLE and parts and all(map(_tells, parts))
    text = body if whole else _telling(parts)
    return quotation.framed(text, Passage(text, record.speaker, record.created)) if text else ""


def _telling(sentences: Sequence[str]) -> str:
    told = [s for s in sentences if _tells(utterances.quoted(s).text)]
    return max(
        told, key=lambda s: round(salience.substance(utterances.quoted(s).text), 6), default=""
    )


def _tells(sentence: str) -> bool:
    # Less than 1 is a greeting, a reaction, or leans on what was said before.
    return (
        salience.is_news(sentence, analysis.terms(sentence)) and salience.substance(sentence) >= 1
    )


# --- where it goes ----------------------------------------------------------------------------


def _is_told(gem: _Gem, topics: Sequence[Note]) -> bool:
    """Tell whether a topic says it in nearly the same words."""
    said = similarity.items(gem.line)
    facts = (fact for note in topics for fact in note.facts)
    near = (f for f in facts if _share(said, f.text) > _FITS)
    return any(similarity.same(gem.line, fact.text) for fact in near)


def _share(said: AbstractSet[str], text: str) -> float:
    plain = text.casefold()
    return sum(item in plain for item in said) / len(said) if said else 0.0


def _home(gem: _Gem, topics: Sequence[Note]) -> Note | None:
    """Return the topic that has most of its words; one that is called as a new one would be."""
    said = frozenset(analysis.terms(utterances.quoted(gem.line).text))
    best, home = 0.0, None
    for note in topics:
        if not _is_open(gem, note):
            continue
        known = frozenset(analysis.terms(f"{note.record.title}\n{note.record.body}"))
        share = 1.0 if note.record.title == _title(gem) else similarity.within(said, known)
        enough = share == 1.0 or len(said & known) >= _SHARED
        if enough and share >= _FITS and share > best:
            best, home = share, note
    return home


def _is_open(gem: _Gem, note: Note) -> bool:
    """Tell whether a topic may take it up: its agent's or shared, of no more trust, with room."""
    record = note.record
    mine = record.agent in {"", gem.record.agent}
    # Believed or not, what it claims keeps an agent's word out of it.
    trusted = TRUST.index(record.claimed or record.trust) <= TRUST.index(gem.record.trust)
    return mine and trusted and not note.fixed and len(note.lines) < _ROOM


def _bullet(gem: _Gem) -> str:
    return f"- {gem.line} ([[{gem.target}]])"


def _reason(gem: _Gem) -> str:
    used = gem.used
    return f"was found {used.count} times, by {used.questions} questions: {gem.target}"


def _into(gem: _Gem, home: Note) -> Proposal:
    edit = new_topics.added(home, [_bullet(gem)])
    return Proposal("promote", home.path, _reason(gem), (edit,), (gem.target,))


def _title(gem: _Gem) -> str:
    text = utterances.quoted(gem.line).text
    return titles.title([text], [gem.record.speaker], fallback=gem.record.title or "Found often")


def _anew(gem: _Gem, seen: Seen) -> Proposal:
    agent, title = gem.record.agent, _title(gem)
    folder = f"agents/{agent}/topics" if agent else "topics"
    path = new_topics.free_path(folder, title, seen.paths)
    trust = lowest(["agent", gem.record.trust])
    body = ["## Facts", _bullet(gem)]
    topic = Topic(path, title, f"About {title}.", body, [gem.target], trust, agent)
    return Proposal("promote", path, _reason(gem), (topic.make(seen.now),), (gem.target,))
