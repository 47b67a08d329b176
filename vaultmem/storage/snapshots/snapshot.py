"""A snapshot: the vault at a date, asked like the present one, and never written to."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from vaultmem import config
from vaultmem.config import Config
from vaultmem.documents import frontmatter
from vaultmem.errors import BadInput, Refused, TooNew, Unavailable, Unreadable
from vaultmem.records import Record, end_of, iso
from vaultmem.storage import files, git, hidden_texts, transcript_files, withheld_lines
from vaultmem.storage.file_texts import FileTexts
from vaultmem.storage.files import Content
from vaultmem.storage.git import Repository
from vaultmem.storage.index import Index, file_queries
from vaultmem.storage.snapshots import commit_tree, snapshot_cache
from vaultmem.storage.snapshots.commit_tree import Tree
from vaultmem.storage.snapshots.snapshot_index import FrozenIndex
from vaultmem.storage.store import Store, refuse_links

if TYPE_CHECKING:
    from vaultmem.storage.attestations import Attestations
    from vaultmem.storage.writer import Writer

_OTHERWISE = "a search by the memories' own dates needs none of it (`before=DATE`)"


@dataclass(frozen=True, kw_only=True)
class _CommittedTexts(FileTexts):
    """Reads files as *tree* holds them, without what the *present* hides."""

    tree: Tree
    present: Index

    def _told(self, path: str, public: bytes, own: bytes) -> bytes:
        """Return *public* without the lines that say what is hidden now, whatever file it was."""
        if not files.is_note(path):
            return public
        lines = hidden_texts.unborne(self.present, path)
        return withheld_lines.without(public, hidden_texts.known(self.present), own, lines)

    def own(self, path: str) -> bytes | None:
        """Return the bytes of a file as they were committed, None when there was none."""
        return self.tree.read(path)

    def own_alone(self, path: str) -> bytes | None:
        """Like `own`: what is committed has no other name."""
        return self.tree.read(path)

    def load(self, record: Record) -> Record:
        """Return *record* with the text its file had; as it is when there was no such file."""
        body = self.index.body(record.path)
        return record if body is None else replace(record, body=body)


@dataclass(frozen=True, kw_only=True)
class Then(Store):
    """A vault as *tree* holds it, at the moment that its clock shows; *present* is that of now."""

    tree: Tree
    present: Store

    @cached_property
    def writer(self) -> Writer:
        """There is none: raises Refused."""
        raise Refused("the past is read-only: write to the current vault")

    @cached_property
    def attestations(self) -> Attestations:
        """Know what the present one knows."""
        return self.present.attestations

    @cached_property
    def texts(self) -> FileTexts:
        """Read what its files said, and what of it may be told now."""
        return _CommittedTexts(
            self.root, self.index, self._is_attested, tree=self.tree, present=self.present.index
        )

    def close(self) -> None:
        """Give the index back; the folder is the present's."""
        self.index.close()

    def sync(self) -> None:
        """Build the index if that is still to do."""
        self.index.sync()

    def sync_soon(self) -> None:
        """Like `sync`: nothing moves here."""
        self.index.sync()

    def sync_sources(self, path: str) -> None:
        """Look at nothing: likewise."""

    def config(self) -> Config:
        """Return the settings as they were, today's where they cannot be read any more."""
        return self._config

    @cached_property
    def _config(self) -> Config:
        data = self.texts.read(config.PATH)
        try:
            return _stated(data) if data is not None else self.present.config()
        except (Unreadable, BadInput, TooNew):  # nobody can fix it there
            return self.present.config()

    def exists(self, path: str, sha: str) -> bool:
        """Tell whether the file was there with these bytes."""
        return file_queries.has_bytes(self.index, path, sha)

    def transcripts(self) -> list[str]:
        """Return the paths of the transcripts that were committed, in order."""
        return [path for path in self.tree.paths("agents") if transcript_files.holds(path)]

    def agents(self) -> list[str]:
        """Return the agents that had files, by name."""
        return self.index.agents()

    def require_agent(self, name: str = "") -> str:
        """As in the present; who is known now and had no files yet is no mistake."""
        return name if name in self.present.agents() else super().require_agent(name)


def _stated(data: bytes) -> Config:
    return config.load(frontmatter.fields(frontmatter.read(data)))


@contextlib.contextmanager
def at(store: Store, when: str) -> Iterator[Then]:
    """Yield the vault of *store* as the last commit until *when* holds it, a date or a time (UTC).

    A date means its end, the future means now. Raises BadInput for no date or one before history
    begins, Unavailable without history, Busy, CannotOpen when our own folder is a link.
    """
    now = store.clock()
    moment = min(end_of(when), now)
    tree = _tree(_repository(store), when, moment, now)
    store.index.fresh()
    key = f"{tree.key}{hidden_texts.key(store.index)}"  # what is hidden now is not told there
    refuse_links(store.root.path, f"{snapshot_cache.FOLDER}/{key}/{snapshot_cache.CATALOG}")

    def record(path: str, content: Content) -> Record:
        return then.texts.record(path, content)

    with (
        snapshot_cache.entry(store.root.path / snapshot_cache.FOLDER, key) as catalog,
        contextlib.closing(FrozenIndex(catalog, tree, moment, record)) as index,
    ):
        then = Then(store.root, index, lambda: moment, tree=tree, present=store)
        index.sync()
        yield then


def _repository(store: Store) -> Repository:
    if not git.available():
        raise Unavailable(f"git is not on PATH, and the past is in git: install it; {_OTHERWISE}")
    if store.writer.repository is None:
        raise Unavailable(
            f"{store.root.path} has no git history, and the past is in git: `git init` there "
            f"starts one; {_OTHERWISE}"
        )
    return store.writer.repository


def _tree(repository: Repository, when: str, moment: datetime, now: datetime) -> Tree:
    # What is committed now is believed now, whatever a wrong clock wrote beside it.
    found = repository.at(None if moment == now else moment)
    if found is None:
        raise _too_early(repository, when)
    if moment == now:
        return Tree(repository, found)
    return Tree(repository, found, commit_tree.earlier(repository, found, moment, now))


def _too_early(repository: Repository, when: str) -> BadInput | Unavailable:
    begins = repository.begins()
    if begins is None:
        return Unavailable(f"nothing of {repository.root} is committed yet; {_OTHERWISE}")
    older = "; older commits are not in this clone: `git fetch --unshallow`"
    return BadInput(
        f"{when} is before the history of this vault, which begins on {iso(begins)}"
        f"{older if repository.is_shallow else ''}; {_OTHERWISE}"
    )
