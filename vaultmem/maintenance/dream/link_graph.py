"""Where links lead: those in the body of a note, and the files that people mean by them.

Detectors ask here which links lead nowhere, where else they could lead, and what points at what.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from vaultmem.documents import frontmatter
from vaultmem.documents.markdown import links as markdown_links
from vaultmem.documents.markdown.links import ELSEWHERE, Link
from vaultmem.errors import Unreadable
from vaultmem.maintenance.dream import facts
from vaultmem.maintenance.dream.types import Note, Seen
from vaultmem.records import SCAFFOLDING
from vaultmem.storage import reader

# A day links to its daily note, which need not be there yet.
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_OTHER_FILE = re.compile(r"\.(?:(?!md\Z)[A-Za-z][A-Za-z0-9]{1,4}|canvas)\Z")
# Names that many files have, each meaning another thing.
_COMMON = {name.removesuffix(".md").lower() for name in SCAFFOLDING} | {
    "agent", "index", "longterm", "skill", "working",
}  # fmt: skip
_LEAST_NAME = 5


def led(link: Link, path: str, origin: str, *, whole: bool) -> str:
    """Return *link* as it leads to *path* from *origin*.

    A wikilink says the *whole* path where it did so before, or where a name is not enough.
    """
    if not link.wiki:
        return link.to(markdown_links.relative(path, origin))
    target = path.removesuffix(".md")
    return link.to(target if whole or "/" in link.target else posixpath.basename(target))


def links(note: Note) -> Iterator[Link]:
    """Yield the links in the body of *note* that mean a Markdown file of the vault.

    Not those in code, comments, embeds, and between the marks of MEMORY.md; nor what goes on in
    the next line, where no detector looks.
    """
    own = (it for it in all_links(note) if it.form != "definition" and "\n" not in it.raw)
    return (link for link in own if not link.embed and means_note(link))


def all_links(note: Note) -> Iterator[Link]:
    """Yield the links and embeds in the body of *note* that mean a file or folder of the vault.

    And where its references lead. Not those in code, comments, and between the marks of MEMORY.md.
    """
    first = note.record.body_line - 1
    body = "\n".join(note.lines[first:])
    if not any(mark in body for mark in ("](", "[[", "]:")):
        return
    ours = generated(note)
    for found in markdown_links.read(body):
        link = found._replace(at=first + found.at)
        if link.at not in ours and link.names_file:
            yield link


def proofs(line: str) -> Iterator[Link]:
    """Yield what a single *line* may rest on: its wikilinks, and its Markdown links to notes.

    Not what is in code or comments; a Markdown link may begin at the top, with a `/`.
    """
    found = (it for it in markdown_links.read(line) if it.form != "definition")
    return (it for it in found if it.target and (it.wiki or (means_note(it) and it.names_file)))


def generated(note: Note) -> frozenset[int]:
    """Return the lines that the program makes anew: those between the marks of MEMORY.md."""
    return facts.generated(note.path, note.lines)


def rebased(line: str, origin: str, new: str) -> str:
    """Return *line* of the file *origin* with its relative links as they lead from the file *new*.

    Pictures, too; wikilinks lead from everywhere.
    """
    here = posixpath.dirname(origin)

    def moved(link: Link) -> str:
        if link.wiki or not link.target or ELSEWHERE.match(link.target):
            return link.raw
        return link.to(markdown_links.relative(posixpath.join(here, link.target), new))

    return markdown_links.replaced(line, moved)


def means_note(link: Link) -> bool:
    """Tell whether *link* means a Markdown file, and none of another kind or of a day to come."""
    if not link.wiki:
        return link.target.endswith(".md")
    return not _OTHER_FILE.search(link.target) and not _DAY.fullmatch(link.target)


class Places:
    """The files of a vault by all the names that a link may give them."""

    def __init__(self, seen: Seen) -> None:
        """Know what was *seen*."""
        self._notes = seen.notes
        self._named: dict[str, list[str]] = defaultdict(list)
        self._folders: set[str] = set()
        for path in sorted({*seen.paths, *(note.path for note in seen.notes)}):
            whole = _folded(path)
            self._named[posixpath.basename(whole)].append(path)
            self._folders.add(posixpath.dirname(whole))

    def candidates(self, link: Link, origin: str) -> list[str]:
        """Return the files that *link*, in the file *origin*, may mean; several are ambiguous."""
        return self.meant(link.target, origin, wiki=link.wiki)

    def meant(self, named: str, origin: str, *, wiki: bool = True) -> list[str]:
        """Return the files that a link to what is *named* so, in the file *origin*, may mean.

        By its exact path, from *origin*, by its name, by an alias, in this order; with a `/` before
        it from the top alone. A Markdown link has no names: only Obsidian would find them.
        """
        target, origin = _folded(named.lstrip("/")), "" if named.startswith("/") else origin
        near = posixpath.normpath(posixpath.join(posixpath.dirname(_folded(origin)), target))
        if near.startswith("../"):
            return [named]
        exact = self._at(near) if not wiki else []
        exact = exact or self._at(target) or self._at(near)
        if exact or near.rstrip("/") in self._folders or not wiki:
            return exact or ([named] if near.rstrip("/") in self._folders else [])
        alike = self._named.get(posixpath.basename(target), [])
        ends = [p for p in alike if f"/{_folded(p)}".endswith(f"/{target}")]
        return ends or self._aliased.get(target, [])

    def _at(self, whole: str) -> list[str]:
        named = self._named.get(posixpath.basename(whole), [])
        return [path for path in named if _folded(path) == whole]

    def moved(self, link: Link) -> list[str]:
        """Return the files that a *link* to nothing may have meant: of its name, or almost.

        A name is almost another when one letter was left out, put in, or mistaken; figures tell.
        """
        name = posixpath.basename(_folded(link.target))
        if name in _COMMON:
            return []
        return self._named.get(name, []) or self._almost(name)

    def whole(self, path: str) -> bool:
        """Tell whether a wikilink to *path* must say all of it."""
        return len(self._named[posixpath.basename(_folded(path))]) > 1

    def _almost(self, name: str) -> list[str]:
        if len(name) < _LEAST_NAME:
            return []
        near = (other for other in self._notable if _one_edit(name, other))
        return [path for other in near for path in self._named[other]]

    @cached_property
    def _notable(self) -> list[str]:
        # A memory's name has the last of its id: no other is almost that.
        return [
            name
            for name, paths in self._named.items()
            if name not in _COMMON and not all(reader.kind_of(path) == "memory" for path in paths)
        ]

    @cached_property
    def _aliased(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for note in self._notes:
            for alias in _aliases(note):
                found[_folded(alias)].append(note.path)
        return found


def named(seen: Seen) -> Iterator[str]:
    """Yield the names of files that notes and episodes link to, or name as sources, in one form."""
    for note in seen.notes:
        yield from (folded_name(link.target) for link in links(note))
    for record in (*(note.record for note in seen.notes), *seen.episodes):
        yield from map(folded_name, filter(None, (*record.sources, record.superseded_by)))


def folded_name(path: str) -> str:
    """Return the name of the file at *path* in the one form in which names are compared."""
    return posixpath.basename(_folded(path))


def _folded(path: str) -> str:
    plain = path if path.isascii() else unicodedata.normalize("NFC", path)
    return plain.casefold().removesuffix(".md")


def _aliases(note: Note) -> Sequence[str]:
    head = note.lines[: note.record.body_line - 1]
    if not any(line.startswith("aliases:") for line in head):
        return ()
    try:
        aliases = frontmatter.fields(frontmatter.parse("\n".join(head) + "\n")).get("aliases", ())
    except Unreadable:
        return ()
    return [aliases] if isinstance(aliases, str) else [x for x in aliases if isinstance(x, str)]


def _one_edit(one: str, two: str) -> bool:
    """Tell whether *one* becomes *two* by one letter more, less, other, or two exchanged."""
    if abs(len(one) - len(two)) > 1 or re.findall(r"\d+", one) != re.findall(r"\d+", two):
        return False
    head = len(posixpath.commonprefix([one, two]))
    left, right = one[head:], two[head:]
    tail = len(posixpath.commonprefix([left[::-1], right[::-1]]))
    left, right = left[: len(left) - tail], right[: len(right) - tail]
    exchanged = len(left) == len("ab") and left == right[::-1]
    return exchanged or max(len(left), len(right)) <= 1
