"""TASKS.md: the tasks as a diagram and a short list, between two marks; the rest is people's.

The diagram is Mermaid, which Obsidian and GitHub draw. No subject can break it: whatever is not a
letter, a digit or plain punctuation is written by its number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from vaultmem.documents import public_text
from vaultmem.knowledge.tasks.graph import Graph
from vaultmem.knowledge.tasks.types import Task
from vaultmem.memory.memory_index import BEGIN, END
from vaultmem.records import first_line

MOST_DRAWN, MOST_LISTED, MOST_DONE = 60, 100, 10
"""Tasks in the diagram, in each list, and of those that are done: beyond, nobody reads on."""

_EMPTY = f"""---
type: index
title: Tasks
---
# Tasks

What stands between the marks is generated; write your own lines above or below them.

{BEGIN}
{END}
"""
_BETWEEN = re.compile(
    rf"(^{BEGIN}[ \t]*(\r?\n))((?:(?!^{BEGIN}).)*?)(^{END}[ \t]*\r?(?:\n|\Z))",
    re.MULTILINE | re.DOTALL,
)
_FENCE = "```"
_GENERATED = re.compile(
    r"\s*|## (In progress|Ready|Blocked|Done)|- \[\d+\. .*\]\(.*\).*|- and \d+ more: .*"
    r"|Not drawn: \d+ .*"
)
_LABEL, _LINE = 48, 100
_PLAIN = frozenset(" ,.'-_")
_STYLES = (
    ("ready", "fill:#dbeafe,stroke:#2563eb,color:#1e3a8a"),
    ("doing", "fill:#fef3c7,stroke:#d97706,color:#78350f"),
    ("waits", "fill:#f3f4f6,stroke:#9ca3af,color:#374151"),
    ("done", "fill:#dcfce7,stroke:#16a34a,color:#14532d"),
)
_MARKS = re.compile(r"([\\`*_\[\]<>~|])")


def board(old: str | None, graph: Graph) -> str | None:
    """Return what TASKS.md shall say, from what it says (*old*); None when there shall be none.

    A text without both marks is a person's and comes back as it is. Without a task there is no
    note, unless a person wrote in it.
    """
    if old is None and not graph.tasks:
        return None
    made = _filled(_EMPTY if old is None else old, list(_lines(graph)))
    return None if made == _EMPTY else made


def own_text(text: str) -> str:
    """Return what people have in a TASKS.md: nothing stands between its marks."""
    return _filled(text, ())


def _filled(text: str, lines: Sequence[str]) -> str:
    """Return *text* with *lines* between its marks; as it is when it lacks one.

    What a person wrote there goes below, not away.
    """
    found = _BETWEEN.search(text)
    if found is None:
        return text
    eol, own = found[2], list(_own(found[3]))
    made = "".join(x + eol for x in lines)
    below = "".join(x + eol for x in ["", *own]) if own else ""
    return text[: found.end(1)] + made + found[4] + below + text[found.end() :]


def _own(between: str) -> Iterator[str]:
    """Yield the lines between the marks that are not ours."""
    fenced = False
    for line in between.splitlines():
        if line.startswith(_FENCE):
            fenced = not fenced
        elif not fenced and not _GENERATED.fullmatch(line):
            yield line


def _lines(graph: Graph) -> Iterator[str]:
    """Yield what stands between the marks: of what is not trusted, no word."""
    graph = replace(graph, tasks={n: task.unasked for n, task in graph.tasks.items()})
    tasks = list(graph.tasks.values())
    yield from _diagram(graph)
    begun = [t for t in tasks if t.status == "in_progress" and not graph.is_blocked(t)]
    yield from _section("In progress", (_item(t, t.owner) for t in begun))
    ready = [t for t in tasks if graph.is_ready(t)]
    yield from _section("Ready", (_item(t, t.owner) for t in ready))
    blocked = [t for t in tasks if graph.is_blocked(t)]
    yield from _section("Blocked", (_item(t, _waits(graph, t)) for t in blocked))
    done = sorted((t for t in tasks if not t.is_open), key=lambda t: (t.updated, t.id))
    yield from _section("Done", (_item(t, t.updated[:10]) for t in reversed(done)), MOST_DONE)


def _section(heading: str, items: Iterable[str], most: int = MOST_LISTED) -> Iterator[str]:
    found = list(items)
    if found:
        yield f"## {heading}"
        yield from found[:most]
    if len(found) > most:
        yield f"- and {len(found) - most} more: `vaultmem task list` shows them"


def _item(task: Task, hook: str) -> str:
    behind = f": {_safe(hook)}" if hook else ""
    return f"- [{task.id}. {_safe(task.subject)}]({task.path}){behind}"


def _waits(graph: Graph, task: Task) -> str:
    waits = "waits for " + ", ".join(map(str, graph.waits_for(task)))
    return f"{task.owner}, {waits}" if task.owner else waits


def _safe(text: str) -> str:
    """Return *text* on one line that is text to Markdown, and holds no secret a person wrote."""
    return _MARKS.sub(r"\\\1", first_line(public_text.shown(text), _LINE))


# --- the diagram ------------------------------------------------------------------------------


def _diagram(graph: Graph) -> Iterator[str]:
    wanted = _wanted(graph)
    drawn = sorted(wanted[:MOST_DRAWN], key=lambda task: task.id)
    if not drawn:
        return
    yield f"{_FENCE}mermaid"
    yield "flowchart LR"
    for task in drawn:
        yield f'  t{task.id}["{_label(task)}"]:::{_style(graph, task)}'
    shown = {task.id for task in drawn}
    for before, after in sorted(graph.edges):
        if {before, after} <= shown:
            yield f"  t{before} --> t{after}"
    yield from (f"  classDef {name} {style}" for name, style in _STYLES)
    yield _FENCE
    yield ""
    if len(wanted) > len(drawn):
        rest = [t for t in graph.tasks.values() if t.id not in shown]
        is_open = sum(task.is_open for task in rest)
        counts = f"{is_open} open, {len(rest) - is_open} done"
        yield f"Not drawn: {len(rest)} of the tasks ({counts}); `vaultmem task list` shows them."
        yield ""


def _wanted(graph: Graph) -> list[Task]:
    """Return what belongs into the diagram: what was begun, what is open, what that waited for."""
    is_open = [t for t in graph.tasks.values() if t.is_open]
    is_open.sort(key=lambda t: t.status != "in_progress")
    before = {n for task in is_open for n in task.blocked_by} & graph.tasks.keys()
    return [*is_open, *(graph.tasks[n] for n in sorted(before - {t.id for t in is_open}))]


def _style(graph: Graph, task: Task) -> str:
    if not task.is_open:
        return "done"
    if graph.is_blocked(task):
        return "waits"
    return "doing" if task.status == "in_progress" else "ready"


def _label(task: Task) -> str:
    text = first_line(public_text.shown(task.subject), _LABEL)
    plain = {c for c in text if c in _PLAIN or unicodedata.category(c)[0] in "LNM"}
    return f"{task.id}: " + "".join(c if c in plain else f"#{ord(c)};" for c in text)
