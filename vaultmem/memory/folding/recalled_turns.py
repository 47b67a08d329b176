"""The turns of a session that recall may find, each told as a memory is.

They are what people said: no call, no mark of what was forgotten, and nothing in which nobody says
anything. What an agent said is told by episodes, which are compared with what its tools had said in
this and other sessions; of a turn nobody could tell that for good, for such a session may still
come from another machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from vaultmem.memory.folding import material, pleasantries
from vaultmem.records import Record
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.transcripts import Transcript, Turn
from vaultmem.storage.turn_names import TurnName


def records(transcript: Transcript, first: int = 1) -> Iterator[Record]:
    """Yield the turns of *transcript* that may be told, from number *first* on, in order.

    The sha of each is that of what it says. An importer's word is worth what an import's is.
    """
    for number, turn in enumerate(transcript.turns, 1):
        if number >= first and turn.role == "user" and _says_something(turn):
            yield _record(transcript, number, turn)


def _says_something(turn: Turn) -> bool:
    is_left = bool(turn.content.replace(MARK, "").strip())
    return is_left and material.is_spoken(turn) and not pleasantries.are_all([turn])


def _record(transcript: Transcript, number: int, turn: Turn) -> Record:
    trust, body = material.trust_of(turn), turn.content.strip()
    name = str(TurnName(transcript.path, number))
    session, agent = transcript.session, transcript.agent
    said = f"{turn.at}\0{turn.speaker}\0{turn.role}\0{trust}\0{session}\0{body}"
    return Record(
        name,
        sha256(said.encode("utf-8", "surrogatepass")).hexdigest(),
        id=f"{number:09}",
        type="memory",
        agent=agent,
        created=turn.at,
        source="user",
        trust=trust,
        session=session,
        speaker=turn.speaker,
        body=body,
        body_line=number,
    )
