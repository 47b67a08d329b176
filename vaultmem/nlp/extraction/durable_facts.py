"""Pick from episodes what will still matter in ten sessions, a bullet each, with its source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from vaultmem.documents.bodies import Decision, Eliminated, Episode
from vaultmem.nlp.extraction import preferences, utterances
from vaultmem.nlp.text import analysis, salience

Kind = Literal["facts", "decisions", "eliminated", "patterns"]

# An event with a date, an event and its plan: see `salience.substance`.
_EVENTFUL, _LEAST_TERMS = 2.5, 2
_PLAN = (
    r"(?i)\b(?:plan(?:s|ning)? (?:to|on|for)|going to|moving to|lives? in|works? (?:as|at|for)"
    r"|deadline|due|born|married|moved|allergic|birthday)\b"
    "|\u8ba1\u5212|\u6253\u7b97|\u4f4f\u5728|\u751f\u65e5|\u622a\u6b62"
)


# The topic of what is wished when nobody's name is known.
UNNAMED = "Preferences"


class Bullet(NamedTuple):
    """One durable thing: where it goes, what it says, where it comes from, whom it is about.

    *subject* names its topic, empty when the whole episode tells; *episode* counts from 0.
    """

    kind: Kind
    text: str
    sources: tuple[str, ...]
    subject: str
    episode: int
    decision: Decision | None = None
    eliminated: Eliminated | None = None


def bullets(episodes: Sequence[tuple[str, Episode]]) -> Iterator[Bullet]:
    """Yield what is durable in *episodes*, in order."""
    for at, (target, episode) in enumerate(episodes):
        sources = (target,)
        yield from _facts(episode, sources, at)
        for decision in episode.decisions:
            if decision.reason or decision.constraint:
                yield _decided(decision, sources, at)
        for item in episode.eliminated:
            yield Bullet("eliminated", item.approach, sources, "", at, eliminated=item)


def _decided(decision: Decision, sources: tuple[str, ...], at: int) -> Bullet:
    who = _speaker(decision.decision)
    return Bullet("decisions", decision.decision, sources, who, at, decision=decision)


def _facts(episode: Episode, sources: tuple[str, ...], at: int) -> Iterator[Bullet]:
    for text in episode.preferences:
        kind: Kind = "patterns" if preferences.is_standing(text) else "facts"
        yield Bullet(kind, text, sources, _speaker(text) or UNNAMED, at)
    lines = episode.summary.splitlines()
    voices = frozenset(
        head for line in lines for head in analysis.heads(utterances.quoted(line).who)
    )
    told = [line for line in lines if _is_fact(line, voices)]
    for text in (*told, *episode.corrections):
        yield Bullet("facts", text, sources, _speaker(text), at)


def _speaker(text: str) -> str:
    """Return who is quoted, unless it is the agent, whose frame says `I`."""
    who = utterances.quoted(text).who
    return "" if who == "I" else who


def _is_fact(line: str, voices: frozenset[str]) -> bool:
    """Whether *line* of a summary tells of a person, place, number, date, plan or event.

    Names that only address one of the *voices* do not count.
    """
    said = utterances.quoted(line).text
    if salience.is_question(said) or len(analysis.terms(said)) < _LEAST_TERMS:
        return False
    found = analysis.facts(said)
    named = any(name not in voices for name in found.names)
    known = named or found.numbers or found.dates or re.search(_PLAN, said)
    return bool(known) or salience.substance(said) >= _EVENTFUL
