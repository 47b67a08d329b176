"""What a text makes of a note, or of one section of it: appended, written over, or merged.

Pure steps on the text that an agent sees. Every line that is not meant stays byte for byte, and no
model words anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultmem.api.agent_files import edits, note_merge, note_texts
from vaultmem.documents import frontmatter
from vaultmem.documents.markdown import blocks, outline
from vaultmem.errors import BadInput
from vaultmem.knowledge.cards.types import Strategy
from vaultmem.nlp.extraction.talk.known_facts import KnownFacts


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
            span = note_texts.span(path, body, section)
            told = note_texts.of(note_texts.without_code(body)[slice(*span)])
            return _added(path, body, section, tuple(_untold(told, given)))
        case "merge":
            made = note_merge.merged(path, body, section, [*_facts(said)])
            return _added(path, made.body, section, made.added)


# --- all of a note ----------------------------------------------------------------------------


def _overwritten(body: str, said: str) -> str:
    """Return *body* with what is *said* instead of all but its title."""
    first = next((s for s in outline.sections(body)[:2] if s.heading or s.prose()), None)
    if first is None or not first.is_title or first.heading is None:
        return edits.appended("", said.strip("\n"))
    title = "".join(outline.split(body)[: first.heading.at + 1])
    return edits.appended(title, f"\n{said.strip()}")


# --- what is not told yet ---------------------------------------------------------------------


def _untold(told: Iterable[str], given: Iterable[str]) -> Iterator[str]:
    known = KnownFacts(told)
    for block in given:
        plain = note_texts.plain(block)
        if plain and not known.tells(plain, verbatim=True):
            known.add(plain)
            yield block


def _added(path: str, body: str, section: str, blocks: Iterable[str]) -> str:
    """Return *body* with *blocks* behind what stands in the *section*, or in all of it."""
    raw, (start, stop) = outline.split(body), note_texts.span(path, body, section)
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


def _facts(said: str) -> Iterator[str]:
    """Yield the lines of what is *said*, without the marks of bullets; headings are none."""
    for line in said.splitlines():
        fact = line[len(outline.lead(line)) :].strip()
        if fact.startswith("#"):
            raise BadInput("a merge takes one fact per line, and no headings: leave them out")
        if fact:
            yield fact
