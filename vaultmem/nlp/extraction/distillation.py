"""Merge what is durable in episodes into topics: one a person, one a subject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count

from vaultmem.documents.bodies import Episode, Fact, Topic
from vaultmem.nlp.extraction import contradictions
from vaultmem.nlp.extraction.durable import durable_facts
from vaultmem.nlp.extraction.durable.durable_facts import Bullet
from vaultmem.nlp.extraction.naming import titles as extraction_titles
from vaultmem.nlp.extraction.sessions import episodes as extraction_episodes
from vaultmem.nlp.extraction.talk import utterances
from vaultmem.nlp.extraction.told_items import ToldItems
from vaultmem.nlp.extraction.topic_draft import TopicDraft
from vaultmem.nlp.tasks import DistillTask
from vaultmem.nlp.text import analysis, segmentation

_MOST = 150
# Characters of a title that a part of the topic takes over.
_ROOT = 36
_AKIN = 0.25
# What came of so many sessions is a pattern.
_AGAIN = 3
_SUBJECTS = 5
_WISHES = "Preferences and standing instructions"


def topics(task: DistillTask) -> tuple[Topic, ...]:
    """Return the topics that *task*'s episodes make or change, each whole, in order of slug."""
    before = {topic.slug: topic for topic in task.topics}
    drafts = {slug: TopicDraft(topic) for slug, topic in before.items()}
    for title, bullets in _grouped(_newest(list(durable_facts.bullets(task.episodes))), task):
        for bullet in bullets:
            home = _home(title, bullet, drafts.values())
            drafts[home.slug] = home
            home.add(bullet)
    topics = {slug: _with_patterns(it.topic, task.sessions) for slug, it in drafts.items()}
    changed = [topic for slug, topic in topics.items() if topic != before.get(slug)]
    parts = (part for topic in changed for part in _split(topic, frozenset(topics)))
    done = (_described(part, before.get(part.slug)) for part in parts)
    return tuple(sorted(done, key=lambda topic: topic.slug))


def merged(topic: Topic, facts: Iterable[Fact]) -> Topic:
    """Return *topic* with *facts*, oldest first: each is told once, with all its sources.

    One that contradicts what is there takes its place.
    """
    held, patterns = ToldItems(topic.facts), ToldItems(topic.patterns)
    for fact in facts:
        (patterns if patterns.is_about(fact) else held).add(fact)
    return replace(topic, facts=held.items, patterns=patterns.items)


def _newest(bullets: Sequence[Bullet]) -> list[Bullet]:
    """Drop what a later bullet replaces."""
    return [
        bullet
        for i, bullet in enumerate(bullets)
        if not any(_replaces(later, bullet) for later in bullets[i + 1 :])
    ]


def _replaces(later: Bullet, bullet: Bullet) -> bool:
    if later.kind != bullet.kind or later.subject != bullet.subject:
        return False
    is_fact = bullet.kind == "facts"
    return is_fact and contradictions.contradicts(later.item.text, bullet.item.text)


# Whose topic.


def _grouped(bullets: Sequence[Bullet], task: DistillTask) -> list[tuple[str, list[Bullet]]]:
    """Return the bullets by the title of their topic, in order of first appearance."""
    common = _common_subjects(task)
    groups: dict[str, list[Bullet]] = {}
    for bullet in bullets:
        groups.setdefault(bullet.subject or common[bullet.episode], []).append(bullet)
    return list(groups.items())


def _common_subjects(task: DistillTask) -> list[str]:
    """Return each episode's topic title: of an existing topic, else of the episodes akin to it.

    What is of one matter is of one topic; and a name tells matters apart that are alike otherwise:
    `Chase credit card` is no `American Express card`.
    """
    named = _names(task)
    known = [(topic.title, _vector(_texts_of(topic))) for topic in task.topics]
    homes = {title: title for title, _ in known}
    titles: list[str] = []
    for own, (_, episode) in zip(_subjects(task), task.episodes, strict=True):
        vector = _vector(_texts(episode))
        near = [
            (segmentation.cosine(vector, other), title)
            for title, other in known
            if named.intersection(analysis.heads(title)) == named.intersection(analysis.heads(own))
        ]
        best, title = max(near, key=lambda pair: round(pair[0], 6), default=(0.0, ""))
        homes.setdefault(own, title if best >= _AKIN else own)
        known.append((homes[own], vector))
        titles.append(homes[own])
    return titles


def _names(task: DistillTask) -> frozenset[str]:
    """Return the names that *task*'s episodes and topics mention."""
    lines = chain(
        *(_texts(episode)[2:] for _, episode in task.episodes), *map(_texts_of, task.topics)
    )
    return frozenset(analysis.names(lines))


def _subjects(task: DistillTask) -> list[str]:
    """Return what each episode is about: a part of a session's matter is of that."""
    known = {topic.title for topic in task.topics} | {e.title for _, e in task.episodes}
    of_session: dict[str, str] = {}
    found: list[str] = []
    for target, episode in task.episodes:
        session = task.sessions.get(target, target)
        matter = extraction_episodes.matter(episode.title, known)
        about = matter or _subject(episode, of_session.get(session, ""))
        of_session.setdefault(session, about)
        found.append(about)
    return found


def _subject(episode: Episode, of_session: str) -> str:
    """Return what *episode* is about, else whom it is of: a topic is of no single day.

    One that says neither is about what an earlier one *of* its *session* is.
    """
    who = extraction_episodes.people(episode.title)
    if who != extraction_episodes.TALK:
        return who or extraction_episodes.subject(episode)
    if of_session:
        return of_session
    found = extraction_titles.phrases(_texts(episode)[2:], 1)
    return "".join(name[:1].upper() + name[1:] for name in found) or who


def _texts(episode: Episode) -> list[str]:
    decided = [
        f"{utterances.quoted(d.decision).text} {d.reason} {d.constraint}" for d in episode.decisions
    ]
    ruled_out = [f"{e.approach} {e.why}" for e in episode.eliminated]
    lines = [utterances.quoted(line).text for line in episode.summary.splitlines()]
    return [episode.title, episode.title, *lines, *decided, *ruled_out, *episode.corrections]


def _texts_of(topic: Topic) -> list[str]:
    """Return what *topic* says, without frames."""
    facts = [utterances.quoted(fact.text).text for fact in (*topic.facts, *topic.patterns)]
    decided = [
        f"{utterances.quoted(d.decision.decision).text} {d.decision.reason}"
        for d in topic.decisions
    ]
    ruled_out = [f"{e.eliminated.approach} {e.eliminated.why}" for e in topic.eliminated]
    return [topic.title, topic.title, *facts, *decided, *ruled_out]


def _vector(texts: Iterable[str]) -> segmentation.Vector:
    counts = Counter(term for text in texts for term in analysis.terms(text))
    return {term: float(count) ** 0.5 for term, count in counts.items()}


def _home(title: str, bullet: Bullet, topics: Collection[TopicDraft]) -> TopicDraft:
    """Return which of the *topics* has *bullet*, or is of its subject, or a new one."""
    if found := next((it for it in topics if it.has(bullet)), None):
        return found
    slug = extraction_titles.slug(title)
    parts = [it for it in topics if it.slug == slug or _is_part(it.title, title)]
    return _nearest(parts, bullet) if parts else TopicDraft(Topic(slug, title, ""))


def _nearest(parts: Sequence[TopicDraft], bullet: Bullet) -> TopicDraft:
    if len(parts) == 1:
        return parts[0]
    about = _vector([utterances.quoted(bullet.item.text).text])
    near = [round(segmentation.cosine(about, _vector(_texts_of(it.topic))), 6) for it in parts]
    return parts[near.index(max(near))]


def _is_part(own: str, title: str) -> bool:
    name, wanted = own.casefold(), title.casefold()
    return name == wanted or name.startswith(f"{wanted}, ")


# What a topic holds.


def _with_patterns(topic: Topic, sessions: Mapping[str, str]) -> Topic:
    """Return *topic* with the facts that came of several sessions among its patterns."""
    known = {
        fact: {sessions.get(source, source) for source in fact.sources} for fact in topic.facts
    }
    again = tuple(fact for fact in topic.facts if len(known[fact]) >= _AGAIN)
    if not again:
        return topic
    facts = tuple(fact for fact in topic.facts if fact not in again)
    return replace(topic, facts=facts, patterns=(*topic.patterns, *again))


# How a topic is cut and announced.


def _split(topic: Topic, taken: frozenset[str]) -> list[Topic]:
    """Return *topic*, in parts by subject when it has grown too long; one keeps its name."""
    texts = _texts_of(topic)[2:]
    if len(texts) <= _MOST:
        return [topic]
    labels = _halves(texts)
    first, second = (_only(topic, labels, half) for half in (0, 1))
    parted = _renamed(second, taken)
    rest = _split(first, taken | {parted.slug})
    return [*rest, *_split(parted, taken | {part.slug for part in rest})]


def _halves(texts: Sequence[str]) -> list[int]:
    """Label *texts* 0 or 1 by subject, or by order when there is but one subject."""
    labels = segmentation.label([_vector([text]) for text in texts], 2)
    least = min(labels.count(0), labels.count(1))
    return labels if 10 * least >= len(texts) else [2 * i // len(texts) for i in range(len(texts))]


def _only(topic: Topic, labels: Sequence[int], half: int) -> Topic:
    """Return what *topic* says under one label; the order is that of `_texts_of`."""
    at = iter(labels)
    return replace(
        topic,
        facts=tuple(item for item in topic.facts if next(at) == half),
        patterns=tuple(item for item in topic.patterns if next(at) == half),
        decisions=tuple(item for item in topic.decisions if next(at) == half),
        eliminated=tuple(item for item in topic.eliminated if next(at) == half),
    )


def _renamed(topic: Topic, taken: frozenset[str]) -> Topic:
    """Name a part after what it is about, so that no other topic has the name."""
    about = extraction_titles.subjects(_texts_of(topic)[2:], _SUBJECTS)
    titles = (f"{_root(topic.title)}, {name}" for name in chain(about, map(str, count(2))))
    title = next(t for t in titles if extraction_titles.slug(t) not in taken | {topic.slug})
    return replace(topic, title=title, slug=extraction_titles.slug(title), description="")


def _root(title: str) -> str:
    """Return the first subjects of *title*, so few that the next one fits a file's name, too."""
    kept = title[:_ROOT]
    return title if len(title) <= _ROOT else kept.rpartition(", ")[0] or kept.rstrip()


def _described(topic: Topic, before: Topic | None) -> Topic:
    """Say when to read *topic*, unless a person has said it."""
    if before and before.description not in {"", _description(before)}:
        return replace(topic, description=before.description)
    return replace(topic, description=_description(topic))


def _description(topic: Topic) -> str:
    found = extraction_titles.phrases(_texts_of(topic)[2:], _SUBJECTS, [topic.title])
    subjects = ", ".join(s for s in found if s.casefold() not in topic.title.casefold())
    about = _WISHES if topic.title == durable_facts.UNNAMED else f"About {topic.title}"
    return f"{about}: {subjects}." if subjects else f"{about}."
