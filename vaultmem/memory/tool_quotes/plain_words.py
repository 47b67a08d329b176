"""The words of a text as they are compared, each with where it stands, and the rows they make.

How a page or a note shows a text changes none of its words: HTML tags and comments, entities, a
link's target and an address that goes on in the next line are looked through.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultmem.memory.tool_quotes.near_quotes import LEAST, Row
from vaultmem.nlp.text import stopwords

RUN, SENTENCE = 8, 5
"""Words in a row that are no coincidence, and those that are none as a whole sentence."""

RUN_LETTERS, SENTENCE_LETTERS = 24, 16
"""What these must have at least; a word of Chinese is one letter, which counts as two."""

LONGEST = 12
"""Words of a sentence that is compared whole; of a longer one its runs are."""

_LINE, _SENTENCE = 1, 2
HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_IS_HAN = re.compile(f"[{HAN}]")
_CHUNK = re.compile(rf"[{HAN}]|[^\s{HAN}]+")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_END = re.compile(
    r"(?:[.!?:;\u2026\u3002\uff01\uff1f\uff1a]|\n[^\S\n]*\n|\n[^\S\n]*[-*+#>|\u2022])[\W_]*$"
)
_LINE_END = re.compile(r"\n[\W_]*$")
_DRESS = re.compile(
    r"(?ism)^[^\S\n]{0,6}\d{1,6}(?:\t|\u2192)|<!--.*?-->|</?(?P<tag>[a-z][a-z0-9]{0,15})(?:\s[^<>]{0,2000})?/?>"
    r"|&(?:#x?[0-9a-f]{1,6}|[a-z]{2,8});|(?<=[\w*_`])\]\([^()\s]{0,2000}\)"
    r"|[^\S\n]?[\[({]at[\])}][^\S\n]?|[^\S\n]*\n(?![^\S\n]*\d{1,6}[\t\u2192])\s*"
)
_MARKS = ("<", "&", "@", "](", "\t", "\u2192", "at)", "at]", "at}")
"""One of these is in all dress: to look for them is much quicker."""

_BLOCKS = stopwords.words("br p div li ul ol td th tr table h1 h2 h3 h4 h5 h6 hr section pre")
_GLUED = re.compile(r"[^\W_]+(?:[-_][^\W_]+){2,}")
_GLUED_TO_ADDRESS = re.compile(
    r"((?:[^\W_]+[-_]){3,})([\w.+]+@(?:[\w-]+\.)+[a-z]{2,}|[\w.+]+@[\w-]+)?((?:[-_][^\W_]+)*)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\(?\d{1,3}[.)]")
_NUMBERS = 3
"""Numbers with a full stop that make them those of a list, in one text."""


class Word(NamedTuple):
    """A word as it is compared, where it stands, and whether a line or a sentence ends with it."""

    text: str
    start: int
    end: int
    ends: int


def words(text: str) -> list[Word]:
    """Return the words of *text*, each with its place there."""
    shown, places = _undressed(text)
    return _placed([(m.start(), m.end()) for m in _CHUNK.finditer(shown)], shown, places)


def loose_words(text: str) -> list[Word]:
    """Return the words of *text* also where signs or numbers hold them together.

    `Send-all-of-it` is four, and `1. Send 2. all 3. of it` is, too. Empty where nothing does.
    """
    shown, places = _undressed(text)
    chunks = [(m.start(), m.end()) for m in _CHUNK.finditer(shown)]
    numbers = [it for it in chunks if _NUMBER.fullmatch(shown[slice(*it)])]
    kept = [it for it in chunks if len(numbers) < _NUMBERS or it not in numbers]
    split = [piece for it in kept for piece in _pieces(shown, it)]
    return _placed(split, shown, places) if split != chunks else []


def _pieces(shown: str, chunk: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a *chunk* that is some words put together, or all of it."""
    start, end = chunk
    bare = _EDGES.sub("", shown[start:end])
    first = start + shown[start:end].find(bare) if bare else start
    if _GLUED.fullmatch(bare):
        parts = [(m.start(), m.end()) for m in re.finditer(r"[^\W_]+", bare)]
    elif "@" in bare and (glued := _GLUED_TO_ADDRESS.fullmatch(bare)) and glued[2]:
        ahead, behind = (re.finditer(r"[^\W_]+", glued[n]) for n in (1, 3))
        parts = [
            *((m.start(), m.end()) for m in ahead),
            glued.span(2),
            *((glued.start(3) + m.start(), glued.start(3) + m.end()) for m in behind),
        ]
    else:
        yield chunk
        return
    for n, (at, until) in enumerate(parts):
        yield first + at, end if n == len(parts) - 1 else first + until


def _placed(chunks: Sequence[tuple[int, int]], shown: str, places: Sequence[int]) -> list[Word]:
    found = [(start, end, _folded(shown[start:end])) for start, end in chunks]
    kept = [(start, end, word) for start, end, word in found if word]
    behind = [*(start for start, _, _ in kept[1:]), len(shown)]
    return [
        Word(word, places[start], places[end - 1] + 1, _ends(shown[start:until]))
        for (start, end, word), until in zip(kept, behind, strict=False)
    ]


def _ends(text: str) -> int:
    """Tell whether a sentence, or a line alone, ends with the word and what follows in *text*."""
    if _END.search(text):
        return _SENTENCE
    return _LINE if _LINE_END.search(text) else 0


def _folded(chunk: str) -> str:
    plain = unicodedata.normalize("NFKC", chunk).casefold()
    if not plain.isascii():
        plain = "".join(c for c in plain if unicodedata.category(c) != "Cf")
    return _EDGES.sub("", plain)


def shown(text: str) -> str:
    """Return *text* as it is read: without tags, comments, entities and a link's target."""
    return _undressed(text)[0]


def _undressed(text: str) -> tuple[str, Sequence[int]]:
    """Return *text* as it is read, and the place of each character of it in *text*."""
    if not any(mark in text for mark in _MARKS):
        return text, range(len(text))
    dress = [
        (found.start(), found.end(), new)
        for found in _DRESS.finditer(text)
        if (new := _instead(found)) is not None
    ]
    if not dress:
        return text, range(len(text))
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for start, end, new in (*dress, (len(text), len(text), "")):
        parts += (text[at:start], new)
        places += (*range(at, start), *[start] * len(new))
        at = end
    return "".join(parts), places


def _instead(found: re.Match[str]) -> str | None:
    """Return what a reader sees of *found*, None where that is what it is."""
    dress = found[0]
    if dress.startswith("&"):
        read = html.unescape(dress)
        return None if read == dress else read.replace("\xad", "")
    if dress[:1] == "<":
        return " " if (found["tag"] or "").casefold() in _BLOCKS else ""
    if dress.startswith("](") or dress.endswith(("\t", "\u2192")):
        return ""
    if "\n" in dress:
        return "" if _goes_on(found.string, found.start(), found.end()) else None
    return "@"


def _goes_on(text: str, start: int, end: int) -> bool:
    """Tell whether an address goes on behind the line that ends at *start*."""
    before = re.search(r"\S*$", text[max(0, start - 100) : start])
    after = text[end : end + 2]
    if "@" in after[:1]:
        return bool(before and before[0][-1:].isalnum())
    if not before or "@" not in before[0]:
        return False
    is_open = before[0][-1] in "@.-" and after[:1].islower()
    return is_open or (after[:1] == "." and after[1:].isalnum())


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
    for start, end in _sentence_spans(found):
        if SENTENCE <= end - start <= LONGEST and sum(sizes[start:end]) >= SENTENCE_LETTERS:
            yield start, tuple(texts[start:end])


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
    """Return where sentences begin and end: a line ends one, and goes on in the next."""
    spans: dict[tuple[int, int], None] = {}
    for level in (_LINE, _SENTENCE):
        start = 0
        for end, word in enumerate(found, 1):
            if word.ends >= level or end == len(found):
                spans[start, end] = None
                start = end
    return [*spans]


def _letters(word: str) -> int:
    return len(word) * (2 if _IS_HAN.match(word) else 1)
