"""Choose the sentences that carry the news, none of which says again what another has said.

They are weighed by substance, centrality, facts and importance; each thread gives its best.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.nlp.extraction.talk import self_contained
from vaultmem.nlp.summarization.sentence_candidates import SENTENCES, Candidate, Window
from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis, quotation, salience, segmentation

# Fewer passages, or lesser ones, are worth two sentences.
_FEW, _LESSER = 8, 0.35
# A thread whose best sentence is this much weaker than the window's best gets none.
_TELLING = 0.5
_LEAST_WORDS, _MOST_WORDS = 15, 150
# Keeps a short sentence of one heavy term from beating a long one of many.
_TEMPER = 8
# What a repetition costs: 1 - lambda of maximal marginal relevance (Carbonell & Goldstein 1998).
_REPETITION, _SAME_VOICE = 0.6, 0.85
# What is left of a sentence that only answers, or is a fragment.
_HANGING = 0.3
# The substance of what is said in reply, and what is left of what an agent could tell anybody.
_REPLIED, _GENERAL = 1.5, 0.5


def choose(
    candidates: Sequence[Candidate], window: Window, most: int = SENTENCES
) -> list[Candidate]:
    """Take what is important, the best of each thread, then of all, until there is enough.

    Of *most* above one there are more where they are short.
    """
    worth = _worth(candidates, window)
    wanted = most if _is_much(window.passages) else min(most, SENTENCES - 1)
    newsworthy = [candidate for candidate in candidates if candidate.is_news]
    chosen: list[Candidate] = []
    for within in _by_importance(candidates, worth, window)[:wanted]:
        _take(within, chosen, worth, window)
    for within in _by_thread(newsworthy, worth, window)[: wanted - len(chosen)]:
        _take(within, chosen, worth, window)
    while len(chosen) < wanted and _take(newsworthy, chosen, worth, window):
        pass
    while (
        (most > 1 or not chosen)
        and _length(chosen, window) < _LEAST_WORDS
        and _take(candidates, chosen, worth, window)
    ):
        pass
    return chosen


def _by_importance(
    candidates: Sequence[Candidate], worth: dict[int, float], window: Window
) -> list[list[Candidate]]:
    """Return the candidates of each important passage, the most important first."""
    at = sorted({c.passage for c in candidates if window.is_important(c)})
    important = [[c for c in candidates if c.passage == n] for n in at]
    best = {g[0].passage: max(worth[c.order] for c in g) for g in important}
    return sorted(important, key=lambda g: (-window.importance(g[0]), -best[g[0].passage]))


def _by_thread(
    newsworthy: Sequence[Candidate], worth: dict[int, float], window: Window
) -> list[list[Candidate]]:
    """Return the candidates of each thread that has something to tell, the heaviest first."""
    top = max((worth[candidate.order] for candidate in newsworthy), default=0.0)
    groups = ([c for c in newsworthy if window.threads[c.passage] == at] for at in window.heaviest)
    return [group for group in groups if any(worth[c.order] >= _TELLING * top for c in group)]


def _take(
    among: Sequence[Candidate], chosen: list[Candidate], worth: dict[int, float], window: Window
) -> bool:
    """Add the candidate of greatest marginal relevance to *chosen*; whether there was one."""
    room = _MOST_WORDS - sum(candidate.size for candidate in chosen)
    left = [c for c in among if c.size <= room and not _is_known(c, chosen)]
    if not left:
        return False
    value = {c.order: worth[c.order] * _fresh(c, chosen, window) for c in left}
    chosen.append(max(left, key=lambda c: (round(value[c.order], 6), -c.order)))
    return True


def _is_known(candidate: Candidate, chosen: Sequence[Candidate]) -> bool:
    return any(
        candidate.text == other.text or segmentation.same(candidate.items, other.items)
        for other in chosen
    )


def _fresh(candidate: Candidate, chosen: Sequence[Candidate], window: Window) -> float:
    """Return how much of *candidate* is new beside what is chosen; a new voice counts as well."""
    own, voice = window.about[candidate.order], window.passages[candidate.passage].speaker
    near = (segmentation.alike(own, window.about[other.order]) for other in chosen)
    is_heard = any(window.passages[other.passage].speaker == voice for other in chosen)
    return (1 - _REPETITION * max(near, default=0.0)) * (_SAME_VOICE if is_heard else 1.0)


def _worth(candidates: Sequence[Candidate], window: Window) -> dict[int, float]:
    """Weigh each candidate by centrality, importance and what it tells."""
    centre = {c.order: _centrality(c, window) for c in candidates}
    most = max(centre.values(), default=0.0) or 1.0
    return {
        c.order: (0.4 + centre[c.order] / most) * (0.5 + window.importance(c)) * _weight(c, window)
        for c in candidates
    }


def _weight(candidate: Candidate, window: Window) -> float:
    """Weigh substance and facts; what is no news only fills, and questions come last."""
    if candidate.is_news:
        parsed, reply = candidate.parsed, candidate.reply
        facts = _facts(parsed, window.names)
        if reply:
            return (_GENERAL if reply.is_general else 1.0) * (_REPLIED + facts)
        told = salience.substance(parsed.text, parsed.heads) + facts
        return told if self_contained.stands(parsed.text) else _HANGING * told
    return 0.05 if salience.is_question(candidate.text) else 0.2


def _centrality(candidate: Candidate, window: Window) -> float:
    """Return the centroid's mass in the sentence (Radev et al. 2004), tempered by its length."""
    own = window.about[candidate.order].vector
    return float(sum(own.values()) / (len(own) + _TEMPER) ** 0.5)


def _facts(sentence: analysis.Parsed, names: frozenset[str]) -> float:
    """Weigh the names, numbers and dates of a sentence; the third adds little."""
    named = names.intersection(sentence.heads)
    figures = (*sentence.numbers, *sentence.dates, *analysis.spelled(sentence.heads))
    return 0.6 * min(len(named) + len(figures), 3)


def _is_much(passages: Sequence[Passage]) -> bool:
    top = max((passage.importance for passage in passages), default=0.0)
    return len(passages) >= _FEW and top >= _LESSER


def _length(chosen: Sequence[Candidate], window: Window) -> int:
    """Count the words with their frames."""
    return sum(
        analysis.size(quotation.framed(candidate.text, window.passages[candidate.passage]))
        for candidate in chosen
    )
