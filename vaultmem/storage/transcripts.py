"""Transcripts: what was said in a session, turn by turn, as JSON lines that are only appended to.

A session's turns count from 1, a line each. Whoever says more asks `append` for the step, and
again when the writer answers StaleWrite: another was first.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from vaultmem.documents import public_text
from vaultmem.errors import BadInput, DiskRefused, Refused
from vaultmem.records import Problem, iso
from vaultmem.storage import files, transcript_files
from vaultmem.storage.files import Root
from vaultmem.storage.plan import Append

ROLES = ("user", "assistant", "tool", "system")
VOICES = frozenset(ROLES[:2])
"""The roles of those who speak for themselves: what a tool answers vouches for nothing."""
EVER = "0"
"""Since when a tool may have spoken of which nobody knows: earlier than any time that there is."""
_CLOCKS = 60.0
"""Seconds that the clock of a disk may be behind ours."""

A_TOOL = "a tool"
"""What is told of a tool without a name."""
_NAMED = ("speaker", "at", "since", "tool", "origin")
_KEPT = 4
_BY_HAND = "fix the line by hand; until then it counts as an empty turn"
_COUNT = "put the lines back in order by hand; a turn's number is that of its line"
_MOVE = "move the line by hand to the transcript of its session"


@dataclass(frozen=True)
class Turn:
    """One turn of a session.

    *role* is one of `ROLES`; *speaker* names a person where one is known;
    *at* is ISO 8601 UTC or empty; *tool* names the tool whose result *content* is; *origin* is an
    importer's key. *context_tokens* is how full the agent's context was, as its provider counted
    it last, 0 where nobody said; *phase*: a phase of the work ends here. *by_hand*: no program of
    ours wrote it, as `HandTurns` tells, so who speaks vouches for nothing. *since*: where it was
    told of after the fact, it was said then at the earliest; empty where it was at *at*.
    """

    role: str
    content: str
    speaker: str = ""
    at: str = ""
    tool: str = ""
    origin: str = ""
    context_tokens: int = 0
    phase: bool = False
    by_hand: bool = False
    since: str = ""

    @property
    def earliest(self) -> str:
        """When it may have been said at the earliest, ISO 8601 UTC, "" where nobody knows."""
        return min(self.since, self.at) if self.since else self.at

    @property
    def in_short(self) -> str:
        """What a tool's turn is told as where its content is not."""
        return f"[Previous: used {self.tool or A_TOOL}]"

    @cached_property
    def tokens(self) -> int:
        """What the content costs, estimated; asked of all open turns whenever one is added."""
        from vaultmem.documents import tokens  # noqa: PLC0415  # most who read a turn count nothing

        return tokens.estimate(self.content)


class Transcript(NamedTuple):
    """A session as its file tells it: turn n is `turns[n - 1]`; *size* is the file's, in bytes.

    A line that cannot be read is a turn without role and content, and one of the *faults*.
    """

    path: str
    agent: str
    session: str
    turns: tuple[Turn, ...]
    size: int
    faults: tuple[Problem, ...] = ()


class RunningSession(NamedTuple):
    """What is said in a session whose program writes it down itself; it comes in at *path* later.

    For comparison alone: what may not be told is in it.
    """

    path: str
    turns: Sequence[Turn]


# --- reading several ---------------------------------------------------------------------------


def of(root: Root, agent: str) -> list[Transcript]:
    """Return the transcripts of *agent* that can be read, the one last heard of at the end."""
    read = (
        load_if_allowed(root, each.path)
        for each in transcript_files.every(root)
        if each.agent == agent
    )
    return sorted(filter(None, read), key=lambda t: (t.turns[-1].at if t.turns else "", t.path))


def newest(
    root: Root, agent: str, *, sessions: int, most: int, but: Collection[str] = ()
) -> list[Turn]:
    """Return the turns at the ends of the *sessions* of *agent* that were written last.

    Of all agents, where it is empty, and not of the transcripts at the paths *but*. In
    order, of each those in its last *most* bytes; no more is read, however long they are. What may
    not be told is still in them: they are for comparison alone.
    """
    lately = transcript_files.written_last(root, agent, sessions, but)
    return [turn for path in lately for turn in last(root, path, most)]


def last(root: Root, path: str, most: int) -> Iterator[Turn]:
    """Yield the turns in the last *most* bytes of the transcript at *path*, to be compared.

    Where one says that it was said after the file was written, by a clock that is wrong, nobody
    knows when a tool there spoke.
    """
    with contextlib.suppress(DiskRefused, Refused):
        data = files.tail(root, path, most) or b""
        turns = [*map(compared, filter(None, data.split(b"\n")))]
        written = datetime.fromtimestamp(files.touched(root, path) + _CLOCKS, UTC)
        if max((turn.at for turn in turns), default="") > iso(written):
            turns = [replace(it, since=EVER) if it.role == "tool" else it for it in turns]
        yield from turns


def compared(line: bytes) -> Turn:
    """Return the turn in a *line* as it is compared: what may not be told is still in it."""
    try:
        raw = json.loads(line.decode())
    except (ValueError, RecursionError):
        raw = None
    if not isinstance(raw, dict):
        return Turn("", "")
    return Turn(
        _str(raw.get("role")), text_of(raw.get("content")) or "", _str(raw.get("speaker")),
        at=_str(raw.get("at")), tool=_str(raw.get("tool")), since=_str(raw.get("since")),
    )  # fmt: skip


# --- writing ----------------------------------------------------------------------------------


def append(root: Root, agent: str, session: str, turns: Sequence[Turn]) -> Append:
    """Return the step that adds *turns* to the session as it is on disk now.

    It reads the last line alone. A file that grew since, or ends in half a line, is the writer's to
    refuse: it first finishes what a crash left. Raises Refused for another session's file or an
    empty one, and BadInput for turns that no file can hold.
    """
    where = transcript_files.path(agent, session)
    last = files.ending(root, where)
    if last is None:
        return Append(where, 0, lines(turns, 1, session), "a session begins")
    if last.size == 0:
        raise Refused(f"{where} is empty: remove it, and the session begins anew")
    first = _number(root, where, last.line, session) + 1
    return Append(where, last.size, lines(turns, first, session), "a session goes on")


def _number(root: Root, where: str, last: bytes, session: str) -> int:
    """Return the number of the turn that the *last* line holds; unnamed, the lines are counted."""
    line = _read(last)
    if line.session not in {"", session}:
        raise Refused(f"{where} is the transcript of {line.session!r}, not of {session!r}")
    if line.number:
        return line.number
    whole = files.read(root, where)
    return whole.data.count(b"\n") if whole else 0


def lines(turns: Iterable[Turn], first: int, session: str) -> bytes:
    """Return *turns*, the first of which has the number *first*, as lines of a transcript.

    Raises BadInput for half a character, which no file can hold.
    """
    return b"".join(_line(n, turn, session) for n, turn in enumerate(turns, first))


def _line(number: int, turn: Turn, session: str) -> bytes:
    named = {key: getattr(turn, key) for key in _NAMED}
    head = {
        "turn": number, "session": session, "role": turn.role, **named,
        "context_tokens": turn.context_tokens, "phase": turn.phase,
    }  # fmt: skip
    told = {key: value for key, value in head.items() if value or key == "role"}
    try:
        return json.dumps(told | {"content": turn.content}, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError as e:
        raise BadInput(f"turn {number} of {session!r} holds half a character: cut it out") from e


# --- reading ----------------------------------------------------------------------------------


class _Line(NamedTuple):
    """What one line says; *why* it cannot be read, in a clause."""

    turn: Turn
    number: int = 0
    session: str = ""
    why: str = ""


def load(root: Root, path: str, added: bytes = b"") -> Transcript | None:
    """Return the transcript at *path*, as it is once that is *added*; None when there is none.

    Raises Refused for a link or device and DiskRefused when the system does not let us read.
    """
    return Reader().load(root, path, added)


def parse(path: str, data: bytes) -> Transcript:
    """Return the transcript that *data*, the bytes of the file at *path*, holds."""
    return _transcript(PurePosixPath(path), _Ended().grown(data), data)


def load_if_allowed(root: Root, path: str) -> Transcript | None:
    """Like `load`, None also where the system says no, which `unreadable` tells."""
    with contextlib.suppress(DiskRefused):
        return load(root, path)
    return None


def unreadable(root: Root) -> Iterator[Problem]:
    """Yield the transcripts that the system does not let us read; a byte of each is asked for."""
    for each in transcript_files.every(root):
        try:
            files.tail(root, each.path, 1)
        except DiskRefused as e:
            yield Problem("unreadable", each.path, e.why, "make it readable again")


class Reader:
    """Reads transcripts; of the few that it read last, only what was added since."""

    def __init__(self) -> None:
        """Begin with none read."""
        self._known: dict[str, _Ended] = {}

    def load(self, root: Root, path: str, added: bytes = b"") -> Transcript | None:
        """Return the transcript at *path*, as `load` does: a line that was changed is read anew."""
        whole = files.read(root, path)
        known = self._known.pop(path, _Ended())
        if whole is None and not added:
            return None
        data = (whole.data if whole else b"") + added
        self._known[path] = ended = known.grown(data)
        while len(self._known) > _KEPT:
            del self._known[next(iter(self._known))]
        return _transcript(PurePosixPath(path), ended, data)


class _Ended(NamedTuple):
    """The lines of a transcript that have their end: as bytes, and as they were read."""

    data: bytes = b""
    lines: tuple[_Line, ...] = ()

    def grown(self, data: bytes) -> _Ended:
        """Return those of *data*, the same file now; nothing is read twice where it only grew."""
        known = self if data.startswith(self.data) else _Ended()
        end = data.rfind(b"\n") + 1
        added = data[len(known.data) : end].split(b"\n")[:-1]
        return _Ended(data[:end], (*known.lines, *map(_read, added))) if added else known


def _transcript(path: PurePosixPath, ended: _Ended, data: bytes) -> Transcript:
    read, rest = list(ended.lines), data[len(ended.data) :]
    faults = list(_faults(str(path), read))
    if rest:
        faults.append(Problem("torn-transcript", str(path), "ends in half a line", files.HALF_LINE))
        if not (half := _read(rest)).why:  # all but its newline is there
            read.append(half)
    session = next((line.session for line in read if line.session), path.stem)
    agent, turns = path.parent.parent.name, tuple(line.turn for line in read)
    return Transcript(str(path), agent, session, turns, len(data), tuple(faults))


def _faults(path: str, read: Sequence[_Line]) -> Iterator[Problem]:
    """Yield what is wrong; of numbers that go wrong from one line on, that line."""
    session = next((line.session for line in read if line.session), "")
    ahead = 0
    for n, line in enumerate(read, 1):
        if line.why:
            yield Problem("bad-turn", path, f"line {n} {line.why}", _BY_HAND)
        elif line.number and line.number - n != ahead:
            ahead = line.number - n
            yield Problem("bad-turn", path, f"line {n} calls itself turn {line.number}", _COUNT)
        elif line.session not in {"", session}:
            yield Problem("bad-turn", path, f"line {n} is of session {line.session!r}", _MOVE)


def is_turn(line: bytes) -> bool:
    """Tell whether *line* can be read as a turn."""
    return not _read(line).why


def _read(line: bytes) -> _Line:
    try:
        raw = json.loads(line.decode())
        if not isinstance(raw, dict):
            return _unread("is no JSON object")
        return _parsed_line(raw, escaped=b"\\ud" in line.lower())
    except (ValueError, RecursionError):
        return _unread("is no JSON")


def turn_key(line: bytes) -> tuple[object, ...] | None:
    """Return what tells the turn in a *line* from all others, also when a person mends its words.

    None for a line that does not say which turn it holds, and when that was said.
    """
    read = _read(line)
    turn = read.turn
    if not (read.number and turn.at):
        return None
    return read.number, read.session, turn.role, turn.speaker, turn.at, turn.tool, turn.origin


def _unread(why: str) -> _Line:
    return _Line(Turn("", ""), why=why)


def _parsed_line(raw: Mapping[str, object], *, escaped: bool) -> _Line:
    role, content = _str(raw.get("role")), text_of(raw.get("content"))
    if not role or content is None:
        return _unread("has no content" if role else "has no role")
    content, session, speaker, at, since, tool, origin = _public(
        content, _str(raw.get("session")), *(_str(raw.get(key)) for key in _NAMED)
    )
    counted = _count(raw.get("context_tokens"))
    ends = raw.get("phase") is True
    turn = Turn(role, content, speaker, at, tool, origin, counted, ends, since=since)
    if escaped and not _encodable(turn, session):
        return _unread("holds half a character")
    return _Line(turn, _count(raw.get("turn")), session)


def _public(*texts: str) -> tuple[str, ...]:
    """Return what may leave a line: whoever edits a transcript by hand may put anything there."""
    if not public_text.of("\n".join(texts)).hidden:
        return texts
    return tuple(public_text.of(text).text for text in texts)


def _count(value: object) -> int:
    """Return a number above 0 as it is, and 0 for anything else."""
    return value if type(value) is int and value > 0 else 0


def _str(value: object) -> str:
    return value if isinstance(value, str) else ""


def text_of(content: object) -> str | None:
    """Return the text of what a provider calls content: a string, or a list of blocks."""
    if isinstance(content, list):
        return "\n".join(filter(None, map(_block, content)))
    return content if isinstance(content, str) else None


def _block(block: object) -> str:
    if isinstance(block, dict):
        return _str(block.get("text")) or text_of(block.get("content")) or ""
    return _str(block)


def _encodable(turn: Turn, session: str) -> bool:
    try:
        "".join((session, turn.role, turn.content, *(getattr(turn, k) for k in _NAMED))).encode()
    except UnicodeEncodeError:
        return False
    return True


def words(data: bytes) -> str:
    """Return what JSON lines say, unescaped: a search for words must not stumble over escapes."""
    return "\n".join(_words(line) for line in data.split(b"\n"))


def _words(line: bytes) -> str:
    with contextlib.suppress(ValueError, RecursionError):
        return "\n".join(_strings(json.loads(line.decode())))
    return line.decode("utf-8", "replace")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def faults(root: Root) -> Iterator[Problem]:
    """Yield what is wrong with the transcripts of a vault; reads all of them."""
    for each in transcript_files.every(root):
        transcript = load_if_allowed(root, each.path)
        yield from transcript.faults if transcript else ()
    yield from unreadable(root)
