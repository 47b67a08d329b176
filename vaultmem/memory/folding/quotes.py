"""What an assistant repeats of a tool word for word, and a mention in its place.

A page may tell an agent what to say. So that no word of it is taken for the agent's, a run of
words, or a whole sentence, that a tool said first is left out of what is told, also where a word in
five is another; what the agent says in other words stays, and so does what a person said or nearly
said, or the agent before the tool did.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple

from vaultmem.memory.folding.near_quotes import LEAST, NearQuotes, Row
from vaultmem.records import first_line
from vaultmem.storage.transcripts import Turn

_RUN, _SENTENCE = 8, 5
"""Words in a row that are no coincidence, and those that are none as a whole sentence."""

_RUN_LETTERS, _SENTENCE_LETTERS = 24, 16
"""What these must have at least; a word of Chinese is one letter, which counts as two."""

_LONGEST = 12
"""Words of a sentence that is compared whole; of a longer one its runs are."""

A_TOOL = "a tool"
"""What is told of a tool without a name."""

_NAME = 64
_OWN_TOOL = re.compile(r"(?:mcp__vaultmem__)?(?:memory(?:_[a-z]+)?|recall|remember)")
_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_IS_HAN = re.compile(f"[{_HAN}]")
_CHUNK = re.compile(rf"[{_HAN}]|[^\s{_HAN}]+")
_PLAIN = re.compile(rf"[{_HAN}]|(?:(?![{_HAN}])\w)+")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_END = re.compile(r"(?:[.!?:;\u2026\u3002\uff01\uff1f\uff1a]|\n)[\W_]*$")
_STOP = re.compile(r"([.!?\u2026\u3002\uff01\uff1f])[^\w]*$")
_ELSEWHERE = "another session"
_MENTION = re.compile(rf"\([^()\n]{{1,80}}, (?:turn \d+|{_ELSEWHERE})\)")
_FACT = re.compile(r"[\d@/]")
_ADDRESS = re.compile(r"[@/]")

_MOSTLY = 0.8
"""How much of a text must be a tool's where no long run of words in it is the same."""


class _Word(NamedTuple):
    """A word as it is compared, where it stands, and whether a sentence ends with it."""

    text: str
    start: int
    end: int
    is_last: bool


def mentioned(
    turns: Sequence[Turn], first: int | None = 1, *, others: Sequence[Turn] = ()
) -> tuple[Turn, ...]:
    """Return *turns*, number *first* and so on, with a mention for what an assistant quotes.

    Without numbers where *first* is None. *others* are turns of other sessions, of which those that
    came before count, too. Linear in what they say.
    """
    if not any(_is_foreign(turn) for turn in (*turns, *others)):
        return tuple(turns)
    found = _quotations([*_in_time(turns, others)], first)
    return tuple(
        _without(it.turn, it.words, it.rows, it.said) if it.rows else it.turn
        for it in found
        if it.number is not None
    )


def quoted(turns: Sequence[Turn], *texts: str) -> str:
    """Return the tool of *turns* that one of *texts* quotes after them, empty where none does.

    Where no long run of words is the same, nearly all of the text must be the tool's.
    """
    three = set[str]().union(*map(_threes, texts))
    near = [(None, turn) for turn in turns if _holds(_plain(turn.content), three)]
    if not any(_is_foreign(turn) for _, turn in near):
        return ""
    for text in texts:
        *_, last = _quotations([*near, (0, Turn("assistant", text))], None)
        if last.rows and (last.is_exact or _share(last) >= _MOSTLY):
            return last.said[last.rows[0][1]][1:-1]
    return ""


def _is_foreign(turn: Turn) -> bool:
    """Tell whether a tool speaks; what the vault's own tools show as trusted is the vault's."""
    is_own = _OWN_TOOL.fullmatch(turn.tool) and "untrusted" not in turn.content
    return turn.role == "tool" and not is_own


class _Quotation(NamedTuple):
    """A turn, its *words*, and the *rows* of them, by where they begin, that tools *said* first.

    *number* counts from 0, None in another session; *is_exact* where a row is a tool's for sure.
    """

    number: int | None
    turn: Turn
    words: Sequence[_Word]
    rows: list[tuple[int, Row]]
    said: Mapping[Row, str]
    is_exact: bool


def _in_time(turns: Sequence[Turn], others: Sequence[Turn]) -> Iterator[tuple[int | None, Turn]]:
    """Yield *turns* with their numbers, and before each those of *others* that are not later."""
    waiting = sorted(others, key=lambda turn: turn.at, reverse=True)
    for n, turn in enumerate(turns):
        while waiting and (not turn.at or waiting[-1].at <= turn.at):
            yield None, waiting.pop()
        yield n, turn


def _quotations(
    turns: Sequence[tuple[int | None, Turn]], first: int | None
) -> Iterator[_Quotation]:
    """Yield what each of *turns* quotes; what `said` holds is what tools said until then."""
    every = [_words(turn.content) if turn.role == "assistant" else [] for _, turn in turns]
    wanted = _Wanted(every)
    said: dict[Row, str] = {}
    exact, known, persons = set[Row](), set[Row](), set[Row]()
    for (number, turn), own in zip(turns, every, strict=True):
        rows = _tools_rows(own, said, persons)
        is_exact = any(row in exact and _is_telling(row) for _, row in rows)
        yield _Quotation(number, turn, own, rows, said, is_exact)
        texts = [word.text for word in own or _words(turn.content)]
        same = wanted.same(texts)
        found = same | wanted.nearly_same(texts)
        if _is_foreign(turn):
            exact |= same
            said |= dict.fromkeys(found - known - said.keys(), _by(turn, number, first))
            continue
        if turn.role == "user":
            persons |= {row for row in found if _has_facts(texts, row)}
            for row in found & said.keys():
                del said[row]
        known |= found - said.keys()


def _by(turn: Turn, number: int | None, first: int | None) -> str:
    name = first_line(turn.tool, _NAME) or A_TOOL
    if first is None:
        return f"({name})"
    return f"({name}, {_ELSEWHERE})" if number is None else f"({name}, turn {first + number})"


def _tools_rows(
    words: Sequence[_Word], said: Mapping[Row, str], persons: AbstractSet[Row]
) -> list[tuple[int, Row]]:
    """Return the rows of *words* that tools *said*, but those in a sentence of a person's."""
    sentences = [*_sentences(words)]
    theirs = {at + n for at, row in sentences if row in persons for n in range(len(row))}
    return [
        (at, row)
        for at, row in (*_rows(words), *sentences)
        if row in said and not theirs.issuperset(range(at, at + len(row)))
    ]


def _has_facts(texts: Sequence[str], row: Row) -> bool:
    """Tell whether *texts* have every number and address of *row*: one of these is the point."""
    return {word for word in row if _FACT.search(word)}.issubset(texts)


def _is_telling(row: Row) -> bool:
    """Tell whether *row* is a tool's whatever stands beside it: it is long, or has an address."""
    return len(row) >= _RUN or any(_ADDRESS.search(word) for word in row)


def _share(it: _Quotation) -> float:
    """Return how much of the words of a turn is quoted."""
    return len({at + n for at, row in it.rows for n in range(len(row))}) / len(it.words)


def _holds(plain: str, rows: Iterable[str]) -> bool:
    return any(row in plain for row in rows)


def _threes(text: str) -> set[str]:
    """Return three words in a row each, of which no text has none that *text* quotes."""
    words = _plain(text).split()
    return {f" {' '.join(row)} " for row in zip(words, words[1:], words[2:], strict=False)}


def _plain(text: str) -> str:
    """Return the words of *text* between blanks, quickly made: most texts have none to compare."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return f" {' '.join(_PLAIN.findall(folded.casefold()))} "


def are_in(text: str) -> bool:
    """Tell whether *text*, as `mentioned` made it, has a mention."""
    return _MENTION.search(text) is not None


def has_own_words(line: str) -> bool:
    """Tell whether a *line*, as `mentioned` made it, says something beside its mentions."""
    return not are_in(line) or re.search(r"\w", _MENTION.sub("", line)) is not None


def _words(text: str) -> list[_Word]:
    found = [(chunk.span(), _folded(chunk[0])) for chunk in _CHUNK.finditer(text)]
    kept = [(start, end, word) for (start, end), word in found if word]
    behind = [*(start for start, _, _ in kept[1:]), len(text)]
    return [
        _Word(word, start, end, bool(_END.search(text[start:until])))
        for (start, end, word), until in zip(kept, behind, strict=False)
    ]


def _folded(chunk: str) -> str:
    plain = unicodedata.normalize("NFKC", chunk).casefold()
    if not plain.isascii():
        plain = "".join(c for c in plain if unicodedata.category(c) != "Cf")
    return _EDGES.sub("", plain)


def _rows(words: Sequence[_Word]) -> Iterator[tuple[int, Row]]:
    """Yield every run of *words* and every whole sentence that is shorter, with where it begins."""
    texts = [word.text for word in words]
    sizes = [*map(_letters, texts)]
    for at in range(len(texts) - _RUN + 1):
        end, letters = at + _RUN, sum(sizes[at : at + _RUN])
        while letters < _RUN_LETTERS and end < len(texts):
            letters += sizes[end]
            end += 1
        if letters >= _RUN_LETTERS:
            yield at, tuple(texts[at:end])
    start = 0
    for end, word in enumerate(words, 1):
        if word.is_last or end == len(words):
            if _SENTENCE <= end - start <= _LONGEST and sum(sizes[start:end]) >= _SENTENCE_LETTERS:
                yield start, tuple(texts[start:end])
            start = end


def _letters(word: str) -> int:
    return len(word) * (2 if _IS_HAN.match(word) else 1)


def _sentences(words: Sequence[_Word]) -> Iterator[tuple[int, Row]]:
    """Yield every whole sentence that may be told again in nearly the same words."""
    start = 0
    for end, word in enumerate(words, 1):
        if word.is_last or end == len(words):
            row = tuple(it.text for it in words[start:end])
            if len(row) >= LEAST and sum(map(_letters, row)) >= _RUN_LETTERS:
                yield start, row
            start = end


class _Wanted:
    """The runs and the sentences of what assistants say, to be found in what others say."""

    def __init__(self, said: Iterable[Sequence[_Word]]) -> None:
        every = tuple(said)
        self._rows = {row for each in every for _, row in _rows(each)}
        self._sizes = sorted({len(row) for row in self._rows})
        self._near = NearQuotes(row for each in every for _, row in _sentences(each))

    def same(self, texts: Sequence[str]) -> set[Row]:
        """Return those that the words *texts* say."""
        every = (zip(*(texts[n:] for n in range(size)), strict=False) for size in self._sizes)
        return {row for rows in every for row in self._rows.intersection(rows)}

    def nearly_same(self, texts: Sequence[str]) -> set[Row]:
        """Return the sentences that the words *texts* say nearly, or say."""
        return self._near.found(texts)


def _without(
    turn: Turn, words: Sequence[_Word], quoted: Sequence[tuple[int, Row]], said: Mapping[Row, str]
) -> Turn:
    by = {at + n: said[row] for at, row in quoted for n in range(len(row))}
    kept, end = [], 0
    for at, mention in sorted(by.items()):
        if at - 1 not in by:
            kept += [turn.content[end : words[at].start], mention]
        end = words[at].end
        if at + 1 not in by and (stop := _STOP.search(turn.content[words[at].start : end])):
            kept.append(stop[1])
    return replace(turn, content="".join([*kept, turn.content[end:]]))
