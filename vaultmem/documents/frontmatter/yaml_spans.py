"""Find where each top-level key of a frontmatter stands, to the character and to the line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import yaml
from yaml.error import Mark
from yaml.events import (
    CollectionEndEvent,
    CollectionStartEvent,
    Event,
    ScalarEvent,
    SequenceStartEvent,
)

from vaultmem.errors import Refused

_BLOCK = frozenset("|>")
_LETTER = re.compile(r"\S")
_COMMENT = re.compile(r"(?<!\S)#")


@dataclass(frozen=True, slots=True)
class Node:
    """A YAML node of a head: where its text begins and ends, and what it is."""

    start: int
    end: int
    text: str | None = None  # a scalar's
    kind: str = ""  # "[" and "{" as flow, "-" and ":" as block
    inner: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A top-level key, its value, and the whole lines they stand on."""

    key: Node
    value: Node
    start: int
    stop: int


def find(head: str) -> dict[str, Entry]:
    """Return the top-level entries of a sound *head* in order; raises Refused for a flow one."""
    events = iter(yaml.CBaseLoader(head).get_event, None)
    root = next((event for event in events if isinstance(event, CollectionStartEvent)), None)
    if root is None:
        return {}
    node = _node(head, events, root)
    if node.kind == "{":
        raise Refused("the frontmatter is one flow mapping {…}: give it one key a line")
    keys, values = node.inner[::2], node.inner[1::2]
    pairs = zip(keys, values, strict=True)
    return {str(key.text): _entry(head, key, value) for key, value in pairs}


def comments(head: str) -> dict[str, str]:
    """Return the comments of a sound *head*, each with a line that it stands on."""
    bare = head
    for event in iter(yaml.CBaseLoader(head).get_event, None):
        if isinstance(event, ScalarEvent):
            # Behind the sign of a block there may be one.
            begin = _start(event) if event.style not in _BLOCK else line_stop(head, _start(event))
            end = max(begin, _end(event))
            bare = bare[:begin] + _LETTER.sub("x", bare[begin:end]) + bare[end:]
    every = zip(head.splitlines(), bare.splitlines(), strict=True)
    found = ((line, it.start()) for line, rest in every if (it := _COMMENT.search(rest)))
    return {line[at:]: line for line, at in found}


def line_stop(head: str, at: int) -> int:
    """Return where the line that holds *at* stops, behind its newline."""
    return head.find("\n", at) + 1 or len(head)


def _entry(head: str, key: Node, value: Node) -> Entry:
    start = head.rfind("\n", 0, key.start) + 1
    return Entry(key, value, start, line_stop(head, max(key.end, value.end)))


def _node(head: str, events: Iterator[Event], event: Event) -> Node:
    """Return the node that *event* opens; depth is bounded, since the head was read before."""
    if isinstance(event, CollectionStartEvent):
        return _collection(head, events, event)
    text = event.value if isinstance(event, ScalarEvent) else None
    # libyaml ends a block scalar behind the blank lines that follow it.
    end = len(head[: _end(event)].rstrip(" \t\r\n"))
    return Node(_start(event), end, text)


def _collection(head: str, events: Iterator[Event], event: CollectionStartEvent) -> Node:
    inner = []
    is_list = isinstance(event, SequenceStartEvent)
    for last in events:
        if isinstance(last, CollectionEndEvent):
            break
        inner.append(_node(head, events, last))
    if event.flow_style:
        return Node(_start(event), _end(last), None, "[" if is_list else "{", tuple(inner))
    # libyaml ends a block where the next token begins, behind blank lines and comments.
    return Node(_start(event), inner[-1].end, None, "-" if is_list else ":", tuple(inner))


def _start(event: Event) -> int:
    return cast("Mark", event.start_mark).index  # libyaml marks every event


def _end(event: Event) -> int:
    return cast("Mark", event.end_mark).index
