"""Find what many memories are about and no topic tells: a new topic quotes the most telling ones.

A cluster is the memories that share a telling word, from several sessions, which share more words
with one another than with the rest. What is chosen depends on the memories alone, so that a topic
that was made of one does not bring up another in its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from vaultmem.maintenance.dream import new_topics, subjects
from vaultmem.maintenance.dream.new_topics import Topic
from vaultmem.maintenance.dream.subjects import LEAST_SESSIONS
from vaultmem.maintenance.dream.types import Cluster, Proposal, Seen, Subjects
from vaultmem.memory import memory_index
from vaultmem.nlp.extraction.naming import titles
from vaultmem.nlp.extraction.talk import similarity
from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis, quotation
from vaultmem.nlp.text.stopwords import STOP
from vaultmem.records import Record, iso, lowest

MOST = 5
"""So many new topics a dream proposes at most."""

_LEAST_QUOTES, _MOST_QUOTES = 4, 5
_TOLD = 3
_SUBJECTS = 5
_INDEX = memory_index.PATH.removesuffix(".md")


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a new topic for each of the strongest clusters that no topic tells of.

    Of what was there at the last dream, only what was strong enough then is offered again.
    """
    now = (n.record for n in seen.notes if n.record.created == iso(seen.now))
    ours = (r for r in now if r.source == "dream" and r.sources)
    left = MOST - sum(map(_is_of_memories, ours))  # this dream made some before
    counts, taken = _facts_by_term(seen), set(seen.paths)
    strongest = MOST
    asked = seen.subjects or partial(subjects.of_records, seen.memories, seen.since)
    for memories in asked():
        for cluster in memories.clusters if left else ():
            known = counts[cluster.term] >= _TOLD
            wanted = left and not known and (strongest > 0 or memories.is_new(cluster.members))
            made = _topic(cluster, memories, taken) if wanted else None
            strongest -= bool(known or made)
            if made:
                left -= 1
                taken.add(made.path)
                yield _proposed(cluster, memories, made, seen)


def _proposed(cluster: Cluster, memories: Subjects, made: Topic, seen: Seen) -> Proposal:
    many, sessions = len(cluster.members), memories.sessions(cluster.members)
    reason = f"{many} memories of {sessions} sessions or days mention {made.title}"
    edits, sources = (made.make(seen.now),), tuple(made.sources)
    offered = not memories.is_new(cluster.members)
    return Proposal("abstract", made.path, reason, edits, sources, offered=offered)


def _is_of_memories(record: Record) -> bool:
    """Tell whether what a dream made names memories alone: whatever else it names has a folder."""
    return all("/" not in name and name != _INDEX for name in record.sources)


def _facts_by_term(seen: Seen) -> Counter[str]:
    """Return how many facts tell of each term; a title counts as if it said all."""
    counts: Counter[str] = Counter()
    for note in (n for n in seen.notes if n.record.type == "topic"):
        counts.update(dict.fromkeys(analysis.terms(note.record.title), _TOLD))
        for fact in note.facts:
            counts.update(set(analysis.terms(fact.text)))
    return counts


# --- what it says -----------------------------------------------------------------------------


def _topic(cluster: Cluster, memories: Subjects, taken: set[str]) -> Topic | None:
    """Return the topic that quotes *cluster*, None when too few of it can stand by itself."""
    quotes = _quotes(cluster, memories)
    texts = [text for _, text in quotes]
    nearest = min(cluster.related, key=lambda term: (-cluster.related[term], term))
    pair = (_written(nearest, texts), _written(cluster.term, texts))
    quotes = [(at, text) for at, text in quotes if not _is_of_another(text, *pair)]
    texts = [text for _, text in quotes]
    sessions = memories.sessions(at for at, _ in quotes)
    if len(quotes) < _LEAST_QUOTES or sessions < LEAST_SESSIONS:
        return None
    held = dict(memories.read(at for at, _ in quotes))
    if len(held) < len(quotes):  # one went meanwhile
        return None
    records = [held[at] for at, _ in quotes]
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


def _quotes(cluster: Cluster, memories: Subjects) -> list[tuple[int, str]]:
    """Return the most central sentences, at most one of a memory, in order of time."""
    read = memories.read(at for at in cluster.members if memories.quotable[at])
    found = [(*_most_central(cluster, record.body), at) for at, record in read]
    kept: list[tuple[int, str]] = []
    for weight, text, at in sorted(found, key=lambda q: (-round(q[0], 6), q[2])):
        items = similarity.items(text)
        related = (similarity.is_related(items, similarity.items(old)) for _, old in kept)
        if weight and len(kept) < _MOST_QUOTES and not any(related):
            kept.append((at, text))
    return sorted(kept)


def _most_central(cluster: Cluster, body: str) -> tuple[float, str]:
    texts = subjects.sentences(body)
    return max(((_centrality(text, cluster), text) for text in texts), default=(0.0, ""))


def _centrality(text: str, cluster: Cluster) -> float:
    """Return how much of what a cluster shares a sentence tells, 0 if it cannot stand alone."""
    terms = analysis.terms(text)
    if cluster.term not in terms:
        return 0.0
    shared = sum(value for term, value in cluster.related.items() if term in terms)
    return shared * subjects.weight(text, terms)


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
