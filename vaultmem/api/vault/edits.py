"""Edits by a person, through a program: a whole text for the one that was read, as one commit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem import arguments
from vaultmem.api.agent_files import Missing, paths
from vaultmem.api.vault.runtime import Part
from vaultmem.api.vault.types import Draft
from vaultmem.documents import hidden_marks, line_ends
from vaultmem.errors import BadInput, HeldBack, Refused, StaleWrite
from vaultmem.knowledge import tasks
from vaultmem.memory import pointed_index
from vaultmem.records import first_line
from vaultmem.storage import files, human_edits, reader, tombstones
from vaultmem.storage.files import sha256
from vaultmem.storage.plan import Change, Plan, WrittenFile

_SUBJECT = 60
_WHY = "a person's edit"
_RAW = "a memory is never rewritten: correct it, and both stay"
_MARKER = "it records what was forgotten, or decided: `vaultmem undo` takes that back"
_NEVER = {"memory": _RAW, "tombstone": _MARKER, "supersession": _MARKER}
_FROZEN = ("tombstones/", "supersessions/", "inbox/review/")


@arguments.checked
class Edits(Part):
    """Write notes as a person edits them."""

    def why_not(self, path: str, kind: str) -> str:
        """Say why a person does not edit the file at *path*, of type *kind*; "" where one does."""
        if not files.is_note(path):
            return "a transcript is append-only"
        return _NEVER.get(kind, _MARKER if path.startswith(_FROZEN) else "")

    def write(self, path: str, text: str, *, expected_sha256: str, reason: str = "") -> WrittenFile:
        """Let the file at *path* say *text*, its draft as a form of a browser sends it back.

        The line ends are those of the file, whatever those of *text* are. Raises as `save` does.
        """
        own = self._unchanged(path, expected_sha256)
        draft = Draft(path, self._marked(path, own), expected_sha256)
        return self._saved(draft, line_ends.kept(draft.text, text), own, reason)

    def draft(self, path: str) -> Draft:
        """Return the file at *path* as a person edits it; raises Missing or Refused.

        A mark of its own stands for each part that is private or a credential, and for each line
        that says what another file hides.
        """
        self._store.sync_soon()
        own = self._store.texts.own_alone(paths.given(path))
        if own is None:
            raise Missing(path)
        self._refuse_never_edited(path, own)
        return Draft(path, self._marked(path, own), sha256(own))

    def _marked(self, path: str, own: bytes) -> str:
        return hidden_marks.marked(_text(own), self._store.texts.withheld(path, own))

    def save(self, draft: Draft, text: str, *, reason: str = "") -> WrittenFile:
        """Let the file of *draft* say *text*, byte for byte, with what its marks stand for.

        Raises StaleWrite when somebody else was faster, Refused for what is never edited or was
        forgotten, HeldBack where a mark is gone or there twice, Uncommitted where git does not have
        what would go, and BadInput for what could not be read any more, where the file can be now.
        """
        return self._saved(draft, text, self._unchanged(draft.path, draft.sha256), reason)

    def _saved(self, draft: Draft, text: str, own: bytes, reason: str) -> WrittenFile:
        _refuse_empty(text)
        withheld = self._store.texts.withheld(draft.path, own)
        made = hidden_marks.unmarked(_text(own), text, withheld)
        if made is None:
            raise HeldBack(draft.path)
        change = Change(draft.path, own, made.encode("utf-8", "surrogateescape"), _WHY)
        self._refuse_broken(change)
        return self._applied(change, own, _added(draft.text, text), reason)

    def _unchanged(self, path: str, expected_sha256: str) -> bytes:
        """Return the bytes of the file at *path*; raises StaleWrite, or Refused."""
        paths.given(path)
        self._store.sync_soon()
        own = self._store.texts.own_alone(path)
        if own is None or sha256(own) != expected_sha256.lower():
            raise StaleWrite(path, expected_sha256, None if own is None else sha256(own))
        self._refuse_never_edited(path, own)
        return own

    def _refuse_never_edited(self, path: str, own: bytes) -> None:
        if why := self.why_not(path, reader.record(path, files.content(own)).type):
            raise Refused(f"{path} is not edited: {why}")

    def _refuse_broken(self, change: Change) -> None:
        """Raise BadInput where the file can be read now, and could not after the *change*."""
        why = next(_faults(change.path, change.new), "")
        if why and not any(_faults(change.path, change.old)):
            raise BadInput(f"{change.path} could not be read any more, so it is as it was: {why}")

    def _applied(
        self, change: Change, own: bytes, added: Sequence[str], reason: str
    ) -> WrittenFile:
        path = change.path
        tombstones.refuse(self._store, *added)
        if change.new == own:
            return WrittenFile(path, sha256(own), existed=True)
        human_edits.keep(self._store, [change])
        op = self._store.mint()
        listed = pointed_index.change(self._store, [change])
        subject = f"edit(person): {first_line(reason or path, _SUBJECT)}"
        self._store.apply(Plan(op, "edit", subject, (change, *listed), notes=(path,)))
        commit, why = human_edits.commit_of(self._store, op, path)
        return WrittenFile(path, sha256(change.new or b""), commit, uncommitted=why)


def _text(own: bytes) -> str:
    return own.decode("utf-8", "surrogateescape")


def _refuse_empty(text: str) -> None:
    if not text.strip():
        raise BadInput("the text is empty: forget the file instead")


def _faults(path: str, data: bytes | None) -> Iterator[str]:
    """Yield what is wrong with the file at *path* by itself, whose bytes are *data*."""
    if data is None:
        return
    if found := reader.record(path, files.content(data)).problem:
        yield found.message
    elif tasks.is_place(path):
        yield from (f"{it.message}; {it.repair}" for it in tasks.read(path, data).problems)


def _added(before: str, after: str) -> list[str]:
    known = set(before.replace("\r", "").split("\n"))
    return [line for line in after.replace("\r", "").split("\n") if line not in known]
