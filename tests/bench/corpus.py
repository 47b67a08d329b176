"""Conversations that never were: the same ones for the same count, shaped like real ones.

Words are drawn from an invented vocabulary by Zipf's law, the commonest being English function
words, because an index treats them apart; names and dates are strewn in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate, count, islice
from random import Random

from vaultmem.records import iso

START = datetime(2016, 1, 4, 8, 0, tzinfo=UTC)

_NAMES = (
    "Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Farid",
    "Greta", "Hana", "Ines", "Jonas", "Kofi", "Lena",
)  # fmt: skip
_COMMONEST = """
the i to and a you of it that in is my for was we on have with so this at but be me they are not
just about had what from all she can out he as our there how like when them or some if her his an up
then were your been would has will
"""
_FUNCTION_WORDS = tuple(_COMMONEST.split())
_SOUNDS = """
b br c d dr f fl g gr h j k l m n p pl r s sh sl st t tr v w z
a e i o u ai ea oo
b d k l m n nd p r rk s st t x
"""
_ONSETS, _VOWELS, _CODAS = (line.split() for line in _SOUNDS.strip().split("\n"))
_VOCABULARY = 20_000
_SHORTEST, _LONGEST = 5, 60
_SESSION = (20, 40)
_PAUSE = (4, 30)
_NAMED, _DATED, _ASKING = 0.12, 0.08, 0.15
_ASKED_BY = 4


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation."""

    session: str
    number: int
    speaker: str
    text: str
    at: datetime

    def message(self) -> dict[str, str]:
        """Return it as a line of JSONL tells it."""
        return {
            "id": str(self.number),
            "session": self.session,
            "speaker": self.speaker,
            "content": self.text,
            "at": iso(self.at),
        }


@dataclass(frozen=True, slots=True)
class _Speech:
    """A source of sentences."""

    random: Random
    words: Sequence[str]
    weights: Sequence[float]

    def say(self, at: datetime) -> str:
        """Return something said at a time: many short ones, few long ones."""
        length = _SHORTEST + int((_LONGEST - _SHORTEST) * self.random.random() ** 2)
        words = self.random.choices(self.words, cum_weights=self.weights, k=length)
        if self.random.random() < _NAMED:
            words[length // 2] = self.random.choice(_NAMES)
        if self.random.random() < _DATED:
            words[-2:] = ["on", f"{at + timedelta(days=self.random.randrange(30)):%d %B %Y}"]
        end = "?" if self.random.random() < _ASKING else "."
        return " ".join(words).capitalize() + end


def turns(wanted: int, seed: int = 7) -> Iterator[Turn]:
    """Yield so many turns, in sessions of two people, oldest first."""
    return islice(_endless(Random(seed)), wanted)  # noqa: S311  # repeatable, not secret


def _endless(random: Random) -> Iterator[Turn]:
    speech = _speech(random)
    at = START
    for session in count(1):
        pair = random.sample(_NAMES, 2)
        for number in range(1, random.randint(*_SESSION) + 1):
            yield Turn(f"session-{session:05}", number, pair[number % 2], speech.say(at), at)
            at += timedelta(seconds=30)
        at += timedelta(hours=random.randint(*_PAUSE))


def _speech(random: Random) -> _Speech:
    invented = {_word(random) for _ in range(_VOCABULARY)} - set(_FUNCTION_WORDS)
    words = (*_FUNCTION_WORDS, *sorted(invented, key=lambda w: (len(w), w)))
    return _Speech(random, words, tuple(accumulate(1 / rank for rank in range(1, len(words) + 1))))


def _word(random: Random) -> str:
    syllables = random.choices((1, 2, 3), weights=(2, 5, 3))[0]
    return "".join(
        random.choice(_ONSETS) + random.choice(_VOWELS) + random.choice(("", *_CODAS))
        for _ in range(syllables)
    )


def questions(said: Iterable[Turn], every: int, seed: int = 11) -> Iterator[str]:
    """Yield a question for each *every*-th turn, by some of its words, half with a name."""
    random = Random(seed)  # noqa: S311  # repeatable, not secret
    for turn in islice(said, 0, None, every):
        words = sorted(set(turn.text.lower().strip(".?").split()) - set(_FUNCTION_WORDS))
        about = " ".join(random.sample(words, min(_ASKED_BY, len(words))))
        who = turn.speaker if random.random() < 1 / 2 else "anyone"
        yield f"What did {who} say about {about}?"
