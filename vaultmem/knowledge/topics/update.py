"""Update a topic with facts, or make it: one operation, with the memory that a merge rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultmem.config import agent_name
from vaultmem.documents import public_text, secrets
from vaultmem.documents.bodies import Fact, Topic, markdown
from vaultmem.documents.bodies.bullets import normal
from vaultmem.documents.frontmatter import Field
from vaultmem.documents.markdown import blocks
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused
from vaultmem.knowledge.topics import new_topic, persons_facts, strategies, topic_file, views
from vaultmem.knowledge.topics.new_topic import NewTopic
from vaultmem.knowledge.topics.types import TopicPatch, WrittenTopic
from vaultmem.memory import pointed_index, remember, tool_quotes
from vaultmem.memory.placement import Placement
from vaultmem.memory.remember import MemoryInput, one_line, title_line
from vaultmem.nlp.summarization.guarded import guarded
from vaultmem.nlp.tasks import Made, Summarizer
from vaultmem.records import PERSON_SOURCES, TRUST, TRUST_OF_SOURCE, Record, is_trusted, iso, lowest
from vaultmem.storage import human_edits, tombstones
from vaultmem.storage.files import sha256
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_OWN = "agents/"
_BY_A_PERSON = "user"
_TOPICS = Filter(type="topic", recallable=True)


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a topic shall be: its file, what it listed and lists then, and who worded that."""

    change: Change
    before: Topic
    made: Made[Topic]


def update(
    store: Store, ref: str, patch: TopicPatch, ask: Callable[[], Summarizer]
) -> WrittenTopic:
    """Update the topic that *ref* names, or make one of that title, and commit.

    *ask* returns who merges. Raises BadInput, SecretFound, SwitchedOff; Refused for an agent's own
    topic, one that is read-only or more trusted than *patch*, and for what was forgotten or what a
    tool said.
    """
    asked = _cleaned(store, patch)
    store.sync_notes()
    said = (text for fact in asked.facts for text in blocks.passages(fact))
    tombstones.refuse(store, *said, *asked.tags, asked.description, agent=asked.agent)
    if asked.source == "agent":
        tool_quotes.refuse(store, asked.agent, ref, *asked.facts, asked.description, *asked.tags)
    return store.retry(lambda: _updated(store, ref, asked, ask))


# --- what is asked ----------------------------------------------------------------------------


def _cleaned(store: Store, patch: TopicPatch) -> TopicPatch:
    """Return *patch* as it may be stored: its agent named, its trust that of all it rests on."""
    _check(patch)
    # As one text: a private part, or a key of many lines, may go over several facts.
    facts = tuple(_facts("\n".join(patch.facts)))
    if not facts and (patch.facts or patch.strategy != "append" or not _about(patch)):
        raise BadInput("there are no facts, or all of them are private: say what to remember")
    agent = agent_name(store.agent(patch.agent))
    description = one_line(patch.description, "description")
    tags = remember.one_lines(patch.tags, "tag")
    remember.refuse_secrets("the description", description)
    remember.refuse_secrets("a tag", *tags)
    trust = lowest((TRUST_OF_SOURCE[patch.source], *filter(None, (patch.trust,))))
    if trust == "untrusted":
        raise Refused(
            "what nobody vouches for comes into no topic: a memory of it waits for a person's "
            "review (`vaultmem remember`)"
        )
    links = tuple(secrets.public_items(patch.links))
    made = replace(
        patch, facts=facts, agent=agent, description=description, tags=tags, trust=trust,
        links=links,
    )  # fmt: skip
    remember.check_switches(_said(store, made), store.config())
    return made


def _check(patch: TopicPatch) -> None:
    if patch.source not in TRUST_OF_SOURCE:
        raise BadInput(f"{quoted(patch.source)} is not a source")
    if patch.kind:
        views.check_kind(patch.kind)


def _about(patch: TopicPatch) -> bool:
    """Tell whether *patch* says something of the topic itself."""
    return bool(patch.kind or patch.description or patch.tags)


def _facts(text: str) -> Iterator[str]:
    lines = new_topic.fact_lines(remember.clean(text, "the facts"))
    return filter(None, map(normal, lines))


def _said(store: Store, asked: TopicPatch) -> MemoryInput:
    """Return the facts as one memory."""
    one = len(asked.facts) == 1
    text = "\n".join(asked.facts if one else (f"- {fact}" for fact in asked.facts))
    return MemoryInput(
        text, asked.agent, store.clock(), asked.source, tags=asked.tags, asked=asked.trust
    )


# --- which topic ------------------------------------------------------------------------------


def _known(store: Store, ref: str) -> Record | None:
    """Return the topic that *ref* names, None where it is the title of a new one."""
    found = [r for r in store.index.records(_TOPICS) if ref and views.is_meant(r, ref)]
    shared = [r for r in found if not r.path.startswith(_OWN)]
    if len(shared) > 1 and not any(r.path == ref for r in shared):
        raise BadInput(
            f"{quoted(ref)} may be {', '.join(r.path for r in shared)}: name one of them"
        )
    if shared:
        return next((r for r in shared if r.path == ref), shared[0])
    if any(ref in {r.path, r.path.removesuffix(".md"), r.id} for r in found):
        raise Refused(f"{ref} is an agent's own topic, which its episodes make: correct the memory "
                      "it mentions, or give another title")  # fmt: skip
    if ref.endswith(".md") or not ref.strip():
        raise BadInput(f"there is no topic {quoted(ref)}: give the title of a new one")
    path = new_topic.path_of(title_line(ref, "title"))
    at = next((r for r in store.index.at([path]) if r.type == "topic" and not r.problem), None)
    if at is None and store.texts.read(path) is not None:
        raise Refused(f"{path} is there and no sound topic: give another title")
    return at


def _refuse(known: Record, asked: TopicPatch) -> None:
    """Raise Refused where what is *asked* may not come into the topic *known*."""
    if not is_trusted(known):
        raise Refused(f"{known.path} is not trusted, and what is added would not be either: give "
                      "another title")  # fmt: skip
    if _is_above(known, asked) and asked.strategy != "append":
        raise Refused(
            f"{known.path} {_whose(known)}, and what comes from {asked.source} has "
            "less: only `append` it, or let a person say it (`source=user`)"
        )


def _is_above(known: Record, asked: TopicPatch) -> bool:
    """Tell whether *known* is worth more than what is *asked*, or a person began it.

    What is appended lowers the trust of all; that makes the topic nobody else's.
    """
    if TRUST.index(asked.trust) < TRUST.index(_BY_A_PERSON) and _is_a_persons(known):
        return True
    return lowest((known.trust, asked.trust)) != known.trust


def _is_a_persons(known: Record) -> bool:
    """Tell whether a person began the topic *known*: the program writes a source into its own."""
    began = TRUST_OF_SOURCE.get(known.source or "human", "")
    return bool(began) and TRUST.index(began) >= TRUST.index(_BY_A_PERSON)


def _whose(known: Record) -> str:
    if _is_a_persons(known) and known.trust == "agent":
        return "was begun by a person"
    return f"has the trust `{known.trust}`"


# --- what becomes of it -----------------------------------------------------------------------


def _updated(
    store: Store, ref: str, asked: TopicPatch, ask: Callable[[], Summarizer]
) -> WrittenTopic:
    known = _known(store, ref)
    title = views.title(known) if known else title_line(ref, "title")
    path = known.path if known else new_topic.path_of(title)
    if known:
        _refuse(known, asked)
    is_merge = asked.strategy == "merge" and not (known and _is_merged(store, known, asked))
    said = [_said(store, asked)] if is_merge else []
    memory = [remember.change(it, store.mint(), Placement(store).folder) for it in said]
    links = (*(Record(change.path, "").stem for change in memory), *asked.links)
    facts = tuple(Fact(text, links) for text in asked.facts)
    if known is None:
        meant = _new(store, title, asked, facts)
    elif found := _changed(store, known, asked, facts, ask if memory else None):
        meant = found
    else:
        reworded = _reworded(views.topic(known), asked)
        data = store.texts.read(path) or b""
        return WrittenTopic(path, sha256(data), reworded=reworded, existed=True)
    return _carried_out(store, title, asked, meant, memory)


def _is_merged(store: Store, known: Record, asked: TopicPatch) -> bool:
    """Tell whether the topic *known* still says what is *asked*, from a memory of these words."""
    topic, text = views.topic(known), _said(store, asked).text
    cited = {s for it in topic.items for s in it.sources}
    found = (r for source in sorted(cited) for r in store.index.named(source))
    same = (r for r in found if r.type == "memory" and store.texts.load(r).body.strip() == text)
    return any(
        all(strategies.is_told(topic, Fact(fact, (r.stem,))) for fact in asked.facts) for r in same
    )


def _new(store: Store, title: str, asked: TopicPatch, facts: Sequence[Fact]) -> _Meant:
    empty = Topic("", title, "")
    by_person = asked.source in PERSON_SOURCES
    topic = strategies.combined(empty, facts, asked.strategy, by_person=by_person)
    if not topic.facts:
        raise BadInput(f"there is no topic {quoted(title)} yet, and no fact to put into it")
    links = tuple(dict.fromkeys(s for fact in topic.facts for s in fact.sources))
    new = NewTopic(
        title, "", asked.description, asked.tags, links, asked.trust, asked.agent,
        asked.kind or "reference", asked.source,
    )  # fmt: skip
    change = new_topic.change(store, new, markdown.render_topic(topic))
    return _Meant(change, empty, Made(topic, "", ""))


def _changed(
    store: Store,
    known: Record,
    asked: TopicPatch,
    facts: Sequence[Fact],
    ask: Callable[[], Summarizer] | None,
) -> _Meant | None:
    """Return what becomes of the topic *known*, None where it says all that is *asked*.

    *ask* returns who merges, None where nothing is left to merge.
    """
    whole = views.topic(known)
    before = markdown.parse_topic(known.body, whole.slug, whole.title, whole.description)
    by_person = asked.source in PERSON_SOURCES
    if asked.strategy != "overwrite":  # what a person's own lists tell is told
        verbatim = by_person or asked.strategy == "append"
        facts = strategies.untold(whole.facts[len(before.facts) :], facts, verbatim=verbatim)
    made = Made(before, "", "")
    if asked.strategy != "merge":
        made = replace(
            made, value=strategies.combined(before, facts, asked.strategy, by_person=by_person)
        )
    elif ask and facts:
        made = strategies.merged(guarded(ask()), before, facts, asked.agent, by_person=by_person)
    head = dict(_head(known, asked))
    if made.value == before and not head:
        return None
    noted = _noted(store, known, asked, before, made)
    change = topic_file.updated(store, known.path, (before, made.value), {**noted, **head})
    if TRUST.index(asked.trust) < TRUST.index(_BY_A_PERSON):
        _refuse_taken(store, change, made.value)
    human_edits.keep_words(store, [change])
    human_edits.commit_new(store, [change])
    return _Meant(change, before, made)


def _refuse_taken(store: Store, change: Change, made: Topic) -> None:
    """Raise Refused where *change*, an agent's, takes out what a person said."""
    if line := persons_facts.taken(store, change, made):
        raise Refused(
            f"{change.path} says what a person wrote or stated ({public_text.shown(line)}): only "
            "`append` it, or let a person say it (`source=user`)"
        )


def _head(known: Record, asked: TopicPatch) -> Iterator[tuple[str, Field]]:
    """Yield what *asked* says of the topic itself; of a more trusted one it says nothing."""
    if _is_above(known, asked):
        return
    if asked.kind not in {"", known.kind}:
        yield "kind", asked.kind
    if asked.description not in {"", known.description}:
        yield "description", asked.description
    if tags := [tag for tag in asked.tags if tag not in known.tags]:
        yield "tags", [*known.tags, *tags]


def _noted(
    store: Store, known: Record, asked: TopicPatch, before: Topic, made: Made[Topic]
) -> dict[str, Field | None]:
    """Return what the program notes of a change: when, by whom, from what, and what it is worth."""
    noted: dict[str, Field | None] = {"updated": iso(store.clock())}
    trust = lowest((known.trust, asked.trust))
    if trust != known.trust:
        by_hand = TRUST.index(known.trust) >= TRUST.index(_BY_A_PERSON)
        source = "human" if by_hand else asked.source
        noted |= {"trust": trust} if known.source else {"source": source, "trust": trust}
    was, now = ({s for it in topic.items for s in it.sources} for topic in (before, made.value))
    kept = [s for s in known.sources if s in now or s not in was]
    if (sources := [*kept, *sorted(now - was - {*kept})]) != list(known.sources):
        noted["sources"] = [f"[[{s}]]" for s in sources] or None
    if made.model:
        noted |= {"model": made.model, "prompt": made.prompt}
    return noted


# --- writing ----------------------------------------------------------------------------------


def _carried_out(
    store: Store, title: str, asked: TopicPatch, meant: _Meant, memory: Sequence[Change]
) -> WrittenTopic:
    op, change, made = store.mint(), meant.change, meant.made
    subject = f"topic: {title}"
    changes = (*memory, change, *pointed_index.change(store, [change]))
    store.apply(
        Plan(op, "topic", subject, changes, asked.agent, trust=asked.trust, model=made.model)
    )
    was, now = ([it.text for it in topic.items] for topic in (meant.before, made.value))
    commit, why = human_edits.commit_of(store, op, change.path)
    return WrittenTopic(
        change.path,
        sha256(change.new or b""),
        tuple(text for text in now if text not in was),
        tuple(text for text in was if text not in now),
        _reworded(made.value, asked),
        commit,
        existed=change.old is not None,
        changed=True,
        memory=memory[0].path if memory else "",
        model=made.model,
        degraded=made.degraded,
        uncommitted=why,
    )


def _reworded(topic: Topic, asked: TopicPatch) -> tuple[str, ...]:
    texts = {it.text for it in topic.items}
    return tuple(fact for fact in asked.facts if fact not in texts)
