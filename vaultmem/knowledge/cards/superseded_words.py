"""Keep in a card's words what holds: a sentence that only said a value of before gives way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vaultmem.nlp.text import analysis

_MORE = 1
"""A sentence that says more terms than this beside what is over is kept."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """That *value* of the fact *field* holds no longer, by the sentence *said*."""

    field: str
    value: str
    said: str


def without(story: str, replaced: Iterable[Replaced]) -> str:
    """Return *story*, a sentence a paragraph, without those of values that were *replaced*.

    One that says more stays, behind what holds now; all stay where nothing says what holds now.
    """
    paragraphs = story.split("\n\n")
    for each in replaced:
        if each.said in paragraphs:
            paragraphs = _current(paragraphs, each)
    return "\n\n".join(paragraphs)


def _current(paragraphs: Sequence[str], over: Replaced) -> list[str]:
    says = re.compile(rf"(?<!\w){re.escape(over.value)}(?!\w)", re.IGNORECASE)
    stale = [p for p in paragraphs if p != over.said and says.search(p)]
    known = {*analysis.terms(f"{over.value} {over.field.replace('_', ' ')} {over.said}")}
    more = [p for p in stale if len({*analysis.terms(p)} - known) > _MORE]
    return [*(p for p in paragraphs if p not in stale), *more]
