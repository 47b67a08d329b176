"""What an assistant repeats of a tool word for word, and a mention in its place.

A page may tell an agent what to say. So that no word of it is taken for the agent's, a run of
words, or a whole sentence, that a tool said first is left out of what is told, also where a word in
five is another; what the agent says in other words stays, and so does what a person stated too, or
nearly so, or the agent before the tool did.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from vaultmem.memory.tool_quotes import address_quotes, assertions, corroboration, plain_words
from vaultmem.memory.tool_quotes.address_quotes import AddressQuotes
from vaultmem.memory.tool_quotes.corroboration import Corroboration
from vaultmem.memory.tool_quotes.near_quotes import NearQuotes, Row
from vaultmem.memory.tool_quotes.plain_words import Word
from vaultmem.records import first_line
from vaultmem.storage.transcripts import Turn

A_TOOL = "a tool"
"""What is told of a tool without a name."""

_NAME = 64
_PLAIN = re.compile(rf"[{plain_words.HAN}]|(?:(?![{plain_words.HAN}])\w)+")
_STOP = re.compile(r"([.!?\u2026\u3002\uff01\uff1f])[^\w]*$")
_ELSEWHERE = "another session"
_MENTION = re.compile(rf"\([^()\n]{{1,80}}, (?:turn \d+|{_ELSEWHERE})\)")
_ADDRESS = re.compile(r"[@/]")

_MOSTLY = 0.8
"""How much of a text must be a tool's where no long run of words in it is the same."""

_SHORT = 4000
"""Characters of what a person says that is compared whatever its words are."""


class Quoted(NamedTuple):
    """The *tool* whose words a text has, "" for none, and the *passages* of the text with them."""

    tool: str = ""
    passages: tuple[str, ...] = ()


def mentioned(
    turns: Sequence[Turn], first: int | None = 1, *, others: Sequence[Turn] = ()
) -> tuple[Turn, ...]:
    """Return *turns*, number *first* and so on, with a mention for what an assistant quotes.

    Without numbers where *first* is None. *others* are turns of other sessions, of which those that
    came before count, too. Linear in what they say.
    """
    return tuple(
        _without(it) if it.rows else it.turn
        for it in _quoting(turns, first, others)
        if it.number is not None
    )


def passages(turns: Sequence[Turn], *, others: Sequence[Turn] = ()) -> tuple[str, ...]:
    """Return the sentences of assistants in *turns* that `mentioned` takes for a tool's."""
    found = (it for it in _quoting(turns, None, others) if it.number is not None and it.rows)
    return tuple(dict.fromkeys(passage for it in found for passage in _passages(it)))


def quoted(turns: Sequence[Turn], text: str) -> Quoted:
    """Return the tool of *turns* that *text* quotes after them.

    Where no long run of words is the same, nearly all of the text must be the tool's.
    """
    three = _threes(text)
    near = [(None, turn) for turn in turns if _may_say(turn, three)]
    if not any(_is_foreign(turn) for _, turn in near):
        return Quoted()
    *_, last = _quotations([*near, (0, Turn("assistant", text))], None)
    if last.rows and (last.is_exact or _share(last) >= _MOSTLY):
        return Quoted(last.said[last.rows[0][1]][1:-1], tuple(_passages(last)))
    return Quoted()


def _is_foreign(turn: Turn) -> bool:
    """Tell whether a tool speaks, whatever it calls itself."""
    return turn.role == "tool"


class _Quotation(NamedTuple):
    """A turn, its *words*, and the *rows* of them, by where they begin, that tools *said* first.

    *number* counts from 0, None in another session; *is_exact* where a row is a tool's for sure.
    """

    number: int | None
    turn: Turn
    words: Sequence[Word]
    rows: list[tuple[int, Row]]
    said: Mapping[Row, str]
    is_exact: bool


def _quoting(
    turns: Sequence[Turn], first: int | None, others: Sequence[Turn]
) -> Iterator[_Quotation]:
    if any(map(_is_foreign, (*turns, *others))):
        return _quotations([*_in_time(turns, others)], first)
    return (_Quotation(n, turn, (), [], {}, is_exact=False) for n, turn in enumerate(turns))


def _in_time(turns: Sequence[Turn], others: Sequence[Turn]) -> Iterator[tuple[int | None, Turn]]:
    """Yield *turns* with their numbers, and before each those of *others* that are not later."""
    waiting = sorted(others, key=lambda turn: turn.at, reverse=True)
    for n, turn in enumerate(turns):
        while waiting and (not turn.at or waiting[-1].at <= turn.at):
            yield None, waiting.pop()
        yield n, turn


@dataclass(slots=True)
class _Heard:
    """What was said so far: by tools first, *exact* or nearly so, and what was *known* before."""

    said: dict[Row, str] = field(default_factory=dict)
    exact: set[Row] = field(default_factory=set)
    known: set[Row] = field(default_factory=set)
    corroboration: Corroboration = field(default_factory=Corroboration)


def _quotations(
    turns: Sequence[tuple[int | None, Turn]], first: int | None
) -> Iterator[_Quotation]:
    """Yield what each of *turns* quotes; what `said` holds is what tools said until then."""
    every = [_readings(turn) for _, turn in turns]
    by_tools, wanted = _by_tools([turn for _, turn in turns], every)
    heard = _Heard()
    for n, ((number, turn), readings) in enumerate(zip(turns, every, strict=True)):
        yield _quotation(number, turn, readings, heard)
        if n in by_tools:
            same, found = by_tools[n]
            heard.exact |= same
            heard.said |= dict.fromkeys(
                found - heard.known - heard.said.keys(), _by(turn, number, first)
            )
            heard.corroboration.hear_tool(turn.content, found)
        elif turn.role == "user" and wanted:
            heard.corroboration.hear_person(turn.content, wanted.all)
        elif turn.role != "user" and wanted:
            words = readings[0] if readings else plain_words.words(turn.content)
            heard.known |= wanted.all([word.text for word in words]) - heard.said.keys()


def _by_tools(
    turns: Sequence[Turn], every: Iterable[Sequence[Sequence[Word]]]
) -> tuple[Mapping[int, tuple[set[Row], set[Row]]], _Wanted]:
    """Return what each tool says of what assistants do, exactly and in all, and all of that."""
    wanted = _Wanted.of(words for readings in every for words in readings)
    found: dict[int, tuple[set[Row], set[Row]]] = {}
    for n, turn in enumerate(turns):
        if _is_foreign(turn):
            texts = [word.text for word in plain_words.words(turn.content)]
            same = wanted.same(texts)
            found[n] = same, same | wanted.nearly_same(texts)
    return found, wanted.among(set[Row]().union(*(rows for _, rows in found.values())))


def _readings(turn: Turn) -> tuple[Sequence[Word], ...]:
    """Return the words of what an assistant says, also as it is read where signs join them."""
    if turn.role != "assistant":
        return ()
    loose = plain_words.loose_words(turn.content)
    return (plain_words.words(turn.content), *([loose] if loose else []))


def _quotation(
    number: int | None, turn: Turn, readings: Sequence[Sequence[Word]], heard: _Heard
) -> _Quotation:
    words: Sequence[Word] = ()
    rows: list[tuple[int, Row]] = []
    for words in readings:
        if rows := _tools_rows(turn.content, words, heard):
            break
    is_exact = any(_is_exact(row, heard) for _, row in rows)
    return _Quotation(number, turn, words, rows, heard.said, is_exact)


def _is_exact(row: Row, heard: _Heard) -> bool:
    """Tell whether *row* is a tool's whatever stands beside it: it is long, or has an address."""
    if address_quotes.has_address(row):
        return True
    is_telling = len(row) >= plain_words.RUN or any(_ADDRESS.search(word) for word in row)
    return row in heard.exact and is_telling


def _by(turn: Turn, number: int | None, first: int | None) -> str:
    name = first_line(turn.tool, _NAME) or A_TOOL
    if first is None:
        return f"({name})"
    return f"({name}, {_ELSEWHERE})" if number is None else f"({name}, turn {first + number})"


def _tools_rows(text: str, words: Sequence[Word], heard: _Heard) -> list[tuple[int, Row]]:
    """Return the rows of *words* that tools said, but those in a sentence of a person's."""
    whole = [*plain_words.whole_sentences(words)]
    found = [it for it in (*plain_words.rows(words), *whole) if it[1] in heard.said]
    if not found:
        return []
    told = assertions.stretches(text)

    def is_vouched(at: int, row: Row) -> bool:
        end = words[at + len(row) - 1].end
        manner = corroboration.manner(assertions.between(told, words[at].start, end))
        return heard.corroboration.is_vouched(row, manner)

    theirs = {at + n for at, row in whole if is_vouched(at, row) for n in range(len(row))}
    return [
        (at, row)
        for at, row in dict.fromkeys(found)
        if not is_vouched(at, row) and not theirs.issuperset(range(at, at + len(row)))
    ]


def _passages(it: _Quotation) -> Iterator[str]:
    """Yield the sentences of a turn that are quoted."""
    told = assertions.stretches(it.turn.content)
    for at, row in it.rows:
        start, end = it.words[at].start, it.words[at + len(row) - 1].end
        near = [each for each in told if each.start < end and start < each.end]
        yield it.turn.content[near[0].start : near[-1].end].strip()


def _share(it: _Quotation) -> float:
    """Return how much of the words of a turn is quoted."""
    return len({at + n for at, row in it.rows for n in range(len(row))}) / len(it.words)


def _may_say(turn: Turn, rows: Iterable[str]) -> bool:
    """Tell whether *turn* has three words in a row of what is asked, or is a person's and short."""
    if turn.role == "user" and len(turn.content) <= _SHORT:
        return True
    plain = _plain(turn.content)
    return any(row in plain for row in rows)


def _threes(text: str) -> set[str]:
    """Return three words in a row each, of which no text has none that *text* quotes."""
    loose = " ".join(word.text for word in plain_words.loose_words(text))
    return {
        f" {' '.join(row)} "
        for words in (_plain(text).split(), _plain(loose).split())
        for row in zip(words, words[1:], words[2:], strict=False)
    }


def _plain(text: str) -> str:
    """Return the words of *text* between blanks, quickly made: most texts have none to compare."""
    shown = plain_words.shown(text)
    folded = shown if shown.isascii() else unicodedata.normalize("NFKC", shown)
    return f" {' '.join(_PLAIN.findall(folded.casefold()))} "


def are_in(text: str) -> bool:
    """Tell whether *text*, as `mentioned` made it, has a mention."""
    return _MENTION.search(text) is not None


def has_own_words(line: str) -> bool:
    """Tell whether a *line*, as `mentioned` made it, says something beside its mentions."""
    return not are_in(line) or re.search(r"\w", _MENTION.sub("", line)) is not None


class _Wanted:
    """The runs and the sentences of what assistants say, to be found in what others say."""

    def __init__(self, runs: Iterable[Row], near: Iterable[Row], whole: Iterable[Row]) -> None:
        self._runs, self._sentences, self._whole = set(runs), set(near), set(whole)
        self._sizes = sorted({len(row) for row in self._runs})
        self._near, self._short = NearQuotes(self._sentences), AddressQuotes(self._whole)

    @classmethod
    def of(cls, said: Iterable[Sequence[Word]]) -> Self:
        """Return those of the words that assistants *said*."""
        every = tuple(said)
        made = (plain_words.rows, plain_words.sentences, plain_words.whole_sentences)
        return cls(*({row for each in every for _, row in rows(each)} for rows in made))

    def __bool__(self) -> bool:
        """Tell whether there are any."""
        return bool(self._runs or self._sentences or self._whole)

    def among(self, rows: AbstractSet[Row]) -> Self:
        """Return those that are among *rows*."""
        return type(self)(self._runs & rows, self._sentences & rows, self._whole & rows)

    def same(self, texts: Sequence[str]) -> set[Row]:
        """Return those that the words *texts* say."""
        every = (zip(*(texts[n:] for n in range(size)), strict=False) for size in self._sizes)
        return {row for rows in every for row in self._runs.intersection(rows)}

    def nearly_same(self, texts: Sequence[str]) -> set[Row]:
        """Return the sentences that the words *texts* say nearly, or say."""
        return self._near.found(texts) | self._short.found(texts)

    def all(self, texts: Sequence[str]) -> set[Row]:
        """Return those that the words *texts* say, or nearly say."""
        return self.same(texts) | self.nearly_same(texts)


def _without(it: _Quotation) -> Turn:
    by = {at + n: it.said[row] for at, row in it.rows for n in range(len(row))}
    words, text = it.words, it.turn.content
    kept, end = [], 0
    for at, mention in sorted(by.items()):
        if at - 1 not in by:
            kept += [text[end : words[at].start], mention]
        end = words[at].end
        if at + 1 not in by and (stop := _STOP.search(text[words[at].start : end])):
            kept.append(stop[1])
    return replace(it.turn, content="".join([*kept, text[end:]]))
