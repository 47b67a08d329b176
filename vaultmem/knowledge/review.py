"""What came from the web or a tool waits in `inbox/review/`: a person lets it in, or lets it go.

Memories do so, and cards of which nobody else has spoken. Ticking `approved` in the frontmatter
does the same, where the program asked. Untrusted notes elsewhere, clipped or imported, stay where
they are and are not recalled until they are accepted. What a tool said came of a task waits in the
task, which loses the mark of it. What is accepted keeps its source: it may
tell from then on, and a page's is still not obeyed.

So does what claims more trust than an agent's word, or would be followed, and was written past the
program: it is recalled as an agent's word until a person lets it in.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultmem import arguments
from vaultmem.documents import frontmatter, hidden_text, public_text
from vaultmem.documents.frontmatter import Field, Value, text_of
from vaultmem.documents.hidden_text import Hidden
from vaultmem.documents.part_trust import OUTCOME, OUTCOME_TRUST, TOOL_LINES
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, NameTaken, Refused, StaleWrite, Unreadable
from vaultmem.knowledge.cards import names
from vaultmem.knowledge.cards.requests import CANNOT, ONCE
from vaultmem.memory import pointed_index
from vaultmem.memory.placement import Placement
from vaultmem.memory.remember import REVIEW
from vaultmem.records import INSTRUCTS, Problem, Record, first_line, iso, moment
from vaultmem.storage import accepted_text, human_edits
from vaultmem.storage.files import sha256
from vaultmem.storage.index import Filter, edited_memories
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_TEXT = 240
_WAITING = Filter(type=("memory", "card"), below=REVIEW)
TYPES = ("memory", "card", "topic", "skill", "note")
"""What a person may vouch for."""
_TRUST = "user"
_FLAGS = (
    ("instruction", re.compile(
        r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|prompt|rule|above"
        r"|previous)"
        r"|\b(?:from now on|you (?:must|should|shall|will|are now)|always|never) \w+"
        r"|\b(?:system prompt|do not (?:tell|mention|inform|reveal)|remember that .{0,60} (?:trust|"
        r"recommend|prefer))|\u5ffd\u7565.{0,12}(?:\u6307\u4ee4|\u89c4\u5219|\u4ee5\u4e0a"
        r"|\u4e4b\u524d)"
        r"|\u4ece\u73b0\u5728\u5f00\u59cb|\u4f60\u5fc5\u987b|\u4e0d\u8981\u544a\u8bc9",
        re.IGNORECASE | re.DOTALL)),
    ("command", re.compile(
        r"\b(?:curl|wget)\b.{0,200}\|\s*(?:ba|z)?sh\b|\brm -rf\b|\b(?:pip3?|npm) install\b"
        r"|\beval\(|\bpowershell\b|\bsudo \w", re.IGNORECASE)),
    ("link", re.compile(r"https?://|!\[[^\]]{0,200}\]\(", re.IGNORECASE)),
)  # fmt: skip
"""What is only pointed out: no filter tells a poisoned memory from another, a person may."""


"""What keeps one note from being let in, and leaves others alone."""

_Decided = tuple[Record, tuple[Change, ...]]
"""What waits, and what becomes of it."""


@dataclass(frozen=True, slots=True)
class Item:
    """What waits: what it says, from where, what it hides and looks like; a note has no *id*."""

    id: str
    path: str
    agent: str
    date: str
    source: str
    trust: str
    text: str
    hidden: tuple[Hidden, ...]
    flags: tuple[str, ...]
    approved: bool


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What was accepted (where it is now) or dropped at once; *op* is empty for nothing."""

    op: str = ""
    accepted: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    commit: str | None = None


@dataclass(frozen=True, slots=True)
@arguments.checked
class Reviews:
    """The memories, cards and notes of *store* that wait for a person."""

    store: Store

    def list(self) -> tuple[Item, ...]:
        """Return what waits in the inbox, oldest first, then what is untrusted elsewhere."""
        self.store.sync_soon()
        return tuple(map(_item, self._all()))

    def accept(self, refs: Sequence[str]) -> Reviewed:
        """Accept what *refs* name, by id, path or name: what waits, or an agent's word.

        Raises BadInput for anything else.
        """
        self.store.sync()  # an edit in place shows in no folder's time
        records = self._named(refs)
        # An undo brings back what was committed before: what a person wrote there stays.
        human_edits.commit_those(self.store, [r.path for r in records])
        named = [(r, self._accepted(r, self._bytes(r))) for r in records]
        return self._carry_out("accept", named)

    def drop(self, refs: Sequence[str]) -> Reviewed:
        """Remove what *refs* name; git keeps it.

        Raises BadInput for what does not wait, Refused for what lies outside the inbox, or is held
        back from git.
        """
        self.store.sync_soon()
        named = [(r, self._dropped(r, self._bytes(r))) for r in self._named(refs)]
        return self._carry_out("drop", named)

    def accept_ticked(self) -> Reviewed:
        """Accept what a person ticked in the notes themselves, as far as possible.

        Only in the inbox: elsewhere the frontmatter may be the page's own, box and all. The caller
        has synced the index.
        """
        offered, ready = self.store.attestations.offered, list[_Decided]()
        for record in self._ticked():
            if offered(record.id, record.body):
                with contextlib.suppress(*CANNOT):
                    ready.append((record, self._accepted(record, self._bytes(record))))
        first = {changes[-1].path: (record, changes) for record, changes in reversed(ready)}
        return self._carry_out("accept", [*first.values()][::-1]) if first else Reviewed()

    def ticks_that_wait(self) -> Iterator[Problem]:
        """Name the ticked notes that `accept_ticked` cannot let in, and why."""
        for record in self._ticked():
            try:
                self._accepted(record, self._bytes(record))
            except CANNOT as e:
                yield Problem("tick-waits", record.path, f"what is ticked waits: {e}", ONCE)

    # --- which --------------------------------------------------------------------------------

    def _waiting(self) -> Sequence[Record]:
        return self.store.index.records(_WAITING)

    def _ticked(self) -> Iterator[Record]:
        """Yield what waits and has its box ticked, but what is broken or has a credential.

        Of these `fsck` says so in any case.
        """
        broken = {p.path for p in self.store.index.problems()}
        for it in self._waiting():
            is_sound = it.path not in broken and public_text.SECRET not in it.held
            if it.approved == "true" and is_sound:
                yield it

    def _all(self) -> Sequence[Record]:
        elsewhere = self.store.index.unvouched(TYPES, INSTRUCTS)
        return (*self._waiting(), *elsewhere, *self._told_tasks())

    def _told_tasks(self) -> Iterator[Record]:
        """Yield the tasks of which a tool said what came of them, each as what it said."""
        for record in self.store.index.records(Filter(type="task")):
            head = _head(self.store.texts.read(record.path))
            if OUTCOME_TRUST in head:
                came = (text_of(head, key) for key in sorted(OUTCOME))
                yield replace(record, body="\n".join(filter(None, came)), source="tool")

    def _named(self, refs: Sequence[str]) -> Sequence[Record]:
        found = [self._one(ref) for ref in refs]
        return tuple({r.path: r for r in found}.values())

    def _one(self, ref: str) -> Record:
        waiting = {r.path: r for r in self._all()}
        named = [waiting.get(r.path, r) for r in self.store.index.named(ref)]
        # An agent's word waits for nobody, but a person may vouch for it all the same.
        found = [
            r
            for r in named
            if r.path in waiting or (r.trust == "agent" and r.recallable and r.type in TYPES)
        ]
        if len(found) != 1:
            many = f"{len(found)} things that wait" if found else "nothing that waits"
            raise BadInput(f"{quoted(ref)} names {many}: `vaultmem review` lists what does")
        return found[0]

    # --- what becomes of it -------------------------------------------------------------------

    def _accepted(self, record: Record, old: bytes) -> tuple[Change, ...]:
        if not _is_in_inbox(record):
            return (self._accepted_in_place(record, old),)
        path = _home(self.store, record)
        if self.store.texts.read(path) is not None:
            raise NameTaken(path)
        own = self.store.texts.own(record.path)  # its private parts move, too
        if own is None or self.store.texts.public(record.path, own) != old:
            raise StaleWrite(record.path, record.sha, None if own is None else sha256(own))
        # A card's facts are a person's from now on, whoever claimed them.
        fields = {"claims": None, "approved": None} if record.type == "card" else {"approved": True}
        made = frontmatter.edited(own, {"trust": _TRUST, TOOL_LINES: None, **fields})
        return (
            Change(record.path, own, None, "accepted by a person"),
            Change(path, None, made, f"accepted by a person, from {record.source}"),
        )

    def _accepted_in_place(self, record: Record, old: bytes) -> Change:
        reason = f"accepted by a person, from {record.source}"
        if record.type == "task":
            made = frontmatter.edited(old, {OUTCOME_TRUST: None})
            return Change(record.path, old, made, reason)
        # The time makes other bytes of a file that said all of it by itself.
        seen: dict[str, Field | None] = {"reviewed": iso(self.store.clock()), TOOL_LINES: None}
        if record.type == "memory":
            seen["approved"] = True
        if record.path in edited_memories.paths(self.store.index):
            seen[accepted_text.KEY] = accepted_text.digest(record.body)
        made = frontmatter.edited(old, {"trust": _TRUST, **seen})
        return Change(record.path, old, made, reason)

    def _dropped(self, record: Record, old: bytes) -> tuple[Change, ...]:
        if not _is_in_inbox(record):
            raise Refused(
                f"{record.path} is no copy in the inbox: git may not have it, and an import would "
                f"bring it back; `vaultmem forget {record.path}` removes it for good"
            )
        return (Change(record.path, old, None, "dropped by a person"),)

    def _carry_out(self, verb: str, decided: Sequence[_Decided]) -> Reviewed:
        records = [record for record, _ in decided]
        changes = tuple(change for _, made in decided for change in made)
        agents = {r.agent for r in records}
        listed = pointed_index.change(self.store, changes, vouched=verb == "accept")
        plan = Plan(
            op=self.store.mint(),
            kind="review",
            subject=f"review: {verb} {_count(records)}",
            changes=(*changes, *listed),
            agent=agents.pop() if len(agents) == 1 else "",
            trust=_TRUST if verb == "accept" else "",
            notes=tuple(f"{r.id} from {r.source}" for r in records),
        )
        if verb == "drop":
            human_edits.keep(self.store, changes)
        self.store.apply(plan)
        made = tuple(c.path for c in changes if c.new is not None)
        gone = () if made else tuple(c.path for c in changes)
        return Reviewed(plan.op, made, gone, self.store.writer.commit_pending().get(plan.op))

    def _bytes(self, record: Record) -> bytes:
        data = self.store.texts.read(record.path)
        if data is None:
            raise StaleWrite(record.path, record.sha, None)
        return data


def _head(data: bytes | None) -> Mapping[str, Value]:
    """Return what the frontmatter of *data* says, nothing where it cannot be read."""
    with contextlib.suppress(Unreadable):
        return frontmatter.fields(frontmatter.read(data or b""))
    return {}


def _is_in_inbox(record: Record) -> bool:
    return record.path.startswith(f"{REVIEW}/")


def _count(records: Sequence[Record]) -> str:
    """Return how many of what there are: `2 memories and 1 card`."""
    kinds = Counter(r.type if r.type in {"memory", "card"} else "note" for r in records)
    named = (("memory", "memories"), ("card", "cards"), ("note", "notes"))
    found = ((kinds[one], one, more) for one, more in named)
    return " and ".join(f"{n} {one if n == 1 else more}" for n, one, more in found if n)


def _home(store: Store, record: Record) -> str:
    """Return its permanent path once it is accepted; raises Refused without id or time."""
    if record.type == "card":
        return names.path(names.of_path(record.path))
    if not record.id or not record.created:
        raise Refused(f"{record.path} lacks its id or its time: fix its frontmatter first")
    name = record.path.rpartition("/")[2]
    agent = record.agent or store.agent()
    return f"{Placement(store).folder(agent, moment(record.created))}/{name}"


def _item(record: Record) -> Item:
    words = f"{record.facts}\n{record.body}".strip()
    text = hidden_text.shown(public_text.shown(" ".join(words.split("\n"))))
    return Item(
        id=record.id,
        path=record.path,
        agent=record.agent,
        date=record.created,
        source=record.source,
        trust=record.trust,
        text=first_line(text, _TEXT),
        hidden=hidden_text.find(words),
        flags=tuple(name for name, pattern in _FLAGS if pattern.search(words)),
        approved=record.approved == "true" and _is_in_inbox(record),
    )
