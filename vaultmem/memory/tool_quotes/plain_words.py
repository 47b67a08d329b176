"""The words of a text as they are compared, each with where it stands, and the rows they make.

What is put around a text, see `rendered_text`, changes none of its words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from vaultmem.documents import plain_letters, rendered_text
from vaultmem.documents.rendered_text import Look
from vaultmem.memory.tool_quotes import reported_words
from vaultmem.memory.tool_quotes.near_quotes import LEAST, Row

RUN, SENTENCE = 8, 5
"""Words in a row that are no coincidence, and those that are none as a whole sentence."""

RUN_LETTERS, SENTENCE_LETTERS = 24, 16
"""What these must have at least; a word of Chinese is one letter, which counts as two."""

LONGEST = 12
"""Words of a sentence that is compared whole; of a longer one its runs are."""

CLAUSE, LINE, _PARAGRAPH, _SENTENCE = 1, 2, 3, 4
"""What ends with a word."""

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
)
"""Scripts without blanks between words: each letter is a word."""

_IS_HAN = re.compile("[\u3040-\ud7af\uf900-\ufaff]")
_CHUNK = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")
_SIGN_OF_WORD = re.compile(r"[^\W_]")
_STOP = re.compile(r"[.!?:;\u2026\u3002\uff01\uff1f\uff1a]")
_SETS_OFF = re.compile(
    r"[,()\[\]\"|\u00ab\u00bb\u2013-\u2015\u201a\u201c-\u201e\u3001\u3008-\u3011\uff08\uff09\uff0c]"
    r"|(?<=\s)['\u2018]|(?:\A|(?<=\s))-+(?=\s)|--"
)
"""What sets a part of a sentence off."""

_AHEAD = re.compile(r"[\W_]*")
_BREAK = re.compile(r"\n[^\S\n]*\n|\n[^\S\n]*[-*+#>|\u2022]")
_UPPER, _LOWER = "A-Z\u00c0-\u00d6\u00d8-\u00de", "a-z\u00df-\u00f6\u00f8-\u00ff"
_JOINT = re.compile(
    r"(?!['\u2019]\w)[!-.:-?\[-`{-~\u00b7\u2010-\u2027\u3001\u30fb]+"
    rf"|(?<=[{_LOWER}])(?=[{_UPPER}])"
)
"""What stands between words that are held together; a path is one word."""

_IN_CHAIN = re.compile(rf"@|{_JOINT.pattern}")
_NONE = frozenset[str]()

_WITH_AT = re.compile(r"[^\s\"'`,;:=()\[\]{}<>|@]+@[^\s\"'`,;:=()\[\]{}<>|]+")
_GLUED_TO_ADDRESS = re.compile(
    r"((?:[^\W_]+[-_]){3,})([\w.+]+@(?:[\w-]+\.)+[a-z]{2,}|[\w.+]+@[\w-]+)?((?:[-_][^\W_]+)*)",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"[\"'`,;:=()\[\]{}<>|]+")
_NAME = re.compile(r"[\w.:/-]+")
_NUMBER = re.compile(r"\(?\d{1,3}[.)]")
_NUMBERS = 3
"""Numbers with a full stop that make them those of a list, in one text."""


class Word(NamedTuple):
    """A word as it is compared, where it stands, and what *ends* with it.

    Nothing, a part that is set off, a line, a paragraph, or a sentence, each more than the one
    before.
    """

    text: str
    start: int
    end: int
    ends: int


def words(text: str) -> list[Word]:
    """Return the words of *text* as it is shown, each with its place there."""
    return whole_words(rendered_text.shown(text))


def whole_words(look: Look) -> list[Word]:
    """Return the words of *look*, what signs hold together as one."""
    return _placed(_chunks(look), look)


def whole_texts(look: Look) -> list[str]:
    """Return `whole_words` without their places."""
    return [word for it in _chunks(look) if (word := _folded(look.text[slice(*it)]))]


def split_words(look: Look, names: AbstractSet[str] = frozenset()) -> list[Word]:
    """Return the words of *look* also where signs, capitals or numbers hold them together.

    `Send-all-of-it`, `SendAllOfIt` are four, and `1. Send 2. all 3. of it` is, too; what is among
    *names* is one. Empty where nothing is held together.
    """
    return _placed(_parted(look, names), look)


def split_texts(look: Look) -> list[str]:
    """Return `split_words` without their places."""
    return [word for it in _parted(look) if (word := _folded(look.text[slice(*it)]))]


def chained_words(look: Look, written: AbstractSet[str]) -> list[Word]:
    """Return `split_words` of *look* where a mail address is within words that are held together.

    Where it begins and ends cannot be told: it is parted, too. No such chain is a mail address as
    somebody has it, or one that is among *written*. Empty where there is none.
    """
    chains = {it for it in _chunks(look) if _is_chain(look.text[slice(*it)], written)}
    if not chains:
        return []
    parted = ((it, _pieces(look.text, it, _NONE)) for it in _chunks(look))
    pieces = (_all_pieces(look.text, it) if it in chains else made for it, made in parted)
    return _placed([piece for made in pieces for piece in made], look)


def chained_texts(look: Look) -> list[str]:
    """Return the words of *look*, its mail addresses parted, to be compared with such chains."""
    parted = (
        _all_pieces(look.text, it)
        if "@" in look.text[slice(*it)]
        else _pieces(look.text, it, _NONE)
        for it in _chunks(look)
    )
    pieces = (piece for made in parted for piece in made)
    return [word for it in pieces if (word := _folded(look.text[slice(*it)]))]


def addresses(found: Iterable[str]) -> frozenset[str]:
    """Return the mail addresses among the words *found*, and within them."""
    every = (part for it in found if "@" in it for part in (it, *_WITHIN.split(it)))
    return frozenset(folded for part in every if "@" in part and (folded := _folded(part)))


def may_have_chains(text: str) -> bool:
    """Tell whether `chained_words` may find something in *text*."""
    return any(_is_chain(word, _NONE) for word in text.split() if "@" in word)


def _is_chain(chunk: str, written: AbstractSet[str]) -> bool:
    if "@" not in chunk or "/" in chunk:  # a path is one word
        return False
    words = len(_IN_CHAIN.findall(_bare(chunk))) + 1
    return words >= RUN or (words >= SENTENCE and not addresses((chunk,)) <= written)


def _bare(chunk: str) -> str:
    """Return *chunk* without the signs around it, in its own case."""
    first = _SIGN_OF_WORD.search(chunk)
    return chunk[first.start() : words_end(chunk)] if first else ""


def _all_pieces(shown: str, chunk: tuple[int, int]) -> Iterator[tuple[int, int]]:
    start, end = chunk
    joints = [found.span() for found in _IN_CHAIN.finditer(shown, start, end)]
    begins = [start, *(until for _, until in joints)]
    yield from zip(begins, [*(at for at, _ in joints), end], strict=True)


def _chunks(look: Look) -> list[tuple[int, int]]:
    return [found.span() for found in _CHUNK.finditer(look.text)]


def _parted(look: Look, names: AbstractSet[str] = frozenset()) -> list[tuple[int, int]]:
    chunks = _chunks(look)
    numbers = {it for it in chunks if _NUMBER.fullmatch(look.text[slice(*it)])}
    kept = [it for it in chunks if len(numbers) < _NUMBERS or it not in numbers]
    parted = [piece for it in kept for piece in _pieces(look.text, it, names)]
    return [] if parted == chunks else parted


def names(found: Iterable[str]) -> frozenset[str]:
    """Return the words *found* and the names within them: of `api.py:12:def` also `api.py`."""
    every = {*found}
    parts = every.union(*(_WITHIN.split(it) for it in every if _WITHIN.search(it)))
    return frozenset(it for it in parts if _NAME.fullmatch(it))


def _pieces(
    shown: str, chunk: tuple[int, int], names: AbstractSet[str]
) -> Iterator[tuple[int, int]]:
    """Yield the parts of a *chunk* that is some words put together, or all of it."""
    start, end = chunk
    text = shown[start:end]
    if text.isalpha() and text[1:].islower():
        yield chunk
        return
    if names and _folded(text) in names:
        yield chunk
        return
    cuts = [*_cuts(text)]
    begins = [start, *(start + at for _, at in cuts)]
    yield from zip(begins, [*(start + at for at, _ in cuts), end], strict=True)


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    """Yield from where to where *text* is parted: in no number, and in no address."""
    last = words_end(text)
    addresses = [*_addresses(text)] if "@" in text else []
    for found in _JOINT.finditer(text):
        start, end = found.span()
        if not 0 < start <= end < last:
            continue
        is_number = start < end and text[start - 1].isdigit() and text[end].isdigit()
        if not is_number and all(end <= at or until <= start for at, until in addresses):
            yield start, end


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the mail addresses of *text* are, without words that are put before them."""
    for found in _WITH_AT.finditer(text):
        glued = _GLUED_TO_ADDRESS.fullmatch(found[0])
        at, until = glued.span(2) if glued and glued[2] else (0, len(found[0]))
        yield found.start() + at, found.start() + until


def _placed(chunks: Sequence[tuple[int, int]], look: Look) -> list[Word]:
    shown, places = look
    found = [(start, end, _folded(shown[start:end])) for start, end in chunks]
    kept = [(start, end, word) for start, end, word in found if word]
    behind = [*(start for start, _, _ in kept[1:]), len(shown)]
    return [
        Word(word, places[start], places[end - 1] + 1, _ends(shown, start, until))
        for (start, end, word), until in zip(kept, behind, strict=False)
    ]


def _ends(shown: str, start: int, behind: int) -> int:
    """Tell what ends with the word at *start* of *shown*; the next one is in what is *behind*."""
    text = shown[start:behind]
    signs = text[words_end(text) :]
    if _STOP.search(signs):
        return _SENTENCE
    if "\n" not in signs:
        ahead = _AHEAD.match(shown, behind)
        return CLAUSE if _SETS_OFF.search(signs + (ahead[0] if ahead else "")) else 0
    return _PARAGRAPH if _BREAK.search(signs) else LINE


def words_end(text: str) -> int:
    """Return where the last word of *text* ends: a run of signs is read once, however long."""
    end = len(text)
    while end and not text[end - 1].isalnum():
        end -= 1
    return end


def _folded(chunk: str) -> str:
    plain = plain_letters.alike(chunk)
    if not plain.isascii():
        plain = "".join(c for c in plain if unicodedata.category(c) != "Cf")
    first = _SIGN_OF_WORD.search(plain)
    return plain[first.start() : words_end(plain)] if first else ""


# --- rows --------------------------------------------------------------------------------------


def rows(found: Sequence[Word]) -> Iterator[tuple[int, Row]]:
    """Yield every run of *found* and every whole sentence that is shorter, with where it begins."""
    texts = [word.text for word in found]
    sizes = [*map(_letters, texts)]
    for at in range(len(texts) - RUN + 1):
        end, letters = at + RUN, sum(sizes[at : at + RUN])
        while letters < RUN_LETTERS and end < len(texts):
            letters += sizes[end]
            end += 1
        if letters >= RUN_LETTERS:
            yield at, tuple(texts[at:end])
    whole = _sentence_spans(found)
    for start, end in dict.fromkeys((*whole, *reported_words.spans(texts, whole))):
        if SENTENCE <= end - start <= LONGEST and sum(sizes[start:end]) >= SENTENCE_LETTERS:
            yield start, tuple(texts[start:end])


def clauses(found: Sequence[Word]) -> Iterator[tuple[int, Row]]:
    """Yield what stands in a sentence from one sign to another, see `CLAUSE`, as long as one."""
    ends = [end for _, end in parts(found, CLAUSE)]
    for n, start in enumerate((0, *ends[:-1])):
        for end in ends[n:]:
            row = tuple(it.text for it in found[start : min(end, start + LONGEST + 1)])
            if len(row) > LONGEST:
                break
            if len(row) >= SENTENCE and sum(map(_letters, row)) >= SENTENCE_LETTERS:
                yield start, row
            if found[end - 1].ends == _SENTENCE:
                break


def sentences(found: Sequence[Word]) -> Iterator[tuple[int, Row]]:
    """Yield every whole sentence that may be told again in nearly the same words."""
    for start, row in whole_sentences(found):
        if len(row) >= LEAST and sum(map(_letters, row)) >= RUN_LETTERS:
            yield start, row


def whole_sentences(found: Sequence[Word]) -> Iterator[tuple[int, Row]]:
    """Yield every sentence, and every line, with where it begins."""
    for start, end in _sentence_spans(found):
        yield start, tuple(it.text for it in found[start:end])


def _sentence_spans(found: Sequence[Word]) -> list[tuple[int, int]]:
    """Return where sentences begin and end: a line ends one, and goes on in the next.

    So does a paragraph that no sign ends, where that makes no more than a sentence.
    """
    spans: dict[tuple[int, int], None] = {}
    for level in (LINE, _PARAGRAPH, _SENTENCE):
        spans |= dict.fromkeys(
            (start, end)
            for start, end in parts(found, level)
            if level < _SENTENCE or end - start <= LONGEST
        )
    return [*spans]


def parts(found: Sequence[Word], level: int) -> Iterator[tuple[int, int]]:
    """Yield where each stretch of *found* begins and ends that ends with so much, see `Word`."""
    start = 0
    for end, word in enumerate(found, 1):
        if word.ends >= level or end == len(found):
            yield start, end
            start = end


def _letters(word: str) -> int:
    return len(word) * (2 if _IS_HAN.match(word) else 1)
