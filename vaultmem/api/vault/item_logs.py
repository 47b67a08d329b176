"""Item logs: what a framework's session goes on from, kept beside the talk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import get_args

from vaultmem import arguments
from vaultmem.api import json_values
from vaultmem.api.vault.runtime import Part
from vaultmem.config import agent_name
from vaultmem.documents.markdown import blocks
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, SwitchedOff
from vaultmem.memory import sessions as memory_sessions
from vaultmem.records import first_line
from vaultmem.storage import files, item_logs, tombstones
from vaultmem.storage.item_logs import Item, ItemLog, Mark
from vaultmem.storage.plan import Append, Plan
from vaultmem.storage.tombstones import MARK

__all__ = ["Item", "ItemLog", "ItemLogs", "Mark"]

_SHOWN = 60


@arguments.checked
class ItemLogs(Part):
    """Append the items of frameworks' sessions, and return those that a session goes on from.

    Items are JSON objects, kept as they are but for private parts and credentials, and for what was
    forgotten. Each append is on disk when it returns; its commit comes with the next.
    """

    def append(
        self, name: Sequence[str], items: Sequence[Item], *, agent: str = "", key: str = ""
    ) -> tuple[Item, ...]:
        """Add *items* to the log of that *name*; return those that were added, as they are kept.

        With a *key* an item is left out whose value of it one has that the log holds now. Raises
        SwitchedOff for an agent or session that the config switches off, BadInput for what are no
        JSON objects.
        """
        arguments.check_objects("items", items)
        self._store.sync_names()
        who = self._writer(name, agent)
        kept = [self._kept(item, who) for item in items]

        def step() -> tuple[Item, ...]:
            known = self._known(who, name, key) if key else frozenset[str]()
            fresh = item_logs.fresh(kept, known, key)
            if fresh:
                added = item_logs.append(self._store.root, who, name, fresh)
                self._apply(who, name, added)
                if key:
                    size = added.at + len(added.data)
                    self._keys[added.path, key] = size, known | item_logs.values(added.data, key)
            return fresh

        return self._store.retry(step, scan=False)

    def mark(self, name: Sequence[str], mark: Mark, *, agent: str = "") -> tuple[Item, ...]:
        """Say that the last item was taken back, or all was cleared; return what that was.

        The log keeps it, and the transcript what was said; `forget` takes words out of both.
        """
        if mark not in get_args(Mark):
            raise BadInput(f"a mark is one of {', '.join(get_args(Mark))}, not {quoted(mark)}")
        self._store.sync_names()
        who = self._writer(name, agent)

        def step() -> tuple[Item, ...]:
            held = self._read(who, name)
            gone = held if mark == "cleared" else held[-1:]
            if gone:
                added = item_logs.append(self._store.root, who, name, (), mark)
                self._apply(who, name, added)
            return tuple(gone)

        return self._store.retry(step, scan=False)

    def read(self, name: Sequence[str], *, agent: str = "") -> tuple[Item, ...]:
        """Return the items that the log of that *name* holds now, in order; none without one."""
        return tuple(self._read(agent_name(self._store.agent(agent)), name))

    def list(self, *, agent: str = "") -> tuple[ItemLog, ...]:
        """Return the logs of *agent* that were begun, each with when it was added to last."""
        return tuple(item_logs.listed(self._store.root, agent_name(self._store.agent(agent))))

    def _writer(self, name: Sequence[str], agent: str) -> str:
        if not name:
            raise BadInput("a log needs a name: give one word or more")
        config, who = self._store.config(), agent_name(self._store.agent(agent))
        for word in name:
            memory_sessions.named(word)
        if who in config.disabled_agents:
            raise SwitchedOff("agent", who)
        if off := next((word for word in name if word in config.disabled_sessions), ""):
            raise SwitchedOff("session", off)
        return who

    def _kept(self, item: Item, agent: str) -> Item:
        public = json_values.public(item, is_record=True)
        forgotten = tombstones.load(self._store)
        if forgotten.all:
            public = item_logs.masked(
                public, lambda text: bool(forgotten.of(*blocks.passages(text), agent=agent)), MARK
            )
        if not isinstance(public, Mapping):
            raise BadInput(f"an item is a JSON object, not {type(item).__name__!r}")
        return public

    def _read(self, agent: str, name: Sequence[str]) -> Sequence[Item]:
        return item_logs.parse(self._store.texts.read(item_logs.path(agent, name)) or b"")

    @cached_property
    def _keys(self) -> dict[tuple[str, str], tuple[int, frozenset[str]]]:
        """The values of a key in a log, by its path and the key, as it was at that size."""
        return {}

    def _known(self, agent: str, name: Sequence[str], key: str) -> frozenset[str]:
        """Return the values of *key* in a log; it is read anew when somebody added to it."""
        path = item_logs.path(agent, name)
        there = files.stamp(self._store.root, path)
        size, known = self._keys.get((path, key), (0, frozenset[str]()))
        if there is not None and there.size != size:
            data = self._store.texts.own(path) or b""
            size, known = len(data), item_logs.values(data, key)
            self._keys[path, key] = size, known
        return known

    def _apply(self, agent: str, name: Sequence[str], step: Append) -> None:
        subject = f"items({agent}): {first_line('/'.join(name), _SHOWN)}"
        self._store.apply(Plan(self._store.mint(), "items", subject, (step,), agent, name[-1]))
