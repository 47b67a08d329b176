"""The sentences of a window that could be quoted, and what they are weighed by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from vaultmem.nlp.extraction.grammar import sentence_borders_en
from vaultmem.nlp.extraction.talk.replies import Reply
from vaultmem.nlp.summarization import quality
from vaultmem.nlp.tasks import IMPORTANT, Passage
from vaultmem.nlp.text import analysis, quotation, salience, segmentation, stopwords

SENTENCES = 3
"""Sentences, and threads, that a window is worth at the most."""
WORDS_EACH = 40
_WORDS_ALONE = 100


class Candidate(NamedTuple):
    """A sentence that could be quoted, where it stood, and what it is about.

    A *reply* is *parsed* with its question.
    """

    parsed: analysis.Parsed
    passage: int
    order: int
    size: int
    items: frozenset[str]
    is_news: bool
    reply: Reply | None = None

    @property
    def text(self) -> str:
        """What would be quoted."""
        return self.reply.text if self.reply else self.parsed.text

    @property
    def asked(self) -> str:
        """What it answers, "" where it needs no question."""
        return self.reply.question if self.reply else ""


class Window(NamedTuple):
    """What is known of the passages as a whole: weights of terms, threads, names."""

    passages: tuple[Passage, ...]
    weight: segmentation.Vector
    threads: list[int]
    heaviest: list[int]
    names: frozenset[str]
    # What each candidate is about, by its order.
    about: dict[int, segmentation.Measured]

    def importance(self, candidate: Candidate) -> float:
        """Return how important the passage of *candidate* is."""
        return self.passages[candidate.passage].importance

    def is_important(self, candidate: Candidate) -> bool:
        """Whether the passage of *candidate* is to be told of."""
        return self.importance(candidate) >= IMPORTANT


def of(parts: Sequence[quality.Read]) -> Iterator[Candidate]:
    """Yield the sentences of *parts* that say anything, in their order."""
    order = 0
    for i, part in enumerate(parts):
        for sentence in spoken(part):
            if analysis.bare(sentence):
                yield _candidate(sentence, i, order, part.parsed)
            order += 1


def replies(said: Iterable[Reply], first: int) -> Iterator[Candidate]:
    """Yield the replies that were *said* as one can quote them, numbered from *first* on."""
    for order, reply in enumerate(said, first):
        parsed = analysis.parsed(f"{reply.question} {reply.text}".strip())
        items = frozenset([*parsed.terms, *parsed.numbers, *parsed.dates])
        size = analysis.size(parsed.text)
        yield Candidate(parsed, reply.number, order, size, items, is_news=True, reply=reply)


def spoken(part: quality.Read) -> list[str]:
    """Return the sentences without captions of attachments, also where no mark parts them."""
    text = salience.spoken(part.parsed.text)
    split = part.sentences if text == part.parsed.text else analysis.sentences(text)
    if not stopwords.is_english(part.parsed.heads):
        return split
    return [own for sentence in split for own in _parted(sentence)]


def _parted(sentence: str) -> Iterable[str]:
    """Return the sentences of which *sentence* is made where no mark ends them."""
    is_code = analysis.is_code(sentence)
    return (sentence,) if is_code else sentence_borders_en.sentences(sentence)


def _candidate(sentence: str, passage: int, order: int, whole: analysis.Parsed) -> Candidate:
    """Cut *sentence* to size; one that cannot be cut safely only fills, and then whole."""
    text = quotation.cut(salience.without_lead(analysis.bare(sentence)), WORDS_EACH)
    fits = analysis.size(text) <= WORDS_EACH and not analysis.is_code(sentence)
    text = quotation.chop(text, _WORDS_ALONE)
    # Many a memory is one sentence.
    parsed = whole if text == whole.text else analysis.parsed(text)
    items = frozenset([*parsed.terms, *parsed.numbers, *parsed.dates])
    is_news = fits and salience.is_news(parsed.text, parsed.terms)
    return Candidate(parsed, passage, order, analysis.size(parsed.text), items, is_news)


def survey(passages: tuple[Passage, ...], candidates: Sequence[Candidate]) -> Window:
    """Weigh the terms of the passages, and find their threads."""
    documents: list[list[str]] = [[] for _ in passages]
    for candidate in candidates:
        documents[candidate.passage] += candidate.parsed.terms
    weight = segmentation.weights(documents)
    vectors = segmentation.vectors(
        documents, [passage.created[:10] for passage in passages], weight
    )
    labels = segmentation.label(vectors, SENTENCES)
    named = frozenset(analysis.names(candidate.text for candidate in candidates))
    heaviest = segmentation.heaviest(vectors, labels)
    about = {
        c.order: segmentation.measured({term: weight[term] for term in c.parsed.terms})
        for c in candidates
    }
    return Window(passages, weight, labels, heaviest, named - _addressed(named, passages), about)


def _addressed(named: frozenset[str], passages: Sequence[Passage]) -> frozenset[str]:
    """Return the names that only address a speaker: `Melanie`, and `Mel` for short."""
    voices = {passage.speaker for passage in passages}
    speakers = {head for voice in voices for head in analysis.heads(voice)}
    return frozenset(name for name in named if any(s.startswith(name) for s in speakers))
