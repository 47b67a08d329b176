"""The files of a vault as an agent may see them: a page of one, and what lies in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from vaultmem import arguments
from vaultmem.api.agent_files import (
    Entry,
    IsFolder,
    LedOut,
    Missing,
    Page,
    incoming,
    paging,
    paths,
)
from vaultmem.api.agent_files import frontmatter as agent_file_frontmatter
from vaultmem.documents import frontmatter
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, NotAFile, Refused
from vaultmem.memory import memory_index
from vaultmem.records import Record, first_line
from vaultmem.storage import files, reader, snapshots, transcript_files
from vaultmem.storage.files import Content
from vaultmem.storage.index import file_queries
from vaultmem.storage.index.file_queries import SeenFile
from vaultmem.storage.store import Store

_HOOK = 100
_TRANSCRIPT = "transcript"


@arguments.checked
class VisibleFiles:
    """The files of one vault that *agent* may see; "" is the vault's own agent, who sees all."""

    def __init__(self, store: Store, agent: str = "") -> None:
        """Look into the vault of *store*."""
        self.store, self._named = store, agent

    @property
    def agent(self) -> str:
        """Who reads, and writes."""
        return self.store.agent(self._named)

    @property
    def root(self) -> Path:
        """The vault's folder, which no agent is told of."""
        return self.store.root.path

    def page(  # noqa: PLR0913  # which lines of which version, by name
        self,
        path_or_id: str,
        *,
        first: int = 1,
        most: int | None = None,
        room: int | None = None,
        as_of: str = "",
        untrusted: bool = False,
    ) -> Page:
        """Return the lines of a file from *first* on: at most *most*, and *room* characters.

        *as_of*, a date or a time, reads what was committed by then; *untrusted* lets what waits for
        review be read. Raises Missing, IsFolder, BadInput, Refused, Unreadable, and Unavailable
        where there is no history.
        """
        cut = partial(paging.cut, first=first, most=most, room=room)
        if not as_of:
            return self._page(self.store, path_or_id, cut, untrusted=untrusted)
        with snapshots.at(self.store, as_of) as then:
            return self._page(then, path_or_id, cut, untrusted=untrusted)

    def _page(
        self, store: Store, ref: str, cut: Callable[[str], paging.Cut], *, untrusted: bool
    ) -> Page:
        path, found = self._resolved(store, ref, untrusted=untrusted)
        if transcript_files.holds(path):
            record = Record(path, found.sha, type=_TRANSCRIPT, trust="untrusted")
            text = store.texts.public(path, found.data).decode("utf-8", "replace")
            return _as_page(record, cut(text))
        record = store.texts.record(path, found)
        if record.trust == "untrusted" and not untrusted:
            raise Refused(f"{path} is not trusted, so it is not read unasked")
        with incoming.naming(path):
            text = frontmatter.decode(store.texts.public(path, found.data))
        head, shown = agent_file_frontmatter.seen(path, text)
        shown = memory_index.visible(path, shown, self._named)
        least = reader.least_trust(record, found.data)
        return replace(_as_page(record, cut(shown)), frontmatter=head, trust=least)

    def _resolved(self, store: Store, ref: str, *, untrusted: bool) -> tuple[str, Content]:
        """Return the path that *ref*, a path, an id or a link, means, and its file."""
        name = paths.given(ref.removeprefix("[[").removesuffix("]]").partition("|")[0])
        store.sync_soon()  # what the file tells was hidden a moment ago, maybe
        if is_file(name):
            store.sync_sources(name)
            return name, self._file(store, name, untrusted=untrusted)
        named = self._concerning(r.path for r in store.index.named(name)) if name else ()
        if len(named) > 1:
            raise BadInput(f"{quoted(name)} may be {', '.join(named)}: name one by its path")
        if named:
            store.sync_sources(named[0])
            return named[0], self._file(store, named[0], untrusted=untrusted)
        raise self._nothing(name)

    def _concerning(self, found: Iterable[str]) -> tuple[str, ...]:
        """Return those of the paths *found* that the agent may know of."""
        return tuple(path for path in found if paths.concerns(path, self._named))

    def _file(self, store: Store, path: str, *, untrusted: bool = False) -> Content:
        paths.check_read(path, self._named, untrusted=untrusted)
        try:
            data = store.texts.own_alone(path)
        except NotAFile as e:
            if e.kind != files.FOLDER:
                raise
            data = None
        if data is None:
            raise self._nothing(path)
        return files.content(data)

    def _nothing(self, path: str) -> BadInput | LedOut:
        """Return what to say where no file is: that there is a folder, a link, or nothing."""
        self.store.sync_soon()
        if (link := self._link(path)) and paths.concerns(path, self._named):
            return LedOut(link)
        return IsFolder(path) if not path or self._below(path) else Missing(path)

    def listing(
        self, folder: str = "", *, depth: int = 2, kind: str = "", beside: str = ""
    ) -> tuple[Entry, ...]:
        """Return what lies in *folder*, *depth* levels deep, *kind* alone where that is said.

        What lies below the folder *beside* is left out, and is not counted either.
        A file that has another name is listed without its text: see `page`.
        Raises Missing for no folder, BadInput for a file or a kind that nothing has, BadInput or
        Refused for no path.
        """
        folder = paths.of_folder(folder.lstrip("/"))
        self.store.sync_soon()
        there = self._below(folder)
        if not there and folder:
            if self.has_file(folder):
                raise BadInput(f"{folder} is a file: read it")
            raise self._nothing(folder)
        self._check_kind(kind, there)
        own = f"{beside}/" if beside else "/"
        meant = (s for s in there if kind in {"", s.type} and not s.path.startswith(own))
        found = entries(meant, folder, depth)
        notes = self.store.index.at([e.path for e in found if not e.folder])
        hooks = {
            r.path: first_line(r.description or r.title or r.body, _HOOK)
            for r in notes
            if not files.is_elsewhere(self.store.root, r.path)
        }
        return tuple(replace(e, description=hooks.get(e.path, "")) for e in found)

    def _check_kind(self, kind: str, there: Iterable[SeenFile]) -> None:
        if kind in {"", *reader.KINDS, _TRANSCRIPT, *(seen.type for seen in there)}:
            return
        here = {seen.type for seen in self._below("")}
        if kind not in here:
            known = ", ".join(dict.fromkeys((*reader.KINDS, _TRANSCRIPT, *sorted(here))))
            raise BadInput(f"no file is of the kind {quoted(kind)}: there are {known}")

    @property
    def text_folder(self) -> str:
        """The folder of texts that are kept as they are: the agent's own, or that of all."""
        folder = files.TEXT_FOLDER
        return f"agents/{self._named}/{folder}" if self._named else folder

    @property
    def is_of_one(self) -> bool:
        """Whether an agent was named, who has files of its own beside what all share."""
        return bool(self._named)

    def has_file(self, path: str) -> bool:
        """Tell whether a file that the agent may know of lies at *path*."""
        return paths.is_shown(path, self._named) and self._stands(path)

    def has_folder(self, path: str) -> bool:
        """Tell whether files that the agent may know of lie below *path*."""
        self.store.sync_soon()
        return bool(self._below(path))

    def check_way(self, path: str) -> None:
        """Raise LedOut where a link stands on the way to *path*."""
        self.store.sync_soon()
        if link := self._link(path):
            raise LedOut(link)

    def _link(self, path: str) -> str:
        """Return the link on the way to *path*, "" without one."""
        return next((x for x in self.store.index.odd if f"{path}/".startswith(f"{x}/")), "")

    def _below(self, folder: str) -> list[SeenFile]:
        """Return every file in *folder* and below it that an agent may know of."""
        found = (*file_queries.in_folder(self.store.index, folder), *self._transcripts(folder))
        return [seen for seen in found if paths.is_shown(seen.path, self._named)]

    def _transcripts(self, folder: str) -> Iterator[SeenFile]:
        if folder.partition("/")[0] in {"", "agents"}:
            for found in transcript_files.every(self.store.root):
                if not folder or found.path.startswith(f"{folder}/"):
                    yield SeenFile(found.path, found.stamp.size, "", _TRANSCRIPT)

    def _stands(self, path: str) -> bool:
        """Tell whether something that is no folder lies at *path*."""
        return files.kind_of(self.store.root, path) not in {"", files.FOLDER}


def is_file(name: str) -> bool:
    """Tell whether *name* is a path of a note or a transcript."""
    return files.is_note(name) or transcript_files.holds(name)


def _as_page(record: Record, page: paging.Cut) -> Page:
    return Page(record.path, page.text, record.sha, page.first_line, page.next_line, page.lines,
                {}, record.trust, record.type)  # fmt: skip


def entries(found: Iterable[SeenFile], folder: str, depth: int) -> tuple[Entry, ...]:
    """Return the files *found* in *folder*, at most *depth* levels down, and the folders there.

    In order of their names, each folder before what is in it; MEMORY.md, which points at all else,
    comes first.
    """
    start = len(folder) + 1 if folder else 0
    shown: list[Entry] = []
    sums: dict[str, tuple[int, str]] = {}
    for path, size, date, kind in found:
        parts = path[start:].split("/")
        for level in range(1, min(len(parts), depth + 1)):
            name = path[:start] + "/".join(parts[:level])
            total, last = sums.get(name, (0, ""))
            sums[name] = (total + size, max(last, date))
        if len(parts) <= depth:
            shown.append(Entry(path, folder=False, size=size, date=date, type=kind))
    folders = (Entry(p, folder=True, size=size, date=d) for p, (size, d) in sums.items())
    return ordered((*shown, *folders))


def ordered(found: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return *found* in order of their names, MEMORY.md first."""
    return tuple(sorted(found, key=_order))


def _order(entry: Entry) -> tuple[bool, list[str]]:
    return entry.path != memory_index.PATH, entry.path.split("/")
