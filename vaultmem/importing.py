"""Conversations from elsewhere, line by line: JSONL messages become memories, or turns of sessions.

A line is `{"id", "session", "speaker" or "role", "content", "at"}`; only `content` is required.
Each message has an origin, so that the same file can be imported any number of times.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vaultmem import memories, tombstones, transcripts
from vaultmem.errors import BadInput, BadLine, NameTaken, SecretFound, StaleWrite, SwitchedOff
from vaultmem.memories import LONGEST_NAME, Said, encodable, one_line, refuse_secrets
from vaultmem.model import iso, lowest, moment
from vaultmem.plan import Plan
from vaultmem.site import Site
from vaultmem.transcripts import ROLES, Turn

_BATCH = 1000
_TRIES = 4


_Number = Annotated[int, Field(ge=-(2**63), lt=2**63)]


class Message(BaseModel):
    """One line of a JSONL conversation; unknown keys are not ours to judge."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    id: Annotated[str, Field(max_length=LONGEST_NAME)] | _Number | None = None
    session: str | None = Field(default=None, max_length=LONGEST_NAME)
    speaker: str | None = Field(default=None, max_length=LONGEST_NAME)
    role: str | None = Field(default=None, max_length=LONGEST_NAME)
    content: str
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """How lines become memories: for whom, when undated, and what to do with bad ones."""

    agent: str
    now: datetime
    redact: bool = False
    skip_bad: bool = False


@dataclass(frozen=True, slots=True)
class Imported:
    """How many lines became memories, were known or private, were bad; and the operation."""

    imported: int
    skipped: int
    failed: int
    op: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line read: what it says, nothing when all of it was private, or why it is bad."""

    file: str
    number: int
    said: Said | None = None
    fault: str = ""


_Origin = Callable[[Message], tuple[str, str]]
"""Tells a message's session and what names it for ever."""


def lines(paths: Iterable[Path], settings: Settings) -> Iterator[Line]:
    """Yield every non-blank line of JSONL files; raises BadInput for what is no readable file."""
    known: dict[str, str] = {}
    for path in paths:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise BadInput(f"{path}: a pipe can be read only once: save it to a file first")
        try:
            with path.open(encoding="utf-8", errors="surrogateescape") as stream:
                yield from _lines(stream, path, settings, known)
        except OSError as e:
            raise BadInput(f"{path}: {e.strerror}; name a JSONL file") from e


def _lines(
    stream: Iterable[str], path: Path, settings: Settings, known: dict[str, str]
) -> Iterator[Line]:
    origin = _origins(path.stem, known)
    for number, text in enumerate(stream, 1):
        if text.strip("\ufeff \t\r\n"):
            where = f"{path.name}:{number}"
            try:
                yield Line(path.name, number, _said(text, where, origin, settings))
            except SecretFound as e:
                yield Line(path.name, number, fault=f"looks like a secret ({e.rule}), see --redact")
            except BadInput as e:
                yield Line(path.name, number, fault=str(e).removeprefix(f"{where}: "))


def _said(text: str, where: str, origin: _Origin, settings: Settings) -> Said | None:
    message = _message(text.strip("\ufeff \t\r\n"))
    content = memories.clean(message.content, where, redact=settings.redact)
    speaker = message.speaker or message.role or ""
    refuse_secrets(where, speaker, message.session or "", str(message.id))
    session, key = origin(message)
    if not content:
        return None
    return Said(
        text=content,
        agent=settings.agent,
        created=moment(message.at) if message.at else settings.now,
        source="import",
        speaker=one_line(speaker, "speaker"),
        session=one_line(session, "session"),
        origin=" ".join(key.split()),
        role=message.role if message.role in ROLES else "",
    )


def _message(text: str) -> Message:
    if not encodable(text):
        raise BadInput("not UTF-8")
    try:
        return Message.model_validate_json(text)
    except ValidationError as e:
        first = e.errors(include_url=False, include_input=False)[0]
        # A position within the line, which pydantic calls `line 1`, would only mislead.
        why = first["msg"].partition(" at line ")[0]
        raise BadInput(f"{first['loc'][0]}: {why}" if first["loc"] else why) from e


def _origins(stem: str, known: dict[str, str]) -> _Origin:
    """Return the function that tells each message's session and what names it for ever.

    Without an id the words name it, with how often they came before: a second "Thanks!" is a second
    memory. *known* holds the ids of all files so far: raises BadInput when one id stands for two
    different messages.
    """
    seen: Counter[str] = Counter()

    def name(message: Message) -> tuple[str, str]:
        session = message.session or stem
        words = _digest(session, message.at, message.speaker or message.role, message.content)
        if message.id is not None:
            key = f"{session}/{message.id}"
            if known.setdefault(key, words) != words:
                raise BadInput(f"id {message.id} stands for another message further up")
            return session, key
        seen[words] += 1
        return session, f"{session}/{words}-{seen[words]}"

    return name


def _digest(*parts: str | None) -> str:
    text = "\x1f".join(p or "" for p in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def run(
    site: Site, paths: Sequence[Path], settings: Settings, progress: Callable[[int], None]
) -> Imported:
    """Remember every message of the files that is new; *progress* hears of lines as they pass.

    Nothing is imported when a line is bad (unless they are to be skipped): the files are read
    through first. Then they go in by batches, each whole and durable; a run that was cut short is
    taken up by the next. Raises BadLine, BadInput, SwitchedOff and what `Site.carry_out` does.
    """
    if settings.agent in site.config().disabled_agents:
        raise SwitchedOff("agent", settings.agent)
    if not settings.skip_bad:
        refuse_bad(lines(paths, settings))
    op = site.mint()
    imported = skipped = failed = 0
    for batch in _batches(lines(paths, settings)):
        said = [line.said for line in batch if line.said]
        failed += sum(bool(line.fault) for line in batch)
        kept = _keep(site, said, op, imported)
        imported += kept
        skipped += sum(not line.fault for line in batch) - kept
        progress(len(batch))
    return Imported(imported, skipped, failed, op)


def run_turns(
    site: Site, paths: Sequence[Path], settings: Settings, progress: Callable[[int], None]
) -> Imported:
    """Add every message that is new to the transcript of its session, in the order of the files.

    As `run` otherwise; sessions go in one by one, each whole and durable.
    """
    if settings.agent in site.config().disabled_agents:
        raise SwitchedOff("agent", settings.agent)
    if not settings.skip_bad:
        refuse_bad(lines(paths, settings))
    op, off = site.mint(), site.config().disabled_sessions
    sessions: dict[str, list[Said]] = {}
    total = failed = 0
    for line in lines(paths, settings):
        total, failed = total + 1, failed + bool(line.fault)
        if line.said and line.said.session not in off:
            sessions.setdefault(line.said.session, []).append(line.said)
    imported = 0
    for session, said in sessions.items():
        imported += _converse(site, session, said, op, imported)
        progress(len(said))
    return Imported(imported, total - failed - imported, failed, op)


def _converse(site: Site, session: str, said: Sequence[Said], op: str, before: int) -> int:
    """Append to one session what it does not hold yet; return how many turns that are."""
    agent, said = said[0].agent, _unforgotten(site, said)
    for _ in range(_TRIES):
        held = transcripts.load(site.root, transcripts.path(agent, session))
        known = {t.origin for t in held.turns} if held else set()
        fresh = {s.origin: s for s in said if s.origin not in known}
        if not fresh:
            return 0
        turns = [_turn(s) for s in fresh.values()]
        step = transcripts.append(site.root, agent, session, turns)
        subject = f"import({agent}): {before + len(turns)} turns"
        with contextlib.suppress(StaleWrite, NameTaken):
            site.carry_out(Plan(op, "import", subject, (step,), agent, trust="agent"))
            return len(turns)
    raise StaleWrite(transcripts.path(agent, session), None, "changing")


def _turn(said: Said) -> Turn:
    return Turn(said.role or "user", said.text, said.speaker, iso(said.created), origin=said.origin)


def refuse_bad(read: Iterable[Line]) -> None:
    """Read all lines through and raise BadLine for the first that is bad."""
    for line in read:
        if line.fault:
            raise BadLine(line.file, line.number, line.fault)


def _batches(read: Iterable[Line]) -> Iterator[list[Line]]:
    rest = iter(read)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _keep(site: Site, said: Sequence[Said], op: str, before: int) -> int:
    """Write one batch; return how many of it were new."""
    off, said = site.config().disabled_sessions, _unforgotten(site, said)
    for _ in range(_TRIES):
        agent = said[0].agent if said else ""
        known = site.index.origins(agent, [s.origin for s in said])
        fresh = {s.origin: s for s in said if s.origin not in known and s.session not in off}
        if not fresh:
            return 0
        plan = _plan(site, agent, list(fresh.values()), op, before)
        with contextlib.suppress(StaleWrite):
            site.carry_out(plan, _unknown(site, agent, list(fresh)))
            return len(fresh)
    raise StaleWrite("the agent's memories", None, "changing")


def _unforgotten(site: Site, said: Sequence[Said]) -> list[Said]:
    """Return what no tombstone names; what was forgotten stays away without a word."""
    graves = tombstones.load(site)
    return [s for s in said if not graves.of(s.text, agent=s.agent, origin=s.origin)]


def _plan(site: Site, agent: str, fresh: Sequence[Said], op: str, before: int) -> Plan:
    minted = site.mint_many(len(fresh))
    changes = tuple(memories.change(s, i) for s, i in zip(fresh, minted, strict=True))
    total = before + len(fresh)
    trust = lowest(s.trust for s in fresh)
    return Plan(op, "import", f"import({agent}): {total} memories", changes, agent, trust=trust)


def _unknown(site: Site, agent: str, origins: Sequence[str]) -> Callable[[], None]:
    """Return the guard that refuses what another import brought in meanwhile."""

    def check() -> None:
        if taken := site.index.origins(agent, origins):
            raise StaleWrite(min(taken), None, "imported")

    return check
