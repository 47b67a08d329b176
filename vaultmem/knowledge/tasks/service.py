"""Keep the task graph of a vault: a file a task, links on both sides, one commit a change.

All agents share it. Each change is decided on the whole graph as it is, and made again when
somebody else was faster: two who create at once get two numbers, two links never make a cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Literal

from vaultmem import arguments
from vaultmem.documents import secrets
from vaultmem.errors import BadInput, StaleWrite
from vaultmem.knowledge import tasks
from vaultmem.knowledge.tasks import (
    LONGEST_RESULT,
    Edit,
    Graph,
    Links,
    New,
    Page,
    Task,
)
from vaultmem.memory import pointed_index, remember, tool_quotes
from vaultmem.records import TRUST_OF_SOURCE, first_line, iso
from vaultmem.storage import (
    committed_files,
    files,
    human_edits,
    tombstones,
    troubles,
    unconfirmed_operations,
)
from vaultmem.storage.index import file_queries
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.store import Store

Source = Literal["agent", "user"]

_TRIES = 40
_HOOK = 60


@arguments.checked
class Tasks:
    """The tasks of one vault; a task is named by its number, 4 or `task-0004`."""

    def __init__(self, store: Store) -> None:
        """Keep them in the vault at *store*."""
        self._store = store

    def create(  # noqa: PLR0913  # what is known of it, by name
        self,
        subject: str,
        *,
        description: str = "",
        owner: str = "",
        blocked_by: Sequence[int | str] = (),
        blocks: Sequence[int | str] = (),
        source: Source = "agent",
        reason: str = "",
    ) -> Task:
        """Make a task that is pending; *source* says whose words it is in.

        The *reason* stands in the commit alone. Raises BadInput for no subject or a link to no
        task, Refused for a cycle, what was forgotten or a tool said to an agent, SecretFound.
        """
        new = New(
            self._line(subject, "subject"),
            self._text(description),
            self._line(owner, "owner", needed=False),
            Links(_numbers(blocked_by), _numbers(blocks)),
        )
        self._check_quotes(source, new.subject, new.description, new.owner)

        def decide(graph: Graph, now: str) -> tuple[Change, ...]:
            return tasks.create(graph, new, self._store.mint(), now)

        digest = unconfirmed_operations.digest("task", *astuple(new))
        return self._change(None, decide, new.subject, digest, why=self._reason(reason))

    def update(  # noqa: PLR0913  # what may change, by name
        self,
        task_id: int | str,
        *,
        status: str | None = None,
        subject: str | None = None,
        description: str | None = None,
        owner: str | None = None,
        result: str | None = None,
        error: str | None = None,
        log: str | None = None,
        blocked_by: Sequence[int | str] = (),
        blocks: Sequence[int | str] = (),
        unblocked_by: Sequence[int | str] = (),
        source: Source = "agent",
        reason: str = "",
    ) -> Task:
        """Change what is given; the lists add links and take them away, "" gives up an owner.

        *result* is what came of it, *error* why it failed: the one ends the other, and completion
        the error. *log* is the path of a file of the vault that tells how it went. Raises what
        `create` does, and BadInput for a log that is not there or both a result and an error.
        Completing a task makes ready what waited for nothing else.
        """
        number = tasks.number(task_id)
        edit = Edit(
            tasks.required_status(status) if status is not None else None,
            None if subject is None else self._line(subject, "subject"),
            None if description is None else self._text(description),
            None if owner is None else self._line(owner, "owner", needed=False),
            None if result is None else self._outcome(result, "result"),
            None if error is None else self._outcome(error, "error"),
            None if log is None else self._log(log),
            Links(_numbers(blocked_by), _numbers(blocks), _numbers(unblocked_by)),
        )
        if edit.error and (edit.result or edit.status == "completed"):
            raise BadInput("a task that is completed or has a result has no error: leave it out")
        own = (edit.subject, edit.description, edit.owner)
        self._check_quotes(source, *filter(None, own))
        # What came of it, and why it failed, may be what a tool answered.
        came = [*filter(None, (edit.result, edit.error))]
        is_told = source == "agent" and bool(tool_quotes.tool_of(self._store, "", *came))
        edit = replace(edit, is_told=is_told)

        def decide(graph: Graph, now: str) -> tuple[Change, ...]:
            return tasks.update(graph, number, edit, now)

        hook = edit.status or edit.subject or ""
        return self._change(number, decide, hook, why=self._reason(reason))

    def claim(self, task_id: int | str, owner: str) -> Task:
        """Put a task in progress as *owner*'s; of several who claim it at once, one gets it.

        Raises BadInput for no such task, Refused for one that is another's, waits, or is completed.
        """
        number, name = tasks.number(task_id), self._line(owner, "owner")
        self._check_quotes("agent", name)

        def decide(graph: Graph, now: str) -> tuple[Change, ...]:
            return tasks.claim(graph, number, name, now)

        return self._change(number, decide, f"claimed by {name}")

    def list(
        self, *, ready: bool = False, blocked: bool = False, status: str = "", owner: str = ""
    ) -> tuple[Task, ...]:
        """Return the tasks by number: those that can be begun now, wait, or have that status.

        Raises BadInput for a status that is none.
        """
        return self.graph().select(ready=ready, blocked=blocked, status=status, owner=owner)

    def get(self, task_id: int | str) -> Task:
        """Return one task; raises BadInput for none, Refused for one that cannot be read."""
        graph, number = self.graph(), tasks.number(task_id)
        tasks.page_of(graph, number)
        return graph.tasks[number]

    def with_blockers(self, task_id: int | str) -> tuple[Task, ...]:
        """Return one task, then those that it is blocked by, with what came of them.

        Raises what `get` does.
        """
        graph, number = self.graph(), tasks.number(task_id)
        tasks.page_of(graph, number)
        blockers = (graph.tasks.get(n) for n in graph.tasks[number].blocked_by)
        return (graph.tasks[number], *filter(None, blockers))

    def graph(self) -> Graph:
        """Return all tasks with what waits for what, and what is wrong with their files."""
        self._store.sync_notes()
        return load(self._store)

    def _line(self, text: str, what: str, *, needed: bool = True) -> str:
        line = remember.one_line(text, what)
        if needed and not line:
            raise BadInput(f"a task needs a {what}: {secrets.why_empty(text)}")
        remember.refuse_secrets(f"the {what}", line)
        tombstones.refuse(self._store, line)
        return line

    def _check_quotes(self, source: Source, *texts: str) -> None:
        if source == "agent":  # a task is everybody's: whatever agent heard it
            tool_quotes.refuse(self._store, "", *texts)

    def _outcome(self, text: str, what: str) -> str:
        line = " ".join(remember.clean(text, f"the {what}").split())
        if len(line) > LONGEST_RESULT:
            raise BadInput(
                f"the {what} is longer than {LONGEST_RESULT} characters: say it in short, keep the "
                "rest in a file of the vault, and name that as log"
            )
        tombstones.refuse(self._store, line)
        return line

    def _log(self, path: str) -> str:
        line = self._line(path, "log", needed=False)
        if line and (line.startswith(".") or not files.stamp(self._store.root, line)):
            raise BadInput(f"{line} is no file of the vault: a log is kept there first, then named")
        return line

    def _reason(self, reason: str) -> str:
        line = remember.reason_line(reason)
        tombstones.refuse(self._store, line)
        return line

    def _text(self, description: str) -> str:
        text = remember.clean(description, "the description")
        tombstones.refuse(self._store, text)
        return text

    def _change(
        self,
        number: int | None,
        decide: Callable[[Graph, str], tuple[Change, ...]],
        hook: str,
        asked: str = "",
        *,
        why: str = "",
    ) -> Task:
        """Carry out what *decide* says of the task *number*, None for the next new one."""
        self._store.sync_notes()

        def step() -> tuple[Task, str]:
            shas, pages = _shas(self._store), _pages(self._store)
            graph = tasks.graph(pages.values())
            it = number or graph.next_number
            changes = decide(graph, iso(self._store.clock()))
            if not changes:
                return graph.tasks[it], ""
            human_edits.keep_words(self._store, changes)
            after = tasks.graph(_after(pages, changes).values())
            plan = self._plan("update" if number else "create", it, hook, changes)
            wanted = replace(plan, asked=asked, notes=remember.reason_notes(why))
            if earlier := self._store.apply(wanted, _unmoved(self._store, shas)):
                newest = max(n for p in earlier.paths if (n := tasks.named(p)))
                return load(self._store).tasks[newest], earlier.op
            return after.tasks[it], plan.op

        task, op = self._store.retry(step, _TRIES)
        if not op:
            return task
        commit, why = human_edits.commit_of(self._store, op, task.path)
        return replace(task, commit=commit, uncommitted=why)

    def _plan(self, verb: str, number: int, hook: str, changes: tuple[Change, ...]) -> Plan:
        graph = _committed(self._store, changes)
        known = graph.tasks.get(number) if graph else None
        about = first_line(hook or (known.subject if known else ""), _HOOK)
        noted = (*changes, *(_board(self._store, graph) if graph else ()))
        return Plan(
            op=self._store.mint(),
            kind="task",
            subject=f"task({verb}): {number} {about}".rstrip(),
            changes=(*noted, *pointed_index.change(self._store, changes)),
            trust=TRUST_OF_SOURCE["agent"],
        )


def load(store: Store) -> Graph:
    """Return the graph that the files tell of; the caller has synced the index."""
    return tasks.graph(_pages(store).values())


def board_change(
    store: Store, changes: Sequence[Change | Append] = (), meant: bytes | None = None
) -> tuple[Change, ...]:
    """Return the change that makes TASKS.md show the tasks after *changes*, if any.

    As the next commit of ours has them. *meant* is what it shall say outside of its marks, where
    that is to change, too.
    """
    graph = _committed(store, changes)
    return () if graph is None else _board(store, graph, meant)


def unlinked(
    store: Store, changes: Sequence[Change | Append], gone: Collection[int], now: str
) -> tuple[Change, ...]:
    """Return the changes that take the tasks that are *gone* out of others, after *changes*."""
    if not gone or _is_partial(store):
        return ()
    made = [c for c in changes if isinstance(c, Change)]
    return tuple(tasks.without(tasks.graph(_after(_pages(store), made).values()), gone, now))


def board_text(store: Store, changes: Sequence[Change], text: bytes | None) -> bytes | None:
    """Return *text*, a TASKS.md, showing the tasks as they are after *changes*; None for none."""
    graph = _committed(store, changes)
    return text if graph is None else _drawn(graph, text)


def _committed(store: Store, changes: Sequence[Change | Append]) -> Graph | None:
    """Return the tasks after *changes* as the next commit of ours has them.

    Of a file that is held back, or was edited and not committed yet, that is what git had of it
    before, if anything. None where one of them cannot be read now.
    """
    if _is_partial(store):
        return None
    made = [c for c in changes if isinstance(c, Change) and tasks.is_place(c.path)]
    new = {c.path: committed_files.after(store, store.texts.owned(c)) for c in made}
    now = {path: store.texts.own(path) for path, _ in sorted(_shas(store)) if path not in new}
    found = {**now, **committed_files.instead(store, now), **new}
    return tasks.graph(
        tasks.read(path, store.texts.public(path, data))
        for path, data in sorted(found.items())
        if data is not None
    )


def _is_partial(store: Store) -> bool:
    """Tell whether one of the tasks cannot be read now."""
    unread = (*troubles.unread(store), *store.not_checked_out())
    return any(path.startswith((f"{tasks.FOLDER}/", tasks.BOARD)) for path in unread)


def _board(store: Store, graph: Graph, meant: bytes | None = None) -> tuple[Change, ...]:
    old = store.texts.read_if_allowed(tasks.BOARD)
    if old is None and not store.texts.is_gone(tasks.BOARD):
        return ()  # a link, or what we may not read, stands there: it is told of
    new = _drawn(graph, old if meant is None else meant)
    change = Change(tasks.BOARD, old, new, "shows the tasks there are now")
    return () if new == old or not store.texts.may_change(change) else (change,)


def _drawn(graph: Graph, said: bytes | None) -> bytes | None:
    text = None if said is None else said.decode("utf-8", "surrogateescape")
    made = tasks.board(text, graph)
    return None if made is None else made.encode("utf-8", "surrogateescape")


def _pages(store: Store) -> dict[str, Page]:
    read = {path: store.texts.read(path) for path, _ in sorted(_shas(store))}
    return {path: tasks.read(path, data) for path, data in read.items() if data is not None}


def _after(pages: Mapping[str, Page], changes: Sequence[Change]) -> dict[str, Page]:
    """Return *pages* once *changes* are made."""
    gone = {change.path for change in changes}
    kept = {path: page for path, page in pages.items() if path not in gone}
    ours = [c for c in changes if tasks.is_place(c.path)]
    return kept | {c.path: tasks.read(c.path, c.new) for c in ours if c.new is not None}


def _shas(store: Store) -> frozenset[tuple[str, str]]:
    """Return the files below `tasks/` as the index saw them last."""
    seen = file_queries.shas(store.index, tasks.FOLDER)
    return frozenset((path, sha) for path, sha in seen if tasks.is_place(path))


def _unmoved(store: Store, shas: frozenset[tuple[str, str]]) -> Callable[[], None]:
    """Return the guard that refuses a change decided on a graph that is another by now."""

    def check() -> None:
        if moved := _shas(store) ^ shas:
            raise StaleWrite(min(moved)[0], None, "changed")

    return check


def _numbers(refs: Sequence[int | str]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(map(tasks.number, refs)))
