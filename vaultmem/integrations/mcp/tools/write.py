"""`memory_write`: keep something new, or update by a strategy; nothing is overwritten unasked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import Field, TypeAdapter

from vaultmem.api.rendering import unseen
from vaultmem.api.types import (
    Json,
    NewTopic,
    Patch,
    Strategy,
    TopicPatch,
    WrittenFile,
)
from vaultmem.config import agent_name
from vaultmem.errors import BadInput
from vaultmem.integrations.mcp.tools.arguments import Arguments, Names, also, inner, refuse_unused
from vaultmem.integrations.mcp.tools.task import same_task
from vaultmem.integrations.mcp.tools.types import ADDS, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession

Kind = Literal["memory", "topic", "note", "card", "task"]


class Write(Arguments):
    """What `memory_write` is given."""

    kind: Kind = Field("memory", validation_alias=also("kind", "type"), description="of what")
    title: str = Field(
        "",
        validation_alias=also("title", "name", "subject", "heading"),
        description="needed but for a memory; category/key for a card",
    )
    content: str = Field(
        validation_alias=also("content", "text", "body", "memory"),
        description="Markdown; for a card a JSON object of facts, null ends one; a new one "
        'needs {"person": "Sarah", "relationship": "aunt", "backstory": "told"}',
    )
    tags: Names = Field(
        default=[], validation_alias=also("tags", "tag"), description="to find it by"
    )
    sources: Names = Field(
        default=[],
        validation_alias=also("sources", "source"),
        description="paths or ids a topic rests on",
    )
    reason: str = Field(
        "",
        validation_alias=also("reason", "why", "description"),
        description="why it matters, in a line",
    )
    strategy: Literal["", Strategy] = Field(
        "",
        description="update; overwrite a card: just what is given; content: a fact per line",
    )


@dataclass(frozen=True, slots=True)
class Written:
    """What was kept; *existed* when the file stood there before.

    Nothing was written then, but to a card, or by a strategy: what is new.
    *commit* is null while git has not got it yet: the file is safe on disk. *waits* names what
    waits for a person, where this contradicts what a more trusted source said. *quotes* is the tool
    that said it lately: then it is kept as that tool's word, untrusted. *uncommitted* says why git
    does not get it, and what to do. *unseen* says that characters are in it which nobody sees.
    """

    path: str
    sha256: str
    commit: str | None
    existed: bool = False
    waits: str = ""
    quotes: str = ""
    uncommitted: str = ""
    unseen: str = ""


def write(server: ServerSession, given: Write) -> Written:
    """Keep something new; the same text returns the existing file, and no other is overwritten."""
    agent_name(server.reach.writer())
    if given.kind == "memory" and given.strategy:
        raise BadInput("a memory is never rewritten: leave out the strategy, or name a topic")
    refuse_unused(given, (*_OF_ALL, *_OF_KIND[given.kind]), f"a {given.kind}")
    if given.kind != "memory" and not given.title.strip():
        raise BadInput(f"a {given.kind} needs a title: say in a few words what it is about")
    made = _KINDS[given.kind](server, given)
    return replace(made, unseen=_UNSEEN) if unseen(given.content) else made


def _written(made: WrittenFile) -> Written:
    return Written(made.path, made.sha256, made.commit, existed=made.existed, quotes=made.quotes)


def _memory(server: ServerSession, given: Write) -> Written:
    title, text = given.title.strip(), given.content.strip()
    if title.casefold() not in text.casefold():
        text = f"{title}\n\n{text}"
    made = server.vault.memories.keep_once(
        text, client="mcp", agent=server.agent, tags=given.tags, reason=given.reason
    )
    return _written(made)


def _topic(server: ServerSession, given: Write) -> Written:
    links, trust = server.reach.links(map(inner, given.sources))
    if given.strategy:
        patch = TopicPatch(
            (given.content,), given.strategy, "", given.reason, tuple(given.tags), links,
            trust=trust, agent=server.agent,
        )  # fmt: skip
        made = server.vault.topics.set(given.title, patch)
        return Written(
            made.path, made.sha256, made.commit, existed=made.existed, uncommitted=made.uncommitted
        )
    topic = NewTopic(
        given.title, given.content, given.reason, tuple(given.tags), links, trust, server.agent
    )
    return _written(server.vault.topics.create(topic))


def _note(server: ServerSession, given: Write) -> Written:
    if given.strategy:
        reach, title = server.reach, inner(given.title)
        done = reach.set_note(title, given.content, strategy=given.strategy, reason=given.reason)
        return Written(
            done.path, done.sha256, done.commit, existed=done.existed, quotes=done.quotes,
            uncommitted=done.uncommitted,
        )  # fmt: skip
    return _written(server.reach.create_note(given.title, given.content, reason=given.reason))


def _card(server: ServerSession, given: Write) -> Written:
    patch = Patch(_facts(given.content), strategy=given.strategy or None)
    made = server.vault.cards.set(given.title, patch, reason=given.reason)
    sha256 = server.vault.queries.sha256(made.path) or ""
    return Written(
        made.path, sha256, made.commit, existed=made.existed, waits=made.waits,
        uncommitted=made.uncommitted,
    )  # fmt: skip


def _task(server: ServerSession, given: Write) -> Written:
    tasks = server.vault.tasks
    known = same_task(server, given.title, given.content)
    made = known or tasks.create(given.title, description=given.content, reason=given.reason)
    sha256 = server.vault.queries.sha256(made.path) or ""
    return Written(
        made.path, sha256, made.commit, existed=known is not None, uncommitted=made.uncommitted
    )


def _facts(content: str) -> dict[str, Json]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, Mapping):
        raise BadInput(
            "the content of a card is a JSON object of facts, as in "
            '{"person": "Sarah", "relationship": "daughter", "backstory": "…", "allergy": "nuts"}'
        )
    return dict(found)


_UNSEEN = "the text has characters that nobody sees, which a check names: keep it without them"
_OF_ALL = ("kind", "title", "content", "reason")
_OF_KIND: Mapping[Kind, Sequence[str]] = {
    "memory": ("tags",), "topic": ("tags", "sources", "strategy"), "note": ("strategy",),
    "card": ("strategy",), "task": (),
}  # fmt: skip
_Writing = Callable[[ServerSession, Write], Written]
_KINDS: Mapping[Kind, _Writing] = {
    "memory": _memory, "topic": _topic, "note": _note, "card": _card,
    "task": _task,
}  # fmt: skip


TOOL = Tool(
    "memory_write", "Remember",
    "Store a memory (one thing said or learnt), a topic (lasting knowledge), a "
    "note, a card (facts about a person or thing), a task. Overwrites only by strategy.",
    ADDS, Write, TypeAdapter(Written), write,
)  # fmt: skip
