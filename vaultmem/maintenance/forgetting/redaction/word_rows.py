"""The words of a text, and which of them stand in a row in another one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from vaultmem.maintenance.forgetting.redaction.decodings import folded
from vaultmem.nlp.text.stopwords import CHAT, EVENTS, STOP
from vaultmem.storage.index.tokenizer import indexed

_WORD = re.compile(r"[^\W_]+")
_RUN = 5
EVERYBODYS = STOP | CHAT | EVENTS | {"forgotten"}
FEW = 4  # "Thanks a lot!" is everybody's
Run = tuple[str, ...]


def stretches(text: str) -> frozenset[Run]:
    """Return all stretches of five words of *text*, or the whole of a shorter one."""
    return frozenset(_runs(words(text)))


def words(text: str) -> list[str]:
    """Return the words of *text* in lower case; of a run of CJK each letter and each pair."""
    return _WORD.findall(indexed(folded(text)))


def is_telling(text: str) -> bool:
    """Tell whether *text* has several words, and one that not everybody says."""
    said = words(text)
    return len(said) > 1 and not EVERYBODYS.issuperset(said)


def quoted(whole: Iterable[frozenset[Run]], text: str) -> bool:
    """Tell whether one of the stretches in *whole*, of four words at least, stands in *text*."""
    return bool(rows_in(whole, text))


def rows_in(whole: Iterable[frozenset[Run]], text: str) -> frozenset[Run]:
    """Return the stretches in *whole*, of four words at least, that stand in *text*."""
    every = [run for runs in whole for run in runs if len(run) >= FEW]
    return frozenset(rows_as_long(words(text), every).intersection(every))


def _runs(said: Sequence[str]) -> Iterator[Run]:
    """Yield the stretches of five words, or the whole where there are fewer."""
    for at in range(max(len(said) - _RUN, 0) + 1):
        if said:
            yield tuple(said[at : at + _RUN])


def rows_as_long(said: Sequence[str], runs: Iterable[Run]) -> set[Run]:
    """Return all stretches of *said* that are as long as one of *runs*."""
    return {row for length in set(map(len, runs)) for row in rows_of(said, length)}


def rows_of(said: Sequence[str], length: int) -> frozenset[Run]:
    """Return all stretches of *length* words."""
    return frozenset(tuple(said[at : at + length]) for at in range(len(said) - length + 1))


def places(row: Sequence[str], said: Sequence[str]) -> Iterator[int]:
    """Yield where the words of *row* stand in what is *said*, one behind the other."""
    wanted, size = tuple(row), len(row)
    yield from (at for at in range(len(said) - size + 1) if tuple(said[at : at + size]) == wanted)


def stand_in(row: Sequence[str], said: Sequence[str]) -> bool:
    """Tell whether the words of *row*, if there are any, stand in what is *said* in a row."""
    return bool(row) and any(True for _ in places(row, said))
