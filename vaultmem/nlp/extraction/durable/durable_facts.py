"""Pick from episodes what will still matter in ten sessions, a bullet each, with its source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from vaultmem.documents.bodies import Decision, Episode, Fact, TopicDecision, TopicEliminated
from vaultmem.nlp.extraction.choices import preferences, replacement
from vaultmem.nlp.extraction.durable import ephemeral, lasting_rules, life_facts
from vaultmem.nlp.extraction.grammar import first_hand, irrealis
from vaultmem.nlp.extraction.talk import self_contained, small_talk, talk_line, utterances
from vaultmem.nlp.text import analysis, salience

Kind = Literal["facts", "decisions", "eliminated", "patterns"]
Item = Fact | TopicDecision | TopicEliminated

# An event with a date, an event and its plan: see `salience.substance`.
_EVENTFUL, _LEAST_TERMS = 2.5, 2
# So many terms of a refusal are its verdict: `We ruled out MongoDB because ...`.
_VERDICT = 1
_PLAN = (
    r"(?i)\b(?:plan(?:s|ning)? (?:to|on|for)|going to|moving to|lives? in|works? (?:as|at|for)"
    r"|deadline|due|born|married|moved|allergic|birthday)\b"
    "|\u8ba1\u5212|\u6253\u7b97|\u4f4f\u5728|\u751f\u65e5|\u622a\u6b62"
)

# `for like 3 hours` and `5 times` name nothing.
_HOW_LONG = (
    r"(?i)\b(?:\d+|one|two|three|a few) (?:more )?(?:seconds?|minutes?|mins?|hours?|times?)\b"
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
            if _is_reasoned(decision):
                who = _speaker(decision.decision)
                yield Bullet("decisions", TopicDecision(decision, sources), who, at)
        for item in episode.eliminated:
            yield Bullet("eliminated", TopicEliminated(item, sources), "", at)


def _is_reasoned(decision: Decision) -> bool:
    """Whether *decision* says by itself what was chosen, and why or within which bounds."""
    said = utterances.quoted(decision.decision).text
    has_reason = bool(decision.reason or decision.constraint)
    return has_reason and not small_talk.leaves_open(said)


def _facts(episode: Episode, sources: tuple[str, ...], at: int) -> Iterator[Bullet]:
    lines = episode.summary.splitlines()
    voices = frozenset(
        head
        for line in (*lines, *episode.preferences, *episode.corrections)
        for head in analysis.heads(utterances.quoted(line).who)
    )
    for text in episode.preferences:
        if preferences.is_standing(text):
            yield Bullet("patterns", Fact(text, sources), _speaker(text) or UNNAMED, at)
        elif not _is_passing(text, voices):
            yield Bullet("facts", Fact(text, sources), _speaker(text) or UNNAMED, at)
    # What was decided stands among the decisions, from where a later one takes it.
    told = [
        line for line in lines if not (_is_decision(line, episode) or _is_refusal(line, episode))
    ]
    facts = [line for line in told if _is_fact(line, voices)]
    right = [it for it in episode.corrections if _is_right(utterances.quoted(it).text, voices)]
    for text in (*facts, *right):
        yield Bullet("facts", Fact(text, sources), _speaker(text), at)


def _is_decision(line: str, episode: Episode) -> bool:
    """Whether *line* says no more than a decision of *episode*, or was ended by one."""
    said = utterances.quoted(line).text
    chosen = (utterances.quoted(d.decision).text for d in episode.decisions if _is_reasoned(d))
    if any(replacement.takes_back(d, said) for d in episode.decisions):
        return True
    return len(analysis.sentences(said)) == 1 and any(said.startswith(c) for c in chosen if c)


def _is_refusal(line: str, episode: Episode) -> bool:
    """Whether *line* of the summary says no more than what *episode* rules out, and why."""
    said = utterances.quoted(line).text
    gone = [e for e in episode.eliminated if e.why and e.approach in said and e.why in said]
    return len(analysis.sentences(said)) == 1 and any(
        len(analysis.terms(said.replace(e.why, "").replace(e.approach, ""))) <= _VERDICT
        for e in gone
    )


def _speaker(text: str) -> str:
    """Return who is quoted, unless it is the agent, whose frame says `I`."""
    who = utterances.quoted(text).who
    return "" if who in {"I", "user"} else who


def _is_fact(line: str, voices: frozenset[str]) -> bool:
    """Whether *line* of a summary tells of a person, place, number, date, plan or event."""
    text = utterances.quoted(line).text
    if (
        talk_line.is_one(line)
        or salience.is_question(text)
        or len(analysis.terms(text)) < _LEAST_TERMS
    ):
        return False
    if ephemeral.reason(text):
        return False
    if lasting_rules.is_rule(text):
        return True
    if not self_contained.stands(text) or first_hand.is_of_the_hour(text):
        return False
    if _are_people(voices) and not life_facts.is_told_first_hand(text):
        return False
    known = _is_named(re.sub(_HOW_LONG, "", text), voices) or re.search(_PLAN, text)
    return bool(known or salience.substance(text) >= _EVENTFUL) and not _is_passing(line, voices)


def _is_right(text: str, voices: frozenset[str]) -> bool:
    """Whether a correction says what is so; among people, of whose life."""
    return not irrealis.is_imagined(text) and (
        not _are_people(voices) or life_facts.is_told_first_hand(text)
    )


def _are_people(voices: frozenset[str]) -> bool:
    """Whether people are quoted by name, and no agent, whose frame says `I`."""
    return bool(voices - {"user"}) and "i" not in voices


def _is_passing(line: str, voices: frozenset[str]) -> bool:
    text = utterances.quoted(line).text
    return small_talk.is_small_talk(text, named=_is_named(text, voices))


def _is_named(text: str, voices: frozenset[str]) -> bool:
    """Whether *text* has a name, number or date; names that only address a voice do not count."""
    found = analysis.facts(text)
    return bool(found.numbers or found.dates) or any(name not in voices for name in found.names)
