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
from vaultmem.integrations.mcp.vault_session import Desk
from vaultmem.knowledge.cards.types import OWN, Json, Patch
from vaultmem.maintenance.forgetting import Permit
from vaultmem.memory import remember
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.remember import Said, one_line
from vaultmem.records import iso, lowest
from vaultmem.storage import tombstones
from vaultmem.storage.files import sha256, slug
from vaultmem.storage.plan import Change, Plan

_SLUG, _MARK = 60, 16
_ORIGIN = "SELECT path, sha FROM docs WHERE origin = ? AND agent = ? AND type = 'memory'"


def write(desk: Desk, given: arguments.Write) -> results.Written:
    """Keep something new; the same again is what there is, and nothing is ever overwritten."""
    agent = agent_name(desk.vault.site.agent(desk.agent))
    if agent in desk.vault.site.config().disabled_agents:
        raise SwitchedOff("agent", agent)
    if given.kind != "memory" and not given.title.strip():
        raise BadInput(f"a {given.kind} needs a title: say in a few words what it is about")
    return _KINDS[given.kind](desk, given, agent)


# --- memories -----------------------------------------------------------------------------------


def _memory(desk: Desk, given: arguments.Write, agent: str) -> results.Written:
    # No look at the files before: it costs ten times the write, which needs none of it.
    site, text = desk.vault.site, _said(given)
    origin = f"mcp/{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:_MARK]}"
    for path, sha in site.index.db.execute(_ORIGIN, (origin, agent)):
        return results.Written(path, sha, None, existed=True)
    tags = tuple(t for tag in given.tags if (t := one_line(tag, "tag")))
    said = Said(text, agent, site.clock(), "agent", origin=origin, tags=tags)
    change, _ = remember.keep(site, said, reason=given.reason)
    return results.Written(change.path, sha256(change.new or b""), None)


def _said(given: arguments.Write) -> str:
    """Return what is to be remembered: the title, too, where the content does not say it."""
    title, content = given.title.strip(), given.content.strip()
    told = title.casefold() in content.casefold()
    return content if told else f"{title}\n\n{content}"


# --- topics -------------------------------------------------------------------------------------


def _topic(desk: Desk, given: arguments.Write, _agent: str) -> results.Written:
    return desk.vault.site.insist(lambda: _topic_once(desk, given))


def _topic_once(desk: Desk, given: arguments.Write) -> results.Written:
    site = desk.vault.site
    site.sync_soon()
    title = one_line(given.title, "title")
    links, trust = _sources(desk, given.sources)
    body = _told(remember.clean(given.content, "the content"), title, links)
    path = f"topics/{_stem(title)}.md"
    if (there := site.read(path)) is not None:
        return _same(path, there, body)
    remember.refuse_secrets(path, title, *given.tags)
    tombstones.refuse(site, body)
    head = {
        "id": site.mint(), "type": "topic", "kind": "reference", "title": title,
        "description": one_line(given.reason, "reason"), "created": iso(site.clock()),
        "source": "agent", "trust": trust,
        "tags": [one_line(t, "tag") for t in given.tags], "sources": [f"[[{x}]]" for x in links],
    }  # fmt: skip
    text = frontmatter.new({key: value for key, value in head.items() if value}, body)
    change = Change(path, None, text.encode(), "new knowledge")
    return _carried_out(desk, change, f"topic: {title}", given.reason)


def _told(content: str, title: str, sources: tuple[str, ...]) -> str:
    """Return the body of a new topic: what has sections keeps them, else each line is a fact."""
    if not content:
        raise BadInput("the content is empty, or all of it is private: say what shall be known")
    if any(line.startswith("#") for line in content.splitlines()):
        return f"{content}\n"
    lines = (line.strip().removeprefix("- ").removeprefix("* ") for line in content.splitlines())
    facts = tuple(Fact(line, sources=sources) for line in lines if line)
    return markdown.render_topic(Topic("", title, "", facts))


def _sources(desk: Desk, refs: list[str]) -> tuple[tuple[str, ...], str]:
    """Return what to link for each of *refs*, and the trust that what rests on them has."""
    pages = [desk.reach.page(inner(ref), most=1) for ref in refs]
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


def _carried_out(desk: Desk, change: Change, subject: str, reason: str) -> results.Written:
    site = desk.vault.site
    why = one_line(reason, "reason")
    remember.refuse_secrets("the reason", why)
    plan = Plan(
        site.mint(), "topic", subject, (change, *compaction_runner.index_change(site, [change])),
        agent=desk.agent, trust="agent", notes=(why,) if why else (),
    )  # fmt: skip
    site.carry_out(plan)
    return results.Written(change.path, sha256(change.new or b""), None)


def _stem(title: str) -> str:
    """Return a file's name for *title*, whatever letters it is written in."""
    digest = hashlib.sha256(title.encode("utf-8", "replace")).hexdigest()
    return slug(title, _SLUG) or f"untitled-{digest[:8]}"


# --- notes, cards, tasks --------------------------------------------------------------------------


def _note(desk: Desk, given: arguments.Write, _agent: str) -> results.Written:
    folder = f"agents/{desk.agent}/notes" if desk.agent else "notes"
    path = f"{folder}/{_stem(given.title)}.md"
    text = f"# {one_line(given.title, 'title')}\n\n{given.content.strip()}\n"
    if (there := desk.vault.site.read(path)) is not None:
        return _same(path, there, text)
    made = desk.reach.create(path, text, reason=given.reason)
    return results.Written(made.path, made.sha256, made.commit)


def _card(desk: Desk, given: arguments.Write, _agent: str) -> results.Written:
    facts = _facts(given.content)
    own = {key: str(facts.pop(key, "")) for key in OWN}
    patch = Patch(
        facts, person=own["person"], relationship=own["relationship"], backstory=own["backstory"],
        valid_from=own["valid_from"], valid_to=own["valid_to"], stale_after=own["stale_after"],
    )  # fmt: skip
    made = desk.vault.cards.set(given.title, patch)
    data = desk.vault.site.read(made.path) or b""
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


def _task(desk: Desk, given: arguments.Write, _agent: str) -> results.Written:
    tasks, title, text = desk.vault.tasks, given.title.strip(), given.content.strip()
    same = (t for t in tasks.list() if (t.subject, t.description.strip()) == (title, text))
    task = next(same, None)
    made = task or tasks.create(title, description=text)
    data = desk.vault.site.read(made.path) or b""
    return results.Written(made.path, sha256(data), made.commit, existed=task is not None)


_KINDS: Mapping[arguments.Kind, Callable[[Desk, arguments.Write, str], results.Written]] = {
    "memory": _memory, "topic": _topic, "note": _note, "card": _card, "task": _task,
}  # fmt: skip


# --- editing, forgetting --------------------------------------------------------------------------


def edit(desk: Desk, given: arguments.Edit) -> results.Edited:
    """Change a file where it is an agent's to change."""
    done = _edited(desk, given)
    return results.Edited(done.path, shortened(done.diff), done.sha256, done.op, done.commit)


def _edited(desk: Desk, given: arguments.Edit) -> Reached:
    reach, path, old, new = desk.reach, inner(given.path), given.old, given.new
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


def forget(desk: Desk, given: arguments.Forget) -> results.Forgotten:
    """Forget a file, or an id; a purge only where the server was started to allow it."""
    path, forgetting = desk.reach.page(inner(given.path), most=1).path, desk.vault.forgetting
    if given.purge and not desk.limits.allow_purge:
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
        done = desk.vault.forget(path, reason=given.reason)
    stones = [f"tombstones/{stone}.md" for stone in done.forgotten]
    undo = "" if given.purge else done.op
    derived, mentions = ([p for p in told if desk.knows_of(p)]
                         for told in (done.derived, done.mentions))  # fmt: skip
    return results.Forgotten(stones, undo, derived, mentions, done.history, done.commit)
