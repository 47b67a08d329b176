"""Make questions of a vault's own files, without a model, to see that recall finds what is there.

A probe asks by some telling words of one file (rare ones, names, dates), never by all of them; that
file answers it, and so does any exact duplicate. The same vault, number and seed give the same
probes. They are values that can be kept: asked again after a clean-up, they tell what it lost.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice, zip_longest
from random import Random
from typing import NamedTuple

from vaultmem.api import probe_questions
from vaultmem.api.probe_questions import Word
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


def build(records: Callable[[], Iterable[Record]], count: int, seed: int) -> tuple[Probe, ...]:
    """Return up to *count* probes of *records*, every type in turn as far as it goes.

    They are gone through twice: the texts of those alone are held that are asked for.
    """
    held, known = Counter[str](), list[_Text]()
    for record in filter(_is_probed, records()):
        telling = _telling(record)
        held.update(word.term for word in telling)
        enough = probe_questions.is_enough(telling)
        known.append(_Text(record.path, ref(record), record.type, _digest(record.body), enough))
    asked = (it for it in _in_turn(sorted(known), Random(seed)) if it.enough)  # noqa: S311
    chosen = {it.path: it for it in islice(asked, count)}
    texts = {r.path: _telling(r) for r in records() if r.path in chosen}
    rare = probe_questions.rarity_of(held, len(known))
    twins = _twins(known, {it.said for it in chosen.values()})
    return tuple(
        Probe(_question(texts[path], rare), twins[it.said], it.type) for path, it in chosen.items()
    )


class _Text(NamedTuple):
    """A file, what it *said* as a digest, and whether that is *enough* to be asked for."""

    path: str
    ref: str
    type: str
    said: bytes
    enough: bool


def _is_probed(record: Record) -> bool:
    return record.type in PROBED and not record.problem


def _telling(record: Record) -> tuple[Word, ...]:
    text = f"{record.title}\n{record.description}\n{record.body}"
    return probe_questions.distinctive_words(text)


def _digest(body: str) -> bytes:
    return blake2b(normal(body).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _twins(known: Iterable[_Text], wanted: Collection[bytes]) -> Mapping[bytes, tuple[str, ...]]:
    """Return the refs of the files that say the same as any that is *wanted*."""
    alike: dict[bytes, list[str]] = defaultdict(list)
    for text in known:
        if text.said in wanted:
            alike[text.said].append(text.ref)
    return {said: tuple(dict.fromkeys(refs)) for said, refs in alike.items()}


def _in_turn(read: Sequence[_Text], random: Random) -> Iterator[_Text]:
    """Yield the texts in a random order, one of each type after the other."""
    by_type = [[t for t in read if t.type == kind] for kind in PROBED]
    for of_one in by_type:
        random.shuffle(of_one)
    return (text for row in zip_longest(*by_type) for text in row if text)


def _question(telling: Sequence[Word], rare: Mapping[str, float]) -> str:
    return " ".join(dict.fromkeys(word.asked for word in probe_questions.question(telling, rare)))
