"""The spool: conversations of Claude Code that wait to be taken in, a note of a few bytes each.

A hook has a moment, so it only notes where the transcript lies; `drain` imports it later, as turns.
`<key>.json` is a session to take in at once, `<key>.open.json` one that may still go on: it waits
until nobody has said anything for a while. `<key>.<time>.json` has been taken in as its transcript
was at that time, and waits for what is written behind it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.errors import (
    BadInput,
    DiskRefused,
    MassVanish,
    NameTaken,
    Refused,
    StaleWrite,
    SwitchedOff,
)
from vaultmem.records import Problem
from vaultmem.storage import files, transcript_files
from vaultmem.storage.files import Root, Step

if TYPE_CHECKING:
    from vaultmem.exchange.formats.claude_code_tail import Position
    from vaultmem.exchange.importing.types import Settings
    from vaultmem.storage.store import Store

FOLDER = ".vaultmem/spool"
ASIDE = f"{FOLDER}/aside"
_SUFFIX, _OPEN = ".json", ".open.json"
_OVER = 600.0
"""Seconds without a word after which an open session counts as over."""
_RESTED = 30.0
"""Seconds; Claude Code writes its transcripts late, so an ended one may grow still."""
_RACY = 2.0
"""Seconds; of a file changed so lately its time does not tell whether it was read whole."""
_SHORT = 1 << 20
"""New bytes of a transcript that are taken in while somebody waits: two seconds' work at most."""
_MOST_ASIDE = 100
_BROUGHT = "git has this note, so it came with the repository: nobody here wrote it"
_LOOK = "`vaultmem import claude-code FILE` takes a transcript in by hand"

Wall = Callable[[], float]


@dataclass(frozen=True, slots=True)
class SpooledConversation:
    """One conversation to take in: the *transcript*'s absolute path, its session, whose it is.

    Without an *agent* it is the vault's usual one's.
    """

    transcript: str
    session: str
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Drained:
    """How many turns were new, and which transcripts were set aside, told this once."""

    turns: int = 0
    faults: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Note:
    """A note as it lies there; *taken* is its transcript's time when that was taken in."""

    path: str
    conversation: SpooledConversation
    taken: int | None

    @property
    def key(self) -> str:
        """What names the conversation, whatever became of its note."""
        return self.path.rpartition("/")[2].partition(".")[0]

    @property
    def is_open(self) -> bool:
        return self.path.endswith(_OPEN)

    def taken_at(self, mtime: int) -> str:
        """Return the path of the same note, its transcript taken in as it was at *mtime*."""
        folder, _, name = self.path.rpartition("/")
        return f"{folder}/{name.partition('.')[0]}.{mtime}{_SUFFIX}"


# --- noting -----------------------------------------------------------------------------------


def spool(root: Root, conversation: SpooledConversation, *, ended: bool) -> None:
    """Note that a conversation waits, durably; one that is noted already costs nothing.

    Raises Refused for what is no transcript of the person who runs this, and DiskRefused.
    """
    if why := unfit(root, conversation.transcript):
        raise Refused(f"a transcript is not taken in: {why}")
    put(root, FOLDER, conversation, _SUFFIX if ended else _OPEN)


def put(root: Root, folder: str, conversation: SpooledConversation, suffix: str) -> bool:
    """Note a conversation in *folder*, by a name that is its own and ends with *suffix*.

    Tell whether it was not noted yet.
    """
    named = f"{conversation.transcript}\0{conversation.session}\0{conversation.agent}"
    key = hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    where = f"{folder}/{key}{suffix}"
    if files.stamp(root, where) is None:
        data = json.dumps({"transcript": conversation.transcript, "session": conversation.session,
                           "agent": conversation.agent})  # fmt: skip
        token = os.urandom(13).hex()  # as long as a ULID, and no clock is asked
        files.write(root, [Step(where, None, data.encode())], token)
        return True
    return False


def unfit(root: Root, transcript: str) -> str:
    """Return why this is no transcript to take in, "" when it is one."""
    path = Path(transcript)
    if not path.is_absolute():
        return "its path is not absolute"
    try:
        found, real = path.stat(follow_symlinks=False), path.resolve()
    except (OSError, ValueError, RuntimeError) as e:
        return f"there is none ({type(e).__name__})"
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid():
        return "it is no regular file of yours"
    return "it lies in the vault" if real.is_relative_to(root.path.resolve()) else ""


# --- draining ---------------------------------------------------------------------------------


def waiting(root: Root, wall: Wall = time.time) -> bool:
    """Tell whether `drain` would do something now; cheap, nothing is opened but the notes."""
    now = wall()
    return any(_is_due(note, now) for note in _notes(root))


def drain(store: Store, wall: Wall = time.time) -> Drained:
    """Take in what is due of the noted conversations, as turns of their sessions.

    A note is removed when its transcript has been imported completely and no longer changes; what
    is known is not taken in twice. A transcript that is gone or cannot be read is set aside and
    told once, and so is a note that came with the repository. Where the vault cannot be written now
    the notes stay. Raises Unavailable and ReadOnly.
    """
    return _drain(store, [note for note in _notes(store.root) if _is_due(note, wall())], wall)


def drain_session(store: Store, session: str, wall: Wall = time.time) -> Drained:
    """Take in what is noted of one *session* at once, due or not, as `drain` does.

    Of a transcript that has more than one MiB that is new, nothing: somebody waits for this. It is
    left to `drain`, and `unread` tells how much there is.
    """
    due = [note for note in _notes(store.root) if 0 < _unread(store, note, session) <= _SHORT]
    return _drain(store, due, wall)


def unread(store: Store, session: str) -> int:
    """Return how many bytes of a noted transcript of *session* are not taken in; the most of any.

    What `drain_session` would take in counts as none, and so does what is switched off.
    """
    if session in store.config().disabled_sessions:
        return 0
    left = [_unread(store, note, session) for note in _notes(store.root)]
    return max((size for size in left if size > _SHORT), default=0)


def _unread(store: Store, note: _Note, session: str) -> int:
    if note.conversation.session != session:
        return 0
    transcript = Path(note.conversation.transcript)
    with contextlib.suppress(OSError, ValueError):
        found = transcript.stat(follow_symlinks=False)
        if found.st_mtime_ns != note.taken:
            return found.st_size - _start(store, note).offset
    return 0


def _drain(store: Store, due: Sequence[_Note], wall: Wall) -> Drained:
    brought = tracked(store, FOLDER) if due else frozenset()
    done = [
        _set_aside(store.root, note, _BROUGHT)
        if note.path in brought
        else _drained(store, note, wall())
        for note in due
    ]
    return Drained(sum(d.turns for d in done), tuple(f for d in done for f in d.faults))


def tracked(store: Store, folder: str) -> frozenset[str]:
    """Return the notes in *folder* that git has: they came with a clone, and name files here."""
    repository = store.writer.repository
    if repository is None or (head := repository.head()) is None:
        return frozenset()
    return frozenset(repository.files(head, folder))


def _notes(root: Root) -> Iterator[_Note]:
    for name in sorted(files.entries(root, FOLDER)[0]):
        if name.endswith(_SUFFIX) and not name.startswith("."):
            path, kind = f"{FOLDER}/{name}", name.split(".")[1]
            yield _Note(path, noted(root, path), int(kind) if kind.isdecimal() else None)


def noted(root: Root, path: str) -> SpooledConversation:
    """Read a note; one that cannot be read names no transcript, and is set aside for it."""
    with contextlib.suppress(ValueError, TypeError, AttributeError, KeyError):
        found = files.read(root, path)
        raw = json.loads(found.data if found else b"")
        return SpooledConversation(str(raw["transcript"]), str(raw["session"]), str(raw["agent"]))
    return SpooledConversation("", "")


def _is_due(note: _Note, now: float) -> bool:
    mtime = mtime_of(note.conversation.transcript)
    if mtime is None:
        return True
    if note.is_open:
        return _age(mtime, now) >= _OVER
    return mtime != note.taken or _age(mtime, now) >= _RESTED


def mtime_of(transcript: str) -> int | None:
    """Return when a *transcript* was written last, None where it cannot be told."""
    try:
        return Path(transcript).stat(follow_symlinks=False).st_mtime_ns
    except (OSError, ValueError):
        return None


def _age(mtime: int, now: float) -> float:
    return abs(now - mtime / 1e9)  # a time to come is no reason to wait for it


def _drained(store: Store, note: _Note, now: float) -> Drained:
    mtime = mtime_of(note.conversation.transcript)
    if mtime is None or unfit(store.root, note.conversation.transcript):
        return _set_aside(store.root, note, "it is gone, or no regular file of yours")
    try:
        turns = 0 if mtime == note.taken else _imported(store, note)
    except SwitchedOff:
        turns = 0
    except (MassVanish, StaleWrite, NameTaken, DiskRefused):  # it passes: the note stays
        return Drained()
    except (BadInput, Refused) as e:
        return _set_aside(store.root, note, str(e))
    _mark(store.root, note, mtime, now)
    return Drained(turns)


def _imported(store: Store, note: _Note) -> int:
    """Take in what is new of the transcript since the last time; return how many turns."""
    from vaultmem.exchange import read_positions  # noqa: PLC0415  # a hook that notes imports nothing
    from vaultmem.exchange.formats import claude_code_tail  # noqa: PLC0415
    from vaultmem.exchange.formats.claude_code_tail import Position, TailReader  # noqa: PLC0415
    from vaultmem.exchange.importing import full_turns, turns  # noqa: PLC0415

    transcript = Path(note.conversation.transcript)
    settings = taking_in(store, store.agent(note.conversation.agent))
    start = _start(store, note)
    tail = TailReader(start)
    rest = turns.Rest(
        tail.reader(),
        lambda: [*full_turns.read(claude_code_tail.before(transcript, start.offset))],
    )
    done = turns.run(store, [transcript], settings, lambda _: None, rest)
    if tail.is_mixed and start.offset:
        tail = TailReader(Position())
        done = turns.run(store, [transcript], settings, lambda _: None, turns.Rest(tail.reader()))
    elif done.failed and not done.imported + done.skipped and not start.offset:
        raise BadInput("no line of it can be read")
    is_off = tail.session in store.config().disabled_sessions
    reached = None if is_off else tail.position(transcript)
    read_positions.save(store.root, note.key, reached)
    return done.imported


def taking_in(store: Store, agent: str) -> Settings:
    """Return how a transcript of *agent*'s is read: what is bad in it, or secret, is left out."""
    from vaultmem.config import agent_name  # noqa: PLC0415  # likewise
    from vaultmem.exchange.importing.types import Settings  # noqa: PLC0415  # likewise

    return Settings(
        agent_name(agent), store.clock(), redact=True, skip_bad=True, form="claude-code"
    )


def _start(store: Store, note: _Note) -> Position:
    """Return up to where the transcript was taken in.

    Its beginning, where that is not known, or its session is no longer here.
    """
    from vaultmem.exchange import read_positions  # noqa: PLC0415  # a hook that notes imports nothing
    from vaultmem.exchange.formats.claude_code_tail import Position  # noqa: PLC0415  # likewise

    start = read_positions.load(store.root, note.key, Path(note.conversation.transcript))
    path = transcript_files.path(store.agent(note.conversation.agent), start.session)
    return Position() if files.stamp(store.root, path) is None else start


def _mark(root: Root, note: _Note, mtime: int, now: float) -> None:
    """Remove the note, or record up to when its transcript has been imported."""
    if _age(mtime, now) < _RACY:
        return
    if _age(mtime, now) < _RESTED:
        with contextlib.suppress(DiskRefused):  # another process was faster
            files.rename(root, note.path, note.taken_at(mtime))
        return
    files.discard(root, note.path)
    changed = mtime_of(note.conversation.transcript)
    if changed not in {mtime, None}:  # somebody spoke at this very moment
        spool(root, note.conversation, ended=not note.is_open)


def _set_aside(root: Root, note: _Note, why: str) -> Drained:
    name = note.path.rpartition("/")[2]
    (root.path / ASIDE).mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        (root.path / note.path).replace(root.path / ASIDE / name)
    aside = sorted((root.path / ASIDE).iterdir(), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in aside[_MOST_ASIDE:]:
        old.unlink(missing_ok=True)
    where = note.conversation.transcript or f"{ASIDE}/{name}"
    message = f"this conversation was not taken in: {why}"
    return Drained(faults=(Problem("transcript", where, message, _LOOK),))
