"""Share: a memory that one agent offers to all, as a fact of a shared topic; its file stays as is.

The bullet links to the memory, so `why`, forgetting and correcting find it. That link tells later
which bullets were shared, and the memory's own words whether a person mended one: nothing else is
noted of it.
"""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from vaultmem import arguments
from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Fact, Topic, markdown, topic_editor
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused
from vaultmem.knowledge.topics import topic_file
from vaultmem.memory import pointed_index
from vaultmem.records import Record, first_line, iso, lowest
from vaultmem.storage import files, human_edits, tombstones
from vaultmem.storage import plan as plans
from vaultmem.storage.index import Filter, edited_memories
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_log = logging.getLogger(__name__)

FOLDER = "topics"
DEFAULT = "shared"
_DESCRIPTION = "What agents share with each other: facts that are everybody's"
_LONGEST = 1200
_SLUG, _SUBJECT = 60, 60
_SOURCE = "agent"


@dataclass(frozen=True, slots=True)
class Shared:
    """A memory that all agents have by now: the file of the *topic*, and whose memory it is.

    *known*: it was shared there before. *commit* is None while git has not got it, and when nothing
    was written; *uncommitted* says why git never gets it, and what to do. *diff* is what would be.
    """

    path: str
    topic: str
    shared_by: str
    memory: str
    text: str
    commit: str | None = None
    known: bool = False
    diff: str = ""
    uncommitted: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Where a memory is shared no more; its own file stays."""

    memory: str
    paths: tuple[str, ...]
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """One fact that was shared, with the memory it comes from."""

    path: str
    topic: str
    shared_by: str
    memory: str
    source: str
    date: str
    text: str


@arguments.checked
class Shares:
    """What the agents of one vault share."""

    def __init__(self, store: Store) -> None:
        """Share in the vault at *store*."""
        self._store = store

    def share(self, ref: str, *, topic: str = "", dry_run: bool = False) -> Shared:
        """Add the memory that *ref* names to a shared *topic*, once, and commit.

        The topic (`topics/shared.md` unless one is named) is made when it is missing. Raises
        BadInput when *ref* names none or several, Refused for what is no raw memory, not trusted,
        edited, corrected since or forgotten, and for a topic that is read-only.
        """
        self._store.sync()  # an edit in place shows in no folder's time
        memory = self._memory(ref)
        _check(memory)
        self._refuse_edited(memory)
        tombstones.refuse(self._store, memory.body, agent=memory.agent, speaker=memory.speaker)
        return self._store.retry(lambda: self._share(memory, topic or DEFAULT, dry_run=dry_run))

    def _refuse_edited(self, memory: Record) -> None:
        self._store.learn_accepted()
        if memory.path in edited_memories.paths(self._store.index):
            way = edited_memories.WAYS.format(path=shlex.quote(memory.path))
            raise Refused(f"{memory.path} was edited since it was accepted: {way}")

    def withdraw(self, ref: str) -> Withdrawn:
        """Take what was shared of the memory *ref* back out of all shared topics, mended or not.

        Raises BadInput when *ref* names no memory, or one that is not shared.
        """
        self._store.sync_soon()
        memory = self._memory(ref)
        done = self.take_back(memory)
        if not done.paths:
            shows = "`vaultmem share --list` shows what is"
            raise BadInput(f"{memory.path} is not shared: {shows}")
        return done

    def take_back(self, memory: Record) -> Withdrawn:
        """Withdraw what was shared of *memory*, as far as anything was."""

        def step() -> tuple[str, tuple[str, ...]]:
            changes = tuple(self._without({memory.id: memory}))
            if not changes:
                return "", ()
            human_edits.keep_words(self._store, changes)
            return self._carry_out("withdraw", memory, changes), tuple(c.path for c in changes)

        op, paths = self._store.retry(step)
        commit = self._store.writer.commit_pending().get(op) if op else None
        return Withdrawn(memory.id, paths, commit)

    def of_archived(self) -> tuple[Change, ...]:
        """Return the changes that withdraw what is shared of memories in an archive.

        Where one machine archives what another shares, nobody has withdrawn it. What could not be
        brought back stays.
        """
        gone = {m.id: m for it in self._topics() for _, m in self._shared_in(it) if m.archived}
        return tuple(c for c in self._without(gone) if self._can_be_undone(c, "archived"))

    def offers(self) -> tuple[Offer, ...]:
        """Return what is shared, topic by topic, as it stands there."""
        self._store.sync_soon()
        return tuple(
            Offer(it.path, it.title or it.stem, m.agent, m.id, m.path, m.created, fact.text)
            for it in self._topics() for fact, m in self._shared_in(it)
        )  # fmt: skip

    def follow(self) -> tuple[str, ...]:
        """Let what was shared say what holds now where its memory was corrected; return the paths.

        A bullet that a person mended is theirs and stays.
        """
        self._store.sync_notes()

        def step() -> tuple[str, ...]:
            pairs = [(it, tuple(self._corrected(it))) for it in self._topics()]
            swapped = (c for it, swaps in pairs for c in self._swapped(it, swaps))
            changes = tuple(c for c in swapped if self._can_be_undone(c, "corrected"))
            if changes:
                self._carry_out("correct", None, changes)
            return tuple(c.path for c in changes)

        paths = self._store.retry(step)
        if paths:
            self._store.writer.commit_pending()
        return paths

    def _can_be_undone(self, change: Change, why: str) -> bool:
        try:
            human_edits.keep_words(self._store, [change])
        except Refused as e:
            _log.warning("%s still says what was %s: %s", change.path, why, e)
            return False
        return True

    # --- which --------------------------------------------------------------------------------

    def _memory(self, ref: str) -> Record:
        found = self._store.index.named(ref)
        if len(found) != 1:
            raise BadInput(
                f"{quoted(ref)} names {len(found) or 'no'} files: "
                "`vaultmem recall` gives ids and paths"
            )
        return self._store.texts.load(found[0])

    def _topics(self) -> list[Record]:
        return self._store.index.records(Filter(type="topic", below=FOLDER))

    def _topic(self, name: str) -> tuple[str, Record | None]:
        """Return the path of the shared topic called *name*, and its file if it is there."""
        stem = files.slug(name.removeprefix(f"{FOLDER}/").removesuffix(".md"), _SLUG)
        topics = self._topics()
        for it in topics:
            if name in {it.path, it.stem, it.id} or name.casefold() == it.title.casefold():
                return it.path, it
        if not stem or not files.fits(f"{stem}.md"):
            raise BadInput(f"{quoted(name)} is not a name for a topic: use letters and digits")
        path = f"{FOLDER}/{stem}.md"
        known = next((r for r in topics if r.path == path), None)
        if known is None and self._store.texts.read(path) is not None:
            raise Refused(f"{path} is there and is no topic: name another one")
        return path, known

    def _shared_in(self, topic: Record) -> Iterator[tuple[Fact, Record]]:
        """Yield the facts of *topic* that link to one memory, each with that memory."""
        for fact in markdown.topic_of(topic).facts:
            found = self._store.index.named(fact.sources[0]) if len(fact.sources) == 1 else []
            if len(found) == 1 and found[0].type == "memory":
                yield fact, found[0]

    # --- sharing ------------------------------------------------------------------------------

    def _share(self, memory: Record, name: str, *, dry_run: bool) -> Shared:
        path, known = self._topic(name)
        title = known.title if known else _title(name)
        done = Shared(path, title, memory.agent, memory.id, _text(memory))
        if known and any(m.id == memory.id for _, m in self._shared_in(known)):
            return replace(done, known=True)
        change = self._changed(known, memory) if known else self._made(path, name, memory)
        if dry_run:
            return replace(done, diff=plans.diff(Plan("", "share", "", (change,))))
        op = self._carry_out("share", memory, (change,))
        commit, why = human_edits.commit_of(self._store, op, path)
        return replace(done, commit=commit, uncommitted=why)

    def _made(self, path: str, name: str, memory: Record) -> Change:
        head = {
            "id": self._store.mint(), "type": "topic", "title": _title(name),
            "description": _DESCRIPTION, "created": iso(self._store.clock()), "source": _SOURCE,
            "trust": memory.trust, "sources": [f"[[{memory.stem}]]"],
        }  # fmt: skip
        return Change(path, None, frontmatter.new(head, _body(memory)).encode(), "a fact for all")

    def _changed(self, topic: Record, memory: Record) -> Change:
        before = markdown.topic_of(topic)
        after = replace(before, facts=(*before.facts, _fact(memory)))
        sources = (*topic.sources, memory.stem)
        return self._updated(topic, before, after, sources, lowest((topic.trust, memory.trust)))

    def _without(self, memories: Mapping[str, Record]) -> Iterator[Change]:
        """Yield the changes that withdraw *memories*, by their ids, from all shared topics."""
        stems = {it.stem for it in memories.values()}
        for topic in self._topics() if memories else ():
            gone = [fact for fact, m in self._shared_in(topic) if m.id in memories]
            if gone:
                before = markdown.topic_of(topic)
                after = replace(before, facts=tuple(f for f in before.facts if f not in gone))
                sources = tuple(s for s in topic.sources if s not in stems)
                change = self._updated(topic, before, after, sources, topic.trust)
                made = topic.description == _DESCRIPTION
                spent = made and topic_file.is_spent(change.new or b"")
                yield change._replace(new=None) if spent else change

    # --- what was corrected -------------------------------------------------------------------

    def _corrected(self, topic: Record) -> Iterator[tuple[Fact, Record, Record]]:
        """Yield the facts of *topic* that hold no more, their memories, and what does instead.

        A fact that says what its memory does not was edited by a person.
        """
        for fact, memory in self._shared_in(topic):
            (meant,) = markdown.parse_topic(_body(memory), "", "", "").facts or (_fact(memory),)
            if fact.text != meant.text:
                continue
            by = memory
            while by.superseded_by and (found := self._store.index.named(by.superseded_by)):
                by = found[0]
                if by.id == memory.id:
                    break
            if by.id != memory.id and by.type == "memory" and by.trust != "untrusted":
                yield fact, memory, by

    def _swapped(
        self, topic: Record, swaps: tuple[tuple[Fact, Record, Record], ...]
    ) -> Iterator[Change]:
        if swaps:
            before = markdown.topic_of(topic)
            instead = {fact: _fact(by) for fact, _, by in swaps}
            facts = tuple(dict.fromkeys(instead.get(f, f) for f in before.facts))
            after = topic_editor.kept(before, replace(before, facts=facts))
            stems = {old.stem: by.stem for _, old, by in swaps}
            sources = tuple(dict.fromkeys(stems.get(s, s) for s in topic.sources))
            trust = lowest((topic.trust, *(by.trust for _, _, by in swaps)))
            yield self._updated(topic, before, after, sources, trust)

    # --- writing ------------------------------------------------------------------------------

    def _updated(
        self, topic: Record, before: Topic, after: Topic, sources: tuple[str, ...], trust: str
    ) -> Change:
        head = {"updated": iso(self._store.clock()), "trust": trust,
                "sources": [f"[[{s}]]" for s in sources] or None}  # fmt: skip
        change = topic_file.updated(self._store, topic.path, (before, after), head)
        return change._replace(reason="what is shared")

    def _carry_out(self, verb: str, memory: Record | None, changes: tuple[Change, ...]) -> str:
        op = self._store.mint()
        listed = pointed_index.change(self._store, changes)
        subject, agent, trust = f"{verb}: what was shared", "", ""
        if memory:
            subject = f"{verb}({memory.agent}): {first_line(memory.body, _SUBJECT)}"
            agent, trust = memory.agent, memory.trust
        self._store.apply(Plan(op, "share", subject, (*changes, *listed), agent=agent, trust=trust))
        return op


def _check(memory: Record) -> None:
    """Raise Refused for what cannot be everybody's."""
    if memory.type != "memory" or not memory.path.startswith("agents/"):
        raise Refused(f"{memory.path} is not an accepted raw memory: share one of those")
    if memory.trust == "untrusted":
        raise Refused(f"{memory.path} is not trusted: nothing untrusted is shared")
    if memory.superseded_by:
        raise Refused(f"{memory.path} was corrected: share {memory.superseded_by} instead")
    if len(memory.body) > _LONGEST:
        raise Refused(f"{memory.path} has more than {_LONGEST} characters: remember what matters "
                      "of it in a sentence, and share that")  # fmt: skip


def _text(memory: Record) -> str:
    """Return what the shared fact says: whose it is, by whom it was said, and the words."""
    words = " ".join(memory.body.split())
    speaker = memory.speaker if memory.speaker.casefold() != memory.agent.casefold() else ""
    return f"{memory.agent}, from {speaker}: {words}" if speaker else f"{memory.agent}: {words}"


def _body(memory: Record) -> str:
    """Return the body of a topic in which *memory* alone is shared."""
    return markdown.render_topic(Topic("", "", "", facts=(_fact(memory),)))


def _fact(memory: Record) -> Fact:
    return Fact(_text(memory), (memory.stem,))


def _title(name: str) -> str:
    return name.removeprefix(f"{FOLDER}/").removesuffix(".md").replace("-", " ").capitalize()
