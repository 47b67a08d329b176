"""Decide whether a record is new, known, or was changed at its source since it came in.

A memory is never rewritten: a changed record is one more version of it, with an origin of its own
behind the record's, and the memory that it becomes supersedes those of the earlier versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from hashlib import sha256

from vaultmem.exchange.importing.message_reader import Line
from vaultmem.exchange.importing.types import KNOWN, KNOWN_WITHOUT
from vaultmem.memory.remember import MemoryInput
from vaultmem.records import iso
from vaultmem.storage import accepted_text
from vaultmem.storage.index import Index
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.transcripts import Turn

OLDER = "an older version of what is here, which stays"
CHANGED = "changed at its source: the earlier one is superseded"
CHANGED_TURN = "changed at its source: what it says now is a turn of its own"

BEHIND = "@"
"""Stands between the origin of a record and what tells a later version of it apart."""

_DIGITS = 12
_VERSION = re.compile(rf"{BEHIND}[0-9a-f]{{{_DIGITS}}}$")
MENTION = re.compile(r"\([^()\n]{1,80}\)")
"""What stands for the words of a tool, where an assistant repeats them."""

_QUOTED = re.compile(r"[^()]*")
_FEWEST_QUOTED = 6
"""Words that an assistant repeats of a tool, at least, where a mention stands for them."""


@dataclass(frozen=True, slots=True)
class Version:
    """A record as it came in once: its *origin*, what it says here, when; and what came in."""

    origin: str
    text: str
    at: str
    first: str = ""
    """The digest of the text that came in, where that is known: a person may have edited it."""

    def says(self, text: str) -> bool:
        """Tell whether *text* came in as this version, however it is spaced."""
        return self.came_as(accepted_text.digest(text))

    def came_as(self, digest: str) -> bool:
        """Tell whether a text of *digest* came in as this version."""
        return digest in {self.first, accepted_text.digest(self.text)}

    @property
    def is_forgotten(self) -> bool:
        """Tell whether words of it were taken away here: none can be compared with it."""
        return not self.text.strip() or MARK in self.text


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of a *line*: a memory or turn, *changed* where it was another, or *why* not."""

    line: Line
    said: MemoryInput | None = None
    why: str = ""
    changed: bool = False


@dataclass(slots=True)
class Versions:
    """The versions of records that are here, by the record's origin; *known* ones have none."""

    known: frozenset[str] = frozenset()
    held: dict[str, list[Version]] = field(default_factory=dict)

    def outcomes(self, read: Iterable[Line]) -> list[Outcome]:
        """Return what becomes of each line of *read*, which come in one after the other."""
        return [self._outcome(line, line.said) for line in read if line.said]

    def _outcome(self, line: Line, said: MemoryInput) -> Outcome:
        held = self.held.setdefault(said.origin, [])
        if not held and said.origin in self.known:
            return Outcome(line, why=KNOWN)
        if held and (why := _why_left(said, line.whole, held)):
            return Outcome(line, why=why)
        new = _next(said, held) if held else said
        held.append(Version(new.origin, new.text, iso(new.created)))
        return Outcome(line, new, changed=new is not said)


def of_memories(
    index: Index, agent: str, origins: AbstractSet[str], more: AbstractSet[str]
) -> Versions:
    """Return what *agent* has of the records *origins*; *more* of these are known besides."""
    found = Versions(index.origins(agent, list(origins)) | more)
    for origin, at, text, first in index.versions(agent, origins, BEHIND):
        found.held.setdefault(_record(origin, origins), []).append(Version(origin, text, at, first))
    return found


def of_turns(turns: Iterable[Turn], origins: AbstractSet[str]) -> Versions:
    """Return what *turns* of a session hold of the records *origins*."""
    found = Versions()
    for turn in turns:
        if turn.role == "tool":  # of what it answered more or less may be kept
            found.known |= {turn.origin}
        elif (record := _record(turn.origin, origins)) in origins:
            found.held.setdefault(record, []).append(Version(turn.origin, turn.content, turn.at))
    return found


def _record(origin: str, origins: AbstractSet[str]) -> str:
    """Return the origin of the record that a version's *origin* is of."""
    return origin if origin in origins else record(origin)


def _why_left(said: MemoryInput, whole: str, held: Sequence[Version]) -> str:
    """Say why *said* brings nothing to what is *held* of its record, "" where it was changed."""
    newest = max(held, key=lambda it: it.at)
    *_, newest = (it for it in held if it.at == newest.at)
    if any(it.is_forgotten for it in held):
        is_whole_again = MARK in newest.text and MARK not in said.text
        return KNOWN_WITHOUT if is_whole_again else KNOWN
    if _is_in(newest, said, whole):
        return KNOWN
    is_later = said.dated and iso(said.created) > newest.at
    if not is_later and any(_is_in(it, said, whole) for it in held):
        return KNOWN
    return OLDER if said.dated and iso(said.created) < newest.at else ""


def _is_in(held: Version, said: MemoryInput, whole: str) -> bool:
    texts = filter(None, (said.text, whole))
    is_quoting = said.role == "assistant" and _stands_for(held.text, whole or said.text)
    return is_quoting or any(map(held.says, texts))


def _stands_for(short: str, text: str) -> bool:
    """Tell whether *short* is *text* with mentions of a tool for what it repeats of that."""
    parts, at = MENTION.split(short.strip()), 0
    for n, part in enumerate(parts):
        found = text.find(part, at) if part.strip() else at
        if n and part.strip() and not _is_quoted(text[at:found]):
            return False
        if found < 0 or (not n and found):
            return False
        at = found + len(part) if part.strip() else at
    return len(parts) > 1 and (not text[at:].strip() or _is_quoted(text[at:]))


def _is_quoted(text: str) -> bool:
    return len(text.split()) >= _FEWEST_QUOTED and bool(_QUOTED.fullmatch(text))


def _next(said: MemoryInput, held: Sequence[Version]) -> MemoryInput:
    """Return what is *said* as the next version of its record, instead of what is *held*."""
    when = iso(said.created) if said.dated else ""
    words = f"{said.text}\x1f{when}".encode("utf-8", "surrogatepass")
    origin = _later(said.origin, words)
    ended = tuple(dict.fromkeys((*said.supersedes, *(it.origin for it in held))))
    return replace(said, origin=origin, supersedes=ended)


def record(origin: str) -> str:
    """Return the origin of the record that *origin* is a version of, itself where it is none."""
    return _VERSION.sub("", origin)


def later(origin: str, after: str) -> str:
    """Return what names the record *origin* once more, after what came in as *after*."""
    return _later(origin, after.encode("utf-8", "surrogatepass"))


def _later(origin: str, told_apart: bytes) -> str:
    return f"{origin}{BEHIND}{sha256(told_apart).hexdigest()[:_DIGITS]}"


def fresh(outcomes: Iterable[Outcome]) -> Iterator[MemoryInput]:
    """Yield what comes in of *outcomes*."""
    yield from (it.said for it in outcomes if it.said)
