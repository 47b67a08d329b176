"""Decide what files of a Claude memory folder become: new topics, changed ones, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, count

from vaultmem.documents import frontmatter, secrets
from vaultmem.documents.markdown import blocks
from vaultmem.errors import BadInput, SecretFound, Unreadable
from vaultmem.knowledge.topics import claude_format
from vaultmem.knowledge.topics.types import Skipped
from vaultmem.knowledge.topics.views import title
from vaultmem.memory import remember
from vaultmem.records import Record, first_line, lowest
from vaultmem.storage.files import slug
from vaultmem.storage.link_targets import Targets
from vaultmem.storage.plan import Change
from vaultmem.storage.tombstones import Tombstones

_CLAUDE = "claude/"
_SLUG, _HOOK = 60, 160


@dataclass(frozen=True, slots=True)
class Here:
    """What the vault has: topics, the ids and paths of all files, what it is to forget, bytes."""

    topics: tuple[Record, ...]
    ids: frozenset[str]
    paths: frozenset[str]
    tombstones: Tombstones
    data: Callable[[str], bytes | None]
    mint: Callable[[], str]
    now: str


@dataclass(frozen=True, slots=True)
class _Clean:
    """What of a file is stored."""

    kind: str
    title: str
    description: str
    body: str
    changed: str
    trust: str

    @property
    def written(self) -> str:
        """What tells later whether somebody changed it."""
        return claude_format.digest(self.title, self.description, self.kind, self.body.strip())


@dataclass(slots=True)
class FolderImport:
    """One folder being brought in; *where* names it without telling its path.

    A topic's `origin` names folder and file, and the bytes they came from.
    """

    here: Here
    where: str
    redact: bool = False
    changes: list[Change] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    failed: list[Skipped] = field(default_factory=list)

    def bring(self, found: Mapping[str, bytes]) -> None:
        """Decide what becomes of the files *found*, by name."""
        for name, data in sorted(found.items()):
            try:
                self._take(name, *self._read(name, data, found))
            except (BadInput, SecretFound) as e:
                self.failed.append(Skipped(name, str(e).removeprefix(f"{name}: ")))
            except Unreadable as e:
                self.failed.append(Skipped(name, e.why))

    def _read(self, name: str, data: bytes, found: Mapping[str, bytes]) -> tuple[Record, bytes]:
        """Return what a file says, and the bytes that tell whether it says something new."""
        if name != claude_format.INDEX:
            return claude_format.read(name, data), data
        notes = claude_format.index_notes(data, found.keys()).encode()
        return claude_format.read("notes-from-memory.md", notes), notes

    def _take(self, name: str, record: Record, source: bytes) -> None:
        if record.problem:
            raise BadInput(record.problem.message)
        if name == claude_format.INDEX and not source:
            self.skipped.append(Skipped(name, "it only points at the files beside it"))
            return
        mark = f"{_CLAUDE}{self.where}/{name}@{claude_format.digest(source.decode())}"
        if why := self._known(source, mark) or self._forgotten(record, mark):
            self.skipped.append(Skipped(name, why))
            return
        if not self.redact:  # a record has no credentials any more
            remember.refuse_secrets(name, secrets.strip_private(source.decode()))
        if claude_format.owner(source):
            record = self._without_foreign_sources(record)
        clean = self._cleaned(name, record)
        if clean.trust == "untrusted":
            raise BadInput("it says that it was fetched or is not to be trusted: not taken in")
        before = self._before(mark)
        self._change(before, clean, mark) if before else self._add(name, clean, mark)

    def _without_foreign_sources(self, record: Record) -> Record:
        """Return *record* without links to sources in the vault that it comes from."""
        here = Targets(self.here.paths)

        def told(found: re.Match[str]) -> str:
            named = (f"{text}]]" for text in found[0].split("]]")[:-1])
            return found[0] if any(map(here.path, named)) else ""

        return replace(record, body=claude_format.SOURCES.sub(told, record.body))

    def _before(self, mark: str) -> Record | None:
        """Return the topic that an earlier version of the same file became."""
        return next((t for t in self.here.topics if _file(t.origin) == _file(mark)), None)

    def _known(self, source: bytes, mark: str) -> str:
        """Say why there is nothing to do; "" when there is."""
        same = mark.rpartition("@")[2]
        origins = (t.origin for t in self.here.topics if t.origin.startswith(_CLAUDE))
        if any(origin.endswith(f"@{same}") for origin in origins):
            return "imported before"
        owner = claude_format.owner(source)
        if owner and owner[0] in self.here.ids:
            return "exported from here" if owner[1] else "exported from here, and changed since"
        before = self._before(mark)
        if before and before.written != claude_format.written(before):
            return f"{before.path} was changed here, too: bring the two together by hand"
        return ""

    def _forgotten(self, record: Record, mark: str) -> str:
        said = (*blocks.passages(record.body), *record.labels)
        entry = self.here.tombstones.of(*said, origin=mark)
        return f"it was forgotten on {entry.created[:10]}" if entry else ""

    def _cleaned(self, name: str, record: Record) -> _Clean:
        """Return what of *record* is stored; raises SecretFound and BadInput, naming the file."""

        def clean(text: str) -> str:
            return remember.clean(text, name, redact=self.redact)

        kept = clean(record.body)
        if not kept:
            raise BadInput("it says nothing")
        shown = claude_format.NOTES if name == claude_format.INDEX else title(record)
        description = record.description or first_line(kept, _HOOK)
        return _Clean(
            record.kind,
            " ".join(clean(shown).split()),
            " ".join(clean(description).split()),
            record.body if kept == record.body.strip("\n") else f"{kept}\n",
            record.updated or self.here.now,
            lowest(("agent", record.trust)),
        )

    def _add(self, name: str, clean: _Clean, mark: str) -> None:
        taken = {p.casefold() for p in (*self.here.paths, *(c.path for c in self.changes))}
        words = "notes-from-memory" if name == claude_format.INDEX else name[:-3]
        stem = slug(words, _SLUG) or "topic"
        paths = (f"topics/{name}.md" for name in chain([stem], (f"{stem}-{n}" for n in count(2))))
        path = next(p for p in paths if p not in taken)
        head = {
            "id": self.here.mint(), "type": "topic", "kind": clean.kind, "title": clean.title,
            "description": clean.description, "created": clean.changed, "source": "import",
            "trust": clean.trust, "origin": mark, "written": clean.written,
        }  # fmt: skip
        text = frontmatter.new({k: v for k, v in head.items() if v}, clean.body)
        self.changes.append(Change(path, None, text.encode(), f"imported from {name}"))

    def _change(self, before: Record, clean: _Clean, mark: str) -> None:
        data = self.here.data(before.path) or b""
        head = {
            "kind": clean.kind or None, "title": clean.title, "description": clean.description,
            "updated": clean.changed, "origin": mark, "written": clean.written,
        }  # fmt: skip
        new = frontmatter.edited(data, head, clean.body)
        self.changes.append(Change(before.path, data, new, "changed where it came from"))


def _file(mark: str) -> str:
    return mark.rpartition("@")[0] if mark.startswith(_CLAUDE) else ""
