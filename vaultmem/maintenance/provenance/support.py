"""Choose the sources that bear out what is said: those that hold most of its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from vaultmem.nlp.extraction.personal_facts import restatements
from vaultmem.nlp.extraction.sessions.tool_outcomes import outcome
from vaultmem.nlp.facts import paraphrases
from vaultmem.nlp.summarization import quality
from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis, quotation
from vaultmem.storage.index.tokenizer import STOP_WORDS, indexed
from vaultmem.storage.transcripts import Turn

_WORD = re.compile(r"\w+")
_STEM = 4
_NEARLY = 0.6
"""A source that holds less than this share of what the best one holds bears nothing out."""

_HALF = 0.5
_MOST_CLAUSES = 12
_OF_A_DAY = re.compile(r"\(\d{4}(?:-\d{2}){0,2}\)")

_OUTCOME = re.compile(r"\(turn (?P<turn>[1-9]\d{0,6})\)(?:: (?P<went>.+))?\s*\Z")

Span = tuple[int, int]


def best(said: str, texts: Sequence[str], most: int) -> list[int]:
    """Return which of *texts* bear out *said*, at most so many, in their order.

    Each line of *said* is borne out by itself; a word that many of *texts* hold tells little of
    which. Where no word is in common it is the first of them. Of a line of several clauses, as
    long-term summaries have them, each brings the text that holds most of it.
    """
    held = [_words(text) for text in texts]
    common = Counter(word for words in held for word in words)
    parts = said.split("; ")[:_MOST_CLAUSES]
    clauses = [_words(part.rpartition(": ")[2]) for part in parts]  # without whose, and when
    own = {n for it in clauses if (n := _fullest([_held(it, words) for words in held])) is not None}
    lines = [weighed for line in said.splitlines() if (weighed := _weighed(line, common))]
    shares = [_best_share(lines, words) for words in held]
    top = max(shares, default=0.0)
    ranked = sorted(range(len(texts)), key=lambda n: (-shares[n], n))
    chosen = {n for n in ranked[:most] if shares[n] >= top * _NEARLY}
    return sorted(chosen | own if len(clauses) > 1 else chosen)


def _fullest(shares: Sequence[float]) -> int | None:
    """Return the place of the largest share, None where that is less than half."""
    place = max(range(len(shares)), key=lambda n: (shares[n], -n), default=None)
    return place if place is not None and shares[place] >= _HALF else None


def share(said: str, text: str) -> float:
    """Return the share of the words of *said* that *text* holds, 1 where it says no word.

    A word is held by one that begins as it does: "hunt" by "hunting", and "hunting" by "hunt".
    """
    return _held(_words(said), _words(text))


def share_heard(said: str, heard: Heard) -> float:
    """Return the share of the words of *said* that what was *heard* holds, 1 where it says none.

    What frames a quotation, `On 2023-05-08 Caroline said:`, is the program's word and nobody's.
    """
    return _held(_words(quotation.unframed(said)), heard.words)


def most_heard(said: str, every: Iterable[Heard]) -> float:
    """Return the largest share of the words of *said* that one of *every* source holds."""
    wanted = _words(quotation.unframed(said))
    return max(_held(wanted, heard.words) for heard in every)


def _held(wanted: frozenset[str], held: frozenset[str]) -> float:
    left = wanted - held
    # Words that are related begin alike: of the thousand that a source has few are to be compared.
    begun = {word[: _STEM - 1] for word in left}
    near = [other for other in held if other[: _STEM - 1] in begun]
    found = sum(any(is_related(word, other) for other in near) for word in left)
    return 1 - (len(left) - found) / len(wanted) if wanted else 1.0


def sentence(said: str, text: str) -> str:
    """Return the sentence of *text* that holds most of the words of *said*, the first of equals.

    One that the next puts right is borne out by both: `My birthday is on 3 May. Sorry, 5 May.`
    """
    found = restatements.joined(analysis.sentences(text))
    return max(found, key=lambda one: share(said, one)) if found else text


def spans(said: str, text: str) -> tuple[Span, ...]:
    """Return where in *text* words of *said* stand, from and to a character."""
    wanted = _words(said)
    return tuple(
        found.span() for found in _WORD.finditer(text)
        if any(is_related(word, other) for word in _words(found[0]) for other in wanted)
    )  # fmt: skip


def unsaid(said: str, text: str) -> tuple[str, ...]:
    """Return the words of *said* that *text* does not hold, as they stand there.

    A number is held as it is, a name but for one letter behind it, any other word in other forms.
    """
    held = _words(text)
    first, *rest = _WORD.findall(said) or [""]
    alike = {word: _is_named_so if word[0].isupper() else is_related for word in rest}
    alike = {first: is_related} | alike
    return tuple(
        word for word, is_alike in alike.items()
        if (own := _words(word)) and not any(is_alike(a, b) for a in own for b in held)
    )  # fmt: skip


def is_turned_round(said: str, text: str) -> bool:
    """Tell whether words of *said* stand in *text* with their places exchanged: who owes whom.

    What is asked, one part moved as a whole, and another wording of the same turn nothing round.
    """
    one = sentence(said, text)
    if said.rstrip().endswith(("?", "\uff1f")) or paraphrases.are_one(said, one):
        return False
    asked, held = _told(said), _told(one)
    common = Counter(asked) & Counter(held)
    return _is_exchange(_those(asked, common), _those(held, common))


def _told(text: str) -> list[str]:
    """Return what *text* says word by word, in order; of Chinese sign by sign."""
    return [*filter(str.isalnum, text)] if analysis.is_cjk(text) else analysis.terms(text)


def _those(words: Sequence[str], common: Mapping[str, int]) -> list[str]:
    left, found = Counter(common), []
    for word in words:
        if left[word]:
            left[word] -= 1
            found.append(word)
    return found


def _is_exchange(one: list[str], two: list[str]) -> bool:
    """Whether more than one part of *one* stands elsewhere in *two*, which has the same words."""
    if one == two:
        return False
    differ = [n for n, pair in enumerate(zip(one, two, strict=True)) if pair[0] != pair[1]]
    left, right = one[differ[0] : differ[-1] + 1], two[differ[0] : differ[-1] + 1]
    return all(left[n:] + left[:n] != right for n in range(len(left)))


def _is_named_so(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and len(long) - len(short) <= 1


@dataclass(frozen=True)
class Heard:
    """What something may rest on, as *passages*; their words are worked out once.

    *answers* are the turns of tools, by number.
    """

    passages: tuple[Passage, ...]
    answers: Mapping[int, Turn] = field(default_factory=dict)

    @cached_property
    def words(self) -> frozenset[str]:
        """Their words, as they are compared; who spoke and when counts as said."""
        said = (f"{p.speaker} {p.created[:10]} {p.text}" for p in self.passages)
        return frozenset(chain.from_iterable(map(_words, said)))

    @cached_property
    def sources(self) -> quality.Sources:
        """What names, numbers and dates are held against."""
        return quality.Sources(self.passages)

    @cached_property
    def days(self) -> frozenset[str]:
        """The parts of the dates in them, however a text spells these."""
        dates = (analysis.parsed(p.text).dates for p in self.passages)
        return _words(" ".join(chain.from_iterable(dates)))


def is_borne_out(said: str, heard: Heard) -> bool:
    """Tell whether what was *heard* bears out *said*: half of its words, all names and numbers.

    A date may be said in another spelling; a day in parentheses, which the program adds, counts for
    nothing. How a tool's turn went is read off its answer anew.
    """
    plain = _OF_A_DAY.sub("", _without_outcome(said, heard.answers))
    wanted = _words(plain)
    half = _held(wanted, heard.words) >= _HALF or _held(wanted, heard.words | heard.days) >= _HALF
    return half and heard.sources.faithfulness(quality.read(plain)) == 1.0


def _without_outcome(said: str, answers: Mapping[int, Turn]) -> str:
    """Return *said* without how a tool's turn went, if that turn did: `(turn 15): 2 failed`."""
    found = _OUTCOME.search(said)
    turn = answers.get(int(found["turn"])) if found else None
    if found is None or turn is None or found["went"] not in {None, outcome(turn.content)}:
        return said
    return said[: found.start()].removeprefix(f"`{turn.tool}`: ")


def is_related(one: str, other: str) -> bool:
    """Tell whether two words are one, or forms of one: they begin alike."""
    short, long = sorted((one, other), key=len)
    if one == other or len(short) < _STEM or short.isdecimal():
        return one == other
    return long.startswith(short[: len(short) - 1])


def _weighed(line: str, common: Mapping[str, int]) -> dict[str, float]:
    return {word: 1 / common[word] for word in _words(line) if word in common}


def _best_share(lines: Iterable[Mapping[str, float]], held: frozenset[str]) -> float:
    """Return the share of a line, by weight, that is *held*: of the line of which most is."""
    shares = (sum(w for word, w in line.items() if word in held) / sum(line.values())
              for line in lines)  # fmt: skip
    return max(shares, default=0.0)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(indexed(text.casefold()))) - STOP_WORDS
