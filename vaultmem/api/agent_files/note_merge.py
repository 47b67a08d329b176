"""Facts among the bullets and paragraphs of a note: each in the place of what it contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from vaultmem.api.agent_files import note_texts
from vaultmem.documents.bodies import bullets
from vaultmem.documents.markdown import blocks, outline
from vaultmem.documents.markdown.outline import Line, Section
from vaultmem.nlp.extraction.known_claims import KnownClaims
from vaultmem.nlp.extraction.talk.known_facts import KnownFacts
from vaultmem.nlp.text import analysis

_CODE_INDENT = 4
_BLANK = re.compile(r"[ \t]*\n")
_Found = Iterator[tuple[Sequence[Line], str]]
"""Lines, and what they say."""


class Merged(NamedTuple):
    """A note with some facts in the place of others, and those that are to be *added* to it."""

    body: str
    added: tuple[str, ...]


def merged(path: str, body: str, section: str, facts: Sequence[str]) -> Merged:
    """Return *body* with *facts*, each told there or in its *section*, or to be added there."""
    note = _Note(path, body, section, most=len(facts))
    for fact in facts:
        note.put(fact)
    return Merged("".join(note.lines), tuple(note.added.values()))


class _Note:
    """A note, or its section, while facts are merged into it. It is read once.

    Behind a fact that takes a place, what stands around that is known anew. Places rise from the
    bullets over those that are added, *most* of them, to the paragraphs.
    """

    def __init__(self, path: str, body: str, section: str, *, most: int) -> None:
        self.lines = outline.split(body)
        self.added: dict[int, str] = {}
        self._read = note_texts.without_code(body)
        self._span = note_texts.span(path, body, section)
        self._known = KnownFacts(note_texts.of(self._read[slice(*self._span)]))
        self._claims = KnownClaims()
        self._own: dict[int, Sequence[Line]] = {}
        sections = outline.sections(body)
        self._end = self._know(0, _entries(sections, self._span))
        self._know(self._end + most, _paragraphs(sections, self._span))

    def _know(self, place: int, found: Iterable[tuple[Sequence[Line], str]]) -> int:
        """Know what is *found* from *place* on; return the place behind it."""
        for own, text in found:
            self._own[place] = own
            self._claims.put(place, note_texts.plain(text))
            place += 1
        return place

    def put(self, fact: str) -> None:
        """Put *fact* in the place of what it contradicts, or add it, unless it is told."""
        plain = note_texts.plain(fact)
        if not plain or self._known.tells(plain):
            return
        at = self._claims.contradicted(plain)
        if at in self._own:
            self._replace(at, fact)
            return
        at = self._end + len(self.added) if at is None else at
        if at in self.added:
            self._known.drop(note_texts.plain(self.added[at]))
        self.added[at] = f"- {fact}"
        self._known.add(plain)
        self._claims.put(at, plain)

    def _replace(self, place: int, fact: str) -> None:
        """Put *fact* in the place of what stands there; what is nested in it stays."""
        own = self._own[place]
        new, around = own[0]._replace(text=fact), self._around(own[0].at)
        for text in note_texts.of(self._read[around]):
            self._known.drop(text)
        for lines in (self.lines, self._read):
            end = lines[new.at][len(lines[new.at].rstrip("\r\n")) :]
            for line in own:
                lines[line.at] = ""
            lines[new.at] = new.lead + fact + end
        for text in note_texts.of(self._read[around]):
            self._known.add(text)
        self._own[place] = [new]
        self._claims.drop(place)
        if new.kind == "bullet" or _is_one_sentence([new]):
            self._claims.put(place, note_texts.plain(fact))

    def _around(self, at: int) -> slice:
        """Return where the paragraph or bullet stands in which the line *at* a place is."""
        first, stop = self._span
        above = range(at, first - 1, -1)
        below = range(at + 1, stop)
        return slice(
            next((n for n in above if blocks.begins(self._read[n]) or self._is_blank(n)), first),
            next((n for n in below if blocks.begins(self._read[n]) or self._is_blank(n)), stop),
        )

    def _is_blank(self, at: int) -> bool:
        return _BLANK.fullmatch(self._read[at]) is not None


def _entries(body: Sequence[Section], span: tuple[int, int]) -> _Found:
    """Yield the bullets of *span*: their own lines, and what these say."""
    for section in body:
        for entry in outline.entries(section.lines, ()):
            if span[0] <= entry.own[0].at < span[1]:
                yield entry.own, bullets.own_text(entry)


def _paragraphs(body: Sequence[Section], span: tuple[int, int]) -> _Found:
    """Yield the paragraphs of *span* that are one sentence: their lines, and what these say."""
    for section in body:
        for filled, lines in groupby(section.lines, lambda line: bool(line.bare)):
            own = list(lines)
            if filled and span[0] <= own[0].at < span[1] and _is_one_sentence(own):
                yield own, _said(own)


def _is_one_sentence(paragraph: Sequence[Line]) -> bool:
    return all(map(_is_prose, paragraph)) and len(analysis.sentences(_said(paragraph))) == 1


def _said(paragraph: Sequence[Line]) -> str:
    return " ".join(line.bare for line in paragraph)


def _is_prose(line: Line) -> bool:
    is_plain = line.kind == "prose" and not line.bare.startswith(("|", ">"))
    return is_plain and line.indent < _CODE_INDENT
