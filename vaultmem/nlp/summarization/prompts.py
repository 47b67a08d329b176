"""What models are asked, as values: the instructions, the quoted material, and the ask.

Written so that a base model can simply go on where the text ends, and a chat model can follow it.
What is quoted is data: each piece is one line between marks that it cannot close.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypeVar

from vaultmem.documents import tokens
from vaultmem.documents.bodies import Episode, Topic
from vaultmem.nlp.summarization import instructions
from vaultmem.nlp.tasks import (
    IMPORTANT,
    AnyTask,
    ClaimsTask,
    CompactTask,
    DistillTask,
    DreamTask,
    FoldTask,
    NumberedFact,
    Passage,
    ReflectTask,
    Task,
    Utterance,
)
from vaultmem.nlp.text import analysis, quoted_text, segmentation
from vaultmem.records import days
from vaultmem.storage.transcripts import Turn

# Tokens: what a whole request may quote, and what one piece of it may take.
MOST_QUOTED = 24_000
_MOST_PIECE, _MOST_TOOL = 2_000, 600
# So little that an answer has room for all that is in it.
_MOST_UTTERED, _MOST_FACTS = 4_000, 8_000
# What others said only explains what a user means by "yes".
_MOST_ANSWER, _MOST_FACT = 200, 400
# What a label costs, and the mark of a cut.
_FRAME, _LEAST_PIECE = 24, 16
_ELLIPSIS = " [\u2026] "
# Fewer passages, or lesser ones, are worth fewer sentences.
_MOST_SENTENCES = 3
_FEW, _LESSER = 8, 0.35
_LONGTERM_SENTENCES, _KEPT_SHARE = 12, 0.75

_TAGS = "memories|summaries|turns|episodes|topics|prior|utterances|facts|experience|working"
# What closes our marks, and what a chat template would take for its own.
_MARKS = (
    rf"(?i)<(?=\s*/?\s*(?:{_TAGS})\b|\||/?(?:s|bos|eos|think|start_of_turn|end_of_turn)>)"
    r"|\[(?=/?(?:INST|SYS)\])|<(?=</?SYS>>)"
)
_Piece = TypeVar("_Piece")

_HIDDEN = frozenset("\u200b\u200e\u200f\u2060\ufeff")
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request in words: its version, the stable part, the changing part.

    *sentences* is how many an answer in plain text may have, 0 where JSON is due; *room* is how
    many times the tokens of a short-term summary it may take.
    """

    version: str
    system: str
    text: str
    sentences: int = 0
    room: int = 8


def recent(task: Task) -> Prompt:
    """Ask for a short-term summary, a sentence for each thread."""
    wanted = _wanted(task.passages)
    texts = _texts(task.passages)
    found = _threads(texts, task.passages, wanted)
    ask = f"What happened, and what of it matters later, in {_count(wanted)}"
    if len(set(found.values())) > 1:
        ask += ", one for each thread, thread 1 first"
    text = _text(_fenced("memories", _listed(task, texts, found)), task, f"{ask}:")
    return Prompt("recent-1", instructions.RECENT, text, _MOST_SENTENCES, room=1)


def longterm(task: Task) -> Prompt:
    """Ask for a long-term summary of earlier summaries, in order of time."""
    count = sum(len(analysis.sentences(passage.text)) for passage in task.passages)
    wanted = min(_LONGTERM_SENTENCES, max(2, round(count * _KEPT_SHARE)))
    listed = _listed(task, _texts(task.passages), {})
    ask = f"All that happened until now, in at most {_count(wanted)}:"
    text = _text(_fenced("summaries", listed), task, ask)
    return Prompt("longterm-2", instructions.LONGTERM, text, _LONGTERM_SENTENCES, room=3)


def episode(task: FoldTask) -> Prompt:
    """Ask for what a stretch of a session came to."""
    quoted = _fenced("turns", "\n".join(_turns(task.turns, task.first)))
    text = _text(quoted, task, "What these turns came to, as a JSON object:")
    return Prompt("episode-2", instructions.EPISODE, text)


def topics(task: DistillTask) -> Prompt:
    """Ask for the topics that episodes make or change."""
    texts = ["\n".join(_episode_lines(target, it)) for target, it in task.episodes]
    episodes = "\n\n".join(_fitted(texts, [MOST_QUOTED // 2] * len(texts), MOST_QUOTED // 2))
    known = "\n".join(_nearest(task.topics, episodes))
    quoted = _fenced("topics", known) + _fenced("episodes", episodes)
    text = _text(quoted, task, "The topics that are new or changed, as a JSON object:")
    return Prompt("topics-2", instructions.TOPICS, text)


def compact(task: CompactTask) -> Prompt:
    """Ask where a session stands."""
    prior = _fenced("prior", _json(asdict(task.prior))) if task.prior else ""
    first, room = task.turn - len(task.turns) + 1, MOST_QUOTED - tokens.estimate(prior)
    quoted = prior + _fenced("turns", "\n".join(_turns(task.turns, first, room)))
    text = _text(quoted, task, "Where the work stands after these turns, as a JSON object:")
    return Prompt("compact-2", instructions.COMPACT, text)


def reflection(task: ReflectTask) -> Prompt:
    """Ask what is to be taken from a task."""
    kept = _fenced("experience", _json(asdict(task.experience)))
    working = _shortened(plain(task.working), _MOST_PIECE)
    quoted = kept + (_fenced("working", working) if working else "")
    room = MOST_QUOTED - tokens.estimate(quoted)
    quoted += _fenced("turns", "\n".join(_turns(task.turns, task.first, room)))
    text = _text(quoted, task, "What is to be taken from this task, as a JSON object:")
    return Prompt("reflection-1", instructions.REFLECTION, text)


def claims(task: ClaimsTask) -> Prompt:
    """Ask what users say of people, the utterances numbered from 1."""
    quoted = _fenced("utterances", "\n".join(_utterances(task.items)))
    text = _text(quoted, task, "What users say of people, as a JSON object:")
    return Prompt("claims-1", instructions.CLAIMS, text)


def suggestions(task: DreamTask) -> Prompt:
    """Ask what could be changed about facts, by their numbers."""
    texts = [plain(fact.text) for fact in task.facts]
    fitted = _fitted(texts, [_MOST_FACT] * len(texts), MOST_QUOTED)
    lines = (_fact(fact, text) for fact, text in zip(task.facts, fitted, strict=True) if text)
    quoted = _fenced("facts", "\n".join(lines))
    text = _text(quoted, task, "What could be changed about these facts, as a JSON object:")
    return Prompt("suggestions-1", instructions.SUGGESTIONS, text)


def claim_batches(task: ClaimsTask) -> list[ClaimsTask]:
    """Cut *task*, in order, into tasks whose answers have room for all that is claimed."""
    sizes = [min(_cap(item), tokens.estimate(item.text)) for item in task.items]
    return [replace(task, items=some) for some in _cut(task.items, sizes, _MOST_UTTERED)]


def fact_batches(task: DreamTask) -> list[DreamTask]:
    """Cut *task*, in order, into tasks that a request can quote whole."""
    sizes = [min(_MOST_FACT, tokens.estimate(fact.text)) for fact in task.facts]
    return [replace(task, facts=some) for some in _cut(task.facts, sizes, _MOST_FACTS)]


def batches(task: Task) -> list[tuple[Passage, ...]]:
    """Cut the passages of *task*, in order, into groups that a request can quote whole."""
    sizes = [min(_MOST_PIECE, tokens.estimate(passage.text)) for passage in task.passages]
    return _cut(task.passages, sizes, MOST_QUOTED)


def _cut(pieces: Sequence[_Piece], sizes: Sequence[int], most: int) -> list[tuple[_Piece, ...]]:
    """Cut *pieces* into groups that with their labels take at most *most* tokens each."""
    groups: list[list[_Piece]] = [[]]
    left = most
    for piece, size in zip(pieces, sizes, strict=True):
        if size + _FRAME > left and groups[-1]:
            groups.append([])
            left = most
        groups[-1].append(piece)
        left -= size + _FRAME
    return [tuple(group) for group in groups]


def plain(text: str) -> str:
    """Return *text* on one line, without characters that command or hide."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(" " if c.isspace() else c for c in text if not _acts(c)).split())


def _acts(char: str) -> bool:
    if char.isspace():
        return False
    tag = "\U000e0000" <= char <= "\U000e007f"
    return tag or char in _HIDDEN or char in _BIDI or unicodedata.category(char) in {"Cc", "Cs"}


def _text(quoted: str, task: AnyTask, ask: str) -> str:
    """Join the parts; a text ends where its answer begins."""
    agent, complaint = plain(task.agent), plain(task.complaint)
    mended = f"An attempt before this one was no good: {complaint}\n\n" if task.complaint else ""
    return f"{quoted}{mended}{f'I am {agent}. ' if task.agent else ''}{ask}"


def _fenced(tag: str, listed: str) -> str:
    harmless = re.sub(_MARKS, lambda mark: "\u2039" if mark[0] == "<" else "(", listed)
    return f"<{tag}>\n{harmless}\n</{tag}>\n\n"


def _count(sentences: int) -> str:
    return "1 sentence" if sentences == 1 else f"{sentences} sentences"


def _wanted(passages: Sequence[Passage]) -> int:
    """Return how many sentences the passages are worth: three, less of the few and the lesser."""
    top = max((passage.importance for passage in passages), default=0.0)
    return _MOST_SENTENCES - (len(passages) < _FEW) - (top < _LESSER)


def _threads(texts: Sequence[str], passages: Sequence[Passage], most: int) -> dict[int, int]:
    """Return the thread of each place, 1 the heaviest; an aside has none, nor has all of one."""
    documents = [analysis.terms(text) for text in texts]
    dates = [passage.created[:10] for passage in passages]
    vectors = segmentation.vectors(documents, dates, segmentation.weights(documents))
    labels = segmentation.label(vectors, most)
    ranks = {at: rank for rank, at in enumerate(segmentation.heaviest(vectors, labels), 1)}
    if len(ranks) == 1:
        return {}
    return {i: ranks[label] for i, label in enumerate(labels) if label in ranks}


def _texts(passages: Sequence[Passage]) -> list[str]:
    """Return the texts of *passages*, each on one line, as much of them as can be quoted."""
    texts = [plain(passage.text) for passage in passages]
    return _fitted(texts, [_MOST_PIECE] * len(texts), MOST_QUOTED)


def _listed(task: Task, texts: Sequence[str], found: Mapping[int, int]) -> str:
    """Return the passages line by line: `[2023-05-08, thread 2] Caroline: ...`.

    They stay in order of time, since an answer makes no sense away from its question.
    """
    lines = zip(task.passages, texts, strict=True)
    return "\n".join(
        _stamp(days(plain(passage.created), plain(passage.until)), found.get(i, 0))
        + _speaker(passage, task.agent)
        + text
        for i, (passage, text) in enumerate(lines)
        if text
    )


def _speaker(passage: Passage, agent: str) -> str:
    who = plain(passage.speaker)
    who = "I" if agent and who.casefold() == agent.casefold() else who
    weight = "(important)" if passage.importance >= IMPORTANT else ""
    head = " ".join(part for part in (who, weight) if part)
    return f"{head}: " if head else ""


def _day(at: str) -> str:
    return plain(at)[:10]


def _stamp(when: str, thread: int = 0) -> str:
    parts = [when, f"thread {thread}" if thread else ""]
    return f"[{', '.join(filter(None, parts))}] " if any(parts) else ""


def _turns(turns: Sequence[Turn], first: int, most: int = MOST_QUOTED) -> Iterator[str]:
    """Yield each turn on a line: `#5 [2023-05-08] User: ...`; the agent's own are `I`."""
    caps = [_MOST_TOOL if turn.role == "tool" else _MOST_PIECE for turn in turns]
    texts = _fitted([plain(turn.content) for turn in turns], caps, most)
    for n, (turn, text) in enumerate(zip(turns, texts, strict=True), first):
        if text:
            yield f"#{n} {_stamp(_day(turn.at))}{_voice(turn)}: {text}"


def _voice(turn: Turn) -> str:
    if turn.role == "assistant":
        return "I"
    name = turn.tool if turn.role == "tool" else turn.speaker
    return " ".join([turn.role.capitalize(), *([f"({plain(name)})"] if name else [])])


def _utterances(items: Sequence[Utterance]) -> Iterator[str]:
    """Yield each utterance on a line, without what is no words of its speaker's."""
    caps = [_cap(item) for item in items]
    texts = _fitted([plain(quoted_text.words(item.text)) for item in items], caps, MOST_QUOTED)
    for n, (item, text) in enumerate(zip(items, texts, strict=True), 1):
        if text:
            turn = Turn(item.role, "", item.speaker, item.at)
            yield f"#{n} {_stamp(_day(item.at))}{_voice(turn)}: {text}"


def _cap(item: Utterance) -> int:
    return _MOST_PIECE if item.role == "user" else _MOST_ANSWER


def _fact(fact: NumberedFact, text: str) -> str:
    return f"#{fact.number} {_stamp(_day(fact.date))}{plain(fact.where)}: {text}"


def _fitted(texts: Sequence[str], caps: Sequence[int], most: int) -> list[str]:
    """Shorten *texts* to their *caps*, then the longest until all take *most* tokens together.

    Each keeps its beginning and its end, so nothing disappears, the newest least of all.
    """
    sizes = [min(tokens.estimate(t), cap) for t, cap in zip(texts, caps, strict=True)]
    level = max(_LEAST_PIECE, _level(sizes, most - _FRAME * len(texts)))
    return [_shortened(t, min(level, size)) for t, size in zip(texts, sizes, strict=True)]


def _level(sizes: Sequence[int], most: int) -> int:
    """Return the size that no piece may exceed for all to take *most* together."""
    left = most
    for i, size in enumerate(sorted(sizes)):
        if size * (len(sizes) - i) > left:
            return left // (len(sizes) - i)
        left -= size
    return max(sizes, default=0)


def _shortened(text: str, most: int) -> str:
    """Return *text* without its middle when it takes more than *most* tokens."""
    size = tokens.estimate(text)
    if size <= most:
        return text
    keep = max(0, len(text) * most // size - len(_ELLIPSIS))
    tail = keep // 3
    return text[: keep - tail] + _ELLIPSIS + text[len(text) - tail :]


def _episode_lines(target: str, episode: Episode) -> Iterator[str]:
    """Write an episode out, a line each; its name is what facts cite."""
    yield f"Episode {plain(target)}"
    yield f"title: {plain(episode.title)}"
    yield f"summary: {plain(episode.summary)}"
    for d in episode.decisions:
        yield f"decision: {_clauses(d.decision, d.reason, d.constraint)}"
    yield from (f"eliminated: {_clauses(e.approach, e.why)}" for e in episode.eliminated)
    yield from (f"tool result: {plain(t.name)}: {plain(t.result)}" for t in episode.tool_results)
    for name in ("open_questions", "corrections", "preferences"):
        heading = name.replace("_", " ").removesuffix("s")
        yield from (f"{heading}: {plain(text)}" for text in getattr(episode, name))


def _clauses(text: str, why: str, bound: str = "") -> str:
    parts = (("", text), ("because", why), ("constraint:", bound))
    return "; ".join(f"{opening} {plain(part)}".strip() for opening, part in parts if part)


def _nearest(known: Iterable[Topic], told: str) -> Iterator[str]:
    """Yield topics as JSON, those first that share most with *told*, while there is room."""
    about = frozenset(analysis.terms(told))
    left = MOST_QUOTED // 2
    texts = [_json(_flat(topic)) for topic in known]
    for text in sorted(texts, key=lambda t: -len(about & frozenset(analysis.terms(t)))):
        left -= tokens.estimate(text)
        if left >= 0:
            yield text


def _json(value: dict[str, object]) -> str:
    return plain(json.dumps(value, ensure_ascii=False))


def _flat(topic: Topic) -> dict[str, object]:
    """Return *topic* in the form in which topics are asked for."""
    return asdict(topic) | {
        "decisions": [asdict(d.decision) | {"sources": d.sources} for d in topic.decisions],
        "eliminated": [asdict(e.eliminated) | {"sources": e.sources} for e in topic.eliminated],
    }
