"""Claude Code's memory folder as values: what its files say, and files as it would write them.

A `MEMORY.md` of pointer lines, and beside it a topic a file: `name`, `description`, and its kind as
`metadata.type` or `type`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter.yaml_writer import as_written
from vaultmem.documents.markdown import links
from vaultmem.documents.markdown.links import Link
from vaultmem.errors import Unreadable
from vaultmem.knowledge.skills import nested_frontmatter
from vaultmem.knowledge.topics.views import title
from vaultmem.records import Record, first_line
from vaultmem.storage import files, reader
from vaultmem.storage.link_targets import Targets

INDEX = "MEMORY.md"
NOTES = "Notes from MEMORY.md"
_OURS = "vaultmem"
_HOOK = 160
_POINTER = re.compile(r"\s*[-*+] \[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
_BARE = re.compile(r"(?m)^(name|description): +(?![\"'|>])(\S.*?)[ \t]*$")
_HEADING = re.compile(r"#{1,6}\s")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
SOURCES = re.compile(r"(?m)[ \t]*\(\[\[[^\[\]\n]+\]\](?:,? ?\[\[[^\[\]\n]+\]\])*\)[ \t]*$")
"""What an item rests on, at the end of its line."""

_DIGITS = 12
_OF_CARDS, _OF_OTHERS = "user", "reference"


def read(name: str, data: bytes) -> Record:
    """Return what the file *name* of such a folder says; one without a kind is a topic, too.

    `description: Testing: no mocks` is no YAML, and means what it says.
    """
    record = reader.record(name, files.content(data))
    if record.problem is None or record.problem.code != "yaml":
        return record
    doc = frontmatter.read(data)
    head = _BARE.sub(lambda m: f"{m[1]}: {as_written(m[2])}", doc.head)
    data = frontmatter.render(doc._replace(head=head)).encode()
    mended = reader.record(name, files.content(data))
    return record if mended.problem else mended


def index_notes(data: bytes, names: Collection[str]) -> str:
    """Return what an index holds beside pointers to the files *names*, its headings above it.

    Raises Unreadable for bytes that cannot be trusted.
    """
    doc = frontmatter.read(data)
    frontmatter.fields(doc)
    kept: list[str] = []
    for line in _COMMENT.sub("", doc.body).splitlines():
        pointer = _POINTER.match(line)
        if pointer and unquote(pointer[1]).removeprefix("./") in names:
            continue
        if _HEADING.match(line):
            kept = _without_heading(kept)
        kept.append(line.rstrip())
    text = "\n".join(_without_heading(kept)).strip("\n")
    return f"{text}\n" if text else ""


def _without_heading(lines: list[str]) -> list[str]:
    """Return *lines* without a heading at their end that has nothing below it."""
    end = len(lines)
    while end and not lines[end - 1]:
        end -= 1
    return lines[: end - 1] if end and _HEADING.match(lines[end - 1]) else lines


def digest(*texts: str) -> str:
    """Return what names *texts* as they are."""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()[:_DIGITS]


def written(record: Record) -> str:
    """Return the digest of what a file says, to see later whether somebody changed it."""
    return digest(title(record), record.description, record.kind, record.body.strip())


# --- going out ------------------------------------------------------------------------------------


def folder(records: Collection[Record]) -> dict[str, tuple[Record, bytes]]:
    """Return the files of such a folder by their names, for *records*, topics and cards.

    Links lead to the files there; one to what is not in the folder becomes what it shows, but for
    the sources of an item: these hold where the file comes home.
    """
    named = dict(names(records))
    files_of = {record.path: name for name, record in named.items()}
    targets = Targets(files_of)

    def led(link: Link, origin: str, line: str) -> str:
        if not _may_name_note(link):
            return link.raw
        path = "" if link.embed else targets.path(link.from_top(origin))
        if not path:  # nothing is left of where a reference leads
            return "" if link.form == "definition" else link.short
        stem = files_of[path].removesuffix(".md")
        if link.wiki and not link.called and stem != link.short:
            return links.wikilink(stem, link.heading, link.short, line)
        return link.to(stem if link.wiki else files_of[path])

    def linked(record: Record) -> Record:
        lines = record.body.split("\n")

        def told(link: Link) -> str:
            line = lines[link.at]
            proof = SOURCES.search(line)
            is_proof = proof is not None and link.start >= proof.start()
            return link.raw if is_proof else led(link, record.path, line)

        return replace(
            record,
            body=links.replaced(record.body, told),
            facts=links.replaced(record.facts, lambda link: led(link, record.path, "")),
            description=links.replaced(
                record.description, lambda link: link.short if link.wiki else link.raw
            ),
        )

    return {name: (record, _file(linked(record), name)) for name, record in named.items()}


def _may_name_note(link: Link) -> bool:
    return link.names_file and (link.wiki or PurePosixPath(link.target).suffix in {"", ".md"})


def _file(record: Record, name: str) -> bytes:
    """Return the bytes of *record*, a topic or a card, as the file *name* of such a folder."""
    kind = record.kind or (_OF_CARDS if record.type == "card" else _OF_OTHERS)
    parts = (f"- {line}" for line in record.facts.splitlines())
    body = "\n".join(x for x in ("\n".join(parts), record.body.strip("\n")) if x) + "\n"
    shown = _shown(record)
    head: dict[str, str | Mapping[str, str]] = {
        "name": shown,
        "description": record.description or first_line(record.facts or record.body, _HOOK),
    }
    if changed := record.updated or record.created:
        head["modified"] = changed
    made = read(name, nested_frontmatter.text({**head, "metadata": {"type": kind}}, body).encode())
    ours = {"type": kind, "source": _OURS, "id": record.id or record.path, "written": written(made)}
    return nested_frontmatter.text({**head, "metadata": ours}, body).encode()


def _shown(record: Record) -> str:
    if record.type != "card":
        return title(record)
    about = f"{record.person} ({record.relationship})".replace(" ()", "")
    return record.title or (about if record.person else record.stem)


def owner(data: bytes) -> tuple[str, bool] | None:
    """Return the id that a file we wrote carries and whether it is as we wrote it, else None."""
    try:
        raw = frontmatter.fields(frontmatter.read(data))
    except Unreadable:
        return None
    more = raw.get("metadata")
    if not isinstance(more, dict) or more.get("source") != _OURS:
        return None
    return str(more.get("id", "")), more.get("written") == written(read("x.md", data))


def names(records: Collection[Record]) -> Iterator[tuple[str, Record]]:
    """Yield a name of its own for the file of each of *records*; letter case makes none."""
    taken = {INDEX.casefold()}
    for record in records:
        stem = "-".join([*record.path.split("/")[:-1], record.stem]).removeprefix("topics-")
        stem = files.slug(stem.removeprefix("agents-"), 100) or digest(record.path)
        tries = (stem, *(f"{stem}-{n}" for n in range(2, len(records) + 2)))
        name = next(f"{x}.md" for x in tries if f"{x}.md" not in taken)
        taken.add(name)
        yield name, record
