"""`memory_search`: find what is remembered about a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, TypeAdapter

from vaultmem.api.rendering import fenced, visible_text
from vaultmem.api.types import LONGEST_QUERY, MOST_HITS, Scope
from vaultmem.api.types import Hit as Found
from vaultmem.errors import BadInput
from vaultmem.integrations.mcp import commands
from vaultmem.integrations.mcp.tools import shown_text
from vaultmem.integrations.mcp.tools.arguments import Arguments, Names, When, Whole, also, several
from vaultmem.integrations.mcp.tools.types import LOOKS, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession
from vaultmem.records import end_of, moment

Sought = Literal[
    "memory",
    "topic",
    "card",
    "summary",
    "episode",
    "note",
    "file",
    "task",
    "skill",
    "session",
    "turn",
    "working",
]
Mode = Literal["auto", "lexical", "semantic"]


class Search(Arguments):
    """What `memory_search` is asked."""

    query: str = Field(
        max_length=LONGEST_QUERY,
        validation_alias=also("query", "q", "text", "question", "search"),
        description="a question or words",
    )
    k: Whole = Field(
        8, ge=1, le=MOST_HITS, validation_alias=also("k", "limit", "top_k", "max_results", "n"),
        description="how many at most",
    )  # fmt: skip
    kinds: Annotated[list[Sought], BeforeValidator(several)] = Field(
        default=[], validation_alias=also("kinds", "kind", "type", "types"),
        description="only these kinds",
    )  # fmt: skip
    tags: Names = Field(
        default=[], validation_alias=also("tags", "tag"), description="only what has all of these"
    )
    after: When = Field(
        "", validation_alias=also("after", "since", "from"), description="date, as 2026-11-20"
    )
    before: When = Field("", validation_alias=also("before", "until", "to"), description="date")
    person: str = Field(
        "", validation_alias=also("person", "speaker", "who"),
        description="its speaker or subject",
    )  # fmt: skip
    trust: str = Field("", description="least trust: agent, user, verified")
    as_of: When = Field("", description="date: the vault as of then")
    mode: Mode = Field("auto", description="lexical: words; semantic: meaning")
    untrusted: bool = Field(default=False, description=shown_text.UNTRUSTED_TOO)


@dataclass(frozen=True, slots=True)
class Hit:
    """One place that answers the question; *lines* are the first and the last of it."""

    path: str
    lines: tuple[int, int]
    heading: str
    date: str
    kind: str
    snippet: str
    score: float
    sha256: str
    stale: bool
    trust: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to a search, best first; *degraded_reason* says what was not up to its best."""

    hits: Sequence[Hit]
    degraded_reason: str | None = None
    note: str = shown_text.DATA


def search(server: ServerSession, asked: Search) -> SearchResult:
    """Find what answers a question; what nobody vouches for is shown where it is asked for."""
    if asked.after and asked.before and moment(asked.after) > end_of(asked.before):
        raise BadInput(f"nothing is after {asked.after} and before {asked.before}: exchange them")
    only = asked.kinds[0] if len(asked.kinds) == 1 else ""
    scope = Scope(
        agent=server.agent, shared=bool(server.agent), type=only, tags=tuple(asked.tags),
        after=asked.after, before=asked.before, person=asked.person, trust=asked.trust,
        untrusted=asked.untrusted,
    )  # fmt: skip
    # Of several kinds the best are picked from all that is found: a scope has one.
    k = MOST_HITS if len(asked.kinds) > 1 else asked.k
    answer = server.vault.recall(asked.query, k, scope, mode=asked.mode, as_of=asked.as_of or None)
    hits = [h for h in answer.hits if not asked.kinds or h.type in asked.kinds]
    why = answer.degraded_reason
    return SearchResult([_hit(h) for h in hits[: asked.k]], why and commands.for_client(why))


def _hit(hit: Found) -> Hit:
    return Hit(
        hit.path, hit.lines, visible_text(hit.heading), hit.date, hit.type,
        visible_text(fenced(hit.snippet, path=hit.path, kind=hit.type, trust=hit.trust)),
        round(hit.score, 3),
        hit.sha256, hit.stale, hit.trust,
    )  # fmt: skip


TOOL = Tool(
    "memory_search", "Search memory",
    "Find what is remembered about a question, best match first, with path, date and trust. "
    "Search before you answer anything that depends on the past.",
    LOOKS, Search, TypeAdapter(SearchResult), search,
)  # fmt: skip
