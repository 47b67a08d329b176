"""Read YAML into a mapping, checking each node as it is met, before anything is built on it.

What readers disagree on is refused by name: anchors, aliases, tags, duplicate keys, deep nesting.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn, cast

import yaml
from yaml.error import Mark
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from vaultmem.documents.frontmatter.parser import Value
from vaultmem.documents.frontmatter.plain_reader import NULLS
from vaultmem.errors import Unreadable

_MAX_DEPTH = 4


def load(head: str) -> dict[str, Value]:
    """Return what *head* maps to; raises Unreadable."""
    try:
        return _root(iter(yaml.CBaseLoader(head).get_event, None))
    except yaml.MarkedYAMLError as e:
        line = e.problem_mark.line + 2 if e.problem_mark else 1
        raise Unreadable("yaml", f"line {line} is not YAML: {e.problem}") from e
    except (yaml.YAMLError, UnicodeEncodeError) as e:
        raise Unreadable("yaml", f"the frontmatter is not YAML: {e}") from e


def _root(events: Iterator[Event]) -> dict[str, Value]:
    next(events)  # the stream's start
    start = next(events)
    if isinstance(start, StreamEndEvent):
        return {}
    if not isinstance(start, DocumentStartEvent) or start.explicit:
        _reject("documents", start, "starts a document of its own")
    found = _value(events, next(events), 1)
    if not isinstance(found, dict):
        raise Unreadable("yaml", "the frontmatter is not a mapping of keys to values")
    next(events)  # the document's end
    after = next(events)
    if not isinstance(after, StreamEndEvent):
        _reject("documents", after, "starts a second document")
    return found


def _value(events: Iterator[Event], event: Event, depth: int) -> Value:
    """Return the value of the node that *event* opens."""
    if isinstance(event, ScalarEvent):
        if event.anchor or event.tag:
            _reject_node(event, event.tag)
        return "" if event.implicit[0] and event.value in NULLS else event.value
    if not isinstance(event, CollectionStartEvent) or event.anchor or event.tag:
        _reject_node(event, getattr(event, "tag", None))
    if depth > _MAX_DEPTH:
        _reject("depth", event, f"nests deeper than {_MAX_DEPTH} levels")
    if isinstance(event, SequenceStartEvent):
        return _list(events, depth)
    return _dict(events, depth)


def _list(events: Iterator[Event], depth: int) -> list[Value]:
    found: list[Value] = []
    for event in events:
        if isinstance(event, CollectionEndEvent):
            break
        found.append(_value(events, event, depth + 1))
    return found


def _dict(events: Iterator[Event], depth: int) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for event in events:
        if isinstance(event, CollectionEndEvent):
            break
        key = _key(event)
        if key in found:
            _reject("duplicate", event, f"has the key {key!r} a second time")
        found[key] = _value(events, next(events), depth + 1)
    return found


def _key(event: Event) -> str:
    if not isinstance(event, ScalarEvent):
        if isinstance(event, CollectionStartEvent) and not (event.anchor or event.tag):
            _reject("yaml", event, "has a key that is a list or a mapping")
        _reject_node(event, getattr(event, "tag", None))
    if event.anchor or event.tag:
        _reject_node(event, event.tag)
    return event.value


def _reject_node(event: Event, tag: str | None) -> NoReturn:
    if isinstance(event, AliasEvent):
        _reject("alias", event, f"has an alias (*{event.anchor}); quote it if text was meant")
    if isinstance(event, NodeEvent) and event.anchor:
        _reject("anchor", event, f"has an anchor (&{event.anchor}); quote it if text was meant")
    _reject("tag", event, f"has a tag ({tag}); quote it if text was meant")


def _reject(code: str, event: Event, why: str) -> NoReturn:
    line = cast("Mark", event.start_mark).line + 2  # libyaml marks every event
    raise Unreadable(code, f"line {line} {why}")
