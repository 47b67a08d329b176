"""The store: LangGraph's operations, carried out on the notes of a vault."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

from vaultmem.api import json_values
from vaultmem.api.agent_files import Missing, Page
from vaultmem.api.agent_files.incoming import Whose
from vaultmem.api.agent_files.service import Reach
from vaultmem.api.agent_memory.session_memory import Opening
from vaultmem.api.rendering import public_text, quoted
from vaultmem.api.threaded import Uncopied, Worker
from vaultmem.api.types import LONGEST_QUERY, Scope
from vaultmem.api.vault import Vault
from vaultmem.errors import BadInput, NotFound, VaultError
from vaultmem.integrations import construction
from vaultmem.integrations.extras import needs
from vaultmem.integrations.langgraph import items, matching, operations
from vaultmem.integrations.langgraph.items import StoredItem

with needs("langgraph", "langgraph>=1.2"):
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
    )

_DEPTH = 64
"""Folders that a namespace may lie deep."""
_MOST_HITS = 50
_SHOWN = 60
"""Characters of a key that a commit names."""
_TELLING = (
    "a namespace or a key holds a private part or a credential, and names a file: take that out; "
    "nothing was stored"
)
_PUT, _DELETE = "langgraph: put {key}", "through LangGraph's store"


class VaultStore(Uncopied, BaseStore):
    """A vault as a store of LangGraph: each item is a note, below `notes/langgraph/`.

    Any thread and any event loop may ask it; the vault lives on a thread of its own. The vault's
    laws hold:

    - `put` on a key that is there writes a new version: git keeps the one before.
    - `delete` forgets the item and leaves a tombstone; the same value is refused for that key
      from then on, and `vaultmem forget` purges it from the history.
    - Private parts are left out of values, credentials are blanked out. `ttl` is not supported.
    - A value that names where it was fetched (`url`, `source: web`) is untrusted, and so is one
      that repeats what a tool said: `get` returns it, `search` and the vault's recall do not.
    - `search` with a query ranks as recall does: what does not match comes last, without a score.
      Of a longer query its first 4096 characters count. `index=False` keeps an item from being
      found by words; the names of fields as `index` choose none: the whole value is found.
    """

    __slots__ = ("_agent", "_worker")

    def __init__(self, path: str | Path = ".", *, agent: str = "", **how: Unpack[Opening]) -> None:
        """Open the vault that *path* is or lies in; items are *agent*'s own, if one is named.

        Raises what `Vault.open` does, and BadInput for what can be no agent.
        """
        construction.check_agent(agent)
        self._agent = agent
        self._worker: Worker[Vault] = Worker()
        self._worker.make_and_wait(lambda: Vault.open(path, **how))

    def close(self) -> None:
        """Close the vault; twice is once."""
        self._worker.close_and_wait()

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Close the vault."""
        self.close()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Return what each of *ops* comes to: all is checked and read before anything is written.

        Raises InvalidNamespaceError for a namespace that is no tuple of strings, BadInput for what
        cannot be kept, and ValueError for what is no operation.
        """
        asked = operations.checked(ops)
        return self._worker.ask_and_wait(lambda vault: _Batch(vault, self._agent).run(asked))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Return what `batch` does, without blocking the event loop."""
        asked = operations.checked(ops)
        return await self._worker.ask(lambda vault: _Batch(vault, self._agent).run(asked))


@dataclass(frozen=True, slots=True)
class _Write:
    """The *text* that the note at *path* shall have, and *whose* it is; "" forgets the note."""

    path: str
    key: str
    text: str = ""
    whose: Whose = "agent"


class _Batch:
    """Operations on the items of one agent, on the thread of the vault."""

    def __init__(self, vault: Vault, agent: str) -> None:
        self._vault, self._reach = vault, vault.reach(agent)
        self._root = f"agents/{agent}/notes" if agent else "notes"

    def run(self, ops: list[Op]) -> list[Result]:
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        writes = [self._checked(put) for put in puts.values()]
        results = [self._read(op) for op in ops]
        self._write(writes)
        return results

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                return self._get(op)
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
        return None

    # --- reading ------------------------------------------------------------------------------

    def _get(self, op: GetOp) -> Item | None:
        path = items.path(self._root, op.namespace, op.key)
        try:
            page = self._reach.page(path, untrusted=True)
        except Missing:
            return None
        held = items.parse(page.text)
        if held is None:
            raise BadInput(f"{path} holds no item any more: mend the JSON in it, or remove it")
        return Item(value=held.value, key=held.key, namespace=held.namespace, **_times(page))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        folder = items.folder(self._root, op.namespace_prefix)
        scores = self._scores(op.query or "", folder) if (op.query or "").strip() else {}
        found = [
            (path, held, page)
            for path, held, page in self._all_below(folder)
            if matching.is_meant(held.value, op.filter)
        ]
        found.sort(key=lambda it: (_changed(it[2]), it[0]), reverse=True)
        found.sort(key=lambda it: -scores.get(it[0], 0.0) if it[1].indexed else 0.0)
        return [
            SearchItem(
                held.namespace, held.key, held.value, **_times(page),
                score=scores.get(path) if held.indexed else None,
            )
            for path, held, page in found[op.offset : op.offset + op.limit]
        ]  # fmt: skip

    def _scores(self, query: str, folder: str) -> Mapping[str, float]:
        hits = self._vault.recall(query[:LONGEST_QUERY], _MOST_HITS, Scope(below=folder)).hits
        return {hit.path: hit.score for hit in reversed(hits)}

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        every = {held.namespace for _, held, _ in self._all_below(items.folder(self._root, ()))}
        meant = (
            namespace[: op.max_depth]
            for namespace in every
            if all(
                matching.fits(namespace, each.match_type, each.path)
                for each in op.match_conditions or ()
            )
        )
        return sorted(set(meant))[op.offset : op.offset + op.limit]

    def _all_below(self, folder: str) -> Iterator[tuple[str, StoredItem, Page]]:
        if not self._reach.has_folder(folder):
            return
        for entry in self._reach.listing(folder, depth=_DEPTH):
            page = None if entry.folder else self._reach.page(entry.path)
            if page and (held := items.parse(page.text)):
                yield entry.path, held, page

    # --- writing ------------------------------------------------------------------------------

    def _checked(self, op: PutOp) -> _Write:
        """Return what *op* asks for; raises BadInput for what cannot be kept."""
        path = items.path(self._root, op.namespace, op.key)
        if op.value is None:
            return _Write(path, op.key)
        if any(public_text(word) != word for word in (*op.namespace, op.key)):
            raise BadInput(_TELLING)
        value = json_values.public(op.value)
        if not isinstance(value, dict):
            raise BadInput(f"the value of {quoted(op.key)} is no mapping; nothing was stored")
        text = items.render(StoredItem(op.namespace, op.key, value, op.index is not False))
        return _Write(path, op.key, text, json_values.whose(value))

    def _write(self, writes: Sequence[_Write]) -> None:
        """Carry out *writes*; where the vault refuses one, those before it are kept, and told."""
        reach = self._reach.delayed()
        for done, write in enumerate(writes):
            try:
                self._carry_out(reach, write)
            except VaultError as e:
                if done:
                    self._commit()
                    e.args = (f"{quoted(write.key)}: {e}; the {done} before it were stored",)
                raise
        if writes:
            self._commit()

    def _carry_out(self, reach: Reach, write: _Write) -> None:
        if write.text:
            reason = _PUT.format(key=write.key[:_SHOWN])
            reach.set_note(
                write.path, write.text, strategy="overwrite", reason=reason, whose=write.whose
            )
        elif reach.has_file(write.path):
            with contextlib.suppress(NotFound):  # another process was faster
                reach.remove(write.path, reason=_DELETE)

    def _commit(self) -> None:
        if not self._vault.watched:
            self._vault.history.commit_pending()


def _times(page: Page) -> dict[str, datetime]:
    made = str(page.frontmatter.get("created", ""))
    return {
        "created_at": datetime.fromisoformat(made),
        "updated_at": datetime.fromisoformat(_changed(page) or made),
    }


def _changed(page: Page) -> str:
    return str(page.frontmatter.get("updated") or page.frontmatter.get("created", ""))
