"""The quality gate of a dream: probes of the vault's own facts, asked before and after, on a copy.

A probe asks by a fact's telling words; it is answered when one of the first hits says nearly all of
these. What a dream declares as lost is not asked for, nor what `MEMORY.md` says: agents read that
before they recall. What it archives is asked for by all its words, unless it is courtesy alone. The
copy is of the index alone: the files that would change are read from the plan.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from vaultmem.maintenance.dream.facts import note
from vaultmem.maintenance.dream.types import Gate, key
from vaultmem.memory import memory_index
from vaultmem.nlp.extraction.talk import pleasantries
from vaultmem.nlp.text import probe_questions
from vaultmem.nlp.text.probe_questions import Word
from vaultmem.records import Record, iso
from vaultmem.retrieval import search
from vaultmem.retrieval.search.types import Question
from vaultmem.storage import files, reader
from vaultmem.storage.files import Content
from vaultmem.storage.index import Filter, Index, Source
from vaultmem.storage.store import Store

_CHANGED, _OTHERS = 60, 40
_CONSIDERED = 2000
"""Texts by which the rarity of a word is known; more would only take longer."""

_HITS = 10
_SHARE = 0.75
"""Of a fact's telling words may be asked; a single line has few."""

_MOST_TERMS = 0.6
_SEED = 1
_FACTUAL = ("memory", "topic", "card", "note", "skill")
_HOLDS_FACTS = Filter(type=_FACTUAL, recallable=True)

Overlay = Mapping[str, bytes | None]
"""What files would hold, by path; None is gone."""


@dataclass(frozen=True, slots=True)
class _Probe:
    """A question, and the terms of it that an answer must mostly say."""

    question: str
    terms: frozenset[str]


def judge(store: Store, changes: Overlay, lost: Collection[str]) -> Gate:
    """Return how many probes are answered now, and with *changes*; none asks for a *lost* fact."""
    read = _overlaid(store, changes)
    index_says = (key(text) for text in _facts(memory_index.PATH, read(memory_index.PATH)))
    probes = _probes(store, changes, frozenset((*map(key, lost), *index_says)))
    if not probes:
        return Gate()
    now = iso(store.clock())
    before = _share(store.index, probes, now, lambda _path, _sha: True)
    with _dreamt(store, changes) as index:
        after = _share(index, probes, now, lambda _path, _sha: True)
    return Gate(before, after, len(probes))


def _overlaid(store: Store, changes: Overlay) -> Callable[[str], Content | None]:
    """Return what reads files as the dream would leave them."""

    def read(path: str) -> Content | None:
        if path not in changes:
            data = store.texts.read(path)
            return None if data is None else files.content(data)
        data = changes[path]
        return None if data is None else files.content(data)

    return read


@contextlib.contextmanager
def _dreamt(store: Store, changes: Overlay) -> Iterator[Index]:
    """Yield a copy of the index in which the files are as the dream would leave them."""
    read = _overlaid(store, changes)
    with tempfile.TemporaryDirectory(prefix="vaultmem-gate-") as folder:
        copy = Path(folder, "catalog.sqlite3")
        store.index.copy_to(copy)
        source = Source(lambda *_: (), lambda _: {}, lambda: contextlib.nullcontext(read))
        index = Index(copy, source, reader.record)
        with contextlib.closing(index):
            index.absorb(changes)
            yield index


def _share(index: Index, probes: Sequence[_Probe], now: str, still: search.Still) -> float:
    """Return the share of *probes* that *index* answers; each file that is found is read once."""

    @cache
    def said(path: str) -> frozenset[str]:
        return _terms(probe_questions.distinctive_words(index.body(path) or ""))

    def is_answered(probe: _Probe) -> bool:
        question = Question(probe.question, _HITS, now=now, mode="lexical")
        found = (said(hit.path) for hit in search.search(index, question, still).hits)
        return any(len(probe.terms & it) >= _MOST_TERMS * len(probe.terms) for it in found)

    return round(sum(map(is_answered, probes)) / len(probes), 4)


def _terms(said: Iterable[Word]) -> frozenset[str]:
    return frozenset(word.term for word in said)


# --- what to ask for --------------------------------------------------------------------------


def _probes(store: Store, changes: Overlay, lost: frozenset[str]) -> list[_Probe]:
    """Return probes of what changes, and of some of the rest; the same vault gives the same."""
    archived = {data for path, data in changes.items() if Record(path, "").archived}
    touched = [it.path for it in store.index.at(changes, body=False) if _holds_facts(it)]
    hidden = [path for path in touched if not changes[path] and store.texts.read(path) in archived]
    read = _overlaid(store, {})
    gone = [x for p in hidden for x in _facts(p, read(p)) if not pleasantries.is_courtesy(x)]
    told = [text for p in touched if p not in hidden for text in _facts(p, read(p))]
    random = Random(_SEED)  # noqa: S311  # a sample, no secret
    random.shuffle(told)
    drawn = store.index.drawn(_HOLDS_FACTS, _CONSIDERED + len(changes), random.sample)
    others = [path for path in drawn if path not in changes]
    rest = [store.index.body(path) or "" for path in others[:_CONSIDERED]]
    asked = [*gone, *told[:_CHANGED], *rest[:_OTHERS]]
    known = [probe_questions.distinctive_words(text) for text in (*asked, *rest)]
    rare = probe_questions.rarity(known)
    made = (
        probe_questions.question(said, rare, _SHARE if n >= len(gone) else 1.0)
        for n, (text, said) in enumerate(zip(asked, known, strict=False))
        if key(text) not in lost
    )
    return [
        _Probe(" ".join(dict.fromkeys(word.asked for word in chosen)), _terms(chosen))
        for chosen in made
        if chosen
    ]


def _holds_facts(record: Record) -> bool:
    return record.type in _FACTUAL and record.recallable


def _facts(path: str, found: Content | None) -> Iterator[str]:
    found_note = note(path, found.data) if found else None
    for fact in found_note.facts if found_note else ():
        yield fact.text
