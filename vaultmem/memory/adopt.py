"""Adopt what was written by hand among the memories: it gets the lines that it lacks.

A person or an agent with plain file tools drops a file into `agents/<agent>/memories/`. It becomes
a memory where it lies, under the name it has: lines are added, every other byte stays. One with a
part that is marked as `<private>` becomes a memory, too, and is held back from the history.
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem import config
from vaultmem.documents import frontmatter, public_text
from vaultmem.documents import origin as document_origin
from vaultmem.documents.bodies import working_text
from vaultmem.documents.frontmatter import Field, Value, text_of
from vaultmem.documents.part_trust import HEAD, TOOL_LINES
from vaultmem.errors import BadInput, DiskRefused, Refused, StaleWrite, Unavailable, Unreadable
from vaultmem.memory import dropped_files, moved_words
from vaultmem.memory.remember import LARGEST
from vaultmem.records import Record, is_trusted, iso, moment, visible_line
from vaultmem.storage import files, human_edits, reader, tombstones, transcript_files
from vaultmem.storage.index import edited_memories
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

if TYPE_CHECKING:
    from vaultmem.storage.commits.rested_edits import Changed, Laid

RESTED = 5.0
"""Seconds that nobody has touched a file for; before that somebody may be writing it."""
_WATCHED = 180.0
"""Seconds after which a file that was not adopted is not looked at again by itself."""

_ADDED_TO = frozenset({"card", "topic", "note", "skill", "task"})
"""What is asked about again when somebody adds to it: what people and agents write as their own."""

_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", re.IGNORECASE)
_STAMP = re.compile(r"(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(?!\d)", re.ASCII)


def adopt(store: Store) -> tuple[str, ...]:
    """Make whole what lacks an id or a time among the memories; return the paths.

    The caller has synced the index. What somebody wrote is committed first, as theirs; each agent's
    files are one operation, `adopt(ada): 2 files`. What was touched just now waits, and so does
    what cannot be adopted without changing a line: `fsck --repair` does that when it is told to.
    """
    if store.index.vanished():
        return ()
    by_agent: dict[str, list[Change]] = defaultdict(list)
    for path, agent in _candidates(store):
        if change := _due(store, path, agent):
            by_agent[agent].append(change)
    return _carry_out_all(store, by_agent)


def attribute(store: Store, changed: Changed = None) -> tuple[str, ...]:
    """Mark new notes and turns in the words of a tool as that tool's; return the paths.

    Those that somebody laid past the program, wherever they lie, and notes to which such words were
    added. *changed* is what `human_edits.changed` found just now.
    """
    by_agent: dict[str, list[Change]] = defaultdict(list)
    moved = functools.cache(partial(moved_words.of, store))
    for path, had in human_edits.laid_texts(store, RESTED, changed).items():
        if change := _attributed(store, path, had, moved):
            by_agent[reader.agent_of(path)].append(change)
    return _carry_out_all(store, by_agent)


def compared(store: Store, laid: Laid) -> Callable[[], None]:
    """Compare *laid* files with what tools said; return what marks them, once git has them.

    Those in the words of a tool are marked as `attribute` does, also where somebody goes on writing
    meanwhile: to who compares it later what git has is nothing new.
    """
    moved = functools.cache(partial(moved_words.of, store))
    tools = {path: had for path, had in laid.items() if _attributed(store, path, had, moved)}

    def mark() -> None:
        by_agent: dict[str, list[Change]] = defaultdict(list)
        for path, had in tools.items():
            if change := _attributed(store, path, had, moved):
                by_agent[reader.agent_of(path)].append(change)
        for agent, some in by_agent.items():
            store.apply(_plan(store, agent, some))

    return lambda: store.retry(mark, scan=False)


def _carry_out_all(store: Store, by_agent: Mapping[str, list[Change]]) -> tuple[str, ...]:
    """Commit what somebody wrote as theirs, then what is made of it; return the paths."""
    if by_agent:
        _commit_theirs(store, [change for some in by_agent.values() for change in some])
    done = (_carry_out(store, agent, some) for agent, some in by_agent.items())
    return tuple(path for paths in done for path in paths)


def _attributed(
    store: Store, path: str, had: bytes | None, moved: Callable[[str], Record]
) -> Change | None:
    is_session = transcript_files.holds(path)
    is_asked = had is None or is_session or reader.kind_of(path) in _ADDED_TO
    if not (is_asked or dropped_files.marks_of(path, had or b"")):
        return None
    with contextlib.suppress(Refused, Unreadable, DiskRefused):
        if found := files.read(store.root, path):
            data = found.data
            new = (
                dropped_files.transcript_as_a_tools(store, path, data, had or b"") if is_session
                else _note_as_a_tools(store, path, data, had or b"", moved)
            )  # fmt: skip
            return Change(path, data, new, "a tool said it") if new != data else None
    return None


def _note_as_a_tools(
    store: Store, path: str, data: bytes, had: bytes, moved: Callable[[str], Record]
) -> bytes:
    """Return the note *data* as a tool's where a tool had said what it says, else as it is.

    Of one that git *had* what it says since is asked about; a line that was marked there stays so.
    What it may have from other notes of its agent's *moved* tells, and is asked only where a tool
    said it.
    """
    record = reader.record(path, files.content(data))
    is_marked = record.tool_lines and record.type != "working"
    if not (is_trusted(record) or is_marked):
        return data
    text = frontmatter.decode(data)
    public = public_text.parsed(text)
    raw = frontmatter.fields(public, reader.most_frontmatter(path))
    was = dropped_files.marks_of(path, had)
    # Which words above a body are a tool's no mark tells.
    said, body = dropped_files.added(raw, public.body, b"" if HEAD in was else had)
    is_new = dropped_files.is_a_tools(store, path, said, body)
    is_new = is_new and dropped_files.is_a_tools(
        store, path, said, body, moved(reader.agent_of(path))
    )
    marks = [it for it in map(working_text.mark, public.body.splitlines()) if it in was]
    if not (is_new or marks):
        return data
    marks += dropped_files.tool_lines(store, path, body) if is_new else ()
    if is_trusted(record):
        origin = document_origin.read(raw, reader.kind_of(path), public.body)
        lines = dropped_files.as_a_tools(raw, origin, [*dict.fromkeys(marks)])
    else:  # for other lines of it already
        lines = {TOOL_LINES: [*dict.fromkeys((*record.tool_lines.split(), *marks))]}
    return frontmatter.render(frontmatter.update(frontmatter.parse(text), lines)).encode()


def waiting(store: Store) -> bool:
    """Tell whether a file rests that was touched a while ago, and will be adopted then."""
    return any(_age(store, path) < _WATCHED for path, _ in _candidates(store))


def repaired(store: Store, path: str, old: bytes) -> Change | None:
    """Return the change that makes the file at *path*, which holds *old*, a whole memory.

    An id or a time that cannot be, which are somebody's words, is replaced. None where nothing can
    be done, and where what the file says was forgotten.
    """
    with contextlib.suppress(Refused, Unreadable, DiskRefused):
        public = public_text.of(frontmatter.decode(old)).text
        said = (frontmatter.parse(public).body, *reader.names(path, old))
        tombstones.refuse(store, *said, agent=reader.agent_of(path))
        return completed(store, path, old, freely=True)
    return None


def completed(store: Store, path: str, old: bytes, *, freely: bool = False) -> Change | None:
    """Return the change that makes the file at *path*, which holds *old*, a whole memory.

    *freely* replaces an id or a time that cannot be, which are somebody's words. None where nothing
    can be done: the file cannot be read, or has nothing to say.
    """
    try:
        text = frontmatter.decode(old)
        public = public_text.parsed(text)
        raw = frontmatter.fields(public)
        if not public.body.strip() or (_contradicts(raw) and not freely):
            return None
        lines = _lacking(store, path, raw) | _origin(store, path, raw, public.body)
        new = frontmatter.render(frontmatter.update(frontmatter.parse(text), lines)).encode()
    except (Refused, Unreadable):
        return None
    return Change(path, old, new, "an id and a time") if new != old else None


def _contradicts(said: Mapping[str, Value]) -> bool:
    """Tell whether an id or a time is there that cannot be one."""
    name, created = text_of(said, "id"), text_of(said, "created")
    return bool((name and not _ULID.fullmatch(name)) or (created and not _is_time(created)))


# --- what to adopt ----------------------------------------------------------------------------


def _candidates(store: Store) -> Iterator[tuple[str, str]]:
    """Yield what the last scan found incomplete among the memories, and whose it would be."""
    off = store.config().disabled_agents
    for problem in store.index.problems():
        agent = _agent(problem.path)
        if problem.code == reader.INCOMPLETE and agent and agent not in off:
            yield problem.path, agent


def _agent(path: str) -> str:
    """Return whose memory the file at *path* would be, "" when it lies nowhere among memories."""
    try:
        agent = config.agent_name(reader.agent_of(path))
    except BadInput:
        return ""
    return agent if path.startswith(f"agents/{agent}/memories/") else ""


def _due(store: Store, path: str, agent: str) -> Change | None:
    """Return the change that adopts a file, None when it must wait or may not be a memory."""
    with contextlib.suppress(Refused, Unreadable, DiskRefused):
        found = files.read(store.root, path)
        if found and _age(store, path) >= RESTED:
            _check(store, agent, frontmatter.decode(found.data))
            return completed(store, path, found.data)
    return None


def _age(store: Store, path: str) -> float:
    """Return for how many seconds nobody has touched a file; one that is gone is of no age."""
    stamp = files.stamp(store.root, path)
    return abs(store.clock().timestamp() - stamp.mtime_ns / 1e9) if stamp else math.inf


def _check(store: Store, agent: str, text: str) -> None:
    """Raise Refused for what no memory may hold: a secret, what was forgotten, too much."""
    public = public_text.of(text)
    if public_text.SECRET in public.held:
        raise Refused("a file written by hand holds a credential")
    said = (frontmatter.parse(public.text).body, *reader.names("", text.encode()))
    tombstones.refuse(store, *said, agent=agent)
    if len(text.encode()) > LARGEST:
        raise Refused(f"longer than {LARGEST // 1024} KiB: split it")


def _commit_theirs(store: Store, changes: Sequence[Change]) -> None:
    """Commit what somebody wrote before we add to it: a commit of ours holds our lines alone."""
    if store.config().commit_human_edits:
        store.writer.commit_pending()
        store.writer.commit_edits(RESTED, only=frozenset(c.path for c in changes), compared=True)


def _carry_out(store: Store, agent: str, changes: Sequence[Change]) -> Iterator[str]:
    plan = _plan(store, agent, changes)
    # Somebody went on writing: the next round adopts it.
    with contextlib.suppress(StaleWrite):
        store.apply(plan)
        yield from plan.notes


def _plan(store: Store, agent: str, changes: Sequence[Change]) -> Plan:
    count = f"{len(changes)} file{'s' * (len(changes) > 1)}"
    notes = tuple(visible_line(change.path) for change in changes)
    subject = f"adopt({agent}): {count}"
    return Plan(store.mint(), "adopt", subject, tuple(changes), agent, notes=notes)


# --- what a memory needs ----------------------------------------------------------------------


def _lacking(store: Store, path: str, said: Mapping[str, Value]) -> dict[str, Field]:
    """Return the lines that a file lacks to be a memory, in the order of new ones."""
    due: dict[str, Field] = {}
    if not _ULID.fullmatch(text_of(said, "id")):
        due["id"] = edited_memories.lost_at(store.index, path) or store.mint()
    if not text_of(said, "type"):
        due["type"] = "memory"
    if not text_of(said, "agent"):
        due["agent"] = reader.agent_of(path)
    if not _is_time(text_of(said, "created")):
        due["created"] = _created(store, path)
    return due


def _origin(store: Store, path: str, said: Mapping[str, Value], body: str) -> dict[str, Field]:
    """Return where it comes from and what that is worth, as far as the file does not say.

    Who wrote a file cannot be told, so one that says nothing is an agent's, whose folder it lies
    in; and a tool's, where that agent's tools said it. A trust that it claims stays, and counts for
    no more than that until a person lets it in.
    """
    origin = document_origin.read(said, "memory", body)
    is_trusted_so_far = origin.trust == document_origin.CEILING
    if is_trusted_so_far and dropped_files.is_a_tools(store, path, said, body):
        marks = dropped_files.tool_lines(store, path, body)
        return dropped_files.as_a_tools(said, origin, marks)
    if "trust" in said:
        return {}
    if origin.source:
        return {"trust": origin.trust}
    return {"source": origin.source_or("agent"), "trust": origin.trust}


def _is_time(text: str) -> bool:
    try:
        moment(text)
    except BadInput:
        return False
    return True


def _created(store: Store, path: str) -> str:
    """Return when it was written: as its name says, else its first commit, else its file."""
    if (told := _STAMP.match(PurePosixPath(path).name)) and _is_time(_dashed(told)):
        return _dashed(told)
    stamp = files.stamp(store.root, path)
    touched = datetime.fromtimestamp(stamp.mtime_ns / 1e9, UTC) if stamp else store.clock()
    return iso(min(filter(None, (touched, _first_commit(store, path)))))


def _dashed(told: re.Match[str]) -> str:
    year, month, day, hour, minute, second = told.groups()
    return f"{year}-{month}-{day}T{hour}:{minute}:{second}Z"


def _first_commit(store: Store, path: str) -> datetime | None:
    """Return when git first heard of the file: a clone's files are all of one moment."""
    repository = store.writer.repository
    with contextlib.suppress(Unavailable):
        lines = repository.blame(path, store.texts.read(path) or b"") if repository else []
        known = {commit for commit in lines if commit}
        return (
            min((e.when for e in repository.entries(known)), default=None) if repository else None
        )
    return None
