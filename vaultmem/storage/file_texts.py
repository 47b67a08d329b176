"""What the files of a vault say: their own bytes, and what may be told of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vaultmem.documents import public_text
from vaultmem.errors import DiskRefused, HeldBack, Refused
from vaultmem.records import Record
from vaultmem.storage import files, hidden_texts, reader, withheld_lines
from vaultmem.storage.files import Content, Root
from vaultmem.storage.index import Index
from vaultmem.storage.plan import Change, edit


@dataclass(frozen=True)
class FileTexts:
    """Reads files: as they are, or without what they and others hide; plans changes of either."""

    root: Root
    index: Index
    is_attested: Callable[[bytes], bool]
    """Tells whether a file with these bytes was given the trust that it claims."""

    def read(self, path: str) -> bytes | None:
        """Return what may leave a file, as bytes, None when there is none.

        A plan that is made on it changes the file's own bytes accordingly, see `owned`.
        """
        data = self.own(path)
        return None if data is None else self.public(path, data)

    def public(self, path: str, data: bytes) -> bytes:
        """Return what may leave the file at *path*, whose bytes are *data*.

        Of one that was made from others not what those hide.
        """
        return self._told(path, public_text.public(path, data), data)

    def _told(self, path: str, public: bytes, own: bytes) -> bytes:
        """Return *public* without lines that say what others hide, if it was made from others.

        That is the public text of the file at *path*, whose *own* bytes tell which lines hide
        something themselves.
        """
        if not withheld_lines.has_made(path, public):
            return public
        hidden = hidden_texts.known(self.index)
        lines = hidden_texts.unborne(self.index, path)
        return withheld_lines.told(path, public, hidden, own, lines)

    def withheld(self, path: str, own: bytes) -> frozenset[int]:
        """Return which lines of the file at *path*, from 0, say what others hide, and are not told.

        Its *own* bytes hide nothing in them.
        """
        public = public_text.public(path, own)
        texts = (own, public, self._told(path, public, own))
        lines = (it.decode("utf-8", "surrogateescape").splitlines() for it in texts)
        every = enumerate(zip(*lines, strict=False))
        return frozenset(n for n, (mine, shown, told) in every if mine == shown != told)

    def without_hidden(self, text: str) -> str:
        """Return *text*, of which git has a version, without lines that say what is hidden now."""
        return withheld_lines.masked(text, hidden_texts.known(self.index))

    def read_if_allowed(self, path: str) -> bytes | None:
        """Like `read`, None also where the system refuses: for callers that only list files."""
        with contextlib.suppress(DiskRefused):
            return self.read(path)
        return None

    def own_if_allowed(self, path: str) -> bytes | None:
        """Like `own`, None also where the system refuses: for callers that only measure files."""
        with contextlib.suppress(DiskRefused):
            return self.own(path)
        return None

    def is_gone(self, path: str) -> bool:
        """Tell whether there is no file at *path*; one that cannot be read is there."""
        with contextlib.suppress(DiskRefused):
            return self.read(path) is None
        return False

    def own(self, path: str) -> bytes | None:
        """Return a file's own bytes, which are to be written again or compared, and not shown."""
        found = files.read(self.root, path)
        return found.data if found else None

    def own_alone(self, path: str) -> bytes | None:
        """Like `own`; raises Refused for a file that has another name, which may be anywhere."""
        found = files.read(self.root, path)
        if found and files.is_known_elsewhere(self.root, path, found):
            raise Refused(
                f"{path} has another name (a hard link), so it may be somebody else's file: a "
                "person may put a copy in its place"
            )
        return found.data if found else None

    def owned(self, change: Change) -> Change:
        """Return *change*, made on what `read` returned, as one of the file's own bytes.

        Or on the public text with the lines that are withheld. In a person's note these stay where
        their mark does: some may be the person's.
        Raises HeldBack when it would touch what is not public.
        """
        now = None if change.old is None else self.own(change.path)
        if now is None or now == change.old:
            return change
        public = public_text.public(change.path, now)
        told = self._told(change.path, public, now)
        if change.old not in (public, told):
            return change  # somebody wrote: the writer says so
        if change.new is None:
            return change._replace(old=now)
        new = change.new
        if change.old != public and withheld_lines.has_answers(change.path, public):
            new = withheld_lines.restored(public, told, new)
        return edit(change.path, now, new, change.reason)

    def may_change(self, change: Change) -> bool:
        """Tell whether *change* touches nothing that is not public; see `owned`."""
        try:
            self.owned(change)
        except HeldBack:
            return False
        return True

    def load(self, record: Record) -> Record:
        """Return *record* with the text and sha its file has now; as it is when that is gone."""
        (now,) = self.now_at([(record.path, record.sha)])
        return now or record

    def now_at(self, planned: Sequence[tuple[str, str]]) -> list[Record | None]:
        """Return the records of the files at some paths as they are now, None for one that is gone.

        What bytes with the sha that a path is *planned* with say was read before.
        """
        with files.reading_many(self.root) as read:
            found = [(path, sha, read(path)) for path, sha in planned]
        same = [path for path, sha, content in found if content and content.sha == sha]
        known = {record.path: record for record in self.index.at(same)} if same else {}

        def now(path: str, sha: str, content: Content | None) -> Record | None:
            if content is None:
                return None
            record = known.get(path)
            return record if record and record.sha == sha else self._fresh(path, content)

        return [now(*it) for it in found]

    def _fresh(self, path: str, content: Content) -> Record:
        return self.index.marked(self.record(path, content))

    def record(self, path: str, content: Content) -> Record:
        """Return what *content* says, with the trust that it was given if that is attested."""
        public = public_text.of_bytes(content.data)
        whole = public.text.encode("utf-8", "surrogateescape") if public.hidden else content.data
        told = self._told(path, whole, content.data)
        if told == whole:
            return self._trusted(reader.public_record(path, content, public), content)
        record = reader.record(path, content._replace(data=told))
        return self._trusted(replace(record, held=public.held, withheld=True), content)

    def _trusted(self, record: Record, content: Content) -> Record:
        if record.claimed and self.is_attested(content.data):
            return replace(record, trust=record.claimed, claimed="")
        return record
