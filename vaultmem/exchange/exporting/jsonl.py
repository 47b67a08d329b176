"""A vault as JSON lines, a note or turn each; `import jsonl` takes what is not derived again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from vaultmem.exchange.exporting import memory_names
from vaultmem.exchange.exporting.okf import Concept, title
from vaultmem.exchange.exporting.told_turns import Told
from vaultmem.exchange.formats.jsonl import TURN, YAML

_OF_A_MEMORY = frozenset(("importance", "tags"))
"""What the line of a memory says in its own type."""

_KEYS = ("path", "type", "content", "frontmatter")


def note(concept: Concept, ended: Mapping[str, list[str]]) -> bytes:
    """Return the line of *concept*; *ended* is what each memory, by its stem, holds instead of."""
    return _line(_note(concept, ended.get(concept.record.stem, [])))


def turns(told: Told) -> Iterator[bytes]:
    """Yield the lines of the turns of a session."""
    return map(_line, _turns(told))


def _note(concept: Concept, supersedes: list[str]) -> dict[str, object]:
    record, raw = concept.record, concept.raw
    is_memory = record.type == "memory"
    fields = {
        "id": memory_names.own(record),
        "session": record.session,
        "speaker": record.speaker,
        "at": record.created,
        "importance": record.importance if is_memory and "importance" in raw else None,
        "tags": record.tags if is_memory else (),
        "supersedes": supersedes if is_memory else (),
        "path": record.path,
        "type": record.type,
        "agent": record.agent,
        "title": title(record),
    }
    present = {key: value for key, value in fields.items() if value or key == "importance"}
    if present["importance"] is None:
        del present["importance"]
    told = _OF_A_MEMORY if is_memory else frozenset[str]()
    typed = concept.lines(concept.typed.keys() - told)
    more = {YAML: typed} if typed else {}
    return {**present, "content": record.body.strip("\n"), "frontmatter": dict(raw), **more}


def _turns(told: Told) -> Iterator[dict[str, object]]:
    for number, turn in enumerate(told.turns, 1):
        fields = {
            "path": told.path, "type": TURN, "agent": told.agent, "session": told.session,
            "turn": number, "role": turn.role, "speaker": turn.speaker, "at": turn.at,
            "since": turn.since, "tool": turn.tool, "origin": turn.origin,
        }  # fmt: skip
        present = {key: value for key, value in fields.items() if value}
        yield {**present, "content": turn.content, "frontmatter": {}}


def _line(fields: Mapping[str, object]) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def is_ours(first: bytes) -> bool:
    """Tell whether a file that begins with the line *first* is such an export."""
    try:
        found = json.loads(first)
    except ValueError:
        return False
    return isinstance(found, dict) and all(key in found for key in _KEYS)
