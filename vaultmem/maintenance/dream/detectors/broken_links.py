"""Find links that lead nowhere: mended when their file was moved or misspelt, else taken off.

The words of a link that is taken off stay. What a bullet names as its sources is fsck's matter, and
mended here only when it was moved. A wikilink that is no file's name, `[[Project Phoenix]]`, may be
a note that somebody means to write: it stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from vaultmem.documents.bodies import bullets
from vaultmem.documents.markdown.links import Link
from vaultmem.maintenance.dream.link_graph import Places, led, links
from vaultmem.maintenance.dream.types import Fact, Kept, Lines, Note, Proposal, Seen
from vaultmem.memory import memory_index

_FILE_NAME = re.compile(r"/|\.md\Z|\A[a-z0-9]+(?:[-_][a-z0-9]+)+\Z")

_Mending = tuple[Link, str]


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a proposal for each line with links that lead nowhere."""
    places = Places(seen)
    for note in seen.notes:
        if not note.fixed:
            yield from _of_note(note, places)


def _of_note(note: Note, places: Places) -> Iterator[Proposal]:
    lost = (link for link in links(note) if not places.candidates(link, note.path))
    for at, found in groupby(lost, key=lambda link: link.at):
        fact = next((f for f in note.facts if f.at <= at < f.at + len(f.lines)), None)
        mended = [(x, new) for x in found if (new := _mended(x, note, fact, places)) != x.raw]
        if mended and fact and _points_nowhere(fact, mended):
            edit = Lines(fact.path, fact.at, fact.lines, ())
            reason = f"points at {mended[0][0].target}, which does not exist"
            yield Proposal("link", fact.path, reason, (edit,), losses=(fact.text,))
        elif mended:
            yield _proposal(note, at, fact, mended)


def _mended(link: Link, note: Note, fact: Fact | None, places: Places) -> str:
    """Return what shall stand in the place of *link*, which may be itself."""
    # To itself a note leads by its headings alone.
    moved = [path for path in places.moved(link) if path != note.path or link.heading]
    if len(moved) == 1:
        return led(link, moved[0], note.path, whole=places.whole(moved[0]))
    # One that is no file's name reads like the title of a note to come.
    is_wish = link.wiki and not is_file_name(link.target)
    if moved or link.heading or is_wish or (fact and _is_source(link, note, fact)):
        return link.raw
    return link.words


def is_file_name(target: str) -> bool:
    """Tell whether a wikilink to *target* means a file by its name, and not one to come."""
    return _FILE_NAME.search(target) is not None


def _is_source(link: Link, note: Note, fact: Fact) -> bool:
    text, sources = bullets.unsourced(note.lines[link.at].rstrip())
    return bool(sources) and fact.kind == "bullet" and link.start >= len(text)


def _points_nowhere(fact: Fact, mended: Sequence[_Mending]) -> bool:
    if fact.path != memory_index.PATH or fact.kind != "pointer" or len(fact.lines) > 1:
        return False
    link, new = mended[0]
    return fact.text.startswith(link.raw) and new == link.words


def _proposal(note: Note, at: int, fact: Fact | None, mended: Sequence[_Mending]) -> Proposal:
    line = note.lines[at]
    for link, new in reversed(mended):
        line = line[: link.start] + new + line[link.stop :]
    edit = Lines(note.path, at, (note.lines[at],), (line,))
    ends = ((x, "its text stays" if x.words == new else f"it should be {new}") for x, new in mended)
    reasons = dict.fromkeys(f"the link to {x.target} is broken: {end}" for x, end in ends)
    # What stays is the whole of a fact, which may go over several lines.
    first, old = (fact.at, fact.lines) if fact else (at, (note.lines[at],))
    whole = (*old[: at - first], line, *old[at - first + 1 :])
    kept = Kept(" ".join(old).strip(), " ".join(whole).strip())
    return Proposal("link", note.path, "; ".join(reasons), (edit,), kept=(kept,))
