"""A new topic, written once: the same again is the file that is there, and none is replaced."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from vaultmem.documents import frontmatter, secrets
from vaultmem.documents.bodies import Fact, Topic, markdown
from vaultmem.documents.markdown import blocks
from vaultmem.errors import BadInput, Refused
from vaultmem.memory import pointed_index, remember, tool_quotes
from vaultmem.memory.remember import one_line, title_line
from vaultmem.records import iso
from vaultmem.storage import tombstones
from vaultmem.storage.files import fits, sha256, slug
from vaultmem.storage.plan import Change, Plan, WrittenFile
from vaultmem.storage.store import Store

_SLUG, _DIGEST = 60, 8


@dataclass(frozen=True, slots=True)
class NewTopic:
    """What shall be known: the *content* under a *title*, and the *links* that it rests on.

    *description* tells in one line why it matters; *source* is a key of TRUST_OF_SOURCE, *trust*
    what its sources are worth.
    """

    title: str
    content: str
    description: str = ""
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    trust: str = "agent"
    agent: str = ""
    kind: str = "reference"
    source: str = "agent"


def file_stem(title: str) -> str:
    """Return a file's name for *title*, whatever letters it is written in."""
    digest = hashlib.sha256(title.encode("utf-8", "replace")).hexdigest()[:_DIGEST]
    stem = slug(title, _SLUG) or f"untitled-{digest}"
    return stem if fits(stem) else f"{stem}-{digest}"


def create(store: Store, new: NewTopic) -> WrittenFile:
    """Write a new topic, shared by all agents; the commit waits.

    Raises BadInput, SecretFound, Refused where a topic of that title says something else or
    a tool said it, and whatever `Store.apply` does.
    """
    store.sync_notes()
    title = title_line(new.title, "title")
    content = remember.clean(new.content, "the content")
    if not content:
        raise BadInput(f"nothing was written: {secrets.why_empty(new.content)}")
    new = replace(new, title=title, links=tuple(secrets.public_items(new.links)))
    body = _body(content, title, new.links)
    path = path_of(title)
    if (there := store.texts.read(path)) is not None:
        return existing(path, there, body)
    made = change(store, new, body)
    why = one_line(new.description, "reason")
    if new.source == "agent":
        tool_quotes.refuse(store, new.agent, title, *fact_lines(body), why, *new.tags, new.kind)
    changes = (made, *pointed_index.change(store, [made]))
    subject, notes = f"topic: {title}", (why,) if why else ()
    plan = Plan(store.mint(), "topic", subject, changes, new.agent, trust="agent", notes=notes)
    store.apply(plan)
    return WrittenFile(path, sha256(made.new or b""))


def path_of(title: str) -> str:
    """Return where the topic of that *title* stands, which all agents share."""
    return f"topics/{file_stem(title)}.md"


def change(store: Store, new: NewTopic, body: str) -> Change:
    """Return the file of a *new* topic with this *body*; raises SecretFound, Refused."""
    path, why = path_of(new.title), one_line(new.description, "reason")
    tags = remember.one_lines(new.tags, "tag")
    remember.refuse_secrets("the title", new.title)
    remember.refuse_secrets("a tag", *tags)
    tombstones.refuse(store, *blocks.passages(body), new.title, why, *tags)
    remember.refuse_secrets("the reason", why)
    head = {
        "id": store.mint(), "type": "topic", "kind": new.kind, "title": new.title,
        "description": why, "created": iso(store.clock()), "source": new.source,
        "trust": new.trust, "tags": list(tags),
        "sources": [f"[[{x}]]" for x in new.links],
    }  # fmt: skip
    text = frontmatter.new({key: value for key, value in head.items() if value}, body)
    return Change(path, None, text.encode(), "new knowledge")


def _body(content: str, title: str, sources: tuple[str, ...]) -> str:
    """Return the body of a new topic: what has sections keeps them, else each line is a fact."""
    if has_sections(content):
        return f"{content}\n"
    facts = tuple(Fact(line, sources=sources) for line in fact_lines(content))
    return markdown.render_topic(Topic("", title, "", facts))


def has_sections(content: str) -> bool:
    """Tell whether *content* has headings, so that its lines are not each a fact."""
    return any(line.startswith("#") for line in content.splitlines())


def fact_lines(content: str) -> Iterator[str]:
    """Yield the facts of *content*, one a line, without the mark of a bullet."""
    lines = (line.strip().removeprefix("- ").removeprefix("* ") for line in content.splitlines())
    return filter(None, lines)


def existing(path: str, there: bytes, body: str) -> WrittenFile:
    """Return the file that is there already, if it says *body*; raises Refused when it does not."""
    if frontmatter.read(there).body.strip() == body.strip():
        return WrittenFile(path, sha256(there), existed=True)
    raise Refused(
        f"{path} exists with different content; nothing was written: "
        "read it, then edit it, or choose another title"
    )
