"""The links of a Markdown text in whichever form: where each stands, leads to, what it shows.

Wikilinks, links as Markdown has them, and the lines that say where references lead. What stands in
code and comments is none. A link is led elsewhere by its address alone: all else of it stays.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from vaultmem.documents.markdown import code_and_comments

Form = Literal["wiki", "inline", "definition"]

_TITLE = r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*"
_WORDS = r"(?:[^\[\]\\\n]|\\[^\n]|\\?\n(?![ \t]*\n)|(?<=!)\[[^\[\]]*\]|\[[^\[\]]*\](?!\())*"
_WIKI = (
    r"\[\[(?P<name>[^\[\]|#^\n]*?)(?P<heading>[#^][^\[\]|\n]*?)?"
    r"(?:\\?\|(?P<alias>[^\[\]\n]*))?\]\]"
)
_INLINE = (
    rf"\[(?P<words>{_WORDS})\]"
    rf"\([ \t]*(?:<(?P<angled>[^<>\n]*)>|(?P<path>(?:[^()\s<>]|\([^()\s]*\))*)){_TITLE}\)"
)
_DEFINITION = (
    r"^[ \t>]*\[(?P<label>[^\[\]^\n][^\[\]\n]*)\]:[ \t]+"
    rf"(?:<(?P<enclosed>[^<>\n]+)>|(?P<place>[^\s<\[]\S*)){_TITLE}\r?$"
)
_LINK = re.compile(rf"{_DEFINITION}|(?<!\\)(?P<embed>!?)(?:{_WIKI}|{_INLINE})", re.MULTILINE)
_ADDRESSES = ("name", "angled", "path", "enclosed", "place")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_SHOWN = re.compile(r"[^\n]")
_QUERY_OR_HEADING = re.compile(r"[?#]")
_UNSAFE = re.compile(r"[\x00-,:-@\[-^`{-}\x7f\s]")
ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/#?]|.*(?:<%|\{\{)")
"""What leads to no file from where a note lies: a page, the top, what a template fills in."""


class Link(NamedTuple):
    """A link in the line *at* of a text, from the column *start*, both counted from 0.

    *target* is the path or name it says, which *address* cuts out of the *raw* link; *heading* is
    the place in there, with its mark. It is *called* what its writer says, "" for nothing. What an
    *embed* leads to is shown in the place of it.
    """

    at: int
    start: int
    raw: str
    form: Form
    target: str
    address: slice
    called: str
    heading: str = ""
    embed: bool = False

    @property
    def wiki(self) -> bool:
        """Whether it is a wikilink, which names a file from everywhere."""
        return self.form == "wiki"

    @property
    def names_file(self) -> bool:
        """Whether it leads to a file, and to nothing on the web or of a template."""
        return bool(self.target) and not ELSEWHERE.match(self.target.removeprefix("/"))

    @property
    def words(self) -> str:
        """What a reader sees of it."""
        return self.called or self.target

    @property
    def short(self) -> str:
        """What a reader sees of it, of a path only the name."""
        return self.called or self.target.rpartition("/")[2]

    @property
    def stop(self) -> int:
        """The column behind it, where it ends in the line that it begins in."""
        return self.start + len(self.raw)

    def from_top(self, origin: str) -> str:
        """Return what it leads to from the top of the vault, where the file *origin* says it."""
        if self.wiki or self.target.startswith("/"):
            return self.target.removeprefix("/")
        return posixpath.normpath(posixpath.join(posixpath.dirname(origin), self.target))

    def to(self, target: str) -> str:
        """Return it as it leads to *target*."""
        said = target if self.wiki else encoded(target)
        return f"{self.raw[: self.address.start]}{said}{self.raw[self.address.stop :]}"


def read(text: str) -> Iterator[Link]:
    """Yield the links of *text* in their order, those in the words of another behind it."""
    return (link for _, link in _links(text))


def replaced(text: str, change: Callable[[Link], str]) -> str:
    """Return *text* with what *change* makes of each link, pictures in its words first."""
    parts, last = list[str](), 0
    for first, link in _links(text):
        if first >= last:
            parts += [text[last:first], change(_with_words(link, change))]
            last = first + len(link.raw)
    return "".join([*parts, text[last:]])


def wikilink(name: str, heading: str, words: str, line: str) -> str:
    """Return the wikilink to *name* that shows *words* in *line*; "" shows the name.

    In the row of a table a bar would end its cell, and is escaped.
    """
    bar = r"\|" if "|" in replaced(line, lambda _: "") else "|"
    return f"[[{name}{heading}{bar}{words}]]" if words else f"[[{name}{heading}]]"


def encoded(path: str) -> str:
    """Return *path* as a Markdown link says it, percent-encoded where it must be.

    Letters of any script stand in it as they are: encoded they would fill a line.
    """
    return _UNSAFE.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), path)


def relative(path: str, origin: str) -> str:
    """Return the *path* as it leads from the file *origin*."""
    return posixpath.relpath(path, posixpath.dirname(origin) or ".")


def _links(text: str) -> Iterator[tuple[int, Link]]:
    """Yield where in *text* each link begins, and the link."""
    if "[" not in text:
        return
    shown, number, at = _visible(text), 0, 0
    for found in _matches(shown, 0, len(shown)):
        first = found.start()
        number, at = number + shown.count("\n", at, first), first
        yield first, _link(found, text, number, first - shown.rfind("\n", 0, first) - 1)


def _with_words(link: Link, change: Callable[[Link], str]) -> Link:
    if link.form != "inline" or "[" not in link.called:
        return link
    words = replaced(link.called, lambda it: change(it._replace(at=link.at + it.at)))
    more = len(words) - len(link.called)
    where = slice(link.address.start + more, link.address.stop + more)
    raw = link.raw.replace(link.called, words, 1)
    return link._replace(raw=raw, address=where, called=words)


def _matches(shown: str, first: int, stop: int) -> Iterator[re.Match[str]]:
    for found in _LINK.finditer(shown, first, stop):
        yield found
        if "[" in (found["words"] or ""):
            yield from _matches(shown, *found.span("words"))


def _visible(text: str) -> str:
    """Return *text* with blanks for what is code or a comment."""
    parts, last = list[str](), 0
    for part in code_and_comments.parts(text, to_the_end=True):
        if part.kind != "formula":
            parts += [text[last : part.first], _SHOWN.sub(" ", text[part.first : part.last])]
            last = part.last
    return _CODE_SPAN.sub(lambda m: " " * len(m[0]), "".join([*parts, text[last:]]))


def _link(found: re.Match[str], text: str, at: int, start: int) -> Link:
    def said(*groups: str) -> str:
        spans = map(found.span, groups)
        return next((text[first:stop] for first, stop in spans if first >= 0), "")

    raw, embed = text[found.start() : found.end()], bool(found["embed"])
    first = next(x for x in map(found.start, _ADDRESSES) if x >= 0) - found.start()
    if found["name"] is not None:
        name, heading = said("name"), said("heading")
        where = slice(first, first + len(name))
        return Link(at, start, raw, "wiki", name.strip(), where, said("alias"), heading, embed)
    from urllib.parse import unquote  # noqa: PLC0415  # only who has such a link pays for it

    place = said(*_ADDRESSES)
    target = _QUERY_OR_HEADING.split(place, maxsplit=1)[0]
    form: Form = "definition" if found["label"] else "inline"
    return Link(
        at, start, raw, form, unquote(target), slice(first, first + len(target)),
        said("words", "label"), place[len(target) :], embed,
    )  # fmt: skip
