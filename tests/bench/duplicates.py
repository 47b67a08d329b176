"""How many planted pairs of facts the dream finds among distractors that look alike.

    python tests/bench/duplicates.py

500 pairs, 300 of them verbatim but for marks and case, 200 reworded by rules of which some are not
the dream's own, among 10 000 facts of the same templates with another number, name, day, order or
negation.
"""

from __future__ import annotations

import itertools
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from vaultmem.nlp.facts import fact_similarity

_VERBATIM_SHARE = 0.6
_NAMES = "Anna Ben Carla Dmitri Elif Farid Greta Hugo Ines Jonas Kemal Lucia Mei Noor".split()  # noqa: SIM905 -- reads better
_PLACES = "Lyon Porto Oslo Turin Ghent Kyoto Lima Quito Bergen Cork Davos Essen".split()  # noqa: SIM905
_THINGS = "heron egret otter lynx badger falcon ibex marten puffin raven stoat tern".split()  # noqa: SIM905
_DAYS = "Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays".split()  # noqa: SIM905
_MONTHS = "January February March April June July August September October".split()  # noqa: SIM905
_SMALL = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905

_TEMPLATES = (
    "The {thing} service listens on port {port}.",
    "Deploys of {thing} go out on {days} at {hour}:00.",
    "{name} manages the budget of the {thing} team.",
    "If the {thing} queue is full, the workers of {place} stop.",
    "The office in {place} does not open before {hour}:00 on {days}.",
    "{name} needs {small} approvals for a rollback of {thing}.",
    "{name} moved from {place} to {place2} in {month} {year}.",
    "{name} and {name2} review the {thing} plan every week.",
    "The {thing} cluster in {place} has {port} nodes and costs ${hour}00 a month.",
    "{name} is allergic to nuts and can't eat the {thing} cake.",
    "The backup of {thing} starts at {hour}:30 and is kept for {small} weeks.",
    "{name} told {name2} about the {thing} incident on {day} {month} {year}.",
)


class Text(NamedTuple):
    """A fact, and which planted pair it is of; -1 is a distractor."""

    text: str
    pair: int


@dataclass(frozen=True, slots=True)
class Planted:
    """Facts in a random order, and which of the pairs among them were reworded."""

    texts: Sequence[Text]
    verbatim: frozenset[int]
    reworded: frozenset[int]


@dataclass(frozen=True, slots=True)
class Measured:
    """Shares from 0 to 1, and how long the search took."""

    precision: float
    verbatim: float
    reworded: float
    seconds: float


# --- planting ---------------------------------------------------------------------------------


def planted(pairs: int = 500, distractors: int = 10_000, seed: int = 7) -> Planted:
    """Return *pairs* pairs among *distractors*: every fact but the pairs' is told once."""
    chance = random.Random(seed)  # noqa: S311 -- no secret
    facts = _facts(chance)
    told = [next(facts) for _ in range(pairs + distractors)]
    plain = round(pairs * _VERBATIM_SHARE)
    texts = [Text(text, pair if pair < pairs else -1) for pair, text in enumerate(told)]
    texts += [Text(_marked(told[n], n), n) for n in range(plain)]
    texts += [Text(_reworded(told[n], n), n) for n in range(plain, pairs)]
    chance.shuffle(texts)
    return Planted(texts, frozenset(range(plain)), frozenset(range(plain, pairs)))


def _facts(chance: random.Random) -> Iterator[str]:
    """Yield facts, none twice; half of them differ from one before in one place only."""
    met: set[str] = set()
    while True:
        slots = _slots(chance)
        template = chance.choice(_TEMPLATES)
        for text in (template.format(**slots), _near(template, slots, chance)):
            if text not in met:
                met.add(text)
                yield text


def _slots(chance: random.Random) -> dict[str, object]:
    name, name2 = sorted(chance.sample(_NAMES, 2))
    place, place2 = chance.sample(_PLACES, 2)
    return {
        "name": name, "name2": name2, "place": place, "place2": place2,
        "thing": chance.choice(_THINGS), "days": chance.choice(_DAYS),
        "month": chance.choice(_MONTHS), "small": chance.choice(_SMALL),
        "port": chance.randrange(1024, 9999), "hour": chance.randrange(13, 24),
        "year": chance.randrange(1990, 2027), "day": chance.randrange(1, 29),
    }  # fmt: skip


def _near(template: str, slots: dict[str, object], chance: random.Random) -> str:
    """Return the fact with another number, the places changed over, or a `not` more."""
    if chance.random() < 0.2:
        text = template.format(**slots)
        return re.sub(r"\b(is|has|and is|needs|manages|told)\b", r"never \1", text, count=1)
    if "{place2}" in template:
        return template.format(**slots | {"place": slots["place2"], "place2": slots["place"]})
    if "{name2} about" in template:
        return template.format(**slots | {"name": slots["name2"], "name2": slots["name"]})
    return template.format(**_slots(chance) | {"thing": slots["thing"]})


# --- telling again ----------------------------------------------------------------------------


def _marked(text: str, n: int) -> str:
    """Return *text* as it is, or with other marks, case, spaces or without an article."""
    ways: tuple[Callable[[str], str], ...] = (
        str,
        lambda x: x[:-1] + "!",
        lambda x: x[:-1],
        lambda x: x[0].lower() + x[1:],
        lambda x: f"**{x[:-1]}**",
        lambda x: x.replace(" the ", " ").replace(", ", " - "),
        lambda x: x.replace(" ", "  ", 2),
        lambda x: x.removeprefix("The "),
    )
    return ways[n % len(ways)](text)


_Instead = str | Callable[[re.Match[str]], str]
_SWAPS: tuple[tuple[str, _Instead], ...] = (
    (r"listens on port", "uses port"),  # said otherwise, and not known to mean the same
    (r"(\d\d):00\.", lambda m: f"{int(m[1]) - 12} pm."),
    (r"^(\w+) manages (the budget of the \w+ team)", r"\2 is managed by \1"),
    (r"If (the \w+ queue is full), (.*)\.", r"\2 if \1."),
    (r"does not", "doesn't"),
    (r"before (\d\d):00 on (\w+)", r"prior to \1:00 on \2"),
    (r"needs", "requires"),
    (r"from (\w+) to (\w+) in (.*)\.", r"in \3 from \1 to \2."),
    (r"(\w+) and (\w+) review", r"\2 and \1 review"),
    (r"every week", "once a week"),
    (r"\$(\d+) a month", r"$\1 per month"),
    (r"can't", "cannot"),
    (r"starts", "begins"),
    (r"(\d+) (\w+) (\d{4})", r"\2 \1, \3"),
    (r"told (\w+) about", r"informed \1 of"),
    (r" the ", " "),
)


def _reworded(text: str, n: int) -> str:
    """Return *text* with one or two of the wordings that it allows changed, always somehow."""
    fitting = [swap for swap in _SWAPS if re.search(swap[0], text)]
    for turn in range(1 + n % 2):
        pattern, instead = fitting[(n + turn) % len(fitting)]
        text = re.sub(pattern, instead, text, count=1)
    return text[0].upper() + text[1:]


# --- measuring --------------------------------------------------------------------------------


def measured(planted: Planted) -> Measured:
    """Return what the pair finder makes of *planted*."""
    begin = time.perf_counter()
    found = fact_similarity.groups([text.text for text in planted.texts])
    seconds = time.perf_counter() - begin
    pairs = itertools.chain.from_iterable(itertools.combinations(it, 2) for it in found)
    hits = [(planted.texts[one].pair, planted.texts[two].pair) for one, two in pairs]
    right = {one for one, two in hits if one == two >= 0}
    wrong = sum(one != two or one < 0 for one, two in hits)
    return Measured(
        len(right) / max(1, len(right) + wrong),
        len(right & planted.verbatim) / max(1, len(planted.verbatim)),
        len(right & planted.reworded) / max(1, len(planted.reworded)),
        seconds,
    )


def main() -> None:
    """Measure, and print what came of it."""
    sample = planted()
    got = measured(sample)
    print(f"{len(sample.texts)} facts in {got.seconds:.2f} s")  # noqa: T201 -- a figure
    print(f"precision {got.precision:.3f}")  # noqa: T201
    print(f"recall, verbatim or nearly {got.verbatim:.3f}, reworded {got.reworded:.3f}")  # noqa: T201


if __name__ == "__main__":
    main()
