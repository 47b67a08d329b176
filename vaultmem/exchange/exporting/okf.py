"""A vault as a bundle of the Open Knowledge Format 0.2: a note a concept, an index in each folder.

What OKF has a word for is said in its words: who wrote it and when, who confirmed it, from what,
until when it holds. All other keys go along as they are, and what became of the others is told
under `vaultmem`, for an import. Links between notes become relative ones.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Value, Verbatim
from vaultmem.documents.markdown import links
from vaultmem.documents.markdown.links import Link
from vaultmem.exchange.exporting import memory_names
from vaultmem.exchange.formats import okf
from vaultmem.exchange.formats.okf import OKF_KEYS
from vaultmem.records import Record, first_line
from vaultmem.storage import reader
from vaultmem.storage.link_targets import Targets
from vaultmem.version import __version__

OKF = "0.2"
_RESERVED = {"index.md": "index-note.md", "log.md": "log-note.md"}
_TITLE, _HOOK = 80, 160
_DAY = len("2026-01-02")


@dataclass(frozen=True, slots=True)
class Concept:
    """One note on its way out: what it says, and its raw frontmatter."""

    record: Record
    raw: Mapping[str, Value]
    typed: Mapping[str, Verbatim]
    """What of *raw* is more than a text, in its own lines."""

    def lines(self, keys: Iterable[str]) -> str:
        """Return the lines of what of *keys* is more than a text."""
        wanted = frozenset(keys)
        return "".join(it.lines for key, it in self.typed.items() if key in wanted)


def bundle(concepts: Sequence[Concept]) -> dict[str, bytes]:
    """Return the files of the bundle by their paths in it."""
    paths = {c.record.path: _path(c.record.path) for c in concepts}
    names = _Names(paths, Targets(paths))
    ended = memory_names.ended(c.record for c in concepts)
    made = {
        paths[c.record.path]: _file(c, names, ended.get(c.record.stem, ())).encode()
        for c in concepts
    }
    return made | {path: text.encode() for path, text in _indexes(concepts, paths)}


def _path(path: str) -> str:
    folder, _, name = path.rpartition("/")
    name = name if name.endswith(".md") else f"{name}.md"  # a text: a bundle has Markdown alone
    return posixpath.join(folder, _RESERVED.get(name.lower(), name))


@dataclass(frozen=True, slots=True)
class _Names:
    """How notes are found from a link, and where they lie in the bundle."""

    paths: Mapping[str, str]
    meant: Targets

    def find(self, name: str) -> str:
        """Return the path in the bundle of what *name* links to, "" when it is not in it."""
        return self.paths.get(self.meant.path(name), "")


# --- one concept ----------------------------------------------------------------------------------


def _file(concept: Concept, names: _Names, ended: Sequence[str]) -> str:
    import yaml  # noqa: PLC0415  # only an export pays for it

    said = _head(concept, names) | {okf.KEY: _was(concept, ended)}
    plain = {key: v for key, v in said.items() if key in OKF_KEYS or key not in concept.typed}
    head = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=10_000)
    head += concept.lines(concept.typed.keys() - OKF_KEYS)
    return f"---\n{head}---\n\n{_linked(concept.record, names)}"


def _head(concept: Concept, names: _Names) -> dict[str, object]:
    record, raw = concept.record, concept.raw
    people = {"user": "human:user", "human": "human:owner"}
    by, at = people.get(record.source, f"vaultmem/{__version__}"), record.updated or record.created
    is_verified = record.trust == "verified" and at
    head: dict[str, object] = {
        "type": record.type or "note",
        "title": title(record),
        "description": _description(record),
        "tags": list(record.tags),
        "status": _status(record),
        "generated": {"by": by, "at": at} if at else {"by": by},
        "verified": [{"by": "human:owner", "at": at}] if is_verified else [],
        "sources": _sources(record, names),
        "stale_after": record.stale_after[:_DAY],
    }
    known = {key: value for key, value in head.items() if value}
    rest = {key: value for key, value in raw.items() if key not in OKF_KEYS}
    if "status" in raw:  # a task's, which is another thing than a document's
        rest[f"{record.type}_status"] = raw["status"]
    return known | {key: value for key, value in rest.items() if key not in known}


def _was(concept: Concept, ended: Sequence[str]) -> dict[str, object]:
    """Return what the concept was here, as far as OKF has other words for it, or none."""
    record, raw = concept.record, concept.raw
    found = {
        "path": record.path,
        "agent": record.agent,
        "id": memory_names.own(record) if record.type == "memory" else "",
        "supersedes": list(ended),
        okf.HEAD: {key: value for key, value in raw.items() if key in OKF_KEYS},
        okf.TYPED: concept.lines(OKF_KEYS),
    }
    return {key: value for key, value in found.items() if value}


def title(record: Record) -> str:
    """Return what people call the note."""
    about = f"{record.person} ({record.relationship})".replace(" ()", "") if record.person else ""
    opening = first_line(record.body.replace("\r", ""), _TITLE).lstrip("#- ")
    return record.title or about or opening or record.stem


def _description(record: Record) -> str:
    prose = (line for line in record.body.splitlines() if line and not line.startswith("#"))
    text = record.description or first_line(record.facts or "\n".join(prose), _HOOK)
    return links.replaced(text, lambda link: link.words if link.wiki else link.raw)


def _status(record: Record) -> str:
    if record.superseded_by or record.archived:
        return "deprecated"
    return "draft" if record.trust == "untrusted" else ""


def _sources(record: Record, names: _Names) -> list[dict[str, str]]:
    named = [f"/{names.find(name)}" if names.find(name) else name for name in record.sources]
    if not named and record.session:
        named = [f"the conversation {record.session}"]
    return [{"resource": source} for source in named]


def _linked(record: Record, names: _Names) -> str:
    """Return the body with wikilinks as Markdown links; all links lead to the bundle's files."""
    if record.type == reader.TEXT:
        return record.body
    return links.replaced(record.body, lambda link: _link(link, record.path, names))


def _link(found: Link, origin: str, names: _Names) -> str:
    here = names.paths[origin]
    if not found.wiki:
        there = found.from_top(origin)
        path = names.paths.get(there, there)
        return found.raw if path == there else found.to(links.relative(path, here))
    path = names.find(found.target)
    if not path or found.embed:
        return found.raw
    place = quote(links.relative(path, here))
    return f"[{found.short}]({place}{quote(found.heading, safe='#^')})"


# --- indexes --------------------------------------------------------------------------------------


def _indexes(concepts: Sequence[Concept], paths: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield an index for every folder: its notes by type, then the folders below it."""
    lines: dict[str, dict[str, list[str]]] = {"": {}}
    counts: dict[str, int] = {}
    for concept in concepts:
        path, record = paths[concept.record.path], concept.record
        folder, _, name = path.rpartition("/")
        kind, shown = record.type or "note", title(record).replace("[", "(").replace("]", ")")
        plural = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
        heading = plural[:1].upper() + plural[1:]
        line = f"* [{shown}]({quote(name)}) - {_description(record)}".rstrip(" -")
        lines.setdefault(folder, {}).setdefault(heading, []).append(line)
        while folder:
            counts[folder] = counts.get(folder, 0) + 1
            folder = folder.rpartition("/")[0]
            lines.setdefault(folder, {})
    for folder, count in counts.items():
        above, _, name = folder.rpartition("/")
        many = f"{count} note{'s' * (count != 1)}"
        lines[above].setdefault("Folders", []).append(f"* [{name}]({quote(name)}/) - {many}")
    for folder, groups in sorted(lines.items()):
        body = "\n".join(f"# {head}\n\n" + "\n".join(groups[head]) + "\n" for head in groups)
        front = "" if folder else f'---\nokf_version: "{OKF}"\n---\n\n'
        yield posixpath.join(folder, "index.md"), front + (body or "# Notes\n")


def concept(record: Record, data: bytes) -> Concept:
    """Return the note *record*, whose file is *data*, as the index could read it."""
    doc, most = reader.parsed(record.path, frontmatter.decode(data)), 1 << 20
    return Concept(record, frontmatter.fields(doc, most), frontmatter.verbatim(doc, most))
