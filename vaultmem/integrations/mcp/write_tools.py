"""The tools that write: memory_write, memory_edit, memory_forget."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from vaultmem.api.agent_files import Reached
from vaultmem.config import agent_name
from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Fact, Topic, markdown
from vaultmem.errors import BadInput, Refused, SwitchedOff
from vaultmem.integrations.mcp import arguments, results
from vaultmem.integrations.mcp.read_tools import inner, shortened
from vaultmem.integrations.mcp.vault_session import ServerSession
from vaultmem.knowledge.cards.types import OWN, Json, Patch
from vaultmem.maintenance.forgetting import Permit
from vaultmem.memory import remember
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.remember import MemoryInput, one_line
from vaultmem.records import iso, lowest
from vaultmem.storage import tombstones
from vaultmem.storage.files import sha256, slug
from vaultmem.storage.plan import Change, Plan

_SLUG, _MARK = 60, 16
_ORIGIN = "SELECT path, sha FROM docs WHERE origin = ? AND agent = ? AND type = 'memory'"


def write(server: ServerSession, given: arguments.Write) -> results.Written:
    """Keep something new; the same again is what there is, and nothing is ever overwritten."""
    agent = agent_name(server.vault.store.agent(server.agent))
    if agent in server.vault.store.config().disabled_agents:
        raise SwitchedOff("agent", agent)
    if given.kind != "memory" and not given.title.strip():
        raise BadInput(f"a {given.kind} needs a title: say in a few words what it is about")
    return _KINDS[given.kind](server, given, agent)


# --- memories -----------------------------------------------------------------------------------


def _memory(server: ServerSession, given: arguments.Write, agent: str) -> results.Written:
    # No look at the files before: it costs ten times the write, which needs none of it.
    store, text = server.vault.store, _said(given)
    origin = f"mcp/{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:_MARK]}"
    for path, sha in store.index.db.execute(_ORIGIN, (origin, agent)):
        return results.Written(path, sha, None, existed=True)
    tags = tuple(t for tag in given.tags if (t := one_line(tag, "tag")))
    said = MemoryInput(text, agent, store.clock(), "agent", origin=origin, tags=tags)
    change, _ = remember.keep(store, said, reason=given.reason)
    return results.Written(change.path, sha256(change.new or b""), None)


def _said(given: arguments.Write) -> str:
    """Return what is to be remembered: the title, too, where the content does not say it."""
    title, content = given.title.strip(), given.content.strip()
    told = title.casefold() in content.casefold()
    return content if told else f"{title}\n\n{content}"


# --- topics -------------------------------------------------------------------------------------


def _topic(server: ServerSession, given: arguments.Write, _agent: str) -> results.Written:
    return server.vault.store.retry(lambda: _topic_once(server, given))


def _topic_once(server: ServerSession, given: arguments.Write) -> results.Written:
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


def _same(path: str, there: bytes, body: str) -> results.Written:
    """Return the file that is there already, if it says *body*; raises Refused when it does not."""
    if frontmatter.parse(frontmatter.decode(there)).body.strip() == body.strip():
        return results.Written(path, sha256(there), None, existed=True)
    raise Refused(
        f"{path} exists and says something else; nothing was written: "
        "memory_read it, then memory_edit it, or choose another title"
    )


def _carried_out(
    server: ServerSession, change: Change, subject: str, reason: str
) -> results.Written:
    store = server.vault.store
    why = one_line(reason, "reason")
    remember.refuse_secrets("the reason", why)
    plan = Plan(
        store.mint(), "topic", subject, (change, *compaction_runner.index_change(store, [change])),
        agent=server.agent, trust="agent", notes=(why,) if why else (),
    )  # fmt: skip
    store.apply(plan)
    return results.Written(change.path, sha256(change.new or b""), None)


def _stem(title: str) -> str:
    """Return a file's name for *title*, whatever letters it is written in."""
    digest = hashlib.sha256(title.encode("utf-8", "replace")).hexdigest()
    return slug(title, _SLUG) or f"untitled-{digest[:8]}"


# --- notes, cards, tasks --------------------------------------------------------------------------


def _note(server: ServerSession, given: arguments.Write, _agent: str) -> results.Written:
    folder = f"agents/{server.agent}/notes" if server.agent else "notes"
    path = f"{folder}/{_stem(given.title)}.md"
    text = f"# {one_line(given.title, 'title')}\n\n{given.content.strip()}\n"
    if (there := server.vault.store.read(path)) is not None:
        return _same(path, there, text)
    made = server.reach.create(path, text, reason=given.reason)
    return results.Written(made.path, made.sha256, made.commit)


def _card(server: ServerSession, given: arguments.Write, _agent: str) -> results.Written:
    facts = _facts(given.content)
    own = {key: str(facts.pop(key, "")) for key in OWN}
    patch = Patch(
        facts, person=own["person"], relationship=own["relationship"], backstory=own["backstory"],
        valid_from=own["valid_from"], valid_to=own["valid_to"], stale_after=own["stale_after"],
    )  # fmt: skip
    made = server.vault.cards.set(given.title, patch)
    data = server.vault.store.read(made.path) or b""
    return results.Written(
        made.path, sha256(data), made.commit, existed=not made.changed, waits=made.waits
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


def _task(server: ServerSession, given: arguments.Write, _agent: str) -> results.Written:
    tasks, title, text = server.vault.tasks, given.title.strip(), given.content.strip()
    same = (t for t in tasks.list() if (t.subject, t.description.strip()) == (title, text))
    task = next(same, None)
    made = task or tasks.create(title, description=text)
    data = server.vault.store.read(made.path) or b""
    return results.Written(made.path, sha256(data), made.commit, existed=task is not None)


_Writing = Callable[[ServerSession, arguments.Write, str], results.Written]
_KINDS: Mapping[arguments.Kind, _Writing] = {
    "memory": _memory, "topic": _topic, "note": _note, "card": _card, "task": _task,
}  # fmt: skip


# --- editing, forgetting --------------------------------------------------------------------------


def edit(server: ServerSession, given: arguments.Edit) -> results.Edited:
    """Change a file where it is an agent's to change."""
    done = _edited(server, given)
    return results.Edited(done.path, shortened(done.diff), done.sha256, done.op, done.commit)


def _edited(server: ServerSession, given: arguments.Edit) -> Reached:
    reach, path, old, new = server.reach, inner(given.path), given.old, given.new
    if given.op != "append" and not old:
        raise BadInput(f"{given.op} needs old: {_OLD[given.op]}")
    expected, reason = given.expected_sha256.lower(), given.reason
    if given.op == "append":
        return reach.append(path, new, expected_sha256=expected, reason=reason)
    step = {
        "str_replace": reach.str_replace,
        "replace_section": reach.replace_section,
        "set_field": reach.set_field,
    }[given.op]
    return step(path, old, new, expected_sha256=expected, reason=reason)


_OLD: Mapping[arguments.Op, str] = {
    "str_replace": "the text as it stands, enough of it to be unique",
    "replace_section": "the heading of the section",
    "set_field": "the name of the field in the frontmatter",
}


def forget(server: ServerSession, given: arguments.Forget) -> results.Forgotten:
    """Forget a file, or an id; a purge only where the server was started to allow it."""
    path, forgetting = server.reach.page(inner(given.path), most=1).path, server.vault.forgetting
    if given.purge and not server.limits.allow_purge:
        raise Refused(
            "this server does not purge: forget without purge, and ask the person to run "
            f"`vaultmem forget {path} --purge`"
        )
    if forgetting.is_final and not given.purge:
        raise Refused(
            "this vault has no history, so what is forgotten is gone for good: "
            f"ask the person to run `vaultmem forget {path} --yes`"
        )
    if given.purge:
        done, purged = forgetting.purge([path], given.reason, Permit())
        still = [it.place for it in purged.proof.still]
        done = replace(done, mentions=(*dict.fromkeys((*done.mentions, *still)),))
    else:
        done = server.vault.forget(path, reason=given.reason)
    stones = [f"tombstones/{stone}.md" for stone in done.forgotten]
    undo = "" if given.purge else done.op
    derived, mentions = ([p for p in told if server.knows_of(p)]
                         for told in (done.derived, done.mentions))  # fmt: skip
    return results.Forgotten(stones, undo, derived, mentions, done.history, done.commit)
