"""What sources said before they hid or lost something, and what they may be shown to say."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from vaultmem.documents import secrets
from vaultmem.errors import DiskRefused, Refused
from vaultmem.maintenance.provenance import sources, statements, support
from vaultmem.maintenance.provenance.support import Heard
from vaultmem.nlp.tasks import Passage
from vaultmem.records import Record
from vaultmem.storage import transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn


@dataclass(frozen=True, slots=True)
class ChangedFiles:
    """The files at *paths* that tell less than they did: what they said *before*, and say *now*.

    What is *retold* of them may tell the same by now, though others were made of what it told.
    A line rests on a source that said at *least* this share of its words. What is *gone* already,
    by the names that links may call it, is known as it was.
    """

    paths: AbstractSet[str]
    before: Callable[[str], bytes]
    now: Callable[[str], bytes]
    retold: AbstractSet[str] = frozenset()
    least: float = 0.0
    gone: Mapping[str, Record] = field(default_factory=dict)


class Source(NamedTuple):
    """What a source said before it hid anything, and what it may be shown to say."""

    full: Heard
    public: Heard
    is_own: bool = True
    """Whether a person or an agent says it: a tool's words bear nothing out."""

    @property
    def is_marked(self) -> bool:
        """Whether it hides something."""
        return self.full is not self.public

    def tells_less(self, said: str) -> bool:
        """Tell whether words of *said* are among what it hides."""
        return self.is_marked and support.share_heard(said, self.public) < support.share_heard(
            said, self.full
        )

    def states_less(self, said: str) -> bool:
        """Tell whether it hides a place where *said* is a clause of it."""
        if not self.is_marked or support.share_heard(said, self.full) < 1.0:
            return False
        full, public = ([p.text for p in it.passages] for it in (self.full, self.public))
        return any(statements.has_clause(said, text) for text in full) and sum(
            statements.count(said, text) for text in public
        ) < sum(statements.count(said, text) for text in full)


Sources = Sequence[Source]


class Transcripts(dict[str, Sources]):
    """The turns of sessions, by the paths of their transcripts, each read once."""

    def __init__(self, store: Store, changed: ChangedFiles) -> None:
        """Read those of *store*, of which the *changed* ones tell less than they did."""
        super().__init__()
        self._store, self._changed = store, changed

    def __missing__(self, path: str) -> Sources:
        """Read the transcript at *path*; one that is not there has no turns."""
        if path in self._changed.paths:
            whole, turns = (
                transcripts.parse(path, data(path)).turns
                for data in (self._changed.before, self._changed.now)
            )
            told = [_pair(*each) for each in zip(*map(_passages, (whole, turns)), strict=False)]
        else:
            found = sources.transcript(self._store, path)
            turns = found.turns if found else ()
            told = [same(it) for it in _passages(turns)]
        own = [t.role in transcripts.VOICES for t in turns]
        paired = zip(told, own, strict=False)
        self[path] = [it._replace(is_own=is_own) for it, is_own in paired]
        return self[path]


def _passages(turns: Sequence[Turn]) -> list[Passage]:
    return [Passage(t.content, t.speaker or t.role, t.at) for t in turns]


def own_bytes(store: Store, path: str) -> bytes:
    """Return the bytes of the file at *path*, none where it is gone or the system refuses."""
    with contextlib.suppress(DiskRefused, Refused):
        return store.texts.own(path) or b""
    return b""


def unmarked(data: bytes) -> bytes:
    """Return a file's bytes as they were before anything in it was marked as private."""
    text = data.decode("utf-8", "surrogateescape")
    return secrets.without_marks(text).encode("utf-8", "surrogateescape")


def passage_of(source: Record) -> Passage:
    """Return what a *source* says, by whom and when."""
    text = "\n".join(filter(None, (source.title, source.description, source.facts, source.body)))
    return Passage(text, source.speaker, source.created)


def same(passage: Passage) -> Source:
    """Return the source that says *passage*, and hides nothing."""
    heard = Heard((passage,))
    return Source(heard, heard)


def _pair(full: Passage, public: Passage) -> Source:
    return same(public) if full == public else Source(Heard((full,)), Heard((public,)))
