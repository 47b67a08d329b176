"""The turns of a session that recall may find, each told as a memory is.

They are what people and agents said in words of their own: no tool's answer nor what repeats one,
no call, no note of the program's, no mark of what was forgotten, and nothing in which nobody says
anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from vaultmem.memory.folding import material, own_calls, pleasantries
from vaultmem.memory.tool_quotes import trusted_words
from vaultmem.records import Record
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.transcripts import VOICES, Transcript, Turn
from vaultmem.storage.turn_names import TurnName

_BESIDE = 256 * 1024
"""Characters before what a session said last, in which a tool may have said the same."""


def records(store: Store, transcript: Transcript, first: int = 1) -> Iterator[Record]:
    """Yield the turns of *transcript* that may be told, from number *first* on, in order.

    The sha of each is that of what it says. An importer's word is worth what an import's is.
    """
    begin = _beginning(transcript.turns, first)
    part = transcript._replace(turns=transcript.turns[begin:])
    if begin:
        told = material.mentioned(part.turns, begin + 1, others=trusted_words.beside(store, part))
    else:
        told = material.told(store, transcript)
    for number, (turn, own) in enumerate(zip(part.turns, told, strict=True), begin + 1):
        if number < first:
            continue
        body = own_calls.without(own).strip()
        if not body.replace(MARK, "").strip():
            continue
        if turn.role in VOICES and material.is_spoken(own) and _says_something(own):
            yield _record(transcript, number, turn, body)


def _beginning(turns: Sequence[Turn], first: int) -> int:
    """Return how many of *turns* are too long ago to be compared with those from *first* on."""
    room = _BESIDE
    for at in range(first - 1, 0, -1):
        room -= len(turns[at - 1].content)
        if room < 0:
            return at
    return 0


def _says_something(turn: Turn) -> bool:
    return not pleasantries.are_all([turn])


def _record(transcript: Transcript, number: int, turn: Turn, body: str) -> Record:
    trust = material.trust_of(turn)
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
        source="user" if turn.role == "user" else "agent",
        trust=trust,
        session=session,
        speaker=turn.speaker,
        body=body,
        body_line=number,
    )
