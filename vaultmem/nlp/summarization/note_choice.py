"""Choose the notes that tell most per word.

What is asked for later is people, places, things, numbers and days. Each counts once, so that what
is chosen next adds to what is there: the greedy maximization of a submodular gain per cost (Lin &
Bilmes 2010).
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from vaultmem.nlp.summarization.notes import Note, words
from vaultmem.nlp.tasks import IMPORTANT
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import EVENTS, GENERAL, MONTH_NAMES, NUMBER_WORDS, VAGUE

# What a repeated item is still worth, and what each kind of item is.
_AGAIN = 0.08
_NAME, _NUMBER, _DAY, _GENERAL, _ERA = 1.6, 1.3, 1.5, 0.35, 1.0
# By how much an item gains that the conversation takes up again, times the logarithm of how often.
_TAKEN_UP = 0.25
# Below 1, so that not only the shortest are chosen.
_TEMPER = 0.8
# Words of a frame: a day, and who spoke.
_FRAME = 3
_EVENT_LETTERS = 4

_PLAN = (
    r"(?i)\b(?:going to|gonna|planning|plan|thinking (?:of|about)|applied|applying|signed up"
    r"|looking into|start(?:ing|ed)|working on|will)\b"
)
_DECISION = (
    r"(?i)\b(?:decided|decision|agreed|signed (?!up)|approved|chose|chosen|settled|ruled out|hired"
    r"|promised|quit|resigned|instead of|rejected|cancel+ed)\b"
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
    (_FEELING, 0.55),
    (_JUDGEMENT, 0.4),
    (r"(?i)^(?:we|our) (?:all|can|are all|have to|need|should|must)\b|^we['\u2019]re all\b", 0.4),
    (r"^(?:the|there) ", 0.7),
    (r"^(?:told|asked|called|thanked|met|saw|know|knew)(?: \S+){1,2}$", 0.3),
)


def chosen(
    notes: Sequence[Note], documents: Sequence[str], room: int, telling: float = 0.0
) -> list[Note]:
    """Return those of *notes* that say most in *room* words, what tells most first.

    *documents* are what they were said in. A note whose items weigh less than *telling* is left
    out, however much room there is.
    """
    items = {note: _items(note) for note in notes}
    weight = _weights(notes, items, documents)
    value = {note: sum(weight[i] for i in own) for note, own in items.items()}
    worth = {note: _worth(note.text) * (_USUAL + note.importance) for note in notes}
    cost = {note: words(note.text) for note in notes}
    left = [n for n in notes if _is_important(n) or worth[n] * value[n] >= telling]
    covered: set[str] = set()
    frames: set[tuple[str, str]] = set()
    served: set[int] = set()
    picked: list[Note] = []

    def spent(note: Note) -> int:
        return cost[note] + (0 if (note.speaker, note.day) in frames else _FRAME)

    def gain(note: Note) -> float:
        new = sum(weight[i] * (_AGAIN if i in covered else 1.0) for i in items[note])
        first = _FIRST if _is_important(note) and note.passage not in served else 1.0
        return round(first * worth[note] * new / math.pow(spent(note), _TEMPER), 6)

    while left := [note for note in left if spent(note) <= room]:
        best = max(left, key=gain)
        picked.append(best)
        room -= spent(best)
        frames.add((best.speaker, best.day))
        covered |= items[best]
        served.add(best.passage)
        left = [n for n in left if n.order != best.order and not _own(items[n]) <= covered]
    return picked


@functools.cache
def _general() -> frozenset[str]:
    """Return the stems that tell little by themselves."""
    return VAGUE.union(map(analysis.stem, GENERAL))


def _is_important(note: Note) -> bool:
    return note.importance >= IMPORTANT


def _worth(text: str) -> float:
    """Weigh what kind of thing *text* tells: a deed, a plan; a feeling or a truth is worth less."""
    first = analysis.head(text.split(maxsplit=1)[0])
    is_deed = first in EVENTS or (len(first) > _EVENT_LETTERS and first.endswith("ed"))
    kinds = (weight for pattern, weight in _KINDS if re.search(pattern, text))
    return (_DEED if is_deed else 1.0) * math.prod(kinds, start=1.0)


def _items(note: Note) -> frozenset[str]:
    """Return what *note* is about: stems, figures, days, and its month, which is an era's."""
    numbers, dates = analysis.figures(note.text)
    spelled = (head for head in analysis.heads(note.text) if head in NUMBER_WORDS and head != "one")
    stems = (term for term in analysis.terms(note.text) if term not in MONTH_NAMES)
    facts = (f"#{number}" for number in (*numbers, *spelled))
    return frozenset([*stems, *facts, *(f"@{day}" for day in dates), f"~{note.day[:7]}"])


def _own(items: frozenset[str]) -> frozenset[str]:
    """Return *items* without the era, which is not what a note says."""
    return frozenset(item for item in items if not item.startswith("~"))


def _weights(
    notes: Sequence[Note], items: Mapping[Note, frozenset[str]], documents: Sequence[str]
) -> dict[str, float]:
    counts = Counter(term for text in documents for term in frozenset(analysis.terms(text)))
    voices = {head for note in notes for head in analysis.heads(note.speaker)}
    named = analysis.names(s for text in documents for s in analysis.sentences(text))
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
