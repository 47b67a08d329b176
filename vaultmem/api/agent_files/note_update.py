"""What a text makes of a note, or of one section of it: appended, written over, or merged.

Pure steps on the text that an agent sees. Every line that is not meant stays byte for byte, and no
model words anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from vaultmem.api.agent_files import edits
from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import bullets
from vaultmem.documents.markdown import blocks, outline
from vaultmem.documents.markdown.outline import Line, Section
from vaultmem.errors import BadInput
from vaultmem.knowledge.cards.types import Strategy
from vaultmem.nlp.extraction.known_claims import KnownClaims
from vaultmem.nlp.extraction.talk.known_facts import KnownFacts
from vaultmem.nlp.text import analysis

_CODE_INDENT = 4


def new(title: str, *, said: str, strategy: Strategy = "append", section: str = "") -> str:
    """Return a note called *title* with what is *said*; raises BadInput where that is nothing."""
    text = _new_part(said, strategy)
    below = f"## {_heading(section)}\n\n" if section else ""
    return f"# {title}\n\n{below}{text}\n"


def updated(path: str, text: str, *, said: str, strategy: Strategy, section: str) -> str:
    """Return *text*, the note at *path*, with what is *said*; raises BadInput.

    A section that is not there is added at the end.
    """
    part = _new_part(said, strategy)
    doc = frontmatter.parse(text)
    head, body = doc.opening + doc.head + doc.closing, doc.body
    if section and not edits.has_heading(body, section):
        gap = "\n" if body.strip() else ""
        return head + edits.appended(body, f"{gap}## {_heading(section)}\n\n{part}")
    return head + _changed(path, body, part, strategy, section)


def _new_part(said: str, strategy: Strategy) -> str:
    """Return what is *said* as it stands where nothing else does: facts as bullets."""
    if not said.strip():
        raise BadInput("the text is empty, or all of it is private: say what to write")
    if strategy != "merge":
        return said.strip()
    return "\n".join(f"- {fact}" for fact in _facts(said))


def _heading(section: str) -> str:
    return " ".join(section.lstrip("#").split())


def _changed(path: str, body: str, said: str, strategy: Strategy, section: str) -> str:
    match strategy:
        case "overwrite" if section:
            return edits.replace_section(path, body, section, said)
        case "overwrite":
            return _overwritten(body, said)
        case "append":
            given = (b for b in blocks.of(said) if not (blocks.has_code(b) and b in body))
            fresh = _untold(_told(body, _span(path, body, section)), given)
            return _added(path, body, section, tuple(fresh))
        case "merge":
            return _merged(path, body, section, _facts(said))


# --- all of a note ----------------------------------------------------------------------------


def _overwritten(body: str, said: str) -> str:
    """Return *body* with what is *said* instead of all but its title."""
    first = next((s for s in outline.sections(body)[:2] if s.heading or s.prose()), None)
    if first is None or not first.is_title or first.heading is None:
        return edits.appended("", said.strip("\n"))
    title = "".join(outline.split(body)[: first.heading.at + 1])
    return edits.appended(title, f"\n{said.strip()}")


# --- what is not told yet ---------------------------------------------------------------------


def _span(path: str, body: str, section: str) -> tuple[int, int]:
    """Return the first line, and the one behind the last, of the *section*, or of all."""
    return edits.span(path, body, section) if section else (0, len(outline.split(body)))


def _told(body: str, span: tuple[int, int]) -> list[str]:
    """Return what the lines of *span* say outside of code: paragraphs, bullets, and each line."""
    raw = outline.split(body)
    lines = [line for section in outline.sections(body) for line in section.lines]
    for line in lines:
        if line.kind == "idle":
            raw[line.at] = "\n"
    own = raw[slice(*span)]
    return [_plain(block) for block in (*blocks.of("".join(own)), *own)]


def _untold(told: Iterable[str], given: Iterable[str]) -> Iterator[str]:
    known = KnownFacts(told)
    for block in given:
        plain = _plain(block)
        if plain and not known.tells(plain, verbatim=True):
            known.add(plain)
            yield block


def _plain(block: str) -> str:
    """Return what *block* says, without the mark of a bullet and the links it comes from."""
    lead = outline.lead(block)
    return bullets.plain_text(bullets.unsourced(block[len(lead) :])[0])


def _added(path: str, body: str, section: str, blocks: Iterable[str]) -> str:
    """Return *body* with *blocks* behind what stands in the *section*, or in all of it."""
    raw, (start, stop) = outline.split(body), _span(path, body, section)
    while stop > start and not raw[stop - 1].strip():
        stop -= 1
    last = raw[stop - 1] if stop > start else ""
    text = "".join(raw[:stop])
    added: list[str] = []
    for block in blocks:
        # A bullet below a bullet is one list; all else is a paragraph.
        goes_on = bool(outline.lead(block)) and (outline.lead(last) or last[:1].isspace())
        added += [block] if goes_on or not (text or added) else ["", block]
        last = block.rstrip().rpartition("\n")[2]
    return edits.appended(text, "\n".join(added)) + "".join(raw[stop:]) if added else body


# --- facts among bullets and paragraphs --------------------------------------------------------


def _facts(said: str) -> Iterator[str]:
    """Yield the lines of what is *said*, without the marks of bullets; headings are none."""
    for line in said.splitlines():
        fact = line[len(outline.lead(line)) :].strip()
        if fact.startswith("#"):
            raise BadInput("a merge takes one fact per line, and no headings: leave them out")
        if fact:
            yield fact


class _Note(NamedTuple):
    """What a note or its section tells, and the lines that a newer fact may take the place of."""

    told: KnownFacts
    claims: KnownClaims
    stretches: Sequence[list[Line]]


def _note(path: str, body: str, section: str) -> _Note:
    span, sections = _span(path, body, section), outline.sections(body)
    found = [*_entries(sections, span), *_paragraphs(sections, span)]
    claims = KnownClaims(_plain(text) for _, text in found)
    return _Note(KnownFacts(_told(body, span)), claims, [own for own, _ in found])


def _merged(path: str, body: str, section: str, facts: Iterable[str]) -> str:
    """Return *body* with *facts*, each told there, in the place of what it contradicts, or added.

    It is read again behind each that takes another's place alone.
    """
    note, fresh = _note(path, body, section), list[str]()
    for fact in facts:
        plain = _plain(fact)
        if not plain or note.told.tells(plain):
            continue
        at = note.claims.contradicted(plain)
        if at is not None and fresh:  # one of these may be what is contradicted
            body, fresh = _added(path, body, section, fresh), []
            note = _note(path, body, section)
            at = note.claims.contradicted(plain)
        if at is not None:
            body = _replaced(body, note.stretches[at], fact)
            note = _note(path, body, section)
        else:
            note.told.add(plain)
            note.claims.put(len(note.stretches) + len(fresh), plain)
            fresh.append(f"- {fact}")
    return _added(path, body, section, fresh)


def _entries(body: Sequence[Section], span: tuple[int, int]) -> Iterator[tuple[list[Line], str]]:
    """Yield the bullets of *span*: their own lines, and what these say."""
    for section in body:
        for entry in outline.entries(section.lines, ()):
            if span[0] <= entry.own[0].at < span[1]:
                yield entry.own, bullets.own_text(entry)


def _paragraphs(body: Sequence[Section], span: tuple[int, int]) -> Iterator[tuple[list[Line], str]]:
    """Yield the paragraphs of *span* that are one sentence: their lines, and what these say."""
    for section in body:
        for filled, lines in groupby(section.lines, lambda line: bool(line.bare)):
            own = list(lines)
            text = " ".join(line.bare for line in own)
            is_prose = filled and all(map(_is_prose, own)) and span[0] <= own[0].at < span[1]
            if is_prose and len(analysis.sentences(text)) == 1:
                yield own, text


def _is_prose(line: Line) -> bool:
    is_plain = line.kind == "prose" and not line.bare.startswith(("|", ">"))
    return is_plain and line.indent < _CODE_INDENT


def _replaced(body: str, own: Sequence[Line], fact: str) -> str:
    """Return *body* with *fact* in the place of the lines *own*; what is nested there stays."""
    raw, first = outline.split(body), own[0]
    end = raw[first.at][len(raw[first.at].rstrip("\r\n")) :]
    for line in own:
        raw[line.at] = ""
    raw[first.at] = first.lead + fact + end
    return "".join(raw)
