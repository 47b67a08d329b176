"""Files of a vault by path, as an agent creates, edits, renames and removes them.

Which paths these are `paths` decides, how a text is edited `edits`. Everything is written through
the store; what is removed leaves a tombstone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from vaultmem import arguments
from vaultmem.api.agent_files import (
    Missing,
    Reached,
    Removed,
    edits,
    incoming,
    note_update,
    paths,
)
from vaultmem.api.agent_files import frontmatter as agent_file_frontmatter
from vaultmem.api.agent_files.visible_files import is_file
from vaultmem.api.agent_files.writes import SOURCE, SUBJECT, Writes
from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Field
from vaultmem.documents.markdown import blocks
from vaultmem.documents.part_trust import TOOL_LINES
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, ForgottenText, Refused, StaleWrite
from vaultmem.knowledge.cards.types import Strategy
from vaultmem.knowledge.topics import new_topic
from vaultmem.maintenance.forgetting import Forgetting, Forgotten
from vaultmem.memory import dropped_files, tool_quotes
from vaultmem.memory.remember import reason_line, refuse_secrets, title_line
from vaultmem.records import TRUST_OF_SOURCE, Record, first_line, iso, lowest
from vaultmem.storage import files, human_edits, plan, reader, tombstones
from vaultmem.storage.human_edits import Uncommitted
from vaultmem.storage.plan import Change, Plan, WrittenFile
from vaultmem.storage.store import Store

_ONCE = 50
"""Files that one call may remove or rename: more gone at once would pause every write."""
_TURNS = 4
"""Times that a note may come or go while it is set."""
_NOTE, _EDIT, _MOVE = "an agent's note", "an agent's edit", "an agent's new name for it"


@dataclass(frozen=True, slots=True)
class _Edit:
    """An edit of the file at *path* that brings in the text *added*.

    *step* goes from the text that an agent sees to the one that it shall see, of the *whole* file
    where that is said. *expected* is the sha-256 that the file shall have, "" for any. The text is
    *whose* the agent says.
    """

    path: str
    step: Callable[[str], str]
    added: str
    expected: str
    reason: str
    whole: bool = False
    whose: incoming.Whose = "agent"


@arguments.checked
class Reach(Writes):
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
        super().__init__(store, agent, delayed=delayed)
        self._forgetting = forgetting

    def delayed(self) -> Reach:
        """Return the same reach, whose writes are on disk at once and are committed by the caller.

        A commit costs more than the write: who writes often commits when things are quiet.
        """
        return Reach(self.store, self._forgetting, self._named, delayed=True)

    # --- writing ------------------------------------------------------------------------------

    def create(
        self, path: str, text: str, *, reason: str = "", whose: incoming.Whose = "agent"
    ) -> Reached:
        """Write a new note with this *text*, and commit; nothing is ever overwritten.

        In a folder of texts the file has any name, and is kept as it is, without frontmatter.
        *whose* says that a tool or a page said it: then it is untrusted.
        Raises NameTaken, BadInput, Refused with the way to do it right, SecretFound, SwitchedOff.
        """
        self._free(path)
        agent, reason = self.writer(), reason_line(reason)
        text = incoming.clean(text, path)
        self._look()
        self._check_free(path)
        labels = reader.names(path, text.encode())
        said = blocks.passages(reader.parsed(path, text).body)
        self._refuse_forgotten(path, text, *labels, *said)
        quotes = tool_quotes.tool_of(self.store, agent, *incoming.names(path, text), text)
        incoming.check_markable(path, incoming.teller(quotes, whose))
        source = incoming.source_of(quotes, whose)
        step = partial(self._created, path, text, agent, reason, source)
        unkept = () if files.is_text(path) else agent_file_frontmatter.unkept(text)
        return replace(self._done(step), quotes=quotes, unkept=unkept)

    def create_note(self, title: str, content: str, *, reason: str = "") -> WrittenFile:
        """Write a note of the agent's under a *title*; the same again is the file that is there.

        Raises as `create` does, and Refused where a note of that title says something else.
        """
        title = title_line(title, "title")
        path, text = self._note_path(title), note_update.new(title, said=content)
        if (there := self.store.texts.read(path)) is not None:
            return new_topic.existing(path, there, text)
        made = self.create(path, text, reason=reason)
        return WrittenFile(made.path, made.sha256, made.commit, quotes=made.quotes)

    def set_note(  # noqa: PLR0913  # how, by name
        self, ref: str, text: str, *, strategy: Strategy = "append", section: str = "",
        reason: str = "", whose: incoming.Whose = "agent",
    ) -> Reached:  # fmt: skip
        """Update the note that *ref*, a path or a title, names, or write it anew.

        `append` adds what is not told yet, `overwrite` replaces the text, `merge` takes each line
        for a fact, which replaces the bullet or paragraph that it contradicts or is added: below
        the heading *section*, if named. What it says already changes nothing. *whose* it is counts,
        and what may be raised is, as in `create`.
        """
        if ref.endswith(".md"):
            path, title = ref, Record(ref, "").stem
        else:
            title = title_line(ref, "title")
            path = self._note_path(title)
        text, section = incoming.clean(text), title_line(section, "section")
        refuse_secrets("the section", section)
        first = note_update.new(title, said=text, strategy=strategy, section=section)
        step = partial(note_update.updated, path, said=text, strategy=strategy, section=section)
        edit = _Edit(path, step, text, "", reason, whose=whose)
        return self.store.retry(lambda: self._set(edit, first), tries=_TURNS)

    def _set(self, edit: _Edit, first: str) -> Reached:
        """Carry out *edit*, or write *first* where there is no note.

        Raises NameTaken or StaleWrite where somebody made or removed it meanwhile.
        """
        path = edit.path
        if self.store.texts.is_gone(path):
            return self.create(path, first, reason=edit.reason, whose=edit.whose)
        if reader.kind_of(path) == "topic":
            raise Refused(f"{path} is a topic: `vaultmem topic set` updates it")
        try:
            return replace(self._edit(edit), existed=True)
        except Missing as e:
            if self.store.texts.is_gone(path):
                raise StaleWrite(path, "", None) from e
            raise

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
        return links, lowest((TRUST_OF_SOURCE[SOURCE], *(page.trust for page in pages)))

    def _created(self, path: str, text: str, agent: str, reason: str, source: str) -> Plan:
        op = self.store.mint()
        head = self._head(op, path, agent, source)
        with incoming.naming(path):
            whole = text if files.is_text(path) else agent_file_frontmatter.fronted(text, head)
        data = incoming.fit(path, whole.encode())
        return self._plan("write", reason, [Change(path, None, data, _NOTE)], agent, op)

    def _head(self, note_id: str, path: str, agent: str, source: str) -> dict[str, Field]:
        """Return what the program notes of a new note at *path*."""
        return {
            "id": note_id,
            "type": reader.kind_of(path),
            "agent": agent,
            "created": iso(self.store.clock()),
            "source": source,
            "trust": TRUST_OF_SOURCE[source],
        }

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
        """Set a field of the frontmatter; raises Refused for one that is the program's.

        Raises BadInput for a name that no line of it begins with, and as `str_replace` does.
        """
        if not key or not key.isprintable() or key != key.strip():
            raise BadInput(
                f"{quoted(key)} is not the name of a field: write a word, as in stale_after"
            )
        if key in agent_file_frontmatter.KEPT:
            raise Refused(
                f"{quoted(key)} in the frontmatter belongs to the program: leave it as it is"
            )
        if files.is_text(path):
            raise Refused(f"{path} is kept as it is: it has no frontmatter")
        value = incoming.public_field(key, value)
        text = str(value) if isinstance(value, str | float | int) else "\n".join(value)
        refuse_secrets("the field", text, f"{key}: {text}")
        step = partial(agent_file_frontmatter.with_field, key=key, value=value)
        return self._edit(_Edit(path, step, text, expected_sha256, reason, whole=True))

    def _edit(self, edit: _Edit) -> Reached:
        self._free(edit.path)
        edits.check_expected(edit.expected)
        agent, reason = self.writer(), reason_line(edit.reason)
        self._look()
        said = blocks.passages(edit.added)
        self._refuse_forgotten(edit.path, *said)
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
            text = frontmatter.decode(self.store.texts.public(path, found.data))
            agent_file_frontmatter.check_open(path, text)
            before, shown = ("", text) if edit.whole else agent_file_frontmatter.split(path, text)
            made = edit.step(shown)
            touched = edits.touched(shown, made)
            tool = tool_quotes.tool_of(
                self.store, agent, edit.added, *touched, into=record, stood=touched
            )
            tools.append(tool)
            incoming.check_quotes(record, agent, incoming.teller(tool, edit.whose))
            source = incoming.source_of(tool, edit.whose)
            new = self._noted(record, text, before + made, source)
        self._refuse_forgotten(path, reader.parsed(path, new).body)
        change = plan.edit(path, found.data, new.encode(), _EDIT)
        if not edits.only_adds(shown, made):
            human_edits.refuse_unkept(self.store, change)
        incoming.fit(path, change.new or b"", len(found.data))
        return self._plan("edit", reason, [change], agent)

    def _refuse_forgotten(self, path: str, *texts: str) -> None:
        """Raise ForgottenText, as the agent may know of it, for *texts* that were forgotten."""
        try:
            tombstones.refuse_file(self.store, path, *texts, agent=self.writer())
        except ForgottenText as e:
            raise e.seen_by(self._named) from e

    def _noted(self, record: Record, text: str, new: str, source: str) -> str:
        """Return *new*, the file that said *text*, with what the program notes of the change."""
        if new == text or files.is_text(record.path):
            return new
        trust = lowest((record.trust, TRUST_OF_SOURCE[source]))
        return agent_file_frontmatter.edited(
            frontmatter.parse(text), new, iso(self.store.clock()), trust
        )

    def rename(self, old: str, new: str, *, reason: str = "") -> Reached:
        """Give a file or a folder another path; its id, bytes and history stay.

        Links to it are not rewritten: `links` of the result names the files whose links broke.
        Raises NameTaken, Missing, and as `create` does.
        """
        return self.move({old: new}, reason=reason)

    def move(self, meant: Mapping[str, str], *, reason: str = "") -> Reached:
        """Give files or folders other paths, by the old ones, as one operation; see `rename`.

        A note that becomes a text loses the frontmatter of the program, and a text that becomes a
        note gets one: that of a tool's, as if it were laid there, where a tool had said it.
        """
        agent, moves = self.writer(), dict[str, str]()
        pairs = [(paths.of_folder(old), paths.of_folder(new)) for old, new in meant.items()]
        if not all(map(all, pairs)):
            raise Refused("the vault itself has no path to change")
        self.store.sync_soon()
        for old, new in pairs:
            moves |= self._moves(old, new)
        for _, new in pairs:
            self._check_free(new)
            tool_quotes.refuse(self.store, agent, *incoming.names(new))
        _check_few(pairs[0][0], [*moves])
        links, tools = self._linking(moves), list[str]()
        done = self._done(lambda: self._renamed(moves, agent, reason_line(reason), tools))
        tool = next(filter(None, tools), "")
        return replace(done, path=pairs[0][1], links=links, quotes=tool)

    def _moves(self, old: str, new: str) -> dict[str, str]:
        if is_file(old) and self.has_file(old):
            moves = {old: new}
        elif f"{new}/".startswith(f"{old}/"):
            raise BadInput(f"{old} cannot move into itself")
        else:
            moves = {p: new + p.removeprefix(old) for p in self._all_below(old)}
        for path in moves.values():
            self._free(path)
        return moves

    def _renamed(self, moves: dict[str, str], agent: str, reason: str, tools: list[str]) -> Plan:
        changes: list[Change] = []
        for old, new in moves.items():
            data = self._removable(old)
            record = reader.record(old, files.content(data))
            paths.check_change(record)
            made = self._renewed(record, data, new, agent, tools)
            changes += (Change(old, data, None, _MOVE), Change(new, None, made, _MOVE))
        return self._plan("rename", reason, changes, agent)

    def _renewed(
        self, record: Record, data: bytes, new: str, agent: str, tools: list[str]
    ) -> bytes:
        """Return the bytes that the file of *record* has under the name *new*."""
        if files.is_text(record.path) == files.is_text(new):
            return data
        with incoming.naming(record.path):
            text = frontmatter.decode(data)
            if not files.is_text(new):
                doc = reader.parsed(new, text)
                said = frontmatter.fields(doc)
                tools.append(tool := dropped_files.tool_of(self.store, record.path, said, doc.body))
                head = self._head(self.store.mint(), new, agent, incoming.source_of(tool))
                if tool:
                    head[TOOL_LINES] = dropped_files.tool_lines(self.store, record.path, doc.body)
                return agent_file_frontmatter.fronted(text, head).encode()
            if record.trust == "untrusted":
                raise Refused(f"{record.path} is not trusted, which only a note can say")
            return agent_file_frontmatter.split(record.path, text)[1].encode()

    def _linking(self, moves: dict[str, str]) -> tuple[str, ...]:
        """Return the files whose links name what *moves*, by a name that it loses."""
        lost = [name for old, new in moves.items() for name in _lost_names(old, new)]
        found = self.store.index.linking(lost)
        return self._concerning(r.path for r in found if r.path not in moves)

    def remove(self, *meant: str, reason: str = "", subject: str = "") -> Removed:
        """Forget files, or all files of folders, as one operation: each leaves a tombstone.

        The tombstones have the *reason*, and the commit's subject what *subject* says besides.
        Raises Missing, Refused for what is made from other files or is not an agent's to remove,
        and where no history could bring it back.
        """
        agent, named = self.writer(), [*map(paths.of_folder, meant)]
        if not all(named):
            raise Refused("the vault itself is not removed: name a file or a folder in it")
        self.store.sync_soon()
        gone = [path for each in named for path in self._below_or_at(each)]
        _check_few(named[0], gone)
        for each in gone:
            paths.check_owner(each, agent)
            self._removable(each)
        subject = f"delete({agent}): {first_line(subject or named[0], SUBJECT)}"
        done = self._forgotten(named[0], gone, reason, subject)
        left = tuple(tombstones.path(i) for i in done.forgotten)
        mentions = self._concerning(done.mentions)
        return Removed(tuple(gone), left, done.op, done.commit, mentions)

    def _below_or_at(self, path: str) -> list[str]:
        return [path] if is_file(path) and self.has_file(path) else self._all_below(path)

    def _forgotten(self, path: str, gone: Sequence[str], reason: str, subject: str) -> Forgotten:
        """Forget the files *gone*; raises Refused where nothing could bring them back."""
        forgetting = self._forgetting()
        if forgetting.is_final:
            raise Refused(
                "this vault has no history, so what is forgotten is gone for good: ask the person "
                f"to forget {path}"
            )
        try:
            return forgetting.forget(gone, reason, source="agent", subject=subject)
        except Uncommitted as e:
            if paths.concerns(e.path, self._named):
                raise
        raise Refused(f"{path} is mentioned elsewhere, in text that git does not have yet: "
                      f"ask the person to forget {path}")  # fmt: skip

    def _removable(self, path: str) -> bytes:
        """Return the bytes of a file that may leave its place; raises Refused."""
        found = self._file(self.store, path)
        paths.check_removal(reader.record(path, found))
        agent_file_frontmatter.check_open(path, found.data.decode("utf-8", "replace"))
        return found.data

    def _all_below(self, folder: str) -> list[str]:
        found = [seen.path for seen in self._below(folder)]
        if not found:
            raise self._nothing(folder)
        return found


def _check_few(folder: str, found: Sequence[str]) -> None:
    if len(found) > _ONCE:
        raise Refused(f"{folder} holds {len(found)} files: at most {_ONCE} go at once")


def _lost_names(old: str, new: str) -> Iterator[str]:
    """Yield the names of a file, as links write them, that it has at *old* and not at *new*."""
    yield old.removesuffix(".md")
    if Record(old, "").stem != Record(new, "").stem:
        yield Record(old, "").stem
