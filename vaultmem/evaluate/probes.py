"""Make questions of a vault's own files, without a model, to see that recall finds what is there.

A probe asks by some telling words of one file (rare ones, names, dates), never by all of them; that
file answers it, and so does any exact duplicate. The same vault, number and seed give the same
probes. They are values that can be kept: asked again after a clean-up, they tell what it lost.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from math import log
from random import Random

from vaultmem.errors import BadInput
from vaultmem.evaluate.evidence import Known, ref
from vaultmem.evaluate.questions import Asked
from vaultmem.evaluate.wording import normal
from vaultmem.index import words
from vaultmem.model import Record

PROBED = ("memory", "topic", "card", "episode")
"""The types that hold facts; summaries repeat what others say."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_SENTENCE_END = ".!?:\n"
# A person recalls a handful of words; with fewer than half of a text's it is never the whole text.
_MOST_WORDS = 5
_LEAST_WORDS = 3
_MOST_SHARE = 0.5
# A name or a number tells as much as a word that is e times as rare.
_NAMED = 1.0


@dataclass(frozen=True, slots=True)
class Probe:
    """A *question*, and the refs (ids, or else paths) of the files any of which answers it."""

    question: str
    gold: tuple[str, ...]
    type: str = "memory"

    def known(self) -> Known:
        """Return it as a question whose evidence is known: one piece, held by all of its gold."""
        return Known(Asked(self.question, self.gold, self.type), (frozenset(self.gold),))


def dumps(probes: Iterable[Probe]) -> str:
    """Return *probes* as JSONL."""
    rows = ({"question": p.question, "gold": p.gold, "type": p.type} for p in probes)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def loads(text: str) -> tuple[Probe, ...]:
    """Read what `dumps` wrote; raises BadInput for anything else."""
    try:
        rows = [json.loads(line) for line in text.split("\n") if line]
        return tuple(Probe(r["question"], tuple(r["gold"]), r["type"]) for r in rows)
    except (ValueError, KeyError, TypeError) as e:
        raise BadInput(f"no probes: {e}; let `eval self` build them anew") from e


def build(records: Iterable[Record], count: int, seed: int) -> tuple[Probe, ...]:
    """Return up to *count* probes of *records*, every type in turn as far as it goes."""
    read = [_Text(r, _telling(r)) for r in records if r.type in PROBED and not r.problem]
    read.sort(key=lambda text: text.record.path)
    rarity = _rarity([text.terms for text in read])
    twins = _twins(read)
    made = (_probe(text, rarity, twins) for text in _in_turn(read, Random(seed)))  # noqa: S311
    return tuple(islice((probe for probe in made if probe), count))


@dataclass(frozen=True, slots=True)
class _Word:
    """A word as it is written, the *term* it is to the index, and whether it is a name or number.

    *asked* is how a question writes it.
    """

    asked: str
    term: str
    named: bool


@dataclass(frozen=True, slots=True)
class _Text:
    """A file's text, and its telling words, each once and in order."""

    record: Record
    telling: tuple[_Word, ...]

    @property
    def terms(self) -> Iterator[str]:
        return (word.term for word in self.telling)


def _telling(record: Record) -> tuple[_Word, ...]:
    found: dict[str, _Word] = {}
    for word in _words(f"{record.title}\n{record.description}\n{record.body}"):
        kept = found.setdefault(word.term, word)
        # A word that is ever written without a capital is no name.
        if kept.named and not word.named:
            found[word.term] = word
    return tuple(found.values())


def _words(text: str) -> Iterator[_Word]:
    for match in _WORD.finditer(text):
        written = match.group()
        before = text[: match.start()].rstrip(" \"'(*_#>-")[-1:]
        opens = not before or before in _SENTENCE_END
        named = any(c.isdigit() for c in written) or (written[:1].isupper() and not opens)
        for term in words.terms(written):
            if term not in words.STOP_WORDS and (len(term) > 1 or not term.isascii()):
                yield _Word(written if written.isascii() else term, term, named)


def _rarity(texts: Sequence[Iterable[str]]) -> Mapping[str, float]:
    """Return the inverse document frequency of each term, ln(N / df) (Sparck Jones 1972)."""
    held = Counter(chain.from_iterable(texts))
    return {term: log(len(texts) / df) for term, df in held.items()}


def _twins(read: Iterable[_Text]) -> Mapping[str, tuple[str, ...]]:
    """Return the refs of the files that say the same, by what they say."""
    alike: dict[str, list[str]] = defaultdict(list)
    for text in read:
        alike[normal(text.record.body)].append(ref(text.record))
    return {said: tuple(dict.fromkeys(refs)) for said, refs in alike.items()}


def _in_turn(read: Sequence[_Text], random: Random) -> Iterator[_Text]:
    """Yield the texts in a random order, one of each type after the other."""
    by_type = [[t for t in read if t.record.type == kind] for kind in PROBED]
    for of_one in by_type:
        random.shuffle(of_one)
    return (text for row in zip_longest(*by_type) for text in row if text)


def _probe(
    text: _Text, rarity: Mapping[str, float], twins: Mapping[str, tuple[str, ...]]
) -> Probe | None:
    """Return the probe of one text, None for one that says too little to be asked for."""
    room = min(_MOST_WORDS, int(len(text.telling) * _MOST_SHARE))
    if room < _LEAST_WORDS:
        return None
    worth = {word: rarity[word.term] + _NAMED * word.named for word in text.telling}
    best = set(sorted(worth, key=lambda word: (-worth[word], word.term))[:room])
    asked = dict.fromkeys(word.asked for word in text.telling if word in best)
    return Probe(" ".join(asked), twins[normal(text.record.body)], text.record.type)
