"""Name a stretch of talk by what it is about: its heaviest words, as they were written."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from vaultmem.nlp.text import analysis, quotation, segmentation
from vaultmem.nlp.text.stopwords import CJK_STOP, VAGUE
from vaultmem.storage import files

_TERMS, _LONGEST_RUN = 3, 8
_A_NAME = 1.5
# Stems that say when, never what.
_TIMES = frozenset(["day", "week", "month", "year", "today", "yesterday", "tomorrow", "tonight"])


def title(texts: Sequence[str], voices: Iterable[str] = (), fallback: str = "") -> str:
    """Return a short line for *texts*, or *fallback* when nothing in them has weight.

    The names of the *voices* are left out, since they are mostly addressed.
    """
    whole = " ".join(texts)
    if analysis.is_cjk(whole):
        runs = _runs(texts)
        return "\u3001".join(runs) or _start(texts) or fallback
    spoke = {head for voice in voices for head in analysis.heads(voice)}
    heads = {head for text in texts for head in analysis.heads(text)} if spoke else set()
    # `Mel` addresses Melanie.
    called = (head for head in heads if len(head) > 1 and any(s.startswith(head) for s in spoke))
    found = subjects(texts, _TERMS, frozenset(map(analysis.stem, called)))
    named = ", ".join(found)
    return (named[:1].upper() + named[1:]) or _start(texts) or fallback


def subjects(
    texts: Sequence[str], most: int, unless: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Return the heaviest terms of *texts* as written, the heaviest first, *unless* named."""
    if analysis.is_cjk(" ".join(texts)):
        return tuple(_runs(texts)[:most])
    surfaces, documents = _written_forms(texts), [analysis.terms(text) for text in texts]
    weight = segmentation.weights(documents)
    names = frozenset(analysis.stem(name) for name in analysis.names(texts))
    known = (t for t in weight if t in surfaces and t not in unless | _TIMES | VAGUE)
    worth = {t: weight[t] * (_A_NAME if t in names else 1.0) for t in known}
    # A stable sort: of two as heavy the one that was said first.
    heavy = sorted(worth, key=lambda term: -round(worth[term], 6))
    return tuple(_written(surfaces[term]) for term in heavy[:most])


def slug(name: str) -> str:
    """Return a file's name for *name*; one that ASCII cannot hold is told by its hash."""
    plain = files.slug(name)
    lost = sum(letter.isalnum() and not letter.isascii() for letter in name)
    if plain and 2 * lost < len(name):
        return plain
    return f"topic-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _written_forms(texts: Iterable[str]) -> Mapping[str, Counter[str]]:
    """Return for each stem how it was written and how often."""
    found: dict[str, Counter[str]] = {}
    for word, count in Counter(word for text in texts for word in analysis.words(text)).items():
        plain = word.replace("\u2019", "'").split("'")[0]
        found.setdefault(analysis.stem(word), Counter())[plain] += count
    return found


def _written(forms: Counter[str]) -> str:
    """Return the most frequent form; lower case where the word was ever written so."""
    lower: Counter[str] = Counter()
    for form, count in forms.items():
        lower[form.lower()] += count
    best = max(lower, key=lambda form: (lower[form], -len(form), form))
    return best if best in forms else max(f for f in forms if f.lower() == best)


def _runs(texts: Sequence[str]) -> list[str]:
    """Return the strings of Chinese characters that occur again, the weightiest first."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({run for word in analysis.words(text) for run in _parts(word)})
    heavy = [run for run, count in counts.items() if count > 1]
    ranked = sorted(heavy, key=lambda run: (-counts[run] * (len(run) - 1), run))
    kept: list[str] = []
    for run in ranked:
        if not any(run in other or other in run for other in kept):
            kept.append(run)
    return kept[:_TERMS]


def _parts(word: str) -> Iterable[str]:
    if not analysis.is_cjk(word):
        return ()
    return (
        word[i:j]
        for i in range(len(word))
        for j in range(i + 2, min(i + _LONGEST_RUN, len(word)) + 1)
        if CJK_STOP.isdisjoint(word[i:j])
    )


def _start(texts: Sequence[str]) -> str:
    """Return the first words of the first sentence."""
    sentences = chain.from_iterable(map(analysis.sentences, texts))
    first = next((s for s in sentences if not analysis.is_code(s)), "")
    return quotation.chop(first, 8).strip("\u2026 .,:;\uff0c\u3002\uff1a").replace(":", "")
