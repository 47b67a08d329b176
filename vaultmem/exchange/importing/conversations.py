"""Which session a conversation has here: the one it came in as, whatever it is called by now.

A program names a session by the title of the conversation, which people change; its messages have
origins that begin with what names the conversation for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from vaultmem.exchange.importing.message_reader import Line
from vaultmem.storage import transcript_files, transcripts
from vaultmem.storage.store import Store

_Named = tuple[str, str]
"""Whose a conversation is, and what names it."""


@dataclass(slots=True)
class Conversations:
    """The sessions of conversations, *as_turns* those that have a transcript; read once asked."""

    store: Store
    as_turns: bool
    sessions: dict[_Named, str] = field(default_factory=dict)
    agents: set[str] = field(default_factory=set)

    def placed(self, line: Line) -> Line:
        """Return *line* in the session that its conversation has here."""
        said, heard = line.said, line.item.heard
        if said is None or heard is None or not said.session or heard.key == heard.session:
            return line
        named = said.agent, said.origin.rpartition("/")[0]
        if named not in self.sessions:
            self.sessions[named] = self._known(*named) or said.session
        return replace(line, said=replace(said, session=self.sessions[named]))

    def _known(self, agent: str, key: str) -> str:
        if self.as_turns:
            if agent not in self.agents:
                self.agents.add(agent)
                self.sessions |= dict(self._transcripts(agent))
            return self.sessions.get((agent, key), "")
        came = self.store.index.from_origin(key)
        return next((it.session for it in came if it.agent == agent and it.session), "")

    def _transcripts(self, agent: str) -> Iterator[tuple[_Named, str]]:
        root = self.store.root
        for each in transcript_files.every(root):
            found = transcripts.load_if_allowed(root, each.path) if each.agent == agent else None
            if found and found.session:
                for key in {turn.origin.rpartition("/")[0] for turn in found.turns} - {""}:
                    yield (agent, key), found.session
