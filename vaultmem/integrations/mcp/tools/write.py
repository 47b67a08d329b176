"""`memory_write`: keep something new, never overwriting."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, TypeAdapter

from vaultmem.api.types import Change, Json, Patch, Plan
from vaultmem.config import agent_name
from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Fact, Topic, markdown
from vaultmem.errors import BadInput, Refused, SwitchedOff
from vaultmem.integrations.mcp.tools.arguments import Arguments, Names, also, inner
from vaultmem.integrations.mcp.tools.types import ADDS, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession
from vaultmem.knowledge.cards.types import OWN
from vaultmem.memory import remember
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.remember import MemoryInput, one_line
from vaultmem.records import iso, lowest
from vaultmem.storage import tombstones
from vaultmem.storage.files import sha256, slug

_SLUG, _MARK = 60, 16
Kind = Literal["memory", "topic", "note", "card", "task"]


class Write(Arguments):
    """What `memory_write` is given."""

    kind: Kind = Field("memory", validation_alias=also("kind", "type"))
    title: str = Field(
        "",
        validation_alias=also("title", "name", "subject", "heading"),
        description="required except for a memory; category/key for a card",
    )
    content: str = Field(
        validation_alias=also("content", "text", "body", "memory"),
        description="Markdown; for a card a JSON object of facts",
    )
    tags: Names = Field(default=[], validation_alias=also("tags", "tag"))
    sources: Names = Field(
        default=[],
        validation_alias=also("sources", "source"),
        description="paths or ids it is based on",
    )
    reason: str = Field(
        "",
        validation_alias=also("reason", "why", "description"),
        description="why it matters, in one line; shown in the index for a topic",
    )


@dataclass(frozen=True, slots=True)
class Written:
    """What was kept; *existed* when it had been before, and nothing was written.

    *commit* is null while git has not got it yet: the file is safe on disk. *waits* names what
    waits for a person, where this contradicts what a more trusted source said.
    """

    path: str
    sha256: str
    commit: str | None
    existed: bool = False
    waits: str = ""


def write(server: ServerSession, given: Write) -> Written:
    """Keep something new; the same again is what there is, and nothing is ever overwritten."""
    agent = agent_name(server.vault.store.agent(server.agent))
    if agent in server.vault.store.config().disabled_agents:
        raise SwitchedOff("agent", agent)
    if given.kind != "memory" and not given.title.strip():
        raise BadInput(f"a {given.kind} needs a title: say in a few words what it is about")
    return _KINDS[given.kind](server, given, agent)


# --- memories -----------------------------------------------------------------------------------


def _memory(server: ServerSession, given: Write, agent: str) -> Written:
    # No look at the files before: it costs ten times the write, which needs none of it.
    store, text = server.vault.store, _said(given)
    origin = f"mcp/{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:_MARK]}"
    if known := store.index.by_origin(agent, origin):
        return Written(known.path, known.sha, None, existed=True)
    tags = tuple(t for tag in given.tags if (t := one_line(tag, "tag")))
    said = MemoryInput(text, agent, store.clock(), "agent", origin=origin, tags=tags)
    change, _ = remember.keep(store, said, reason=given.reason)
    return Written(change.path, sha256(change.new or b""), None)


def _said(given: Write) -> str:
    """Return what is to be remembered: the title, too, where the content does not say it."""
    title, content = given.title.strip(), given.content.strip()
    told = title.casefold() in content.casefold()
    return content if told else f"{title}\n\n{content}"


# --- topics -------------------------------------------------------------------------------------


def _topic(server: ServerSession, given: Write, _agent: str) -> Written:
    return server.vault.store.retry(lambda: _topic_once(server, given))


def _topic_once(server: ServerSession, given: Write) -> Written:
    store = server.vault.store
    store.sync_soon()
    title = one_line(given.title, "title")
    links, trust = _sources(server, given.sources)
    body = _told(remember.clean(given.content, "the content"), title, links)
    path = f"topics/{_stem(title)}.md"
    if (there := store.read(path)) is not None:
        return _same(path, there, body)
    remember.refuse_secrets(path, title, *given.tags)
    tombstones.refuse(store, body)
    head = {
        "id": store.mint(), "type": "topic", "kind": "reference", "title": title,
        "description": one_line(given.reason, "reason"), "created": iso(store.clock()),
        "source": "agent", "trust": trust,
        "tags": [one_line(t, "tag") for t in given.tags], "sources": [f"[[{x}]]" for x in links],
    }  # fmt: skip
    text = frontmatter.new({key: value for key, value in head.items() if value}, body)
    change = Change(path, None, text.encode(), "new knowledge")
    return _carried_out(server, change, f"topic: {title}", given.reason)


def _told(content: str, title: str, sources: tuple[str, ...]) -> str:
    """Return the body of a new topic: what has sections keeps them, else each line is a fact."""
    if not content:
        raise BadInput("the content is empty, or all of it is private: say what shall be known")
    if any(line.startswith("#") for line in content.splitlines()):
        return f"{content}\n"
    lines = (line.strip().removeprefix("- ").removeprefix("* ") for line in content.splitlines())
    facts = tuple(Fact(line, sources=sources) for line in lines if line)
    return markdown.render_topic(Topic("", title, "", facts))


def _sources(server: ServerSession, refs: list[str]) -> tuple[tuple[str, ...], str]:
    """Return what to link for each of *refs*, and the trust that what rests on them has."""
    pages = [server.reach.page(inner(ref), most=1) for ref in refs]
    stems = (p.path.removesuffix(".md") for p in pages)
    links = tuple(s.rpartition("/")[2] if "/memories/" in s else s for s in stems)
    return links, lowest(("agent", *(p.trust for p in pages)))


def _same(path: str, there: bytes, body: str) -> Written:
    """Return the file that is there already, if it says *body*; raises Refused when it does not."""
    if frontmatter.parse(frontmatter.decode(there)).body.strip() == body.strip():
        return Written(path, sha256(there), None, existed=True)
    raise Refused(
        f"{path} exists and says something else; nothing was written: "
        "memory_read it, then memory_edit it, or choose another title"
    )


def _carried_out(server: ServerSession, change: Change, subject: str, reason: str) -> Written:
    store = server.vault.store
    why = one_line(reason, "reason")
    remember.refuse_secrets("the reason", why)
    plan = Plan(
        store.mint(), "topic", subject, (change, *compaction_runner.index_change(store, [change])),
        agent=server.agent, trust="agent", notes=(why,) if why else (),
    )  # fmt: skip
    store.apply(plan)
    return Written(change.path, sha256(change.new or b""), None)


def _stem(title: str) -> str:
    """Return a file's name for *title*, whatever letters it is written in."""
    digest = hashlib.sha256(title.encode("utf-8", "replace")).hexdigest()
    return slug(title, _SLUG) or f"untitled-{digest[:8]}"


# --- notes, cards, tasks --------------------------------------------------------------------------


def _note(server: ServerSession, given: Write, _agent: str) -> Written:
    folder = f"agents/{server.agent}/notes" if server.agent else "notes"
    path = f"{folder}/{_stem(given.title)}.md"
    text = f"# {one_line(given.title, 'title')}\n\n{given.content.strip()}\n"
    if (there := server.vault.store.read(path)) is not None:
        return _same(path, there, text)
    made = server.reach.create(path, text, reason=given.reason)
    return Written(made.path, made.sha256, made.commit)


def _card(server: ServerSession, given: Write, _agent: str) -> Written:
    facts = _facts(given.content)
    own = {key: str(facts.pop(key, "")) for key in OWN}
    patch = Patch(
        facts, person=own["person"], relationship=own["relationship"], backstory=own["backstory"],
        valid_from=own["valid_from"], valid_to=own["valid_to"], stale_after=own["stale_after"],
    )  # fmt: skip
    made = server.vault.cards.set(given.title, patch)
    data = server.vault.store.read(made.path) or b""
    return Written(made.path, sha256(data), made.commit, existed=not made.changed, waits=made.waits)


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


def _task(server: ServerSession, given: Write, _agent: str) -> Written:
    tasks, title, text = server.vault.tasks, given.title.strip(), given.content.strip()
    same = (t for t in tasks.list() if (t.subject, t.description.strip()) == (title, text))
    task = next(same, None)
    made = task or tasks.create(title, description=text)
    data = server.vault.store.read(made.path) or b""
    return Written(made.path, sha256(data), made.commit, existed=task is not None)


_Writing = Callable[[ServerSession, Write, str], Written]
_KINDS: Mapping[Kind, _Writing] = {
    "memory": _memory, "topic": _topic, "note": _note, "card": _card, "task": _task,
}  # fmt: skip


TOOL = Tool(
    "memory_write", "Remember",
    "Store something new without overwriting: a memory (one thing said or learnt), a topic "
    "(lasting knowledge), a note, a card (facts about one person or thing), a task. "
    "Writing the same again returns the existing file.",
    ADDS, Write, TypeAdapter(Written), write,
)  # fmt: skip
