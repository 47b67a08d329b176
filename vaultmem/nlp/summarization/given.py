"""A summarizer of the caller's own, whose errors and answers become what a vault knows of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from types import UnionType
from typing import Literal, TypeVar, get_args, get_origin, get_type_hints

from vaultmem import arguments
from vaultmem.documents import public_text
from vaultmem.documents.bodies import Claim, Episode, SessionCompact, Topic
from vaultmem.errors import ModelAway, Unavailable, Unusable, VaultError
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import (
    ClaimsTask,
    CompactTask,
    DistillTask,
    DreamTask,
    FoldTask,
    Made,
    Reflection,
    ReflectTask,
    Suggestion,
    Summarizer,
    Summary,
    Task,
)
from vaultmem.records import first_line

_T = TypeVar("_T")
_LONGEST = 200


def given(summarizer: Summarizer) -> Summarizer:
    """Return *summarizer* as the vault asks it; the offline one as it is."""
    return summarizer if isinstance(summarizer, Extractive) else Given(summarizer)


class Given:
    """A `Summarizer` that raises Unavailable and Unusable, and returns what was asked for."""

    def __init__(self, asked: Summarizer) -> None:
        """Ask *asked*."""
        self.name, self._asked = asked.name, asked

    def summarize(self, task: Task) -> Summary:
        """Return two or three sentences of the passages."""
        return _proved(self._answer(lambda: self._asked.summarize(task)), Summary)

    def episode(self, task: FoldTask) -> Made[Episode]:
        """Return what the turns came to."""
        return _made(self._answer(lambda: self._asked.episode(task)), Episode)

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Return the topics that the episodes make or change, each whole."""
        return _made(self._answer(lambda: self._asked.topics(task)), tuple[Topic, ...])

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Return where the session stands, the prior compact merged in."""
        return _made(self._answer(lambda: self._asked.compact(task)), SessionCompact)

    def claims(self, task: ClaimsTask) -> Made[tuple[Claim, ...]]:
        """Return what users say of people, in order, each with the utterance it comes from."""
        return _made(self._answer(lambda: self._asked.claims(task)), tuple[Claim, ...])

    def suggest(self, task: DreamTask) -> Made[tuple[Suggestion, ...]]:
        """Return what could be changed about the facts."""
        return _made(self._answer(lambda: self._asked.suggest(task)), tuple[Suggestion, ...])

    def reflect(self, task: ReflectTask) -> Made[Reflection]:
        """Return what is to be taken from a task."""
        return _made(self._answer(lambda: self._asked.reflect(task)), Reflection)

    def _answer(self, call: Callable[[], _T]) -> _T:
        """Return what *call* does, whose errors become ModelAway, ours that mean more than that."""
        try:
            return arguments.of_a_part(call, lambda why: self._away(f"failed ({why})"))
        except Unavailable:
            raise
        except VaultError as e:  # of a vault that it asks itself: no error of what was asked here
            raise self._away(f"failed ({e})") from e

    def _away(self, why: str) -> ModelAway:
        return ModelAway(self.name, first_line(public_text.shown(why), _LONGEST))


def _made(answer: Made[_T], kind: type[_T]) -> Made[_T]:
    """Return *answer*; raises Unusable unless its value is of *kind*."""
    _proved(answer, Made)
    _proved(answer.value, kind, "answer.value")
    return answer


def _proved(value: _T, kind: object, where: str = "answer") -> _T:
    """Return *value*; raises Unusable unless it is of *kind*, and so is all that it holds."""
    if fault := next(_faults(value, kind, where), ""):
        raise Unusable(fault)
    return value


def _faults(value: object, kind: object, where: str) -> Iterator[str]:
    """Yield what of *value*, which stands at *where*, is of another kind than it is said to be.

    A list in the place of a tuple is a fault, too: credentials are looked for in tuples.
    """
    inner = get_args(kind)
    if isinstance(kind, TypeVar) or (get_origin(kind) is Literal and value in inner):
        return
    if isinstance(kind, UnionType):
        fits = any(not [*_faults(value, each, where)] for each in inner)
    elif kind is float:
        fits = isinstance(value, int | float) and math.isfinite(value)
    else:
        fits = isinstance(kind := get_origin(kind) or kind, type) and isinstance(value, kind)
    if not fits:
        found = repr(value) if isinstance(value, float) else type(value).__name__
        yield f"{where} is {found}, not {getattr(kind, '__name__', kind)}"
    elif isinstance(value, tuple):
        for n, each in enumerate(value):
            yield from _faults(each, inner[0], f"{where}[{n}]")
    elif is_dataclass(value):
        for name, its in get_type_hints(type(value)).items():
            yield from _faults(getattr(value, name), its, f"{where}.{name}")
