"""The quality gate of compaction: probes of what a summary stands for, asked of a model's summary.

A probe asks by the telling words of one source: a memory, or a line of the summaries that go into a
long-term one. It is answered by a summary that says half of them. Memories stay, and recall finds
them; what a compaction can lose is what a context says of them afterwards. So the summary that is
kept without a model is the measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.nlp.extraction.talk import utterances
from vaultmem.nlp.tasks import Task
from vaultmem.nlp.text import analysis, probe_questions
from vaultmem.nlp.text.probe_questions import Word

# Of the probes that the offline summary answers. Measured on four conversations: a good long-term
# summary in other words answers 0.6 to 1.1 times as many, one of the last news alone at most 0.4. A
# short-term one tells of few memories, and which is a matter of taste: a good one answers from 0.3
# times as many as quotations did, small talk often none; the notes that are kept now answer many.
_LEAST = {"recent": 0.05, "longterm": 0.5}
_SAID = 0.5
# One probe may ask by words that nobody needs.
_EVIDENCE = 2
_SHARE = 0.75
"""Of a source's telling words may be asked: one line has few."""

Probe = frozenset[str]


def loss(text: str, offline: str, task: Task) -> str:
    """Say how much less *text* answers of *task* than its *offline* summary does; "" for enough."""
    probes = _probes(task)
    before, after = _answered(probes, offline), _answered(probes, text)
    if after >= _LEAST[task.tier] * before or before - after < _EVIDENCE:
        return ""
    return f"recall: it answers {after} of {len(probes)} probes, the offline summary {before}"


def _probes(task: Task) -> list[Probe]:
    """Return a probe of each source that says enough to be asked for, each question once."""
    told = [tuple(_telling(text)) for text in _sources(task)]
    rare = probe_questions.rarity(told)
    asked = (probe_questions.question(words, rare, _SHARE) for words in told)
    return list(dict.fromkeys(_stems(words) for words in asked if words))


def _sources(task: Task) -> Iterator[str]:
    for passage in task.passages:
        lines = [passage.text] if task.tier == "recent" else passage.text.splitlines()
        yield from (utterances.quoted(line).text for line in lines if line.strip())


def _telling(text: str) -> Iterator[Word]:
    """Yield the telling words of *text* that are about something: no small talk."""
    words = probe_questions.distinctive_words(text)
    return (word for word in words if word.named or analysis.terms(word.asked))


def _answered(probes: Sequence[Probe], text: str) -> int:
    said = _stems(probe_questions.distinctive_words(text))
    return sum(len(probe & said) >= _SAID * len(probe) for probe in probes)


def _stems(words: Sequence[Word]) -> Probe:
    return frozenset(analysis.stem(word.term) for word in words)
