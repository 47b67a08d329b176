"""What is said in the history alone, for all clones: what may be gone, what is to be trusted.

Each is an operation that writes no file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from vaultmem.errors import Unavailable
from vaultmem.storage import attestation_notes, ledger
from vaultmem.storage.ledger import LET_GO, RELEASE, left_commits
from vaultmem.storage.plan import Plan
from vaultmem.storage.writer import Writer


def accept_missing(writer: Writer) -> None:
    """Believe that what HEAD lacks, and is not on disk, may be gone; a history, too."""
    commits = writer.commits
    with contextlib.suppress(Unavailable):
        if commits.has_lost_history():
            writer.forget_history()
            return
        missing = writer.missing(whole=True)
        gone = [m.id for m in missing if not commits.is_here(m)]
        let_go(writer, gone, left_commits.operations(commits.left()))
        if commits.thrown():
            commits.acknowledged.accept_thrown()


def let_go(writer: Writer, memories: Sequence[str], operations: Sequence[str] = ()) -> None:
    """Answer no more for *memories*, by id, as a person says.

    Nor for *operations* whose commits left HEAD. Raises what `Writer.writing` does.
    """
    if memories or operations:
        count = len(memories) + len(operations)
        noun = "operation" if operations else "memory"
        nouns = "operations" if operations else "memories"
        many = f"{count} missing {nouns}" if count > 1 else f"a missing {noun}"
        notes = [*map(ledger.release_note, memories), *map(ledger.operation_note, operations)]
        _note(writer, RELEASE, many, notes)
        writer.commits.acknowledged.release(memories, LET_GO)


def attest(writer: Writer, blobs: Sequence[str]) -> None:
    """Say that the files with these *blobs* were given the trust they claim.

    Raises what `Writer.writing` does.
    """
    many = f"{len(blobs)} files" if len(blobs) > 1 else "a file"
    notes = [*map(attestation_notes.note, blobs)]
    _note(writer, attestation_notes.ATTEST, f"the trust of {many}", notes)


def _note(writer: Writer, kind: str, what: str, notes: Sequence[str]) -> None:
    with writer.writing() as carry_out:
        op = writer.mint()[0]
        carry_out(Plan(op, kind, f"{kind}: {what}", (), trust="user", notes=tuple(notes)))
