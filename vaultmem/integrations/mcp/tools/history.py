"""`memory_history`: what was done, and where what a file says comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pydantic import Field, TypeAdapter

from vaultmem.api.agent_scope import waits_for_review
from vaultmem.api.types import Commit as Found
from vaultmem.errors import BadInput
from vaultmem.integrations.mcp.tools import shown_text
from vaultmem.integrations.mcp.tools.arguments import (
    LONGEST_PATH,
    PATH,
    Arguments,
    When,
    Whole,
    also,
    path_of,
)
from vaultmem.integrations.mcp.tools.types import LOOKS, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession
from vaultmem.records import iso, moment

_SOURCES = 40
_PLACES = 5
_KIND = re.compile(r"[a-z]+(?:\([^()\s]*\))?(?=: )")
"""What was done and by whom, as the program's own commits begin; others begin with any words."""


class Look(Arguments):
    """What `memory_history` is asked."""

    path: str = Field(
        "", max_length=LONGEST_PATH, validation_alias=PATH, description="only of this file"
    )
    since: When = Field("", validation_alias=also("since", "after", "from"), description="date")
    why: bool = Field(default=False, description="include the path's sources")
    limit: Whole = Field(
        10, ge=1, le=50, validation_alias=also("limit", "k", "n"), description="how many at most"
    )


@dataclass(frozen=True, slots=True)
class Commit:
    """One step of the history; *undo* names it for memory_undo, "" for what people did."""

    commit: str
    date: str
    author: str
    subject: str
    undo: str
    diff: str


@dataclass(frozen=True, slots=True)
class Source:
    """One link of a source chain: the greater its *depth*, the nearer to what was said."""

    depth: int
    kind: str
    path: str
    line: int
    date: str
    by: str
    trust: str
    text: str


@dataclass(frozen=True, slots=True)
class History:
    """Commits, newest first; with `why`, the sources from derived to raw."""

    commits: Sequence[Commit]
    sources: Sequence[Source]
    note: str = shown_text.DATA


def past(server: ServerSession, asked: Look) -> History:
    """Tell what was done, to all or to one file, and where what it says comes from."""
    path = path_of(server, asked.path) if asked.path else ""
    if asked.why and not path:
        raise BadInput("why needs a path: name the file whose sources you want")
    sources = _sources(server, path) if asked.why else []
    return History(list(_commits(server, path, asked)), sources)


def _commits(server: ServerSession, path: str, asked: Look) -> Iterator[Commit]:
    since = moment(asked.since) if asked.since else None
    most = None if since or server.agent else asked.limit
    mine = server.vault.history.commits(path, agent=server.agent, limit=most)
    chosen = (each for each in mine if since is None or each.when >= since)
    for it in islice(chosen, asked.limit):
        diff = _diff(server, it.commit, path) if path else ""
        yield Commit(it.commit, iso(it.when), it.author, _subject(server, it), it.op, diff)


def _diff(server: ServerSession, commit: str, path: str) -> str:
    diff = server.vault.history.file_diff(commit, path)
    if server.vault.history.was_untrusted(commit, path):
        return shown_text.of_untrusted("update", path, diff)
    return shown_text.shortened(server.scope.visible_diff(diff))


def _subject(server: ServerSession, found: Found) -> str:
    """Return the subject of a commit, which says the first words of what it is about.

    Of what waits for review or is not trusted, then or now, it is what was done, and where.
    """
    waiting = {*filter(waits_for_review, found.paths)}
    places = map(shown_text.place, server.vault.history.untrusted_in(found) - waiting)
    quiet = sorted({*waiting, *places})
    if not quiet:
        return found.subject
    kind = _KIND.match(found.subject)
    more = f" and {len(quiet) - _PLACES} more" if len(quiet) > _PLACES else ""
    return f"{kind[0] if kind else 'commit'}: {', '.join(quiet[:_PLACES])}{more}"


def _sources(server: ServerSession, path: str) -> list[Source]:
    chain = server.vault.why(path, agent="" if server.is_new else server.agent).chain
    shown = (
        Source(it.depth, it.kind, it.path, it.line, it.date, it.by, it.trust, it.text)
        for it in chain
        if it.trust != shown_text.UNTRUSTED and server.scope.knows_of(it.path)
    )
    return list(islice(shown, _SOURCES))


TOOL = Tool(
    "memory_history", "Memory history",
    "List operations, newest first; for a path with diffs, and with why=true its sources.",
    LOOKS, Look, TypeAdapter(History), past,
)  # fmt: skip
