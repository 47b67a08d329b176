"""Transcripts of which something is forgotten: as they are, and with those words masked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat

from vaultmem.maintenance.forgetting import redaction
from vaultmem.maintenance.forgetting.redaction import Copies
from vaultmem.maintenance.forgetting.selection import TURN
from vaultmem.memory import folding
from vaultmem.records import Record
from vaultmem.storage import transcript_files, transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.transcripts import Transcript


@dataclass(frozen=True, slots=True)
class RedactedTranscript:
    """A transcript that says what is forgotten: its bytes as they are and as they shall be.

    Or that said it until another machine forgot it: *meant* are the numbers of the turns that go,
    and *said* is what these said.
    """

    path: str
    old: bytes
    new: bytes
    transcript: Transcript
    meant: frozenset[int] = frozenset()
    said: Mapping[int, str] = field(default_factory=dict)

    @property
    def before(self) -> bytes:
        """Its bytes before any machine forgot it."""
        lines = self.old.split(b"\n")
        for number, text in self.said.items():
            line = json.loads(lines[number - 1])
            if line["content"].strip() == MARK:
                lines[number - 1] = json.dumps(line | {"content": text}).encode()
        return b"\n".join(lines)

    @property
    def turns(self) -> tuple[transcripts.Turn, ...]:
        """Its turns as they shall be."""
        after = self.new.split(b"\n")
        pairs = zip(self.transcript.turns, after, self.old.split(b"\n"), strict=False)
        return tuple(
            replace(turn, content=str(json.loads(new)["content"])) if new != old else turn
            for turn, new, old in pairs
        )

    @property
    def silenced(self) -> Iterator[tuple[int, transcripts.Turn]]:
        """The turns of which nothing is left, as they are, with their numbers."""
        pairs = zip(self.transcript.turns, self.turns, strict=False)
        for number, (old, new) in enumerate(pairs, 1):
            if new.content == MARK and (old.content != MARK or number in self.meant):
                yield number, old


def redacted(
    store: Store, gone: Sequence[Record], copies_for: Callable[[str], Copies]
) -> tuple[RedactedTranscript, ...]:
    """Return the transcripts that hold one of *gone*, or copies of what these say.

    *copies_for* a speaker are those that this one may say.
    """
    found = (_redacted(store, f.path, gone, copies_for) for f in transcript_files.every(store.root))
    return tuple(each for each in found if each)


def is_of(episode: Record, transcript: Transcript) -> bool:
    """Tell whether *episode*, or a turn, is of that *transcript*."""
    return transcript_files.path(episode.agent, episode.session) == transcript.path


def _redacted(
    store: Store, path: str, gone: Sequence[Record], copies_for: Callable[[str], Copies]
) -> RedactedTranscript | None:
    old = store.texts.read(path) or b""
    transcript = transcripts.load(store.root, path)
    if transcript is None:
        return None
    here = [r for r in gone if r.type in {"episode", TURN} and is_of(r, transcript)]
    spans = {n for r in here for n in range(r.turn_start, r.turn_end + 1)}
    ends = {n for n, t in enumerate(transcript.turns, 1) if t.origin == folding.ENDED}
    origins = frozenset(r.origin for r in gone if r.agent == transcript.agent) - {""}
    numbers = frozenset(spans - ends)
    speakers = [turn.speaker for turn in transcript.turns]
    copies = {speaker: copies_for(speaker) for speaker in {"", *speakers}}
    made = {
        id(each): redaction.spoken(old, each.without, origins, numbers).split(b"\n")
        for each in copies.values()
    }
    lines = zip(chain(speakers, repeat("")), range(old.count(b"\n") + 1), strict=False)
    new = b"\n".join(made[id(copies[speaker])][n] for speaker, n in lines)
    if new == old and not numbers:
        return None
    said = {r.turn_start: r.body for r in here if r.type == TURN and r.turn_start == r.turn_end}
    return RedactedTranscript(path, old, new, transcript, numbers, said)
