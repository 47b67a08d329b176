"""What may be said by name to the methods of a vault."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict, cast

from vaultmem import arguments

if TYPE_CHECKING:
    from vaultmem.retrieval.search import Mode, Scope
    from vaultmem.storage.transcripts import Turn


class Details(TypedDict, total=False):
    """What may be said of a memory beside its text; most are keys of its file.

    *reason*, why it is kept, stands in its commit; *redact* blanks secrets out. *heard* are turns
    of a loop that its session has not got yet: what a tool said there is a tool's word.
    """

    agent: str
    source: str
    importance: float | None
    tags: Sequence[str]
    session: str
    speaker: str
    at: str | datetime | None
    reason: str
    redact: bool
    heard: Sequence[Turn]


class RecallOptions(TypedDict, total=False):
    """Where recall looks, and how; `vaultmem recall` has options of the same names.

    With an *agent* it is that one's own files and those that all agents share; *type*, *tags* (all
    of them), *after* and *before* (dates, included) narrow it down, and so do *person*, who said it
    or whom it is about, and *trust*, the least that is wanted. *untrusted* is what nobody vouches
    for, such as pages. *mode* is `lexical` (words), `semantic` (vectors) or `auto` (both,
    where there is an embedder). *as_of*, a date or a time, asks the vault as it was committed then.
    *explain* tells of each hit what its score is the sum of. None is what is not given; an empty
    text is a mistake.
    """

    agent: str | None
    type: str | None
    tags: Sequence[str] | None
    after: str | None
    before: str | None
    person: str | None
    trust: str | None
    untrusted: bool
    mode: Mode
    as_of: str | None
    explain: bool


_HOW = frozenset({"mode", "as_of", "explain"})


def scope_of(options: RecallOptions) -> Scope:
    """Return where the *options* look; raises BadInput for one that is empty."""
    from vaultmem.retrieval.search import Scope

    agent = arguments.named("agent", options.get("agent"))
    return Scope(
        agent=agent,
        shared=bool(agent),
        type=arguments.named("type", options.get("type")),
        tags=tuple(arguments.named("a tag", tag) for tag in options.get("tags") or ()),
        after=arguments.named("after", options.get("after")),
        before=arguments.named("before", options.get("before")),
        person=arguments.named("person", options.get("person")),
        trust=arguments.named("trust", options.get("trust")),
        untrusted=options.get("untrusted", False),
    )


def how(options: RecallOptions) -> RecallOptions:
    """Return what the *options* say besides where to look, and names that are none of them."""
    where = RecallOptions.__annotations__.keys() - _HOW
    return cast("RecallOptions", {key: it for key, it in options.items() if key not in where})
