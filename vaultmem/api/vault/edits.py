"""Edits by a person, through a program: a whole text for the one that was read, as one commit."""

from __future__ import annotations

from vaultmem import arguments
from vaultmem.api.agent_files import paths
from vaultmem.api.vault.runtime import Part
from vaultmem.documents import public_text
from vaultmem.errors import BadInput, Refused, StaleWrite
from vaultmem.memory import pointed_index
from vaultmem.records import first_line
from vaultmem.storage import files, human_edits, plan, reader, tombstones
from vaultmem.storage.files import sha256
from vaultmem.storage.plan import Plan, WrittenFile

_SUBJECT = 60
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
        """Let the file at *path* say *text*, where its bytes still have the sha-256 expected.

        *text* is the whole file, as far as it may be shown: private parts stay. Line ends are kept.
        Raises StaleWrite when somebody else was faster, Refused for what is never edited or was
        forgotten, HeldBack where a private part would be touched, and Uncommitted where git does
        not have what would go.
        """
        paths.given(path)
        self._store.sync_soon()
        own = self._store.own_alone(path)
        if own is None or sha256(own) != expected_sha256.lower():
            raise StaleWrite(path, expected_sha256, None if own is None else sha256(own))
        if why := self.why_not(path, reader.record(path, files.content(own)).type):
            raise Refused(f"{path} is not edited: {why}")
        new = _with_ends(text, own).encode()
        if not new.strip():
            raise BadInput("the text is empty: forget the file instead")
        before = public_text.public(path, own).decode("utf-8", "replace")
        tombstones.refuse(self._store, *_added(before, text))
        change = plan.edit(path, own, new, "a person's edit")
        if change.new == own:
            return WrittenFile(path, sha256(own), existed=True)
        human_edits.keep(self._store, [change])
        op = self._store.mint()
        listed = pointed_index.change(self._store, [change])
        subject = f"edit(person): {first_line(reason or path, _SUBJECT)}"
        self._store.apply(Plan(op, "edit", subject, (change, *listed), notes=(path,)))
        commit, why = human_edits.commit_of(self._store, op, path)
        return WrittenFile(path, sha256(change.new or b""), commit, uncommitted=why)


def _with_ends(text: str, own: bytes) -> str:
    """Return *text*, as a browser sends it, with the line ends that the file has."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain.replace("\n", "\r\n") if b"\r\n" in own else plain


def _added(before: str, after: str) -> list[str]:
    known = set(before.split("\n"))
    return [line for line in after.replace("\r", "").split("\n") if line not in known]
