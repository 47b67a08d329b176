"""Keep an agent's working memory in `agents/<agent>/working.md`, as it goes.

Each change is on disk when the call returns; it is committed with whatever comes next, or once
many wait. A person may edit the note meanwhile: it is read anew for each change.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from vaultmem import arguments
from vaultmem.documents import frontmatter, public_text, secrets
from vaultmem.documents.bodies import working_text
from vaultmem.documents.frontmatter import Document, Field
from vaultmem.documents.part_trust import TOOL_LINES
from vaultmem.errors import SwitchedOff, Unreadable
from vaultmem.memory import remember, tool_quotes, working
from vaultmem.memory.working import Note, Step, Todo, Working
from vaultmem.records import TRUST_OF_SOURCE, first_line, iso
from vaultmem.storage import human_edits, tombstones
from vaultmem.storage.human_edits import Uncommitted
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

MOST_WAITING = 64
_SOURCE = "agent"
_HOOK = 60
_NAMED = re.compile(r"^- (?:\[.\] )?`+[^`]*`+: |^\s+- \*\*\w+:\*\* ")
_NONE = Document("", "", "", "")
_OURS = frozenset(
    ["id", "type", "title", "agent", "created", "updated", "source", "trust", "session", "task",
     "iteration", "max_iterations", "todo_updated", "todo_turn", TOOL_LINES]
)  # fmt: skip


@arguments.checked
class Workbench:
    """What one agent has in hand."""

    def __init__(self, store: Store, agent: str, states: Sequence[str] = ()) -> None:
        """Keep it for *agent* in the vault at *store*.

        *states* are the business states that its task may be in, else those of the config.
        """
        self._store, self.agent, self._states = store, agent, tuple(states)
        self.path = f"agents/{agent}/working.md"

    @property
    def states(self) -> tuple[str, ...]:
        """The business states that the task may be in; none where any will do."""
        return self._states or self._store.config().states

    def read(self) -> Working:
        """Return the working memory, an empty one where there is no note.

        Raises Unreadable for a note that cannot be trusted.
        """
        self._store.sync_soon()  # what it tells was hidden a moment ago, maybe
        old = self._store.texts.read(self.path)
        return Working() if old is None else _working_of(self._parsed(old))

    def change(self, step: Callable[[Working], Working]) -> Working:
        """Write what *step* makes of the working memory, and return that as it reads back.

        *step* is asked again when somebody else was faster. Raises BadInput for a todo list or a
        business state that cannot be, SecretFound, Refused for what was forgotten or a tool said,
        SwitchedOff, Unreadable.
        """
        if self.agent in self._store.config().disabled_agents:
            raise SwitchedOff("agent", self.agent)
        self._store.sync_soon()
        return self._store.retry(lambda: self._change(step))

    def clear(self) -> None:
        """Put an end to the task: what a person wrote beside it stays, else the note goes."""
        self.change(lambda _: Working())

    def _change(self, step: Callable[[Working], Working]) -> Working:
        old = self._store.texts.read(self.path)
        doc = _NONE if old is None else self._parsed(old)
        was = _working_of(doc)
        meant = step(was)
        if meant.todos != was.todos:
            todos = _todos(working.checked(meant.todos))
            meant = replace(meant, todos=working.checked(todos))  # two ids may have become one
        if meant.state != was.state:
            meant = replace(meant, state=working.declared(meant.state, self.states))
        now = self._cleaned(meant)
        now = replace(now, tool_lines=self._tool_lines(was, doc.body, now))
        if now != was:
            self._write(old, self._rendered(doc, now) if old else self._anew(now), now)
        return now

    def _tool_lines(self, was: Working, body: str, now: Working) -> tuple[str, ...]:
        """Return the marks of the lines of *now* that stand in a tool's words.

        Those that stood in *was*, whose note has this *body*, are marked already.
        """
        lines = {working_text.mark(line): line for line in working.render(now).splitlines()}
        before = {working_text.mark(line) for line in body.splitlines()}
        new = {mark: line for mark, line in lines.items() if mark and mark not in before}
        found = set(was.tool_lines).intersection(lines)
        if new and self._is_a_tools(*new.values()):
            alone = {mark for mark, line in new.items() if self._is_a_tools(line)}
            found |= alone or new.keys()  # or they say it together
        return tuple(mark for mark in lines if mark in found)

    def _is_a_tools(self, *lines: str) -> bool:
        """Tell whether *lines* stand in a tool's words: as they are, or behind a name or a mark."""
        bare = (_NAMED.sub("", line) for line in lines)
        return bool(tool_quotes.tool_of(self._store, self.agent, *dict.fromkeys((*lines, *bare))))

    def _write(self, old: bytes | None, new: str, now: Working) -> None:
        change = Change(self.path, old, new.encode() or None, "working memory updated")
        if human_edits.loses_words(change):
            # Where that cannot be the work goes on: what is in hand is the agent's own.
            with contextlib.suppress(Uncommitted):
                human_edits.keep(self._store, [change])
            human_edits.refuse_lost_words(self._store, change)
        plan = Plan(
            op=self._store.mint(),
            kind="working",
            subject=f"working({self.agent}): {_hook(now)}",
            changes=(change,),
            agent=self.agent,
            session=now.session,
            trust=TRUST_OF_SOURCE[_SOURCE],
        )
        self._store.apply(plan)
        if self._store.writer.waiting() >= MOST_WAITING:
            self._store.writer.commit_pending()

    def _anew(self, now: Working) -> str:
        head: dict[str, Field] = {
            "id": self._store.mint(),
            "type": "working",
            "title": "Working memory",
            "agent": self.agent,
            "created": iso(self._store.clock()),
            "updated": iso(self._store.clock()),
            "source": _SOURCE,
            "trust": _trust(now),
        }
        keys = {key: value for key, value in working.keys(now).items() if value is not None}
        return frontmatter.new({**head, **keys}, working.render(now))

    def _rendered(self, doc: Document, now: Working) -> str:
        """Return the note once it says *now*; "" when nothing is left to say in it."""
        body = working.update(doc.body, now)
        if now == Working() and not body.strip() and self._has_nothing_else(doc):
            return ""
        keys = {**working.keys(now), "updated": iso(self._store.clock())}
        if now.tool_lines or frontmatter.fields(doc).get(TOOL_LINES):
            keys["trust"] = _trust(now)
        return frontmatter.render(frontmatter.update(doc, keys, body))

    def _has_nothing_else(self, doc: Document) -> bool:
        """Tell whether there is nothing of a person's in the note, shown or hidden."""
        hidden = public_text.is_held(self._store.texts.own(self.path))
        return not hidden and frontmatter.fields(doc).keys() <= _OURS

    def _parsed(self, data: bytes) -> Document:
        try:
            doc = frontmatter.read(data)
            frontmatter.fields(doc)
        except Unreadable as e:
            raise Unreadable(e.code, f"{self.path}: {e.why}; fix it by hand") from e
        return doc

    def _cleaned(self, it: Working) -> Working:
        """Return *it* as it will be read back, without what is private; raises as `clean` does."""
        made = replace(
            it,
            goal=remember.clean(it.goal, "the goal"),
            state=remember.clean(it.state, "the state"),
            steps=_steps(it.steps),
            scratchpad=_notes(it.scratchpad),
            todos=_todos(it.todos),
            session=remember.one_line(it.session, "session"),
        )
        tombstones.refuse(self._store, *_texts(made))
        read = working.parse(working.render(made))
        return replace(
            read, iteration=made.iteration, max_iterations=made.max_iterations,
            session=made.session, task=made.task, todo_updated=made.todo_updated,
            todo_turn=made.todo_turn, trust=made.trust,
        )  # fmt: skip


def _trust(now: Working) -> str:
    """Return what the note is worth: where a line is a tool's, no one else is told of it."""
    return TRUST_OF_SOURCE["tool" if now.tool_lines else _SOURCE]


def _texts(it: Working) -> tuple[str, ...]:
    """Return what *it* says, each text by itself."""
    results = (step.result for step in it.steps)
    steps, todos = (step.text for step in it.steps), (todo.text for todo in it.todos)
    notes = (text for note in it.scratchpad for text in (note.key, note.text))
    return (it.goal, it.state, *steps, *results, *notes, *todos)


# The entries of a list are one text: a private part may begin in one and end in another.


def _steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    texts = secrets.strip_each(text for it in steps for text in (it.text, it.result))
    return tuple(
        Step(remember.clean(text, "a step"), it.status, remember.clean(result, "a result"))
        for text, it, result in zip(texts[::2], steps, texts[1::2], strict=True)
    )


def _notes(notes: Sequence[Note]) -> tuple[Note, ...]:
    texts = secrets.strip_each(text for it in notes for text in (it.key, it.text))
    keys = [remember.one_line(key, "note's key") for key in texts[::2]]
    remember.refuse_secrets("a note's key", *keys)
    said = (remember.clean(text, "a note") for text in texts[1::2])
    return tuple(map(Note, said, keys))


def _todos(todos: Sequence[Todo]) -> tuple[Todo, ...]:
    """Return *todos* cleaned; one of which nothing may be kept is none."""
    texts = secrets.strip_each(text for it in todos for text in (it.id, it.text))
    cleaned = zip(texts[::2], texts[1::2], todos, strict=True)
    return tuple(
        Todo(remember.clean(name, "the id of a todo"), remember.clean(text, "a todo"), it.status)
        for name, text, it in cleaned
        if text or not it.text
    )


def _hook(it: Working) -> str:
    """Return what *it* is about, for a line of the history; `cleared` says that it is empty."""
    todo = next((t.text for t in it.todos if t.status != "completed"), "")
    if about := it.goal or todo:
        return first_line(about, _HOOK)
    if it.todos:
        return "todo list"
    return "notes" if it.state or it.steps or it.scratchpad else "cleared"


def _working_of(doc: Document) -> Working:
    return working.parse(doc.body, frontmatter.fields(doc))
