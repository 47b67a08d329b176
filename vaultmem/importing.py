"""Conversations from elsewhere, line by line: JSONL messages become things to remember.

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

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vaultmem import memories
from vaultmem.errors import BadInput, BadLine, SecretFound, StaleWrite
from vaultmem.memories import Said
from vaultmem.model import lowest, moment
from vaultmem.plan import Plan
from vaultmem.site import Site

_LONGEST_NAME = 200
_BATCH = 1000
_TRIES = 4


class Message(BaseModel):
    """One line of a JSONL conversation; unknown keys are not ours to judge."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    id: str | int | None = None
    session: str | None = Field(default=None, max_length=_LONGEST_NAME)
    speaker: str | None = Field(default=None, max_length=_LONGEST_NAME)
    role: str | None = Field(default=None, max_length=_LONGEST_NAME)
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


def lines(paths: Iterable[Path], settings: Settings) -> Iterator[Line]:
    """Yield every non-blank line of JSONL files; raises BadInput for a file that is not there."""
    for path in paths:
        try:
            with path.open(encoding="utf-8", errors="surrogateescape") as stream:
                yield from _lines(stream, path, settings)
        except OSError as e:
            raise BadInput(f"{path}: {e.strerror}; name a JSONL file") from e


def _lines(stream: Iterable[str], path: Path, settings: Settings) -> Iterator[Line]:
    origin = _origins(path.stem)
    for number, text in enumerate(stream, 1):
        if text.strip():
            where = f"{path.name}:{number}"
            try:
                yield Line(path.name, number, _said(text, where, origin, settings))
            except (BadInput, SecretFound) as e:
                yield Line(path.name, number, fault=str(e).removeprefix(f"{where}: "))


def _said(
    text: str, where: str, origin: Callable[[Message], str], settings: Settings
) -> Said | None:
    message = _message(text.removeprefix("\ufeff"))
    content = memories.clean(message.content, where, redact=settings.redact)
    key = origin(message)
    if not content:
        return None
    return Said(
        text=content,
        agent=settings.agent,
        created=moment(message.at) if message.at else settings.now,
        source="import",
        speaker=_one_line(message.speaker or message.role or ""),
        session=_one_line(key.rpartition("/")[0]),
        origin=_one_line(key),
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _message(text: str) -> Message:
    try:
        return Message.model_validate_json(text.encode("utf-8", "surrogatepass"))
    except ValidationError as e:
        first = e.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(x) for x in first["loc"])
        raise BadInput(f"{where}: {first['msg']}" if where else first["msg"]) from e
    except UnicodeEncodeError as e:
        raise BadInput("not UTF-8") from e


def _origins(stem: str) -> Callable[[Message], str]:
    """Return the function that names each message of one file.

    Without an id the words name it, with how often they came before: a second "Thanks!" is a second
    memory. Raises BadInput when one id stands for two different messages.
    """
    seen: Counter[str] = Counter()
    by_id: dict[str, str] = {}

    def name(message: Message) -> str:
        session = message.session or stem
        words = _digest(session, message.at, message.speaker or message.role, message.content)
        if message.id is not None:
            key = f"{session}/{message.id}"
            if by_id.setdefault(key, words) != words:
                raise BadInput(f"id {message.id} stands for another message further up")
            return key
        seen[words] += 1
        return f"{session}/{words}-{seen[words]}"

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
    taken up by the next. Raises BadLine, BadInput and whatever `Site.carry_out` does.
    """
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
    off = site.config().disabled_sessions
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


def _plan(site: Site, agent: str, fresh: Sequence[Said], op: str, before: int) -> Plan:
    minted = site.door.mint(len(fresh))
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
