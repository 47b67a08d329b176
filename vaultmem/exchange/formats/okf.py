"""A bundle of the Open Knowledge Format that `export okf` wrote: what each concept was in a vault.

A concept says that under `vaultmem`: where it lay, what named it, and what of its frontmatter OKF
has other words for. From that comes the line that `export json` writes of it, which is read as such
a line is: a bundle may come from anybody. Other bundles are folders of Markdown. What `export
basic-memory` wrote says the same.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Value
from vaultmem.documents.markdown import links
from vaultmem.documents.markdown.links import Link
from vaultmem.errors import BadInput, Unreadable
from vaultmem.exchange.formats import jsonl, markdown_folder, observations
from vaultmem.exchange.formats.bounded_lines import Line
from vaultmem.exchange.formats.types import FolderEntry, Format, Item, MessageReader
from vaultmem.storage.link_targets import Targets

if TYPE_CHECKING:
    from vaultmem.exchange.formats.jsonl_message import Message

KEY = "vaultmem"
"""Where a concept says what it was."""

HEAD, TYPED = "head", "yaml"
"""What of its frontmatter OKF has other words for, in it, and the lines that are no texts."""

PERMALINK, OBSERVED = "permalink", "observations"
"""What a note of basic-memory is called by, and that its items are observations."""

OKF_KEYS = frozenset(
    ("type", "title", "description", "tags", "sources", "stale_after", "generated", "verified",
     "status", "usage_window")
)  # fmt: skip
"""What means something in OKF."""

_LONGEST = 1 << 20
_NO_ALIAS = re.compile(r"[\[\]|\n]|\A\Z")


@dataclass(frozen=True, slots=True)
class _Concept:
    """A file of the bundle: its *name* there, its frontmatter, its text."""

    name: str
    head: Mapping[str, Value]
    body: str
    typed: str = ""
    """The lines of what is more than a text in its head."""

    @property
    def was(self) -> Mapping[str, Value]:
        """What it says that it was, {} for what nobody exported."""
        found = self.head.get(KEY)
        return found if isinstance(found, dict) else {}

    @property
    def kind(self) -> str:
        """Of what type it was; what nobody exported is a note."""
        return _text(self.head.get("type")) if self.was else "note"

    @property
    def path(self) -> str:
        """Where it lay in its vault."""
        return _text(self.was.get("path")) or self.name

    @property
    def raw(self) -> dict[str, Value]:
        """The frontmatter that it had there; what nobody exported keeps its own."""
        if not self.was:
            return {key: value for key, value in self.head.items() if key != "type"}
        others = OKF_KEYS | {KEY, PERMALINK, f"{self.kind}_status"}
        plain = {key: value for key, value in self.head.items() if key not in others}
        kept = self.was.get(HEAD)
        return plain | (kept if isinstance(kept, dict) else {})


def is_ours(path: Path) -> bool:
    """Tell whether *path* is a folder in which a concept says what it was in a vault."""
    if not path.is_dir():
        return False
    with contextlib.suppress(OSError):
        for found in markdown_folder.walk(path):
            with contextlib.suppress(Unreadable):
                if not found.why and _read(found).was:
                    return True
    return False


def files(path: Path) -> Iterator[Path]:
    """Yield the bundle that *path* is; raises OSError, BadInput for what is none of ours."""
    path.stat()
    if not is_ours(path):
        raise BadInput(f"{path} is no bundle that `export okf` wrote: name the folder of one, or "
                       "import it as markdown")  # fmt: skip
    yield path


def read(path: Path) -> Iterator[Item]:
    """Yield what each concept of the bundle *path* was, or why it is nothing; raises OSError."""
    from vaultmem.exchange.formats.jsonl_message import parse  # noqa: PLC0415  # brings pydantic

    names = _names(path)
    for number, found in enumerate(markdown_folder.walk(path), 1):
        read = _item(path.name, found, names, parse)
        yield replace(read, number=number, name=found.shown)


def _item(bundle: str, found: FolderEntry, names: _Names, parse: Callable[[str], Message]) -> Item:
    if found.why:
        return Item(bundle, 1, skipped=found.why)
    try:
        line = json.dumps(_line(_read(found), names), ensure_ascii=False)
    except Unreadable as e:
        return Item(bundle, 1, fault=e.why)
    return jsonl.item(bundle, bundle, Line(1, line), parse)


@dataclass(frozen=True, slots=True)
class _Names:
    """Where the concept of each file of the bundle lay in its vault, and what links call it."""

    paths: Mapping[str, str]
    called: Mapping[str, str]
    """As short as no other has it."""
    meant: Targets


def _names(path: Path) -> _Names:
    paths: dict[str, str] = {}
    for found in markdown_folder.walk(path):
        if not found.why:
            with contextlib.suppress(Unreadable):
                paths[found.name] = _read(found).path
    stems = Counter(map(_stem, paths.values()))
    called = {
        name: _stem(there) if stems[_stem(there)] == 1 else there.removesuffix(".md")
        for name, there in paths.items()
    }
    return _Names(paths, called, Targets(paths))


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _read(found: FolderEntry) -> _Concept:
    doc = frontmatter.read(found.read())
    typed = frontmatter.verbatim(doc, _LONGEST)
    lines = "".join(it.lines for key, it in typed.items() if key not in OKF_KEYS | {KEY, PERMALINK})
    return _Concept(found.name, frontmatter.fields(doc, _LONGEST), doc.body, lines)


def _line(concept: _Concept, names: _Names) -> dict[str, object]:
    """Return what `export json` says of *concept*."""
    raw, was = concept.raw, concept.was
    fields = {
        "id": was.get("id"),
        "session": raw.get("session"),
        "speaker": raw.get("speaker"),
        "at": raw.get("created"),
        "importance": _number(raw.get("importance")),
        "tags": raw.get("tags"),
        "supersedes": was.get("supersedes"),
    }
    own = fields if concept.kind == "memory" else {}
    head = {"path": concept.path, "type": concept.kind, "agent": was.get("agent")}
    present = {key: value for key, value in (own | head).items() if value not in (None, "")}
    content = _unlinked(concept, names).strip("\n")
    typed = concept.typed + _text(was.get(TYPED))
    return {**present, "content": content, "frontmatter": raw, jsonl.YAML: typed}


def _unlinked(concept: _Concept, names: _Names) -> str:
    """Return the text with links to other concepts as the vault had them."""
    body = observations.plain(concept.body) if concept.was.get(OBSERVED) else concept.body
    lines = body.split("\n")

    def changed(link: Link) -> str:
        if link.wiki:
            called = names.called.get(names.meant.path(link.target))
            return link.raw if not called or link.embed else link.to(called)
        name = link.from_top(concept.name)
        if name in names.paths and _was_wikilink(link, concept):
            called = names.called[name]
            words = "" if link.called == _stem(called) else link.called
            return links.wikilink(called, unquote(link.heading), words, lines[link.at])
        there = names.paths.get(name, name)
        return link.raw if there == name else link.to(links.relative(there, concept.path))

    return links.replaced(body, changed)


def _was_wikilink(link: Link, concept: _Concept) -> bool:
    """Tell whether *link* looks as a bundle writes a wikilink; basic-memory has these itself."""
    plain = f"[{link.called}]({link.raw[link.address]}{link.heading})"
    is_plain = link.raw == plain and not link.heading.startswith("?")
    could_be = is_plain and not _NO_ALIAS.search(link.called)
    return could_be and link.target.endswith(".md") and PERMALINK not in concept.head


def _text(value: Value | None) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Value | None) -> float | None:
    with contextlib.suppress(ValueError):
        return float(_text(value))
    return None


FORMAT = Format(
    "okf",
    becomes=("memories",),
    help="a bundle that export okf wrote",
    messages=MessageReader(
        files, lambda path, _: read(path), strict=True, wanted="a bundle that `export okf` wrote"
    ),
)
