"""Pick from episodes what will still matter in ten sessions, a bullet each, with its source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from vaultmem.documents.bodies import Episode, Fact, TopicDecision, TopicEliminated
from vaultmem.nlp.extraction import preferences, utterances
from vaultmem.nlp.text import analysis, salience

Kind = Literal["facts", "decisions", "eliminated", "patterns"]
Item = Fact | TopicDecision | TopicEliminated

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
    """One durable thing: where in a topic it goes, what it is, whom it is about.

    *subject* names its topic, empty when the whole episode tells; *episode* counts from 0.
    """

    kind: Kind
    item: Item
    subject: str
    episode: int


def bullets(episodes: Sequence[tuple[str, Episode]]) -> Iterator[Bullet]:
    """Yield what is durable in *episodes*, in order."""
    for at, (target, episode) in enumerate(episodes):
        sources = (target,)
        yield from _facts(episode, sources, at)
        for decision in episode.decisions:
            if decision.reason or decision.constraint:
                who = _speaker(decision.decision)
                yield Bullet("decisions", TopicDecision(decision, sources), who, at)
        for item in episode.eliminated:
            yield Bullet("eliminated", TopicEliminated(item, sources), "", at)


def _facts(episode: Episode, sources: tuple[str, ...], at: int) -> Iterator[Bullet]:
    for text in episode.preferences:
        kind: Kind = "patterns" if preferences.is_standing(text) else "facts"
        yield Bullet(kind, Fact(text, sources), _speaker(text) or UNNAMED, at)
    lines = episode.summary.splitlines()
    voices = frozenset(
        head for line in lines for head in analysis.heads(utterances.quoted(line).who)
    )
    facts = [line for line in lines if _is_fact(line, voices)]
    for text in (*facts, *episode.corrections):
        yield Bullet("facts", Fact(text, sources), _speaker(text), at)


def _speaker(text: str) -> str:
    """Return who is quoted, unless it is the agent, whose frame says `I`."""
    who = utterances.quoted(text).who
    return "" if who == "I" else who


def _is_fact(line: str, voices: frozenset[str]) -> bool:
    """Whether *line* of a summary tells of a person, place, number, date, plan or event.

    Names that only address one of the *voices* do not count.
    """
    text = utterances.quoted(line).text
    if salience.is_question(text) or len(analysis.terms(text)) < _LEAST_TERMS:
        return False
    found = analysis.facts(text)
    named = any(name not in voices for name in found.names)
    known = named or found.numbers or found.dates or re.search(_PLAN, text)
    return bool(known) or salience.substance(text) >= _EVENTFUL
