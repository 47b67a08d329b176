"""Session compacts and episodes as the JSON that programs exchange; compacts read back too."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Mapping

from vaultmem.documents.bodies import Decision, Eliminated, Episode, SessionCompact, ToolResult
from vaultmem.errors import BadInput

_COUNTED = re.compile(r"(.*) \d+", re.DOTALL)


def compact_json(compact: SessionCompact) -> dict[str, object]:
    """Return *compact* as JSON; `compact_from_json` undoes it."""
    return {
        "task": compact.task,
        "current_state": compact.current_state,
        "key_decisions": _decisions(compact.key_decisions),
        "eliminated_approaches": [
            {"approach": it.approach, "reason_ruled_out": it.why}
            for it in compact.eliminated_approaches
        ],
        "open_questions": list(compact.open_questions),
        "next_steps": list(compact.next_steps),
        "relevant_tool_results": _by_name(compact.relevant_tool_results),
        "compacted_at_turn": compact.compacted_at_turn,
    }


def compact_from_json(data: Mapping[str, object]) -> SessionCompact:
    """Return the compact that *data* holds; keys may be missing, others are passed by.

    Raises BadInput for a value of the wrong kind.
    """
    return SessionCompact(
        _text(data, "task"),
        _text(data, "current_state"),
        tuple(
            Decision(_text(it, "decision"), _text(it, "reason"), _text(it, "constraint"))
            for it in _objects(data, "key_decisions")
        ),
        tuple(
            Eliminated(_text(it, "approach"), _text(it, "reason_ruled_out"))
            for it in _objects(data, "eliminated_approaches")
        ),
        _texts(data, "open_questions"),
        _texts(data, "next_steps"),
        _results(data, "relevant_tool_results"),
        _number(data, "compacted_at_turn"),
    )


def episode_json(episode: Episode) -> dict[str, object]:
    """Return *episode* as JSON."""
    return {
        "title": episode.title,
        "summary": episode.summary,
        "decisions": _decisions(episode.decisions),
        "eliminated": [{"approach": it.approach, "why": it.why} for it in episode.eliminated],
        "open_questions": list(episode.open_questions),
        "corrections": list(episode.corrections),
        "preferences": list(episode.preferences),
        "tool_results": _by_name(episode.tool_results),
    }


def _decisions(decisions: Iterable[Decision]) -> list[dict[str, str]]:
    return [
        {"decision": it.decision, "reason": it.reason, "constraint": it.constraint}
        for it in decisions
    ]


# --- results by name ----------------------------------------------------------------------------


def _by_name(results: Iterable[ToolResult]) -> dict[str, str]:
    """Return *results* by name, a second `query` as `query 2`."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    for it in results:
        keys = itertools.chain([it.name], (f"{it.name} {n}" for n in itertools.count(2)))
        found[next(k for k in keys if k not in found and _name(k, seen) == it.name)] = it.result
        seen.add(it.name)
    return found


def _name(key: str, seen: Collection[str]) -> str:
    """Return the name that *key* stands for behind keys of the names *seen*.

    A number at its end counts when what stands before it was there already, itself counted or not.
    """
    base = key
    while found := _COUNTED.fullmatch(base):
        base = found[1]
        if base in seen:
            return key.rpartition(" ")[0]
    return key


def _results(data: Mapping[str, object], key: str) -> tuple[ToolResult, ...]:
    found: list[ToolResult] = []
    seen: set[str] = set()
    held = _object(data.get(key, {}), key)
    for each in held:
        name = _name(each, seen)
        found.append(ToolResult(name, _text(held, each)))
        seen.add(name)
    return tuple(found)


# --- values of a kind ---------------------------------------------------------------------------


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise _wrong(key, "a text", value)
    return value


def _number(data: Mapping[str, object], key: str) -> int:
    value = data.get(key, 0)
    if not isinstance(value, int):
        raise _wrong(key, "a whole number", value)
    return value


def _list(data: Mapping[str, object], key: str) -> list[object]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise _wrong(key, "a list", value)
    return value


def _texts(data: Mapping[str, object], key: str) -> tuple[str, ...]:
    return tuple(_text({key: each}, key) for each in _list(data, key))


def _objects(data: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    return [_object(each, key) for each in _list(data, key)]


def _object(value: object, key: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _wrong(key, "an object", value)
    return value


def _wrong(key: str, wanted: str, value: object) -> BadInput:
    return BadInput(f"a compact's {key!r} holds {type(value).__name__}, it must be {wanted}")
