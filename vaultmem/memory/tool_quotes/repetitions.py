"""Where a person repeats a tool word for word: a text that is handed on states nothing.

Whoever pastes what a tool showed asks for something to be done with it; whatever frame stands
around it, the words are the tool's. A person's are those that they chose, and those that they say
and nothing beside them but that they are so, or to be kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Self

from vaultmem.documents import rendered_text
from vaultmem.memory.tool_quotes import (
    address_quotes,
    candidates,
    payment_addresses,
    plain_words,
)
from vaultmem.memory.tool_quotes.exact_quotes import ExactQuotes
from vaultmem.memory.tool_quotes.near_quotes import Row
from vaultmem.memory.tool_quotes.plain_words import Word
from vaultmem.memory.tool_quotes.readings import ToolWords
from vaultmem.nlp.text import pasted_text
from vaultmem.storage.transcripts import Turn

_ASSENT = (
    r"(?:yes|yeah|yep|yup|no|nope|ok|okay|sure|exactly|right|wrong|correct|true|indeed|agreed"
    r"|confirmed|please|actually|sorry|well|so|and|also|ja|nein|doch|genau|richtig|falsch|stimmt"
    r"|bitte|gut|und|also|(?:that|this|it)(?:['\u2019]s| is) (?:so|right|true|correct)"
    r"|i confirm(?: (?:it|this|that))?|das stimmt|\u662f\u7684?|\u5bf9\u7684?|\u597d\u7684?|\u8bf7"
    r"|(?:as|like) i(?:['\u2019]ve| have)?(?: already| just)? (?:said|told (?:you|them)|wrote)"
    r"|wie (?:gesagt|ich (?:schon )?sagte))"
)
_KEEP = (
    r"(?:(?:(?:can|could|would|will) you|please|k\u00f6nntest du|kannst du|bitte) )*"
    r"(?:(?:remember|note|keep|save|store|write down|memorize|(?:do not|don['\u2019]t|never) forget"
    r"|merke?|notiere?|speichere?|vergiss nicht)"
    r"(?: (?:this|that|it|these|the following|what follows|down|for me|in mind|please|then|too"
    r"|dir|euch|das|dies|folgendes|bitte|for later|in (?:your|the) (?:memory|notes)))*"
    r"|(?:add|put|save|write|note) (?:this|that|it) (?:down )?(?:to|on|in|into)"
    r" (?:\w+(?:['\u2019]s)? )?(?:card|notes?|memory|profile)"
    r"|(?:\u8bf7)?(?:\u8bb0\u4f4f|\u8bb0\u4e0b|\u8bb0\u5f97)(?:\u8fd9\u4e2a|\u8fd9\u70b9)?)"
)
_SAYS_SO = re.compile(rf"(?i)\W*(?:{_ASSENT}(?:[^\w?\uff1f]+|$)|{_KEEP}(?:\W+|$))+")
_COUNT = re.compile(r"[\d.:/-]+|[ap]m")
"""A word that a list or a log puts before a line: a number, the time."""

_PARTED = re.compile(r"[|>\u2013\u2014\u2192\u2022\t-]\s*$")
"""What parts the words of a line from those ahead of it: `Okafor - …`, a cell of a table."""


@dataclass(slots=True)
class Repetitions:
    """What tools showed, each for itself, of the words that persons say in a row."""

    _wanted: ExactQuotes = field(default_factory=lambda: ExactQuotes(()))
    _heard: set[frozenset[Row]] = field(default_factory=set)
    _shown: dict[Row, list[int]] = field(default_factory=dict)
    """Which of those that were heard say a row: most share nothing with a text."""

    @classmethod
    def of(cls, said: Iterable[str]) -> Self:
        """Look for what persons *said*."""
        readings = (words for text in said for words in _readings(text))
        return cls(ExactQuotes(row for words in readings for _, row in _rows(words)))

    def hear_tool(self, shown: ToolWords) -> None:
        """Note what a tool has *shown*."""
        found = frozenset[Row]().union(*map(self._wanted.found, shown.every))
        if found and found not in self._heard:
            for row in found:
                self._shown.setdefault(row, []).append(len(self._heard))
            self._heard.add(found)

    def own(self, text: str) -> str:
        """Return *text*, which a person says, without what it hands on of one of the tools."""
        spans: set[tuple[int, int]] = set()
        for words in _readings(text) if self._shown else ():
            theirs = self._theirs(words)
            spans.update(_Parts.of(text, words).handed_on(theirs) if theirs else ())
        return _without(text, sorted(spans))

    def _theirs(self, words: Sequence[Word]) -> Collection[AbstractSet[int]]:
        """Return the places of those of *words* that each of the tools says, if it says any."""
        found: dict[int, set[int]] = {}
        for at, row in _rows(words):
            for tool in self._shown.get(row, ()):
                found.setdefault(tool, set()).update(range(at, at + len(row)))
        return found.values()


@dataclass(frozen=True, slots=True)
class _Parts:
    """The lines and sentences of a *text*, by the places of its *words*, and which has each word.

    *others* are those that say something of their own.
    """

    text: str
    words: Sequence[Word]
    parts: tuple[range, ...]
    part_of: tuple[int, ...]
    others: frozenset[int]

    @classmethod
    def of(cls, text: str, words: Sequence[Word]) -> Self:
        """Return those of *text*."""
        parts = tuple(_ranges(words))
        part_of = tuple(number for number, part in enumerate(parts) for _ in part)
        own = (n for n, part in enumerate(parts) if not _says_so(text, words, part))
        return cls(text, words, parts, part_of, frozenset(own))

    def handed_on(self, tools: Iterable[AbstractSet[int]]) -> Iterator[tuple[int, int]]:
        """Yield where the parts stand whose words are those of one of *tools*.

        None where nothing stands beside them but that it is so, or to be kept.
        """
        for theirs in tools:
            told = dict(self._told(theirs))
            if self.others <= told.keys() and not any(told.values()):
                continue
            for part in map(self.parts.__getitem__, told):
                yield self.words[part[0]].start, self.words[part[-1]].end

    def _told(self, theirs: AbstractSet[int]) -> Iterator[tuple[int, str]]:
        """Yield the numbers of the parts that have no other words than *theirs*: see `_ahead`."""
        for number in {self.part_of[at] for at in theirs}:
            for ahead in _ahead(self.text, self.words, self.parts[number], theirs):
                yield number, ahead


def own_words(turns: Sequence[Turn], number: int) -> str:
    """Return what the person says in turn *number* of *turns*, from 0, without what it hands on."""
    text = turns[number].content
    tools = [turn for turn in turns[:number] if turn.role == "tool"]
    made = Repetitions.of([text])
    for turn in candidates.near(tools, text):
        made.hear_tool(ToolWords.of(turn.content))
    return made.own(text)


def _readings(text: str) -> Iterator[Sequence[Word]]:
    """Yield the words of *text*, also parted where signs hold them together."""
    look = rendered_text.shown(text)
    yield plain_words.whole_words(look)
    if parted := plain_words.split_words(look):
        yield parted


def _rows(words: Sequence[Word]) -> Iterator[tuple[int, Row]]:
    """Yield the rows that nobody says by chance as a tool did: long ones, those with an address."""
    yield from (it for it in plain_words.rows(words) if len(it[1]) >= plain_words.RUN)
    for at, row in plain_words.whole_sentences(words):
        if address_quotes.has_address(row) or payment_addresses.addresses(" ".join(row)):
            yield at, row


def _ranges(words: Sequence[Word]) -> Iterator[range]:
    """Yield the lines and sentences of *words*, by the places of their words."""
    start = 0
    for end, word in enumerate(words, 1):
        if word.ends >= plain_words.LINE or end == len(words):
            yield range(start, end)
            start = end


def _ahead(
    text: str, words: Sequence[Word], part: range, theirs: AbstractSet[int]
) -> Iterator[str]:
    """Yield what stands ahead in *part*, and is no word in its sentence, if all else is *theirs*.

    A number, the time, a name with a dash behind it, what asks for something to be done with it.
    """
    own = [n for n in part if n not in theirs and not _COUNT.fullmatch(words[n].text)]
    first = next((n for n in part if n in theirs), None)
    if first is None or any(n > first for n in own):
        return
    ahead = text[words[part[0]].start : words[first].start] if first > part[0] else ""
    if not own or _PARTED.search(ahead) or pasted_text.is_request(ahead):
        yield ahead


def _says_so(text: str, words: Sequence[Word], part: range) -> bool:
    return _SAYS_SO.fullmatch(text[words[part[0]].start : words[part[-1]].end]) is not None


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    kept, done = [], 0
    for start, end in spans:
        kept.append(text[done : max(done, start)])
        done = max(done, end)
    return "\n\n".join([*kept, text[done:]])
