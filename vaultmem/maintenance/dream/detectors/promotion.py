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
from vaultmem.maintenance.dream.types import Make, Note, Proposal, Seen, Used, key
from vaultmem.nlp.extraction.naming import titles
from vaultmem.nlp.extraction.talk import similarity, utterances
from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis, quotation, salience
from vaultmem.records import TRUST, Record, lowest

MOST = 10
"""So many a dream promotes: the most important, told before or not, of all and of what is new."""

_RECALLS, _QUESTIONS, _DAYS = 3, 3, 30
_FITS, _SHARED = 0.5, 2
# A longer memory is promoted by its most telling sentence.
_WHOLE = 200
_ROOM = 190


@dataclass(frozen=True, slots=True)
class _Promotable:
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
    hot = [(r, used) for r in (*seen.memories, *seen.episodes) if (used := _hot(r, seen))]
    known = (_Promotable(record, line, used) for record, used in hot if (line := _line(record)))
    worth = {p: importance.importance(p.record, p.used, seen.now, 1.0) for p in known}
    ranked = sorted(worth, key=lambda p: (-round(worth[p], 6), p.record.created, p.record.id))
    since = [p for p in ranked if p.used.last > seen.since]
    best = tuple(dict.fromkeys((*since[:MOST], *ranked[:MOST])))
    topics = [n for n in seen.notes if n.record.type == "topic"] if best else []
    facts = [fact for note in topics for fact in note.facts]
    cited = {target.rpartition("/")[2] for fact in facts for target in fact.sources}
    texts = {key(fact.text) for fact in facts}
    made: set[str] = set()
    for found in best:
        if found.record.stem in cited or key(found.line) in texts or _is_in_a_topic(found, topics):
            continue
        home = _home(found, topics)
        edit = new_topics.added(home, [_bullet(found)]) if home else _new_topic(found, seen)
        offered = found.used.last <= seen.since
        proposal = Proposal(
            "promote", edit.path, _reason(found), (edit,), (found.target,), offered=offered
        )
        # A second one for the same new topic fits that once it is there.
        if home or proposal.path not in made:
            made.add(proposal.path)
            yield proposal


def _hot(record: Record, seen: Seen) -> Used | None:
    used = seen.uses.get(record.id) or seen.uses.get(record.path)
    if used is None or TRUST.index(record.trust) < TRUST.index("agent"):
        return None
    late = importance.age(used.last, seen.now) <= _DAYS
    return used if is_often(used) and late else None


def is_often(used: Used) -> bool:
    """Tell whether something was found often, and by several questions."""
    return used.count >= _RECALLS and used.questions >= _QUESTIONS


# --- what it says -----------------------------------------------------------------------------


def _line(record: Record) -> str:
    """Return the line that says what *record* is worth promoting for, "" when nothing is."""
    if record.type == "episode":
        return _best_sentence(markdown.parse_episode(record.body).summary.splitlines())
    body = " ".join(salience.spoken(record.body).split())
    parts = analysis.sentences(body)
    whole = len(body) <= _WHOLE and parts and all(map(_is_informative, parts))
    text = body if whole else _best_sentence(parts)
    return quotation.framed(text, Passage(text, record.speaker, record.created)) if text else ""


def _best_sentence(sentences: Sequence[str]) -> str:
    quoted = ((s, utterances.quoted(s).text) for s in sentences)
    weights = {s: round(salience.substance(t), 6) for s, t in quoted if _is_informative(t)}
    return max(weights, key=lambda s: weights[s], default="")


def _is_informative(sentence: str) -> bool:
    is_news = salience.is_news(sentence, analysis.terms(sentence))
    # Less than 1 is a greeting, a reaction, or leans on what was said before.
    return is_news and salience.substance(sentence) >= 1


# --- where it goes ----------------------------------------------------------------------------


def _is_in_a_topic(found: _Promotable, topics: Sequence[Note]) -> bool:
    """Tell whether a topic says it in nearly the same words."""
    items = similarity.items(found.line)
    facts = (fact for note in topics for fact in note.facts)
    near = (f for f in facts if _share(items, f.text) > _FITS)
    return any(similarity.same(found.line, fact.text) for fact in near)


def _share(said: AbstractSet[str], text: str) -> float:
    plain = text.casefold()
    return sum(item in plain for item in said) / len(said) if said else 0.0


def _home(found: _Promotable, topics: Sequence[Note]) -> Note | None:
    """Return the topic that has most of its words; one that is called as a new one would be."""
    terms = frozenset(analysis.terms(utterances.quoted(found.line).text))
    best, home = 0.0, None
    for note in topics:
        if not _is_open(found, note):
            continue
        known = frozenset(analysis.terms(f"{note.record.title}\n{note.record.body}"))
        share = 1.0 if note.record.title == _title(found) else similarity.within(terms, known)
        enough = share == 1.0 or len(terms & known) >= _SHARED
        if enough and share >= _FITS and share > best:
            best, home = share, note
    return home


def _is_open(found: _Promotable, note: Note) -> bool:
    """Tell whether a topic may take it up: its agent's or shared, of no more trust, with room."""
    record = note.record
    mine = record.agent in {"", found.record.agent}
    # Believed or not, what it claims keeps an agent's word out of it.
    trusted = TRUST.index(record.claimed or record.trust) <= TRUST.index(found.record.trust)
    return mine and trusted and not note.fixed and len(note.lines) < _ROOM


def _bullet(found: _Promotable) -> str:
    return f"- {found.line} ([[{found.target}]])"


def _reason(found: _Promotable) -> str:
    used = found.used
    return f"was found {used.count} times, by {used.questions} questions: {found.target}"


def _title(found: _Promotable) -> str:
    text, fallback = utterances.quoted(found.line).text, found.record.title or "Found often"
    return titles.title([text], [found.record.speaker], fallback=fallback)


def _new_topic(found: _Promotable, seen: Seen) -> Make:
    agent, title = found.record.agent, _title(found)
    folder = f"agents/{agent}/topics" if agent else "topics"
    path = new_topics.free_path(folder, title, seen.paths)
    trust = lowest(["agent", found.record.trust])
    body = ["## Facts", _bullet(found)]
    return Topic(path, title, f"About {title}.", body, [found.target], trust, agent).make(seen.now)
