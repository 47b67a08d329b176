"""History: what was done, as sentences; one operation with its diff and what undoing it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.api.agent_scope import AgentScope
from vaultmem.api.rendering import plan_diff
from vaultmem.api.types import Operation
from vaultmem.errors import Unavailable, VaultError
from vaultmem.records import moment
from vaultmem.web.rendering import diffs
from vaultmem.web.rendering.diffs import FileDiff
from vaultmem.web.types import Asked, Page, Reader

_MOST = 60
_PAST = 2000


@dataclass(frozen=True, slots=True)
class Undo:
    """What undoing an operation would change; *refused* says why it cannot be undone.

    *what* names all that goes, where one commit does not tell of it.
    """

    op: str
    files: tuple[FileDiff, ...] = ()
    refused: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """Operations, newest first; *undo* is that of the newest one."""

    operations: Sequence[Operation]
    undo: Undo | None
    before: str
    no_history: str = ""


def recent(reader: Reader, asked: Asked, most: int) -> Sequence[Operation]:
    """Return the newest *most* operations up to the moment asked for; raises Unavailable."""
    if agent := asked.options.agent:
        # What others did is not for this agent to see.
        known = {c.commit for c in reader.vault.history.commits(agent=agent, limit=_PAST)}
        found = [it for it in reader.vault.log(_PAST) if it.commit in known]
    else:
        found = list(reader.vault.log(_PAST if asked.as_of else most))
    if asked.as_of:
        found = [it for it in found if moment(it.when) <= reader.view.when]
    return found[:most]


def name(operation: Operation) -> str:
    """Return what an operation is undone by: its id, else its commit's."""
    return operation.ops[-1] if operation.ops else operation.commit


def query(reader: Reader, asked: Asked) -> History:
    """Return the operations, a page of them."""
    page = max(_whole(asked.fields.get("page", "1")), 1)
    try:
        found = recent(reader, asked, _MOST * page + 1)
    except Unavailable as e:
        return History((), None, "", str(e))
    shown = found[_MOST * (page - 1) : _MOST * page]
    newest = shown[0] if shown and page == 1 and asked.may_write else None
    undo = undone(reader, asked, name(newest)) if newest else None
    return History(shown, undo, str(page + 1) if len(found) > _MOST * page else "")


def undone(reader: Reader, asked: Asked, op: str) -> Undo:
    """Return what undoing *op* would change."""
    try:
        plan = reader.vault.plan_undo(op)
    except VaultError as e:
        return Undo(op, refused=str(e))
    files = files_of(asked, reader.vault.store.texts.without_hidden(plan_diff(plan)))
    return Undo(op, files, what=reader.vault.history.taken_back(plan))


def files_of(asked: Asked, diff: str) -> tuple[FileDiff, ...]:
    """Return *diff* file by file, as whoever asks may see it."""
    return diffs.parsed(AgentScope(asked.options.agent).visible_diff(diff))


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1  # noqa: PLR2004


PAGE = Page("/history", "History", "history.html", query)
