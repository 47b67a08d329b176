"""The links of a text that goes out of a vault, or comes into one: what each names, or others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from urllib.parse import unquote

from vaultmem.documents.markdown import code_and_comments
from vaultmem.storage.reader import link_target

_LINK = re.compile(r"(!?)\[\[([^\[\]|#]+)(#[^\[\]|]*)?(?:\|([^\[\]]*))?\]\]")

_MARKDOWN = re.compile(r"(?<!!)\[([^\[\]]*)\]\((?:<([^<>\n]+)>|([^()\s<>]+))\)")


class MarkdownLink(NamedTuple):
    """A link as it stands in a text, *whole*: the *path* it leads to, and what a reader sees of it.

    Its *heading* is the place in there, with the `#` before it.
    """

    whole: str
    shown: str
    path: str
    heading: str

    @property
    def names_note(self) -> bool:
        """Whether it leads to a note, which is no place on the web."""
        return self.path.endswith(".md") and "://" not in self.path

    @classmethod
    def of(cls, whole: str, shown: str, target: str) -> MarkdownLink:
        """Return the link to *target*, which is written as in an address."""
        path, sign, heading = target.partition("#")
        return cls(whole, shown, unquote(path), sign + unquote(heading))


class Link(NamedTuple):
    """A link as it stands in a text, *whole*: what it *names*, and what it is *called*.

    Its *heading* is the place in there, with the `#` before it.
    """

    whole: str
    names: str
    called: str
    is_embed: bool
    heading: str

    @property
    def shown(self) -> str:
        """What a reader sees of it."""
        return self.called or self.names.strip().rpartition("/")[2]


def each(line: str, change: Callable[[Link], str]) -> str:
    """Return *line* with what *change* makes of each link."""
    return _LINK.sub(lambda m: change(Link(m[0], m[2], m[4] or "", bool(m[1]), m[3] or "")), line)


def each_markdown(line: str, change: Callable[[MarkdownLink], str]) -> str:
    """Return *line* with what *change* makes of each link that is written as Markdown does."""
    return _MARKDOWN.sub(lambda m: change(MarkdownLink.of(m[0], m[1], m[2] or m[3])), line)


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return *text* with what *change* makes of each line that is not in fenced code."""
    code = code_and_comments.lines(text, {"code"}, to_the_end=True)
    lines = text.split("\n")
    return "\n".join(line if n in code else change(line) for n, line in enumerate(lines))


class Targets:
    """Which of some *paths* a link means, as Obsidian has it: by how the path ends."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Look for links to *paths*; a name that several have means none."""
        every, found, twice = list(paths), dict[str, str](), set[str]()
        for path in every:
            for name in _ends(path):
                if found.setdefault(name, path) != path:
                    twice.add(name)
        self._meant = {k: v for k, v in found.items() if k not in twice}
        self._meant |= {path.removesuffix(".md"): path for path in every}

    def path(self, name: str) -> str:
        """Return the path that a link to *name* means, "" for none of these."""
        return self._meant.get(link_target(name), "")


def _ends(path: str) -> Iterator[str]:
    name = path.removesuffix(".md")
    while name:
        yield name
        name = name.partition("/")[2]
