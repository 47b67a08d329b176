"""Make questions of a vault's own files, without a model, to see that recall finds what is there.

A probe asks by some telling words of one file (rare ones, names, dates), never by all of them; that
file answers it, and so does any exact duplicate. The same vault, number and seed give the same
probes. They are values that can be kept: asked again after a clean-up, they tell what it lost.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from random import Random

from vaultmem.api import probe_questions
from vaultmem.api.probe_questions import Word
from vaultmem.errors import BadInput
from vaultmem.evaluation.evidence import Known, ref
from vaultmem.evaluation.phrase_match import normal
from vaultmem.evaluation.questions import LabelledQuestion
from vaultmem.records import Record

PROBED = ("memory", "topic", "card", "episode")
"""The types that hold facts; summaries repeat what others say."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A *question*, and the refs (ids, or else paths) of the files any of which answers it."""

    question: str
    gold: tuple[str, ...]
    type: str = "memory"

    def known(self) -> Known:
        """Return it as a question whose evidence is known: one piece, held by all of its gold."""
        return Known(LabelledQuestion(self.question, self.gold, self.type), (frozenset(self.gold),))


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
        raise BadInput(f"no probes: {e}; let `eval self` rebuild them") from e


def build(records: Iterable[Record], count: int, seed: int) -> tuple[Probe, ...]:
    """Return up to *count* probes of *records*, every type in turn as far as it goes."""
    read = [_text(r) for r in records if r.type in PROBED and not r.problem]
    read.sort(key=lambda text: text.record.path)
    rarity = probe_questions.rarity([text.telling for text in read])
    twins = _twins(read)
    made = (_probe(text, rarity, twins) for text in _in_turn(read, Random(seed)))  # noqa: S311
    return tuple(islice((probe for probe in made if probe), count))


@dataclass(frozen=True, slots=True)
class _Text:
    """A file's text, and its telling words, each once and in order."""

    record: Record
    telling: tuple[Word, ...]


def _text(record: Record) -> _Text:
    text = f"{record.title}\n{record.description}\n{record.body}"
    return _Text(record, probe_questions.distinctive_words(text))


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
    chosen = probe_questions.question(text.telling, rarity)
    if not chosen:
        return None
    asked = dict.fromkeys(word.asked for word in chosen)
    return Probe(" ".join(asked), twins[normal(text.record.body)], text.record.type)
