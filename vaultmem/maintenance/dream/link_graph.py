"""Where links lead: those in the body of a note, and the files that people mean by them.

Detectors ask here which links lead nowhere, where else they could lead, and what points at what.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from vaultmem.documents import frontmatter
from vaultmem.documents.markdown import outline
from vaultmem.errors import Unreadable
from vaultmem.maintenance.dream import facts
from vaultmem.maintenance.dream.types import Note, Seen
from vaultmem.records import SCAFFOLDING
from vaultmem.storage import reader

_WIKI = r"\[\[(?P<target>[^\[\]|#^]*)(?P<heading>[#^][^\[\]|]*)?(?:\|(?P<alias>[^\[\]]*))?\]\]"
_TITLE = r"(?:\s+(?:\"[^\"]*\"|'[^']*'))?"
_PLAIN = (
    r"\[(?P<words>(?:[^\[\]\\]|\\.)*)\]"
    rf"\((?:<(?P<angled>[^<>]*)>|(?P<path>(?:[^()\s<>]|\([^()\s]*\))*)){_TITLE}\s*\)"
)
_LINK = re.compile(rf"(?<!\\)(?P<embed>!?)(?:{_WIKI}|{_PLAIN})")
_DEFINITION = re.compile(
    r" {0,3}\[(?P<words>[^\[\]^][^\[\]]*)\]:[ \t]+(?:<(?P<angled>[^<>]+)>|(?P<path>[^\s<]\S*))"
    rf"{_TITLE}\s*\Z"
)
_HIDDEN = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|<!--.*?-->|%%.*?%%", re.DOTALL)
_RELATIVE = re.compile(r"(?<=\]\()((?:[^()\s<>]|\([^()\s]*\))+)")
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/#?]|.*(?:<%|\{\{)")
# A day links to its daily note, which need not be there yet.
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_OTHER_FILE = re.compile(r"\.(?:(?!md\Z)[A-Za-z][A-Za-z0-9]{1,4}|canvas)\Z")
_QUERY_OR_HEADING = re.compile(r"[?#]")
_UNSAFE = re.compile(r"[\x00-,:-@\[-^`{-}\x7f\s]")
# Names that many files have, each meaning another thing.
_COMMON = {name.removesuffix(".md").lower() for name in SCAFFOLDING} | {
    "agent", "index", "longterm", "skill", "working",
}  # fmt: skip
_LEAST_NAME = 5


@dataclass(frozen=True, slots=True)
class Link:
    """A link in the line *at* of a note, from the column *start* to before *stop*.

    *target* is the path or name it says, *words* what a reader sees; *heading* keeps its mark. What
    an *embed* leads to is shown in the place of it.
    """

    at: int
    start: int
    stop: int
    raw: str
    target: str
    words: str
    heading: str = ""
    wiki: bool = True
    embed: bool = False

    def to(self, path: str, origin: str, *, whole: bool) -> str:
        """Return it as it leads to *path* from *origin*.

        A wikilink says the *whole* path where it did so before, or where a name is not enough.
        """
        if not self.wiki:
            inside = self.raw.partition("](")[0]
            return f"{inside}]({relative(path, origin)}{self.heading})"
        target = path.removesuffix(".md")
        target = target if whole or "/" in self.target else posixpath.basename(target)
        alias = self.raw.partition("|")[2]
        return f"[[{target}{self.heading}{'|' + alias if alias else ']]'}"


def links(note: Note) -> Iterator[Link]:
    """Yield the links in the body of *note* that mean a Markdown file of the vault.

    Not those in code, comments, embeds, and between the marks of MEMORY.md.
    """
    return (link for link in all_links(note) if not link.embed and means_note(link))


def all_links(note: Note) -> Iterator[Link]:
    """Yield the links and embeds in the body of *note* that mean a file or folder of the vault.

    Not those in code, comments, and between the marks of MEMORY.md.
    """
    return _matching(note, _LINK, "](", "[[")


def definitions(note: Note) -> Iterator[Link]:
    """Yield where the references of *note*, lines as `[words]: path`, lead; not from code."""
    return _matching(note, _DEFINITION, "]:")


def proofs(line: str) -> Iterator[Link]:
    """Yield what a single *line* may rest on: its wikilinks, and its Markdown links to notes.

    Not what is in code or comments; a Markdown link may begin at the top, with a `/`.
    """
    found = (_link(m, line, 0) for m in _LINK.finditer(_HIDDEN.sub(_blank, line)))
    return (it for it in found if it.target and (it.wiki or _is_inside(it)))


def _is_inside(link: Link) -> bool:
    return means_note(link) and not _ELSEWHERE.match(link.target.removeprefix("/"))


def _matching(note: Note, pattern: re.Pattern[str], *marks: str) -> Iterator[Link]:
    first = note.record.body_line - 1
    body = "\n".join(note.lines[first:])
    if not any(mark in body for mark in marks):
        return
    ours, code = generated(note), _code(body)
    for n, line in enumerate(_HIDDEN.sub(_blank, body).split("\n")):
        if first + n not in ours and n not in code and "[" in line:
            found = (_link(m, note.lines[first + n], first + n) for m in pattern.finditer(line))
            yield from (it for it in found if it.target and not _ELSEWHERE.match(it.target))


def generated(note: Note) -> frozenset[int]:
    """Return the lines that the program makes anew: those between the marks of MEMORY.md."""
    return facts.generated(note.path, note.lines)


def relative(path: str, origin: str) -> str:
    """Return *path* as a Markdown link in the file *origin* says it, percent-encoded."""
    plain = posixpath.relpath(path, posixpath.dirname(origin) or ".")
    return _UNSAFE.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), plain)


def rebased(line: str, origin: str, new: str) -> str:
    """Return *line* of the file *origin* with its relative links as they lead from the file *new*.

    Pictures, too; wikilinks lead from everywhere.
    """
    if "](" not in line:
        return line
    masked, parts, last = _HIDDEN.sub(_blank, line), [], 0
    for found in _RELATIVE.finditer(masked):
        if not _ELSEWHERE.match(found[1]):
            whole = posixpath.normpath(posixpath.join(posixpath.dirname(origin), found[1]))
            target = posixpath.relpath(whole, posixpath.dirname(new) or ".")
            parts += [line[last : found.start(1)], target]
            last = found.end(1)
    return "".join([*parts, line[last:]])


def _code(body: str) -> set[int]:
    if "```" not in body and "~~~" not in body:
        return set()
    lines = (line for section in outline.sections(body) for line in section.lines)
    return {line.at for line in lines if line.kind == "idle"}


def _blank(hidden: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", hidden[0])


def means_note(link: Link) -> bool:
    """Tell whether *link* means a Markdown file, and none of another kind or of a day to come."""
    if not link.wiki:
        return link.target.endswith(".md")
    return not _OTHER_FILE.search(link.target) and not _DAY.fullmatch(link.target)


def _link(found: re.Match[str], line: str, at: int) -> Link:
    start, stop = found.span()
    raw, said = line[start:stop], found.groupdict()
    heading, embed = said.get("heading") or "", bool(said.get("embed"))
    if said.get("target") is not None:
        target = said["target"].strip().rstrip("\\")
        return Link(at, start, stop, raw, target, said["alias"] or target, heading, embed=embed)
    from urllib.parse import unquote  # noqa: PLC0415  # only who has such a link pays for it

    whole = found["angled"] or found["path"] or ""
    target = _QUERY_OR_HEADING.split(whole, maxsplit=1)[0]
    return Link(
        at, start, stop, raw, unquote(target), found["words"], whole[len(target) :], wiki=False,
        embed=embed,
    )  # fmt: skip


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
        """Return the files that *link*, in the file *origin*, may mean; several are ambiguous.

        By its exact path, from *origin*, by its name, by an alias, in this order. A Markdown link
        has no names: only Obsidian would find them.
        """
        target = _folded(link.target)
        near = posixpath.normpath(posixpath.join(posixpath.dirname(_folded(origin)), target))
        if near.startswith("../"):
            return [link.target]
        exact = self._at(near) if not link.wiki else []
        exact = exact or self._at(target) or self._at(near)
        if exact or near.rstrip("/") in self._folders or not link.wiki:
            return exact or ([link.target] if near.rstrip("/") in self._folders else [])
        named = self._named.get(posixpath.basename(target), [])
        ends = [p for p in named if f"/{_folded(p)}".endswith(f"/{target}")]
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
