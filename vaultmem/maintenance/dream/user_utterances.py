"""What users said, in memories and in turns of sessions: what facts about persons are drawn from.

Never what an agent, a tool or a dream said. What answers and asks in between is heard along, since
a short answer is understood by its question alone.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from vaultmem.knowledge.cards import persons
from vaultmem.nlp.tasks import Utterance
from vaultmem.records import PERSON_SOURCES, PERSONS, Record, moment
from vaultmem.storage import transcript_files, transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.turn_names import TurnName
from vaultmem.storage.ulids import minted_at

MOST = 2000
"""So many utterances are listened to, the newest ones."""

_OWN = PERSON_SOURCES | {""}
_MACHINES = frozenset({"agent", "ai", "assistant", "bot", "model", "system", "tool"})


@dataclass(frozen=True, slots=True)
class UserStatement:
    """Something that was said, and its source as memories name theirs.

    *new* tells whether it came into the vault since the last dream, whenever it was said.
    """

    utterance: Utterance
    source: str
    new: bool


def collect(store: Store, memories: Iterable[Record], since: str) -> tuple[UserStatement, ...]:
    """Return what was said, among *memories* and in transcripts, the newest at the end.

    What came into the vault after *since* is new; of "" everything is.
    """
    after = moment(since).timestamp() if since else 0.0
    machines = _MACHINES | {agent.lower() for agent in store.agents()}
    owner = store.config().owner
    remembered = _remembered(memories, after, machines, owner)
    said = enumerate(chain(remembered, _from_transcripts(store, after, owner)))
    newest = heapq.nlargest(MOST, said, key=lambda it: (it[1].utterance.at, it[0]))
    return tuple(statement for _, statement in reversed(newest))


def _remembered(
    memories: Iterable[Record], after: float, machines: frozenset[str], owner: str
) -> Iterator[UserStatement]:
    for it in memories:
        own = it.source in _OWN and it.trust in PERSONS
        brought = it.source == "import" and it.trust != "untrusted"
        if not (own or brought):
            continue
        role = "assistant" if it.speaker.lower() in machines else "user"
        speaker = persons.speaker(it.speaker, owner)
        session = it.session or it.stem
        talk = it.session or f"memories of {it.agent}"  # those of no session follow each other
        utterance = Utterance(it.body.strip(), speaker, role, it.created, it.stem, session, talk)
        yield UserStatement(utterance, "user" if own else "import", minted_at(it.id) > after)


def _from_transcripts(store: Store, after: float, owner: str) -> Iterator[UserStatement]:
    for found in transcript_files.every(store.root):
        new = found.stamp.mtime_ns / 1e9 > after
        transcript = transcripts.load_if_allowed(store.root, found.path)
        marked = store.hand_turns.marked(transcript) if transcript else None
        for n, turn in enumerate(marked.turns if marked else (), 1):
            if turn.by_hand:
                continue
            speaker = persons.speaker(turn.speaker, owner)
            said = Utterance(
                turn.content, speaker, turn.role, turn.at, str(TurnName(found.path, n)), found.path
            )
            yield UserStatement(said, "import" if turn.origin else "user", new)
