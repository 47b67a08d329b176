"""A folded memory becomes a session that goes on here: its turns, its episodes, and a topic.

Turns keep their numbers. Those that the episodes tell of have lines without words in the
transcript, for the words are not in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, count, takewhile
from pathlib import Path

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Topic, markdown
from vaultmem.errors import BadInput, StaleWrite
from vaultmem.exchange.formats import folded_origins
from vaultmem.exchange.importing import folded_reader
from vaultmem.exchange.importing.folded_reader import TITLE, TRUST, FoldedMemory, ToldEpisode
from vaultmem.exchange.importing.import_run import SESSION_OFF
from vaultmem.exchange.importing.types import (
    KNOWN,
    Imported,
    Progress,
    Settings,
    Tally,
    refuse_off,
    result,
    why_forgotten,
)
from vaultmem.memory import folding, pointed_index
from vaultmem.memory.compaction import human_lines
from vaultmem.records import Record, first_line, is_trusted, iso, lowest, names
from vaultmem.storage import files, tombstones, transcript_files, transcripts
from vaultmem.storage.index import Filter, session_queries
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.transcripts import Turn

_HERE = "an episode here tells of its turns"
_HOOK, _SLUG = 160, 40
_SOURCE = "import"
_Head = dict[str, str | float | Sequence[str]]
_Left = tuple[str, str]
"""Why something is left out, and where it stands."""


def run(store: Store, paths: Sequence[Path], settings: Settings, progress: Progress) -> Imported:
    """Take in the folded memories at *paths*: what is new of each, whole and durable.

    All are read before anything is written. Raises BadInput for a file that is none, or whose
    session is another one here, SwitchedOff, and what `Store.apply` does.
    """
    refuse_off(store, settings)
    work = _FoldedImport(store, settings, store.mint())
    for memory in list(work.read(paths)):
        store.retry(partial(work.take, memory))
        progress(1)
    return work.done()


@dataclass(slots=True)
class _FoldedImport:
    """An import under way, and what it came to so far."""

    store: Store
    settings: Settings
    op: str
    imported: int = 0
    skipped: Tally = field(default_factory=Tally)
    failed: Tally = field(default_factory=Tally)
    remarks: Tally = field(default_factory=Tally)

    def read(self, paths: Iterable[Path]) -> Iterator[FoldedMemory]:
        """Yield what the files say; raises BadInput for one that is bad, or notes that it is."""
        forgotten = tombstones.load(self.store)
        for path in paths:
            try:
                found = folded_reader.read(path, self.settings, forgotten)
                if stone := forgotten.of(*names({"session": found.session})):
                    self.skipped.add(why_forgotten(stone), found.where)
                else:
                    yield found
            except BadInput as e:
                if not self.settings.skip_bad:
                    raise
                self.failed.add(str(e), path.name)

    def take(self, memory: FoldedMemory) -> None:
        """Write what is new of one memory."""
        store, agent = self.store, self.settings.agent
        if memory.session in store.config().disabled_sessions:
            self.skipped.add(SESSION_OFF, memory.where)
            return
        path = transcript_files.path(agent, memory.session)
        added = _new_turns(memory, self._held(path))
        told, left = self._new_episodes(memory)
        topic, items, known = self._topic(memory)
        new = [*(_changes(agent, memory, told, self._identities(told)) if told else ()), *topic]
        if (added or new) and not self.settings.dry_run:
            steps: list[Change | Append] = [*new, *pointed_index.change(store, new)]
            if added:
                steps.insert(0, transcripts.append(store.root, agent, memory.session, added))
            subject = f"import({agent}): the folded memory of {first_line(memory.session, TITLE)}"
            plan = Plan(self.op, "import", subject, tuple(steps), agent, memory.session,
                        trust=lowest((TRUST, *(it.trust for it in told))))  # fmt: skip
            store.apply(plan, partial(_refuse_told, store, agent, memory.session, told))
        words = sum(bool(turn.content) for turn in added)
        self.imported += words + len(told) + items
        for why, where in (*memory.skipped, *left):
            self.skipped.add(why, where)
        for said, where in memory.remarks:
            self.remarks.add(said, where)
        for _ in range(sum(bool(turn.content) for turn in memory.turns) - words + known):
            self.skipped.add(KNOWN, memory.where)

    def _held(self, path: str) -> tuple[Turn, ...]:
        held = transcripts.load(self.store.root, path)
        return held.turns if held else ()

    def _new_episodes(
        self, memory: FoldedMemory
    ) -> tuple[list[ToldEpisode], list[tuple[str, str]]]:
        """Return the episodes that are new, and why the others are left out.

        Raises BadInput where one of the same number tells of other turns: it is of another session.
        """
        here = session_queries.episodes(
            self.store.index, self.settings.agent, memory.session, body=False
        )
        known = {record.origin: (record.turn_start, record.turn_end) for record in here}
        new: list[ToldEpisode] = []
        left: list[_Left] = []
        for it in memory.episodes:
            where = f"{memory.where}, episode {it.number}"
            turns = known.get(folded_origins.of_episode(memory.session, it.number))
            if turns and turns != (it.first, it.last):
                raise _another(memory)
            if turns:
                left.append((KNOWN, where))
            elif any(r.turn_start <= it.last and it.first <= r.turn_end for r in here):
                left.append((_HERE, where))
            else:
                new.append(it)
        return new, left

    def _identities(self, told: Sequence[ToldEpisode]) -> Iterator[tuple[str, int]]:
        """Return an id and a number for each of the episodes *told*."""
        stems = session_queries.episode_stems(self.store.index, self.settings.agent)
        return zip(self.store.mint_many(len(told)), count(folding.number(stems)), strict=False)

    def _topic(self, memory: FoldedMemory) -> tuple[list[Change], int, int]:
        """Return the change of the topic, how many items it brings, and how many were known."""
        topics = self._topics()
        origin = folded_origins.of_session(memory.session)
        ours = next((r for r in topics if r.origin == origin and is_trusted(r)), None)
        before = markdown.topic_of(ours) if ours else Topic("", "", "")
        known = {item.text for item in before.items}
        lasting = replace(
            memory.lasting,
            facts=tuple(it for it in memory.lasting.facts if it.text not in known),
            patterns=tuple(it for it in memory.lasting.patterns if it.text not in known),
            decisions=tuple(it for it in memory.lasting.decisions if it.text not in known),
            eliminated=tuple(it for it in memory.lasting.eliminated if it.text not in known),
        )
        new = len(lasting.items)
        left = len(memory.lasting.items) - new
        if not new:
            return [], 0, left
        if ours:
            return [self._grown(ours, before, lasting)], new, left
        path = self._free(memory, {r.path for r in topics})
        return [self._new(origin, lasting, path)], new, left

    def _topics(self) -> list[Record]:
        found = Filter(type="topic", agent=self.settings.agent, below="agents")
        return self.store.index.records(found)

    def _new(self, origin: str, lasting: Topic, path: str) -> Change:
        head: _Head = {
            "id": self.store.mint(), "type": "topic", "title": lasting.title,
            "description": first_line(lasting.items[0].text, _HOOK), "agent": self.settings.agent,
            "created": iso(self.store.clock()), "source": _SOURCE, "trust": TRUST,
            "origin": origin, "sources": [f"[[{x}]]" for x in lasting.items[0].sources],
        }  # fmt: skip
        text = frontmatter.new(head, markdown.render_topic(lasting))
        return Change(path, None, text.encode(), "what a folded memory brought")

    def _grown(self, ours: Record, before: Topic, more: Topic) -> Change:
        data = self.store.texts.read(ours.path)
        if data is None:
            raise StaleWrite(ours.path, "", None)
        doc = frontmatter.read(data)
        whole = replace(
            before, facts=before.facts + more.facts, patterns=before.patterns + more.patterns,
            decisions=before.decisions + more.decisions,
            eliminated=before.eliminated + more.eliminated,
        )  # fmt: skip
        body = markdown.update_topic(doc.body, before, whole)
        made = frontmatter.render(
            frontmatter.update(doc, {"updated": iso(self.store.clock())}, body)
        )
        return Change(ours.path, data, made.encode(), "what a folded memory brought")

    def _free(self, memory: FoldedMemory, taken: set[str]) -> str:
        slug = files.slug(memory.lasting.title, _SLUG) or "folded"
        stems = chain([slug], (f"{slug}-{n}" for n in count(2)))
        paths = (f"agents/{self.settings.agent}/topics/{name}.md" for name in stems)
        return next(p for p in paths if p not in taken and self.store.texts.read(p) is None)

    def done(self) -> Imported:
        """Return what it came to."""
        made = result(self.op, self.imported, self.skipped, self.failed)
        return replace(made, remarks=self.remarks.reasons())


def _new_turns(memory: FoldedMemory, held: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the turns that the session does not have yet; raises BadInput where it is another."""
    theirs = memory.turns
    named = (
        folded_origins.is_turn(turn.origin, memory.session, n) for n, turn in enumerate(held, 1)
    )
    carried = sum(takewhile(bool, named))
    both = zip(held[:carried], theirs, strict=False)
    began = {turn.at for turn in (*held[:1], *theirs[:1]) if turn.at}
    is_other = len(began) > 1 or any(
        here.content and there.content and here.content != there.content
        and MARK not in here.content for here, there in both
    )  # fmt: skip
    if is_other or (held and not carried):
        raise _another(memory)
    if len(theirs) <= carried:
        return ()
    if carried < len(held):
        raise BadInput(
            f"{memory.where}: {memory.session!r} went on here and there; nothing was imported: "
            "rename the file, and `session` in it, to keep both"
        )
    return tuple(theirs[carried:])


def _another(memory: FoldedMemory) -> BadInput:
    return BadInput(
        f"{memory.where}: another session called {memory.session!r} is here; nothing was "
        "imported: rename the file, and `session` in it"
    )


def _changes(
    agent: str,
    memory: FoldedMemory,
    told: Sequence[ToldEpisode],
    identities: Iterable[tuple[str, int]],
) -> Iterator[Change]:
    """Yield the files of episodes."""
    for it, (new_id, number) in zip(told, identities, strict=False):
        body, title = markdown.render_episode(it.value), it.value.title
        head: _Head = {
            "id": new_id, "type": "episode", "title": title,
            "description": first_line(it.value.summary, _HOOK), "agent": agent,
            "created": it.created, "source": _SOURCE, "trust": it.trust,
            "session": memory.session,
            "origin": folded_origins.of_episode(memory.session, it.number),
            "turn_range_start": it.first, "turn_range_end": it.last,
            "sources": [f"[[{transcript_files.path(agent, memory.session)}]]"],
            "written": human_lines.written(body),
        }  # fmt: skip
        text = frontmatter.new(head, body).encode()
        path = folding.path(agent, number, title)
        yield Change(path, None, text, "what a folded memory tells")


def _refuse_told(store: Store, agent: str, session: str, told: Sequence[ToldEpisode]) -> None:
    """Raise StaleWrite when another process brought or made an episode of the same turns."""
    for it in told:
        taken = session_queries.overlapping_episode(
            store.index, agent, session, (it.first, it.last)
        )
        if taken:
            raise StaleWrite(taken, None, "told")
