"""The todo list: few things, one at a time, and a word when it is forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from vaultmem.documents.bodies.bullets import normal
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.memory.working.types import Todo, TodoStatus

MOST_TODOS, PATIENCE = 20, 3
"""Items at most, and the rounds without an update after which the agent is reminded."""

_STATUSES: tuple[TodoStatus, ...] = get_args(TodoStatus)
_MARKS: dict[TodoStatus, str] = {"pending": " ", "in_progress": ">", "completed": "x"}


def checked(items: Iterable[Todo | Mapping[str, object]]) -> tuple[Todo, ...]:
    """Return *items* as a todo list; raises BadInput with what a model is to do otherwise.

    An item without an id gets its place in the list as one.
    """
    todos = tuple(_todo(item, place) for place, item in enumerate(items, 1))
    if len(todos) > MOST_TODOS:
        raise BadInput(
            f"{len(todos)} todos, at most {MOST_TODOS}: leave out what is completed, or join some"
        )
    for name, count in Counter(todo.id for todo in todos).items():
        if count > 1:
            raise BadInput(f"{count} todos have the id {quoted(name)}: give each an id of its own")
    begun = [todo.id for todo in todos if todo.status == "in_progress"]
    if len(begun) > 1:
        named = ", ".join(map(repr, begun))
        raise BadInput(
            f"{len(begun)} todos are in_progress ({named}), at most one: "
            "set the others to pending or completed"
        )
    return todos


def _todo(item: Todo | Mapping[str, object], place: int) -> Todo:
    if isinstance(item, Todo):
        item = {"id": item.id, "text": item.text, "status": item.status}
    if not isinstance(item, Mapping):
        raise BadInput(f"todo {place} is not an object: give id, text and status")
    name = normal(str(item.get("id") or place))
    words = item.get("text")
    if not isinstance(words, str) or not normal(words):
        raise BadInput(f"todo {quoted(name)} has no text: say in `text` what is to be done")
    status = next((s for s in _STATUSES if s == item.get("status", "pending")), None)
    if status is None:
        allowed = ", ".join(_STATUSES)
        raise BadInput(
            f"todo {quoted(name)} has the status {quoted(item['status'])}: it is one of {allowed}"
        )
    return Todo(name, normal(words), status)


def reminder(rounds_since_update: int, todos: Sequence[Todo] = ()) -> str:
    """Return what an agent is told that has not touched its list for so long; "" before that.

    Nor is it told anything once all of the list is completed.
    """
    done = bool(todos) and all(todo.status == "completed" for todo in todos)
    if rounds_since_update < PATIENCE or done:
        return ""
    return (
        f"The todo list was not updated for {rounds_since_update} rounds. Bring it up to date.\n"
        f"{todo_text(todos)}"
    ).strip()


def todo_text(todos: Sequence[Todo]) -> str:
    """Return the list as a model reads it: `[>] 1: buy a cake`, and how much of it is done."""
    lines = [f"[{_MARKS[todo.status]}] {todo.id}: {todo.text}" for todo in todos]
    done = sum(todo.status == "completed" for todo in todos)
    return "\n".join([*lines, f"({done} of {len(todos)} completed)"]) if todos else ""
