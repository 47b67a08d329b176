"""One operation: what it changed, and what undoing it would change now."""

from __future__ import annotations

from dataclasses import dataclass

from vaultmem.api.rendering import quoted
from vaultmem.api.types import Operation
from vaultmem.errors import NotFound
from vaultmem.web.pages.history import Undo, files_of, name, recent, undone
from vaultmem.web.rendering.diffs import FileDiff
from vaultmem.web.types import Asked, Page, Reader

_LOOKED_AT = 2000


@dataclass(frozen=True, slots=True)
class OperationPage:
    """An operation with its diff, and what its undo would do; None where nothing is offered."""

    operation: Operation
    files: tuple[FileDiff, ...]
    undo: Undo | None


def query(reader: Reader, asked: Asked) -> OperationPage:
    """Return the operation that the address names; raises NotFound, Unavailable."""
    op = asked.rest.strip("/")
    known = recent(reader, asked, _LOOKED_AT)
    found = next(
        (it for it in known if op.upper() in it.ops or (len(op) > 6 and it.commit.startswith(op))),  # noqa: PLR2004
        None,
    )
    if found is None:
        raise NotFound(f"no operation {quoted(op)} in the history")
    wanted = op if op.upper() in found.ops else name(found)
    undo = undone(reader, asked, wanted) if asked.may_write else None
    return OperationPage(found, files_of(asked, reader.vault.diff(found.commit)), undo)


PAGE = Page("/operation/{rest:path}", "Operation", "operation.html", query)
