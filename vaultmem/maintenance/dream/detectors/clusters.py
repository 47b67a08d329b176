"""Find what many memories are about and no topic tells: a new topic quotes the most telling ones.

A cluster is the memories that share a telling word, from several sessions, which share more words
with one another than with the rest. What is chosen depends on the memories alone, so that a topic
that was made of one does not bring up another in its place.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from vaultmem.errors import BadInput
from vaultmem.maintenance.dream import new_topics
from vaultmem.maintenance.dream.new_topics import Topic
from vaultmem.maintenance.dream.types import Proposal, Seen
from vaultmem.nlp.extraction import self_contained, similarity, titles
from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis, quotation, salience
from vaultmem.nlp.text.stopwords import EVENTS, STOP, VAGUE
from vaultmem.records import TRUST, Record, iso, lowest, moment
from vaultmem.storage.ulids import minted_at

MOST = 5
"""So many new topics a dream proposes at most."""

_LEAST_MEMORIES, _LEAST_SESSIONS, _LEAST_QUOTES, _MOST_QUOTES = 6, 3, 4, 5
# A word that more than this share of all memories has names no subject.
_COMMON = 0.06
# Words that its memories share must be in a quarter of them, one in half, each of them five times
# as often as overall.
_SHARED, _STRONG, _LIFT, _KIN = 0.25, 0.5, 5.0, 2
_LEAST_SHARED = 3
_TELLING = 2.0
_OVERLAP = 0.4
_TOLD = 3
# What life is full of, whatever it is about.
_PLAIN = ("day", "family", "friend", "hard", "help", "job", "kid", "life", "people", "place", "see",
          "store", "work", "year")  # fmt: skip
_EMPTY = frozenset(map(analysis.stem, [*EVENTS, *_PLAIN])) | VAGUE | {"fam"}
_LONGEST_QUOTE, _SHORTEST_TERM = 240, 3
_SUBJECTS = 5


@dataclass(frozen=True)
class _Memories:
    """Memories that may be quoted, with what they are about."""

    records: tuple[Record, ...]

    @cached_property
    def terms(self) -> list[tuple[str, ...]]:
        """Return the terms of each memory, each of them once, and held once for all."""
        held = dict[str, str]()
        return [
            tuple(held.setdefault(term, term) for term in dict.fromkeys(terms))
            for terms in (analysis.terms(salience.spoken(r.body)) for r in self.records)
        ]

    @cached_property
    def having(self) -> Mapping[str, list[int]]:
        """Return which memories have a term, by their places."""
        found: dict[str, list[int]] = defaultdict(list)
        for at, terms in enumerate(self.terms):
            for term in terms:
                found[term].append(at)
        return found

    def sessions(self, members: Iterable[int]) -> set[str]:
        """Return where *members* were said: sessions, else days."""
        records = (self.records[at] for at in members)
        return {r.session or r.created[: len("2026-11-20")] for r in records}


@dataclass(frozen=True, slots=True)
class _Cluster:
    """The places of memories that share *term*, the words they share beside it, how strongly."""

    term: str
    members: tuple[int, ...]
    related: Mapping[str, float]
    strength: float


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a new topic for each of the strongest clusters that no topic tells of.

    Of what was there at the last dream, only what was strong enough then is offered again.
    """
    stems = {r.stem for r in seen.memories}
    now = (n.record for n in seen.notes if n.record.created == iso(seen.now))
    ours = (r for r in now if r.source == "dream" and r.sources)
    left = MOST - sum(stems.issuperset(r.sources) for r in ours)  # this dream made some before
    counts, taken = _facts_by_term(seen), set(seen.paths)
    strongest = MOST
    for memories in _by_agent(seen):
        for cluster in _distinct(memories) if left else ():
            fresh = any(_is_new(memories.records[at], seen) for at in cluster.members)
            known = counts[cluster.term] >= _TOLD
            wanted = left and not known and (fresh or strongest > 0)
            made = _topic(cluster, memories, taken) if wanted else None
            strongest -= bool(known or made)
            if made:
                left -= 1
                taken.add(made.path)
                yield _proposed(cluster, memories, made, seen, offered=not fresh)


def _proposed(
    cluster: _Cluster, memories: _Memories, made: Topic, seen: Seen, *, offered: bool
) -> Proposal:
    many, sessions = len(cluster.members), len(memories.sessions(cluster.members))
    reason = f"{many} memories of {sessions} sessions or days mention {made.title}"
    edits, sources = (made.make(seen.now),), tuple(made.sources)
    return Proposal("abstract", made.path, reason, edits, sources, offered=offered)


def _by_agent(seen: Seen) -> list[_Memories]:
    """Return the memories that may be quoted, of each agent for itself: they are its own."""
    found: dict[str, list[Record]] = defaultdict(list)
    for memory in seen.memories:
        if TRUST.index(memory.trust) >= TRUST.index("agent") and memory.body.strip():
            found[memory.agent].append(memory)
    return [_Memories(tuple(found[agent])) for agent in sorted(found)]


def _is_new(record: Record, seen: Seen) -> bool:
    """Tell whether a memory was learnt since the last dream, whenever it was said."""
    try:
        return not seen.since or minted_at(record.id) > moment(seen.since).timestamp()
    except BadInput:
        return True


def _facts_by_term(seen: Seen) -> Counter[str]:
    """Return how many facts tell of each term; a title counts as if it said all."""
    counts: Counter[str] = Counter()
    for note in (n for n in seen.notes if n.record.type == "topic"):
        counts.update(dict.fromkeys(analysis.terms(note.record.title), _TOLD))
        for fact in note.facts:
            counts.update(set(analysis.terms(fact.text)))
    return counts


# --- which ------------------------------------------------------------------------------------


def _distinct(memories: _Memories) -> list[_Cluster]:
    """Return the clusters, the strongest first, none mostly within a stronger one."""
    ranked = sorted(_clusters(memories), key=lambda c: (-c.strength, c.term))
    kept: list[_Cluster] = []
    for cluster in ranked:
        members = set(cluster.members)
        if not any(len(members & set(k.members)) > _OVERLAP * len(members) for k in kept):
            kept.append(cluster)
    return kept


def _clusters(memories: _Memories) -> Iterator[_Cluster]:
    most = max(2 * _LEAST_MEMORIES, _COMMON * len(memories.records))
    voices = {analysis.stem(w) for r in memories.records for w in analysis.heads(r.speaker)}
    for term, members in memories.having.items():
        short = term.isascii() and len(term) < _SHORTEST_TERM
        if short or term in _EMPTY or term in voices:
            continue
        enough = _LEAST_MEMORIES <= len(members) <= most
        if enough and len(memories.sessions(members)) >= _LEAST_SESSIONS:
            related = _shared_terms(term, members, memories)
            if len(related) >= _KIN and max(related.values()) >= _STRONG:
                strength = round(sum(related.values()) * len(members), 6)
                yield _Cluster(term, tuple(members), related, strength)


def _shared_terms(term: str, members: Sequence[int], memories: _Memories) -> dict[str, float]:
    """Return the words that *members* share beside *term*, each by its share of them."""
    counts = Counter(t for at in members for t in memories.terms[at])
    least = max(_LEAST_SHARED, _SHARED * len(members))
    whole = len(memories.records)
    return {
        other: count / len(members)
        for other, count in sorted(counts.items())
        if other != term
        and count >= least
        and count / len(members) >= _LIFT * len(memories.having[other]) / whole
    }


# --- what it says -----------------------------------------------------------------------------


def _topic(cluster: _Cluster, memories: _Memories, taken: set[str]) -> Topic | None:
    """Return the topic that quotes *cluster*, None when too few of it can stand by itself."""
    quotes = _quotes(cluster, memories)
    texts = [text for _, text in quotes]
    nearest = min(cluster.related, key=lambda term: (-cluster.related[term], term))
    pair = (_written(nearest, texts), _written(cluster.term, texts))
    quotes = [(at, text) for at, text in quotes if not _is_of_another(text, *pair)]
    texts = [text for _, text in quotes]
    sessions = memories.sessions(at for at, _ in quotes)
    if len(quotes) < _LEAST_QUOTES or len(sessions) < _LEAST_SESSIONS:
        return None
    records = [memories.records[at] for at, _ in quotes]
    agent = records[0].agent
    title = _title(_written(cluster.term, texts), _written(nearest, texts), texts)
    folder = f"agents/{agent}/topics" if agent else "topics"
    lines = [
        f"- {quotation.framed(text, Passage(text, r.speaker, r.created))} ([[{r.stem}]])"
        for r, text in zip(records, texts, strict=True)
    ]
    return Topic(
        new_topics.free_path(folder, title, taken),
        title,
        f"About {', '.join(titles.phrases(texts, _SUBJECTS) or (title,))}.",
        ["## Facts", *lines],
        [r.stem for r in records],
        lowest(["agent", *(r.trust for r in records)]),
        agent,
    )


def _quotes(cluster: _Cluster, memories: _Memories) -> list[tuple[int, str]]:
    """Return the most central sentences, at most one of a memory, in order of time."""
    found = [(*_most_central(cluster, memories.records[at].body), at) for at in cluster.members]
    kept: list[tuple[int, str]] = []
    for weight, text, at in sorted(found, key=lambda q: (-round(q[0], 6), q[2])):
        items = similarity.items(text)
        related = (similarity.is_related(items, similarity.items(old)) for _, old in kept)
        if weight and len(kept) < _MOST_QUOTES and not any(related):
            kept.append((at, text))
    return sorted(kept)


def _most_central(cluster: _Cluster, body: str) -> tuple[float, str]:
    texts = map(salience.without_lead, analysis.sentences(salience.spoken(body)))
    return max(((_centrality(text, cluster), text) for text in texts), default=(0.0, ""))


def _centrality(text: str, cluster: _Cluster) -> float:
    """Return how much of what a cluster shares a sentence tells, 0 if it cannot stand alone."""
    terms = analysis.terms(text)
    if cluster.term not in terms or not salience.is_news(text, terms) or len(text) > _LONGEST_QUOTE:
        return 0.0
    if not self_contained.stands(text):
        return 0.0
    substance = salience.substance(text)
    shared = sum(value for term, value in cluster.related.items() if term in terms)
    return shared * substance if substance >= _TELLING else 0.0


def _is_of_another(text: str, kind: str, thing: str) -> bool:
    """Whether *text* is of a *thing* of another *kind*: a dog shelter, not the homeless shelter."""
    if not (kind and thing) or re.search(rf"(?i)\b{re.escape(kind)}\b", text):
        return False
    before = re.findall(rf"(?i)\b([a-z-]+) {re.escape(thing)}\b", text)
    return any(word.lower() not in STOP for word in before)


def _title(term: str, nearest: str, texts: Sequence[str]) -> str:
    """Name a cluster by its two words, as they stand together: `Mental health`."""
    one, two = re.escape(term), re.escape(nearest)
    apart = rf"(?i)\b(?:{one}[ -]{two}|{two}[ -]{one})\b"
    together = Counter(m[0] for text in texts for m in re.finditer(apart, text))
    named = min(together, key=lambda form: (-together[form], form), default="")
    if not (term and nearest and named):
        named = " and ".join(titles.phrases(texts, 2)) or term or nearest
    elif named.endswith("-free"):  # `dairy-free` what
        kinds = Counter(
            m[0] for text in texts for m in re.finditer(rf"(?i){named} [a-z]{{3,}}", text)
        )
        named = min(kinds, key=lambda form: (-kinds[form], form), default=named)
    return named[:1].upper() + named[1:]


def _written(term: str, texts: Iterable[str]) -> str:
    """Return a stem as it is mostly written."""
    words = (word.replace("\u2019", "'").split("'")[0] for t in texts for word in analysis.words(t))
    forms = Counter(word for word in words if analysis.stem(word) == term)
    return min(forms, key=lambda form: (-forms[form], form), default="")
