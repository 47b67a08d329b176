"""Find what is wrong with a model's answer, in a clause that the model may be told.

Pure: `guard` decides what follows. A clause never repeats what a model invented, since it may end
up in the vault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace

from vaultmem import document
from vaultmem.errors import Unreadable
from vaultmem.gist import Episode, SessionCompact, Topic
from vaultmem.summarize import CompactTask, DistillTask, FoldTask, Passage, Task, prose, quality

# Measured on windows of 64 messages: "Nothing of note happened." covers 0.00 to 0.03 of one, three
# telling sentences of it at least 0.06, the offline summarizer at least 0.18.
COVERED = 0.04
FAITHFUL, FAITHFUL_VALUE = 0.8, 0.7

# A model that has lost its thread says the same few words on and on.
_LOOP, _RUN, _VARIED = 24, 4, 0.3
# Characters: what a recent may have, what a long-term summary may have, and what any may have of
# however little it tells.
_MOST = {"recent": 1200, "longterm": 6000}
_ROOM = {"recent": 400, "longterm": 2000}
_ROOM_VALUE = 4000
# A topic may lose this share of its bullets at once, and one in any case.
_LOST_SHARE, _LOST = 0.25, 2
_SAME_BULLET = 0.5

_REFUSAL = (
    r"(?i)\b(?:i['\u2019]?m|i am) (?:\w+ )?(?:sorry|afraid)\b[^.!?\n]{0,20}"
    r"\bi (?:can['\u2019]?t|can ?not|am unable|won['\u2019]?t)\b"
    r"|\bi(?:['\u2019]m| am)? (?:can['\u2019]?t|can ?not|unable to|not able to|won['\u2019]?t)"
    r" (?:help|assist|comply|summari[sz]e|provide|fulfil|process|complete)\b[^.!?\n]{0,20}"
    r"\b(?:that|this|summary|summaries|request|you|content|task)\b"
    r"|\bas an? (?:ai|artificial intelligence|(?:large )?language model)\b"
    "|(?:\u62b1\u6b49|\u5bf9\u4e0d\u8d77|\u5f88\u9057\u61be)[^\u3002\uff01\n]{0,8}(?:\u4e0d\u80fd|\u65e0\u6cd5)"
    "|\u4f5c\u4e3a(?:\u4e00\u4e2a)?(?:AI|\u4eba\u5de5\u667a\u80fd|\u8bed\u8a00\u6a21\u578b)"
    "|\u6211(?:\u4e0d\u80fd|\u65e0\u6cd5)(?:\u63d0\u4f9b|\u534f\u52a9|\u5e2e\u52a9|\u5b8c\u6210|\u603b\u7ed3)"
)
_TASK_TALK = (
    r"(?i)</?(?:memories|summaries|turns|episodes|topics|prior)\b"
    r"|\bthe (?:provided|given|quoted) (?:text|passages?|memories|material|turns)\b"
    r"|\b(?:as (?:you )?requested|you (?:provided|asked me to summari[sz]e))\b"
)
_LINK = r"(?i)\bhttps?://[^\s<>\"')\]]+"


def of_summary(text: str, task: Task) -> str:
    """Say why no vault should hold *text*, a sentence a line, as the answer to *task*; or ""."""
    told = sum(len(p.text) for p in task.passages)
    most = min(_MOST[task.tier], max(_ROOM[task.tier], told))
    return (
        _of_text(text, task.passages)
        or (f"longer than {most} characters" if len(text) > most else "")
        or _unfaithful(quality.faithfulness(text, known(task)), FAITHFUL)
        or _uncovered(quality.coverage(text, task.passages))
    )


def of_episode(episode: Episode, task: FoldTask) -> str:
    """Say why *episode* is no answer to *task*; or ""."""
    required = {"title": episode.title, "summary": episode.summary}
    return _empty(required) or _of_value(episode, known(task))


def of_compact(compact: SessionCompact, task: CompactTask) -> str:
    """Say why *compact* is no answer to *task*; or ""."""
    required = {"task": compact.task, "current_state": compact.current_state}
    return (
        _empty(required)
        or _of_value(compact, known(task))
        or (_forgotten(compact, task.prior) if task.prior else "")
    )


def _forgotten(compact: SessionCompact, prior: SessionCompact) -> str:
    """Say what of *prior* is lost that nothing later can bring back: decisions, dead ends."""
    kept = [
        frozenset(prose.terms(text))
        for text in (*strings(compact.key_decisions), *strings(compact.eliminated_approaches))
    ]
    decided = [d.decision for d in prior.key_decisions]
    ruled_out = [e.approach for e in prior.eliminated_approaches]
    said = [terms for text in (*decided, *ruled_out) if (terms := frozenset(prose.terms(text)))]
    lost = sum(not any(2 * len(terms & now) >= len(terms) for now in kept) for terms in said)
    return f"{lost} earlier decisions or dead ends are missing" if 4 * lost > len(said) else ""


def of_topics(topics: Sequence[Topic], task: DistillTask) -> str:
    """Say why *topics* are no answer to *task*; or ""."""
    old = {topic.slug: topic for topic in task.topics}
    slugs = [topic.slug for topic in topics]
    if len(set(slugs)) < len(slugs):
        return "two topics with one slug"
    each = (_of_topic(topic, old.get(topic.slug)) for topic in topics)
    return next(filter(None, each), "") or _of_value(tuple(topics), known(task))


def is_mute(task: Task | FoldTask | DistillTask | CompactTask) -> bool:
    """Whether nothing is said in all that an answer to *task* may be drawn from."""
    return not any(c.isalnum() for passage in known(replace(task, agent="")) for c in passage.text)


def known(task: Task | FoldTask | DistillTask | CompactTask) -> tuple[Passage, ...]:
    """Return all that an answer to *task* may be drawn from, the agent's name included."""
    about = Passage(task.agent)
    match task:
        case Task():
            return (*task.passages, about)
        case DistillTask():
            return (*(Passage(text) for text in strings((task.episodes, task.topics))), about)
        case FoldTask():
            prior: tuple[str, ...] = ()
        case CompactTask():
            prior = tuple(strings(task.prior))
    said = (Passage(t.content, f"{t.speaker} {t.role} {t.tool}", t.at) for t in task.turns)
    return (*map(Passage, prior), *said, about)


def strings(value: object) -> Iterator[str]:
    """Yield every text inside *value*, the fields of dataclasses in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from strings(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from strings(getattr(value, field.name))


def _of_value(value: object, sources: Sequence[Passage]) -> str:
    text = "\n\n".join(_prose(value))
    told = max(_ROOM_VALUE, sum(len(p.text) for p in sources))
    return (
        (_of_text(text, sources) if text else "")
        or ("longer than what it tells of" if len(text) > told else "")
        or _unfaithful(quality.faithfulness(text, sources), FAITHFUL_VALUE)
    )


def _prose(value: object) -> Iterator[str]:
    """Yield what *value* claims: no link targets, and titles without their capitals."""
    if isinstance(value, Episode | Topic):
        yield value.title.casefold()
    if is_dataclass(value):
        for field in fields(value):
            if field.name not in {"title", "slug", "sources"}:
                yield from _prose(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _prose(item)
    elif isinstance(value, str) and value:
        yield value


def _of_text(text: str, sources: Sequence[Passage]) -> str:
    said = "\n".join(passage.text for passage in sources).casefold()
    if not any(c.isalnum() for c in text):
        return "empty"
    if _repeats(text):
        return "it says the same words again and again"
    if _strange(_REFUSAL, text, said):
        return "a refusal"
    if _strange(_TASK_TALK, text, said):
        return "it talks about the task, not about what happened"
    if _strange(_LINK, text, said):
        return "a web address that the sources do not hold"
    return "" if _storable(text) else "characters that no file can hold"


def _repeats(text: str) -> bool:
    words = text.split()
    runs = [tuple(words[i : i + _RUN]) for i in range(len(words))]
    return len(words) >= _LOOP and len(set(runs)) < len(runs) * _VARIED


def _strange(pattern: str, text: str, said: str) -> bool:
    """Whether *text* holds a match of *pattern* that the sources did not say."""
    return any(found[0].casefold() not in said for found in re.finditer(pattern, text))


def _storable(text: str) -> bool:
    try:
        data = b"---\ntype: summary\n---\n" + text.encode()
        document.fields(document.parse(document.decode(data)))
    except (UnicodeEncodeError, Unreadable):
        return False
    return True


def _unfaithful(score: float, floor: float) -> str:
    if score >= floor:
        return ""
    return f"faithfulness {score:.2f}: names, numbers or dates that the sources do not hold"


def _uncovered(score: float) -> str:
    if score >= COVERED:
        return ""
    return f"coverage {score:.2f}: it tells nothing of what the sources are about"


def _empty(required: dict[str, str]) -> str:
    missing = [name for name, text in required.items() if not any(c.isalnum() for c in text)]
    return f"{missing[0]} is empty" if missing else ""


def _of_topic(topic: Topic, old: Topic | None) -> str:
    if missing := _empty({"slug": topic.slug, "title": topic.title}):
        return missing
    before, after = _bullets(old) if old else [], _bullets(topic)
    if not after:
        return f"topic {topic.slug} has no facts"
    lost = sum(not any(_tells(new, bullet) for new in after) for bullet in before)
    if lost >= _LOST and lost > len(before) * _LOST_SHARE:
        return f"topic {topic.slug} lost {lost} of its {len(before)} facts: return each topic whole"
    return ""


def _bullets(topic: Topic) -> list[str]:
    told = [f.text for f in (*topic.facts, *topic.patterns)]
    told += [d.decision.decision for d in topic.decisions]
    return told + [e.eliminated.approach for e in topic.eliminated]


def _tells(new: str, old: str) -> bool:
    """Whether *new* tells what *old* told, mended or not: half of its terms."""
    terms = frozenset(prose.terms(old))
    return new == old or len(terms & frozenset(prose.terms(new))) > _SAME_BULLET * len(terms)
