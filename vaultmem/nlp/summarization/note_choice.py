"""Choose the notes that tell most per word.

What is asked for later is people, places, things, numbers and days. Each counts once, so that what
is chosen next adds to what is there: the greedy maximization of a submodular gain per cost (Lin &
Bilmes 2010).
"""

from __future__ import annotations

import functools
import heapq
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from vaultmem.nlp.summarization.notes import Note, words
from vaultmem.nlp.tasks import IMPORTANT
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS, GENERAL, MONTH_NAMES, NUMBER_WORDS, VAGUE

# What an item is still worth that the speaker, or another one, has told of.
_AGAIN, _OF_ANOTHER = 0.08, 0.4
# What each kind of item is worth; a word of any conversation tells little.
_NAME, _NUMBER, _DAY, _GENERAL, _ERA = 2.0, 1.3, 2.5, 0.3, 1.0
# By how much an item gains that the conversation takes up again, times the logarithm of how often.
_TAKEN_UP = 0.5
# Below 1, so that not only the shortest are chosen.
_TEMPER = 0.8
# Words of a frame: a day with its year, or a day and who spoke.
_FRAME = 3
# The notes of a long-term summary are weighed again with every short-term one that it takes in.
_REMEMBERED = 1 << 12
_EVENT_LETTERS = 4

_PLAN = (
    r"(?i)\b(?:going to|gonna|planning|plan|thinking (?:of|about)|applied|applying|signed up"
    r"|looking into|start(?:ing|ed)|working on|will)\b"
)
_DECISION = (
    r"(?i)\b(?:decided|decision|agreed|signed (?!up)|approved|chose|chosen|settled|ruled out|hired"
    r"|promised|quit|resigned|instead of|rejected|cancel+ed)\b"
)
_EVENT = (
    r"(?i)\b(?:lost my (?!way)|born|died|passed away|married|engaged|divorced|pregnant|moved to"
    r"|hired|fired|laid off|promoted|graduated|diagnosed|adopted|broke up|accident|surgery|hospital"
    r"|won (?:a|an|the|my|first)|opened|launched|published|accepted)\b"
)
_FEELING = (
    r"(?i)^(?:(?:was|am|feel|felt|feeling|been|were|we're|we) )?(?:so )?(?:grateful|thankful"
    r"|happy|excited|lucky|blessed|glad|proud|thrilled|stoked|pumped|nervous|inspired"
    r"|motivated|love|loving|cherish|hope|hoping|believe|feel|felt|looking forward|able"
    r"|determined|ready)\b"
)
_JUDGEMENT = (
    r"(?i)\b(?:is|are|was|can be|be) (?:so )?(?:important|key|vital|essential|crucial"
    r"|everything|necessary|amazing|awesome|great|inspiring|rewarding|powerful|incredible"
    r"|worth|special|wonderful|tough|hard|cool|fun|beautiful)\b"
)
_DEED = 1.3
# Of what is important one clause goes before all else; 1 is what the usual importance comes to.
_FIRST, _USUAL = 1000.0, 0.5
# By how much a note counts that opens so, or has that in it.
_KINDS = (
    (_PLAN, 1.15),
    (_DECISION, 1.5),
    (_EVENT, 1.5),
    (_FEELING, 0.55),
    (_JUDGEMENT, 0.4),
    (r"(?i)^(?:we|our) (?:all|can|are all|have to|need|should|must)\b|^we['\u2019]re all\b", 0.4),
    (r"^(?:the|there) ", 0.7),
    # Of a few words, what something is: `the event was thought-provoking`.
    (r"(?i)^(?:\S+ ){1,4}(?:is|are|was|were|be|been) (?:so |a |an |my |our )?\S+$", 0.4),
    (r"^(?:told|asked|called|thanked|met|saw|know|knew)(?: \S+){1,2}$", 0.3),
    # Of an answer half the words are the question's.
    (r'^asked "', 0.5),
)


class Document(NamedTuple):
    """What notes were said in: its *terms*, and the *names* in it."""

    terms: Sequence[str]
    names: Sequence[str]


def document(text: str) -> Document:
    """Take *text* apart."""
    return Document(analysis.terms(text), analysis.names(analysis.sentences(text)))


def chosen(
    notes: Sequence[Note], documents: Sequence[Document], room: int, telling: float = 0.0
) -> list[Note]:
    """Return those of *notes* that say most in *room* words, what tells most first.

    *documents* are what they were said in. A note whose items weigh less than *telling* is left
    out, however much room there is: beyond what is told by then.
    """
    items = {note: _items(note) for note in notes}
    weight = _weights(notes, items, documents)
    choice = _Choice({n: {i: weight[i] for i in own} for n, own in items.items()}, room)
    return list(_greedily(notes, choice, telling))


def _greedily(left: Sequence[Note], choice: _Choice, telling: float) -> Iterator[Note]:
    """Take of *left* what adds most, again and again, while there is room.

    What a note adds only falls as others are taken, so that only what seems best is weighed again
    (Minoux 1978); but it rises when the frame of its day is paid for.
    """
    heap = [(-choice.gain(note), place) for place, note in enumerate(left)]
    heapq.heapify(heap)
    by_frame: dict[tuple[str, str], list[int]] = {}
    for place, note in enumerate(left):
        by_frame.setdefault((note.speaker, note.day), []).append(place)
    gone: set[int] = set()
    while heap:
        seemed, place = heapq.heappop(heap)
        note = left[place]
        if note.order in gone or choice.is_told(note) or not choice.has_room_for(note):
            continue
        if choice.adds(note) < telling and not _is_important(note):
            continue
        gain = choice.gain(note)
        if heap and gain < -heap[0][0] and gain < -seemed:
            heapq.heappush(heap, (-gain, place))
            continue
        choice.take(note)
        gone.add(note.order)
        yield note
        for other in by_frame.pop((note.speaker, note.day), ()):
            heapq.heappush(heap, (-choice.gain(left[other]), other))


class _Choice:
    """What is chosen so far, and what each further note would add to it.

    *items* are those of each note with their weights, *room* the words that are left.
    """

    def __init__(self, items: Mapping[Note, Mapping[str, float]], room: int) -> None:
        self._items, self._room = items, room
        self._worth = {note: _worth(note.text) * (_USUAL + note.importance) for note in items}
        self._words = {note: words(note.text) for note in items}
        self._told: dict[str, set[str]] = {note.speaker: set() for note in items}
        self._covered: set[str] = set()
        self._days: set[tuple[str, str]] = set()
        self._passages: set[int] = set()

    def adds(self, note: Note) -> float:
        """Return what *note* tells beyond what is told."""
        own = self._told[note.speaker]
        new = sum(weight * self._share(item, own) for item, weight in self._items[note].items())
        return self._worth[note] * new

    def gain(self, note: Note) -> float:
        """Return what *note* adds, per word; of what is important one note goes before all else."""
        first = _FIRST if _is_important(note) and note.passage not in self._passages else 1.0
        return round(first * self.adds(note) / math.pow(self._cost(note), _TEMPER), 6)

    def _share(self, item: str, own: AbstractSet[str]) -> float:
        return _AGAIN if item in own else _OF_ANOTHER if item in self._covered else 1.0

    def has_room_for(self, note: Note) -> bool:
        """Whether *note* fits, with its frame."""
        return self._cost(note) <= self._room

    def _cost(self, note: Note) -> int:
        return self._words[note] + (0 if (note.speaker, note.day) in self._days else _FRAME)

    def take(self, note: Note) -> None:
        """Count *note* as chosen."""
        self._room -= self._cost(note)
        self._days.add((note.speaker, note.day))
        self._passages.add(note.passage)
        self._told[note.speaker].update(self._items[note])
        self._covered.update(self._items[note])

    def is_told(self, note: Note) -> bool:
        """Whether its speaker has told all that *note* is about; the era is not what it says."""
        own = (item for item in self._items[note] if not item.startswith("~"))
        return self._told[note.speaker].issuperset(own)


@functools.cache
def _general() -> frozenset[str]:
    """Return the stems that tell little by themselves."""
    return VAGUE.union(map(analysis.stem, GENERAL))


def _is_important(note: Note) -> bool:
    return note.importance >= IMPORTANT


@functools.lru_cache(maxsize=_REMEMBERED)
def _worth(text: str) -> float:
    """Weigh what kind of thing *text* tells: a deed, a plan; a feeling or a truth is worth less."""
    first = analysis.head(text.split(maxsplit=1)[0])
    is_deed = first in EVENTS or (len(first) > _EVENT_LETTERS and first.endswith("ed"))
    kinds = (weight for pattern, weight in _KINDS if re.search(pattern, text))
    return (_DEED if is_deed else 1.0) * math.prod(kinds, start=1.0)


def _items(note: Note) -> frozenset[str]:
    """Return what *note* is about, and its month, which is an era's; its own day stands before."""
    return _about(note.text) - {f"@{note.day}"} | {f"~{note.day[:7]}"}


@functools.lru_cache(maxsize=_REMEMBERED)
def _about(text: str) -> frozenset[str]:
    """Return the stems, figures and days of *text*."""
    numbers, dates = analysis.figures(text)
    spelled = (head for head in analysis.heads(text) if head in NUMBER_WORDS and head != "one")
    stems = (term for term in analysis.terms(text) if term not in MONTH_NAMES)
    facts = (f"#{number}" for number in (*numbers, *spelled))
    return frozenset([*stems, *facts, *(f"@{day}" for day in dates)])


def _weights(
    notes: Sequence[Note], items: Mapping[Note, frozenset[str]], documents: Sequence[Document]
) -> dict[str, float]:
    counts = Counter(term for it in documents for term in frozenset(it.terms))
    voices = {head for note in notes for head in analysis.heads(note.speaker)}
    named = {name for it in documents for name in it.names}
    addressed = {name for name in named if any(voice.startswith(name) for voice in voices)}
    unheard = frozenset(map(analysis.stem, voices | addressed))
    names = frozenset(map(analysis.stem, named)) - unheard
    fixed = {"#": _NUMBER, "@": _DAY, "~": _ERA}

    def weigh(item: str) -> float:
        if item[0] in fixed:
            return fixed[item[0]]
        if item in unheard:
            return 0.0
        kind = _NAME if item in names else _GENERAL if item in _general() else 1.0
        return kind * (1 + _TAKEN_UP * math.log(max(1, counts[item])))

    return {item: weigh(item) for item in frozenset().union(*items.values())}
