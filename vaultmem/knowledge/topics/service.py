"""Topics of a vault: listed, shown, brought in from Claude Code's memory folder and out to it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

from vaultmem import arguments, config
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused, disk_errors
from vaultmem.knowledge.topics import claude_format, new_topic, views
from vaultmem.knowledge.topics.import_claude import FolderImport, Here
from vaultmem.knowledge.topics.new_topic import NewTopic
from vaultmem.knowledge.topics.types import (
    Exported,
    Imported,
    Skipped,
    TopicListing,
    TopicPatch,
    Whole,
    WrittenTopic,
)
from vaultmem.memory import memory_index, pointed_index
from vaultmem.nlp.tasks import Summarizer
from vaultmem.records import Record, iso
from vaultmem.storage import tombstones
from vaultmem.storage.files import export_write
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Plan, WrittenFile
from vaultmem.storage.store import Store

MOST = 200
"""Topics that a list shows; so many are no longer looked through."""

_TOPICS = Filter(type="topic", recallable=True)


@arguments.checked
class Topics:
    """The topics of one vault, those of all agents and each agent's own."""

    def __init__(self, store: Store, summarizer: Callable[[], Summarizer]) -> None:
        """Look into the vault at *store*; *summarizer* returns who merges facts into a topic."""
        self._store, self._summarizer = store, summarizer

    def listing(self, *, kind: str = "", agent: str = "") -> TopicListing:
        """Return the topics, of a *kind* and of an *agent* alone where that is said.

        Raises BadInput for a kind that there is not.
        """
        if kind:
            views.check_kind(kind)
        self._store.sync_soon()  # what a topic tells was hidden a moment ago, maybe
        name = self._store.require_agent(agent) if agent else ""
        now = self._store.clock()
        broken = self._broken()
        found = [r for r in self._shown(broken)
                 if kind in {"", r.kind} and name in {"", r.agent}]  # fmt: skip
        found.sort(key=lambda r: (r.updated or r.created, r.path), reverse=True)
        shown = (replace(views.listed(r, now), problem=broken.get(r, "")) for r in found[:MOST])
        return TopicListing(tuple(shown), max(len(found) - MOST, 0))

    def get(self, ref: str) -> Whole:
        """Return the topic that *ref* names: its id, path, name or title; raises BadInput."""
        self._store.sync_soon()
        found = [r for r in self._shown(self._broken()) if ref and views.is_meant(r, ref)]
        if not found:
            raise BadInput(f"no topic {quoted(ref)}: `vaultmem topic list` shows them")
        if len(found) > 1 and not any(r.path == ref for r in found):
            raise BadInput(
                f"{quoted(ref)} may be {', '.join(r.path for r in found)}: name one of them"
            )
        meant = next((r for r in found if r.path == ref), found[0])
        return views.whole(meant, self._store.clock())

    def create(self, new: NewTopic) -> WrittenFile:
        """Write a new topic, which all agents share; the same again is the file that is there.

        Its commit waits. Raises BadInput, SecretFound, and Refused where a topic of that title
        says something else: none is ever replaced.
        """
        return self._store.retry(lambda: new_topic.create(self._store, new))

    def set(self, title: str, patch: TopicPatch) -> WrittenTopic:
        """Update the topic called *title* (or its path, name or id), or make it, and commit.

        What it says already changes nothing. A `merge` keeps the facts as a memory, to which they
        link; a model that is set words the result, else rules make it. Raises BadInput,
        SecretFound, SwitchedOff; Refused for an agent's own topic, one that is read-only, one that
        is more trusted where it is not appended to, and for what was forgotten.
        """
        from vaultmem.knowledge.topics import update  # noqa: PLC0415  # who lists asks no model

        return update.update(self._store, title, patch, self._summarizer)

    def bring(self, folder: Path, *, redact: bool = False) -> Imported:
        """Make topics of the files of a Claude memory *folder*, once.

        A file that changed since updates its topic, unless that was changed here, too. Raises
        BadInput, DiskRefused.
        """
        if self._store.root.path.resolve() in {folder.resolve(), *folder.resolve().parents}:
            raise BadInput(f"{folder} lies in this vault: its files are used where they are")
        if (folder / config.PATH).exists():
            raise BadInput(f"{folder} is a vault, no memory folder of Claude Code: open it with "
                           f"`vaultmem --vault {shlex.quote(str(folder))}`")  # fmt: skip
        found = dict(_read(folder))
        return self._store.retry(lambda: self._bring(folder, found, redact=redact))

    def send(self, folder: Path, *, agent: str = "") -> Exported:
        """Write what all agents share, and what is *agent*'s own, as a Claude memory *folder*.

        Raises Refused, before anything is written, where a file stands that we did not write, or
        that was changed since; BadInput and DiskRefused.
        """
        self._store.sync()
        name = self._store.require_agent(agent) if agent else ""
        records = self._store.index.records(
            Filter(type=("topic", "card"), agent=("", name), recallable=True, trusted=True)
        )
        made = claude_format.folder([r for r in records if not r.superseded_by])
        wanted = {file: data for file, (_, data) in made.items()}
        listed = (replace(r, path=f, title=views.title(r), agent="") for f, (r, _) in made.items())
        wanted[claude_format.INDEX] = _index(folder / claude_format.INDEX, listed)
        due = {file: data for file, data in wanted.items() if _is_due(folder / file, data)}
        for file, data in due.items():
            export_write.put(folder / file, data)
        return Exported(str(folder), tuple(due), len(wanted) - len(due))

    def _records(self) -> list[Record]:
        return self._store.index.records(_TOPICS)

    def _shown(self, broken: Collection[Record]) -> list[Record]:
        """Return all topics, those that are *broken* as they are meant."""
        paths = {record.path for record in broken}
        return [*(r for r in self._records() if r.path not in paths), *broken]

    def _broken(self) -> dict[Record, str]:
        """Return topics that are no sound YAML and mean what they say, and what is wrong with them.

        `description: a data scientist: logs` is what Claude Code writes.
        """
        found: dict[Record, str] = {}
        for problem in self._store.index.problems():
            if problem.code != "yaml":
                continue
            record = claude_format.read(problem.path, self._store.texts.read(problem.path) or b"")
            if record.type == "topic" and not record.problem:
                found[record] = problem.message
        return found

    def _bring(self, folder: Path, found: dict[str, bytes], *, redact: bool) -> Imported:
        self._store.sync()
        where = claude_format.digest(str(folder.resolve()))
        work = FolderImport(self._here(), where, redact=redact)
        work.bring(found)
        changes, commit = tuple(work.changes), None
        if changes:
            op = self._store.mint()
            subject = f"import: {len(changes)} topic{'s' * (len(changes) != 1)}"
            listed = pointed_index.change(self._store, changes)
            self._store.apply(Plan(op, "import", subject, (*changes, *listed), trust="agent"))
            commit = self._store.writer.commit_pending().get(op)
        return Imported(
            tuple(c.path for c in changes if c.op == "create"),
            tuple(c.path for c in changes if c.op == "update"),
            (*work.skipped, *(Skipped(p.name, w) for p in _listed(folder) if (w := _why_not(p)))),
            tuple(work.failed),
            commit,
        )

    def _here(self) -> Here:
        every = self._store.index.records(Filter(recallable=True), body=False)
        return Here(
            tuple(r for r in self._records() if r.path.startswith("topics/")),
            frozenset({x for r in every for x in (r.id, r.path) if x}),
            frozenset(r.path for r in every),
            tombstones.load(self._store),
            self._store.texts.read,
            self._store.mint,
            iso(self._store.clock()),
        )


def _read(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the Markdown files of *folder* by name; links are not followed."""
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder: name the one with MEMORY.md in it")
    yield from ((path.name, _bytes(path)) for path in _listed(folder) if not _why_not(path))


def _listed(folder: Path) -> list[Path]:
    with disk_errors(folder):
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _why_not(path: Path) -> str:
    """Return why a file is not brought, "" when it is."""
    if path.is_symlink():
        return "a link, and links are not followed"
    if path.is_dir():
        return "a folder: import it by itself"
    return "" if path.is_file() and path.suffix == ".md" else "no Markdown"


def _bytes(path: Path) -> bytes:
    with disk_errors(path):
        return path.read_bytes()


def _index(path: Path, records: Iterator[Record]) -> bytes:
    """Return the index of what is exported; what a person wrote around our part of it stays."""
    bare = f"{memory_index.BEGIN}\n{memory_index.END}\n"
    text = _bytes(path).decode("utf-8", "surrogateescape") if path.exists() else bare
    if memory_index.BEGIN not in text or memory_index.END not in text:
        raise Refused(
            f"{path} was not written by vaultmem, nothing was written: name a folder that is empty"
        )
    return memory_index.regenerate(text, records).encode("utf-8", "surrogateescape")


def _is_due(path: Path, data: bytes) -> bool:
    """Tell whether *path* is to be written; raises Refused where it holds what we did not write."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Refused(f"{path} is not a regular file, nothing was written: move it away")
    if not path.exists():
        return True
    found = _bytes(path)
    if found == data:
        return False
    if path.name == claude_format.INDEX:
        return True
    mine, theirs = claude_format.owner(data), claude_format.owner(found)
    if not (mine and theirs and mine[0] == theirs[0]):
        raise Refused(
            f"{path} was not written by vaultmem, nothing was written: name a folder that is empty"
        )
    if not theirs[1]:
        raise Refused(f"{path} was changed since it was exported, nothing was written: "
                      "bring the change home, then delete that file")  # fmt: skip
    return True
