"""Files of a vault by path, as an agent creates, edits, renames and removes them.

Which paths these are `paths` decides, how a text is edited `edits`. Everything is written through
the store; what is removed leaves a tombstone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from vaultmem import arguments
from vaultmem.api.agent_files import (
    IsFolder,
    LedOut,
    Reached,
    Removed,
    edits,
    incoming,
    note_update,
    paths,
)
from vaultmem.api.agent_files import frontmatter as agent_file_frontmatter
from vaultmem.api.agent_files.visible_files import VisibleFiles, is_file
from vaultmem.documents import frontmatter, public_text
from vaultmem.documents.bodies import blocks
from vaultmem.documents.frontmatter import Field
from vaultmem.errors import BadInput, NameTaken, Refused, StaleWrite, SwitchedOff
from vaultmem.knowledge.cards.types import Strategy
from vaultmem.knowledge.topics import new_topic
from vaultmem.maintenance.forgetting import Forgetting, Forgotten
from vaultmem.memory import memory_index, tool_quotes
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.remember import one_line, refuse_secrets
from vaultmem.records import TRUST_OF_SOURCE, Record, first_line, iso, lowest
from vaultmem.storage import files, human_edits, plan, reader, tombstones
from vaultmem.storage.human_edits import Uncommitted
from vaultmem.storage.index import file_queries
from vaultmem.storage.plan import Change, Plan, WrittenFile
from vaultmem.storage.store import Store

_ONCE = 50
"""Files that one call may remove or rename: more gone at once would pause every write."""
_SUBJECT = 60
_SOURCE = "agent"
_NOTE, _EDIT, _MOVE = "an agent's note", "an agent's edit", "an agent's new name for it"


@dataclass(frozen=True, slots=True)
class _Edit:
    """An edit of the file at *path* that brings in the text *added*.

    *step* goes from the text that an agent sees to the one that it shall see, of the *whole* file
    where that is said. *expected* is the sha-256 that the file shall have, "" for any.
    """

    path: str
    step: Callable[[str], str]
    added: str
    expected: str
    reason: str
    whole: bool = False


@arguments.checked
class Reach(VisibleFiles):
    """The files of one vault as *agent* may reach them; "" is the vault's own agent, who sees all.

    An agent that is named sees what is shared and its own. Who writes below `agents/` does so in
    its own folder alone.
    """

    def __init__(
        self,
        store: Store,
        forgetting: Callable[[], Forgetting],
        agent: str = "",
        *,
        delayed: bool = False,
    ) -> None:
        """Reach into the vault of *store*; *forgetting* is asked when something is removed.

        *delayed* writes wait for their commit until somebody commits what is pending.
        """
        super().__init__(store, agent)
        self._forgetting, self._delayed = forgetting, delayed

    def delayed(self) -> Reach:
        """Return the same reach, whose writes are on disk at once and are committed by the caller.

        A commit costs more than the write: who writes often commits when things are quiet.
        """
        return Reach(self.store, self._forgetting, self._named, delayed=True)

    # --- writing ------------------------------------------------------------------------------

    def create(self, path: str, text: str, *, reason: str = "") -> Reached:
        """Write a new note with this *text*, and commit; nothing is ever overwritten.

        Raises NameTaken, BadInput, Refused with the way to do it right, SecretFound, SwitchedOff.
        """
        self._free(path)
        agent, text, reason = self.writer(), incoming.clean(text), incoming.reason_line(reason)
        self._look()
        self._check_free(path)
        labels = reader.names(path, text.encode())
        said = blocks.passages(frontmatter.parse(text).body)
        tombstones.refuse(self.store, text, *labels, *said, agent=agent)
        quotes = tool_quotes.tool_of(self.store, agent, *incoming.names(path, text), text)
        step = partial(self._created, path, text, agent, reason, incoming.source_of(quotes))
        return replace(self._done(step), quotes=quotes)

    def create_note(self, title: str, content: str, *, reason: str = "") -> WrittenFile:
        """Write a note of the agent's under a *title*; the same again is the file that is there.

        Raises as `create` does, and Refused where a note of that title says something else.
        """
        path, text = self._note_path(title), note_update.new(one_line(title, "title"), said=content)
        if (there := self.store.read(path)) is not None:
            return new_topic.existing(path, there, text)
        made = self.create(path, text, reason=reason)
        return WrittenFile(made.path, made.sha256, made.commit, quotes=made.quotes)

    def set_note(
        self, ref: str, text: str, *, strategy: Strategy = "append", section: str = "",
        reason: str = "",
    ) -> Reached:  # fmt: skip
        """Update the note that *ref*, a path or a title, names, or write it anew.

        `append` adds what is not told yet, `overwrite` replaces the text, `merge` takes each line
        for a fact, which replaces the bullet or paragraph that it contradicts or is added: below
        the heading *section*, if named. What it says already changes nothing. Raises as `create`.
        """
        path = ref if ref.endswith(".md") else self._note_path(ref)
        text = incoming.clean(text)
        if self.store.read(path) is None:
            title = Record(path, "").stem if path == ref else one_line(ref, "title")
            new = note_update.new(title, said=text, strategy=strategy, section=section)
            return self.create(path, new, reason=reason)
        if reader.kind_of(path) == "topic":
            raise Refused(f"{path} is a topic: `vaultmem topic set` updates it")
        step = partial(note_update.updated, path, said=text, strategy=strategy, section=section)
        return replace(self._edit(_Edit(path, step, text, "", reason)), existed=True)

    def _note_path(self, title: str) -> str:
        folder = f"agents/{self._named}/notes" if self._named else "notes"
        return f"{folder}/{new_topic.file_stem(title)}.md"

    def links(self, refs: Iterable[str]) -> tuple[tuple[str, ...], str]:
        """Return what a file that rests on *refs* links to, and the trust that it has at most.

        *refs* are paths or ids; raises what `page` does.
        """
        pages = [self.page(ref, most=1) for ref in refs]
        stems = (page.path.removesuffix(".md") for page in pages)
        links = tuple(s.rpartition("/")[2] if reader.kind_of(s) == "memory" else s for s in stems)
        return links, lowest((TRUST_OF_SOURCE[_SOURCE], *(page.trust for page in pages)))

    def _created(self, path: str, text: str, agent: str, reason: str, source: str) -> Plan:
        op = self.store.mint()
        head: dict[str, Field] = {
            "id": op,
            "type": reader.kind_of(path),
            "agent": agent,
            "created": iso(self.store.clock()),
            "source": source,
            "trust": TRUST_OF_SOURCE[source],
        }
        with incoming.naming(path):
            data = incoming.fit(path, agent_file_frontmatter.fronted(text, head).encode())
        return self._plan("write", reason, [Change(path, None, data, _NOTE)], agent, op)

    def str_replace(
        self, path: str, old: str, new: str, *, expected_sha256: str = "", reason: str = ""
    ) -> Reached:
        """Put *new* where *old* stands in the text of a file, once; raises NoMatch, ManyMatches.

        Raises StaleWrite when the file's sha-256 is not the one expected, and as `create` does.
        """
        new = incoming.clean(new)
        step = partial(edits.replaced, path, old=old, new=new)
        return self._edit(_Edit(path, step, new, expected_sha256, reason))

    def insert(
        self, path: str, line: int, text: str, *, expected_sha256: str = "", reason: str = ""
    ) -> Reached:
        """Put *text* below *line* as lines of its own, 0 is the top; raises NoSuchLine."""
        text = incoming.clean(text)
        step = partial(edits.inserted, path, line=line, new=text)
        return self._edit(_Edit(path, step, text, expected_sha256, reason))

    def append(
        self, path: str, text: str, *, expected_sha256: str = "", reason: str = ""
    ) -> Reached:
        """Put *text* at the end as lines of its own; raises as `str_replace` does."""
        text = incoming.clean(text)
        step = partial(edits.appended, new=text)
        return self._edit(_Edit(path, step, text, expected_sha256, reason))

    def replace_section(
        self, path: str, heading: str, text: str, *, expected_sha256: str = "", reason: str = ""
    ) -> Reached:
        """Put *text* below *heading*, in place of what stands there down to the next such one.

        Raises BadInput unless there is one such heading, and as `str_replace` does.
        """
        text = incoming.clean(text)
        step = partial(edits.replace_section, path, heading=heading, new=text)
        return self._edit(_Edit(path, step, text, expected_sha256, reason))

    def set_field(
        self, path: str, key: str, value: Field, *, expected_sha256: str = "", reason: str = ""
    ) -> Reached:
        """Set a field of the frontmatter; raises Refused for one that is the program's."""
        if key in agent_file_frontmatter.KEPT:
            raise Refused(f"{key!r} in the frontmatter belongs to the program: leave it as it is")
        text = str(value) if isinstance(value, str | float | int) else "\n".join(value)
        refuse_secrets("the field", text, f"{key}: {text}")
        step = partial(agent_file_frontmatter.with_field, key=key, value=value)
        return self._edit(_Edit(path, step, text, expected_sha256, reason, whole=True))

    def _edit(self, edit: _Edit) -> Reached:
        self._free(edit.path)
        agent, reason = self.writer(), incoming.reason_line(edit.reason)
        self._look()
        tombstones.refuse(self.store, *blocks.passages(edit.added), agent=agent)
        tools: list[str] = []
        done = self._done(lambda: self._edited(edit, agent, reason, tools))
        return replace(done, quotes=tools[-1])

    def _edited(self, edit: _Edit, agent: str, reason: str, tools: list[str]) -> Plan:
        path, found = edit.path, self._file(self.store, edit.path)
        if edit.expected and edit.expected.lower() != found.sha:
            raise StaleWrite(path, edit.expected, found.sha)
        record = reader.record(path, found)
        paths.check_change(record)
        with incoming.naming(path):
            text = public_text.of(frontmatter.decode(found.data)).text
            agent_file_frontmatter.check_open(path, text)
            before, shown = ("", text) if edit.whole else agent_file_frontmatter.split(text)
            made = edit.step(shown)
            said = (edit.added, *edits.touched(shown, made))
            tools.append(tool := tool_quotes.tool_of(self.store, agent, *said, into=record))
            incoming.check_quotes(record, agent, tool)
            new = self._noted(record, text, before + made, incoming.source_of(tool))
        tombstones.refuse(self.store, frontmatter.parse(new).body, agent=agent)
        change = plan.edit(path, found.data, new.encode(), _EDIT)
        if not edits.only_adds(shown, made):
            human_edits.refuse_unkept(self.store, change)
        incoming.fit(path, change.new or b"", len(found.data))
        return self._plan("edit", reason, [change], agent)

    def _noted(self, record: Record, text: str, new: str, source: str) -> str:
        """Return *new*, the file that said *text*, with what the program notes of the change."""
        if new == text:
            return text
        trust = lowest((record.trust, TRUST_OF_SOURCE[source]))
        return agent_file_frontmatter.edited(
            frontmatter.parse(text), new, iso(self.store.clock()), trust
        )

    def rename(self, old: str, new: str, *, reason: str = "") -> Reached:
        """Give a file or a folder another path; its id, bytes and history stay.

        Links to it are not rewritten: `links` of the result names the files whose links broke.
        Raises NameTaken, Missing, and as `create` does.
        """
        old, new, agent = paths.of_folder(old), paths.of_folder(new), self.writer()
        if not old or not new:
            raise Refused("the vault itself has no path to change")
        self.store.sync_soon()
        moves = self._moves(old, new)
        self._check_free(new)
        links = self._linking(moves)
        tool_quotes.refuse(self.store, agent, *incoming.names(new))
        done = self._done(partial(self._renamed, moves, agent, incoming.reason_line(reason)))
        return replace(done, path=new, links=links)

    def _moves(self, old: str, new: str) -> dict[str, str]:
        if is_file(old) and self._is_there(old):
            moves = {old: new}
        elif f"{new}/".startswith(f"{old}/"):
            raise BadInput(f"{old} cannot move into itself")
        else:
            moves = {p: new + p.removeprefix(old) for p in self._all_below(old)}
        for path in moves.values():
            self._free(path)
        return moves

    def _renamed(self, moves: dict[str, str], agent: str, reason: str) -> Plan:
        changes: list[Change] = []
        for old, new in moves.items():
            data = self._removable(old)
            paths.check_change(reader.record(old, files.content(data)))
            changes += (Change(old, data, None, _MOVE), Change(new, None, data, _MOVE))
        return self._plan("rename", reason, changes, agent)

    def _linking(self, moves: dict[str, str]) -> tuple[str, ...]:
        """Return the files whose links name what *moves*, by a name that it loses."""
        lost = [name for old, new in moves.items() for name in _lost_names(old, new)]
        found = self.store.index.linking(lost)
        return self._concerning(r.path for r in found if r.path not in moves)

    def remove(self, path: str, *, reason: str = "") -> Removed:
        """Forget a file, or all files of a folder, as one operation: each leaves a tombstone.

        Raises Missing, Refused for what is made from other files or is not an agent's to remove,
        and where no history could bring it back.
        """
        path, agent = paths.of_folder(path), self.writer()
        if not path:
            raise Refused("the vault itself is not removed: name a file or a folder in it")
        self.store.sync_soon()
        gone = [path] if is_file(path) and self._is_there(path) else self._all_below(path)
        for each in gone:
            paths.check_owner(each, agent)
            self._removable(each)
        done = self._forgotten(path, gone, reason)
        left = tuple(tombstones.path(i) for i in done.forgotten)
        mentions = self._concerning(done.mentions)
        return Removed(tuple(gone), left, done.op, done.commit, mentions)

    def _forgotten(self, path: str, gone: Sequence[str], reason: str) -> Forgotten:
        """Forget the files *gone*; raises Refused where nothing could bring them back."""
        forgetting = self._forgetting()
        if forgetting.is_final:
            raise Refused(
                "this vault has no history, so what is forgotten is gone for good: "
                f"ask the person to run `vaultmem forget {path} --yes`"
            )
        try:
            return forgetting.forget(gone, reason)
        except Uncommitted as e:
            if paths.concerns(e.path, self._named):
                raise
        raise Refused(f"{path} is mentioned elsewhere, in text that git does not have yet: "
                      f"ask the person to run `vaultmem forget {path}`")  # fmt: skip

    def _removable(self, path: str) -> bytes:
        """Return the bytes of a file that may leave its place; raises Refused."""
        found = self._file(self.store, path)
        paths.check_removal(reader.record(path, found))
        agent_file_frontmatter.check_open(path, found.data.decode("utf-8", "replace"))
        return found.data

    # --- what is written where ----------------------------------------------------------------

    def _free(self, path: str) -> None:
        """Raise unless *path* can be one of the agent's own notes."""
        paths.given(path)
        if not path:
            raise IsFolder(path)
        paths.check_name(path)
        if paths.owner(path):
            paths.check_owner(path, self.agent)

    def writer(self) -> str:
        """Return the agent who writes; raises SwitchedOff where the config switches it off."""
        agent = self.agent
        if agent in self.store.config().disabled_agents:
            raise SwitchedOff("agent", agent)
        return agent

    def _look(self) -> None:
        """Have the index made, should this process not have looked yet.

        To write takes the names and the tombstones there are, and who writes either tells the
        index: no scan for each write, which would see no more than what we wrote last.
        """
        if self.store.index.lags:
            self.store.sync_soon()

    def _all_below(self, folder: str) -> list[str]:
        found = [seen.path for seen in self._below(folder)]
        if not found:
            raise self._nothing(folder)
        if len(found) > _ONCE:
            raise Refused(f"{folder} holds {len(found)} files: at most {_ONCE} go at once")
        return found

    def _check_free(self, path: str) -> None:
        """Raise NameTaken where something stands at *path*, or would in another case of letters."""
        if link := self._link(path):
            raise LedOut(link)
        known = file_queries.starting_with(self.store.index, path.partition("/")[0])
        if self._stands(path) or paths.clashes(path, known):
            raise NameTaken(path)

    def _plan(
        self, kind: str, reason: str, changes: Sequence[Change], agent: str, op: str = ""
    ) -> Plan:
        touched = tuple(change.path for change in changes)
        return Plan(
            op=op or self.store.mint(),
            kind=kind,
            subject=f"{kind}({agent}): {first_line(reason or touched[0], _SUBJECT)}",
            changes=(*changes, *self._pointing(changes)),
            agent=agent,
            trust=TRUST_OF_SOURCE[_SOURCE],
            notes=touched,
        )

    def _pointing(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return the change that MEMORY.md needs, where a file is among *changes* that it lists."""
        if not any(map(self._is_listed, changes)):
            return ()
        return compaction_runner.index_change(self.store, changes)

    def _is_listed(self, change: Change) -> bool:
        sides = (data for data in (change.old, change.new) if data is not None)
        return any(
            reader.record(change.path, files.content(d)).type in memory_index.KINDS for d in sides
        )

    def _done(self, step: Callable[[], Plan]) -> Reached:
        """Carry out what *step* plans, again where somebody else was faster, and commit."""
        done = self.store.retry(lambda: self._carried(step()))
        ours = tuple(c for c in done.changes if isinstance(c, Change))[: len(done.notes)]
        sha = files.sha256(ours[0].new or b"")
        if not _changes(done):
            return Reached(ours[0].path, sha, "", "", None)
        commit = None if self._delayed else self.store.writer.commit_pending().get(done.op)
        op = done.op if self._has_undo(ours) else ""
        return Reached(ours[0].path, sha, plan.diff(replace(done, changes=ours)), op, commit)

    def _has_undo(self, changes: Sequence[Change]) -> bool:
        """Tell whether the history gets something of *changes*, so that it can be taken back."""
        return self.store.writer.commits.keeps_history() and not all(
            public_text.is_held(change.new) for change in changes
        )

    def _carried(self, meant: Plan) -> Plan:
        if _changes(meant):
            human_edits.keep(self.store, meant.changes)
            self.store.apply(meant)
        return meant


# --- one file ---------------------------------------------------------------------------------


def _changes(meant: Plan) -> bool:
    """Tell whether anything would be other than it is."""
    return any(c.old != c.new for c in meant.changes if isinstance(c, Change))


def _lost_names(old: str, new: str) -> Iterator[str]:
    """Yield the names of a file, as links write them, that it has at *old* and not at *new*."""
    yield old.removesuffix(".md")
    if Record(old, "").stem != Record(new, "").stem:
        yield Record(old, "").stem
